"""A file of SDDS as objects: definitions with the values of all pages."""

import copy
import weakref

from binfmt.compat._sdds import dtype_of, type_of

__all__ = ["Array", "Associate", "Column", "Data", "Description", "Parameter", "SDDSFile"]


def _differ(raise_error, what, *found):
    """The answer that two things differ, or an error that says in what."""
    if raise_error:
        raise ValueError(f"{what}: {' and '.join(map(repr, found))} differ" if found else f"{what} differs")
    return False


def _same(one, other, eps):
    """Whether two lists of values, or of arrays, are the same, numbers within `eps`. NaN is NaN."""
    import numpy as np

    if len(one) != len(other):
        return False
    for value, wanted in zip(one, other):
        value, wanted = np.asarray(value), np.asarray(wanted)
        if value.shape != wanted.shape:
            return False
        if value.dtype.kind in "iuf" and wanted.dtype.kind in "iuf":
            if not np.allclose(value, wanted, rtol=0, atol=eps or 0, equal_nan=True):
                return False
        elif not np.array_equal(value, wanted):
            return False
    return True


def _word(value):
    text = str(value)
    if not any(one in text for one in ' ",$!'):
        return text
    escaped = text.replace('"', '\\"').replace("!", "\\!")
    return f'"{escaped}"'


class _Command:
    """A command of the header: `nm` has its words."""

    TAG = ""

    def __init__(self, namelist=None):
        self.nm = {} if namelist is None else namelist

    def to_sdds(self):
        """The command as in a header."""
        return f"&{self.TAG} {', '.join(f'{key}={_word(value)}' for key, value in self.nm.items())}, &end"

    def compare(self, other, raise_error=False):
        """Whether the other one says the same."""
        if type(other) is not type(self) or other.nm != self.nm:
            return _differ(raise_error, self.TAG, self.nm, getattr(other, "nm", other))
        return True

    def __eq__(self, other):
        return self.compare(other)

    # what can be changed is not a key
    __hash__ = None  # type: ignore[assignment]

    def __str__(self):
        return self.to_sdds()


class Description(_Command):
    """What the file says of itself."""

    TAG = "description"

    def __init__(self, namelist):
        super().__init__(namelist)

    text = property(lambda self: self.nm.get("text"))
    contents = property(lambda self: self.nm.get("contents"))


class Associate(_Command):
    """Another file that belongs to this one."""

    TAG = "associate"
    filename = property(lambda self: self.nm.get("filename"))
    path = property(lambda self: self.nm.get("path"))
    description = property(lambda self: self.nm.get("description"))
    contents = property(lambda self: self.nm.get("contents"))
    sdds = property(lambda self: self.nm.get("sdds", 0))


class Data(_Command):
    """How the pages are written."""

    TAG = "data"
    mode = property(lambda self: self.nm.get("mode", "binary"))
    column_major_order = property(lambda self: int(self.nm.get("column_major_order", 0)))
    no_row_counts = property(lambda self: int(self.nm.get("no_row_counts", 0)))
    lines_per_row = property(lambda self: int(self.nm.get("lines_per_row", 1)))
    additional_header_lines = property(lambda self: int(self.nm.get("additional_header_lines", 0)))
    use_best_settings = False


class _Named(_Command):
    def __init__(self, namelist, sdds=None):
        super().__init__(namelist)
        self.sdds = sdds
        self.data = []
        self._enabled = True

    @property
    def sdds(self):
        """The file that it is of; `None` when nobody has the file any more: its pages go with it, not when Python looks for cycles."""
        return None if self._file is None else self._file()

    @sdds.setter
    def sdds(self, file):
        self._file = None if file is None else weakref.ref(file)
        self._pages = getattr(file, "_pages", None)

    def __getstate__(self):
        return {**self.__dict__, "_file": self.sdds, "_pages": None}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.sdds = state["_file"]

    name = property(lambda self: self.nm.get("name"))
    type = property(lambda self: self.nm.get("type"))
    units = property(lambda self: self.nm.get("units"))
    symbol = property(lambda self: self.nm.get("symbol"))
    description = property(lambda self: self.nm.get("description"))

    def get(self, page):
        """The values of a page."""
        return self.data[page]

    def __getitem__(self, key):
        """The values of a page; `[page, row]` one of them."""
        page, *rest = key if isinstance(key, tuple) else (key,)
        if len(rest) > 1 or not all(isinstance(one, int) for one in (page, *rest)):
            raise ValueError(f"{key!r} is neither a page nor a page and a row")
        values = self.data
        for place in (page, *rest):
            if not 0 <= place < len(values):
                raise KeyError(f"{self.TAG} {self.name!r}: index {key!r} is out of bounds: there are {len(values)}")
            values = values[place]
        return values

    def compare(self, other, eps=None, raise_error=False):
        """Whether definition and values are the same, numbers within `eps`."""
        if not super().compare(other, raise_error):
            return False
        if self._enabled != other._enabled:
            return _differ(raise_error, f"{self.TAG} {self.name!r}: what was read", self._enabled, other._enabled)
        return _same(self.data, other.data, eps) or _differ(raise_error, f"{self.TAG} {self.name!r}: data")

    def __repr__(self):
        return f"{type(self).__name__} {self.name!r} of type {self.type!r}, {len(self.data)} pages"

    __str__ = __repr__


