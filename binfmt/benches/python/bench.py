#!/usr/bin/env python3
"""`import binfmt` beside what people use in Python for the same files: one run, workers that take turns, CPU time.

    python3 binfmt/benches/python/bench.py [sdds] [fixtures] [scidb] [futhark] [tiledb] [beat] [import]

Builds the wheel with the release profile (or takes the one that BINFMT_WHEEL names). Each row says MB/s of binfmt, then of the others, and
how many times as fast binfmt is. The values are compared first. `memory` is how fast this machine makes memory of the same size and copies the file
into it, which is the most that any reader can have: a package that is within a tenth of it is not there to be beaten tenfold.
"""

import os
import runpy
import shutil
import statistics
import struct
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "formats"))
import side  # noqa: E402

# there are scripts in that folder which are called like packages
sys.path.pop(0)

FOLDER = side.WORK / "python"
ROWS = 500_000
# cells of the array of TileDB
TILEDB = 4096 * 2048
# how often the files of the tests are read, each of which is small
FIXTURES, AGAIN = HERE.parent.parent.parent / "tests" / "data" / "sdds", 10
# bytes of files that a worker keeps
HELD = {}
FIXED = "(int64, double, double null, int32 null, datetime)"
VARIABLE = "(int32, string null, string, binary)"


def scidb_types(np):
    return np.dtype([("a", "<i8"), ("b", "<f8"), ("cp", "u1"), ("c", "<f8"), ("dp", "u1"), ("d", "<i4"), ("e", "<i8")])


