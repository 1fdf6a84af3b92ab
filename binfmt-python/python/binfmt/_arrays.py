"""Columns as NumPy arrays, and back to what the Rust half takes.

The Rust half gives a column as a tuple of its kind and its parts (`parts.rs`); what its values mean is a `logical`: a tuple of a name and its
arguments, as in `Field.logical`.
"""

import datetime
import sys

from binfmt._error import Error


def array(parts, logical=None):
    """A column as an array: over the memory of the decoder where its values are numbers, else of objects.

    Values that may be missing are a masked array; of text, lists and the like an array of objects, with `None` for a missing one.
    """
    return _MAKERS[parts[0]](parts, logical)


def reshaped(values, shape):
    """The same values with these dimensions. A file may say dimensions, beside one of 0, that no array has."""
    try:
        return values.reshape(shape)
    except ValueError as e:
        raise Error(f"an array of dimensions {list(shape)} is not one that NumPy has: {e}") from None


def lock(values):
    """Lets nobody write to an array."""
    import numpy as np

    for part in (values, np.ma.getdata(values), np.ma.getmask(values)):
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
    if values.dtype == object:
        for one in np.ma.getdata(values).flat:
            _lock_inside(one)


def _lock_inside(value):
    """The same for a value among objects: an array, or a record or list that has some."""
    import numpy as np

    if isinstance(value, np.ndarray):
        lock(value)
    elif isinstance(value, (dict, list, tuple)):
        for one in value.values() if isinstance(value, dict) else value:
            _lock_inside(one)


def codes(parts):
    """The codes of values that may be missing, and the code of one that is there; `None` for other columns."""
    import numpy as np

    return (np.asarray(parts[2]), parts[1]) if parts[0] == "nullable" else None


def _objects(values):
    import numpy as np

    # by assignment lists in a list would be another dimension
    return np.fromiter(values, dtype=object, count=len(values))


def _numbers(parts, logical):
    import numpy as np

    values = np.asarray(parts[1])
    kind = logical[0] if logical else None
    if kind == "timestamp":
        return values.astype("i8", copy=False).view(f"M8[{logical[1]}]")
    if kind == "duration":
        return values.astype("i8", copy=False).view(f"m8[{logical[1]}]")
    if kind == "character" and values.dtype.itemsize == 1:
        return values.view("S1")
    return values


def _strings(parts, logical):
    return _objects(parts[1].to_list())


def _given(parts, logical):
    return _objects(parts[1])


def _fixed_bytes(parts, logical):
    import numpy as np

    _, size, rows, memory = parts
    if size == 0:
        return _objects([b""] * rows)
    values = np.asarray(memory)
    kind = logical[0] if logical else None
    if kind == "x87" and size == 10:
        return _from_x87(values.reshape(rows, 10))
    return values.view(f"S{size}" if kind in ("character", "text") else f"V{size}")


def _from_x87(tens):
    """The ten bytes of 80-bit numbers as `longdouble`, exactly if this machine has such numbers."""
    import numpy as np

    if np.finfo(np.longdouble).nmant == 63 and sys.byteorder == "little":
        padded = np.zeros((len(tens), np.dtype(np.longdouble).itemsize), np.uint8)
        padded[:, :10] = tens
        return padded.view(np.longdouble).reshape(len(tens))
    mantissa = tens[:, :8].copy().view("<u8").reshape(-1).astype(np.float64)
    head = tens[:, 8:].copy().view("<u2").reshape(-1).astype(np.int64)
    value = np.ldexp(mantissa, (head & 0x7FFF) - 16446)
    special = (head & 0x7FFF) == 0x7FFF
    fraction = tens[:, :8].copy().view("<u8").reshape(-1) << np.uint64(1)
    value[special] = np.where(fraction[special] == 0, np.inf, np.nan)
    return np.where(head & 0x8000, -value, value)


