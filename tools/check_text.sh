#!/bin/sh
# Text that no file may contain, and broken links.
cd "$(dirname "$0")/.." || exit 2
self=tools/check_text.sh
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    files=$(git ls-files --cached --others --exclude-standard)
else
    files=$(find . -name node_modules -prune -o -path './build*' -prune -o -type f -print)
fi
# Inputs of tests may contain any bytes.
files=$(echo "$files" | grep -v -e '/corpus/' -e '/golden/' | while read -r f; do
    [ -f "$f" ] && echo "$f"
done)
bad=0
forbid() { # why, pattern, files
    found=$(echo "$3" | tr '\n' '\0' | xargs -0 grep -nHIE -e "$2" 2>/dev/null | cut -c1-160)
    [ -z "$found" ] || { echo "$found" | sed "s/^/$1: /" && bad=1; }
}
code=$(echo "$files" | grep -v -e "^$self\$" -e '^\./tools/check_text.sh$')
locks=$(echo "$files" | grep -e 'package-lock\.json$' -e '\.npmrc$')
# Unity writes a blank after the key of an empty value.
unity='^(\./)?examples/.*\.(asset|mat|meta|prefab|unity)$'
forbid 'blanks at the end' '[[:blank:]]+$' "$(echo "$code" | grep -vE "$unity")"
forbid 'carriage return' "$(printf '\r')\$" "$code"
forbid 'path of a machine' '(^|[^[:alnum:]_.~-])/(home/[a-z]|root/|work/|tmp/h/|Users/)' "$code"
forbid 'name of a registry' 'registry\.npmjs|registry\.yarnpkg|pkg\.dev|npm\.pkg\.github' "$code"
forbid 'a lock file names no host' '"resolved"|^registry *=|:registry *=' "$locks"
forbid 'tab' "$(printf '\t')" "$(echo "$files" | grep -e '\.[ch]$' -e '\.mjs$' -e '\.sh$')"
forbid 'merge conflict' '^(<<<<<<<|>>>>>>>) ' "$code"

for page in $(echo "$files" | grep '\.md$'); do
    # [text](target): not a URL, not only an anchor; fenced blocks are skipped.
    awk '/^ *```/ { fence = !fence } !fence' "$page" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' |
        grep -vE '^([a-z]+:|#)' | sed 's/#.*//' | sort -u | while read -r target; do
        [ -e "$(dirname "$page")/$target" ] || echo "$page: no such file: $target"
    done
done | grep . && bad=1
exit $bad
