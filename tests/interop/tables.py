#!/usr/bin/env python3
"""The official software reads what the command writes of any table: SDDS files, TileDB arrays and NumPy's arrays of random rows.

Makes a virtual environment of its own under target/, with soliday.sdds and TileDB-Py 0.36.1. Rows go from CSV into each
format, and from each of them into each other one; whoever reads the file in the end sees the rows of the beginning. Exit
status 0: all agree.
"""

import csv
import random
import shutil
import sys

from common import HERE, WORK, command, inside_venv, seed

FOLDER = WORK / "tables"
COLUMNS = ["n", "x", "name"]


def rows(chance, count):
    names = ["Q1", "a,b", 'a "quote"', "βγ", " blank ", "two\nlines"]
    return [(chance.randrange(-(2**63), 2**63), chance.uniform(-1e9, 1e9), chance.choice(names)) for _ in range(count)]


def by_sdds(path):
    found = sdds.load(str(path))
    pages = [dict(zip(found.columnName, page)) for page in zip(*found.columnData)]
    return [row for page in pages for row in zip(*(page[name] for name in COLUMNS))]


def by_tiledb(path):
    with tiledb.open(str(path)) as array:
        cells = array[:]
    order = numpy.argsort(cells["row"]) if "row" in cells else slice(None)
    return list(zip(*(cells[name][order].tolist() for name in COLUMNS)))


def by_numpy(path):
    return [tuple(row) for row in numpy.load(path)[COLUMNS].tolist()]


def check(what, found, expected):
    found = [(int(n), float(x), str(name)) for n, x, name in found]
    if found != expected:
        different = [pair for pair in zip(found, expected) if pair[0] != pair[1]]
        raise SystemExit(f"{what}: {len(found)} rows for {len(expected)}, first difference {different[:1]}")


def main():
    chance = random.Random(seed())
    binfmt = command()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    readers = {"sdds": by_sdds, "sdds.gz": by_sdds, "tdb": by_tiledb, "npy": by_numpy}
    files = 0
    for count in (1, 7, 25_000):
        expected = rows(chance, count)
        first = FOLDER / f"{count}.csv"
        with open(first, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([COLUMNS, *expected])
        for ending, read in readers.items():
            path = FOLDER / f"{count}.{ending}"
            binfmt("convert", first, path)
            check(path.name, read(path), expected)
            for other, read_other in readers.items():
                again = FOLDER / f"{count}-{ending}.{other}"
                binfmt("convert", path, again, "--columns", ",".join(COLUMNS))
                check(again.name, read_other(again), expected)
                files += 1
    print(f"the official software reads {files} files that were made of tables: equal")
    dense = FOLDER / "dense.csv"
    cells = [(x, y, 10 * x + y) for x in range(5) for y in range(3)]
    chance.shuffle(cells)
    with open(dense, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("x", "y", "v"), *cells])
    binfmt("convert", dense, FOLDER / "dense.tdb", "--dimensions", "x,y", "--array", "dense")
    with tiledb.open(str(FOLDER / "dense.tdb")) as array:
        if array.schema.sparse or array[:]["v"].tolist() != [[10 * x + y for y in range(3)] for x in range(5)]:
            raise SystemExit("dense.tdb: other cells")
    print("interop tables: all agree")


if __name__ == "__main__":
    inside_venv("tables", [["soliday.sdds==5.7.6"], ["tiledb==0.36.1"]])
    # the script `sdds.py` beside this file has the name of the package
    sys.path[:] = [path for path in sys.path if path != str(HERE)]
    import numpy
    import sdds
    import tiledb

    main()
