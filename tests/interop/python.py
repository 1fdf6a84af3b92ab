#!/usr/bin/env python3
"""The Python package: builds the wheel, installs it into fresh virtual environments, and runs its tests there.

    python3 tests/interop/python.py              the wheel in the dev profile, all tests and the stubs in this Python, the core ones in others, which
                                                  have one and the same Rust half: damaged inputs in this one only
    python3 tests/interop/python.py --release    the wheel as users get it

In this Python everything that the package works with is installed: an absent one is an error, not a test that is skipped. The other Pythons
from 3.10 on that are found have NumPy only. `ONLY=3.11 ..` leaves the others out.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from common import ROOT, WORK

PACKAGE = ROOT / "binfmt-python"
FOLDER = WORK / "python"
# what the package works with, and whose calls `binfmt.compat` has
OTHERS = ["numpy", "pandas", "polars", "pyarrow", "duckdb", "pytest", "mypy", "pyright[nodejs]", "tiledb", "sdds==0.4.3", "pysdds==0.6.0", "futhark-data==1.0.3"]
CORE = ["numpy", "pytest"]


def venv(name, python, packages):
    """The Python of a virtual environment with these packages, made anew if they are others."""
    folder = FOLDER / f"venv-{name}"
    inside, stamp, wanted = folder / "bin" / "python", folder / "packages.txt", repr((str(python), packages))
    if not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        if packages:
            subprocess.run([inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True)
        stamp.write_text(wanted)
    return inside


def wheel(maturin):
    """Builds the wheel."""
    out = FOLDER / "wheels"
    shutil.rmtree(out, ignore_errors=True)
    profile = ["--release"] if "--release" in sys.argv else ["--profile", "dev"]
    command = [maturin, "-m", "maturin", "build", "--locked", "--out", out, *profile]
    subprocess.run(command, cwd=PACKAGE, check=True)
    (built,) = out.glob("*.whl")
    assert "-abi3-" in built.name, f"{built.name} is for one version of Python only"
    return built


def pythons():
    """The Pythons from 3.10 on of this machine, by version; this one first."""
    found = {sys.version_info[:2]: Path(sys.executable)}
    names = [Path(folder) / f"python3.{minor}" for minor in range(10, 20) for folder in os.environ["PATH"].split(os.pathsep)]
    names += sorted(Path.home().glob(".pyenv/versions/3.*/bin/python3"))
    for name in names:
        if not name.exists():
            continue
        about = subprocess.run([name, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True)
        match = re.fullmatch(r"3 (\d+)\s*", about.stdout)
        if match and int(match[1]) >= 10:
            found.setdefault((3, int(match[1])), name)
    only = os.environ.get("ONLY")
    return {version: name for version, name in found.items() if not only or only == "{}.{}".format(*version)}


def install(python, built):
    quiet = ["install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"]
    subprocess.run([python, "-m", "pip", *quiet, built], check=True)


def from_source(maturin):
    """`pip install ./binfmt-python`, as the README says it, into a fresh environment; in the profile that is built already."""
    python = venv("source", sys.executable, [])
    profile = "--release" if "--release" in sys.argv else "--profile dev"
    # the backend that is here already, so that nothing is fetched twice; users have pip fetch it
    path = os.pathsep.join([str(Path(maturin).parent), os.environ["PATH"]])
    site = subprocess.run([maturin, "-c", "import maturin, os; print(os.path.dirname(os.path.dirname(maturin.__file__)))"], capture_output=True, text=True, check=True)
    env = {**os.environ, "PATH": path, "PYTHONPATH": site.stdout.strip()}
    quiet = ["install", "--quiet", "--disable-pip-version-check", "--force-reinstall"]
    subprocess.run([python, "-m", "pip", *quiet, "--no-build-isolation", f"--config-settings=build-args={profile} --locked", "./binfmt-python"], cwd=ROOT, check=True, env=env)
    code = "import binfmt; print(binfmt.open(b'\\x01\\x02', schema='(int8)')['a'].to_list())"
    said = subprocess.run([python, "-c", code], capture_output=True, text=True, cwd=FOLDER, check=True)
    assert said.stdout == "[1, 2]\n", said.stdout


def stubs(python):
    """The stubs agree with the package, and code that uses it has the types that it expects."""
    settings, known = PACKAGE / "pyproject.toml", PACKAGE / "tests" / "stubtest.txt"
    stubtest = ["mypy.stubtest", "binfmt", "--mypy-config-file", settings, "--allowlist", known, "--ignore-unused-allowlist"]
    subprocess.run([python, "-m", *stubtest], cwd=FOLDER, check=True)
    # and so has what the documentation shows
    examples = FOLDER / "examples"
    subprocess.run([python, PACKAGE / "tests" / "examples.py", examples], cwd=FOLDER, check=True)
    shutil.copy(PACKAGE / "tests" / "typed.py", examples)
    subprocess.run([python, "-m", "mypy", "--strict", "--config-file", settings, examples], cwd=FOLDER, check=True)
    subprocess.run([python, "-m", "pyright", "--level", "error", "--pythonpath", python, examples], cwd=examples, check=True)


def test(python, *args, **env):
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *args]
    # not beside the sources, so that what is tested is what was installed
    subprocess.run(command, cwd=FOLDER, check=True, env={**os.environ, **env})


def main():
    if sys.version_info < (3, 10):
        raise SystemExit(f"the package needs Python 3.10, this is {sys.version.split()[0]}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    maturin = venv("maturin", sys.executable, ["maturin>=1.9,<2"])
    built = wheel(maturin)
    print(f"interop python: {built.name}, {built.stat().st_size / 1e6:.1f} MB")
    found = pythons()
    for number, (version, name) in enumerate(found.items()):
        whole = number == 0
        python = venv("all" if whole else "core-{}.{}".format(*version), name, OTHERS if whole else CORE)
        install(python, built)
        print("interop python: Python {}.{}{}".format(*version, "" if whole else ", NumPy only"), flush=True)
        if whole:
            place = subprocess.run([python, "-c", "import binfmt, os; print(os.path.dirname(binfmt.__file__))"], capture_output=True, text=True, cwd=FOLDER)
            test(python, str(PACKAGE / "tests"), BINFMT_ALL="1")
            test(python, "--doctest-modules", place.stdout.strip())
            stubs(python)
        else:
            test(python, str(PACKAGE / "tests"), "-m", "not any_bytes")
    from_source(maturin)
    print("interop python: pip install ./binfmt-python works in a fresh environment")
    absent = [f"3.{minor}" for minor in range(10, 14) if (3, minor) not in found]
    if absent:
        print(f"interop python: NOT TESTED WITH PYTHON {', '.join(absent)}, WHICH THIS MACHINE DOES NOT HAVE")
    print(f"interop python: the wheel passes its tests on {len(found)} versions of Python")


if __name__ == "__main__":
    main()
