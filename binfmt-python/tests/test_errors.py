"""Errors say the place, are of the right kind, and survive pickling; nothing crashes."""

import errno
import importlib.util
import json
import os
import pickle
import random
import shutil
import struct
import subprocess
import sys
import threading

import binfmt
import pytest
from conftest import DATA, ROOT, hears_ctrl_c, needs


def test_attributes():
    with pytest.raises(binfmt.Error) as found:
        binfmt.open(b"\x01\x02\x03", schema="(int16)").to_dict()
    e = found.value
    assert isinstance(e, ValueError) and e.kind == "UnexpectedEnd" and e.offset == 2 and "[1]" in e.path
    again = pickle.loads(pickle.dumps(e))
    assert (str(again), again.kind, again.offset, again.path) == (str(e), e.kind, e.offset, e.path)


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError) as found:
        binfmt.open(tmp_path / "nothing")
    assert isinstance(found.value, binfmt.Error) and "nothing" in str(found.value)
    for e in (found.value, pickle.loads(pickle.dumps(found.value))):
        assert isinstance(e, binfmt.MissingFileError) and e.path == ""
        assert (e.errno, e.filename) == (errno.ENOENT, str(tmp_path / "nothing"))
    with pytest.raises(binfmt.Error, match="no format is told"):
        binfmt.open(b"\x80\x81")
    with pytest.raises(binfmt.Error, match="unknown format"):
        binfmt.open(b"", "sdss")
    with pytest.raises(binfmt.Error, match="unknown setting"):
        binfmt.open(b"", "sdds", colour=True)
    with pytest.raises(binfmt.Error, match="did you mean `double`"):
        binfmt.open(b"", schema="(doble)")


def test_errors_say_the_file(tmp_path, sdds):
    path = tmp_path / "short.bin"
    path.write_bytes(b"\x01\x02\x03")
    table = binfmt.open(path, schema="(int16)")
    for read in (table.to_dict, table["a"].to_numpy, lambda: list(table.batches()), table.where("a > 0").to_dict):
        with pytest.raises(binfmt.Error) as found:
            read()
        e = found.value
        assert (e.filename, e.path, e.offset) == (str(path), "[1].a", 2) and str(e).startswith(f"{path}: [1].a at byte 0x2: "), e
    with pytest.raises(binfmt.Error, match="^load: .*1 remain"):
        binfmt.open(b"\x01\x02\x03", schema="(int16)", name="load").to_dict()
    # what is read and what is written
    with pytest.raises(binfmt.Error) as found:
        binfmt.write(tmp_path / "out.bin", table, schema="(int16)")
    assert found.value.filename == str(path)
    with pytest.raises(binfmt.Error) as found:
        binfmt.write(tmp_path / "out.bin", {"a": [300]}, schema="(int8)")
    assert found.value.filename == str(tmp_path / "out.bin")
    with pytest.raises(binfmt.FileError) as found:
        binfmt.write(path / "out.csv", {"a": [300]})
    assert found.value.filename == str(path / "out.csv") and found.value.errno == errno.ENOTDIR
    path = tmp_path / "short.sdds"
    path.write_bytes(sdds[:-6])
    with pytest.raises(binfmt.Error) as found:
        [page["x"] for page in binfmt.open(path).pages]
    assert found.value.filename == str(path) and found.value.offset is not None
    pa = needs("pyarrow")
    with pytest.raises(pa.ArrowException, match="short.bin"):
        pa.table(table)


def corpus():
    return [path for path in sorted((DATA / "fuzz").rglob("*")) if path.is_file() and path.name != "README.md"]


LAYOUTS = ["u8", "R: record\n  a: u16\n  b: text, length_prefixed(u8)", "R: record\n  n: u8\n  v: [f32], count = n", "R: record\n  x: u8, nullable\n  y: f64"]


