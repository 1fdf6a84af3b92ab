"""Writing tables."""


def write(path, data, format=None, *, like=None, schema=None, **settings):
    """Writes a table to a file."""
    raise NotImplementedError
