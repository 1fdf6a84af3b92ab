#!/usr/bin/env python3
"""scidb-py reads the load files that binfmt writes, and binfmt reads those that scidb-py writes.

Makes a virtual environment of its own under target/, installs requirements.txt into it, and runs the Rust half of the
test (`cargo test --test formats interop`) once to write files and once to read them. Exit status 0: both sides agree.

Known faults of scidb-py 19.11.7, kept out of the second direction: `tobytes` writes no presence byte in front of a
nullable string or binary, raises on datetime and datetimetz, and `frombytes` drops the last byte of a string whatever it is.
"""

import json
import os
import struct
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "interop"
VENV = WORK / "venv"


def inside_venv():
    """Runs this script again under the virtual environment's own Python."""
    python = VENV / "bin" / "python"
    wanted = (HERE / "requirements.txt").read_text()
    stamp = VENV / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(HERE / "requirements.txt")],
            check=True,
        )
        stamp.write_text(wanted)
    os.execv(str(python), [str(python), __file__, "--in-venv"])


def cargo(test):
    env = dict(os.environ, BINFMT_INTEROP_DIR=str(WORK / "scidb"))
    command = ["cargo", "test", "--quiet", "--test", "formats", "--", "--exact", f"interop::{test}"]
    subprocess.run(command, cwd=ROOT, env=env, check=True)


def plain(value, nullable):
    """A value of scidb-py in the form of the JSON that the Rust half writes."""
    if nullable:
        code, value = int(value[0]), value[1]
        if code != 255:
            return {"missing": code}
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if hasattr(value, "dtype") and value.dtype.kind == "V":
        # datetimetz: seconds and offset
        return [int(part) for part in value.tolist()]
    if hasattr(value, "astype") and value.dtype.kind in "mM":
        return int(value.astype("int64"))
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return {"bits": struct.pack(">d", value).hex()}
    return value


def read_what_rust_wrote(schema_of):
    checked = 0
    for description in sorted((WORK / "scidb" / "rust").glob("*.json")):
        case = json.loads(description.read_text())
        schema = schema_of(case["schema"])
        cells = schema.frombytes(description.with_suffix(".bin").read_bytes())
        nullable = [not a.not_null for a in schema.atts]
        found = [[plain(v, n) for v, n in zip(cell, nullable)] for cell in cells]
        if len(found) != len(case["cells"]):
            raise SystemExit(f"{description.name}: scidb-py reads {len(found)} cells of {len(case['cells'])}")
        for i, (ours, theirs) in enumerate(zip(case["cells"], found)):
            if ours != theirs:
                raise SystemExit(f"{description.name}, cell {i}: scidb-py reads\n{theirs}\nbut binfmt wrote\n{ours}")
        print(f"scidb-py reads {description.stem}: {len(found)} cells, equal")
        checked += 1
    if checked < 4:
        raise SystemExit(f"only {checked} files to read: the Rust half wrote too few")


def write_for_rust(schema_of):
    import numpy

    folder = WORK / "scidb" / "python"
    folder.mkdir(parents=True, exist_ok=True)
    schema = schema_of("<a:int64 NOT NULL,b:double NOT NULL,c:string NOT NULL,d:int16>[i=0:*]")
    rows = [(i * 1000003, i / 7, "x" * (i % 5), (255, i - 50) if i % 3 else (i, 0)) for i in range(100)]
    (folder / "mixed.bin").write_bytes(schema.tobytes(numpy.array(rows, dtype=schema.atts_dtype)))
    schema = schema_of("<a:bool NOT NULL,b:char NOT NULL,c:uint64 NOT NULL,d:float NOT NULL,e:int64 NOT NULL>[i=0:*]")
    rows = [(i % 2 == 0, chr(65 + i), 2**64 - 1 - i, i / 4, i * 86400) for i in range(20)]
    (folder / "fixed.bin").write_bytes(schema.tobytes(numpy.array(rows, dtype=schema.atts_dtype)))


def main():
    if "--in-venv" not in sys.argv:
        inside_venv()
    warnings.simplefilter("ignore")
    from scidbpy.schema import Schema

    cargo("scidb::writes_files_for_scidb_py")
    read_what_rust_wrote(Schema.fromstring)
    write_for_rust(Schema.fromstring)
    cargo("scidb::reads_files_of_scidb_py")
    print("interop scidb: both directions agree")


if __name__ == "__main__":
    main()
