"""Files that the real software wrote, compared with what it says of them."""

import json
import math

import binfmt
import numpy as np
import pytest
from conftest import DATA

LOGICAL = {"longdouble", "character"}


def same(found, expected):
    """Whether two numbers are the same, with their sign and as NaN."""
    if isinstance(expected, str):
        expected = float.fromhex(expected) if "0x" in expected else float(expected)
    if isinstance(expected, float) and math.isnan(expected):
        return math.isnan(found)
    return found == expected and (expected != 0 or math.copysign(1, found) == math.copysign(1, expected))


SDDS_FILES = [path for folder in ("official", "hand") for path in sorted((DATA / "sdds" / folder).glob("*.sdds"))]


@pytest.mark.parametrize("path", SDDS_FILES, ids=lambda path: path.stem)
def test_sdds(path):
    about = json.loads(path.with_suffix(".json").read_text())
    try:
        table = binfmt.open(path)
        pages = list(table.pages)
        arrays = {name: table[name].to_numpy() for name in table.names}
    except binfmt.Error as e:
        # what differs from the official library stands in the documentation; those files are compared by the tests in Rust
        assert about.get("read_error") or path.parent.name == "hand", e
        return
    if about.get("read_error") or path.parent.name == "hand" or "QUIRK" in path.name:
        return
    assert len(pages) == len(table.pages) == len(about["pages"])
    kinds = {column["name"]: column["type"] for column in about["columns"]}
    rows = {name: 0 for name in kinds}
    for page, expected in zip(pages, about["pages"]):
        assert len(page) == expected["rows"]
        for name, values in expected["columns"].items():
            found = page[name]
            whole = arrays[name][rows[name] : rows[name] + len(values)]
            rows[name] += len(values)
            assert len(found) == len(values)
            if kinds[name] in LOGICAL:
                assert (found == whole).all() or found.dtype.kind == "f"
            elif kinds[name] == "string":
                assert found.tolist() == values == whole.tolist()
            else:
                assert all(map(same, found.tolist(), values)), name
                assert all(map(same, whole.tolist(), values)), name
        for name, array in expected["arrays"].items():
            assert list(page.arrays[name].shape) == array["dims"]


@pytest.mark.parametrize("path", sorted((DATA / "sdds" / "packed").glob("*.sdds.*")), ids=lambda path: path.name)
def test_packed_sdds(path):
    if "QUIRK" in path.name:
        pytest.skip("not a table that the library reads")
    table = binfmt.open(path)
    pages = list(table.pages)
    # a file without columns is a table of its arrays
    arrays = sum(max((array.size for array in page.arrays.values()), default=0) for page in pages)
    assert len(table) == (sum(len(page) for page in pages) or arrays)


SCIDB = [path.parent for path in sorted((DATA / "scidb").glob("*/content.json"))]


@pytest.mark.parametrize("folder", SCIDB, ids=lambda folder: folder.name)
def test_scidb(folder):
    about = json.loads((folder / "content.json").read_text())
    (path,) = folder.glob("input.*")
    if "cells" not in about:
        with pytest.raises(binfmt.Error):
            binfmt.open(path, schema=about["format"]).to_dict()
        return
    table = binfmt.open(path, schema=about["format"])
    columns = [table[name] for name in table.names]
    assert len(table) == len(about["cells"])
    for column, kind, number in zip(columns, about["types"], range(len(columns))):
        values, codes = column.to_list(), column.codes
        for row, cells in enumerate(about["cells"]):
            expected = cells[number]
            if isinstance(expected, dict) and "null" in expected:
                gone = values[row] if isinstance(values[row], (list, tuple)) else (values[row],)
                assert set(gone) == {None} and codes[row] == expected["null"]
            elif kind in ("float", "double"):
                assert same(values[row], expected)
            elif kind.startswith(("int", "uint")) or kind == "bool":
                assert values[row] == expected


FUTHARK = [path.parent for path in sorted((DATA / "futhark").glob("*/content.json"))]


