#!/bin/sh
# clang-format 14 (Debian 12) decides how C looks; another version would decide otherwise.
cd "$(dirname "$0")/.." || exit 2
format=$(command -v clang-format-14 || command -v clang-format)
# One process for all files: starting it is most of its work.
find src tests bench -name node_modules -prune -o -name '*.[ch]' -print |
    xargs "$format" --dry-run --Werror 2>&1 | sed -n "s/^\([^: ]*\.[ch]\):.*error.*/\1: run $(basename "$format") -i/p" |
    sort -u | { ! grep .; }
