#!/usr/bin/env python3
"""Rules for the files in unity-package, of Unity and our own.

    tools/check_package.py            # prints the errors
    tools/check_package.py --write    # writes missing .meta files, removes surplus ones

A package installed by its URL is read-only: Unity ignores every file in it without a .meta. A GUID
is derived from the path, so that it changes only if the file moves. Unity ignores folders that end
in ~, but their C# has the same length limits.
"""
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "unity-package"
COLUMNS = 128
LINES = 800
# Files in which #if may test a version: of Unity, and of its test framework, which is another
# assembly.
COMPAT = ("Editor/Compat.cs", "TestRunner/TestFramework.cs")

TAIL = "  userData:\n  assetBundleName:\n  assetBundleVariant:\n"
IMPORTERS = {
    ".cs": "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n"
           "  executionOrder: 0\n  icon: {instanceID: 0}\n",
    ".asmdef": "AssemblyDefinitionImporter:\n  externalObjects: {}\n",
    ".md": "TextScriptImporter:\n  externalObjects: {}\n",
    "package.json": "PackageManifestImporter:\n  externalObjects: {}\n",
    "": "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n",
}


def relative(path):
    return path.relative_to(ROOT).as_posix()


def is_unitys(path):
    """Whether Unity imports it: no part is hidden or ends in ~."""
    parts = path.relative_to(ROOT).parts
    return not any(p.startswith(".") or p.endswith("~") for p in parts)


def assets():
    return [p for p in sorted(ROOT.rglob("*")) if is_unitys(p) and p.suffix != ".meta"
            and (p.is_file() or any(q.is_file() and q.suffix != ".meta" for q in p.rglob("*")))]


def meta_of(path):
    return path.with_name(path.name + ".meta")


def meta_text(path):
    kind = "" if path.is_dir() else path.name if path.name in IMPORTERS else path.suffix
    guid = hashlib.md5(f"com.multiverse.editor/{relative(path)}".encode()).hexdigest()
    return f"fileFormatVersion: 2\nguid: {guid}\n{IMPORTERS.get(kind, IMPORTERS['.md'])}{TAIL}"


def metas(write):
    wanted = {meta_of(p): p for p in assets()}
    for meta, path in wanted.items():
        if not meta.exists():
            if not write:
                yield f"{relative(path)}: no .meta (tools/check_package.py --write makes it)"
            else:
                meta.write_text(meta_text(path))
    guids = {}
    for meta in sorted(p for p in ROOT.rglob("*.meta") if is_unitys(p)):
        if meta not in wanted:
            if not write:
                yield f"{relative(meta)}: what it belongs to is gone"
            else:
                meta.unlink()
            continue
        found = re.search(r"^guid: ([0-9a-f]{32})$", meta.read_text(), re.M)
        if not found:
            yield f"{relative(meta)}: no guid of 32 hexadecimal digits"
        elif guids.setdefault(found.group(1), meta) != meta:
            yield f"{relative(meta)}: same guid as {relative(guids[found.group(1)])}"


def texts():
    for path in sorted(ROOT.rglob("*.cs")):
        lines = path.read_text().split("\n")
        name = relative(path)
        if len(lines) - 1 > LINES:
            yield f"{name}: lines of the file {len(lines) - 1}, at most {LINES}"
        for number, line in enumerate(lines, 1):
            where = f"{name}:{number}"
            if len(line) > COLUMNS:
                yield f"{where}: columns {len(line)}, at most {COLUMNS}"
            if "\t" in line:
                yield f"{where}: tab"
            if not is_unitys(path):
                continue
            if re.match(r"\s*#\s*(if|elif)\b", line) and name not in COMPAT:
                yield f"{where}: what depends on Unity's version belongs into {COMPAT[0]}"
            if re.search(r"\bDisplayDialog(Complex)?\b", line):
                yield f"{where}: nothing of the package may be modal"


def versions():
    """The package states its version to Unity and to the server: both must be equal."""
    identity, manifest = ROOT / "Editor/Link/EditorIdentity.cs", ROOT / "package.json"
    if not identity.exists() or not manifest.exists():
        return
    said = re.search(r'PackageVersion = "([^"]*)"', identity.read_text())
    if not said or said.group(1) != json.loads(manifest.read_text())["version"]:
        yield "Editor/Link/EditorIdentity.cs: PackageVersion differs from package.json"


def messages():
    """Every message of the package in the console must be explained in docs/unity.md."""
    notices, page = ROOT / "Editor/Link/Notices.cs", ROOT.parent / "docs/unity.md"
    if not notices.exists() or not page.exists():
        return
    known = page.read_text()
    text = notices.read_text()
    said = re.findall(r'Debug\.Log\w*\("Multiverse: ([^"]{8,}?) ?"', text)
    said += re.findall(r'return "the server on port " \+ port \+ "([^"]{8,}?)[ .:]*"', text)
    said += re.findall(r'return "([^"]{8,}?) "', text)
    for words in said:
        if words.strip()[:20] not in known:
            yield f'Editor/Link/Notices.cs: docs/unity.md does not explain "{words}"'


def main():
    if not ROOT.is_dir():
        return 0
    wrong = list(metas("--write" in sys.argv[1:])) + list(texts()) + list(versions()) + list(messages())
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
