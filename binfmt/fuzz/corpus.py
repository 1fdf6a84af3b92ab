#!/usr/bin/env python3
"""Makes the first inputs of every target from `tests/data`, the same in every run: `corpus.py FOLDER`.

Each target gets a folder. How it takes its bytes apart stands in the head of its file in `src/targets`.
"""

import json
import random
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "tests" / "data"
LONGEST = 4096


def pair(first, second):
    """Two parts in one input."""
    return struct.pack("<H", len(first)) + first + second


def inputs(*places):
    """The files of the cases that are short enough, in order."""
    for place in places:
        for path in sorted(DATA.glob(place)):
            data = path.read_bytes()
            if path.is_file() and len(data) <= LONGEST:
                yield path, data


def content(path):
    return json.loads((path.parent / "content.json").read_text())


def sdds():
    return [data for _, data in inputs("sdds/*/*.sdds*")]


def sdds_header():
    for data in sdds():
        start, end = data.find(b"\n"), data.find(b"&data")
        if data.startswith(b"SDDS") and end > 0:
            yield data[start + 1 : data.find(b"&end", end) + 5]


def futhark():
    return [data for _, data in inputs("futhark/*/input.*")]


def futhark_text():
    yield from (data for data in futhark() if not data.startswith(b"b") and len(data) < 512)
    yield from (b"[[1i32, 2], [3, 4]]", b"empty([0][2]f64)", b"-0x1.8p3f32", b"[nan, -inf, 1e-5]", b"true")
    yield pair(b"[2][1]i32", b"0:9")
    yield pair(b"f64", b"-1:1")


def beat():
    for path, data in inputs("beat/*/input.bin", "beat/*/input.data"):
        yield pair(json.dumps(content(path)["declaration"]).encode(), data)


def beat_json():
    for path, _ in inputs("beat/*/input.bin"):
        yield json.dumps(content(path)["declaration"]).encode()
    yield b"0 3\n4 9\n"
    yield b'{"#extends": "u/n/1", "#description": "x", "a": {"b": [0, 3, "u/m/2"]}}'


def schemas():
    for path, data in inputs("scidb/*/input.bin"):
        said = content(path)
        yield from ((said[key].encode(), data) for key in ("schema", "format") if isinstance(said.get(key), str))


def scidb():
    return [pair(schema, data) for schema, data in schemas()]


def afl():
    yield from {schema: None for schema, _ in schemas()}
    yield b"A@3<a:int64 DEFAULT 5 COMPRESSION 'zlib', b:string NULL RESERVE 3>[x=0:*,10,2; y=-5:5:0:3]"
    yield b"not empty <a:bool> [i]"


def tiledb():
    return [bytes([array, file]) for array in range(0, 90, 3) for file in range(0, 9, 2)]


def tiledb_filters():
    for path, data in inputs("tiledb/f_*/*/a*.tdb", "tiledb/p_*/*/a*.tdb"):
        for filters in ([0], [1], [2], [3], [6], [7], [4, 0], [9, 8, 0]):
            yield bytes([0, len(filters) - 1, *filters]) + data


def layouts():
    chance = random.Random(1)
    for _ in range(200):
        choices = bytes(chance.choice((0, 1, 2, 3, 5, 7, chance.randrange(256))) for _ in range(80))
        data = bytes(chance.choice((0, 1, 2, 255, chance.randrange(256))) for _ in range(60))
        yield pair(choices, data)


READING = struct.pack("<HBiI2sBhh3IB", 42, 255, 7, 2, b"ok", 2, 1, -1, *(0x01000000,) * 3, 12)
READING_MISSING = struct.pack("<HBiIBIIIB", 1, 3, 0, 0, 0, 0, 0, 0, 1)
FIXED = b"\x01" + struct.pack("<d", 1.5) + struct.pack(">h2x16sBf", -5, bytes(15) + b"\x09", 255, 2.5) + b"\x02ab\0\0\0"
TEXTS = b"caf\xe9\0\xff\x02\0\0\0hi\x03\0abc\xff\x01\x05\0\0\0" + struct.pack("<BIbQ", 1, 2, -3, 99)
TREE = b"\x07\0\0\x80\x3f\x03\0\x01\x09\x09\x02\x0a\x0a\x01"
INNER = b"\x01" + READING + b"\x07" + struct.pack(">I", 5) + b"\x07\x07"
MESSAGE = b"HI\x03" + struct.pack(">IIIQ", 1, 2, 3, 4) + b"t\xe9\0" + b"\0\0\0\0"
ARRAYS = (
    struct.pack("<IIff", 1, 2, 1.0, 2.0)
    + struct.pack("<BBBHH", 1, 2, 1, 5, 6)
    + b"\x05\x06\0"
    + struct.pack("<iBHBH", 2, 1, 2, 3, 4)
)
PACKED = b"\x03\x12\x34\x56\x78\x9a\x02\x10\x32\x54\x01" + b"\x80\x61" + bytes(range(7))
COMPUTED = b"\x01\x05\x02\0\x02\x01\0\x02\0hi\x05\x01\0\x02\0\x08\0\x06\0\0\0\x07\x03abc\x02\x01\x02"


def structs(count):
    """Bytes of the structs in their order; an order that is given from outside is the little one."""
    some = (READING + READING_MISSING, FIXED * 2, TEXTS, TREE, MESSAGE, ARRAYS, COMPUTED)[:count]
    for number, data in enumerate(some):
        yield bytes([number]) + data
        yield bytes([number]) + data * 3
        yield bytes([number]) + data[: len(data) // 2]


def typed():
    return structs(6)


def pieces():
    return structs(6)


def round():
    return structs(7)


def columns():
    yield from structs(3)
    for data in (PACKED * 3, PACKED + bytes(range(9))):
        yield b"\x03" + data


def description():
    for path in sorted((HERE / "seeds" / "description").glob("*.json")):
        for data in (READING, FIXED, TREE, ARRAYS, b"1", b'[1,{"missing":3},"x"]'):
            yield pair(path.read_bytes().strip(), data)


def layout_text():
    return [path.read_bytes() for path in sorted((HERE / "seeds" / "layout_text").glob("*.txt"))]


def command():
    formats = (("futhark", futhark()), ("sdds", sdds()), ("beat", [b for p, b in inputs("beat/*/input.bin")]),
               ("scidb", [b for p, b in inputs("scidb/*/input.bin")]))
    for number, (_, files) in enumerate(formats):
        for i, data in enumerate(files):
            yield bytes([i % 8, number]) + data


def command_json():
    return [path.read_bytes() for path in sorted((HERE / "seeds" / "command_json").glob("*.json"))]


def main():
    targets = sorted(path.stem for path in (HERE / "src" / "bin").glob("*.rs"))
    for target in targets:
        folder = Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(globals()[target]()):
            (folder / f"seed{number:04}").write_bytes(data)


if __name__ == "__main__":
    main()
