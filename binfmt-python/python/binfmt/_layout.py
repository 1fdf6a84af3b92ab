"""Layouts of one's own: what the bytes of a value are."""

import os

from binfmt import _binfmt
from binfmt._error import Error, _names_file, _text_of


class Layout:
    """A layout, from its text, its JSON, or the path of a file with one (a `pathlib.Path`, or text that ends in `.layout` or `.json`): the language in which the schema of a derived type prints.

    Values are plain objects: numbers, `str`, `bytes`, lists, dicts of the fields of records, NumPy arrays for arrays with dimensions, `None` for
    what is absent or missing (`binfmt.Missing` if a code says why). A variant of a choice is `{name: fields}`, or its name if it has no fields.

    `endian` is the byte order of what the layout leaves open: `"little"` or `"big"`.

    >>> import binfmt
    >>> reading = binfmt.Layout('''
    ... Reading: record, be
    ...   sensor: u16
    ...   celsius: f32, nullable
    ...   history: [u8], length_prefixed(u8)
    ... ''')
    >>> data = reading.encode({"sensor": 7, "celsius": 21.5, "history": [1, 2]})
    >>> data
    b'\\x00\\x07\\xffA\\xac\\x00\\x00\\x02\\x01\\x02'
    >>> reading.decode(data)
    {'sensor': 7, 'celsius': 21.5, 'history': [1, 2]}
    """

    __slots__ = ("_raw", "endian", "_text")

    def __init__(self, text, *, endian="little"):
        if endian not in ("little", "big"):
            raise ValueError(f"endian: expected 'little' or 'big', found {endian!r}")
        self.endian = endian
        if isinstance(text, os.PathLike) or isinstance(text, str) and _names_file(text):
            text = _text_of(text, "the layout")
        elif not isinstance(text, (str, dict)):
            raise TypeError(f"a layout is text, what its JSON says, or a pathlib.Path, not {_called(text)}")
        elif isinstance(text, dict):
            import json

            text = json.dumps(text)
        self._raw = _binfmt.Layout(text, endian == "big")
        self._text = None

    @property
    def text(self):
        """The layout as text.

        >>> import binfmt
        >>> binfmt.Layout("Point: record\\n  x: i32").text
        'Point: record\\n  x: i32\\n'
        """
        if self._text is None:
            self._text = self._raw.text()
        return self._text

    @property
    def json(self):
        """The layout as JSON.

        >>> import binfmt, json
        >>> binfmt.Layout(json.loads(binfmt.Layout("u16").json)).decode(b"\\x01\\x00")
        1
        """
        return self._raw.json()

    @property
    def fingerprint(self):
        """A number, in hexadecimal digits, that changes with the bytes of a value and with nothing else.

        >>> import binfmt
        >>> binfmt.Layout("Point: record\\n  x: i32\\n  y: i32").fingerprint
        '55ad63f4a6fe5001'
        """
        return self._raw.fingerprint()

    def decode(self, data):
        """The value of which these are the bytes, all of them.

        >>> import binfmt
        >>> binfmt.Layout("Point: record\\n  x: u8\\n  y: u8").decode(b"\\x01\\x02")
        {'x': 1, 'y': 2}
        """
        return self._raw.decode(_bytes(data))

    def decode_prefix(self, data):
        """The value at the beginning of the bytes, and how many of them it has.

        >>> import binfmt
        >>> binfmt.Layout("u16").decode_prefix(b"\\x01\\x00rest")
        (1, 2)
        """
        return self._raw.decode_prefix(_bytes(data))

    def decode_all(self, data):
        """The values of which these are the bytes, one after the other.

        >>> import binfmt
        >>> binfmt.Layout("u16").decode_all(b"\\x01\\x00\\x02\\x00")
        [1, 2]
        """
        return self._raw.decode_all(_bytes(data))

    def encode(self, value):
        """The bytes of a value.

        >>> import binfmt
        >>> binfmt.Layout("Point: record\\n  x: u8\\n  y: u8").encode({"x": 1, "y": 2})
        b'\\x01\\x02'
        """
        return self._raw.encode(value)

    def encode_all(self, values):
        """The bytes of values, one after the other.

        >>> import binfmt
        >>> binfmt.Layout("u16").encode_all([1, 2])
        b'\\x01\\x00\\x02\\x00'
        """
        return self._raw.encode_all(values)

    def columns(self, source, **settings):
        """A file or bytes of this layout as a table: see `binfmt.open`.

        >>> import binfmt
        >>> table = binfmt.Layout("Row: record\\n  x: u8\\n  y: u8").columns(b"\\x01\\x02\\x03\\x04")
        >>> table["y"].to_numpy()
        array([2, 4], dtype=uint8)
        """
        from binfmt._open import open

        return open(source, layout=self, **settings)

    def dump(self, data, *, color=False, depth=None, lines=None):
        """What each byte is; in a notebook an annotated page. `color` colors the text for a terminal, `depth` is how far it goes into records,
        `lines` how many lines it has at most.

        >>> import binfmt
        >>> print(binfmt.Layout("Row: record\\n  x: u16").dump(b"\\x05\\x00"))
        0x00000000  05 00                                            ..                [0].x: 5 (u16 le)
        """
        data = _bytes(data)
        return Dump(data, *self._raw.dump(data, color, depth, lines))

    def check(self, other):
        """In what another layout differs: a list, empty if the bytes mean the same. Names of types do not count, those of fields do.

        >>> import binfmt
        >>> binfmt.Layout("R: record\\n  x: u8").check(binfmt.Layout("R: record\\n  x: u16"))
        [Difference('x', expected='u8', found='u16')]
        """
        other = other if isinstance(other, Layout) else Layout(other)
        return [Difference(*found) for found in self._raw.differences(other._raw)]

    def __eq__(self, other):
        return isinstance(other, Layout) and (self.text, self.endian) == (other.text, other.endian)

    def __hash__(self):
        return hash((self.text, self.endian))

    def __repr__(self):
        return f"binfmt.Layout({self.text!r}{', endian=' + repr(self.endian) if self.endian != 'little' else ''})"

    def __str__(self):
        return self.text

    def __reduce__(self):
        return _again, (self.json, self.endian)


