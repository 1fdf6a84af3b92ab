"""The libraries that the TileDB scripts use: the newest, and old ones out of wheels of TileDB-Py, all driven with ctypes
(x86-64 Linux only). `Library` hides what differs between them."""

import ctypes as C
import os
import select
import signal
import sys
import time
import traceback
from pathlib import Path

from common import HERE, WORK

WHEELS = {"1.6.3": "0.4.4", "1.7": "0.5.9", "2.0": "0.6.6", "2.2": "0.8.11"}
NEWEST = "2.30"
OLD = WORK / "tiledb-0.4.4"


def _wheel(version):
    old = ["--only-binary=:all:", "--python-version=37", "--implementation=cp", "--abi=cp37m"]
    platforms = ["--platform=manylinux1_x86_64", "--platform=manylinux2010_x86_64"]
    return ["--upgrade", "--no-deps", *old, *platforms, f"--target={WORK / f'tiledb-{version}'}", f"tiledb=={version}"]


# arguments of pip install
STEPS = [["tiledb==0.36.1"], *(_wheel(wheel) for wheel in WHEELS.values())]

READ, WRITE, COMPLETED, AES_256_GCM = 0, 1, 1, 1
ORDERS = dict(row=0, col=1, unordered=3)
VAR = 0xFFFFFFFF
MOST_CELLS, MOST_BYTES = 1 << 16, 1 << 22
P, U32, U64 = C.c_void_p, C.c_uint32, C.c_uint64
NUMBERS = dict(
    INT32="i4", INT64="i8", FLOAT32="f4", FLOAT64="f8", CHAR="S1", INT8="i1", UINT8="u1", INT16="i2", UINT16="u2", UINT32="u4",
    UINT64="u8", STRING_ASCII="S1", STRING_UTF8="S1", STRING_UTF16="S2", STRING_UTF32="S4", STRING_UCS2="S2", STRING_UCS4="S4",
    ANY="S1",
)
TIMES = ["YEAR", "MONTH", "WEEK", "DAY", "HR", "MIN", "SEC", "MS", "US", "NS", "PS", "FS", "AS"]
TYPES = [*NUMBERS, *(f"DATETIME_{unit}" for unit in TIMES)]
FILTERS = ["NONE", "GZIP", "ZSTD", "LZ4", "RLE", "BZIP2", "DOUBLE_DELTA", "BIT_WIDTH_REDUCTION", "BITSHUFFLE", "BYTESHUFFLE",
           "POSITIVE_DELTA"]
LEVEL, BIT_WIDTH_WINDOW, DELTA_WINDOW = 0, 1, 2


def code(datatype):
    """How values of a type are read: `S` for those that are compared as bytes; times are integers."""
    return NUMBERS.get(datatype, "i8")


def size_of(datatype):
    return int(code(datatype)[1:])


def numbers(raw, kind):
    """Values as the descriptions have them: floats by their bits."""
    import numpy

    values = numpy.frombuffer(raw, kind)
    if kind[0] == "f":
        return [value.tobytes()[::-1].hex() for value in values]
    return [int(value) for value in values]


def bounds(dimension, kind):
    """The ends of a domain, floats from their bits."""
    import numpy

    ends = [dimension["lo"], dimension["hi"]]
    return [numpy.frombuffer(bytes.fromhex(end)[::-1], kind)[0] if isinstance(end, str) else end for end in ends]


def fill_of(datatype):
    """The bytes of a value that was never written."""
    import numpy

    kind = code(datatype)
    if kind[0] == "S":
        return b"\x80" if datatype == "CHAR" else bytes(int(kind[1:]))
    if kind[0] == "f":
        return numpy.array([numpy.nan], kind).tobytes()
    return numpy.array([numpy.iinfo(kind).min if kind[0] == "i" else numpy.iinfo(kind).max], kind).tobytes()


def library(version):
    """Where a library is."""
    if version != NEWEST:
        wheel = WORK / f"tiledb-{WHEELS[version]}"
        [found] = [*wheel.glob("tiledb/.libs/libtiledb-*.so*"), *wheel.glob("tiledb.libs/libtiledb-*.so*")]
        return found
    [packages] = (Path(sys.executable).parent.parent / "lib").glob("python3*/site-packages")
    # the package has an extension module of nearly the same name
    [found] = [*packages.glob("tiledb/libtiledb.so*"), *packages.glob("tiledb.libs/libtiledb*.so*")]
    return found


def without_this_folder():
    """A script beside this one has the name of the package."""
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != HERE]


class Refused(Exception):
    """The library says no."""


