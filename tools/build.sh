#!/bin/sh
# Makes a build directory (or adds options to an existing one) and compiles what is not up to date.
#
#     [CC=clang] tools/build.sh build-asan -Db_sanitize=address,undefined ...
#
# Says one line when there was something to do, and all that the tools said when it failed.
set -eu
cd "$(dirname "$0")/.."
dir=$1
shift
given=$dir/.options # one line for each option it was given
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
    "$@" >"$log" 2>&1 && return
    cat "$log" >&2
    exit 1
}

if [ ! -f "$dir/build.ninja" ]; then
    rm -rf "$dir"
    quietly meson setup "$dir" "$@"
    for option; do echo "$option"; done >"$given"
fi
for option; do
    if ! grep -qxF -e "$option" "$given"; then
        quietly meson setup --reconfigure "$dir" "$@"
        for new; do # takes the place of what was given before
            { grep -v "^${new%%=*}=" "$given" || true; echo "$new"; } >"$log"
            cat "$log" >"$given"
        done
    fi
done
start=$(date +%s)
quietly ninja --quiet -C "$dir"
grep -q 'no work to do' "$log" || echo "built $dir in $(($(date +%s) - start)) s"
grep '^web: ' "$log" >&2 || true # a page that is not the newest
