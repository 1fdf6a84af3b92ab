"""The files that a query of SQL names, in the words of the program `binfmt-sql`."""

import os
import re

from binfmt import _binfmt
from binfmt._error import Error
from binfmt._open import _matches, open
from binfmt._write import _format_of, to_table

_TOKEN = re.compile(
    r"""(?sx) --[^\n]*
    | /\*(?:(?!/\*|\*/).|/\*(?:(?!/\*|\*/).)*\*/)*\*/
    | (?:\$(?P<tag>(?:[^\W\d]\w*)?)\$).*?\$(?P=tag)\$
    | [eE]'(?:[^'\\]|''|\\.)*'
    | '(?:[^']|'')*'
    | "(?:[^"]|"")*"
    | \w[\w$]* | => | := | \S"""
)
# after which a list of tables has ended; what stands in brackets has lists of its own
_ENDS = frozenset("where group order having limit union except intersect select window qualify set values ;".split())
# what a statement begins with that has its table at once
_STATEMENTS = frozenset("table describe desc show summarize pivot unpivot".split())
# after which a statement begins, or one within brackets
_BEFORE = frozenset("; ( ) all as describe explain analyze except intersect name summarize union".split())
# with what a bracket begins that is a query: in others `from` is a word of a function, such as `trim(both 'x' from a)`
_QUERIES = _STATEMENTS | frozenset("select from with insert update delete ( values".split())
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
# before which a star is all columns
_STARS = frozenset("select distinct all ,".split())
# what duckdb reads itself, if no format of this package does
_DUCKDB = (".parquet", ".json", ".csv", ".tsv", ".jsonl", ".ndjson")
# columns that are there when they are named, by their settings
_HIDDEN = {"_page": "page_numbers", "_row": "row_numbers", "_offset": "offsets"}
# functions of which the second argument is no layout
_SCHEMAS = ("scidb", "beat")
# in the name of a folder, a value that is missing
_MISSING = "__HIVE_DEFAULT_PARTITION__"


class _Scope:
    """A `select`: the places of its stars, and the hidden columns of its files; whether it is a query, and is in its list of tables."""

    def __init__(self, is_query, inside=False):
        self.has_select, self.stars, self.hidden = False, [], set()
        self.is_query, self.inside = is_query, inside


def named(query, tables):
    """The query with names for its files, and for each name its parts: tables, and what else is selected of them. What is not a file, or is one of
    duckdb's own, stays."""
    tokens = [token for token in _TOKEN.finditer(query) if not token[0].startswith(("--", "/*"))]
    found = _Found(tables, {token[0].lower().strip('"') for token in tokens})
    changes, scopes = [], []
    open_ = [_scope(scopes, True)]
    expected, before, copies = False, ";", False
    place = 0
    while place < len(tokens):
        token, after = tokens[place], place + 1
        word = token[0].lower()
        scope = open_[-1]
        following = tokens[after][0].lower() if after < len(tokens) else ""
        # what duckdb copies into a table of its own it reads itself
        copies = before == ";" and word == "copy" or copies and word != ";"
        if word == "to" and copies and len(open_) == 1 and following:
            _writes(tokens[after][0][1:-1])
        if word == "select" or word == ";":
            if scope.has_select:
                scope = open_[-1] = _scope(scopes, scope.is_query)
            scope.has_select = word == "select"
        if expected:
            name, after = found.name(tokens, place)
            if name is not None:
                changes.append((token.start(), tokens[after - 1].end(), f'"{name}"'))
                scope.hidden |= found.hidden[name]
                expected, place, before = False, after, word
                continue
            after = place + 1
        if word == "*" and place and tokens[place - 1][0].lower() in _STARS:
            # not if it says itself which columns it has
            scope.stars += [token] if following not in ("exclude", "like", "ilike", "similar", "not") else []
        if word in _OPEN:
            # tables that are joined may stand in brackets
            open_.append(_scope(scopes, word == "(" and following in _QUERIES and before != "trim", expected and word == "("))
            expected = expected and word == "("
        elif word in _CLOSE and len(open_) > 1:
            open_.pop()
            expected = False
        elif word == "from":
            scope.inside = expected = scope.is_query and before != "distinct" and not (copies and len(open_) == 1)
        elif word == "join":
            scope.inside = expected = True
        elif word in _STATEMENTS and before in _BEFORE:
            expected = following != "("
        elif word in _ENDS:
            scope.inside = expected = False
        else:
            expected = scope.inside and word == ","
        before = word
        place = after
    for scope in scopes:
        if scope.hidden:
            changes += [(star.start(), star.end(), f"* exclude ({', '.join(sorted(scope.hidden))})") for star in scope.stars]
    parts, at = [], 0
    for start, end, text in sorted(changes):
        parts += [query[at:start], text]
        at = end
    return "".join([*parts, query[at:]]), found.files


