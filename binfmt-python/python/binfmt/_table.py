"""Files as tables."""

import operator
import os
import sys

from binfmt import _arrays, _binfmt
from binfmt._columns import Columns
from binfmt._column import Column
from binfmt._error import Error
from binfmt._index import ENDLESS
from binfmt._schema import Field, Schema, _unknown

# of more columns some are shown
_MOST_COLUMNS = 20
# formats that the ending of a name tells
_NAMED = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "csv"}


class Table(Columns):
    """A file as a table. Nothing is read before it is asked for, and then only the columns and rows that are.

    >>> import binfmt
    >>> table = binfmt.open(b"n,word\\n1,one\\n2,two\\n3,three\\n", format="csv")
    >>> table.names, len(table)
    (['n', 'word'], 3)
    >>> table["word"].to_list()
    ['one', 'two', 'three']
    >>> table.where("n >= 2").select(["n"]).to_dict()
    {'n': [2, 3]}
    >>> table.rows[0]
    {'n': 1, 'word': 'one'}

    pyarrow, polars and duckdb take the object itself (`pyarrow.table(t)`, `polars.DataFrame(t)`, `duckdb.sql("select * from t")`).
    """

    __slots__ = ("_raw", "_given", "_all", "_columns", "_rows", "_filters", "_count", "_pages", "__weakref__")

    @classmethod
    def _opened(cls, raw, given):
        fields = [Field(about, position) for position, about in enumerate(raw.fields())]
        return cls()._set(raw, given, Schema(fields, raw.metadata()), list(range(len(fields))), None, ())

    @classmethod
    def _together(cls, tables, file_names):
        """The rows of several tables of files, one after the other."""
        if not tables:
            raise ValueError("there is no file to open: the list is empty")
        return cls._opened(_several([table._raw for table in tables], given := _Several([table._given for table in tables], file_names)), given)

    def _set(self, raw, given, schema, columns, rows, filters):
        self._raw = raw
        self._given = given
        self._all = schema
        self._columns = columns
        self._rows = rows
        self._filters = filters
        self._count = None
        self._pages = None
        return self

    def _like(self, **changes):
        parts = {"raw": self._raw, "columns": self._columns, "rows": self._rows, "filters": self._filters, **changes}
        return Table()._set(parts["raw"], self._given, self._all, parts["columns"], parts["rows"], parts["filters"])

    # what it is

    @property
    def schema(self):
        """The columns: names, types, units.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\xff\\x02", schema="<x:int8 not null, y:int8 null>").schema
        x  i8
        y  i8?
        """
        return Schema([self._all.fields[column] for column in self._columns], self._all.metadata)

    @property
    def names(self):
        """The names of the columns.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02", schema="(int8, int8)").names
        ['a', 'b']
        """
        return [self._all.fields[column].name for column in self._columns]

    columns = names

    @property
    def metadata(self):
        """What the file says of itself: its format, description, and the like.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&description text=orbit &end\\n&data mode=ascii &end\\n").metadata["sdds:description"]
        'orbit'
        """
        return dict(self._all.metadata)

    @property
    def format(self):
        """The name of the format; `None` of what is no file.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&data mode=ascii &end\\n").format
        'sdds'
        """
        told = self._all.metadata.get("binfmt:format")
        if told is None and self._given is not None:
            # lines and rows of a layout do not tell it: the caller or the name does
            source, name, format, _ = self._origin
            told = format or _NAMED.get(os.path.splitext(source if isinstance(source, str) else name)[1].lower())
        return told

    @property
    def _origin(self):
        """What the file is opened from, of several the first; `None` of what is no file."""
        return self._given.all[0] if isinstance(self._given, _Several) else self._given

    @property
    def num_rows(self):
        """How many rows there are, if that is known without reading them; else `None`, and `len` counts them.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02", schema="(int8)").num_rows, binfmt.open(b"\\x01\\x02", schema="(int8)").where("a > 1").num_rows
        (2, None)
        """
        if self._count is not None:
            return self._count
        rows = self._raw.num_rows()
        if rows is None or self._rows is None:
            return rows
        start, stop = self._rows
        return max(0, min(stop, rows) - min(start, rows))

    def __len__(self):
        """How many rows there are; they are counted if that is not known."""
        if self.num_rows is None:
            if self._rows is None:
                self._count = self._raw.count_rows()
            else:
                self._count = sum(count for count, _ in self._raw.batches([], self._rows))
        return self.num_rows

    # parts of it

    def __getitem__(self, key):
        """A column by its name, several as a table by a list of names, rows by a slice."""
        if isinstance(key, str):
            return Column(self, self._field(key))
        if isinstance(key, slice):
            return self.rows[key]
        if isinstance(key, (list, tuple)) and all(isinstance(one, str) for one in key):
            return self.select(key)
        if isinstance(key, int):
            raise TypeError(f"{key!r} is neither the name of a column, nor a list of names, nor a slice of rows (for one row: table.rows[{key!r}])")
        if isinstance(key, tuple):
            raise TypeError(f"a table has columns and rows; cells by their places are those of a column: table[{(self.names or ['name'])[-1]!r}][..]")
        raise TypeError("a table takes the name of a column, a list of names, or a slice of rows; for the rows of a condition say table.where('x > 0')")

    def _field(self, name):
        for column in self._columns:
            if self._all.fields[column].name == name:
                return self._all.fields[column]
        raise KeyError(_unknown(name, self.names))

    def select(self, names):
        """The same table with these columns only, in this order.

        >>> import binfmt
        >>> binfmt.open(b"a,b\\n1,2\\n", format="csv").select(["b"]).names
        ['b']
        """
        if isinstance(names, str):
            raise TypeError(f"select takes a list of names: select([{names!r}])")
        names = list(names)
        wrong = next((name for name in names if not isinstance(name, str)), None)
        if wrong is not None:
            raise TypeError(f"columns are selected by their names, and {wrong!r} is none: select({self.names[:1]!r})")
        columns = [self._field(name).position for name in names]
        if len(set(columns)) < len(columns):
            raise ValueError("a column is selected twice")
        return self._like(columns=columns)

    @property
    def rows(self):
        """Some rows: `table.rows[10:20]` is a table of them, `table.rows[3]` a dict.

        >>> import binfmt
        >>> rows = binfmt.open(bytes(range(10)), schema="(int8)").rows
        >>> rows[2:4]["a"].to_list(), rows[-1]
        ([2, 3], {'a': 9})
        """
        return Rows(self)

    def _rows_between(self, start, stop):
        first, last = (0, ENDLESS) if self._rows is None else self._rows
        start, stop = min(first + start, ENDLESS), min(first + stop, last)
        return self._like(rows=(start, max(start, stop)))

    def where(self, condition):
        """The rows for which a condition over the columns holds, such as `"x > 0.5 and name like 'Q%'"`.

        Parts of the file in which no such row can be (pages, tiles) are not read.

        >>> import binfmt
        >>> table = binfmt.open(b"x,name\\n1,a\\n2,b\\n3,b\\n", format="csv")
        >>> table.where("name = 'b' and x < 3")["x"].to_list()
        [2]
        """
        if not isinstance(condition, str):
            raise TypeError(f"a condition is text, such as table.where('x > 0'), not a {type(condition).__name__}")
        if self._rows is not None:
            raise ValueError("take the rows after the condition: table.where(..).rows[..]")
        return self._like(raw=self._raw.filtered(condition), filters=(*self._filters, condition))

    # its values

    def _read(self, columns, ranges=()):
        return self._raw.read(list(columns), self._rows, list(ranges))

    def batches(self, rows=65536):
        """The rows in batches of at most so many, one after the other: each a `Batch`, a dict of arrays. No rows are no batch.

        Memory holds one batch at a time, or what must be decoded at once (a page of text, a row of tiles), and Ctrl-C is heard between them.

        >>> import binfmt
        >>> table = binfmt.open(bytes(range(10)), schema="(uint8)")
        >>> [int(batch["a"].sum()) for batch in table.batches(4)]
        [6, 22, 17]
        """
        if not hasattr(rows, "__index__"):
            raise TypeError(f"a batch has a number of rows, not a {type(rows).__name__}")
        if rows < 1:
            raise ValueError("a batch has one row or more")
        return Batches(self, min(operator.index(rows), sys.maxsize))

    def _arrays(self):
        fields = [self._all.fields[column] for column in self._columns]
        parts = self._read(self._columns)
        return {field.name: _arrays.array(part, field.logical) for field, part in zip(fields, parts)}

    def to_dict(self):
        """All values as lists of Python, by the names of the columns.

        Times are `datetime` and `timedelta`; `numpy.datetime64` and `numpy.timedelta64` if those cannot hold them.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02\\x03\\x04", schema="(int8, int8)").to_dict()
        {'a': [1, 3], 'b': [2, 4]}
        """
        return {name: _arrays.listed(values) for name, values in self._arrays().items()}

    def to_list(self):
        """All rows as dicts.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02\\x03\\x04", schema="(int8, int8)").to_list()
        [{'a': 1, 'b': 2}, {'a': 3, 'b': 4}]
        """
        columns = self.to_dict()
        return [dict(zip(columns, row)) for row in zip(*columns.values())] if columns else [{}] * len(self)

    def to_numpy(self):
        """All rows as one structured array, masked if a value may be missing.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02", schema="(int8, int8)").to_numpy()
        array([(1, 2)], dtype=[('a', 'i1'), ('b', 'i1')])
        """
        image = self._image()
        if image is not None:
            return image
        arrays = self._arrays()
        rows = len(next(iter(arrays.values()))) if arrays else len(self)
        return _arrays.structured(arrays, rows)

    def _image(self):
        """The same where the bytes of the file are those of the array: read at once. `None` elsewhere."""
        if self._columns != list(range(len(self._all.fields))):
            return None
        if any(field.logical and field.logical[0] == "tensor" for field in self._all.fields):
            # in Fortran order they are not where NumPy expects them
            return None
        none = self._raw.image((0, 0))
        if none is None:
            return None
        import numpy as np

        # as they are without rows
        parts = self._raw.read(self._columns, (0, 0), [])
        fields = [(field.name, _arrays.array(part, field.logical)) for field, part in zip(self._all.fields, parts)]
        dtype = np.dtype([(name, values.dtype, values.shape[1:]) for name, values in fields])
        return np.asarray(self._raw.image(self._rows)[3]).view(dtype) if dtype.itemsize == none[1] else None

    def __array__(self, dtype=None, copy=None):
        # pandas would make a column of tuples of it
        raise TypeError(
            "a table is not one array: table.to_numpy() is an array of records, table[name] a column, and table.to_pandas() a data frame"
        )

    def to_pandas(self):
        """A `pandas.DataFrame` over the memory of the decoder. Missing integers and flags make nullable columns (`Int64`, `boolean`),
        missing floats NaN, missing texts the missing value of `str`; fields of records are columns `record.field`. `attrs["units"]` has the
        units of those columns for which the file says one, by their names, and `write` takes them from there. Columns of fewer than 1024 rows are copied.

        >>> import binfmt
        >>> binfmt.open(b"\\xff\\x01\\x00\\x00", schema="(int8 null)").to_pandas()
              a
        0     1
        1  <NA>
        >>> binfmt.open(b"SDDS1\\n&column name=s, units=m, type=float &end\\n&data mode=ascii &end\\n1\\n0\\n").to_pandas().attrs
        {'units': {'s': 'm'}}
        """
        from binfmt import _frames

        return _frames.to_pandas(self)

    def to_polars(self):
        """A `polars.DataFrame`.

        >>> import binfmt
        >>> binfmt.open(b"\\x01\\x02", schema="(int8)").to_polars().rows()
        [(1,), (2,)]
        """
        from binfmt import _frames

        return _frames.to_polars(_Read(self))

    def to_arrow(self, *, missing_codes=False, texts="checked"):
        """A `pyarrow.Table`, whose fields have the units and descriptions as metadata.

        `missing_codes` adds a field `x.missing` for each column whose missing values have codes. `texts` says what becomes of texts that are not
        UTF-8: `"checked"` is an error, `"binary"` bytes, `"latin1"` and `"lossy"` text.

        >>> import binfmt
        >>> binfmt.open(b"\\xff\\x01\\x07\\x00", schema="(int8 null)").to_arrow(missing_codes=True).to_pydict()
        {'a': [1, None], 'a.missing': [None, 7]}
        """
        import pyarrow

        return pyarrow.table(_Read(self, missing_codes, texts))

    # arrays of n dimensions

    def _dimensions(self):
        """The dimensions of a dense array that is whole: the field, the least and the greatest coordinate of each."""
        if self._all.metadata.get("tiledb:array_type") != "dense" or self._rows is not None or self._filters:
            return None
        fields = [field for field in self._all.fields if field.metadata.get("tiledb:dimension") == "true"]
        bounds = [self._raw.bounds(field.position) for field in fields]
        if not fields or any(bound is None for bound in bounds):
            return None
        return [(field, low, high) for field, (low, high) in zip(fields, bounds)]

    def _dense_shape(self):
        found = self._dimensions()
        return None if found is None else tuple(high - low + 1 for _, low, high in found)

    def _read_part(self, field, spans):
        """The cells of a box, or some rows, which are given by positions."""
        import numpy as np

        dimensions = self._dimensions()
        if dimensions is None:
            ((start, stop),) = spans
            return self._rows_between(start, stop)[field.name].to_numpy()
        shape = tuple(stop - start for start, stop in spans)
        if 0 in shape:
            empty = self._raw.read([field.position], (0, 0), [])[0]
            values = _arrays.array(empty, field.logical)
            return values.reshape(*shape, *values.shape[1:])
        ranges = [(of.position, low + start, low + stop - 1) for (of, low, _), (start, stop) in zip(dimensions, spans)]
        values = _arrays.array(self._read([field.position], ranges)[0], field.logical)
        if len(values) == np.prod(shape):
            return values.reshape(*shape, *values.shape[1:])
        # ranges are hints: cells outside of the box may have come
        wanted = [field.position, *(of.position for of, _, _ in dimensions)]
        values, *places = (_arrays.array(part, None if n else field.logical) for n, part in enumerate(self._read(wanted, ranges)))
        inside = np.ones(len(values), bool)
        for place, (_, low, high) in zip(places, ranges):
            inside &= (place >= low) & (place <= high)
        return values[inside].reshape(*shape, *values.shape[1:])

    @property
    def shape(self):
        """Of a dense array its dimensions, else the number of rows and of columns.

        >>> import binfmt
        >>> binfmt.open(bytes(6), schema="(int8, int8)").shape
        (3, 2)
        """
        return self._dense_shape() or (len(self), len(self._columns))

    # pages of SDDS

    @property
    def pages(self):
        """The pages of an SDDS file, with their parameters, arrays and columns.

        >>> import binfmt
        >>> table = binfmt.open(b"SDDS1\\n&parameter name=Run, type=long &end\\n&column name=x, type=long &end\\n"
        ...                     b"&data mode=ascii &end\\n7\\n2\\n1\\n2\\n")
        >>> len(table.pages), table.pages[0].parameters["Run"], table.pages[0]["x"].tolist()
        (1, np.int32(7), [1, 2])
        """
        if self.format != "sdds" or self._filters or self._rows is not None:
            # what is said of it stands where Python asks then
            raise AttributeError
        if self._pages is None:
            from binfmt._pages import JoinedPages, Pages

            def of(given):
                source, name, _, settings = given
                return Pages((source, settings.get("any_names") == "true", settings.get("assume_byte_order"), name))

            self._pages = JoinedPages([of(given) for given in self._given.all]) if isinstance(self._given, _Several) else of(self._given)
            # what is wrong with the header is told here
            self._pages.header
        return self._pages

    # Arrow

    def __arrow_c_schema__(self):
        return _binfmt.arrow_schema(self._raw, self._columns)

    def __arrow_c_stream__(self, requested_schema=None):
        return _binfmt.arrow_stream(self._raw, self._columns, self._rows)

    def _arrow_column(self, requested_schema=None):
        return _binfmt.arrow_array(self._raw, self._columns[0], self._rows)

    # what is tried by those who know other tables

    def __enter__(self):
        """The table itself: it holds no file open, so that there is nothing to close."""
        return self

    def __exit__(self, *_):
        pass

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"a table has no attribute {name!r}")
        if name in self.names:
            raise AttributeError(f"a table has no attribute {name!r}: the column is table[{name!r}]")
        if name == "pages" and self.format == "sdds":
            raise AttributeError("pages are those of the whole file: take them before rows[..] and where(..)")
        if name == "pages":
            raise AttributeError(f"a file of format {self.format!r} has no pages")
        if name == "parameters" and self.format == "sdds":
            raise AttributeError("a table has no attribute 'parameters': each page has them, table.pages[0].parameters, and table.pages.parameters is a table of all")
        if name == "arrays" and self.format == "sdds":
            raise AttributeError("a table has no attribute 'arrays': each page has them, table.pages[0].arrays, and binfmt.open(file, arrays='*') is a table of them")
        if name.startswith(("to_", "write", "save")):
            raise AttributeError(f"a table has no attribute {name!r}: binfmt.write(path, table) writes a file, and table.to_pandas() is a data frame")
        raise AttributeError(f"a table has no attribute {name!r}: columns are table[name], and table.to_pandas() is a data frame")

    # how it looks

    def head(self, rows=5):
        """The first rows.

        >>> import binfmt
        >>> binfmt.open(bytes(range(10)), schema="(int8)").head(2)
        a
        0
        1
        [2 rows, 1 columns, scidb]
        """
        return self.rows[:rows]

    def _shown(self, most=10):
        """What is seen of it: the fields, the first rows, and what is said of the rest. Of many columns the first and the last are read."""
        names = self.names
        seen = self if len(names) <= _MOST_COLUMNS else self.select(names[: _MOST_COLUMNS - 4] + names[-4:])
        shown = []
        try:
            for batch in seen.rows[:most].batches(most):
                shown += zip(*(map(_text, _arrays.listed(values)) for values in batch.values()))
        except Error as e:
            # a table that cannot be looked at could not be mended
            return list(seen.schema), shown, f"damaged: {e}"
        known = self.num_rows
        more = "" if known is None and len(shown) == most else f"{len(shown) if known is None else known:,} rows"
        return list(seen.schema), shown, more or f"the first {most} rows"

    def __repr__(self):
        fields, shown, rows = self._shown()
        cells = [[field.name for field in fields], *shown]
        if len(fields) < len(self._columns):
            cells = [[*row[:-4], "..", *row[-4:]] for row in cells]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths)) for row in cells]
        return "\n".join([*lines, f"[{rows}, {len(self._columns)} columns{f', {self.format}' if self.format else ''}{self._beside()}]"])

    def _beside(self):
        """What is said of arrays that are not columns here."""
        names = self._all.metadata.get("sdds:arrays")
        if not names or self._all.metadata.get("sdds:rows") != "rows" or any(field.name.startswith("array:") for field in self._all):
            return ""
        return f"; arrays {names.replace(',', ', ')}: open(.., arrays='*'), pages[0].arrays"

    def _repr_html_(self):
        import html

        fields, shown, rows = self._shown()
        heads = [f"<th>{html.escape(f.name)}<br><small>{html.escape(f.type)}{html.escape(f' [{f.units}]') if f.units else ''}</small></th>" for f in fields]
        cells = [heads, *([f"<td>{html.escape(cell)}</td>" for cell in row] for row in shown)]
        if len(fields) < len(self._columns):
            cells = [[*row[:-4], "<td>..</td>", *row[-4:]] for row in cells]
        head, *body = (f"<tr>{''.join(row)}</tr>" for row in cells)
        return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table><p>{html.escape(f'{rows}, {len(self._columns)} columns{self._beside()}')}</p>"

    def __reduce__(self):
        if self._given is None:
            raise TypeError("only a table of a file or of bytes can be pickled: pickle table.to_pandas() or table.to_arrow()")
        return _again, (self._given, self._columns, self._rows, self._filters)


