#!/usr/bin/env python3
"""Random arrays: what libtiledb 1.6.3 writes, binfmt reads, and the other way round; 1.6.3 and the newest library judge.

Each case is a random schema (types, filters, orders, tiles, encryption) with a few random fragments. libtiledb 1.6.3 writes
it as `theirs`, the command makes it of JSON as `ours`, and both libraries and binfmt (`cargo test --test formats interop`) answer
the same random queries of both arrays. Each library works in a process of its own, because the old one crashes.

    tiledb_random.py [SEED] [--seconds N]

Goes on for two minutes, or as long as is said. What the libraries are known to do otherwise is in DIFFERENCES. Exit status
0: nothing else was found.
"""

import collections
import json
import os
import random
import shutil
import subprocess
import sys
import time


from common import WORK, cargo, command, inside_venv, seed
from tiledb_libraries import (
    FILTERS, NEWEST, NUMBERS, STEPS, TIMES, TYPES, Library, bounds, code, fill_of, in_process, size_of, without_this_folder,
)

FOLDER = WORK / "tiledb-random"
ROUND = 120
KEY = "0123456789abcdeF0123456789abcdeF"
LEVELS = dict(GZIP=range(-1, 10), ZSTD=[-1, 1, 3, 9, 19], LZ4=[-1, 0, 5], RLE=[-1], BZIP2=[-1, 1, 5, 9], DOUBLE_DELTA=[-1])
INTEGERS = ["INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64"]
QUIET = {"sm.num_tbb_threads": "1", "sm.compute_concurrency_level": "1", "sm.io_concurrency_level": "1"}


def of(pipeline):
    return [one["type"] for one in pipeline["filters"]]


def random_pipeline(rng, floats):
    names = [name for name in FILTERS if not (floats and name == "DOUBLE_DELTA")]
    filters = []
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3])):
        name = rng.choice(names)
        one = dict(type=name)
        if name in LEVELS:
            one["level"] = rng.choice(LEVELS[name])
        if name in ("BIT_WIDTH_REDUCTION", "POSITIVE_DELTA"):
            one["max_window"] = rng.choice([8, 16, 24, 100, 256, 1024])
        filters.append(one)
    return dict(filters=filters, max_chunk_size=rng.choice([65536, 65536, 1, 13, 40, 64, 200]))


def random_schema(rng):
    sparse = rng.random() < 0.5
    kinds = INTEGERS + [f"DATETIME_{unit}" for unit in TIMES] + ["FLOAT32", "FLOAT64"] * (4 * sparse)
    dim_type = rng.choice(kinds)
    kind, floats = code(dim_type), dim_type.startswith("FLOAT")
    dims = []
    for i in range(rng.choice([1, 1, 2, 2, 3])):
        # libtiledb 1.6.3 takes times for unsigned
        lowest = 0 if kind[0] == "u" or dim_type not in NUMBERS and rng.random() < 0.9 else -8
        low = rng.randrange(lowest, 9)
        high = low + rng.randrange(0, 12)
        dims.append(dict(name=f"d{i}", lo=low, hi=high, extent=rng.randrange(1, high - low + 2)))
    if floats:
        dims = [{name: x if name == "name" else float(x) for name, x in dim.items()} for dim in dims]
    attrs = []
    for i in range(rng.randrange(1, 5)):
        datatype = rng.choice(TYPES)
        count = "var" if datatype == "ANY" else rng.choice([1, 1, 1, 2, 3, "var", "var"])
        filters = random_pipeline(rng, datatype.startswith("FLOAT"))
        attrs.append(dict(name=f"a{i}", type=datatype, cell_val_num=count, filters=filters))
    return dict(
        array_type="sparse" if sparse else "dense", dim_type=dim_type, dims=dims, attrs=attrs, capacity=rng.randrange(1, 30),
        tile_order=rng.choice(["row", "col"]), cell_order=rng.choice(["row", "col"]),
        coords_filters=random_pipeline(rng, floats), offsets_filters=random_pipeline(rng, False),
    )