def _scope(scopes, is_query, inside=False):
    scopes.append(_Scope(is_query, inside))
    return scopes[-1]


def _writes(path):
    """Refuses a file that duckdb would write as CSV, whatever it is called."""
    format = _format_of(path)
    if format not in (None, "csv", "jsonl"):
        raise ValueError(f"duckdb does not write {path}: binfmt.write({path!r}, binfmt.sql(query)) does")


class _Found:
    """The files that were found so far."""

    def __init__(self, tables, words):
        self.tables, self.words = tables, words
        self.files, self.hidden, self._made = {}, {}, {}

    def name(self, tokens, place):
        """The name of the file or function at a token, if it is one, and the token after it."""
        text = tokens[place][0]
        quote = text[0]
        if quote in "'\"":
            path = text[1:-1].replace(quote * 2, quote)
            if quote == '"' and path in self.tables:
                return None, place
            return self._file(path, None, {}, text), place + 1
        function = text.lower()
        if function not in _functions() or [token[0] for token in tokens[place + 1 : place + 2]] != ["("]:
            return None, place
        path, settings, after = _arguments(function, tokens, place + 2)
        return self._file(path, function, settings, _said(tokens, place, after)), after

    def _file(self, path, function, settings, said):
        if said in self._made:
            return self._made[said]
        paths = [path] if os.path.exists(path) else _matches(path) or ([path] if function else [])
        if not paths:
            return None
        try:
            every = [self._opened(one, function, settings) for one in paths]
        except Error:
            if function is None and os.path.splitext(path)[1].lower() in _DUCKDB:
                return None
            raise
        folders = _folders(paths, every[0][0]) if paths != [path] else [""] * len(paths)
        name = self._unused(path)
        self._made[said] = name
        self.files[name] = [(table, more + folder) for (table, more, _), folder in zip(every, folders)]
        self.hidden[name] = set().union(*(hidden for _, _, hidden in every))
        return name

    def _opened(self, path, function, settings):
        """A file as a table, what is selected besides, and the columns that no star has."""
        if function == "binfmt_columns":
            return to_table(_columns(open(path, **settings))), "", set()
        format = None if function in (None, "binfmt") else function.partition("_")[0]
        more = {"sdds_parameters": {"pages": True}, "sdds_arrays": {"arrays": "*", "page_numbers": True, "indices": True}}.get(function, {})
        settings = {**more, **settings}
        as_column = settings.pop("file_names", False) in (True, "true")
        table = open(path, settings.pop("format", format), **settings)
        hidden = set()
        for column, setting in _HIDDEN.items():
            if column in self.words and column not in table.names and setting in _settings(table.format):
                table = open(path, table.format, **{**settings, setting: True})
                hidden.add(column)
        selected = ""
        if "_file" not in table.names and (as_column or "_file" in self.words):
            selected = f", {_literal(path)} as _file"
            hidden |= set() if as_column else {"_file"}
        return table, selected, hidden

    def _unused(self, path):
        """A name as that of the file, where that is not taken."""
        stem = os.path.basename(os.path.normpath(path)).split(".")[0]
        taken = {name.lower() for name in (*self.tables, *self.files)}
        name = stem.translate(dict.fromkeys(map(ord, '"*?[]'))) or "file"
        while name.lower() in taken:
            name += "_"
        return name


