"""What a type checker says of code that uses the package: read by mypy, not run."""

from pathlib import Path
from typing import Any, assert_type

import binfmt
import numpy as np
from numpy.typing import NDArray


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
    binfmt.Layout("u16", endian="middle")  # type: ignore[arg-type]
