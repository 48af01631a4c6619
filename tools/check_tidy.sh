#!/bin/sh
# clang-tidy over src/, with the checks of .clang-tidy; about one second per file.
set -eu
cd "$(dirname "$0")/.."
CC=clang tools/build.sh build-clang -Dtests=auto -Dbench=auto # also creates the generated headers
find src -name '*.c' | sort | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build-clang 2>/dev/null
