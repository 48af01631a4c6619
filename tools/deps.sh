#!/bin/sh
# Installs what a purpose needs: Debian packages with apt, Node packages with npm.
#
#     tools/deps.sh build|check|test|postgres|bench|lint|fuzz|clients|fresh|node [...]
#
# Silent when everything is installed. A tool that is in PATH without apt counts as installed. Needs
# root or sudo only when a Debian package is missing; without both it prints the command to run.
#
# Node and npm are those of tools/node (tools/node.sh, tools/npm.sh). The system's npm only
# downloads them once.
#
# The console page needs Node and the packages of web/ only when it has to be built (tools/web.sh
# --state), and never with CONSOLE=disabled in the environment. If they cannot be installed, a page
# built earlier is used.
set -eu
cd "$(dirname "$0")/.."

# One word per package; "package:command" is also installed if the command exists, and of "new|old"
# the first one is used that the archive has.
bootstrap='npm:npm' # downloads tools/node, which is used for everything afterwards
compile="gcc:gcc libc6-dev make:make meson:meson ninja-build:ninja pkg-config:pkg-config python3:python3
         libuv1-dev libllhttp-dev|node-llhttp:llhttp libtree-sitter-dev libexpat1-dev libpcre2-dev libsqlite3-dev libyaml-dev
         libcurl4-openssl-dev libpq-dev"
clang='clang:clang libclang-rt-dev llvm:llvm-symbolizer'

packages='' # words as above
folders=''  # with a package-lock.json
page=''     # yes: the page is built
need() { # purpose
    case $1 in
    build)
        packages="$packages $compile"
        folders="$folders tools/grammar"
        page=yes
        ;;
    check) # for `make check`
        packages="$packages $compile libcmocka-dev libjansson-dev libwslay-dev git:git"
        folders="$folders tools/grammar web"
        ;;
    test)
        packages="$packages $compile $clang lld:ld.lld libcmocka-dev libjansson-dev libwslay-dev
                  python3-websockets chromium:/usr/bin/chromium chromium-headless-shell|chromium:page-browser
                  mono-mcs:mcs mono-runtime:mono postgresql:postgres git:git iproute2:ip groff-base:groff mandoc:mandoc zsh:zsh fish:fish ccache:ccache"
        folders="$folders tools/grammar tests/e2e web"
        ;;
    postgres) # the server alone, for tests/postgres.sh
        packages="$packages postgresql:postgres"
        ;;
    bench)
        packages="$packages $compile libjansson-dev libwslay-dev python3-yaml wrk:wrk postgresql:postgres
                  chromium:chromium"
        folders="$folders bench tools/grammar tests/e2e"
        page=yes
        ;;
    lint)
        packages="$packages $compile libcmocka-dev libjansson-dev libwslay-dev
                  clang:clang clang-format:clang-format clang-tidy:clang-tidy"
        folders="$folders tools/grammar web"
        page=yes
        ;;
    fuzz)
        packages="$packages $compile $clang"
        folders="$folders tools/grammar"
        ;;
    clients) # the coding agents of tests/clients: 0.4 GB to download, 1.2 GB on disk
        packages="$packages python3:python3"
        folders="$folders tests/e2e tests/clients"
        ;;
    fresh) # for tools/fresh.sh
        packages="$packages debootstrap:debootstrap git:git"
        ;;
    node) # for tools/node.sh and tools/npm.sh
        packages="$packages python3:python3"
        ;;
    *)
        echo "usage: tools/deps.sh build|check|test|postgres|bench|lint|fuzz|clients|fresh|node [...]" >&2
        exit 2
        ;;
    esac
}

list_installed() {
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n')
}

is_installed() { # package
    case "
$installed
" in *"
installed $1
"*) return 0 ;; esac
    return 1
}

