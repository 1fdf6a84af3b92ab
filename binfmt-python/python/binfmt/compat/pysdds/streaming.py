"""Rows that are written as they come."""

import os

from binfmt import _binfmt

_FIXED = b"!# fixed-rowcount\n"


class IncrementalWriter:
    """Writes a binary file row by row, each at once to the disk: `begin()`, then `new_page(..)`, `write_rows(..)` and `end_page()` as often as
    needed, then `close()`. Leaving a `with` block closes it.

    Until a page ends the file says that it has `binary_fixed_rowcount` rows, and that this may be more than there are: readers that know of
    that have the rows so far. Then it says how many there are, unless what is written to cannot go back.
    """

    def __init__(
        self, sdds, filepath, compression=None, overwrite=False, use_best_settings=False, write_method="fixed_rowcount", binary_fixed_rowcount=1000000
    ):
        if compression is not None:
            raise NotImplementedError("rows cannot be written one by one to a compressed file")
        if sdds.mode != "binary":
            raise NotImplementedError("rows are written one by one to binary files only: set_mode('binary')")
        self.sdds, self.filepath, self.overwrite, self.binary_fixed_rowcount = sdds, filepath, overwrite, binary_fixed_rowcount
        self.current_page = 0
        self.file = self._page = None

    def begin(self):
        """Makes the file."""
        if self.file is not None:
            raise ValueError("the file was begun")
        if isinstance(self.filepath, (str, os.PathLike)):
            self.file = open(self.filepath, "wb" if self.overwrite else "xb", buffering=0)
        else:
            self.file = self.filepath
        first, rest = self._bytes([]).split(b"\n", 1)
        self._marker = self.file.tell() + len(first) + 1 if self._can_seek() else None
        self._write(first + b"\n" + _FIXED + rest)

    def new_page(self, parameter_data=None, array_data=None):
        """Begins a page with these values of the parameters and arrays, in the order of the header."""
        if self.file is None:
            raise ValueError("the file was not begun")
        if self._page is not None:
            self.end_page()
        from binfmt.compat._sdds import parts_of
        from binfmt.compat.pysdds.writers import arrays_of

        stored = [one for one in self.sdds.parameters if one.nm.get("fixed_value") is None]
        given = list(zip(self.sdds.parameters, parameter_data or []))
        if len(given) != len(self.sdds.parameters) or len(array_data or []) != len(self.sdds.arrays):
            raise ValueError(f"a page has {len(self.sdds.parameters)} parameters and {len(self.sdds.arrays)} arrays")
        values = [parts_of([value], one.type) for one, value in given if one in stored]
        head = (values, arrays_of(self.sdds.arrays, array_data or []))
        empty = self._rows(head, [[] for _ in self.sdds.columns])
        at = self.file.tell() if self._can_seek() else None
        count = self.binary_fixed_rowcount.to_bytes(4, self.sdds.endianness)
        self._write(count + empty[4:])
        self._page = (head, len(empty), at)
        self._count = 0
        self.current_page += 1

    def write_rows(self, data_arrays):
        """Adds rows to the page: an array for each column, or the values of one row."""
        if self._page is None:
            raise ValueError("rows need a page: new_page(..)")
        import numpy as np

        columns = [one if isinstance(one, np.ndarray) else [one] for one in data_arrays]
        if len(columns) != len(self.sdds.columns) or len({len(one) for one in columns}) > 1:
            raise ValueError(f"rows have {len(self.sdds.columns)} columns of one length")
        head, length, _ = self._page
        self._write(self._rows(head, columns)[length:])
        self._count += len(columns[0]) if columns else 0

    def end_page(self):
        """Ends the page."""
        if self._page is None:
            raise ValueError("there is no page to end")
        _, _, at = self._page
        if at is not None:
            self._put(at, self._count.to_bytes(4, self.sdds.endianness))
        self._page = None

    def _put(self, at, data):
        end = self.file.tell()
        self.file.seek(at)
        self._write(data)
        self.file.seek(end)

    def _write(self, data):
        # a file without a buffer may take less than all of it
        data = memoryview(data)
        while len(data):
            taken = self.file.write(data)
            data = data[len(data) if taken is None else taken :]

    def close(self):
        """Ends the page and the file."""
        if self._page is not None:
            self.end_page()
        if self.file is not None and self._marker is not None:
            # all numbers of rows are true now
            self._put(self._marker, b"!".ljust(len(_FIXED) - 1) + b"\n")
        if self.file is not None:
            self.file.close()
            self.file = self._marker = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _can_seek(self):
        return hasattr(self.file, "seekable") and self.file.seekable()

    def _bytes(self, pages):
        from binfmt.compat.pysdds.writers import header_of

        return _binfmt.sdds_write({**header_of(self.sdds), "column_major": False}, pages)

    def _rows(self, head, columns):
        """The bytes of a page."""
        from binfmt.compat._sdds import parts_of

        parts = [parts_of(values, one.type) for one, values in zip(self.sdds.columns, columns)]
        return self._bytes([(*head, parts)])[len(self._bytes([])) :]
