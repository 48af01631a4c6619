#!/bin/sh
# tests/postgres.sh leaves nothing behind: after its command, after a failing one, killed, started
# and stopped.
set -eu
postgres=$(dirname "$0")/postgres.sh
scratch=$(mktemp -d)
folder=$(mktemp -d /tmp/multiverse-pg-test-XXXXXX)
trap '"$postgres" stop "$folder" 2>/dev/null; rm -rf "$scratch" "$folder"' EXIT

fail() {
    echo "$*" >&2
    exit 1
}

folder_of() { # url
    printf '%b' "$(echo "$1" | sed 's/.*@\(.*\):.*/\1/; s/%2f/\//g')"
}

is_gone() { # folder; meson ends a test that waits forever
    echo "waiting for the end of $1"
    while [ -e "$1" ]; do sleep 0.05; done
}

status=0
# shellcheck disable=SC2016 # for the started shell
"$postgres" --no-fsync sh -c 'echo "$MULTIVERSE_TEST_STORE" >"$1"; psql "$MULTIVERSE_TEST_STORE" -Atc "SHOW fsync" >>"$1"; exit 5' \
    sh "$scratch/out" || status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 5 ] || fail "the code of the command was 5, not $status"
[ "$(sed -n 2p "$scratch/out")" = off ] || fail "$(cat "$scratch/out")"
[ ! -e "$(folder_of "$(head -n 1 "$scratch/out")")" ] || fail "the folder still exists"

mkfifo "$scratch/fifo"
# shellcheck disable=SC2016
"$postgres" --no-fsync sh -c 'echo "$MULTIVERSE_TEST_STORE" >"$1"; exec sleep 1000' sh "$scratch/fifo" &
read -r url <"$scratch/fifo"
[ -d "$(folder_of "$url")" ] || fail "no folder for $url"
kill -KILL $!
is_gone "$(folder_of "$url")"
psql "$url" -c 'SELECT 1' 2>/dev/null && fail "the server of a killed script still runs"

url=$("$postgres" --no-fsync start "$folder")
psql "$url" -qc 'CREATE TABLE kept (x int)'
[ "$("$postgres" status "$folder")" = running ] || fail "it does not run"
"$postgres" kill "$folder"
[ "$("$postgres" status "$folder" || true)" = stopped ] || fail "it runs"
[ "$("$postgres" start "$folder")" = "$url" ] || fail "another URL after a kill"
psql "$url" -qc 'SELECT x FROM kept' >/dev/null
"$postgres" stop "$folder"
psql "$url" -c 'SELECT 1' 2>/dev/null && fail "it still accepts connections"
sleep 1000 &
other=$!
"$postgres" --with $other start "$folder" >/dev/null
kill $other
is_gone "$folder"
