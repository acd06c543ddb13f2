#!/bin/sh
# Proves that code which reads what strangers send has no run-time error, by abstract interpretation (Frama-C's Eva).
#
#   scripts/prove.sh [NAME…]        tests/proofs/NAME.c; default: all that tests/proofs/alarms.txt and utf8.c are about
#
# Each program runs functions on any bytes; its line `eva:` has the analyser's options.  What the analyser cannot
# prove is an alarm; tests/proofs/alarms.txt has each with the argument why it is none.  An alarm that is not there
# fails, and so does an entry without an alarm: the list only shrinks.  Takes some minutes.
# `scripts/deps.sh --proofs` installs what this needs.
set -eu
cd "$(dirname "$0")/.."

if ! command -v frama-c >/dev/null; then
    echo "skipped: no frama-c (scripts/deps.sh --proofs)" >&2
    echo "0 passed, 0 failed"
    exit 0
fi

out=build-proofs
flags='-I. -Iinclude -Itests/proofs -std=c11 -D_DEFAULT_SOURCE -DNDEBUG
    -U__SSE2__ -U__SSE4_2__ -DCUPEL__DEBUG_VM=0'
mkdir -p "$out"
[ $# -gt 0 ] || set -- utf8 number events layout verify
for name; do
    options=$(sed -n 's/^ \* eva: *//p' "tests/proofs/$name.c")
    rm -f "$out/$name.csv"
    # shellcheck disable=SC2086
    nice frama-c -c11 -cpp-extra-args="$(echo $flags)" -machdep gcc_x86_64 -eva -eva-no-results \
        -eva-msg-key=-initial-state $options "tests/proofs/$name.c" -then -report-no-proven \
        -report-csv "$out/$name.csv" >"$out/$name.log" 2>&1 || { tail -20 "$out/$name.log"; exit 1; }
done
exec python3 tests/proofs/alarms.py "$out" "$@"
