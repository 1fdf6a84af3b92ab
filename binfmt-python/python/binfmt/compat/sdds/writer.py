"""Files of this package, written."""

import dataclasses
import os

from binfmt import _binfmt
from binfmt.compat._sdds import parts_of

__all__ = ["write_sdds"]

# types of the dialect of CERN, which the toolkit does not know
_NAMES = {"char": "character", "llong": "long64", "boolean": "character"}
_LISTS = {"&parameter": "parameters", "&array": "arrays", "&column": "columns"}


def write_sdds(sdds_file, output_path):
    """Writes a file: binary, big-endian. What was there stays until all is written."""
    import numpy as np

    header = {"mode": "binary", "endian": "big", "parameters": [], "arrays": [], "columns": []}
    if sdds_file.description is not None:
        header |= {"description": sdds_file.description.text, "contents": sdds_file.description.contents}
    page = {"parameters": [], "arrays": [], "columns": []}
    for definition, value in sdds_file:
        about = {field.name: getattr(definition, field.name) for field in dataclasses.fields(definition)}
        about["type"] = _NAMES.get(definition.type, definition.type)
        what = _LISTS[definition.TAG]
        if what == "arrays":
            values = np.asarray(value, dtype=object if definition.type == "string" else None)
            about["dimensions"] = values.ndim
            page[what].append((list(values.shape), parts_of(values.reshape(-1), about["type"])))
        elif what == "columns":
            page[what].append(parts_of(value, about["type"]))
        elif about.get("fixed_value") is None:
            page[what].append(parts_of([value], about["type"]))
        header[what].append(about)
    data = _binfmt.sdds_write(header, [(page["parameters"], page["arrays"], page["columns"])])
    _binfmt.put_file(os.fspath(output_path), data)