def _to_x87(values):
    import numpy as np

    if np.finfo(np.longdouble).nmant != 63 or sys.byteorder != "little":
        raise TypeError("this machine does not have numbers of 80 bits")
    whole = np.ascontiguousarray(values, dtype=np.longdouble)
    return whole.view(np.uint8).reshape(len(whole), whole.dtype.itemsize)[:, :10]


def _nullable(parts, logical):
    import numpy as np

    _, present, memory, inner = parts
    values = array(inner, logical)
    mask = np.asarray(memory) != present
    if values.dtype == object:
        values[mask] = None
        return values
    if values.ndim > 1:
        mask = np.broadcast_to(mask.reshape(-1, *[1] * (values.ndim - 1)), values.shape)
    return np.ma.MaskedArray(values, mask=mask)


def _list(parts, logical):
    import numpy as np

    return _cut(array(parts[2], logical), np.asarray(parts[1]))


def _cut(items, offsets):
    """Views of the items between two offsets, each in its row."""
    import numpy as np

    # as plain integers, and without a loop of Python, this is several times as fast
    places = offsets.tolist()
    return np.fromiter(map(items.__getitem__, map(slice, places, places[1:])), dtype=object, count=len(places) - 1)


def _shaped(parts, logical):
    """Arrays with dimensions of their own in each row."""
    import numpy as np

    ranks, sizes = map(np.asarray, parts[1])
    made = _cut(array(parts[3], logical), np.asarray(parts[2]))
    if (np.diff(ranks) != 1).any():
        ranks, sizes = ranks.tolist(), sizes.tolist()
        for row, values in enumerate(made):
            made[row] = reshaped(values, sizes[ranks[row] : ranks[row + 1]] + list(values.shape[1:]))
    return made


def _array(parts, logical):
    _, length, rows, inner = parts
    kind = logical[0] if logical else None
    is_pair = kind == "complex" and length == 2 and inner[0] == "numbers"
    items = array(inner, None if kind == "tensor" or is_pair else logical)
    if is_pair and items.dtype.kind == "f":
        return items.view(f"c{2 * items.dtype.itemsize}")
    if kind == "tensor":
        _, order, shape = logical
        if order == "C":
            return reshaped(items, (rows, *shape))
        turned = reshaped(items, (rows, *reversed(shape)))
        return turned.transpose(0, *range(turned.ndim - 1, 0, -1))
    return items.reshape(rows, length, *items.shape[1:])


def _record(parts, logical):
    import numpy as np

    _, rows, fields = parts
    return structured({name: array(field) for name, field in fields}, rows)


def structured(arrays, rows):
    """One array of records of these arrays; masked if one of them is."""
    import numpy as np

    types = [(name, values.dtype, values.shape[1:]) for name, values in arrays.items()]
    masked = any(isinstance(values, np.ma.MaskedArray) for values in arrays.values())
    made = (np.ma if masked else np).empty(rows, dtype=types)
    for name, values in arrays.items():
        made[name] = values
    return made


_MAKERS = {
    "array": _array,
    "bytes": _strings,
    "fixed_bytes": _fixed_bytes,
    "list": _list,
    "nullable": _nullable,
    "numbers": _numbers,
    "objects": _given,
    "record": _record,
    "shaped": _shaped,
    "text": _strings,
}


def listed(values):
    """An array as objects of Python in lists: times that `datetime` does not hold stay those of NumPy."""
    if values.dtype.names is not None and values.ndim == 1:
        fields = [listed(values[name]) for name in values.dtype.names]
        return list(zip(*fields))
    if values.dtype.kind not in "mM":
        return values.tolist()
    return _times_of(values).tolist()


