"""Tables as data frames."""

import functools
from importlib.util import find_spec

from binfmt import _arrays
from binfmt._error import Error


# columns of a frame whose names are kept for the next one
_FEW = 100


def _flat(name, values):
    """The columns that an array becomes: those of its fields if it is of records."""
    if values.dtype.names is None:
        yield name, values
        return
    for field in values.dtype.names:
        yield from _flat(f"{name}.{field}", values[field])


def to_pandas(table):
    """A `pandas.DataFrame`."""
    import pandas as pd

    fields = [table._all.fields[column] for column in table._columns]
    columns = {}
    for field, parts in zip(fields, _parts(pd, table, fields)):
        if parts[0] == "numbers" and field.logical is None:
            columns[field.name] = _arrays.array(parts)
            continue
        if parts[0] == "arrow":
            columns[field.name] = _text(pd, parts)
            continue
        for name, part in _flat(field.name, _arrays.array(parts, field.logical)):
            columns[name] = _pandas(pd, part)
    return frame(pd, columns) if columns else pd.DataFrame(index=range(len(table)))


def frame(pd, columns):
    """A data frame over these arrays, which are those of `_pandas`."""
    make = _of_blocks()
    if make is None:
        return pd.DataFrame(columns, copy=False)
    import numpy as np

    blocks = []
    for place, array in enumerate(columns.values()):
        rows = len(array)
        if type(array) is np.ndarray and array.dtype.kind in "biufc":
            array = array.reshape(1, rows)
        elif not isinstance(array, pd.api.extensions.ExtensionArray):
            # objects and times, of which pandas finds out more
            return pd.DataFrame(columns, copy=False)
        blocks.append((array, np.array([place])))
    names = _names(tuple(columns)) if len(columns) <= _FEW else pd.Index(list(columns))
    # a view, since who gives the names of one frame a name means no other
    return make(blocks, pd.RangeIndex(rows), names.view())


@functools.cache
def _of_blocks():
    """What pandas has for those who know the blocks of a frame: many times as fast as to let it find out. `None` before version 3."""
    try:
        import pandas
        from pandas.api.internals import create_dataframe_from_blocks
    except ImportError:
        return None
    return create_dataframe_from_blocks if _is_three(pandas) else None


@functools.lru_cache(maxsize=256)
def _names(names):
    """The names of columns as pandas has them, which takes it longer than all else about a small frame. Nobody can write to their memory."""
    import pandas as pd

    return pd.Index(list(names))


def _is_three(pd):
    return int(pd.__version__.partition(".")[0]) >= 3


def _parts(pd, table, fields):
    """The parts of all columns; of texts arrays of Arrow where pandas keeps them so: no object is made for each. Not without pyarrow, and not if
    one is not UTF-8."""
    places = [field.position for field in fields]
    texts = [field.position for field in fields if field.type in ("text", "text?")]
    if texts and _text_type() is not None:
        try:
            return table._raw.read_frame(places, table._rows, texts)
        except Error:
            # told by whoever reads the columns as objects, if it is not about UTF-8
            pass
    return table._raw.read_frame(places, table._rows)


@functools.cache
def _text_type():
    """The type of texts in memory of Arrow, if pandas has them so. To look for what is not there takes as long as to read a small file."""
    import numpy as np
    import pandas as pd

    return pd.StringDtype("pyarrow", na_value=np.nan) if _is_three(pd) and find_spec("pyarrow") is not None else None


class _Capsules:
    """What pyarrow takes as an array."""

    __slots__ = ("_parts",)

    def __init__(self, parts):
        self._parts = parts

    def __arrow_c_array__(self, requested_schema=None):
        return self._parts[1:]


def _text(pd, parts):
    import pyarrow as pa

    return _text_type().__from_arrow__(pa.array(_Capsules(parts)))


def _objects(pd, values):
    """Objects as a column of `str`, if they are texts that pandas can hold so."""
    texts = all(value is None or isinstance(value, str) for value in values)
    if not texts or not len(values) or not _is_three(pd):
        return values
    try:
        return pd.array(values, dtype="str")
    except UnicodeError:
        # lone surrogates, for bytes that are not UTF-8
        return pd.Series(values, dtype=object)


def _times(pd, values):
    """Times as pandas has them, and as objects those that are too far away for it."""
    import numpy as np

    if isinstance(values, np.ma.MaskedArray):
        values = values.filled(np.array("NaT", values.dtype))
    try:
        return pd.Series(values, copy=False)
    except ValueError:
        return pd.Series(_arrays._times_of(values), dtype=object)


def _pandas(pd, values):
    import numpy as np

    if values.ndim > 1:
        return pd.Series(_arrays._objects(list(values)))
    if values.dtype == object:
        return _objects(pd, values)
    if values.dtype.kind in "mM":
        return _times(pd, values)
    if values.dtype.kind == "S":
        return _objects(pd, _arrays._objects([text.decode("utf-8", "surrogateescape") for text in values.tolist()]))
    if not isinstance(values, np.ma.MaskedArray):
        return values
    data, mask = values.data, np.ma.getmaskarray(values)
    kind = data.dtype.kind
    if kind in "fc":
        data[mask] = np.nan
        return data
    if kind in "iu":
        return pd.arrays.IntegerArray(data, mask)
    if kind == "b":
        return pd.arrays.BooleanArray(data, mask)
    return values.astype(object).filled(None)


def to_polars(stream):
    """A `polars.DataFrame`."""
    import polars as pl

    return pl.DataFrame(stream)
