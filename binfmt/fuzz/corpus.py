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


BLOCK = b"\x01\x10\0" + bytes(range(8)) + b"\x05\0\x09" + b"\0\0" + b"\x01\0\x02\x03\0\x04"
VOLUME = b"\0\x01\x05\0\x06" + bytes(11) + BLOCK + b"\x01\0\x02\0"
BOOK = (
    struct.pack("<BIH", 1, 17, 29)
    + struct.pack("<HBHHHB", 8, 0, 0, 0, 3, 4)
    + struct.pack("<BHHHB", 1, 25, 0, 5, 6)
    + b"cell\x02hi\x01\x02\0"
)


def checked():
    """A list, bytes to a zero, turned bytes, the sum of the first two, pairs, and a list to the end."""
    noted = struct.pack("<HB", 7, 1)
    front = struct.pack("<H", 2) + noted * 2 + b"ab\0"
    total = 0
    for byte in front:
        total = (3 * total + byte) % 65536
    pairs = (noted + struct.pack("<I", 9)) * 2
    return front + struct.pack("<HI", 4, 0xFFFEFFFD) + struct.pack("<H", total) + pairs + noted * 3


def structs(count):
    """Bytes of the structs in their order; an order that is given from outside is the little one."""
    some = (READING + READING_MISSING, FIXED * 2, TEXTS, TREE, MESSAGE, ARRAYS, COMPUTED)[:count]
    for number, data in enumerate(some):
        yield bytes([number]) + data
        yield bytes([number]) + data * 3
        yield bytes([number]) + data[: len(data) // 2]


def typed():
    yield from structs(6)
    yield from (b"\0" + VOLUME, b"\x01" + BOOK)


def pieces():
    return structs(6)


def round():
    yield from structs(7)
    yield from (b"\0" + VOLUME, b"\x01" + checked(), b"\x02" + BOOK)


def faults():
    # a part 512 bytes from the front
    far = b"\x05" + bytes(511)
    # in the order of the target, then what fails, at which call, and what a vector holds before
    samples = b"\x02" + bytes(range(40))
    of_structs = (VOLUME, checked(), BOOK, far + BLOCK, b"\x02\x03" + bytes(9), MESSAGE, READING, TEXTS, samples, b"\x20")
    for number, data in enumerate(of_structs):
        for what in range(5):
            yield bytes([number, what, number % 4, 9, 20 * (what % 2), 9, 3 * what]) + data
    # more than the vector has room for, and a function at its end
    yield bytes([3, 0, 0, 9, 10, 9, 0]) + far + b"\xff\0\0" + bytes(2040) + b"\x07\0\x01"


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


def npy(descr, shape, data):
    head = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head + data


def npy_files():
    yield from (data for _, data in inputs("npy/*/input.npy"))
    yield npy("'<f8'", "(3,)", struct.pack("<3d", 1.5, float("nan"), -0.0))
    yield npy("'<i2'", "(2, 3)", bytes(range(12)))
    yield npy("[('a', '<i4'), ('b', '<M8[ns]'), ('c', '|S3')]", "(2,)", bytes(range(30)))
    yield npy("'|b1'", "()", b"\1")
    yield npy("'<U2'", "(0, 9)", b"")


CSV = (
    b"a,b,c\n1,x,2024-02-01\n,\"\",\n-3,\"q,\"\"q\",2024-02-01T12:00\n",
    b"a\n1.5\nnan\n\n-inf\n",
    b"a,b\r\ntrue,01234\r\nfalse,+49\r\n,\r\n",
    b"a,a.b,\n9007199254740993,18446744073709551615,0x00ff\n",
    b"name\n\xff\n",
)
JSON_LINES = (
    b'{"a":1,"b":"x","l":[1,2]}\n{"a":null,"b":"","l":[]}\n',
    b'{"a":{"x":1.5,"y":[true]},"t":"2024-02-01"}\n{"a":{"x":2},"t":null}\n{}\n',
    b'{"a":"\\ud83d\\ude00"}\n{"a":9007199254740993}\n{"b":[[1],["x"]]}\n',
)


def tables():
    with_tabs = [data.replace(b",", b"\t") for data in CSV]
    arrays = list(npy_files())
    kinds = (CSV, JSON_LINES, arrays, with_tabs, CSV, JSON_LINES, arrays)
    for kind, files in enumerate(kinds):
        for i, data in enumerate(files):
            for what in range(27):
                if (what + i + kind) % 4 == 0:
                    yield bytes([kind, what]) + data


def cross():
    cells = struct.pack("<bbhbI2sI2s", 1, -1, 5, -1, 2, b"a\0", 2, b"b\0")
    cells += struct.pack("<bbhbII2s", 1, 3, 0, 4, 0, 2, b"c\0")
    rows = struct.pack("<HBdB2s", 3, 255, 1.5, 2, b"ab") + struct.pack("<HBdB", 4, 1, 0, 0)
    lists = b"\x02\0\x01\0\x02\x01abc" + b"\0\0xyz"
    choices = b"\x07\x01\x09\0\0\0line\n\x08\0rest"
    objects = [data for _, data in inputs("beat/*/input.bin")]
    scidb_files = [cells * 3, struct.pack("<iI2s", 7, 2, b"a\0") * 2, struct.pack("<3d", 1, 2, 3)]
    of_layouts = [rows, lists, choices]
    formats = (futhark(), sdds(), objects, scidb_files, list(npy_files()), CSV, JSON_LINES, of_layouts)
    for number, files in enumerate(formats):
        for i, data in enumerate(files):
            for form in range(7):
                # the upper bits choose a schema or a layout
                if len(files) < 20 or (form + i) % 7 == 0:
                    yield bytes([number, form, (i + form) % 8 + 16 * (i % 16)]) + data


def where():
    chance = random.Random(2)
    for _ in range(200):
        condition = bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
        yield pair(condition, bytes(chance.randrange(64) for _ in range(1 + 5 * chance.randrange(12))))


def layout_run():
    texts = [path.read_bytes() for path in sorted((HERE / "seeds" / "layout_text").glob("*.txt"))]
    texts += [path.read_bytes() for path in sorted((HERE / "seeds" / "layout_run").glob("*.layout"))]
    chance = random.Random(3)
    for text in texts:
        for length in (0, 7, 40, 90):
            yield pair(text, bytes(chance.choice((0, 1, 2, 3, 4, 10, 255, chance.randrange(256))) for _ in range(length)))


def tiledb_many():
    chance = random.Random(4)
    for array in range(0, 90, 2):
        for _ in range(3):
            yield bytes([array, array % 3]) + bytes(chance.randrange(256) for _ in range(chance.randrange(20)))


def arrow():
    chance = random.Random(5)
    for file in range(8):
        yield from (bytes([file, what]) for what in range(30))
        for _ in range(20):
            yield bytes([file, chance.randrange(60)]) + bytes(chance.randrange(256) for _ in range(8))


def main():
    targets = sorted(path.stem for path in (HERE / "src" / "bin").glob("*.rs"))
    for target in targets:
        folder = Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(globals()[target]()):
            (folder / f"seed{number:04}").write_bytes(data)


if __name__ == "__main__":
    main()
