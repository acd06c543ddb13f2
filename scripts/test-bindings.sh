#!/bin/sh
# Tests of the bindings: builds the npm package and runs bindings/npm/test with both engines.
#
# usage: test-bindings.sh [--short] [--bench] [TEST…]
#
#   --short   what scripts/test.sh runs: one WebAssembly module, the addon by this machine's compiler, and the tests that
#             need no other package
#   --bench   measures the package beside its peers from the registry, in place of the tests
#   TEST      the tests of these names alone
#
# Without node, a compiler for WebAssembly or the registry it says what is missing and passes with 0 tests.  The last line
# is `N passed, N failed`.
set -eu
cd "$(dirname "$0")/.."
exec </dev/null
exec python3 bindings/npm/test/run.py "$@"
