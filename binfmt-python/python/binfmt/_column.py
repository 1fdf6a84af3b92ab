"""One column of a table."""

import functools
import operator

from binfmt import _arrays, _reduce
from binfmt._index import ENDLESS, box_of


# what the types of numbers begin with, also of those in lists of one length
_NUMBERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool")


class Column:
    """One column of a table. It is read when its values are used, and then kept.

    Use it like an array: NumPy functions, arithmetic and comparisons take it, and what an array has (`mean`, `max`, `astype`, ..) it has, too.
    The values that it keeps cannot be written to, nor can views of them such as `numpy.asarray(column)`; `to_numpy` gives an array that can.
    An index reads only what is wanted, from its first row to its last; of a dense array of TileDB the box. What lies between the places of an index
    with a step, or of a list, takes no memory. `sum`, `mean`, `min`, `max`, `var` and `std` of more than 256 MiB read it in parts and keep nothing:
    they are those of the whole array, to the last bit.

    >>> import binfmt
    >>> x = binfmt.open(b"\\x01\\x02\\x03", schema="(int8)")["a"]
    >>> x.mean(), x[1], (x * 2).tolist(), len(x)
    (np.float64(2.0), np.int8(2), [2, 4, 6], 3)
    """

    __slots__ = ("_table", "_values", "_codes", "field")

    def __init__(self, table, field):
        self._table = table
        self.field = field
        self._values = None
        self._codes = None

    @property
    def name(self):
        """What the column is called.

        >>> import binfmt
        >>> binfmt.open(b"\\x01", schema="<x:int8>")["x"].name
        'x'
        """
        return self.field.name

    @property
    def units(self):
        """The unit, if the file says one.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=s, units=m, type=float &end\\n&data mode=ascii &end\\n0\\n")["s"].units
        'm'
        """
        return self.field.units

    @property
    def description(self):
        """What the file says of the column, in words.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=s, description=place, type=float &end\\n&data mode=ascii &end\\n0\\n")["s"].description
        'place'
        """
        return self.field.description

    @property
    def metadata(self):
        """What the file says of the column.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=s, units=m, type=float &end\\n&data mode=ascii &end\\n0\\n")["s"].metadata["units"]
        'm'
        """
        return self.field.metadata

    def to_numpy(self):
        """The values as an array of your own: over the memory that the decoder has filled, without a copy, if they are numbers; of objects if
        they are texts, bytes or lists. Values that may be missing are a masked array, or `None` among objects.

        It is read for you, unless the column keeps its values because you have used it like an array: then it is a copy of them.

        >>> import binfmt
        >>> binfmt.open(b"\\xff\\x01\\x00\\x00", schema="(int8 null)")["a"].to_numpy()
        masked_array(data=[1, --],
                     mask=[False,  True],
               fill_value=np.int64(999999),
                    dtype=int8)
        """
        # of objects a copy would have the same arrays in it
        return self._read()[0] if self._values is None or self._values.dtype == object else self._values.copy()

    @property
    def dtype(self):
        """The type of the array, for which no values are read.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02", schema="(int8)")["a"].dtype
        dtype('int8')
        """
        if self._values is not None:
            return self._values.dtype
        return _arrays.array(self._table._raw.read([self.field.position], (0, 0), [])[0], self.field.logical).dtype

    def _held(self):
        """The values that this column keeps, which nobody may write to."""
        if self._values is None:
            self._values, self._codes = self._read()
            _arrays.lock(self._values)
        return self._values

    def _read(self):
        parts = self._table._read([self.field.position])[0]
        return self._reshaped(_arrays.array(parts, self.field.logical)), _arrays.codes(parts)

    def _reshaped(self, values):
        shape = self._table._dense_shape()
        if shape is None or values.shape[0] != _product(shape):
            return values
        return values.reshape(*shape, *values.shape[1:])

    @property
    def codes(self):
        """Of values that may be missing: the code of each missing one, and -1 of those that are there. `None` for other columns.

        >>> import binfmt
        >>> binfmt.open(b"\\xff\\x01\\x05\\x00", schema="(int8 null)")["a"].codes
        array([-1,  5], dtype=int16)
        """
        import numpy as np

        self._held()
        if self._codes is None:
            return None
        codes, present = self._codes
        return np.where(codes == present, np.int16(-1), codes.astype(np.int16))

    def filled(self, value):
        """The values as an ordinary array, with `value` for the missing ones.

        >>> import binfmt
        >>> binfmt.open(b"\\xff\\x01\\x00\\x00", schema="(int8 null)")["a"].filled(-1)
        array([ 1, -1], dtype=int8)
        """
        import numpy as np

        values = self.to_numpy()
        if isinstance(values, np.ma.MaskedArray):
            return values.filled(value)
        if values.dtype == object and self.field.type.endswith("?"):
            values[[one is None for one in values]] = value
        return values

    def to_list(self):
        """The values as objects of Python, `None` for missing ones.

        >>> import binfmt
        >>> binfmt.open(b"\\xff\\x01\\x00\\x00", schema="(int8 null)")["a"].to_list()
        [1, None]
        """
        return _arrays.listed(self._held())

    def to_pandas(self):
        """A `pandas.Series`, with the unit as `attrs["units"]` if the file says one; of records one of tuples.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02", schema="(int8)")["a"].to_pandas().tolist()
        [1, 2]
        """
        import pandas as frames

        from binfmt import _frames

        frame = _frames.to_pandas(self._table.select([self.name]))
        if self.name in frame.columns:
            series = frame[self.name]
            # those of a frame are the units of several
            series.attrs = {} if self.units is None else {"units": self.units}
            return series
        # records, of which a frame has the fields
        return frames.Series(_arrays._objects(self.to_list()), name=self.name)

    def to_polars(self):
        """A `polars.Series`.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02", schema="(int8)")["a"].to_polars().to_list()
        [1, 2]
        """
        return self._table.select([self.name]).to_polars()[self.name]

    def to_arrow(self):
        """A `pyarrow.Array`.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02", schema="(int8)")["a"].to_arrow().type
        DataType(int8)
        """
        import pyarrow

        return pyarrow.array(self)

    @property
    def shape(self):
        """As NumPy has it; the rows are counted if that is not known.

        >>> import binfmt
        >>> binfmt.open(bytes(12), layout="Row: record\\n  v: [u8; 3]")["v"].shape
        (4, 3)
        """
        dense = self._table._dense_shape()
        if dense is not None:
            return (*dense, *self._inner_shape())
        return (len(self._table), *self._inner_shape()) if self._values is None else self._values.shape

    def _inner_shape(self):
        logical = self.field.logical
        if logical and logical[0] == "tensor":
            return tuple(logical[2])
        kind = self.field.type.rstrip("?")
        shape = []
        while kind.startswith("["):
            kind, _, length = kind[1:-1].rpartition(";")
            if not length.strip().isdigit():
                break
            shape.append(int(length))
            kind = kind.strip().rstrip("?")
        if logical and logical[0] == "complex":
            shape.pop()
        return tuple(shape)

    @property
    def ndim(self):
        """How many dimensions there are.

        >>> import binfmt
        >>> binfmt.open(bytes(12), layout="Row: record\\n  v: [u8; 3]")["v"].ndim
        2
        """
        return len(self.shape)

    def __len__(self):
        return self.shape[0]

    def __array__(self, dtype=None, copy=None):
        import numpy as np

        held = self._held()
        if dtype is not None and np.dtype(dtype).kind in "iub" and np.ma.getmaskarray(held).any():
            raise TypeError(f"column {self.name!r} has missing values, which {np.dtype(dtype)} cannot be: take .filled(0)")
        values = self._filled(held)
        if dtype is not None and values.dtype != np.dtype(dtype):
            return values.astype(dtype)
        return values.copy() if copy else values

    @property
    def __array_interface__(self):
        # it takes long to import
        import re

        # others than numbers, all of them there, are made by `__array__`; they are not read for this
        kind = self.field.type if self.field.logical is None else re.sub(r"(time|duration)\[\w+\]", "i64", self.field.type)
        if not kind.lstrip("[").startswith(_NUMBERS) or "?" in kind or kind.count("[") > kind.count(";"):
            raise AttributeError("this column is not one memory of numbers")
        return self._held().__array_interface__

    def _filled(self, values):
        """An array that is not masked."""
        import numpy as np

        if isinstance(values, np.ma.MaskedArray):
            if values.dtype.kind in "fcmM":
                values = values.filled(np.nan if values.dtype.kind in "fc" else np.array("NaT", values.dtype))
            elif values.mask.any():
                raise TypeError(
                    f"column {self.name!r} has missing values, for which {values.dtype} has none: take .to_numpy(), a masked array, .to_pandas(), or .filled(0)"
                )
            else:
                values = values.data
        return values

    def __getitem__(self, key):
        if self._values is not None:
            return self._values[key]
        part = self._part(key)
        return self._held()[key] if part is None else part

    def _part(self, key):
        """What an index means, read alone; `None` if all must be read for it."""
        keys = key if isinstance(key, tuple) else (key,)
        shape = self._table._dense_shape() or self._rows_for(keys)
        box = None if shape is None else box_of(keys, shape, len(self._inner_shape()))
        if box is None:
            return None
        from binfmt import _thin

        return _thin.read(self, *box)

    def _rows_for(self, keys):
        """The number of rows, as far as an index must know it; `None` if they would be read twice."""
        first = keys[0] if keys else None
        if isinstance(first, slice) and (first.start or 0) >= 0 and (first.stop or -1) >= 0 and (first.step or 1) > 0:
            return (ENDLESS,)
        return None if self._table.num_rows is None else (self._table.num_rows,)

    def __iter__(self):
        return iter(self._held())

    def __getattr__(self, name):
        # what an array has
        import numpy as np

        if name.startswith("_"):
            raise AttributeError(f"a column has no attribute {name!r}")
        if name in _reduce.NAMES and self._values is None:
            return functools.partial(_reduce.of, self, name)
        try:
            # it is not read for what no array has
            getattr(np.ma.MaskedArray, name)
            return getattr(self._held(), name)
        except AttributeError:
            raise AttributeError(f"neither a column nor its array has an attribute {name!r}: it may be one of column.to_pandas()") from None

    def __dir__(self):
        # and what an array has, which is not read for this
        import numpy as np

        array = np.ma.MaskedArray if "?" in self.field.type else np.ndarray
        return [*object.__dir__(self), *(name for name in dir(array) if not name.startswith("_"))]

    def __bytes__(self):
        values = self._filled(self._held())
        if values.dtype.hasobject:
            raise TypeError(f"column {self.name!r} is not one memory: take .to_list()")
        return values.tobytes()

    def __dlpack__(self, **kwargs):
        import numpy as np

        # memory of their own, as many libraries take none that cannot be written to
        return np.ascontiguousarray(self._filled(self.to_numpy())).__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return (1, 0)

    def __arrow_c_array__(self, requested_schema=None):
        return self._table.select([self.name])._arrow_column(requested_schema)

    def __arrow_c_schema__(self):
        return self.__arrow_c_array__()[0]

    def __repr__(self):
        units = f" [{self.units}]" if self.units else ""
        if self._values is None:
            return f"<binfmt.Column {self.name!r}: {self.field.type}{units}, not read yet>"
        return f"<binfmt.Column {self.name!r}: {self.field.type}{units}>\n{self._values!r}"

    def __reduce__(self):
        return _of_table, (self._table, self.name)

    # an array decides what is equal, so a column is not a key
    __hash__ = None  # type: ignore[assignment]


def _of_table(table, name):
    return table[name]


def _product(shape):
    product = 1
    for size in shape:
        product *= size
    return product


def _plain(value):
    return value._held() if isinstance(value, Column) else value


def _operator(name):
    function = divmod if name == "divmod" else getattr(operator, name)
    return lambda self, other: function(self._held(), _plain(other))


def _unary(name):
    function = getattr(operator, name)
    return lambda self: function(self._held())


def _reflected(name):
    function = divmod if name == "divmod" else getattr(operator, name)
    return lambda self, other: function(_plain(other), self._held())


for _name in ("add", "divmod", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift"):
    setattr(Column, f"__{_name.strip('_')}__", _operator(_name))
    setattr(Column, f"__r{_name.strip('_')}__", _reflected(_name))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Column, f"__{_name}__", _operator(_name))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(Column, f"__{_name}__", _unary(_name))
