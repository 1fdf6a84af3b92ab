"""Files of this package, read."""

import gzip
from functools import partial
from pathlib import Path

from binfmt import _arrays, _binfmt
from binfmt._pages import _kinds
from binfmt.compat._sdds import characters
from binfmt.compat.sdds.classes import Array, Column, Description, Parameter, SddsFile

__all__ = ["gzip_open", "read_sdds"]

gzip_open = partial(gzip.open, mode="rb")

# by the names of this package
_NAMES = {"character": "char", "long64": "llong"}
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
    header = raw.header()
    if header["mode"] == "binary" and endianness is not None and header["endian"] == _BOTH[endianness]:
        raise ValueError(f"{path}: the file says that its byte order is {header['endian']}, not {endianness}")
    found = raw.read(0, 1, [column["name"] for column in header["columns"]])
    _, parameters, arrays, columns = found[0] if found else (0, {}, {}, {})
    definitions, values = [], []
    for what, of, given in (("parameters", Parameter, parameters), ("arrays", Array, arrays), ("columns", Column, columns)):
        kinds = _kinds(header, what)
        for about in header[what]:
            name = about["name"]
            if name in given:
                definitions.append(of(**{**about, "type": _NAMES.get(about["type"], about["type"])}))
                values.append(_value(what, given[name], kinds[name], header["mode"]))
    about = {key: header[key] for key in ("description", "contents") if key in header}
    description = Description(about.get("description"), about.get("contents")) if about else None
    return SddsFile(f"SDDS{header['version']}", description, definitions, values)


def _value(what, parts, kind, mode):
    import numpy as np

    if what == "arrays":
        sizes, parts = parts
        values = _arrays.reshaped(_arrays.array(parts, kind), sizes)
    else:
        values = _arrays.array(parts, kind)
    if values.dtype.kind == "S":
        values = characters(values)
    if what == "parameters":
        return values.tolist()[0]
    if what == "arrays" and values.dtype == object:
        return values.tolist() if mode == "binary" and values.ndim == 1 else np.array(values.tolist())
    return values
