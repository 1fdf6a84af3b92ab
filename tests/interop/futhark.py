#!/usr/bin/env python3
"""futhark-data reads the values that binfmt writes, binary and text, and binfmt reads those that futhark-data writes.

Makes a virtual environment of its own under target/ and runs the Rust half of the test (`cargo test --test interop`) once
to write files and once to read them. Needs a Python that numpy 1.23 has wheels for (3.8 to 3.11): newer ones lack what
futhark-data's text writer uses. Exit status 0: both sides agree.

Known faults of futhark-data 1.0.3, kept out: it cannot read the text `f64.nan` and `f64.inf` that it writes, writes
floats with six digits, and takes every integer without a suffix for an i32.
"""

import json
import warnings

from common import WORK, cargo, inside_venv, seed

FOLDER = WORK / "futhark"
TYPES = dict(i8="int8", i16="int16", i32="int32", i64="int64", u8="uint8", u16="uint16", u32="uint32", u64="uint64",
             f16="float16", f32="float32", f64="float64", bool="bool")


def values(path):
    with open(path, "rb") as file:
        return [numpy.asarray(value) for value in futhark_data.load(file)]


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def read_what_rust_wrote():
    folder = FOLDER / "rust"
    packed = values(folder / "packed.bin")
    if b"".join(bytes(futhark_data.dumpb(value)) for value in packed) != (folder / "packed.bin").read_bytes():
        raise SystemExit("packed.bin: futhark-data writes it otherwise")
    text = (folder / "text.txt").read_bytes()
    for name in ["printed.bin", "text.txt"]:
        found = values(folder / name)
        if len(found) != len(packed) or len(packed) < 100:
            raise SystemExit(f"{name}: futhark-data reads {len(found)} values of {len(packed)}")
        for i, (ours, theirs) in enumerate(zip(packed, found)):
            if not same(ours, theirs):
                raise SystemExit(f"{name}, value {i}: futhark-data reads {theirs}, binfmt wrote {ours}")
        print(f"futhark-data reads {name}: {len(found)} values, equal")
    assert text


def write_for_rust(rng):
    folder = FOLDER / "python"
    folder.mkdir(parents=True, exist_ok=True)
    data, cases = b"", []
    for _ in range(200):
        name = list(TYPES)[rng.integers(0, 12)]
        shape = tuple(int(n) for n in rng.integers(0, 5, rng.integers(0, 5)))
        bits = rng.integers(0, 256, int(numpy.prod(shape, dtype=int)) * numpy.dtype(TYPES[name]).itemsize, dtype="uint8")
        value = (bits & 1).astype(bool) if name == "bool" else bits.view(TYPES[name])
        value = value.reshape(shape)
        is_text = name[0] in "iub" and rng.random() < 0.4 and shape
        data += futhark_data.dumps(value).encode() + b"\n" if is_text else bytes(futhark_data.dumpb(value))
        data += [b"", b" ", b"\n", b"\r\n\t", b"\v\f"][rng.integers(0, 5)]
        cases.append(dict(type=name, shape=shape, hex=value.tobytes().hex()))
    (folder / "stream.in").write_bytes(data)
    (folder / "stream.json").write_text(json.dumps(cases))


if __name__ == "__main__":
    inside_venv("futhark", [["futhark-data==1.0.3", "numpy==1.23.5"]])
    warnings.simplefilter("ignore")
    import futhark_data
    import numpy

    rng = numpy.random.default_rng(seed())
    cargo("futhark::writes_values_for_futhark_data", FOLDER)
    read_what_rust_wrote()
    write_for_rust(rng)
    cargo("futhark::reads_values_of_futhark_data", FOLDER)
    print("interop futhark: both directions agree")
