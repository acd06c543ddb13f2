#!/bin/sh
# Branch coverage of base, vm, compiler and mcp by the tests: builds into build-coverage with gcc, runs them
# and prints a table, or with --bless writes it to tests/coverage.txt.  Where clang-19 is at hand,
# `llvm-cov show --show-mcdc` has the conditions as well; nothing here needs it.
set -eu
cd "$(dirname "$0")/.."

if [ ! -f build-coverage/build.ninja ]; then
    meson setup build-coverage -Db_coverage=true -Dbuildtype=debug -Doptimization=0 -Db_ndebug=true \
        -Dnginx=disabled
fi
ninja -C build-coverage >build-coverage/ninja.log || { tail -20 build-coverage/ninja.log; exit 1; }
find build-coverage -name '*.gcda' -delete
meson test -C build-coverage --no-rebuild --timeout-multiplier 10 >build-coverage/test.log 2>&1 ||
    grep -E 'FAIL|TIMEOUT' build-coverage/test.log >&2 || true
exec python3 tests/tools/coverage.py build-coverage "$@"
