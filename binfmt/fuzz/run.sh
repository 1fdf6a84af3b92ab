#!/usr/bin/env bash
# Fuzzes: run.sh MINUTES [TARGET..] takes so long for all targets together, run.sh --seconds N [TARGET..] so long for each.
# Prints a table, and fails where something was found. FUZZ_CORPUS is the folder that keeps inputs between runs, FUZZ_JOBS
# how many targets run at a time, FUZZ_PROGRAMS a folder of programs that are built already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
each=
case ${1:-} in
  --seconds) each=${2:?}; shift 2 ;;
  [0-9]*) minutes=$1; shift ;;
  *) usage ;;
esac
if [ $# -gt 0 ]; then targets=("$@"); else targets=($(cd "$here/src/bin" && ls *.rs | sed 's/\.rs$//')); fi
jobs=${FUZZ_JOBS:-$(nproc)}
: "${each:=$((minutes * 60 * jobs / ${#targets[@]}))}"

programs=${FUZZ_PROGRAMS:-$("$here/build.sh")}
corpus=${FUZZ_CORPUS:-$here/../../target/fuzz/corpus}
mkdir -p "$corpus"
python3 "$here/corpus.py" "$corpus"

# no leaks are looked for: what a fuzzer stops holds memory. libdeflate has one table in several files.
export RUST_BACKTRACE=0
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0:symbolize=0

# Runs one target until its time is up; a find ends the program, which is then begun anew, but not for ever.
one() {
  local target=$1 quiet=0 words=${1%%_*} finds=0 left log=$corpus/$1.log found=$corpus/found/$1
  case $target in
    afl) words=scidb ;;
    layout_text) words=$target ;;
    # what these print is not looked at
    command | command_json) quiet=3 ;;
  esac
  local options=(-timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=4096 -reload=0 -print_final_stats=1)
  options+=(-report_slow_units=5 -close_fd_mask=$quiet -artifact_prefix="$found/")
  if [ -e "$here/dictionaries/$words.dict" ]; then options+=(-dict="$here/dictionaries/$words.dict"); fi
  mkdir -p "$found"
  : > "$log"
  local end=$(($(date +%s) + each))
  while left=$((end - $(date +%s))) && [ "$left" -gt 0 ] && [ $finds -lt 20 ]; do
    if "$programs/$target" "${options[@]}" -max_total_time=$left "$corpus/$target" >> "$log" 2>&1; then break; fi
    finds=$((finds + 1))
  done
  echo "seconds: $((each - end + $(date +%s)))" >> "$log"
}

running=0
for target in "${targets[@]}"; do
  one "$target" &
  if [ $((++running)) -ge "$jobs" ]; then wait -n; running=$((running - 1)); fi
done
wait
python3 "$here/report.py" "$corpus" "${targets[@]}"