class Column(_Named):
    """A column: an array for each page."""

    TAG = "column"


class Array(_Named):
    """An array of each page."""

    TAG = "array"
    dimensions = property(lambda self: int(self.nm.get("dimensions", 1)))


class Parameter(_Named):
    """A parameter: a value for each page, or one in the header for all of them."""

    TAG = "parameter"

    @property
    def fixed_value(self):
        """The value in the header, as its type; `None` if it has none there."""
        value = self.nm.get("fixed_value")
        if value is None or self.type in ("string", "character"):
            return value
        return dtype_of(self.type).type(value)

    @property
    def data(self):
        """The value of each page."""
        if self.nm.get("fixed_value") is None:
            return self._data
        return [self.fixed_value] * (self._pages[0] if self._pages else 0)

    @data.setter
    def data(self, value):
        if value and self.nm.get("fixed_value") is not None:
            raise ValueError(f"parameter {self.name!r} has the value {self.fixed_value!r} in the header")
        self._data = value

    def compare(self, other, eps=None, raise_error=False, fixed_equivalent=True):
        """Whether definition and values are the same, numbers within `eps`. Where the value stands does not matter, unless it is to."""
        if type(other) is type(self) and fixed_equivalent:
            one, another = ({**of.nm, "fixed_value": None} for of in (self, other))
            if one != another:
                return _differ(raise_error, self.TAG, self.nm, other.nm)
        elif not _Command.compare(self, other, raise_error):
            return False
        return _same(self.data, other.data, eps) or _differ(raise_error, f"parameter {self.name!r}: data", self.data, other.data)


