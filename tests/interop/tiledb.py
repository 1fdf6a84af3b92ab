#!/usr/bin/env python3
"""libtiledb 1.6.3 and the newest libtiledb read the arrays that binfmt writes, and binfmt reads those of libtiledb 1.6.3.

Makes a virtual environment of its own under target/, with TileDB-Py 0.36.1; the old library, which writes format version 3,
comes from the wheel of TileDB-Py 0.4.4 and is driven with ctypes (x86-64 Linux only). Random arrays of the old library, and
what the new one reads in them (row-major, and in global order), go to the Rust half of the test (`cargo test --test
formats interop`), which writes each again for both libraries to read, and through the command to JSON and back. Exit status 0: all
agree.

The arrays of the old library are consolidated as well, and both libraries read what they did: with the old fragments beside the
new one, and without them.

Known faults of libtiledb 1.6.3, kept out: it loses data where bit width reduction meets both ends of a signed type, returns
garbage for cells of variable length that were never written, cannot write empty ones, and ends with a segmentation fault
at some dense arrays of several fragments, so it reads the dense arrays of binfmt only.
"""

import ctypes as C
import json
import random
import shutil
import sys
import time
from pathlib import Path

from common import HERE, WORK, cargo, command, inside_venv, seed
from tiledb_libraries import OLD, STEPS

FOLDER = WORK / "tiledb"
ARRAYS = 40
TYPES = dict(i4=0, i8=1, f4=2, f8=3, S1=4, i1=5, u1=6, i2=7, u2=8, u4=9, u8=10)
GZIP, ZSTD, LZ4, RLE, BZIP2, DOUBLE_DELTA, BIT_WIDTH, BITSHUFFLE, BYTESHUFFLE, POSITIVE_DELTA = range(1, 11)
PIPELINES = [[], [GZIP], [ZSTD], [LZ4], [RLE], [BZIP2], [BITSHUFFLE, LZ4], [BYTESHUFFLE, ZSTD]]
WHOLE = PIPELINES + [[DOUBLE_DELTA], [BIT_WIDTH], [BIT_WIDTH, GZIP]]
VAR, ROW_MAJOR, GLOBAL_ORDER, UNORDERED = 0xFFFFFFFF, 0, 2, 3
P, U32, U64 = C.c_void_p, C.c_uint32, C.c_uint64


def call(name, *arguments):
    if getattr(L, "tiledb_" + name)(CONTEXT, *arguments) != 0:
        error, message = P(), C.c_char_p()
        L.tiledb_ctx_get_last_error(CONTEXT, C.byref(error))
        L.tiledb_error_message(error, C.byref(message))
        raise SystemExit(f"tiledb_{name}: {(message.value or b'?').decode()}")


def made(name, *arguments):
    """A new object of the library."""
    found = P()
    call(name, *arguments, C.byref(found))
    return found


def data(array):
    return P(array.ctypes.data)


def pipeline(filters):
    found = made("filter_list_alloc")
    for number in filters:
        call("filter_list_add_filter", found, made("filter_alloc", number))
    return found


def is_whole(kind):
    return kind[0] in "iu"


def random_schema(rng, number):
    sparse = number % 2 == 1
    kinds = [kind for kind in TYPES if kind != "S1" and (is_whole(kind) or sparse)]
    kind = rng.choice(kinds)
    low = rng.randrange(0, 4) - 2 * (kind[0] != "u")
    dims = [(f"d{i}", low, low + rng.randrange(0, 9), rng.randrange(1, 5)) for i in range(rng.randrange(1, 4))]
    dims = [(name, low, high, min(extent, high - low + 1)) for name, low, high, extent in dims]
    attributes = []
    for i in range(rng.randrange(1, 6)):
        of, count = rng.choice(list(TYPES)), rng.choice([1, 1, 2])
        count = VAR if of in ("S1", "i4") and rng.random() < 0.5 else count
        # double deltas between fill values and others do not fit 64 bits
        filters = WHOLE[:-3] + WHOLE[-2:] if of[1] == "8" and not sparse else WHOLE
        attributes.append((f"a{i}", of, count, rng.choice(filters if is_whole(of) else PIPELINES)))
    coords = rng.choice([[], [ZSTD], [GZIP], [BYTESHUFFLE, LZ4]] + [[DOUBLE_DELTA], [BIT_WIDTH]] * is_whole(kind))
    return dict(sparse=sparse, kind=kind, dims=dims, attributes=attributes, orders=(rng.randrange(2), rng.randrange(2)),
                capacity=rng.randrange(1, 30), coords=coords, offsets=rng.choice([[], [ZSTD], [POSITIVE_DELTA, GZIP], [BIT_WIDTH]]))


