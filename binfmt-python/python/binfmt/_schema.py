"""What a table says of its columns."""


class Field:
    """One column: its name and type, and what else the file says of it.

    >>> import binfmt
    >>> binfmt.open(b"SDDS1\\n&column name=s, units=m, type=float &end\\n&data mode=ascii &end\\n0\\n").schema["s"]
    Field('s', 'f32', units='m')
    """

    __slots__ = ("name", "type", "logical", "metadata", "constant", "position")

    def __init__(self, about, position):
        self.name, self.type, self.metadata, self.constant, self.logical = about
        self.position = position

    @property
    def units(self):
        """The unit, or `None`.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=s, units=m, type=float &end\\n&data mode=ascii &end\\n0\\n").schema["s"].units
        'm'
        """
        return self.metadata.get("units")

    @property
    def description(self):
        """What the file says of the column, or `None`.

        >>> import binfmt
        >>> binfmt.open(b"SDDS1\\n&column name=s, description=place, type=float &end\\n&data mode=ascii &end\\n0\\n").schema["s"].description
        'place'
        """
        return self.metadata.get("description")

    def __repr__(self):
        units = f", units={self.units!r}" if self.units else ""
        return f"Field({self.name!r}, {self.type!r}{units})"


class Schema:
    """The columns of a table, by number or name.

    >>> import binfmt
    >>> schema = binfmt.open(b"a,b\\n1,x\\n", format="csv").schema
    >>> [field.name for field in schema], schema["b"].type
    (['a', 'b'], 'text?')
    """

    __slots__ = ("fields", "metadata")

    def __init__(self, fields, metadata):
        self.fields = tuple(fields)
        self.metadata = metadata

    @property
    def names(self):
        """The names of the columns.

        >>> import binfmt
        >>> binfmt.open(b"a,b\\n1,x\\n", format="csv").schema.names
        ['a', 'b']
        """
        return [field.name for field in self.fields]

    def __len__(self):
        return len(self.fields)

    def __iter__(self):
        return iter(self.fields)

    def __getitem__(self, key):
        if isinstance(key, str):
            found = [field for field in self.fields if field.name == key]
            if not found:
                raise KeyError(_unknown(key, self.names))
            return found[0]
        return self.fields[key]

    def _ipython_key_completions_(self):
        return self.names

    def __repr__(self):
        wide = max((len(field.name) for field in self.fields), default=0)
        lines = [f"{field.name:{wide}}  {field.type}{f' [{field.units}]' if field.units else ''}" for field in self.fields]
        return "\n".join(lines)


def _unknown(name, names):
    import difflib

    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f"unknown column {name!r}, did you mean {near[0]!r}?"
    if not names:
        return f"unknown column {name!r}: there are no columns"
    shown = ", ".join(repr(known) for known in names[:20])
    return f"unknown column {name!r}, expected one of {shown}{', ..' if len(names) > 20 else ''}"
