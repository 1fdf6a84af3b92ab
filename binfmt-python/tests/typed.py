"""What a type checker says of code that uses the package: read by mypy and pyright, not run."""

from pathlib import Path
from typing import Any, Literal

import binfmt
import numpy as np
from binfmt.compat import futhark_data, pysdds, sdds
from binfmt.types import be, boolean, data, f32, f64, i64, le, listed, nullable, prefixed, text, u8, u16, u32, u64, words
from numpy.typing import NDArray
from typing_extensions import assert_type


def tables(path: Path) -> None:
    table = binfmt.open(path, format="sdds", page_numbers=True)
    assert_type(table["x"], binfmt.Column)
    assert_type(table[["x", "y"]], binfmt.Table)
    assert_type(table[1:5], binfmt.Table)
    assert_type(table.rows[3], dict[str, Any])
    assert_type(table.where("x > 0").select(["x"]).to_dict(), dict[str, list[Any]])
    assert_type(table.pages[0], binfmt.Page)
    assert_type([page["x"] for page in table.pages], list[NDArray[Any]])
    assert_type(table["x"].units, str | None)
    assert_type([field.name for field in table.schema], list[str])
    for batch in table.batches(1000):
        assert_type(batch["x"], NDArray[Any])
    assert_type(binfmt.open(b"\x01", schema="(int8)").num_rows, int | None)


def writing(path: Path) -> None:
    assert_type(binfmt.write(path, {"x": np.arange(3.0)}, columns=["x"], mode="ascii"), int)
    try:
        binfmt.write(str(path), [{"x": 1}], like=path)
    except binfmt.MissingFileError as e:
        assert_type(e.offset, int | None)
        assert_type(e.kind, str)


def layouts() -> None:
    layout = binfmt.Layout("u16", endian="big")
    assert_type(layout.encode(5), bytes)
    assert_type(layout.decode_prefix(b"\0\1\2"), tuple[Any, int])
    assert_type(layout.check(layout), list[binfmt.Difference])
    assert_type(layout.dump(b"\0\1").error, str | None)
    binfmt.Layout("u16", endian="middle")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@binfmt.layout(endian="big", magic=b"E")
class Event:
    time: u64
    temp: nullable[f32]
    message: prefixed[text, u8]


class Frame(binfmt.Record, endian="big", magic=b"F"):
    number: u16
    flags: boolean
    events: listed[Event, u8]
    fixed: listed[le[u16], Literal[4]]
    counted: listed[f64, Literal["number"]]
    raw: prefixed[data, be[u32]]
    more: words[i64 | None, "if(flags != 0)"] = None


def classes() -> None:
    assert_type(Event(time=5, temp=None, message="a").temp, float | None)
    frame = Frame(number=1, flags=True, events=[Event(1, 0.5, "b")], fixed=[1, 2, 3, 4], counted=[0.5], raw=b"x")
    assert_type(Frame.decode(b""), Frame)
    assert_type(Frame.decode_all(bytearray()), list[Frame])
    assert_type(Frame.encode_all([frame]), bytes)
    assert_type(frame.encode() + Frame.LAYOUT.encode(frame), bytes)
    assert_type(frame.events[0].message, str)
    assert_type(frame.more, int | None)
    assert_type(frame.fixed, list[int])
    Event(time="now", temp=None, message="a")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    binfmt.open(b"", layout=Frame)


def several(path: Path) -> None:
    table = binfmt.open(["a.sdds", path], file_names=True)
    page = table.pages[0]
    assert_type(dict(page), dict[str, NDArray[Any]])
    assert_type(page.get("x"), NDArray[Any] | None)
    assert_type(table.pages.parameters, binfmt.Table)
    assert_type(page.schema["x"].units, str | None)


def others(path: Path) -> None:
    file = sdds.SddsFile("SDDS1", None, [sdds.Parameter("n", "llong"), sdds.Array("x", "double", dimensions=2)], [3, np.zeros((2, 2))])
    sdds.write(file, path)
    definition, _ = sdds.read(path, opener=sdds.reader.gzip_open)["n"]
    assert_type(definition.units, str | None)
    found = pysdds.read(path, pages=[0], cols=["x"])
    assert_type(found.col("x").data, list[Any])
    assert_type(pysdds.write(found, None), bytes | None)
    with found.get_streaming_writer(path, overwrite=True) as writer:
        writer.begin()
    with path.open("rb") as opened:
        for value in futhark_data.load(opened):
            assert_type(futhark_data.dumps(value), str)
