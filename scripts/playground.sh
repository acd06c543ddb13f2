#!/bin/sh
# Builds the playground, a static page, into build/playground: any server of files serves it.  Builds the npm package's
# ES modules and the WebAssembly module first (scripts/npm.sh); --no-build uses those that are there.
set -eu
cd "$(dirname "$0")/.."
exec </dev/null
[ "${1-}" = --no-build ] || scripts/npm.sh
out=build/playground
rm -rf "$out"
mkdir -p "$out/cupel"
cp bindings/npm/playground/*.html bindings/npm/playground/*.css bindings/npm/playground/*.js "$out"
for each in engine engine-wasm; do
    cp "build/npm/package/esm/$each.js" "$out/cupel"
done
cp build/wasm/cupel-playground.wasm LICENSE bindings/npm/NOTICES "$out"
cp compiler/metaschemas/draft-07.json "$out"
echo "$out"
