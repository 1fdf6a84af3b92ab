"""The object itself as input of pyarrow, polars, duckdb and pandas, by the capsules of Arrow."""

import datetime
import gc
import subprocess
import sys

import binfmt
import numpy as np
import pytest
from conftest import hears_ctrl_c, needs

ROWS = b"".join(b"\xff" + i.to_bytes(4, "little") + b"\x03\0\0\0" + f"n{i % 10}\0".encode() for i in range(100))
TABLE = {"schema": "(int32 null, string)"}


@pytest.fixture
def table():
    return binfmt.open(ROWS + b"\x07\0\0\0\0\x01\0\0\0\0", **TABLE)


def test_days_are_dates(tmp_path):
    pa = pytest.importorskip("pyarrow")
    days = [datetime.date(2024, 3, 1), None]
    table = binfmt.open(b"d\n2024-03-01\n\"\"\n", format="csv")
    assert table.to_arrow().schema.field("d").type == pa.date32() and table.to_arrow()["d"].to_pylist() == days
    binfmt.write(tmp_path / "a.csv", table.to_arrow().replace_schema_metadata())
    assert (tmp_path / "a.csv").read_text().split()[1] == "2024-03-01"
    bare = pa.table({"d": table.to_arrow()["d"]})
    assert binfmt.write(tmp_path / "a.npy", bare) == 2 and np.load(tmp_path / "a.npy").dtype == "M8[D]"


def test_pyarrow(table):
    pa = needs("pyarrow")
    found = pa.table(table)
    found.validate(full=True)
    assert (found.num_rows, found.column_names, found["a"][100].as_py(), found["b"][7].as_py()) == (101, ["a", "b"], None, "n7")
    assert pa.schema(table) == found.schema
    assert pa.RecordBatchReader.from_stream(table).read_all() == found
    column = pa.array(table["a"])
    assert (column.type, column.null_count, len(column)) == (pa.int32(), 1, 101)
    assert table["b"].to_arrow()[3].as_py() == "n3"
    codes = table.to_arrow(missing_codes=True)
    assert codes["a.missing"][100].as_py() == 7
    assert pa.table(table.where("a > 90").select(["a"]).rows[:2])["a"].to_pylist() == [91, 92]
    del table
    gc.collect()
    assert found["a"][5].as_py() == 5


def test_units_travel(sdds):
    needs("pyarrow")
    field = binfmt.open(sdds).to_arrow().schema.field("x")
    assert field.metadata[b"units"] == b"mm"


def test_errors_come_through():
    pa = needs("pyarrow")
    with pytest.raises(Exception, match="needs 3 bytes"):
        pa.table(binfmt.open(ROWS[:-3], **TABLE))
    latin = binfmt.open(b"\x02\0\0\0\xe9\0", schema="(string)")
    with pytest.raises(binfmt.Error, match="UTF-8"):
        latin.to_arrow()
    assert latin.to_arrow(texts="latin1")["a"].to_pylist() == ["é"]
    with pytest.raises(binfmt.Error, match="expected checked"):
        latin.to_arrow(texts="what")


@pytest.mark.parametrize("name", ["pyarrow", "polars"])
def test_what_is_wrong_is_told_by_this_package(name, tmp_path):
    needs(name)
    path = tmp_path / "cut"
    path.write_bytes(ROWS[:-3])
    table = binfmt.open(path, **TABLE)
    with pytest.raises(binfmt.Error, match="needs 3 bytes") as told:
        {"pyarrow": table.to_arrow, "polars": table.to_polars}[name]()
    assert told.value.filename == str(path) and told.value.offset is not None and str(told.value).count("cut") == 1


@pytest.mark.parametrize("name", ["pyarrow", "polars"])
def test_ctrl_c(name):
    needs(name)
    table = binfmt.open(bytes(200_000_000), schema="(int8, int8)").where("a > 9")
    assert hears_ctrl_c({"pyarrow": table.to_arrow, "polars": table.to_polars}[name])


def test_polars(table):
    pl = needs("polars")
    frame = pl.DataFrame(table)
    assert frame.shape == (101, 2) and frame["a"].null_count() == 1
    assert table.to_polars().equals(frame) and table["a"].to_polars().to_list()[:2] == [0, 1]


def test_duckdb(table):
    duckdb = needs("duckdb")
    rows = table
    assert duckdb.sql("select count(*), sum(a), max(b) from rows").fetchall() == [(101, sum(range(100)), "n9")]
    assert duckdb.sql("select b, count(*) n from rows where a >= 50 group by b order by b").fetchall()[0] == ("n0", 5)


def test_pandas(table):
    pd = needs("pandas")
    needs("pyarrow")
    assert pd.DataFrame.from_arrow(table).shape == (101, 2)


def test_without_pyarrow():
    needs("polars")
    code = "import sys; sys.modules['pyarrow'] = None; import binfmt, polars; print(polars.DataFrame(binfmt.open(b'\\1\\2', schema='(int8)')).shape)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "(2, 1)"


def test_a_capsule_that_nobody_takes_leaks_nothing(table):
    for _ in range(1000):
        table.__arrow_c_stream__()
        table["a"].__arrow_c_array__()
    with pytest.raises(binfmt.Error):
        binfmt._binfmt.arrow_stream(table._raw, [5])


def test_same_values_as_numpy():
    pa = needs("pyarrow")
    values = np.random.default_rng(1).normal(size=200_000)
    table = binfmt.open(values.tobytes(), schema="(double)")
    assert np.array_equal(pa.table(table)["a"].to_numpy(), values) and np.array_equal(table["a"], values)


def test_texts_of_frames():
    pd = needs("pandas")
    needs("pyarrow")
    frame = binfmt.open(b"\xff\x02\0\0\0a\0\x00\0\0\0\0", schema="(string null)").to_pandas()
    assert frame["a"].isna().tolist() == [False, True] and frame["a"][0] == "a" and str(frame["a"].dtype) == "str"
    latin = binfmt.open(b"\x02\0\0\0\xe9\0", schema="(string)").to_pandas()
    assert latin["a"][0].encode("utf-8", "surrogateescape") == b"\xe9"
    with pytest.raises(binfmt.Error):
        binfmt.open(b"\x02\0\0\0a", schema="(string)").to_pandas()
    frame.loc[1, "a"] = "b"
    assert frame["a"].tolist() == ["a", "b"] and isinstance(frame, pd.DataFrame)
