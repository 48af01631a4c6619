#!/bin/sh
# Creates a build directory, or updates an existing one, and compiles.
#
#     [CC=clang] [CC_LD=lld] tools/build.sh build-asan -Db_sanitize=address,undefined ...
#
# An option keeps its last value; "auto" accepts "enabled". meson remembers forever which headers,
# libraries and programs it found. So when packages, compilers or the path of the tree have changed,
# or meson was killed, its memory is deleted; object files are kept.
#
# With ccache, a directory at another path reuses earlier compilations. Prints one line when there
# was something to do, and the tools' whole output on a failure.
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

# Everything that affects what meson finds.
describe_machine() {
    echo "${CC:-}" "${CC_LD:-}" "${CFLAGS:-}" "${CPPFLAGS:-}" "${LDFLAGS:-}" "${PKG_CONFIG_PATH:-}" "${PKG_CONFIG_LIBDIR:-}"
    list_packages
    for tool in gcc clang cc ${CC:-} meson ninja pkg-config mcs mono clang-format-14; do
        command -v "$tool" || true
    done | while read -r file; do # a path, not an alias, a function or an option
        case $file in /*) stat -L -c '%n %s %Y' "$file" ;; esac
    done
    # Libraries installed by hand.
    stat -c '%n %Y' /usr/include /usr/local/include /usr/local/lib /usr/local/lib/pkgconfig 2>/dev/null || true
}

# A directory created without ccache stays without it: otherwise everything would be compiled again.
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

# meson itself keeps the options in this file, including those set by hand.
is_set() { # -Dname=value
    option=${1#-D}
    grep -qxF -e "${option%%=*} = ${option#*=}" "$private/cmd_line.txt" ||
        { [ "${option#*=}" = auto ] && grep -qxF -e "${option%%=*} = enabled" "$private/cmd_line.txt"; }
}

are_set() { # options
    for wanted; do is_set "$wanted" || return; done
}

# meson treats an empty coredata.dat as damaged and starts afresh, with the options of cmd_line.txt.
configure_afresh() { # options
    old_root=$(sed -n 1p "$machine" 2>/dev/null || true)
    # Recorded dependencies may include files of another tree.
    [ -z "$old_root" ] || [ "$old_root" = "$root" ] || rm -f "$dir/.ninja_log" "$dir/.ninja_deps"
    printf '%s\n%s\nunfinished\n' "$root" "$compiler" >"$machine"
    rm -rf "$private/build.dat" "$private/coredata.dat"
    if grep -qx '\[options\]' "$private/cmd_line.txt" 2>/dev/null &&
        grep -qx '\[properties\]' "$private/cmd_line.txt"; then
        : >"$private/coredata.dat"
        if CC=$compiler meson setup --reconfigure "$@" "$dir" "$root" >"$log" 2>&1; then return; fi
        # An option may have been removed from meson_options.txt.
        grep -qi 'unknown option' "$log" || fail
    fi
    rm -rf "$private"
    CC=$compiler run_quietly meson setup "$@" "$dir" "$root"
}

mkdir -p "$dir"
exec 9<"$dir" # parallel builds run one after the other
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
# The Unity package is checked each time (tests/editors/meson.build): that alone is not reported.
if sed -n '/^\[done\] /p' "$log" | grep -qv unity-package; then
    echo "built $dir in $(($(date +%s) - start)) s"
fi
grep '^web: ' "$log" >&2 || true # an outdated page
