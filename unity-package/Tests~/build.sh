#!/bin/sh
# Builds the stand-in of Unity, the package against it, the stand-in editor and the unit tests.
#
#     build.sh OUT [UNITY_VERSION] [--package-only]
#
# OUT             folder for the assemblies; created if missing
# UNITY_VERSION   2019.4, 2021.3, 2022.3 (default), 6000.0, 6000.5, ...: decides the UNITY_... symbols
#                 and the API; 2022.3.62f1 is accepted too
# --package-only  without editor.exe and unit.exe
#
# An assembly is rebuilt only if its sources, symbols or references changed. Builds into the same folder
# may run concurrently. Exit 0: success; 1: compiler error; 2: usage error.
#
# Compiled assemblies are cached for other folders and clones by the hash of their inputs, like ccache,
# below ${XDG_CACHE_HOME:-~/.cache}/multiverse/assemblies. MULTIVERSE_ASSEMBLIES names another folder;
# empty: no cache.
set -u
LC_ALL=C
export LC_ALL

fail() {
    echo "build.sh: $2" >&2
    exit "$1"
}

usage() { fail 2 "$1 (build.sh OUT [UNITY_VERSION] [--package-only])"; }

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
package=$(dirname -- "$here")
root=$(dirname -- "$package")
data=$root/src/unity/data

out=
version=
package_only=
for arg; do
    case $arg in
    --package-only) package_only=1 ;;
    -*) usage "unknown option $arg" ;;
    *)
        if [ -z "$out" ]; then
            out=$arg
        elif [ -z "$version" ]; then
            version=$arg
        else
            usage "unexpected argument: $arg"
        fi
        ;;
    esac
done
[ -n "$out" ] || usage "missing argument: the output folder"
version=${version:-2022.3}
command -v mcs >/dev/null || fail 2 "mcs (mono's C# compiler) is not installed"
command -v python3 >/dev/null || fail 2 "python3 is not installed"
mkdir -p "$out" || fail 2 "cannot create the folder $out"
out=$(CDPATH='' cd -- "$out" && pwd) || exit 2

# Releases in order. 6000.0 was first named 2023.3 and defines both symbols.
releases="5.3 5.4 5.5 5.6 2017.1 2017.2 2017.3 2017.4 2018.1 2018.2 2018.3 2018.4 2019.1 2019.2 2019.3 2019.4
    2020.1 2020.2 2020.3 2021.1 2021.2 2021.3 2022.1 2022.2 2022.3 2023.1 2023.2 2023.3
    6000.0 6000.1 6000.2 6000.3 6000.4 6000.5 6000.6 6000.7"

# Print the symbols that Unity defines in this version's Editor, one per line.
symbols() {
    release=$(printf '%s\n' "$version" | cut -d. -f1-2)
    known=
    echo UNITY_EDITOR
    echo UNITY_EDITOR_64
    echo UNITY_ASSERTIONS
    case $(uname -s) in
    Darwin) echo UNITY_EDITOR_OSX ;;
    *) echo UNITY_EDITOR_LINUX ;;
    esac
    for r in $releases; do
        name=$(printf '%s' "$r" | tr . _)
        echo "UNITY_${name}_OR_NEWER"
        if [ "$r" = "$release" ]; then
            known=1
            echo "UNITY_$name"
            echo "UNITY_${r%.*}"
            break
        fi
    done
    [ -n "$known" ] || fail 2 "no such Unity release: $version"
    patch=$(printf '%s\n' "$version" | sed -n 's/^[0-9]*\.[0-9]*\.\([0-9]*\).*/\1/p')
    [ -z "$patch" ] || echo "UNITY_${name}_$patch"
}

defines=$(symbols) || exit 2

# One build at a time per folder. Without flock two builds may repeat the work, which is harmless because
# an assembly appears by rename.
if command -v flock >/dev/null; then
    exec 9>"$out/.lock"
    flock 9
fi

temporary=$out/.build.$$
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM

# ---- the cache: one archive per hash; it appears by rename and is touched on use

