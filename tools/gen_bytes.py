#!/usr/bin/env python3
"""Turns a file into a C array: gen_bytes.py OUTPUT INPUT NAME

A literal would be shorter, but compilers need not accept more than 4095 characters in one.
"""
import pathlib
import sys

output, source, name = sys.argv[1:]
numbers = [str(byte if byte < 128 else byte - 256) for byte in pathlib.Path(source).read_bytes()]
lines = [", ".join(numbers[at:at + 20]) for at in range(0, len(numbers), 20)]
pathlib.Path(output).write_text(
    f"static const char {name}[] = {{\n    " + ",\n    ".join(lines) + ",\n};\n")
