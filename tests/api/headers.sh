#!/bin/sh
# Compiles each public header alone, as strict C and as C++ of the oldest and the usual standards: a
# header that leans on another one being included before it fails here.
#
# usage: headers.sh INCLUDE_DIRECTORY
set -u

passed=0
failed=0
warnings='-Wall -Wextra -Wpedantic -Werror'

# compile COMPILER LANGUAGE STANDARD HEADER
compile() {
    if printf '#include <cupel/%s>\n' "$4" |
        "$1" -x "$2" -std="$3" $warnings -fsyntax-only -I "$include" -; then
        passed=$((passed + 1))
    else
        echo "$4 does not compile alone as $3"
        failed=$((failed + 1))
    fi
}

include=$1
for header in "$include"/cupel/*.h; do
    name=$(basename "$header")
    for standard in c99 c11; do
        compile "${CC:-gcc}" c "$standard" "$name"
    done
    for standard in c++11 c++17; do
        compile "${CXX:-g++}" c++ "$standard" "$name"
    done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
