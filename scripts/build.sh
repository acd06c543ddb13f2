#!/bin/sh
# The release build, into build/: the libraries, and the command as build/cupel.  Installs nothing;
# `meson install -C build` would.
set -eu
cd "$(dirname "$0")/.."

[ -f build/build.ninja ] || meson setup build -Dtests=false </dev/null
ninja -C build </dev/null
ln -sf cli/cupel build/cupel
