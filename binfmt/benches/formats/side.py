"""What the benchmarks of the formats share: virtual environments of their own, workers that take turns, and the table.

A worker is a process that answers a job (one line of JSON) with what it took ({"cpu", "wall", "bytes", "peak"} or {"error"}). binfmt is one
(`src/main.rs`); other software runs in Python workers: a script called with `--worker NAME` answers through `serve`.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE / "target"))
WORK = TARGET / "side"


def venv(name, *steps):
    """The Python of a virtual environment that has what `steps` (each the arguments of one pip install) say; made once."""
    folder = WORK / f"venv-{name}"
    python, stamp, wanted = folder / "bin" / "python", folder / "steps.txt", repr(steps)
    if not stamp.exists() or stamp.read_text() != wanted:
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        for step in steps:
            quiet = ["install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([str(python), "-m", "pip", *quiet, *step], check=True)
        stamp.write_text(wanted)
    return str(python)


class Worker:
    def __init__(self, *command, env=None):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env={**os.environ, **(env or {})})

    def __call__(self, job, **args):
        self.process.stdin.write(json.dumps({"job": job, **args}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "the worker ended"}
        if "error" in answer:
            raise SystemExit(f"{job}: {answer['error']}")
        return answer


def binfmt():
    """The worker of binfmt, built with the release profile."""
    subprocess.run(["cargo", "build", "--quiet", "--release"], cwd=HERE, check=True)
    wanted = os.environ.get("BINFMT_HUGE_PAGES") == "1"
    print(f"binfmt asks for {'' if wanted else 'no '}huge pages (BINFMT_HUGE_PAGES)\n", flush=True)
    return Worker(str(TARGET / "release" / "binfmt-format-benches"))


def script(python, path, name, env=None):
    """A worker that is `path` called with `--worker name` under another Python."""
    return Worker(python, str(path), "--worker", name, env=env)


def took(nbytes, work):
    """What `work` took; for workers in Python."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    del result
    return {"cpu": cpu, "wall": wall, "bytes": nbytes, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


def serve(jobs):
    """Answers jobs from standard input for ever; `jobs` maps a name to a function of the job's arguments."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints must not look like an answer
    for line in sys.stdin:
        args = json.loads(line)
        name = args.pop("job")
        try:
            answer = jobs[name](**args)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(answer) + "\n")
        out.flush()


def compare(title, contenders, rounds=7, clock="cpu", target=None):
    """Lets `contenders` (a name and a function that runs one job; the first is binfmt) take turns, and prints a row.

    Speeds are medians; a ratio is the median of the rounds' ratios, which holds where single times do not: above 1, binfmt
    is the faster one. One round before the first is thrown away. `target` maps a contender to the ratio that is wanted.
    """
    times = {name: [] for name in contenders}
    for turn in range(rounds + 1):
        # who comes after whom changes: the memory that one has just given back is not the same for all
        begin = turn % len(contenders)
        for name in [*contenders][begin:] + [*contenders][:begin]:
            answer = contenders[name]()
            if turn:
                times[name].append((answer[clock], answer["bytes"]))
    ours = next(iter(contenders))
    speed = lambda name: statistics.median(nbytes / seconds for seconds, nbytes in times[name]) / 1e6
    cells = [title, f"{speed(ours):.0f}"]
    for name in list(contenders)[1:]:
        ratio = statistics.median(theirs[0] / mine[0] for theirs, mine in zip(times[name], times[ours]))
        wanted = (target or {}).get(name)
        mark = "" if wanted is None else f" (wanted {wanted:g}{'' if ratio >= wanted else ', MISSED'})"
        cells.append(f"{name} {speed(name):.0f}: **{ratio:.2f}**{mark}")
    print("| " + " | ".join(cells) + " |", flush=True)
    return times
