"""The calls of the package `futhark-data`: `load`, `loads`, `loadb`, `dump`, `dumps`, `dumpb`, `dump_text`, `construct_binary_value`.

>>> from binfmt.compat import futhark_data
>>> [value.tolist() for value in futhark_data.loads("[1,2,3] true")]
[[1, 2, 3], True]
>>> futhark_data.dumps(next(futhark_data.loadb(b"b\\x02\\x00  i8\\x05")))
'5i8'

Errors are `binfmt.Error`. Floats are written as text with all their digits, not with six.
"""

import io
import math
import os

from binfmt import _arrays, _binfmt

__all__ = ["construct_binary_value", "dump", "dump_text", "dumpb", "dumps", "load", "loadb", "loads"]

# more than the head of a binary array of any rank
_HEAD = 7 + 8 * 255
_PIECE = 1 << 18


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
        values = np.empty(math.prod(shape), _dtype(kind))
        f.seek(start + head)
        if _fill(values.view(np.uint8), f) and not f.read(1):
            return _arrays.reshaped(_native(values), shape)
    f.seek(start)
    return None


def _fill(memory, f):
    """Fills memory from a file, in pieces that stay in the cache: twice as fast as the kernel filling pages that nobody has touched."""
    piece, at = memoryview(bytearray(_PIECE)), 0
    while at < len(memory):
        read = f.readinto(piece[: len(memory) - at])
        if not read:
            return False
        memory[at : at + read] = piece[:read]
        at += read
    return True


def loads(s):
    """All values of a text."""
    return _values(s.encode())


def loadb(s):
    """All values of bytes. What is one binary array of numbers is not copied: it is over the bytes themselves, cannot be written to, and is not
    aligned, as with `futhark-data`; `numpy.require(array, requirements="AW")` makes one that is."""
    data = bytes(s)
    found = _binfmt.futhark_body(data[:_HEAD], len(data))
    return _values(data) if found is None else iter([_native(_lent(data, *found))])


def _lent(data, shape, kind, head):
    """The array whose elements follow a head."""
    import numpy as np

    return _arrays.reshaped(np.frombuffer(data, _dtype(kind), offset=head), shape)


def _dtype(kind):
    """What NumPy calls a type in a file."""
    return f"<{kind[0]}{int(kind[1:]) // 8}"


def _native(values):
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


def _values(data):
    for shape, _, parts in _binfmt.futhark_read(data):
        values = _arrays.array(parts)
        yield _arrays.reshaped(values, shape) if shape else values[0]


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


construct_binary_value = dumpb


def dump_text(v, f):
    """Writes a value as text to a file object of text."""
    f.write(dumps(v))


def _given(v):
    import numpy as np

    values = np.asarray(v)
    kind = _arrays.number_type(values.dtype)
    if kind is None:
        raise TypeError(f"Futhark has no type for {values.dtype}")
    return (list(values.shape), kind, _arrays.little(values))
