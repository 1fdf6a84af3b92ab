"""The calls of the package `pysdds`: `read`, `write`, `SDDSFile` with its columns, parameters and arrays.

>>> from binfmt.compat import pysdds
>>> file = pysdds.read(b"SDDS1\\n&parameter name=Run, type=long &end\\n&column name=x, type=double &end\\n&data mode=ascii &end\\n7\\n2\\n0.5\\n1.5\\n")
>>> file.col("x").data[0].tolist(), int(file.par("Run").data[0]), file.n_pages
([0.5, 1.5], 7, 1)

Read and written are files of all modes, byte orders and compressions that the library has; `longdouble` needs no permission. Not here: partial
headers (`header_only` reads the header and no page), `use_best_settings` (files are written in the best way), `get_streaming_writer`, `compare`.
Errors are `binfmt.Error`, a `ValueError`.
"""

import copy
import gzip
import io
import lzma
import sys
from pathlib import Path

from binfmt import _arrays, _binfmt
from binfmt._open import _source
from binfmt._pages import _kinds
from binfmt.compat.sdds import parts_of

__all__ = ["Array", "Column", "Data", "Description", "Parameter", "SDDSFile", "read", "write"]

_TYPES = {
    "i2": "short", "u2": "ushort", "i4": "long", "u4": "ulong", "i8": "long64", "u8": "ulong64", "f4": "float", "f8": "double", "O": "string", "U": "string",
}  # fmt: skip


class Description:
    """What the file says of itself."""

    def __init__(self, namelist=None):
        self.nm = dict(namelist or {})

    @property
    def text(self):
        return self.nm.get("text")

    @property
    def contents(self):
        return self.nm.get("contents")


class _Named:
    def __init__(self, namelist, sdds=None):
        self.nm = dict(namelist)
        self._enabled = True
        self.data = []

    @property
    def name(self):
        return self.nm["name"]

    @property
    def type(self):
        return self.nm["type"]

    @property
    def units(self):
        return self.nm.get("units")

    @property
    def symbol(self):
        return self.nm.get("symbol")

    @property
    def description(self):
        return self.nm.get("description")

    def get(self, page):
        """The values of a page."""
        return self.data[page]

    def __getitem__(self, key):
        """A page, or a word of the definition."""
        return self.nm[key] if isinstance(key, str) else self.data[key]

    def __repr__(self):
        return f"{type(self).__name__} {self.name!r} of type {self.type!r}, {len(self.data)} pages"


class Column(_Named):
    """A column: an array for each page."""


class Array(_Named):
    """An array of a page."""

    @property
    def dimensions(self):
        return int(self.nm.get("dimensions", 1))


class Parameter(_Named):
    """A parameter: a value for each page."""

    @property
    def fixed_value(self):
        """The value in the header, as its type; `None` if it has none there."""
        value = self.nm.get("fixed_value")
        if value is None or self.type in ("string", "character"):
            return value
        return float(value) if self.type in ("float", "double", "longdouble") else int(value)


class Data:
    """How the pages are written."""

    def __init__(self, namelist=None):
        self.nm = {"mode": "binary", **(namelist or {})}

    @property
    def mode(self):
        return self.nm["mode"]

    @property
    def column_major_order(self):
        return int(self.nm.get("column_major_order", 0))

    @property
    def no_row_counts(self):
        return int(self.nm.get("no_row_counts", 0))

    @property
    def lines_per_row(self):
        return int(self.nm.get("lines_per_row", 1))


