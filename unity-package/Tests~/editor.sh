#!/bin/sh
# Runs the stand-in editor on a project.
#
#     editor.sh BUILD PROJECT [option...]
#     editor.sh BUILD -projectPath PROJECT [option...]
#
# BUILD is what build.sh made; where it is left out (the first word is an option) STANDIN_BUILD names
# it, so that this file can stand where Unity's program is expected. Options as Unity has them:
# -batchmode -quit -runTests -testPlatform -testResults -testFilter -assemblyNames -testCategory
# -executeMethod -logFile; README.md has the others and the control lines on standard input.
#
# A domain reload is a new process: this script starts it and keeps the project's lock meanwhile.
set -u
reload_code=88

fail() {
    echo "editor.sh: $1" >&2
    exit 1
}

case ${1-} in
"") fail "the folder that build.sh made is missing (editor.sh BUILD PROJECT)" ;;
-*) build=${STANDIN_BUILD-} ;;
*)
    build=$1
    shift
    ;;
esac
[ -f "$build/editor.exe" ] || fail "no editor.exe in '$build': run build.sh first"
build=$(CDPATH='' cd -- "$build" && pwd) || exit 1

case ${1-} in
"" | -*) ;;
*)
    project=$1
    shift
    set -- -projectPath "$project" "$@"
    ;;
esac

project=
previous=
for arg; do
    [ "$previous" != -projectPath ] || project=$arg
    previous=$arg
done
[ -d "$project/Assets" ] || fail "no Unity project in '$project': it has no Assets"
project=$(CDPATH='' cd -- "$project" && pwd) || exit 1

# Unity's own lock: a second editor on the project is refused, the server sees that it is open.
mkdir -p "$project/Temp" || exit 1
exec 8>>"$project/Temp/UnityLockfile"
if command -v flock >/dev/null && ! flock -n 8; then
    fail "another Unity instance is running with this project open: $project"
fi

# The domain's process gets what kills this one; its standard input is ours.
exec 3<&0
child=
stop() {
    trap '' TERM INT HUP
    [ -z "$child" ] || kill -TERM "$child" 2>/dev/null
    [ -z "$child" ] || wait "$child" 2>/dev/null
    exit 143
}
trap stop TERM INT HUP

first=-standinFirst
while :; do
    mono --debug "$build/editor.exe" "$first" "$@" <&3 8>&- &
    child=$!
    wait "$child"
    code=$?
    child=
    [ "$code" = "$reload_code" ] || exit "$code"
    first=-standinReloaded
done
