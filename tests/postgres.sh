#!/bin/sh
# A PostgreSQL server for tests: its own cluster in a folder, reached through a socket in it.
#
#     tests/postgres.sh [OPTION...] COMMAND ARG...      MULTIVERSE_TEST_STORE is the URL for it
#     tests/postgres.sh [OPTION...] start FOLDER        prints the URL; also after a stop or a kill
#     tests/postgres.sh url|stop|kill|status FOLDER     kill: SIGKILL to all its processes at once
#
#     --no-fsync           does not wait for the disk: faster, not safe after a crash
#     --listen ADDRESS     TCP as well, with a password in the URL
#     --port N             its port (default 54321)
#     --with PID           start: when that process ends, stop the server and remove the folder
#
# With a COMMAND everything is removed after it, also when it fails or this script is killed. As
# root the server runs as the user postgres. The server is installed from apt if it is missing. If
# MULTIVERSE_BUILD is set, an empty cluster is kept there and copied, which is faster. Exit code 77:
# there is no server, and only root could install it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
self=$here/$(basename "$0")
fsync=on
listen=
port=54321
with=

fail() {
    echo "postgres: $*" >&2
    exit 1
}

find_server() {
    for bin in /usr/lib/postgresql/15/bin /usr/lib/postgresql/*/bin; do
        [ -x "$bin/postgres" ] && return
    done
    bin=$(command -v postgres 2>/dev/null) && bin=$(dirname "$(readlink -f "$bin")") && return
    bin=
    return 1
}

need_server() {
    find_server && return
    if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
        echo "postgres: there is no PostgreSQL server; run tools/deps.sh postgres as root" >&2
        exit 77
    fi
    "$here/../tools/deps.sh" postgres >&2
    find_server || fail "no server, although postgresql was installed"
}

# Run a program as the owner of the server. No pager, no settings of the caller.
as_owner() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && exec setpriv --reuid=postgres --regid=postgres --init-groups env -i \
            PATH="$PATH" LC_ALL=C "$@")
    else
        (cd / && exec env -i PATH="$PATH" LC_ALL=C "$@")
    fi
}

encode() { # text: percent-encoded
    printf '%s' "$1" | od -An -v -tx1 | tr -s ' ' '\n' | while read -r byte; do
        case $byte in
        '') ;;
        3[0-9] | 4[1-9a-f] | 5[0-9a] | 6[1-9a-f] | 7[0-9a] | 2d | 2e | 5f)
            printf '%b' "\\0$(printf '%o' "0x$byte")" ;;
        *) printf '%%%s' "$byte" ;;
        esac
    done
}

# The settings of a folder are in its files, so that it can be started again with the same ones.
show_url() { # folder
    read -r its_listen its_port <"$1/place"
    if [ "$its_listen" = - ]; then
        echo "postgresql://postgres@$(encode "$1"):$its_port/postgres"
    else
        echo "postgresql://postgres:$(cat "$1/password")@$its_listen:$its_port/postgres"
    fi
}

# initdb takes most of the time of a test, so its result is kept in the build directory. A cluster
# with a password is always made from scratch.
make_data() { # folder
    kept=${MULTIVERSE_BUILD:+$MULTIVERSE_BUILD/postgres-$("$bin/postgres" -V | sed 's/[^0-9]*\([0-9.]*\).*/\1/').tar}
    if [ -z "$listen" ] && [ -f "$kept" ]; then
        as_owner tar -xf - -C "$1" <"$kept" || fail "$kept cannot be unpacked: remove it"
        return
    fi
    as_owner "$bin/initdb" -D "$1/data" -U postgres -E UTF8 --locale=C --no-sync \
        --auth-local=trust --auth-host=scram-sha-256 --pwfile="$1/password" >"$1/initdb" 2>&1 ||
        { cat "$1/initdb" >&2; fail "initdb failed in $1"; }
    [ -z "$kept" ] || { tar -cf "$kept.$$" -C "$1" data && mv "$kept.$$" "$kept"; } || rm -f "$kept.$$"
}

make_cluster() { # folder
    mkdir -p "$1"
    [ "$(id -u)" -ne 0 ] || chown postgres: "$1"
    chmod 700 "$1"
    as_owner test -w "$1" || fail "the user postgres cannot reach $1"
    [ "$(printf '%s' "$1/.s.PGSQL.$port.lock" | wc -c)" -lt 107 ] || fail "the path $1 is too long"
    printf '%s %s\n' "${listen:--}" "$port" | as_owner tee "$1/place" >/dev/null
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n' | as_owner tee "$1/password" >/dev/null
    as_owner chmod 600 "$1/password"
    make_data "$1"
    as_owner tee -a "$1/data/postgresql.conf" >/dev/null <<END
listen_addresses = '$listen'
port = $port
unix_socket_directories = '$1'
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = 64MB
fsync = $fsync
full_page_writes = $fsync
END
    [ -z "$listen" ] || echo 'host all all all scram-sha-256' |
        as_owner tee -a "$1/data/pg_hba.conf" >/dev/null
}