class SDDSFile:
    """A file: lists of `parameters`, `arrays` and `columns`, whose `data` has an entry for each page."""

    def __init__(self, add_data_nm=False):
        self.description = None
        self.parameters, self.arrays, self.columns, self.associates = [], [], [], []
        self.data = Data() if add_data_nm else None
        self.endianness = "little"
        self.n_pages = 0
        self._mode = "binary"

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
        """Says how the file is written: `"binary"` or `"ascii"`."""
        if mode not in ("binary", "ascii"):
            raise ValueError(f"SDDS mode {mode!r} is not binary or ascii")
        self._mode = mode
        self.data = Data({**(self.data.nm if self.data else {}), "mode": mode})

    def set_endianness(self, endianness):
        """Says in which byte order the file is written."""
        if endianness not in ("big", "little"):
            raise ValueError(f"SDDS byte order {endianness!r} is not big or little")
        self.endianness = endianness

    def col(self, column):
        return self.columns_dict[column]

    def par(self, parameter):
        return self.parameter_dict[parameter]

    def array(self, array_name):
        return self.array_dict[array_name]

    def __getitem__(self, keys):
        """A column, array or parameter by its name; `file[page, "x"]` the values of a column."""
        if isinstance(keys, tuple):
            page, column = keys
            return self.col(column).data[page]
        for known in (self.columns_dict, self.array_dict, self.parameter_dict):
            if keys in known:
                return known[keys]
        raise KeyError(f"Key {keys} is not found, have {self.column_names}|{self.array_names}|{self.parameter_names}")

    def add_parameter(self, name, type, symbol=None, units=None, description=None, fixed_value=None, data=None):
        """Adds a parameter with a value for each page."""
        said = {"name": name, "type": type, "symbol": symbol, "units": units, "description": description, "fixed_value": fixed_value}
        return self._add(self.parameters, Parameter, said, data)

    def add_column(self, name, type, symbol=None, units=None, description=None, format_string=None, data=None, **others):
        """Adds a column with an array for each page."""
        said = {"name": name, "type": type, "symbol": symbol, "units": units, "description": description, "format_string": format_string}
        return self._add(self.columns, Column, said, data)

    def _add(self, into, of, said, data):
        made = of({key: value for key, value in said.items() if value is not None}, self)
        if data is not None:
            made.data = data
            self.n_pages = self.n_pages or len(data)
        into.append(made)
        return made

    def copy(self, data=True, deep=True):
        return copy.deepcopy(self) if deep else copy.copy(self)

    @staticmethod
    def from_df(df_list, parameter_dict=None, mode="binary", endianness=None):
        """A file of data frames with the same columns, one for each page, and of lists of values of parameters."""
        import numpy as np

        file = SDDSFile()
        first = df_list[0]
        for frame in df_list:
            if list(frame.columns) != list(first.columns):
                raise ValueError(f"Dataframe columns not same - {list(first.columns)} vs {list(frame.columns)}")
        for place, name in enumerate(first.columns):
            pages = [_plain(frame.iloc[:, place]) for frame in df_list]
            file.add_column(str(name), _type(pages[0]), data=pages)
        for name, values in (parameter_dict or {}).items():
            if len(values) != len(df_list):
                raise ValueError(f"Length {len(values)} of parameter {name} different from page count {len(df_list)}")
            text = isinstance(values[0], str)
            found = np.array(values, dtype=object if text else None)
            if found.dtype == np.int64:
                found = found.astype(np.int32)
            file.add_parameter(name, _type(found), data=list(found))
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

    def write(self, filepath, **kwargs):
        return write(self, filepath, **kwargs)

    def __repr__(self):
        return f"SDDSFile: {self.n_pages} pages, {self.n_parameters} parameters, {self.n_arrays} arrays, {self.n_columns} columns, {self.mode}"


def _plain(values):
    """A column of a frame as an array that SDDS has a type for."""
    import numpy as np

    if values.dtype == object or not isinstance(values.dtype, np.dtype):
        return values.to_numpy(dtype=object, na_value="")
    return values.to_numpy()


def _type(values):
    found = _TYPES.get("O" if values.dtype.kind in "OU" else f"{values.dtype.kind}{values.dtype.itemsize}")
    if found is None:
        raise ValueError(f"SDDS has no type for {values.dtype}")
    return found


def _of(chosen, names):
    """Names of what is chosen by numbers or names; all without a choice."""
    if chosen is None:
        return list(names)
    wanted = [names[one] if isinstance(one, int) else one for one in chosen]
    return [name for name in names if name in wanted]


