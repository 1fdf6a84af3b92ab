#!/usr/bin/env bash
# Builds the targets with coverage counters and the address sanitizer, whose runtime the stable toolchain ships.
# Prints the folder of the programs.
set -euo pipefail
cd "$(dirname "$0")"
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-$PWD/../../target}/fuzz
export RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0
export RUSTFLAGS="-Zsanitizer=address -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
  -Cllvm-args=-sanitizer-coverage-trace-compares -Cforce-frame-pointers=yes"
RUSTFLAGS=$(echo $RUSTFLAGS)
# the compression libraries in C, too
export CFLAGS="-O2 -fsanitize=address -fno-omit-frame-pointer" CXXFLAGS="-O2"
cargo build --quiet --release ${FUZZ_CARGO:-} --target "$host" --target-dir "$target" --bins
echo "$target/$host/release"
