#!/usr/bin/env python3
"""SDDS beside the official C library (in the wheel soliday.sdds, driven with ctypes: its Python half makes lists of objects, which
is not a rival) and beside numpy, which knows nothing of SDDS and is told where the numbers begin.

  python3 sdds.py [words]     only the rows of the table whose titles have one of the words

2,000,000 rows of 10 numeric columns (104 MB), and 1,000,000 rows with a string (26 MB), in both byte orders and row by row and
column by column. Before anything is measured both sides read every file, and the sums of their columns must be the same; the
files that they write must be the same byte for byte.

All of them get memory from the kernel anew for each page, as a program does that reads a file once: the allocator (glibc's for
all three) keeps nothing back (MALLOC_MMAP_THRESHOLD_). numpy and binfmt ask for large pages there, the C library does not.
"""

import ctypes as C
import filecmp
import os
import sys
from pathlib import Path

import side

os.environ["MALLOC_MMAP_THRESHOLD_"] = str(128 << 10)
VERSIONS = ["numpy==2.4.6", "soliday.sdds==5.7.6"]
FOLDER = side.WORK / "sdds"
TYPES = ["double", "double", "double", "float", "float", "long", "long", "short", "long64", "ushort"]
NUMPY = dict(double="f8", float="f4", long="i4", short="i2", long64="i8", ushort="u2")
CODES = dict(double=2, float=3, long64=4, long=6, short=8, ushort=9, string=10)
TEXTS = ["string", "double", "long"]
ROWS, TEXT_ROWS = 2_000_000, 1_000_000


def files():
    return [(kind, order, layout) for kind in ("numbers", "strings") for order in ("little", "big") for layout in ("rows", "columns")]


def path(kind, order, layout):
    return str(FOLDER / f"{kind}-{order}-{layout}.sdds")


# What follows runs in the other Python, which has numpy and the library.


