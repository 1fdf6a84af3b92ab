"""Read and write SDDS, TileDB, SciDB, Futhark and BEAT files, and binary layouts of your own, as tables and arrays.

>>> import binfmt
>>> table = binfmt.open(b"SDDS1\\n&column name=x, units=m, type=double &end\\n&data mode=ascii &end\\n2\\n0.5\\n1.5\\n")
>>> table["x"].to_numpy()
array([0.5, 1.5])
>>> table["x"].units
'm'

`open` opens a file of any format, `Layout` is a layout of your own, `write` writes a table. Every error is a `binfmt.Error`, which is a
`ValueError` with the place in the file.
"""

from binfmt._binfmt import __version__
from binfmt._column import Column
from binfmt._declare import Record, layout
from binfmt._error import ConversionWarning, Error, FileError, MissingFileError, OutOfMemoryError
from binfmt._layout import Difference, Dump, Layout
from binfmt._missing import Missing
from binfmt._open import formats, open
from binfmt._pages import Page, Pages
from binfmt._schema import Field, Schema
from binfmt._sql import sql
from binfmt._table import Batch, Batches, Rows, Table
from binfmt._write import write

__all__ = [
    "Batch",
    "Batches",
    "Column",
    "ConversionWarning",
    "Difference",
    "Dump",
    "Error",
    "Field",
    "FileError",
    "Layout",
    "Missing",
    "MissingFileError",
    "OutOfMemoryError",
    "Page",
    "Pages",
    "Record",
    "Rows",
    "Schema",
    "Table",
    "__version__",
    "formats",
    "layout",
    "open",
    "sql",
    "write",
]


def __getattr__(name):
    if name in ("compat", "types"):
        # not before they are needed
        import importlib

        return importlib.import_module(f"binfmt.{name}")
    if name.startswith(("read", "load")):
        raise AttributeError(f"module 'binfmt' has no attribute {name!r}: binfmt.open(..) opens a file")
    if name.startswith(("save", "dump", "to_")):
        raise AttributeError(f"module 'binfmt' has no attribute {name!r}: binfmt.write(path, table) writes a file")
    raise AttributeError(f"module 'binfmt' has no attribute {name!r}")
