"""Tables into files and back, from everything that Python has as a table."""

import datetime
import decimal
import importlib.util
import os
import subprocess
import sys
import warnings

import binfmt
import numpy as np
import pytest
from binfmt._write import to_table
from conftest import SDDS, hears_ctrl_c, needs

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
    table = binfmt.open(bytes(20_000_000), schema="(uint8)")
    assert hears_ctrl_c(lambda: binfmt.write(tmp_path / "a.csv", table))
    # an attempt that was too late has written it, and nothing else is there
    assert [path.name for path in tmp_path.iterdir()] in ([], ["a.csv"])
    assert not (tmp_path / "a.csv").exists() or len(binfmt.open(tmp_path / "a.csv")) == 20_000_000


def test_parts_of_a_table(tmp_path, sdds):
    table = binfmt.open(sdds)
    with pytest.warns(binfmt.ConversionWarning, match="arrays are not columns"):
        assert binfmt.write(tmp_path / "a.sdds", table["x"]) == 3
    written = binfmt.open(tmp_path / "a.sdds")
    assert written.to_dict() == {"x": table["x"].to_list()} and written["x"].units == "mm"
    assert binfmt.write(tmp_path / "a.csv", table.batches(2)) == 3
    assert binfmt.open(tmp_path / "a.csv").to_dict() == table.to_dict()
    cells = binfmt.open(b"\xff\1\7\0", schema="(int8 null)")
    assert binfmt.write(tmp_path / "a.jsonl", cells.batches(1)) == 2
    assert binfmt.open(tmp_path / "a.jsonl")["a"].to_list() == [1, None]
    with pytest.raises(TypeError, match="one int is not a column"):
        binfmt.write(tmp_path / "a.csv", {"a": 1})
    with pytest.raises(TypeError, match="float64 is not a table"):
        binfmt.write(tmp_path / "a.npy", np.float64(1))
    with pytest.raises(TypeError, match="values of type int beside str"):
        binfmt.write(tmp_path / "a.csv", {"a": ["x", 1]})


def test_frames_of_polars_that_are_not_tables(tmp_path):
    pl = needs("polars")
    series = pl.Series("a", [1, None])
    assert binfmt.write(tmp_path / "a.csv", series) == 2 and binfmt.open(tmp_path / "a.csv").names == ["a"]
    with warnings.catch_warnings(), pytest.raises(TypeError, match=r"give data.collect\(\)"):
        warnings.simplefilter("error")
        binfmt.write(tmp_path / "a.csv", series.to_frame().lazy())


