#!/bin/sh
# tools/release.sh in a scratch repository: it tags a release that is ready, and reports what is not.
set -u
tools=$(cd "$(dirname "$0")/../tools" && pwd)
repo=$(mktemp -d)
trap 'rm -rf "$repo"' EXIT
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.invalid
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.invalid
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
cd "$repo" || exit 2
count=0

fail() {
    echo "not ok: $1: $(cat "$repo/.git/said")"
    exit 1
}

commit() {
    git add -A && git commit -qm "$1"
}

release() { # options
    tools/release.sh "$@" >.git/said 2>&1
}

# The change of stdin's shell makes it not ready; the release must fail, say so, and tag nothing.
refuses() { # name, what it says, option
    sh -eu || exit 2
    [ "${3:-}" = dirty ] || commit "$1"
    release --dry-run && fail "$1: it succeeded"
    grep -qF -e "$2" .git/said || fail "$1"
    git tag | grep -qv '^v0\.9\.0$' && fail "$1: it tagged"
    git reset -q --hard ready && git clean -qfd && git checkout -q main
    count=$((count + 1))
}

git init -q -b main
mkdir -p tools unity-package/Editor/Link
cp "$tools/release.sh" tools/
printf "project('multiverse', 'c',\n  version: '1.2.3',\n  license: 'MIT')\n" >meson.build
printf '{\n  "version": "1.2.3",\n}\n' >unity-package/package.json
echo 'public const string PackageVersion = "1.2.3";' >unity-package/Editor/Link/EditorIdentity.cs
printf '# Changelog\n\n## [1.2.3]\n\n- First.\n' >unity-package/CHANGELOG.md
printf '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-18\n\n### Added\n\n- This.\n\n## [1.0.0]\n\n- Old.\n' \
    >CHANGELOG.md
printf 'check:\n\t@echo checked >>.git/made\ntest:\n\t@echo tested >>.git/made\n' >Makefile
commit 'a release'
git branch ready # what every fault is undone to
git tag v0.9.0

refuses 'another version of the package' 'package.json: the version is not 1.2.3' <<'END'
sed -i s/1.2.3/1.2.2/ unity-package/package.json
END
refuses 'another version in its source' 'EditorIdentity.cs: the version is not 1.2.3' <<'END'
sed -i s/1.2.3/1.2.2/ unity-package/Editor/Link/EditorIdentity.cs
END
refuses 'a version that is none' 'the version "1.2" is not X.Y.Z' <<'END'
sed -i "s/'1.2.3'/'1.2'/" meson.build
END
refuses 'an older version' 'the version 0.8.1 is not after 0.9.0' <<'END'
sed -i s/1.2.3/0.8.1/ meson.build unity-package/package.json CHANGELOG.md
END
refuses 'no entry in the changelog' 'no heading "## [1.2.3] - YYYY-MM-DD"' <<'END'
sed -i 's/ - 2026-11-18//' CHANGELOG.md
END
refuses 'an empty entry' 'nothing below [1.2.3]' <<'END'
sed -i '/This/d; /Added/d' CHANGELOG.md
END
refuses 'unreleased lines' 'move the lines below [Unreleased] to [1.2.3]' <<'END'
sed -i 's/^## .Unreleased.$/&\n\n- More./' CHANGELOG.md
END
refuses 'no entry of the package' 'unity-package/CHANGELOG.md: no heading' <<'END'
sed -i s/1.2.3/1.2.2/ unity-package/CHANGELOG.md
END
refuses 'a changed file' 'the tree is not clean' dirty <<'END'
echo more >>Makefile
END
refuses 'a new file' 'the tree is not clean' dirty <<'END'
echo more >new
END
refuses 'another branch' 'HEAD is on side, not on main' dirty <<'END'
git checkout -qb side
END

release --nonsense && fail 'a wrong option'
grep -qF 'tools/release.sh --dry-run' .git/said || fail 'a wrong option'

release --dry-run || fail 'a dry run'
[ ! -e .git/made ] || fail 'a dry run made something'
git rev-parse -q --verify v1.2.3 >/dev/null && fail 'a dry run tagged'

printf 'check:\n\t@true\ntest:\n\t@false\n' >Makefile && commit 'a test that fails'
release && fail 'a failed test'
git rev-parse -q --verify v1.2.3 >/dev/null && fail 'it tagged after a failed test'
git reset -q --hard ready

release || fail 'a release'
[ "$(cat .git/made)" = "$(printf 'checked\ntested')" ] || fail 'the tests did not run'
[ "$(git cat-file -t v1.2.3)" = tag ] || fail 'the tag is not annotated'
git tag -l --format='%(contents)' v1.2.3 | grep -qx -e '- This.' || fail 'the tag lacks the changes'
git tag -l --format='%(contents)' v1.2.3 | grep -q Old && fail 'the tag has older changes'

release && fail 'a second release of the same version'
grep -qF 'the tag v1.2.3 exists already' .git/said || fail 'a second release'
echo "ok: $count faults refused, one release tagged"
