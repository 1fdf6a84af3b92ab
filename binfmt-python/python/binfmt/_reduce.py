"""Sums, means and ends of columns that memory need not hold: in parts, and to the last bit as NumPy has them of the whole."""

import functools
import itertools

from binfmt import _arrays
from binfmt._error import Error

NAMES = ("sum", "mean", "min", "max", "var", "std")
# bytes of a column that is not kept for one of them, and of a part of it
_LARGE, _PART = 256 << 20, 1 << 20
# values that NumPy adds by itself
_LEAF = 1 << 16


def of(column, name, *args, **kwargs):
    """What the method of the array does."""
    ddof = kwargs.get("ddof", 0) if name in ("var", "std") else 0
    is_plain = not args and all(value is None for key, value in kwargs.items() if key != "ddof" or name not in ("var", "std"))
    column = _Column(column) if is_plain and column._values is None else column
    if isinstance(column, _Column):
        if column.takes(name) and column.is_large():
            return column.reduced(name, ddof)
        try:
            column.of._held()
        except MemoryError:
            if not column.takes(name):
                raise
            return column.reduced(name, ddof)
        column = column.of
    return getattr(column._held(), name)(*args, **kwargs)


class _Column:
    """A column and what its array is."""

    def __init__(self, of):
        self.of = of
        self.table, self.field = of._table, of.field
        # without rows
        values = _arrays.array(self.table._raw.read([self.field.position], (0, 0), [])[0], self.field.logical)
        self.dtype, self.is_masked = values.dtype, _is_masked(values)
        self.each = _product(values.shape[1:])

    def takes(self, name):
        kind, logical = self.dtype.kind, self.field.logical
        if logical is not None and logical[0] == "tensor" and logical[1] != "C":
            return False
        if name in ("min", "max"):
            return kind in "biufmM"
        if kind not in "biuf" or kind == "f" and self.dtype.itemsize not in (4, 8):
            return False
        # integers are added in whatever order, as floats one buffer after the other
        return not (self.is_masked and name in ("var", "std")) and (kind != "f" and name in ("sum", "mean") or _order() is not None)

    def is_large(self):
        rows = self.table.num_rows
        return rows is not None and rows * self.each * self.dtype.itemsize > _LARGE

    def parts(self):
        """The values in the order of memory, zero or the like where one is missing; and how many are there."""
        table = self.table
        rows = max(1, _PART // max(1, self.each * self.dtype.itemsize))
        for _, (part,) in table._raw.batches([self.field.position], table._rows, rows):
            yield _arrays.array(part, self.field.logical)

    def reduced(self, name, ddof):
        if name in ("min", "max"):
            return self.end(name)
        total, there = self.total(name)
        if name == "sum":
            return total if there else _masked()
        return self.mean(total, there) if name == "mean" else self.spread(name, total, there, ddof)

    def end(self, name):
        import numpy as np

        ends = [part.min() if name == "min" else part.max() for part in self.parts() if part.size]
        there = [one for one in ends if one is not np.ma.masked]
        if not there:
            return _masked()
        all_ends = np.array(there, self.dtype)
        all_ends = np.ma.MaskedArray(all_ends, np.zeros(len(there), bool)) if self.is_masked else all_ends
        return getattr(all_ends, name)()

    def total(self, name):
        """The sum that is wanted for a result, and how many values there are."""
        there = 0

        def flat():
            nonlocal there
            for part in self.parts():
                there += part.count() if self.is_masked else part.size
                yield (part.filled(0) if self.is_masked else part).reshape(-1)

        as_floats = name != "sum" and self.dtype.kind != "f" and (not self.is_masked or _averages_floats())
        total = _added(flat(), None if self.dtype.kind != "f" else self.size(), "f8" if as_floats else None)
        return total, there

    def size(self):
        return len(self.table) * self.each

    def mean(self, total, there):
        import numpy as np

        if self.is_masked:
            return total * 1.0 / np.intp(there) if there else _masked()
        return total.dtype.type(total / np.intp(there))

    def spread(self, name, total, there, ddof):
        import numpy as np

        mean = np.array([total])
        mean = np.true_divide(mean, np.intp(there), out=mean, casting="unsafe")

        def squares():
            for part in self.parts():
                apart = part.reshape(-1) - mean
                yield np.multiply(apart, apart, out=apart)

        total = _added(squares(), self.size(), None)
        found = total.dtype.type(total / np.maximum(np.intp(there) - ddof, 0))
        return found if name == "var" else found.dtype.type(np.sqrt(found))


def _added(parts, size, dtype):
    """The sum of arrays. `size` is how many numbers they have if those are floats, whose sum depends on the order."""
    import numpy as np

    if size is not None and _order() == "halves":
        leaves = (np.add.reduce(leaf) for leaf in _cut(parts, _leaves(size)))
        return _halves(leaves, size)
    total = None
    for part in _cut(parts, itertools.repeat(_LEAF // np.getbufsize() * np.getbufsize() or np.getbufsize())):
        more = {} if total is None else {"initial": total}
        total = np.add.reduce(part, dtype=dtype, **more)
    return total


def _halves(leaves, size):
    """The sum of the sums of halves, as NumPy takes them."""
    if size <= _LEAF:
        leaf = next(leaves, None)
        if leaf is None:
            raise Error("the file has become shorter while it was read")
        return leaf
    half = size // 2 - size // 2 % 8
    first = _halves(leaves, half)
    return first + _halves(leaves, size - half)


def _leaves(size):
    """How many values the halves of halves have, which are small enough."""
    if size <= _LEAF:
        yield size
    else:
        half = size // 2 - size // 2 % 8
        yield from _leaves(half)
        yield from _leaves(size - half)


def _cut(parts, sizes):
    """The same values in arrays of these sizes."""
    import numpy as np

    held, there = [], 0
    for size in sizes:
        while there < size:
            more = next(parts, None)
            if more is None:
                break
            held.append(more)
            there += len(more)
        some, left = [], min(size, there)
        if not left:
            return
        there -= left
        while left:
            first = held[0]
            some.append(first[:left])
            left -= len(some[-1])
            held[:1] = [first[len(some[-1]) :]] if len(first) > len(some[-1]) else []
        yield some[0] if len(some) == 1 else np.concatenate(some)


@functools.cache
def _order():
    """How this NumPy adds floats: the halves of all of them, or one buffer after the other; `None` if in a way that is not known here."""
    import numpy as np

    # no sum of them is exact
    values = np.sqrt(np.arange(1.0, 3 * _LEAF + 3 * np.getbufsize() // 2))
    whole = np.add.reduce(values)
    by_halves = _halves((np.add.reduce(leaf) for leaf in _cut(iter([values]), _leaves(len(values)))), len(values))
    if whole == by_halves:
        return "halves"
    total = 0.0
    for start in range(0, len(values), np.getbufsize()):
        total = np.add.reduce(values[start : start + np.getbufsize()], initial=total)
    return "buffers" if whole == total else None


@functools.cache
def _averages_floats():
    """Whether the mean of integers, of which some may be missing, is that of floats."""
    import numpy as np

    return np.ma.MaskedArray([1 << 62] * 3, [False] * 3).mean() > 0


def _is_masked(values):
    import numpy as np

    return isinstance(values, np.ma.MaskedArray)


def _masked():
    import numpy as np

    return np.ma.masked


def _product(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product
