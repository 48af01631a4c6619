#!/bin/sh
# The example of mcp.h responds: it greets by name, and returns an error without one.
set -eu
got=$(printf '%s\n' \
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}' \
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","arguments":{"name":"Ada"}}}' \
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hello"}}' | "$1")
case $got in
*'"text":"Hello, Ada!"'*'"text":"name is missing: give the name of the person to greet"'*'"isError":true'*) ;;
*) printf 'unexpected answers:\n%s\n' "$got"; exit 1 ;;
esac
