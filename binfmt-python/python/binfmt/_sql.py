"""Questions in SQL, which duckdb answers."""

import os

from binfmt._column import Column
from binfmt._open import open
from binfmt._pages import Page, Pages
from binfmt._table import Table
from binfmt._write import to_table


def sql(query, **tables):
    """The rows that a query of SQL gives, as a `Table`; `None` if it gives none.

    The query names files of any format in quotes (`from 'run0.sdds'`; `from 'run*.sdds'` has the rows of all of them, in the order of
    their names), and `tables`: a `Table`, a path, a dict of columns, or whatever duckdb takes, such as a data frame. As in the program `binfmt-sql`, a
    file that needs a schema or settings is opened by the function of its format: `scidb('load.bin', '(int8)')`, `layout('log.bin', 'log.layout')`,
    `sdds('f', arrays => '*')`, `binfmt('any', 'format=csv')`; `sdds_parameters('f')` has a row for each page, `binfmt_columns('f')` what is said of the
    columns. The columns `_page`, `_row`, `_offset` and `_file` are there if the query names them, and folders of a pattern such as `year=*` are columns.
    It needs the package duckdb, whose SQL it is and whose errors come from the query. All columns of these files are read. As in duckdb's own
    data frames, decimal numbers become floats, and of two columns of one name the second is `x_1`.

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
            _register(connection, name, _given(table))
        # it needs what takes long to import
        from binfmt._named import named

        query, files = named(query, tables)
        for name, parts in files.items():
            if len(parts) == 1 and not parts[0][1]:
                _register(connection, name, parts[0][0])
                continue
            for number, (table, _) in enumerate(parts):
                _register(connection, f"{name} {number}", table)
            every = " union all by name ".join(f'select *{more} from "{name} {number}"' for number, (_, more) in enumerate(parts))
            connection.execute(f'create view "{name}" as {every}')
        return _rows(connection, query)


def _register(connection, name, table):
    """A table by its name. Its days are dates there, which as times of Arrow they are not."""
    days = [field.name for field in table.schema if field.logical and field.logical[:2] == ("timestamp", "D")] if isinstance(table, Table) else []
    if days:
        casts = ", ".join('cast("{0}" as date) as "{0}"'.format(day.replace('"', '""')) for day in days)
        table = connection.from_arrow(table).project(f"* replace ({casts})")
    connection.register(name, table)


def _given(table):
    """What duckdb takes as a table."""
    if isinstance(table, (str, bytes, os.PathLike)):
        return open(table)
    return to_table(table) if isinstance(table, (dict, list, Column, Page, Pages)) else table


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
