"""What the interop scripts share: a virtual environment of their own, and the Rust half of the tests."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "interop"


def inside_venv(name, steps):
    """Runs the calling script again under a Python that has what `steps` (arguments of pip install) say."""
    if "--in-venv" in sys.argv:
        return
    venv = WORK / f"venv-{name}"
    python, stamp, wanted = venv / "bin" / "python", venv / "steps.txt", repr(steps)
    if not stamp.exists() or stamp.read_text() != wanted:
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True)
        for step in steps:
            quiet = ["install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([str(python), "-m", "pip", *quiet, *step], check=True)
        stamp.write_text(wanted)
    os.execv(str(python), [str(python), sys.argv[0], "--in-venv", *sys.argv[1:]])


def seed():
    """The seed on the command line, or one of today's."""
    given = [arg for arg in sys.argv[1:] if arg.isdigit()]
    found = int(given[0]) if given else int.from_bytes(os.urandom(4), "big")
    print(f"seed {found}: give it as an argument to have the same data again")
    return found


def cargo(test, folder):
    env = dict(os.environ, BINFMT_INTEROP_DIR=str(folder))
    command = ["cargo", "test", "--quiet", "--test", "formats", "--", "--exact", f"interop::{test}"]
    subprocess.run(command, cwd=ROOT, env=env, check=True)


def command():
    """The command `binfmt`, that of BINFMT or one built for tests: a function that runs it with arguments."""
    program = os.environ.get("BINFMT")
    if not program:
        subprocess.run(["cargo", "build", "--quiet", "-p", "binfmt-cli"], cwd=ROOT, check=True)
        program = WORK.parent / "debug" / "binfmt"
    return lambda *args: subprocess.run([str(program), *map(str, args)], check=True, stdout=subprocess.DEVNULL)
