#!/usr/bin/env python3
"""The arrays of tests/data/tiledb, which libtiledb 1.6.3 wrote, through the command to JSON and to arrays again: both
libtiledb 1.6.3 and the newest read the cells in these that stand beside the originals.

Shares the libraries with `tiledb.py`; both are driven with ctypes (x86-64 Linux only), each array in a process of its own.
Known faults of libtiledb 1.6.3, kept out: it returns garbage for cells of variable length that were never written. Exit
status 0: all agree.
"""

import json
import shutil

from common import ROOT, WORK, command, inside_venv
from tiledb_libraries import (
    NEWEST, STEPS, Library, code, fill_of, in_process, numbers, without_this_folder,
)

FIXTURES = ROOT / "tests" / "data" / "tiledb"
FOLDER = WORK / "tiledb-fixtures"


def cell(raw, attribute):
    kind = code(attribute["type"])
    if kind[0] == "S":
        return raw.hex()
    return numbers(raw, kind)[0] if attribute["cell_val_num"] == 1 else numbers(raw, kind)


def check(path, content, version):
    """Compares what a library reads with what stands beside the original."""
    schema, library = content["schema"], Library(version, content.get("key"))
    found, places = library.read(path, schema)
    kind = code(schema["dim_type"])
    for attribute in schema["attrs"]:
        name = attribute["name"] or "__attr"
        read = [cell(raw, attribute) for raw in found[name]]
        pairs = list(zip(read, content["attrs"][name], strict=True))
        if library.is_old and attribute["cell_val_num"] == "var" and schema["array_type"] == "dense":
            fill = cell(fill_of(attribute["type"]), attribute)
            pairs = [pair for pair in pairs if pair[1] != fill]
        assert all(a == b for a, b in pairs), f"{name}: {read}, not {content['attrs'][name]}"
    if "coords" in content:
        coords = [list(place) for place in zip(*(numbers(raw, kind) for raw in places))]
        assert coords == content["coords"], f"coordinates: {coords}, not {content['coords']}"
    return "equal"


if __name__ == "__main__":
    inside_venv("tiledb", STEPS)
    without_this_folder()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    binfmt, wrong = command(), []
    fixtures = sorted(FIXTURES.glob("*.json"))
    for fixture in fixtures:
        content = json.loads(fixture.read_text())
        document, path = FOLDER / fixture.name, FOLDER / fixture.stem
        key = ["--key", content["key"]] if content.get("key") else []
        binfmt("convert", *key, fixture.with_suffix(""), document)
        binfmt("convert", *key, document, path)
        for version in ("1.6.3", NEWEST):
            _, failure = in_process(check, path, content, version)
            if failure:
                wrong.append(f"{path}: libtiledb {version}: {failure}")
    if wrong or len(fixtures) < 72:
        raise SystemExit("\n".join([f"{len(fixtures)} arrays", *wrong]))
    print(f"interop tiledb: both libraries read {len(fixtures)} arrays of libtiledb 1.6.3 that were written again")
