#!/bin/sh
# nginx with the module in front of a small server, on loopback: a catalog that is learned, good and bad
# calls, a result in an event stream, a tool that changes, and the counters.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
exec </dev/null

scripts/deps.sh --gateway
scripts/build.sh
module=build/gateways/nginx/ngx_http_cupel_module.so
if [ ! -f "$module" ]; then # the build folder is older than nginx-dev
    meson setup --reconfigure build >/dev/null
    scripts/build.sh
fi
exec python3 gateways/nginx/demo.py "$module" build/cupel examples/catalog.json examples/calls.jsonl
