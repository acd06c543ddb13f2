#!/bin/sh
# What the tests leave untried: builds into build-coverage, runs the tests there, prints lines, branches
# and conditions (MC/DC) of each file, and holds the branches that no test takes to
# tests/coverage/uncovered.txt.  With --bless writes that list; with --quick only compares, after a run.
#
# clang-19 counts at the source: it tells the two values of each condition apart, which gcov does not,
# and knows MC/DC.  The corpora are left out, so that the figures are the same on every machine.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
build=build-coverage

run() { # what `meson test` is to take
    nice meson test -C $build --no-rebuild --timeout-multiplier 20 "$@" >>$build/test.log 2>&1 || true
}

if [ "${1-}" = --quick ]; then
    shift
else
    scripts/deps.sh --coverage
    [ -f $build/build.ninja ] || meson setup $build --native-file ci/coverage.ini
    ninja -C $build >$build/ninja.log || { tail -20 $build/ninja.log; exit 1; }
    rm -rf $build/raw
    # One file for each program, into which all its runs are added.
    export LLVM_PROFILE_FILE="$PWD/$build/raw/%m.profraw" CUPEL_CORPORA=/nonexistent
    : >$build/test.log
    run --no-suite api --no-suite docs --no-suite complexity --no-suite model --no-suite quiet
    run args-model formats-short linear-model mcp-pins regex-evil
    ! grep -E 'FAIL|TIMEOUT' $build/test.log || exit 1
fi
llvm-profdata-19 merge -sparse $build/raw/*.profraw -o $build/all.profdata
# A test that uses a header's functions by itself counts too.
llvm-cov-19 export $build/libcupel.so -object $build/tests/test_mem -instr-profile=$build/all.profdata >$build/coverage.json
exec python3 tests/coverage/coverage.py $build/coverage.json "$@"
