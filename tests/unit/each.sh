#!/bin/sh
# Runs all programs it is given, one after the other; fails if one of them did.
status=0
for program; do
    echo "== $(basename "$program")"
    "$program" || { status=1 && echo "$(basename "$program") failed"; }
done
exit $status
