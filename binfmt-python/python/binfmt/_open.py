"""Opening files."""

import io
import os
import stat

from binfmt import _binfmt
from binfmt._error import Error, MissingFileError, _made, _names_file, _text_of
from binfmt._layout import Layout
from binfmt._table import Table


# files of others by their first bytes: what they are, and who reads them
_OTHERS = {
    b"PAR1": ("Parquet", "pandas.read_parquet(path), polars.read_parquet(path) or pyarrow.parquet.read_table(path)"),
    b"ARROW1": ("Arrow", "pandas.read_feather(path), polars.read_ipc(path) or pyarrow.feather.read_table(path)"),
    b"\x89HDF": ("HDF5", "pandas.read_hdf(path) or h5py.File(path)"),
}


def formats():
    """The formats, each with its settings and what they mean: those of `open`, and those of `write`, of which that is said.

    >>> import binfmt
    >>> sorted(binfmt.formats())[:3]
    ['beat', 'csv', 'futhark']
    >>> "schema" in binfmt.formats()["scidb"]
    True
    >>> binfmt.formats()["sdds"]["mode"]
    'when written: ascii or binary'
    """
    return {name: _both(dict(read), dict(write)) for name, read, write in _binfmt.formats()}


def _both(read, write):
    """The settings for reading, and those for writing that mean something else."""
    others = {name: f"when written: {said}" for name, said in write.items() if said != read.get(name)}
    return {**read, **others, **{name: f"{read[name]}; {others[name]}" for name in read.keys() & others.keys()}}


def open(source, format=None, *, schema=None, layout=None, name="bytes", file_names=False, **settings):
    """Opens a file, or several, as a table.

    `source` is a path, `bytes`, anything with a buffer (`bytearray`, `memoryview`, `mmap`, an array), or a file object. An array of TileDB is a
    folder. A file object and a pipe (`/dev/stdin`, one that `mkfifo` has made) are read to their end at once, and so is a file of up to
    64 KiB: what becomes of it later does not show.

    A list of sources, or a path with `*`, `?` or `[..]` (`**` for folders in folders), is several files with the same columns, whose rows come one
    after the other; those of a pattern in the order of their names. With `file_names` the column `_file` has the name of the file of each row. The
    numbers of `page_numbers`, `row_numbers` and `offsets` are those within each file.

    `format` is one of `formats()`; without it the file itself tells. `schema` is what some formats do not say themselves: of SciDB the
    format string or the AFL schema, of BEAT the declaration, as text, JSON, or the path of a file with it: a `pathlib.Path`, or text that
    ends in `.json`, `.schema` or `.afl`. `layout` is a `Layout`, or its text, its JSON or the path of a file with it (a `pathlib.Path`, or text that
    ends in `.layout` or `.json`): the file is rows of it. The
    other arguments are the settings of the format, where names may be a list: `arrays=["x", "y"]` of SDDS. `name` is what bytes are called in
    errors.

    >>> import binfmt
    >>> binfmt.open(b"\\x01\\x02\\x03", schema="(int8)").to_numpy().tolist()
    [(1,), (2,), (3,)]
    >>> binfmt.open(b"\\x01\\x00\\x02\\x00", layout="Row: record\\n  x: u16")["x"].to_numpy()
    array([1, 2], dtype=uint16)

    >>> binfmt.open([b"a\\n1\\n", b"a\\n2\\n"], format="csv")["a"].to_list()
    [1, 2]

    Raises `binfmt.Error`, which says the place of what is wrong, and `binfmt.MissingFileError` if there is no such file.
    """
    several = source if isinstance(source, (list, tuple)) else _matches(source)
    if several is not None or file_names:
        how = {"format": format, "schema": schema, "layout": layout, **settings}
        tables = [open(one, name=f"{name} {number}", **how) for number, one in enumerate([source] if several is None else several)]
        return Table._together(tables, file_names) if file_names or len(tables) != 1 else tables[0]
    words = {name: _word(value) for name, value in settings.items() if value is not None}
    if layout is not None:
        format = format or "layout"
        layout = layout if isinstance(layout, Layout) else getattr(layout, "LAYOUT", None) or Layout(layout)
        words["layout"] = layout.text
        words.setdefault("endian", layout.endian)
    if schema is not None:
        words["schema"] = _schema(schema)
        if format is None and words["schema"].lstrip().startswith(("(", "<")):
            format = "scidb"
    given = (_source(source), name, format, words)
    try:
        return Table._opened(_binfmt.open_table(*given), given)
    except MissingFileError as e:
        if not _is_pipe(given[0]):
            raise _elsewhere(e, given[0]) from None
    except Error as e:
        raise _of_others(e, given[0]) if format is None else e from None
    given = (_all_of(given[0]), given[0], format, words)
    return Table._opened(_binfmt.open_table(*given), given)


