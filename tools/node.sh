#!/bin/sh
# Node 22 for tests and benchmarks: the one npm put into tests/e2e, else the system's.
# Debian 12 has Node 18, which the conformance suite and the inspector do not run on.
here=$(cd "$(dirname "$0")/.." && pwd)
for node in "$here"/tests/e2e/node_modules/node-linux-*/bin/node; do
    [ -x "$node" ] && exec "$node" "$@"
done
command -v node >/dev/null && exec node "$@"
echo "no Node here: run tools/deps.sh test" >&2
exit 1
