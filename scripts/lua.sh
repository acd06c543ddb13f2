#!/bin/sh
# Builds the shared library in build-lua/ and runs the tests of the Lua binding against it; the last line is
# `N passed, N failed`.  With --bench, times a verdict from LuaJIT instead.
set -eu
cd "$(dirname "$0")/.."
scripts/deps.sh --lua
[ -f build-lua/build.ninja ] || meson setup build-lua --buildtype=release -Dtests=false >/dev/null
ninja -C build-lua libcupel.so.0.1.0 >/dev/null
library=$PWD/build-lua/libcupel.so.0.1.0
if [ "${1-}" = --bench ]; then
    CUPEL_LIBRARY=$library LUA_PATH="$PWD/bindings/lua/lib/?.lua;;" exec luajit bindings/lua/bench.lua
fi
exec python3 bindings/lua/tests/run.py "$library"
