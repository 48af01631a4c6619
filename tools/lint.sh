#!/bin/sh
# All checks of the text, one after the other; every one runs, whatever the others found.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0
for check in checks layers headers length package text format tidy; do
    for script in tools/check_$check.*; do
        if "$script"; then echo "ok    $check"; else echo "WRONG $check" && status=1; fi
    done
done
exit $status
