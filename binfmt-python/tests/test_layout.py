"""Layouts of the user: values, bytes, dumps, classes."""

import pickle
from typing import ClassVar, Literal, Optional

import binfmt
import numpy as np
import pytest
from binfmt import types
from binfmt.types import f32, listed, nullable, prefixed, text, u8, u16, words

LOG = """
Log: record, be
  _: magic = b"LOG"
  len: u8
  events: [Event], count = len
Event: choice, tag(u8)
  1 => Started
  2 => Moved
    by: i16
"""


def test_values():
    layout = binfmt.Layout(LOG)
    data = b"LOG\x02\x01\x02\xff\xfe"
    value = layout.decode(data)
    assert value == {"len": 2, "events": ["Started", {"Moved": {"by": -2}}]}
    assert layout.encode(value) == data
    assert (layout.endian, layout.fingerprint) == ("little", binfmt.Layout(layout.json).fingerprint)
    for again in (pickle.loads(pickle.dumps(layout)), binfmt.Layout(layout.text), binfmt.Layout(layout.json)):
        assert again == layout and hash(again) == hash(layout) and again.decode(data) == value
    assert binfmt.Layout("u16", endian="big").decode(b"\x01\x02") == 258
    assert "Moved" in repr(layout) and str(layout) == layout.text


def test_kinds_of_values():
    cases = [
        ("u128", 2**128 - 1), ("i128", -(2**127)), ("u64", 2**64 - 1), ("bool", True), ("f64", 0.1), ("f16", 0.5),
        ("text, length_prefixed(u8)", "grüße"), ("bytes, length_prefixed(u8)", b"\x00\xff"), ("[u16; 3]", [1, 2, 3]),
        ("u8, nullable", None), ("u8, nullable", binfmt.Missing(5)), ("u8, nullable", 9),
    ]
    for text_, value in cases:
        layout = binfmt.Layout(text_)
        assert layout.decode(layout.encode(value)) == value, text_
    layout = binfmt.Layout("f64")
    assert layout.decode(layout.encode(float("inf"))) == float("inf") and layout.encode(np.float64(1)) == layout.encode(1)
    numbers = binfmt.Layout("[f32], length_prefixed(u8)")
    assert numbers.encode(np.arange(3)) == numbers.encode([0, 1, 2]) == numbers.encode(range(3)) == numbers.encode((0, 1, 2))
    assert binfmt.Layout("bytes, length_prefixed(u8)").encode(bytearray(b"ab")) == b"\x02ab"


def test_missing_is_told_from_absent():
    layout = binfmt.Layout("R: record\n  has: u8\n  x: u8, if(has == 1)\n  y: u8, nullable")
    assert layout.decode(layout.encode({"has": 0, "y": None})) == {"has": 0, "x": None, "y": None}
    assert layout.encode({"has": 1, "x": 7, "y": 8}) == b"\x01\x07\xff\x08"
    assert binfmt.Missing(3) == binfmt.Missing(3) != binfmt.Missing(4) and not binfmt.Missing(3)
    assert len({binfmt.Missing(3), binfmt.Missing(3)}) == 1
    with pytest.raises(ValueError):
        binfmt.Missing(256)


def test_wrong_values():
    layout = binfmt.Layout("R: record\n  x: u8")
    for value, why in [({"x": 300}, "300"), ({"y": 1}, "y"), ({}, "x"), ({"x": "a"}, "a"), (5, "5"), ({"x": None}, "null|nothing|unit|`u8`")]:
        with pytest.raises(binfmt.Error, match=why):
            layout.encode(value)
    with pytest.raises(TypeError, match="object"):
        layout.encode({"x": object()})
    with pytest.raises(binfmt.Error):
        binfmt.Layout("R: record\n  x: u9")
    with pytest.raises(ValueError):
        binfmt.Layout("u8", endian="middle")
    with pytest.raises(binfmt.Error):
        binfmt.Layout("{}")
    endless = []
    endless.append(endless)
    with pytest.raises((binfmt.Error, RecursionError)):
        layout.encode({"x": endless})


