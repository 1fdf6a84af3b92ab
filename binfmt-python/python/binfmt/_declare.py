"""Layouts as classes."""

import sys

from binfmt._layout import Layout


# what a class gets that is no `Record`
_METHODS = ("decode", "decode_all", "encode", "encode_all")


class Record:
    """The base of classes whose annotations say the types of fields, by the names in `binfmt.types`: each of them is a layout.

    Such a class is a dataclass with `LAYOUT`, `decode`, `decode_all`, `encode` and `encode_all`, which type checkers know. `endian` and `magic`
    stand after the base, and are those of `binfmt.layout`; with `frozen=True` the fields of an object cannot be set, and it is a key of dicts. A class
    that extends one is frozen as that is.

    >>> import binfmt
    >>> from binfmt.types import prefixed, text, u8, u16
    >>> class Point(binfmt.Record, endian="big", magic=b"P"):
    ...     x: u16
    ...     name: prefixed[text, u8]
    >>> Point(x=5, name="a").encode()
    b'P\\x00\\x05\\x01a'
    >>> Point.decode(b"P\\x00\\x05\\x01a")
    Point(x=5, name='a')
    """

    def __init_subclass__(cls, *, endian="little", magic=None, frozen=None, **more):
        super().__init_subclass__(**more)
        # what only others extend has no fields yet
        if _annotations(cls) or _inherited(cls):
            _make(cls, endian, magic, frozen)

    @classmethod
    def decode(cls, data):
        """The object of which these are the bytes, all of them.

        >>> import binfmt
        >>> from binfmt.types import u8
        >>> class Pair(binfmt.Record):
        ...     x: u8
        ...     y: u8
        >>> Pair.decode(b"\\x01\\x02")
        Pair(x=1, y=2)
        """
        return _made(cls, _layout_of(cls).decode(data))

    @classmethod
    def decode_all(cls, data):
        """The objects of which these are the bytes, one after the other.

        >>> import binfmt
        >>> from binfmt.types import u8
        >>> class Byte(binfmt.Record):
        ...     x: u8
        >>> Byte.decode_all(b"\\x01\\x02")
        [Byte(x=1), Byte(x=2)]
        """
        return [_made(cls, value) for value in _layout_of(cls).decode_all(data)]

    def encode(self):
        """The bytes of the object.

        >>> import binfmt
        >>> from binfmt.types import u8
        >>> class Byte(binfmt.Record):
        ...     x: u8
        >>> Byte(x=7).encode()
        b'\\x07'
        """
        return _layout_of(type(self)).encode(self)

    @classmethod
    def encode_all(cls, values):
        """The bytes of objects, one after the other.

        >>> import binfmt
        >>> from binfmt.types import u8
        >>> class Byte(binfmt.Record):
        ...     x: u8
        >>> Byte.encode_all([Byte(x=7), Byte(x=8)])
        b'\\x07\\x08'
        """
        return _layout_of(cls).encode_all(values)


def _layout_of(cls):
    if not hasattr(cls, "LAYOUT"):
        raise TypeError(f"{cls.__name__} has no fields: a class that extends it says them, and is what is decoded and encoded")
    return cls.LAYOUT


def layout(cls=None, *, endian="little", magic=None):
    """Makes a layout of a class whose annotations say the types of its fields, by the names in `binfmt.types`.

    The class becomes a dataclass with `LAYOUT`, `decode`, `decode_all`, `encode` and `encode_all`. `magic` are bytes before the first field. A
    class that extends another has its fields first; magic and byte order are its own. Type checkers know the fields of such a class, and its
    methods if it extends `binfmt.Record`, which does the same without this decorator.

    >>> import binfmt
    >>> from binfmt.types import f32, listed, nullable, u8, u16
    >>> @binfmt.layout(endian="big")
    ... class Reading(binfmt.Record):
    ...     sensor: u16
    ...     celsius: nullable[f32]
    ...     history: listed[u8, u8]
    >>> data = Reading(sensor=7, celsius=None, history=[1, 2]).encode()
    >>> data
    b'\\x00\\x07\\x00\\x00\\x00\\x00\\x00\\x02\\x01\\x02'
    >>> Reading.decode(data)
    Reading(sensor=7, celsius=None, history=[1, 2])
    >>> print(Reading.LAYOUT)
    Reading: record, be
      sensor: u16
      celsius: f32, nullable
      history: [u8], length_prefixed(u8)
    <BLANKLINE>
    """
    if cls is None:
        return lambda cls: layout(cls, endian=endian, magic=magic)
    _make(cls, endian, magic, None)
    if not issubclass(cls, Record):
        for name in _METHODS:
            setattr(cls, name, Record.__dict__[name])
    return cls


