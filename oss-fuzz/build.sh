#!/bin/sh
# Builds every fuzz target with the compiler and flags of the environment, as OSS-Fuzz sets them:
# CC CFLAGS CXX CXXFLAGS LIB_FUZZING_ENGINE OUT SRC WORK.  PCRE2 is made from $SRC/pcre2 if that is
# there (memory and i386 builds need one with the same flags), else the system's is taken.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
[ -d "$source/fuzz" ] || source=$SRC/cupel

if [ -d "${SRC:-/nonexistent}/pcre2" ]; then
    jit=--enable-jit
    [ "${SANITIZER:-}" = memory ] && jit=--disable-jit
    mkdir -p "$WORK/pcre2"
    [ -f "$SRC/pcre2/configure" ] || (cd "$SRC/pcre2" && ./autogen.sh)
    (cd "$WORK/pcre2" && "$SRC/pcre2/configure" --disable-shared $jit --prefix="$WORK" && make -j2 install)
    export PKG_CONFIG_PATH="$WORK/lib/pkgconfig"
fi

# Everything static, and nothing that is not part of a plain build: targets run on another machine.
rm -rf "$WORK/build"
meson setup "$WORK/build" "$source" -Dfuzz=true -Dtests=false -Ddebug_vm=true -Ddispatch=switch \
    -Didn=disabled -Dpins=disabled -Dnginx=disabled -Dbuildtype=plain -Db_lundef=false \
    -Dprefer_static=true "-Dfuzz_engine=$LIB_FUZZING_ENGINE"
for target in "$source"/fuzz/*/target.c; do
    name=$(basename "$(dirname "$target")")
    ninja -C "$WORK/build" "fuzz/fuzz-$name"
    cp "$WORK/build/fuzz/fuzz-$name" "$OUT/$name"
    if command -v zip >/dev/null; then
        zip -jqr "$OUT/${name}_seed_corpus.zip" "$source/fuzz/$name/corpus"
    fi
    [ ! -f "$source/fuzz/$name/dict" ] || cp "$source/fuzz/$name/dict" "$OUT/$name.dict"
    if [ -f "$source/fuzz/$name/options" ]; then
        cp "$source/fuzz/$name/options" "$OUT/$name.options"
    else
        printf '[libfuzzer]\nmax_len = 2048\ntimeout = 5\n' >"$OUT/$name.options"
    fi
done
