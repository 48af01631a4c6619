#!/bin/sh
# Runs the tests of build directories and adds up the results.
#
#     tools/test.sh build build-asan
#
# The last line is "tests: N passed, N failed, N skipped"; fails when one test did.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0
logs=''
options='--no-suite clients'
for dir; do
    echo "== meson test -C $dir"
    # The checks of the text, and what mostly waits, need to run only once; sanitizers slow the
    # rest down. The coding
    # agents are too large to be fetched for every run: `make clients`.
    # shellcheck disable=SC2086 # words on purpose
    meson test -C "$dir" --no-rebuild --print-errorlogs $options || status=1
    options='--no-suite clients --no-suite lint --no-suite once'
    [ -f "$dir/meson-logs/testlog.json" ] && logs="$logs $dir/meson-logs/testlog.json"
done
# shellcheck disable=SC2086 # words on purpose
python3 - $logs <<'EOF' || status=1
import json, sys
count = {"passed": 0, "failed": 0, "skipped": 0}
for log in sys.argv[1:]:
    for line in open(log, encoding="utf-8"):
        test = json.loads(line)
        kind = {"OK": "passed", "EXPECTEDFAIL": "passed", "SKIP": "skipped"}.get(test["result"], "failed")
        count[kind] += 1
        if kind != "passed":
            print(f"{kind}: {test['name']} ({log.split('/')[0]})")
print("tests: " + ", ".join(f"{n} {kind}" for kind, n in count.items()))
sys.exit(count["failed"] > 0)
EOF
exit $status