def read(filepath, pages=None, arrays=None, cols=None, mode="auto", endianness="auto", compression="auto", header_only=False, allow_longdouble=False):
    """Reads a file. `pages` are numbers, `arrays` and `cols` numbers or names of those that are wanted; the file tells the rest."""
    given = str(filepath) if isinstance(filepath, (str, Path)) else _source(filepath)
    raw = _binfmt.Pages(given, True, None if endianness in (None, "auto") else endianness)
    header = raw.header()
    if mode not in (None, "auto", header["mode"]):
        raise ValueError(f"the mode of the file is {header['mode']}, not {mode}")
    file = SDDSFile()
    if "description" in header or "contents" in header:
        file.description = Description({"text": header.get("description"), "contents": header.get("contents")})
    file._mode = header["mode"]
    file.endianness = header["endian"] or sys.byteorder
    file.data = Data({"mode": header["mode"], "column_major_order": int(header["column_major"]), "no_row_counts": int(header["no_row_counts"]), "lines_per_row": header["lines_per_row"]})
    file.parameters = [Parameter(about, file) for about in header["parameters"]]
    file.arrays = [Array(about, file) for about in header["arrays"]]
    file.columns = [Column(about, file) for about in header["columns"]]
    if not header_only:
        _fill(file, raw, header, pages, arrays, cols)
    return file


def _fill(file, raw, header, pages, arrays, cols):
    columns, arrays = _of(cols, file.column_names), _of(arrays, file.array_names)
    kinds = {what: _kinds(header, what) for what in ("parameters", "arrays", "columns")}
    wanted = None if pages is None else set(pages)
    place = 0
    while found := raw.read(place, 64, columns):
        for _, values, given, parts in found:
            place += 1
            if wanted is not None and place - 1 not in wanted:
                continue
            file.n_pages += 1
            for one in file.parameters:
                if one.name in values:
                    value = _arrays.array(values[one.name], kinds["parameters"][one.name])[0]
                    one.data.append(value.decode("latin-1") if isinstance(value, bytes) else value)
            for one in file.arrays:
                if one.name in arrays:
                    sizes, elements = given[one.name]
                    one.data.append(_arrays.array(elements, kinds["arrays"][one.name]).reshape(sizes))
            for one in file.columns:
                if one.name in columns:
                    one.data.append(_arrays.array(parts[one.name], kinds["columns"][one.name]))
    for one in file.arrays:
        one._enabled = one.name in arrays
    for one in file.columns:
        one._enabled = one.name in columns


_KEPT = ("name", "type", "symbol", "units", "description", "format_string", "fixed_value", "group_name", "dimensions")


def _about(one):
    said = {key: one.nm[key] for key in _KEPT if one.nm.get(key) is not None}
    return {key: int(value) if key == "dimensions" else str(value) for key, value in said.items()}


def write(sdds, filepath, compression=None, overwrite=False, use_best_settings=False):
    """Writes a file; without a path the bytes are returned. What is there stays, unless `overwrite` says otherwise."""
    import numpy as np

    header = {"mode": sdds.mode, "column_major": bool(sdds.data and sdds.data.column_major_order)}
    if sdds.mode == "binary":
        header["endian"] = sdds.endianness
    if sdds.description is not None:
        header |= {"description": sdds.description.text, "contents": sdds.description.contents}
    arrays, columns = ([one for one in all_ if one._enabled] for all_ in (sdds.arrays, sdds.columns))
    header |= {"parameters": [_about(one) for one in sdds.parameters], "arrays": [_about(one) for one in arrays], "columns": [_about(one) for one in columns]}
    pages = []
    for page in range(sdds.n_pages):
        values = [parts_of([one.data[page]], one.type) for one in sdds.parameters if one.nm.get("fixed_value") is None]
        blocks = [np.asarray(one.data[page]) for one in arrays]
        blocks = [(list(block.shape), parts_of(block.reshape(-1), one.type)) for one, block in zip(arrays, blocks)]
        pages.append((values, blocks, [parts_of(one.data[page], one.type) for one in columns]))
    data = _binfmt.sdds_write(header, pages)
    if compression == "auto":
        compression = str(filepath).rpartition(".")[2] if isinstance(filepath, (str, Path)) else None
    data = {"gz": gzip.compress, "xz": lzma.compress}.get(compression, bytes)(data)
    if filepath is None:
        return data
    if isinstance(filepath, (str, Path)):
        if Path(filepath).exists() and not overwrite:
            raise FileExistsError(f"file {filepath} exists: say overwrite=True")
        Path(filepath).write_bytes(data)
    elif isinstance(filepath, io.IOBase) or hasattr(filepath, "write"):
        filepath.write(data)
    else:
        raise TypeError(f"{type(filepath).__name__} is neither a path nor a file")
