#!/usr/bin/env python3
"""A cluster whose executors die, on ports of this machine: in every stage of a join one is killed (`kill -9`) or asked to end (SIGTERM), with
one core each and with two; the answer is right all the same, and so is that of the next query. Clients leave in the middle of a query,
which then ends; queries that take too long end, and so do those that no executor is left for. Exit status 0: all as it should be."""

import contextlib
import math
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
ROWS = int(os.environ.get("ROWS", 40_000))
# an answer, an error or the end of something is there by then, on a machine that has much else to do
LONG = 90
LOST_AFTER = 6


def fail(text):
    sys.exit(f"NOT AS IT SHOULD BE: {text}")


def port():
    """A port that is free, as is the one after it."""
    while True:
        with socket.socket() as first, socket.socket() as second, contextlib.suppress(OSError, OverflowError):
            first.bind(("127.0.0.1", 0))
            found = first.getsockname()[1]
            second.bind(("127.0.0.1", found + 1))
            return found


def until(told, condition, seconds=LONG, pause=0.005):
    """What the condition says as soon as it says something, and how long that took."""
    begun = time.monotonic()
    while True:
        found = condition()
        if found:
            return found, time.monotonic() - begun
        if time.monotonic() - begun > seconds:
            fail(f"{told}: not within {seconds} s")
        time.sleep(pause)


class Cluster:
    """A scheduler whose log is read, and executors by the address at which they listen."""

    def __init__(self, folder, cores):
        self.address, self.cores, self.executors = f"127.0.0.1:{port()}", cores, {}
        self.log = Path(folder) / f"scheduler{cores}.log"
        command = [BIN / "binfmt-cluster", "scheduler", "--bind", self.address, "--lost-after", str(LOST_AFTER), "--log", "info"]
        self.scheduler = subprocess.Popen(command, stderr=self.log.open("w"))
        until("the scheduler listens", lambda: "listening" in self.told() or self.answers())
        self.read = 0

    def answers(self):
        host, number = self.address.split(":")
        with contextlib.suppress(OSError), socket.create_connection((host, int(number)), 1):
            return True

    def told(self):
        return self.log.read_text(errors="replace")

    def new(self):
        """What the log says that nobody asked for yet."""
        return self.told()[self.read:]

    def forget(self):
        self.read = len(self.told())

    def start(self, count=1):
        before = self.told().count("Received register executor request")
        for _ in range(count):
            bind = f"127.0.0.1:{port()}"
            command = [BIN / "binfmt-cluster", "executor", "--scheduler", self.address, "--bind", bind, "--cores", str(self.cores)]
            self.executors[bind] = subprocess.Popen(command)
        until("executors join", lambda: self.told().count("Received register executor request") >= before + count)
        time.sleep(0.3)

    def ask(self, sql, *more):
        command = [BIN / "binfmt-sql", "--cluster", self.address, "--partitions", "8", "--format", "csv", *more, sql]
        # what a shell starts in the background does not hear of Ctrl-C
        hears = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hears)

    def answer(self, told, client, seconds=LONG):
        """The lines of an answer, or the error, and how long it took."""
        begun = time.monotonic()
        try:
            out, error = client.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            client.kill()
            fail(f"{told}: no answer within {seconds} s; the scheduler says:\n" + "\n".join(self.new().splitlines()[-30:]))
        took = time.monotonic() - begun
        return (out.splitlines()[1:], took) if client.returncode == 0 else (error, took)

    def kill(self, executor, how):
        process = self.executors.pop(executor)
        process.send_signal(how)
        begun = time.monotonic()
        if how == signal.SIGTERM:
            code = process.wait(timeout=LONG)
            if code != 0 or time.monotonic() - begun > 10:
                fail(f"an executor that is asked to end: exit code {code} after {time.monotonic() - begun:.1f} s")
        process.wait()

    def given(self, job=r"\w+"):
        """The tasks that were given out: job, stage, executor."""
        return re.findall(rf"job ({job}), stage (\d+): \d+ tasks to executor (\S+)", self.new())

    def worked(self):
        """How long the executors have worked, in hundredths of a second."""
        total = 0
        for process in self.executors.values():
            words = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(words[11]) + int(words[12])
        return total

    def is_idle(self):
        """Whether the executors do next to nothing for a second."""
        before = self.worked()
        time.sleep(1)
        return self.worked() - before < 20

    def close(self):
        for process in [self.scheduler, *self.executors.values()]:
            process.kill()
            process.wait()


