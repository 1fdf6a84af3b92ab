"""Files of this package, read."""

import gzip
import re
from functools import partial
from pathlib import Path

from binfmt import _arrays, _binfmt
from binfmt._error import Error, MissingFileError
from binfmt._pages import _kinds
from binfmt.compat._sdds import characters
from binfmt.compat.sdds.classes import NUMTYPES_CAST, Array, Column, Description, Parameter, SddsFile

__all__ = ["gzip_open", "read_sdds"]

gzip_open = partial(gzip.open, mode="rb")

_DATA = re.compile(rb"^[ \t]*&data\b.*?&end[^\n]*\n", re.MULTILINE | re.DOTALL)
_WORDS = re.compile(rb'(\b\w+[ \t]*=[ \t]*)([^\s,"=&]+(?:[ \t]+[^\s,"=&]+)+)(?=[ \t]*(?:,|&end))')
_BOTH = {"little": "big", "big": "little"}


def read_sdds(file_path, endianness=None, opener=partial(open, mode="rb")):
    """Reads a file: the parameters, arrays and columns of its first page. `endianness` is the byte order of a file that declares none, `opener`
    a function that opens it, such as `gzip.open`.

    Parameters are plain numbers and texts, texts of an array of one dimension a list.
    """
    path = str(Path(file_path))
    source = path
    if getattr(opener, "func", None) is not open:
        with opener(path) as file:
            source = bytes(file.read())
    raw = _binfmt.Pages(source, True, endianness, path)
    try:
        header = raw.header()
    except MissingFileError:
        raise
    except Error as e:
        quoted = _quoted(source)
        if quoted is None:
            raise e from None
        raw = _binfmt.Pages(quoted, True, endianness, path)
        header = raw.header()
    if header["mode"] == "binary" and endianness is not None and header["endian"] == _BOTH[endianness]:
        raise ValueError(f"{path}: the file says that its byte order is {header['endian']}, not {endianness}")
    found = raw.read(0, 1, [column["name"] for column in header["columns"]])
    _, parameters, arrays, columns = found[0] if found else (0, {}, {}, {})
    dialect = {(command, name): kind for command, name, kind in header.get("dialect", ())}
    definitions, values = [], []
    for what, of, given in (("parameters", Parameter, parameters), ("arrays", Array, arrays), ("columns", Column, columns)):
        kinds = _kinds(header, what)
        for about in header[what]:
            name = about["name"]
            if name in given:
                # by the names of this package
                own = dialect.get((of.TAG[1:], name))
                definitions.append(of(**{**about, "type": own or {"long64": "llong"}.get(about["type"], about["type"])}))
                value = _value(what, given[name], kinds[name], header["mode"], own)
                fixed = about.get("fixed_value") if own else None
                values.append(value if fixed is None else NUMTYPES_CAST[own](fixed))
    about = {key: header[key] for key in ("description", "contents") if key in header}
    description = Description(about.get("description"), about.get("contents")) if about else None
    return SddsFile(f"SDDS{header['version']}", description, definitions, values)


def _quoted(source):
    """The bytes of a file with quotes around texts of several words, which this package writes without them; `None` if it has none."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    end = _DATA.search(data)
    head = data[: end.end()] if end else b""
    quoted = _WORDS.sub(rb'\1"\2"', head)
    return None if quoted == head else quoted + data[len(head) :]


def _value(what, parts, kind, mode, own):
    import numpy as np

    if what == "arrays":
        sizes, parts = parts
        values = _arrays.reshaped(_arrays.array(parts, kind), sizes)
    else:
        values = _arrays.array(parts, kind)
    if values.dtype.kind == "S":
        values = _bytes(values, mode, own) if own else characters(values)
    if what == "parameters" and own:
        return NUMTYPES_CAST[own](values[0])
    if what == "parameters":
        return values.tolist()[0]
    if what == "arrays" and values.dtype == object:
        return values.tolist() if mode == "binary" and values.ndim == 1 else np.array(values.tolist())
    return values


def _bytes(values, mode, own):
    """Values of `char` and `boolean`, which are numbers in this package; in ascii a `char` is text."""
    if mode == "binary":
        return values.view("i1")
    values = characters(values)
    return values if own == "char" else values.astype("i8")
