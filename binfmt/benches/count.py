#!/usr/bin/env python3
"""Instructions of every contender, counted by callgrind: prints the lines of `count` with two fields more, all instructions and
those outside the allocator, whose share depends on the state in which others left the heap.

Needs valgrind. Usage: count.py PATH_OF_THE_BINARY_count > counts.tsv   (BENCH_SCALE is 0.002 unless set)
"""
import os, re, subprocess, sys, tempfile

ALLOCATOR = re.compile(r"_?_?(int_)?(malloc|free|realloc|calloc|memalign)(_consolidate)?$|unlink_chunk|alloc_perturb|systrim|sysmalloc")


def costs(path, names):
    """Instructions of each function by itself. A function is named once in a run, and then has a number."""
    function, of_a_call = None, False
    for line in open(path):
        if found := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?$", line):
            called, number, name = found.groups()
            if name:
                names[number] = name
            if not called:
                function = number
        elif line.startswith("calls="):
            of_a_call = True
        elif found := re.match(r"[+\-*\d]\S* (\d+)$", line):
            if not of_a_call:
                yield names.get(function, ""), int(found[1])
            of_a_call = False


with tempfile.TemporaryDirectory() as out:
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=bench_roi",
         "--dump-after=bench_roi", f"--callgrind-out-file={out}/cg", sys.argv[1]],
        env={"BENCH_SCALE": "0.002", **os.environ}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(run.stderr[-2000:])
    names = {}
    for i, line in enumerate(run.stdout.splitlines(), 1):
        total = re.search(r"^(?:totals|summary): (\d+)", open(f"{out}/cg.{i}").read(), re.M)[1]
        own = sum(cost for name, cost in costs(f"{out}/cg.{i}", names) if not ALLOCATOR.match(name))
        print(line, total, own, sep="\t")
