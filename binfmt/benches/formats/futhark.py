#!/usr/bin/env python3
"""Futhark values: binfmt beside futhark-data (Python) and beside the C runtime that compiled programs are linked with.

Makes its data, checks that all sides read the same elements, and prints a table. Words of the command line select rows.
The C side is compiled from `rts/c/values.h` of Futhark: out of the folder that FUTHARK_RTS names, or fetched from
its repository. Without it the rows say that C is missing.
"""

import hashlib
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import side

RELEASE = "7723f47be9fdaf86b93c603f653e173b434cf45a"
SOURCE = f"https://raw.githubusercontent.com/diku-dk/futhark/{RELEASE}/rts/c/"
FOLDER = side.WORK / "futhark"
PACKAGES = ["futhark-data==1.0.3", "numpy==1.23.5"]
# name: type, rank, elements
FILES = {
    "binary f64": ("f64", 1, 8_000_000),
    "text f64": ("f64", 1, 200_000),
    "text f64, no suffix": ("f64", 1, 200_000),
    "text f64, 1000 columns": ("f64", 2, 200_000),
    "text f32": ("f32", 1, 200_000),
    "text i32": ("i32", 1, 400_000),
    "text i32, no suffix": ("i32", 1, 400_000),
    "text i64": ("i64", 1, 200_000),
}


def make(path, name):
    """Text as compiled programs print it: as many digits as a float needs at most."""
    import numpy

    of, rank, count = FILES[name]
    rng = numpy.random.default_rng(1)
    dtype = {"f": "float", "i": "int"}[of[0]] + of[1:]
    floats = rng.standard_normal(count)
    array = (floats if of[0] == "f" else rng.integers(-(2**31), 2**31, count)).astype(dtype)
    if name.startswith("binary"):
        import futhark_data

        path.write_bytes(bytes(futhark_data.dumpb(array)))
        return
    digits = {"f64": "%.17g", "f32": "%.9g"}.get(of, "%d")
    suffix = "" if "no suffix" in name else of
    words = [digits % x + suffix for x in array.tolist()]
    row = 1000
    rows = [", ".join(words[i : i + row]) for i in range(0, count, row)]
    path.write_text("[[" + "], [".join(rows) + "]]\n" if rank == 2 else "[" + ", ".join(rows) + "]\n")


def work():
    """The jobs of futhark-data, and of whoever makes the files."""
    import warnings

    import futhark_data

    warnings.simplefilter("ignore")
    path_of = lambda path: Path(path).read_bytes()

    def read(path, **_):
        data = path_of(path)
        if data[:1] == b"b":
            return side.took(len(data), lambda: list(futhark_data.loadb(data)))
        text = data.decode()
        return side.took(len(data), lambda: list(futhark_data.loads(text)))

    def write(path, form, **_):
        data = path_of(path)
        value = next(futhark_data.loadb(data) if data[:1] == b"b" else futhark_data.loads(data.decode()))
        dump = futhark_data.dumps if form == "text" else futhark_data.dumpb
        return side.took(len(dump(value)), lambda: dump(value))

    def same(path, out):
        data = path_of(path)
        value = next(futhark_data.loadb(data) if data[:1] == b"b" else futhark_data.loads(data.decode()))
        Path(out).write_bytes(bytes(futhark_data.dumpb(value)))
        return side.took(0, lambda: None)

    def made(path, name):
        make(Path(path), name)
        return side.took(0, lambda: None)

    side.serve({"read": read, "write": write, "same": same, "make": made})


class Runtime:
    """The C side. Its jobs are words on a line."""

    def __init__(self, program):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([str(program)], stdin=pipe, stdout=pipe, text=True)

    def __call__(self, verb, path, of, rank, out="-"):
        self.process.stdin.write(f"{verb} {of} {rank} {path} {out}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{path}: the C reader ended")
        answer = json.loads(line)
        answer["bytes"] = answer["bytes"] or Path(path).stat().st_size
        return answer


def runtime():
    """The program around values.h, or None."""
    folder = Path(os.environ.get("FUTHARK_RTS", FOLDER / f"rts-{RELEASE[:10]}"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ["half.h", "values.h"]:
            if not (folder / name).exists():
                with urllib.request.urlopen(SOURCE + name, timeout=30) as response:
                    (folder / name).write_bytes(response.read())
        program = FOLDER / "futhark_reader"
        source = side.HERE / "futhark_reader.c"
        flags = ["-std=gnu11", "-O3", "-w", f"-I{folder}"]
        subprocess.run(["cc", *flags, "-o", str(program), str(source), "-lm"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"\n**No C side: {error}.** Set FUTHARK_RTS to a folder with Futhark's rts/c/values.h and half.h.\n")
        return None
    digest = hashlib.sha256((folder / "values.h").read_bytes()).hexdigest()
    print(f"C side: {folder}/values.h, sha256 {digest[:16]}\n")
    return Runtime(program)


def check(path, of, rank, ours, python, c):
    """All sides read the same elements."""
    copies = [path.with_suffix(f".{n}") for n in ["ours", "python", "c"]]
    ours("futhark.same", path=str(path), out=str(copies[0]))
    python("same", path=str(path), out=str(copies[1]))
    if c:
        c("binary", path, of, rank, copies[2])
    first, *others = [copy.read_bytes() for copy in copies if copy.exists()]
    for copy in copies:
        copy.unlink(missing_ok=True)
    if any(other != first for other in others):
        raise SystemExit(f"{path.name}: the sides read other elements")


def main(words):
    FOLDER.mkdir(parents=True, exist_ok=True)
    python = side.script(side.venv("futhark", PACKAGES), Path(__file__), "futhark-data")
    ours, c = side.binfmt(), runtime()
    chosen = lambda title: all(word in title for word in words)
    print("| job | binfmt MB/s | others MB/s: binfmt is so many times as fast |\n|---|---|---|")
    for name, (of, rank, _) in FILES.items():
        titles = [f"read {name}", f"write {name}"]
        if not any(map(chosen, titles)) or "no suffix" in name and not chosen(titles[0]):
            continue
        path = FOLDER / (name.replace(" ", "_").replace(",", "") + ".in")
        python("make", path=str(path), name=name)
        check(path, of, rank, ours, python, c)
        row = {"path": str(path), "type": of, "rank": rank, "form": name.split()[0]}
        text = row["form"] == "text"
        if chosen(titles[0]):
            sides = {"binfmt": lambda: ours("futhark.array", **row)}
            sides["binfmt, a Value"] = lambda: ours("futhark.value", **row)
            sides["futhark-data"] = lambda: python("read", **row)
            if not text:
                sides["memcpy"] = lambda: ours("futhark.memcpy", **row)
            if c:
                sides["C"] = lambda: c("read", path, of, rank)
            target = {"futhark-data": 5, "C": 1} if text else {"futhark-data": 2, "memcpy": 0.9}
            side.compare(titles[0], sides, rounds=3 if text else 7, target=target)
        if chosen(titles[1]) and "no suffix" not in name:
            sides = {"binfmt": lambda: ours("futhark.write", **row)}
            sides["futhark-data"] = lambda: python("write", **row)
            if not text:
                sides["memcpy"] = lambda: ours("futhark.copy", **row)
            if c:
                sides["C"] = lambda: c(row["form"], path, of, rank)
            target = {"futhark-data": 5, "C": 1} if text else {"futhark-data": 2, "memcpy": 0.9}
            side.compare(titles[1], sides, rounds=3 if text else 7, target=target)
        path.unlink()


if __name__ == "__main__":
    if "--worker" in sys.argv:
        work()
    else:
        main(sys.argv[1:])
