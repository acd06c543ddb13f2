#!/usr/bin/env python3
"""Sums up what the tests of one or more meson builds counted, and other checks.

usage: totals.py NAME=BUILD|LOG...

A log is what one program printed, counted as the output of one test.

A test says what it counted on its last line of the form `N passed, N failed`; one that says
nothing counts as one.  A test that ended badly without counting a failure (a crash, a timeout)
adds one, and so does a build without a log.  Prints a line for each build, what failed, and the
sum as the last line; the exit status is non-zero if anything failed.
"""
import json
import pathlib
import re
import sys

TOTALS = re.compile(r"^(\d+) passed, (\d+) failed\b", re.MULTILINE)
GOOD = {"OK", "EXPECTEDFAIL"}


def count(test):
    """(passed, failed, skipped) of one line of the log."""
    if test["result"] == "SKIP":
        return 0, 0, 1
    lines = TOTALS.findall(test.get("stdout", ""))
    good = test["result"] in GOOD
    if not lines:
        return int(good), int(not good), 0
    passed, failed = map(int, lines[-1])
    if not good and failed == 0:
        failed = 1
    return passed, failed, 0


def log_totals(name, log):
    text = pathlib.Path(log).read_text(encoding="utf-8")
    lines = TOTALS.findall(text)
    passed, failed = map(int, lines[-1]) if lines else (0, 1)
    if failed:
        print(text)
    print(f"{name}: {passed} passed, {failed} failed")
    return passed, failed


def build_totals(name, folder):
    if pathlib.Path(folder).is_file():
        return log_totals(name, folder)
    log = pathlib.Path(folder, "meson-logs", "testlog.json")
    if not log.exists():
        print(f"{name}: did not build")
        return 0, 1
    passed = failed = skipped = 0
    for line in log.read_text(encoding="utf-8").splitlines():
        test = json.loads(line)
        counts = count(test)
        passed, failed, skipped = (a + b for a, b in zip((passed, failed, skipped), counts))
        if counts[1]:
            print(f"{name}: {test['name']}: {test['result']}, {counts[1]} failed")
    print(f"{name}: {passed} passed, {failed} failed, {skipped} tests skipped")
    return passed, failed


def main():
    passed = failed = 0
    for argument in sys.argv[1:]:
        counts = build_totals(*argument.split("=", 1))
        passed, failed = passed + counts[0], failed + counts[1]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
