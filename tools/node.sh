#!/bin/sh
# Runs the Node of tools/node: for the build of the page, npm (tools/npm.sh), tests and benchmarks.
# It never uses the system's Node, so that every machine runs the same one.
here=$(cd "$(dirname "$0")/.." && pwd)
for node in "$here"/tools/node/node_modules/node-linux-*/bin/node; do
    [ -x "$node" ] && exec "$node" "$@"
done
echo 'tools/node has no Node: run tools/deps.sh node' >&2
exit 1
