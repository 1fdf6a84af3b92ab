#!/usr/bin/env python3
"""The arrays of tests/data/tiledb, which libtiledb 1.6.3 wrote, through the command to JSON and to arrays again: both
libtiledb 1.6.3 and the newest read the cells in these that stand beside the originals.

Shares the libraries with `tiledb.py`; both are driven with ctypes (x86-64 Linux only), each array in a process of its own.
Known faults of libtiledb 1.6.3, kept out: it returns garbage for cells of variable length that were never written. Exit
status 0: all agree.
"""

import ctypes as C
import json
import multiprocessing
import shutil
import sys
from pathlib import Path

from common import HERE, ROOT, WORK, command, inside_venv
from tiledb_libraries import OLD, STEPS

FIXTURES = ROOT / "tests" / "data" / "tiledb"
FOLDER = WORK / "tiledb-fixtures"
NUMBERS = dict(
    INT32="i4", INT64="i8", FLOAT32="f4", FLOAT64="f8", CHAR="S1", INT8="i1", UINT8="u1", INT16="i2", UINT16="u2", UINT32="u4",
    UINT64="u8", STRING_ASCII="S1", STRING_UTF8="S1", STRING_UTF16="S2", STRING_UTF32="S4", STRING_UCS2="S2", STRING_UCS4="S4",
    ANY="S1",
)
READ, ROW_MAJOR, COMPLETED, AES_256_GCM = 0, 0, 1, 1
MOST_CELLS, MOST_BYTES = 1 << 16, 1 << 22
P, U32, U64 = C.c_void_p, C.c_uint32, C.c_uint64


def code(datatype):
    """How values of a type are read: `S` for those that are compared as bytes; times are integers."""
    return NUMBERS.get(datatype, "i8")