kept_files=500
kept_days=30
cache=${MULTIVERSE_ASSEMBLIES-${XDG_CACHE_HOME:-${HOME:-}/.cache}/multiverse/assemblies}
is_stored=
if command -v sha256sum >/dev/null; then
    hash=sha256sum
else # good enough to detect a changed source, too weak for a cache key
    hash='cksum'
    cache=
fi
places="-pathmap:$out=.,$root=." # source paths in the assemblies
case $root$out in
*[,=]*) # -pathmap cannot escape them
    places=-debug
    cache=
    ;;
esac
case $cache in /*) ;; *) cache= ;; esac
[ -z "$cache" ] || mkdir -p "$cache" 2>/dev/null || cache=

# fetch HASH: extract the cached files into the temporary folder; fail if there are none.
fetch() {
    rm -rf "$temporary"
    mkdir -p "$temporary" || exit 1
    [ -n "$cache" ] && [ -f "$cache/$1.tar" ] || return 1
    touch -c "$cache/$1.tar" 2>/dev/null
    tar -xomf "$cache/$1.tar" -C "$temporary" 2>/dev/null && return
    rm -rf "$temporary"
    mkdir -p "$temporary"
    return 1
}

# store HASH: cache all files of the temporary folder, if there is a cache.
store() {
    [ -n "$cache" ] || return 0
    archive=$cache/$1.tar
    if tar -cf "$archive.$$" -C "$temporary" . 2>/dev/null && mv -f "$archive.$$" "$archive" 2>/dev/null; then
        is_stored=1
    else
        rm -f "$archive.$$" 2>/dev/null
    fi
}

# Remove archives that were not used for long, and those above the limit.
prune() {
    [ -n "$is_stored" ] || return 0
    find "$cache" -type f -name '*.tar*' -mtime "+$kept_days" -exec rm -f {} +
    find "$cache" -type f -name '*.tar.*' -mtime +1 -exec rm -f {} + # left by a killed build
    # shellcheck disable=SC2012
    (cd "$cache" && for old in $(ls -t | tail -n "+$((kept_files + 1))"); do rm -f "$old"; done)
}

# Print all C# files below the given folders, sorted; a folder may be missing.
sources() {
    for folder; do
        [ ! -d "$folder" ] || find "$folder" -name '*.cs' -type f
    done | sort
}

compiler=$(mcs --version)
options="-nologo -warn:4 -warnaserror -langversion:7.2 -debug"

# compile TARGET FLAGS REFERENCES FOLDER...: TARGET is a .dll or .exe of OUT.
# The output does not depend on the clone's location: paths are relative to its root.
compile() {
    target=$1
    flags=$2
    references=$3
    shift 3
    list=$out/.$target.sources
    sources "$@" >"$list.$$"
    if [ ! -s "$list.$$" ]; then
        rm -f "$list.$$"
        fail 1 "$target has no source"
    fi
    stamp=$({
        echo "$target $options $flags"
        echo "$defines"
        echo "$compiler"
        tr '\n' '\0' <"$list.$$" | xargs -0 $hash | sed 's,  */.*/,  ,'
        for r in $references; do cat "$out/.$r.stamp"; done
    } | $hash | cut -d' ' -f1)
    mv -f "$list.$$" "$list"
    if [ -f "$out/$target" ] && [ "$(cat "$out/.$target.stamp" 2>/dev/null)" = "$stamp" ]; then
        return
    fi
    if ! fetch "$stamp"; then
        run_compiler
        store "$stamp"
    fi
    for made in "$temporary"/*; do
        [ "$made" = "$temporary/$target" ] || mv -f "$made" "$out/"
    done
    mv -f "$temporary/$target" "$out/$target" || exit 1
    printf '%s\n' "$stamp" >"$out/.$target.stamp"
}

# Run the compiler, for compile.
run_compiler() {
    kind=library
    case $target in *.exe) kind=exe ;; esac
    set -- "$places"
    for d in $defines; do set -- "$@" "-d:$d"; done
    for r in $references; do set -- "$@" "-r:$out/$r"; done
    while IFS= read -r file; do set -- "$@" "$file"; done <"$list"
    # shellcheck disable=SC2086
    if ! mcs $options $flags -target:$kind -out:"$temporary/$target" "$@" >"$temporary/log" 2>&1; then
        cat "$temporary/log" >&2
        fail 1 "$target does not compile for Unity $version"
    fi
    cat "$temporary/log" >&2
    rm -f "$temporary/log"
}

# Generate the built-in classes from the tables of the headless editor.
generate() {
    generated=$out/generated
    mkdir -p "$generated"
    cat >"$generated/BuildVersion.cs.new" <<EOF
namespace Standin
{
    public static class BuildVersion
    {
        public const string Text = "$version";
    }
}
EOF
    cmp -s "$generated/BuildVersion.cs.new" "$generated/BuildVersion.cs" ||
        mv -f "$generated/BuildVersion.cs.new" "$generated/BuildVersion.cs"
    rm -f "$generated/BuildVersion.cs.new"
    [ -f "$here/gen_builtin.py" ] || return 0
    stamp=$({
        echo "Builtin.cs $version"
        $hash "$here"/gen_*.py "$data"/*.tsv
    } | $hash | cut -d' ' -f1)
    [ "$(cat "$out/.generated.stamp" 2>/dev/null)" != "$stamp" ] || return 0
    if ! fetch "$stamp"; then
        python3 "$here/gen_builtin.py" "$data" "$version" "$temporary/Builtin.cs" ||
            fail 1 "gen_builtin.py failed for Unity $version"
        store "$stamp"
    fi
    mv -f "$temporary/Builtin.cs" "$generated/Builtin.cs" || exit 1
    printf '%s\n' "$stamp" >"$out/.generated.stamp"
}

# Paths are relative to the clone's root.
cd "$root" || exit 2
printf '%s\n' "$package" >"$out/.package"
here=${here#"$root"/}
package=${package#"$root"/}
data=${data#"$root"/}

standin=$here/Standin
engine="UnityEngine.dll"
editor="$engine UnityEditor.dll"
framework="$editor nunit.framework.dll UnityEngine.TestRunner.dll UnityEditor.TestRunner.dll"

# Print the symbols of an assembly of the package; fail if Unity would not build it.
symbols_of() { python3 "$here/asmdef_defines.py" "$1" "$version"; }

generate
compile UnityEngine.dll "" "" "$standin/Engine" "$standin/Runtime" "$out/generated"
compile UnityEditor.dll "" "$engine" "$standin/Editor" "$standin/Project"
compile nunit.framework.dll "" "" "$standin/TestFramework/Nunit"
compile UnityEngine.TestRunner.dll "" "$engine nunit.framework.dll" "$standin/TestFramework/Engine"
compile UnityEditor.TestRunner.dll "" "$editor nunit.framework.dll UnityEngine.TestRunner.dll" \
    "$standin/TestFramework/Editor"
[ -n "$package_only" ] || compile editor.exe "" "$framework" "$standin/Host"

compile Multiverse.Editor.dll "" "$editor" "$package/Editor"
runner=$(symbols_of "$package/TestRunner/Multiverse.Editor.TestRunner.asmdef") &&
    compile Multiverse.Editor.TestRunner.dll "$runner" "$framework Multiverse.Editor.dll" "$package/TestRunner"
tests=$(symbols_of "$package/Tests/Editor/Multiverse.Editor.Tests.asmdef") &&
    compile Multiverse.Editor.Tests.dll "$tests" "$framework Multiverse.Editor.dll" "$package/Tests/Editor"
compile api.exe "" "" "$here/Api"
if [ -n "$package_only" ]; then
    prune
    exit 0
fi

compile Multiverse.Editor.Trace.dll "" "$editor Multiverse.Editor.dll" "$standin/Trace"
# The package's sources are compiled into the tests too, to test internal types.
if [ -n "$(sources "$here/Unit")" ]; then
    compile unit.exe "$runner" "$framework" "$here/Unit" "$package/Editor" "$package/TestRunner"
fi
prune
exit 0
