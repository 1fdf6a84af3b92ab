"""What the calls of both packages for SDDS need."""

from binfmt import _arrays

_DTYPES = {
    "short": "i2", "ushort": "u2", "long": "i4", "ulong": "u4", "long64": "i8", "ulong64": "u8", "float": "f4", "double": "f8", "character": "u1",
}  # fmt: skip


def parts_of(values, kind):
    """Values as a column of a type of SDDS."""
    import numpy as np

    if kind == "string":
        return ("text", [value if isinstance(value, (str, bytes)) else str(value) for value in values])
    if kind == "longdouble":
        return _arrays.parts_of(np.asarray(values, dtype=np.longdouble))
    if kind == "character":
        values = [_byte(value) for value in values]
    given = np.asarray(values)
    made = given.astype(_DTYPES[kind])
    if made.dtype.kind in "iu" and given.dtype.kind in "iuf" and not np.array_equal(made, given):
        raise ValueError(f"values that do not fit in {kind}")
    return _arrays.parts_of(made)


def _byte(value):
    """The byte of a `character`: text has its number in Latin-1, and none is a NUL."""
    if isinstance(value, bytes):
        return value[0] if value else 0
    number = (ord(value) if value else 0) if isinstance(value, str) else int(value)
    if not -128 <= number < 256:
        raise ValueError("values that do not fit in character")
    return number & 255


def characters(values):
    """An array of `character` as texts."""
    return _arrays._objects([one.decode("latin-1") for one in values.reshape(-1).tolist()]).reshape(values.shape)


def dtype_of(kind):
    """What NumPy has values of a type in."""
    import numpy as np

    return np.dtype({**_DTYPES, "longdouble": "g", "string": "O", "character": "O"}[kind])


def type_of(values):
    """The type for an array of NumPy."""
    import numpy as np

    if values.dtype.kind in "OU":
        return "string"
    found = next((kind for kind, code in _DTYPES.items() if kind != "character" and np.dtype(code) == values.dtype), None)
    if found is None:
        raise ValueError(f"SDDS has no type for {values.dtype}")
    return found
