# What .ci/run and .ci/all share. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TERM_COLOR=never
# nothing is built a second time, and nobody looks into it with a debugger
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=false CARGO_PROFILE_TEST_DEBUG=false
TARGET=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
STEPS=$TARGET/ci
mkdir -p "$STEPS"

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# Runs a command, and notes for the table at the end how long it took.
step() {
  local begun=$SECONDS
  printf '\n== %s %s\n' "$(clock $begun)" "$*"
  "$@"
  printf '%s\t%s\t%s\t%s\n' "$begun" "$((SECONDS - begun))" "${LANE:-}" "$*" >> "$STEPS/times"
}

# Runs functions side by side, each as a lane of its own: the first one prints as it goes, the others at the end. A lane ends at its
# first failure; the others go on, so that one run tells everything.
lanes() {
  local status=0 name job jobs=()
  for name in "${@:2}"; do
    (LANE=$name; "$name") > "$STEPS/$name.log" 2>&1 &
    jobs+=($!)
  done
  (LANE=$1; "$1") &
  wait $! || { status=$?; printf '\n== LANE %s FAILED\n' "$1"; }
  for name in "${@:2}"; do
    job=${jobs[0]} jobs=("${jobs[@]:1}")
    wait "$job" || { status=$?; echo "== LANE $name FAILED" >> "$STEPS/$name.log"; }
    printf '\n==== lane %s\n' "$name"
    cat "$STEPS/$name.log"
  done
  return $status
}

# The table of the steps: when each began, how long it took, in which lane.
times() {
  printf '\n== steps: begun, took, lane, command\n'
  sort -n "$STEPS/times" | while IFS=$'\t' read -r begun took lane command; do
    printf '%6s %6s  %-6s %s\n' "$(clock "$begun")" "$(clock "$took")" "$lane" "${command:0:140}"
  done
  printf '== %s done\n' "$(clock $SECONDS)"
}

# The commit that a change is compared with: CI_BASE, or the newest one that is eight hours older than the last.
base() {
  git rev-parse --verify --quiet "${CI_BASE:-}^{commit}" 2> /dev/null ||
    git rev-list -1 --before=$(($(git log -1 --format=%ct) - 8 * 3600)) HEAD 2> /dev/null || true
}

# Whether one of these paths changed; everything did where nobody can tell.
changed() {
  [ -z "${CI_ALL:-}" ] && [ -n "$BASE" ] || return 0
  [ -n "$(git diff --name-only "$BASE" -- "$@")" ]
}
BASE=$(base)
