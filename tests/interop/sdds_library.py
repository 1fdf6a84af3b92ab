"""The official SDDS library: the C code in the wheel `soliday.sdds` (x86-64 Linux only), driven with ctypes, for the wheel's
Python half fails on many files.
"""

import ctypes as C
import json
import os
import signal
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# arguments of pip install
STEPS = [["soliday.sdds==5.7.6"]]
TYPES = dict(longdouble=1, double=2, float=3, long64=4, ulong64=5, long=6, ulong=7, short=8, ushort=9, string=10, character=11)
NAMES = {number: name for name, number in TYPES.items()}
PACKED = dict(double="d", float="f", long64="q", ulong64="Q", long="i", ulong="I", short="h", ushort="H", character="B")


class Definition(C.Structure):
    _fields_ = [(name, C.c_char_p) for name in ["name", "symbol", "units", "description", "format_string"]]


class Parameter(Definition):
    _fields_ = [("type", C.c_int32), ("fixed_value", C.c_char_p)]


class Array(Definition):
    _fields_ = [("group_name", C.c_char_p), ("type", C.c_int32), ("field_length", C.c_int32), ("dimensions", C.c_int32)]


class Column(Definition):
    _fields_ = [("type", C.c_int32), ("field_length", C.c_int32)]


class ArrayValue(C.Structure):
    _fields_ = [("definition", C.c_void_p), ("sizes", C.POINTER(C.c_int32)), ("count", C.c_int32), ("data", C.c_void_p)]


def library():
    # the script `sdds.py` beside this file has the name of the package
    kept = sys.path[:]
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() != HERE]
    from sdds import sddsdata
    sys.path[:] = kept
    found = C.CDLL(sddsdata.__file__)
    texts = C.POINTER(C.c_char_p)
    for name, kind in dict(GetParameterNames=texts, GetArrayNames=texts, GetColumnNames=texts, GetErrorMessages=texts,
                           GetParameterDefinition=C.POINTER(Parameter), GetArrayDefinition=C.POINTER(Array),
                           GetColumnDefinition=C.POINTER(Column), GetParameter=C.c_void_p, GetInternalColumn=C.c_void_p,
                           GetArray=C.POINTER(ArrayValue), CountRowsOfInterest=C.c_int64).items():
        getattr(found, "SDDS_" + name).restype = kind
    return found


def call(name, *arguments):
    """A function that returns 0 or less than it where it fails (a definition's index may be 0)."""
    found = getattr(L, "SDDS_" + name)(*arguments)
    if found < 0 or found == 0 and not name.startswith("Define"):
        count = C.c_int32()
        messages = L.SDDS_GetErrorMessages(C.byref(count), 2)
        raise SystemExit(f"SDDS_{name}: {[messages[i] for i in range(count.value)]}")
    return found


def text(value):
    """Text up to its first NUL; bytes that are not UTF-8 as the JSON forms of the tests have them."""
    if value is None or isinstance(value, int):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return dict(hex=value.hex())


def values(kind, data, count):
    if count == 0:
        return []
    if kind == "string":
        found = C.cast(data, C.POINTER(C.c_char_p))
        return [text(found[i]) for i in range(count)]
    if kind == "longdouble":  # ten bytes count, the rest is padding
        raw = C.string_at(data, 16 * count)
        return [raw[i : i + 10].hex() for i in range(0, len(raw), 16)]
    form = f"<{count}{PACKED[kind]}"
    found = struct.unpack(form, C.string_at(data, struct.calcsize(form)))
    return [repr(x) if kind in ("double", "float") else x for x in found]


def definitions(dataset, what):
    count = C.c_int32()
    names = getattr(L, f"SDDS_Get{what}Names")(dataset, C.byref(count))
    found = [getattr(L, f"SDDS_Get{what}Definition")(dataset, names[i]).contents for i in range(count.value)]
    return [(names[i], found[i]) for i in range(count.value)]


def described(definition):
    fields = [name for kind in (Definition, type(definition)) for name, _ in kind._fields_]
    found = {name: text(getattr(definition, name)) for name in fields}
    found["type"] = NAMES[found["type"]]
    return {name: value for name, value in found.items() if value is not None}


def page_of(dataset, parameters, arrays, columns):
    rows = L.SDDS_CountRowsOfInterest(dataset)
    page = dict(rows=rows, parameters={}, arrays={}, columns={})
    for name, of in parameters:
        page["parameters"][text(name)] = values(NAMES[of.type], L.SDDS_GetParameter(dataset, name, None), 1)[0]
    for name, of in arrays:
        array = L.SDDS_GetArray(dataset, name, None).contents
        page["arrays"][text(name)] = dict(dims=array.sizes[: of.dimensions], values=values(NAMES[of.type], array.data, array.count))
    for name, of in columns:
        page["columns"][text(name)] = values(NAMES[of.type], L.SDDS_GetInternalColumn(dataset, name) if rows else None, rows)
    return page


def look(path):
    """What the library says of a file: its header, its pages up to the damage, and whether there is some."""
    dataset = C.create_string_buffer(16384)
    if L.SDDS_InitializeInput(dataset, bytes(path)) != 1:
        return dict(refused=True, damaged=False, pages=[])
    about = C.c_char_p(), C.c_char_p()
    L.SDDS_GetDescription(dataset, *map(C.byref, about))
    parameters, arrays, columns = (definitions(dataset, what) for what in ("Parameter", "Array", "Column"))
    pages = []
    while (state := L.SDDS_ReadPage(dataset)) > 0:
        pages.append(page_of(dataset, parameters, arrays, columns))
    every = [[described(of) for _, of in kind] for kind in (parameters, arrays, columns)]
    return dict(refused=False, damaged=state != -1, description=dict(text=text(about[0].value), contents=text(about[1].value)),
                pages=pages, parameters=every[0], arrays=every[1], columns=every[2])


def read(path):
    """What the library says of a sound file, in the form of the JSON of tests/data/sdds."""
    found = look(path)
    if found.pop("refused") | found.pop("damaged"):
        raise SystemExit(f"{path}: the library refuses it after page {len(found['pages'])}")
    return found


def look_apart(path, seconds=20):
    """The same in a process of its own: the library may crash or not return, which is None."""
    at, to = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(at)
        signal.alarm(seconds)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1), os.dup2(quiet, 2)
        try:
            with os.fdopen(to, "w") as out:
                out.write(json.dumps(look(path)))
        except BaseException:
            # a fault of this script, which is not a crash of the library
            os._exit(99)
        os._exit(0)
    os.close(to)
    with os.fdopen(at) as answer:
        found = answer.read()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 99:
        raise SystemExit(f"{path}: what the library says cannot be told")
    return json.loads(found) if status == 0 else None


L = library()
