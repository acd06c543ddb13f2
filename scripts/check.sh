#!/bin/sh
# The quick check for daily work: builds with gcc, then runs unit tests, golden cases, and the tests of layers,
# formatting and printed documents.  Takes less than a minute when little has changed.  scripts/test.sh runs everything.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
exec </dev/null

[ -f build-gcc/build.ninja ] || meson setup build-gcc --native-file ci/gcc.ini
ninja -C build-gcc
exec meson test -C build-gcc --no-rebuild --print-errorlogs \
    --suite unit --suite golden --suite passes --suite api --suite docs "$@"
