"""Where the test data stands that is too large, or not ours, to be part of the project.

A checkout may have a folder beside it, ../shared/corpora; CUPEL_CORPORA in the environment names
another place.  Tests that need a corpus which is not there say so and pass with 0 tests.
"""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEBIAN_SUITE = pathlib.Path("/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance")


def folder(name):
    """The folder of a corpus, or None."""
    base = os.environ.get("CUPEL_CORPORA") or ROOT.parent / "shared" / "corpora"
    path = pathlib.Path(base, name)
    return path if path.is_dir() else None


def find_suite():
    """The folder of the official suite that holds tests/ and remotes/, or None."""
    named = os.environ.get("JSONSCHEMA_SUITE")
    if named:
        return pathlib.Path(named)
    places = [folder("json-schema-test-suite"), DEBIAN_SUITE]
    return next((p for p in places if p and (p / "tests").is_dir()), None)


def skip():
    """Ends a test whose corpus is absent."""
    print("skipped: no ../shared")
    print("0 passed, 0 failed")
    sys.exit(0)


def read_table(path, columns):
    """The lines of a file of `a | b | c` with so many columns; `#` begins a comment line."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        row = tuple(part.strip() for part in line.split(" | "))
        if len(row) != columns or not all(row):
            sys.exit(f"{path.name}:{number}: expected {columns} columns, each with a text")
        rows.append(row)
    return rows
