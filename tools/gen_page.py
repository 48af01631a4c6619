#!/usr/bin/env python3
"""Turns the files of the page into C: gen_page.py OUTPUT.c OUTPUT.bin [FOLDER]

The .bin contains all bytes, plain and compressed; the .c includes it and has the table of
src/console/files.h. Without a folder the table is empty: the program then has no page.
Unchanged output is not rewritten, so that nothing is recompiled for it.
"""
import gzip
import hashlib
import pathlib
import sys

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}


def quoted(text):
    """A C string; names of folders may contain anything."""
    return '"' + "".join(
        chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode()) + '"'


def write(path, data):
    path = pathlib.Path(path)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


def main():
    c_name, bin_name = sys.argv[1:3]
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    rows, blob = [], bytearray()

    def put(data):
        at = len(blob)
        blob.extend(data)
        return f"{{console_file_bytes + {at}, {len(data)}}}"

    files = sorted(p for p in folder.rglob("*") if p.is_file()) if folder else []
    for path in files:
        name = path.relative_to(folder).as_posix()
        if any(part.startswith(".") for part in name.split("/")):
            continue
        if path.suffix not in TYPES:
            sys.exit(f"web: unknown type of {path}: add it to the list in tools/gen_page.py")
        data = path.read_bytes()
        small = gzip.compress(data, 9, mtime=0)
        plain = put(data)
        packed = put(small) if len(small) < len(data) * 0.9 else "{NULL, 0}"
        # their names contain a hash of the bytes
        hashed = "true" if name.startswith("assets/") else "false"
        rows.append(f"    {{{quoted('/' + name)}, {quoted(TYPES[path.suffix])}, {plain}, {packed}, {hashed}}},\n")
    if folder and not any(row.startswith('    {"/index.html"') for row in rows):
        sys.exit(f"web: {folder} has no index.html")
    # The assembler parses the string once more than the compiler does.
    where = str(pathlib.Path(bin_name).resolve()).replace("\\", "\\\\").replace('"', '\\"')
    text = f"/* Written by tools/gen_page.py; the bytes: {hashlib.sha256(blob).hexdigest()} */\n"
    text += '#include "console/files.h"\n\n'
    if rows:
        text += "extern const char console_file_bytes[] __attribute__((visibility(\"hidden\")));\n"
        text += '__asm__(".pushsection .rodata\\n"\n        ".globl console_file_bytes\\n"\n'
        text += '        ".hidden console_file_bytes\\n"\n        ".balign 16\\n"\n        "console_file_bytes:\\n"\n'
        text += f'        {quoted(f".incbin {chr(34)}{where}{chr(34)}")} "\\n"\n        ".popsection\\n");\n\n'
    text += "const struct console_file console_files[] = {\n" + "".join(rows) + "    {0},\n};\n"
    text += f"const size_t console_file_count = {len(rows)};\n"
    write(bin_name, bytes(blob))
    write(c_name, text.encode())


main()
