from os import PathLike

from binfmt.compat.sdds.classes import SddsFile

__all__ = ["write_sdds"]

def write_sdds(sdds_file: SddsFile, output_path: str | PathLike[str]) -> None: ...
