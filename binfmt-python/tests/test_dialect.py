"""Files in the dialect of CERN, which the package `sdds` knows and the toolkit does not."""

import struct

import binfmt
import numpy as np
import pytest
from binfmt.compat import sdds
from conftest import needs

HEAD = b"""SDDS1
!# big-endian
&description text="turn by turn", contents=x &end
&parameter name=acqStamp, type=llong, units=ns &end
&parameter name=on, type=boolean &end
&parameter name=letter, type=char &end
&parameter name=fixed, type=boolean, fixed_value=1 &end
&parameter name=label, type=string, description="of the run" &end
&array name=flags, type=boolean &end
&array name=letters, type=char &end
&array name=names, type=string &end
&array name=x, type=double, dimensions=2 &end
&data mode=binary &end
"""
BODY = b"".join(
    [
        struct.pack(">iqb", 0, -5 << 40, 1), b"x", struct.pack(">i", 3), b"abc", struct.pack(">i3b", 3, 1, 0, 1), struct.pack(">i", 2), b"ab",
        struct.pack(">ii1si2s", 2, 1, b"Q", 2, b"Q2"), struct.pack(">ii2d", 2, 1, 1.5, 2.5),
    ]
)  # fmt: skip


def same(one, other):
    assert list(one.definitions) == list(other.definitions)
    for name in one.definitions:
        (definition, value), (another, expected) = one[name], other[name]
        assert (definition.name, definition.type, definition.units) == (another.name, another.type, another.units)
        assert type(value) is type(expected) and np.array_equal(value, expected), name
        if isinstance(value, np.ndarray):
            assert value.dtype.newbyteorder("=") == expected.dtype.newbyteorder("=")


@pytest.fixture
def lhc(tmp_path):
    path = tmp_path / "lhc.sdds"
    path.write_bytes(HEAD + BODY)
    return path


def test_it_is_read_as_by_the_package(lhc, tmp_path):
    real = needs("sdds")
    same(sdds.read(lhc), real.read(lhc))
    ascii = tmp_path / "ascii.sdds"
    ascii.write_text("SDDS1\n&parameter name=on, type=boolean &end\n&parameter name=c, type=char &end\n&array name=f, type=boolean &end\n&data mode=ascii &end\n1\nx\n2\n0 1\n")
    same(sdds.read(ascii), real.read(ascii))


def test_what_is_written_is_of_the_same_dialect(lhc, tmp_path):
    real = needs("sdds")
    path, again = tmp_path / "a.sdds", tmp_path / "b.sdds"
    sdds.write(sdds.read(lhc), path)
    assert path.read_bytes().startswith(b"SDDS1\n!# big-endian\n")
    same(real.read(path), real.read(lhc))
    same(sdds.read(path), sdds.read(lhc))
    # and what the package has read
    sdds.write(real.read(lhc), again)
    same(real.read(again), real.read(lhc))


def test_objects_are_written_as_the_package_reads_them(tmp_path):
    real = needs("sdds")
    path = tmp_path / "a.sdds"
    for module in (sdds, real):
        kinds = module.classes
        definitions = [
            kinds.Parameter("n", "llong", units="mm", description="of what"), kinds.Parameter("on", "boolean"), kinds.Parameter("c", "char"),
            kinds.Array("x", "float"), kinds.Array("big", "llong", dimensions=2), kinds.Array("flags", "boolean"), kinds.Array("c8", "char"),
        ]  # fmt: skip
        values = [5, True, "65", [0.5], [[1, 2], [3, 4]], [True, False], np.array([65, 66], "i1")]
        sdds.write(module.SddsFile("SDDS1", None, definitions, values), path)
        found = real.read(path)
        assert [found.values[name] for name in ("n", "on", "c")] == [5, 1, "65"]
        assert found.values["big"].tolist() == [[1, 2], [3, 4]] and found.values["flags"].tolist() == [1, 0] and found.values["c8"].tolist() == [65, 66]
        same(sdds.read(path), found) if module is real else None
    with pytest.raises(ValueError, match="do not fit"):
        sdds.write(sdds.SddsFile("SDDS1", None, [sdds.Parameter("on", "boolean")], [300]), path)


def test_texts_of_several_words_have_no_quotes_there(tmp_path):
    real = needs("sdds")
    path, again = tmp_path / "a.sdds", tmp_path / "b.sdds"
    kinds = real.classes
    definitions = [kinds.Parameter("n", "llong", units="mm mrad", description="turn by turn data"), kinds.Array("x", "double", description="of all  turns")]
    with pytest.warns(UserWarning):
        real.write(real.SddsFile("SDDS1", kinds.Description("what", "it is"), definitions, [5, [0.5, 1.5]]), path)
    found = sdds.read(path)
    assert (found.definitions["n"].units, found.definitions["n"].description) == ("mm mrad", "turn by turn data") and found.values["n"] == 5
    sdds.write(found, again)
    assert real.read(again).values["n"] == 5 and sdds.read(again).definitions["n"].description == "turn by turn data"
    path.write_bytes(b"SDDS1\n&parameter name=n, type=nothing, units=a b &end\n&data mode=ascii &end\n5\n")
    with pytest.raises(binfmt.Error, match="nothing"):
        sdds.read(path)


def test_files_of_the_toolkit_stay_those_of_the_toolkit(tmp_path):
    pysdds = needs("pysdds")
    path, again = tmp_path / "a.sdds", tmp_path / "b.sdds"
    head = b"SDDS5\n&parameter name=n, type=long64 &end\n&parameter name=u, type=ulong64 &end\n&parameter name=c, type=character &end\n"
    path.write_bytes(head + b"&data mode=ascii &end\n5\n6\nx\n")
    file = sdds.read(path)
    assert [(one.type, value) for one, value in file] == [("llong", 5), ("ulong64", 6), ("character", "x")]
    sdds.write(file, again)
    assert [found.data[0] for found in pysdds.read(again).parameters] == [5, 6, "x"] and again.read_bytes().startswith(b"SDDS5\n")
    assert sdds.read(again).values == file.values and binfmt.open(again).pages[0].parameters["n"] == 5
    # with a type that the package does not know none is of the dialect
    sdds.write(sdds.SddsFile("SDDS1", None, [sdds.Parameter("n", "llong"), sdds.Parameter("u", "ulong64")], [5, 6]), again)
    assert pysdds.read(again).par("n").data == [5]
