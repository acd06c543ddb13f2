#!/bin/sh
# Tests the Python package as it is published: builds the wheel, installs it into a virtual environment and runs
# bindings/python/tests, with every CPython from 3.11 on that pyenv or the system has.  Without CPython 3.11 or the
# registry it says what is missing and passes with 0 tests.  The last line is `N passed, N failed`.
set -eu
cd "$(dirname "$0")/.."
exec </dev/null
mkdir -p build
passed=0 failed=0

skip() {
    echo "skipped: $1"
    echo '0 passed, 0 failed'
    exit 0
}

# The interpreters to test with; python3 itself is the first.
interpreters() {
    command -v python3
    for version in 3.12 3.13; do
        for found in "$HOME/.pyenv/versions/$version".*/bin/python3 "/usr/bin/python$version"; do
            if [ -x "$found" ] && "$found" -c 'import ssl, venv' 2>/dev/null; then
                echo "$found"
                break
            fi
        done
    done
}

# install INTERPRETER VENV PACKAGE…
install() {
    interpreter=$1 venv=$2
    shift 2
    [ -x "$venv/bin/pytest" ] || { "$interpreter" -m venv --clear "$venv" && "$venv/bin/pip" install -q "$@"; } || return 1
    "$venv/bin/pip" install -q --force-reinstall --no-deps build/python/*-abi3-*linux*_"$(uname -m)".whl
}

# number WORD LOG: the number before a word in the last line of pytest.
number() {
    sed -n "\$s/.*[^0-9]\([0-9][0-9]*\) $1.*/\1/p; \$s/^\([0-9][0-9]*\) $1.*/\1/p" "$2" | grep . || echo 0
}

python3 -c 'import ssl, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || skip 'CPython 3.11 with venv'
scripts/python.sh >build/python.log 2>&1 || {
    tail -n 20 build/python.log
    grep -q 'No matching distribution\|Temporary failure\|Connection' build/python.log && skip 'the registry'
    echo '0 passed, 1 failed'
    exit 1
}

# The first interpreter has the libraries that some tests need; the others run the tests that need none.
packages='pytest pyarrow jsonschema-rs referencing'
for interpreter in $(interpreters); do
    venv=build/python/test-$("$interpreter" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    # shellcheck disable=SC2086 # several packages
    install "$interpreter" "$venv" $packages >"$venv.log" 2>&1 || skip "packages for $interpreter"
    "$venv/bin/pytest" -q -p no:cacheprovider bindings/python/tests >"$venv.log" 2>&1 || true
    grep '^FAILED\|^ERROR\|passed' "$venv.log" || tail -n 5 "$venv.log"
    passed=$((passed + $(number passed "$venv.log")))
    failed=$((failed + $(number failed "$venv.log") + $(number error "$venv.log")))
    grep -q ' passed' "$venv.log" || failed=$((failed + 1))
    packages=pytest
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
