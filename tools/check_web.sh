#!/bin/sh
# Checks the sources of the page (web/) and their unit tests (tests/web): lines of at most 100 columns,
# the format (prettier), types, templates and accessibility (svelte-check, without warnings).
# Exit code 77: not all of it is installed, only the columns were checked.
set -eu
cd "$(dirname "$0")/../web"
code=0

# A "svelte-ignore" comment must be on one line.
long=$(find src public/theme.js index.html vite.config.ts ../tests/web -type f ! -name '*.build' |
    LC_ALL=C.UTF-8 xargs grep -nE '^.{101,}' | grep -v 'svelte-ignore' |
    sed -E 's/^([^:]*:[0-9]+):.*/\1: more than 100 columns/')
[ -z "$long" ] || { echo "$long" && code=1; }

for program in prettier/bin/prettier.cjs svelte-check/bin/svelte-check; do
    if [ ! -f "node_modules/$program" ]; then
        echo "web: ${program%%/*} is not installed (tools/deps.sh lint): not checked" >&2
        [ $code -ne 0 ] || code=77
        exit $code
    fi
done

unformatted=$(../tools/node.sh node_modules/prettier/bin/prettier.cjs --config .prettierrc.json \
    --cache --list-different . ../tests/web) || {
    echo "$unformatted" | sed 's/$/: run: tools\/npm.sh run --prefix web format/'
    code=1
}
output=$(../tools/node.sh node_modules/svelte-check/bin/svelte-check --tsconfig ./tsconfig.json \
    --fail-on-warnings --output human 2>&1) || {
    echo "$output"
    code=1
}
exit $code