# The server and all its child processes. Prints nothing if it does not run.
processes() { # folder
    pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) || return 0
    [ -n "$pid" ] && [ "$(readlink "/proc/$pid/cwd")" = "$1/data" ] || return 0
    echo "$pid"
    cat "/proc/$pid/task/$pid/children" 2>/dev/null || true
}

start() { # folder
    [ -z "$(processes "$1")" ] || return 0
    # Of a killed server: the number may belong to another process by now, or to a zombie.
    rm -f "$1/data/postmaster.pid" "$1"/.s.PGSQL.*
    as_owner "$bin/pg_ctl" -D "$1/data" -l "$1/log" -w -t 540 -s start ||
        { tail -n 20 "$1/log" >&2; fail "the server did not start in $1"; }
}

stop() { # folder
    [ -n "$(processes "$1")" ] || return 0
    as_owner "$bin/pg_ctl" -D "$1/data" -w -t 60 -m fast -s stop 2>/dev/null || kill_all "$1"
}

# Stop the process that accepts connections first, then kill all; repeat while one is left.
kill_all() { # folder
    all=$(processes "$1")
    # shellcheck disable=SC2086 # words on purpose
    set -- "$1" $all
    [ $# -gt 1 ] || return 0
    kill -STOP "$2" 2>/dev/null || return 0
    # shellcheck disable=SC2046
    kill -KILL $(processes "$1") 2>/dev/null || true
    folder=$1
    shift
    for pid; do
        while [ "$(readlink "/proc/$pid/cwd" 2>/dev/null)" = "$folder/data" ]; do sleep 0.02; done
    done
}

# In a session of its own, so that it survives whatever kills this script.
remove_after() { # folder; waits for the end of its input
    cat >/dev/null || true
    stop "$1" || true
    rm -rf "$1"
}

run() { # command
    folder=$(mktemp -d /tmp/multiverse-pg-XXXXXX)
    mkfifo "$folder.end"
    setsid "$self" remove-after "$folder" <"$folder.end" >/dev/null 2>&1 &
    watcher=$!
    exec 9>"$folder.end"
    rm -f "$folder.end"
    need_server
    make_cluster "$folder" 9>&-
    start "$folder" 9>&-
    MULTIVERSE_TEST_STORE=$(show_url "$folder")
    export MULTIVERSE_TEST_STORE
    status=0
    setpriv --pdeathsig TERM "$@" 9>&- || status=$?
    exec 9>&-
    wait "$watcher" || true
    exit "$status"
}

full() { # folder, which may not exist yet
    case $1 in /*) readlink -m "$1" ;; *) readlink -m "$PWD/$1" ;; esac
}

while [ $# -gt 0 ]; do
    case $1 in
    --no-fsync) fsync=off ;;
    --listen | --port | --with)
        [ $# -gt 1 ] || fail "$1 needs a value"
        case $1 in --listen) listen=$2 ;; --port) port=$2 ;; --with) with=$2 ;; esac
        shift
        ;;
    -*) fail "unknown option $1" ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || { sed -n '2,/^set -eu/{/^set -eu/d;s/^# \{0,1\}//;p}' "$self"; exit 2; }

case $1 in
start)
    [ $# -eq 2 ] || fail "start needs a folder"
    folder=$(full "$2")
    need_server
    if [ -n "$with" ]; then
        tail --pid="$with" -f /dev/null </dev/null 2>/dev/null |
            setsid "$self" remove-after "$folder" >/dev/null 2>&1 &
    fi
    [ -f "$folder/data/PG_VERSION" ] || make_cluster "$folder"
    start "$folder"
    show_url "$folder"
    ;;
url | stop | kill | status | remove-after)
    [ $# -eq 2 ] || fail "$1 needs a folder"
    folder=$(full "$2")
    find_server || [ "$1" = remove-after ] || fail "there is no PostgreSQL server"
    case $1 in
    url) show_url "$folder" ;;
    stop) stop "$folder" ;;
    kill) kill_all "$folder" ;;
    remove-after) remove_after "$folder" ;;
    status)
        if [ -n "$(processes "$folder")" ]; then echo running; else echo stopped && exit 1; fi
        ;;
    esac
    ;;
*) run "$@" ;;
esac