def create(path, schema):
    domain = made("domain_alloc")
    for name, low, high, extent in schema["dims"]:
        ends, extent = numpy.array([low, high], schema["kind"]), numpy.array([extent], schema["kind"])
        of = TYPES[schema["kind"]]
        call("domain_add_dimension", domain, made("dimension_alloc", name.encode(), of, data(ends), data(extent)))
    found = made("array_schema_alloc", int(schema["sparse"]))
    call("array_schema_set_domain", found, domain)
    call("array_schema_set_tile_order", found, schema["orders"][0])
    call("array_schema_set_cell_order", found, schema["orders"][1])
    call("array_schema_set_capacity", found, U64(schema["capacity"]))
    call("array_schema_set_coords_filter_list", found, pipeline(schema["coords"]))
    call("array_schema_set_offsets_filter_list", found, pipeline(schema["offsets"]))
    for name, of, count, filters in schema["attributes"]:
        attribute = made("attribute_alloc", name.encode(), TYPES[of])
        call("attribute_set_cell_val_num", attribute, U32(count))
        call("attribute_set_filter_list", attribute, pipeline(filters))
        call("array_schema_add_attribute", found, attribute)
    call("array_create", bytes(path), found)


def query(path, writing, layout, domain, kind, buffers):
    """Runs a query; returns the buffers, as long as they were filled: (values,) or (values, offsets)."""
    array = made("array_alloc", bytes(path))
    call("array_open", array, int(writing))
    running = made("query_alloc", array, int(writing))
    call("query_set_layout", running, layout)
    if domain:
        ends = numpy.array(domain, kind)
        call("query_set_subarray", running, data(ends))
    sizes = {name: [U64(part.nbytes) for part in parts] for name, parts in buffers.items()}
    for name, parts in buffers.items():
        # offsets come first
        pairs = [x for part, size in reversed(list(zip(parts, sizes[name]))) for x in (data(part), C.byref(size))]
        call("query_set_buffer_var" if len(parts) == 2 else "query_set_buffer", running, name.encode(), *pairs)
    call("query_submit", running)
    state = C.c_int()
    call("query_get_status", running, C.byref(state))
    if state.value != 1:
        raise SystemExit(f"{path}: the query of libtiledb 1.6.3 has the status {state.value}")
    call("query_finalize", running)
    call("array_close", array)
    return {name: [part[: size.value // part.itemsize] for part, size in zip(parts, sizes[name])] for name, parts in buffers.items()}


def random_values(rng, of, filters, count):
    if of == "S1" or {DOUBLE_DELTA, BIT_WIDTH} & set(filters):
        return numpy.array([rng.randrange(1, 120) for _ in range(count)], "u1" if of == "S1" else of)
    if rng.random() < 0.3:
        return numpy.array([count // 3] * count).astype(of)
    return numpy.frombuffer(rng.randbytes(count * numpy.dtype(of).itemsize), of)


def random_cells(rng, schema, count):
    found = {}
    for name, of, per_cell, filters in schema["attributes"]:
        if per_cell == VAR:
            lengths = [rng.randrange(1, 7) for _ in range(count)]
            values = random_values(rng, of, filters, sum(lengths))
            starts = numpy.cumsum([0] + lengths[:-1]).astype("u8") * values.itemsize
            found[name] = [values, starts.astype("u8")]
        else:
            found[name] = [random_values(rng, of, filters, count * per_cell)]
    return found


def write_fragments(rng, path, schema):
    whole = [(low, high) for _, low, high, _ in schema["dims"]]
    for number in range(rng.randrange(1, 4)):
        if schema["sparse"]:
            cells = sorted({tuple(rng.randrange(low, high + 1) for low, high in whole) for _ in range(rng.randrange(1, 80))})
            rng.shuffle(cells)
            buffers = dict(random_cells(rng, schema, len(cells)), __coords=[numpy.array(cells, schema["kind"]).ravel()])
            query(path, True, UNORDERED, None, schema["kind"], buffers)
        else:
            part = [sorted((rng.randint(*ends), rng.randint(*ends))) for ends in whole] if number else whole
            count = numpy.prod([high - low + 1 for low, high in part], dtype=int)
            buffers = random_cells(rng, schema, int(count))
            query(path, True, rng.randrange(2), [x for ends in part for x in ends], schema["kind"], buffers)
        time.sleep(0.002)  # a fragment's time says which is newer


def split(values, starts, per_cell):
    """The bytes of every cell."""
    raw = values.tobytes()
    if starts is None:
        size = values.itemsize * per_cell
        return [raw[i : i + size].hex() for i in range(0, len(raw), size)]
    ends = [int(x) for x in starts] + [len(raw)]
    return [raw[a:b].hex() for a, b in zip(ends, ends[1:])]


def read_old(path, schema, order=ROW_MAJOR):
    domain = [x for _, low, high, _ in schema["dims"] for x in (low, high)]
    room = 4096
    buffers = {}
    for name, of, count, _ in schema["attributes"]:
        of = "u1" if of == "S1" else of
        buffers[name] = [numpy.zeros(room * 8, of), numpy.zeros(room, "u8")] if count == VAR else [numpy.zeros(room * count, of)]
    if schema["sparse"]:
        buffers["__coords"] = [numpy.zeros(room * len(schema["dims"]), schema["kind"])]
    found = query(path, False, order, domain, schema["kind"], buffers)
    cells = {name: split(*(found[name] + [None])[:2], count) for name, _, count, _ in schema["attributes"]}
    if schema["sparse"]:
        coords = found["__coords"][0].reshape(-1, len(schema["dims"]))
        cells.update({dim[0]: split(numpy.ascontiguousarray(coords[:, i]), None, 1) for i, dim in enumerate(schema["dims"])})
    return cells


def read_new(path, schema, order="C"):
    with tiledb.open(str(path)) as array:
        found = array.query(order=order)[:]
    found = found if isinstance(found, dict) else {schema["attributes"][0][0]: found}
    hexed = lambda cell: (cell if isinstance(cell, bytes) else numpy.asarray(cell).tobytes()).hex()
    cells = {name: [hexed(cell) for cell in found[name].ravel()] for name, _, _, _ in schema["attributes"]}
    return dict(cells, **{dim[0]: [hexed(x) for x in found[dim[0]]] for dim in schema["dims"] if schema["sparse"]})


def same(path, wanted, library, found):
    for name in wanted:
        if wanted[name] != found[name]:
            raise SystemExit(f"{path}: {name}: {library} reads {found[name]}, not {wanted[name]}")


if __name__ == "__main__":
    inside_venv("tiledb", STEPS)
    # this script has the name of the package
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != HERE]
    import numpy
    import tiledb

    rng = random.Random(seed())
    [library] = OLD.glob("tiledb/.libs/libtiledb-*.so*")
    L, CONTEXT = C.CDLL(str(library)), P()
    L.tiledb_ctx_alloc(None, C.byref(CONTEXT))
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "python").mkdir(parents=True)
    schemas = [random_schema(rng, number) for number in range(ARRAYS)]
    contents = []
    for number, schema in enumerate(schemas):
        path = FOLDER / "python" / str(number)
        create(path, schema)
        write_fragments(rng, path, schema)
        contents.append(read_new(path, schema))
        if schema["sparse"]:
            same(path, contents[-1], "libtiledb 1.6.3", read_old(path, schema))
        path.with_suffix(".json").write_text(json.dumps(contents[-1]))
        # the newest library rounds the tiles of floats down, which these have not done that wrote them
        oldest_only = schema["sparse"] and not is_whole(schema["kind"])
        in_order = read_old(path, schema, GLOBAL_ORDER) if oldest_only else read_new(path, schema, "G")
        if schema["sparse"]:
            same(path, in_order, "libtiledb 1.6.3", read_old(path, schema, GLOBAL_ORDER))
        path.with_suffix(".global.json").write_text(json.dumps(in_order))
    print(f"libtiledb 1.6.3 wrote {ARRAYS} arrays", flush=True)
    cargo("tiledb::arrays_of_libtiledb", FOLDER)
    for number, (schema, content) in enumerate(zip(schemas, contents)):
        path = FOLDER / "rust" / str(number)
        same(path, content, "libtiledb 1.6.3", read_old(path, schema))
        same(path, content, "the newest libtiledb", read_new(path, schema))
    print(f"both libraries read {ARRAYS} arrays of binfmt: equal", flush=True)
    (FOLDER / "command").mkdir()
    binfmt = command()
    for number, (schema, content) in enumerate(zip(schemas, contents)):
        theirs, path = FOLDER / "python" / str(number), FOLDER / "command" / str(number)
        binfmt("check", "--strict", theirs)
        binfmt("convert", theirs, path.with_suffix(".json"))
        binfmt("convert", path.with_suffix(".json"), path)
        same(path, content, "the newest libtiledb", read_new(path, schema))
        # it may have several fragments, as the other has
        if schema["sparse"]:
            same(path, content, "libtiledb 1.6.3", read_old(path, schema))
    print(f"both libraries read {ARRAYS} arrays that the command made of JSON: equal")
    for number, (schema, content) in enumerate(zip(schemas, contents)):
        # the fragments of the old library itself
        path = FOLDER / "consolidated" / str(number)
        shutil.copytree(FOLDER / "python" / str(number), path)
        before = len([*path.glob("__*_*_*")])
        binfmt("consolidate", path, "--threads", "2", "--amplification", "1e9")
        for step in ["beside the old ones", "alone"]:
            same(path, content, f"the newest libtiledb, {step}", read_new(path, schema))
            if schema["sparse"] or before > 1 and step == "alone":
                same(path, content, f"libtiledb 1.6.3, {step}", read_old(path, schema))
            binfmt("check", "--strict", path)
            binfmt("vacuum", path)
        if len([*path.glob("__*_*_*")]) != 1:
            raise SystemExit(f"{path}: {before} fragments did not become one")
    print(f"both libraries read {ARRAYS} consolidated arrays: equal")
    print("interop tiledb: both directions agree")
