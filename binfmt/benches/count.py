#!/usr/bin/env python3
"""Instructions of every contender, counted by callgrind: prints the lines of `count` with one field more.

Needs valgrind. Usage: count.py PATH_OF_THE_BINARY_count > counts.tsv   (BENCH_SCALE is 0.002 unless set)
"""
import os, re, subprocess, sys, tempfile

with tempfile.TemporaryDirectory() as out:
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=bench_roi",
         "--dump-after=bench_roi", f"--callgrind-out-file={out}/cg", sys.argv[1]],
        env={"BENCH_SCALE": "0.002", **os.environ}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(run.stderr[-2000:])
    for i, line in enumerate(run.stdout.splitlines(), 1):
        total = re.search(r"^(?:totals|summary): (\d+)", open(f"{out}/cg.{i}").read(), re.M)[1]
        print(line, total, sep="\t")