def _said(tokens, start, end):
    return " ".join(token[0] for token in tokens[start:end])


def _functions():
    return {"binfmt", "binfmt_columns", "sdds_arrays", "sdds_parameters", *(name for name, _, _ in _binfmt.formats())}


def _settings(format):
    return next((dict(read) for name, read, _ in _binfmt.formats() if name == format), {})


def _arguments(function, tokens, place):
    """The path, the settings, and the token after the bracket that closes them."""
    groups, depth = [[]], 1
    while place < len(tokens):
        text = tokens[place][0]
        place += 1
        depth += (text == "(") - (text == ")")
        if not depth:
            break
        if text == "," and depth == 1:
            groups.append([])
        else:
            groups[-1].append(text)
    else:
        raise ValueError(f"{function}(..): the bracket is not closed")
    values = [_value(group) for group in groups if group]
    if not values or values[0][0] is not None:
        raise ValueError(f"{function}(..): which file? Its path comes first, in quotes")
    path, settings, place_of = values[0][1], {}, 1
    while place_of < len(values):
        name, value = values[place_of]
        place_of += 1
        parted = re.match(r"(\w+)=(.*)", value, re.DOTALL) if name is None else None
        if parted:
            name, value = parted[1], parted[2]
        elif name is None and re.fullmatch(r"\w+", value) and place_of < len(values) and values[place_of][0] is None:
            name, value = value, values[place_of][1]
            place_of += 1
        elif name is None:
            # what a row is may be said alone
            name = "schema" if function in _SCHEMAS else "arrays" if function == "sdds_arrays" else "layout"
        if name in ("schema", "layout") and value.startswith("@"):
            from pathlib import Path

            value = Path(value[1:])
        settings[name] = value
    return path, settings, place


def _value(group):
    """The name of an argument, if it has one, and its text."""
    name = None
    if len(group) >= 3 and group[1] in ("=>", ":=", "="):
        name, group = group[0].lower(), group[2:]
    text = "".join(group)
    if text.startswith("$"):
        mark = text[: text.index("$", 1) + 1]
        return name, text[len(mark) : -len(mark)]
    return name, text[1:-1].replace("''", "'") if text.startswith("'") else text


def _columns(table):
    """What is said of the columns of a table."""
    fields = list(table.schema)
    said = {"column_name": [field.name for field in fields], "data_type": [field.type for field in fields]}
    said["is_nullable"] = [field.type.endswith("?") for field in fields]
    said |= {name: [getattr(field, name) for field in fields] for name in ("units", "description")}
    # nothing but what is missing has no type
    return {name: values if any(value is not None for value in values) else [""] * len(values) for name, values in said.items()}


def _literal(value):
    return "'" + value.replace("'", "''") + "'"


def _folders(paths, table):
    """What the folders of each file say, such as `year=2024`, as columns that are selected."""
    said = [[part.split("=", 1) for part in os.path.dirname(path).split(os.sep) if part.find("=") > 0] for path in paths]
    keys = [[key for key, _ in one] for one in said]
    other = next((place for place, one in enumerate(keys) if one != keys[0]), None)
    if other is not None:
        shown = [", ".join(one) for one in (keys[0], keys[other])]
        raise ValueError(f"folders differ: {paths[0]} is in folders of [{shown[0]}], and {paths[other]} in those of [{shown[1]}]")
    selected = [""] * len(paths)
    for place, key in enumerate(keys[0]):
        if key in table.names:
            continue
        values = [one[place][1] for one in said]
        kind = "bigint" if all(re.fullmatch(r"[+-]?\d{1,18}", value) for value in values if value != _MISSING) else "varchar"
        name = key.replace('"', '""')
        for at, value in enumerate(values):
            selected[at] += f', cast({"null" if value == _MISSING else _literal(value)} as {kind}) as "{name}"'
    return selected
