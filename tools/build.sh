#!/bin/sh
# Makes a build directory, or brings an existing one up to date, and compiles.
#
#     [CC=clang] [CC_LD=lld] tools/build.sh build-asan -Db_sanitize=address,undefined ...
#
# An option stays as it was set last; "auto" is content with "enabled". meson remembers for ever which
# headers, libraries and programs it found. So when packages, compilers or the place of the tree have
# changed since, or meson was killed, its memory is thrown away; what was compiled is kept.
#
# With ccache a directory made at another place finds what was compiled before.
# Prints one line when there was something to do, and all that the tools printed when it failed.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd -P)
dir=$1
shift
private=$dir/meson-private
machine=$dir/.machine # three lines: the tree, the compiler, a hash of describe_machine
log=$(mktemp)
trap 'rm -f "$log"' EXIT
fail() {
    cat "$log" >&2
    exit 1
}
run_quietly() {
    "$@" >"$log" 2>&1 || fail
}

list_packages() {
    if command -v dpkg-query >/dev/null; then
        dpkg-query -W -f '${Package} ${Architecture} ${Version} ${db:Status-Status}\n'
    elif command -v rpm >/dev/null; then
        rpm -qa | sort
    elif command -v pacman >/dev/null; then
        pacman -Q
    elif command -v apk >/dev/null; then
        apk info -v
    fi
}

# Everything that decides what meson finds.
describe_machine() {
    echo "${CC:-}" "${CC_LD:-}" "${CFLAGS:-}" "${CPPFLAGS:-}" "${LDFLAGS:-}" "${PKG_CONFIG_PATH:-}" "${PKG_CONFIG_LIBDIR:-}"
    list_packages
    for tool in gcc clang cc ${CC:-} meson ninja pkg-config mcs mono clang-format-14; do
        command -v "$tool" || true
    done | while read -r file; do # not an alias, a function or an option
        case $file in /*) stat -L -c '%n %s %Y' "$file" ;; esac
    done
    # What was installed by hand.
    stat -c '%n %Y' /usr/include /usr/local/include /usr/local/lib /usr/local/lib/pkgconfig 2>/dev/null || true
}

# A directory that was made without ccache stays without: with it all would be compiled once more.
choose_compiler() {
    compiler=${CC:-}
    for name in gcc cc clang; do
        if [ -z "$compiler" ] && command -v "$name" >/dev/null; then compiler=$name; fi
    done
    command -v ccache >/dev/null || return 0
    export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR="${CCACHE_NOHASHDIR:-1}"
    case $compiler in *ccache*) return ;; esac
    [ "$(sed -n 2p "$machine" 2>/dev/null)" = "$compiler" ] || compiler="ccache $compiler"
}

# meson itself keeps the options in this file, also those that were set by hand.
is_set() { # -Dname=value
    option=${1#-D}
    grep -qxF -e "${option%%=*} = ${option#*=}" "$private/cmd_line.txt" ||
        { [ "${option#*=}" = auto ] && grep -qxF -e "${option%%=*} = enabled" "$private/cmd_line.txt"; }
}

are_set() { # options
    for wanted; do is_set "$wanted" || return; done
}

# An empty coredata.dat is a damaged one to meson: it starts afresh, with the options of cmd_line.txt.
configure_afresh() { # options
    old_root=$(sed -n 1p "$machine" 2>/dev/null || true)
    # Files of another tree may be among the recorded dependencies.
    [ -z "$old_root" ] || [ "$old_root" = "$root" ] || rm -f "$dir/.ninja_log" "$dir/.ninja_deps"
    printf '%s\n%s\nunfinished\n' "$root" "$compiler" >"$machine"
    rm -rf "$private/build.dat" "$private/coredata.dat"
    if grep -qx '\[options\]' "$private/cmd_line.txt" 2>/dev/null &&
        grep -qx '\[properties\]' "$private/cmd_line.txt"; then
        : >"$private/coredata.dat"
        if CC=$compiler meson setup --reconfigure "$@" "$dir" "$root" >"$log" 2>&1; then return; fi
        # An option may be gone from meson_options.txt since.
        grep -qi 'unknown option' "$log" || fail
    fi
    rm -rf "$private"
    CC=$compiler run_quietly meson setup "$@" "$dir" "$root"
}

mkdir -p "$dir"
exec 9<"$dir" # two builds at once: one after the other
if command -v flock >/dev/null; then flock 9; fi
choose_compiler
hash=$(describe_machine | sha256sum | cut -d ' ' -f 1)
if [ "$(cat "$machine" 2>/dev/null)" != "$(printf '%s\n%s\n%s' "$root" "$compiler" "$hash")" ] ||
    [ ! -s "$private/coredata.dat" ] || [ ! -f "$dir/build.ninja" ]; then
    configure_afresh "$@"
    printf '%s\n%s\n%s\n' "$root" "$compiler" "$hash" >"$machine"
elif ! are_set "$@"; then
    run_quietly meson setup --reconfigure "$@" "$dir" "$root"
fi
start=$(date +%s)
if ! NINJA_STATUS='[done] ' ninja -C "$dir" >"$log" 2>&1; then
    sed -i '/^\[done\] /d; /^ninja: Entering/d' "$log"
    fail
fi
# The package for Unity is looked at each time (tests/editors/meson.build): that alone is no work.
if sed -n '/^\[done\] /p' "$log" | grep -qv unity-package; then
    echo "built $dir in $(($(date +%s) - start)) s"
fi
grep '^web: ' "$log" >&2 || true # a page that is not the newest
