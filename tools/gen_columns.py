#!/usr/bin/env python3
"""Writes the widths of characters on a terminal, for src/base/columns.c.

Three sorted tables of {first, last}: characters of two columns (East Asian wide and full width),
those combined with the one before (marks, vowels and finals of Hangul), and invisible ones: control
and format characters, line separators, fillers, noncharacters. Everything else takes one column.
Unassigned code points between two of a kind count as of that kind.
"""
import sys
import unicodedata

FILLERS = (0x115F, 0x1160, 0x3164, 0xFFA0)


def kind(c):
    char = chr(c)
    category = unicodedata.category(char)
    if c & 0xFFFE == 0xFFFE or 0xFDD0 <= c <= 0xFDEF or c in FILLERS:
        return "unseen"
    if category in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return "unseen"
    if category in ("Mn", "Me") or 0x1161 <= c <= 0x11FF or 0xD7B0 <= c <= 0xD7FF:
        return "joined"
    if 0x20000 <= c <= 0x3FFFD:
        return "wide"
    if category == "Cn":
        return None  # like its neighbours if both are alike
    return "wide" if unicodedata.east_asian_width(char) in ("W", "F") else "plain"


def tables():
    found = {"wide": [], "joined": [], "unseen": []}
    last = "plain"
    for c in range(0x110000):
        now = kind(c)
        if now is None:
            continue
        if now != "plain" and now == last:
            found[now][-1][1] = c
        elif now != "plain":
            found[now].append([c, c])
        last = now
    return found


def main():
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write("/* Made by tools/gen_columns.py. */\n")
        for name, ranges in tables().items():
            out.write(f"static const struct range {name}[] = {{\n")
            for first, last in ranges:
                out.write(f"    {{0x{first:05x}, 0x{last:05x}}},\n")
            out.write("};\n")


if __name__ == "__main__":
    main()
