"""What an index with a step, or with a list of places, wants of a large column: it is read in parts, and what lies between is forgotten."""

from binfmt import _arrays
from binfmt._error import _made
from binfmt._index import ENDLESS

# values that are read at once, and how many of them are rather read than left out
_PART, _GAP = 1 << 20, 1 << 14


def read(column, spans, index):
    """The values of a column at an index of a box of it, as `box_of` gives them."""
    table, field = column._table, column.field
    inner = column._inner_shape()
    wants, thin = _wants(spans, index)
    if all(want is None for want in wants) or _product([stop - start for start, stop in spans], inner) <= 4 * _PART:
        return table._read_part(field, spans)[index]
    _check_room(column, [len(want) if want is not None else stop - start for want, (start, stop) in zip(wants, spans)], inner)
    if table._dense_shape() is not None or table._raw.seeks(field.position):
        values = _gathered(lambda box: table._read_part(field, box), spans, wants, 0, inner)
    else:
        values = _passed(table, field, spans[0], wants[0])
    return values[tuple(thin)]


def _wants(spans, index):
    """Of each dimension the places in its span that are wanted, `None` where all are, and the index of what has these only."""
    import numpy as np

    wants, left, dimension = [None] * len(spans), list(index), 0
    for place, key in enumerate(index):
        if key is None:
            continue
        if key is Ellipsis or dimension == len(spans):
            break
        start, stop = spans[dimension]
        if isinstance(key, slice) and key.step not in (None, 1, -1):
            # a span ends with the last place that is wanted, on either side
            wants[dimension] = range(0, stop - start, abs(key.step))
            left[place] = slice(None, None, 1 if key.step > 0 else -1)
        elif isinstance(key, np.ndarray):
            wants[dimension], again = np.unique(key, return_inverse=True)
            left[place] = again.reshape(key.shape)
        dimension += 1
    return wants, left


def _check_room(column, sizes, inner):
    """Whether there is memory for the result, before it is read in parts."""
    import numpy as np

    if max(sizes) >= ENDLESS // 2:
        return
    try:
        np.empty((*sizes, *inner), column.dtype)
    except (MemoryError, ValueError) as e:
        raise _made(f"{column.name}: {e}", "OutOfMemory", None, column.name) from None


def _gathered(read_box, spans, wants, dimension, inner):
    """The wanted places of a box, from the boxes that have some."""
    while dimension < len(wants) and wants[dimension] is None:
        dimension += 1
    if dimension == len(wants):
        return read_box(spans)
    start = spans[dimension][0]
    others = _product([stop - start for place, (start, stop) in enumerate(spans) if place != dimension], inner)
    parts = []
    for part in _parts(wants[dimension], max(others, 1)):
        first, last = int(part[0]), int(part[-1])
        box = [*spans[:dimension], (start + first, start + last + 1), *spans[dimension + 1 :]]
        values = _gathered(read_box, box, wants, dimension + 1, inner)
        thin = slice(None, None, part.step) if isinstance(part, range) else part - first
        # not a view, which would keep all that was read
        parts.append(values[(slice(None),) * dimension + (thin,)].copy() if len(part) <= last - first else values)
    return _joined(parts, dimension)


def _parts(want, each):
    """Wanted places that are read together, where a place has so many values."""
    import numpy as np

    if isinstance(want, range):
        few = max(1, _PART // (want.step * each)) if want.step * each <= _GAP else 1
        return (want[at : at + few] for at in range(0, len(want), few))
    cuts = np.flatnonzero((np.diff(want) * float(each) > _GAP) | (np.diff(want * each // _PART) > 0)) + 1
    return np.split(want, cuts)


def _passed(table, field, span, want):
    """The same of rows that are read one after the other."""
    import numpy as np

    rows = table._rows_between(*span)._rows
    parts, seen = [_arrays.array(table._raw.read([field.position], (0, 0), [])[0], field.logical)], 0
    for count, (part,) in table._raw.batches([field.position], rows, _PART // 16):
        values = _arrays.array(part, field.logical)
        if isinstance(want, range):
            parts.append(values[-seen % want.step :: want.step].copy())
        else:
            parts.append(values[want[slice(*np.searchsorted(want, (seen, seen + count)))] - seen])
        seen += count
    return _joined(parts, 0)


def _joined(parts, dimension):
    import numpy as np

    of = np.ma if isinstance(parts[0], np.ma.MaskedArray) else np
    return parts[0] if len(parts) == 1 else of.concatenate(parts, axis=dimension)


def _product(*shapes):
    product = 1
    for shape in shapes:
        for size in shape:
            product *= size
    return product
