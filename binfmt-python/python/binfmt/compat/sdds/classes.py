"""The definitions of a file, and the file."""

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

__all__ = ["Array", "Column", "Data", "Definition", "Description", "Include", "Parameter", "SddsFile", "get_dtype_str"]

ENCODING = "utf-8"
ENCODING_LEN = 1
ENDIAN = {"little": "<", "big": ">"}

# the types by the names of this package: NumPy's name, bytes, and what a value becomes
_KINDS = {
    "float": ("f", 4, float), "double": ("d", 8, float), "short": ("i2", 2, int), "long": ("i4", 4, int),
    "llong": ("i8", 8, int), "char": ("i1", 1, str), "boolean": ("i1", 1, int),
}  # fmt: skip
NUMTYPES = {name: code for name, (code, _, _) in _KINDS.items()} | {"string": "s"}
NUMTYPES_SIZES = {name: size for name, (_, size, _) in _KINDS.items()}
NUMTYPES_CAST = {name: cast for name, (_, _, cast) in _KINDS.items()}


def get_dtype_str(type_: str, endianness: str = "big", length: "int | None" = None) -> str:
    """What NumPy calls a type, of so many bytes if it is text.

    >>> from binfmt.compat.sdds.classes import get_dtype_str
    >>> get_dtype_str("llong"), get_dtype_str("string", length=3)
    ('>i8', '>3s')
    """
    return f"{ENDIAN[endianness]}{'' if length is None else length}{NUMTYPES[type_]}"


class _Said:
    """A command of a header: its words are the fields."""

    def get_key_value_string(self) -> str:
        """What is said, as in a header."""
        return ", ".join(f"{key}={value}" for key, value in vars(self).items() if value is not None)


@dataclass(repr=False)
class Description(_Said):
    """What the file says of itself."""

    text: "str | None" = None
    contents: "str | None" = None
    TAG: ClassVar[str] = "&description"

    def __repr__(self) -> str:
        return f"<SDDS Description Container> {self.get_key_value_string()}"


@dataclass(repr=False)
class Include:
    """Another file with a part of the header."""

    filename: str

    def __repr__(self) -> str:
        return f"<SDDS Include Container: {self.filename}>"


@dataclass(repr=False)
class Data(_Said):
    """How the data are written."""

    mode: str
    TAG: ClassVar[str] = "&data"

    def __repr__(self) -> str:
        return f"<SDDS {self.mode} Data Container>"


@dataclass
class Definition(_Said):
    """What the definitions of parameters, arrays and columns have in common. Words of a header are made what they should be: numbers, and
    nothing of `"None"`."""

    name: str
    type: str
    symbol: "str | None" = None
    units: "str | None" = None
    description: "str | None" = None
    format_string: "str | None" = None
    TAG: ClassVar["str | None"] = None

    def __post_init__(self) -> None:
        for name, hint in typing.get_type_hints(type(self)).items():
            if typing.get_origin(hint) is ClassVar:
                continue
            value, kinds = getattr(self, name), typing.get_args(hint) or (hint,)
            if types.NoneType in kinds and (value is None or isinstance(value, str) and value.lower() == "none"):
                setattr(self, name, None)
            elif not isinstance(value, kinds):
                setattr(self, name, kinds[0](value))

    def __repr__(self) -> str:
        return f"<SDDS {type(self).__name__} '{self.name}'>"

    def __str__(self) -> str:
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


class SddsFile:
    """Definitions and values by their names; `file["name"]` is both."""

    def __init__(
        self, version: str, description: "Description | None", definitions_list: "list[Definition]", values_list: "list[Any]"
    ) -> None:
        names = [definition.name for definition in definitions_list]
        if len(names) != len(set(names)):
            raise ValueError("Duplicated name entries found")
        self.version = version
        self.description = description
        self.definitions = {definition.name: definition for definition in definitions_list}
        self.values = {definition.name: value for definition, value in zip(definitions_list, values_list)}

    def __getitem__(self, name: str) -> "tuple[Definition, Any]":
        return self.definitions[name], self.values[name]

    def __iter__(self) -> "Iterator[tuple[Definition, Any]]":
        return (self[name] for name in self.definitions)

    def __repr__(self) -> str:
        return "<SDDS-File Object>"

    def __str__(self) -> str:
        return f"SDDS-File ({self.version})"
