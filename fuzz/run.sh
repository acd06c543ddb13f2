#!/bin/sh
# Fuzzes every target, or those named, each for some seconds; no container is needed.
#
#   fuzz/run.sh [-s SECONDS] [-d DIR] [-e libfuzzer|quick|afl] [TARGET…]
#
# Builds into build-fuzz, build-fuzz-quick (libFuzzer too: no comparisons are traced, inputs are not weighed, so
# that there are several times as many) or build-afl.  What is found out goes to DIR/TARGET (default
# build-fuzz/work), and a line for each run to DIR/tally: target, engine, commit, executions, edges, seconds.
# A finding is a file DIR/TARGET-…, to be made small and put into fuzz/TARGET/corpus; the exit status is 1 then.
set -eu
cd "$(dirname "$0")/.."

seconds=60 engine=libfuzzer work=build-fuzz/work
while getopts s:d:e: option; do
    case $option in
    s) seconds=$OPTARG ;;
    d) work=$OPTARG ;;
    e) engine=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))

weigh=1
case $engine in
libfuzzer) build=build-fuzz setup="--native-file ci/fuzz.ini" ;;
quick) build=build-fuzz-quick setup="--native-file ci/fuzz.ini --native-file ci/fuzz-quick.ini" weigh=0 ;;
afl) build=build-afl setup="--native-file ci/afl.ini" ;;
*) echo "$engine: no such engine" >&2 && exit 2 ;;
esac
# shellcheck disable=SC2086
[ -f "$build/build.ninja" ] || meson setup "$build" $setup
ninja -C "$build" >"$build/ninja.log" || { tail -20 "$build/ninja.log"; exit 1; }
commit=$(git describe --always --dirty=+ --exclude '*')
mkdir -p "$work"
# What was freed is kept for as long as a target's own work lasts, not for longer: fresh pages take time.
export ASAN_OPTIONS="abort_on_error=1:symbolize=0:quarantine_size_mb=4:thread_local_quarantine_size_kb=64${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
[ "$engine" = afl ] || ASAN_OPTIONS="$ASAN_OPTIONS:symbolize=1"

# Each prints "executions edges" of a target, and fails after a finding.
run_libfuzzer() {
    "$build/fuzz/fuzz-$1" -max_total_time="$seconds" -max_len="$max_len" -mutate_depth="$depth" -timeout=20 -rss_limit_mb=2048 \
        -entropic="$weigh" -print_final_stats=1 -artifact_prefix="$work/$1-" ${dict:+"-dict=$dict"} \
        "$work/$1" "fuzz/$1/corpus" >"$work/$1.log" 2>&1 || found=1
    runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$work/$1.log")
    edges=$(sed -n 's/^#.* cov: \([0-9]*\) .*/\1/p' "$work/$1.log" | tail -1)
    [ "$found" = 0 ] || grep -a -A12 -m1 'ERROR\|runtime error' "$work/$1.log" || true
}

run_afl() {
    AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_AUTORESUME=1 \
        afl-fuzz -V "$seconds" ${dict:+-x "$dict"} -t 5000 -m none -i "fuzz/$1/corpus" -o "$work/$1.afl" \
        "$build/fuzz/fuzz-$1" >"$work/$1.log" 2>&1 || { tail -20 "$work/$1.log"; exit 1; }
    stats=$work/$1.afl/default/fuzzer_stats
    runs=$(sed -n 's/^execs_done *: //p' "$stats")
    edges=$(sed -n 's/^edges_found *: //p' "$stats")
    [ "$(sed -n 's/^saved_crashes *: //p' "$stats")$(sed -n 's/^saved_hangs *: //p' "$stats")" = 00 ] || found=1
}

[ $# -gt 0 ] || set -- $(for t in fuzz/*/target.c; do basename "$(dirname "$t")"; done)
total=0 findings=0
for target; do
    mkdir -p "$work/$target"
    dict=$work/$target.dict found=0 runs=0 edges=0
    cat fuzz/words.dict >"$dict"
    [ ! -f "fuzz/$target/dict" ] || cat "fuzz/$target/dict" >>"$dict"
    max_len=2048 depth=5
    for given in $(sed -n 's/^\([a-z_]*\) = \([0-9]*\)$/\1=\2/p' "fuzz/$target/options" 2>/dev/null); do
        case $given in
        max_len=*) max_len=${given#*=} ;;
        mutate_depth=*) depth=${given#*=} ;;
        esac
    done
    if [ "$engine" = afl ]; then run_afl "$target"; else run_libfuzzer "$target"; fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$target" "$engine" "$commit" "${runs:-0}" "${edges:-0}" "$seconds" >>"$work/tally"
    [ "$found" = 0 ] || { echo "$target: a finding, $work/$target-*"; findings=$((findings + 1)); }
    echo "$target: ${runs:-0} executions"
    total=$((total + ${runs:-0}))
done
echo "$total executions, $findings targets with findings"
[ "$findings" = 0 ]
