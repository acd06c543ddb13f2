#!/bin/sh
# Writes the library as one folder of C files, build/bundle/cupel-VERSION-src, that any C11 compiler builds with
# `cc -c *.c`: no Python, no meson, no other library.  Bindings compile these files.
set -eu
cd "$(dirname "$0")/.."
exec python3 scripts/bundle.py "$@"
