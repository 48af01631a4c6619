#!/bin/sh
# Runs tests that are already built, and adds up the results.
#
#     tools/test.sh all       what `make test` runs
#     tools/test.sh check     what `make check` runs: no network, no browser, no database
#     tools/test.sh clang     unit tests, compiled by clang and optimized: before a release
#     tools/test.sh sanitize  everything except the page, under the sanitizers: before a release
#
# Prints the time of each part. The last line is "tests: N passed, N failed, N skipped"; the exit code
# is 1 when a test failed.
set -u
cd "$(dirname "$0")/.." || exit 2
logs=$(mktemp -d)
trap 'status=$?; rm -rf "$logs"; exit $status' EXIT

run() { # name of the part, build directory, options of meson test
    part=$1
    dir=$2
    shift 2
    echo "== $part: meson test -C $dir $*"
    start=$(date +%s)
    meson test -C "$dir" --no-rebuild --print-errorlogs "$@" || touch "$logs/failed"
    echo "== $part: $(($(date +%s) - start)) s"
    mv "$dir/meson-logs/testlog.json" "$logs/$part.json" || touch "$logs/failed"
}

case ${1:-} in
all)
    # The coding agents are too large to download for every run: `make clients`. Most tests wait
    # more than they compute, so the sanitizers (with clang as the second compiler) run in parallel:
    # all tests in C, and the end-to-end tests that tests/e2e/meson.build chooses.
    run sanitizers build-asan --suite unit --suite fuzz --suite sanitized >"$logs/beside" 2>&1 &
    run everything build --no-suite clients --num-processes $(($(nproc) * 2))
    wait
    cat "$logs/beside"
    ;;
clang)
    run second-compiler build-clang --suite unit
    ;;
sanitize)
    run sanitizers build-asan --no-suite clients --no-suite lint --no-suite page
    ;;
check)
    run check build --suite unit --suite fuzz --suite lint --num-processes $(($(nproc) * 2))
    ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
python3 - "$logs" <<'END' || touch "$logs/failed"
import json, pathlib, sys
count = {"passed": 0, "failed": 0, "skipped": 0}
for log in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
    for line in log.open(encoding="utf-8"):
        test = json.loads(line)
        kind = {"OK": "passed", "EXPECTEDFAIL": "passed", "SKIP": "skipped"}.get(test["result"], "failed")
        count[kind] += 1
        if kind != "passed":
            print(f"{kind}: {test['name']} ({log.stem})")
print("tests: " + ", ".join(f"{n} {kind}" for kind, n in count.items()))
sys.exit(count["failed"] > 0)
END
[ ! -e "$logs/failed" ]
