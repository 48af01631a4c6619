#!/bin/sh
# All checks of the text; every one runs, whatever the others find.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0
for check in checks layers headers examples length names package text docs words web format tidy; do
    for script in tools/check_$check.*; do
        "$script"
        case $? in
        0) echo "ok    $check" ;;
        77) echo "skip  $check" ;;
        *) echo "WRONG $check" && status=1 ;;
        esac
    done
done
exit $status
