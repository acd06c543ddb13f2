#!/bin/sh
# Compiles the program in the first comment of a header as C and as C++, without warnings, and runs it; its output has
# to contain a text.
#
# usage: example.sh INCLUDE_DIRECTORY SHARED_LIBRARY HEADER TEXT
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
passed=0
failed=0

# try COMPILER AND OPTIONS
try() {
    if "$@" -Wall -Wextra -Wpedantic -Werror -I "$include" -o "$place/program" "$place/program.c" -x none "$library" &&
        LD_LIBRARY_PATH=$(dirname "$library") "$place/program" | tee "$place/out" && grep -qF -- "$text" "$place/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

include=$1
library=$2
text=$4
sed '/^ \*\//q; /\*\/$/q' "$include/cupel/$3" | sed -n 's/^ \*     //p; s/^ \*$//p' >"$place/program.c"
try "${CC:-cc}" -std=c11
if command -v "${CXX:-c++}" >"$place/found"; then
    try "${CXX:-c++}" -std=c++11 -x c++
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