class _Read:
    """A table as a stream of Arrow of which all is read: errors are those of this package, and Ctrl-C is heard."""

    __slots__ = ("_stream",)

    def __init__(self, table, *how):
        self._stream = _binfmt.arrow_read(table._raw, table._columns, table._rows, *how)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._stream


def _text(cell):
    text = str(cell)
    return text if len(text) <= 40 else text[:37] + "..."


class _Several:
    """What several files are opened from."""

    __slots__ = ("all", "file_names")

    def __init__(self, all, file_names):
        self.all, self.file_names = all, file_names

def _several(raws, given):
    names = [source if isinstance(source, str) else name for source, name, _, _ in given.all]
    return _binfmt.table_of_several(list(zip(names, raws)), "_file" if given.file_names else None)


def _raw_of(given):
    if isinstance(given, _Several):
        return _several([_binfmt.open_table(*one) for one in given.all], given)
    return _binfmt.open_table(*given)


def _again(given, columns, rows, filters):
    table = Table._opened(_raw_of(given), given)
    for condition in filters:
        table = table.where(condition)
    return table._like(columns=columns, rows=rows)


class Rows:
    """The rows of a table, to be picked from: `table.rows`.

    >>> import binfmt
    >>> rows = binfmt.open(b"\\x01\\x02\\x03", schema="(int8)").rows
    >>> len(rows), rows[1], [row["a"] for row in rows]
    (3, {'a': 2}, [1, 2, 3])
    """

    __slots__ = ("_table",)

    def __init__(self, table):
        self._table = table

    def __len__(self):
        return len(self._table)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._slice(key)
        if not hasattr(key, "__index__") or hasattr(key, "__len__"):
            raise TypeError(_no_row(self._table, key))
        place = operator.index(key)
        place = place + len(self) if place < 0 else place
        row = self._table._rows_between(place, place + 1).to_list() if 0 <= place < ENDLESS else []
        if not row:
            raise IndexError(f"row {key} is out of bounds: there are {len(self)}")
        return row[0]

    def _slice(self, key):
        if key.step not in (None, 1):
            raise ValueError("rows are read one after the other: a slice of them has no step")
        ends = [end for end in (key.start, key.stop) if end is not None]
        wrong = next((end for end in ends if not hasattr(end, "__index__")), None)
        if wrong is not None:
            raise TypeError(f"rows have numbers: one end of the slice is a {type(wrong).__name__}")
        # how many there are is only counted if it is asked for
        rows = len(self) if any(end < 0 for end in ends) else ENDLESS
        start, stop, _ = key.indices(rows)
        return self._table._rows_between(start, max(start, stop))

    def __iter__(self):
        """The rows as dicts, read in batches."""
        for batch in self._table.batches():
            columns = {name: _arrays.listed(values) for name, values in batch.items()}
            for row in zip(*columns.values()) if columns else [()] * batch.num_rows:
                yield dict(zip(columns, row))

    def __repr__(self):
        return f"<rows of a table with {len(self._table._columns)} columns>"


