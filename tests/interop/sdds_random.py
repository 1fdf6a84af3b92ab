#!/usr/bin/env python3
"""Random SDDS files, sound and damaged, are read by the official library and by binfmt: header, pages, values, and where
they end must be the same, but for the differences that the documentation of `binfmt::formats::sdds` lists.

Run by `sdds.py`, or by itself: `sdds_random.py [SEED] [--seconds=N]`. The library runs in a process of its own for each file,
for it crashes at some. Each difference has an example here, which must still differ in the way that is said of it; a file that
differs in another way is kept below target/interop/sdds/random, and the exit status is 1.
"""

import json
import random
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

from common import WORK, command, inside_venv, seed

FOLDER = WORK / "sdds" / "random"
SECONDS = 60
MOST = 1000
KINDS = ["short", "ushort", "long", "ulong", "long64", "ulong64", "float", "double", "longdouble", "string", "character"]
SIZES = dict(short="h", ushort="H", long="i", ulong="I", long64="q", ulong64="Q", float="f", double="d", character="B")
LIMITS = dict(short=16, ushort=16, long=32, ulong=32, long64=64, ulong64=64)


# What a file says, in one form


def told(program, path):
    """What binfmt says of a file, in the form of `sdds_library.look`."""
    done = subprocess.run([str(program), "cat", "--json", str(path)], capture_output=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{path}: binfmt ends with {done.returncode}: {done.stderr.decode()}")
    if not done.stdout:
        return dict(refused=True, damaged=False, pages=[], error=done.stderr.decode())
    said = json.loads(done.stdout)
    return dict(said, refused=False, damaged=done.returncode == 1, error=done.stderr.decode())


def until_nul(value):
    if isinstance(value, dict) and "hex" in value:
        raw = bytes.fromhex(value["hex"]).split(b"\0")[0]
    else:
        raw = (value or "").encode().split(b"\0")[0]
    return raw


def plain(kind, value):
    """A value that can be compared, of either side."""
    if kind == "string":
        return until_nul(value)
    if kind == "longdouble":
        return value["x87"] if isinstance(value, dict) else value
    if kind in ("float", "double"):
        if isinstance(value, dict) or str(value).lstrip("+-") == "nan":
            return "nan"
        return struct.pack("<" + SIZES[kind], float(value))
    return value


def summed(said):
    """Header and pages without what only one side says."""
    kinds = {what: [(d["name"], d["type"]) for d in said[what]] for what in ("parameters", "arrays", "columns")}
    fields = ("name", "type", "units", "symbol", "description", "format_string", "fixed_value", "group_name")
    head = [[[until_nul(d.get(f)) if f != "type" else d[f] for f in fields] + [d.get("dimensions")] for d in said[what]]
            for what in kinds]
    pages = []
    for page in said["pages"]:
        parameters = [plain(kind, page["parameters"][name]) for name, kind in kinds["parameters"]]
        arrays = []
        for name, kind in kinds["arrays"]:
            array = page["arrays"][name]
            arrays.append((array.get("dims") or array.get("shape"), [plain(kind, v) for v in array["values"]]))
        columns = [[plain(kind, v) for v in page["columns"][name]] for name, kind in kinds["columns"]]
        pages.append((page["rows"] if kinds["columns"] else 0, parameters, arrays, columns))
    return head, pages


def state(said):
    return "header refused" if said["refused"] else "damaged" if said["damaged"] else "sound"


def difference(library, ours):
    """`None`, or what differs in few words."""
    if library is None:
        return "the library crashes"
    states = state(library), state(ours)
    if states[0] == "header refused" or states[1] == "header refused":
        return None if states[0] == states[1] else f"library: {states[0]}, here: {states[1]}"
    (head, pages), (our_head, our_pages) = summed(library), summed(ours)
    if head != our_head:
        return "another header"
    both = min(len(pages), len(our_pages))
    if pages[:both] != our_pages[:both]:
        return "other values"
    if states[0] != states[1]:
        return f"library: {states[0]}, here: {states[1]}"
    # how far each comes before a damage is another matter
    return None if len(pages) == len(our_pages) or states[0] == "damaged" else "another number of pages"


# The differences that are meant


def ascii_data(data):
    """The lines after the header of an ascii file."""
    front, found, rest = data.partition(b"mode=ascii")
    return rest.partition(b"\n")[2].replace(b"\r", b"").split(b"\n") if found else []


def has_blank(data):
    return any(not line.split(b"!")[0].strip() for line in ascii_data(data))


def has_open_quote(data):
    return any(line.replace(b'\\"', b"").count(b'"') % 2 for line in ascii_data(data))


X = b"&column name=x, type=double &end\n"
ASCII = b"&data mode=ascii &end\n"
# name: (what differs, an example, whether a random file may differ so for this reason)
ALLOWED = {
    "a blank line in front of a number": (
        "library: damaged, here: sound", b"SDDS1\n&parameter name=n, type=long &end\n" + X + ASCII + b"7\n0\n\n",
        lambda what, data: what == "library: damaged, here: sound" and has_blank(data)),
    "a blank line in front of the first array": (
        "another number of pages", b"SDDS1\n&array name=a, type=long &end\n" + ASCII + b"\n1\n5\n",
        lambda what, data: has_blank(data) and b"&array" in data and what in
            ("another number of pages", "library: sound, here: damaged")),
    "rows before one whose values are in too many lines": (
        "other values", b"SDDS1\n" + X + X.replace(b"name=x", b"name=y") + b"&data mode=ascii, fixed_row_count=1 &end\n2\n1 2\n3\n4\n",
        lambda what, data: what == "other values" and b"mode=ascii" in data and b"fixed_row_count=1" in data),
    "a row that is not complete at the end of a page that nobody counts": (
        "library: sound, here: damaged",
        b"SDDS1\n" + X + X.replace(b"name=x", b"name=y") + b"&data mode=ascii, no_row_counts=1, lines_per_row=0 &end\n1 2\n3\n\n",
        lambda what, data: False),
    "the last whole row of a page that is cut off, when bytes are swapped": (
        "other values",
        b"SDDS3\n&column name=x, type=short &end\n&data mode=binary, endian=big, fixed_row_count=1 &end\n\0\0\0\3\0\1\0\2\0",
        lambda what, data: what == "other values" and b"endian=big" in data and b"fixed_row_count=1" in data),
    "damage in the rows under fixed_row_count": (
        "library: sound, here: damaged",
        b"SDDS3\n&column name=s, type=string &end\n&data mode=binary, endian=little, fixed_row_count=1 &end\n\3\0\0\0" + b"\377" * 4,
        lambda what, data: what == "library: sound, here: damaged" and b"mode=binary" in data and b"fixed_row_count=1" in data),
    "blank lines between rows where line breaks mean nothing": (
        "library: damaged, here: sound", b"SDDS1\n" + X + b"&data mode=ascii, lines_per_row=0 &end\n2\n1\n\n2\n",
        lambda what, data: False),
    "a long command": (
        "library: header refused, here: sound", b'SDDS1\n&description text="' + b"x" * 1100 + b'" &end\n' + X + ASCII + b"0\n",
        lambda what, data: False),
    "&end in quotes after the first line of a command": (
        "library: header refused, here: sound", b'SDDS1\n&column name=x, type=double,\n description="a &end b" &end\n' + ASCII + b"0\n",
        lambda what, data: False),
    "CERN's types": (
        "library: header refused, here: sound", b"SDDS1\n&column name=x, type=llong &end\n" + ASCII + b"1\n5\n",
        lambda what, data: False),
    "two byte orders": (
        "library: damaged, here: header refused",
        b"SDDS3\n!# big-endian\n&column name=x, type=short &end\n&data mode=binary, endian=little &end\n\1\0\0\0\5\0",
        lambda what, data: False),
    "a fixed value that is not one, and no page": (
        "library: sound, here: header refused",
        b"SDDS1\n&parameter name=n, type=long, fixed_value=abc &end\n" + X + b"&data mode=binary, endian=little &end\n",
        lambda what, data: b"fixed_value" in data and what in
            ("library: damaged, here: header refused", "library: sound, here: header refused")),
    "an array with a negative size": (
        "library: sound, here: damaged",
        b"SDDS2\n&array name=a1, type=double, dimensions=1 &end\n&array name=a0, type=ulong, dimensions=2 &end\n"
        b"&data mode=binary, endian=big, column_major_order=1 &end\n"
        + bytes.fromhex("00000000000000010000000248249150eef02db500000000"),
        lambda what, data: what == "library: sound, here: damaged" and b"mode=binary" in data and b"&array" in data),
    "the text ends after parameters": (
        "library: sound, here: damaged", b"SDDS1\n&parameter name=n, type=long &end\n" + X + ASCII + b"7\n",
        lambda what, data: what == "library: sound, here: damaged" and b"mode=ascii" in data),
    "no line feed after the last parameter": (
        "other values", b"SDDS1\n&parameter name=s, type=string &end\n" + ASCII + b"abc",
        lambda what, data: not data.endswith(b"\n") and b"mode=ascii" in data),
    "a quote that is not closed": (
        "other values", b"SDDS1\n&column name=s, type=string &end\n" + ASCII + b'1\n"abc\n',
        lambda what, data: has_open_quote(data)),
    "no page of rows that nobody counts": (
        "another number of pages", b"SDDS1\n" + X + b"&data mode=ascii, no_row_counts=1 &end\n",
        lambda what, data: b"no_row_counts=1" in data and b"mode=ascii" in data and what in
            ("another number of pages", "library: sound, here: damaged", "library: damaged, here: sound")),
    "a last page without rows that nobody counts": (
        "another number of pages",
        b"SDDS1\n&parameter name=n, type=long &end\n" + X + b"&data mode=ascii, no_row_counts=1 &end\n1\n5\n\n2\n",
        lambda what, data: False),
}


def assert_each_kind(program, look):
    for name, (what, data, _) in ALLOWED.items():
        path = FOLDER / "example.sdds"
        path.write_bytes(data)
        found = difference(look(path), told(program, path))
        if found != what:
            raise SystemExit(f"{name}: {found}, and not: {what}")
    print(f"{len(ALLOWED)} differences are as they are described")


# Random files


def about(rng):
    if rng.random() < 0.5:
        return b""
    words = [b"m", b"MeV/c", b'"two words"', b'"a, b"', b'"a \\"quote\\""', b'""', b'"x!y"', b"a=b", b"$gb$r", b'"&n"', "ü".encode()]
    return b", " + rng.choice([b"units", b"symbol", b"description"]) + b"=" + rng.choice(words)


def number(rng, kind):
    if kind in LIMITS:
        bits = LIMITS[kind]
        low, high = (0, 2**bits - 1) if kind[0] == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
        found = rng.choice([0, 1, low, high, rng.randint(low, high), rng.randint(0, 99)])
        return rng.choice([f"{found}", f"{found}", f"{found}.9", f"{found:+}"])
    if kind == "character":
        return rng.choice(["a", '""', "\\101", "\\n", "\\!", '"b"', '" "', "xyz", "\\\\", "7", "\\040"])
    if kind == "string":
        return rng.choice(["a", '""', '"two words"', "a\\!b", '"a!b"', "\\101\\n", '"say \\"x\\""', "b\\\\", '"c\\\\"', '" "', "ü", '"-5"'])
    top = 30 if kind == "float" else 300
    return rng.choice(["0", "-0.0", "1.5", "-2.5e3", "1e-3", "0x10", "0x1.8p3", "inf", "-inf", "nan", ".5", "3.", "1e5x",
                       repr(rng.uniform(-1, 1) * 10.0 ** rng.randint(-top, top))])


def packed(rng, kind, order):
    if kind == "string":
        text = rng.choice([b"", b"a", b"two words", "ü".encode(), b"x\0y", b"\n"])
        return struct.pack(order + "i", len(text)) + text
    if kind == "longdouble":
        ten = struct.pack("<QH", rng.getrandbits(63) | 1 << 63, rng.randrange(0x3F00, 0x4100))
        return ten + bytes(6) if order == "<" else bytes(2) + ten[::-1] + bytes(4)
    if kind in ("float", "double"):
        return struct.pack(order + SIZES[kind], rng.uniform(-9, 9))
    return rng.getrandbits(8 * struct.calcsize(SIZES[kind])).to_bytes(struct.calcsize(SIZES[kind]), "big" if order == ">" else "little")


class File:
    """What a random file consists of."""

    def __init__(self, rng):
        self.rng, self.ascii = rng, rng.random() < 0.7
        self.order = rng.choice("<>")
        few = lambda most: [rng.choice(KINDS) for _ in range(rng.randrange(most + 1))]
        self.parameters, self.arrays, self.columns = few(3), few(2), few(4)
        self.fixed = [rng.random() < 0.2 for _ in self.parameters]
        self.ranks = [rng.randrange(1, 3) for _ in self.arrays]
        self.lines = rng.choice([1, 1, 1, 2, 0]) if self.ascii and len(self.columns) > 1 else 1
        self.uncounted, self.fixed_rows = rng.random() < 0.2, rng.random() < 0.2
        self.major = not self.ascii and rng.random() < 0.4
        self.more = rng.choice([0, 0, 0, 1, 2]) if self.ascii else 0

    def header(self):
        rng, out = self.rng, []
        for i, (kind, fixed) in enumerate(zip(self.parameters, self.fixed)):
            value = b", fixed_value=" + self.fixed_value(kind) if fixed else b""
            out.append(b"&parameter name=p%d%s, type=%s%s" % (i, about(rng), kind.encode(), value))
        for i, (kind, rank) in enumerate(zip(self.arrays, self.ranks)):
            out.append(b"&array name=a%d%s, type=%s, dimensions=%d" % (i, about(rng), kind.encode(), rank))
        for i, kind in enumerate(self.columns):
            out.append(b"&column name=c%d%s, type=%s" % (i, about(rng), kind.encode()))
        rng.shuffle(out)
        if rng.random() < 0.3:
            out.insert(0, b'&description text="of a test", contents=' + rng.choice([b"x", b'"a, b"', b'""']))
        first = rng.choice([b"SDDS1", b"SDDS1", b"SDDS3", b"SDDS5", b"SDDS 2", b"SDDS1 and more"])
        text = first + b"\n" + b"".join(line + rng.choice([b" &end\n", b", &end\n", b",\n &end\n"]) for line in out)
        return text + self.data()

    def fixed_value(self, kind):
        found = number(self.rng, kind).encode()
        return b'"' + found.strip(b'"').replace(b'"', b"").replace(b"\\", b"") + b'"' if kind in ("string", "character") else found

    def data(self):
        said = [b"mode=ascii" if self.ascii else b"mode=binary"]
        if self.ascii and self.lines != 1:
            said.append(b"lines_per_row=%d" % self.lines)
        if self.uncounted:
            said.append(b"no_row_counts=1")
        if self.fixed_rows:
            said.append(b"fixed_row_count=1")
        if self.more:
            said.append(b"additional_header_lines=%d" % self.more)
        if not self.ascii:
            said.append(b"endian=" + (b"big" if self.order == ">" else b"little"))
        if self.major:
            said.append(b"column_major_order=1")
        return b"&data " + b", ".join(said) + b" &end\n"

    def text_page(self):
        rng, lines = self.rng, []
        for kind, fixed in zip(self.parameters, self.fixed):
            if not fixed:
                lines.append(number(rng, kind))
        for kind, rank in zip(self.arrays, self.ranks):
            sizes = [rng.randrange(4) for _ in range(rank)]
            count = sizes[0] * (sizes + [1])[1]
            lines.append(" ".join(map(str, sizes)))
            values = [number(rng, kind) for _ in range(count)]
            step = rng.randrange(1, 4)
            lines += [" ".join(values[i : i + step]) for i in range(0, count, step)]
        if self.columns:
            rows = rng.randrange(4)
            lines += [] if self.uncounted else [f"{rows}"]
            for _ in range(rows):
                values = [number(rng, kind) for kind in self.columns]
                if self.lines < 2:
                    lines.append(rng.choice([" ", "  ", "\t"]).join(values))
                else:
                    at = rng.randrange(1, len(values))
                    lines += [" ".join(values[:at]), " ".join(values[at:])]
            lines += [""] if self.uncounted else []
        return lines

    def bytes_page(self):
        rng, rows = self.rng, self.rng.randrange(4) if self.columns else 0
        out = struct.pack(self.order + "i", rows)
        for kind, fixed in zip(self.parameters, self.fixed):
            out += b"" if fixed else packed(rng, kind, self.order)
        for kind, rank in zip(self.arrays, self.ranks):
            sizes = [rng.randrange(4) for _ in range(rank)]
            out += struct.pack(f"{self.order}{rank}i", *sizes)
            out += b"".join(packed(rng, kind, self.order) for _ in range(sizes[0] * (sizes + [1])[1]))
        cells = [(row, kind) for row in range(rows) for kind in self.columns]
        return out + b"".join(packed(rng, kind, self.order) for _, kind in cells) if not self.major else out + b"".join(
            packed(rng, kind, self.order) for kind in self.columns for _ in range(rows))


def damaged_lines(rng, lines):
    """The lines of a text with a few changes that a hand or another program may make."""
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        at = rng.randrange(len(lines) + 1)
        change = rng.randrange(7)
        if change == 0:
            lines.insert(at, "")
        elif change == 1:
            lines.insert(at, rng.choice(["! a remark", "!", "! \"quote", "!# words"]))
        elif change == 2 and at < len(lines):
            del lines[at]
        elif change == 3 and at < len(lines):
            lines.insert(at, lines[at])
        elif change == 4 and at < len(lines):
            lines[at] = lines[at] + rng.choice([" ! behind", " 5", "  ", " x", "!"])
        elif change == 5 and at < len(lines):
            words = lines[at].split()
            lines[at] = " ".join(words[:-1])
        elif change == 6:
            lines.insert(at, rng.choice(["x", "5", "\"", "-1", "1 2 3 4 5 6"]))
    return lines


def random_file(rng):
    file = File(rng)
    header = file.header()
    pages = rng.choice([0, 1, 1, 2, 3])
    if not file.ascii:
        data = header + b"".join(file.bytes_page() for _ in range(pages))
        change = rng.randrange(6)
        if change == 0:
            return data[: rng.randrange(len(header), len(data) + 1)]
        return data + bytes(rng.randrange(1, 4)) if change == 1 else data
    lines = ["more"] * file.more + [line for _ in range(pages) for line in file.text_page()]
    lines = damaged_lines(rng, lines)
    end = rng.choice(["\n", "\n", "\n", "\r\n"])
    return header + "".join(line + end for line in lines).encode()


def kind_of(what, data):
    return next((name for name, (_, _, may) in ALLOWED.items() if may(what, data)), None)


def main(look, seconds):
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    command()
    program = WORK.parent / "debug" / "binfmt"
    assert_each_kind(program, look)
    rng = random.Random(seed())
    end, files, seen, unknown = time.time() + seconds, 0, {}, []
    # where the seed is given, that many files are the same ones on any machine
    while time.time() < end and files < MOST:
        data = random_file(rng)
        path = FOLDER / "now.sdds"
        path.write_bytes(data)
        what = difference(look(path), told(program, path))
        name = what if what == "the library crashes" else what and kind_of(what, data)
        seen[name if what else "equal"] = seen.get(name if what else "equal", 0) + 1
        if what and not name:
            unknown.append((what, path.rename(FOLDER / f"{files}.sdds")))
        files += 1
    print(f"{files} random files: " + ", ".join(f"{n} × {name}" for name, n in sorted(seen.items(), key=lambda x: -x[1])))
    if unknown:
        raise SystemExit("\n".join(f"{path}: {what}" for what, path in unknown[:20]))


if __name__ == "__main__":
    said = [arg.partition("=")[2] for arg in sys.argv if arg.startswith("--seconds=")]
    inside_venv("sdds-random", [["soliday.sdds==5.7.6"]])
    from sdds_library import look_apart
    main(lambda path: look_apart(bytes(path)), int(said[0]) if said else SECONDS)
