#!/usr/bin/env python3
"""The BEAT platform's Python backend reads the files that binfmt writes, and binfmt reads those that the backend writes.

Makes a virtual environment of its own under target/ and runs the Rust half of the test (`cargo test --test formats interop`) once
to write files and once to read them. Exit status 0: both sides agree.
"""

import json
import math
import shutil
import sys
import warnings
from pathlib import Path

from common import HERE, ROOT, WORK, cargo, command, inside_venv, seed

FOLDER = WORK / "beat"
PREFIX = ROOT / "tests" / "support" / "beat_prefix"
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FORMATS = ["user/all/1", "user/boxes/1", "user/nested/1", "user/ext2/1", "user/fixed/1", "rand/r0/1", "rand/r4/1", "rand/r7/1"]


def number(x):
    x = float(x)
    return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf") if math.isinf(x) else x.hex()


def scalar(of, value):
    if of == "string":
        return str(value)
    if of == "bool":
        return bool(value)
    if of.startswith("float"):
        return number(value)
    if of.startswith("complex"):
        return [number(value.real), number(value.imag)]
    return int(value)


def described(fields, value):
    """The form of the test data: objects, arrays as shape and values, hexadecimal floats."""
    found = {}
    for name in sorted(fields):
        of, part = fields[name], getattr(value, name)
        inner = of[-1] if isinstance(of, list) else of
        one = (lambda x: described(inner.resolved, x)) if isinstance(inner, DataFormat) else (lambda x: scalar(inner, x))
        if isinstance(of, list):
            array = part if isinstance(part, numpy.ndarray) else numpy.asarray(part, dtype=object)
            found[name] = dict(shape=list(array.shape), values=[one(x) for x in array.ravel()])
        else:
            found[name] = one(part)
    return found


def random(rng, fields):
    def one(of):
        if isinstance(of, DataFormat):
            return random(rng, of.resolved)
        if of == "string":
            return ["", "abc", "h\u00e9llo \u2603", "a\nb", "1 2 3\n"][rng.integers(0, 5)]
        if of == "bool":
            return bool(rng.integers(0, 2))
        if of in INTS:
            info = numpy.iinfo(of)
            return rng.integers(info.min, info.max, dtype=of, endpoint=True)
        parts = rng.standard_normal(2)
        return numpy.dtype(of).type(complex(*parts) if of.startswith("complex") else parts[0])

    def array(dims, of):
        shape = tuple(dim or int(rng.integers(1, 4)) for dim in dims)
        values = numpy.empty(shape, object if isinstance(of, DataFormat) or of == "string" else of)
        for place in numpy.ndindex(shape):
            values[place] = one(of)
        return values

    return {name: array(of[:-1], of[-1]) if isinstance(of, list) else one(of) for name, of in fields.items()}


def read_what_rust_wrote():
    checked = 0
    for path in sorted((FOLDER / "rust").glob("*.data")):
        base, start, end, _ = path.name.rsplit(".", 3)
        source = CachedDataSource()
        if not source.setup(str(path.with_name(base + ".data")), str(PREFIX)):
            raise SystemExit(f"{path.name}: the backend refuses it")
        raw = path.read_bytes()
        for i, info in enumerate(source.infos):
            value, _, _ = source[i]
            if value.pack() + b"\n" != raw[info.offset : info.offset + info.size]:
                raise SystemExit(f"{path.name}, chunk {i}: the backend packs it otherwise")
        print(f"the backend reads {path.name}: {len(source.infos)} chunks, equal")
        checked += 1
    if checked != len(FORMATS):
        raise SystemExit(f"{checked} files to read, not {len(FORMATS)}")


def write_for_rust(rng):
    folder = FOLDER / "python"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for i, name in enumerate(FORMATS):
        format = DataFormat(str(PREFIX), name)
        sink, chunks, start = CachedDataSink(), [], int(rng.integers(0, 100))
        steps = [int(n) for n in rng.integers(1, 5, 6)]
        sink.setup(str(folder / f"set{i}.data"), format, start, start + sum(steps) - 1)
        for step in steps:
            value = format.type()
            value.from_dict(random(rng, format.resolved), casting="unsafe", add_defaults=False)
            sink.write(value, start, start + step - 1)
            chunks.append(dict(start=start, end=start + step - 1, value=described(format.resolved, value)))
            start += step
        assert sink.close()
        (folder / f"set{i}.json").write_text(json.dumps(dict(format=name, chunks=chunks)))


def declare_for_rust(rng):
    """Every declaration of the test prefixes that the packages bring, and an object of each that has any."""
    found = []
    for package in (beat.core, beat.backend.python):
        prefix = Path(package.__file__).parent / "test" / "prefix"
        for path in sorted((prefix / "dataformats").rglob("*.json")):
            name = path.relative_to(prefix / "dataformats").with_suffix("").as_posix()
            case = dict(prefix=str(prefix), name=name)
            try:
                format = DataFormat(str(prefix), name)
                if format.valid:
                    value = format.type()
                    value.from_dict(random(rng, format.resolved), casting="unsafe", add_defaults=False)
                    case.update(bytes=value.pack().hex(), value=described(format.resolved, value))
            except Exception as e:  # no declaration, one that refers to itself or to nothing, arrays of arrays, other types
                print(f"the backend has no object of {name}: {type(e).__name__}")
            found.append(case)
    folder = FOLDER / "declarations"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "all.json").write_text(json.dumps(found))
    valid = sum("bytes" in case for case in found)
    if valid < 60:
        raise SystemExit(f"{valid} declarations in the packages: where are they?")
    print(f"declarations of beat.core and beat.backend.python: {len(found)}, of them {valid} that have objects")


