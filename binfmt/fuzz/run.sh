#!/usr/bin/env bash
# Fuzzes: run.sh MINUTES [TARGET..] takes so long for all targets together, run.sh --seconds N [TARGET..] so long for each.
# Of MINUTES a target gets its share. Prints a table, and fails where something was found. FUZZ_CORPUS is the folder that keeps
# inputs between runs, FUZZ_JOBS how many targets run at a time, FUZZ_PROGRAMS a folder of programs that are built already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }

# Shares of the time, where they are not 1: what is slow and deep needs more, what is quick has soon seen all that it can see.
declare -A SHARE=(
  [command]=4 [cross]=4 [layouts]=4 [layout_run]=4 [layout_text]=4 [typed]=4 [columns]=4
  [faults]=3 [arrow]=2 [description]=2 [round]=2 [sdds]=2 [tables]=2 [tiledb_many]=2 [where]=2
)

each=
case ${1:-} in
  --seconds) each=${2:?}; shift 2 ;;
  [0-9]*) minutes=$1; shift ;;
  *) usage ;;
esac
if [ $# -gt 0 ]; then targets=("$@"); else targets=($(cd "$here/src/bin" && ls *.rs | sed 's/\.rs$//')); fi
jobs=${FUZZ_JOBS:-$(nproc)}
shares=0
for target in "${targets[@]}"; do shares=$((shares + ${SHARE[$target]:-1})); done
# How many seconds a target has.
seconds() { echo "${each:-$((minutes * 60 * jobs * ${SHARE[$1]:-1} / shares))}"; }

programs=${FUZZ_PROGRAMS:-$("$here/build.sh")}
corpus=${FUZZ_CORPUS:-$here/../../target/fuzz/corpus}
mkdir -p "$corpus"
python3 "$here/corpus.py" "$corpus"

# no leaks are looked for: what a fuzzer stops holds memory. libdeflate has one table in several files.
export RUST_BACKTRACE=0
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0:symbolize=0

# files of targets that run the command stand in memory, where there is such a place
memory=${TMPDIR:-/tmp}
if [ -d /dev/shm ]; then memory=/dev/shm; fi

# Runs one target until its time is up; a find ends the program, which is then begun anew, but not for ever.
one() {
  local target=$1 quiet=0 words=${1%%_*} finds=0 left log=$corpus/$1.log found=$corpus/found/$1 each FUZZ_FOLDER
  each=$(seconds "$target")
  case $target in
    afl) words=scidb ;;
    cross) words=command ;;
    layout_run) words=layout_text ;;
    layout_text) words=$target ;;
  esac
  # what these print is not looked at
  case $target in
    arrow | command | command_json | cross | tables) quiet=3 ;;
  esac
  local options=(-timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=4096 -reload=0 -print_final_stats=1)
  options+=(-report_slow_units=5 -close_fd_mask=$quiet -artifact_prefix="$found/")
  if [ -e "$here/dictionaries/$words.dict" ]; then options+=(-dict="$here/dictionaries/$words.dict"); fi
  mkdir -p "$found"
  : > "$log"
  FUZZ_FOLDER=$(mktemp -d "$memory/binfmt-fuzz.XXXXXX")
  export FUZZ_FOLDER
  local end=$(($(date +%s) + each))
  while left=$((end - $(date +%s))) && [ "$left" -gt 0 ] && [ $finds -lt 20 ]; do
    if "$programs/$target" "${options[@]}" -max_total_time=$left "$corpus/$target" >> "$log" 2>&1; then break; fi
    finds=$((finds + 1))
    # what it was writing may be large
    rm -rf "${FUZZ_FOLDER:?}"/*
  done
  rm -rf "$FUZZ_FOLDER"
  echo "seconds: $((each - end + $(date +%s)))" >> "$log"
}

running=0
for target in "${targets[@]}"; do
  one "$target" &
  if [ $((++running)) -ge "$jobs" ]; then wait -n; running=$((running - 1)); fi
done
wait
python3 "$here/report.py" "$corpus" "${targets[@]}"
