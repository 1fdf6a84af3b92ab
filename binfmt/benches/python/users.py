#!/usr/bin/env python3
"""What users of other packages do all day, by `import binfmt` and by those packages: whole files of about 100 MB, one call each.

    python3 binfmt/benches/python/users.py [sdds] [compat] [futhark] [npy] [scidb] [tiledb] [csv] [import]

Installs the wheel as `bench.py` does (BINFMT_WHEEL=none takes the package that PYTHONPATH names). A row says MB/s of binfmt, then of the others, and
how many times as fast binfmt is: CPU time, the median of the ratios of rounds in which all take turns, each in a process of its own, the files in the
page cache. The sums of the values are compared first.
"""

import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "formats"))
import side  # noqa: E402

# there are scripts in that folder which are called like packages
sys.path.pop(0)

FOLDER = side.WORK / "python-users"
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
FIXED = "(int64, double, double, float, int32)"
MISSING = "(int64, double null, int32 null)"


def fixed_types(np):
    return np.dtype([("a", "<i8"), ("b", "<f8"), ("c", "<f8"), ("d", "<f4"), ("e", "<i4")])


def missing_types(np):
    return np.dtype([("a", "<i8"), ("bp", "u1"), ("b", "<f8"), ("cp", "u1"), ("c", "<i4")])


def total(found):
    """The sum of all numbers of a frame, of arrays, or of a structured array."""
    import numpy as np

    if hasattr(found, "columns"):
        return float(sum(np.nansum(found[name].to_numpy(dtype="f8", na_value=np.nan)) for name in found.columns if found[name].dtype.kind in "fiu"))
    if isinstance(found, dict):
        return sum(map(total, found.values()))
    if isinstance(found, (list, tuple)):
        return sum(map(total, found))
    found = np.asarray(found)
    if found.dtype.names:
        return float(sum(found[name].astype("f8").sum() for name in found.dtype.names))
    return float(found.astype("f8").sum()) if found.dtype.kind in "fiub" else 0.0


def size(path):
    """Bytes of a file, or of all files of a folder."""
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


def answers(jobs):
    """The jobs, each for its time and for its sum."""
    made = {}
    for name, job in jobs.items():
        made[name] = lambda path, job=job: side.took(size(path), lambda: job(path))
        made[f"sum {name}"] = lambda path, job=job: {"sum": total(job(path))}
    return made


def make(folder):
    """The files."""
    import binfmt
    import numpy as np
    from binfmt.compat import futhark_data
    from binfmt.compat._sdds import parts_of

    rng = np.random.default_rng(1)
    eight = {f"x{n}": rng.normal(size=1_600_000) for n in range(8)}
    for order in ("row", "column"):
        binfmt.write(folder / f"{order}.sdds", eight, mode="binary", order=order)
    few = 600_000
    texts = {"name": [f"BPM{n % 400}.H{n % 7}" for n in range(few)], **{name: values[:few] for name, values in list(eight.items())[:5]}}
    binfmt.write(folder / "texts.sdds", texts, mode="binary")
    header = {"mode": "binary", "parameters": [], "columns": [], "arrays": [{"name": f"A{n}", "type": "double", "dimensions": 2} for n in range(4)]}
    arrays = [([500, 5000], parts_of(rng.normal(size=2_500_000), "double")) for _ in range(4)]
    (folder / "arrays.sdds").write_bytes(binfmt._binfmt.sdds_write(header, [([], arrays, [])]))
    (folder / "matrix.fut").write_bytes(futhark_data.dumpb(rng.normal(size=(5000, 2600))))
    (folder / "text.fut").write_text(futhark_data.dumps(rng.normal(size=(1000, 1200))))
    np.save(folder / "matrix.npy", rng.normal(size=(3000, 4000)))
    fixed = np.zeros(3_375_000, fixed_types(np))
    for name in fixed.dtype.names:
        fixed[name] = rng.normal(size=len(fixed)) * 1000
    fixed.tofile(folder / "fixed.scidb")
    missing = np.zeros(4_000_000, missing_types(np))
    missing["a"] = rng.integers(0, 1000, len(missing))
    missing["bp"], missing["cp"] = np.where(rng.random((2, len(missing))) < 0.1, 0, 255)
    missing["b"] = np.where(missing["bp"] == 255, rng.normal(size=len(missing)), 0)
    missing["c"] = np.where(missing["cp"] == 255, rng.integers(0, 1000, len(missing)), 0)
    missing.tofile(folder / "missing.scidb")
    shutil.rmtree(folder / "dense.tdb", ignore_errors=True)
    shutil.rmtree(folder / "sparse.tdb", ignore_errors=True)
    y, x = np.divmod(np.arange(2000 * 2000), 2000)
    binfmt.write(folder / "dense.tdb", {"y": y, "x": x, **{name: rng.normal(size=len(y)) for name in "abc"}}, "tiledb", dimensions="y,x", array="dense")
    places = np.sort(rng.choice(1 << 30, 2_000_000, replace=False))
    cells = {"y": places >> 15, "x": places & 32767, "a": rng.normal(size=len(places)), "b": rng.normal(size=len(places))}
    binfmt.write(folder / "sparse.tdb", cells, "tiledb", dimensions="y,x", array="sparse")
    few = 900_000
    lines = {"n": np.arange(few), "x": rng.normal(size=few).round(6), "y": rng.normal(size=few), "k": rng.integers(0, 1000, few), "name": [f"Q{n % 999}" for n in range(few)]}
    binfmt.write(folder / "table.csv", lines)
    return {}


