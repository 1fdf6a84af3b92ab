#!/usr/bin/env python3
"""One executor, and two, each of one core in a network namespace of its own, with the scheduler and the client in two others.

    python3 binfmt/benches/tables/cluster.py

Takes `binfmt-sql` and `binfmt-cluster` of the release profile (`cargo build --release -p binfmt-datafusion --features ballista`). Needs root and
`ip netns`. Two queries: one whose work is reading, and one whose work is computing. Then what a model says of them: the time to plan and
to start tasks, which does not grow with the rows, and the rows by what one core reads."""

import os
import statistics
import sys
import time
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
ROWS = int(os.environ.get("BENCH_ROWS", 32_000_000))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 5))
sys.path.insert(0, str(ROOT / "tests" / "interop"))
import cluster  # noqa: E402

cluster.BIN = TARGET / "release"


def took(sql):
    times, found = [], set()
    for _ in range(ROUNDS + 1):
        before = time.perf_counter()
        found.add(tuple(cluster.answer(cluster.ask(sql))))
        times.append(time.perf_counter() - before)
    if len(found) != 1:
        sys.exit(f"{sql}: {found}")
    return statistics.median(times[1:]), min(times[1:]), found.pop()


def measured(folder, running):
    path = folder / "cells.bin"
    with open(path, "wb") as out:
        for first in range(0, ROWS, 100_000):
            cells = array("q", bytes(1_600_000))
            cells[::2], cells[1::2] = array("q", range(first, first + 100_000)), array("q", [*range(10)] * 10_000)
            out.write(cells.tobytes())
    cells = f"scidb('{path}', '{cluster.CELLS}')"
    few = folder / "few.bin"
    few.write_bytes(path.read_bytes()[:160])
    queries = {
        "ten rows": f"SELECT count(*), sum(n) FROM scidb('{few}', '{cluster.CELLS}') WHERE d >= 0",
        "sum": f"SELECT count(*), sum(n), max(d) FROM {cells} WHERE d >= 0",
        "texts": f"SELECT count(*), sum(length(md5(CAST(n AS VARCHAR)))) FROM {cells} WHERE d < 5",
    }
    running.append(cluster.scheduler())
    time.sleep(1.5)
    found = {}
    for count in (1, 2):
        running.append(cluster.executor(count))
        time.sleep(2)
        for name, sql in queries.items():
            found[name, count] = took(sql)
    fixed = found["ten rows", 1][0]
    print(f"{ROWS / 1e6:.0f} million rows, {ROWS * 16 / 1e6:.0f} MB; load {os.getloadavg()[0]:.1f}; seconds: median (least) of {ROUNDS}\n")
    print("| query | one executor | two | so many times as fast | what the model says of two |\n|---|---|---|---|---|")
    for name in queries:
        (one, least_one, a), (two, least_two, b) = found[name, 1], found[name, 2]
        if a != b:
            sys.exit(f"{name}: {a} and {b}")
        model = fixed + max(one - fixed, 0) / 2
        print(f"| {name} | {one:.2f} ({least_one:.2f}) | {two:.2f} ({least_two:.2f}) | {one / two:.2f} | {one / model:.2f} |")


def main():
    if not cluster.may():
        sys.exit("network namespaces cannot be made here")
    with cluster.machines() as (folder, running):
        measured(folder, running)


if __name__ == "__main__":
    main()
