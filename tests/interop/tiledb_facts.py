#!/usr/bin/env python3
"""What the libraries do in single cases that tests hold: tests/data/tiledb/filters and tests/data/tiledb/duplicates.

Every datatype through every filter by libtiledb 1.6.3, as tiles; arrays of which it was told not to look for cells twice at
one place, and what both libraries read of them. Without arguments the libraries are asked again, and must say what stands
there; with `--fixtures` it is written there. Exit status 0: they do.
"""

import json
import os
import shutil
import sys

from common import ROOT, WORK, inside_venv
from tiledb_libraries import FILTERS, NEWEST, STEPS, TYPES, Library, Refused, code, in_process, size_of, without_this_folder

DATA = ROOT / "tests" / "data" / "tiledb"
FOLDER = WORK / "tiledb-facts"
COUNT = 16
NOTHING = dict(filters=[], max_chunk_size=65536)
DUPLICATES = dict(one=[[3, 5, 3, 7, 5]], beside=[[3, 5, 3, 7, 5], [1]], before=[[1], [8, 8, 9]])
REGIONS = [[0, 9], [2, 8], [3, 3], [8, 9]]


def schema(sparse, attribute):
    return dict(
        array_type="sparse" if sparse else "dense", dim_type="INT32", dims=[dict(name="x", lo=0, hi=15, extent=16)], tile_order="row",
        cell_order="row", capacity=3, coords_filters=NOTHING, offsets_filters=NOTHING, attrs=[attribute],
    )


def values(datatype):
    """Values that rise, in any type."""
    kind, size = code(datatype), size_of(datatype)
    kind = kind if kind[0] != "S" else f"u{size}"
    raw = numpy.array([100 + i + i // 4 for i in range(COUNT)], kind).tobytes()
    return [raw[i : i + size] for i in range(0, len(raw), size)]


def tile(path, datatype, name):
    """The tile that the library makes of the values."""
    attribute = dict(name="a", type=datatype, cell_val_num=1, filters=dict(filters=[dict(type=name)], max_chunk_size=65536))
    library, of = Library("1.6.3"), schema(False, attribute)
    try:
        library.create(path, of)
        library.write(path, of, "row", [(0, 15)], None, dict(a=values(datatype)))
    except Refused:
        return "null"
    [fragment] = [entry for entry in os.listdir(path) if (path / entry).is_dir()]
    return json.dumps((path / fragment / "a.tdb").read_bytes().hex())


def write_duplicates(path, fragments):
    library = Library("1.6.3", config={"sm.check_coord_dups": "false"})
    of = schema(True, dict(name="a", type="INT32", cell_val_num=1, filters=NOTHING))
    library.create(path, of)
    value = 0
    for number, places in enumerate(fragments):
        before = set(os.listdir(path))
        cells = [(value + i + 1).to_bytes(4, "little") for i in range(len(places))]
        library.write(path, of, "unordered", None, numpy.array(places, "i4").tobytes(), dict(a=cells))
        value += len(places)
        [name] = set(os.listdir(path)) - before
        os.rename(path / name, path / f"__{number + 1}_{number + 1}_{name.split('_')[-1]}")
    return ""


def read_duplicates(path, version):
    """Places and values, by region."""
    library, found = Library(version), {}
    of = schema(True, dict(name="a", type="INT32", cell_val_num=1, filters=NOTHING))
    for region in REGIONS:
        cells, [places] = library.read(path, of, [region])
        both = zip(numpy.frombuffer(places, "i4"), cells["a"])
        found["{}..={}".format(*region)] = [[int(x), int.from_bytes(a, "little")] for x, a in both]
    return json.dumps(found)


def done(work, *arguments):
    text, failure = in_process(work, *arguments)
    if failure:
        raise SystemExit(f"{work.__name__}{arguments}: {failure}")
    return text


def only_one_place(cells):
    """Where cells of one place count once, either library takes another of them."""
    return sorted({x for x, _ in cells})


if __name__ == "__main__":
    inside_venv("tiledb", STEPS)
    without_this_folder()
    import numpy

    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    tiles = {}
    for datatype in TYPES:
        # ANY has no single values
        if datatype == "ANY":
            continue
        of_type = {name: json.loads(done(tile, FOLDER / f"{datatype}_{name}", datatype, name)) for name in FILTERS}
        tiles[datatype] = dict(values=b"".join(values(datatype)).hex(), **of_type)
    found = {}
    for name, fragments in DUPLICATES.items():
        path = FOLDER / name if "--fixtures" in sys.argv else DATA / "duplicates" / name
        if "--fixtures" in sys.argv:
            done(write_duplicates, path, fragments)
        old, new = (json.loads(done(read_duplicates, path, version)) for version in ("1.6.3", NEWEST))
        for region in old:
            twice = len(old[region]) > len(only_one_place(old[region]))
            same = old[region] == new[region] if twice else only_one_place(old[region]) == only_one_place(new[region])
            if not same:
                raise SystemExit(f"{name}, {region}: 1.6.3 reads {old[region]}, the newest {new[region]}")
        found[name] = old
    described = {DATA / "filters" / "tiles.json": tiles, DATA / "duplicates" / "cells.json": found}
    if "--fixtures" in sys.argv:
        for name in DUPLICATES:
            shutil.rmtree(DATA / "duplicates" / name, ignore_errors=True)
            shutil.copytree(FOLDER / name, DATA / "duplicates" / name)
        for path, content in described.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(content, indent=1) + "\n")
    wrong = [str(path) for path, content in described.items() if json.loads(path.read_text()) != content]
    if wrong:
        raise SystemExit(f"the libraries say otherwise than {', '.join(wrong)}")
    print(f"interop tiledb: {len(tiles) * len(FILTERS)} tiles and {len(found)} arrays with cells twice are as they stand in the tests")
