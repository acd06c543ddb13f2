#!/bin/sh
# Static analysis: gcc's -fanalyzer over base, vm, compiler and mcp, cppcheck and clang-tidy where they are
# installed.  Prints what they find; the last line is `N passed, N failed`, a pass for each tool that found
# nothing.
set -eu
cd "$(dirname "$0")/.."

passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 compiler/metaschemas/embed.py "$work/metaschemas.inc" compiler/metaschemas/*.json
include="-Iinclude -Ibase -Ivm -Ivm/formats -Icompiler -Icompiler/frontend -Icompiler/ir -Imcp -I$work"
define='-D_DEFAULT_SOURCE -DCUPEL__DEBUG_VM=0 -D__OPTIMIZE__'
sources=$(find base vm compiler mcp -name '*.c')

count() { # NAME LOG: what a tool found
    if [ -s "$2" ]; then
        failed=$((failed + 1))
        cat "$2"
        echo "$1: findings"
    else
        passed=$((passed + 1))
        echo "$1: none"
    fi
}

: >"$work/gcc"
for file in $sources; do
    # shellcheck disable=SC2086
    gcc -std=c11 -O1 -fanalyzer -Wno-analyzer-too-complex $define $include -c "$file" -o /dev/null \
        2>>"$work/gcc" || true
done
count 'gcc -fanalyzer' "$work/gcc"

if command -v cppcheck >/dev/null; then
    # shellcheck disable=SC2086
    cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr $define $include \
        --suppress=missingIncludeSystem --suppress=nullPointerRedundantCheck $sources >"$work/cppcheck" 2>&1 || true
    count cppcheck "$work/cppcheck"
fi
if command -v clang-tidy >/dev/null; then
    # shellcheck disable=SC2086
    clang-tidy --quiet --checks='-*,bugprone-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-bugprone-reserved-identifier,-bugprone-assignment-in-if-condition' \
        $sources -- -std=c11 $define $include 2>/dev/null >"$work/tidy" || true
    count clang-tidy "$work/tidy"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