def random_values(rng, datatype, count):
    """The bytes of that many values."""
    kind = code(datatype)
    size, way = size_of(datatype), rng.random()
    kind = f"u{size}" if kind[0] == "S" else kind
    if way < 0.2:
        return rng.randbytes(count * size)
    if way < 0.4:
        return rng.randbytes(size) * count
    if kind[0] == "f":
        return numpy.array([rng.choice([0.0, -0.0, 1.5, rng.gauss(0, 100)]) for _ in range(count)], kind).tobytes()
    least = 1 if datatype not in NUMBERS or kind[0] == "u" else -40
    values = [rng.randrange(least, 100) for _ in range(count)]
    return numpy.array(sorted(values) if way < 0.7 else values, kind).tobytes()


def random_columns(rng, schema, count):
    columns = {}
    for attribute in schema["attrs"]:
        size, per_cell = size_of(attribute["type"]), attribute["cell_val_num"]
        # libtiledb 1.6.3 writes no empty cells
        lengths = [rng.randrange(1, 6) if per_cell == "var" else per_cell for _ in range(count)]
        raw, at, cells = random_values(rng, attribute["type"], sum(lengths)), 0, []
        for length in lengths:
            cells.append(raw[at : at + length * size])
            at += length * size
        columns[attribute["name"]] = cells
    return columns


def random_fragments(rng, schema):
    whole = [(dim["lo"], dim["hi"]) for dim in schema["dims"]]
    floats, fragments = isinstance(whole[0][0], float), []
    for number in range(rng.choice([1, 1, 2, 3])):
        if schema["array_type"] == "sparse" or rng.random() < 0.1:
            place = (lambda low, high: rng.uniform(low, high)) if floats else rng.randint
            if schema["dim_type"] == "FLOAT32":
                place = lambda low, high: float(numpy.float32(min(max(rng.uniform(low, high), low), high)))
            cells = sorted({tuple(place(low, high) for low, high in whole) for _ in range(rng.randrange(1, 60))})
            rng.shuffle(cells)
            columns = random_columns(rng, schema, len(cells))
            fragments.append(dict(coords=cells, columns=columns))
        else:
            region = [sorted((rng.randint(*ends), rng.randint(*ends))) for ends in whole]
            region = [list(ends) for ends in whole] if rng.random() < 0.4 else region
            count = int(numpy.prod([high - low + 1 for low, high in region], dtype=int))
            order = rng.choice(["row", "col"])
            fragments.append(dict(region=region, order=order, columns=random_columns(rng, schema, count)))
    return fragments


def random_queries(rng, schema, fragments):
    whole = [[dim["lo"], dim["hi"]] for dim in schema["dims"]]
    queries = [dict(region=whole, order="row", at=None), dict(region=whole, order="col", at=None)]
    for _ in range(2):
        part = [sorted((rng.choice([low, high, rng.uniform(low, high)]), rng.choice([low, high]))) for low, high in whole]
        part = [[type(whole[0][0])(round(x)) for x in ends] for ends in part]
        at = rng.choice([None, 10 * rng.randrange(1, len(fragments) + 1)])
        queries.append(dict(region=part, order=rng.choice(["row", "col"]), at=at))
    return queries


def plain(raw, attribute):
    """A cell as the JSON form has it."""
    kind = code(attribute["type"])
    if kind[0] == "S":
        return dict(hex=raw.hex())
    values = numpy.frombuffer(raw, kind)
    bits = lambda value: dict(bits=value.tobytes()[::-1].hex())
    values = [bits(value) if kind[0] == "f" else int(value) for value in values]
    return values[0] if attribute["cell_val_num"] == 1 else values


