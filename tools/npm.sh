#!/bin/sh
# Runs the npm of tools/node on the Node of tools/node.
#
# npm leaves out optional packages that do not fit the Node it runs on, without a word; Debian 12's
# Node 18 would not get the packages that build the page.
here=$(cd "$(dirname "$0")" && pwd)
npm=$here/node/node_modules/npm/bin/npm-cli.js
if [ ! -f "$npm" ]; then
    echo 'there is no npm in tools/node: tools/deps.sh node installs it' >&2
    exit 1
fi
# What npm starts finds the same Node.
for node in "$here"/node/node_modules/node-linux-*/bin/node; do
    [ -x "$node" ] && PATH=${node%/node}:$PATH && export PATH
done
exec "$here/node.sh" "$npm" "$@"
