#!/bin/sh
# Every header compiles alone, without other includes before it. (Not with banned.h, as in the
# build: it would include <stdio.h> and <string.h>.)
cd "$(dirname "$0")/.." || exit 2
bad=0
set -- -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Werror -fsyntax-only -Isrc -Itests \
    -isystem /usr/share/include $(pkg-config --cflags libuv libpq)
for header in $(find src tests bench -name node_modules -prune -o -name '*.h' -print | sort); do
    echo "#include \"../$header\"" | "${CC:-cc}" "$@" -iquote src -x c - ||
        { echo "$header does not compile alone" && bad=1; }
done
exit $bad
