"""Files of this package, written."""

import dataclasses
import os
import re

from binfmt import _binfmt
from binfmt.compat._sdds import parts_of
from binfmt.compat.sdds.classes import NUMTYPES

__all__ = ["write_sdds"]

# types of the dialect of CERN, which the toolkit does not know, by their names in the format
_NAMES = {"char": "character", "llong": "long64", "boolean": "character"}
# a word of a definition as the library writes it: a text in quotes, or none of whose signs needs them
_WORD = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^,]*), ')
_LISTS = {"&parameter": "parameters", "&array": "arrays", "&column": "columns"}


def write_sdds(sdds_file, output_path):
    """Writes a file: binary, big-endian. What was there stays until all is written.

    A file of version `SDDS1` is written as the package `sdds` writes it and can read it, with the types `llong`, `char` and `boolean`; one of
    another version, or with types that the package does not know, as the toolkit knows it.
    """
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
            page[what].append((list(values.shape), parts_of(_numbers(values.reshape(-1), definition.type), about["type"])))
        elif what == "columns":
            page[what].append(parts_of(_numbers(value, definition.type), about["type"]))
        elif about.get("fixed_value") is None:
            page[what].append(parts_of(_numbers([value], definition.type), about["type"]))
        header[what].append(about)
    data = _binfmt.sdds_write(header, [(page["parameters"], page["arrays"], page["columns"])])
    types = [definition.type for definition in sdds_file.definitions.values()]
    if sdds_file.version == "SDDS1" and all(kind in NUMTYPES or kind == "character" for kind in types):
        data = _in_dialect(data, sdds_file)
    _binfmt.put_file(os.fspath(output_path), data)


def _numbers(values, kind):
    """Values of `char` and `boolean`, which are numbers, and may be written as text; one letter is its code."""
    if kind not in ("char", "boolean"):
        return values
    return [ord(value) if isinstance(value, str) and len(value) == 1 and not value.isdigit() else int(value) for value in values]


def _in_dialect(data, sdds_file):
    """A file with the header that the package reads: the byte order in a comment, and the types by its own names."""
    start = re.search(rb"^&data .*\n", data, re.MULTILINE)
    lines = data[: start.start()].decode("utf-8", "surrogateescape").split("\n")
    by_tag = [definition for tag in _LISTS for definition in sdds_file.definitions.values() if definition.TAG == tag]
    definitions = iter(by_tag)
    header = ["SDDS1", "!# big-endian"]
    for line in lines:
        if not line.startswith("&"):
            continue
        tag, _, words = line.partition(" ")
        kind = next(definitions).type if tag in _LISTS else None
        said = [f"{key}={kind if key == 'type' else value}" for key, value in _WORD.findall(words)]
        header.append(f"{tag} {', '.join(said)} &end")
    header = "".join(f"{line}\n" for line in [*header, "&data mode=binary, &end"])
    return header.encode("utf-8", "surrogateescape") + data[start.end() :]
