#!/bin/sh
# Runs the Node of tools/node: for the build of the page, for npm (tools/npm.sh), tests and benchmarks.
# Never the Node of the system, so that every machine runs the same one.
here=$(cd "$(dirname "$0")/.." && pwd)
for node in "$here"/tools/node/node_modules/node-linux-*/bin/node; do
    [ -x "$node" ] && exec "$node" "$@"
done
echo 'there is no Node in tools/node: tools/deps.sh node installs it' >&2
exit 1
