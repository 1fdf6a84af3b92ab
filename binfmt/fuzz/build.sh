#!/usr/bin/env bash
# Builds the targets with coverage counters and the address sanitizer, whose runtime the stable toolchain ships.
# Prints the folder of the programs. FUZZ_CARGO has further words for cargo.
set -euo pipefail
cd "$(dirname "$0")"
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-$PWD/../../target}/fuzz
export RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0 RUSTC_WRAPPER=$PWD/rustc.sh
export RUSTFLAGS="-Zsanitizer=address -Cforce-frame-pointers=yes"
# the compression libraries in C, too
export CFLAGS="-O2 -fsanitize=address -fno-omit-frame-pointer"
cargo build --quiet --release --target "$host" --target-dir "$target" --bins ${FUZZ_CARGO:-} >&2
echo "$target/$host/release"
