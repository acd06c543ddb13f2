#!/bin/sh
# Fuzzes every target, or those named, each for some seconds; no container is needed.
#
#   fuzz/run.sh [-s SECONDS] [-d DIR] [-e libfuzzer|afl] [TARGET…]
#
# Builds into build-fuzz (build-afl); what is found out goes to DIR/TARGET (default build-fuzz/work), a
# finding ends the run with its file, to be made small and put into fuzz/TARGET/corpus.  The last line has
# the number of executions over all targets.
set -eu
cd "$(dirname "$0")/.."

seconds=60 engine=libfuzzer work=
while getopts s:d:e: option; do
    case $option in
    s) seconds=$OPTARG ;;
    d) work=$OPTARG ;;
    e) engine=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))

build=build-fuzz
[ "$engine" = afl ] && build=build-afl && export CC=afl-clang-fast
if [ ! -f "$build/build.ninja" ]; then
    if [ "$engine" = afl ]; then
        meson setup "$build" -Dfuzz=true -Dtests=false -Ddebug_vm=true -Db_sanitize=address -Db_lundef=false
    else
        meson setup "$build" --native-file ci/fuzz.ini
    fi
fi
ninja -C "$build" >"$build/ninja.log" || { tail -20 "$build/ninja.log"; exit 1; }
work=${work:-$build/work}

[ $# -gt 0 ] || set -- $(for t in fuzz/*/target.c; do basename "$(dirname "$t")"; done)
total=0
for target; do
    mkdir -p "$work/$target"
    dict=
    if [ "$engine" = afl ]; then
        [ ! -f "fuzz/$target/dict" ] || dict="-x fuzz/$target/dict"
        # shellcheck disable=SC2086
        AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_CUSTOM_MUTATOR_LATE_SEND=0 \
            afl-fuzz -V "$seconds" $dict -i "fuzz/$target/corpus" -o "$work/$target" \
            "$build/fuzz/fuzz-$target" >"$work/$target.log" 2>&1
        runs=$(sed -n 's/^execs_done *: //p' "$work/$target/default/fuzzer_stats")
        crashes=$(sed -n 's/^saved_crashes *: //p' "$work/$target/default/fuzzer_stats")
        [ "${crashes:-0}" = 0 ] || { echo "$target: $crashes findings in $work/$target/default/crashes"; exit 1; }
    else
        [ ! -f "fuzz/$target/dict" ] || dict="-dict=fuzz/$target/dict"
        # shellcheck disable=SC2086
        "$build/fuzz/fuzz-$target" -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=2048 \
            -print_final_stats=1 -artifact_prefix="$work/$target-" $dict "$work/$target" \
            "fuzz/$target/corpus" >"$work/$target.log" 2>&1 ||
            { tail -30 "$work/$target.log"; echo "$target: a finding, $work/$target-*"; exit 1; }
        runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$work/$target.log")
    fi
    echo "$target: ${runs:-0} executions"
    total=$((total + ${runs:-0}))
done
echo "$total executions, no finding"
