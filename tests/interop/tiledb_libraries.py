"""The two libraries that the TileDB scripts use: the newest, and libtiledb 1.6.3 out of the wheel of TileDB-Py 0.4.4."""

from common import WORK

OLD = WORK / "tiledb-0.4.4"
_OLD = ["--only-binary=:all:", "--python-version=37", "--implementation=cp", "--abi=cp37m", "--platform=manylinux1_x86_64"]
# arguments of pip install
STEPS = [["tiledb==0.36.1"], ["--upgrade", "--no-deps", *_OLD, f"--target={OLD}", "tiledb==0.4.4"]]
