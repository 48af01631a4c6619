#!/bin/sh
# Runs every libFuzzer program of a build directory, one per core at a time.
#
#     tools/fuzz.sh build-fuzz 60      seconds for each
#
# Seeds come from tests/fuzz/corpus/<stem>, a dictionary from tests/fuzz/<stem>.dict. New inputs
# stay in the build directory; a finding is printed with the file that reproduces it.
set -eu
cd "$(dirname "$0")/.."
if [ $# -eq 3 ]; then # one program, called from below
    dir=$1 seconds=$2 stem=$3
    work=$dir/corpus/$stem
    mkdir -p "$work" "$dir/findings"
    set -- -max_total_time="$seconds" -print_final_stats=1 -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$dir/findings/$stem-"
    [ -f "tests/fuzz/$stem.dict" ] && set -- "$@" -dict="tests/fuzz/$stem.dict"
    set -- "$@" "$work"
    [ -d "tests/fuzz/corpus/$stem" ] && set -- "$@" "tests/fuzz/corpus/$stem"
    log=$dir/findings/$stem.log
    if "$dir/tests/fuzz/fuzz_$stem" "$@" >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "$stem: $runs executions in $seconds s, $(ls "$work" | wc -l) inputs, no finding"
        exit 0
    fi
    tail -n 60 "$log"
    echo "$stem: FINDING, see $log"
    exit 1
fi
programs=$(cd "$1/tests/fuzz" && ls | sed -n 's/^fuzz_\([a-z0-9_]*\)$/\1/p')
echo "fuzzing for $2 s each:" $programs
echo "$programs" | xargs -P "$(nproc)" -n 1 tools/fuzz.sh "$1" "$2"
