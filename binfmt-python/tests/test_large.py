"""What is larger than memory: domains of which little was written, indexes with steps, sums."""

import base64
import os
import random
import subprocess
import sys

import binfmt
import numpy as np
import pytest
from binfmt import _reduce, _thin

# a dense array of TileDB over 0..=99,999,999,999 with an attribute of 32 bits
WIDE = (
    "AwAAAGQAAAAAAAAAbAAAAAAAAAAEAQAAAAAAAAAAEgAAAAAAAQABAAAAAQUAAAABAQAAAAEAAAAAAAAAbAAAAEAAAAAQAAAAAAAAAAEAAABsAAAAQAAAAHgBY2YAAwF1MMXAwMDIwMjA"
    "wMDECiL+////H1OEEcQF4QqwBgYGhv/PyzzEQQwWEAGVBeEyMAlhMzAAAMV1C/0="
)
FILL = -(1 << 31)


@pytest.fixture(name="wide")
def with_four_cells(tmp_path):
    path = tmp_path / "wide"
    binfmt.write(path, {"x": np.arange(4), "v": np.arange(5, 9, dtype="i4")}, "tiledb", dimensions="x", array="dense", tiles="4")
    (path / "__array_schema.tdb").write_bytes(base64.b64decode(WIDE))
    return path


def limited(code, *arguments, limit=400):
    """What a process prints that gets so many more MiB."""
    head = f"""
import resource, sys, binfmt, numpy as np
np.zeros(4).mean()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + ({limit} << 20),) * 2)
"""
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", head + code, *map(str, arguments)], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout.splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is one of Linux")
def test_a_domain_that_is_hardly_written(wide):
    code = """
t = binfmt.open(sys.argv[1])
batches = t.batches(1000)
first = next(batches)
print(first.num_rows, first["v"][:5].tolist(), next(batches)["x"][0])
# the cells that were written, in whatever order
print(t["v"][::30_000_000_000].tolist(), t["v"][::-33_333_333_333].tolist(), t["v"][[2, 99_999_999_999, 0]].tolist())
print(t["x"][::20_000_000_000].tolist(), t["v"][99_999_999_998:].tolist())
# a condition that the value of the others does not meet
print(t.where("v >= 6").to_dict(), len(t.where("v = 7")), len(t.where("v > 8")), t.where("x < 5 and v < 6")["v"].to_list())
for call in ("t['v'][::2]", "t['v'].to_numpy()", "t['v'][:]", "t.to_dict()"):
    try:
        eval(call)
    except binfmt.OutOfMemoryError as e:
        print(call, "no memory")
"""
    assert limited(code, wide) == [
        f"1000 [5, 6, 7, 8, {FILL}] 1000",
        f"[5, {FILL}, {FILL}, {FILL}] [{FILL}, {FILL}, {FILL}, 5] [7, {FILL}, 5]",
        f"[0, 20000000000, 40000000000, 60000000000, 80000000000] [{FILL}, {FILL}]",
        f"{{'x': [1, 2, 3], 'v': [6, 7, 8]}} 1 0 [5, {FILL}]",
        *(f"{call} no memory" for call in ("t['v'][::2]", "t['v'].to_numpy()", "t['v'][:]", "t.to_dict()")),
    ]
    # as NumPy has it where all is read
    near = binfmt.open(wide).where("x < 100 and v != 6")
    assert len(near) == 99 and near["v"].to_numpy()[:4].tolist() == [5, 7, 8, FILL]


def one(rng, size):
    """An index of a dimension."""
    kind = rng.randrange(5)
    if kind == 0:
        return rng.randrange(-size, size)
    if kind == 1:
        return [rng.randrange(-size, size) for _ in range(rng.randrange(1, 9))]
    if kind == 2:
        return np.array([rng.random() < 0.1 for _ in range(size)])
    ends = [rng.choice([None, rng.randrange(-size, size)]) for _ in range(2)]
    return slice(*ends, rng.choice([None, 1, 2, 3, 7, 50, -1, -2, -9]))


@pytest.mark.parametrize("kind", ["cells", "rows", "lists", "missing", "text"])
def test_what_an_index_leaves_out_is_forgotten(tmp_path, monkeypatch, kind):
    rows, few = 240, np.arange(240, dtype="i2")
    if kind == "cells":
        whole = few.reshape(20, 12)
        binfmt.write(tmp_path / "a", {"v": whole}, "tiledb", tiles="7,5")
        table = binfmt.open(tmp_path / "a")
    elif kind == "text":
        table = binfmt.open(b"v\n" + b"\n".join(b"%d" % n for n in few) + b"\n", format="csv")
        whole = few.astype(table["v"].dtype)
    else:
        data = {"rows": few.tobytes(), "lists": few.tobytes(), "missing": b"".join((b"\xff" if n % 3 else b"\0") + bytes(few[n : n + 1] * bool(n % 3)) for n in range(rows))}[kind]
        table = binfmt.open(data, schema={"rows": "<v:int16>", "missing": "<v:int16 null>"}.get(kind), layout="Row: record, le\n  v: [i16; 4]" if kind == "lists" else None)
        whole = table["v"].to_numpy()
    assert np.array_equal(whole, table["v"].to_numpy())
    monkeypatch.setattr(_thin, "_PART", 16)
    monkeypatch.setattr(_thin, "_GAP", 4)
    rng = random.Random(kind)
    for _ in range(300):
        key = tuple(one(rng, size) for size in whole.shape[: rng.randrange(1, whole.ndim + 1)])
        key = key[0] if len(key) == 1 else key
        try:
            wanted = whole[key]
        except IndexError:
            continue
        found = table["v"][key]
        assert found.dtype == wanted.dtype and found.shape == wanted.shape and repr(found.tolist()) == repr(wanted.tolist()), key


