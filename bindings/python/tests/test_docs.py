"""Examples in docstrings and in the README."""
import doctest
import importlib
import pathlib

import pytest

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
README = pathlib.Path(__file__).resolve().parents[1] / "README.md"


@pytest.mark.parametrize("name", ["cupel_jsonschema", "cupel_jsonschema.arrow", "cupel_jsonschema.mcp",
                                  "cupel_jsonschema.notebook"])
def test_docstrings(name):
    if name.endswith("arrow"):
        pytest.importorskip("pyarrow")
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0
    assert tried > 0 or name.endswith("notebook")


def test_readme():
    pytest.importorskip("pyarrow")
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=FLAGS)
    assert failed == 0 and tried >= 10
