#!/usr/bin/env python3
"""Runs a program on every file of the official suite's drafts.

usage: on_suite.py PROGRAM STRIDE

The program gets STRIDE, which says how thin the sample is that it takes, and the files.
"""
import subprocess
import sys

import corpora


def main():
    suite = corpora.find_suite()
    if suite is None:
        corpora.skip()
    files = sorted(str(p) for p in suite.glob("tests/draft[0-9]*/**/*.json") if p.is_file())
    return subprocess.run([sys.argv[1], sys.argv[2]] + files, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
