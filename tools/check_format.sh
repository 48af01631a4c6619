#!/bin/sh
# clang-format 14 (Debian 12) defines the format of C; other versions differ.
cd "$(dirname "$0")/.." || exit 2
format=$(command -v clang-format-14 || command -v clang-format)
# One process for all files: starting it takes most of the time.
find src tests bench -name node_modules -prune -o -name '*.[ch]' -print |
    xargs "$format" --dry-run --Werror 2>&1 | sed -n "s/^\([^: ]*\.[ch]\):.*error.*/\1: run $(basename "$format") -i/p" |
    sort -u | { ! grep .; }
