#!/bin/sh
# Builds, runs and tests HEAD on a bare system, as after a first clone. Needs root.
#
#     tools/fresh.sh                       Debian 12
#     FRESH=test tools/fresh.sh            also runs all of `make test`
#     FRESH_SUITE=trixie tools/fresh.sh    another release
#     FRESH_SUITE=noble FRESH_MIRROR=http://... tools/fresh.sh    another archive
#     FRESH_KEEP=yes tools/fresh.sh        keeps the system and prints its folder
#
# The bare system (git, make, ca-certificates) is a folder below TMPDIR (default /var/tmp, 5 GB).
# Its mounts and processes are in namespaces of their own and end with them; no folder of this
# machine is mounted there. The settings for the archive and npm's registry are copied from this
# machine. FRESH_CACHE (default ~/.cache/multiverse-fresh) keeps the bare system for the next time,
# and the logs.
set -eu
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
tree=$(dirname "$(dirname "$self")")
suite=${FRESH_SUITE:-bookworm}
cache=${FRESH_CACHE:-$HOME/.cache/multiverse-fresh}
logs=$cache/$suite.logs
place=/srv/multiverse # path of the clone in the system

say() {
    echo "fresh: $*"
}

# --- outside: creates the folder, starts the inside, removes the folder

remove_folder() { # folder: created here, and nothing is mounted in it
    case $1 in */multiverse-fresh.??????) ;; *) return 1 ;; esac
    if grep -qF " $1/" /proc/self/mountinfo; then
        say "something is mounted in $1: not removed" >&2
        return 1
    fi
    rm -rf --one-file-system "$1"
}

remove_leftovers() { # of a killed run
    for folder in "$temp"/multiverse-fresh.??????; do
        [ -f "$folder/pid" ] && [ ! -L "$folder" ] && [ -O "$folder" ] || continue
        [ -d "/proc/$(cat "$folder/pid")" ] || remove_folder "$folder"
    done
}

clean_up() {
    trap '' INT TERM HUP
    [ -z "$inside" ] || kill -KILL "$inside" 2>/dev/null || true # and with it everything inside
    wait
    if [ "${FRESH_KEEP:-}" = yes ]; then
        rm -f "$folder/pid"
        say "kept: $folder/root"
    else
        remove_folder "$folder"
    fi
}

run_outside() {
    if [ "$(id -u)" -ne 0 ]; then
        say 'only root can create a bare system: sudo make fresh' >&2
        exit 1
    fi
    "$tree/tools/deps.sh" fresh
    if [ -n "$(git_of_tree status --porcelain)" ]; then
        say 'WARNING: there are uncommitted changes; only HEAD is tested' >&2
    fi
    temp=${TMPDIR:-/var/tmp}
    mkdir -p "$cache"
    remove_leftovers
    folder=$(mktemp -d "$temp/multiverse-fresh.XXXXXX")
    echo $$ >"$folder/pid"
    inside=
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    setpriv --pdeathsig KILL unshare --mount --propagation private --pid --mount-proc --ipc --fork --kill-child \
        "$self" --inside "$folder/root" &
    inside=$!
    status=0
    wait "$inside" || status=$?
    inside=
    exit "$status"
}

git_of_tree() { # as root, the tree may belong to another user
    git -c safe.directory='*' -C "$tree" "$@"
}

# --- inside: process 1 of its namespace

# Run a command; its output goes to a log.
step() { # what, command
    what=$1
    shift
    count=$((count + 1))
    log=$logs/$(printf '%02d-%s' "$count" "$(echo "$what" | tr -cs 'a-z0-9\n' -)").log
    before=$(date +%s)
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 40 "$log" | sed 's/^/    /'
        say "$suite: FAILED: $what, after $(($(date +%s) - before)) s; the whole log: $log"
        exit 1
    fi
    say "$(printf '%-55s %5d s' "$what" "$(($(date +%s) - before))")"
}

find_mirror() { # suite: the archive that apt of this machine uses
    apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        sed -n "s/ $1\$//p" | head -n 1
}

