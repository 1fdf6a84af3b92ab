"""Files, read."""

import sys
from pathlib import Path

from binfmt import _arrays, _binfmt
from binfmt._open import _bytes
from binfmt._pages import _kinds
from binfmt.compat._sdds import characters
from binfmt.compat.pysdds.structures import Array, Column, Data, Description, Parameter, SDDSFile

__all__ = ["read"]

_PAGES_AT_ONCE = 64


def read(filepath, pages=None, arrays=None, cols=None, mode="auto", endianness="auto", compression="auto", header_only=False, allow_longdouble=False):
    """Reads a file. `pages` are numbers, `arrays` and `cols` numbers or names of those that are wanted; the file tells the rest."""
    given = str(filepath) if isinstance(filepath, (str, Path)) else _bytes(filepath)
    if compression == "bz2" or compression == "auto" and isinstance(given, str) and given.endswith(".bz2"):
        import bz2

        given = bz2.decompress(Path(given).read_bytes() if isinstance(given, str) else given)
    raw = _binfmt.Pages(given, True, None if endianness in (None, "auto") else endianness)
    header = raw.header()
    if mode not in (None, "auto", header["mode"]):
        raise ValueError(f"the mode of the file is {header['mode']}, not {mode}")
    file = SDDSFile()
    if "description" in header or "contents" in header:
        said = {"text": header.get("description"), "contents": header.get("contents")}
        file.description = Description({key: text for key, text in said.items() if text is not None})
    file._mode = header["mode"]
    file.endianness = header["endian"] or sys.byteorder
    words = {"column_major_order": int(header["column_major"]), "no_row_counts": int(header["no_row_counts"]), "lines_per_row": header["lines_per_row"]}
    file.data = Data({"mode": header["mode"], **words})
    file.parameters = [Parameter(about, file) for about in header["parameters"]]
    file.arrays = [Array(about, file) for about in header["arrays"]]
    file.columns = [Column(about, file) for about in header["columns"]]
    if not header_only:
        _fill(file, raw, header, pages, arrays, cols)
    return file


def _of(chosen, names):
    """Names of what is chosen by numbers or names; all without a choice."""
    if chosen is None:
        return list(names)
    wanted = [names[one] if isinstance(one, int) else one for one in chosen]
    unknown = [name for name in wanted if name not in names]
    if unknown:
        raise ValueError(f"the file has no {unknown[0]!r}, but {', '.join(names)}")
    return [name for name in names if name in wanted]


def _fill(file, raw, header, pages, arrays, cols):
    columns, arrays = _of(cols, file.column_names), _of(arrays, file.array_names)
    kinds = {what: _kinds(header, what) for what in ("parameters", "arrays", "columns")}
    wanted = None if pages is None else set(pages)
    place = 0
    while (wanted is None or wanted and place <= max(wanted)) and (found := raw.read(place, _PAGES_AT_ONCE, columns)):
        for _, values, given, parts in found:
            place += 1
            if wanted is not None and place - 1 not in wanted:
                continue
            file.n_pages += 1
            for one in file.parameters:
                if one.fixed_value is None and one.name in values:
                    one.data.append(_texts(_arrays.array(values[one.name], kinds["parameters"][one.name]))[0])
            for one in file.arrays:
                if one.name in arrays:
                    sizes, elements = given[one.name]
                    one.data.append(_arrays.reshaped(_texts(_arrays.array(elements, kinds["arrays"][one.name])), sizes))
            for one in file.columns:
                if one.name in columns:
                    one.data.append(_texts(_arrays.array(parts[one.name], kinds["columns"][one.name])))
    for one in file.arrays:
        one._enabled = one.name in arrays
    for one in file.columns:
        one._enabled = one.name in columns


def _texts(values):
    """Characters are texts."""
    return characters(values) if values.dtype.kind == "S" else values
