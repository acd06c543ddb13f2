#!/bin/sh
# Builds the Python package: build/python/cupel_jsonschema-VERSION-cp311-abi3-PLATFORM.whl for this machine, and an sdist
# that builds from the source bundle in it alone.
#
# Needs CPython 3.11 or later with venv; installs its tools from PyPI into build/python/tools.
set -eu
cd "$(dirname "$0")/.."
exec </dev/null
exec python3 scripts/python.py