def use_the_command(rng):
    """NumPy loads the fields that `convert` takes out of objects and files; JSON becomes the same bytes again."""
    folder, binfmt, checked = FOLDER / "command", command(), 0
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "dataformats/u/a").mkdir(parents=True)
    npy = folder / "field.npy"
    kinds = INTS + ["float32", "float64", "complex64", "complex128", "bool"]
    fields = {f"{kind}-{rank}": [0] * rank + [kind] if rank else kind for kind in kinds for rank in range(4)}
    (folder / "dataformats/u/a/1.json").write_text(json.dumps(dict(inside=fields)))
    format = DataFormat(str(folder), "u/a/1")
    dims = {0: (), 1: (3,), 2: (2, 3), 3: (2, 1, 3)}

    def one(kind, shape):
        size = int(numpy.prod(shape, dtype=int)) * numpy.dtype(kind).itemsize
        bits = rng.integers(0, 256, size, dtype="uint8")
        return ((bits & 1).astype(bool) if kind == "bool" else bits.view(kind)).reshape(shape)

    def check(path, name, expected, *options):
        binfmt("convert", path, npy, "--columns", f"inside.{name}", "--prefix", folder, *options)
        found = numpy.load(npy)
        if (found.dtype, found.shape, found.tobytes()) != (expected.dtype, expected.shape, expected.tobytes()):
            raise SystemExit(f"{name}: NumPy loads {found}, not {expected}")

    data = [{name: one(name.split("-")[0], dims[int(name[-1])]) for name in fields} for _ in range(3)]
    objects = []
    for values in data:
        value = format.type()
        value.from_dict(dict(inside=values), casting="unsafe", add_defaults=False)
        objects.append(value)
    sink = CachedDataSink()
    sink.setup(str(folder / "set.data"), format, 0, 2)
    for i, value in enumerate(objects):
        sink.write(value, i, i)
    assert sink.close()
    single, file = folder / "object.bin", folder / "set.0.2.data"
    single.write_bytes(objects[0].pack())
    for name in fields:
        check(single, name, data[0][name], "--format", "beat", "--schema", "u/a/1")
        check(file, name, numpy.stack([values[name] for values in data]))
        checked += 2
    empty = {name: numpy.zeros([0] * int(name[-1]), name.split("-")[0]) for name in fields}
    value = format.type()
    value.from_dict(dict(inside=empty), casting="unsafe", add_defaults=False)
    single.write_bytes(value.pack())
    for name in fields:
        check(single, name, empty[name], "--format", "beat", "--schema", "u/a/1")
        checked += 1
    for path, options in [(single, ["--format", "beat", "--schema", "u/a/1"]), (file, [])]:
        binfmt("convert", path, folder / "all.json", "--prefix", folder, *options)
        again = folder / "again.0.2.data"
        binfmt("convert", folder / "all.json", again, "--prefix", folder)
        if again.read_bytes() != path.read_bytes():
            raise SystemExit(f"{path.name}: JSON becomes other bytes")
    # with the index and the checksums that the command wrote beside it
    source = CachedDataSource()
    if not source.setup(str(folder / "again.data"), str(folder)):
        raise SystemExit("the backend refuses the file that the command wrote")
    if [source[i][0].pack() for i in range(len(source.infos))] != [value.pack() for value in objects]:
        raise SystemExit("the backend reads other objects from the file that the command wrote")
    print(f"NumPy and JSON: {checked} fields through the command, equal")


if __name__ == "__main__":
    inside_venv("beat", [
        ["wheel", "setuptools<70", "numpy<2"],
        ["--no-deps", "--no-build-isolation", "beat.backend.python==1.7.15", "beat.core==1.13.5"],
        ["simplejson", "six", "pyzmq", "jsonschema==3.2.0", "jinja2", "docopt", "colorlog"],
    ])
    warnings.simplefilter("ignore")
    # this script has the name of the package
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != HERE]
    import beat.backend.python
    import beat.core
    import numpy
    from beat.backend.python.data import CachedDataSink, CachedDataSource
    from beat.backend.python.dataformat import DataFormat

    rng = numpy.random.default_rng(seed())
    shutil.rmtree(FOLDER / "rust", ignore_errors=True)
    cargo("beat::writes_files_for_the_backend", FOLDER)
    read_what_rust_wrote()
    write_for_rust(rng)
    cargo("beat::reads_files_of_the_backend", FOLDER)
    declare_for_rust(rng)
    cargo("beat::loads_every_declaration", FOLDER)
    use_the_command(rng)
    print("interop beat: both directions agree")
