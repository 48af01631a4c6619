#!/bin/sh
# Installs what a purpose needs: Debian packages with apt, Node packages with npm.
#
#     tools/deps.sh build|test|postgres|bench|lint|fuzz|clients [...]
#
# Silent when all is there. A tool that is in PATH by another way than apt counts as there.
# Needs root or sudo only when a Debian package is missing; without both it prints the line to run.
set -eu
cd "$(dirname "$0")/.."

# One word per package; "package:command" is also there when the command is.
node='nodejs:node npm:npm ca-certificates'
compile="gcc:gcc libc6-dev make:make meson:meson ninja-build:ninja pkg-config:pkg-config
         libuv1-dev node-llhttp libtree-sitter-dev libexpat1-dev libpcre2-dev libsqlite3-dev libyaml-dev
         libcurl4-openssl-dev libpq-dev $node"
clang='clang:clang libclang-rt-dev llvm:llvm-symbolizer'

packages='' # words as above
folders=''  # with a package-lock.json
need() { # purpose
    case $1 in
    build)
        packages="$packages $compile"
        folders="$folders tools/grammar"
        ;;
    test)
        packages="$packages $compile $clang libcmocka-dev libjansson-dev libwslay-dev
                  python3-websockets chromium:chromium mono-mcs:mcs mono-runtime:mono postgresql-15"
        folders="$folders tools/grammar tests/e2e"
        ;;
    postgres) # the server alone, for tests/postgres.sh
        packages="$packages postgresql-15"
        ;;
    bench)
        packages="$packages $compile libjansson-dev libwslay-dev python3-yaml wrk:wrk postgresql-15"
        folders="$folders bench tools/grammar tests/e2e"
        ;;
    lint)
        packages="$packages $compile libcmocka-dev libjansson-dev libwslay-dev
                  clang:clang clang-format:clang-format clang-tidy:clang-tidy"
        folders="$folders tools/grammar"
        ;;
    fuzz)
        packages="$packages $compile $clang"
        folders="$folders tools/grammar"
        ;;
    clients) # the coding agents of tests/clients: 0.4 GB to fetch, 1.2 GB on disk
        packages="$packages $node"
        folders="$folders tests/e2e tests/clients"
        ;;
    *)
        echo "usage: tools/deps.sh build|test|postgres|bench|lint|fuzz|clients [...]" >&2
        exit 2
        ;;
    esac
}

is_installed() { # package
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

find_missing() {
    missing=''
    for word in $packages; do
        package=${word%%:*}
        command=${word#*:}
        case " $missing " in *" $package "*) continue ;; esac
        [ "$command" != "$word" ] && command -v "$command" >/dev/null && continue
        is_installed "$package" || missing="$missing $package"
    done
    missing=${missing# }
}

# Runs a command as root; its output is shown only when it fails.
as_root() {
    if "$@" >"$log" 2>&1 </dev/null; then return; fi
    cat "$log" >&2
    echo "deps: failed: $*" >&2
    exit 1
}

# Debian's package would make a server of its own at once, and start it: tests have theirs. Who has
# one already keeps the settings.
without_default_server() {
    is_installed postgresql-common && return
    # shellcheck disable=SC2086
    as_root $apt install -y --no-install-recommends postgresql-common
    # shellcheck disable=SC2086
    as_root $become sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' \
        /etc/postgresql-common/createcluster.conf
}

install_packages() {
    line="apt-get update && apt-get install -y --no-install-recommends $missing"
    become=''
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            become='sudo -n'
        elif command -v sudo >/dev/null && [ -t 0 ] && [ -t 2 ]; then
            echo "deps: sudo may ask for your password to install: $missing" >&2
            sudo -v
            become='sudo -n'
        else
            printf 'deps: Debian packages are missing. Run this as root, then try again:\n\n' >&2
            printf '    %s\n\n' "$line" >&2
            exit 1
        fi
    fi
    echo "deps: installing with apt: $missing"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    apt="$become env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300"
    # shellcheck disable=SC2086 # words on purpose
    as_root $apt update
    case " $missing " in *" postgresql-15 "*) without_default_server ;; esac
    # shellcheck disable=SC2086
    as_root $apt install -y --no-install-recommends $missing
}

# npm ci writes the folder anew, so it runs only when the lock file is not the installed one.
install_node_packages() { # folder
    installed=$1/node_modules/.installed-lock.json
    cmp -s "$1/package-lock.json" "$installed" && return
    echo "deps: installing with npm: $1"
    (cd "$1" && npm ci --loglevel=error)
    cp "$1/package-lock.json" "$installed"
}

[ $# -gt 0 ] || need help
for purpose; do need "$purpose"; done
if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    find_missing
    [ -z "$missing" ] || install_packages
else
    echo "deps: no apt-get here; not checked: $(echo $packages | sed 's/:[^ ]*//g')" >&2
fi
for folder in $folders; do install_node_packages "$folder"; done
