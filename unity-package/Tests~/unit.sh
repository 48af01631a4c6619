#!/bin/sh
# The unit tests of the package and of the stand-in, as TAP:
#
#     unity-package/Tests~/unit.sh BUILD [REGEX]
set -eu
[ $# -ge 1 ] || { echo "usage: unit.sh BUILD [REGEX]" >&2; exit 2; }
build=$1
shift
exec mono --debug "$build/unit.exe" "$@"
