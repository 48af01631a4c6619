#!/bin/sh
# `make install` installs everything another program needs: the example is built against it and
# runs.
set -eu
build=$1 example=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
DESTDIR=$dir meson install -C "$build" --no-rebuild --quiet
pc=$(dirname "$(find "$dir" -name multiverse-mcp.pc)")
PKG_CONFIG_PATH=$pc PKG_CONFIG_SYSROOT_DIR=$dir export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
# System paths get the folder as prefix, too: there they are links to the real ones.
flags=$(pkg-config --cflags --libs --static multiverse-mcp)
san=
if nm -A "$(find "$dir" -name libmultiverse-mcp.a)" | grep -q __asan_init; then
    san='-fsanitize=address,undefined'
fi
# shellcheck disable=SC2086
${CC:-clang} -std=gnu17 $san -o "$dir/hello" "$build/$example" $flags
"$(dirname "$0")/hello.sh" "$dir/hello"
