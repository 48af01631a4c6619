#!/usr/bin/env python3
"""Whether npm has installed what a folder's lock file lists: npm_installed.py FOLDER [--omit=dev]

The list that npm writes at its end shows what is installed. Additional packages are fine: those
installed for tests also serve a build. Optional packages of other systems are ignored; npm silently
skips one of this system that it could not download, so those are required.
"""
import json
import pathlib
import platform
import sys

CPU = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
LIBC = "glibc" if platform.libc_ver()[0] == "glibc" else "musl"


def is_for_this_system(package):
    return (sys.platform in package.get("os", []) and CPU in package.get("cpu", [])
            and LIBC in package.get("libc", [LIBC]))


folder = pathlib.Path(sys.argv[1])
omit_dev = "--omit=dev" in sys.argv[2:]
try:
    wanted = json.loads((folder / "package-lock.json").read_bytes())["packages"]
    found = json.loads((folder / "node_modules/.package-lock.json").read_bytes())["packages"]
except (OSError, ValueError, KeyError):
    sys.exit(1)
for path, package in wanted.items():
    if not path or package.get("devOptional"):
        continue
    if package.get("optional") and not is_for_this_system(package):
        continue
    if omit_dev and package.get("dev"):
        continue
    if found.get(path, {}).get("version") != package.get("version"):
        sys.exit(1)
