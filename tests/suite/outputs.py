#!/usr/bin/env python3
"""The standard's output formats: the official tests of outputs pass, and the outputs of every test
of the suite, valid or not, in all six formats, pass the published schemas.

usage: outputs.py CUPEL

Whether the verdicts are what the suite expects is run.py's business.
"""
import sys

import run


def main():
    suite = run.corpora.find_suite()
    if suite is None or not (suite / "output-tests/v1").is_dir():
        run.corpora.skip()
    tests = suite / "output-tests"
    bad, passed, _ = run.cupel(*sorted(tests.glob("*/content")))
    lines, more, failed = run.cupel("--outputs", tests, "--optional", suite / "tests")
    wrong = [line for line in lines if "output" in line.rpartition(", got ")[2]]
    bad += wrong
    for line in bad:
        print(line)
    print(f"{passed + more + failed - len(wrong)} passed, {len(bad)} failed")
    return int(bool(bad) or passed == 0 or more == 0)


if __name__ == "__main__":
    sys.exit(main())
