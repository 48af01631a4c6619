#!/usr/bin/env python3
"""Whether npm has installed what the lock file of a folder says: npm_installed.py FOLDER [--omit=dev]

What is there is told by the list npm writes when it is done. More than asked for is fine: what was
installed with the packages for tests will do for a build. Optional packages are those of other systems.
"""
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
omit_dev = "--omit=dev" in sys.argv[2:]
try:
    wanted = json.loads((folder / "package-lock.json").read_bytes())["packages"]
    found = json.loads((folder / "node_modules/.package-lock.json").read_bytes())["packages"]
except (OSError, ValueError, KeyError):
    sys.exit(1)
for path, package in wanted.items():
    if not path or package.get("optional") or package.get("devOptional"):
        continue
    if omit_dev and package.get("dev"):
        continue
    if found.get(path, {}).get("version") != package.get("version"):
        sys.exit(1)
