from os import PathLike
from typing import IO, Any

from typing_extensions import Self

from binfmt.compat.pysdds.structures import SDDSFile

class IncrementalWriter:
    sdds: SDDSFile
    filepath: str | PathLike[str] | IO[bytes]
    overwrite: bool
    binary_fixed_rowcount: int
    current_page: int
    file: IO[bytes] | None
    def __init__(
        self,
        sdds: SDDSFile,
        filepath: str | PathLike[str] | IO[bytes],
        compression: str | None = None,
        overwrite: bool = False,
        use_best_settings: bool = False,
        write_method: str = "fixed_rowcount",
        binary_fixed_rowcount: int = 1000000,
    ) -> None: ...
    def begin(self) -> None: ...
    def new_page(self, parameter_data: list[Any] | None = None, array_data: list[Any] | None = None) -> None: ...
    def write_rows(self, data_arrays: list[Any]) -> None: ...
    def end_page(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
