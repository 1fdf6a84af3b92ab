from collections.abc import Iterable
from os import PathLike
from typing import IO, Any

from binfmt.compat.pysdds.structures import SDDSFile

__all__ = ["read"]

def read(
    filepath: str | PathLike[str] | bytes | IO[bytes] | Any,
    pages: Iterable[int] | None = None,
    arrays: Iterable[int | str] | None = None,
    cols: Iterable[int | str] | None = None,
    mode: str | None = "auto",
    endianness: str | None = "auto",
    compression: str | None = "auto",
    header_only: bool = False,
    allow_longdouble: bool = False,
) -> SDDSFile: ...
