"""Tables: columns, rows, conditions, batches, memory."""

import copy
import gc
import gzip
import io
import mmap
import os
import pickle
import subprocess
import sys
import threading
import time

import binfmt
import numpy as np
import pytest
from conftest import needs


def test_sources(tmp_path, sdds):
    path = tmp_path / "run.sdds"
    path.write_bytes(sdds)
    mapped = mmap.mmap(-1, len(sdds))
    mapped.write(sdds)
    sources = [path, str(path), sdds, bytearray(sdds), memoryview(sdds), np.frombuffer(sdds, np.uint8), io.BytesIO(sdds), open(path, "rb"), mapped]
    for source in sources:
        assert binfmt.open(source)["x"].to_list() == [0.5, 1.5, 2.5], type(source)
    with pytest.raises(TypeError, match="mode 'rb'"):
        binfmt.open(open(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_read_to_its_end(tmp_path, sdds):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=[sdds])
    writer.start()
    table = binfmt.open(path)
    writer.join()
    assert table["x"].to_list() == [0.5, 1.5, 2.5] == table["x"].to_list()
    code = "import binfmt; print(binfmt.open('/dev/stdin', schema='(int8)').to_dict())"
    said = subprocess.run([sys.executable, "-c", code], input=b"\1\2", capture_output=True, check=True, cwd=tmp_path)
    assert said.stdout == b"{'a': [1, 2]}\n"


def test_a_small_file_is_read_at_once(tmp_path, sdds):
    path, again = tmp_path / "run.sdds", tmp_path / "again.sdds"
    path.write_bytes(sdds)
    table = binfmt.open(path)
    path.rename(again)
    assert table["x"].to_list() == [0.5, 1.5, 2.5]
    for size in (0, 65536, 65537, 200_000):
        (tmp_path / "load").write_bytes(bytes(size))
        assert len(binfmt.open(tmp_path / "load", schema="(int8)")["a"].to_numpy()) == size


def test_schema(sdds):
    table = binfmt.open(sdds, page_numbers=True)
    assert table.names == ["_page", "Run", "Label", "x", "name"]
    assert (table.schema["x"].units, table.schema["x"].description, table.schema["x"].type) == ("mm", "position", "f64")
    assert table.metadata["sdds:description"] == "two pages"
    assert (len(table), table.num_rows, table.shape, table.format) == (3, 3, (3, 5), "sdds")
    assert "x      f64 [mm]" in repr(table.schema)
    assert [field.name for field in table.schema] == table.names and len(table.schema) == 5
    with pytest.raises(KeyError, match="did you mean 'name'"):
        table["nane"]
    with pytest.raises(KeyError):
        table.schema["nane"]


def test_memory_is_that_of_the_decoder():
    table = binfmt.open(np.arange(1000, dtype="<f8").tobytes(), schema="(double)")
    values = table["a"].to_numpy()
    assert not values.flags.owndata and values.flags.writeable
    values[0] = 5
    # the memory belongs to this array alone
    assert table["a"][0] == 0 and values[0] == 5
    column = table["a"]
    assert column.mean() == 499.5
    assert not np.asarray(column).flags.writeable and not column[:5].flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(column)[0] = 7
    copy = column.to_numpy()
    copy[0] = 7
    assert column[0] == 0 and column.mean() == 499.5
    del table, column
    gc.collect()
    assert values.sum() == np.arange(1000).sum() + 5


def test_rows_and_columns():
    table = binfmt.open(bytes(range(20)), schema="(uint8, uint8)")
    assert table["b"].to_list() == list(range(1, 20, 2))
    assert table.select(["b", "a"]).names == ["b", "a"] == table[["b", "a"]].names
    part = table.rows[2:5]
    assert (len(part), part["a"].to_list()) == (3, [4, 6, 8])
    assert part.rows[1:]["a"].to_list() == table[3:5]["a"].to_list() == [6, 8]
    assert table.rows[-1] == {"a": 18, "b": 19} and table.rows[-2:]["a"].to_list() == [16, 18]
    assert table.rows[5:2]["a"].to_list() == [] and len(table.rows[100:]) == 0
    with pytest.raises(IndexError):
        table.rows[10]
    with pytest.raises(ValueError, match="step"):
        table.rows[::2]
    with pytest.raises(TypeError, match=r"table.rows\[3\]"):
        table[3]
    assert list(table.rows)[1] == {"a": 2, "b": 3}
    assert (list(table), "a" in table, "c" in table, table.keys()) == (["a", "b"], True, False, ["a", "b"])
    assert table.to_list()[0] == {"a": 0, "b": 1}
    assert [name for name, _ in table.items()] == ["a", "b"]


def test_columns_are_like_arrays():
    x = binfmt.open(np.arange(5, dtype="<i4").tobytes(), schema="(int32)")["a"]
    assert "not read yet" in repr(x)
    assert (x[1], x[-1], x[1:3].tolist(), x[[0, 4]].tolist()) == (1, 4, [1, 2], [0, 4])
    assert ((x + 1).tolist(), (10 - x).tolist(), (-x).tolist(), (x > 2).sum(), (x == x).all()) == ([1, 2, 3, 4, 5], [10, 9, 8, 7, 6], [0, -1, -2, -3, -4], 2, True)
    assert (x.mean(), x.dtype, x.shape, x.ndim, len(x), np.sum(x), list(x)) == (2.0, np.dtype("i4"), (5,), 1, 5, 10, [0, 1, 2, 3, 4])
    assert np.asarray(x, dtype="f8").dtype == "f8" and np.from_dlpack(x).tolist() == x.to_list()
    interface = x.__array_interface__
    assert interface["data"] == (np.asarray(x).ctypes.data, True) and (interface["shape"], interface["typestr"]) == ((5,), "<i4")
    rows = binfmt.open(bytes([1, 2, 1, 9, 255, 3] * 3), layout="R: record\n  v: [u8; 2]\n  l: [u8], length_prefixed(u8)\n  n: u8, nullable")
    assert np.asarray(rows["v"]).shape == rows["v"].__array_interface__["shape"] == (3, 2)
    for name in ("l", "n"):
        # what is not numbers beside each other is not read to say so
        assert not hasattr(rows[name], "__array_interface__") and "not read yet" in repr(rows[name])
    # without a version, as libraries ask that do not know of memory that cannot be written to
    assert "dltensor" in repr(x.__dlpack__())
    assert x[x > 2].tolist() == [3, 4] and "array" in repr(x)
    with pytest.raises(AttributeError):
        x.nothing_like_that
    with pytest.raises(IndexError):
        binfmt.open(b"\x01", schema="(int8)")["a"][5]


def test_missing_values():
    data = b"\xff\x01" + b"\x00\x00" + b"\x07\x00"
    table = binfmt.open(data, schema="(int8 null)")
    x = table["a"]
    assert isinstance(x.to_numpy(), np.ma.MaskedArray)
    assert (x.to_list(), x.codes.tolist(), x.filled(-1).tolist()) == ([1, None, None], [-1, 0, 7], [1, -1, -1])
    with pytest.raises(TypeError, match="missing"):
        np.asarray(x)
    floats = binfmt.open(b"\xff\0\0\x80\x3f\x00\0\0\0\0", schema="(float null)")["a"]
    assert np.isnan(np.asarray(floats)).tolist() == [False, True]
    texts = binfmt.open(b"\xff\x02\0\0\0a\0\x00\0\0\0\0", schema="(string null)")["a"]
    assert texts.to_list() == ["a", None]


def test_missing_values_that_a_column_keeps():
    column = binfmt.open(b"\xff\x01\x00\x00", schema="(int8 null)")["a"]
    assert column.sum() == 1
    for view in (column[:], column.data, column.mask):
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 0
    own = column.to_numpy()
    own[1] = 5
    assert column.to_list() == [1, None] and column.filled(9).tolist() == [1, 9] and own.tolist() == [1, 5]


def test_times_in_lists():
    import datetime

    from binfmt._write import to_table

    day, values = datetime.datetime(1970, 1, 2), ["1970-01-02", "NaT", "1970-01-02T00:00:00.000000001"]
    found = to_table({"t": np.array(values, "M8[ns]")})
    for listed in (found.to_dict()["t"], found["t"].to_list(), [row["t"] for row in found.to_list()], [row["t"] for row in found.rows]):
        assert listed == [day, None, np.datetime64(values[2])] and isinstance(listed[0], datetime.datetime), listed
    assert found.rows[0] == {"t": day}
    spans = np.array([5_000, 7, "NaT"], "m8[ns]")
    assert to_table({"t": spans})["t"].to_list() == [datetime.timedelta(microseconds=5), np.timedelta64(7, "ns"), None]
    months = to_table({"t": np.array([5], "m8[M]"), "y": np.array(["1970"], "M8[Y]"), "far": np.array([2**62], "M8[s]")}).to_dict()
    assert months == {"t": [np.timedelta64(5, "M")], "y": [datetime.date(1970, 1, 1)], "far": [np.datetime64(2**62, "s")]}
    masked = to_table({"t": np.ma.MaskedArray(np.array([0, 1], "M8[ns]"), mask=[True, False])})
    assert masked["t"].to_list() == [None, np.datetime64(1, "ns")]


def test_what_other_packages_have(sdds):
    with binfmt.open(sdds) as table:
        assert len(table) == 3
    with pytest.raises(AttributeError, match=r"the column is table\['x'\]"):
        table.x
    with pytest.raises(AttributeError, match="to_pandas"):
        table.groupby
    assert not hasattr(table, "__dataframe__")
    with pytest.raises(AttributeError, match="binfmt.open"):
        binfmt.read_sdds
    with pytest.raises(AttributeError, match="binfmt.write"):
        binfmt.to_csv
    assert not hasattr(binfmt, "nothing")
    with pytest.raises(AttributeError, match=r"table.pages\[0\].parameters"):
        table.parameters
    with pytest.raises(AttributeError, match="to_pandas"):
        table["x"].iloc
    with pytest.raises(TypeError, match="pages have numbers"):
        table.pages["Run"]
    for wrong in (table["x"] > 1, {"x"}, 1.5):
        with pytest.raises(TypeError, match="table.where"):
            table[wrong]
    with pytest.raises(TypeError, match=r"those of a column: table\['name'\]"):
        table[0:1, :]
    with pytest.raises(TypeError, match="a condition is text"):
        table.where(table["x"] > 1)
    with pytest.raises(TypeError, match="not by a dict"):
        binfmt.open({"a": sdds})
    assert table["x"].description == "position"


def test_where(sdds):
    table = binfmt.open(sdds)
    assert table.where("x > 1")["name"].to_list() == ["Q2", "Q3"]
    assert len(table.where("Run = 7 and x < 1")) == 1
    assert table.where("x > 1").where("name == 'Q3'").rows[0]["x"] == 2.5
    assert table.where("x > 0").rows[1:]["x"].to_list() == [1.5, 2.5]
    with pytest.raises(binfmt.Error, match="did you mean `x`|unknown column"):
        table.where("y > 1")
    with pytest.raises(binfmt.Error, match="is not a condition"):
        table.where("x >")
    with pytest.raises(ValueError, match="after the condition"):
        table.rows[1:].where("x > 0")


def test_batches():
    table = binfmt.open(bytes(range(100)), schema="(uint8)")
    batches = list(table.batches(30))
    assert [batch.num_rows for batch in batches] == [30, 30, 30, 10]
    assert np.concatenate([batch["a"] for batch in batches]).tolist() == list(range(100))
    assert [batch.num_rows for batch in table.select([]).batches(64)] == [64, 36]


def test_batches_of_what_is_decoded_at_once(sdds):
    batches = list(binfmt.open(sdds).batches(1))
    assert [batch.num_rows for batch in batches] == [1, 1, 1] and [batch["name"].tolist() for batch in batches] == [["Q1"], ["Q2"], ["Q3"]]


def test_structured_arrays():
    layout = binfmt.Layout("Row: record\n  a: u8\n  p: record(Point)\n    x: u8\n    y: u8\n  v: [u8; 3]")
    table = binfmt.open(bytes(range(12)), layout=layout)
    found = table.to_numpy()
    assert found.dtype.names[0] == "a" and found["v"].tolist() == [[3, 4, 5], [9, 10, 11]]
    needs("pandas")
    frame = table.to_pandas()
    assert len(frame) == 2 and frame["a"].tolist() == [0, 6]


def test_a_table_is_not_one_array(sdds):
    table = binfmt.open(sdds)
    pd = needs("pandas")
    for make in (np.asarray, pd.DataFrame, pd.Series):
        with pytest.raises(TypeError, match=r"to_numpy\(\) .*to_pandas\(\)"):
            make(table)
    assert pd.DataFrame(dict(table)).equals(table.to_pandas())


def test_times_that_pandas_does_not_have(data):
    needs("pandas")
    table = binfmt.open(data / "tiledb" / "d1_types")
    far = [name for name, column in table.items() if column.to_numpy().dtype.kind == "M"]
    frame = table.to_pandas()
    assert far and len(frame) == len(table)
    assert all(frame[name].tolist() == table[name].to_list() for name in far if frame[name].dtype == object)
    assert any(frame[name].dtype == object for name in far) and any(frame[name].dtype.kind == "M" for name in far)


def test_pandas(sdds):
    pd = needs("pandas")

    frame = binfmt.open(sdds).to_pandas()
    assert frame["x"].tolist() == [0.5, 1.5, 2.5] and frame["name"].tolist() == ["Q1", "Q2", "Q3"]
    frame["x"] = frame["x"] * 2
    frame.loc[0, "x"] = 9
    assert frame["x"].tolist() == [9, 3, 5]
    data = b"\xff\x01\xff\x01" + b"\x00\x00\x00\x00"
    frame = binfmt.open(data, schema="(int8 null, bool null)").to_pandas()
    assert frame.dtypes.astype(str).tolist() == ["Int8", "boolean"] and frame["a"].isna().tolist() == [False, True]
    times = binfmt.open(np.array([0, 86400], "<i8").tobytes(), schema="(datetime)").to_pandas()
    assert times.iloc[1, 0] == pd.Timestamp("1970-01-02")
    assert isinstance(binfmt.open(sdds)["x"].to_pandas(), pd.Series)


def test_frames_can_be_written_to():
    pd = pytest.importorskip("pandas")
    rows = b"".join(np.int64(i).tobytes() + b"\x02\0\0\0\xe9\0" + np.int8(i).tobytes() for i in range(3))
    frame = binfmt.open(rows, schema="(datetime, string, int8)").to_pandas()
    frame.loc[0, "a"], frame.loc[1, "b"], frame.loc[2, "c"] = pd.Timestamp("2020-01-01"), "text", 7
    assert frame["a"][0] == pd.Timestamp("2020-01-01") and frame["b"].tolist()[1] == "text" and frame["c"].tolist() == [0, 1, 7]


def test_a_parameter_called_units_is_no_unit(tmp_path):
    pytest.importorskip("pandas")
    file = b"SDDS1\n&parameter name=units, type=string &end\n&column name=x, type=long &end\n&data mode=ascii &end\nmm\n1\n5\n"
    page = binfmt.open(file).pages[0]
    assert page.parameters["units"] == "mm" and page.to_pandas().attrs == {"units": {}}
    binfmt.write(tmp_path / "x.sdds", page.to_pandas())
    assert binfmt.open(tmp_path / "x.sdds")["x"].units is None


def test_frames_have_units(sdds, tmp_path):
    pd = needs("pandas")
    table = binfmt.open(sdds)
    frame = table.to_pandas()
    assert frame.attrs == {"units": {"x": "mm"}, "parameters": ["Run", "Label"]} and table["x"].to_pandas().attrs == {"units": "mm"}
    assert table["name"].to_pandas().attrs == {} == table.select(["name"]).to_pandas().attrs
    assert table.pages[0].to_pandas().attrs == {"units": {"x": "mm"}, "Run": 7, "Label": "orbit"}
    for data in (frame, {"x": table["x"].to_pandas()}, {"x": frame["x"]}, frame.rename(columns={"name": "n"})):
        binfmt.write(tmp_path / "a.sdds", data)
        assert binfmt.open(tmp_path / "a.sdds")["x"].units == "mm"
    binfmt.write(tmp_path / "a.sdds", pd.DataFrame({"x": [1.0]}))
    assert binfmt.open(tmp_path / "a.sdds")["x"].units is None


@pytest.mark.parametrize("rows", [0, 1, 1023, 1024, 1025])
def test_frames_of_few_and_of_many_rows(rows):
    pd = needs("pandas")
    data = {"a": np.arange(rows), "b": np.arange(rows) / 4, "t": [f"t{n}" for n in range(rows)], "c": np.arange(rows), "d": np.arange(rows, dtype="u1")}
    data |= {"when": np.arange(rows).astype("M8[s]"), "o": [[n] for n in range(rows)], "u": [f"u{n}" for n in range(rows)]}
    frame = binfmt._write.to_table(data).to_pandas()
    assert list(frame) == list(data) and len(frame) == rows
    assert frame.dtypes.astype(str).tolist()[:6] == ["int64", "float64", "str", "int64", "uint8", "datetime64[s]"] or not rows or pd.__version__ < "3"
    for name in "abcd":
        assert frame[name].tolist() == data[name].tolist()
    assert frame["t"].tolist() == data["t"] and frame["u"].tolist() == data["u"] and [list(one) for one in frame["o"]] == data["o"]
    if rows:
        # the columns of a block are each its own
        frame["a"] += 1
        frame.loc[0, "c"] = -1
        assert frame["a"].tolist()[0] == 1 and frame["c"].tolist()[0] == -1 and frame["b"].tolist() == data["b"].tolist()


def test_conditions_with_several_values():
    table = binfmt.open(b"x,name\n1,a\n2,b\n,c\n4,d\n", format="csv")
    assert table.where("x in (1, 4)")["x"].to_list() == [1, 4]
    assert table.where("x not in (1, 4)")["x"].to_list() == [2]
    assert table.where("name in ('b', 'c') and x is missing")["name"].to_list() == ["c"]
    assert table.where("x between 1 and 2 and name not like 'b%' or name ilike 'D'")["name"].to_list() == ["a", "d"]
    for condition, told in [("name glob 'a*'", "say `name like 'ab%'`"), ("name.startswith('a')", "say `name like 'ab%'`"), ("x > 1 & x < 3", "`and` joins"), ("x in [1]", r"`\["), ("x ** 2 > 1", r"`\*`")]:
        with pytest.raises(binfmt.Error, match=told):
            table.where(condition)


def test_missing_values_are_refused_where_pandas_asks_for_an_array():
    pd = needs("pandas")
    table = binfmt.open(b"\xff\x01\x00\x00", schema="(int8 null)")
    with pytest.raises(TypeError, match=r"take \.to_numpy\(\), a masked array, \.to_pandas\(\), or"):
        pd.DataFrame(dict(table))
    assert pd.DataFrame({name: column.to_pandas() for name, column in table.items()}).equals(table.to_pandas())


def test_pages(sdds):
    pages = binfmt.open(sdds).pages
    assert (len(pages), pages[1].parameters["Run"], pages[-1]["x"].tolist()) == (2, 8, [2.5])
    assert pages[0].arrays["A"].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert pages[0].parameters["Label"] == "orbit" and pages[0].names == ["x", "name"]
    assert [page.parameters["Run"] for page in pages] == [7, 8] and [len(page) for page in pages[:]] == [2, 1]
    assert list(pages[0].columns) == ["x", "name"]
    with pytest.raises(IndexError):
        pages[2]
    with pytest.raises(KeyError, match="did you mean"):
        pages[0]["nane"]
    with pytest.raises(AttributeError, match="no pages"):
        binfmt.open(b"\x01", schema="(int8)").pages


@pytest.mark.parametrize("mode", ["binary", "ascii"])
def test_pages_one_after_the_other_are_read_once(tmp_path, mode):
    path = tmp_path / "many.sdds"
    binfmt.write(path, {"_page": np.repeat(np.arange(3000), 2), "x": np.arange(6000.0), "name": ["a", "bc"] * 3000}, mode=mode)
    pages = binfmt.open(path).pages

    class Counted:
        """How many pages the reads go over from the beginning."""

        def __init__(self, raw):
            self.raw, self.last, self.over = raw, {}, 0

        def read(self, skip, take, columns):
            kind = bool(columns)
            self.over += skip if skip < self.last.get(kind, 0) else 0
            self.last[kind] = skip + take
            return self.raw.read(skip, take, columns)

    pages._raw = counted = Counted(pages._raw)
    sums = [float(page["x"].sum() + page["x"].max() + len(page["name"][0])) for page in pages]
    assert sums[:2] == [3, 9] and len(sums) == 3000
    assert [pages[n]["name"].tolist() for n in range(0, 3000, 500)] == [["a", "bc"]] * 6
    assert counted.over < 10, counted.over
    # what a loop over numbers asks for, of each page and of the one beside it
    counted.over, pages = 0, binfmt.open(path).pages
    pages._raw, counted.raw, counted.last = counted, pages._raw, {}
    for n in range(1, 3000):
        assert pages[n].parameters == {} and pages[n]["x"][0] == 2 * n and pages[n]["name"][1] == "bc" and pages[n - 1]["x"][1] == 2 * n - 1
    assert counted.over < 10 and len(pages._last) == 3, counted.over


def test_pages_in_any_order(sdds):
    for source in (sdds, gzip.compress(sdds)):
        pages = binfmt.open(source).pages
        last, first = pages[1], pages[0]
        assert [page["x"].tolist() for page in (last, first, last)] == [[2.5], [0.5, 1.5], [2.5]]
        assert [page["name"].tolist() for page in (first, last)] == [["Q1", "Q2"], ["Q3"]]
        with pytest.raises(ValueError, match="read-only"):
            first["x"][0] = 5


@pytest.mark.parametrize(("mode", "packed"), [("ascii", False), ("binary", False), ("ascii", True)])
def test_pages_at_random(tmp_path, mode, packed):
    path, rows = tmp_path / ("a.sdds.gz" if packed else "a.sdds"), 2000
    name = ["a" * (n % 9) for n in range(rows)]
    values = {"_page": np.repeat(np.arange(rows // 2), 2), "x": np.arange(float(rows)), "name": name, "y": np.arange(rows)}
    binfmt.write(path, values, mode=mode)
    pages = binfmt.open(path).pages
    order = np.random.default_rng(1).integers(0, rows // 2, 200).tolist()
    for place, n in enumerate(order):
        columns = ["x", "name", "y"][: 1 + place % 3]
        page = pages[n]
        for column in columns:
            assert page[column].tolist() == list(values[column][2 * n : 2 * n + 2]), (n, column)
    assert len(pages) == rows // 2
    with pytest.raises(IndexError):
        pages[rows // 2]
    assert pages[rows // 2 - 1]["y"].tolist() == [rows - 2, rows - 1]


def test_pages_at_random_take_no_longer_at_the_end(tmp_path):
    path, count = tmp_path / "a.sdds", 3000
    binfmt.write(path, {"_page": np.repeat(np.arange(count), 20), "x": np.arange(20.0 * count)}, mode="ascii")
    raw = binfmt.open(path).pages._raw
    assert raw.count() == count

    def took(place):
        begun = time.process_time()
        for _ in range(20):
            # others in between, so that it is sought each time
            raw.read(0, 1, ["x"])
            raw.read(place, 1, ["x"])
        return time.process_time() - begun

    assert min(took(count - 1) for _ in range(3)) < 5 * min(took(1) for _ in range(3))


def test_pages_of_a_file_that_is_another_now(tmp_path):
    path = tmp_path / "a.sdds"
    binfmt.write(path, {"_page": [0, 1, 2], "x": [1.5, 2.5, 3.5]}, mode="ascii")
    pages = binfmt.open(path).pages
    assert len(pages) == 3 and pages[2]["x"].tolist() == [3.5]
    with pytest.raises(IndexError):
        pages[5]
    binfmt.write(path, {"_page": [0, 0, 1], "x": [100.25, 200.25, 300.25]}, mode="ascii")
    assert pages._raw.count() == 2
    assert pages[1]["x"].tolist() == [300.25]


def test_columns_of_one_page_and_others_of_the_next(tmp_path):
    path = tmp_path / "a.sdds"
    binfmt.write(path, {"_page": [0, 1, 2], "x": [1, 2, 3], "y": [0.5, 1.5, 2.5], "name": ["a", "b", "c"]}, mode="binary")
    pages = binfmt.open(path).pages
    assert pages[0]["x"].tolist() == [1] and pages[1]["y"].tolist() == [1.5] and pages[2]["name"].tolist() == ["c"]
    assert pages[2]["x"].tolist() == [3]


def test_texts_that_are_the_same_are_one_object():
    names = [f"BPM{n % 90}" for n in range(1000)] + [str(n) * (n % 11) for n in range(3000)] + ["", "\xfc" * 9, ""]
    text = "".join(f'"{name}"\n' for name in names)
    column = binfmt.open(f"SDDS1\n&column name=s, type=string &end\n&data mode=ascii &end\n{len(names)}\n{text}".encode())["s"]
    found = column.to_numpy()
    assert found.tolist() == names
    assert found[90] is found[0] and found[91] is not found[90]


def test_memory_that_was_given_back_is_used_again_and_no_other(tmp_path):
    """Arrays that are still there keep their values; those that are gone give their memory to the next of the same type and size."""
    path, rows = tmp_path / "a.sdds", 100_000
    values = np.random.default_rng(1).normal(size=rows)
    binfmt.write(path, {"x": values, "n": np.arange(rows)}, mode="binary")
    kept = binfmt.open(path)["x"].to_numpy()
    gone = binfmt.open(path)["x"].to_numpy()
    place = gone.ctypes.data
    gone[:] = -1
    del gone
    part = binfmt.open(path).rows[: rows // 2]["x"].to_numpy()
    assert part.ctypes.data != place and (part == values[: rows // 2]).all()
    again = binfmt.open(path)["x"].to_numpy()
    assert again.ctypes.data == place and again.ctypes.data != kept.ctypes.data
    assert (again == values).all() and (kept == values).all()
    assert (binfmt.open(path)["n"].to_numpy() == np.arange(rows)).all()


def test_pages_as_frames(sdds):
    needs("pandas")
    page = binfmt.open(sdds).pages[0]
    assert page["x"].tolist() == [0.5, 1.5]
    frame = page.to_pandas()
    frame.loc[0, "x"] = 9.0
    assert frame.attrs["Run"] == 7 and frame["x"].tolist() == [9, 1.5] and page["x"].tolist() == [0.5, 1.5]


def test_copies(tmp_path, sdds):
    path = tmp_path / "run.sdds"
    path.write_bytes(sdds)
    for table in (binfmt.open(path), binfmt.open(sdds)):
        narrow = table.where("x > 0").select(["x"]).rows[1:]
        for again in (pickle.loads(pickle.dumps(narrow)), copy.deepcopy(narrow)):
            assert again["x"].to_list() == [1.5, 2.5]
        assert pickle.loads(pickle.dumps(table["x"])).to_list() == [0.5, 1.5, 2.5]


def test_how_it_looks(sdds):
    table = binfmt.open(sdds)
    assert "Q3" in repr(table) and "3 rows" in repr(table)
    html = binfmt.open(sdds.replace(b"Q1", b"<b>"))._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html and "[mm]" in html
    long = binfmt.open(bytes(100), schema="(uint8)")
    assert "[100 rows" in repr(long) and repr(long).count("\n") == 11
    wide = binfmt.open(",".join(f"c{n}" for n in range(60)).encode() + b"\n" + b"7," * 59 + b"8\n", format="csv")
    assert repr(wide).splitlines()[0].split() == [*(f"c{n}" for n in range(16)), "..", "c56", "c57", "c58", "c59"]
    assert repr(wide).splitlines()[1].split()[-1] == "8" and "60 columns" in repr(wide) and wide._repr_html_().count("<th>") == 20
    assert repr(wide.select([])).startswith("\n[")
    # rows before the damage, and what it is
    broken = binfmt.open(b"SDDS1\n&column name=x, type=long &end\n&data mode=ascii &end\n2\n5\nabc\n")
    assert "`abc` is not a long" in repr(broken) and "5\n" in repr(broken) and "`abc` is not a long" in broken._repr_html_()


def test_the_type_of_a_column_needs_no_values(tmp_path):
    # the rows after the first are cut off
    table = binfmt.open(b"\1\2\3", layout="Row: record, le\n  a: u16\n  b: [f32; 3]\n  c: text, length_prefixed(u8)")
    assert [table[name].dtype for name in table.names] == [np.uint16, np.float32, object]
    with pytest.raises(binfmt.Error):
        table["a"].to_numpy()


def test_import_brings_little():
    """What takes long to import comes when it is needed."""
    import subprocess

    code = "import sys; before = set(sys.modules); import binfmt; print(*sorted(set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"], capture_output=True, text=True, check=True)
    brought = found.stdout.split()
    assert "binfmt._binfmt" in brought
    heavy = {"numpy", "pandas", "pyarrow", "polars", "duckdb", "json", "re", "dataclasses", "inspect", "typing", "difflib", "html", "shutil", "tempfile"}
    assert not heavy & set(brought)
    code = "import binfmt; print(binfmt.types.u8, binfmt.compat.__name__)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["u8", "binfmt.compat"]


def test_memory_holds_the_values_once(tmp_path):
    """Of a file that is read in several batches."""
    import subprocess

    path = tmp_path / "a.bin"
    rows = 9_000_000
    path.write_bytes(bytes(8 * rows))
    code = f"""if True:
        import binfmt, numpy, resource
        binfmt.open(bytes(800), schema="(double)")["a"].to_numpy()
        used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        before = used()
        values = binfmt.open({str(path)!r}, schema="(double)")["a"].to_numpy()
        print((used() - before) / values.nbytes, values.nbytes)
    """
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    # the values and one batch; without care it is twice the values
    assert int(found[1]) == 8 * rows and float(found[0]) < 1.7


def test_records_as_a_series():
    pd = needs("pandas")
    table = binfmt.Layout("R: record\n  p: P\nP: record\n  x: u8\n  y: f32, nullable").columns(b"\1\xff\0\0\0\0\2\0\0\0\0\0")
    assert table["p"].to_pandas().tolist() == [(1, 0.0), (2, None)] and isinstance(table["p"].to_pandas(), pd.Series)
    assert [*table.to_pandas().columns] == ["p.x", "p.y"]


def test_lists_of_a_column_are_the_reader_s_own():
    column = binfmt.open(b'{"v":[1,2,3]}\n{"v":[4]}\n', format="jsonl")["v"]
    kept = np.asarray(column)
    with pytest.raises(ValueError, match="read-only"):
        kept[0][0] = 99
    own = column.to_numpy()
    own[0][0] = 77
    assert [values.tolist() for values in column] == [[1, 2, 3], [4]]


def test_missing_values_are_not_made_up():
    column = binfmt.open(b"\xff\0\0\x80\x3f\0\0\0\0\0", schema="(float null)")["a"]
    assert np.asarray(column, dtype="f8")[0] == 1.0
    for dtype in (int, bool):
        with pytest.raises(TypeError, match="has missing values"):
            np.asarray(column, dtype=dtype)


def test_what_is_not_of_a_file_is_not_pickled():
    table = binfmt._write.to_table({"a": [1]})
    with pytest.raises(TypeError, match="only a table of a file"):
        pickle.dumps(table)


def test_objects_are_not_bytes():
    with pytest.raises(ValueError, match="objects of Python"):
        binfmt.open(np.array(["a"], object), schema="(int8)")


def test_pages_backwards():
    head = b"SDDS1\n&parameter name=n, type=long &end\n&column name=x, type=long &end\n&column name=y, type=long &end\n&data mode=ascii &end\n"
    pages = binfmt.open(head + b"".join(b"%d\n2\n%d 1\n2 %d\n" % (n, n, n) for n in range(300))).pages

    class Counting:
        calls = 0

        def __init__(self, raw):
            self.raw, self.count = raw, raw.count

        def read(self, *args):
            self.calls += 1
            return self.raw.read(*args)

    pages._raw = Counting(pages._raw)
    for n in range(299, -1, -1):
        page = pages[n]
        assert page.parameters["n"] == n and page["x"].tolist() == [n, 2]
        if n == 150:
            assert page["y"].tolist() == [1, 150]
    assert pages._raw.calls < 20
    for n in [5, 4, 3, 200, 199, 7, 6, 299, 0]:
        assert pages[n].parameters["n"] == n and pages[n].columns["y"].tolist() == [1, n]
    for wrong in 300, -301:
        with pytest.raises(IndexError, match="there are 300"):
            pages[wrong]


def test_columns_have_names():
    table = binfmt.open(b"a,b\n1,2\n3,4\n", format="csv")
    with pytest.raises(TypeError, match="columns are selected by their names, and 0 is none"):
        table.select([0])
    nothing = table.select([])
    assert list(nothing.rows) == nothing.to_list() == [{}, {}]


def test_frames_are_those_that_pandas_makes():
    pd = needs("pandas")
    text = b"n,x,flag,word\n1,0.5,true,a\n2,,false,\n3,2.5,true,c\n"
    frame = binfmt.open(text, format="csv").to_pandas()
    columns = {"n": pd.array([1, 2, 3], dtype="Int64"), "x": [0.5, np.nan, 2.5], "flag": pd.array([True, False, True], dtype="boolean"), "word": ["a", None, "c"]}
    pd.testing.assert_frame_equal(frame, pd.DataFrame(columns))
    layout = "R: record\n  a: u8\n  b: f32\n  c: bool\n  d: u8"
    frame, other = (binfmt.open(bytes([1, 0, 0, 0, 63, 1, 7] * rows), layout=layout).to_pandas() for rows in (2, 1))
    expected = {"a": np.uint8([1, 1]), "b": np.float32([0.5, 0.5]), "c": [True, True], "d": np.uint8([7, 7])}
    pd.testing.assert_frame_equal(frame, pd.DataFrame(expected))
    assert type(frame.index) is pd.RangeIndex and len(other) == 1
    # what is said of the one frame is not said of the other
    frame.columns.name, frame.index.name = "what", "row"
    frame.loc[0, "a"] = 9
    frame["e"] = 1
    assert (other.columns.name, other.index.name, other["a"].tolist(), list(other)) == (None, None, [1], list("abcd"))
    again = binfmt.open(bytes(7), layout=layout).to_pandas()
    assert list(again) == list("abcd") and again.columns.name is None
    assert binfmt.open(b"", layout=layout).to_pandas().dtypes.tolist() == list(map(np.dtype, ["u1", "f4", "?", "u1"]))
