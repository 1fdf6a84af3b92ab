"""The calls of the package `futhark-data`: `load`, `loads`, `loadb`, `dump`, `dumps`, `dumpb`.

>>> from binfmt.compat import futhark_data
>>> [value.tolist() for value in futhark_data.loads("[1,2,3] true")]
[[1, 2, 3], True]
>>> futhark_data.dumps(next(futhark_data.loadb(b"b\\x02\\x00  i8\\x05")))
'5i8'

Errors are `binfmt.Error`. Floats are written as text with all their digits, not with six.
"""

import io

from binfmt import _arrays, _binfmt

__all__ = ["dump", "dumpb", "dumps", "load", "loadb", "loads"]


def load(f):
    """All values of a file object: a generator of NumPy arrays and scalars."""
    data = f.read()
    return _values(data.encode() if isinstance(data, str) else bytes(data))


def loads(s):
    """All values of a text."""
    return _values(s.encode())


def loadb(b):
    """All values of bytes."""
    return _values(bytes(b))


def _values(data):
    for shape, _, parts in _binfmt.futhark_read(data):
        values = _arrays.array(parts)
        yield values.reshape(shape) if shape else values[0]


def dump(v, f, binary=None):
    """Writes a value to a file object: as text if that is one of text, unless `binary` says which."""
    if binary is None:
        binary = not isinstance(f, io.TextIOBase)
    f.write(dumpb(v) if binary else dumps(v))


def dumps(v):
    """A value as text."""
    return _binfmt.futhark_write([_given(v)], "text").decode().rstrip("\n")


def dumpb(v):
    """A value as bytes."""
    return _binfmt.futhark_write([_given(v)], "binary")


def _given(v):
    import numpy as np

    values = np.asarray(v)
    kind = _arrays.number_type(values.dtype)
    if kind is None:
        raise TypeError(f"Futhark has no type for {values.dtype}")
    return (list(values.shape), kind, _arrays.little(values))
