from os import PathLike
from typing import IO

from binfmt.compat.pysdds.structures import SDDSFile

__all__ = ["write"]

def write(
    sdds: SDDSFile,
    filepath: str | PathLike[str] | IO[bytes] | None,
    compression: str | None = None,
    overwrite: bool = False,
    use_best_settings: bool = False,
) -> bytes | None: ...