def document(case):
    fragments = []
    for number, fragment in enumerate(case["fragments"]):
        time_, columns = 10 * (number + 1), fragment["columns"]
        cells = {a["name"]: [plain(raw, a) for raw in columns[a["name"]]] for a in case["schema"]["attrs"]}
        found = dict(timestamps=[time_, time_], attributes=cells)
        if "coords" in fragment:
            found["coords"] = [list(place) for place in fragment["coords"]]
        else:
            found |= dict(non_empty_domain=fragment["region"], order=fragment["order"])
        fragments.append(found)
    return dict(format="tiledb", schema=case["schema"], fragments=fragments)


def random_case(number):
    rng = random.Random(number)
    schema = random_schema(rng)
    fragments = random_fragments(rng, schema)
    key = KEY if rng.random() < 0.15 else None
    consolidate = rng.random() < 0.1 and len(fragments) > 1
    return dict(number=number, schema=schema, fragments=fragments, key=key, consolidate=consolidate,
                queries=random_queries(rng, schema, fragments))


def write_theirs(case, path):
    """Writes the array with libtiledb 1.6.3; fragments are named so that their times are small numbers."""
    library, schema = Library("1.6.3", case["key"], QUIET), case["schema"]
    library.create(path, schema)
    for number, fragment in enumerate(case["fragments"]):
        before = set(os.listdir(path))
        if "coords" in fragment:
            places = numpy.array(fragment["coords"], code(schema["dim_type"])).tobytes()
            library.write(path, schema, "unordered", None, places, fragment["columns"])
        else:
            library.write(path, schema, fragment["order"], fragment["region"], None, fragment["columns"])
        [name] = set(os.listdir(path)) - before
        time_ = 10 * (number + 1)
        os.rename(path / name, path / f"__{time_}_{time_}_{name.split('_')[-1]}")
    if case["consolidate"]:
        library.consolidate(path)
    return "written"


def answers(case, path, version):
    library, found = Library(version, case["key"], QUIET), []
    for query in case["queries"]:
        try:
            cells, places = library.read(path, case["schema"], query["region"], query["order"], query["at"])
            cells = {name: [cell.hex() for cell in cells] for name, cells in cells.items()}
            for dim, raw in zip(case["schema"]["dims"], places):
                size = size_of(case["schema"]["dim_type"])
                cells[dim["name"]] = [raw[i : i + size].hex() for i in range(0, len(raw), size)]
            found.append(cells)
        except Exception as refused:
            found.append(dict(error=str(refused)))
    return json.dumps(found)


def run_case(job):
    """One case in two arrays, and what the libraries say; written beside them."""
    number, folder, binfmt = job
    case = random_case(number)
    found = dict(number=number, theirs={}, ours={})
    text, failure = in_process(lambda: wrapped(write_theirs, case, folder / "theirs"))
    found["written"] = failure or text
    (folder / "ours.json").write_text(json.dumps(document(case)))
    words = [*(["--key", case["key"]] if case["key"] else []), folder / "ours.json", folder / "ours.tiledb"]
    run = subprocess.run([binfmt, "convert", *map(str, words)], capture_output=True, text=True)
    found["converted"] = "written" if run.returncode == 0 else run.stderr.strip().replace(str(folder), "")
    for which, there in (("theirs", found["written"] == "written"), ("ours", run.returncode == 0)):
        path = folder / ("ours.tiledb" if which == "ours" else which)
        if not there:
            shutil.rmtree(path, ignore_errors=True)
            continue
        for version in ("1.6.3", NEWEST):
            text, failure = in_process(answers, case, path, version)
            found[which][version] = json.loads(text) if text else [dict(error=failure)] * len(case["queries"])
    queries = [dict(q, region=[[float(x) if isinstance(x, float) else x for x in e] for e in q["region"]]) for q in case["queries"]]
    (folder / "queries.json").write_text(json.dumps(dict(key=case["key"], queries=queries)))
    (folder / "libraries.json").write_text(json.dumps(found))
    return number


def wrapped(work, *arguments):
    try:
        return work(*arguments)
    except Exception as refused:
        return f"refused: {refused}"


def crowded(case, query, answer):
    """Sparse cells in a dense array, then a dense write."""
    kinds = ["coords" in fragment for fragment in case["fragments"]]
    return case["schema"]["array_type"] == "dense" and any(a and not b for i, a in enumerate(kinds) for b in kinds[i + 1 :])


