"""The calls of the package `futhark-data`: `load`, `loads`, `loadb`, `dump`, `dumps`, `dumpb`.

>>> from binfmt.compat import futhark_data
>>> [value.tolist() for value in futhark_data.loads("[1,2,3] true")]
[[1, 2, 3], True]
>>> futhark_data.dumps(next(futhark_data.loadb(b"b\\x02\\x00  i8\\x05")))
'5i8'

Errors are `binfmt.Error`. Floats are written as text with all their digits, not with six.
"""

import io
import os

from binfmt import _arrays, _binfmt

__all__ = ["dump", "dumpb", "dumps", "load", "loadb", "loads"]

# more than the head of a binary array of any rank
_HEAD = 7 + 8 * 255


def load(f):
    """All values of a file object: a generator of NumPy arrays and scalars."""
    whole = _whole(f)
    if whole is not None:
        return iter([whole])
    data = f.read()
    return _values(data.encode() if isinstance(data, str) else bytes(data))


def _whole(f):
    """The array that is all of a file, read into its own memory; `None`, and nothing read, if it is something else."""
    import numpy as np

    if not isinstance(f, io.BufferedReader) or not isinstance(f.raw, io.FileIO) or not f.seekable():
        return None
    start = f.tell()
    size = os.fstat(f.fileno()).st_size - start
    found = _binfmt.futhark_body(f.read(_HEAD), size)
    if found is not None:
        shape, kind, head = found
        values = np.empty(shape, f"<{kind[0]}{int(kind[1:]) // 8}")
        f.seek(start + head)
        if f.readinto(memoryview(values.reshape(-1)).cast("B")) == values.nbytes and not f.read(1):
            return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))
    f.seek(start)
    return None


def loads(s):
    """All values of a text."""
    return _values(s.encode())


def loadb(s):
    """All values of bytes."""
    return _values(bytes(s))


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
