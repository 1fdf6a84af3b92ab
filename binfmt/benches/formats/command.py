"""The command beside what people have for the same files, and on one core: python3 command.py [words that select rows]

BENCH_MB says how large the files are (1000), BENCH_ROUNDS how often each side runs (3), BINFMT_BEFORE names the program of an
earlier commit. `read` is what every program does that looks at all bytes: the kernel copies them into one buffer.
"""

import os
import random
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path

import side

FOLDER = side.WORK / "command"
ROOT = side.HERE.parents[2]
MEGABYTES = int(os.environ.get("BENCH_MB", "1000"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
VERSIONS = ["pandas==3.1.1", "numpy"] if sys.version_info >= (3, 11) else ["pandas", "numpy"]
CORES = sorted(os.sched_getaffinity(0))
# eight numbers in a row; what is measured is often not round, and never random
COLUMNS = [("s", "f8"), ("x", "f8"), ("y", "f8"), ("beta", "f8"), ("n", "i4"), ("turn", "i4"), ("charge", "f4"), ("kick", "f4")]
TYPES = {"f8": ("double", "double"), "f4": ("float", "float"), "i4": ("long", "int32")}
# rows of two columns of one width
WIDTHS = {8: ("i8", "f8"), 4: ("i4", "f4")}
SCHEMA = "(" + ", ".join(TYPES[kind][1] for _, kind in COLUMNS) + ")"


def command(*words, program=None):
    """Runs the command and tells what it took, with the bytes of the file that comes last."""
    began = time.perf_counter()
    process = subprocess.Popen([program or PROGRAM, *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{words}: {process.returncode}")
    size = max(os.path.getsize(word) for word in words if os.path.exists(word))
    return {"cpu": used.ru_utime + used.ru_stime, "wall": time.perf_counter() - began, "bytes": size}


def twins(words):
    """The command twice at once, each on a core of its own: as fast as both together are beside one, no threads could be faster."""
    began = time.perf_counter()
    processes = [
        subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL, preexec_fn=lambda core=core: os.sched_setaffinity(0, {core}))
        for core in CORES[:2]
    ]
    if any([process.wait() for process in processes]):
        raise SystemExit(f"{words}: failed")
    return (time.perf_counter() - began) / 2


def threads(title, *words):
    """The command on two cores and on one: how many times as fast by the clock on the wall, and what the two cores take in all.

    Two cores of a virtual machine are seldom two free cores, so the bound is measured, too: the command twice at once.
    """
    gains = []
    for turn in range(ROUNDS + 1):
        took = {}
        for cores in (1, 2):
            os.sched_setaffinity(0, set(CORES[:cores]))
            took[cores] = command(*words)
        one, two = took[1], took[2]
        if turn:
            gains.append((one["wall"] / two["wall"], one["wall"] / twins(words), two["cpu"] / one["cpu"]))
    os.sched_setaffinity(0, set(CORES))
    wall, bound, cpu = (statistics.median(column) for column in zip(*gains))
    mark = "" if wall >= 1.8 else ", MISSED"
    print(
        f"| {title} | | 2 threads: **{wall:.2f}** (wanted 1.8{mark}), two processes at once {bound:.2f}, of these {wall / bound:.2f}; CPU {cpu:.2f} |",
        flush=True,
    )


def read(path):
    """Reads a file into one buffer, as every program does that looks at all bytes."""

    def work():
        buffer = bytearray(1 << 20)
        with open(path, "rb", buffering=0) as file:
            while file.readinto(buffer):
                pass

    return side.took(os.path.getsize(path), work)


def shares(title, path, *words):
    """What share of the speed of reading the command has, by the clock on the wall, on one core and on two."""
    found = {1: [], 2: []}
    for turn in range(ROUNDS + 1):
        for cores in (1, 2):
            os.sched_setaffinity(0, set(CORES[:cores]))
            reading = read(path)["wall"]
            found[cores].append(reading / command(*words)["wall"])
    os.sched_setaffinity(0, set(CORES))
    one, two = (statistics.median(found[cores][1:]) for cores in (1, 2))
    print(f"| {title} | | of reading: **{one:.2f}**, with 2 threads **{two:.2f}** (wanted 0.5) |", flush=True)


class Peers:
    """pandas, and plain reading."""

    def __init__(self):
        import numpy
        import pandas

        self.numpy, self.pandas, self.frames = numpy, pandas, {}

    def make(self, folder, megabytes):
        numpy = self.numpy
        folder = Path(folder)
        dtype = numpy.dtype([(name, "<" + kind) for name, kind in COLUMNS])
        rows = megabytes * 1_000_000 // dtype.itemsize
        head = "SDDS1\n!# little-endian\n" + "".join(f"&column name={name}, type={TYPES[kind][0]}, &end\n" for name, kind in COLUMNS)
        sdds, raw = folder / "rows.sdds", folder / "rows.bin"
        if not sdds.exists() or abs(sdds.stat().st_size - rows * dtype.itemsize) > 1000:
            random = numpy.random.default_rng(1)
            with sdds.open("wb") as one, raw.open("wb") as other:
                one.write((head + "&data mode=binary, &end\n").encode() + numpy.int32(rows).tobytes())
                for start in range(0, rows, 1 << 20):
                    block = numpy.zeros(min(1 << 20, rows - start), dtype)
                    at = numpy.arange(start, start + len(block))
                    block["s"], block["n"], block["turn"] = at * 0.125, at % 4096, at // 4096
                    for name in ("x", "y", "beta", "charge", "kick"):
                        block[name] = random.normal(size=len(block)).round(6)
                    block.tofile(one), block.tofile(other)
            pages = folder / "pages.sdds"
            with pages.open("wb") as file, raw.open("rb") as rows_of:
                file.write((head + "&data mode=binary, &end\n").encode())
                while block := rows_of.read(dtype.itemsize * 100_000):
                    file.write(numpy.int32(len(block) // dtype.itemsize).tobytes() + block)
            for width, kinds in WIDTHS.items():
                self.columns(folder / f"width{width}.bin", kinds, megabytes)
        if not (folder / "texts.bin").exists():
            self.texts(folder / "texts.bin", megabytes)
        return {"rows": rows}

    def columns(self, path, kinds, megabytes):
        """Rows of an integer that counts, in turns of 4,096 if it is small, and a float that does not repeat."""
        numpy = self.numpy
        dtype = numpy.dtype([("n", "<" + kinds[0]), ("x", "<" + kinds[1])])
        rows, random = megabytes * 1_000_000 // dtype.itemsize, numpy.random.default_rng(1)
        with path.open("wb") as file:
            for start in range(0, rows, 1 << 20):
                block = numpy.zeros(min(1 << 20, rows - start), dtype)
                at = numpy.arange(start, start + len(block))
                block["n"] = at if dtype["n"].itemsize == 8 else at % 4096
                block["x"] = random.normal(size=len(block)).round(6)
                block.tofile(file)

    def texts(self, path, megabytes):
        """Rows with a text of 0 to 28 bytes: 150,000 of them, again and again."""
        chance = random.Random(1)

        def row():
            text = "".join(chance.choices("abcdefghij klmnop", k=chance.randrange(29))).encode()
            return struct.pack("<idI", chance.randrange(1 << 31), chance.gauss(0, 1), len(text) + 1) + text + b"\0"

        block = b"".join(row() for _ in range(150_000))
        with path.open("wb") as file:
            for _ in range(megabytes * 1_000_000 // len(block)):
                file.write(block)

    def frame(self, path):
        if path not in self.frames:
            dtype = self.numpy.dtype([(name, "<" + kind) for name, kind in COLUMNS])
            self.frames[path] = self.pandas.DataFrame(self.numpy.fromfile(path, dtype))
        return self.frames[path]

    def to_csv(self, path):
        frame = self.frame(path)
        return side.took(os.path.getsize(path), lambda: frame.to_csv(os.devnull, index=False))

    def read_csv(self, path):
        return side.took(os.path.getsize(path), lambda: self.pandas.read_csv(path, engine="c"))

    def read(self, path):
        return read(path)


def worker():
    peers = Peers()
    side.serve(dict(make=peers.make, to_csv=peers.to_csv, read_csv=peers.read_csv, read=peers.read))


def main():
    global PROGRAM
    words = sys.argv[1:]
    PROGRAM = os.environ.get("BINFMT_PROGRAM")
    if not PROGRAM:
        subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "binfmt-cli"], cwd=ROOT, check=True)
        target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
        PROGRAM = str(target / "release" / "binfmt")
    before = os.environ.get("BINFMT_BEFORE")
    FOLDER.mkdir(parents=True, exist_ok=True)
    peers = side.script(side.venv("command", VERSIONS), __file__, "peers")
    peers("make", folder=str(FOLDER), megabytes=MEGABYTES)
    sdds, raw, csv, out = (str(FOLDER / name) for name in ("rows.sdds", "rows.bin", "rows.csv", "out.sdds"))
    if not os.path.exists(csv) or os.path.getmtime(csv) < os.path.getmtime(sdds):
        # as many bytes of text as there are of numbers, nearly
        subprocess.run([PROGRAM, "convert", sdds, csv, "--rows", f"..{MEGABYTES * 14_000}"], check=True)
    scidb = ["--format", "scidb", "--schema", SCHEMA]

    def row(title, said, others=None, target=None):
        """The command, the same one before, and others."""
        if words and not any(word in title for word in words):
            return
        contenders = {"binfmt": lambda: command(*said), **(others or {})}
        # an earlier program may not know the command
        known = before and subprocess.run([before, said[0], "--help"], capture_output=True).returncode == 0
        if known and not said[-1].endswith(".csv"):
            contenders["before"] = lambda: command(*said, program=before)
        side.compare(title, contenders, rounds=ROUNDS, target={"before": 1, **(target or {})})

    print("| command | binfmt MB/s | beside |\n|---|---|---|")
    row("check, SDDS", ["check", sdds])
    row("check, load file", ["check", raw, *scidb])
    row("cat --csv, SDDS", ["cat", "--csv", sdds], {"pandas to_csv": lambda: peers("to_csv", path=raw)}, {"pandas to_csv": 2})
    row("cat --csv, load file", ["cat", "--csv", raw, *scidb], {"pandas to_csv": lambda: peers("to_csv", path=raw)}, {"pandas to_csv": 2})
    row("convert, SDDS to columns, big-endian", ["convert", sdds, out, "--order", "column", "--byte-order", "big"])
    row("stats, load file", ["stats", raw, *scidb], {"read": lambda: peers("read", path=raw)}, {"read": 0.5})
    row("check, CSV", ["check", csv], {"pandas read_csv": lambda: peers("read_csv", path=csv)}, {"pandas read_csv": 1})
    row("stats, CSV", ["stats", csv], {"pandas read_csv": lambda: peers("read_csv", path=csv)})
    if len(CORES) > 1:
        files = {"eight columns": (raw, SCHEMA), "width 8": ("width8.bin", "(int64, double)"), "width 4": ("width4.bin", "(int32, float)")}
        for kind, (name, schema) in files.items():
            path = str(FOLDER / name)
            for brief in ([], ["--brief"]):
                title = f"{' '.join(['stats', *brief])}, {kind}"
                if not words or any(word in "shares, " + title for word in words):
                    shares(title, path, "stats", *brief, path, "--format", "scidb", "--schema", schema)
        array = str(FOLDER / "array")
        if not os.path.exists(array):
            subprocess.run([PROGRAM, "convert", raw, array, *scidb, "--to", "tiledb", "--array", "dense"], check=True)
        cases = {"load file": [raw, *scidb], "SDDS pages": [str(FOLDER / "pages.sdds")], "TileDB tiles": [array], "CSV": [csv]}
        cases["rows with texts"] = [str(FOLDER / "texts.bin"), "--format", "scidb", "--schema", "(int32, double, string)"]
        for title, said in cases.items():
            if not words or any(word in "threads, " + title for word in words):
                threads(f"stats, {title}", "stats", *said)
    for path in (out,):
        if os.path.exists(path):
            os.remove(path)


if __name__ == "__main__":
    worker() if "--worker" in sys.argv else main()
