#!/usr/bin/env python3
"""Files of a real S3 server, moto's, read and written through SQL, with the answers that the same files on a disk give.

SDDS, SciDB, Futhark, a TileDB array and Parquet; through a proxy that is busy, cuts answers, and counts bytes; and what cannot be read
is told with its URL. Wants the program `binfmt-sql` with all features, under target/debug. Makes a virtual environment of its own under
target/. Exit status 0: all agree."""

import logging
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common  # noqa: E402

common.inside_venv("objects", [["moto[server]==5.*", "boto3"]])

import boto3  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

SQL = common.WORK.parent / "debug" / "binfmt-sql"
logging.getLogger("werkzeug").setLevel(logging.ERROR)
DATA = common.ROOT / "tests" / "data"
CELLS = "<n: int64 NOT NULL, d: int64 NOT NULL>[i]"
ROWS = 1_000_000
checks = 0


def check(told, fine):
    global checks
    checks += 1
    if not fine:
        sys.exit(f"NOT THE SAME: {told}")


class Proxy(BaseHTTPRequestHandler):
    """What is between the program and the server: each third answer with bytes is an error, or is cut, as `mood` says."""

    protocol_version = "HTTP/1.1"
    target, mood, count, sent = "", "", 0, 0

    def pass_on(self):
        cls = type(self)
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        kept = {name: text for name, text in self.headers.items() if name.lower() not in ("connection", "content-length")}
        request = urllib.request.Request(cls.target + self.path, data=body, headers=kept, method=self.command)
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as e:
            answer = e
        data, status = answer.read(), answer.status
        cut = len(data)
        if self.command == "GET" and status in (200, 206):
            cls.count += 1
            if cls.mood == "refuses":
                status, data = 403, b"<Error><Code>AccessDenied</Code></Error>"
            elif cls.mood == "down" or cls.mood == "busy" and cls.count % 3 == 0:
                status, data = 503, b"<Error><Code>SlowDown</Code></Error>"
            elif cls.mood == "cuts" and cls.count % 3 == 0:
                cut //= 2
            cls.sent += cut
        self.send_response(status)
        for name, text in answer.headers.items():
            if name.lower() not in ("connection", "content-length", "transfer-encoding", "server", "date"):
                self.send_header(name, text)
        length = answer.headers.get("Content-Length", "0") if self.command == "HEAD" else len(data)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data[:cut])
            if cut < len(data):
                self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = pass_on

    def log_message(self, *_):
        pass


def files(folder):
    """What is read, on a disk."""
    cells = b"".join(struct.pack("<qq", n, n % 10) for n in range(ROWS))
    (folder / "cells.bin").write_bytes(cells)
    for run in range(2):
        text = "SDDS1\n&parameter name=Run, type=long, &end\n&column name=x, type=double, units=mm, &end\n&data mode=ascii, &end\n"
        text += "".join(f"{10 * run + page}\n4\n1\n2\n{page}\n{run}\n" for page in range(3))
        (folder / f"run{run}.sdds").write_text(text)
    shutil.copytree(DATA / "tiledb" / "d2_row_row", folder / "grid")
    shutil.copy(DATA / "futhark" / "arr1_i32" / "input.bin", folder / "array.dat")


QUERIES = [
    f"SELECT count(*), sum(n), sum(d), min(n), max(d) FROM scidb('$AT/cells.bin', '{CELLS}')",
    f"SELECT n, d FROM scidb('$AT/cells.bin', '{CELLS}', 'row_numbers=true') WHERE _row BETWEEN 777777 AND 777780 ORDER BY n",
    "SELECT \"Run\", sum(x) FROM '$AT/run*.sdds' WHERE \"Run\" BETWEEN 1 AND 11 GROUP BY 1 ORDER BY 1",
    "SELECT * FROM '$AT/run1.sdds' ORDER BY \"Run\", x LIMIT 5",
    "SELECT * FROM '$AT/grid' ORDER BY rows, cols",
    "SELECT * FROM tiledb('$AT/gr*d') WHERE rows = 2 ORDER BY cols",
    "SELECT * FROM '$AT/array.dat' ORDER BY 1",
    f"SELECT s.\"Run\", count(*) FROM '$AT/run*.sdds' s JOIN scidb('$AT/cells.bin', '{CELLS}') c ON c.n = s.x GROUP BY 1 ORDER BY 1",
]


def ask(env, *args):
    return subprocess.run([SQL, *args], env=env, capture_output=True, text=True)


def answer(env, *args):
    done = ask(env, *args)
    if done.returncode != 0:
        sys.exit(f"{' '.join(args)}: {done.stderr}")
    return done.stdout


def compare(env, folder, told):
    for query in QUERIES:
        disk = answer(env, query.replace("$AT", str(folder)), "--format", "csv")
        there = answer(env, query.replace("$AT", "s3://data/in"), "--format", "csv")
        # the names of columns may have the path in them
        disk, there = (text.split("\n", 1)[1] for text in (disk, there))
        check(f"{told}: {query}:\n{disk}\n{there}", disk == there and disk.count("\n") > 0)


