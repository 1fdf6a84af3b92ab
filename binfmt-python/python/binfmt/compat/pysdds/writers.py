"""Files, written."""

import gzip
import lzma
import os
from pathlib import Path

from binfmt import _binfmt
from binfmt.compat._sdds import parts_of

__all__ = ["write"]

_KEPT = ("name", "type", "symbol", "units", "description", "format_string", "fixed_value", "group_name", "dimensions")


def _about(one):
    said = {key: one.nm[key] for key in _KEPT if one.nm.get(key) is not None}
    return {key: int(value) if key == "dimensions" else str(value) for key, value in said.items()}


def write(sdds, filepath, compression=None, overwrite=False, use_best_settings=False):
    """Writes a file, to a path or a file object; without one (`None`) the bytes are returned. What is there stays, unless `overwrite` says
    otherwise, and then until all is written. `use_best_settings` writes the columns of binary pages one after the other."""
    path = filepath if isinstance(filepath, (str, Path)) else None
    if compression == "auto":
        compression = os.fspath(path).rpartition(".")[2] if path is not None else None
        compression = compression if compression in _PACKED else None
    if compression is not None and compression not in _PACKED:
        raise ValueError(f"SDDS compression {compression!r} is not one of {', '.join(_PACKED)}")
    if path is None and filepath is not None and not hasattr(filepath, "write"):
        raise TypeError(f"{type(filepath).__name__} is neither a path nor a file")
    if path is not None and os.path.exists(path) and not overwrite:
        raise FileExistsError(f"file {path} exists: say overwrite=True")
    sdds.validate_data()
    data = _binfmt.sdds_write(*_content(sdds, use_best_settings))
    data = data if compression is None else _PACKED[compression](data)
    if filepath is None:
        return data
    if path is not None:
        _binfmt.put_file(os.fspath(path), data)
    else:
        filepath.write(data)
    return None


def _content(sdds, best):
    pages = []
    arrays, columns = ([one for one in all_ if one._enabled] for all_ in (sdds.arrays, sdds.columns))
    for page in range(sdds.n_pages):
        values = [parts_of([one.data[page]], one.type) for one in sdds.parameters if one.nm.get("fixed_value") is None]
        blocks = arrays_of(arrays, [one.data[page] for one in arrays])
        pages.append((values, blocks, [parts_of(one.data[page], one.type) for one in columns]))
    column_major = sdds.mode == "binary" and bool(best or sdds.data and sdds.data.column_major_order)
    return {**header_of(sdds), "column_major": column_major}, pages


def header_of(sdds):
    """What the Rust half takes for a header."""
    header = {"mode": sdds.mode}
    if sdds.mode == "binary":
        header["endian"] = sdds.endianness
    if sdds.description is not None:
        header |= {"description": sdds.description.text, "contents": sdds.description.contents}
    for what in ("parameters", "arrays", "columns"):
        header[what] = [_about(one) for one in getattr(sdds, what) if one._enabled]
    return header


def arrays_of(arrays, values):
    """What the Rust half takes for the arrays of a page."""
    import numpy as np

    blocks = [np.asarray(block) for block in values]
    return [(list(block.shape), parts_of(block.reshape(-1), one.type)) for one, block in zip(arrays, blocks)]


def _bz2(data):
    import bz2

    return bz2.compress(data)


_PACKED = {"gz": gzip.compress, "xz": lzma.compress, "bz2": _bz2}
