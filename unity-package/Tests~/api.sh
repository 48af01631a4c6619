#!/bin/sh
# Checks the table of Unity's API that the package uses.
#
#     api.sh BUILD docs/unity-api.md      fails if the table differs from the uses
#     api.sh BUILD                        lists the uses
#
# BUILD is the output of build.sh for one Unity version; run it for each supported version.
set -u

[ $# -eq 1 ] || [ $# -eq 2 ] || {
    echo "api.sh BUILD [FILE.md]" >&2
    exit 2
}
[ -f "$1/api.exe" ] || {
    echo "api.sh: no api.exe in '$1': run build.sh first" >&2
    exit 2
}
[ $# -eq 2 ] || exec mono "$1/api.exe" list "$1"
version=$(sed -n 's/.*Text = "\(.*\)".*/\1/p' "$1/generated/BuildVersion.cs")
exec mono "$1/api.exe" check "$1" "$2" "$version"