def write(env, s3):
    cells = f"scidb('s3://data/in/cells.bin', '{CELLS}')"
    # two parts of 8 MiB and a rest, which become one object
    answer(env, f"COPY (SELECT * FROM {cells} ORDER BY n) TO 's3://data/out/again.bin' STORED AS SCIDB OPTIONS ('schema' '{CELLS}')")
    again = s3.get_object(Bucket="data", Key="out/again.bin")["Body"].read()
    check("a file that was read and written", again == s3.get_object(Bucket="data", Key="in/cells.bin")["Body"].read())
    for name in ["out.sdds", "out.parquet", "out.csv", "out.npy", "out.arrow", "out.tdb"]:
        answer(env, "SELECT \"Run\", x FROM 's3://data/in/run*.sdds'", "--output", f"s3://data/out/{name}")
        found = answer(env, f"SELECT count(*) AS n, sum(\"Run\") AS r, sum(x) AS x FROM 's3://data/out/{name}'", "--format", "csv")
        check(f"{name}: {found}", found.replace(".0", "") == "n,r,x\n24,144,27\n")
    answer(env, f"COPY (SELECT * FROM {cells}) TO 's3://data/out/cells' STORED AS TILEDB")
    answer(env, "COPY (SELECT 7 AS a) TO 's3://data/out/seven.parquet'")
    check("COPY TO Parquet", answer(env, "SELECT a FROM 's3://data/out/seven.parquet'", "--format", "csv") == "a\n7\n")


def refused(env, query, *parts):
    done = ask(env, query)
    check(f"{query}: {done.stdout}{done.stderr}", done.returncode == 1 and all(part in done.stderr for part in parts))


def main():
    if not SQL.exists():
        sys.exit(f"{SQL} is not there: cargo build -p binfmt-datafusion --all-features")
    folder = Path(tempfile.mkdtemp(prefix="binfmt-objects-"))
    server = ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    direct = f"http://127.0.0.1:{port}"
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
    env = dict(os.environ, **keys, AWS_ENDPOINT=direct, AWS_ALLOW_HTTP="true")
    try:
        files(folder)
        s3 = boto3.client("s3", endpoint_url=direct, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret")
        s3.create_bucket(Bucket="data")
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            s3.upload_file(str(path), "data", f"in/{path.relative_to(folder)}")
        compare(env, folder, "from S3")
        write(env, s3)

        proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        Proxy.target = direct
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        env["AWS_ENDPOINT"] = f"http://127.0.0.1:{proxy.server_address[1]}"
        for Proxy.mood in ["busy", "cuts"]:
            compare(env, folder, f"from a server that {Proxy.mood}")
        Proxy.mood, Proxy.sent = "", 0
        answer(env, QUERIES[1].replace("$AT", "s3://data/in"))
        check(f"{Proxy.sent} bytes are fetched for 4 rows of 16 bytes in 16 MB", Proxy.sent < 300_000)
        Proxy.sent = 0
        found = answer(env, "SELECT count(*) AS n, sum(d) AS d FROM 's3://data/out/cells' WHERE row BETWEEN 500000 AND 500009", "--format", "csv")
        check(f"tiles of an array: {found}", found == "n,d\n10,45\n")
        check(f"{Proxy.sent} bytes are fetched of one of 100 tiles of 17 MB", Proxy.sent < 1_500_000)
        Proxy.mood = "down"
        refused(env, QUERIES[0].replace("$AT", "s3://data/in"), "s3://data/in/cells.bin", "503")
        Proxy.mood = "refuses"
        refused(env, "SELECT * FROM 's3://data/in/run0.sdds'", "s3://data/in/run0.sdds: access is refused")
        Proxy.mood = ""
        refused(env, "SELECT * FROM 's3://data/in/none.sdds'", "there is no file s3://data/in/none.sdds")
        refused(env, "SELECT * FROM 's3://data/in/none*.sdds'", "there is no file s3://data/in/none*.sdds")
        for place in ["run0.sdds", "run*.sdds", "rooms.csv"]:
            refused(env, f"SELECT * FROM 's3://other/in/{place}'", f"s3://other/in/{place}: there is no such bucket\n")
        for place in ["out.sdds", "out.parquet"]:
            refused(env, f"COPY (SELECT 7 AS a) TO 's3://other/{place}'", "there is no such bucket\n")
        plain = {name: text for name, text in env.items() if name != "AWS_ALLOW_HTTP"}
        for place in ["run0.sdds", "none.parquet"]:
            refused(plain, f"SELECT * FROM 's3://data/in/{place}'", f"s3://data/in/{place}: the server has no encryption", "AWS_ALLOW_HTTP=true")
    finally:
        server.stop()
        shutil.rmtree(folder)
    print(f"{checks} checks: answers from S3 are those from a disk")


main()
