#!/usr/bin/env python3
"""The test suites of other packages, run against `binfmt.compat` in place of those packages.

    python3 tests/interop/python.py              builds the wheel and the virtual environment
    python3 tests/interop/suites.py pysdds=FOLDER sdds=FOLDER

A folder is a checkout of the package's repository: the archives on PyPI hold no tests (sdds 0.4.3, pysdds 0.6.0, futhark-data 1.0.3), and
futhark-data has none at all. Only known tests may fail, each for a reason that stands here. Not a part of `.ci/run`, which has no
such checkouts.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from common import WORK

PRIVATE = "private functions of that package"
# commits of the repositories that this was true of, and what fails
KNOWN = {
    "pysdds": (
        "5220194456e51e1f84d26cb7bca95f24f130eae2",
        {
            "test_col_empty_perf": "a race: ten reads with a column against ten without one",
            "test_write_from_df": "a name of a column that the toolkit refuses is not written",
        },
    ),
    "sdds": (
        "53ee48c6d11a0c16c83ca006a525662d0b45e0ce",
        {
            "test_sdds_read_big_endian_as_little_endian": "the error says the byte order, not the size of a buffer",
            "test_sdds_read_little_endian_as_big_endian": "the error is a ValueError, not a struct.error",
            "test_read_word": PRIVATE,
            "test_read_no_more": PRIVATE,
            "test_read_header": PRIVATE,
            "test_read_header_optionals": PRIVATE,
            "test_def_as_dict": PRIVATE,
            "test_sort_defs": PRIVATE,
            "test_sdds_write_ascii": PRIVATE,
        },
    ),
}
PRIVATE_NAMES = {
    "sdds.reader": ["_gen_words", "_get_def_as_dict", "_read_data", "_read_header", "_sort_definitions"],
    "sdds.writer": ["_sdds_def_as_str"],
}

CONFTEST = """
import importlib, pkgutil, sys
ours = importlib.import_module("binfmt.compat.{package}")
sys.modules["{package}"] = ours
for found in pkgutil.iter_modules(ours.__path__):
    sys.modules["{package}." + found.name] = importlib.import_module("binfmt.compat.{package}." + found.name)


def private(*args, **kwargs):
    raise AssertionError("a private function")


for module, names in {private}.items():
    for name in names:
        if module in sys.modules:
            setattr(sys.modules[module], name, private)
"""


def main():
    python = WORK / "python" / "venv-all" / "bin" / "python"
    if not python.exists() or len(sys.argv) < 2:
        raise SystemExit(__doc__)
    wrong = []
    for given in sys.argv[1:]:
        package, _, folder = given.partition("=")
        commit, known = KNOWN[package]
        there = WORK / "suites" / package
        shutil.rmtree(there, ignore_errors=True)
        shutil.copytree(Path(folder) / "tests", there / "tests")
        (there / "conftest.py").write_text(CONFTEST.format(package=package, private=PRIVATE_NAMES))
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", "-rfE", "tests"]
        said = subprocess.run(command, cwd=there, capture_output=True, text=True).stdout
        failed = re.findall(r"^(?:FAILED|ERROR) \S+?(?:::)?(\w+)(?:\[.*?\])?(?: - .*)?$", said, re.M)
        print(f"{package} at {commit[:12]}: {said.strip().splitlines()[-1]}")
        for name in failed:
            print(f"  {name}: {known.get(name, 'NOT KNOWN')}")
        wrong += [f"{package}: {name}" for name in failed if name not in known]
        if " passed" not in said:
            wrong.append(f"{package}: nothing passes")
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
