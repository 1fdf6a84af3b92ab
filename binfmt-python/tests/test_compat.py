"""The calls of other packages: beside those packages themselves, on the same files."""

import importlib
import inspect
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


def test_dimensions_that_no_array_has(tmp_path):
    data = b"b\x02\x03 f64" + b"".join(n.to_bytes(8, "little") for n in (0, 1 << 62, 1 << 62))
    path = tmp_path / "a.fut"
    path.write_bytes(data)
    for load in (lambda: futhark_data.loadb(data), lambda: futhark_data.load(io.BytesIO(data)), lambda: futhark_data.load(open(path, "rb"))):
        with pytest.raises(binfmt.Error, match="not one that NumPy has"):
            list(load())
    with pytest.raises(binfmt.Error):
        binfmt.open(data)["value"].to_numpy()


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


# what the README lists as absent: of a module names, of a class with its name
ABSENT = {
    "pysdds": {"util"},
    "pysdds.structures": {"structures"},
    "pysdds.readers": {"readers", "shlex_sdds", "tokenizers"},
    "pysdds.writers": {"writers"},
    "sdds": set(),
    "sdds.classes": set(),
    "sdds.reader": set(),
    "sdds.writer": set(),
    "futhark_data": {
        "BINARY_DATA_FORMAT_VERSION", "PRIMTYPES", "Reader", "TYPE_STRS", "numpy_type_to_type_name", "suffix_to_type",
    },
}  # fmt: skip


def of_package(module, package):
    """What a module has that is not only imported: what it defines, as a package what its modules do, and constants where they are defined."""
    for name in dir(module):
        value = getattr(module, name)
        home = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
        constants = home is None and module.__name__ in ("sdds.classes", "futhark_data")
        shown = hasattr(module, "__path__") and (home or "").split(".")[0] == package
        if not name.startswith("_") and (home == module.__name__ or shown or constants):
            yield name, value


@pytest.mark.parametrize("name", ABSENT)
def test_what_is_covered(name):
    """Every public name of the packages is here, with the same arguments in the same order, but those that the README lists as absent."""
    package = name.split(".")[0]
    needs(package)
    real, ours = importlib.import_module(name), importlib.import_module(f"binfmt.compat.{name}")
    assert {one for one, _ in of_package(real, package) if not hasattr(ours, one)} == ABSENT[name]
    for one, value in of_package(real, package):
        here = getattr(ours, one, None)
        if here is None or inspect.ismodule(value):
            continue
        if inspect.isclass(value):
            assert arguments(value) == arguments(here), one
            same_members(value, here)
        elif callable(value):
            assert arguments(value) == arguments(here), one
        else:
            assert value == here, one


def same_members(real, ours):
    """The attributes of two objects, and the arguments of their methods."""
    given = [{"namelist": {}, "definitions_list": [], "values_list": []}.get(one, "x") for one, is_needed in arguments(real) if is_needed]
    there, here = real(*given), ours(*given)
    members = {member for member in dir(there) if not member.startswith("_") and hasattr(there, member)}
    assert not {member for member in members if not hasattr(here, member)}, real
    for member in members:
        if inspect.isroutine(inspect.getattr_static(real, member, None)):
            assert arguments(getattr(real, member)) == arguments(getattr(ours, member)), (real, member)


def arguments(of):
    return [(one.name, one.default is one.empty) for one in inspect.signature(of).parameters.values()]


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


def test_pysdds_compares(tmp_path):
    from binfmt.compat import pysdds as ours

    file = ours.SDDSFile(add_data_nm=True)
    file.description = ours.Description({"text": "a b"})
    file.add_parameter("fixed", "long", fixed_value="5")
    file.add_parameter("run", "long", data=[np.int32(7)])
    file.add_column("x", "double", "X", "m", "place", "%g", data=[np.array([0.5, np.nan])])
    file.add_column("c", "character", data=[np.array(["a", ""], dtype=object)])
    assert file.par("fixed").data == [5] and file.col("x").nm["format_string"] == "%g"
    again = ours.read(file.to_sdds())
    assert again.col("c").data[0].tolist() == ["a", ""] and again.par("fixed").data == [5]
    assert file.compare(again, raise_error=True) and file == again and not file != again
    again.col("x").data[0][0] += 0.25
    assert not file.compare(again) and file.compare(again, eps=0.3)
    with pytest.raises(ValueError, match="column 'x': data"):
        file.compare(again, raise_error=True)
    assert not file.compare(5) and "1 pages" in file.describe() and file.description.to_sdds() == '&description text="a b", &end'
    assert (file.col("x")[0, 0], file.col("x").get(0)[0]) == (0.5, 0.5)
    for wrong in (1, (0, 2), -1):
        with pytest.raises(KeyError):
            file.col("x")[wrong]
    with pytest.raises(ValueError, match="in the header"):
        file.par("fixed").data = [1]
    empty = file.copy(data=False)
    assert (empty.n_pages, empty.col("x").data, file.n_pages, len(file.col("x").data)) == (0, [], 1, 1)
    file.col("c").data.append(np.array([]))
    with pytest.raises(ValueError, match="column 'c' has 2 pages"):
        file.write(tmp_path / "a.sdds")
    file.col("c").data = [np.array(["a"], dtype=object)]
    with pytest.raises(ValueError, match="differ in length"):
        file.validate_data()
    file.col("c").data = [np.array([0.5, 1])]
    with pytest.raises(ValueError, match="of type character"):
        file.to_sdds()
    assert not list(tmp_path.iterdir())


