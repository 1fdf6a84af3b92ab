#!/usr/bin/env python3
"""SQL over files of binfmt beside the same data as CSV and Parquet in DataFusion: one program, runs that take turns, CPU time.

    python3 binfmt/benches/tables/sql.py [columns] [partitions] [memory]

Builds `binfmt-sql` with the release profile, or takes the one that BINFMT_SQL names. Needs nothing else. Answers are compared before
anything is measured; what starting the program takes is measured, too, and is taken off."""

import concurrent.futures
import os
import random
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
FOLDER = Path(os.environ.get("BINFMT_BENCH_DIR", TARGET / "side" / "tables"))
ROWS = int(os.environ.get("BENCH_ROWS", 500_000))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 7))
TIMES = int(os.environ.get("BENCH_TIMES", 36))
COLUMNS = 20
SCHEMA = "<" + ", ".join(f"c{i}: double NOT NULL" for i in range(COLUMNS)) + ">[i]"
MEMORY = 256


def program():
    if "BINFMT_SQL" in os.environ:
        return os.environ["BINFMT_SQL"]
    subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "binfmt-datafusion"], cwd=ROOT, check=True)
    return str(TARGET / "release" / "binfmt-sql")


SQL = program()


def run(query, *args):
    """The answer, and what it took: CPU and wall seconds, and the greatest memory in MB."""
    wall = time.perf_counter()
    command = [SQL, query, "--format", "csv", *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    answer = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{query}: no answer")
    return answer, {"cpu": used.ru_utime + used.ru_stime, "wall": time.perf_counter() - wall, "memory": used.ru_maxrss / 1024}


def files():
    """The same numbers as rows of a load file, as CSV, and as Parquet that is not compressed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows, text, parquet = FOLDER / f"rows{ROWS}.bin", FOLDER / f"rows{ROWS}.csv", FOLDER / f"rows{ROWS}.parquet"
    source = f"scidb('{rows}', '{SCHEMA}')"
    if not rows.exists():
        rng = random.Random(1)
        with open(rows, "wb") as out:
            for _ in range(ROWS):
                out.write(struct.pack(f"<{COLUMNS}d", *[round(rng.uniform(-1000, 1000), 3) for _ in range(COLUMNS)]))
    if not text.exists():
        run(f"COPY (SELECT * FROM {source}) TO '{text}' STORED AS CSV OPTIONS ('format.has_header' 'true')")
    if not parquet.exists():
        run(f"COPY (SELECT * FROM {source}) TO '{parquet}' STORED AS PARQUET OPTIONS ('compression' 'uncompressed')")
    return source, text, f"'{parquet}'"


def near(a, b):
    """Whether two answers are the same but for the order in which was added."""
    numbers = [[float(cell) for cell in answer.split("\n")[1].split(",")] for answer in (a, b)]
    return all(abs(x - y) <= 1e-9 * max(abs(x), abs(y), 1) for x, y in zip(*numbers))


def ratio(theirs, ours):
    return statistics.median(their / our for their, our in zip(theirs, ours))


def columns():
    """An aggregate of 2 of 20 columns."""
    source, text, parquet = files()
    what = "SELECT sum(c3) AS s, max(c17) AS m, count(*) AS n FROM"
    # DataFusion's own reader of CSV, which is told the columns so that it does not look for them
    types = ", ".join(f"c{i} DOUBLE" for i in range(COLUMNS))
    table = f"CREATE EXTERNAL TABLE t ({types}) STORED AS CSV LOCATION '{text}' OPTIONS ('format.has_header' 'true');"
    sides = {
        "rows": lambda: run(f"{what} {source} WHERE c3 > -2000", "--partitions", "1"),
        "csv": lambda: script(f"{table}\n{what} t WHERE c3 > -2000;"),
        "parquet": lambda: run(f"{what} {parquet} WHERE c3 > -2000", "--partitions", "1"),
    }
    answers = {name: side()[0] for name, side in sides.items()}
    for name in ("csv", "parquet"):
        if not near(answers["rows"], answers[name]):
            sys.exit(f"{name}: {answers[name]} and not {answers['rows']}")
    start = min(run("SELECT 1", "--partitions", "1")[1]["cpu"] for _ in range(3))
    took = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            took[name].append(max(side()[1]["cpu"] - start, 1e-3))
    size = FOLDER.joinpath(f"rows{ROWS}.bin").stat().st_size / 1e6
    print(f"| 2 of {COLUMNS} columns, {size:.0f} MB | {statistics.median(took['rows']) * 1e3:.0f} ms | "
          f"{ratio(took['csv'], took['rows']):.2f} × CSV (wanted 5) | {ratio(took['parquet'], took['rows']):.2f} × Parquet (wanted 0.5) |")


def script(text):
    """As `run`, of queries from standard input."""
    wall = time.perf_counter()
    process = subprocess.Popen([SQL, "--format", "csv", "--partitions", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write(text)
    process.stdin.close()
    answer = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{text}: no answer")
    # what creating the table shows comes first
    answer = answer[answer.index("s,m,n"):]
    return answer, {"cpu": used.ru_utime + used.ru_stime, "wall": time.perf_counter() - wall}


def ceilings():
    """How much more two processes do than one, where they copy memory, and where they only calculate; and GB/s of the copies."""
    found = []
    for work in ("there[:] = here", "sum(range(10**5))"):
        text = f"""import time
here = b"x" * (1 << 26)
there = memoryview(bytearray(here))
count, end = 0, time.perf_counter() + 1
while time.perf_counter() < end:
    {work}
    count += 1
print(count)"""
        worker = lambda _: int(subprocess.run([sys.executable, "-c", text], stdout=subprocess.PIPE, check=True).stdout)
        one = [worker(0) for _ in range(3)]
        with concurrent.futures.ThreadPoolExecutor() as two:
            both = [sum(two.map(worker, range(2))) for _ in range(3)]
        found += [statistics.median(one), statistics.median(both)]
    copies, copies_of_two, sums, sums_of_two = found
    size = (1 << 26) / 1e9
    return copies_of_two / copies, copies * size, copies_of_two * size, sums_of_two / sums


def partitions():
    """One partition and two: the work of both, and the time where two cores are free; beside it what the machine gives two processes."""
    files()
    # the same rows many times, so that the work is that of reading, and not of starting the program
    path = FOLDER / "many.bin"
    rows = FOLDER.joinpath(f"rows{ROWS}.bin").read_bytes()
    with open(path, "wb") as out:
        for _ in range(TIMES):
            out.write(rows)
    query = f"SELECT sum(c3), max(c17), avg(c9), count(*) FROM scidb('{path}', '{SCHEMA}') WHERE c3 > -2000"
    first, starting = run(query)[0], [run("SELECT 1")[1] for _ in range(5)]
    start = {kind: min(took[kind] for took in starting) for kind in ("cpu", "wall")}
    took, both = {n: [] for n in (1, 2)}, []
    for _ in range(ROUNDS):
        for n in took:
            answer, used = run(query, "--partitions", str(n))
            if not near(answer, first):
                sys.exit(f"{query}: {answer} and not {first}")
            took[n].append({kind: used[kind] - start[kind] for kind in start})
        # what the machine gives two programs that share nothing but its memory, each of which does all of the work
        before = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor() as two:
            list(two.map(lambda _: run(query, "--partitions", "1"), range(2)))
        both.append(time.perf_counter() - before - start["wall"])
    path.unlink()
    cpu = ratio([t["cpu"] for t in took[2]], [t["cpu"] for t in took[1]])
    wall = ratio([t["wall"] for t in took[1]], [t["wall"] for t in took[2]])
    load = os.getloadavg()[0]
    rate = TIMES * len(rows) / statistics.median(t["cpu"] for t in took[1]) / 1e9
    print(f"| one core | {rate:.1f} GB/s of the file |  |")
    print(f"| 2 partitions beside 1 | CPU {cpu:.2f} × (wanted 1.05) | {wall:.2f} × as fast (wanted 1.8 on two free cores; load {load:.1f}) |")
    copying, alone, together, calculating = ceilings()
    print(f"| 2 processes of Python | | copying memory {copying:.2f} × ({alone:.1f} and {together:.1f} GB/s), calculating {calculating:.2f} × |")
    print(f"| 2 programs of 1 partition | | {2 * ratio([t['wall'] for t in took[1]], both):.2f} × the work in the same time |")


def memory():
    """A file of 4 GB, which is not on the disk: rows of zeros."""
    found = {}
    for size in (256, 4096):
        path = FOLDER / f"zeros{size}.bin"
        FOLDER.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as out:
            out.truncate(size << 20)
        query = f"SELECT count(*) AS n, avg(x) AS a FROM scidb('{path}', '<x: double NOT NULL, y: int64 NOT NULL>[i]') WHERE y < 1"
        answer, used = run(query, "--partitions", "2")
        path.unlink()
        if answer.split() != ["n,a", f"{size << 16},0.0"]:
            sys.exit(f"{query}: {answer}")
        found[size] = used["memory"]
    mark = "" if found[4096] < MEMORY else ", MISSED"
    print(f"| memory of count and avg | {found[256]:.0f} MB for 256 MB | {found[4096]:.0f} MB for 4 GB (wanted under {MEMORY}{mark}) |")


for job in sys.argv[1:] or ["columns", "partitions", "memory"]:
    {"columns": columns, "partitions": partitions, "memory": memory}[job]()
