#!/bin/sh
# Compiles a C++ program, links it with the shared library and runs it.
#
# usage: throw.sh INCLUDE_DIRECTORY SHARED_LIBRARY PROGRAM.cc
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"${CXX:-c++}" -std=c++17 -Wall -Wextra -Wpedantic -Werror -I "$1" -o "$place/program" "$3" "$2"
LD_LIBRARY_PATH=$(dirname "$2") "$place/program"