class SDDSFile:
    """A file: lists of `parameters`, `arrays` and `columns`, whose `data` has an entry for each page."""

    def __init__(self, add_data_nm=False):
        self.description = None
        self.parameters, self.arrays, self.columns, self.associates = [], [], [], []
        self.data = Data() if add_data_nm else None
        self.endianness = "little"
        # in a list, which parameters with a fixed value have, too
        self._pages = [0]
        self._mode = "binary"

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._pages = list(self._pages)
        for one in (*self.parameters, *self.arrays, *self.columns):
            if one.sdds is self:
                # which was not whole yet when they were made
                one.sdds = self

    @property
    def n_pages(self):
        """How many pages there are."""
        return self._pages[0]

    @n_pages.setter
    def n_pages(self, value):
        self._pages[0] = value

    n_parameters = property(lambda self: len(self.parameters))
    n_arrays = property(lambda self: len(self.arrays))
    n_columns = property(lambda self: len(self.columns))
    parameter_dict = property(lambda self: {one.name: one for one in self.parameters})
    array_dict = property(lambda self: {one.name: one for one in self.arrays})
    columns_dict = property(lambda self: {one.name: one for one in self.columns})
    column_dict = columns_dict
    parameter_names = property(lambda self: [one.name for one in self.parameters])
    array_names = property(lambda self: [one.name for one in self.arrays])
    column_names = property(lambda self: [one.name for one in self.columns])
    is_empty = property(lambda self: self.n_pages == 0)

    @property
    def mode(self):
        return self._mode

    @mode.setter
    def mode(self, value):
        self.set_mode(value)

    def set_mode(self, mode, **kwargs):
        """Says how the file is written: `"binary"` or `"ascii"`; further words for the command `&data`."""
        if mode not in ("binary", "ascii"):
            raise ValueError(f"SDDS mode {mode!r} is not binary or ascii")
        self._mode = mode
        self.data = Data({**(self.data.nm if self.data else {}), "mode": mode, **kwargs})

    def set_endianness(self, endianness):
        """Says in which byte order the file is written."""
        if endianness not in ("big", "little"):
            raise ValueError(f"SDDS byte order {endianness!r} is not big or little")
        self.endianness = endianness

    def col(self, column):
        """The column of a name."""
        return self.columns_dict[column]

    def par(self, parameter):
        """The parameter of a name."""
        return self.parameter_dict[parameter]

    def array(self, array_name):
        """The array of a name."""
        return self.array_dict[array_name]

    def __getitem__(self, keys):
        """A column, array or parameter by its name; `file[page, "x"]` the values of a column."""
        if isinstance(keys, tuple):
            page, column = keys
            return self.col(column)[page]
        for known in (self.columns_dict, self.array_dict, self.parameter_dict):
            if keys in known:
                return known[keys]
        raise KeyError(f"Key {keys} is not found, have {self.column_names}|{self.array_names}|{self.parameter_names}")

    def add_parameter(self, name, type, symbol=None, units=None, description=None, fixed_value=None, data=None):
        """Adds a parameter with a value for each page."""
        said = {"name": name, "type": type, "symbol": symbol, "units": units, "description": description, "fixed_value": fixed_value}
        return self._add(self.parameters, Parameter, said, data)

    def add_column(
        self, name, type, symbol=None, units=None, description=None, format_string=None, group_name=None, field_length=0, dimensions=1, data=None
    ):
        """Adds a column with an array for each page."""
        said = {"name": name, "type": type, "symbol": symbol, "units": units, "description": description, "format_string": format_string}
        said |= {"group_name": group_name, "field_length": field_length or None, "dimensions": dimensions if dimensions != 1 else None}
        return self._add(self.columns, Column, said, data)

    def _add(self, into, of, said, data):
        made = of({key: value for key, value in said.items() if value is not None}, self)
        if data is not None:
            made.data = data
            self.n_pages = self.n_pages or len(data)
        into.append(made)
        return made

    def copy(self, data=True, deep=True):
        """A copy, without its pages unless they are wanted."""
        made = copy.copy(self)
        if deep:
            made = copy.deepcopy(self) if data else copy.deepcopy(self._emptied())
        elif not data:
            made = self._emptied()
        return made

    def _emptied(self):
        made = copy.copy(self)
        made.n_pages = 0
        for name in ("parameters", "arrays", "columns"):
            emptied = [copy.copy(one) for one in getattr(self, name)]
            for one in emptied:
                one.data, one.sdds = [], made
            setattr(made, name, emptied)
        return made

    def compare(self, other, eps=None, ignore_data_mode=True, fixed_value_equivalent=False, raise_error=False):
        """Whether the other file has the same definitions and values, numbers within `eps`; or an error that says what differs."""
        if not isinstance(other, SDDSFile):
            return _differ(raise_error, "type", type(self), type(other))
        for what in ("n_pages", "parameter_names", "array_names", "column_names"):
            if getattr(self, what) != getattr(other, what):
                return _differ(raise_error, what, getattr(self, what), getattr(other, what))
        if self.description != other.description:
            return _differ(raise_error, "description", str(self.description), str(other.description))
        parameters = zip(self.parameters, other.parameters)
        if not all(one.compare(another, eps, raise_error, fixed_value_equivalent) for one, another in parameters):
            return False
        if not all(one.compare(another, eps, raise_error) for one, another in zip(self.arrays + self.columns, other.arrays + other.columns)):
            return False
        return ignore_data_mode or (self.data or Data()).compare(other.data or Data(), raise_error)

    def __eq__(self, other):
        return self.compare(other)

    # what can be changed is not a key
    __hash__ = None  # type: ignore[assignment]

    def describe(self):
        """How much there is, as text."""
        columns = [one for one in self.columns if one._enabled]
        text = f"{self!r}, endianness {self.endianness}\n"
        if columns:
            used = sum(getattr(values, "nbytes", 0) for one in columns for values in one.data)
            text += f" Page sizes: {[len(values) for values in columns[0].data]}\n Column mem usage: {used / 2**20:.4f} MB"
        return text

    def validate_data(self):
        """Refuses values that are not of their types, or not as many as there are pages and rows."""
        for one in (*self.parameters, *self.arrays, *self.columns):
            if not one._enabled:
                continue
            if len(one.data) != self.n_pages:
                raise ValueError(f"{one.TAG} {one.name!r} has {len(one.data)} pages, the file {self.n_pages}")
            for values in one.data:
                _check_type(one, values)
        for page in range(self.n_pages):
            rows = {one.name: len(one.data[page]) for one in self.columns if one._enabled}
            if len(set(rows.values())) > 1:
                raise ValueError(f"the columns of page {page} differ in length: {rows}")

    @staticmethod
    def from_df(df_list, parameter_dict=None, mode="binary", endianness=None):
        """A file of data frames with the same columns, one for each page, and of lists of values of parameters."""
        import sys

        import numpy as np

        file = SDDSFile()
        first = df_list[0]
        for frame in df_list:
            if list(frame.columns) != list(first.columns):
                raise ValueError(f"Dataframe columns not same - {list(first.columns)} vs {list(frame.columns)}")
        for place, name in enumerate(first.columns):
            pages = [_plain(frame.iloc[:, place]) for frame in df_list]
            file.add_column(str(name), type_of(pages[0]), data=pages)
        for name, values in (parameter_dict or {}).items():
            if len(values) != len(df_list):
                raise ValueError(f"Length {len(values)} of parameter {name} different from page count {len(df_list)}")
            text = isinstance(values[0], str)
            found = np.array(values, dtype=object if text else None)
            if found.dtype == np.int64:
                found = found.astype(np.int32)
            file.add_parameter(name, type_of(found), data=list(found))
        file.n_pages = len(df_list)
        file.endianness = sys.byteorder if endianness in (None, "auto") else endianness
        file.set_mode(mode)
        return file

    def columns_to_df(self, page=0):
        """The columns of a page as a data frame."""
        import pandas as pd

        if not 0 <= page < self.n_pages:
            raise ValueError(f"Page ({page}) is not valid - have ({self.n_pages})")
        return pd.DataFrame({one.name: one.data[page] for one in self.columns if one._enabled})

    cdf = columns_to_df

    def parameters_to_df(self):
        """The parameters as a data frame with a row for each page."""
        import pandas as pd

        frame = pd.DataFrame({one.name: one.data for one in self.parameters})
        frame.index.name = "Page"
        return frame

    pdf = parameters_to_df

    def page_to_df(self, page=0):
        """The columns of a page with its parameters as further columns."""
        frame = self.columns_to_df(page)
        for one in self.parameters:
            frame[one.name] = one.data[page]
        return frame

    def write(self, filename, compression=None, overwrite=False, use_best_settings=True):
        """Writes the file; the same as `pysdds.write(file, filename, ..)`."""
        from binfmt.compat.pysdds.writers import write

        return write(self, filename, compression, overwrite, use_best_settings)

    def to_sdds(self):
        """The bytes of the file."""
        from binfmt.compat.pysdds.writers import write

        return write(self, None)

    def get_streaming_writer(self, filename, compression=None, overwrite=False, use_best_settings=True):
        """A writer of rows that come one by one: an `IncrementalWriter`. The file has its definitions, and no page."""
        from binfmt.compat.pysdds.streaming import IncrementalWriter

        if not self.is_empty:
            raise ValueError("a file that has pages is not written row by row")
        return IncrementalWriter(self, filename, compression, overwrite, use_best_settings)

    def __repr__(self):
        return f"SDDSFile: {self.n_pages} pages, {self.n_parameters} parameters, {self.n_arrays} arrays, {self.n_columns} columns, mode {self.mode}"


def _check_type(one, values):
    import numpy as np

    wanted = dtype_of(one.type)
    if isinstance(one, Parameter):
        fits = isinstance(values, (str, bytes)) if wanted == object else np.asarray(values).dtype.kind in "biuf"
        found = type(values).__name__
    else:
        found = getattr(values, "dtype", None)
        both_whole = found is not None and found.kind in "iu" and wanted.kind in "iu"
        fits = found is not None and (both_whole or found == wanted or wanted == object and found.kind in "OUS")
    if not fits:
        raise ValueError(f"{one.TAG} {one.name!r} is of type {one.type}, its values are {found}")


def _plain(values):
    """A column of a frame as an array that SDDS has a type for."""
    import numpy as np

    if values.dtype == object or not isinstance(values.dtype, np.dtype):
        return values.to_numpy(dtype=object, na_value="")
    return values.to_numpy()
