#!/bin/sh
# The machine code and constants that a gateway carries for running stored programs (libcupel-vm:
# base and vm, without PCRE2) stay under a bound.
#
# usage: size.sh STATIC_LIBRARY BYTES
set -eu

bytes=$(size -t "$1" | tail -n 1 | awk '{ print $1 }')
echo "text of $(basename "$1"): $bytes bytes of $2"
if [ "$bytes" -gt 0 ] && [ "$bytes" -le "$2" ]; then
    echo '1 passed, 0 failed'
else
    echo '0 passed, 1 failed'
    exit 1
fi
