#!/usr/bin/env python3
"""Arrays of libtiledb 1.6.3 that later libraries then change: `binfmt` refuses each of them, and says which format version
and which TileDB it was.

libtiledb 1.7, 2.0, 2.2 and the newest append to arrays, consolidate and vacuum them; the newest gives them another schema
and metadata. Each library works in a process of its own. With `--fixtures` the arrays become those of
tests/data/tiledb/later. Exit status 0: every command refuses every array as it must.
"""

import json
import shutil
import subprocess
import sys

from common import ROOT, WORK, command, inside_venv
from tiledb_libraries import NEWEST, STEPS, Library, in_process, without_this_folder

FOLDER = WORK / "tiledb-later"
FIXTURES = ROOT / "tests" / "data" / "tiledb" / "later"
NOTHING = dict(filters=[], max_chunk_size=65536)
SCHEMA = dict(
    array_type="dense", dim_type="INT32", dims=[dict(name="x", lo=0, hi=7, extent=4)], tile_order="row", cell_order="row",
    capacity=10, coords_filters=NOTHING, offsets_filters=NOTHING, attrs=[dict(name="a", type="INT32", cell_val_num=1, filters=NOTHING)],
)
SAYS = {"1.7": "version 4, which TileDB 1.7", "2.0": "version 5, which TileDB 2.0", "2.2": "version 8, which TileDB 2.2",
        NEWEST: "version 22, which TileDB 2.25 or later"}


def cells(first):
    return dict(a=[(first + i).to_bytes(4, "little") for i in range(8)])


def original(path):
    old = Library("1.6.3")
    old.create(path, SCHEMA)
    for first in (0, 100):
        old.write(path, SCHEMA, "row", [(0, 7)], None, cells(first))
    return ""


def append(path, version):
    if version != NEWEST:
        Library(version).write(path, SCHEMA, "row", [(0, 7)], None, cells(500))
        return ""
    import tiledb

    with tiledb.open(str(path), "w") as array:
        array[0:8] = numpy.arange(500, 508, dtype=numpy.int32)
    return ""


def consolidate(path, version):
    append(path, version)
    Library(version).consolidate(path)
    return ""


def vacuum(path, version):
    consolidate(path, version)
    library = Library(version)
    library.call("array_vacuum", bytes(path), None)
    return ""


def evolve(path, version):
    import tiledb

    change = tiledb.ArraySchemaEvolution(tiledb.default_ctx())
    change.add_attribute(tiledb.Attr("b", dtype=numpy.int8))
    change.array_evolve(str(path))
    return ""


def note(path, version):
    import tiledb

    with tiledb.open(str(path), "w") as array:
        array.meta["unit"] = "kelvin"
    return ""


# 2.0 and 2.2 cannot vacuum fragments of version 3: they look for files that those do not have
CASES = [(append, version) for version in SAYS] + [(consolidate, version) for version in SAYS]
CASES += [(vacuum, NEWEST), (evolve, NEWEST), (note, NEWEST)]


if __name__ == "__main__":
    inside_venv("tiledb", STEPS)
    without_this_folder()
    import numpy

    command()
    program, wrong = WORK.parent / "debug" / "binfmt", []
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    described = {}
    for change, version in CASES:
        path = FOLDER / f"{change.__name__}_{version.replace('.', '_')}"
        for work, arguments in ((original, (path,)), (change, (path, version))):
            _, failure = in_process(work, *arguments)
            if failure:
                raise SystemExit(f"{path.name}: libtiledb {failure}")
        described[path.name] = SAYS[version]
        for arguments in (["cat"], ["inspect"], ["check"], ["convert", f"{path}.tiledb"], ["convert", f"{path}.json"]):
            words = [str(program), arguments[0], str(path), *arguments[1:]]
            run = subprocess.run(words, capture_output=True, text=True)
            if run.returncode == 0 or SAYS[version] not in run.stderr or run.stdout:
                wrong.append(f"{path.name}: {arguments[0]}: exit status {run.returncode}, {run.stdout!r}, {run.stderr!r}")
    if wrong:
        raise SystemExit("\n".join(wrong))
    if "--fixtures" in sys.argv:
        shutil.rmtree(FIXTURES, ignore_errors=True)
        for name in described:
            shutil.copytree(FOLDER / name, FIXTURES / name)
        (FIXTURES / "says.json").write_text(json.dumps(described, indent=2) + "\n")
    print(f"interop tiledb: {len(CASES)} arrays that later libraries have changed are refused by every command")
