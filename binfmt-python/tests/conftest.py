"""What the tests share: where the files of the real software are."""

import _thread
import signal
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data"

# what a shell runs in the background has it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data():
    assert DATA.is_dir(), f"{DATA} is missing: the tests need the whole repository"
    return DATA


SDDS = b"""SDDS1
&description text="two pages" &end
&parameter name=Run, type=long &end
&parameter name=Label, type=string, fixed_value="orbit" &end
&array name=A, type=short, dimensions=2 &end
&column name=x, units=mm, description="position", type=double &end
&column name=name, type=string &end
&data mode=ascii &end
7
2 3
1 2 3 4 5 6
2
0.5 Q1
1.5 Q2
8
1 1
9
1
2.5 Q3
"""


@pytest.fixture
def sdds():
    return SDDS


def needs(name):
    """A module that the package works with but does not need: where all are to be there, an absent one is an error."""
    import importlib
    import os

    if os.environ.get("BINFMT_ALL"):
        return importlib.import_module(name)
    return pytest.importorskip(name)


def interrupted(work, delay):
    """How long it worked after Ctrl-C: seconds of the processor, since others may keep the machine busy; infinite if it ended before."""
    pressed = []
    timer = threading.Timer(delay, lambda: (pressed.append(time.process_time()), _thread.interrupt_main()))
    timer.start()
    try:
        work()
    except KeyboardInterrupt:
        return time.process_time() - pressed[0]
    try:
        timer.cancel()
        timer.join()
    except KeyboardInterrupt:
        # it came too late
        pass
    return float("inf")


def hears_ctrl_c(work):
    """Whether Ctrl-C ends it before its time: in one of a few attempts, as the machine may let either thread wait."""
    return any(interrupted(work, delay) < 0.8 for delay in (0.1, 0.05, 0.2, 0.02))
