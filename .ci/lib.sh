# What .ci/run and .ci/all share. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TERM_COLOR=never
# nothing is built a second time
export CARGO_INCREMENTAL=0
TARGET=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
STEPS=$TARGET/ci
mkdir -p "$STEPS"

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# Runs a command, and notes for the table at the end how long it took.
step() {
  local begun=$SECONDS
  printf '\n== %s %s\n' "$(clock $begun)" "$*"
  "$@"
  printf '%s\t%s\t%s\t%s\n' "$begun" "$((SECONDS - begun))" "${LANE:--}" "$*" >> "$STEPS/times"
}

# The exit status of the lanes that failed.
STATUS=0

# Runs functions side by side, each as a lane of its own: the first one prints as it goes, the others at the end. A lane ends at its
# first failure; the others go on, so that one run tells everything. Nothing may ask for the status of this function: bash would
# then ignore each failure inside it.
lanes() {
  local name job jobs=()
  for name in "${@:2}"; do
    (LANE=$name; "$name") > "$STEPS/$name.log" 2>&1 &
    jobs+=($!)
  done
  (LANE=$1; "$1") &
  wait $! || { STATUS=$?; printf '\n== LANE %s FAILED\n' "$1"; }
  for name in "${@:2}"; do
    job=${jobs[0]} jobs=("${jobs[@]:1}")
    wait "$job" || { STATUS=$?; echo "== LANE $name FAILED" >> "$STEPS/$name.log"; }
    printf '\n==== lane %s\n' "$name"
    cat "$STEPS/$name.log"
  done
}

# The table of the steps: when each began, how long it took, in which lane.
summary() {
  printf '\n== steps: begun, took, lane, command\n'
  sort -n "$STEPS/times" | while IFS=$'\t' read -r begun took lane command; do
    printf '%6s %6s  %-6s %s\n' "$(clock "$begun")" "$(clock "$took")" "$lane" "${command:0:140}"
  done
  printf '== %s done\n' "$(clock $SECONDS)"
}

# The commit that a change is compared with: CI_BASE; or where the branch left that of origin; or the newest commit at least eight
# hours older than the last one.
base() {
  local head last
  head=$(git rev-parse --verify --quiet HEAD 2> /dev/null) || return 0
  last=$(git merge-base HEAD origin/HEAD 2> /dev/null) || last=$head
  git rev-parse --verify --quiet "${CI_BASE:-}^{commit}" 2> /dev/null && return
  if [ "$last" != "$head" ]; then
    echo "$last"
  else
    git rev-list -1 --before=$(($(git log -1 --format=%ct) - 8 * 3600)) HEAD
  fi
}

# Whether one of these paths changed; everything did where nobody can tell.
changed() {
  [ -z "${CI_ALL:-}" ] && [ -n "$BASE" ] || return 0
  [ -n "$(git diff --name-only "$BASE" -- "$@")" ]
}
BASE=$(base)

# The features of all examples, as the workspace calls them.
EXAMPLES=$(sed -n 's/^\([a-z]*\) = \[.*/examples\/\1/p' examples/Cargo.toml | paste -sd,)
