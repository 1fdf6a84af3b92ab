"""Pages of SDDS files."""

import os
from collections.abc import Mapping

from binfmt import _arrays, _binfmt
from binfmt._columns import Columns
from binfmt._schema import Schema

_LOGICAL = {"character": ("character", None, None), "longdouble": ("x87", None, None)}

# pages whose parameters are read together, and rows of pages whose columns are
_BLOCK = 64
_ROWS = 65536


class Pages:
    """The pages of a file, each read when it is asked for: in their order without reading what is before again.

    Columns that were asked for of one page are read together of the next. The last three pages that were asked for are kept; of one that comes
    before the last, those before it are read with it. Where a page begins that was read or passed is known from then on, unless the file is compressed.

    >>> import binfmt
    >>> pages = binfmt.open(b"SDDS1\\n&parameter name=Run, type=long &end\\n&column name=x, type=long &end\\n"
    ...                     b"&data mode=ascii &end\\n7\\n1\\n5\\n8\\n2\\n6\\n9\\n").pages
    >>> len(pages), [page["x"].tolist() for page in pages], [int(page.parameters["Run"]) for page in pages[:1]]
    (2, [[5], [6, 9]], [7])
    """

    __slots__ = ("_given", "_raw", "_process", "_header", "_count", "_used", "_last", "_before", "_columns_before", "_schema")

    def __init__(self, given):
        self._given = given
        self._raw, self._process = _binfmt.Pages(*given), os.getpid()
        self._header = None
        self._count = None
        self._used = []
        self._last = ()
        self._before = {}
        self._columns_before = {}
        self._schema = None

    def _read(self, skip, take, columns):
        # a process that was forked would share the place in the file with the other
        if self._process != os.getpid():
            self._raw, self._process = _binfmt.Pages(*self._given), os.getpid()
        return self._raw.read(skip, take, columns)

    @property
    def header(self):
        """What the header says: definitions of parameters, arrays and columns.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=x, units=m, type=long &end\\n&data mode=ascii &end\\n0\\n").pages.header["columns"]
        [{'name': 'x', 'type': 'long', 'units': 'm'}]
        """
        if self._header is None:
            self._header = self._raw.header()
        return self._header

    @property
    def schema(self):
        """The columns of each page: names, types, units.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=x, units=m, type=long &end\\n&data mode=ascii &end\\n0\\n").pages.schema
        x  i32 [m]
        """
        if self._schema is None:
            every = self._table().schema
            names = {column["name"] for column in self.header["columns"]}
            self._schema = Schema([field for field in every if not field.constant and field.name in names], every.metadata)
        return self._schema

    @property
    def parameters(self):
        """The parameters as a table with a row for each page: what `binfmt.open(file, pages=True)` gives.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&parameter name=Run, units=s, type=long &end\\n&data mode=ascii &end\\n7\\n8\\n").pages.parameters
        _page  Run
            0    7
            1    8
        [2 rows, 2 columns, sdds]
        """
        return self._table(pages="true")

    def _table(self, **settings):
        """The file as a table."""
        from binfmt._table import Table

        source, any_names, order, name = self._given
        settings |= {"any_names": "true"} if any_names else {}
        settings |= {} if order is None else {"assume_byte_order": order}
        given = (source, name, "sdds", settings)
        return Table._opened(_binfmt.open_table(*given), given)

    def __len__(self):
        if self._count is None:
            self._count = self._raw.count()
        return self._count

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [self[place] for place in range(*key.indices(len(self)))]
        if isinstance(key, str):
            raise TypeError(f"pages have numbers: pages[0].parameters[{key!r}], or the column table[{key!r}] of all rows")
        place = key + len(self) if key < 0 else key
        page = next((page for page in self._last if page._place == place), None) or self._before.pop(place, None)
        if page is None:
            # nothing is read twice by who goes backwards
            first = max(0, place - _BLOCK + 1) if self._last and place == self._last[-1]._place - 1 else place
            found = self._read(first, place - first + 1, []) if place >= 0 else []
            if len(found) < place - first + 1 or place < 0:
                raise IndexError(f"page {key} is out of bounds: there are {len(self)}")
            *before, page = (Page(self, first + number)._set(read) for number, read in enumerate(found))
            self._before = {page._place: page for page in before}
        # one that is asked for again, and those beside it
        self._last = (*[other for other in self._last if other is not page][-2:], page)
        return page

    def __iter__(self):
        place, found = 0, _BLOCK * [None]
        while len(found) == _BLOCK:
            found = self._read(place, _BLOCK, [])
            for page in found:
                yield Page(self, place)._set(page)
                place += 1

    def _columns(self, place, names):
        """Columns of a page by their names, at least these."""
        self._used += [name for name in names if name not in self._used]
        known = self._columns_before.pop(place, {})
        if all(name in known for name in names):
            return known
        first, rows = place, 0
        while first - 1 in self._before and rows + len(self._before[first - 1]) <= _ROWS:
            first, rows = first - 1, rows + len(self._before[first - 1])
        *before, (*_, columns) = self._read(first, place - first + 1, self._used)
        self._columns_before = {first + number: read[3] for number, read in enumerate(before)}
        return columns

    def __repr__(self):
        return f"<{len(self)} pages>"

    def __reduce__(self):
        # nothing is read where it arrives: an error there would be nobody's
        return Pages, (self._given,)


