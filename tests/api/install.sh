#!/bin/sh
# Installs the build into an empty folder, and uses it from there as a stranger would: a program in C and
# in C++, with the flags that pkg-config gives, with the shared library and with the static one.
#
# usage: install.sh BUILD EMBED.c
set -u
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
passed=0
failed=0

# expect COMMAND…
expect() {
    if "$@" >"$place/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $*"
        cat "$place/log"
    fi
}

expect meson install -C "$1" --no-rebuild --destdir "$place/root"
pc=$(find "$place/root" -name libcupel.pc)
libraries=$(dirname "$(dirname "$pc")")
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$place/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
cflags=$(pkg-config --cflags libcupel)
shared=$(pkg-config --libs libcupel)
private=$(pkg-config --libs $(sed -n 's/^Requires.private: //p' "$pc" | tr -d ,))
warnings='-Wall -Wextra -Wpedantic -Werror'

# shellcheck disable=SC2086
expect "${CC:-cc}" -std=c99 $warnings -o "$place/c" "$2" $cflags $shared
expect env LD_LIBRARY_PATH="$libraries" "$place/c"
# shellcheck disable=SC2086
expect "${CXX:-c++}" -std=c++17 -x c++ $warnings -o "$place/cc" "$2" $cflags -x none $shared
expect env LD_LIBRARY_PATH="$libraries" "$place/cc"
# shellcheck disable=SC2086
expect "${CC:-cc}" -std=c11 $warnings -o "$place/static" "$2" $cflags "$libraries/libcupel.a" $private
expect "$place/static"
expect test -n "$(find "$place/root" -name cupel.1)"
expect test -n "$(find "$place/root" -path '*bash-completion*' -name cupel)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
