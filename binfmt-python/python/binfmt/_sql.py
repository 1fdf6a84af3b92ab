"""Questions in SQL, which duckdb answers."""

import os

from binfmt._column import Column
from binfmt._error import Error
from binfmt._open import open
from binfmt._write import to_table

_TOKEN = r"""(?s)--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|\S"""
# after which a list of tables has ended
_ENDS = frozenset("where group order having limit union except intersect select on using window qualify set values )".split())


def sql(query, **tables):
    """The rows that a query of SQL gives, as a `Table`; `None` if it gives none.

    The query names files of any format in quotes (`from 'run0.sdds'`; `from 'run*.sdds'` has the rows of all of them, in the order of
    their names), and `tables`: a `Table`, a path, a dict of columns, or whatever duckdb takes, such as a data frame. A file that needs a schema or settings is
    such a table: `binfmt.sql("select * from t", t=binfmt.open("load.bin", schema="(int8)"))`. It needs the package duckdb, whose SQL
    it is and whose errors come from the query. All columns of these files are read. As in duckdb's own data frames, decimal numbers become
    floats, and of two columns of one name the second is `x_1`.

    Each call is a database of its own in memory: what `set`, `create` and the like do is gone after it, and `show tables` names what this call
    was given. Statements after `;` are in the same call, and the rows are those of the last: `"set threads = 1; select .."`.

    >>> import binfmt
    >>> table = binfmt.open(b"n,word\\n1,one\\n2,two\\n3,three\\n", format="csv")
    >>> binfmt.sql("select word, n * 10 as ten from t where n > 1 order by n desc", t=table).to_dict()
    {'word': ['three', 'two'], 'ten': [30, 20]}
    """
    try:
        import duckdb
    except ImportError as e:
        raise ImportError("binfmt.sql needs the package duckdb: pip install duckdb") from e
    with duckdb.connect(":memory:") as connection:
        # names are those that are given, not the variables of this function
        connection.execute("set python_enable_replacements = false")
        for name, table in tables.items():
            connection.register(name, _given(table))
        query, files = _named(query, tables)
        for name, several in files.items():
            if len(several) == 1:
                connection.register(name, several[0])
                continue
            parts = [f"{name} {number}" for number in range(len(several))]
            for part, table in zip(parts, several):
                connection.register(part, table)
            every = " union all by name ".join(f'select * from "{part}"' for part in parts)
            connection.execute(f'create view "{name}" as {every}')
        return _rows(connection, query)


def _given(table):
    """What duckdb takes as a table."""
    if isinstance(table, (str, bytes, os.PathLike)):
        return open(table)
    return to_table(table) if isinstance(table, (dict, list, Column)) else table


def _rows(connection, query):
    """The rows of a query as a table. A thread asks for them, as duckdb does not hear Ctrl-C everywhere, and says something else then."""
    from concurrent.futures import ThreadPoolExecutor, wait

    def ask():
        found = connection.sql(query)
        return None if found is None else to_table(found)

    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(ask)
        try:
            while not wait([asked], 0.1).done:
                pass
        except BaseException:
            # not heard before it has begun
            while not wait([asked], 0.05).done:
                connection.interrupt()
            raise
        return asked.result()


def _named(query, tables):
    """The query with names for the files in quotes, and their tables. What is not a file, or is one of duckdb's own, stays."""
    # the package itself is imported without it
    import re

    files, made, parts, at = {}, {}, [], 0
    expected = inside = False
    for token in re.finditer(_TOKEN, query):
        text = token[0]
        if text.startswith(("--", "/*")):
            continue
        word = text.lower()
        if expected and text.startswith("'"):
            path = text[1:-1].replace("''", "'")
            name = made.get(path) or _file(path, tables, files)
            if name is not None:
                made[path] = name
                parts += [query[at : token.start()], f'"{name}"']
                at = token.end()
        if word in ("from", "join"):
            expected = inside = True
        elif word in _ENDS:
            expected = inside = False
        else:
            expected = inside and text == ","
    return "".join([*parts, query[at:]]), files


def _file(path, tables, files):
    """The name of a file, or of those that a pattern means, as a table, called as the file where that is not taken."""
    paths = [path] if os.path.exists(path) else _matches(path)
    if not paths:
        return None
    try:
        found = [open(path) for path in paths]
    except Error:
        if os.path.splitext(path)[1].lower() in (".parquet", ".json", ".csv", ".tsv", ".jsonl", ".ndjson"):
            return None
        raise
    stem = os.path.basename(os.path.normpath(path)).split(".")[0]
    names, name = {taken.lower() for taken in (*tables, *files)}, stem.translate(dict.fromkeys(map(ord, '"*?[]'))) or "file"
    while name.lower() in names:
        name += "_"
    files[name] = found
    return name


def _matches(pattern):
    if not any(sign in pattern for sign in "*?["):
        return []
    import glob

    return sorted(glob.glob(pattern))