def _no_row(table, key):
    """What is said of an index that is not the number of a row."""
    if isinstance(key, str) and key in table.names:
        return f"rows have numbers: the column is table[{key!r}]"
    if isinstance(key, (str, float)) or key is None:
        return f"rows have numbers, and {key!r} is none"
    return "rows are read one after the other, such as table.rows[10:20]: of several places take table[name][..] or table.to_pandas().iloc[..]"


class Batches:
    """The batches of a table, one after the other: `table.batches()`. It is an iterator, and `write` takes it.

    >>> import binfmt
    >>> batches = binfmt.open(b"\\x01\\x02\\x03", schema="(int8)").batches(2)
    >>> next(batches)["a"].tolist(), [batch.num_rows for batch in batches]
    ([1, 2], [1])
    """

    __slots__ = ("_table", "_each")

    def __init__(self, table, rows):
        self._table = table
        self._each = self._read(rows)

    def _read(self, rows):
        table = self._table
        fields = [table._all.fields[column] for column in table._columns]
        for count, parts in table._raw.batches(table._columns, table._rows, rows):
            arrays = {field.name: _arrays.array(part, field.logical) for field, part in zip(fields, parts)}
            for start in range(0, max(count, 1), rows):
                few = arrays if count <= rows else {name: values[start : start + rows] for name, values in arrays.items()}
                yield Batch(min(rows, count - start), few)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._each)


class Batch(dict):
    """Some rows: arrays by the names of their columns.

    >>> import binfmt
    >>> batch = next(binfmt.open(b"\\x01\\x02\\x03", schema="(int8)").batches(2))
    >>> batch.num_rows, batch["a"]
    (2, array([1, 2], dtype=int8))
    """

    __slots__ = ("num_rows",)

    def __init__(self, num_rows, arrays):
        super().__init__(arrays)
        self.num_rows = num_rows
