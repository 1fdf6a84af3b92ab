#!/usr/bin/env python3
"""BEAT data: binfmt beside the platform's own Python backend.

Makes objects with the backend, checks that both sides read them and write the same bytes again, and prints a table. Words of the
command line select rows.
"""

import json
import shutil
import sys
from pathlib import Path

import side

FOLDER = side.WORK / "beat"
STEPS = [
    ["wheel", "setuptools<70", "numpy<2"],
    ["--no-deps", "--no-build-isolation", "beat.backend.python==1.7.15", "beat.core==1.13.5"],
    ["simplejson", "six", "pyzmq", "jsonschema==3.2.0", "jinja2", "docopt", "colorlog"],
]
FORMATS = {
    "user/rec/1": {
        "id": "int64", "name": "string", "score": "float64", "ok": "bool", "z": "complex64",
        "pos": {"x": "float32", "y": "float32"}, "vec": [0, "float64"], "tags": [0, "string"],
        "pts": [0, {"a": "int32", "b": "int16"}],
    },
    "user/vec/1": {"v": [0, "float64"]},
}  # fmt: skip
RECORDS = 10_000
ELEMENTS = 8_000_000


def work():
    """The jobs of the backend, and of whoever makes the files."""
    # this script has the name of the package
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() != side.HERE]
    import numpy
    from beat.backend.python.data import CachedDataSink, CachedDataSource
    from beat.backend.python.dataformat import DataFormat

    loaded = {}

    def load(prefix, format):
        if format not in loaded:
            loaded[format] = DataFormat(prefix, format)
        return loaded[format]

    def make(prefix, objects, array):
        Record, rng = load(prefix, "user/rec/1").type, numpy.random.default_rng(3)
        blobs = []
        for i in range(RECORDS):
            record = Record()
            points = [dict(a=1, b=2), dict(a=i, b=4)]
            record.from_dict(
                dict(id=i, name=f"name{i}", score=i / 3, ok=bool(i & 1), z=complex(i, -i), pos=dict(x=1.5, y=2.5),
                     vec=rng.standard_normal(16), tags=["a", "bb"], pts=points),
                casting="unsafe", add_defaults=False,
            )  # fmt: skip
            blobs.append(record.pack())
        Path(objects).write_bytes(b"".join(blobs))
        Path(objects).with_suffix(".sizes").write_text(json.dumps([len(blob) for blob in blobs]))
        Vector = load(prefix, "user/vec/1").type
        Path(array).write_bytes(Vector(v=rng.standard_normal(ELEMENTS)).pack())
        return side.took(0, lambda: None)

    def blobs_of(path):
        data, blobs, at = Path(path).read_bytes(), [], 0
        for size in json.loads(Path(path).with_suffix(".sizes").read_text()):
            blobs.append(data[at : at + size])
            at += size
        return blobs

    def unpacked(cls, blob):
        record = cls()
        record.unpack(blob)
        return record

    def read(prefix, path, format):
        cls, blobs = load(prefix, format).type, blobs_of(path)
        return side.took(sum(map(len, blobs)), lambda: [unpacked(cls, blob) for blob in blobs])

    def pass_objects(prefix, path, format):
        cls, blobs = load(prefix, format).type, blobs_of(path)
        return side.took(sum(map(len, blobs)), lambda: sum(unpacked(cls, blob).id >= 0 for blob in blobs))

    def write(prefix, path, format):
        cls, blobs = load(prefix, format).type, blobs_of(path)
        records = [unpacked(cls, blob) for blob in blobs]
        return side.took(sum(map(len, blobs)), lambda: [record.pack() for record in records])

    def read_array(prefix, path, format):
        cls, blob = load(prefix, format).type, Path(path).read_bytes()
        return side.took(len(blob), lambda: unpacked(cls, blob))

    def write_array(prefix, path, format):
        cls, blob = load(prefix, format).type, Path(path).read_bytes()
        array = unpacked(cls, blob)
        return side.took(len(blob), lambda: array.pack())

    def read_set(prefix, base):
        size = sum(path.stat().st_size for path in Path(base).parent.glob("*.data"))

        def run():
            source = CachedDataSource()
            assert source.setup(base + ".data", prefix)
            return [source[i] for i in range(len(source.infos))]

        return side.took(size, run)

    def write_set(prefix, path, format, base):
        format, blobs = load(prefix, format), blobs_of(path)
        records = [unpacked(format.type, blob) for blob in blobs]
        Path(base).parent.mkdir(parents=True, exist_ok=True)

        def run():
            sink = CachedDataSink()
            sink.setup(base + ".data", format, 0, len(records) - 1)
            for i, record in enumerate(records):
                sink.write(record, i, i)
            assert sink.close()

        return side.took(sum(map(len, blobs)), run)

    side.serve(dict(make=make, read=read, pass_objects=pass_objects, write=write, read_array=read_array, write_array=write_array,
                    read_set=read_set, write_set=write_set))  # fmt: skip


