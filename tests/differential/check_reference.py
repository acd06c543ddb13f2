#!/usr/bin/env python3
"""The reference evaluator passes the required tests of the official suite, in all five drafts.

usage: check_reference.py CHECK_REFERENCE METASCHEMAS

CHECK_REFERENCE is the program built from check_reference.c, METASCHEMAS is compiler/metaschemas.
The suite is looked for where tests/suite/run.py does.
"""
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TESTS / "tools"), str(TESTS / "suite")]
import corpora  # noqa: E402
import run  # noqa: E402


def main():
    suite = run.corpora.find_suite()
    if suite is None:
        corpora.skip()
    return subprocess.run([sys.argv[1], str(suite), sys.argv[2]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
