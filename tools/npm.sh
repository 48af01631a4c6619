#!/bin/sh
# Runs the npm of tools/node on the Node of tools/node.
#
# npm silently skips optional packages that do not fit the Node it runs on; with Debian 12's Node 18
# the packages that build the page would be missing.
here=$(cd "$(dirname "$0")" && pwd)
npm=$here/node/node_modules/npm/bin/npm-cli.js
if [ ! -f "$npm" ]; then
    echo 'tools/node has no npm: run tools/deps.sh node' >&2
    exit 1
fi
# Programs started by npm use the same Node.
for node in "$here"/node/node_modules/node-linux-*/bin/node; do
    [ -x "$node" ] && PATH=${node%/node}:$PATH && export PATH
done
exec "$here/node.sh" "$npm" "$@"
