#!/bin/sh
# Mutation testing: builds a random sample of mutants of the product's code into build-mutants and counts
# those that the tests notice (tests/mutants/run.py, which has the options).  Takes an hour or more.
# With --thresholds instead: which constants that change a path have tests on both sides
# (tests/mutants/thresholds.py).
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
scripts/deps.sh --tests
[ -x build-mutants/venv/bin/python ] || python3 -m venv build-mutants/venv
build-mutants/venv/bin/pip install -q --disable-pip-version-check tree-sitter==0.26.1 tree-sitter-c==0.24.2
if [ "${1-}" = --thresholds ]; then
    shift
    exec nice build-mutants/venv/bin/python tests/mutants/thresholds.py build-mutants/thresholds "$@"
fi
exec nice build-mutants/venv/bin/python tests/mutants/run.py build-mutants "$@"
