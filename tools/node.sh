#!/bin/sh
# Node 22.12 or newer, for the build of the page, for tests and benchmarks: the one that npm put into
# tools/node, else the system's. Debian 12 has Node 18, which is only good for npm.
here=$(cd "$(dirname "$0")/.." && pwd)
for node in "$here"/tools/node/node_modules/node-linux-*/bin/node; do
    [ -x "$node" ] && exec "$node" "$@"
done
if command -v node >/dev/null; then
    new='const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) ? 0 : 1)'
    node -e "$new" && exec node "$@"
    echo "Node $(node -p process.versions.node) is too old, 22.12 is needed: tools/deps.sh build installs one" >&2
else
    echo "no Node here: tools/deps.sh build installs one" >&2
fi
exit 1
