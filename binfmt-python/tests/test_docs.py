"""What the documentation shows."""

import doctest

from conftest import ROOT


def test_ten_first_steps():
    page = ROOT / "binfmt" / "docs" / "python.md"
    numbers = {"np": __import__("numpy")}
    found = doctest.testfile(str(page), module_relative=False, globs=numbers, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 20 and found.failed == 0


def test_examples_of_the_package_are_those_of_the_readme():
    import binfmt

    text = (ROOT / "binfmt-python" / "README.md").read_text()
    for name in ("open", "Table", "Column", "Layout", "layout", "Error", "sql", "ConversionWarning"):
        assert name in text and hasattr(binfmt, name)