def work_of_binfmt():
    import binfmt
    from binfmt.compat import futhark_data, pysdds
    from binfmt.compat import sdds as pylhc

    def arrays_of(file):
        return [array.data for array in file.arrays] + [page for column in file.columns for page in column.data]

    frames = {}

    def write(path):
        frame = frames.get(path)
        if frame is None:
            frame = frames[path] = binfmt.open(path).to_pandas().iloc[:, :7].head(1_000_000)
        binfmt.write(path + ".out.sdds", frame)
        return os.path.getsize(path + ".out.sdds")

    return {
        "make": lambda folder: make(Path(folder)),
        "write": lambda path: side.took(1_000_000 * 7 * 8, lambda: write(path)),
        **answers(
            {
                "sdds": lambda path: binfmt.open(path).to_pandas(),
                "sdds column": lambda path: binfmt.open(path)["x3"].to_numpy(),
                "pysdds": lambda path: arrays_of(pysdds.read(path)),
                "pylhc": lambda path: list(pylhc.read(path).values.values()),
                "futhark": lambda path: binfmt.open(path)["value"].to_numpy(),
                "futhark_data": lambda path: list(futhark_data.load(open(path, "rb"))),
                "npy": lambda path: binfmt.open(path)["value"].to_numpy(),
                "scidb": lambda path: binfmt.open(path, schema=FIXED).to_numpy(),
                "scidb pandas": lambda path: binfmt.open(path, schema=FIXED).to_pandas(),
                "scidb column": lambda path: binfmt.open(path, schema=FIXED)["b"].to_numpy(),
                "scidb missing": lambda path: binfmt.open(path, schema=MISSING).to_pandas(),
                "tiledb": lambda path: [binfmt.open(path)[name].to_numpy() for name in "abc"],
                "tiledb rows": lambda path: binfmt.open(path)["a"][100:200],
                "tiledb columns": lambda path: binfmt.open(path)["a"][:, 50:52],
                "tiledb sparse": lambda path: binfmt.open(path).to_pandas(),
                "csv": lambda path: binfmt.open(path).to_pandas(),
            }
        ),
    }


