"""Tables as data frames."""

from binfmt import _arrays


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

    texts = _texts(pd, table)
    columns = {}
    arrays = table.select([name for name in table.names if name not in texts])._arrays()
    for name in table.names:
        if name in texts:
            columns[name] = texts[name]
            continue
        for name, part in _flat(name, arrays[name]):
            columns[name] = _pandas(pd, part)
    return pd.DataFrame(columns, copy=False) if columns else pd.DataFrame(index=range(len(table)))


def _texts(pd, table):
    """The columns of text where pandas keeps them as Arrow does: no object is made for each. Nothing without pyarrow, and of texts that are
    not UTF-8."""
    names = [field.name for field in table.schema if field.type in ("text", "text?")]
    if not names or int(pd.__version__.split(".")[0]) < 3:
        return {}
    try:
        import numpy as np
        import pyarrow as pa

        found = table.select(names).to_arrow()
    except ImportError:
        return {}
    except pa.ArrowException:
        # told by whoever reads the columns one by one, if it is not about UTF-8
        return {}
    kind = pd.StringDtype("pyarrow", na_value=np.nan)
    return {name: kind.__from_arrow__(found[name]) for name in names}


def _objects(pd, values):
    """Objects as a column of `str`, if they are texts that pandas can hold so."""
    texts = all(value is None or isinstance(value, str) for value in values)
    if not texts or not len(values) or int(pd.__version__.split(".")[0]) < 3:
        return values
    try:
        return pd.array(values, dtype="str")
    except UnicodeError:
        # lone surrogates, for bytes that are not UTF-8
        return pd.Series(values, dtype=object)


def _pandas(pd, values):
    import numpy as np

    if values.ndim > 1:
        return pd.Series(_arrays._objects(list(values)))
    if values.dtype == object:
        return _objects(pd, values)
    if values.dtype.kind == "S":
        return _objects(pd, _arrays._objects([text.decode("utf-8", "surrogateescape") for text in values.tolist()]))
    if not isinstance(values, np.ma.MaskedArray):
        return values
    data, mask = values.data, np.ma.getmaskarray(values)
    kind = data.dtype.kind
    if kind in "fc":
        data[mask] = np.nan
        return data
    if kind in "mM":
        data[mask] = np.array("NaT", data.dtype)
        return data
    if kind in "iu":
        return pd.arrays.IntegerArray(data, mask)
    if kind == "b":
        return pd.arrays.BooleanArray(data, mask)
    return values.astype(object).filled(None)


def to_polars(table):
    """A `polars.DataFrame`."""
    import polars as pl

    return pl.DataFrame(table)