def _times_of(values):
    """Times as objects, `None` where there is none."""
    import numpy as np

    data, gone = np.ma.getdata(values), np.ma.getmaskarray(values) | np.isnat(values)
    made = data.astype(object)
    # finer than microseconds
    finer = {"ns": 10**3, "ps": 10**6, "fs": 10**9, "as": 10**12}.get(np.datetime_data(data.dtype)[0])
    if finer is not None:
        # by integers, as NumPy refuses to convert the first and last of its times
        rounded, rest = np.divmod(data.view("i8"), finer)
        made = rounded.view(f"{data.dtype.kind}8[us]").astype(object)
        _keep(made, data, ~gone & (rest != 0))
    # years and months that have no number of days, and what is too long ago
    _keep(made, data, np.frompyfunc(lambda one: isinstance(one, int), 1, 1)(made).astype(bool) & ~gone)
    made[gone] = None
    return made


def _keep(made, data, where):
    """As NumPy has them."""
    for place in zip(*where.nonzero()):
        made[place] = data[place]


def shaped(parts, shape):
    """An array of these dimensions: a value of a layout."""
    # one of many small ones, for which each call counts
    values = _MAKERS[parts[0]](parts, None)
    return values if len(shape) == 1 else reshaped(values, shape)


class Grid:
    """An array on its way into a value: with its shape, or as lists in lists."""

    __slots__ = ("nested", "shape", "values")

    def __init__(self, values):
        self.shape = list(values.shape)
        self.values = values.reshape(-1).tolist()
        self.nested = values.tolist()


def plain(value):
    """What a value of another type means to a layout: arrays, missing values, records of the decorator, mappings, iterables."""
    from binfmt._missing import Missing

    if isinstance(value, Missing):
        return {"missing": value.code}
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if value is numpy.ma.masked:
            return None
        if isinstance(value, numpy.ndarray):
            return Grid(value)
        if isinstance(value, numpy.generic):
            item = value.item()
            # what is wider than the numbers of Python stays what it is
            if isinstance(item, numpy.generic):
                return complex(item) if isinstance(item, numpy.complexfloating) else float(item)
            return item
    if hasattr(type(value), "__binfmt_fields__"):
        return {name: getattr(value, name) for name in type(value).__binfmt_fields__}
    if hasattr(value, "keys"):
        return {str(key): value[key] for key in value.keys()}
    if isinstance(value, memoryview):
        return bytes(value)
    if hasattr(value, "__index__"):
        return int(value)
    if hasattr(value, "__float__"):
        return float(value)
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"a value of type {type(value).__name__} is not one that a layout has") from None


