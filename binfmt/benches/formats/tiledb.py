#!/usr/bin/env python3
"""TileDB arrays of 64 MiB: binfmt beside libtiledb 2.30 (reading) and 1.6.3 (reading and writing), one thread each.

    python3 binfmt/benches/formats/tiledb.py [read] [fresh] [write] [threads] [case ...]

Without words everything; a case is one of CASES (`zstd3_f64`). Libtiledb 1.6.3 writes the arrays that are read; what every
side reads is compared with the data first. Both libraries are driven with ctypes: 2.30 comes from the wheel of TileDB-Py
0.36.1, 1.6.3 from that of 0.4.4 (x86-64 Linux).
"""

import ctypes as C
import os
import shutil
import sys
from pathlib import Path

import side

FOLDER = side.WORK / "tiledb"
OLD = side.WORK / "tiledb-0.4.4"
SIZE = 64 << 20
TILE = 1 << 20
TYPES = dict(i32=(0, "i4"), i64=(1, "i8"), f64=(3, "f8"))
FILTERS = dict(gzip=1, zstd=2, lz4=3, rle=4, bzip2=5, double_delta=6, bit_width_reduction=7, bitshuffle=8, byteshuffle=9, positive_delta=10)
# case: filters and levels, wanted against 2.30 when reading, wanted against 1.6.3 when writing
CASES = dict(
    none_f64=([], 2, 2),
    zstd3_f64=([("zstd", 3)], 2, 1),
    lz4_f64=([("lz4", -1)], 2, 1),
    gzip6_f64=([("gzip", 6)], 2, 1),
    bitshuffle_zstd3_f64=([("bitshuffle", None), ("zstd", 3)], 2, 1),
    byteshuffle_zstd3_f64=([("byteshuffle", None), ("zstd", 3)], 2, 1),
    rle_f64=([("rle", -1)], 2, 2),
    double_delta_i64=([("double_delta", -1)], 2, 2),
    positive_delta_zstd3_i64=([("positive_delta", None), ("zstd", 3)], 5, 1),
    bit_width_i64=([("bit_width_reduction", None)], 5, 2),
    bit_width_i32=([("bit_width_reduction", None)], 5, 2),
    bitshuffle_lz4_i32=([("bitshuffle", None), ("lz4", -1)], 2, 1),
)
# of these, what the library for the last filter takes by itself is measured too
BARE = {"zstd", "lz4", "gzip"}
P, U32, U64 = C.c_void_p, C.c_uint32, C.c_uint64


