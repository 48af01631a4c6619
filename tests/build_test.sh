#!/bin/sh
# tools/build.sh repairs a build directory by itself: after any order of targets, changed packages,
# a kill at any point, or a move. Uses a tiny project, a package database of its own (dpkg-query), a
# package that can disappear (a header, a pkg-config library), a meson that counts its calls, and a
# fake ccache.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
bin=$scratch/bin
mkdir -p "$tree/tools" "$tree/src" "$bin" "$scratch/system" "$scratch/include" "$scratch/pkgconfig"
real_meson=$(command -v meson)
# The system's commands except ccache.
echo "$PATH" | tr ':' '\n' | while read -r folder; do ln -s "$folder"/* "$scratch/system/" 2>/dev/null || true; done
rm -f "$scratch/system/ccache"
PATH=$bin:$scratch/system CPATH=$scratch/include PKG_CONFIG_PATH=$scratch/pkgconfig TINY=$scratch
export PATH CPATH PKG_CONFIG_PATH TINY
unset CC CFLAGS CPPFLAGS LDFLAGS PKG_CONFIG_LIBDIR CCACHE_BASEDIR CCACHE_NOHASHDIR

cp "$here/tools/build.sh" "$tree/tools/"
cat >"$tree/meson_options.txt" <<'END'
option('tests', type: 'feature', value: 'auto')
option('page', type: 'feature', value: 'enabled')
option('word', type: 'string', value: 'none')
END
# Everything that meson remembers: a header, a library, a program.
cat >"$tree/meson.build" <<'END'
project('tiny', 'c', meson_version: '>=1.0.0')
cc = meson.get_compiler('c')
found = cc.has_header('tiny/tiny.h') and dependency('tiny', required: false).found()
tests = get_option('tests').require(found, error_message: 'tiny is missing').allowed()
run_command('sh', '-c', 'if [ -e "$TINY/kill-meson" ]; then kill -KILL $PPID; fi', check: true)
add_project_arguments('-DTESTS="' + (tests ? 'tests' : 'no tests') + '"', '-DWORD="' + get_option('word') + '"',
  '-DPAGE="' + (get_option('page').enabled() ? 'page' : 'no page') + '"', language: 'c')
made = custom_target('made.h', output: 'made.h', command: ['sh', files('made.sh'), '@OUTPUT@'])
executable('program', 'src/program.c', made)
END
cat >"$tree/made.sh" <<'END'
echo '#define MADE 1' >"$1"
[ -e "$TINY/kill-ninja" ] || exit 0
pid=$$
while [ "$(cat /proc/$pid/comm)" != ninja ]; do pid=$(cut -d ' ' -f 4 /proc/$pid/stat); done
kill -KILL "$pid"
END
echo '#define PLACE "here"' >"$tree/src/place.h"
cat >"$tree/src/program.c" <<'END'
#include <stdio.h>
#include "made.h"
#include "place.h"
int main(void) { return puts(TESTS ", " PAGE ", " WORD ", " PLACE) < 0; }
END
cat >"$bin/dpkg-query" <<END
#!/bin/sh
cat '$scratch/packages'
END
cat >"$bin/meson" <<END
#!/bin/sh
[ "\$1" != setup ] || echo . >>'$scratch/setups'
exec '$real_meson' "\$@"
END
chmod +x "$bin/dpkg-query" "$bin/meson"

show() {
    mkdir -p "$scratch/include/tiny"
    echo '#define TINY 1' >"$scratch/include/tiny/tiny.h"
    printf 'Name: tiny\nDescription: tiny\nVersion: 1\n' >"$scratch/pkgconfig/tiny.pc"
    printf 'gcc 12\ntiny 1\n' >"$scratch/packages"
}
hide() {
    rm -rf "$scratch/include/tiny" "$scratch/pkgconfig/tiny.pc"
    echo 'gcc 12' >"$scratch/packages"
}

fail() {
    echo "FAILED: $case: $*" >&2
    [ ! -f "$scratch/said" ] || sed 's/^/    /' "$scratch/said" >&2
    exit 1
}
# Build, then compare what the program prints, and how often meson configured (0 or 1).
expect() { # setups, output, options
    want_setups=$1
    want=$2
    shift 2
    : >"$scratch/setups"
    "$tree/tools/build.sh" build "$@" >"$scratch/said" 2>&1 </dev/null || fail "build.sh $* failed"
    got=$("$tree/build/program")
    [ "$got" = "$want" ] || fail "build.sh $*: the program prints \"$got\", not \"$want\""
    setups=$(wc -l <"$scratch/setups")
    [ "$setups" -eq "$want_setups" ] || fail "build.sh $*: configured $setups times, not $want_setups"
    [ "$want_setups" -ne 0 ] || [ ! -s "$scratch/said" ] || [ -n "${compiles:-}" ] || fail "build.sh $* is not silent"
}
expect_failure() { # expected message, options
    want=$1
    shift
    if "$tree/tools/build.sh" build "$@" >"$scratch/said" 2>&1 </dev/null; then fail "build.sh $* did not fail"; fi
    grep -q "$want" "$scratch/said" || fail "build.sh $* does not print \"$want\""
}
make='-Dtests=auto -Dpage=enabled'
make_test='-Dtests=enabled -Dpage=enabled'
# shellcheck disable=SC2086 # several words
set_up() {
    case='make, then make test, on a machine without the packages of tests'
    hide
    expect 1 'no tests, page, none, here' $make
    expect 0 'no tests, page, none, here' $make
    show
    expect 1 'tests, page, none, here' $make_test

    case='make and make test in turn'
    expect 0 'tests, page, none, here' $make
    expect 0 'tests, page, none, here' $make_test

    case='packages are removed and installed again'
    hide
    expect 1 'no tests, page, none, here' $make
    expect_failure 'tiny is missing' $make_test
    expect 0 'no tests, page, none, here' $make
    show
    expect 1 'tests, page, none, here' $make
    expect 1 'tests, page, none, here' $make_test
    hide
    expect_failure 'tiny is missing' $make_test
    expect 1 'no tests, page, none, here' $make
    show

    case='without the page, and back; an option set by hand stays'
    meson configure "$tree/build" -Dword=by-hand
    expect 1 'tests, no page, by-hand, here' -Dtests=auto -Dpage=disabled
    hide
    expect 1 'no tests, page, by-hand, here' $make
    expect 0 'no tests, page, by-hand, here' $make
}

# shellcheck disable=SC2086
kill_and_move() {
    case='meson is killed'
    show
    touch "$scratch/kill-meson"
    expect_failure . $make_test
    rm "$scratch/kill-meson"
    expect 1 'tests, page, by-hand, here' $make_test
    rm -rf "$tree/build"
    touch "$scratch/kill-meson"
    expect_failure . $make_test
    rm "$scratch/kill-meson"
    expect 1 'tests, page, none, here' $make_test

    case='ninja is killed'
    rm "$tree/build/made.h"
    touch "$scratch/kill-ninja"
    expect_failure '' $make_test
    rm "$scratch/kill-ninja"
    compiles=yes
    expect 0 'tests, page, none, here' $make_test
    compiles=

    case='the tree is moved or copied'
    mv "$tree" "$scratch/moved"
    tree=$scratch/moved
    expect 1 'tests, page, none, here' $make_test
    cp -a "$tree" "$scratch/copy"
    tree=$scratch/copy
    echo '#define PLACE "copy"' >"$tree/src/place.h"
    expect 1 'tests, page, none, copy' $make_test
    echo '#define PLACE "moved"' >"$scratch/moved/src/place.h"
    expect 0 'tests, page, none, copy' $make_test

    case='another version of meson made the directory, with an option that no longer exists'
    echo 'written by an older meson' >"$tree/build/meson-private/coredata.dat"
    sed -i '/word/d' "$tree/meson_options.txt"
    sed -i 's/get_option(.word.)/'"'gone'"'/' "$tree/meson.build"
    sed -i 's/^word = .*//; s/^\[options\]/&\nword = old/' "$tree/build/meson-private/cmd_line.txt"
    echo 'meson 9' >>"$scratch/packages"
    expect 2 'tests, page, gone, copy' $make_test
}

# shellcheck disable=SC2086
use_ccache() {
    case='ccache is installed: only a new directory uses it; removed: the directory works without'
    cat >"$bin/ccache" <<END
#!/bin/sh
[ "\$1" != --version ] || exit 0
case " \$* " in *' -c '*program.c*) echo "\$CCACHE_BASEDIR" >>'$scratch/cached' ;; esac
exec "\$@"
END
    chmod +x "$bin/ccache"
    echo 'ccache 4' >>"$scratch/packages"
    expect 1 'tests, page, gone, copy' $make_test
    [ ! -e "$scratch/cached" ] || fail 'everything was compiled again'
    rm -rf "$tree/build"
    expect 1 'tests, page, gone, copy' $make_test
    [ "$(sort -u "$scratch/cached")" = "$tree" ] || fail "CCACHE_BASEDIR is not $tree"
    rm "$bin/ccache"
    expect 1 'tests, page, gone, copy' $make_test
}

set_up
kill_and_move
use_ccache