def _again(json, endian):
    return Layout(json, endian=endian)


class Difference:
    """One thing in which two layouts differ: where, what is expected, and what is found.

    >>> import binfmt
    >>> (one,) = binfmt.Layout("R: record\\n  x: u8").check("R: record\\n  x: u16")
    >>> one.path, one.expected, one.found, str(one)
    ('x', 'u8', 'u16', 'x: expected u8, found u16')
    """

    __slots__ = ("path", "expected", "found")

    def __init__(self, path, expected, found):
        self.path, self.expected, self.found = path, expected, found

    def __repr__(self):
        return f"Difference({self.path!r}, expected={self.expected!r}, found={self.found!r})"

    def __str__(self):
        return f"{self.path or 'the whole'}: expected {self.expected}, found {self.found}"


# lines of a dump that its repr has, and nodes that a notebook shows
_FEW, _SHOWN = 40, 2000


class Dump:
    """What each byte of some values is: as text by `str()`, as a page in a notebook, node by node in `nodes`.

    A node is a tuple of its first byte, the byte after its last, its depth, path, type and value. `roles` says of each node what it is
    beside its value, such as `length` or `presence`; `None` of the value itself. `error` is what is wrong with the bytes, or `None`.

    >>> import binfmt
    >>> dump = binfmt.Layout("R: record\\n  x: u16").dump(b"\\x05\\x00")
    >>> dump.error, dump.nodes[-1], dump.roles[-1]
    (None, (0, 2, 1, '[0].x', 'u16 le', '5'), None)
    """

    __slots__ = ("_data", "text", "nodes", "roles", "error")

    def __init__(self, data, text, nodes, roles, error):
        self._data, self.text, self.nodes, self.roles, self.error = data, text, nodes, roles, error

    def __str__(self):
        return self.text.rstrip("\n")

    def __repr__(self):
        lines = str(self).split("\n", _FEW)
        if len(lines) <= _FEW:
            return "\n".join(lines)
        more = lines.pop().count("\n") + 1
        return "\n".join([*lines, f".. {more:,} more lines: print(dump) shows them"])

    def _repr_html_(self):
        import html

        rows = []
        for (start, end, depth, path, kind, value), role in zip(self.nodes[:_SHOWN], self.roles):
            data = self._data[start : min(end, start + 16)].hex(" ") + (" .." if end - start > 16 else "")
            name = f"{path} ({role})" if role else path
            cells = [f"{start:#010x}", data, f"{'&nbsp;' * 4 * depth}{html.escape(name)}", html.escape(value or ""), html.escape(kind)]
            rows.append("<tr>" + "".join(f"<td style='text-align:left'><code>{cell}</code></td>" for cell in cells) + "</tr>")
        heads = "".join(f"<th style='text-align:left'>{head}</th>" for head in ("offset", "bytes", "what", "value", "type"))
        wrong = f"<p><b>{html.escape(self.error)}</b></p>" if self.error else ""
        cut = f"<p>{len(self.nodes) - _SHOWN:,} more</p>" if len(self.nodes) > _SHOWN else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>{cut}{wrong}"


def _bytes(data):
    if isinstance(data, bytes):
        return data
    try:
        return bytes(memoryview(data))
    except TypeError:
        raise TypeError(f"a layout decodes bytes or a buffer, not {_called(data)}; a file is opened by layout.columns(path)") from None


def _called(value):
    return "None" if value is None else f"a value of type {type(value).__name__}"


__all__ = ["Difference", "Dump", "Error", "Layout"]
