#!/bin/sh
# Check that HEAD is ready to be released, run the tests, and tag it.
#
#     tools/release.sh --dry-run    the checks only: no tests, no tag
#     tools/release.sh              checks, `make check`, `make test`, then the tag vX.Y.Z
#
# The version is the one of meson.build. All checks run and report before the script gives up. It
# pushes nothing. CONTRIBUTING.md says what to do before.
set -u
cd "$(dirname "$0")/.." || exit 2
case ${1:-} in
'') dry_run=no ;;
--dry-run) dry_run=yes ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
wrong=0

report() {
    echo "release: $*" >&2
    wrong=1
}

# The lines of one version in a changelog, without its heading.
section() { # version or Unreleased, file
    awk -v head="## [$1]" 'index($0, "## [") == 1 { inside = index($0, head) == 1; next }
        inside' "$2" | sed '/^ *$/d'
}

check_versions() {
    echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' ||
        report "meson.build: the version \"$version\" is not X.Y.Z"
    grep -qF "\"version\": \"$version\"" unity-package/package.json ||
        report "unity-package/package.json: the version is not $version"
    grep -qF "PackageVersion = \"$version\"" unity-package/Editor/Link/EditorIdentity.cs ||
        report "unity-package/Editor/Link/EditorIdentity.cs: the version is not $version"
    last=$(git tag --list 'v[0-9]*' | sed 's/^v//' | sort -V | tail -n 1)
    if git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then
        report "the tag v$version exists already: set a new version in meson.build"
    elif [ -n "$last" ] && [ "$(printf '%s\n' "$last" "$version" | sort -V | tail -n 1)" = "$last" ]; then
        report "the version $version is not after $last, the last release"
    fi
}

check_changelogs() {
    grep -qxE "## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}" CHANGELOG.md ||
        report "CHANGELOG.md: no heading \"## [$version] - YYYY-MM-DD\""
    [ -n "$(section "$version" CHANGELOG.md)" ] || report "CHANGELOG.md: nothing below [$version]"
    grep -qxF '## [Unreleased]' CHANGELOG.md ||
        report 'CHANGELOG.md: no heading "## [Unreleased]" for what comes next'
    [ -z "$(section Unreleased CHANGELOG.md)" ] ||
        report "CHANGELOG.md: move the lines below [Unreleased] to [$version]"
    grep -qE "^## \[$version\]" unity-package/CHANGELOG.md ||
        report "unity-package/CHANGELOG.md: no heading \"## [$version]\""
}

check_tree() {
    branch=$(git symbolic-ref -q --short HEAD || echo 'no branch')
    [ "$branch" = main ] || report "HEAD is on $branch, not on main"
    [ -z "$(git status --porcelain)" ] ||
        report 'the tree is not clean: commit or remove the files of git status'
}

version=$(sed -n "s/^ *version: '\(.*\)',.*/\1/p" meson.build | head -n 1)
check_versions
check_changelogs
check_tree
[ $wrong -eq 0 ] || exit 1
echo "release: $version is ready to be tested and tagged"
[ $dry_run = no ] || exit 0

for target in check test; do
    make $target || {
        echo "release: make $target failed; nothing was tagged" >&2
        exit 1
    }
done
{ echo "Multiverse $version" && echo && section "$version" CHANGELOG.md; } |
    git tag --annotate --cleanup=verbatim --file=- "v$version" || exit 1
echo "release: tagged v$version; publish it with: git push origin main v$version"
