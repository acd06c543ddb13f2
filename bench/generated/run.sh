#!/bin/sh
# Generates C for the benchmark's schemas, compiles it and prints its speed beside the VM's.
#
# usage: run.sh [BUILD [CORPUS [SET...]]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
build=${1:-$root/build}
corpus=${2:-$root/../shared/corpora/bench}
if [ $# -gt 2 ]; then shift 2; else set --; fi
out=$here/../out
mkdir -p "$out"
python3 "$here/generate.py" --cupel "$build/cli/cupel" --corpus "$corpus" "$@" > "$out/sets.c"
libs=$(pkg-config --libs $(sed -n 's/^Requires.private: *//p' "$build/meson-private/libcupel.pc" |
    tr ',' ' '))
${CC:-cc} -std=c11 -O2 -D_DEFAULT_SOURCE -I"$here" -I"$root/include" -I"$root/base" -I"$root/vm" \
    -o "$out/beside" "$here/beside.c" "$out/sets.c" \
    -Wl,--whole-archive "$build/libcupel.a" -Wl,--no-whole-archive $libs -lm
"$out/beside" "$corpus"
