"""The calls of other packages: beside those packages themselves, on the same files."""

import io

import binfmt
import numpy as np
import pytest
from binfmt.compat import futhark_data, sdds
from conftest import DATA, needs

VALUES = [np.arange(6, dtype=kind).reshape(2, 3) for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")]
VALUES += [np.array([True, False]), np.int32(-5), np.float64(0.25), np.bool_(True), np.zeros((0, 3), "f4")]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{value.dtype}{value.shape}")
def test_futhark(value, monkeypatch):
    # what the package uses of NumPy, and NumPy 2 has not
    monkeypatch.setattr(np, "product", np.prod, raising=False)
    monkeypatch.setattr(np, "bool", np.bool_, raising=False)
    real = needs("futhark_data")
    data = futhark_data.dumpb(value)
    assert data == real.dumpb(value)
    for found in (futhark_data.loadb(data), futhark_data.load(io.BytesIO(data)), futhark_data.loads(futhark_data.dumps(value))):
        (found,) = found
        assert found.dtype == value.dtype and np.array_equal(found, value)
    (theirs,) = real.loads(futhark_data.dumps(value))
    assert np.array_equal(theirs, value) and np.asarray(theirs).dtype == value.dtype
    text, binary = io.StringIO(), io.BytesIO()
    futhark_data.dump(value, text)
    futhark_data.dump(value, binary)
    assert (text.getvalue(), binary.getvalue()) == (futhark_data.dumps(value), data)


def test_futhark_files():
    real = needs("futhark_data")
    both = 0
    for path in sorted((DATA / "futhark").glob("*/input.*")):
        data = path.read_bytes()
        try:
            ours = list(futhark_data.loadb(data))
        except ValueError:
            continue
        try:
            theirs = list(real.loadb(data))
        except Exception:
            continue
        both += 1
        assert len(ours) == len(theirs), path
        for one, other in zip(ours, theirs):
            assert one.dtype == np.asarray(other).dtype and one.tobytes() == np.asarray(other).tobytes(), path
    assert both > 40


def test_futhark_files_that_are_one_array(tmp_path):
    path = tmp_path / "a.fut"
    for value in VALUES:
        data = futhark_data.dumpb(value)
        for more in (b"", b"\n", data, b"[1,2]", data[:-1], b"b"):
            path.write_bytes(b"junk" + data + more)

            def loaded(f):
                try:
                    return [(one.dtype, one.shape, one.tolist()) for one in futhark_data.load(f)]
                except binfmt.Error as e:
                    return e.kind, e.offset

            with open(path, "rb") as file:
                file.seek(4)
                found = loaded(file)
            assert found == loaded(io.BytesIO(data + more)), (value.dtype, more)
        path.write_bytes(data)
        with open(path, "rb") as file:
            (found,) = futhark_data.load(file)
            assert found.shape == value.shape and file.read() == b"" and (found.ndim == 0 or found.flags.writeable)
        path.write_bytes(data[:-1])
        with open(path, "rb") as file, pytest.raises(binfmt.Error):
            list(futhark_data.load(file))


def test_what_futhark_has_not():
    with pytest.raises(TypeError, match="no type"):
        futhark_data.dumpb(np.array(["a"]))


def written(tmp_path, name, module):
    """A file with a value of each type that pylhc's package writes."""
    definitions = [module.classes.Parameter("short", "short"), module.classes.Parameter("text", "string", units="m")] if hasattr(module, "classes") else [
        module.Parameter("short", "short"), module.Parameter("text", "string", units="m")
    ]  # fmt: skip
    kinds = module.classes if hasattr(module, "classes") else module
    definitions += [kinds.Parameter("double", "double"), kinds.Array("a", "float"), kinds.Array("names", "string"), kinds.Array("long", "long", dimensions=2)]
    values = [3, "abc", 0.5, np.array([1.5, 2.5]), ["x", "yz"], [[1, 2, 3], [4, 5, 6]]]
    file = module.SddsFile("SDDS1", None, definitions, values)
    module.write(file, tmp_path / name)
    return tmp_path / name


def test_pylhc(tmp_path):
    real = needs("sdds")
    import sdds.classes  # noqa: F401

    from binfmt.compat import sdds as ours

    theirs_path, ours_path = written(tmp_path, "theirs.sdds", real), written(tmp_path, "ours.sdds", ours)
    for path in (theirs_path, ours_path):
        found, expected = ours.read(path), real.read(path)
        assert list(found.definitions) == list(expected.definitions)
        for name in expected.definitions:
            (definition, value), (their_definition, their_value) = found[name], expected[name]
            assert (definition.name, definition.type, definition.units) == (their_definition.name, their_definition.type, their_definition.units)
            assert np.array_equal(value, their_value), name
    assert "Parameter" in repr(found.definitions["short"]) and str(found) == str(expected)


def test_pylhc_openers(tmp_path):
    import gzip

    path = tmp_path / "a.sdds.gz"
    path.write_bytes(gzip.compress(b"SDDS1\n&parameter name=n, type=long &end\n&data mode=ascii &end\n5\n"))
    for opener in (gzip.open, lambda name: open(name, "rb")):
        assert sdds.read(path, opener=opener)["n"][1] == 5


def test_what_is_covered():
    """The names of the packages that the README does not list as absent."""
    pysdds_here = __import__("binfmt.compat.pysdds", fromlist=["read"])
    for real, here, absent in (
        (needs("pysdds").SDDSFile(), pysdds_here.SDDSFile(), {"compare", "describe", "validate_data", "get_streaming_writer", "to_sdds"}),
        (needs("sdds"), sdds, {"classes", "reader", "writer"}),
    ):
        public = {name for name in dir(real) if not name.startswith("_")}
        assert public - set(dir(here)) == absent


def test_pylhc_columns(tmp_path):
    file = sdds.SddsFile("SDDS1", sdds.Description("d", "c"), [sdds.Column("x", "double", units="m"), sdds.Column("s", "string")], [[1.0, 2.0], ["a", "b"]])
    sdds.write(file, tmp_path / "a.sdds")
    found = sdds.read(tmp_path / "a.sdds")
    assert found.values["x"].tolist() == [1.0, 2.0] and list(found.values["s"]) == ["a", "b"]
    assert found.definitions["x"].units == "m" and found.description.text == "d"
    with pytest.raises(ValueError, match="Duplicated"):
        sdds.SddsFile("SDDS1", None, [sdds.Column("x", "double")] * 2, [[], []])


def test_pysdds_reads_the_same(tmp_path):
    real = needs("pysdds")
    from binfmt.compat import pysdds as ours

    both = 0
    for path in sorted((DATA / "sdds" / "official").glob("*.sdds")):
        try:
            theirs = real.read(path, allow_longdouble=True)
        except Exception:
            continue
        found = ours.read(path)
        both += 1
        assert (found.n_pages, found.column_names, found.array_names, found.parameter_names) == (
            theirs.n_pages, theirs.column_names, theirs.array_names, theirs.parameter_names,
        ), path.name  # fmt: skip
        assert found.mode == theirs.mode and (theirs.mode == "ascii" or found.endianness == theirs.endianness)
        for name in found.column_names:
            if found.col(name).type in ("longdouble", "character"):
                continue
            for one, other in zip(found.col(name).data, theirs.col(name).data):
                if "strings" not in path.name and "alltypes" not in path.name:
                    assert [str(value) for value in one.tolist()] == [str(value) for value in np.asarray(other).tolist()], (path.name, name)
        for name in found.parameter_names:
            if found.par(name).fixed_value is not None:
                # there a fixed character is an error
                continue
            assert len(found.par(name).data) == len(theirs.par(name).data)
    assert both > 10


def test_pysdds_frames(tmp_path):
    pd = needs("pandas")
    real = needs("pysdds")
    from binfmt.compat import pysdds as ours

    frames = [pd.DataFrame({"x": [0.5, 1.5], "n": np.array([1, 2], "i4"), "s": ["a", "b"]}), pd.DataFrame({"x": [2.5], "n": np.array([3], "i4"), "s": ["c"]})]
    for mode in ("binary", "ascii"):
        file = ours.SDDSFile.from_df(frames, {"Run": [1, 2], "who": ["me", "you"]}, mode=mode)
        path = tmp_path / f"{mode}.sdds"
        ours.write(file, path)
        with pytest.raises(FileExistsError):
            ours.write(file, path)
        ours.write(file, path, overwrite=True)
        for module in (ours, real):
            again = module.read(path)
            assert again.n_pages == 2 and again.par("who").data == ["me", "you"]
            for number, frame in enumerate(frames):
                found = again.columns_to_df(number)
                assert {name: list(found[name]) for name in found} == {name: list(frame[name]) for name in frame}, module.__name__
            assert again.parameters_to_df()["Run"].tolist() == [1, 2]
            assert again.page_to_df(1)["Run"].tolist() == [2] and again[0, "x"].tolist() == [0.5, 1.5]
    few = ours.read(path, pages=[1], cols=["x"])
    assert few.n_pages == 1 and few.col("x").data[0].tolist() == [2.5] and not few.col("s").data
    packed = ours.write(file, None, compression="gz")
    assert ours.read(packed).cdf(0)["x"].tolist() == [0.5, 1.5] and "2 pages" in repr(ours.read(packed))
    assert ours.read(path, header_only=True).n_pages == 0 and ours.read(path)["Run"].type == "long"