class Library:
    """One of the two libraries, with one thread."""

    def __init__(self, path, settings):
        self.lib, self.context = C.CDLL(str(path)), P()
        config, error = P(), P()
        self.lib.tiledb_config_alloc(C.byref(config), C.byref(error))
        for name, value in settings.items():
            if self.lib.tiledb_config_set(config, name.encode(), str(value).encode(), C.byref(error)):
                raise RuntimeError(f"no setting {name}")
        self.lib.tiledb_ctx_alloc(config, C.byref(self.context))

    def call(self, name, *arguments):
        if getattr(self.lib, "tiledb_" + name)(self.context, *arguments):
            error, message = P(), C.c_char_p()
            self.lib.tiledb_ctx_get_last_error(self.context, C.byref(error))
            self.lib.tiledb_error_message(error, C.byref(message))
            raise RuntimeError(f"tiledb_{name}: {(message.value or b'?').decode()}")

    def made(self, name, *arguments):
        found = P()
        self.call(name, *arguments, C.byref(found))
        return found

    def query(self, path, values, writing):
        array = self.made("array_alloc", str(path).encode())
        self.call("array_open", array, int(writing))
        query = self.made("query_alloc", array, int(writing))
        self.call("query_set_layout", query, 0)
        ends, size = (C.c_int64 * 2)(0, len(values) - 1), U64(values.nbytes)
        if hasattr(self.lib, "tiledb_query_set_subarray_t"):
            subarray = self.made("subarray_alloc", array)
            low, high = C.c_int64(0), C.c_int64(len(values) - 1)
            self.call("subarray_add_range", subarray, U32(0), C.byref(low), C.byref(high), None)
            self.call("query_set_subarray_t", query, subarray)
            self.lib.tiledb_subarray_free(C.byref(subarray))
            set_buffer = "query_set_data_buffer"
        else:
            self.call("query_set_subarray", query, ends)
            set_buffer = "query_set_buffer"
        self.call(set_buffer, query, b"a", P(values.ctypes.data), C.byref(size))
        self.call("query_submit", query)
        state = C.c_int()
        self.call("query_get_status", query, C.byref(state))
        if state.value != 1:
            raise RuntimeError(f"the query has the status {state.value}")
        self.call("query_finalize", query)
        self.call("array_close", array)
        self.lib.tiledb_query_free(C.byref(query))
        self.lib.tiledb_array_free(C.byref(array))

    def create(self, path, case):
        kind, dtype = TYPES[case.rsplit("_", 1)[1]]
        count = SIZE // np.dtype(dtype).itemsize
        ends, extent = (C.c_int64 * 2)(0, count - 1), C.c_int64(count * TILE // SIZE)
        domain = self.made("domain_alloc")
        self.call("domain_add_dimension", domain, self.made("dimension_alloc", b"x", 1, ends, C.byref(extent)))
        schema = self.made("array_schema_alloc", 0)
        self.call("array_schema_set_domain", schema, domain)
        filters = self.made("filter_list_alloc")
        for name, level in CASES[case][0]:
            found = self.made("filter_alloc", FILTERS[name])
            if level is not None:
                self.call("filter_set_option", found, 0, C.byref(C.c_int32(level)))
            self.call("filter_list_add_filter", filters, found)
        attribute = self.made("attribute_alloc", b"a", kind)
        self.call("attribute_set_filter_list", attribute, filters)
        self.call("array_schema_add_attribute", schema, attribute)
        self.call("array_create", str(path).encode(), schema)


def worker(name):
    """Answers jobs with one of the libraries."""
    if name == "2.30":
        folder = Path(np.__file__).parent.parent
        [path] = [*folder.glob("tiledb/libtiledb.so*"), *folder.glob("tiledb/.libs/libtiledb*.so*"), *folder.glob("tiledb.libs/libtiledb*.so*")][:1]
        settings = {"sm.compute_concurrency_level": 1, "sm.io_concurrency_level": 1}
    else:
        [path] = OLD.glob("tiledb/.libs/libtiledb-*.so*")
        of = ["sm.num_tbb_threads", "sm.num_reader_threads", "sm.num_writer_threads", "vfs.num_threads", "sm.num_async_threads"]
        settings = {"sm.tile_cache_size": 0, **dict.fromkeys(of, 1)}
    library, kept = Library(path, settings), {}

    def values(data):
        return np.fromfile(data, TYPES[Path(data).suffix[1:]][1])

    def buffer(data):
        if data not in kept:
            kept.clear()
            kept[data] = np.zeros_like(values(data))
        return kept[data]

    def read(path, data, fresh):
        def work():
            found = np.empty(SIZE // len_of(data), TYPES[Path(data).suffix[1:]][1]) if fresh else kept_buffer
            library.query(path, found, False)
            return found

        kept_buffer = None if fresh else buffer(data)
        return side.took(SIZE, work)

    def check(path, data):
        found, wanted = buffer(data), values(data)
        found.fill(0)
        library.query(path, found, False)
        if found.tobytes() != wanted.tobytes():
            raise RuntimeError(f"{path}: libtiledb {name} reads something else")
        return {"bytes": SIZE}

    def write(path, data, case):
        wanted = values(data)

        def work():
            library.create(path, case)
            library.query(path, wanted, True)

        shutil.rmtree(path, ignore_errors=True)
        return side.took(SIZE, work)

    len_of = lambda data: np.dtype(TYPES[Path(data).suffix[1:]][1]).itemsize
    side.serve({"read": read, "check": check, "write": write})


def make_data():
    """The data of the cases: sums of rounded noise, sums of steps from 0 to 99, noise below 30,000."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = dict(
        f64=lambda r: np.cumsum(np.round(r.standard_normal(SIZE // 8), 2)),
        i64=lambda r: np.cumsum(r.randint(0, 100, SIZE // 8)).astype(np.int64),
        i32=lambda r: r.randint(0, 30000, SIZE // 4).astype(np.int32),
    )
    for kind, make in made.items():
        if not (FOLDER / f"data.{kind}").exists():
            make(np.random.RandomState(1)).tofile(FOLDER / f"data.{kind}")


def rows(words):
    """The parts and the cases that the words select."""
    parts = [word for word in words if word in PARTS] or list(PARTS)
    return parts, [word for word in words if word in CASES] or list(CASES)


def bare(case, ours, path):
    """What the library for the last filter takes to undo it, from memory to memory; not a contender but a bound."""
    last = CASES[case][0][-1][0] if CASES[case][0] else None
    return {f"{last} alone": lambda: ours("tiledb.bare", path=path, filter=last)} if last in BARE else {}


def reading(case, workers, paths, data, fresh):
    ours, new, old = workers
    at = str(paths[case])
    contenders = {
        "binfmt": lambda: ours("tiledb.read", path=at, fresh=fresh, threads=1),
        "2.30": lambda: new("read", path=at, data=data, fresh=fresh),
        "1.6.3": lambda: old("read", path=at, data=data, fresh=fresh),
    }
    if not fresh:
        contenders.update(bare(case, ours, at))
    side.compare(f"{'fresh' if fresh else 'read'} {case}", contenders, rounds=5, target={"2.30": CASES[case][1]})


def written(case):
    return [{"filter": FILTERS[name], "level": level} for name, level in CASES[case][0]]


def writing(case, workers, data):
    ours, new, old = workers
    mine, theirs = str(FOLDER / "binfmt" / case), str(FOLDER / "other" / case)
    write = lambda: ours("tiledb.write", path=mine, data=data, filters=written(case), threads=1)
    write()
    new("check", path=mine, data=data)
    old("check", path=mine, data=data)
    contenders = {"binfmt": write, "1.6.3": lambda: old("write", path=theirs, data=data, case=case)}
    rounds = 1 if "gzip" in case else 3
    side.compare(f"write {case}", contenders, rounds=rounds, target={"1.6.3": CASES[case][2]})
    size = lambda folder: sum(file.stat().st_size for file in Path(folder).rglob("*.tdb"))
    print(f"|  | {size(mine) / size(theirs):.3f} of the bytes of 1.6.3 |  |", flush=True)


def threading(case, workers, paths, data):
    # the clock on the wall would show the disk: memory, where there is a file system of it
    memory = Path("/dev/shm")
    ours, at, to = workers[0], str(paths[case]), str((memory if memory.is_dir() else FOLDER) / f"binfmt-{os.getpid()}")
    read = lambda n: lambda: ours("tiledb.read", path=at, fresh=False, threads=n)
    write = lambda n: lambda: ours("tiledb.write", path=to, data=data, filters=written(case), threads=n)
    for title, job, rounds in (("read", read, 7), ("write", write, 1 if "gzip" in case else 3)):
        contenders = {"2 threads": job(2), "1 thread": job(1)}
        side.compare(f"{title} {case}", contenders, rounds=rounds, clock="wall", target={"1 thread": 1.7})
    shutil.rmtree(to)


PARTS = ["read", "fresh", "write", "threads"]


def main():
    parts, cases = rows(sys.argv[1:])
    make_data()
    python = sys.executable
    workers = [side.binfmt(), side.script(python, __file__, "2.30"), side.script(python, __file__, "1.6.3")]
    ours, new, old = workers
    paths = {case: FOLDER / "arrays" / case for case in cases}
    for case, path in paths.items():
        data = str(FOLDER / f"data.{case.rsplit('_', 1)[1]}")
        if not (path / "__array_schema.tdb").exists() or not any(path.glob("*/__fragment_metadata.tdb")):
            path.parent.mkdir(parents=True, exist_ok=True)
            old("write", path=str(path), data=data, case=case)
        for library in (new, old):
            library("check", path=str(path), data=data)
        for threads in (1, 2):
            ours("tiledb.check", path=str(path), data=data, threads=threads)
    if "--make" in sys.argv:
        return
    print("| job | binfmt MB/s | others: MB/s, ratio |\n|---|--:|---|")
    for part in parts:
        for case in cases:
            data = str(FOLDER / f"data.{case.rsplit('_', 1)[1]}")
            if part in ("read", "fresh"):
                reading(case, workers, paths, data, part == "fresh")
            elif part == "write":
                (FOLDER / "binfmt").mkdir(exist_ok=True)
                (FOLDER / "other").mkdir(exist_ok=True)
                writing(case, workers, data)
            elif CASES[case][0] and CASES[case][0][-1][0] in BARE:
                threading(case, workers, paths, data)


if __name__ == "__main__":
    old_wheel = ["--only-binary=:all:", "--python-version=37", "--implementation=cp", "--abi=cp37m", "--platform=manylinux1_x86_64"]
    python = side.venv("tiledb", ["tiledb==0.36.1", "numpy"], ["--upgrade", "--no-deps", *old_wheel, f"--target={OLD}", "tiledb==0.4.4"])
    if Path(sys.executable) != Path(python):
        os.execv(python, [python, *sys.argv])
    # this script has the name of the package, which is never imported
    import numpy as np

    if "--worker" in sys.argv:
        worker(sys.argv[-1])
    else:
        main()
