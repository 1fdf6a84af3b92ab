"""What an index wants of an array of which only a part is read."""

import operator

# of a dimension whose size is not known
ENDLESS = 1 << 62


def box_of(keys, shape, inner):
    """The box that an index wants: the first position of each dimension and the one after the last, and the index that gives the same of the box.

    `shape` are the dimensions that can be read in parts, after which there are `inner` more. `None` if NumPy must look at the whole array:
    the index is a mask of several dimensions, or none at all.

    >>> box_of((slice(2, 9, 3), -1), (10, 5), 0)
    ([(2, 9), (4, 5)], (slice(None, None, 3), 0))
    """
    dots = [place for place, key in enumerate(keys) if key is Ellipsis]
    used = len(keys) - len(dots) - sum(key is None for key in keys)
    left = len(shape) + inner - used
    if len(dots) > 1 or left < 0:
        return None
    spans, index = [], []
    for key in keys:
        if key is Ellipsis:
            spans += [(0, size) for size in shape[len(spans) :][:left]]
        elif key is not None and len(spans) < len(shape):
            part = _part_of(key, shape[len(spans)])
            if part is None:
                return None
            span, key = part
            spans.append(span)
        index.append(key)
    return [*spans, *((0, size) for size in shape[len(spans) :])], tuple(index)


def _part_of(key, size):
    """What an index of one dimension wants, and what it is in that."""
    if isinstance(key, slice):
        wanted = range(*key.indices(size))
        if not wanted:
            return (0, 0), slice(None)
        return (min(wanted[0], wanted[-1]), max(wanted[0], wanted[-1]) + 1), slice(None, None, wanted.step)
    if isinstance(key, bool):
        return None
    try:
        place = operator.index(key)
    except TypeError:
        return _list_of(key, size)
    if not -size <= place < size:
        raise IndexError(f"index {place} is out of bounds: there are {size}")
    return (place % size, place % size + 1), 0


def _list_of(key, size):
    """The same of a list of positions, or of flags."""
    import numpy as np

    try:
        places = np.asarray(key)
    except ValueError:
        return None
    if places.dtype == bool:
        if places.shape != (size,):
            return None
        places = places.nonzero()[0]
    if places.dtype.kind not in "iu" or not places.size:
        return None
    places = places.astype(np.int64)
    if (places < -size).any() or (places >= size).any():
        raise IndexError(f"an index of the list is out of bounds: there are {size}")
    places = np.where(places < 0, places + size, places)
    first = int(places.min())
    return (first, int(places.max()) + 1), places - first
