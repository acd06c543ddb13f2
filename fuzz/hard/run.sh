#!/bin/sh
# Searches for the families that cost most for what they pay (hard.c), and prints them.
#
#   fuzz/hard/run.sh [SECONDS [SEED]]
#
# A finding becomes a family of tests/complexity/families.def, and law.py counts its instructions.
set -eu
cd "$(dirname "$0")/../.."
if [ ! -f build-hard/build.ninja ]; then
    CC=clang-14 meson setup build-hard --buildtype release -Ddefault_library=static -Dtests=false -Dnginx=disabled >/dev/null
    # The programs that meson compiles to try the compiler lack the function.
    meson configure build-hard -Dc_args=-fsanitize-coverage=trace-pc
fi
ninja -C build-hard libcupel.a >build-hard/ninja.log || { tail -20 build-hard/ninja.log; exit 1; }
clang-14 -O2 -std=c11 -D_DEFAULT_SOURCE -Iinclude -Itests/unit -Itests/complexity -o build-hard/hard \
    fuzz/hard/hard.c build-hard/libcupel.a $(pkg-config --libs libpcre2-8 libidn2 nettle)
exec nice build-hard/hard "$@"
