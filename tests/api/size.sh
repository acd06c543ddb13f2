#!/bin/sh
# The machine code and constants that a gateway carries for running stored programs (libcupel-vm:
# base and vm, without PCRE2) stay under a bound.  Tables for unwinding do not count: they are read only when
# an exception passes or a process crashes.
#
# usage: size.sh STATIC_LIBRARY BYTES
set -eu

bytes=$(size -A "$1" | awk '$1 ~ /^\.(text|rodata)/ { n += $2 } END { print n + 0 }')
echo "text of $(basename "$1"): $bytes bytes of $2"
if [ "$bytes" -gt 0 ] && [ "$bytes" -le "$2" ]; then
    echo '1 passed, 0 failed'
else
    echo '0 passed, 1 failed'
    exit 1
fi
