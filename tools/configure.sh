#!/bin/sh
# Makes a build directory, or adds options to an existing one; does nothing when it has them.
#
#     [CC=clang] tools/configure.sh build-asan -Db_sanitize=address,undefined ...
set -eu
cd "$(dirname "$0")/.."
dir=$1
shift
given=$dir/.options # one line for each option it was given
action=''
if [ ! -f "$dir/build.ninja" ]; then
    action=setup
    rm -rf "$dir"
else
    for option; do
        grep -qxF -e "$option" "$given" || action='setup --reconfigure'
    done
fi
[ -n "$action" ] || exit 0

echo "configuring $dir"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
meson $action "$dir" "$@" >"$log" 2>&1 || { cat "$log" >&2 && exit 1; }
for option; do echo "$option"; done >>"$given"