_NAMES = {"u1": "u8", "u2": "u16", "u4": "u32", "u8": "u64", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64"}
_NAMES |= {"f2": "f16", "f4": "f32", "f8": "f64", "b1": "bool"}


def number_type(dtype):
    """The name of a type of NumPy in the library; `None` if it has none."""
    return _NAMES.get(f"{dtype.kind}{dtype.itemsize}")


def little(values):
    """The bytes of numbers, little-endian."""
    import numpy as np

    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes()


def _inner(values):
    """The lists and arrays in a list or an array, as an iterator; `None` of everything else."""
    import numpy as np

    holds = (list, tuple, np.ndarray)
    if isinstance(values, np.ndarray):
        if values.dtype != object:
            return None
        values = values.reshape(-1).tolist()
    return iter([value for value in values if isinstance(value, holds)]) if isinstance(values, holds) else None


def refuse_endless(values):
    """Refuses a list or an array that is in itself: as lists in lists it has no end."""
    inner = _inner(values)
    # what is above a value, and what was looked at already: the same list may be in several places
    above, seen = [(values, inner)] if inner is not None else [], set()
    inside = {id(values)}
    while above:
        holder, inner = above[-1]
        for value in inner:
            if id(value) in inside:
                raise ValueError("a list or an array contains itself")
            below = _inner(value) if id(value) not in seen else None
            if below is not None:
                above.append((value, below))
                inside.add(id(value))
                break
        else:
            above.pop()
            inside.discard(id(holder))
            seen.add(id(holder))


def parts_of(values):
    """The parts of a column that an array, a list or a series becomes."""
    import numpy as np

    values = values if isinstance(values, np.ndarray) else _from_values(values)
    if values.dtype.names is not None:
        return ("record", len(values), [(name, parts_of(values[name])) for name in values.dtype.names])
    if isinstance(values, np.ma.MaskedArray) and values.dtype == object and values.ndim == 1:
        return _object_parts(values.tolist())
    if isinstance(values, np.ma.MaskedArray):
        present = 255
        held = np.where(np.ma.getmaskarray(values), 0, present).astype(np.uint8)
        filled = values.data.copy()
        filled[np.ma.getmaskarray(values)] = np.zeros((), filled.dtype)
        return ("nullable", present, held.tobytes(), parts_of(filled))
    if values.ndim > 1:
        rows, length = values.shape[:2]
        return ("array", length, rows, parts_of(values.reshape(rows * length, *values.shape[2:])))
    if values.ndim == 0:
        raise TypeError("a single value is not a column")
    return _flat_parts(values)


def _flat_parts(values):
    import numpy as np

    values = typed(values)
    kind = values.dtype.kind
    if kind == "O":
        return _object_parts(values.tolist())
    if isinstance(values, np.ma.MaskedArray):
        return parts_of(values)
    if kind in "mMcfiu":
        values = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
    if kind in "UT":
        return ("text", values.tolist())
    if kind == "S":
        return ("text", values.tolist())
    if kind == "V":
        return ("fixed_bytes", values.dtype.itemsize, len(values), values.tobytes())
    if kind in "mM":
        return ("numbers", "i64", little(values.view("i8")))
    if kind == "c":
        half = values.view(f"f{values.dtype.itemsize // 2}")
        return ("array", 2, len(values), parts_of(half))
    if values.dtype == np.longdouble and values.dtype.itemsize > 8:
        return ("fixed_bytes", 10, len(values), _to_x87(values).tobytes())
    name = number_type(values.dtype)
    if name is None:
        raise TypeError(f"values of type {values.dtype} cannot be written")
    return ("numbers", name, little(values))


def _object_parts(values):
    """Texts, bytes or lists, of which some may be missing."""
    import numpy as np

    wrong = next((value for value in values if isinstance(value, (dict, set, frozenset))), None)
    if wrong is not None:
        raise TypeError(f"values of type {type(wrong).__name__} cannot be written: give a structured array, or a column for each field")
    absent = [value is None or value != value if not hasattr(value, "__len__") else False for value in values]
    if any(absent):
        there = [value for value, gone in zip(values, absent) if not gone]
        first = there[0] if there else ""
        blank = first[:0] if hasattr(first, "__len__") else 0 if isinstance(first, (int, np.integer)) else first
        filled = [blank if gone else value for value, gone in zip(values, absent)]
        held = np.where(absent, 0, 255).astype(np.uint8).tobytes()
        return ("nullable", 255, held, parts_of(_from_values(filled)))
    if all(isinstance(value, str) for value in values):
        return ("text", values)
    if all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) for value in values):
        return _wide_parts(values)
    if all(isinstance(value, (bytes, bytearray)) for value in values):
        return ("bytes", [bytes(value) for value in values])
    # texts beside others would be lists of characters
    single = [value for value in values if not hasattr(value, "__len__")]
    single += [value for value in values if isinstance(value, (str, bytes, bytearray))]
    wrong = next(iter(single), None)
    if wrong is not None:
        other = next((value for value in values if type(value) is not type(wrong)), None)
        beside = "" if other is None else f" beside {type(other).__name__}"
        raise TypeError(f"values of type {type(wrong).__name__}{beside} cannot be written")
    rows = [value if isinstance(value, np.ndarray) else _from_values(value) for value in values]
    offsets = np.zeros(len(rows) + 1, "<u8")
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    # an empty list has no type of its own
    rows = [row for row in rows if len(row)]
    masked = any(isinstance(row, np.ma.MaskedArray) for row in rows)
    items = (np.ma if masked else np).concatenate(rows) if rows else np.empty(0)
    if items.dtype.kind == "f":
        # one list of all of them
        flat = [value for row in rows for value in row.tolist() if value is not None]
        exact = _exact(flat, items)
        items = exact if len(exact) == len(items) and not masked else items
    return ("list", offsets.tobytes(), parts_of(items))


