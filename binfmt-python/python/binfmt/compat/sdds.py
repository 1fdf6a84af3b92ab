"""The calls of pylhc's package `sdds`: `read`, `write`, `SddsFile` and the definitions.

>>> from binfmt.compat import sdds
>>> import io, os, tempfile
>>> file = sdds.SddsFile("SDDS1", None, [sdds.Parameter("n", "long")], [3])
>>> path = os.path.join(tempfile.mkdtemp(), "a.sdds")
>>> sdds.write(file, path)
>>> definition, value = sdds.read(path)["n"]
>>> definition.type, int(value)
('long', 3)

What is different: files of all types and modes are read, with all the rows of all columns; of several pages the first is read, as there. Columns
are written, too. Errors are `binfmt.Error`, a `ValueError`.
"""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from binfmt import _arrays, _binfmt
from binfmt._pages import _kinds

__all__ = ["Array", "Column", "Data", "Definition", "Description", "Include", "Parameter", "SddsFile", "read", "read_sdds", "write", "write_sdds"]

ENCODING = "utf-8"


@dataclass
class Description:
    """What the file says of itself."""

    text: "str | None" = None
    contents: "str | None" = None
    TAG: ClassVar[str] = "&description"


@dataclass
class Include:
    """Another file with a part of the header."""

    filename: str


@dataclass
class Data:
    """How the data are written."""

    mode: str
    TAG: ClassVar[str] = "&data"


@dataclass
class Definition:
    """What the parts of a file have in common."""

    name: str
    type: str
    symbol: "str | None" = None
    units: "str | None" = None
    description: "str | None" = None
    format_string: "str | None" = None
    TAG: ClassVar["str | None"] = None

    def get_key_value_string(self):
        """What is said, as in a header."""
        said = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return ", ".join(f"{key}={value}" for key, value in said.items() if value is not None)

    def __repr__(self):
        return f"<SDDS {type(self).__name__} '{self.name}'>"

    def __str__(self):
        return f"<{type(self).__name__} ({self.TAG or 'no tag'})> {self.get_key_value_string()}"


@dataclass(repr=False)
class Column(Definition):
    """A column of the table."""

    TAG: ClassVar[str] = "&column"


@dataclass(repr=False)
class Parameter(Definition):
    """A value of the page."""

    TAG: ClassVar[str] = "&parameter"
    fixed_value: "str | None" = None


@dataclass(repr=False)
class Array(Definition):
    """An array of the page."""

    TAG: ClassVar[str] = "&array"
    field_length: "int | None" = None
    group_name: "str | None" = None
    dimensions: "int | None" = None

    def __post_init__(self):
        for name in ("field_length", "dimensions"):
            value = getattr(self, name)
            setattr(self, name, None if value is None else int(value))


class SddsFile:
    """Definitions and values by their names; `file["name"]` is both."""

    def __init__(self, version, description, definitions_list, values_list):
        names = [definition.name for definition in definitions_list]
        if len(names) != len(set(names)):
            raise ValueError("Duplicated name entries found")
        self.version = version
        self.description = description
        self.definitions = {definition.name: definition for definition in definitions_list}
        self.values = {definition.name: value for definition, value in zip(definitions_list, values_list)}

    def __getitem__(self, name) -> "tuple[Definition, Any]":
        return self.definitions[name], self.values[name]

    def __iter__(self):
        return (self[name] for name in self.definitions)

    def __repr__(self):
        return "<SDDS-File Object>"

    def __str__(self):
        return f"SDDS-File ({self.version})"


# types of the dialect of CERN by the names of this package
_FROM = {"character": "char", "long64": "llong"}
_TO = {"char": "character", "llong": "long64", "boolean": "character"}


def read_sdds(file_path, endianness=None, opener=None):
    """Reads a file: the parameters, arrays and columns of its first page. `endianness` is the byte order of a file that declares none, `opener`
    a function that opens it, such as `gzip.open`."""
    path = str(Path(file_path))
    source = path
    if opener is not None:
        with opener(path) as file:
            source = bytes(file.read())
    raw = _binfmt.Pages(source, True, endianness, path)
    header = raw.header()
    names = [column["name"] for column in header["columns"]]
    found = raw.read(0, 1, names)
    rows, parameters, arrays, columns = found[0] if found else (0, {}, {}, {})
    definitions, values = [], []
    for what, of, given in (("parameters", Parameter, parameters), ("arrays", Array, arrays), ("columns", Column, columns)):
        kinds = _kinds(header, what)
        for about in header[what]:
            name = about["name"]
            if name not in given:
                continue
            definitions.append(of(**about))
            values.append(_value(what, given[name], kinds[name]))
    about = {key: header[key] for key in ("description", "contents") if key in header}
    description = Description(about.get("description"), about.get("contents")) if about else None
    return SddsFile(f"SDDS{header['version']}", description, definitions, values)


def _value(what, parts, kind):
    if what == "parameters":
        value = _arrays.array(parts, kind)[0]
        return value.decode("latin-1") if isinstance(value, bytes) else value
    if what == "arrays":
        sizes, parts = parts
        return _arrays.array(parts, kind).reshape(sizes)
    return _arrays.array(parts, kind)


def write_sdds(sdds_file, output_path):
    """Writes a file: binary, big-endian."""
    import numpy as np

    header = {"mode": "binary", "endian": "big", "parameters": [], "arrays": [], "columns": []}
    if sdds_file.description is not None:
        header |= {"description": sdds_file.description.text, "contents": sdds_file.description.contents}
    page = {"parameters": [], "arrays": [], "columns": []}
    for definition, value in sdds_file:
        about = {field.name: getattr(definition, field.name) for field in dataclasses.fields(definition)}
        about["type"] = _TO.get(definition.type, definition.type)
        what = {"&parameter": "parameters", "&array": "arrays", "&column": "columns"}[definition.TAG]
        if what == "arrays":
            values = np.asarray(value, dtype=object if definition.type == "string" else None)
            about["dimensions"] = values.ndim
            page[what].append((list(values.shape), parts_of(values.reshape(-1), about["type"])))
        elif what == "columns":
            page[what].append(parts_of(value, about["type"]))
        elif about.get("fixed_value") is None:
            page[what].append(parts_of([value], about["type"]))
        header[what].append(about)
    data = _binfmt.sdds_write(header, [(page["parameters"], page["arrays"], page["columns"])])
    Path(output_path).write_bytes(data)


_DTYPES = {
    "short": "i2", "ushort": "u2", "long": "i4", "ulong": "u4", "long64": "i8", "ulong64": "u8", "float": "f4", "double": "f8", "character": "u1",
}  # fmt: skip


def parts_of(values, kind):
    """Values as a column of a type of SDDS."""
    import numpy as np

    if kind == "string":
        return ("text", [value if isinstance(value, (str, bytes)) else str(value) for value in values])
    if kind == "longdouble":
        return _arrays.parts_of(np.asarray(values, dtype=np.longdouble))
    if kind == "character":
        values = [ord(value) if isinstance(value, (str, bytes)) else int(value) & 255 for value in values]
    given = np.asarray(values)
    made = given.astype(_DTYPES[kind])
    if made.dtype.kind in "iu" and given.dtype.kind in "iuf" and not np.array_equal(made, given):
        raise ValueError(f"values that do not fit in {kind}")
    return _arrays.parts_of(made)


read = read_sdds
write = write_sdds
