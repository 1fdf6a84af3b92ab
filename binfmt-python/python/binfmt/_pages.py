"""Pages of SDDS files."""

from binfmt import _arrays

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

    __slots__ = ("_raw", "_count", "_used", "_last", "_before", "_columns_before", "header")

    def __init__(self, raw):
        self._raw = raw
        self._count = None
        self._used = []
        self._last = ()
        self._before = {}
        self._columns_before = {}
        self.header = raw.header()
        """What the header says: definitions of parameters, arrays and columns."""

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
            found = self._raw.read(first, place - first + 1, []) if place >= 0 else []
            if len(found) < place - first + 1 or place < 0:
                raise IndexError(f"page {key} is out of bounds: there are {len(self)}")
            *before, page = (Page(self, first + number, read) for number, read in enumerate(found))
            self._before = {page._place: page for page in before}
        # one that is asked for again, and those beside it
        self._last = (*[other for other in self._last if other is not page][-2:], page)
        return page

    def __iter__(self):
        place, found = 0, _BLOCK * [None]
        while len(found) == _BLOCK:
            found = self._raw.read(place, _BLOCK, [])
            for page in found:
                yield Page(self, place, page)
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
        *before, (*_, columns) = self._raw.read(first, place - first + 1, self._used)
        self._columns_before = {first + number: read[3] for number, read in enumerate(before)}
        return columns

    def __repr__(self):
        return f"<{len(self)} pages>"


class Page:
    """One page: `parameters` and `arrays` by name, `page["x"]` a column: an array that the page keeps, and that cannot be written to.

    >>> import binfmt
    >>> page = binfmt.open(b"SDDS1\\n&array name=A, type=short, dimensions=2 &end\\n&column name=x, type=long &end\\n"
    ...                    b"&data mode=ascii &end\\n1 2\\n3 4\\n2\\n5\\n6\\n").pages[0]
    >>> len(page), page.arrays["A"].tolist(), page["x"]
    (2, [[3, 4]], array([5, 6], dtype=int32))
    """

    __slots__ = ("_pages", "_place", "_rows", "_columns", "parameters", "arrays")

    def __init__(self, pages, place, read):
        rows, parameters, arrays, _ = read
        self._pages, self._place, self._rows, self._columns = pages, place, rows, {}
        kinds = _kinds(pages.header, "parameters")
        self.parameters = {name: _arrays.array(parts, kinds[name])[0] for name, parts in parameters.items()}
        kinds = _kinds(pages.header, "arrays")
        self.arrays = {name: _arrays.reshaped(_arrays.array(parts, kinds[name]), sizes) for name, (sizes, parts) in arrays.items()}

    @property
    def names(self):
        """The names of the columns.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=x, type=long &end\\n&data mode=ascii &end\\n0\\n").pages[0].names
        ['x']
        """
        return [column["name"] for column in self._pages.header["columns"]]

    def __len__(self):
        return self._rows

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
        if name not in self.names:
            from binfmt._schema import _unknown

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

    def __repr__(self):
        arrays = ", ".join(f"{name}[{', '.join(map(str, values.shape))}]" for name, values in self.arrays.items())
        rows = f"{self._rows} rows of {', '.join(self.names)}" if self.names or not arrays else ""
        said = [rows, f"arrays {arrays}" if arrays else ""]
        return f"<page {self._place}: {'; '.join(filter(None, said))}>"


def _kinds(header, what):
    return {definition["name"]: _LOGICAL.get(definition["type"]) for definition in header[what]}
