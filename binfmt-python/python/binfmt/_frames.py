"""Tables as data frames."""

import functools
from importlib.util import find_spec

from binfmt import _arrays
from binfmt._error import Error


# columns of a frame whose names are kept for the next one
_FEW = 100
# rows below which columns of one type come in one memory: NumPy and pandas take longer for a column than to copy it
_SMALL = 1024


def _flat(name, values):
    """The columns that an array becomes: those of its fields if it is of records."""
    if values.dtype.names is None:
        yield name, values
        return
    for field in values.dtype.names:
        yield from _flat(f"{name}.{field}", values[field])


def to_pandas(table):
    """A `pandas.DataFrame`, with the units in its `attrs`."""
    import pandas as pd

    fields = [table._all.fields[column] for column in table._columns]
    parts, few, texts = _parts(table, fields)
    names, arrays, at = [], [], []
    for field, part in zip(fields, parts):
        at.append(len(names))
        if part is None:
            # among the few, or the texts
            names.append(field.name)
            arrays.append(None)
            continue
        for name, values in _flat(field.name, _arrays.array(part, field.logical)):
            names.append(name)
            arrays.append(_pandas(pd, values))
    if texts is not None:
        places, *capsules = texts
        for place, text in zip(places, _texts_of(capsules)):
            arrays[at[place]] = text
    blocks = [([at[place] for place in places], _arrays.array(block)) for places, block in few]
    made = _frame(pd, names, arrays, blocks) if names else pd.DataFrame(index=range(len(table)))
    units = {field.name: field.metadata["units"] for field in fields if "units" in field.metadata}
    if units:
        made.attrs["units"] = units
    parameters = [field.name for field in fields if "sdds:parameter" in field.metadata]
    if parameters:
        made.attrs["parameters"] = parameters
    return made


def frame(pd, columns):
    """A data frame over these arrays, which are those of `_pandas`."""
    return _frame(pd, list(columns), list(columns.values()), [])


def _frame(pd, names, arrays, few):
    """The same of columns of which some are in blocks of several: their places, and the values of one column after the other."""
    make = _of_blocks()
    if make is None:
        return _of_columns(pd, names, arrays, few)
    import numpy as np

    blocks, rows = [], 0
    for places, values in few:
        rows = len(values) // len(places)
        blocks.append((values.reshape(len(places), rows), np.array(places)))
    for place, array in enumerate(arrays):
        if array is None:
            continue
        rows = len(array)
        if isinstance(array, pd.Series):
            # what its `.values` lends cannot be written to
            array = array.array if array.dtype.kind in "mM" else array.to_numpy(copy=True)
        if isinstance(array, np.ndarray):
            if array.dtype.kind not in "biufcmMO":
                # of which pandas makes something else
                return _of_columns(pd, names, arrays, few)
            array = array.reshape(1, rows)
        blocks.append((array, np.array([place])))
    index = _names(tuple(names)) if len(names) <= _FEW else pd.Index(names)
    # a view, since who gives the names of one frame a name means no other
    return make(blocks, pd.RangeIndex(rows), index.view())


def _of_columns(pd, names, arrays, few):
    """The same as pandas itself makes it, a column at a time."""
    for places, values in few:
        for place, column in zip(places, values.reshape(len(places), -1)):
            arrays[place] = column
    return pd.DataFrame(dict(zip(names, arrays)), copy=False)


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


def _parts(table, fields):
    """The parts of the columns, blocks of those that have few rows, and the texts as a batch of Arrow where pandas keeps them so: no object is made
    for each. Not without pyarrow, and not if one is not UTF-8."""
    places, few = [field.position for field in fields], 0 if _of_blocks() is None else _SMALL
    texts = [field.position for field in fields if field.type in ("text", "text?")]
    if texts and _text_type() is not None:
        try:
            return table._raw.read_frame(places, table._rows, texts, few)
        except Error:
            # told by whoever reads the columns as objects, if it is not about UTF-8
            pass
    return table._raw.read_frame(places, table._rows, [], few)


@functools.cache
def _text_type():
    """The type of texts in memory of Arrow, if pandas has them so. To look for what is not there takes as long as to read a small file."""
    import numpy as np
    import pandas as pd

    return pd.StringDtype("pyarrow", na_value=np.nan) if _is_three(pd) and find_spec("pyarrow") is not None else None


class _Capsules:
    """What pyarrow takes as a batch."""

    __slots__ = ("_parts",)

    def __init__(self, parts):
        self._parts = parts

    def __arrow_c_array__(self, requested_schema=None):
        return self._parts


def _texts_of(capsules):
    """The columns of a batch of texts."""
    import pyarrow as pa

    return [_strings_of(column) for column in pa.record_batch(_Capsules(capsules)).columns]


def _strings_of(array):
    """An array of Arrow as a column of `str`."""
    from pandas.arrays import ArrowStringArray

    return ArrowStringArray(array, dtype=_text_type())


def _objects(pd, values):
    """Objects as a column of `str`, if they are texts."""
    return _texts(pd, values) if len(values) and all(value is None or isinstance(value, str) for value in values) else values


def _texts(pd, values):
    """Texts among objects as a column of `str`, if pandas can hold them so."""
    if not _is_three(pd):
        return values
    try:
        if _text_type() is None:
            return pd.array(values, dtype="str")
        import pyarrow as pa

        return _strings_of(pa.array(values, pa.large_string()))
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
        return _texts(pd, _arrays._objects([text.decode("utf-8", "surrogateescape") for text in values.tolist()]))
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
