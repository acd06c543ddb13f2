#!/bin/sh
# The release build, into build/: the libraries, and the command as build/cupel.  Installs nothing;
# `meson install -C build` would.
#
# It is built twice: the first one does made-up work (bench/training), which tells gcc what is hot in the
# second.  That is worth 6 % from bytes to verdict (docs/performance.md).  With --untrained, or another
# compiler than gcc, it is built once.
set -eu
cd "$(dirname "$0")/.."
exec </dev/null

[ -f build/build.ninja ] || meson setup build -Dtests=false

# So that nothing is trained again that did not change.
is_current() {
    [ -f build/trained ] && [ -z "$(find bench/training bench/measuring.h -newer build/trained)" ] &&
        ninja -C build -n | grep -q 'no work to do'
}

is_gcc() {
    ${CC:-cc} -dM -E -x c /dev/null | grep -q '__GNUC__' && ! ${CC:-cc} -dM -E -x c /dev/null | grep -q '__clang__'
}

train() {
    mkdir -p build/training
    meson configure build -Db_pgo=generate
    find build -name '*.gcda' -delete
    ninja -C build cli/cupel bench/train
    python3 bench/training/make.py build/training
    build/bench/train build/training/*/
    build/cli/cupel tools call examples/catalog.json examples/calls.jsonl >/dev/null || [ $? = 1 ]
    meson configure build -Db_pgo=use
}

if [ "${1:-}" = --untrained ] || ! is_gcc; then
    [ ! -d build/training ] || meson configure build -Db_pgo=off
    rm -rf build/trained build/training
    ninja -C build
elif ! is_current; then
    rm -f build/trained
    train
    ninja -C build
    touch build/trained
fi
ln -sf cli/cupel build/cupel
