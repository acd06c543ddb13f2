#!/bin/sh
# Compiles the program in the first comment of a header and runs it; its output has to hold a text.
#
# usage: example.sh INCLUDE_DIRECTORY SHARED_LIBRARY HEADER TEXT
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
sed '/^ \*\//q; /\*\/$/q' "$1/cupel/$3" | sed -n 's/^ \*     //p; s/^ \*$//p' >"$place/program.c"
"${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror -I "$1" -o "$place/program" "$place/program.c" "$2"
LD_LIBRARY_PATH=$(dirname "$2") "$place/program" | tee "$place/out"
if grep -qF -- "$4" "$place/out"; then
    echo '1 passed, 0 failed'
else
    echo '0 passed, 1 failed'
    exit 1
fi