def test_dumps():
    layout = binfmt.Layout("R: record\n  x: u16\n  s: text, length_prefixed(u8)")
    dump = layout.dump(b"\x01\x00\x02<b")
    assert "x: 1 (u16 le)" in str(dump) and dump.error is None
    assert any(node[:2] == (0, 2) for node in dump.nodes)
    assert [(path, kind, value) for *_, path, kind, value in dump.nodes if value == "1"] == [("[0].x", "u16 le", "1")]
    assert "<code>u16 le</code>" in dump._repr_html_()
    assert "&lt;b" in dump._repr_html_() and "<b\"" not in dump._repr_html_()
    broken = layout.dump(b"\x01\x00\x05ab")
    assert "needs 5 bytes" in broken.error or "5" in broken.error
    assert broken.error.split(":")[0] and "<b>" in broken._repr_html_()
    assert str(layout.dump(b"\x01\0\0\x02\0\0", lines=1)).count("\n") <= 2
    assert "\x1b[" in str(layout.dump(b"\x01\0\0", color=True))


def test_a_dump_of_many_records():
    layout = binfmt.Layout("R: record, le\n  x: u16\n  s: text, length_prefixed(u8)\n  t: f32, nullable")
    # a dump whose time is the square of the records takes minutes
    data = layout.encode_all([{"x": n, "s": "ab", "t": None if n % 2 else 0.5} for n in range(20000)])
    dump = layout.dump(data)
    assert len(dump.nodes) == len(dump.roles) and {"length", "presence", None} <= set(dump.roles)
    shown = repr(dump)
    assert shown.count("\n") < 50 and shown.endswith("more lines: print(dump) shows them") and shown[:100] == str(dump)[:100]
    assert repr(layout.dump(data[:5])) == str(layout.dump(data[:5]))
    page = dump._repr_html_()
    for role in ("s (length)", "t (presence)", "t (blank)"):
        assert f"[1].{role}" in page and f"[1].{role}" in str(dump), role
    assert "dimension 1" in layout.__class__("[u8], shape(u8, rank = 2)").dump(b"\x01\x01\x05").roles


def test_check():
    layout = binfmt.Layout("R: record\n  x: u8\n  y: f32")
    assert layout.check("Other: record\n  x: u8\n  y: f32") == []
    (found,) = layout.check("R: record\n  x: u8\n  y: f64")
    assert (found.path, found.expected, found.found) == ("y", "f32", "f64") and "y" in str(found)


def test_tables_of_a_layout():
    layout = binfmt.Layout("R: record, be\n  x: u16\n  s: text, length_prefixed(u8)")
    data = layout.encode_all([{"x": 1, "s": "a"}, {"x": 2, "s": "bc"}])
    table = layout.columns(data)
    assert table.to_dict() == {"x": [1, 2], "s": ["a", "bc"]}
    assert layout.decode_all(data)[1] == {"x": 2, "s": "bc"}
    assert binfmt.Layout("R: record\n  x: u16", endian="big").columns(b"\x01\x02")["x"].to_list() == [258]


@binfmt.layout(endian="big", magic=b"PT")
class Point:
    """A place."""

    x: u16
    y: "u16, nullable"


@binfmt.layout
class Track:
    name: prefixed[text, u8]
    first: Point
    points: listed[Point, u16]
    weights: listed[f32, 2]
    flags: u8
    extra: words[u8, "if(flags & 1 != 0)"]


def test_classes():
    point = Point(x=1, y=None)
    assert point.encode() == b"PT\x00\x01\x00\x00\x00" and Point.decode(point.encode()) == point
    track = Track("a", point, [Point(2, 3), Point(4, 5)], [0.5, 1.0], 1, 9)
    again = Track.decode(track.encode())
    assert again == track and isinstance(again.points[1], Point)
    assert Track.decode_all(Track.encode_all([track, track])) == [track, track]
    assert "Point: record, be  // A place." in Track.LAYOUT.text
    assert binfmt.open(Point.encode_all([point, point]), layout=Point)["x"].to_list() == [1, 1]
    for wrong in (int, float, str, bytes):
        with pytest.raises(TypeError, match="does not say how many bytes"):
            binfmt.layout(type("Wrong", (), {"__annotations__": {"x": wrong}}))
    with pytest.raises(TypeError, match="no annotated fields"):
        binfmt.layout(type("Empty", (), {}))
    assert repr(nullable[types.be[u16]]) == "u16, be, nullable" and "binfmt.types.listed" == repr(listed)


class Head(binfmt.Record, endian="big", magic=b"H"):
    """A head."""

    kind: ClassVar[str] = "head"
    count: u16
    fixed: listed[u8, Literal[2]]
    items: listed[Point, Literal["count"]]
    more: words[u8 | None, "if(count != 0)"] = None
    last: words[Optional[u8], "if(count != 9)"] = 5