def _make(cls, endian, magic, frozen):
    """Says the layout of a class, and makes it a dataclass."""
    if endian not in ("little", "big"):
        raise ValueError(f"endian: expected 'little' or 'big', found {endian!r}")
    # half of what it takes to import this package, if it stood at the top
    import dataclasses

    fields = _fields(cls)
    cls.__binfmt_fields__ = fields
    order = "be" if endian == "big" else "le"
    cls._binfmt_lines = _lines(cls, fields, order, magic)
    if "__dataclass_fields__" not in cls.__dict__:
        # a dataclass may only extend those that are frozen as it is
        base = getattr(cls, "__dataclass_params__", None)
        dataclasses.dataclass(cls, frozen=(base is not None and base.frozen) if frozen is None else frozen)
    cls.LAYOUT = Layout("\n".join(line for lines in _all(cls, {}).values() for line in lines), endian=endian)


def _fields(cls):
    """The kind of each field."""
    import typing

    from binfmt import types

    module = sys.modules.get(cls.__module__)
    names = {**vars(types), **(vars(module) if module else {})}
    found = _inherited(cls)
    for name, annotation in _annotations(cls).items():
        if isinstance(annotation, str):
            annotation = _evaluated(annotation, names)
        if annotation is not typing.ClassVar and typing.get_origin(annotation) is not typing.ClassVar:
            if name in (*_METHODS, "LAYOUT"):
                raise TypeError(f"{cls.__name__}: a field {name!r} would hide what the class has by that name: call it {name}_")
            try:
                found[name] = types.always(types.kind(annotation))
            except TypeError as e:
                raise TypeError(f"{cls.__name__}.{name}: {e}") from None
    if not found:
        raise TypeError(f"{cls.__name__} has no annotated fields")
    return found


def _evaluated(annotation, names):
    """What an annotation that is text means; the text if it is the words of a layout."""
    try:
        found = eval(annotation, names)
    except (NameError, SyntaxError, TypeError):
        return annotation
    return annotation if isinstance(found, tuple) else found


def _annotations(cls):
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    return dict(cls.__dict__.get("__annotations__", {}))


def _inherited(cls):
    """The kinds of the fields of the classes that it extends, as a dataclass has them."""
    found = {}
    for base in reversed(cls.__mro__[1:]):
        found |= base.__dict__.get("__binfmt_fields__", {})
    return found


def _lines(cls, fields, order, magic):
    doc = (cls.__doc__ or "").strip().partition("\n")[0]
    # what a dataclass without words says of itself
    doc = "" if doc.startswith(f"{cls.__name__}(") else doc
    lines = [f"{cls.__name__}: record, {order}{f'  // {doc}' if doc else ''}"]
    if magic is not None:
        escaped = "".join(f"\\x{byte:02x}" for byte in magic)
        lines.append(f'  _: magic = b"{escaped}"')
    return lines + [f"  {name}: {kind!r}" for name, kind in fields.items()]


def _all(cls, found):
    """The definitions of a class and of those that it mentions, by name."""
    if cls.__name__ in found:
        return found
    found[cls.__name__] = cls._binfmt_lines
    for kind in cls.__binfmt_fields__.values():
        while kind is not None:
            if kind.record is not None:
                _all(kind.record, found)
            kind = kind.item
    return found


def _made(cls, value):
    return cls(**{name: _inner(kind, value[name]) for name, kind in cls.__binfmt_fields__.items()})


def _inner(kind, value):
    """A record inside, as its own class."""
    if kind.record is not None and isinstance(value, dict):
        return _made(kind.record, value)
    if kind.item is not None and (kind.item.record is not None or kind.item.item is not None) and isinstance(value, list):
        return [_inner(kind.item, one) for one in value]
    return value