def early(case, query, answer):
    return case["consolidate"] and query is not None and query["at"] is not None


def times_below_zero(case, query, answer):
    schema, coords = case["schema"], any("coords" in fragment for fragment in case["fragments"])
    return coords and schema["dim_type"] not in NUMBERS and any(dim["lo"] < 0 for dim in schema["dims"])


def pipelines(case):
    """The pipelines of a schema, and the types that they filter."""
    schema = case["schema"]
    yield schema["coords_filters"], schema["dim_type"]
    yield schema["offsets_filters"], "UINT64"
    yield from ((attribute["filters"], attribute["type"]) for attribute in schema["attrs"])


def acting(pipeline, datatype):
    passes = {"NONE"} | ({"BIT_WIDTH_REDUCTION", "POSITIVE_DELTA"} if datatype not in INTEGERS else set())
    return [one["type"] for one in pipeline["filters"] if one["type"] not in passes]


def doubled_late(case, query, answer):
    """Double delta gets parts whose length is any."""
    return any("DOUBLE_DELTA" in acting(*both)[1:] for both in pipelines(case))


def rising_by_chance(case, query, answer):
    """Positive delta of what another filter gives, when it is written."""
    return query is None and any("POSITIVE_DELTA" in acting(*both)[1:] for both in pipelines(case))


def wide_windows(case, query, answer):
    """Windows of signed integers, whose distances may be larger than the type."""
    return any("BIT_WIDTH_REDUCTION" in acting(*both) and both[1] in ("INT16", "INT32", "INT64") for both in pipelines(case))


def short_cells(case, query, answer):
    """Run lengths of parts that are not whole cells: of coordinates, whose cells are those of all dimensions although each
    dimension stands by itself, and of what another filter leaves."""
    coords = "RLE" in of(case["schema"]["coords_filters"]) and len(case["schema"]["dims"]) > 1
    return coords or any("RLE" in acting(*both)[1:] for both in pipelines(case))


def several(case, query, answer):
    """A dense array of several fragments."""
    return case["schema"]["array_type"] == "dense" and len(case["fragments"]) > 1


def fewer(case, query, answer):
    """Not as many cells as a region of a dense array has."""
    if case["schema"]["array_type"] != "dense" or answer is None or "error" in answer:
        return False
    cells = numpy.prod([high - low + 1 for low, high in query["region"]], dtype=int)
    return any(len(found) < cells for found in answer.values())


# What a library is known to do otherwise: the array, who answers otherwise, which cases, and why.
DIFFERENCES = [
    ("any", "both", crowded,
     "sparse cells in a dense array win over a later dense write of a part of the domain; the description: the last write does"),
    ("theirs", NEWEST, early, "a consolidated fragment does not count at a time within its own; to 1.6.3 it does"),
    ("theirs", "both", times_below_zero, "1.6.3 takes times for unsigned where it sorts cells and makes their boxes"),
    ("theirs", "both", doubled_late, "1.6.3 loses the rest of a part that is not a whole number of values of double delta"),
    ("theirs", "both", short_cells, "1.6.3 loses the rest of a part that is not a whole number of cells of RLE"),
    ("any", "1.6.3", several, "1.6.3 ends with a signal, or gives fill values, at some dense arrays of several fragments, its own too"),
    ("any", "1.6.3", fewer, "1.6.3 leaves out cells of a dense region; to the newest all of them are there"),
    ("theirs", "both", rising_by_chance, "whether compressed bytes rise depends on the compressor, which is another in 1.6.3"),
    ("theirs", "both", wide_windows, "1.6.3 loses values where the distances in a window exceed the signed type"),
]


def known(case, which, reader, query=None, answer=None):
    return next((why for array, who, applies, why in DIFFERENCES
                 if array in ("any", which) and who in ("both", reader) and applies(case, query, answer)), None)