class Longer(Head):
    tail: u8 = 7


def test_records():
    head = Head(1, [1, 2], [Point(3, 4)], 9)
    again = Head.decode(head.encode())
    assert again == head and head.encode().startswith(b"H\0\1\1\2PT") and Head.kind == "head" and again.last == 5
    assert Head.decode(Head(0, [0, 0], []).encode()).more is None
    assert Head.decode_all(Head.encode_all([head, head])) == [head, head]
    assert Longer.decode(Longer(0, [1, 1], [], None, 5, 8).encode()).tail == 8 and 'magic = b"\\x48"' not in Longer.LAYOUT.text
    assert "Head: record, be  // A head." in Head.LAYOUT.text and "kind" not in Head.LAYOUT.text

    class Empty(binfmt.Record):
        def shown(self):
            return "shown"

    class Full(Empty, endian="big"):
        x: u16

    assert Full(x=1).encode() == b"\0\1" and Full(1).shown() == "shown" and not hasattr(Empty, "LAYOUT")
    both = binfmt.layout(type("Both", (binfmt.Record,), {"__annotations__": {"x": u16}}), endian="big")
    assert both(1).encode() == b"\0\1" and "//" not in both.LAYOUT.text
    with pytest.raises(ValueError, match="endian"):
        type("Wrong", (binfmt.Record,), {"__annotations__": {"x": u16}}, endian="middle")


def test_frozen_records():
    class Key(binfmt.Record, frozen=True):
        x: u16

    class Longer(Key):
        y: u8 = 7

    for key in (Key(1), Longer.decode(b"\1\0\7")):
        assert {key: 5}[type(key).decode(key.encode())] == 5
        with pytest.raises(AttributeError):
            key.x = 2


def test_what_is_wrong_with_the_fields_of_a_record():
    def made(**annotations):
        return type("Wrong", (binfmt.Record,), {"__annotations__": annotations})

    for name in ("encode", "decode", "encode_all", "decode_all", "LAYOUT"):
        with pytest.raises(TypeError, match=f"Wrong: a field '{name}' would hide .* call it {name}_"):
            made(**{name: u8})
        with pytest.raises(TypeError, match="would hide"):
            binfmt.layout(type("Plain", (), {"__annotations__": {name: u8}}))
    for absent in (lambda: u8 | None, lambda: None | u8, lambda: Optional[u8], lambda: "u8 | None", lambda: listed[u8 | None, u8], lambda: Optional[Point], lambda: types.be[u16 | None]):
        with pytest.raises(TypeError, match=r"\| None: nullable\["):
            made(x=absent())
    assert made(x=nullable[u8] | None, y=nullable[u8 | None], z=Optional[nullable[u8]]).LAYOUT.text.count("nullable") == 3
    for wrong, told in [
        (lambda: listed[u8], r"listed\[type, length\]"),
        (lambda: prefixed[text], r"prefixed\[type, length\]"),
        (lambda: listed[u8, u8, u8], r"listed\[type, length\]"),
        (lambda: nullable[u8, u8], r"nullable\[type\]"),
        (lambda: words[u8], r"words\[type, 'word', ..\]"),
    ]:
        with pytest.raises(TypeError, match=told):
            wrong()
    assert repr(words[u8, "le", "nullable"]) == "u8, le, nullable"

    class Empty(binfmt.Record):
        pass

    for call in (lambda: Empty.decode(b""), lambda: Empty.decode_all(b""), lambda: Empty().encode(), lambda: Empty.encode_all([]), lambda: binfmt.Record.decode(b"")):
        with pytest.raises(TypeError, match="has no fields: a class that extends it"):
            call()


def test_a_layout_in_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "row.layout").write_text("Row: record\n  x: u8\n")
    (tmp_path / "row.json").write_text(binfmt.Layout("Row: record\n  x: u8").json)
    for path in ("row.layout", "row.json", tmp_path / "row.layout"):
        assert binfmt.open(b"\1\2", layout=path)["x"].to_list() == [1, 2]
        assert binfmt.Layout(path).decode(b"\5") == {"x": 5}
    with pytest.raises(binfmt.MissingFileError, match="the layout cannot be read"):
        binfmt.open(b"\1", layout="no.layout")


