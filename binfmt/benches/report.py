#!/usr/bin/env python3
"""Markdown tables out of the output of `rounds` and, where it is there, of count.py.

Usage: report.py [-a] in_cache.tsv full_size.tsv [counts.tsv]
Prints the rows of binfmt with their ratios; with -a the throughput of every contender as well.
"""
import sys
from collections import OrderedDict


def read(path, fields):
    rows = OrderedDict()
    for line in open(path):
        group, name, wire, kind, size, *rest = line.rstrip("\n").split("\t")
        rows[group, name] = dict(group=group, name=name, wire=wire, kind=kind, bytes=int(size),
                                 **dict(zip(fields, map(float, rest))))
    return rows


def speed(row):
    return row["bytes"] / row["median"]


def best(rows, test):
    return max((r for r in rows if test(r)), key=speed, default=None)


def ours(r):
    return r["name"].startswith("binfmt")


def hand(r):
    return r["name"].startswith("hand/")


# Peers are not asked where the compiler puts the fields of their structs.
def alike(kind):
    return {"Plain", "Reordered"} if kind in ("Plain", "Reordered") else {kind}


def compare(row, rows):
    mine = speed(row)
    by_hand = best(rows, lambda r: hand(r) and r["kind"] == row["kind"])
    copy = best(rows, lambda r: r["wire"] == "Limit")
    peer = best(rows, lambda r: not ours(r) and not hand(r) and r["wire"] in ("Exact", "Len")
                and r["kind"] in alike(row["kind"]))
    ratio = lambda r: f"{mine / speed(r):.2f}" if r else "–"
    name = f" ({peer['name']})" if peer else ""
    return [f"{mine:.2f}", ratio(by_hand), ratio(copy), ratio(peer) + name]


def table(head, rows):
    print("|" + "|".join(head) + "|")
    print("|---|---|" + "--:|" * (len(head) - 2))
    for r in rows:
        print("| " + " | ".join(r) + " |")
    print()


every = "-a" in sys.argv
paths = [a for a in sys.argv[1:] if a != "-a"]
small, full = (read(p, ("median", "least")) for p in paths[:2])
counts = read(paths[2], ("instructions",)) if len(paths) > 2 else {}
groups = list(OrderedDict.fromkeys(r["group"] for r in small.values()))

lines = []
for g in groups:
    for (group, name), row in small.items():
        if group == g and ours(row):
            line = [g, name]
            for data in (small, full):
                line += compare(data[group, name], [r for r in data.values() if r["group"] == g])
            lines.append(line)
head = ["operation", "contender"]
for size in ("in cache", "full size"):
    head += [f"{size}, GB/s", "/ hand", "/ memcpy", "/ best peer"]
table(head, lines)

if every:
    for g in groups:
        print(f"### {g}\n")
        rows = sorted((r for r in small.values() if r["group"] == g), key=speed, reverse=True)
        lines = []
        for r in rows:
            key = r["group"], r["name"]
            c = counts.get(key)
            name = f"**{r['name']}**" if ours(r) else r["name"]
            per_byte = f"{c['instructions'] / c['bytes']:.2f}" if c else ""
            lines.append([name, f"{r['wire']}, {r['kind']}", f"{speed(r):.2f}", f"{speed(full[key]):.2f}", per_byte])
        table(["contender", "bytes, values", "in cache GB/s", "full size GB/s", "instructions/byte"], lines)
