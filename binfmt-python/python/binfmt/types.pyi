"""What the types of fields are to a type checker: those of the values in Python."""

from typing import Annotated as words
from typing import Optional as nullable
from typing import TypeAlias, TypeVar

from typing_extensions import TypeAliasType

__all__ = [
    "be", "boolean", "data", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "le", "listed", "nullable", "prefixed", "text", "u8", "u16",
    "u32", "u64", "u128", "words",
]  # fmt: skip

_T = TypeVar("_T")
_Length = TypeVar("_Length")

u8: TypeAlias = int
u16: TypeAlias = int
u32: TypeAlias = int
u64: TypeAlias = int
u128: TypeAlias = int
i8: TypeAlias = int
i16: TypeAlias = int
i32: TypeAlias = int
i64: TypeAlias = int
i128: TypeAlias = int
f16: TypeAlias = float
f32: TypeAlias = float
f64: TypeAlias = float
boolean: TypeAlias = bool
text: TypeAlias = str
data: TypeAlias = bytes

# a length is said, and is no part of the value
prefixed = TypeAliasType("prefixed", _T, type_params=(_T, _Length))
listed = TypeAliasType("listed", list[_T], type_params=(_T, _Length))
le = TypeAliasType("le", _T, type_params=(_T,))
be = TypeAliasType("be", _T, type_params=(_T,))
