#!/bin/sh
# Tortures a copy of a project: torture.sh PROGRAM PROJECT
set -e
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$2/." "$copy"
"$1" "$copy" 40
