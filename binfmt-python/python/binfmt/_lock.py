"""Files that two programs change."""

import contextlib
import os


@contextlib.contextmanager
def locked(path):
    """Lets one append wait for the other, in this process and in those that use this package too: by a lock of the system on the folder.

    Windows and some file systems have no such lock; there the caller sees to it.
    """
    handle = None
    try:
        import fcntl

        handle = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
    except (ImportError, OSError):
        # a folder that is not there is told by whoever writes into it
        pass
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


@contextlib.contextmanager
def replaced(path, overwrite):
    """Where an array is written that takes the place of one that is there, when all of it is; `None` for what is written where it belongs."""
    if not overwrite or not os.path.isdir(path):
        yield None
        return
    if not os.path.exists(os.path.join(path, "__array_schema.tdb")):
        raise ValueError(f"{os.fspath(path)} is a folder and not an array of TileDB: it is not overwritten")
    import shutil
    import tempfile

    path = os.path.realpath(path)
    beside = tempfile.mkdtemp(prefix=f".{os.path.basename(path)}.", dir=os.path.dirname(path))
    new, old = os.path.join(beside, "new"), os.path.join(beside, "old")
    try:
        yield new
        os.rename(path, old)
        try:
            os.rename(new, path)
        except BaseException:
            os.rename(old, path)
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)


@contextlib.contextmanager
def array_like(model, path, words):
    """Makes an empty array of TileDB with the schema of a sparse one, which is gone again if it is not filled. `words`, the settings, say then
    that rows are appended; of a dense array, to which nothing can be, they get the dimensions.
    """
    source = model._origin and model._origin[0]
    dimensions = ",".join(field.name for field in model._all.fields if field.metadata.get("tiledb:dimension") == "true")
    if model.metadata.get("tiledb:array_type") != "sparse" or not dimensions or not isinstance(source, str) or os.path.lexists(path):
        words.setdefault("dimensions", dimensions)
        words.setdefault("array", model.metadata.get("tiledb:array_type", "sparse"))
        yield
        return
    import shutil

    if "key" in model._origin[3]:
        words.setdefault("key", model._origin[3]["key"])
    os.makedirs(path)
    try:
        for name in ("__array_schema.tdb", "__lock.tdb"):
            if os.path.exists(os.path.join(source, name)):
                shutil.copy(os.path.join(source, name), path)
        words["append"] = "true"
        yield
    except BaseException:
        shutil.rmtree(path)
        raise
