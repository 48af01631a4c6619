#!/bin/sh
# The console page: builds web/ into web/dist, unless it is up to date.
#
#     tools/web.sh page.c page.bin page.d    build it, then turn it into C (ninja does)
#     tools/web.sh --state                   prints the state of web/dist: current, old or none
#     tools/web.sh --can                     whether there is a page, or one could be built
#     tools/web.sh --clean                   removes web/dist, if it could be built again
#
# Downloads nothing: tools/deps.sh build does that. Without the packages for the build an older page
# is used, with a warning; without any page it fails and says what to do. Build directories share
# web/dist; a lock protects parallel builds.
set -eu
tools=$(cd "$(dirname "$0")" && pwd)
web=${WEB_FOLDER:-$(cd "$tools/.." && pwd)/web}
stamp=$web/dist/.sources # the hash of the sources it was made from
export LC_ALL=C

sources() { # all files and folders that the page is made from, each followed by a NUL
    cd "$web"
    find index.html package-lock.json tsconfig.json vite.config.ts public src \
        -name '.?*' -prune -o -name '*~' -o -print0 | sort -z
}

hash_sources() {
    sources | (cd "$web" && xargs -0 sh -c 'for f; do [ -d "$f" ] || sha256sum "$f"; done' sh) |
        sha256sum | cut -d ' ' -f 1
}

state() {
    if [ ! -f "$web/dist/index.html" ]; then
        echo none
    elif [ "$(cat "$stamp" 2>/dev/null)" = "$(hash_sources)" ]; then
        echo current
    else
        echo old
    fi
}

# Print what is missing for the build; nothing if it is possible.
lacking() {
    if ! "$tools/node.sh" --version >/dev/null 2>&1; then
        "$tools/node.sh" --version 2>&1 | tail -n 1
    elif ! "$tools/npm_installed.py" "$web" --omit=dev; then
        echo 'web/node_modules does not match web/package-lock.json'
    elif ! (cd "$web" && "$tools/node.sh" -e 'import("vite").catch(() => process.exit(1))') >/dev/null 2>&1; then
        echo 'vite, in web/node_modules, does not start'
    elif [ ! -w "$web" ]; then
        echo 'web/ is not writable'
    fi
}

build() { # hash
    new=$(mktemp -d "$web/.dist-new.XXXXXX")
    trap 'rm -rf "$new" "$new.log"' EXIT
    chmod 755 "$new"
    if ! (cd "$web" && "$tools/node.sh" node_modules/vite/bin/vite.js build --outDir "$new" --emptyOutDir \
        --logLevel warn) >"$new.log" 2>&1 </dev/null; then
        cat "$new.log" >&2
        echo 'web: the page could not be built: the error is above' >&2
        exit 1
    fi
    echo "$1" >"$new/.sources"
    # A folder cannot be replaced atomically; after an interruption, the next run restores the old
    # one.
    rm -rf "$web/.dist-old"
    [ ! -d "$web/dist" ] || mv "$web/dist" "$web/.dist-old"
    mv "$new" "$web/dist"
    rm -rf "$web/.dist-old"
}

warn_or_fail() { # state, what is missing
    if [ "$1" = old ]; then
        echo "web: warning: using an older page, as web/ has changed and $2 (tools/deps.sh build)" >&2
        return
    fi
    cat >&2 <<EOF
web: the console page cannot be built: $2.
web: tools/deps.sh build installs what is needed (it has to reach the network once), or build the
web: program without the page: make CONSOLE=disabled, or meson configure -Dconsole=disabled.
EOF
    exit 1
}

# In the form of make: what the page depends on, including folders, as files are added and removed.
# An outdated page depends on a file that never exists, so that the next build tries again.
write_depfile() { # output, depfile, state
    {
        printf '%s:' "$(echo "$1" | sed 's/[ \\#]/\\&/g; s/\$/$$/g')"
        sources | tr '\0' '\n' | sed "s/[ \\\\#]/\\\\&/g; s/\\\$/\$\$/g" | while read -r f; do
            printf ' \\\n %s/%s' "$(echo "$web" | sed 's/[ \\#]/\\&/g; s/\$/$$/g')" "$f"
        done
        [ "$3" = current ] || printf ' \\\n %s/dist/.never' "$(echo "$web" | sed 's/[ \\#]/\\&/g; s/\$/$$/g')"
        echo
    } >"$2"
}

exec 9<"$web"
if command -v flock >/dev/null; then flock 9; fi
[ -d "$web/dist" ] || [ ! -d "$web/.dist-old" ] || mv "$web/.dist-old" "$web/dist"
case ${1:-} in
--state)
    state
    ;;
--can)
    [ "$(state)" != none ] || [ -z "$(lacking)" ]
    ;;
--clean)
    [ -n "$(lacking)" ] || rm -rf "$web/dist"
    ;;
*.c)
    now=$(state)
    if [ "$now" != current ]; then
        missing=$(lacking)
        if [ -n "$missing" ]; then
            warn_or_fail "$now" "$missing"
        else
            build "$(hash_sources)"
            now=current
        fi
    fi
    "$tools/gen_page.py" "$1" "$2" "$web/dist"
    write_depfile "$1" "$3" "$now"
    ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