class JoinedPages(Pages):
    """The pages of several files, one file after the other."""

    __slots__ = ("_parts",)

    def __init__(self, parts):
        super().__init__(parts[0]._given)
        self._parts = parts

    def _table(self, **settings):
        from binfmt._table import Table

        return Table._together([Pages._table(part, **settings) for part in self._parts], False)

    def __len__(self):
        return sum(len(part) for part in self._parts)

    def __getitem__(self, key):
        if isinstance(key, (slice, str)):
            return super().__getitem__(key)
        number = place = key + len(self) if key < 0 else key
        for part in self._parts if place >= 0 else ():
            try:
                return part[place]._numbered(number)
            except IndexError:
                place -= len(part)
        raise IndexError(f"page {key} is out of bounds: there are {len(self)}")

    def __iter__(self):
        for number, page in enumerate(page for part in self._parts for page in part):
            yield page._numbered(number)

    def __reduce__(self):
        return JoinedPages, (self._parts,)


class Page(Columns):
    """One page: `parameters` and `arrays` by name, `page["x"]` a column: an array that the page keeps, and that cannot be written to.

    It is a mapping of the names of its columns to these arrays (`in`, `for`, `dict(page)`), whose length is the number of rows, as of a table.
    Other processes can have it, and read the file themselves: `pool.map(work, table.pages)`.

    >>> import binfmt
    >>> page = binfmt.open(b"SDDS1\\n&array name=A, type=short, dimensions=2 &end\\n&column name=x, type=long &end\\n"
    ...                    b"&data mode=ascii &end\\n1 2\\n3 4\\n2\\n5\\n6\\n").pages[0]
    >>> len(page), page.arrays["A"].tolist(), page["x"]
    (2, [[3, 4]], array([5, 6], dtype=int32))
    >>> "x" in page, list(page), dict(page)
    (True, ['x'], {'x': array([5, 6], dtype=int32)})
    """

    __slots__ = ("_pages", "_place", "_number", "_front", "_columns")

    def __init__(self, pages, place, number=None):
        # of several files the number is that among the pages of all
        self._pages, self._place, self._number = pages, place, place if number is None else number
        self._front, self._columns = None, {}

    def _numbered(self, number):
        self._number = number
        return self

    def _set(self, read):
        """What stands before the columns: the number of rows, parameters and arrays."""
        rows, parameters, arrays, _ = read
        header = self._pages.header
        kinds = _kinds(header, "parameters")
        parameters = {name: _arrays.array(parts, kinds[name])[0] for name, parts in parameters.items()}
        kinds = _kinds(header, "arrays")
        arrays = {name: _arrays.reshaped(_arrays.array(parts, kinds[name]), sizes) for name, (sizes, parts) in arrays.items()}
        self._front = rows, parameters, arrays
        return self

    def _read_front(self):
        if self._front is None:
            # it comes from another process
            self._front = self._pages[self._place]._front
        return self._front

    @property
    def _rows(self):
        return self._read_front()[0]

    @property
    def parameters(self):
        """The values of the parameters by their names.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&parameter name=Run, type=long &end\\n&data mode=ascii &end\\n7\\n").pages[0].parameters
        {'Run': np.int32(7)}
        """
        return self._read_front()[1]

    @property
    def arrays(self):
        """The arrays by their names.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&array name=A, type=short &end\\n&data mode=ascii &end\\n2\\n3 4\\n").pages[0].arrays
        {'A': array([3, 4], dtype=int16)}
        """
        return self._read_front()[2]

    @property
    def schema(self):
        """The columns: names, types, units.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=x, units=mm, type=long &end\\n&data mode=ascii &end\\n0\\n").pages[0].schema["x"].units
        'mm'
        """
        return self._pages.schema

    @property
    def names(self):
        """The names of the columns.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=x, type=long &end\\n&data mode=ascii &end\\n0\\n").pages[0].names
        ['x']
        """
        return [column["name"] for column in self._pages.header["columns"]]

    def __len__(self):
        """How many rows there are."""
        return self._rows

    def values(self):
        """The columns, as of a dict, read together.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=x, type=long &end\\n&data mode=ascii &end\\n1\\n5\\n").pages[0].values()
        [array([5], dtype=int32)]
        """
        return list(self.columns.values())

    def __array__(self, dtype=None, copy=None):
        # pandas would make a column of the names of it
        raise TypeError("a page is not one array: page[name] is one, and page.to_pandas() a data frame")

    def _read(self, names):
        """Columns of which some are not here yet."""
        kinds = _kinds(self._pages.header, "columns")
        found = self._pages._columns(self._place, names)
        return {name: _arrays.array(parts, kinds[name]) for name, parts in found.items() if name not in self._columns}

    def _kept(self, names):
        missing = [name for name in names if name not in self._columns]
        if missing:
            found = self._read(missing)
            for values in found.values():
                _arrays.lock(values)
            self._columns |= found
        return {name: self._columns[name] for name in names}

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError(f"a page takes the name of a column, not a {type(name).__name__}: page[name][0] is a value, and page.to_pandas() takes more")
        if name not in self.names:
            from binfmt._schema import _unknown

            for what in ("arrays", "parameters"):
                if name in getattr(self, what):
                    raise KeyError(f"unknown column {name!r}: it is one of the {what}, page.{what}[{name!r}]")
            raise KeyError(_unknown(name, self.names))
        return self._kept([name])[name]

    @property
    def columns(self):
        """All columns by their names.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=x, type=long &end\\n&data mode=ascii &end\\n1\\n5\\n").pages[0].columns
        {'x': array([5], dtype=int32)}
        """
        return self._kept(self.names)

    def to_pandas(self):
        """The columns as a `pandas.DataFrame`, the parameters in its `attrs`, and the units of columns as `units`.

        >>> import binfmt
        >>> page = binfmt.open(b"SDDS1\\n&parameter name=Run, type=long &end\\n&column name=x, type=long &end\\n"
        ...                    b"&data mode=ascii &end\\n7\\n1\\n5\\n").pages[0]
        >>> int(page.to_pandas().attrs["Run"]), page.to_pandas()["x"].tolist()
        (7, [5])
        """
        import pandas as pd

        from binfmt._frames import _pandas, frame

        kept, names = self._columns, self.names
        own = self._read(names) if len(kept) < len(names) else {}
        arrays = {name: own[name] if name in own else kept[name].copy() for name in names}
        made = frame(pd, {name: _pandas(pd, values) for name, values in arrays.items()}) if arrays else pd.DataFrame(index=range(len(self)))
        units = {column["name"]: column["units"] for column in self._pages.header["columns"] if "units" in column}
        made.attrs.update(self.parameters)
        if units or "units" in made.attrs:
            # a parameter of that name is no unit of all columns
            made.attrs["units"] = units
        return made

    def _table(self):
        """The rows of the page as a table, with what the file says of them."""
        table = self._pages._table(page_numbers="true").where(f"_page == {self._place}")
        return table.select([name for name in table.names if name != "_page"])

    def __repr__(self):
        arrays = ", ".join(f"{name}[{', '.join(map(str, values.shape))}]" for name, values in self.arrays.items())
        rows = f"{self._rows} rows of {', '.join(self.names)}" if self.names or not arrays else ""
        said = [rows, f"arrays {arrays}" if arrays else ""]
        return f"<page {self._number}: {'; '.join(filter(None, said))}>"

    def __reduce__(self):
        return Page, (self._pages, self._place, self._number)


# not its base, which would compare pages by their arrays
Mapping.register(Page)


def _kinds(header, what):
    return {definition["name"]: _LOGICAL.get(definition["type"]) for definition in header[what]}
