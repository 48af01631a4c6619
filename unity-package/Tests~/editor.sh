#!/bin/sh
# Runs the stand-in editor on a project.
#
#     editor.sh BUILD PROJECT [option...]
#     editor.sh BUILD -projectPath PROJECT [option...]
#
# BUILD is the output folder of build.sh. If it is omitted (the first argument is an option), STANDIN_BUILD
# is used, so that this script can replace Unity's program. Unity's options:
# -batchmode -quit -runTests -testPlatform -testResults -testFilter -assemblyNames -testCategory
# -executeMethod -logFile; README.md describes the others, and the control lines on standard input.
#
# A domain reload is a new process, started by this script, which holds the project's lock meanwhile.
set -u
reload_code=88

fail() {
    echo "editor.sh: $1" >&2
    exit 1
}

case ${1-} in
"") fail "missing argument: the output folder of build.sh (editor.sh BUILD PROJECT)" ;;
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

# Unity's lock: refuses a second editor, and shows the server that the project is open.
mkdir -p "$project/Temp" || exit 1
exec 8>>"$project/Temp/UnityLockfile"
if command -v flock >/dev/null && ! flock -n 8; then
    fail "another Unity instance is running with this project open: $project"
fi

# Forward termination signals to the domain's process, which inherits our standard input.
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