has_command() { # name
    case $1 in
    postgres) # not in PATH in Debian
        set -- "$1" /usr/lib/postgresql/*/bin/postgres
        [ ! -x "$2" ] || return 0
        ;;
    page-browser) # the full browser is enough if the archive has no headless build
        [ -x /usr/bin/chromium-headless-shell ] ||
            { [ -x /usr/bin/chromium ] && ! apt-cache show chromium-headless-shell >/dev/null 2>&1; }
        return
        ;;
    llhttp) # no command: a library, or its source
        is_installed libllhttp-dev || [ -f /usr/share/llhttp/llhttp.c ]
        return
        ;;
    esac
    command -v "$1" >/dev/null
}

# Of new|old, the first one that the archive has.
choose() { # words
    for word; do
        case $word in *'|'*)
            if apt-cache show "${word%|*}" >/dev/null 2>&1; then word=${word%|*}; else word=${word#*|}; fi
            ;;
        esac
        printf '%s ' "$word"
    done
}

find_missing() {
    list_installed
    missing=''
    for word in $packages; do
        package=${word%%:*}
        command=${word#*:}
        case " $missing " in *" $package "*) continue ;; esac
        [ "$command" != "$word" ] && has_command "$command" && continue
        is_installed "$package" || missing="$missing $package"
    done
    # Debian's Node only recommends it, but accepts no certificate without it.
    case " $missing " in *' npm '*) is_installed ca-certificates || missing="$missing ca-certificates" ;; esac
    missing=${missing# }
}

# Run a command as root; show its output only when it fails.
as_root() {
    if "$@" >"$log" 2>&1 </dev/null; then return; fi
    cat "$log" >&2
    echo "deps: failed: $*" >&2
    exit 1
}

# Debian's package would create and start a server of its own, but the tests have theirs. An
# existing installation keeps its settings.
without_default_server() {
    is_installed postgresql-common && return
    # shellcheck disable=SC2086
    as_root $apt install -y --no-install-recommends postgresql-common
    # shellcheck disable=SC2086
    as_root $become sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' \
        /etc/postgresql-common/createcluster.conf
}

install_packages() {
    # shellcheck disable=SC2086 # several words
    line="apt-get update && apt-get install -y --no-install-recommends $(choose $missing)"
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
    # shellcheck disable=SC2086 # several words
    as_root $apt update
    # shellcheck disable=SC2086
    missing=$(choose $missing)
    case " $missing " in *" postgresql "*) without_default_server ;; esac
    # shellcheck disable=SC2086
    as_root $apt install -y --no-install-recommends $missing
}

install_missing() {
    if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
        find_missing
        [ -z "$missing" ] || install_packages
    else
        echo "deps: apt-get is missing; not checked: $(echo $packages | sed 's/:[^ ]*//g')" >&2
    fi
}

# Install Node and npm into tools/node, with the npm that is there already or else the system's. A
# new folder is filled and then moved into place, as the running npm may be the one that is
# replaced.
install_node() {
    tools/npm_installed.py tools/node && return
    (
        exec 9<tools/node # parallel builds run one after the other
        if command -v flock >/dev/null; then flock 9; fi
        tools/npm_installed.py tools/node && exit
        npm=$PWD/tools/npm.sh
        if ! "$npm" --version >/dev/null 2>&1; then
            npm=npm
            packages=$bootstrap
            install_missing
        fi
        echo 'deps: installing with npm: tools/node'
        rm -rf tools/node/.new-*
        new=$(mktemp -d tools/node/.new-XXXXXX) || exit 1
        cp tools/node/package.json tools/node/package-lock.json tools/node/.npmrc "$new/"
        # The new npm needs a newer Node than the system's: it will run on the one installed with
        # it.
        if (cd "$new" && "$npm" ci --loglevel=error --engine-strict=false); then
            [ ! -e tools/node/node_modules ] || mv tools/node/node_modules "$new/old"
            mv "$new/node_modules" tools/node/
        fi
        rm -rf "$new"
        tools/npm_installed.py tools/node && exit
        echo 'deps: tools/node could not be installed: the output of npm is above' >&2
        exit 1
    )
}

# npm ci rewrites the folder, so it runs only when the folder differs from the lock file.
install_node_packages() { # folder, --omit=dev or nothing
    # shellcheck disable=SC2086 # an empty argument must disappear
    tools/npm_installed.py "$1" ${2:-} && return
    install_node
    (
        exec 9<"$1" # parallel builds, and tools/web.sh, run one after the other
        if command -v flock >/dev/null; then flock 9; fi
        # shellcheck disable=SC2086
        tools/npm_installed.py "$1" ${2:-} && exit
        echo "deps: installing with npm: $1"
        npm=$PWD/tools/npm.sh
        # shellcheck disable=SC2086
        cd "$1" && "$npm" ci --loglevel=error ${2:-}
    )
}

# Fail fast: npm would retry for minutes.
install_for_page() {
    export npm_config_fetch_retries=1 npm_config_fetch_retry_mintimeout=1000 npm_config_fetch_retry_maxtimeout=2000
    install_node && install_node_packages web --omit=dev
}

[ $# -gt 0 ] || need help
for purpose; do need "$purpose"; done
if [ ! -e tools/node/node_modules/npm ]; then # ask apt once if npm will be needed
    for folder in $folders; do
        tools/npm_installed.py "$folder" 2>/dev/null || packages="$packages $bootstrap"
    done
fi
[ -z "$packages" ] || install_missing
case " $folders $* " in *' tests/e2e '* | *' web '* | *' node '*) install_node ;; esac
for folder in $folders; do install_node_packages "$folder"; done

if [ -n "$page" ] && [ "${CONSOLE:-}" != disabled ]; then
    built=$(tools/web.sh --state)
    if [ "$built" != current ]; then
        # In a subshell, because a failure in it need not end the script.
        (install_for_page) || [ "$built" = old ] || {
            echo 'deps: the console page cannot be built; make CONSOLE=disabled builds the program without it' >&2
            exit 1
        }
    fi
fi