class Sdds:
    """The library, the files of this benchmark, and the columns in them."""

    def __init__(self):
        import numpy
        from sdds import sddsdata
        self.np, self.lib = numpy, C.CDLL(sddsdata.__file__)
        self.lib.SDDS_GetInternalColumn.restype = C.c_void_p
        self.lib.SDDS_CountRowsOfInterest.restype = C.c_int64
        self.kept = {}

    def columns(self, kind):
        """The columns of a file, as arrays; strings as an array of pointers to them, which is what the library takes."""
        if kind not in self.kept:
            g = self.np.random.default_rng(7)
            number = lambda t, n: (g.standard_normal(n) if t in ("double", "float") else g.integers(0, 30000, n)).astype(NUMPY[t])
            if kind == "numbers":
                self.kept[kind] = [number(t, ROWS) for t in TYPES]
            else:
                words = [b"elem%d" % i * (1 + i % 2) for i in range(1000)]
                self.words = [C.c_char_p(word) for word in words]
                places = self.np.array([C.cast(word, C.c_void_p).value for word in self.words], dtype="u8")
                self.kept[kind] = [places[g.integers(0, 1000, TEXT_ROWS)], number("double", TEXT_ROWS), number("long", TEXT_ROWS)]
        return self.kept[kind]

    def write(self, kind, order, layout, to, part="all"):
        """From arrays to a file; or, of this, only what the library needs when it has copies of all arrays (`part`)."""
        columns, types = self.columns(kind), TYPES if kind == "numbers" else TEXTS
        n, lib = len(columns[0]), self.lib
        os.environ["SDDS_OUTPUT_ENDIANESS"] = order
        dataset = C.create_string_buffer(16384)

        def begin():
            done(lib.SDDS_InitializeOutput(dataset, 1, 1, None, None, to.encode()))
            for i, t in enumerate(types):
                assert lib.SDDS_DefineColumn(dataset, b"c%d" % i, None, None, None, None, CODES[t], 0) == i
            C.c_int16.from_buffer(dataset, 72).value = layout == "columns"  # as the library's own programs set it
            done(lib.SDDS_WriteLayout(dataset))
            done(lib.SDDS_StartPage(dataset, C.c_int64(n)))
            for i, column in enumerate(columns):
                done(lib.SDDS_SetColumn(dataset, 2, column.ctypes.data_as(C.c_void_p), C.c_int64(n), b"c%d" % i))

        def end():
            done(lib.SDDS_WritePage(dataset))
            # closes the file, too; what it frees is freed for us outside of the clock
            done(lib.SDDS_Terminate(dataset))

        if part == "page":
            begin()
            return side.took(os.path.getsize(path(kind, order, layout)), end)
        return side.took(os.path.getsize(path(kind, order, layout)), lambda: (begin(), end()))

    def open_page(self, name):
        dataset = C.create_string_buffer(16384)
        done(self.lib.SDDS_InitializeInput(dataset, name.encode()))
        done(self.lib.SDDS_ReadPage(dataset))
        return dataset

    def read(self, name):
        """Header and page. The library gives its memory back after the clock has stopped."""
        kept = []
        took = side.took(os.path.getsize(name), lambda: kept.append(self.open_page(name)))
        done(self.lib.SDDS_Terminate(kept[0]))
        return took

    def sums(self, name, kind):
        """What the library reads, each bit pattern (each byte of a string) weighed with its place."""
        np, dataset = self.np, self.open_page(name)
        n, sums = self.lib.SDDS_CountRowsOfInterest(dataset), []
        for i, t in enumerate(TYPES if kind == "numbers" else TEXTS):
            column = self.lib.SDDS_GetInternalColumn(dataset, b"c%d" % i)
            if t == "string":
                strings = C.cast(column, C.POINTER(C.c_char_p))[:n]
                bits = np.frombuffer(b"".join(s + b"\0" for s in strings), "u1")
            else:
                size = np.dtype(NUMPY[t]).itemsize
                bits = np.frombuffer(C.string_at(column, n * size), f"u{size}")
            weights = 2 * np.arange(1, len(bits) + 1, dtype="u8") + 1
            sums.append(int((bits.astype("u8") * weights).sum()))
        done(self.lib.SDDS_Terminate(dataset))
        return {**side.took(0, lambda: None), "sums": sums}

    def numpy(self, name, order, layout):
        """Separate arrays of the machine's own numbers, as the library hands out."""
        np = self.np
        with open(name, "rb") as file:
            begin = header_size(name)
            types = [np.dtype(NUMPY[t]).newbyteorder("<" if order == "little" else ">") for t in TYPES]

            def columns():
                file.seek(begin)
                found = (np.fromfile(file, t, ROWS) for t in types)
                return [a if order == "little" else a.astype(a.dtype.newbyteorder("=")) for a in found]

            def rows():
                file.seek(begin)
                table = np.fromfile(file, np.dtype([(f"c{i}", t) for i, t in enumerate(types)]), ROWS)
                return [table[c].astype(table[c].dtype.newbyteorder("=")) for c in table.dtype.names]

            return side.took(os.path.getsize(name), rows if layout == "rows" else columns)

    def make(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for file in files():
            if not os.path.exists(path(*file)):
                open(path(*file), "wb").close()
                self.write(*file, path(*file))
        return side.took(0, lambda: None)


def header_size(name):
    """Bytes before the first number: the header and the number of rows."""
    with open(name, "rb") as file:
        while not file.readline().startswith(b"&data"):
            pass
        return file.tell() + 4


def done(result):
    if result != 1:
        raise RuntimeError("the library refuses it")


def worker():
    sys.path.append(sys.path.pop(0))  # this file has the name of the library's package
    sdds = Sdds()
    side.serve(dict(nothing=lambda: side.took(0, lambda: None), make=sdds.make, read=sdds.read, write=sdds.write, numpy=sdds.numpy, sums=sdds.sums))


# And this in the one that is called.


def peaks(python, wanted):
    """The most memory of a fresh process that reads one file, as a multiple of the file; that of C less what Python and numpy hold."""
    begin = {"binfmt": side.binfmt, "C": lambda: side.script(python, __file__, "library")}
    for kind, order, layout in files():
        title, name = f"memory {kind}, {order}-endian, {layout}", path(kind, order, layout)
        if not wanted(title):
            continue
        cells = []
        for who, how, job in (("binfmt", "file", "sdds.read"), ("binfmt", "map", "sdds.read"), ("C", "file", "read")):
            process = begin[who]()
            first = process("sdds.nothing" if who == "binfmt" else "nothing", **({"path": ""} if who == "binfmt" else {}))
            args = {"path": name, "from": how} if who == "binfmt" else {"name": name}
            took = process(job, **args)
            process.process.kill()
            # what a process without Python holds at first is what it has inherited from this one
            before = first["peak"] if who == "C" else 0
            cells.append(f"{who}, {how}: {(took['peak'] - before) * 1024 / took['bytes']:.2f}")
        print("| " + " | ".join([title, *cells]) + " |", flush=True)


def main():
    words = sys.argv[1:]
    python = side.venv("sdds", VERSIONS)
    ours, theirs = side.binfmt(), side.script(python, __file__, "library")
    theirs("make")
    for kind, order, layout in files():
        ours("sdds.sums", path=path(kind, order, layout), sums=theirs("sums", name=path(kind, order, layout), kind=kind)["sums"])
    wanted = lambda title: not words or any(word in title for word in words)
    shared = Path("/dev/shm") / f"binfmt-sdds-{os.getpid()}"
    print("| SDDS | binfmt MB/s | beside |\n|---|---|---|")
    for kind, order, layout in files():
        name = path(kind, order, layout)
        for how in ("file", "map"):
            title = f"read {kind}, {order}-endian, {layout}, {how}"
            if not wanted(title):
                continue
            contenders = {"binfmt": lambda: ours("sdds.read", path=name, **{"from": how}), "C": lambda: theirs("read", name=name)}
            target = {"C": 1.5 if kind == "numbers" else 2}
            if kind == "numbers":
                contenders["numpy"] = lambda: theirs("numpy", name=name, order=order, layout=layout)
                target["numpy"] = 1
            side.compare(title, contenders, target=target)
    for place, folder in (("disk cache", FOLDER), ("tmpfs", shared)):
        for kind, order, layout in files():
            title = f"write {kind}, {order}-endian, {layout}, {place}"
            if not wanted(title):
                continue
            folder.mkdir(exist_ok=True)
            mine, other = str(folder / "ours.sdds"), str(folder / "theirs.sdds")
            args = dict(kind=kind, order=order, layout=layout, to=other)
            contenders = {
                "binfmt": lambda: ours("sdds.write", path=path(kind, order, layout), to=mine),
                "C": lambda: theirs("write", **args),
                "C, only WritePage": lambda: theirs("write", **args, part="page"),
            }
            side.compare(title, contenders, target={"C": 2})
            if not filecmp.cmp(mine, other, shallow=False):
                raise SystemExit(f"{title}: the files differ")
            os.remove(mine), os.remove(other)
    if shared.exists():
        shared.rmdir()
    peaks(python, wanted)


if __name__ == "__main__":
    worker() if "--worker" in sys.argv else main()
