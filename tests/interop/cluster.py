#!/usr/bin/env python3
"""Clusters: whose executors die (`cluster_kills.py`), and one of four machines, scheduler, two executors and a client, each in a network
namespace of its own, joined by a bridge.

Files of three formats are joined; the executors share the work; one of them loses its network in the middle of a query, whose answer
is right all the same. Needs root and `ip netns`, without which it says that this was not tested. Before it, the files for containers in
`binfmt-datafusion/docs/cluster.md` are read as YAML, and the programs take the arguments that stand there. Exit status 0: all agree."""

import contextlib
import os
import shlex
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cluster_kills
import common

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
NAMES = [f"bf{os.getpid()}n{i}" for i in range(4)]
SWITCH = f"bf{os.getpid()}sw"
ROWS = 1_000_000
CELLS = "<n: int64 NOT NULL, d: int64 NOT NULL>[i]"


def run(*command, check=True):
    return subprocess.run([str(part) for part in command], check=check, capture_output=True, text=True)


def may():
    probe = f"bf{os.getpid()}p"
    try:
        fine = run("ip", "netns", "add", probe, check=False).returncode == 0
        run("ip", "netns", "del", probe, check=False)
        return fine
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def machines():
    """The four machines: a folder that all see, and a list for their processes, which end with them."""
    running = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            connect()
            yield Path(folder), running
        finally:
            for process in running:
                process.kill()
                process.wait()
            for name in [*NAMES, SWITCH]:
                run("ip", "netns", "del", name, check=False)


def connect():
    for name in [SWITCH, *NAMES]:
        run("ip", "netns", "add", name)
        run("ip", "-n", name, "link", "set", "lo", "up")
    run("ip", "-n", SWITCH, "link", "add", "br0", "type", "bridge")
    run("ip", "-n", SWITCH, "link", "set", "br0", "up")
    for i, name in enumerate(NAMES):
        run("ip", "link", "add", f"v{i}", "netns", name, "type", "veth", "peer", "name", f"p{i}", "netns", SWITCH)
        run("ip", "-n", SWITCH, "link", "set", f"p{i}", "master", "br0", "up")
        run("ip", "-n", name, "addr", "add", f"10.77.0.{i + 1}/24", "dev", f"v{i}")
        run("ip", "-n", name, "link", "set", f"v{i}", "up")


def start(i, *command, **how):
    return subprocess.Popen(["ip", "netns", "exec", NAMES[i], *[str(part) for part in command]], text=True, **how)


def sent(i):
    """Bytes that a machine has sent."""
    return int(run("ip", "netns", "exec", NAMES[i], "cat", f"/sys/class/net/v{i}/statistics/tx_bytes").stdout)