def _matches(source):
    """The paths that a pattern means; `None` if it is the name of a file, or means none."""
    if not isinstance(source, (str, os.PathLike)) or not any(sign in os.fspath(source) for sign in "*?[") or os.path.exists(source):
        return None
    import glob

    return sorted(glob.glob(os.fspath(source), recursive=True)) or None


def _of_others(e, source):
    """The error of a file of no known format, which says who reads it if that is known."""
    head = source[:8]
    if isinstance(source, str) and os.path.isfile(source):
        with io.open(source, "rb") as file:
            head = file.read(8)
    for magic, (what, calls) in _OTHERS.items():
        if isinstance(head, bytes) and head.startswith(magic):
            return _made(f"{e}: it is a file of {what}, for which there is {calls}; binfmt.write takes what they give", e.kind, e.offset, e.path, filename=e.filename)
    return e


def _elsewhere(e, source):
    """The error of a file that is not there, which says more if it could be none."""
    if not isinstance(source, str) or e.filename != source:
        return e
    if "://" in source:
        more = "; what is not on disk is opened by its bytes or a file object"
    elif any(sign in source for sign in "*?["):
        more = "; no name of a file is of this pattern"
    else:
        return e
    return _made(f"{e}{more}", e.kind, e.offset, e.path, errno=e.errno, filename=e.filename)


def _schema(schema):
    """The text of a schema: it may be a path, or what JSON says."""
    import json

    if isinstance(schema, os.PathLike) or isinstance(schema, str) and _names_file(schema):
        return _text_of(schema, "the schema")
    if isinstance(schema, (list, tuple)) and schema and all(isinstance(one, str) for one in schema):
        raise TypeError(f"a schema of SciDB is one text: schema='({', '.join(schema)})'")
    if not isinstance(schema, (str, list, dict)):
        raise TypeError(f"a schema is text, what JSON says, or a pathlib.Path, not a {type(schema).__name__}")
    return schema if isinstance(schema, str) else json.dumps(schema)


def _word(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ",".join(f"{name}:{kind}" for name, kind in value.items())
    if hasattr(value, "isoformat"):
        return value.isoformat(timespec="milliseconds") if hasattr(value, "hour") else value.isoformat()
    if isinstance(value, (list, tuple)):
        return ",".join(map(_word, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _source(source):
    """A path or bytes of whatever was given."""
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else _bytes(source)


def _is_pipe(path):
    try:
        return isinstance(path, str) and stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _all_of(path):
    """What comes through a pipe, of which nothing can be read twice."""
    with io.open(path, "rb") as pipe:
        return pipe.read()


def _bytes(source):
    if isinstance(source, bytes):
        return source
    try:
        memory = memoryview(source)
        if "O" in memory.format:
            raise ValueError("objects of Python are not bytes of a file: give an array of numbers")
        return bytes(memory)
    except TypeError:
        if not hasattr(source, "read"):
            raise TypeError(f"a file is opened by its path, its bytes, a buffer or a file object, not by a {type(source).__name__}") from None
        found = source.read()
        if isinstance(found, str):
            raise TypeError("the file is open as text: open it with mode 'rb'")
        return bytes(found)
