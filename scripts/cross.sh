#!/bin/sh
# The tests on other machines: words of 32 bits (i386), the highest byte first (s390x), NEON (arm64), or
# those that are named.  Cross compilers and emulator are Debian's and are installed where they are missing;
# libraries of the other architecture are unpacked into build-cross-NAME.root, which nothing else sees.
# What is expected is what the tests expect anywhere: the same verdicts, code and steps.
# The last line is `N passed, N failed`, summed over all; the exit status is non-zero if anything
# failed.
#
# usage: cross.sh [MACHINE…] [-- OPTION OF MESON TEST…]
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
exec </dev/null

scripts/deps.sh --cross
libraries='libpcre2-dev libpcre2-8-0 libidn2-dev libidn2-0 libunistring-dev libunistring2 nettle-dev libnettle8'

# The emulator of a machine; one of 32 bits runs as it is.
emulator() {
    case $1 in
    i386) ;;
    s390x) echo qemu-s390x-static ;;
    arm64) echo qemu-aarch64-static ;;
    *)
        echo "cross: no such machine: $1" >&2
        exit 2
        ;;
    esac
}

# fetch MACHINE FOLDER: unpacks the libraries.  The lists of packages of the other architecture are kept
# apart from the system's.
fetch() {
    apt=$2/apt
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/debs"
    : >"$apt/status"
    printf '%s\n' "APT::Architecture \"$1\"; APT::Architectures { \"$1\"; };" \
        "Dir::State \"$PWD/$apt\"; Dir::State::status \"$PWD/$apt/status\"; Dir::Cache \"$PWD/$apt\";" \
        'APT::Sandbox::User "root";' >"$apt/apt.conf"
    (
        export APT_CONFIG="$PWD/$apt/apt.conf"
        cd "$apt/debs"
        apt-get -q update || true # what cannot be had is missed below, if it is needed
        # shellcheck disable=SC2086
        apt-get -q download $libraries
    )
    for package in "$apt"/debs/*.deb; do
        dpkg-deb -x "$package" "$2"
    done
    rm -rf "$apt"
}

# root_of MACHINE: the folder with its libraries, and what the files in ci have to be told of it.
root_of() {
    root=build-cross-$1.root
    if [ ! -f "$root/root.ini" ]; then
        rm -rf "$root"
        fetch "$1" "$root" >&2
        ccache=
        if command -v ccache >/dev/null; then
            ccache="'ccache'"
        fi
        printf '%s\n' '[constants]' "root = '$PWD/$root'" "ccache = [$ccache]" >"$root/root.ini"
    fi
    echo "$root"
}

# emulate FOLDER EMULATOR: puts a script in the place of each program, so that whoever calls one, by name or
# from another program, need not know.
emulate() {
    find "$1" -type f -perm -u+x ! -name '*.so*' ! -name '*.elf' | while read -r program; do
        if [ "$(head -c 4 "$program" | tail -c 3)" = ELF ]; then
            mv "$program" "$program.elf"
            printf '#!/bin/sh\nexec %s "$0.elf" "$@"\n' "$2" >"$program"
            chmod +x "$program"
            touch -r "$program.elf" "$program"
        fi
    done
}

# run MACHINE OPTION…
run() {
    build=build-cross-$1
    root=$(root_of "$1")
    emulator=$(emulator "$1")
    if [ ! -f "$build/build.ninja" ]; then
        meson setup "$build" --cross-file "$root/root.ini" --cross-file "ci/cross-$1.ini" \
            --cross-file ci/cross.ini -Dnginx=disabled
    fi
    rm -f "$build/meson-logs/testlog.json"
    ninja -C "$build" || return 0
    [ -z "$emulator" ] || emulate "$build" "$emulator"
    shift
    meson test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier 30 "$@" || true
}

machines=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    machines="$machines $1"
    shift
done
[ $# = 0 ] || shift
[ -n "$machines" ] || machines='i386 s390x arm64'

totals=
for machine in $machines; do
    run "$machine" "$@"
    totals="$totals $machine=build-cross-$machine"
done
# shellcheck disable=SC2086
exec python3 tests/tools/totals.py $totals