def without_garbage(case, found, wanted):
    """libtiledb 1.6.3 returns garbage for cells of variable length that were never written: these are left out."""
    if case["schema"]["array_type"] != "dense":
        return found
    found = dict(found)
    for attribute in case["schema"]["attrs"]:
        name, fill = attribute["name"], fill_of(attribute["type"]).hex()
        if attribute["cell_val_num"] == "var" and len(found.get(name, [])) == len(wanted.get(name, [])):
            found[name] = [b if b == fill else a for a, b in zip(found[name], wanted[name])]
    return found


def judge(folder, tally):
    """What is wrong with a case."""
    found = json.loads((folder / "libraries.json").read_text())
    binfmt = json.loads((folder / "binfmt.json").read_text())
    case, wrong = random_case(found["number"]), []
    tally["written by 1.6.3" if found["written"] == "written" else f"1.6.3: {found['written'][:110]}"] += 1
    if found["converted"] != "written":
        reason = " ".join(word for word in found["converted"].split(": ")[-1].split() if not word.isdigit())
        tally[f"refused by binfmt: {reason}"] += 1
        if found["written"] == "written" and not known(case, "theirs", "1.6.3"):
            wrong.append(f"refused to write: {found['converted']}")
    else:
        tally["written by binfmt"] += 1
    for which in ("theirs", "ours"):
        for query, mine, old, new in zip(case["queries"], binfmt[which], *(found[which].get(v, []) for v in ("1.6.3", NEWEST))):
            tally[f"queries of {which}"] += 1
            old = without_garbage(case, old, mine) if "error" not in mine and "error" not in old else old
            for reader, theirs in (("1.6.3", old), (NEWEST, new)):
                if theirs == mine or "error" in theirs and "error" in mine:
                    continue
                why = known(case, which, reader, query, theirs)
                tally[f"otherwise, {which}, {reader}: {why}"] += 1
                if not why:
                    names = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
                    of_name = [str(answer.get(names[0]))[:300] for answer in (theirs, mine)]
                    wrong.append(f"{which}, {reader}, {query}: {names}: {of_name[0]}, binfmt: {of_name[1]}")
    for query, theirs, ours in zip(case["queries"], binfmt["theirs"], binfmt["ours"]):
        if theirs != ours and not case["consolidate"] and not known(case, "theirs", "1.6.3", query):
            wrong.append(f"theirs and ours have other cells: {query}")
    return [f"case {found['number']} ({folder}): {text}" for text in wrong]


def one_round(first, pool, binfmt, tally):
    shutil.rmtree(FOLDER / "cases", ignore_errors=True)
    jobs = []
    for number in range(first, first + ROUND):
        folder = FOLDER / "cases" / str(number)
        folder.mkdir(parents=True)
        jobs.append((number, folder, binfmt))
    list(pool.map(run_case, jobs))
    cargo("tiledb_random::answers", FOLDER)
    return [text for _, folder, _ in jobs for text in judge(folder, tally)]


if __name__ == "__main__":
    inside_venv("tiledb", STEPS)
    without_this_folder()
    import multiprocessing

    import numpy

    words = sys.argv[1:]
    seconds = int(words[words.index("--seconds") + 1]) if "--seconds" in words else 100
    if "--seconds" in words:
        del sys.argv[1 + words.index("--seconds") : 3 + words.index("--seconds")]
    command()
    binfmt, tally, wrong = str(WORK.parent / "debug" / "binfmt"), collections.Counter(), []
    first, end, rounds = seed() << 20, time.monotonic() + seconds, 0
    shutil.rmtree(FOLDER, ignore_errors=True)
    # processes without threads, so that they can be divided
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        while time.monotonic() < end and not wrong:
            wrong += one_round(first + rounds * ROUND, pool, binfmt, tally)
            rounds += 1
    for text, count in sorted(tally.items()):
        print(f"{count:7} {text}")
    if wrong:
        raise SystemExit("\n".join(wrong))
    print(f"interop tiledb: {rounds * ROUND} random arrays, nothing differs that is not known")
