#!/bin/sh
# Static analysis of the library and the command: gcc -fanalyzer and the size of stack frames, cppcheck,
# clang-tidy, each with the compiler options of build-gcc.  With names of tools (tests/tools/analyse.py),
# only these.  Prints what they find; the last line is `N passed, N failed`.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
exec </dev/null

scripts/deps.sh --analysis
[ -f build-gcc/build.ninja ] || meson setup build-gcc --native-file ci/gcc.ini
# Some of what is included is made first.
ninja -C build-gcc >build-gcc/ninja.log || { tail -20 build-gcc/ninja.log; exit 1; }
[ $# -gt 0 ] || set -- stack analyzer cppcheck lint tidy
exec python3 tests/tools/analyse.py build-gcc "$@"