make_base() {
    archive=$cache/$suite-$(dpkg --print-architecture).tar.gz
    if [ -n "$(find "$archive" -mtime -30 2>/dev/null)" ]; then
        tar -C "$root" --numeric-owner -xzf "$archive"
        return
    fi
    eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
    [ -z "${http_proxy:-}" ] || export http_proxy
    script=
    if [ ! -e "/usr/share/debootstrap/scripts/$suite" ]; then # newer than this debootstrap
        case $mirror in *ubuntu*) script=gutsy ;; *) script=sid ;; esac
        script=/usr/share/debootstrap/scripts/$script
    fi
    # shellcheck disable=SC2086 # nothing is no word
    debootstrap --variant=minbase --include=git,make,ca-certificates --components="$(echo "$components" | tr ' ' ,)" \
        "$suite" "$root" "$mirror" $script || { cat "$root/debootstrap/debootstrap.log"; return 1; }
    rm -rf "$root"/var/cache/apt/archives/*.deb
    tar -C "$root" --numeric-owner --exclude='./dev/*' -czf "$archive.new" . && mv "$archive.new" "$archive"
}

mount_devices() {
    mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys" &&
        mount -t tmpfs -o mode=755 tmpfs "$root/dev" || return
    for name in null zero full random urandom tty; do
        : >"$root/dev/$name" && mount --bind "/dev/$name" "$root/dev/$name" || return
    done
    mkdir "$root/dev/pts" "$root/dev/shm" && mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" &&
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts" &&
        ln -s pts/ptmx "$root/dev/ptmx" && ln -s /proc/self/fd "$root/dev/fd" &&
        ln -s fd/0 "$root/dev/stdin" && ln -s fd/1 "$root/dev/stdout" && ln -s fd/2 "$root/dev/stderr"
}

set_variable() { # name, value: in the system
    printf "export %s='%s'\n" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\\\\\''/g")" >>"$root/srv/environment"
}

# What this machine uses to reach the archive and the registry: proxies, certificates, addresses.
copy_settings() {
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/" || return
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no service is started
    chmod 755 "$root/usr/sbin/policy-rc.d"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/fresh" # the system need not survive a crash
    apt-config dump Acquire | grep -vE '^Acquire::(IndexTargets|CompressionTypes|Changelogs|cdrom|Send-URI)' \
        >"$root/etc/apt/apt.conf.d/99fresh"
    for name in auth.conf auth.conf.d trusted.gpg trusted.gpg.d keyrings; do
        [ ! -e "/etc/apt/$name" ] || cp -R "/etc/apt/$name" "$root/etc/apt/" || return
    done
    find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$root/usr/local/share/ca-certificates/" \;
    : >"$root/srv/environment"
    for name in SSL_CERT_FILE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE GIT_SSL_CAINFO npm_config_cafile; do
        file=$(printenv "$name") && [ -f "$file" ] || continue
        cp -L "$file" "$root/etc/ssl/$name.pem" && set_variable "$name" "/etc/ssl/$name.pem" || return
    done
    env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p' |
        grep -iE '^(https?_proxy|no_proxy|all_proxy|npm_config_(registry|proxy|https_proxy|noproxy|strict_ssl|fetch_.*))$' |
        while read -r name; do set_variable "$name" "$(printenv "$name")"; done
    registry=$({ "$tree/tools/npm.sh" config get registry || npm config get registry; } 2>/dev/null) || true
    [ -z "$registry" ] || set_variable npm_config_registry "$registry"
    # Registries of scopes, and their logins.
    [ ! -f "$HOME/.npmrc" ] || grep -E '^(//|@)' "$HOME/.npmrc" >"$root/root/.npmrc" || true
    chroot "$root" update-ca-certificates
}

write_sources() { # main or all: with suite-updates and suite-security, which some suites lack
    echo "deb $mirror $suite $components"
    [ "$1" = all ] || return 0
    echo "deb $mirror $suite-updates $components"
    echo "deb $security $suite-security $components"
}

set_up_apt() {
    rm -rf "$root/etc/apt/sources.list.d"/*
    write_sources all >"$root/etc/apt/sources.list"
    in_root apt-get -q update && return
    write_sources main >"$root/etc/apt/sources.list"
    in_root apt-get -q update
}

in_root() { # command
    chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LANG=C.UTF-8 TERM=dumb sh -c '. /srv/environment; cd "$0" 2>/dev/null; exec "$@"' "$place" "$@"
}

clone() {
    git_of_tree clone -q --no-hardlinks "$tree" "$root$place" &&
        git -c safe.directory='*' -C "$root$place" checkout -q --detach "$(git_of_tree rev-parse HEAD)"
}

is_running() { # process
    case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | Z*) return 1 ;; esac
}

start_server() {
    in_root setsid sh -c 'echo $$ >/srv/server && exec make run PORT=0' &
    make_run=$!
    until grep -q ' listening url=' "$log"; do
        is_running "$make_run" || return 1
        sleep 0.2
    done
    port=$(sed -n 's/.* listening url=http:[^ ]*:\([0-9]*\)\/mcp.*/\1/p' "$log")
}

use_server() {
    in_root build/multiverse call get_scene_hierarchy --port "$port" || return
    in_root bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" &&
        printf "GET / HTTP/1.1\r\nHost: 127.0.0.1:$1\r\nConnection: close\r\n\r\n" >&3 &&
        { read -r status && echo "$status" && [ "${status#HTTP/1.1 200 }" != "$status" ] && grep -F "<script"; } <&3' \
        bash "$port" || return
    kill -TERM "-$(cat "$root/srv/server")" || return
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        is_running "$make_run" || return 0
        sleep 1
    done
    echo 'the server does not stop'
    return 1
}

run_inside() { # root
    root=$1
    count=0
    started=$(date +%s)
    rm -rf "$logs"
    mkdir -p "$root" "$logs"
    mirror=${FRESH_MIRROR:-$(find_mirror "$suite")}
    [ -n "$mirror" ] || mirror=$(find_mirror "$(. /etc/os-release && echo "$VERSION_CODENAME")")
    if [ -z "$mirror" ]; then
        say "$suite: FAILED: apt of this machine has no archive for it; set FRESH_MIRROR"
        exit 1
    fi
    security=${FRESH_MIRROR:-$(find_mirror '[a-z]*-security')}
    components=main
    case $mirror in *ubuntu*) components='main universe' ;; esac
    step "bare $suite" make_base
    mount_devices
    step 'settings of this machine' copy_settings
    step 'apt-get update' set_up_apt
    step "clone of $(git_of_tree describe --always)" clone
    step 'make run, until it listens' start_server
    step 'a call works, the page is served, the server stops' use_server
    step 'make build-test' in_root make build-test
    step 'apt-get remove libwslay-dev libcmocka-dev' in_root apt-get -q remove -y libwslay-dev libcmocka-dev
    step 'make, without the packages of tests' in_root make
    step 'make build-test, which installs them again' in_root make build-test
    step 'make build-test, with nothing to do' in_root make build-test
    [ "${FRESH:-}" != test ] || step 'make test' in_root make test
    say "$suite: all $count steps passed in $(($(date +%s) - started)) s"
}

if [ "${1:-}" = --inside ]; then run_inside "$2"; else run_outside; fi
exit # the shell reads no further: the file may be edited while it runs