def use(data):
    """Everything that takes bytes; whatever they are, the answer is a value or a `binfmt.Error`."""
    attempts = [lambda: binfmt.open(data), lambda: binfmt.open(data, schema="(int8, string null, double null)")]
    attempts += [lambda name=name: binfmt.open(data, name) for name in ("sdds", "futhark", "npy", "csv", "jsonl", "beat")]
    attempts += [lambda text=text: binfmt.open(data, layout=text) for text in LAYOUTS]
    for attempt in attempts:
        try:
            table = attempt()
            repr(table)
            table.to_dict()
            if table.format == "sdds":
                [page.columns for page in table.pages]
        except binfmt.Error:
            pass
    for text in LAYOUTS:
        layout = binfmt.Layout(text)
        layout.dump(data)
        try:
            values = layout.decode_all(data)
        except binfmt.Error:
            continue
        assert layout.encode_all(values) == data or "nullable" in text
    try:
        binfmt.Layout(data.decode("utf-8", "replace"))
    except binfmt.Error:
        pass


@pytest.mark.parametrize("path", corpus(), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_the_fuzzer_found(path):
    use(path.read_bytes())


def test_random_bytes():
    chance = random.Random(7)
    for _ in range(150):
        use(bytes(chance.randrange(256) if chance.random() < 0.3 else chance.randrange(9) for _ in range(chance.randrange(120))))


def seeds():
    """What the fuzzer begins with, by target: the files of the real software, cut and put together."""
    sys.path.insert(0, str(ROOT / "binfmt" / "fuzz"))
    try:
        corpus = importlib.import_module("corpus")
    finally:
        del sys.path[0]
    return {path.stem: list(getattr(corpus, path.stem)()) for path in sorted((ROOT / "binfmt" / "fuzz" / "src" / "bin").glob("*.rs"))}


@pytest.mark.any_bytes
@pytest.mark.parametrize("target, inputs", seeds().items(), ids=lambda given: given if isinstance(given, str) else "")
def test_what_the_fuzzer_begins_with(target, inputs):
    assert inputs
    chance = random.Random(target)
    for data in inputs[:: len(inputs) // 40 + 1]:
        use(data)
        broken = bytearray(data[: chance.randrange(len(data) + 1)])
        if broken:
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        use(bytes(broken))


def damaged(chance, data):
    """Bytes of which some are others, or of which the end is missing."""
    broken = bytearray(data[: chance.choice((len(data), chance.randrange(len(data) + 1)))])
    for _ in range(chance.randrange(4) if broken else 0):
        broken[chance.randrange(len(broken))] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
    return bytes(broken)


def read(open_):
    """All that a table has, of which any part may be an error."""
    try:
        table = open_()
        repr(table)
        table.to_numpy()
        [table[name][:2] for name in table.names]
    except binfmt.Error:
        pass


def test_damaged_files_with_a_declaration():
    chance = random.Random(10)
    for path in sorted((DATA / "beat").glob("*/input.*")):
        schema = json.loads((path.parent / "content.json").read_text()).get("declaration")
        for _ in range(6):
            data = damaged(chance, path.read_bytes())
            read(lambda: binfmt.open(data, "beat", schema=schema))
    for path in sorted((DATA / "npy").rglob("*.npy")):
        for _ in range(6):
            data = damaged(chance, path.read_bytes())
            read(lambda: binfmt.open(data, "npy"))
    for path in sorted((DATA / "scidb").glob("*/input.bin"))[:20]:
        schema = json.loads((path.parent / "content.json").read_text()).get("format")
        for _ in range(6):
            data = damaged(chance, path.read_bytes())
            read(lambda: binfmt.open(data, "scidb", schema=schema))


def test_damaged_arrays(tmp_path):
    chance = random.Random(11)
    arrays = [path.with_suffix("") for path in sorted((DATA / "tiledb").glob("[ds]*.json")) if path.with_suffix("").is_dir()]
    for number, array in enumerate(arrays[:: len(arrays) // 30 + 1]):
        for turn in range(4):
            copy = tmp_path / f"{number}-{turn}"
            shutil.copytree(array, copy)
            path = chance.choice(sorted(path for path in copy.rglob("*") if path.is_file() and path.stat().st_size))
            path.write_bytes(damaged(chance, path.read_bytes()))
            read(lambda: binfmt.open(copy))


@pytest.mark.any_bytes
def test_damaged_files():
    chance = random.Random(8)
    paths = sorted((DATA / "sdds" / "official").glob("*_le*.sdds"))[:6] + sorted((DATA / "futhark").glob("*/input.bin"))[:6]
    for path in paths:
        data = bytearray(path.read_bytes())
        for _ in range(12):
            broken = bytearray(data[: chance.randrange(len(data) + 1)])
            if broken:
                broken[chance.randrange(len(broken))] = chance.randrange(256)
            use(bytes(broken))


def test_rows_before_damage_come_first():
    table = binfmt.open(bytes(range(9)), schema="(int16)")
    seen = []
    with pytest.raises(binfmt.Error):
        for batch in table.batches(2):
            seen.extend(batch["a"].tolist())
    assert len(seen) == 4


def test_threads(sdds):
    table = binfmt.open(sdds)
    big = binfmt.open(bytes(3_000_000), schema="(int8, int16)")
    wrong = []

    def work():
        try:
            for _ in range(20):
                assert table["x"].to_list() == [0.5, 1.5, 2.5]
                assert big["b"].to_numpy().sum() == 0
                with pytest.raises(binfmt.Error):
                    binfmt.Layout("u32").decode(b"abc")
        except BaseException as e:
            wrong.append(e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_one_iterator_in_several_threads():
    batches = binfmt.open(bytes(100_000), schema="(int8)")._raw.batches([0], None, 100)
    rows = []

    def work():
        for count, _ in batches:
            rows.append(count)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sum(rows) == 100_000


def test_other_threads_run_while_a_file_is_decoded():
    table = binfmt.open(bytes(60_000_000), schema="(int8, int8 null, int16)")
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(1)

    def ran():
        before = len(ticks)
        table["a"].to_numpy()
        return len(ticks) - before

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        # a busy machine may let the other thread wait for once
        assert any(ran() > 3 for _ in range(10))
    finally:
        done.set()
        thread.join()


def test_interrupts():
    import _thread
    import signal

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    table = binfmt.open(bytes(1_000_000), schema="(int8)")
    with pytest.raises(KeyboardInterrupt):
        for n, _ in enumerate(table.batches(1000)):
            if n == 5:
                _thread.interrupt_main()
            assert n < 50


def test_nothing_leaks(sdds):
    resource = pytest.importorskip("resource")
    import gc

    data = bytes(4_000_000)

    def work():
        table = binfmt.open(data, schema="(int8, int16 null)")
        table["a"].to_numpy()
        table.to_numpy()
        binfmt.open(sdds).pages[0].columns
        layout = binfmt.Layout("R: record\n  v: [u8], length_prefixed(u32)")
        layout.decode(layout.encode({"v": [1] * 1000}))
        try:
            layout.decode(b"abc")
        except binfmt.Error:
            pass

    def used():
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    for _ in range(10):
        work()
    before = used()
    for _ in range(40):
        work()
    assert used() - before < 8_000_000


def test_ctrl_c_ends_layouts():
    small, long = binfmt.Layout("R: record\n  x: u8\n  y: u8"), binfmt.Layout("[u8], length_prefixed(u32)")
    data = bytes(60_000_000)
    list_ = len(data).to_bytes(4, "little") + data
    for work in (lambda: small.decode_all(data), lambda: long.decode(list_), lambda: small.encode_all({"x": n % 9, "y": 0} for n in range(10**8))):
        assert hears_ctrl_c(work)


def test_ctrl_c_ends_reading(tmp_path):
    rows = 8_000_000
    # a page of text is one batch, and a condition that no row meets has no batch
    page = binfmt.open(b"SDDS1\n&column name=x, type=double &end\n&data mode=ascii &end\n%d\n" % rows + b"0.5\n" * rows)
    lines = binfmt.open(b"x\n" + b"1\n" * rows, format="csv")
    cells = binfmt.open(bytes(200_000_000), schema="(int8, int8)")
    for work in (
        lambda: page["x"].to_numpy(),
        lambda: page.where("x > 9").to_dict(),
        lambda: lines.where("x > 9").to_dict(),
        lambda: cells.where("a > 9").to_dict(),
        lambda: binfmt.write(tmp_path / "a.npy", page),
        lambda: list(page.batches(1000)),
    ):
        assert hears_ctrl_c(work)
    # an attempt that was too late has written it, and nothing else is there
    assert [path.name for path in tmp_path.iterdir()] in ([], ["a.npy"])
    assert not (tmp_path / "a.npy").exists() or len(binfmt.open(tmp_path / "a.npy")) == rows


def test_what_is_not_a_row_is_said():
    rows = binfmt.open(bytes(range(10)), schema="(int8)").rows
    for wrong, text in ("a", "the column is table"), ("b", "'b' is none"), (1.5, "1.5 is none"), ([1, 2], "one after the other"), (slice("a", None), "is a str"):
        with pytest.raises(TypeError, match=text):
            rows[wrong]
    for far in 10, -11, 1 << 63, -(1 << 70):
        with pytest.raises(IndexError, match="there are 10"):
            rows[far]
    assert len(rows[: 1 << 70]) == 10 and len(rows[1 << 62 :].rows[1 << 62 :]) == 0
    for wrong in ("x", 1.5, None):
        with pytest.raises(TypeError, match="number of rows"):
            rows[:].batches(wrong)
    assert len(next(rows[:].batches(1 << 70))["a"]) == 10


def test_what_a_column_has_not_is_not_read_for():
    column = binfmt.open(bytes(range(10)), schema="(int8)")["a"]
    assert not hasattr(column, "nothing") and "not read yet" in repr(column)
    wide = binfmt.open(bytes(range(8)), schema="(int32)")["a"]
    assert bytes(wide) == bytes(range(8))
    with pytest.raises(TypeError, match="not one memory"):
        bytes(binfmt.open(b"a\nx\n", format="csv")["a"])


def test_pages_of_some_rows(sdds):
    table = binfmt.open(sdds)
    for part in (table.rows[:1], table.where("x > 1")):
        assert not hasattr(part, "pages")
        with pytest.raises(AttributeError, match="pages are those of the whole file"):
            part.pages


def test_schemas_that_are_none():
    with pytest.raises(TypeError, match=r"schema='\(int8, double\)'"):
        binfmt.open(b"\1", schema=["int8", "double"])
    with pytest.raises(TypeError, match="not a int"):
        binfmt.open(b"\1", schema=5)


# what takes memory for all rows of a table, of which `name` is a column
WHOLE = [
    "table[name].to_numpy()",
    "table[name].cumsum()",
    "table[name].to_list()",
    "table[name][:]",
    "table.to_numpy()",
    "table.to_dict()",
    "table.to_list()",
    "table.rows[1:].to_dict()",
]
FRAMES = ["table.to_pandas()", "table.to_polars()", "table.to_arrow()", "table[name].to_arrow()"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems give memory that they do not have")
def test_memory_that_is_not_there(tmp_path):
    path = tmp_path / "large.bin"
    with open(path, "wb") as file:
        # a file with a hole takes no disk
        file.truncate(1 << 43)
    cases = [
        (binfmt.open(path, schema="(int64)"), "a"),
        (binfmt.open(path, schema="(int64, double)"), "a"),
        (binfmt.open(path, schema="(int64 null, double null)"), "b"),
        (binfmt.open(path, layout="Row: record, be\n  x: [f64; 64]"), "x"),
    ]
    for table, name in cases:
        for call in WHOLE + [call for call in FRAMES if all(map(installed, ("pandas", "polars", "pyarrow")))]:
            with pytest.raises(MemoryError, match="large.bin.*cannot allocate .* GiB") as e:
                eval(call, {"table": table, "name": name})
            assert isinstance(e.value, binfmt.OutOfMemoryError) and e.value.kind == "OutOfMemory", call
        # the process goes on, and parts can be read
        assert next(table.batches(10)).num_rows == 10


def installed(package):
    return importlib.util.find_spec(package) is not None


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is one of Linux")
def test_a_process_with_little_memory(tmp_path):
    rows, texts = tmp_path / "rows.bin", tmp_path / "texts.bin"
    with open(rows, "wb") as file:
        file.truncate(3 << 30)
    layout = "Row: record, le\n  name: text, length_prefixed(u8)"
    with open(texts, "wb") as file:
        # empty texts: a byte of the file is a row that takes eight
        file.truncate(1 << 28)
    code = """
import resource, sys, binfmt
path, name, schema, layout, call = sys.argv[1:]
table = binfmt.open(path, schema=schema or None, layout=layout or None)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (400 << 20),) * 2)
try:
    eval(call)
except MemoryError:
    print("no memory")
"""
    cases = [(rows, "a", "(int64, double)", "", call) for call in WHOLE] + [(texts, "name", "", layout, "table[name].to_numpy()")]
    for case in cases:
        done = subprocess.run([sys.executable, "-c", code, *map(str, case)], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "no memory\n"), (case, done.stderr[-300:])


LITTLE = """
import resource, sys, binfmt
from itertools import repeat
two, paged, zeros, limit = *sys.argv[1:4], int(sys.argv[4]) << 20
table, one = binfmt.open(two, schema="(int64, double)").where("a==0"), binfmt.Layout("Row: record\\n  a: u8\\n  b: u8")
nested = binfmt.Layout("All: record, le\\n  rows: [Row], until_eof\\nRow: record\\n  name: text, length_prefixed(u8)")
pairs = binfmt.Layout("[[u8; 2]], until_eof")
data = bytes(int(zeros) << 20)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + limit,) * 2)
try:
    eval(sys.argv[5])
except binfmt.OutOfMemoryError:
    print("no memory")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is one of Linux")
def test_what_is_made_in_pieces_and_does_not_fit(tmp_path):
    two, paged = tmp_path / "two.bin", tmp_path / "paged.sdds"
    with open(two, "wb") as file:
        file.truncate(1 << 30)
    rows = 1_000_000
    head = b"SDDS1\n!# little-endian\n&array name=a, type=double &end\n&column name=x, type=double &end\n&data mode=binary &end\n"
    with open(paged, "wb") as file:
        file.write(head + struct.pack("<ii", rows, 20 * rows))
        file.truncate(file.tell() + 21 * 8 * rows)

    def run(call, limit=500, zeros=0):
        values = map(str, (two, paged, zeros, limit, call))
        env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        return subprocess.run([sys.executable, "-c", LITTLE, *values], capture_output=True, text=True, env=env)

    cases = [("one.dump(data)", 500, 64), ("one.encode_all(repeat({'a': 1, 'b': 2}))", 500, 0)]
    # one value of millions of parts, and those of many records
    cases += [(f"{layout}.{call}(data)", 400, 24) for layout in ("nested", "pairs") for call in ("dump", "decode", "decode_all")]
    cases += [("nested.encode({'rows': [{'name': ''}] * 10_000_000})", 400, 0)]
    if installed("pyarrow"):
        cases.append(("__import__('pyarrow'), table.to_arrow()", 500, 0))
    for case in cases:
        done = run(*case)
        assert (done.returncode, done.stdout) == (0, "no memory\n"), (case, done.stderr[-300:])
    # the arrays of a page are there once
    done = run("print(len(binfmt.open(paged)['x'].to_numpy()))", 300)
    assert (done.returncode, done.stdout) == (0, f"{rows}\n"), done.stderr[-300:]
