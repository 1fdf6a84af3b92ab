"""What else is written: arrays of several dimensions as cells, decimal numbers, frames of files with pages."""

import decimal
import json

import binfmt
import numpy as np
import pytest
from conftest import needs


def test_arrays_are_the_cells_of_a_dense_array(tmp_path):
    path, values = tmp_path / "a", np.arange(24.0).reshape(2, 3, 4)
    assert binfmt.write(path, {"v": values, "n": values.astype("i2")}, "tiledb", tiles="1,2,4", filters="byteshuffle,zstd:3") == 24
    table = binfmt.open(path)
    assert table.shape == (2, 3, 4) and table["n"].to_numpy().dtype == "i2" and table["v"][1, :, 2].tolist() == values[1, :, 2].tolist()
    tiledb = needs("tiledb")
    with tiledb.open(str(path)) as array:
        assert (array[:]["v"] == values).all() and [array.domain.dim(place).name for place in range(3)] == ["__dim_0", "__dim_1", "__dim_2"]
        assert [int(array.domain.dim(place).tile) for place in range(3)] == [1, 2, 4] and not array.schema.sparse
        assert [type(one).__name__ for one in array.schema.attr("v").filters] == ["ByteShuffleFilter", "ZstdFilter"]
    with pytest.raises(binfmt.Error, match="overwrite=True"):
        binfmt.write(path, values, "tiledb")
    assert binfmt.write(path, values[0], "tiledb", overwrite=True, dimensions=["x", "y"]) == 12
    with tiledb.open(str(path)) as array:
        assert (array[:]["value"] == values[0]).all() and array.domain.dim(1).name == "y"
    # of the array that it is read from
    table = binfmt.open(path)
    assert binfmt.write(path, table.where("value > 3"), "tiledb", overwrite=True, array="sparse") == 8
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a"]
    for wrong, told in (({"dimensions": "x"}, "1 names for the 2"), ({"tiles": "1,2,3"}, "3 lengths for 2"), ({"tiles": "0"}, "from 1"), ({"filters": "zip"}, "zstd:3")):
        with pytest.raises(ValueError, match=told):
            binfmt.write(path, values[0], "tiledb", overwrite=True, **wrong)
    # what was there stays
    assert len(binfmt.open(path)) == 8 and sorted(one.name for one in tmp_path.iterdir()) == ["a"]
    (tmp_path / "mine").mkdir()
    with pytest.raises(ValueError, match="not an array of TileDB"):
        binfmt.write(tmp_path / "mine", values, "tiledb", overwrite=True)
    # rows with arrays in them, as before
    binfmt.write(tmp_path / "rows", {"v": values[0], "k": [1, 2, 3]}, "tiledb")
    assert binfmt.open(tmp_path / "rows")["v"].shape == (3, 4)


def test_an_array_as_it_was(tmp_path):
    import datetime

    path = tmp_path / "a"
    binfmt.write(path, {"x": [1], "v": [5]}, "tiledb", dimensions="x")
    tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    for at, rows in (("2020-01-01", 0), (tomorrow, 1), (tomorrow.date(), 1), (1, 0), (np.datetime64("2020-01-01T00:00"), 0)):
        assert len(binfmt.open(path, at=at)["v"].to_list()) == rows, at
    with pytest.raises(binfmt.Error, match="2024-05-01T12:00:00Z"):
        binfmt.open(path, at="yesterday")


def test_decimal_numbers(tmp_path):
    duckdb, pa, pl, pd = needs("duckdb"), needs("pyarrow"), needs("polars"), needs("pandas")
    two = [decimal.Decimal("2.50"), None]
    given = [
        duckdb.sql("select * from (values (2.50), (null)) t(b)"), pa.table({"b": two}), pa.table({"b": two}).to_reader(), pl.DataFrame({"b": two}),
        pl.DataFrame({"b": two}).lazy().collect(), pd.DataFrame({"b": two}), {"b": two}, [{"b": one} for one in two],
    ]  # fmt: skip
    for data in given:
        if not hasattr(data, "read_all"):
            with pytest.warns(binfmt.ConversionWarning, match="column 'b': decimal numbers become floats"):
                assert binfmt.write(tmp_path / "a.jsonl", data) == 2
            assert binfmt.open(tmp_path / "a.jsonl")["b"].to_list() == [2.5, None]
        assert binfmt.write(tmp_path / "a.csv", data) == 2
        assert (tmp_path / "a.csv").read_text().splitlines()[1] == "2.50"


def test_frames_of_files_with_pages(tmp_path, sdds):
    needs("pandas")
    path = tmp_path / "a.sdds"
    frame = binfmt.open(sdds).to_pandas()
    with pytest.warns(binfmt.ConversionWarning, match="as_parameters='Run,Label' makes pages"):
        binfmt.write(path, frame)
    assert len(binfmt.open(path).pages) == 1
    binfmt.write(path, frame, as_parameters=["Run", "Label"])
    assert [int(page.parameters["Run"]) for page in binfmt.open(path).pages] == [7, 8]
    binfmt.write(path, frame[["x"]])


def test_settings_for_writing_are_listed():
    said = binfmt.formats()
    for name, _, settings in binfmt._binfmt.formats():
        for setting, help in settings:
            assert help in said[name][setting]
            assert f"`{setting}`" in binfmt.write.__doc__, (name, setting)


def test_files_of_others(tmp_path):
    pq, feather = needs("pyarrow.parquet"), needs("pyarrow.feather")
    table = needs("pyarrow").table({"a": [1]})
    pq.write_table(table, tmp_path / "a.parquet")
    feather.write_feather(table, str(tmp_path / "a.arrow"))
    for name, told in (("a.parquet", "pandas.read_parquet"), ("a.arrow", "pandas.read_feather")):
        for source in (tmp_path / name, (tmp_path / name).read_bytes()):
            with pytest.raises(binfmt.Error, match=told):
                binfmt.open(source)


def test_decimals_inside_are_floats(tmp_path):
    pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    query = "select [1.5::decimal(9, 2)] as a, {'b': 2.25::decimal(9, 2), 'c': [0.5::decimal(4, 1)]} as s, [1.5, 2.5]::decimal(4, 1)[2] as f, {'n': 1} as n"
    rows = [{"a": [1.5], "s": {"b": 2.25, "c": [0.5]}, "f": [1.5, 2.5], "n": {"n": 1}}]
    path = tmp_path / "a.jsonl"
    table = duckdb.sql(query).to_arrow_table()
    frames = [pytest.importorskip("polars").DataFrame(table)]
    for data in (duckdb.sql(query), table, table.to_reader(), *frames):
        with pytest.warns(binfmt.ConversionWarning, match="decimal"):
            binfmt.write(path, data)
        assert [json.loads(line) for line in path.read_text().splitlines()] == rows
