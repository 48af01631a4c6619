#!/bin/sh
# clang-format 14 (Debian 12) decides how C looks; another version would decide otherwise.
cd "$(dirname "$0")/.." || exit 2
if [ $# -eq 0 ]; then
    find src tests bench -name node_modules -prune -o -name '*.[ch]' -print | xargs -P "$(nproc)" -n 8 tools/check_format.sh
    exit
fi
format=$(command -v clang-format-14 || command -v clang-format)
bad=0
for file; do
    "$format" "$file" | cmp -s - "$file" || { echo "$file: run $(basename "$format") -i" && bad=1; }
done
exit $bad