class Library:
    """libtiledb: what differs between the old one and the new one is here."""

    def __init__(self, path, key):
        self.lib, self.key = C.CDLL(str(path)), key
        self.is_old = not hasattr(self.lib, "tiledb_subarray_alloc")
        self.config, self.context, error = P(), P(), P()
        self.lib.tiledb_config_alloc(C.byref(self.config), C.byref(error))
        if key and not self.is_old:
            for name, value in {"sm.encryption_type": "AES_256_GCM", "sm.encryption_key": key}.items():
                self.lib.tiledb_config_set(self.config, name.encode(), value.encode(), C.byref(error))
        self.lib.tiledb_ctx_alloc(self.config, C.byref(self.context))

    def call(self, name, *arguments):
        if getattr(self.lib, "tiledb_" + name)(self.context, *arguments) != 0:
            error, message = P(), C.c_char_p()
            self.lib.tiledb_ctx_get_last_error(self.context, C.byref(error))
            self.lib.tiledb_error_message(error, C.byref(message))
            raise RuntimeError(f"tiledb_{name}: {(message.value or b'?').decode()}")

    def made(self, name, *arguments):
        found = P()
        self.call(name, *arguments, C.byref(found))
        return found

    def open(self, path):
        array = self.made("array_alloc", bytes(path))
        if self.key and self.is_old:
            self.call("array_open_with_key", array, READ, AES_256_GCM, self.key.encode(), U32(len(self.key)))
        else:
            self.call("array_open", array, READ)
        return array

    def ask(self, array, domain):
        """A query of the whole domain."""
        query = self.made("query_alloc", array, READ)
        self.call("query_set_layout", query, ROW_MAJOR)
        if self.is_old:
            self.call("query_set_subarray", query, P(domain.ctypes.data))
        else:
            part, size = self.made("subarray_alloc", array), domain.itemsize
            for d in range(len(domain) // 2):
                ends = domain.ctypes.data + 2 * d * size
                self.call("subarray_add_range", part, U32(d), P(ends), P(ends + size), None)
            self.call("query_set_subarray_t", query, part)
        return query

    def buffer(self, query, name, values, offsets=None):
        """Where the values of an attribute go; gives how many bytes there are of them and of the offsets."""
        name, sizes = name.encode(), [U64(values.nbytes), U64(0 if offsets is None else offsets.nbytes)]
        data, starts = P(values.ctypes.data), P(0 if offsets is None else offsets.ctypes.data)
        if not self.is_old:
            self.call("query_set_data_buffer", query, name, data, C.byref(sizes[0]))
            if offsets is not None:
                self.call("query_set_offsets_buffer", query, name, starts, C.byref(sizes[1]))
        elif offsets is None:
            self.call("query_set_buffer", query, name, data, C.byref(sizes[0]))
        else:
            self.call("query_set_buffer_var", query, name, starts, C.byref(sizes[1]), data, C.byref(sizes[0]))
        return sizes


def numbers(raw, kind):
    """Values as the descriptions have them: floats by their bits."""
    values = numpy.frombuffer(raw, kind)
    if kind[0] == "f":
        return [value.tobytes()[::-1].hex() for value in values]
    return [int(value) for value in values]


def cell(raw, attribute):
    kind = code(attribute["type"])
    if kind[0] == "S":
        return raw.hex()
    return numbers(raw, kind)[0] if attribute["cell_val_num"] == 1 else numbers(raw, kind)


def bounds(dimension, kind):
    """The ends of a domain, floats from their bits."""
    ends = [dimension["lo"], dimension["hi"]]
    return [numpy.frombuffer(bytes.fromhex(end)[::-1], kind)[0] if kind[0] == "f" else end for end in ends]


def read(library, path, schema):
    """The cells of all attributes, and the coordinates of a sparse array."""
    kind = code(schema["dim_type"])
    domain = numpy.array([end for dimension in schema["dims"] for end in bounds(dimension, kind)], kind)
    array = library.open(path)
    query = library.ask(array, domain)
    kept, names = {}, [dimension["name"] for dimension in schema["dims"]]
    for attribute in schema["attrs"]:
        values = numpy.zeros(MOST_BYTES, "u1")
        offsets = numpy.zeros(MOST_CELLS, "u8") if attribute["cell_val_num"] == "var" else None
        kept[attribute["name"]] = values, offsets, library.buffer(query, attribute["name"], values, offsets)
    places = {}
    if schema["array_type"] == "sparse":
        for name in ["__coords"] if library.is_old else names:
            values = numpy.zeros(MOST_CELLS * len(names), kind)
            places[name] = values, library.buffer(query, name, values)[0]
    library.call("query_submit", query)
    state = C.c_int()
    library.call("query_get_status", query, C.byref(state))
    assert state.value == COMPLETED, f"the query has the status {state.value}"
    found = {}
    for attribute in schema["attrs"]:
        values, offsets, (size, starts) = kept[attribute["name"]]
        raw = values[: size.value].tobytes()
        if offsets is None:
            step = attribute["cell_val_num"] * numpy.dtype(code(attribute["type"])).itemsize
            cells = [raw[i : i + step] for i in range(0, len(raw), step)]
        else:
            ends = [int(start) for start in offsets[: starts.value // 8]] + [len(raw)]
            cells = [raw[a:b] for a, b in zip(ends, ends[1:])]
        found[attribute["name"] or "__attr"] = [cell(raw, attribute) for raw in cells]
    lists = [values[: size.value // values.itemsize] for values, size in places.values()]
    if library.is_old:
        lists = [lists[0][d :: len(names)] for d in range(len(names))] if lists else []
    coords = [list(place) for place in zip(*(numbers(values.tobytes(), kind) for values in lists))]
    return found, coords


def check(path, content, place):
    """Compares what a library reads with what stands beside the original."""
    found, coords = read(Library(place, content.get("key")), path, content["schema"])
    is_old = OLD in Path(place).parents
    for attribute in content["schema"]["attrs"]:
        name = attribute["name"] or "__attr"
        wanted = content["attrs"][name]
        pairs = list(zip(found[name], wanted, strict=True))
        if is_old and attribute["cell_val_num"] == "var" and content["schema"]["array_type"] == "dense":
            pairs = [pair for pair in pairs if pair[1] != fill(attribute)]
        assert all(a == b for a, b in pairs), f"{name}: {found[name]}, not {wanted}"
    if "coords" in content:
        assert coords == content["coords"], f"coordinates: {coords}, not {content['coords']}"


def fill(attribute):
    """A cell of variable length that was never written."""
    kind = code(attribute["type"])
    value = {"i": lambda: numpy.iinfo(kind).min, "u": lambda: numpy.iinfo(kind).max, "f": lambda: numpy.nan}
    if kind[0] == "S":
        return "80" if attribute["type"] == "CHAR" else "00" * int(kind[1:])
    return numbers(numpy.array([value[kind[0]]()], kind).tobytes(), kind)


if __name__ == "__main__":
    inside_venv("tiledb", STEPS)
    # a script beside this one has the name of the package
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != HERE]
    import numpy
    import tiledb

    [old] = OLD.glob("tiledb/.libs/libtiledb-*.so*")
    package = Path(tiledb.__file__).parent
    # the package has an extension module of nearly the same name
    [new] = [*package.glob("libtiledb.so*"), *package.parent.glob("tiledb.libs/libtiledb*.so*")]
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    binfmt, wrong = command(), []
    fixtures = sorted(FIXTURES.glob("*.json"))
    for fixture in fixtures:
        content = json.loads(fixture.read_text())
        document, path = FOLDER / fixture.name, FOLDER / fixture.stem
        key = ["--key", content["key"]] if content.get("key") else []
        binfmt("convert", *key, fixture.with_suffix(""), document)
        binfmt("convert", *key, document, path)
        for library in (old, new):
            # the old library may end with a segmentation fault
            process = multiprocessing.get_context("fork").Process(target=check, args=(path, content, library))
            process.start()
            process.join()
            if process.exitcode != 0:
                wrong.append(f"{path}: {library.name} (exit status {process.exitcode})")
    if wrong or len(fixtures) < 68:
        raise SystemExit("\n".join([f"{len(fixtures)} arrays", *wrong]))
    print(f"interop tiledb: both libraries read {len(fixtures)} arrays of libtiledb 1.6.3 that were written anew")
