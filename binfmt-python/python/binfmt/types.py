"""The types of fields for `binfmt.layout`.

>>> from typing import Literal
>>> from binfmt.types import f32, listed, nullable, prefixed, text, u8, u16
>>> nullable[f32], prefixed[text, u16], listed[u8, Literal[4]]
(f32, nullable, text, length_prefixed(u16), [u8; 4])

Numbers are `u8` to `u128`, `i8` to `i128`, `f16`, `f32`, `f64` and `boolean`; `text` and `data` (bytes) need a length. What has no name here
is said with `words`, in the words of the attribute reference: `words[u16 | None, "if(flags & 1 != 0)"]`.

To a type checker they are the types of values in Python: `u8` is an `int`, `nullable[f32]` a `float | None`, `listed[f32, u8]` a `list[float]`.
What is no type stands in `Literal` for it: `listed[u8, Literal[4]]`, `listed[u8, Literal["count"]]`.
"""

__all__ = [
    "be", "boolean", "data", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "le", "listed", "nullable", "prefixed", "text", "u8", "u16",
    "u32", "u64", "u128", "words",
]  # fmt: skip


class Kind:
    """The type of a field: its text in a layout, and the records that it mentions. `may_be_none` if that is said, and no word says when."""

    __slots__ = ("text", "words", "record", "item", "may_be_none")

    def __init__(self, text, words=(), record=None, item=None, may_be_none=False):
        self.text = text
        self.words = tuple(words)
        self.record = record
        self.item = item
        self.may_be_none = may_be_none

    def said(self, *words, may_be_none=None):
        return Kind(self.text, (*self.words, *words), self.record, self.item, self.may_be_none if may_be_none is None else may_be_none)

    def __repr__(self):
        return ", ".join((self.text, *self.words))

    def __or__(self, other):
        # for type checkers: the words of the layout say when
        return self.said(may_be_none="nullable" not in self.words) if other is None else NotImplemented

    __ror__ = __or__

    def __call__(self, *_):
        # typing asks for something that can be called
        raise TypeError(f"{self!r} is a type of a layout: it makes no values")


def kind(of):
    """The kind that an annotation means."""
    if isinstance(of, Kind):
        return of
    if hasattr(of, "__binfmt_fields__"):
        return Kind(of.__name__, record=of)
    if isinstance(of, str):
        text, *words = [part.strip() for part in of.split(",")]
        return Kind(", ".join((text, *words)))
    if of is bool:
        return boolean
    # `Optional[u16]` is `u16 | None`
    inner = [one for one in getattr(of, "__args__", ()) if one is not type(None)]
    if len(inner) == 1 and len(of.__args__) == 2:
        return kind(inner[0]) | None
    near = {int: "i64 (or u8, i16, ..)", float: "f64 (or f32)", str: "prefixed[text, u16]", bytes: "prefixed[data, u16]"}
    tip = f": say {near[of]} of binfmt.types" if of in near else ""
    raise TypeError(f"{getattr(of, '__name__', of)} does not say how many bytes there are{tip}")


def always(kind):
    """The same kind, if nothing says of its values that they may be `None` without saying when."""
    if kind.may_be_none:
        raise TypeError(f"{kind!r} | None: nullable[{kind!r}] has a byte that says whether there is a value, words[{kind!r} | None, 'if(..)'] a condition")
    return kind


class _Form:
    """`name[type, ..]`."""

    def __init__(self, name, make, form="[type]"):
        self.name, self.make, self.form, self.__doc__ = name, make, form, make.__doc__

    def __getitem__(self, given):
        given = given if isinstance(given, tuple) else (given,)
        if len(given) != self.form.count(",") + 1 and not (self.form.endswith("..]") and len(given) > 1):
            raise TypeError(f"{self.name}[..] takes other types: say {self.name}{self.form}")
        return self.make(*given)

    def __repr__(self):
        return f"binfmt.types.{self.name}"


def _nullable(of):
    """A value that may be missing: a byte before it says so."""
    return kind(of).said("nullable", may_be_none=False)


def _prefixed(of, length):
    """Text or bytes after their length, a number of a type."""
    return kind(of).said(f"length_prefixed({kind(length)!r})")


def _listed(of, length):
    """A list: of a fixed length, or after its length in a type of numbers, or as long as an earlier field says (by its name)."""
    inner = always(kind(of))
    # a `Literal`, in which type checkers take numbers and names
    length = getattr(length, "__args__", (length,))[0]
    if isinstance(length, int):
        return Kind(f"[{inner!r}; {length}]", item=inner)
    if isinstance(length, str):
        return Kind(f"[{inner!r}]", (f"count = {length}",), item=inner)
    return Kind(f"[{inner!r}]", (f"length_prefixed({kind(length)!r})",), item=inner)


def _words(of, *words):
    """A type with any words of a layout."""
    return kind(of).said(*words, may_be_none=False)


nullable = _Form("nullable", _nullable)
prefixed = _Form("prefixed", _prefixed, "[type, length]")
listed = _Form("listed", _listed, "[type, length]")
words = _Form("words", _words, "[type, 'word', ..]")
le = _Form("le", lambda of: kind(of).said("le"))
be = _Form("be", lambda of: kind(of).said("be"))

u8, u16, u32, u64, u128 = (Kind(f"u{bits}") for bits in (8, 16, 32, 64, 128))
i8, i16, i32, i64, i128 = (Kind(f"i{bits}") for bits in (8, 16, 32, 64, 128))
f16, f32, f64 = (Kind(f"f{bits}") for bits in (16, 32, 64))
boolean = Kind("bool")
text = Kind("text")
data = Kind("bytes")
