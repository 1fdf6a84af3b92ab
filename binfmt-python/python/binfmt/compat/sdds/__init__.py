"""The calls of pylhc's package `sdds`: `read`, `write`, `SddsFile`, and the definitions in `sdds.classes`.

>>> from binfmt.compat import sdds
>>> import os, tempfile
>>> file = sdds.SddsFile("SDDS1", None, [sdds.classes.Parameter("n", "llong")], [3])
>>> path = os.path.join(tempfile.mkdtemp(), "a.sdds")
>>> sdds.write(file, path)
>>> definition, value = sdds.read(path)["n"]
>>> definition.type, value
('llong', 3)

What is different: files of all types and modes are read, with all the rows of all columns; of several pages the first is read, as there. Columns
are written, too. What was in a file stays until all is written. Errors of what is in a file are `binfmt.Error`, a
`ValueError`; wrong arguments are the errors of Python.
"""

from binfmt.compat.sdds import classes, reader, writer
from binfmt.compat.sdds.classes import Array, Column, Data, Definition, Description, Include, Parameter, SddsFile
from binfmt.compat.sdds.reader import read_sdds
from binfmt.compat.sdds.writer import write_sdds

__all__ = [
    "Array",
    "Column",
    "Data",
    "Definition",
    "Description",
    "Include",
    "Parameter",
    "SddsFile",
    "classes",
    "read",
    "read_sdds",
    "reader",
    "write",
    "write_sdds",
    "writer",
]

read = read_sdds
write = write_sdds
