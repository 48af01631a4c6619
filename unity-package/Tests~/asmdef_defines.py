#!/usr/bin/env python3
"""Print the symbols of an assembly definition's versionDefines as "-d:NAME" arguments.

    asmdef_defines.py FILE.asmdef UNITY_VERSION

The only known package is the test framework, in the version of that Unity release. Exit 1: a symbol of
defineConstraints is missing, so the assembly is not built.
"""
import json
import sys

# The version of com.unity.test-framework by the first Unity release that has it.
TEST_FRAMEWORK = (((2019, 4), (1, 1, 33)), ((2022, 3), (1, 4, 5)), ((6000, 0), (1, 5, 1)), ((6000, 5), (1, 6, 0)))


def numbers(text):
    return tuple(int(part) for part in text.split(".")[:3] if part.isdigit())


def framework_of(unity):
    found = (0,)
    for release, version in TEST_FRAMEWORK:
        if unity >= release:
            found = version
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        definition = json.load(file)
    unity = numbers(sys.argv[2])[:2]
    packages = {"com.unity.test-framework": framework_of(unity), "Unity": unity}
    given = {"UNITY_INCLUDE_TESTS"}
    for entry in definition.get("versionDefines", []):
        if packages.get(entry["name"], (0,)) >= numbers(entry["expression"]):
            given.add(entry["define"])
    missing = [name for name in definition.get("defineConstraints", []) if name not in given]
    print(" ".join("-d:" + name for name in sorted(given)))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
