#!/bin/sh
# Everything behind the tables of README.md, about 5 minutes: figures/{small,full,counts}.tsv and figures/report.md.
# BENCH_ONLY=W2 limits it to contenders whose "W2/decode/name" contains that.
set -e
cd "$(dirname "$0")"
cargo build --release --bins
bin=${CARGO_TARGET_DIR:-target}/release
mkdir -p figures
BENCH_SCALE=0.01 "$bin/check"
BENCH_SCALE=0.01 BENCH_ROUNDS=21 BENCH_MS=2 "$bin/rounds" > figures/small.tsv
BENCH_SCALE=1 BENCH_ROUNDS=9 BENCH_MS=1 "$bin/rounds" > figures/full.tsv
counts=
if command -v valgrind > /dev/null; then
    ./count.py "$bin/count" > figures/counts.tsv
    counts=figures/counts.tsv
fi
./report.py -a figures/small.tsv figures/full.tsv $counts > figures/report.md
echo "BINFMT_HUGE_PAGES=${BINFMT_HUGE_PAGES:-0}" >> figures/report.md
echo "figures/report.md"