def main(words):
    shutil.rmtree(FOLDER, ignore_errors=True)
    prefix = FOLDER / "prefix"
    for name, fields in FORMATS.items():
        path = prefix / "dataformats" / f"{name}.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(fields))
    objects, array = str(FOLDER / "objects.bin"), str(FOLDER / "array.bin")
    backend = side.script(side.venv("beat", *STEPS), Path(__file__), "backend")
    ours = side.binfmt()
    backend("make", prefix=str(prefix), objects=objects, array=array)
    records = {"prefix": str(prefix), "path": objects, "format": "user/rec/1"}
    vector = {"prefix": str(prefix), "path": array, "format": "user/vec/1"}
    ours("beat.check", **records)

    print("| job | binfmt MB/s | others MB/s: binfmt is so many times as fast |\n|---|---|---|")

    def row(title, contenders, rounds, target):
        if all(word in title for word in words):
            side.compare(title, contenders, rounds=rounds, target=target)

    for verb in ["read", "write"]:
        for title, job in [("known when compiling", verb), ("by the declaration", f"{verb}_object")]:
            both = {"binfmt": lambda: ours(f"beat.{job}", **records), "backend": lambda: backend(verb, **records)}
            row(f"{verb} {RECORDS} nested records, {title}", both, 3, {"backend": 100})
        if verb == "read":
            both = {"binfmt": lambda: ours("beat.pass_objects", **records)}
            both["backend"] = lambda: backend("pass_objects", **records)
            row(f"read {RECORDS} nested records, by the declaration, one at a time", both, 3, {"backend": 100})
        both = {
            "binfmt": lambda: ours(f"beat.{verb}_array", **vector),
            "memcpy": lambda: ours("beat.memcpy", **vector),
            "backend": lambda: backend(f"{verb}_array", **vector),
        }
        row(f"{verb} an array of 64 MB", both, 9, {"memcpy": 0.9})
    by_object = {"binfmt": lambda: ours("beat.read_array_object", **vector)}
    by_object["backend"] = lambda: backend("read_array", **vector)
    row("read an array of 64 MB by the declaration", by_object, 3, None)

    base = lambda name: str(FOLDER / name / "records")
    ours("beat.write_set", **records, base=base("ours"))
    backend("write_set", **records, base=base("backend"))
    found = [{path.name: path.read_bytes() for path in (FOLDER / name).iterdir()} for name in ["ours", "backend"]]
    if found[0] != found[1]:
        raise SystemExit("the two sides write other files")
    sets = {
        "binfmt": lambda: ours("beat.write_set", **records, base=base("ours")),
        "backend": lambda: backend("write_set", **records, base=base("backend")),
    }
    row("write a file of records with index and checksums", sets, 3, None)
    sets = {
        "binfmt": lambda: ours("beat.read_set", path=objects, base=base("backend")),
        "backend": lambda: backend("read_set", prefix=str(prefix), base=base("backend")),
    }
    row("read a file of records with checksums", sets, 3, None)
    shutil.rmtree(FOLDER)


if __name__ == "__main__":
    if "--worker" in sys.argv:
        work()
    else:
        main(sys.argv[1:])