class Library:
    """libtiledb of some version."""

    def __init__(self, version, key=None, config=None):
        self.lib, self.key = C.CDLL(str(library(version))), key
        self.is_old = not hasattr(self.lib, "tiledb_subarray_alloc")
        self.config, self.context, error = P(), P(), P()
        self.lib.tiledb_config_alloc(C.byref(self.config), C.byref(error))
        settings = dict(config or {})
        if key and not self.is_old:
            settings |= {"sm.encryption_type": "AES_256_GCM", "sm.encryption_key": key}
        for name, value in settings.items():
            self.lib.tiledb_config_set(self.config, name.encode(), value.encode(), C.byref(error))
        self.lib.tiledb_ctx_alloc(self.config, C.byref(self.context))

    def call(self, name, *arguments):
        if getattr(self.lib, "tiledb_" + name)(self.context, *arguments) != 0:
            error, message = P(), C.c_char_p()
            self.lib.tiledb_ctx_get_last_error(self.context, C.byref(error))
            self.lib.tiledb_error_message(error, C.byref(message))
            raise Refused(f"tiledb_{name}: {(message.value or b'?').decode()}")

    def made(self, name, *arguments):
        found = P()
        self.call(name, *arguments, C.byref(found))
        return found

    def pipeline(self, described):
        found = self.made("filter_list_alloc")
        for one in described["filters"]:
            made = self.made("filter_alloc", FILTERS.index(one["type"]))
            if "level" in one:
                self.call("filter_set_option", made, LEVEL, C.byref(C.c_int32(one["level"])))
            if "max_window" in one:
                option = BIT_WIDTH_WINDOW if one["type"] == "BIT_WIDTH_REDUCTION" else DELTA_WINDOW
                self.call("filter_set_option", made, option, C.byref(U32(one["max_window"])))
            self.call("filter_list_add_filter", found, made)
        if "max_chunk_size" in described:
            self.call("filter_list_set_max_chunk_size", found, U32(described["max_chunk_size"]))
        return found

    def create(self, path, schema):
        """Makes an array of a schema as the command has them in JSON."""
        import numpy

        kind = code(schema["dim_type"])
        domain = self.made("domain_alloc")
        for dimension in schema["dims"]:
            ends, extent = numpy.array(bounds(dimension, kind), kind), numpy.array([dimension["extent"]], kind)
            ends, extent = P(ends.ctypes.data), P(extent.ctypes.data)
            of = TYPES.index(schema["dim_type"])
            made = self.made("dimension_alloc", dimension["name"].encode(), of, ends, extent)
            self.call("domain_add_dimension", domain, made)
        found = self.made("array_schema_alloc", int(schema["array_type"] == "sparse"))
        self.call("array_schema_set_domain", found, domain)
        self.call("array_schema_set_tile_order", found, ORDERS[schema["tile_order"]])
        self.call("array_schema_set_cell_order", found, ORDERS[schema["cell_order"]])
        self.call("array_schema_set_capacity", found, U64(schema["capacity"]))
        self.call("array_schema_set_coords_filter_list", found, self.pipeline(schema["coords_filters"]))
        self.call("array_schema_set_offsets_filter_list", found, self.pipeline(schema["offsets_filters"]))
        for described in schema["attrs"]:
            attribute = self.made("attribute_alloc", described["name"].encode(), TYPES.index(described["type"]))
            count = VAR if described["cell_val_num"] == "var" else described["cell_val_num"]
            if described["type"] != "ANY":
                self.call("attribute_set_cell_val_num", attribute, U32(count))
            self.call("attribute_set_filter_list", attribute, self.pipeline(described["filters"]))
            self.call("array_schema_add_attribute", found, attribute)
        self.call("array_schema_check", found)
        if self.key:
            self.call("array_create_with_key", bytes(path), found, AES_256_GCM, self.key.encode(), U32(len(self.key)))
        else:
            self.call("array_create", bytes(path), found)

    def open(self, path, mode=READ, at=None):
        array = self.made("array_alloc", bytes(path))
        key = (AES_256_GCM, self.key.encode(), U32(len(self.key))) if self.key else ()
        if not self.is_old:
            self.call("array_set_config", array, self.config)
            if at is not None:
                self.call("array_set_open_timestamp_end", array, U64(at))
            self.call("array_open", array, mode)
        elif at is not None:
            self.call("array_open_at_with_key" if key else "array_open_at", array, mode, *key, U64(at))
        else:
            self.call("array_open_with_key" if key else "array_open", array, mode, *key)
        return array

    def ask(self, array, mode, order, domain):
        """A query of a region, whose ends stand one after the other."""
        query = self.made("query_alloc", array, mode)
        self.call("query_set_layout", query, ORDERS[order])
        if domain is None:
            return query
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
        """Where the values of an attribute are, or go; gives how many bytes there are of them and of the offsets."""
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

    def run(self, query):
        self.call("query_submit", query)
        state = C.c_int()
        self.call("query_get_status", query, C.byref(state))
        if state.value != COMPLETED:
            raise Refused(f"the query has the status {state.value}")

    def write(self, path, schema, order, region, coords, columns):
        """Writes a fragment (old libraries): cells as bytes, by attribute; a region, or the bytes of all coordinates."""
        import numpy

        kind, kept = code(schema["dim_type"]), []
        array = self.open(path, WRITE)
        domain = None if region is None else numpy.array([end for ends in region for end in ends], kind)
        query = self.ask(array, WRITE, order, domain)
        for attribute in schema["attrs"]:
            cells = columns[attribute["name"]]
            values, offsets = numpy.frombuffer(b"".join(cells) or b"\0", "u1"), None
            if attribute["cell_val_num"] == "var":
                lengths = [len(cell) for cell in cells]
                offsets = numpy.cumsum([0] + lengths[:-1]).astype("u8")
            kept.append((values, offsets, self.buffer(query, attribute["name"], values, offsets)))
        if coords is not None:
            places = numpy.frombuffer(coords, "u1")
            kept.append((places, self.buffer(query, "__coords", places)))
        self.run(query)
        self.call("query_finalize", query)
        self.call("array_close", array)

    def consolidate(self, path):
        key = (AES_256_GCM, self.key.encode(), U32(len(self.key))) if self.key else ()
        if self.is_old and key:
            self.call("array_consolidate_with_key", bytes(path), *key, None)
        else:
            self.call("array_consolidate", bytes(path), None)

    def read(self, path, schema, region=None, order="row", at=None):
        """The bytes of each cell of all attributes, and the lists of coordinates of a sparse array, by name."""
        import numpy

        kind = code(schema["dim_type"])
        region = region or [bounds(dimension, kind) for dimension in schema["dims"]]
        domain = numpy.array([end for ends in region for end in ends], kind)
        array = self.open(path, READ, at)
        query = self.ask(array, READ, order, domain)
        kept, names = {}, [dimension["name"] for dimension in schema["dims"]]
        for attribute in schema["attrs"]:
            values = numpy.zeros(MOST_BYTES, "u1")
            offsets = numpy.zeros(MOST_CELLS, "u8") if attribute["cell_val_num"] == "var" else None
            kept[attribute["name"]] = values, offsets, self.buffer(query, attribute["name"], values, offsets)
        places = {}
        if schema["array_type"] == "sparse":
            for name in ["__coords"] if self.is_old else names:
                values = numpy.zeros(MOST_CELLS * len(names), kind)
                places[name] = values, self.buffer(query, name, values)[0]
        self.run(query)
        found = {}
        for attribute in schema["attrs"]:
            values, offsets, (size, starts) = kept[attribute["name"]]
            raw = values[: size.value].tobytes()
            if offsets is None:
                step = attribute["cell_val_num"] * size_of(attribute["type"])
                cells = [raw[i : i + step] for i in range(0, len(raw), step)]
            else:
                ends = [int(start) for start in offsets[: starts.value // 8]] + [len(raw)]
                cells = [raw[a:b] for a, b in zip(ends, ends[1:])]
            found[attribute["name"] or "__attr"] = cells
        lists = [values[: size.value // values.itemsize] for values, size in places.values()]
        if self.is_old and lists:
            lists = [lists[0][d :: len(names)] for d in range(len(names))]
        self.call("array_close", array)
        return found, [values.tobytes() for values in lists]


def in_process(work, *arguments, seconds=30):
    """What a function gives in a process of its own, as text, and `None`; or `None` and why there is nothing: the old
    library may end with a segmentation fault, or never."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            text = work(*arguments)
            with os.fdopen(writing, "w") as out:
                out.write(text)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    parts, end = [], time.monotonic() + seconds
    with os.fdopen(reading, "rb") as source:
        while True:
            if not select.select([source], [], [], max(0, end - time.monotonic()))[0]:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return None, f"not done after {seconds} s"
            part = os.read(source.fileno(), 1 << 20)
            if not part:
                break
            parts.append(part)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return (b"".join(parts).decode(), None) if status == 0 else (None, f"exit status {status}")