@pytest.mark.parametrize("folder", FUTHARK, ids=lambda folder: folder.name)
def test_futhark(folder):
    about = json.loads((folder / "content.json").read_text())
    (path,) = folder.glob("input.*")
    if not about.get("values"):
        return
    for number, expected in enumerate(about["values"]):
        if expected["type"] == "f16" or "values" not in expected:
            continue
        try:
            table = binfmt.open(path, "futhark", value=number)
        except binfmt.Error as e:
            pytest.skip(str(e))
        shape = expected["shape"]
        (column,) = [table[name] for name in table.names]
        found = column.to_numpy()
        assert list(found.shape) == (shape or [1])
        assert all(map(same, found.reshape(-1).tolist(), expected["values"]))
        if len(shape) > 1 and all(shape):
            box = tuple(slice(size // 2, size) for size in shape)
            fresh = binfmt.open(path, "futhark", value=number)[column.name]
            assert np.array_equal(fresh[box], found[box], equal_nan=found.dtype.kind == "f")


TILEDB = [path for path in sorted((DATA / "tiledb").glob("*.json")) if path.with_suffix("").is_dir()]


@pytest.mark.parametrize("path", TILEDB, ids=lambda path: path.stem)
def test_tiledb(path):
    about = json.loads(path.read_text())
    key = {"key": "0123456789abcdeF0123456789abcdeF"} if path.stem.startswith("e_") else {}
    table = binfmt.open(path.with_suffix(""), **key)
    frame = table.to_dict()
    assert len(frame) == len(table.names)
    if about["schema"]["array_type"] != "dense":
        return
    shape = tuple(d["hi"] - d["lo"] + 1 for d in about["schema"]["dims"])
    assert table.shape == shape
    for attribute in about["schema"]["attrs"]:
        whole = table[attribute["name"]].to_numpy()
        assert whole.shape[: len(shape)] == shape
        expected = about.get("attrs", {}).get(attribute["name"])
        if attribute["type"].startswith(("INT", "UINT")) and attribute["cell_val_num"] == 1 and expected is not None:
            assert whole.reshape(-1).tolist() == expected
        # a box is read alone
        box = tuple(slice(size // 3, size - size // 4) for size in shape)
        part, wanted = table[attribute["name"]][box], whole[box]
        assert part.shape == wanted.shape
        assert repr(part.tolist()) == repr(wanted.tolist())
        one = tuple(size - 1 for size in shape)
        assert repr(table[attribute["name"]][one]) == repr(whole[one])
        assert repr(table[attribute["name"]][-1]) == repr(whole[-1])
        for key in (..., (..., 0), (0, ...), (..., slice(None, None, 2)), (slice(1, None, 3),), (slice(None, None, -1),), ([0],), (None, 0), (np.int8(0),), ([-1, 0],)):
            assert repr(table[attribute["name"]][key]) == repr(whole[key]), key


def test_only_the_box_is_read(tmp_path, monkeypatch):
    path = tmp_path / "a.tdb"
    rows, columns = np.divmod(np.arange(12), 4)
    binfmt.write(path, {"r": rows, "c": columns, "v": np.arange(12.0)}, "tiledb", dimensions="r,c", array="dense")
    boxes = []
    read = binfmt.Table._read_part
    monkeypatch.setattr(binfmt.Table, "_read_part", lambda table, field, spans: boxes.append(spans) or read(table, field, spans))
    whole = np.arange(12.0).reshape(3, 4)
    wanted = [
        ((1, slice(1, 3)), [(1, 2), (1, 3)]),
        ((..., -1), [(0, 3), (3, 4)]),
        ((2, ...), [(2, 3), (0, 4)]),
        (slice(0, 3, 2), [(0, 3), (0, 4)]),
        (slice(2, 0, -1), [(1, 3), (0, 4)]),
        ((np.int64(1), np.uint8(2)), [(1, 2), (2, 3)]),
        (([1, 2], [3, 1]), [(1, 3), (1, 4)]),
        ((slice(None), [-1, 2]), [(0, 3), (2, 4)]),
        (np.array([False, True, False]), [(1, 2), (0, 4)]),
        ((None, 1, None, ..., None), [(1, 2), (0, 4)]),
        (slice(2, 1), [(0, 0), (0, 4)]),
    ]
    for key, box in wanted:
        found = binfmt.open(path)["v"][key]
        assert np.array_equal(found, whole[key]) and found.shape == whole[key].shape and boxes.pop() == box, key
    # what NumPy must look at itself
    for key in (whole > 3, [], [[]], True, (True, 1)):
        assert np.array_equal(binfmt.open(path)["v"][key], whole[key]), key
    for key in ((0, 0, 0), (..., 0, 0, 0), 3, -4, [0, 3], [True], 0.5, "v", (..., ...), [[1], [1, 2]]):
        with pytest.raises((IndexError, ValueError)):
            binfmt.open(path)["v"][key]
    assert not boxes


@pytest.mark.parametrize("format", ["futhark", "npy"])
def test_only_the_rows_are_read(tmp_path, monkeypatch, format):
    whole = np.arange(24.0).reshape(4, 3, 2)
    path = tmp_path / "values"
    binfmt.write(path, whole, format)
    rows = []
    between = binfmt.Table._rows_between
    monkeypatch.setattr(binfmt.Table, "_rows_between", lambda table, *ends: rows.append(ends) or between(table, *ends))
    keys = [(1, ..., 0), (slice(3, 0, -2),), ([1, 2], 0), (None, slice(1, 2), [0, 2]), (np.int8(-1), 2, 1)]
    for key, ends in zip(keys, [(1, 2), (1, 4), (1, 3), (1, 2), (3, 4)]):
        found = binfmt.open(path)["value"][key]
        assert np.array_equal(found, whole[key]) and found.shape == whole[key].shape and rows.pop() == ends, key


def test_rows_that_nobody_has_counted(monkeypatch):
    table = binfmt.open(b"n\n1\n2\n3\n", format="csv").where("n > 1")
    monkeypatch.setattr(binfmt.Column, "_held", None)
    assert table["n"][:1].tolist() == [2] and table["n"][1:9:2].tolist() == [3] and table["n"][5:7].tolist() == []


def test_beat(data):
    about = json.loads((data / "beat" / "file_ints" / "content.json").read_text())
    table = binfmt.open(data / "beat" / "file_ints" / "input.data", schema=about["declaration"])
    assert table.names[:2] == ["_start", "_end"]
    assert table["int64"].to_list() == [chunk["value"]["int64"] for chunk in about["chunks"]]


def test_declarations_in_files(data, tmp_path):
    folder = data / "beat" / "file_ints"
    declaration = json.loads((folder / "content.json").read_text())["declaration"]
    path = tmp_path / "all.json"
    path.write_text(json.dumps(declaration))
    for schema in (declaration, json.dumps(declaration), path, str(path)):
        assert binfmt.open(folder / "input.data", schema=schema).names[:3] == ["_start", "_end", "bool"]
    for schema in (tmp_path / "nothing.json", str(tmp_path / "nothing.json")):
        with pytest.raises(binfmt.MissingFileError, match="nothing.json: the schema cannot be read: No such file") as told:
            binfmt.open(folder / "input.data", schema=schema)
        assert told.value.filename == str(schema)
    with pytest.raises(binfmt.FileError, match="the schema cannot be read"):
        binfmt.open(folder / "input.data", schema=tmp_path)
    path.write_bytes(b"{\xff")
    with pytest.raises(binfmt.Error, match="is not text in UTF-8") as told:
        binfmt.open(folder / "input.data", schema=path)
    assert told.value.offset == 1


def test_layouts_in_files(tmp_path):
    path = tmp_path / "row.layout"
    path.write_text("Row: record\n  x: u16")
    assert binfmt.Layout(path).fingerprint == binfmt.Layout("Row: record\n  x: u16").fingerprint
    assert binfmt.open(b"\1\0\2\0", layout=path)["x"].to_list() == [1, 2]
    assert binfmt.write(tmp_path / "rows", {"x": [1, 2]}, layout=path) == 2
    with pytest.raises(binfmt.MissingFileError, match="the layout cannot be read"):
        binfmt.open(b"\1\0", layout=tmp_path / "nothing")


def is_of_beat(found, expected):
    """Whether a value of NumPy is what the backend says."""
    if isinstance(expected, dict) and "shape" in expected:
        count = len(expected["shape"])
        assert isinstance(found, np.ndarray) and list(found.shape[:count]) == expected["shape"]
        items = found.reshape(-1, *found.shape[count:])
        return len(items) == len(expected["values"]) and all(map(is_of_beat, items, expected["values"]))
    if isinstance(expected, dict):
        return set(found.dtype.names) == set(expected) and all(is_of_beat(found[name], value) for name, value in expected.items())
    if isinstance(expected, list):
        return all(map(is_of_beat, found, expected))
    return float(found) == float.fromhex(expected) if isinstance(found, np.floating) else found == expected


@pytest.mark.parametrize("case", ["file_digit", "file_late", "file_randfile", "file_ranges", "file_strs"])
def test_arrays_with_dimensions_of_their_own(data, case):
    about = json.loads((data / "beat" / case / "content.json").read_text())
    table = binfmt.open(data / "beat" / case / "input.data", schema=about["declaration"])
    for name in table.names[2:]:
        for values in (table[name].to_numpy(), np.concatenate([batch[name] for batch in table.batches(1)])):
            assert len(values) == len(about["chunks"])
            assert all(is_of_beat(value, chunk["value"][name]) for value, chunk in zip(values, about["chunks"]))


def test_npy(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.arange(12, dtype="<f4").reshape(4, 3))
    found = binfmt.open(path)
    assert found[found.names[0]].to_numpy().reshape(4, 3).tolist() == np.arange(12).reshape(4, 3).tolist()


def test_formats_are_told():
    known = binfmt.formats()
    assert {"sdds", "tiledb", "futhark", "beat", "scidb", "npy", "csv", "layout"} <= set(known)
    assert "schema" in known["scidb"]


ARRAYS = b"""SDDS1
&parameter name=Run, type=long &end
&array name=image, type=short, dimensions=2 &end
&array name=mark, type=string &end
&column name=x, type=short &end
&data mode=ascii &end
7
2 3
1 2 3 4 5 6
2
a b
1
9
"""


def test_arrays_of_sdds_are_tables():
    table = binfmt.open(ARRAYS)
    assert "arrays image, mark" in repr(table) and "arrays image, mark" in table._repr_html_()
    assert repr(table.pages[0]) == "<page 0: 1 rows of x; arrays image[2, 3], mark[2]>"
    image = binfmt.open(ARRAYS, arrays="image")
    assert image["image"].tolist() == [1, 2, 3, 4, 5, 6] and "arrays" not in repr(image)
    both = binfmt.open(ARRAYS, arrays=["mark", "image"], indices=True)
    assert both.names == ["Run", "_index", "_index0", "_index1", "mark", "image"]
    assert both.where("_index1 = 1 and image between 2 and 5")["image"].to_list() == [2, 5]
    assert both.where("mark like 'b%'").to_dict() == {"Run": [7], "_index": [1], "_index0": [0], "_index1": [1], "mark": ["b"], "image": [2]}
    assert binfmt.open(ARRAYS, arrays="*").names == ["Run", "image", "mark"]
    with pytest.raises(binfmt.Error, match="unknown array `y`"):
        binfmt.open(ARRAYS, arrays=["y"])
    alone = binfmt.open(ARRAYS.replace(b"&column name=x, type=short &end\n", b"").replace(b"\n1\n9\n", b"\n"))
    assert len(alone) == 6 and repr(alone.pages[0]) == "<page 0: arrays image[2, 3], mark[2]>"
