"""What can go wrong, with its place."""


class Error(ValueError):
    """A file that is damaged, of another format, or not supported, or a value that does not fit.

    >>> import binfmt
    >>> try:
    ...     binfmt.Layout("u32").decode(b"abc")
    ... except binfmt.Error as e:
    ...     print(e, e.kind, e.offset, sep=" | ")
    at byte 0x0: 4 bytes needed, 3 remain | UnexpectedEnd | 0
    """

    kind: str
    """Which error it is, by the name in the library (`UnexpectedEnd`, `LengthLimit`, ..); `Message` if it has none."""
    offset: "int | None"
    """The place in the file, in bytes; `None` if it is about no byte."""
    path: str
    """Where in the layout or table it is, such as `rows[3].name`; empty at the top."""
    filename: "str | None"
    """The file, if it is about one."""

    def __init__(self, message="", *, kind="Message", offset=None, path="", errno=None, filename=None):
        super().__init__(message)
        self.kind = kind
        self.offset = offset
        self.path = path
        self.filename = filename
        self._errno = errno
        if errno is not None:
            self.errno = errno

    def __reduce__(self):
        about = {"kind": self.kind, "offset": self.offset, "path": self.path, "errno": self._errno, "filename": self.filename}
        return _again, (type(self), self.args, about)


class FileError(Error, OSError):
    """A file that the system does not let be read or written; also an `OSError`, with its `errno` and `filename`.

    >>> import binfmt, errno, tempfile
    >>> path = tempfile.NamedTemporaryFile()
    >>> try:
    ...     binfmt.write(path.name + "/out.csv", {"a": [1]})
    ... except binfmt.FileError as e:
    ...     isinstance(e, OSError), e.errno is not None, e.filename == path.name + "/out.csv"
    (True, True, True)
    """

    def __str__(self):
        return str(self.args[0]) if self.args else ""


class MissingFileError(FileError, FileNotFoundError):
    """A file that is not there; also a `FileNotFoundError`.

    >>> import binfmt
    >>> try:
    ...     binfmt.open("nothing.sdds")
    ... except FileNotFoundError as e:
    ...     isinstance(e, binfmt.MissingFileError), e.filename
    (True, 'nothing.sdds')
    """


class OutOfMemoryError(Error, MemoryError):
    """More memory than the system gives, for what is read or written; also a `MemoryError`. `Table.batches` reads a table in parts.

    >>> import binfmt, tempfile
    >>> file = tempfile.NamedTemporaryFile()
    >>> file.truncate(1 << 43)
    8796093022208
    >>> try:
    ...     binfmt.open(file.name, schema="(int64)")["a"].to_numpy()
    ... except binfmt.OutOfMemoryError as e:
    ...     isinstance(e, MemoryError), e.kind
    (True, 'OutOfMemory')
    """


class ConversionWarning(UserWarning):
    """What of a table is not in the file that was written, or is there in another form: a sentence for each.

    >>> import binfmt, os, tempfile, warnings
    >>> run = binfmt.open(b"SDDS1\\n&array name=A, type=short &end\\n&column name=x, type=long &end\\n&data mode=ascii &end\\n1\\n5\\n1\\n7\\n")
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     rows = binfmt.write(os.path.join(tempfile.mkdtemp(), "a.csv"), run)
    >>> rows, [str(note.message) for note in told]
    (1, ['arrays are not columns, and are left out: `A`'])
    """


def _again(kind, args, about):
    return kind(*args, **about)


def _names_file(text):
    """Whether a layout or schema is told by the name of a file with it."""
    return "\n" not in text and text.endswith((".layout", ".schema", ".json", ".afl", ".txt"))


def _text_of(path, what):
    """The text of a file that is an argument of a call: what is wrong with it is told as of any file."""
    import os

    path = os.fspath(path)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError as e:
        raise Error(f"{path}: {what} is not text in UTF-8: byte {e.start}", offset=e.start, filename=path) from None
    except OSError as e:
        raise _made(f"{path}: {what} cannot be read: {e.strerror}", "Io", None, "", errno=e.errno, filename=path) from None


def _made(message, kind, offset, path, errno=None, filename=None):
    """The exception for an error of the library."""
    import errno as numbers

    if kind == "MissingFile" or errno == numbers.ENOENT:
        made, errno = MissingFileError, numbers.ENOENT
    elif kind == "OutOfMemory" or errno == numbers.ENOMEM:
        made = OutOfMemoryError
    else:
        made = FileError if kind == "Io" else Error
    return made(message, kind=kind, offset=offset, path=path, errno=errno, filename=filename)