def test_numbers_wider_than_those_of_python():
    assert binfmt.Layout("f64").encode(np.longdouble(1.5)) == b"\0\0\0\0\0\0\xf8?"
    with pytest.raises((TypeError, binfmt.Error)):
        binfmt.Layout("u8").encode(np.clongdouble(1))


def test_what_contains_itself_is_refused():
    tree = binfmt.Layout("Node: record\n  n: u8\n  kids: [Node], length_prefixed(u8)")
    deep = {"n": 1, "kids": []}
    for _ in range(60):
        deep = {"n": 1, "kids": [deep]}
    assert tree.decode(tree.encode(deep)) == deep
    itself = {"n": 1}
    itself["kids"] = [itself]
    nested = []
    nested.append(nested)

    class Odd:
        def __iter__(self):
            return iter([self])

    class Field:
        __binfmt_fields__ = {"n": None, "kids": None}
        n = 1

        @property
        def kids(self):
            return [self]

    for odd in (itself, nested, Odd(), Field(), {"n": 1, "kids": nested}, {"n": 1, "kids": Odd()}):
        for layout in (tree, binfmt.Layout("u8"), binfmt.Layout("R: record\n  v: [[u8; 2]], length_prefixed(u8)")):
            with pytest.raises(binfmt.Error):
                layout.encode(odd)


def test_a_byte_order_from_outside_counts():
    for text in ("u16", "R: record\n  x: u16\n  s: S\nS: record\n  y: u32", "[u16; 2]"):
        little, big = binfmt.Layout(text), binfmt.Layout(text, endian="big")
        assert little.fingerprint != big.fingerprint and little.check(big) and big.check(little), text
        assert big.check(binfmt.Layout(text, endian="big")) == []
    said = binfmt.Layout("R: record, be\n  x: u16")
    assert binfmt.Layout("R: record\n  x: u16", endian="big").fingerprint == said.fingerprint
    assert binfmt.Layout(said.text, endian="big").check(said) == []


def test_errors_of_values_say_where():
    layout = binfmt.Layout("R: record\n  v: [S], length_prefixed(u8)\nS: record\n  x: u8\n  y: [u8; 2]")
    good = {"x": 1, "y": [1, 2]}
    for value, path in [
        ({"v": [good, {"x": 300, "y": [1, 2]}]}, "v[1].x"),
        ({"v": [{"x": 1, "y": [1, -2]}]}, "v[0].y[1]"),
        ({"v": [{"x": 1, "y": np.array([300, 1])}]}, "v[0].y[0]"),
        ({"v": 7}, "v"),
    ]:
        with pytest.raises(binfmt.Error) as found:
            layout.encode(value)
        assert found.value.path == path and str(found.value).startswith(f"{path}: "), found.value
    with pytest.raises(binfmt.Error) as found:
        layout.encode_all([{"v": []}, {"v": [{"x": "a", "y": [1, 2]}]}])
    assert found.value.path == "[1].v[0].x"


def test_a_class_that_extends_another():
    @binfmt.layout(endian="big")
    class Longer(Point):
        z: u16

    assert Longer(1, None, 3).encode() == b"\x00\x01\x00\x00\x00\x00\x03" and [*Longer.__binfmt_fields__] == ["x", "y", "z"]
    assert Longer.decode(Longer(1, 2, 3).encode()) == Longer(1, 2, 3) and [*Point.__binfmt_fields__] == ["x", "y"]


def test_two_fields_of_one_name_are_refused():
    with pytest.raises(binfmt.Error, match="line 4, column 3: a second field `a`; the first is in line 2"):
        binfmt.Layout("R: record\n  a: u8\n  b: u8\n  a: u16")
    assert binfmt.Layout("R: record\n  _: magic = \"x\"\n  _: magic = \"x\"\n  a: u8").decode(b"xx\1") == {"a": 1}


@pytest.mark.parametrize("text", [None, 5, b"u8", ["u8"]])
def test_what_is_not_a_layout(text):
    with pytest.raises(TypeError, match="a layout is text"):
        binfmt.Layout(text)


@pytest.mark.parametrize("data", ["abc", None, [1, 2], open])
def test_what_is_not_bytes(data):
    layout = binfmt.Layout("u8")
    for call in (layout.decode, layout.decode_prefix, layout.decode_all, layout.dump):
        with pytest.raises(TypeError, match="a layout decodes bytes or a buffer"):
            call(data)
