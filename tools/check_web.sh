#!/bin/sh
# Types, templates and accessibility of the page (web/): svelte-check must find nothing, not even a
# warning. Exit code 77: it is not installed, nothing was checked.
set -eu
cd "$(dirname "$0")/../web"
if [ ! -f node_modules/svelte-check/bin/svelte-check ]; then
    echo 'web: svelte-check is not installed (tools/deps.sh lint): not checked' >&2
    exit 77
fi
said=$(../tools/node.sh node_modules/svelte-check/bin/svelte-check --tsconfig ./tsconfig.json --fail-on-warnings \
    --output human 2>&1) && exit
echo "$said"
exit 1
