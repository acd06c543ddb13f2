#!/bin/sh
# Builds every fuzz target with the compiler and flags of the environment, as OSS-Fuzz sets them:
# CC CFLAGS CXX CXXFLAGS LIB_FUZZING_ENGINE OUT SRC WORK.  PCRE2, libunistring, libidn2 and Nettle are made from
# $SRC/NAME, static and with the same flags (memory and i386 builds need that), where that folder is; else the
# system's are taken.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
[ -d "$source/fuzz" ] || source=$SRC/cupel
export PKG_CONFIG_PATH="$WORK/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"

# make_library NAME OPTION…: configures, builds and installs $SRC/NAME to $WORK, if it is there.
make_library() {
    name=$1
    shift
    [ -d "${SRC:-/nonexistent}/$name" ] || return 0
    mkdir -p "$WORK/$name"
    [ -f "$SRC/$name/configure" ] || (cd "$SRC/$name" && ./autogen.sh)
    host=
    [ "${ARCHITECTURE:-x86_64}" != i386 ] || host=--host=i386-pc-linux-gnu
    # shellcheck disable=SC2086
    (cd "$WORK/$name" && "$SRC/$name/configure" $host --disable-shared --enable-static --prefix="$WORK" \
        --libdir="$WORK/lib" "$@" && make -j2 && make install) >"$WORK/$name.log" 2>&1 || {
        tail -30 "$WORK/$name.log"
        exit 1
    }
}

# What a sanitizer cannot see into stays out: machine code, assembler.
jit=--enable-jit
[ "${SANITIZER:-}" != memory ] || jit=--disable-jit
make_library pcre2 $jit
make_library libunistring --disable-rpath
make_library libidn2 --disable-doc --disable-nls --disable-rpath --with-libunistring-prefix="$WORK"
make_library nettle --disable-assembler --disable-documentation --disable-openssl --disable-public-key

# Everything static, and nothing that is not part of a plain build: targets run on another machine.  The engine
# may be in C++, so $CXX links.
rm -rf "$WORK/build"
meson setup "$WORK/build" "$source" -Dfuzz=true -Dtests=false -Ddebug_vm=true -Ddispatch=switch \
    -Didn=enabled -Dpins=enabled -Dnginx=disabled -Dbuildtype=plain -Db_lundef=false \
    -Dprefer_static=true "-Dfuzz_engine=$LIB_FUZZING_ENGINE"
for target in "$source"/fuzz/*/target.c; do
    name=$(basename "$(dirname "$target")")
    ninja -C "$WORK/build" "fuzz/fuzz-$name"
    cp "$WORK/build/fuzz/fuzz-$name" "$OUT/$name"
    (cd "$source/fuzz/$name/corpus" && zip -qr "$OUT/${name}_seed_corpus.zip" .)
    cat "$source/fuzz/words.dict" >"$OUT/$name.dict"
    [ ! -f "$source/fuzz/$name/dict" ] || cat "$source/fuzz/$name/dict" >>"$OUT/$name.dict"
    cp "$source/fuzz/$name/options" "$OUT/$name.options"
    printf 'dict = %s.dict\n' "$name" >>"$OUT/$name.options"
done