def make(folder):
    """The files: by NumPy and by binfmt."""
    import binfmt
    import numpy as np
    from binfmt.compat import futhark_data

    rng = np.random.default_rng(1)
    pages = 8
    header = {
        "mode": "binary",
        "parameters": [{"name": "Run", "type": "long"}],
        "columns": [{"name": "x", "type": "double"}, {"name": "y", "type": "double"}, {"name": "n", "type": "long"}, {"name": "name", "type": "string"}],
    }
    from binfmt.compat._sdds import parts_of

    def page(number):
        count = ROWS // pages
        names = [f"BPM{n % 100}" for n in range(count)]
        values = [rng.normal(size=count), rng.normal(size=count), rng.integers(0, 1000, count), names]
        kinds = ("double", "double", "long", "string")
        return ([parts_of([number], "long")], [], [parts_of(v, kind) for v, kind in zip(values, kinds)])

    numbers = {**header, "columns": header["columns"][:3]}
    made = [page(number) for number in range(pages)]
    (folder / "strings.sdds").write_bytes(binfmt._binfmt.sdds_write(header, made))
    (folder / "numbers.sdds").write_bytes(binfmt._binfmt.sdds_write(numbers, [(p, a, c[:3]) for p, a, c in made]))
    columns = {"x": rng.normal(size=ROWS // 4), "y": rng.normal(size=ROWS // 4), "n": rng.integers(0, 1000, ROWS // 4)}
    binfmt.write(folder / "ascii.sdds", columns, mode="ascii")
    small = [([parts_of([number], "long")], [], [parts_of(rng.normal(size=20), "double")] * 2 + [parts_of(range(20), "long")]) for number in range(4000)]
    (folder / "pages.sdds").write_bytes(binfmt._binfmt.sdds_write(numbers, small))
    fixed = np.zeros(ROWS * 2, scidb_types(np))
    for name in "ab":
        fixed[name] = rng.normal(size=len(fixed)) * 1000
    fixed["cp"], fixed["dp"] = np.where(rng.random((2, len(fixed))) < 0.1, 0, 255)
    fixed["c"] = np.where(fixed["cp"] == 255, rng.normal(size=len(fixed)), 0)
    fixed["d"] = np.where(fixed["dp"] == 255, rng.integers(0, 1000, len(fixed)), 0)
    fixed["e"] = rng.integers(0, 2**31, len(fixed))
    fixed.tofile(folder / "fixed.scidb")
    with open(folder / "long.scidb", "wb") as file:
        file.writelines([fixed.tobytes()] * 4)
    binfmt.write(
        folder / "variable.scidb",
        {
            "a": np.arange(ROWS // 2, dtype="i4"),
            "b": [None if n % 7 == 0 else f"text {n}" for n in range(ROWS // 2)],
            "c": [f"name {n % 100}" for n in range(ROWS // 2)],
            "d": [bytes(n % 14) for n in range(ROWS // 2)],
        },
        schema=VARIABLE,
    )
    shutil.rmtree(folder / "dense.tdb", ignore_errors=True)
    y, x = np.divmod(np.arange(TILEDB), 2048)
    binfmt.write(folder / "dense.tdb", {"y": y, "x": x, "a": rng.normal(size=TILEDB)}, "tiledb", dimensions="y,x", array="dense")
    (folder / "binary.fut").write_bytes(futhark_data.dumpb(rng.normal(size=8_000_000)))
    (folder / "text.fut").write_text(futhark_data.dumps(rng.normal(size=200_000)))


def readable(paths, load):
    """Those of the files that a package reads, and how many rows it finds in each."""
    rows = {}
    for path in paths:
        try:
            rows[path] = sum(len(frame) for frame in load(path))
        except Exception:
            # damaged, or of what the package does not know
            pass
    return rows


def again(paths, load):
    """Many small files, each read several times."""
    size = sum(map(os.path.getsize, paths)) * AGAIN
    return side.took(size, lambda: [len(load(path)) for _ in range(AGAIN) for path in paths])


def summed(path, load):
    """Bytes that are there already, which become an array whose values are used: an array over them is not paid for before."""
    data = HELD.get(path) or HELD.setdefault(path, Path(path).read_bytes())
    return side.took(len(data), lambda: [value.sum() for value in load(data)])


def work_of_binfmt():
    import binfmt
    from binfmt.compat import futhark_data

    def of(path, load):
        return side.took(os.path.getsize(path), load)

    def peak(path, schema):
        # NumPy itself is not counted
        binfmt.open(bytes(38), schema=schema).to_numpy()
        before = side.resource.getrusage(side.resource.RUSAGE_SELF).ru_maxrss
        values = binfmt.open(path, schema=schema)["b"].to_numpy()
        after = side.resource.getrusage(side.resource.RUSAGE_SELF).ru_maxrss
        return {"grown": (after - before) * 1024, "data": values.nbytes}

    return {
        "make": lambda folder: make(Path(folder)) or {},
        "sdds": lambda path: of(path, lambda: binfmt.open(path).to_pandas()),
        "readable": lambda paths: readable(paths, lambda path: [binfmt.open(path).to_pandas()]),
        "fixtures": lambda paths: again(paths, lambda path: binfmt.open(path).to_pandas()),
        "sdds pages": lambda path: of(path, lambda: [page.to_pandas() for page in binfmt.open(path).pages]),
        "scidb": lambda path, schema: of(path, lambda: binfmt.open(path, schema=schema).to_pandas()),
        "scidb polars": lambda path, schema: of(path, lambda: binfmt.open(path, schema=schema).to_polars()),
        "futhark": lambda path: of(path, lambda: list(futhark_data.load(open(path, "rb")))),
        "futhark bytes": lambda path: of(path, lambda: list(futhark_data.loadb(Path(path).read_bytes()))),
        "futhark sum": lambda path: summed(path, futhark_data.loadb),
        "tiledb": lambda path: side.took(TILEDB * 8, lambda: binfmt.open(path)["a"].to_numpy()),
        "sum tiledb": lambda path: {"sum": float(binfmt.open(path)["a"].sum())},
        "beat": lambda path, schema: of(path, lambda: binfmt.open(path, schema=schema).to_list()),
        "beat columns": lambda path, schema: of(path, lambda: binfmt.open(path, schema=schema).to_pandas()),
        "sum beat": lambda path, schema: {"sum": float(binfmt.open(path, schema=schema)["score"].sum())},
        "sum sdds": lambda path: {"sum": float(binfmt.open(path)["x"].to_numpy().sum())},
        "sum scidb": lambda path, schema: {"sum": float(binfmt.open(path, schema=schema)["b"].to_numpy().sum())},
        "peak": peak,
    }


def work_of_others():
    import numpy as np
    import pandas as pd

    def by_pysdds(path):
        import pysdds

        file = pysdds.read(path)
        return [file.columns_to_df(page) for page in range(file.n_pages)]

    def by_soliday(path):
        import sdds

        file = sdds.load(path)
        pages = range(len(file.columnData[0]) if file.columnName else 0)
        return [pd.DataFrame({name: file.columnData[place][page] for place, name in enumerate(file.columnName)}) for page in pages]

    def by_numpy(path):
        x = np.fromfile(path, scidb_types(np))
        c = x["c"].copy()
        c[x["cp"] != 255] = np.nan
        d = pd.arrays.IntegerArray(x["d"].copy(), x["dp"] != 255)
        return pd.DataFrame({"a": x["a"].copy(), "b": x["b"].copy(), "c": c, "d": d, "e": x["e"].copy().astype("M8[s]")}, copy=False)

    def by_struct(path):
        data, at, unpack = Path(path).read_bytes(), 0, struct.unpack_from
        columns = [], [], [], []
        while at < len(data):
            columns[0].append(unpack("<i", data, at)[0])
            present, size = unpack("<BI", data, at + 4)
            at += 9
            columns[1].append(data[at : at + size - 1].decode() if present == 255 else None)
            at += size
            (size,) = unpack("<I", data, at)
            at += 4
            columns[2].append(data[at : at + size - 1].decode())
            at += size
            (size,) = unpack("<I", data, at)
            at += 4
            columns[3].append(data[at : at + size])
            at += size
        return pd.DataFrame(dict(zip("abcd", columns)))

    def by_copying(path):
        """The bytes of a file in memory of their own, by NumPy, which asks for huge pages: read in pieces that stay in the cache."""
        values, piece = np.empty(os.path.getsize(path), "u1"), np.empty(1 << 18, "u1")
        with open(path, "rb", buffering=0) as file:
            at = 0
            while read := file.readinto(piece):
                np.copyto(values[at : at + read], piece[:read])
                at += read
        return values

    def of(path, load):
        return side.took(os.path.getsize(path), lambda: load(path))

    return {
        "pysdds": lambda path: of(path, by_pysdds),
        "soliday": lambda path: of(path, by_soliday),
        "readable pysdds": lambda paths: readable(paths, by_pysdds),
        "readable soliday": lambda paths: readable(paths, by_soliday),
        "fixtures pysdds": lambda paths: again(paths, by_pysdds),
        "fixtures soliday": lambda paths: again(paths, by_soliday),
        "numpy": lambda path: of(path, by_numpy),
        "struct": lambda path: of(path, by_struct),
        "sum pysdds": lambda path: {"sum": float(sum(frame["x"].sum() for frame in by_pysdds(path)))},
        "sum soliday": lambda path: {"sum": float(sum(frame["x"].sum() for frame in by_soliday(path)))},
        "sum numpy": lambda path: {"sum": float(by_numpy(path)["b"].sum())},
        "memory": lambda path: of(path, by_copying),
    }


def work_of_futhark_data():
    import futhark_data

    def of(path, load):
        return side.took(os.path.getsize(path), load)

    return {
        "futhark": lambda path: of(path, lambda: list(futhark_data.load(open(path, "rb")))),
        "futhark bytes": lambda path: of(path, lambda: list(futhark_data.loadb(Path(path).read_bytes()))),
        "futhark sum": lambda path: summed(path, futhark_data.loadb),
    }


def work_of_tiledb():
    import tiledb

    context = tiledb.Ctx(tiledb.Config({"sm.compute_concurrency_level": 1, "sm.io_concurrency_level": 1}))

    def load(path):
        with tiledb.open(path, ctx=context) as array:
            found = array[:]
        return found["a"] if isinstance(found, dict) else found

    return {
        "tiledb": lambda path: side.took(TILEDB * 8, lambda: load(path)),
        "sum tiledb": lambda path: {"sum": float(load(path).sum())},
    }


WORKERS = {"binfmt": work_of_binfmt, "others": work_of_others, "futhark-data": work_of_futhark_data, "tiledb": work_of_tiledb}


def wheel():
    """The wheel, built with the release profile."""
    given = os.environ.get("BINFMT_WHEEL")
    if given:
        return Path(given)
    out = FOLDER / "wheels"
    maturin = side.venv("maturin", ["maturin>=1.9,<2"])
    package = HERE.parent.parent.parent / "binfmt-python"
    subprocess.run([maturin, "-m", "maturin", "build", "--release", "--locked", "--out", out], cwd=package, check=True)
    return max(out.glob("*.whl"), key=lambda path: path.stat().st_mtime)


def same(name, found, expected):
    if abs(found - expected) > 1e-6 * max(1, abs(expected)):
        raise SystemExit(f"{name}: {found} is not {expected}")


def beside_beat(binfmt):
    """Files of nested records, which the platform's own backend writes and reads."""
    import json

    worker = runpy.run_path(str(HERE.parent / "formats" / "beat.py"), run_name="beat")
    folder, format = FOLDER / "beat", "user/rec/1"
    shutil.rmtree(folder, ignore_errors=True)
    declaration = folder / "prefix" / "dataformats" / f"{format}.json"
    for name, fields in worker["FORMATS"].items():
        path = declaration.parent.parent.parent / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(fields))
    backend = side.script(side.venv("beat", *worker["STEPS"]), HERE.parent / "formats" / "beat.py", "backend")
    prefix, objects, base = str(folder / "prefix"), str(folder / "objects.bin"), str(folder / "set" / "records")
    backend("make", prefix=prefix, objects=objects, array=str(folder / "array.bin"))
    backend("write_set", prefix=prefix, path=objects, format=format, base=base)
    (file,) = (path for path in (folder / "set").glob("*.data"))
    schema = declaration.read_text()
    same("beat", binfmt("sum beat", path=str(file), schema=schema)["sum"], sum(n / 3 for n in range(worker["RECORDS"])))
    for job, what in (("beat", "objects of Python"), ("beat columns", "pandas")):
        contenders = {"binfmt": lambda: binfmt(job, path=str(file), schema=schema), "backend": lambda: backend("read_set", prefix=prefix, base=base)}
        side.compare(f"BEAT, nested records -> {what}", contenders, rounds=3, target={"backend": 50})


def import_time(python):
    code = "import time; t = time.perf_counter(); import binfmt; print(time.perf_counter() - t)"
    times = [float(subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(11)]
    print(f"\nimport binfmt: {statistics.median(times) * 1e3:.0f} ms (wanted 50)")


def main(words):
    wanted = lambda word: not words or word in words
    FOLDER.mkdir(parents=True, exist_ok=True)
    built = wheel()
    print(f"{built.name}, {built.stat().st_size / 1e6:.1f} MB")
    ours = side.venv("python", ["numpy", "pandas", "polars", "pyarrow"])
    subprocess.run([ours, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", built], check=True)
    theirs = side.venv("python-others", ["numpy", "pandas", "pysdds==0.6.0", "soliday.sdds"])
    binfmt, others = side.script(ours, __file__, "binfmt"), side.script(theirs, __file__, "others")
    binfmt("make", folder=str(FOLDER))
    path = lambda name: str(FOLDER / name)
    print("\n| job | binfmt, MB/s | others, MB/s: times as fast |\n|---|---|---|")
    if wanted("sdds"):
        files = {"numbers": "numbers", "ascii": "numbers as text", "pages": "4,000 pages of numbers", "strings": "strings"}
        for stem, name in files.items():
            file = path(f"{stem}.sdds")
            for other in ("pysdds", "soliday"):
                same(other, binfmt("sum sdds", path=file)["sum"], others(f"sum {other}", path=file)["sum"])
            contenders = {"binfmt": lambda: binfmt("sdds", path=file)}
            contenders |= {other: lambda other=other: others(other, path=file) for other in ("pysdds", "soliday", "memory")}
            side.compare(f"SDDS, {name} -> pandas", contenders, target={"pysdds": 10, "soliday": 5})
    if wanted("fixtures"):
        paths = sorted(str(file) for file in FIXTURES.glob("*/*.sdds*"))
        ours_read = binfmt("readable", paths=paths)
        for other in ("pysdds", "soliday"):
            theirs_read = others(f"readable {other}", paths=paths)
            both = [file for file in paths if file in ours_read and ours_read[file] == theirs_read.get(file)]
            contenders = {"binfmt": lambda: binfmt("fixtures", paths=both), other: lambda: others(f"fixtures {other}", paths=both)}
            side.compare(f"SDDS, {len(both)} of {len(paths)} small files of the tests -> pandas", contenders, target={other: {"pysdds": 10, "soliday": 5}[other]})
    if wanted("scidb"):
        file = path("fixed.scidb")
        same("numpy", binfmt("sum scidb", path=file, schema=FIXED)["sum"], others("sum numpy", path=file)["sum"])
        contenders = {"binfmt": lambda: binfmt("scidb", path=file, schema=FIXED), "np.fromfile": lambda: others("numpy", path=file)}
        contenders["memory"] = lambda: others("memory", path=file)
        side.compare("SciDB, fixed rows -> pandas", contenders, target={"np.fromfile": 1.2})
        more = path("variable.scidb")
        for frame, job in (("pandas", "scidb"), ("polars", "scidb polars")):
            contenders = {"binfmt": lambda: binfmt(job, path=more, schema=VARIABLE), "struct": lambda: others("struct", path=more)}
            side.compare(f"SciDB, variable rows -> {frame}", contenders, rounds=3, target={"struct": 15})
    if wanted("futhark"):
        real = side.script(side.venv("futhark", ["futhark-data==1.0.3", "numpy==1.23.5"]), __file__, "futhark-data")
        for name in ("binary", "text"):
            file = path(f"{name}.fut")
            for job, how in (("futhark", "a file"), ("futhark bytes", "bytes that are read first"), ("futhark sum", "bytes that are there, and their sum")):
                contenders = {"binfmt": lambda: binfmt(job, path=file), "futhark-data": lambda: real(job, path=file)}
                contenders["memory"] = lambda: others("memory", path=file)
                side.compare(f"Futhark, {name}, {how} -> NumPy", contenders, rounds=3, target={"futhark-data": 5})
    if wanted("tiledb"):
        real = side.script(side.venv("python-tiledb", ["tiledb==0.36.1", "numpy"]), __file__, "tiledb")
        file = path("dense.tdb")
        same("tiledb", binfmt("sum tiledb", path=file)["sum"], real("sum tiledb", path=file)["sum"])
        contenders = {"binfmt": lambda: binfmt("tiledb", path=file), "tiledb-py": lambda: real("tiledb", path=file)}
        side.compare("TileDB, dense -> NumPy", contenders, target={"tiledb-py": 1})
    if wanted("beat"):
        beside_beat(binfmt)
    if wanted("import"):
        fresh = side.script(ours, __file__, "binfmt")
        peak = fresh("peak", path=path("long.scidb"), schema=FIXED)
        print(f"\npeak memory of one column of {peak['data'] / 1e6:.0f} MB: {peak['grown'] / peak['data']:.2f} of its data (wanted 1.1)")
        import_time(ours)


if __name__ == "__main__":
    if "--worker" in sys.argv:
        # the folder of this script has no module that is wanted
        side.serve(WORKERS[sys.argv[-1]]())
    else:
        main([word for word in sys.argv[1:] if not word.startswith("-")])
