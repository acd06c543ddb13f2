#!/bin/sh
# Builds the WebAssembly modules of the npm package with Debian 12's clang-14, lld-14, wasi-libc and binaryen, from the
# bundle of C files (scripts/bundle.sh), into build/wasm:
#
#     cupel-core.wasm        validators: compiling, judging, messages, repairs
#     cupel.wasm             … and tools of the Model Context Protocol
#     cupel-scalar.wasm      the same for hosts without SIMD
#     cupel-playground.wasm  … and the disassembler and traces, for the playground
#
# usage: wasm.sh [--size] [MODULE…]      --size: compile everything for size; MODULE: cupel-core, cupel, cupel-scalar,
#                                        cupel-playground; all unless given
#
# What runs for every document is compiled for speed, the rest for size.  No module imports anything but the host's
# SHA-256, which cupel-core.wasm does without.
set -eu
cd "$(dirname "$0")/.."
exec </dev/null

scripts/deps.sh --wasm
out=build/wasm
bundle=$out/src
native=bindings/npm/native
speed=-O3
if [ "${1-}" = --size ]; then
    speed=-Oz
    shift
fi
wanted=${*:-cupel-core cupel cupel-scalar cupel-playground}
mkdir -p "$out"
python3 scripts/bundle.py "$bundle" >/dev/null

# The bundle's names of the files that run for every document (base_hot and vm_hot of meson, and strings).
hot='base_json_cpu_dispatch base_json_duplicates base_json_numbers base_json_read base_json_reader base_json_scan
    base_json_scan_simd base_json_strings base_json_tape_build base_regex_simple_match base_regex_automata_match
    base_regex_dfa base_utf8 vm_program_name_table vm_run_checks vm_run_loop_portable vm_run_scratch
    vm_run_discriminator vm_run_short_text vm_run_validate'
for each in $hot; do
    [ -f "$bundle/$each.c" ] || { echo "wasm: $each.c, which is to be fast, does not exist" >&2; exit 1; }
done
flags="--target=wasm32-wasi -std=gnu11 -ffunction-sections -fdata-sections -fno-strict-aliasing -mbulk-memory
    -msign-ext -mnontrapping-fptoint -DNDEBUG -Wall -I$bundle -I$native"

# compile FOLDER FLAG…: every file, into FOLDER.
compile() {
    folder=$out/$1
    shift
    rm -rf "$folder"
    mkdir -p "$folder"
    for file in "$bundle"/*.c "$native"/core.c "$native"/invoke.c "$native"/mcp.c "$native"/wasm.c; do
        name=$(basename "$file" .c)
        level=-Oz
        for each in $hot; do
            [ "$each" != "$name" ] || level=$speed
        done
        echo "$level $* $file -o $folder/$name.o"
    done | xargs -P "$(nproc)" -L 1 clang-14 $flags -c
}

# link NAME FOLDER FEATURE…: one module.  64 KiB of stack are enough for the library, whatever the input is
# (docs/hosts.md); memory grows to 256 MiB and no further.
link() {
    name=$1 folder=$out/$2
    shift 2
    wasm-ld-14 -m wasm32 --no-entry --gc-sections --strip-all --stack-first -z stack-size=131072 \
        --initial-memory=1048576 --max-memory=268435456 -L/usr/lib/wasm32-wasi "$folder"/*.o \
        -lc-printscan-no-floating-point -lc \
        /usr/lib/llvm-14/lib/clang/14*/lib/wasi/libclang_rt.builtins-wasm32.a -o "$out/$name.linked"
    wasm-opt -Oz --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int \
        --enable-mutable-globals "$@" "$out/$name.linked" -o "$out/$name.wasm"
    rm "$out/$name.linked"
    printf '%-24s %7d bytes, %7d gzipped\n' "$name.wasm" "$(wc -c <"$out/$name.wasm")" \
        "$(gzip -9 -c "$out/$name.wasm" | wc -c)"
}

for each in $wanted; do
    case $each in
    cupel-core)
        compile core -msimd128 -DCUPEL__MODEL_TEXT_ONLY -DCORE_WITHOUT_MCP
        rm "$out"/core/mcp.o
        link cupel-core core --enable-simd
        ;;
    cupel)
        compile simd -msimd128 -DCUPEL__MODEL_TEXT_ONLY
        link cupel simd --enable-simd
        ;;
    cupel-scalar)
        compile scalar -DCUPEL__MODEL_TEXT_ONLY
        link cupel-scalar scalar
        ;;
    cupel-playground)
        compile playground -msimd128 -DCORE_WITH_TRACE
        link cupel-playground playground --enable-simd
        ;;
    *)
        echo "wasm: no module is called $each" >&2
        exit 1
        ;;
    esac
done
