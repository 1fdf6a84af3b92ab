#!/usr/bin/env python3
"""Record batches and Parquet of files beside decoding alone, pysdds with pyarrow, and tiledb-py: one run, workers that take turns, CPU time.

    python3 binfmt/benches/tables/convert.py [convert] [sdds] [tiledb]

Builds the example `rates` of binfmt-arrow with the release profile, or takes the one that BINFMT_RATES names. Other packages come from PyPI, into
virtual environments of their own. What is read is compared first."""

import os
import shutil
import statistics
import struct
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent / "formats"))
import side  # noqa: E402

# there are scripts in that folder which are called like packages
sys.path.pop(0)

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
FOLDER = Path(os.environ.get("BINFMT_BENCH_DIR", TARGET / "side" / "tables"))
ROWS = int(os.environ.get("BENCH_ROWS", 500_000))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 15))
SIDE = 2048  # of the array of TileDB
# (format, settings, the most that conversion may take of decoding)
FILES = {
    "plain.scidb": ("scidb", {"schema": "<" + ", ".join(f"c{i}: double NOT NULL" for i in range(8)) + ">[i]"}, 1.05),
    "fixed.scidb": ("scidb", {"schema": "(int64, double, double null, int32 null, datetime)"}, 1.05),
    "numbers.sdds": ("sdds", {}, 1.05),
    "dense.tdb": ("tiledb", {}, 1.05),
    "variable.scidb": ("scidb", {"schema": "(int32, string null, string, binary)"}, 1.15),
    "strings.sdds": ("sdds", {}, 1.15),
}


def rates():
    if "BINFMT_RATES" in os.environ:
        return side.Worker(os.environ["BINFMT_RATES"])
    command = ["cargo", "build", "--quiet", "--release", "-p", "binfmt-arrow", "--features", "parquet", "--example", "rates"]
    subprocess.run(command, cwd=ROOT, check=True)
    return side.Worker(str(TARGET / "release" / "examples" / "rates"))


def others():
    """pysdds with pyarrow, NumPy, tiledb-py."""
    return side.script(side.venv("tables", ["numpy", "pandas<3", "pyarrow", "pysdds==0.6.0", "tiledb==0.36.1"]), __file__, "others")


