"""What has columns by their names."""


class Columns:
    """A mapping of the names of columns to them, of what has `names` and `self[name]`."""

    __slots__ = ()

    def __contains__(self, name):
        return name in self.names

    def __iter__(self):
        """The names of the columns, as of a dict."""
        return iter(self.names)

    def keys(self):
        """The names of the columns, as of a dict.

        >>> import binfmt
        >>> binfmt.open(b"\\x01", schema="(int8)").keys()
        ['a']
        """
        return self.names

    def items(self):
        """The columns with their names, as of a dict.

        >>> import binfmt
        >>> [(name, column.to_list()) for name, column in binfmt.open(b"\\x01", schema="(int8)").items()]
        [('a', [1])]
        """
        return list(zip(self.names, self.values()))

    def values(self):
        """The columns, as of a dict.

        >>> import binfmt
        >>> [column.to_list() for column in binfmt.open(b"\\x01", schema="(int8)").values()]
        [[1]]
        """
        return [self[name] for name in self.names]

    def get(self, name, default=None):
        """A column, or something else if there is none of that name.

        >>> import binfmt
        >>> binfmt.open(b"\\x01", schema="(int8)").get("b") is None
        True
        """
        return self[name] if name in self else default

    def _ipython_key_completions_(self):
        return self.names
