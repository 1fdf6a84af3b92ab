"""Writing tables."""

import math
import os
import warnings

from binfmt import _arrays, _binfmt
from binfmt._column import Column
from binfmt._error import ConversionWarning, Error
from binfmt._foreign import plain_decimals, without_decimals
from binfmt._layout import Layout
from binfmt._open import _schema, _word, open
from binfmt._pages import Page, Pages
from binfmt._table import Batch, Batches, Table, _again, _Several

_ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".npy": "npy", ".sdds": "sdds", ".tsv": "csv"}
_FRAMES = (".parquet", ".feather", ".arrow", ".xlsx", ".h5", ".hdf5", ".json", ".html")
# what can be appended to
_APPENDED = ("csv", "jsonl", "layout", "scidb", "sdds", "tiledb")
# what the zone is called in which times are counted
_UTC = ("UTC", "Etc/UTC", "+00:00")
# what has dimensions of its own: for the others an array of several dimensions is lists in lists
_TENSORS = ("futhark", "npy")


def write(path, data, format=None, *, like=None, schema=None, layout=None, columns=None, append=False, overwrite=False, **settings):
    """Writes a table to a file; returns the number of rows.

    `data` is a `Table`, one of its columns, its `batches()`, its `pages` or one of them, a data frame or series of pandas, anything with Arrow's `__arrow_c_stream__` (a data
    frame of polars, a table of pyarrow, a relation of duckdb), a dict of arrays or lists, a structured array, or a list of dicts. `columns` are
    the names of those that are written. An index of pandas is not written, which is told unless it is numbers without a name.
    Units are those that columns have (`.units`), or what `attrs["units"]` of a frame or a series says. Lines have no missing values in lists: in CSV
    and JSON lines they are `{"missing":0}`, and the column reads as text.

    `format` is one of `formats()`; without it the schema, the layout, the file to be `like`, or the ending of the name tells. `schema` is the
    format of SciDB, `layout` a `Layout` of the rows. `like` is another file (or table): its header or schema is taken. The other arguments
    are the settings of the format, lists of names among them; what they mean is in `formats()`:

    | format | settings |
    |---|---|
    | `sdds` | `as_parameters`, `mode`, `byte_order`, `order`, `compression` |
    | `tiledb` | `dimensions`, `array`, `tiles`, `filters`, `fragment_rows`, `key`, `threads` |
    | `scidb` | `schema`, `template`, `user_types` |
    | `futhark` | `style` |
    | `beat` | `schema`, `prefix`, `dataformat` |
    | `csv` | `delimiter`, `header`, `missing` |
    | `layout` | `layout`, `endian` |

    What is lost of the table (columns left out, values that become others, arrays of SDDS, fill values) is told by a `ConversionWarning` each.
    Times that know their zone are written as those of UTC, which is told, too.

    A dict of arrays of one shape with several dimensions is a dense array in TileDB, with dimensions of these names or `__dim_0`, `__dim_1`, ..
    Decimal numbers become floats, in CSV their digits. Folders that are not there are made; an array of TileDB that is there is replaced with
    `overwrite`. What was in the file stays there until all is written. With `append` it stays there for good, and the rows come after it: as pages of SDDS,
    whose columns are found by name, as rows of SciDB, CSV, JSON lines or a layout, as a fragment of a sparse array of TileDB. A file is copied for that, so that nobody ever
    sees a part of the rows; appends of several threads and programs wait for each other (not on Windows). One that is not there is made. Lines have no types: that
    a column of CSV or JSON lines reads as another type with what is added, such as text after numbers, is told by a warning.

    >>> import binfmt, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.sdds")
    >>> binfmt.write(path, {"s": [0.5, 1.5], "name": ["Q1", "Q2"]})
    2
    >>> binfmt.open(path).to_dict()
    {'s': [0.5, 1.5], 'name': ['Q1', 'Q2']}
    >>> binfmt.write(path, {"s": [2.5], "name": ["Q3"]}, append=True)
    1
    >>> binfmt.open(path)["name"].to_list(), len(binfmt.open(path).pages)
    (['Q1', 'Q2', 'Q3'], 2)
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"the path comes first: binfmt.write(path, data), not a {type(path).__name__}")
    from binfmt._lock import locked, replaced

    if append and overwrite:
        raise ValueError("rows are added (append), or take the place of what is there (overwrite), not both")
    with locked(path) if append else replaced(path, overwrite) as place:
        rows, notes = _written(place or path, data, format, like, schema, layout, columns, append, settings)
    for note in [*notes, *_index(data)]:
        warnings.warn(note, ConversionWarning, stacklevel=2)
    return rows


def _index(data):
    """What is told of the index of a data frame or series: it is not a column. Numbers without a name are those of rows."""
    if not hasattr(data, "iloc") or not hasattr(data, "index"):
        return
    names = [str(name) for name in data.index.names if name is not None]
    if names or data.index.dtype.kind not in "iu":
        yield f"the index ({', '.join(names) or 'without a name'}) is not written: data.reset_index() makes columns of it"


def _zones(table):
    """What is told of times that know their zone."""
    for field in table.schema:
        zone = field.metadata.get("arrow:timezone")
        if zone is not None:
            told = "that its times are of UTC is not written" if zone in _UTC else f"its times are written as those of UTC, without their zone {zone}"
            yield f"column {field.name!r}: {told}"


def _written(path, data, format, like, schema, layout, columns, append, settings):
    """How many rows were written, and what of the table is not in the file as it is."""
    words = {name: _word(value) for name, value in settings.items() if value is not None}
    if layout is not None:
        layout = layout if isinstance(layout, Layout) else getattr(layout, "LAYOUT", None) or Layout(layout)
        format = format or "layout"
        words["layout"] = layout.text
        words.setdefault("endian", layout.endian)
    if schema is not None:
        format = format or "scidb"
        words["schema"] = _schema(schema)
    model = None
    if like is not None:
        format, model = _like(like, format, words)
    append = append and os.path.exists(path) and (os.path.isdir(path) or os.path.getsize(path) > 0)
    format = format or _format_of(path) or (open(path).format if append else None)
    if format is None and _ending(path) == ".npz":
        raise ValueError("an archive .npz is not written: write an .npy, or give the arrays to numpy.savez(path, **{name: table[name].to_numpy() for name in table})")
    if format is None and _ending(path) in _FRAMES:
        raise ValueError(f"{_ending(path)[1:]} is written by data frames: table.to_pandas(), table.to_polars()")
    if format is None:
        raise ValueError(f"the name {os.fspath(path)!r} does not say in which format to write: say format=.., one of {', '.join(_binfmt.formats_written())}")
    if format == "tiledb" and not append and os.path.exists(os.path.join(path, "__array_schema.tdb")):
        raise Error(f"{os.fspath(path)}: an array exists already: append=True adds rows to it, overwrite=True replaces it", filename=os.fspath(path))
    if format == "tiledb" and not append and like is None:
        data = _cells(data, words)
    decimals = []
    table = to_table(data, tensors=format in _TENSORS, exact=format == "csv", told=decimals)
    if columns is not None:
        table = table.select(columns)
    if format == "sdds":
        table = _apart(table)
    rounded = [f"column {name!r}: decimal numbers become floats" for name in decimals if format != "csv" and name in table.names]
    notes = [*rounded, *_zones(table), *(_of_pages(data, table, words) if format == "sdds" else ())]
    names = None
    if format == "scidb" and words.get("schema", "").lstrip().startswith("("):
        # such a format has no names: what comes first is the first column
        names = open(b"", "scidb", schema=words["schema"]).names
        if len(names) != len(table._columns):
            raise ValueError(f"the format has {len(names)} columns, the table {len(table._columns)}: {', '.join(table.names)}")
    if format == "scidb" and "schema" in words:
        _same_times(open(b"", "scidb", schema=words["schema"]), table, names is not None)
    if append:
        table, more = _continued(path, format, words, table)
        notes += more
    if format == "tiledb" and model is not None and not append:
        from binfmt._lock import array_like

        with array_like(model, path, words):
            rows, more = _put(path, format, words, table, names, False)
            return rows, [*notes, *more]
    rows, more = _put(path, format, words, table, names, append and format != "tiledb")
    return rows, [*notes, *more]


def _apart(table):
    """The table with the names of its files, which keep their pages apart and are not written, where pages have numbers."""
    given, last = table._given, len(table._all.fields)
    if not isinstance(given, _Several) or given.file_names or "_page" not in table.names:
        return table
    return _again(_Several(given.all, True), [*table._columns, last], table._rows, table._filters)


def _of_pages(data, table, words):
    """What is told of a frame with parameters of pages, which are columns of one page in the file, and of arrays, which are columns of it."""
    known = getattr(data, "attrs", {}).get("parameters", ())
    lost = [name for name in known if name in table.names] if isinstance(known, list) else []
    elements = _elements(table)
    if elements:
        yield f"arrays become columns, of which each element is a row: {', '.join(f'`{name}`' for name in elements)}"
    if lost and not {"as_parameters", "like"} & words.keys():
        yield f"what were parameters of pages are columns of one page: as_parameters={','.join(lost)!r} makes pages of them"


def _elements(table):
    """The columns that are the elements of arrays of SDDS."""
    names = table._all.metadata.get("sdds:arrays", "").split(",") if table._all.metadata.get("sdds:rows") == "elements" else []
    return [name for name in names if name in table.names]


def _cells(data, words):
    """Arrays of several dimensions, all of one shape, as the cells of a dense array: a column for each dimension, and those of the values."""
    import numpy as np

    arrays = {"value": data} if isinstance(data, np.ndarray) and data.dtype.names is None else data
    if not isinstance(arrays, dict) or not all(isinstance(values, np.ndarray) and values.ndim > 1 for values in arrays.values()):
        return data
    shapes = {values.shape for values in arrays.values()}
    if len(shapes) != 1 or words.get("array") == "sparse":
        return data
    (shape,) = shapes
    # as the package tiledb calls them
    names = [name.strip() for name in words.get("dimensions", ",".join(f"__dim_{place}" for place in range(len(shape)))).split(",")]
    if len(names) != len(shape):
        raise ValueError(f"dimensions={','.join(names)!r}: {len(names)} names for the {len(shape)} dimensions of the arrays")
    words |= {"dimensions": ",".join(names), "array": "dense"}
    places = np.indices(shape, dtype=np.uint64)
    return {**{name: place.ravel() for name, place in zip(names, places)}, **{name: values.ravel() for name, values in arrays.items()}}


def _put(path, format, words, table, names, append):
    try:
        rows, _, notes = _binfmt.write_table(os.fspath(path), format, words, table._raw, table._columns, table._rows, names, append)
    except Error as e:
        if format != "sdds" or len(_elements(table)) < 2 or "a value is missing" not in str(e):
            raise
        tip = "the arrays have different lengths: open each by itself, binfmt.open(file, arrays='name')"
        raise type(e)(f"{e}: {tip}", kind=e.kind, offset=e.offset, path=e.path, filename=e.filename) from None
    return rows, notes


def _continued(path, format, words, table):
    """The table whose rows can come after those of a file, and what is told of that."""
    if format not in _APPENDED:
        raise ValueError(f"files of format {format} say at their beginning how much they have: nothing can be appended (it can to {', '.join(_APPENDED)})")
    known = dict(next(read for name, read, _ in _binfmt.formats() if name == format))
    there = open(path, format, **{name: word for name, word in words.items() if name in known})
    # what is cut off or damaged is told here
    len(there)
    if format == "sdds":
        mode = there.metadata["sdds:mode"]
        if words.pop("mode", mode) != mode:
            raise ValueError(f"the pages of the file are {mode}, and so are those that come after them: leave mode=.. out")
        words.setdefault("like", os.fspath(path))
    elif format == "csv" and words.get("header") == "false" and len(there.names) != len(table.names):
        raise ValueError(f"the file has {len(there.names)} columns, the table {len(table.names)}")
    elif format == "tiledb":
        _same_times(there, table, False)
        words["append"] = "true"
        words.setdefault("dimensions", ",".join(field.name for field in there.schema if field.metadata.get("tiledb:dimension") == "true"))
    elif format == "csv" and words.get("header") != "false":
        if sorted(there.names) != sorted(table.names):
            raise ValueError(f"the columns of the file are {', '.join(there.names)}, those of the table {', '.join(table.names)}")
        table = table.select(there.names)
        words["header"] = "false"
    return table, list(_retyped(there, table)) if format in ("csv", "jsonl") else []


def _retyped(there, table):
    """What is told of columns of lines, which have no types, that read as another type with what is added."""
    by_place = sorted(there.names) != sorted(table.names)
    for place, field in enumerate(table.schema):
        known = there.schema[place] if by_place and place < len(there.schema) else next((one for one in there.schema if one.name == field.name), None)
        if known is None or not len(there):
            continue
        old, new = _kind(known), _kind(field)
        if new not in {"text": ("text", "integers", "numbers", "flags"), "numbers": ("numbers", "integers")}.get(old, (old,)):
            yield f"column {field.name!r} reads as {known.type} now, and what is added is {new}"


def _kind(field):
    """What the lines of a column look like."""
    kind = field.type.rstrip("?")
    if field.logical or kind == "text":
        return "text"
    if kind == "bool":
        return "flags"
    return "lists" if kind.startswith("[") else "numbers" if kind.startswith("f") else "integers" if kind[1:].isdigit() else "bytes"


def _same_times(there, table, by_place):
    """Times are written as they are counted: in another unit they would be other times."""
    for place, field in enumerate(table.schema):
        known = there.schema[place] if by_place else next((one for one in there.schema if one.name == field.name), None)
        if known is None or not field.logical or not known.logical:
            continue
        if field.logical[0] in ("timestamp", "duration") and known.logical[0] in ("timestamp", "duration") and field.logical[:2] != known.logical[:2]:
            raise ValueError(f"column {field.name!r} has times in {field.logical[1]}, the file in {known.logical[1]}: convert them, such as by .astype('M8[{known.logical[1]}]')")


def _format_of(path):
    """The format that the ending of a name tells."""
    return _ENDINGS.get(_ending(path))


def _ending(path):
    name = os.fspath(path).lower()
    for packed in (".gz", ".xz"):
        # only pages of SDDS are packed
        name = name.removesuffix(packed) if name.endswith(f".sdds{packed}") else name
    return os.path.splitext(name)[1]


def _like(like, format, words):
    """The format of another file, and what it says of the rows."""
    table = like if isinstance(like, Table) else open(like, format)
    format = format or table.format
    if format is None:
        raise ValueError("like=..: this table is no file, and of no format")
    if format == "sdds":
        source = table._origin and table._origin[0]
        if not isinstance(source, str):
            raise ValueError("like=..: an SDDS file to be like must be one on disk")
        words["like"] = source
    key, word = {"scidb": ("scidb:schema", "schema"), "layout": ("binfmt:schema", "layout")}.get(format, ("", ""))
    if key in table.metadata:
        words.setdefault(word, table.metadata[key])
    return format, table


def to_table(data, *, tensors=False, exact=False, told=None):
    """A table of what Python has. Arrays of three dimensions or more are columns of tensors, or of arrays in arrays; decimal numbers are floats, or
    texts with all their digits, and `told` gets the names of their columns."""
    told = [] if told is None else told
    if isinstance(data, Table):
        return data
    if isinstance(data, Column):
        return data._table.select([data.name])
    if isinstance(data, (Page, Pages)):
        return data._table()
    if type(data).__module__.split(".")[0] == "polars" and hasattr(data, "to_frame"):
        data = data.to_frame()
    data = without_decimals(data, exact, told)
    if hasattr(data, "collect_schema") and not hasattr(data, "__arrow_c_stream__"):
        raise TypeError(f"a {type(data).__name__} is not read yet: give data.collect()")
    if type(data).__module__.split(".")[0] != "pandas" and hasattr(data, "__arrow_c_stream__"):
        table = Table._opened(_binfmt.table_of_stream(data.__arrow_c_stream__()), None)
        _named_once(table.names)
        return table
    columns = _columns(data)
    _named_once([name for name, _ in columns])
    return Table._opened(_binfmt.table_of_columns([_named(name, plain_decimals(name, values, exact, told), tensors) for name, values in columns]), None)


def _named_once(names):
    known = set()
    twice = next((name for name in names if name in known or known.add(name)), None)
    if twice is not None:
        raise ValueError(f"two columns are called {twice!r}")


def _named(name, values, tensors):
    """A column for the Rust half; errors name it."""
    try:
        return _given(name, values, tensors)
    except (TypeError, ValueError) as e:
        raise type(e)(f"column {name!r}: {e}") from e


def _columns(data):
    """The columns of a frame, a dict, a structured array, or rows."""
    import numpy as np

    if hasattr(data, "to_frame") and hasattr(data, "dtype") and not isinstance(data, np.ndarray):
        data = data.to_frame()
    if hasattr(data, "columns") and hasattr(data, "iloc"):
        return [(str(name), data.iloc[:, place]) for place, name in enumerate(data.columns)]
    if hasattr(data, "keys"):
        return [(str(name), data[name]) for name in data.keys()]
    if isinstance(data, np.ndarray):
        return [(name, data[name]) for name in data.dtype.names] if data.dtype.names else [("value", data)]
    rows = list(data) if hasattr(data, "__iter__") else []
    if any(isinstance(row, Page) for row in rows):
        raise TypeError("several pages are not one table: write each page[..], all of table.pages, or binfmt.open(file, page_numbers=True).where('_page < 2')")
    if not rows and isinstance(data, Batches):
        return list(data._table.rows[:0]._arrays().items())
    if rows and all(isinstance(row, Batch) for row in rows):
        return [(name, _joined([row[name] for row in rows])) for name in rows[0]]
    if rows and hasattr(type(rows[0]), "__binfmt_fields__"):
        rows = [{name: getattr(row, name) for name in type(row).__binfmt_fields__} for row in rows]
    if rows and all(hasattr(row, "keys") for row in rows):
        names = dict.fromkeys(name for row in rows for name in row.keys())
        return [(str(name), [row[name] if name in row.keys() else None for row in rows]) for name in names]
    raise TypeError(f"a {type(data).__name__} is not a table: give a data frame, a dict of arrays, a structured array, or a list of dicts")


def _joined(arrays):
    """The values of a column in batches."""
    import numpy as np

    return (np.ma if any(isinstance(values, np.ma.MaskedArray) for values in arrays) else np).concatenate(arrays)


def _given(name, values, tensors):
    """A column for the Rust half: name, parts, unit, meaning, zone."""
    import numpy as np

    if not hasattr(values, "__iter__") or isinstance(values, (str, bytes, bytearray, dict)):
        raise TypeError(f"one {type(values).__name__} is not a column: give a list or an array")
    if isinstance(values, (set, frozenset)):
        raise TypeError(f"a {type(values).__name__} has no order, which the rows of a column have: give a list")
    units, given = _units(name, values), values
    values = _array(values)
    _arrays.refuse_endless(values)
    values = _arrays.typed(values) if isinstance(values, np.ndarray) else _arrays._from_values(values)
    logical = None
    zone = _zone(given) if values.dtype.kind == "M" else None
    if values.dtype.kind in "mM":
        unit, multiple = np.datetime_data(values.dtype)
        if unit == "generic":
            raise TypeError("times without a unit cannot be written")
        if multiple != 1:
            values = values.astype(f"{values.dtype.kind}8[{unit}]")
        # in arrays of several dimensions no element is missing, but is not a time
        if values.ndim == 1 and np.isnat(np.ma.getdata(values)).any():
            values = np.ma.MaskedArray(values, mask=np.ma.getmaskarray(values) | np.isnat(np.ma.getdata(values)))
        logical = ({"M": "timestamp", "m": "duration"}[values.dtype.kind], np.datetime_data(values.dtype)[0], [])
    elif values.dtype.kind == "c":
        logical = ("complex", None, [])
    elif values.dtype == np.longdouble and values.dtype.itemsize > 8:
        logical = ("x87", None, [])
    elif tensors and values.ndim > 2:
        logical = ("tensor", None, list(values.shape[1:]))
        values = values.reshape(len(values), math.prod(values.shape[1:]))
    return (name, _arrays.parts_of(values), units, logical, zone)


def _units(name, values):
    """The unit of a column: its own, or what the `attrs` of pandas and xarray say, of the column or of all of a frame."""
    for said in (getattr(values, "units", None), getattr(values, "attrs", None)):
        for key in ("units", name):
            said = said.get(key) if isinstance(said, dict) else said
        if isinstance(said, str):
            return said
    return None


def _zone(values):
    """The zone that times know, by its name: of a series of pandas or polars, an array of pyarrow, or objects of Python."""
    kind = getattr(values, "dtype", None) or getattr(values, "type", None)
    kind = getattr(kind, "pyarrow_dtype", kind)
    zone = getattr(kind, "tz", None) or getattr(kind, "time_zone", None)
    if zone is not None:
        return str(zone)
    if isinstance(values, (list, tuple)) or str(kind) == "object":
        zones = dict.fromkeys(str(value.tzinfo) for value in values if getattr(value, "tzinfo", None) is not None)
        return " or ".join(zones) or None
    return None


def _array(values):
    """An array, or a list, of what a frame or a dict has as a column; masked where pandas knows of missing values."""
    import numpy as np

    if isinstance(values, np.ndarray):
        return values
    if type(values).__module__.split(".")[0] == "pandas":
        return _of_pandas(values)
    if hasattr(values, "null_count") and hasattr(values, "fill_null"):
        return _with_nulls(values)
    return values.to_numpy() if hasattr(values, "to_numpy") else values


def _of_pandas(values):
    """The same of a series, an index, or an array of pandas."""
    import numpy as np
    import pandas as pd

    if isinstance(values, (pd.DataFrame, pd.MultiIndex)):
        raise TypeError(f"a {type(values).__name__} is several columns, not one")
    values = pd.Series(values)
    array = values.array
    if hasattr(array, "_mask") and hasattr(array, "_data"):
        gone = np.asarray(values.isna())
        data = array.to_numpy(dtype=array.dtype.numpy_dtype, na_value=array.dtype.numpy_dtype.type(0))
        return np.ma.MaskedArray(data, mask=gone)
    if hasattr(values.dtype, "tz"):
        return values.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
    if not isinstance(values.dtype, np.dtype) or values.dtype.kind in "OU":
        plain = values.astype(object).to_numpy(dtype=object, copy=True)
        plain[np.asarray(values.isna())] = None
        return plain
    return values.to_numpy()


def _with_nulls(values):
    """A series of polars or an array of pyarrow: neither makes an array of integers of which some are missing."""
    import numpy as np

    if type(values).__module__.split(".")[0] == "polars":
        if values.dtype.is_nested():
            return values.to_list()
        count, whole, kind = values.null_count(), values.dtype.is_numeric(), values.dtype
        if not count or kind.is_temporal() and str(kind) != "Time":
            return values.to_numpy()
        return np.ma.MaskedArray(values.fill_null(0).to_numpy(), mask=values.is_null().to_numpy()) if whole else values.to_list()
    if values.type.num_fields:
        return values.to_pylist()
    if not values.null_count:
        return np.asarray(values)
    if str(values.type).startswith(("int", "uint", "float", "double")):
        return np.ma.MaskedArray(np.asarray(values.fill_null(0)), mask=np.asarray(values.is_null()))
    return values.to_pylist()
