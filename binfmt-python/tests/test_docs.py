"""What the documentation shows."""

import doctest
import inspect

import binfmt
from conftest import ROOT


def test_ten_first_steps():
    page = ROOT / "binfmt-python" / "docs" / "python.md"
    numbers = {"np": __import__("numpy")}
    found = doctest.testfile(str(page), module_relative=False, globs=numbers, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 20 and found.failed == 0


def test_every_public_name_has_an_example():
    without = []
    for name in set(binfmt.__all__) - {"__version__"}:
        found = getattr(binfmt, name)
        members = vars(found).items() if inspect.isclass(found) else []
        public = [(f"{name}.{member}", of) for member, of in members if not member.startswith("_") and not inspect.ismemberdescriptor(of)]
        # what is an attribute is said by its class
        without += [which for which, of in [(name, found), *public] if callable(of) | isinstance(of, property) and ">>>" not in (of.__doc__ or "")]
    assert not without


def test_examples_of_the_package_are_those_of_the_readme():
    text = (ROOT / "binfmt-python" / "README.md").read_text()
    for name in ("open", "Table", "Column", "Layout", "layout", "Error", "sql", "ConversionWarning"):
        assert name in text and hasattr(binfmt, name)


def test_type_checkers_know_all_names():
    import ast
    from pathlib import Path

    stub = ast.parse(Path(binfmt.__file__).with_suffix(".pyi").read_text("utf-8"))
    (known,) = (ast.literal_eval(node.value) for node in stub.body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    assert known == binfmt.__all__
