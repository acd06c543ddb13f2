#!/bin/sh
# Runs clients and servers of the SDKs of the Model Context Protocol through the nginx module and without it,
# and prints where the results are the same (tests/matrix).
#
#     scripts/gateway-matrix.sh [SDK…]      typescript-1 typescript-2 python go rust conformance
#
# The SDKs come from their registries into build/matrix; one whose toolchain is missing is left out by name.
# The first run takes some minutes.  The last line is `N passed, N failed`.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- typescript-1 typescript-2 python go rust conformance

scripts/deps.sh --tests
scripts/build.sh
out=$PWD/build/matrix
mkdir -p "$out"

skip() {
    echo "skipped: $1: $2"
    rm -rf "${out:?}/$1"
}

# copy SDK: its sources beside what was installed for it before.
copy() {
    mkdir -p "$out/$1"
    cp -R "tests/matrix/$1/." "$out/$1"
}

install_node() {
    command -v npm >/dev/null || { skip "$1" 'no npm'; return; }
    copy "$1"
    (cd "$out/$1" && npm install --no-package-lock --no-audit --no-fund --silent) || skip "$1" 'npm cannot fetch it'
}

install_python() {
    python3 -c 'import ensurepip' 2>/dev/null || { skip python 'no python3-venv'; return; }
    copy python
    [ -x "$out/python/venv/bin/python" ] || python3 -m venv "$out/python/venv"
    "$out/python/venv/bin/pip" install -q --disable-pip-version-check -r "$out/python/requirements.txt" ||
        skip python 'pip cannot fetch it'
}

install_go() {
    command -v go >/dev/null || { skip go 'no go'; return; }
    copy go
    mkdir -p "$out/go/bin"
    (cd "$out/go" && go build -o bin/ ./server ./client) || skip go 'it does not build'
}

install_rust() {
    command -v cargo >/dev/null || { skip rust 'no cargo'; return; }
    copy rust
    (cd "$out/rust" && cargo build -q --bins) || skip rust 'it does not build'
}

for sdk in "$@"; do
    case $sdk in
    typescript-1 | typescript-2) install_node "$sdk" ;;
    python) install_python ;;
    go) install_go ;;
    rust) install_rust ;;
    conformance) install_node typescript-1 ;;
    esac
done
exec python3 tests/matrix/run.py build/gateways/nginx/ngx_http_cupel_module.so "$out" "$@"
