from collections.abc import Callable
from contextlib import AbstractContextManager
from os import PathLike
from typing import IO, Any

from binfmt.compat.sdds.classes import SddsFile

__all__ = ["gzip_open", "read_sdds"]

gzip_open: Callable[..., AbstractContextManager[IO[Any]]]

def read_sdds(
    file_path: str | PathLike[str], endianness: str | None = None, opener: Callable[..., AbstractContextManager[IO[Any]]] = ...
) -> SddsFile: ...