def _wide_parts(values):
    """Integers that are too wide for NumPy."""
    signed = min(values) < 0
    try:
        held = b"".join(int(value).to_bytes(16, "little", signed=signed) for value in values)
    except OverflowError:
        raise ValueError("integers of more than 128 bits, or of 128 bits beside negative ones, cannot be written") from None
    return ("numbers", "i128" if signed else "u128", held)


def typed(values):
    """Objects as an array of their own type, if they are numbers or times."""
    import numpy as np

    if values.dtype != object or values.ndim != 1:
        return values
    made = _from_values(values.tolist())
    # of those that are all missing the type is not known
    return values if made.dtype == object or np.ma.getmaskarray(made).all() else made


def _from_values(values):
    import numpy as np

    if hasattr(values, "__array__"):
        return np.asarray(values)
    values = _with_none(values)
    holds = (str, bytes, bytearray, list, tuple, np.ndarray)
    if any(value is None or isinstance(value, holds) for value in values):
        if not any(isinstance(value, holds) for value in values):
            mask = [value is None for value in values]
            there = _from_values([value for value in values if value is not None])
            filled = np.zeros(len(values), there.dtype)
            filled[~np.array(mask)] = there
            return np.ma.MaskedArray(filled, mask=mask)
        return _objects(values)
    if values and all(isinstance(value, (datetime.date, datetime.timedelta)) for value in values):
        return _times(values)
    made = np.asarray(values)
    return _exact(values, made) if made.dtype.kind == "f" else made


def _with_none(values):
    """A list in which what stands for a missing value is `None`."""
    signs = {id(getattr(module, name, None)) for module, name in ((sys.modules.get("numpy.ma"), "masked"), (sys.modules.get("pandas"), "NA"))}
    return [None if id(value) in signs else value for value in values]


def _times(values):
    """Dates, times or durations of Python. A time that knows its zone is one of UTC."""
    import numpy as np

    if all(isinstance(value, datetime.timedelta) for value in values):
        if any(getattr(value, "nanoseconds", 0) for value in values):
            return np.array([np.timedelta64(getattr(value, "asm8", value)) for value in values], "m8[ns]")
        made = np.array(values, "m8[us]")
        if any(abs(value) >= datetime.timedelta(microseconds=1 << 62) and int(one) != value // datetime.timedelta(microseconds=1) for value, one in zip(values, made.view("i8"))):
            raise ValueError("durations of more than 292271 years cannot be written")
        return made
    if all(type(value) is datetime.date for value in values):
        return np.array(values, "M8[D]")
    if not all(isinstance(value, datetime.datetime) for value in values):
        raise TypeError("dates, times and durations in one column cannot be written")
    if any(value.tzinfo is not None for value in values):
        if not all(value.tzinfo is not None for value in values):
            raise TypeError("times of which only some know their zone cannot be written")
        values = [value.astimezone(datetime.timezone.utc).replace(tzinfo=None) for value in values]
    if any(getattr(value, "nanosecond", 0) for value in values):
        return np.array([np.datetime64(getattr(value, "asm8", value)) for value in values], "M8[ns]")
    return np.array(values, "M8[us]")


def _exact(values, made):
    """The floats that integers have become, if they are the same numbers."""
    import numpy as np

    whole = [isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_)) for value in values]
    if all(whole) and values and min(values) >= 0 and max(int(value) for value in values) < 1 << 64:
        # NumPy makes floats of 2**64 - 1 and 0
        return np.asarray(values, np.uint64)
    for value in values:
        if isinstance(value, (int, np.integer)) and abs(int(value)) > 1 << 53 and int(float(value)) != int(value):
            raise ValueError(f"the integer {value} and the others have no common type that holds them")
    return made