def ask(sql):
    return start(3, BIN / "binfmt-sql", "--cluster", "10.77.0.1:50050", "--partitions", "8", "--format", "csv", sql,
                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def answer(client):
    out, error = client.communicate(timeout=120)
    if client.returncode != 0:
        sys.exit(f"no answer: {error}")
    return out.splitlines()[1:]


def equal(told, found, expected):
    if found != expected:
        sys.exit(f"NOT THE SAME: {told}: {found} and not {expected}")
    print(f"{told}: {found}")


def scheduler():
    return start(0, BIN / "binfmt-cluster", "scheduler", "--bind", "0.0.0.0:50050", "--lost-after", "6")


def executor(i):
    return start(i, BIN / "binfmt-cluster", "executor", "--scheduler", "10.77.0.1:50050",
                 "--bind", f"10.77.0.{i + 1}:50051", "--cores", "1")


def files(folder):
    rows = b"".join(struct.pack("<qq", n, n % 10) for n in range(ROWS))
    (folder / "cells.bin").write_bytes(rows)
    for run_number in range(2):
        text = "SDDS1\n&parameter name=Run, type=long, &end\n&column name=x, type=double, &end\n&data mode=ascii, &end\n"
        for page in range(3):
            text += f"{run_number * 10 + page}\n5\n" + "".join(f"{page * 100 + row}\n" for row in range(5))
        (folder / f"run{run_number}.sdds").write_text(text)


def tested(folder, running):
    files(folder)
    grid = ROOT / "tests" / "data" / "tiledb" / "d2_row_row"
    cells = f"scidb('{folder}/cells.bin', '{CELLS}')"
    running.append(scheduler())
    time.sleep(1.5)
    running += [executor(1), executor(2)]
    time.sleep(1.5)
    before = [sent(i) for i in range(4)]
    equal("rows", answer(ask(f"SELECT count(*), sum(n) FROM {cells} WHERE d >= 0")), [f"{ROWS},{ROWS * (ROWS - 1) // 2}"])
    over = [sent(i) - b for i, b in enumerate(before)]
    print(f"16 MB of rows; sent by scheduler, executors, client: {over} bytes")
    if min(over[1:3]) < 1000 or sum(over) > 2_000_000:
        sys.exit("the executors did not share the work, or files went over the network")
    equal(
        "three formats",
        answer(ask(f"SELECT r.\"Run\", count(*), sum(c.d), min(t.rows) FROM '{folder}/run*.sdds' r JOIN {cells} c ON c.n = r.x "
                   f"JOIN tiledb('{grid}') t ON t.rows = c.d WHERE t.cols = 1 GROUP BY 1 ORDER BY 1")),
        [f"{page},4,10,1" for page in (0, 1, 2, 10, 11, 12)],
    )
    client = ask("SELECT count(*), sum(n), count(DISTINCT length(repeat(md5(CAST(n AS VARCHAR)), 3))) "
                 f"FROM {cells} WHERE d >= 0")
    time.sleep(1.2)
    run("ip", "-n", NAMES[1], "link", "set", "v1", "down")
    equal("one executor cut off", answer(client), [f"{ROWS},{ROWS * (ROWS - 1) // 2},1"])


def taken(program, arguments):
    """The program knows the arguments: it comes to the last one, which shows its help."""
    done = run(BIN / program, *arguments, "--help", check=False)
    if done.returncode != 0:
        sys.exit(f"{program} {arguments}: {done.stderr}")


def containers():
    """The files for containers: what they name is there, and the programs take their arguments."""
    import yaml

    text = (ROOT / "binfmt-datafusion" / "docs" / "cluster.md").read_text()
    compose, *others = [list(yaml.safe_load_all(block.split("```")[0])) for block in text.split("```yaml\n")[1:]]
    services = compose[0]["services"]
    equal("services", sorted(services), ["executor", "scheduler"])
    for name, service in services.items():
        taken("binfmt-cluster", shlex.split(service["command"]))
        equal(f"{name} waits for services", set(service.get("depends_on", [])) - set(services), set())
        equal(f"{name} sees the data", [volume.split(":")[1] for volume in service["volumes"]], ["/data"])
    ports = [port for document in others for part in document if part["kind"] == "Service" for port in part["spec"]["ports"]]
    equal("ports", ports, [{"port": 50050}])
    selected = {part["metadata"]["name"]: part["spec"]["selector"] for document in others for part in document if part["kind"] == "Service"}
    labels = {}
    for part in (part for document in others for part in document if part["kind"] == "Deployment"):
        name, pod = part["metadata"]["name"], part["spec"]["template"]
        labels[name] = pod["metadata"]["labels"]
        equal(f"labels of {name}", part["spec"]["selector"]["matchLabels"], labels[name])
        volumes = {volume["name"] for volume in pod["spec"]["volumes"]}
        for container in pod["spec"]["containers"]:
            said = {f"$({variable['name']})": "10.0.0.1" for variable in container.get("env", [])}
            taken("binfmt-cluster", [said.get(argument, argument) for argument in container["args"]])
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            equal(f"volumes of {name}", mounted, volumes)
    equal("the service's pods", selected["scheduler"], labels["scheduler"])


def main():
    common.inside_venv("cluster", [["pyyaml==6.*"]])
    containers()
    cluster_kills.tested()
    if not may():
        print("NOT TESTED: network namespaces cannot be made here")
        return
    with machines() as (folder, running):
        tested(folder, running)
    print("all agree")


if __name__ == "__main__":
    main()
