#!/usr/bin/env python3
"""The tests of the official JSON Schema test suite, and our own in its newer layouts.

usage: run.py CUPEL [DRAFT...]

Looks for the suite in $JSONSCHEMA_SUITE, in ../shared/corpora/json-schema-test-suite, and where
Debian's libtest-json-schema-acceptance-perl puts it.  Runs `cupel suite --report --optional` on
tests/DRAFT, by default for all drafts: each verdict is compared with the suite's and with
what the report program says.  Unless drafts are named it also runs annotations/tests
and the folder samples beside this file, which stand for several dialects at once: each of their
tests counts once for each dialect.

known-failures.txt beside this file lists the tests that cannot pass yet:

    file | group | test | reason

with the file as DRAFT/name.json and the two descriptions as the suite has them (the test of an
assertion about annotations has the name that a failure is printed with); `*` stands for any.  Such a
test is counted neither as passed nor as failed, but an entry whose tests all pass is a failure: the
list only shrinks.  Entries that match nothing in this copy of the suite are left alone.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import corpora  # noqa: E402

DRAFTS = ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12", "v1"]


def cupel(*arguments):
    """What `cupel suite` prints of failures, and how many tests passed and failed."""
    done = subprocess.run([sys.argv[1], "suite", *map(str, arguments)], check=False,
                          capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    lines = done.stdout.splitlines()
    totals = re.match(r"(\d+) passed, (\d+) failed", lines[-1] if lines else "")
    if totals is None:
        sys.exit(f"no totals; exit status {done.returncode}")
    return lines[:-1], int(totals[1]), int(totals[2])


def main():
    suite = corpora.find_suite()
    if suite is None:
        corpora.skip()
    known = HERE / "known-failures.txt"
    corpora.read_table(known, 4)  # each entry has a reason
    paths = [suite / "tests" / draft for draft in sys.argv[2:]]
    if not paths:
        places = [suite / "tests" / draft for draft in DRAFTS]
        places += [suite / "annotations" / "tests", HERE / "samples"]
        paths = [p for p in places if p.is_dir()]
    command = [sys.argv[1], "suite", "--report", "--optional", "--known", str(known)]
    return subprocess.run(command + [str(path) for path in paths], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
