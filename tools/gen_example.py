#!/usr/bin/env python3
"""Writes the program in the head comment of a header to a C file: examples are compiled, so they stay correct."""
import sys

header, out = sys.argv[1:]
lines = []
for line in open(header, encoding="utf-8"):
    if line.startswith(" */"):
        break
    if line.startswith(" *     "):
        lines.append(line[7:])
    elif line == " *\n" and lines:
        lines.append("\n")
with open(out, "w", encoding="utf-8") as f:
    f.writelines(lines)
