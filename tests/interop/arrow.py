#!/usr/bin/env python3
"""pyarrow, pandas, polars and DuckDB read the Parquet and Arrow files that binfmt writes, and binfmt reads theirs.

Files of all five formats become Parquet and Arrow through the command. What the four programs find in them is compared with what
NumPy reads from the same file by itself (SciDB, Futhark), with what `binfmt cat` shows (SDDS, TileDB, BEAT), and with each other. Then
each of the four writes files of its own, which binfmt shows and turns into a load file whose bytes NumPy reads.

Makes a virtual environment of its own under target/. Exit status 0: all agree."""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common  # noqa: E402

if "ARROW_READY" not in os.environ:
    common.inside_venv("arrow", [["pyarrow==26.*", "pandas==3.*", "polars==2.*", "duckdb==2.*", "numpy"]])

import duckdb  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import polars as pl  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.feather  # noqa: E402
import pyarrow.ipc  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

WORK = common.WORK / "arrow"
WORK.mkdir(parents=True, exist_ok=True)
DATA = common.ROOT / "tests" / "data"
checks = 0


def check(told, fine):
    global checks
    checks += 1
    if not fine:
        sys.exit(f"NOT THE SAME: {told}")


def build():
    command = ["cargo", "build", "--quiet", "-p", "binfmt-cli", "--features", "binfmt-cli/arrow"]
    if "BINFMT" not in os.environ:
        subprocess.run(command, cwd=common.ROOT, check=True)
    return os.environ.get("BINFMT", str(common.WORK.parent / "debug" / "binfmt"))


BINFMT = build()


