#!/usr/bin/env python3
"""That all ways to run a program agree on every test of the official suite.

usage: modes.py CUPEL

Runs `cupel suite --report --modes --optional` on every draft there is: with all passes and without, in the
threaded and in the portable loop, with SIMD and without, and in a report, which has a problem
exactly where a value is invalid.  Whether the verdict is what the suite expects is run.py's
business: a test that fails the same way everywhere counts as passed here, and a schema that is
refused, with and without the passes, is no test.
"""
import sys

import run

DISAGREE = ("modes that disagree", "a report that disagrees", "no report")


def main():
    suite = run.corpora.find_suite()
    if suite is None:
        run.corpora.skip()
    folders = [suite / "tests" / d for d in run.DRAFTS if (suite / "tests" / d).is_dir()]
    lines, passed, failed = run.cupel("--report", "--modes", "--optional", *folders)
    bad = [line for line in lines if line.rpartition(", got ")[2] in DISAGREE]
    refused = sum(", got a refusal: " in line for line in lines)
    for line in bad:
        print(line)
    passed += failed - len(bad) - refused
    print(f"{passed} passed, {len(bad)} failed, {refused} skipped")
    return int(bool(bad) or passed == 0)


if __name__ == "__main__":
    sys.exit(main())
