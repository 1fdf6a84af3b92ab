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

    columns = {}
    for name, values in table._arrays().items():
        for name, part in _flat(name, values):
            columns[name] = _pandas(pd, part)
    return pd.DataFrame(columns, copy=False) if columns else pd.DataFrame(index=range(len(table)))


def _pandas(pd, values):
    import numpy as np

    if values.ndim > 1:
        return pd.Series(_arrays._objects(list(values)))
    if values.dtype == object:
        texts = all(value is None or isinstance(value, str) for value in values)
        return pd.array(values, dtype="str") if texts and len(values) and int(pd.__version__.split(".")[0]) >= 3 else values
    if values.dtype.kind == "S":
        return _arrays._objects([text.decode("utf-8", "surrogateescape") for text in values.tolist()])
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
