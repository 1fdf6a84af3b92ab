#!/usr/bin/env python3
"""futhark-data reads the values that binfmt writes, binary and text, and binfmt reads those that futhark-data writes.

Makes a virtual environment of its own under target/ and runs the Rust half of the test (`cargo test --test formats interop`) once
to write files and once to read them. Needs a Python that numpy 1.23 has wheels for (3.8 to 3.11): newer ones lack what
futhark-data's text writer uses. Exit status 0: both sides agree.

Known faults of futhark-data 1.0.3, kept out: it cannot read the text `f64.nan` and `f64.inf` that it writes, writes
floats with six digits, and takes every integer without a suffix for an i32.
"""

import json
import warnings

from common import WORK, cargo, command, inside_venv, seed

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


def read_arguments_of_rust():
    """A struct of arguments: the same as in futhark.rs."""
    expected = [
        numpy.int32(-7), numpy.bool_(True), numpy.array([1.5, -0.25], "float32"), numpy.float16(0.5),
        numpy.arange(6, dtype="int64").reshape(2, 3), numpy.zeros((0,), "float64"),
        numpy.array([[[True], [False]]]), numpy.uint8(255),
    ]  # fmt: skip
    for name in ["packed.args", "printed.args", "text.args"]:
        found = values(FOLDER / "rust" / name)
        if len(found) != len(expected) or not all(same(a, numpy.asarray(b)) for a, b in zip(found, expected)):
            raise SystemExit(f"{name}: futhark-data reads {found}")
    print(f"futhark-data reads {len(expected)} arguments in three forms, equal")


def use_the_command(rng):
    """NumPy loads what `convert` makes of values; JSON and text become the same values again."""
    folder, binfmt, checked = FOLDER / "command", command(), 0
    folder.mkdir(parents=True, exist_ok=True)
    path, npy, text, json_path = (folder / name for name in ["value.in", "value.npy", "value.txt", "value.json"])
    for name, dtype in TYPES.items():
        for shape in [(), (3,), (2, 3), (2, 1, 3), (0,), (2, 0), (0, 3, 2)]:
            size = int(numpy.prod(shape, dtype=int)) * numpy.dtype(dtype).itemsize
            bits = rng.integers(0, 256, size, dtype="uint8")
            value = ((bits & 1).astype(bool) if name == "bool" else bits.view(dtype)).reshape(shape)
            packed = bytes(futhark_data.dumpb(value))
            path.write_bytes(packed)
            binfmt("convert", path, npy)
            if not same(numpy.load(npy), value):
                raise SystemExit(f"{name}{shape}: NumPy loads another array than {value}")
            binfmt("convert", path, json_path)
            binfmt("convert", json_path, path)
            if path.read_bytes() != packed:
                raise SystemExit(f"{name}{shape}: JSON becomes other bytes")
            binfmt("convert", path, text)
            if name[0] not in "f":
                # futhark-data reads no `f32.nan`, and floats of fewer digits
                [found] = values(text)
                if not same(found, value):
                    raise SystemExit(f"{name}{shape}: futhark-data reads the text as another array")
            elif not numpy.isnan(value).any():
                binfmt("convert", text, path, "--format", "futhark")
                if path.read_bytes() != packed:
                    raise SystemExit(f"{name}{shape}: text becomes other bytes")
            checked += 1
    print(f"NumPy, JSON and text: {checked} values through the command, equal")


if __name__ == "__main__":
    inside_venv("futhark", [["futhark-data==1.0.3", "numpy==1.23.5"]])
    warnings.simplefilter("ignore")
    import futhark_data
    import numpy

    rng = numpy.random.default_rng(seed())
    cargo("futhark::writes_values_for_futhark_data", FOLDER)
    cargo("futhark::writes_arguments_for_futhark_data", FOLDER)
    read_what_rust_wrote()
    read_arguments_of_rust()
    write_for_rust(rng)
    cargo("futhark::reads_values_of_futhark_data", FOLDER)
    use_the_command(rng)
    print("interop futhark: both directions agree")