def binfmt(*args):
    done = subprocess.run([BINFMT, *map(str, args)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"binfmt {' '.join(map(str, args))}: {done.stderr}")
    return done.stdout


def same(a, b):
    """Whether two columns of values are the same, where a NaN is equal to itself and nothing else is."""
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        x, y = (v.tolist() if isinstance(v, (np.ndarray, np.generic)) else v for v in (x, y))
        if isinstance(x, list) and isinstance(y, list):
            if not same(x, y):
                return False
        elif not (x is y or x == y or (x != x and y != y)):
            return False
    return True


def readings(path):
    """Every column of a Parquet file as each of the programs has it."""
    table = pq.read_table(path)
    found = {"pyarrow": {name: table[name].to_pylist() for name in table.column_names}}
    frame = pl.read_parquet(path)
    found["polars"] = {name: frame[name].to_list() for name in frame.columns}
    relation = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
    rows = relation.fetchall()
    found["duckdb"] = {name: [row[i] for row in rows] for i, name in enumerate(relation.columns)}
    return table, found


def agree(told, path, columns):
    table, found = readings(path)
    check(f"{told}: rows of pandas", len(pd.read_parquet(path)) == table.num_rows)
    for program, values in found.items():
        for name, expected in columns.items():
            check(f"{told}: {name} by {program}: {values[name][:3]} is not {list(expected)[:3]}", same(values[name], expected))
    table.validate(full=True)
    return table


def scidb():
    """Rows of one size: NumPy reads them with a structured type."""
    rows = 1000
    kind = np.dtype([("a", "<i8"), ("b", "<f8"), ("c_code", "u1"), ("c", "<i4"), ("u", "<u8"), ("ok", "?"), ("t_code", "u1"), ("t", "<i8")])
    values = np.zeros(rows, kind)
    at = np.arange(rows)
    values["a"] = at - 500
    values["a"][:2] = [np.iinfo("i8").min, np.iinfo("i8").max]
    values["b"] = np.sqrt(at)
    values["b"][3] = np.nan
    values["c_code"] = np.where(at % 3 == 0, at % 100, 255)
    values["c"] = np.where(at % 3 == 0, 0, -at)
    values["u"] = np.iinfo("u8").max - at.astype("u8")
    values["ok"] = at % 2 == 0
    values["t_code"] = np.where(at % 5 == 0, 7, 255)
    values["t"] = np.where(at % 5 == 0, 0, at * 86400)
    values.tofile(WORK / "cells.bin")
    schema = "<a: int64 NOT NULL, b: double NOT NULL, c: int32, u: uint64 NOT NULL, ok: bool NOT NULL, t: datetime>[i]"
    said = ["--format", "scidb", "--schema", schema]
    binfmt("convert", WORK / "cells.bin", WORK / "cells.parquet", *said, "--force")
    missing = values["c_code"] != 255
    expected = {
        "a": values["a"].tolist(),
        "b": values["b"].tolist(),
        "c": [None if gone else int(c) for gone, c in zip(missing, values["c"])],
        "c.missing": [int(code) if gone else None for gone, code in zip(missing, values["c_code"])],
        "u": values["u"].tolist(),
        "ok": values["ok"].tolist(),
    }
    table = agree("SciDB", WORK / "cells.parquet", expected)
    times = pd.read_parquet(WORK / "cells.parquet")["t"]
    known = pd.Series(values["t"].astype("M8[s]")).where(values["t_code"] == 255)
    check("SciDB: times by pandas", ((times == known) | (times.isna() & known.isna())).all())
    check("SciDB: times by DuckDB", duckdb.sql(f"SELECT typeof(t) FROM '{WORK / 'cells.parquet'}' LIMIT 1").fetchall()[0][0].startswith("TIMESTAMP"))
    check("SciDB: native types", table.schema.field("c").metadata[b"binfmt:native"] == b"int32 null")
    # Arrow's own file, and back to the same bytes from both
    binfmt("convert", WORK / "cells.bin", WORK / "cells.arrow", *said, "--force")
    check("SciDB: the Arrow file by pyarrow", pa.ipc.open_file(WORK / "cells.arrow").read_all()["u"].to_pylist() == expected["u"])
    check("SciDB: the Arrow file by polars", pl.read_ipc(WORK / "cells.arrow")["a"].to_list() == expected["a"])
    check("SciDB: the Arrow file by pandas", pd.read_feather(WORK / "cells.arrow")["a"].tolist() == expected["a"])
    for ending in ["parquet", "arrow"]:
        binfmt("convert", WORK / f"cells.{ending}", WORK / "again.bin", "--to", "scidb", "--schema", schema, "--force")
        check(f"SciDB: the same bytes from {ending}", (WORK / "again.bin").read_bytes() == (WORK / "cells.bin").read_bytes())
    return values, schema


def futhark():
    """An n-dimensional array, which NumPy reads after its header."""
    values = np.arange(24, dtype="<f4").reshape(4, 3, 2) / 8
    header = b"b\x02\x03 f32" + np.array(values.shape, "<i8").tobytes()
    (WORK / "array.dat").write_bytes(header + values.tobytes())
    binfmt("convert", WORK / "array.dat", WORK / "array.parquet", "--format", "futhark", "--force")
    table, found = readings(WORK / "array.parquet")
    for program, columns in found.items():
        flat = [list(np.ravel(row)) for row in columns["value"]]
        check(f"Futhark by {program}", same(flat, [row.ravel().tolist() for row in values]))
    binfmt("convert", WORK / "array.dat", WORK / "array.arrow", "--format", "futhark", "--force")
    column = pa.ipc.open_file(WORK / "array.arrow").read_all()["value"].combine_chunks()
    check(f"Futhark: a tensor, and not {column.type}", isinstance(column.type, pa.FixedShapeTensorType))
    check("Futhark: the array by NumPy", (column.to_numpy_ndarray() == values).all())


def shown(told, path, *said):
    """Of the other formats the command itself shows the rows as JSON."""
    out = WORK / "x.parquet"
    binfmt("convert", path, out, *said, "--times", "unscaled", "--texts", "latin1", "--force")
    table, found = readings(out)
    lines = [json.loads(line) for line in binfmt("cat", "--jsonl", out).splitlines()]
    rows = [json.loads(line) for line in binfmt("cat", "--jsonl", path, *said).splitlines()]
    check(f"{told}: rows", len(lines) == len(rows) == table.num_rows)
    words = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
    plain = (int, float, bool, str)
    for name in rows[0] if rows else []:
        values = [row[name] for row in rows]
        if name not in table.column_names or not all(v is None or isinstance(v, plain) for v in values):
            continue
        is_float = pa.types.is_floating(table.schema.field(name).type)
        values = [words.get(str(v).lower(), v) if is_float else v for v in values]
        if is_float or pa.types.is_integer(table.schema.field(name).type):
            if table.schema.field(name).type in (pa.float32(), pa.float16()):
                continue
            values = [v if v is None or is_float else int(v) for v in values]
            for program, columns in found.items():
                check(f"{told}: {name} by {program}: {columns[name][:3]} is not {values[:3]}", same(columns[name], values))
    return table


def theirs(values, schema):
    """What the programs write becomes a load file."""
    # to pandas a NaN is a missing value
    values = values.copy()
    values["b"][3] = 0.25
    frame = pd.DataFrame({"a": values["a"], "b": values["b"], "u": values["u"], "ok": values["ok"], "s": [f"n{i}" for i in range(len(values))]})
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table, WORK / "pyarrow.parquet", compression="snappy")
    pq.write_table(table, WORK / "brotli.parquet", compression="brotli", row_group_size=100)
    frame.to_parquet(WORK / "pandas.parquet", index=False)
    pl.from_arrow(table).write_parquet(WORK / "polars.parquet")
    duckdb.sql("SELECT * FROM frame").write_parquet(str(WORK / "duckdb.parquet"))
    pa.feather.write_feather(table, WORK / "pyarrow.feather", compression="lz4")
    pa.feather.write_feather(table, WORK / "zstd.feather", compression="zstd", chunksize=77)
    with pa.ipc.new_file(WORK / "plain.arrow", table.schema) as file:
        file.write_table(table, max_chunksize=300)
    pl.from_arrow(table).write_ipc(WORK / "polars.arrow")
    kind = np.dtype([("a", "<i8"), ("b", "<f8"), ("u", "<u8"), ("ok", "?")])
    wanted = np.zeros(len(values), kind)
    for name in kind.names:
        wanted[name] = values[name]
    written = ["pyarrow.parquet", "brotli.parquet", "pandas.parquet", "polars.parquet", "duckdb.parquet", "pyarrow.feather", "zstd.feather", "plain.arrow", "polars.arrow"]
    for name in written:
        out = WORK / "out.bin"
        said = ["--schema", "<a: int64 NOT NULL, b: double NOT NULL, u: uint64 NOT NULL, ok: bool NOT NULL>[i]"]
        binfmt("convert", WORK / name, out, "--to", "scidb", *said, "--columns", "a,b,u,ok", "--force")
        check(f"{name} as a load file", out.read_bytes() == wanted.tobytes())
        texts = binfmt("cat", "--csv", "--no-header", WORK / name, "--columns", "s", "--rows", "5..7").split()
        check(f"{name}: texts are {texts}", texts == ["n5", "n6"])


values, schema = scidb()
futhark()
for name in ["alltypes_be_rm", "alltypes_ascii"]:
    table = shown(f"SDDS {name}", DATA / "sdds" / "official" / f"{name}.sdds")
    check("SDDS: what the file says of its columns", any(b"binfmt:native" in (field.metadata or {}) for field in table.schema))
for name in ["d1_types", "d2_row_row", "s2_f64"]:
    shown(f"TileDB {name}", DATA / "tiledb" / name)
for name in ["file_ints", "file_ranges"]:
    shown(f"BEAT {name}", DATA / "beat" / name / "input.data", "--format", "beat", "--prefix", common.ROOT / "tests" / "support" / "beat_prefix")
theirs(values, schema)
print(f"{checks} comparisons, pyarrow {pa.__version__}, pandas {pd.__version__}, polars {pl.__version__}, duckdb {duckdb.__version__}: all agree")