def number_file(path):
    """Two columns of numbers in four pages of SDDS."""
    header = "SDDS1\n!# little-endian\n&column name=id, type=long64, &end\n&column name=c, type=double, &end\n&data mode=binary, &end\n"
    with path.open("wb") as file:
        file.write(header.encode())
        for page in range(4):
            ids = range(page * ROWS // 4, (page + 1) * ROWS // 4)
            file.write(struct.pack("<i", len(ids)))
            file.write(b"".join(struct.pack("<qd", n, math.sin(n)) for n in ids))


def join(path):
    """A join of which every stage takes a while: the last one, on one core, computes too."""
    rows = f"(SELECT id, c, length(repeat(md5(CAST(id AS VARCHAR)), 20)) AS w FROM '{path}')"
    inner = f"SELECT a.id AS k, sum(a.c * b.c) AS s, min(a.w + b.w) AS w FROM {rows} a JOIN {rows} b ON a.id = b.id GROUP BY a.id"
    last = f"SELECT md5(repeat(md5(CAST(k AS VARCHAR)), 20)) AS h, w FROM ({inner} ORDER BY s DESC, k LIMIT {ROWS // 2})"
    return f"SELECT count(*), min(h), max(h), sum(w) FROM ({last})"


def right(told, found, expected, took):
    if found != expected:
        fail(f"{told}: {found} and not {expected}")
    print(f"{told}: right after {took:.1f} s", flush=True)


def kills(cluster, sql, expected):
    """One executor dies in each stage, in each way. Which stages there are."""
    cluster.forget()
    found, took = cluster.answer("nobody dies", cluster.ask(sql))
    right(f"{cluster.cores} cores, nobody dies", found, expected, took)
    stages = sorted({int(stage) for _, stage, _ in cluster.given()})
    if len(stages) < 3:
        fail(f"stages {stages}: the query is too simple")
    cases = [(stage, how, "its executor") for stage in stages for how in (signal.SIGKILL, signal.SIGTERM)]
    # the executor that runs the last stage fetches from the other one
    cases += [(stages[-1], how, "the other executor") for how in (signal.SIGKILL, signal.SIGTERM)]
    for stage, how, who in cases:
        told = f"{cluster.cores} cores, stage {stage} of {len(stages)}, {how.name}, {who}"
        cluster.forget()
        client = cluster.ask(sql)
        at_work = lambda: [executor for _, number, executor in cluster.given() if int(number) == stage]
        victim = until(told, at_work)[0][0]
        if who == "the other executor":
            victim = next(executor for executor in cluster.executors if executor != victim)
        if client.poll() is not None:
            fail(f"{told}: the query was over before")
        cluster.kill(victim, how)
        right(told, *swapped(cluster.answer(told, client), expected))
        if len({job for job, _, _ in cluster.given()}) < 2:
            fail(f"{told}: the query was not asked again: it was over before")
        # one is left, and answers
        found, took = cluster.answer(told, cluster.ask("SELECT count(*) FROM (VALUES (1), (2)) AS t(n) WHERE n > 0"), 30)
        if found != ["2"]:
            fail(f"{told}: the next query: {found}")
        cluster.start()
    return stages


def swapped(answer, expected):
    return answer[0], expected, answer[1]


def fetched(cluster, sql, expected, stages):
    """The executor that has the answer dies before the client fetches it, which stands still until then."""
    cluster.forget()
    client = cluster.ask(sql)
    last = lambda: [executor for _, stage, executor in cluster.given() if int(stage) == stages[-1]]
    victim = until("the last stage", last)[0][0]
    client.send_signal(signal.SIGSTOP)
    until("the query is done", lambda: "Job finished successfully" in cluster.new())
    cluster.kill(victim, signal.SIGKILL)
    client.send_signal(signal.SIGCONT)
    right("dies with the answer", *swapped(cluster.answer("dies with the answer", client), expected))
    cluster.start()


def copies(cluster, sql, folder):
    """What writes is not asked twice."""
    cluster.forget()
    client = cluster.ask(f"COPY ({sql}) TO '{folder}/out.parquet'")
    victim = until("COPY TO", cluster.given)[0][0][2]
    cluster.kill(victim, signal.SIGKILL)
    found, took = cluster.answer("COPY TO", client)
    wanted = "(what it wrote until then is there; look before you ask again)\n"
    if not str(found).startswith("error: the cluster lost the query: ") or not str(found).endswith(wanted):
        fail(f"COPY TO: {found}")
    if len({job for job, _, _ in cluster.given()}) != 1:
        fail("COPY TO: it was asked again")
    print(f"COPY TO: an error after {took:.1f} s", flush=True)
    cluster.start()


def scheduler_dies(cluster, sql):
    """An error, and executors that end, for their supervisor to see."""
    cluster.forget()
    client = cluster.ask(sql)
    until("the scheduler dies", cluster.given)
    cluster.scheduler.kill()
    found, took = cluster.answer("the scheduler dies", client)
    if not str(found).startswith("error: "):
        fail(f"the scheduler dies: {found}")
    print(f"the scheduler dies: an error after {took:.1f} s: {found.strip()}", flush=True)
    for process in cluster.executors.values():
        if process.wait(timeout=LONG) != 1:
            fail(f"an executor without its scheduler: exit code {process.returncode}")


def endless(path):
    """A join of everything with everything."""
    return f"SELECT sum(a.id % (b.id + 1)) FROM '{path}' a, '{path}' b"


def leaves(cluster, path):
    """A client that leaves takes its query with it."""
    sql = endless(path)
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        told = f"a client leaves by {how.name}"
        cluster.forget()
        before = cluster.worked()
        client = cluster.ask(sql)
        until(told, lambda: cluster.given() and cluster.worked() > before + 100)
        client.send_signal(how)
        client.communicate()
        _, took = until(told, lambda: "the client left" in cluster.new(), 10)
        # a task ends after some batches of rows, which take their time in a debug build that shares its cores
        _, rest = until(f"{told}: the executors stop", cluster.is_idle, 30)
        print(f"{told}: the query ends after {took:.1f} s, the executors stop after {rest:.1f} s", flush=True)


def limits(cluster, sql, path):
    """A query that takes too long, and one that nobody is left for."""
    cluster.forget()
    found, took = cluster.answer("--timeout", cluster.ask(endless(path), "--timeout", "1"))
    if found != "error: the query took longer than 1 second (--timeout)\n" or took > 20:
        fail(f"--timeout: {found} after {took:.1f} s")
    print(f"--timeout 1: an error after {took:.1f} s", flush=True)
    until("--timeout", lambda: "the client left" in cluster.new(), 10)

    client = cluster.ask(sql)
    until("all die", cluster.given)
    for executor in list(cluster.executors):
        cluster.kill(executor, signal.SIGKILL)
    found, took = cluster.answer("all die", client)
    if found != f"error: the cluster has had no executor for {LOST_AFTER * 3} seconds\n":
        fail(f"all die: {found} after {took:.1f} s")
    print(f"all executors die: an error after {took:.1f} s", flush=True)
    # and who comes then is asked
    cluster.start(1)
    found, took = cluster.answer("a new executor", cluster.ask("SELECT 1 + 1"), 30)
    right("a new executor", found, ["2"], took)


def tested():
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as ends:
        path = Path(folder) / "numbers.sdds"
        number_file(path)
        sql = join(path)
        alone = subprocess.run([BIN / "binfmt-sql", "--format", "csv", sql], check=True, capture_output=True, text=True)
        expected = alone.stdout.splitlines()[1:]
        for cores in (1, 2):
            cluster = Cluster(folder, cores)
            ends.callback(cluster.close)
            cluster.start(2)
            stages = kills(cluster, sql, expected)
            if cores == 1:
                fetched(cluster, sql, expected, stages)
                copies(cluster, sql, folder)
                leaves(cluster, path)
                limits(cluster, sql, path)
                scheduler_dies(cluster, sql)
            cluster.close()


if __name__ == "__main__":
    begun = time.monotonic()
    tested()
    print(f"all as it should be, after {time.monotonic() - begun:.0f} s")
