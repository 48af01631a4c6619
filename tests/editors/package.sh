#!/bin/sh
# Compiles the package for one version of Unity without warnings, and checks that docs/unity-api.md
# lists every use of Unity's API with a version that has it.
#
#     tests/editors/package.sh OUT 2019.4
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/unity-package/Tests~/build.sh" "$1" "$2" --package-only
exec "$root/unity-package/Tests~/api.sh" "$1" "$root/docs/unity-api.md"