def test_an_index_is_no_column(tmp_path):
    frame = needs("pandas").DataFrame({"name": ["a", "b"], "x": [1, 2]})
    with pytest.warns(binfmt.ConversionWarning, match=r"the index \(name\) is not written"):
        binfmt.write(tmp_path / "a.csv", frame.set_index("name"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        binfmt.write(tmp_path / "a.csv", frame[frame["x"] > 1])
    # words are not numbers of rows
    for data in (frame.set_axis(["a", "b"]), frame.set_axis([0.5, 1]), frame.set_axis(["p", "q"])["x"]):
        with pytest.warns(binfmt.ConversionWarning, match=r"the index \(without a name\) is not written"):
            binfmt.write(tmp_path / "a.csv", data)
    for name in ("a.parquet", "a.xlsx"):
        with pytest.raises(ValueError, match="is written by data frames"):
            binfmt.write(tmp_path / name, frame)
    with pytest.raises(TypeError, match="the path comes first"):
        binfmt.write(frame, tmp_path / "a.csv")


def test_what_lists_of_python_mean():
    table = to_table({"a": [1, None, 3], "b": [True, None, False], "c": [[1, None], [], [3]], "d": [datetime.date(2020, 1, 1), None, None]})
    assert [field.type for field in table.schema.fields] == ["i64?", "bool?", "[i64?]", "time[D]?"]
    assert table["a"].to_list() == [1, None, 3] and table["b"].to_list() == [True, None, False]
    assert table["c"].to_list()[0].tolist() == [1, None]
    assert table["d"].to_list() == [datetime.date(2020, 1, 1), None, None]
    rows = to_table([{"a": 1}, {"a": 2, "b": "x"}])
    assert rows.to_dict() == {"a": [1, 2], "b": [None, "x"]}


def test_no_number_is_changed_in_silence():
    assert to_table({"a": [[2**53 + 1], []]})["a"].to_list()[0].tolist() == [2**53 + 1]
    for values in ([2**63 + 1, -1], [2**63 + 1, None, 1.5], [[2**63 + 1], [-1]]):
        with pytest.raises(ValueError, match="column 'a': the integer 9223372036854775809"):
            to_table({"a": values})


@pytest.mark.parametrize("dtype", [">M8[s]", "M8[10s]", ">m8[us]", ">c16", ">f8", ">i4"])
def test_byte_order_and_units_of_arrays(dtype):
    values = np.array([0, 100, 86400]).astype(dtype)
    for given in (values, values[::2]):
        assert (to_table({"a": given})["a"].to_numpy() == given).all()


def test_arrays_of_several_dimensions():
    values = np.arange(6).reshape(2, 3) * 1j
    column = to_table({"a": values})["a"]
    assert column.shape == (2, 3) and (column.to_numpy() == values).all()
    layout = binfmt.Layout("M: record, le\n  m: [[f32; 3]; 2]")
    table = binfmt.open(np.arange(12, dtype="<f4").tobytes(), layout=layout)
    assert table["m"].shape == (2, 2, 3) and table["m"].to_numpy().tolist() == np.arange(12.0).reshape(2, 2, 3).tolist()


def test_all_axes_are_written_or_none(tmp_path):
    values = np.arange(24.0).reshape(2, 3, 4)
    path = tmp_path / "a.npy"
    for given in (values, values.astype(">f4"), np.asfortranarray(values), values[:, ::2, 1:], values.reshape(2, 3, 2, 2)):
        assert binfmt.write(path, given) == 2
        assert (np.load(path) == given).all() and np.load(path).shape == given.shape
        assert (binfmt.open(path)["value"].to_numpy() == given).all()
    assert binfmt.write(tmp_path / "a.fut", values, "futhark") == 2
    assert (binfmt.open(tmp_path / "a.fut")["value"].to_numpy() == values).all()
    layout = binfmt.Layout("M: record, le\n  m: [[f64; 4]; 3]")
    binfmt.write(tmp_path / "a.bin", {"m": values}, layout=layout)
    assert (tmp_path / "a.bin").read_bytes() == values.tobytes()
    for name, format in (("a.sdds", "sdds"), ("b.bin", "scidb")):
        with pytest.raises(binfmt.Error, match=r"\[\[f64; 4\]; 3\]"):
            binfmt.write(tmp_path / name, {"m": values}, format)
    times = np.arange(24).reshape(2, 3, 4).astype("M8[D]")
    times[0, 1, 2] = "NaT"
    for given in (values * 1j, values.astype(">c8"), times, np.asfortranarray(times), times[:, :, 0] - times[1, 1, 1]):
        np.save(path, given)
        for write in (lambda: None, lambda: binfmt.write(path, given), lambda: binfmt.write(path, binfmt.open(path))):
            write()
            column = binfmt.open(path)["value"]
            for found in (column.to_numpy(), np.load(path)):
                assert found.dtype.kind == given.dtype.kind and found.shape == given.shape == column.shape
                assert np.array_equal(found, given, equal_nan=True)
    with pytest.raises(TypeError, match="single value"):
        to_table({"a": np.array(5)})


def test_names_twice():
    with pytest.raises(ValueError, match="two columns are called 'a'"):
        to_table(_Frame())
    with pytest.raises(ValueError, match="twice"):
        to_table({"a": [1]}).select(["a", "a"])


class _Frame:
    def keys(self):
        return ["a", "a"]

    def __getitem__(self, name):
        return [1]


@pytest.mark.parametrize("mode", ["binary", "ascii"])
@pytest.mark.parametrize("order", ["row", "column"])
def test_pages_are_appended(tmp_path, mode, order):
    path = tmp_path / "a.sdds"
    first = {"Run": [7, 7], "x": [0.5, 1.5], "name": ["a", "b c"]}
    binfmt.write(path, first, append=True, mode=mode, order=order, as_parameters="Run", byte_order="big")
    head = path.read_bytes()
    assert binfmt.write(path, {"name": ["d"], "x": [2.5], "Run": [8]}, append=True) == 1
    assert binfmt.write(path, to_table(first).rows[:0], append=True) == 0
    assert path.read_bytes().startswith(head) and os.listdir(tmp_path) == ["a.sdds"]
    again = binfmt.open(path)
    assert again.to_dict() == {"Run": [7, 7, 8], "x": [0.5, 1.5, 2.5], "name": ["a", "b c", "d"]}
    assert [page.parameters["Run"] for page in again.pages] == [7, 8]
    # what is wrong changes nothing
    there = path.read_bytes()
    for wrong in ({"x": [1.0]}, {"name": ["d"], "x": ["text"], "Run": [8]}):
        with pytest.raises(binfmt.Error):
            binfmt.write(path, wrong, append=True)
    assert path.read_bytes() == there and os.listdir(tmp_path) == ["a.sdds"]


def test_pages_that_cannot_be_appended(tmp_path, sdds):
    path = tmp_path / "a.sdds"
    row = {"Run": [1], "x": [1.0], "name": ["a"]}
    path.write_bytes(sdds)
    with pytest.raises(binfmt.Error, match="it has arrays"):
        binfmt.write(path, row, append=True)
    binfmt.write(tmp_path / "a.sdds.gz", row)
    with pytest.raises(binfmt.Error, match="compressed"):
        binfmt.write(tmp_path / "a.sdds.gz", row, append=True)
    binfmt.write(path, row)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(binfmt.Error):
        binfmt.write(path, row, append=True)
    assert path.read_bytes() == whole[:-1]


def test_rows_are_appended(tmp_path):
    path = tmp_path / "a.bin"
    for _ in range(2):
        assert binfmt.write(path, {"n": [1, 2]}, schema="(int16)", append=True) == 2
    assert path.read_bytes() == b"\1\0\2\0\1\0\2\0"
    with pytest.raises(binfmt.Error, match="does not fit|int16|i16"):
        binfmt.write(path, {"n": [1, 70000]}, schema="(int16)", append=True)
    path.write_bytes(b"\1\0\2")
    with pytest.raises(binfmt.Error, match="1 remain"):
        binfmt.write(path, {"n": [1]}, schema="(int16)", append=True)
    assert path.read_bytes() == b"\1\0\2"
    layout = binfmt.Layout("Row: record, be\n  n: u16\n  s: text, length_prefixed(u8)")
    rows = [{"n": 1, "s": "a"}, {"n": 2, "s": "bc"}]
    for row in rows:
        binfmt.write(tmp_path / "b.bin", [row], layout=layout, append=True)
    assert (tmp_path / "b.bin").read_bytes() == layout.encode_all(rows)


def test_lines_are_appended(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("n,s\n1,a")
    binfmt.write(path, {"s": ["b"], "n": [2]}, append=True)
    assert path.read_text() == "n,s\n1,a\n2,b\n"
    with pytest.raises(ValueError, match="columns of the file are n, s"):
        binfmt.write(path, {"n": [2]}, append=True)
    binfmt.write(path, {"x": [3], "y": ["c"]}, append=True, header=False)
    assert path.read_text() == "n,s\n1,a\n2,b\n3,c\n"
    path = tmp_path / "a.jsonl"
    path.write_text('{"n":1}')
    binfmt.write(path, {"n": [2]}, append=True)
    assert path.read_text() == '{"n":1}\n{"n":2}\n'
    for name in ("a.npy", "a.fut"):
        binfmt.write(tmp_path / name, {"n": [1]}, format=None if name == "a.npy" else "futhark")
        with pytest.raises(ValueError, match="nothing can be appended"):
            binfmt.write(tmp_path / name, {"n": [1]}, append=True)


def test_fragments_are_appended(tmp_path):
    path = tmp_path / "a.tdb"
    cells = {"x": [0, 9, 3], "y": [0, 9, 4], "a": [0.5, 1.5, 2.5], "n": ["a", "bc", ""]}
    binfmt.write(path, cells, "tiledb", dimensions="x,y")
    assert binfmt.write(path, {"n": ["new", "over"], "a": [7.0, 8.0], "y": [6, 9], "x": [5, 9]}, "tiledb", append=True) == 2
    found = {(row["x"], row["y"]): (row["a"], row["n"]) for row in binfmt.open(path).to_list()}
    assert found == {(0, 0): (0.5, "a"), (3, 4): (2.5, ""), (5, 6): (7, "new"), (9, 9): (8, "over")}
    files = sorted(path.rglob("*"))
    one = {"x": [1], "y": [1], "a": [1.0], "n": ["a"]}
    for wrong in ({**one, "x": [50]}, {**one, "a": ["q"]}, {**one, "x": [1.5]}, {"x": [1], "y": [1], "a": [1.0]}):
        with pytest.raises(binfmt.Error):
            binfmt.write(path, wrong, "tiledb", append=True)
    assert sorted(path.rglob("*")) == files
    # numbers that are the same in the type of the array
    assert binfmt.write(path, {**one, "x": [1.0], "a": [3]}, "tiledb", append=True) == 1
    binfmt.write(tmp_path / "b.tdb", {"a": [1.0]}, "tiledb")
    binfmt.write(tmp_path / "b.tdb", {"a": [2.0]}, "tiledb", append=True)
    assert binfmt.open(tmp_path / "b.tdb").to_dict() == {"row": [0, 1], "a": [1.0, 2.0]}


def test_times_of_another_unit_are_not_written(tmp_path):
    times = {"c": [datetime.datetime(2020, 1, 1)]}
    with pytest.raises(ValueError, match="times in us, the file in s"):
        binfmt.write(tmp_path / "a.bin", times, schema="(datetime)")
    assert not (tmp_path / "a.bin").exists()


def test_times_that_are_missing(tmp_path):
    path = tmp_path / "a.csv"
    binfmt.write(path, {"t": np.array(["2020-01-01", "NaT"], "M8[D]"), "n": [1, 2]})
    assert path.read_text().splitlines()[2] == ",2"


def test_objects_that_are_not_values_are_refused(tmp_path):
    for wrong in ({"a": 1}, {1, 2}):
        with pytest.raises(TypeError, match=type(wrong).__name__):
            binfmt.write(tmp_path / "a.csv", [{"x": wrong}])


def test_large_integers_stay_what_they_are(tmp_path):
    path = tmp_path / "a.csv"
    binfmt.write(path, {"n": [2**64 - 1, 0]})
    assert binfmt.open(path)["n"].to_numpy().tolist() == [2**64 - 1, 0]
    with pytest.raises(ValueError, match="no common type"):
        binfmt.write(path, {"n": [np.uint64(2**64 - 1), np.int64(-1)]})


def test_lists_are_written_as_they_were_read(tmp_path):
    layout = binfmt.Layout("Row: record, le\n  x: [u32], length_prefixed(u8)")
    rows = {"x": [np.array([1, 2], "u4"), np.array([3], "u4")]}
    binfmt.write(tmp_path / "a.bin", rows, layout=layout)
    assert (tmp_path / "a.bin").read_bytes() == b"\2\1\0\0\0\2\0\0\0\1\3\0\0\0"


def test_a_packed_name_is_that_of_packed_content(tmp_path):
    with pytest.raises(ValueError):
        binfmt.write(tmp_path / "a.csv.gz", COLUMNS)


def test_series_with_missing_values(tmp_path):
    pl = needs("polars")
    path = tmp_path / "a.csv"
    binfmt.write(path, {"n": pl.Series([2**62 + 1, None]), "m": [1, 2]})
    assert path.read_text().splitlines()[1:] == ["4611686018427387905,1", ",2"]


def test_zoned_times_keep_nanoseconds(tmp_path):
    pd = needs("pandas")
    times = pd.Series(pd.to_datetime(["2020-01-01 00:00:00.000000001"]).tz_localize("Europe/Zurich"))
    with pytest.warns(binfmt.ConversionWarning):
        binfmt.write(tmp_path / "a.npy", {"t": times, "n": [1]})
    assert np.load(tmp_path / "a.npy")["t"].view("i8")[0] % 1000 == 1


def zoned():
    """The same time of a zone as packages have it, and what they call the zone."""
    zone = datetime.timezone(datetime.timedelta(hours=1))
    yield [datetime.datetime(2026, 1, 2, 3, tzinfo=zone)], "UTC+01:00"
    yield np.array([datetime.datetime(2026, 1, 2, 3, tzinfo=zone)], object), "UTC+01:00"
    for package in ("pandas", "polars", "pyarrow"):
        if package not in sys.modules and not importlib.util.find_spec(package):
            continue
        package = needs(package)
        if package.__name__ == "pandas":
            times = package.to_datetime(["2026-01-02 03:00"]).tz_localize("Europe/Zurich")
            yield times, "Europe/Zurich"
            yield package.Series(times), "Europe/Zurich"
            yield package.Series([None, times[0]], dtype=object), "Europe/Zurich"
        elif package.__name__ == "polars":
            yield package.Series([datetime.datetime(2026, 1, 2, 3)]).dt.replace_time_zone("Europe/Zurich"), "Europe/Zurich"
        else:
            yield package.array([datetime.datetime(2026, 1, 2, 2)], package.timestamp("us", "Europe/Zurich")), "Europe/Zurich"


def test_a_zone_that_is_not_kept_is_told(tmp_path):
    for times, zone in zoned():
        with pytest.warns(binfmt.ConversionWarning) as told:
            binfmt.write(tmp_path / "a.csv", {"n": [1] * len(times), "t": times})
        wanted = f"column 't': its times are written as those of UTC, without their zone {zone}"
        assert [str(note.message) for note in told] == [wanted], type(times)
        assert str(binfmt.open(tmp_path / "a.csv")["t"].to_numpy()[-1]).startswith("2026-01-02T02:00"), type(times)
    with pytest.warns(binfmt.ConversionWarning, match="column 't': that its times are of UTC is not written"):
        binfmt.write(tmp_path / "a.csv", {"t": [datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        binfmt.write(tmp_path / "a.csv", {"t": [datetime.datetime(2026, 1, 2)]})


def test_zones_of_frames_are_told(tmp_path):
    pd, pl = needs("pandas"), needs("polars")
    frame = pd.DataFrame({"n": [1], "t": pd.to_datetime(["2026-01-02"]).tz_localize("Asia/Tokyo")})
    for data in (frame, pl.DataFrame({"n": [1], "t": pl.Series([datetime.datetime(2026, 1, 2)]).dt.replace_time_zone("Asia/Tokyo")})):
        with pytest.warns(binfmt.ConversionWarning, match="column 't': its times are .* Asia/Tokyo"):
            binfmt.write(tmp_path / "a.csv", data)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # what is not written is not told
            binfmt.write(tmp_path / "a.csv", data, columns=["n"])


def test_what_is_lost_is_told(tmp_path, sdds):
    with pytest.warns(binfmt.ConversionWarning, match="arrays are not columns, and are left out: `A`") as found:
        binfmt.write(tmp_path / "a.csv", binfmt.open(sdds, name="a.sdds"))
    assert found[0].filename == __file__
    with pytest.warns(binfmt.ConversionWarning, match="column `b` is left out"):
        binfmt.write(tmp_path / "a.bin", {"a": [1], "b": [2]}, layout="R: record\n  a: u8")
    with pytest.warns(binfmt.ConversionWarning, match="f64 to f32: rounded"):
        binfmt.write(tmp_path / "a.bin", {"x": [0.1]}, schema="(float)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        binfmt.write(tmp_path / "a.bin", {"x": [1]}, schema="(int8)")
        binfmt.write(tmp_path / "a.bin", {"x": np.array([1], "i1")}, schema="(int64)")
        binfmt.write(tmp_path / "a.csv", {"t": np.array(["2026-01-02"], "M8[D]"), "b": [b"\xff"]})


def test_appends_wait_for_each_other(tmp_path):
    code = "import binfmt, sys\nfor n in range(15): binfmt.write(sys.argv[1], {'who': [int(sys.argv[2])], 'n': [n]}, append=True)"
    for name in ("a.csv", "a.sdds"):
        path = tmp_path / name
        workers = [subprocess.Popen([sys.executable, "-c", code, str(path), str(who)]) for who in range(3)]
        for n in range(15):
            binfmt.write(path, {"who": [9], "n": [n]}, append=True)
        assert [worker.wait() for worker in workers] == [0, 0, 0]
        rows = binfmt.open(path, format=name[2:]).to_list()
        assert sorted((row["who"], row["n"]) for row in rows) == [(who, n) for who in (0, 1, 2, 9) for n in range(15)]


def test_like_an_array(tmp_path):
    cells = {"y": np.array([1, 2], "i4"), "x": np.array([0, 3], "i4"), "a": np.array([0.5, 1.5], "f4")}
    for kind in ("sparse", "dense"):
        model = tmp_path / f"{kind}.tdb"
        whole = cells if kind == "sparse" else {"y": [1, 1], "x": [0, 1], "a": cells["a"]}
        binfmt.write(model, whole, "tiledb", dimensions="y,x", array=kind)
        again = tmp_path / f"{kind}2.tdb"
        assert binfmt.write(again, binfmt.open(model).to_dict() if kind == "dense" else cells, like=model) == 2
        first, second = binfmt.open(model), binfmt.open(again)
        assert first.metadata["tiledb:array_type"] == second.metadata["tiledb:array_type"] == kind
        assert [field.name for field in second.schema if field.metadata.get("tiledb:dimension")] == ["y", "x"]
    # of a sparse array the whole schema is taken
    model, again = tmp_path / "sparse.tdb", tmp_path / "c.tdb"
    assert (model / "__array_schema.tdb").read_bytes() == (tmp_path / "sparse2.tdb" / "__array_schema.tdb").read_bytes()
    with pytest.raises(binfmt.Error):
        binfmt.write(again, {**cells, "x": np.array([0, 300], "i4")}, like=model)
    assert not again.exists()


def test_archives_are_not_written(tmp_path):
    with pytest.raises(ValueError, match="numpy.savez"):
        binfmt.write(tmp_path / "a.npz", COLUMNS)


def test_integers_wider_than_those_of_numpy(tmp_path):
    path = tmp_path / "a.bin"
    for kind, values in [("u128", [2**128 - 1, 0]), ("i128", [-(2**127), 2**100])]:
        layout = binfmt.Layout(f"R: record\n  x: {kind}")
        assert binfmt.write(path, {"x": values}, layout=layout) == 2
        assert binfmt.open(path, layout=layout)["x"].to_list() == values
    for wrong in ([2**128], [-1, 2**127]):
        with pytest.raises(ValueError, match="128 bits"):
            binfmt.write(path, {"x": wrong}, layout="R: record\n  x: u128")


def test_what_contains_itself_has_no_end(tmp_path):
    alone, twice, nested = np.empty(1, object), np.empty(2, object), []
    alone[0], twice[0], twice[1] = alone, twice, twice
    nested.append([nested])
    inside = np.empty(1, object)
    inside[0] = [inside, inside]
    for endless in (alone, twice, nested, [nested], [[twice], [1]], inside):
        with pytest.raises(ValueError, match="contains itself"):
            binfmt.write(tmp_path / "a.csv", {"x": endless})
    shared = [1, 2]
    assert to_table({"x": [shared, shared]})["x"].to_list()[1].tolist() == shared


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_stays_one(tmp_path):
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    with pytest.raises(OSError, match="a device or a pipe"):
        binfmt.write(path, {"a": [1]})
    assert path.is_fifo() and os.listdir(tmp_path) == ["pipe.csv"]


def test_nested_columns_of_others(tmp_path):
    path = tmp_path / "a.jsonl"
    pa, pl = needs("pyarrow"), needs("polars")
    large = 2**53 + 1
    for values in (pa.array([[large, None], [2]]), pl.Series([[large, None], [2]])):
        binfmt.write(path, {"a": values})
        assert path.read_text() == f'{{"a":[{large},{{"missing":0}}]}}\n{{"a":[2]}}\n'
    for values in (pa.array([{"b": 1}]), pl.Series([{"b": 1}])):
        with pytest.raises(TypeError, match="dict cannot be written"):
            binfmt.write(path, {"a": values})


@pytest.mark.parametrize("values", ["abc", b"abc", {"b": [1]}])
def test_one_value_is_not_a_column(tmp_path, values):
    with pytest.raises(TypeError, match="is not a column"):
        binfmt.write(tmp_path / "a.jsonl", {"a": values})


def test_objects_are_what_they_hold(tmp_path):
    pd = needs("pandas")
    path = tmp_path / "a.jsonl"
    day, later = pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-02", tz="Europe/Zurich")
    for values, expected in [
        (np.array([1, None], object), [1, None]),
        (np.array([0.5, None], object), [0.5, None]),
        (np.array([True, False], object), [True, False]),
        (np.array([1, pd.NA], object), [1, None]),
        (np.ma.MaskedArray(np.array([1, "a"], object), [False, True]), [1, None]),
        (np.array(["a", None], object), ["a", None]),
        (np.ma.MaskedArray(["a", "b"], [False, True], object), ["a", None]),
        (np.ma.MaskedArray([0.5, 1.5], [True, False], object), [None, 1.5]),
        (np.array([1 << 70, None], object), [str(1 << 70), None]),
        (pd.Series([None, 1 << 70]), [None, str(1 << 70)]),
        ([1, pd.NA], [1, None]),
        ([1, np.ma.masked], [1, None]),
        (["a", pd.NA], ["a", None]),
        (pd.Series([1, pd.NA, 3], dtype=object), [1, None, 3]),
        (pd.array(["a", None], dtype="string"), ["a", None]),
        (pd.array([1, None], dtype="Int64"), [1, None]),
        (pd.arrays.SparseArray([0, 0, 1]), [0, 0, 1]),
        (pd.Categorical(["a", None]), ["a", None]),
        (pd.RangeIndex(2), [0, 1]),
        (pd.Index(["a", "b"]), ["a", "b"]),
    ]:
        binfmt.write(path, {"a": values})
        assert binfmt.open(path)["a"].to_list() == expected, values
    path = tmp_path / "a.npy"
    for values, expected in [
        (np.array([day, None], object), [day.to_datetime64(), "NaT"]),
        (pd.date_range(later, periods=2), ["2020-01-01T23:00", "2020-01-02T23:00"]),
        (pd.date_range(later, periods=2).array, ["2020-01-01T23:00", "2020-01-02T23:00"]),
    ]:
        binfmt.write(path, {"a": values, "n": [1, 2]})
        np.testing.assert_array_equal(np.load(path)["a"], np.array(expected, "M8[us]"))
    for wrong, text in [
        (np.array([1, "a"], object), "int beside str"),
        (["a", b"b"], "str beside bytes"),
        ([datetime.time(1), None], "values of type time cannot"),
        ([["a"], "b"], "str beside list"),
        (pd.MultiIndex.from_tuples([(1, 2)]), "several columns"),
        (pd.DataFrame({"a": [1]}), "several columns"),
        (pd.period_range("2020", periods=1), "Period"),
    ]:
        with pytest.raises(TypeError, match=text):
            binfmt.write(path, {"a": wrong})


def test_no_rows_have_columns(tmp_path):
    table = binfmt.open(b"\1\2\3\4", schema="(int8, int16 null)").where("a > 100")
    path = tmp_path / "a.csv"
    assert binfmt.write(path, table.batches()) == 0 and path.read_text() == "a,b\n"


def test_values_of_another_kind_are_told(tmp_path):
    flags, numbers = {"a": [True]}, {"a": [1 + 2j]}
    with pytest.warns(binfmt.ConversionWarning, match="true and false become 1 and 0"):
        binfmt.write(tmp_path / "a.sdds", flags)
    for name in ("a.csv", "a.jsonl"):
        with pytest.warns(binfmt.ConversionWarning, match="complex numbers become lists"):
            binfmt.write(tmp_path / name, numbers)
        wide = {"a": np.array([1.5], np.longdouble)}
        if np.finfo(np.longdouble).nmant == 63:
            with pytest.warns(binfmt.ConversionWarning, match="80 bits"):
                binfmt.write(tmp_path / name, wide)
    if np.finfo(np.longdouble).nmant == 63:
        with pytest.raises(binfmt.Error, match="NPY does not support column `a`, whose numbers have 80 bits"):
            binfmt.write(tmp_path / "a.npy", wide)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        binfmt.write(tmp_path / "a.npy", numbers)
        binfmt.write(tmp_path / "a.csv", flags)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_lines_that_read_as_another_type_are_told(tmp_path, name):
    path = tmp_path / name
    binfmt.write(path, {"n": [1], "s": ["x"]})
    for values, kind in (["a"], "text"), ([0.5], "numbers"):
        binfmt.write(path, {"n": [1], "s": ["x"]})
        with pytest.warns(binfmt.ConversionWarning, match=f"column 'n' reads as i64\\? now, and what is added is {kind}"):
            binfmt.write(path, {"n": values, "s": ["1"]}, append=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        binfmt.write(path, {"n": [1], "s": ["x"]})
        binfmt.write(path, {"n": [2], "s": ["y"]}, append=True, like=path)
        assert binfmt.open(path)["n"].to_list() == [1, 2]


def test_an_append_keeps_the_mode(tmp_path):
    path = tmp_path / "a.sdds"
    binfmt.write(path, {"n": [1]})
    binfmt.write(path, {"n": [2]}, append=True, mode="binary")
    with pytest.raises(ValueError, match="pages of the file are binary"):
        binfmt.write(path, {"n": [3]}, append=True, mode="ascii")
    assert binfmt.open(path)["n"].to_list() == [1, 2]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("format", sorted(binfmt.formats()))
def test_no_format_replaces_a_pipe(tmp_path, format):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    settings = {"scidb": {"schema": "(int64)"}, "layout": {"layout": "R: record\n  a: i64"}}.get(format, {})
    for append in (False, True):
        with pytest.raises((OSError, ValueError)):
            binfmt.write(path, {"a": [1]}, format, append=append, **settings)
        assert path.is_fifo() and os.listdir(tmp_path) == ["pipe"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_other_packages_calls_replace_no_pipe(tmp_path):
    from binfmt.compat import pysdds, sdds

    path = tmp_path / "pipe"
    os.mkfifo(path)
    (tmp_path / "run.sdds").write_bytes(SDDS)
    known = pysdds.read(tmp_path / "run.sdds"), sdds.read(tmp_path / "run.sdds")
    for write in (lambda: pysdds.write(known[0], path, overwrite=True), lambda: sdds.write(known[1], path)):
        with pytest.raises(OSError, match="a device or a pipe"):
            write()
        assert path.is_fifo() and sorted(os.listdir(tmp_path)) == ["pipe", "run.sdds"]


def test_columns_of_polars_without_a_type(tmp_path):
    pl = needs("polars")
    path = tmp_path / "a.csv"
    for frame, text in (pl.DataFrame({"a": [None, None], "b": [1, 2]}), "a,b\n,1\n,2\n"), (pl.DataFrame({"a": []}), "a\n"):
        assert binfmt.write(path, frame) == len(frame) and path.read_text() == text


def test_columns_that_are_refused(tmp_path):
    pa = needs("pyarrow")
    with pytest.raises(ValueError, match="two columns are called 'a'"):
        binfmt.write(tmp_path / "a.csv", pa.table([[1], [2]], names=["a", "a"]))
    with pytest.raises(TypeError, match="column 'a': a set has no order"):
        binfmt.write(tmp_path / "a.csv", {"a": {1, 2}})
    with pytest.raises(binfmt.Error, match="column `a` has complex numbers, which SDDS does not support"):
        binfmt.write(tmp_path / "a.sdds", {"a": [1j]})
    with pytest.raises(binfmt.Error, match="a value is missing, and SDDS does not support missing values but those of floats"):
        binfmt.write(tmp_path / "a.sdds", {"a": ["x", None]})
    assert os.listdir(tmp_path) == []


def test_missing_values_in_json_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    binfmt.write(path, {"a": [1, None], "b": ["x", None]})
    assert path.read_text() == '{"a":1,"b":"x"}\n{"a":null,"b":null}\n'
    assert binfmt.open(path).to_dict() == {"a": [1, None], "b": ["x", None]}
    # a code says why
    binfmt.write(path, binfmt.open(b"\x05\0\xff\1", schema="(int8 null)"))
    assert path.read_text() == '{"a":{"missing":5}}\n{"a":1}\n'


def test_missing_values_in_lists(tmp_path):
    path = tmp_path / "a.npy"
    binfmt.write(path, {"a": [[1.5, None], [2.0, 3.0]]})
    assert np.array_equal(np.load(path), [[1.5, np.nan], [2, 3]], equal_nan=True)
    with pytest.raises(binfmt.Error, match="row 0: NPY does not support a missing value"):
        binfmt.write(path, {"a": [[1, None], [2, 3]]})
    with pytest.raises(binfmt.Error, match=r"\[i64\?\], which SDDS has no type for"):
        binfmt.write(tmp_path / "a.sdds", {"a": [[1, None], [2, 3]]})
    binfmt.write(tmp_path / "a.jsonl", {"a": [[1, None], [2, 3]]})
    assert binfmt.open(tmp_path / "a.jsonl")["a"].to_list() == ['[1,{"missing":0}]', "[2,3]"]


def test_missing_values_in_records(tmp_path):
    pl = needs("polars")
    path = tmp_path / "a.jsonl"
    masked = np.ma.array([(1, 2), (3, 4)], mask=[(True, False), (False, False)], dtype=[("x", "i4"), ("y", "f8")])
    binfmt.write(path, {"a": masked})
    assert path.read_text() == '{"a":{"x":{"missing":0},"y":2.0}}\n{"a":{"x":3,"y":4.0}}\n'
    binfmt.write(path, pl.DataFrame({"a": [{"x": 1, "y": None}], "b": [[None]], "c": [None]}))
    assert path.read_text() == '{"a":{"x":1,"y":{"missing":0}},"b":[{"missing":0}],"c":null}\n'
