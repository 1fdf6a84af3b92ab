"""Tables into files and back, from everything that Python has as a table."""

import os

import binfmt
import numpy as np
import pytest
from conftest import needs

COLUMNS = {"n": [1, 2, 3], "x": [0.5, -1.0, 2.0], "s": ["a", "", "ü"]}


@pytest.mark.parametrize("name", ["a.sdds", "a.sdds.gz", "a.csv", "a.jsonl"])
def test_dicts(tmp_path, name):
    path = tmp_path / name
    assert binfmt.write(path, COLUMNS) == 3
    assert binfmt.open(path, format="csv" if name.endswith("csv") else "jsonl" if "jsonl" in name else None).to_dict() == COLUMNS


def test_kinds_of_tables(tmp_path):
    path = tmp_path / "a.bin"
    numbers = {"n": np.array([1, 2], "i8"), "x": np.array([0.5, 1.5])}
    structured = np.array([(1, 0.5), (2, 1.5)], dtype=[("n", "i8"), ("x", "f8")])
    rows = [{"n": 1, "x": 0.5}, {"n": 2, "x": 1.5}]
    for data in (numbers, structured, rows, binfmt.open(structured.tobytes(), schema="(int64, double)")):
        assert binfmt.write(path, data, schema="(int64, double)") == 2
        assert path.read_bytes() == structured.tobytes()
    with pytest.raises(TypeError, match="is not a table"):
        binfmt.write(path, [1, 2], "csv")


def test_missing_values(tmp_path):
    path = tmp_path / "a.bin"
    masked = np.ma.MaskedArray([1, 2], mask=[False, True])
    binfmt.write(path, {"n": masked, "s": [None, "b"]}, schema="(int64 null, string null)")
    assert binfmt.open(path, schema="(int64 null, string null)").to_dict() == {"a": [1, None], "b": [None, "b"]}


def test_times_and_complex_numbers(tmp_path):
    path = tmp_path / "a.npy"
    values = np.array([1 + 2j, 3 - 1j])
    binfmt.write(path, {"z": values})
    assert np.load(path).reshape(-1).view(complex).tolist()[:2] == values.tolist()
    path = tmp_path / "a.bin"
    binfmt.write(path, {"t": np.array(["1970-01-02"], "M8[s]")}, schema="(datetime)")
    assert path.read_bytes() == (86400).to_bytes(8, "little")


def test_frames(tmp_path):
    pd, pl, pa = needs("pandas"), needs("polars"), needs("pyarrow")
    path = tmp_path / "a.sdds"
    frames = [pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), pa.table(COLUMNS)]
    for frame in frames:
        assert binfmt.write(path, frame) == 3
        assert binfmt.open(path).to_dict() == COLUMNS, type(frame)
    missing = pd.DataFrame({"n": pd.array([1, None], dtype="Int64"), "b": pd.array([True, None], dtype="boolean"), "s": ["a", None]})
    schema = "(int64 null, bool null, string null)"
    binfmt.write(tmp_path / "b.bin", missing, schema=schema)
    assert binfmt.open(tmp_path / "b.bin", schema=schema).to_dict() == {"a": [1, None], "b": [True, None], "c": ["a", None]}
    again = binfmt.open(tmp_path / "b.bin", schema=schema).to_pandas()
    binfmt.write(tmp_path / "c.bin", again, schema=schema)
    assert (tmp_path / "b.bin").read_bytes() == (tmp_path / "c.bin").read_bytes()


def test_like(tmp_path, sdds):
    first, second = tmp_path / "a.sdds", tmp_path / "b.sdds"
    first.write_bytes(sdds.replace(b"&array name=A, type=short, dimensions=2 &end\n", b"").replace(b"2 3\n1 2 3 4 5 6\n", b"").replace(b"1 1\n9\n", b""))
    table = binfmt.open(first)
    assert binfmt.write(second, table, like=first) == 3
    again = binfmt.open(second)
    assert again.to_dict() == table.to_dict() and again["x"].units == "mm" and len(again.pages) == 2
    load = binfmt.open(b"\x01\x02", schema="(int8)")
    assert binfmt.write(tmp_path / "l.bin", {"a": [5]}, like=load) == 1
    assert (tmp_path / "l.bin").read_bytes() == b"\x05"


def test_layouts(tmp_path):
    path = tmp_path / "a.bin"
    layout = binfmt.Layout("Row: record, be\n  n: u16\n  s: text, length_prefixed(u8)")
    assert binfmt.write(path, {"n": [1, 2], "s": ["a", "b"]}, layout=layout) == 2
    assert path.read_bytes() == layout.encode_all([{"n": 1, "s": "a"}, {"n": 2, "s": "b"}])


def test_parts_of_tables(tmp_path):
    path = tmp_path / "a.csv"
    table = binfmt.open(bytes(range(10)), schema="(uint8, uint8)")
    binfmt.write(path, table.where("a > 2").rows[1:], columns=["b"])
    assert path.read_text().split() == ["b", "7", "9"]


def test_what_was_there_stays_if_it_goes_wrong(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(b"before")
    with pytest.raises(binfmt.Error):
        binfmt.write(path, binfmt.open(b"\x01\x02\x03", schema="(int16)"), schema="(int16)")
    with pytest.raises(binfmt.Error):
        binfmt.write(path, {"n": [300]}, schema="(int8)")
    assert path.read_bytes() == b"before" and os.listdir(tmp_path) == ["a.bin"]
    with pytest.raises(ValueError, match="does not say in which format"):
        binfmt.write(tmp_path / "a.unknown", COLUMNS)
    with pytest.raises(binfmt.Error, match="unknown format"):
        binfmt.write(path, COLUMNS, "cvs")


def test_ctrl_c(tmp_path):
    import _thread
    import threading

    table = binfmt.open(bytes(20_000_000), schema="(uint8)")
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.05, _thread.interrupt_main).start()
        binfmt.write(tmp_path / "a.csv", table)
    assert not (tmp_path / "a.csv").exists()