def test_pysdds_row_by_row(tmp_path):
    real = needs("pysdds")
    from binfmt.compat import pysdds as ours

    for endian in ("little", "big"):
        path = tmp_path / f"{endian}.sdds"
        file = ours.SDDSFile(add_data_nm=True)
        file.set_endianness(endian)
        file.add_parameter("run", "long")
        file.add_column("x", "double")
        file.add_column("n", "long64")
        with file.get_streaming_writer(path) as writer:
            writer.begin()
            writer.new_page([7])
            writer.write_rows([0.5, 1])
            # what is there so far can be read
            assert binfmt.open(path)["x"].to_list() == [0.5]
            writer.write_rows([np.array([1.5, 2.5]), np.array([2, 3])])
            writer.new_page([8])
            with pytest.raises(ValueError, match="2 columns"):
                writer.write_rows([1.0])
        found = ours.read(path)
        assert [values.tolist() for values in found.col("x").data] == [[0.5, 1.5, 2.5], []]
        assert [values.tolist() for values in found.col("n").data] == [[1, 2, 3], []] and found.par("run").data == [7, 8]
        theirs = real.read(path, pages=[0])
        assert theirs.col("x").data[0].tolist() == [0.5, 1.5, 2.5] and theirs.par("run").data == [7]
        with pytest.raises(FileExistsError):
            file.get_streaming_writer(path).begin()
    with pytest.raises(ValueError, match="has pages"):
        found.get_streaming_writer(path)


def test_what_was_there_stays(tmp_path, monkeypatch):
    from binfmt.compat import pysdds as ours

    path, link = tmp_path / "a.sdds", tmp_path / "link.sdds"
    path.write_bytes(b"before")
    link.symlink_to(path)
    file = ours.SDDSFile.from_df([needs("pandas").DataFrame({"x": [0.5]})])
    file.write(link, overwrite=True)
    assert link.is_symlink() and ours.read(path) == file
    wrong = sdds.SddsFile("SDDS1", None, [sdds.classes.Array("x", "short")], [[70000]])
    before = path.read_bytes()
    with pytest.raises(ValueError, match="do not fit"):
        sdds.write(wrong, path)
    assert path.read_bytes() == before and sorted(one.name for one in tmp_path.iterdir()) == ["a.sdds", "link.sdds"]
    with pytest.raises(binfmt.FileError):
        sdds.write(sdds.SddsFile("SDDS1", None, [], []), path / "below")


def test_pylhc_classes(tmp_path):
    needs("sdds")
    real = importlib.import_module("sdds.classes")
    for classes in (real, sdds.classes):
        array = classes.Array("a", "llong", units="None", dimensions="2")
        assert (array.units, array.dimensions, array.get_key_value_string()) == (None, 2, "name=a, type=llong, dimensions=2")
        assert classes.get_dtype_str("string", "little", 3) == "<3s"
    definitions = [sdds.classes.Parameter("n", "llong"), sdds.classes.Parameter("c", "char"), sdds.classes.Array("names", "string")]
    sdds.write(sdds.SddsFile("SDDS1", None, definitions, [5, "x", ["a", "b"]]), tmp_path / "a.sdds")
    found = sdds.read(tmp_path / "a.sdds")
    # the text of a number, as there
    assert list(found.values.values()) == [5, "120", ["a", "b"]] and [one.type for one in found.definitions.values()] == ["llong", "char", "string"]
    with pytest.raises(ValueError, match="byte order is big"):
        sdds.read(tmp_path / "a.sdds", endianness="little")


def test_futhark_bytes_are_lent():
    value = np.arange(6, dtype="f8").reshape(2, 3)
    data = futhark_data.dumpb(value)
    (found,) = futhark_data.loadb(data)
    assert not found.flags.writeable and np.shares_memory(found, np.frombuffer(data, "u1"))
    own = np.require(found, requirements="AW")
    own[0, 0] = 7
    assert found[0, 0] == 0 and own.flags.aligned
    with pytest.raises(binfmt.Error):
        list(futhark_data.loadb(data[:-1]))


def test_a_file_goes_with_its_last_user():
    import copy
    import gc
    import pickle
    import weakref

    from binfmt.compat import pysdds

    data = b"SDDS1\n&parameter name=P, type=long, fixed_value=7 &end\n&column name=x, type=long &end\n&data mode=ascii &end\n1\n5\n1\n6\n"
    file = pysdds.read(io.BytesIO(data))
    assert [file.col("x").sdds, file.par("P").sdds] == [file, file]
    for again in (copy.deepcopy(file), pickle.loads(pickle.dumps(file)), file.copy(data=False)):
        assert again.col("x").sdds is again and again.par("P").sdds is again and again == again
    again = copy.copy(file)
    again.n_pages = 1
    assert file.n_pages == 2 and file.col("x").sdds is file and len(copy.deepcopy(file).par("P").data) == 2
    assert len(file.copy(data=False).par("P").data) == 0
    gc.disable()
    try:
        gone, values, column, fixed = weakref.ref(file), file.col("x").data[1], file.col("x"), file.par("P")
        del file
        assert gone() is None and values.tolist() == [6]
        assert column.sdds is None and column.data[0].tolist() == [5] and fixed.data == [7, 7]
    finally:
        gc.enable()
