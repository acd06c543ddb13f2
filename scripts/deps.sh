#!/bin/sh
# Installs what is missing on Debian 12: the packages the build needs, with `--gateway` also those of
# the nginx module and its demonstration, with `--tests` those of all tests, with `--analysis` those of
# scripts/analyse.sh, with `--cross` those of scripts/cross.sh, with `--coverage` those of
# scripts/coverage.sh, with `--proofs` those of scripts/prove.sh, with `--wasm` those of scripts/wasm.sh,
# with `--npm` those of scripts/npm.sh, with `--lua` those of scripts/lua.sh, and with `--bench` those of
# bench/run.py.  Asks dpkg first, so a machine that has everything is not touched and needs no root.
set -eu

build='gcc libc6-dev meson ninja-build pkg-config libpcre2-dev libidn2-dev nettle-dev'
gateway='nginx nginx-dev python3'
tests='g++ binutils clang-14 clang-format-14 libclang-rt-14-dev libtest-json-schema-acceptance-perl curl valgrind strace
    python3-idna prometheus'
cross='gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static'
coverage='python3 libtest-json-schema-acceptance-perl clang-19 llvm-19 libclang-rt-19-dev'
analysis='cppcheck clang-tidy-14'
proofs='python3 frama-c-base'
npm='python3 python3-venv'
lua='python3 luajit2 nginx libnginx-mod-http-lua lua-cjson'
wasm='python3 clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 binaryen'
bench='g++ python3 rapidjson-dev libvalijson-dev libsimdjson-dev gnuplot-nox'

case "${1-}" in
--gateway) wanted="$build $gateway" ;;
--tests) wanted="$build $gateway $tests" ;;
--analysis) wanted="$build $analysis" ;;
--cross) wanted="$build $tests $cross" ;;
--coverage) wanted="$build $coverage" ;;
--proofs) wanted="$build $proofs" ;;
--npm) wanted=$npm ;;
--lua) wanted="$build $lua" ;;
--wasm) wanted=$wasm ;;
--bench) wanted="$build $bench" ;;
*) wanted=$build ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "deps: this is not Debian; please install what corresponds to: $wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
    root='sudo -n'
    if ! command -v sudo >/dev/null; then
        echo "deps: as root, please run: apt-get install$missing" >&2
        exit 1
    fi
fi

# Run level 1: what is installed for a test is not to start as a service.
# apt-cache knows no candidate for a package when the lists were never fetched.
apt_get() {
    $root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -q -y "$@" </dev/null
}
for package in $missing; do
    candidate=$(apt-cache policy "$package" 2>/dev/null | sed -n 's/^ *Candidate: //p')
    case $candidate in
    '' | '(none)')
        apt_get update
        break
        ;;
    esac
done
echo "deps: installing$missing"
# shellcheck disable=SC2086
apt_get install --no-install-recommends $missing
