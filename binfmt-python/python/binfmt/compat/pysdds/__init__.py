"""The calls of the package `pysdds`: `read`, `write`, `SDDSFile` with its columns, parameters and arrays.

>>> from binfmt.compat import pysdds
>>> file = pysdds.read(b"SDDS1\\n&parameter name=Run, type=long &end\\n&column name=x, type=double &end\\n&data mode=ascii &end\\n7\\n2\\n0.5\\n1.5\\n")
>>> file.col("x").data[0].tolist(), int(file.par("Run").data[0]), file.n_pages
([0.5, 1.5], 7, 1)
>>> again = pysdds.read(file.to_sdds())
>>> file.compare(again), file.compare(again.copy(data=False))
(True, False)

Read and written are files of all modes, byte orders and compressions that the library has, and `bz2`; `longdouble` needs no permission.
`header_only` reads the header and no page. What was in a file stays until all is written, unless it is written row by row. Errors of
what is in a file are `binfmt.Error`, a `ValueError`; wrong arguments are the errors of Python.
"""

from binfmt.compat.pysdds import readers, structures, writers
from binfmt.compat.pysdds.readers import read
from binfmt.compat.pysdds.structures import Array, Associate, Column, Data, Description, Parameter, SDDSFile
from binfmt.compat.pysdds.writers import write

__all__ = [
    "Array",
    "Associate",
    "Column",
    "Data",
    "Description",
    "Parameter",
    "SDDSFile",
    "read",
    "readers",
    "structures",
    "write",
    "writers",
]
