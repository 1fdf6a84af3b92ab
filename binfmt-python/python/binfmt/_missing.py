"""Missing values with a reason."""


class Missing:
    """A missing value whose code says why, as SciDB and layouts with `nullable` have them. The ordinary one, with the code 0, is `None`.

    >>> import binfmt
    >>> layout = binfmt.Layout("u8, nullable")
    >>> layout.decode(b"\\x05\\0")
    Missing(5)
    >>> layout.encode(binfmt.Missing(5))
    b'\\x05\\x00'
    """

    __slots__ = ("code",)

    def __init__(self, code):
        if not 0 <= code <= 255:
            raise ValueError(f"the code {code} of a missing value does not fit in a byte")
        self.code = code

    def __repr__(self):
        return f"Missing({self.code})"

    def __eq__(self, other):
        return isinstance(other, Missing) and self.code == other.code

    def __hash__(self):
        return hash((Missing, self.code))

    def __bool__(self):
        return False
