#!/bin/sh
# Writes the C sources of the crates in bindings/rust, tests and packages them; the last line is
# `N passed, N failed`.  Needs cargo and a registry of crates, and says so where they are missing.
set -eu
cd "$(dirname "$0")/.."
if ! command -v cargo >/dev/null; then
    echo 'skipped: cargo is not installed'
    echo '0 passed, 0 failed'
    exit 0
fi
scripts/bundle.sh >/dev/null
rm -rf bindings/rust/cupel-sys/csrc
cp -r build/bundle/cupel-*-src bindings/rust/cupel-sys/csrc
cd bindings/rust
export CARGO_TARGET_DIR="$PWD/../../build/rust" CUPEL_CORPORA="${CUPEL_CORPORA-$PWD/../../../shared/corpora}"
[ -d "$CUPEL_CORPORA" ] || unset CUPEL_CORPORA
if ! cargo fetch --quiet; then
    echo 'skipped: there is no registry of crates'
    echo '0 passed, 0 failed'
    exit 0
fi
passed=0
failed=0
# step NAME COMMAND…: one check, or the tests that the command counts.
step() {
    name=$1
    shift
    if "$@" >"$CARGO_TARGET_DIR/step.log" 2>&1; then
        count=$(sed -n 's/^test result: ok. \([0-9]*\) passed.*/\1/p' "$CARGO_TARGET_DIR/step.log" | awk '{s += $1} END {print s + 0}')
        passed=$((passed + (count > 0 ? count : 1)))
        echo "$name: ok"
    else
        failed=$((failed + 1))
        echo "$name: FAILED"
        tail -40 "$CARGO_TARGET_DIR/step.log"
    fi
}
mkdir -p "$CARGO_TARGET_DIR"
if command -v bindgen >/dev/null; then
    step 'declarations are those of the headers' ./bindings.sh --check
else
    echo 'skipped: bindgen is not installed'
fi
step 'tests' cargo test --release --all-features
step 'clippy' cargo clippy --release --all-features --all-targets -- -D warnings
step 'format' cargo fmt --check
step 'package' cargo package --allow-dirty --no-verify --offline -p cupel-sys
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
