#!/bin/sh
# Builds every fuzz target with the compiler and flags of the environment, as OSS-Fuzz sets them:
# CC CFLAGS CXX CXXFLAGS LIB_FUZZING_ENGINE OUT SRC WORK.  PCRE2 is made from $SRC/pcre2 if that is
# there (memory and i386 builds need one with the same flags), else the system's is taken.
# fuzz/run.sh calls it with the variables of this machine.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
[ -d "$source/fuzz" ] || source=$SRC/cupel
pcre2=$(pkg-config --cflags --libs libpcre2-8 2>/dev/null || true)

if [ -d "${SRC:-/nonexistent}/pcre2" ]; then
    jit=--enable-jit
    [ "${SANITIZER:-}" = memory ] && jit=--disable-jit
    mkdir -p "$WORK/pcre2"
    (cd "$SRC/pcre2" && ./autogen.sh)
    (cd "$WORK/pcre2" && "$SRC/pcre2/configure" --disable-shared $jit && make -j"$(nproc)" libpcre2-8.la)
    pcre2="-I$WORK/pcre2/src $WORK/pcre2/.libs/libpcre2-8.a"
fi

python3 "$source/compiler/metaschemas/embed.py" "$WORK/metaschemas.inc" \
    "$source"/compiler/metaschemas/*.json

# Everything of libcupel, in one flat list: what a build system knows that this does not is tested there.
flags="-std=c11 -D_DEFAULT_SOURCE -DCUPEL__DEBUG_VM=1 -DCUPEL__NO_THREADING -I$source/include \
    -I$source/base -I$source/vm -I$source/vm/formats -I$source/compiler -I$source/compiler/frontend \
    -I$source/compiler/ir -I$source/mcp -I$WORK"
objects=
for file in $(cd "$source" && find base vm compiler mcp -name '*.c'); do
    case $file in
    *idn.c | *idn_label.c | *exec_only.c | *pin*.c) continue ;;
    esac
    object=$WORK/$(echo "$file" | tr / _ | sed 's/\.c$/.o/')
    # shellcheck disable=SC2086
    $CC $CFLAGS $flags $pcre2 -c "$source/$file" -o "$object" || exit 1
    objects="$objects $object"
done

for target in "$source"/fuzz/*/target.c; do
    name=$(basename "$(dirname "$target")")
    mutator=
    if grep -q 'pair\.h' "$target"; then
        mutator=$WORK/mutate.o
        # shellcheck disable=SC2086
        $CC $CFLAGS $flags -c "$source/fuzz/mutate.c" -o "$mutator"
    fi
    # shellcheck disable=SC2086
    $CC $CFLAGS $flags -c "$target" -o "$WORK/fuzz-$name.o"
    # shellcheck disable=SC2086
    $CXX $CXXFLAGS "$WORK/fuzz-$name.o" $mutator $objects $LIB_FUZZING_ENGINE $pcre2 -o "$OUT/$name"
    if command -v zip >/dev/null; then
        zip -jqr "$OUT/${name}_seed_corpus.zip" "$source/fuzz/$name/corpus"
    fi
    [ ! -f "$source/fuzz/$name/dict" ] || cp "$source/fuzz/$name/dict" "$OUT/$name.dict"
    printf '[libfuzzer]\nmax_len = 4096\ntimeout = 5\n' >"$OUT/$name.options"
done