def made(folder):
    """The files, by NumPy; those of which arrays of TileDB are made, too."""
    import numpy as np

    folder = Path(folder)
    rng = np.random.default_rng(1)
    np.round(rng.normal(size=(ROWS, 8)), 3).tofile(folder / "plain.scidb")
    fixed = np.zeros(ROWS, [("a", "<i8"), ("b", "<f8"), ("cp", "u1"), ("c", "<f8"), ("dp", "u1"), ("d", "<i4"), ("e", "<i8")])
    for name in "ab":
        fixed[name] = rng.normal(size=ROWS) * 1000
    fixed["cp"], fixed["dp"] = np.where(rng.random((2, ROWS)) < 0.1, 0, 255)
    fixed["c"] = np.where(fixed["cp"] == 255, rng.normal(size=ROWS), 0)
    fixed["d"] = np.where(fixed["dp"] == 255, rng.integers(0, 1000, ROWS), 0)
    fixed["e"] = rng.integers(0, 2**31, ROWS)
    fixed.tofile(folder / "fixed.scidb")
    with open(folder / "variable.scidb", "wb") as out:
        for n in range(ROWS // 2):
            text, name, data = f"text {n}\0".encode(), f"name {n % 100}\0".encode(), bytes(n % 14)
            null = b"\0" + struct.pack("<I", 0) if n % 7 == 0 else b"\xff" + struct.pack("<I", len(text)) + text
            out.write(struct.pack("<i", n) + null + struct.pack("<I", len(name)) + name + struct.pack("<I", len(data)) + data)
    head = b"SDDS1\n!# little-endian\n&parameter name=Run, type=long, &end\n&column name=x, type=double, units=mm, &end\n" \
           b"&column name=y, type=double, units=mm, &end\n&column name=n, type=long, &end\n"
    kind = np.dtype([("x", "<f8"), ("y", "<f8"), ("n", "<i4")])

    def pages(file, count, rows, names=False):
        with open(folder / file, "wb") as out:
            out.write(head + (b"&column name=name, type=string, &end\n" if names else b"") + b"&data mode=binary, &end\n")
            for run in range(count):
                values = np.zeros(rows, kind)
                values["x"], values["y"], values["n"] = rng.normal(size=rows), rng.normal(size=rows), rng.integers(0, 1000, rows)
                out.write(struct.pack("<ii", rows, run))
                if not names:
                    out.write(values.tobytes())
                    continue
                for row, value in enumerate(values):
                    name = f"BPM{row % 100}".encode()
                    out.write(value.tobytes() + struct.pack("<i", len(name)) + name)

    pages("numbers.sdds", 8, ROWS // 8)
    pages("pages.sdds", 4000, 20)
    pages("strings.sdds", 8, ROWS // 16, names=True)
    cells = np.zeros(SIDE * SIDE, [("y", "<i4"), ("x", "<i4"), ("a", "<f8"), ("b", "<f8")])
    cells["y"], cells["x"] = np.divmod(np.arange(SIDE * SIDE), SIDE)
    cells["a"], cells["b"] = np.round(rng.normal(size=SIDE * SIDE), 2), np.arange(SIDE * SIDE)
    cells.tofile(folder / "dense.cells")
    cells[np.sort(rng.choice(SIDE * SIDE, ROWS, replace=False))].tofile(folder / "sparse.cells")
    return {}


def to_parquet(path, out):
    """A table of all pages, with the parameter and the number of the page in each row, as binfmt has it."""
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq
    import pysdds

    found = pysdds.read(path)
    frames = []
    for number in range(found.n_pages):
        frame = pd.DataFrame({column.name: column[number] for column in found.columns})
        for parameter in found.parameters:
            frame[parameter.name] = np.full(len(frame), parameter[number])
        frames.append(frame)
    table = pa.Table.from_pandas(pd.concat(frames, ignore_index=True), preserve_index=False)
    pq.write_table(table, out, compression="zstd")


def sums(path):
    """The sums of the columns of a Parquet file, and how many rows it has."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    return {"rows": table.num_rows, "x": pc.sum(table["x"]).as_py(), "n": pc.sum(table["n"]).as_py()}


def written(path, out):
    """What pyarrow's writer takes for a table that is there."""
    import pyarrow.parquet as pq

    table = pq.read_table(path).combine_chunks()
    return side.took(table.nbytes, lambda: pq.write_table(table, out, compression="zstd"))


def arrow_of(path, order):
    """All cells as a table of Arrow, by tiledb-py's own way to it, on one thread as binfmt; in row-major order as there, or as they come."""
    import tiledb

    one = tiledb.Ctx(tiledb.Config({"sm.compute_concurrency_level": 1, "sm.io_concurrency_level": 1}))
    with tiledb.open(path, ctx=one) as array:
        return array.query(return_arrow=True, order=order).df[:]


def work():
    size = lambda path: sum(file.stat().st_size for file in Path(path).rglob("*")) if os.path.isdir(path) else os.path.getsize(path)
    return {
        "make": made,
        "parquet": lambda path, out: side.took(size(path), lambda: to_parquet(path, out)),
        "written": written,
        "sums": sums,
        "arrow": lambda path, order: side.took(size(path), lambda: arrow_of(path, order)),
        "cells": lambda path: {"rows": arrow_of(path, "C").num_rows},
    }


def arrays(ours):
    """Arrays of a version that both read."""
    schema = {"schema": "<y: int32 NOT NULL, x: int32 NOT NULL, a: double NOT NULL, b: double NOT NULL>[i]"}
    for kind in ("dense", "sparse"):
        out = FOLDER / f"{kind}.tdb"
        shutil.rmtree(out, ignore_errors=True)
        said = {"dimensions": "y,x", "array": kind}
        ours("write", path=str(FOLDER / f"{kind}.cells"), format="scidb", settings=schema, to="tiledb", said=said, out=str(out))


def convert(ours):
    """Decoding with conversion beside decoding alone."""
    print("\n| file | decode, MB/s | decode + convert |\n|---|---|---|")
    for name, (kind, settings, most) in FILES.items():
        took = {"decode": [], "convert": []}
        for turn in range(ROUNDS + 2):
            for job in sorted(took, reverse=bool(turn % 2)):
                answer = ours(job, path=str(FOLDER / name), format=kind, settings=settings)
                if turn > 1:
                    took[job].append(answer["cpu"])
        ratio = statistics.median(c / d for c, d in zip(took["convert"], took["decode"]))
        speed = answer["bytes"] / statistics.median(took["decode"]) / 1e6
        mark = "" if ratio <= most else ", MISSED"
        print(f"| {name} | {speed:.0f} | **{ratio:.3f}** of decoding (wanted at most {most}{mark}) |", flush=True)


def sdds(ours, theirs):
    print("\n| job | binfmt, MB/s | others, MB/s: times as fast |\n|---|---|---|")
    for name in ("numbers.sdds", "pages.sdds", "strings.sdds"):
        path, out, other = (str(FOLDER / file) for file in (name, "ours.parquet", "theirs.parquet"))
        ours("write", path=path, format="sdds", out=out)
        theirs("parquet", path=path, out=other)
        found, expected = theirs("sums", path=out), theirs("sums", path=other)
        if found["rows"] != expected["rows"] or found["n"] != expected["n"] or abs(found["x"] - expected["x"]) > 1e-6:
            sys.exit(f"{name}: {found} is not {expected}")
        contenders = {
            "binfmt": lambda: ours("write", path=path, format="sdds", out=out),
            "pysdds + pyarrow": lambda: theirs("parquet", path=path, out=other),
        }
        times = side.compare(f"{name} -> Parquet", contenders, rounds=5, target={"pysdds + pyarrow": 10})
        # what is left of both when reading takes no time: nobody can be faster than the quotient of all theirs and our writer
        cpu = lambda job: statistics.median(job()["cpu"] for _ in range(5))
        ours_all, theirs_all = (statistics.median(seconds for seconds, _ in taken) for taken in times.values())
        writer = max(ours_all - cpu(lambda: ours("arrow", path=path, format="sdds")), 1e-4)
        their_writer = cpu(lambda: theirs("written", path=out, out=other))
        print(f"| of it, the writers alone | {writer / ours_all:.0%} of the time | {their_writer / theirs_all:.0%} of the time: "
              f"**{their_writer / writer:.2f}**; with no time to read, {theirs_all / writer:.1f} at most |", flush=True)


def tiledb(ours, theirs):
    print("\n| job | binfmt, MB/s | others, MB/s: times as fast |\n|---|---|---|")
    for name, rows in (("dense.tdb", SIDE * SIDE), ("sparse.tdb", ROWS)):
        path = str(FOLDER / name)
        if theirs("cells", path=path)["rows"] != rows:
            sys.exit(f"{name}: not all cells")
        contenders = {
            "binfmt": lambda: ours("arrow", path=path, format="tiledb"),
            "tiledb-py": lambda: theirs("arrow", path=path, order="C"),
        }
        if name == "sparse.tdb":
            contenders["tiledb-py, in no order"] = lambda: theirs("arrow", path=path, order="U")
        side.compare(f"{name} -> Arrow", contenders, rounds=7, target={"tiledb-py": 1})


def main(words):
    wanted = lambda word: not words or word in words
    FOLDER.mkdir(parents=True, exist_ok=True)
    ours, theirs = rates(), others()
    theirs("make", folder=str(FOLDER))
    arrays(ours)
    if wanted("convert"):
        convert(ours)
    if wanted("sdds"):
        sdds(ours, theirs)
    if wanted("tiledb"):
        tiledb(ours, theirs)


if __name__ == "__main__":
    side.serve(work()) if "--worker" in sys.argv else main(sys.argv[1:])