def work_of_others():
    import futhark_data
    import numpy as np
    import pandas as pd

    def arrays_of(file):
        return [array.data for array in file.arrays] + [page for column in file.columns for page in column.data]

    def by_pysdds(path, **chosen):
        import pysdds

        return pysdds.read(path, **chosen)

    def pylhc(path):
        import sdds

        return list(sdds.read(path).values.values())

    def raw(path):
        with open(path, "rb") as file:
            head = file.read(7 + 16)
            shape = np.frombuffer(head, "<i8", 2, 7)
            return np.fromfile(file, "<f8").reshape(shape)

    def with_masks(path):
        found = np.fromfile(path, missing_types(np))
        b = found["b"].copy()
        b[found["bp"] != 255] = np.nan
        return pd.DataFrame({"a": found["a"].copy(), "b": b, "c": pd.arrays.IntegerArray(found["c"].copy(), found["cp"] != 255)}, copy=False)

    def frame_of(path):
        found = np.fromfile(path, fixed_types(np))
        return pd.DataFrame({name: found[name].copy() for name in found.dtype.names}, copy=False)

    def tiles(path, index, **chosen):
        import tiledb

        context = tiledb.Ctx(tiledb.Config({"sm.compute_concurrency_level": 1, "sm.io_concurrency_level": 1}))
        with tiledb.open(str(path), ctx=context) as array:
            found = array.query(**chosen)[index]
        return list(found.values()) if isinstance(found, dict) else found

    def sparse(path):
        import tiledb

        context = tiledb.Ctx(tiledb.Config({"sm.compute_concurrency_level": 1, "sm.io_concurrency_level": 1}))
        with tiledb.open(str(path), ctx=context) as array:
            return pd.DataFrame(dict(array.query(order="C")[:]))

    frames = {}

    def write(path):
        import pysdds

        frame = frames.get(path)
        if frame is None:
            frame = frames[path] = by_pysdds(path).columns_to_df(0).iloc[:, :7].head(1_000_000)
        pysdds.write(pysdds.SDDSFile.from_df([frame]), path + ".theirs", overwrite=True)

    def polars(path):
        import polars as pl

        return pl.read_csv(path)

    def arrow(path):
        import pyarrow.csv

        return pyarrow.csv.read_csv(path).to_pandas()

    return {
        "write": lambda path: side.took(1_000_000 * 7 * 8, lambda: write(path)),
        **answers(
            {
                "sdds": lambda path: by_pysdds(path).columns_to_df(0),
                "sdds column": lambda path: by_pysdds(path, cols=["x3"]).columns[3].data[0],
                "pysdds": lambda path: arrays_of(by_pysdds(path)),
                "pylhc": pylhc,
                "futhark_data": lambda path: list(futhark_data.load(open(path, "rb"))),
                "np.fromfile": raw,
                "np.load": np.load,
                "structured": lambda path: np.fromfile(path, fixed_types(np)),
                "scidb pandas": frame_of,
                "np.memmap": lambda path: np.memmap(path, fixed_types(np), "r")["b"].copy(),
                "scidb missing": with_masks,
                "tiledb": lambda path: tiles(path, slice(None), attrs=["a", "b", "c"]),
                "tiledb rows": lambda path: tiles(path, slice(100, 200), attrs=["a"]),
                "tiledb columns": lambda path: tiles(path, (slice(None), slice(50, 52)), attrs=["a"]),
                "tiledb sparse": sparse,
                "pandas": pd.read_csv,
                "polars": polars,
                "pyarrow": arrow,
            }
        ),
    }


def work_of_soliday():
    import sdds

    return answers({"sdds": lambda path: sdds.load(path).columnData})


WORKERS = {"binfmt": work_of_binfmt, "others": work_of_others, "soliday": work_of_soliday}


