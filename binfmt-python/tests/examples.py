"""The examples of the documentation as modules, for type checkers: `python examples.py FOLDER` writes them there, one for each page and docstring."""

import doctest
import importlib
import pkgutil
import re
import sys
from pathlib import Path

import binfmt

PACKAGE = Path(__file__).resolve().parent.parent


def pages():
    """The code of each page: its blocks of Python, and the statements of its sessions."""
    for page in (PACKAGE.parent / "README.md", PACKAGE / "README.md", *sorted((PACKAGE / "docs").glob("*.md"))):
        name = page.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", "_").replace("-", "_").lower()
        for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)):
            if not block.startswith(">>>"):
                yield f"{name}_{number}", block
        yield name, statements(page.read_text("utf-8"))


def docstrings():
    """The statements of each docstring of the package."""
    finder, public = doctest.DocTestFinder(), [[name] for name in binfmt.__all__]
    for module in [binfmt.__name__, *(found.name for found in pkgutil.walk_packages(binfmt.__path__, "binfmt."))]:
        for found in finder.find(importlib.import_module(module)):
            # what users see of modules that are not for them
            if module.startswith("binfmt._") and found.name.split(".")[2:3] not in public:
                continue
            yield found.name.replace(".", "_"), "".join(example.source for example in found.examples)


def statements(text):
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.py"):
        old.unlink()
    count = 0
    for name, code in (*pages(), *docstrings()):
        if code.strip():
            (folder / f"example_{name}.py").write_text(code, "utf-8")
            count += 1
    print(f"{count} examples")
    assert count > 50


if __name__ == "__main__":
    main()
