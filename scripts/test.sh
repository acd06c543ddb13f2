#!/bin/sh
# Every check there is: the release build with the official suite and the stories of the command; all
# tests in two builds that take warnings for errors, gcc with optimisation and clang with the address
# and undefined-behaviour sanitizers; the tests with several threads in a third one, with the thread
# sanitizer; and static analysis.  Slower, and not in here: scripts/cross.sh, `scripts/analyse.sh tidy`,
# scripts/coverage.sh, fuzz/run.sh.  The last line is `N passed, N failed`, summed over all; the exit
# status is non-zero if anything failed.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
exec </dev/null

scripts/deps.sh --tests
if ! scripts/build.sh; then
    echo '0 passed, 1 failed'
    exit 1
fi

# The command as users have it, which gcc made with a profile as nothing else here.
for what in suite cli; do
    python3 "tests/$what/run.py" build/cupel >"build/$what.log" 2>&1 || true
done

# run_tests NAME [OPTION…]: what `meson test` knows, in build-NAME as ci/NAME.ini describes it.  What
# came of it is read from the log below, where a build that broke has none.
run_tests() {
    rm -f "build-$1/meson-logs/testlog.json"
    if [ ! -f "build-$1/build.ninja" ]; then
        meson setup "build-$1" --native-file "ci/$1.ini" || return 0
    fi
    name=$1
    shift
    meson test -C "build-$name" --print-errorlogs --timeout-multiplier 4 "$@" || true
}

# The build without other libraries passes the official suite as well, but for formats that need libidn2.
[ -f build-minimal/build.ninja ] || meson setup build-minimal --native-file ci/minimal.ini -Dtests=false || true
ninja -C build-minimal cli/cupel && python3 tests/suite/run.py build-minimal/cli/cupel >build/minimal.log 2>&1 || true

run_tests gcc
run_tests asan
run_tests tsan --suite threads
scripts/analyse.sh stack analyzer cppcheck lint >build-gcc/analysis.log 2>&1 || true

# The short part of the bindings' tests; scripts/test-bindings.sh runs all of them.
scripts/test-bindings.sh --short >build/bindings.log 2>&1 || true
scripts/test-python.sh >build/python-tests.log 2>&1 || true

exec python3 tests/tools/totals.py release-suite=build/suite.log release-cli=build/cli.log \
    minimal-suite=build/minimal.log bindings=build/bindings.log python=build/python-tests.log \
    gcc=build-gcc asan=build-asan tsan=build-tsan analysis=build-gcc/analysis.log