def imported(package, python=sys.executable):
    """The time that an import takes, beyond that of the interpreter."""
    code = f"import time; t = time.perf_counter(); import {package}; print(time.perf_counter() - t)"
    times = [float(subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(7)]
    return statistics.median(times)


def wheel():
    given = os.environ.get("BINFMT_WHEEL")
    if given:
        return None if given == "none" else Path(given)
    spec = importlib.util.spec_from_file_location("bench", HERE / "bench.py")
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    return bench.wheel()


def main(words):
    FOLDER.mkdir(parents=True, exist_ok=True)
    packages = ["numpy", "pandas", "polars", "pyarrow", "pysdds==0.6.0", "sdds==0.4.3", "futhark-data==1.0.3", "tiledb==0.36.1"]
    python, built = side.venv("python-users", packages), wheel()
    if built:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", built], check=True)
    binfmt, others = side.script(python, __file__, "binfmt"), side.script(python, __file__, "others")
    soliday = side.script(side.venv("python-soliday", ["numpy", "soliday.sdds"]), __file__, "soliday")
    if not (FOLDER / "table.csv").exists():
        binfmt("make", folder=str(FOLDER))
    print("\n| job | binfmt, MB/s | others, MB/s: times as fast |\n|---|---|---|")

    def row(word, title, name, job, *peers, checked=True):
        """One job of binfmt, and the jobs of others: each a worker, what it is called, and its job."""
        if words and word not in words:
            return
        path = str(FOLDER / name)
        contenders = {"binfmt": lambda: binfmt(job, path=path)}
        for worker, called, theirs in peers:
            contenders[called] = lambda worker=worker, theirs=theirs: worker(theirs, path=path)
            if checked:
                ours, found = binfmt(f"sum {job}", path=path)["sum"], worker(f"sum {theirs}", path=path)["sum"]
                if abs(ours - found) > 1e-6 * max(1, abs(ours)):
                    raise SystemExit(f"{title}: {called} has {found}, binfmt {ours}")
        side.compare(title, contenders, rounds=ROUNDS)

    for order, called in (("row", "rows"), ("column", "column-major")):
        peers = [(others, "pysdds", "sdds")] + ([(soliday, "soliday.sdds (lists)", "sdds")] if order == "row" else [])
        row("sdds", f"SDDS {called} -> pandas", f"{order}.sdds", "sdds", *peers)
        row("sdds", f"one column of 8, {called}", f"{order}.sdds", "sdds column", (others, "pysdds cols=", "sdds column"))
    row("sdds", "SDDS with texts -> pandas", "texts.sdds", "sdds", (others, "pysdds", "sdds"))
    row("sdds", "data frame of 56 MB -> SDDS", "row.sdds", "write", (others, "pysdds", "write"), checked=False)
    for name, called in (("row", "rows"), ("column", "column-major"), ("texts", "texts")):
        row("compat", f"compat.pysdds.read, {called}", f"{name}.sdds", "pysdds", (others, "pysdds", "pysdds"))
    row("compat", "compat.sdds.read, arrays", "arrays.sdds", "pylhc", (others, "sdds", "pylhc"))
    peers = [(others, "futhark-data", "futhark_data"), (others, "np.fromfile", "np.fromfile")]
    row("futhark", "Futhark, binary -> NumPy, binfmt.open", "matrix.fut", "futhark", *peers)
    row("futhark", "the same, compat.futhark_data", "matrix.fut", "futhark_data", *peers)
    row("futhark", "Futhark, text", "text.fut", "futhark", peers[0])
    row("npy", "NPY -> NumPy", "matrix.npy", "npy", (others, "np.load", "np.load"))
    row("scidb", "SciDB, fixed rows -> structured array", "fixed.scidb", "scidb", (others, "np.fromfile", "structured"))
    row("scidb", "the same -> pandas", "fixed.scidb", "scidb pandas", (others, "np.fromfile", "scidb pandas"))
    row("scidb", "the same, one column of five", "fixed.scidb", "scidb column", (others, "np.memmap, copied", "np.memmap"))
    row("scidb", "SciDB, missing values -> pandas", "missing.scidb", "scidb missing", (others, "np.fromfile, masks", "scidb missing"))
    row("tiledb", "TileDB dense -> NumPy", "dense.tdb", "tiledb", (others, "tiledb", "tiledb"))
    row("tiledb", "100 rows of it", "dense.tdb", "tiledb rows", (others, "tiledb", "tiledb rows"))
    row("tiledb", "two columns of it", "dense.tdb", "tiledb columns", (others, "tiledb", "tiledb columns"))
    row("tiledb", "TileDB sparse -> pandas", "sparse.tdb", "tiledb sparse", (others, "tiledb in row order", "tiledb sparse"))
    row("csv", "CSV -> pandas", "table.csv", "csv", *((others, one, one) for one in ("pandas", "polars", "pyarrow")), checked=False)
    if not words or "import" in words:
        ours = imported("binfmt", python)
        ratios = [f"{one} {imported(one, python) / ours:.1f}" for one in ("numpy", "pandas", "polars", "sdds", "tiledb", "pysdds")]
        print(f"\nimport binfmt: {ours * 1e3:.0f} ms; others, times as long: {', '.join(ratios)}")


if __name__ == "__main__":
    if "--worker" in sys.argv:
        # the folder of this script has no module that is wanted
        side.serve(WORKERS[sys.argv[-1]]())
    else:
        main([word for word in sys.argv[1:] if not word.startswith("-")])