def test_a_step_reads_less(tmp_path, monkeypatch):
    table = binfmt.open(bytes(4000), schema="(int8)")
    boxes, read = [], binfmt.Table._read_part
    monkeypatch.setattr(binfmt.Table, "_read_part", lambda table, field, spans: boxes.append(spans[0]) or read(table, field, spans))
    monkeypatch.setattr(_thin, "_PART", 100)
    monkeypatch.setattr(_thin, "_GAP", 10)
    assert len(table["a"][::1000]) == 4 and boxes == [(n, n + 1) for n in range(0, 4000, 1000)]
    boxes.clear()
    assert len(table["a"][::10]) == 400 and boxes == [(n, n + 91) for n in range(0, 4000, 100)]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is one of Linux")
@pytest.mark.parametrize("is_known", [True, False])
def test_sums_of_what_does_not_fit(tmp_path, is_known):
    path = tmp_path / "large.bin"
    with open(path, "wb") as file:
        # a file with a hole takes no disk
        file.truncate(400 << 20)
        file.seek(8 * 1_000_000)
        file.write(np.int64(9).tobytes())
        rows = (400 << 20) // 8
    # of rows whose number nobody knows, too
    code = """
column = lambda: binfmt.open(sys.argv[1], schema="(int64)")["a"]
column = column if sys.argv[2] == "True" else lambda: binfmt.open(sys.argv[1], schema="(int64)").where("a < 10")["a"]
print(column().sum())
try:
    column().cumsum()
except binfmt.OutOfMemoryError:
    print("no memory")
if sys.argv[2] == "True":
    print(np.mean(column()), column().max())
    print(column().std())
"""
    total, whole, *others = limited(code, path, is_known, limit=380)
    assert (total, whole) == ("9", "no memory")
    if is_known:
        assert others[0] == f"{9 / rows!r} 9" and float(others[1]) == pytest.approx(9 / rows**0.5)


NUMBERS = {"f8": "double", "f4": "float", "i8": "int64", "i2": "int16", "u1": "uint8", "u8": "uint64"}


@pytest.mark.parametrize("kind", NUMBERS)
def test_sums_in_parts_are_those_of_numpy(monkeypatch, kind):
    rng = np.random.default_rng(7)
    monkeypatch.setattr(_reduce, "_LARGE", 0)
    monkeypatch.setattr(_reduce, "_PART", 100_000)
    for rows in (1, 1000, 300_005):
        if kind[0] == "f":
            values = (rng.standard_normal(rows) * 10.0 ** rng.integers(-3, 4, rows)).astype(kind)
        else:
            values = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, rows, kind, endpoint=True)
        part = np.zeros(rows, [("code", "u1"), ("value", kind)])
        part["code"], part["value"] = 255, values
        part[rng.random(rows) < 0.3] = (0, 0)
        item = f"{kind[0]}{8 * int(kind[1:])}"
        cases = [
            (values, {"schema": f"<v:{NUMBERS[kind]} not null>"}),
            (part, {"schema": f"<v:{NUMBERS[kind]} null>"}),
            (np.zeros_like(part), {"schema": f"<v:{NUMBERS[kind]} null>"}),
            (values[: rows // 5 * 5], {"layout": f"Row: record, le\n  v: [{item}; 5]"}),
        ]
        for data, how in cases:
            whole = binfmt.open(data.tobytes(), **how)["v"].to_numpy()
            if not whole.size:
                continue
            column = binfmt.open(data.tobytes(), **how)["v"]
            for name in _reduce.NAMES:
                wanted, found = getattr(whole, name)(), getattr(column, name)()
                assert (type(found), repr(found)) == (type(wanted), repr(wanted)), (rows, how, name)
                in_parts = name not in ("var", "std") or not isinstance(whole, np.ma.MaskedArray)
                assert column._values is None or not in_parts, (how, name)
            if rows > 1:
                assert repr(binfmt.open(data.tobytes(), **how)["v"].std(ddof=1)) == repr(whole.std(ddof=1))
            assert repr(np.sum(binfmt.open(data.tobytes(), **how)["v"], axis=0)) == repr(np.sum(whole, axis=0))


def test_the_first_and_the_last_time(tmp_path, monkeypatch):
    monkeypatch.setattr(_reduce, "_LARGE", 0)
    times = np.array(["2024-05-01T12:00:00", "2023-01-01", "2025-01-01"], "M8[ms]")
    cells = np.sqrt(np.arange(60_000.0)).reshape(300, 200)
    binfmt.write(tmp_path / "a", {"t": times}, "tiledb")
    binfmt.write(tmp_path / "b", cells, "tiledb", tiles="7,60")
    column, box = binfmt.open(tmp_path / "a")["t"], binfmt.open(tmp_path / "b")["value"]
    assert (column.min(), column.max()) == (times.min(), times.max()) and column._values is None
    assert (box.sum(), box.mean(), box.std(), box.min()) == (cells.sum(), cells.mean(), cells.std(), cells.min()) and box._values is None
    # what is said of the parts of an array, as before
    assert np.array_equal(box.sum(axis=0), cells.sum(axis=0)) and box._values is not None
