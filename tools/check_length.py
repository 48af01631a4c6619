#!/usr/bin/env python3
"""Size limits of our C code, as in docs/style.md: a reader can keep one function in mind.

Warns or fails for each function (lines, parameters, nesting), file, header and line. Tables of
constants do not count as functions. Without arguments it reads src, tests and bench.
"""
import os
import pathlib
import re
import sys

# name: (warn above, fail above); None: no such limit
FUNCTION_LINES = (60, 100)
FILE_LINES = (800, 1000)
HEADER_LINES = (150, None)
LINE_COLUMNS = (None, 100)
NESTING = (None, 4)
PARAMETERS = (None, 5)

# ("path" or "path:function", exempted limit) -> reason.
EXCEPTIONS = {
    ("tests/fuzz/fuzz_lines.h:LLVMFuzzerCustomCrossOver", "parameters"):
        "libFuzzer defines the signature",
    ("src/base/log.c:log_line", "parameters"):
        "the pure half of log_event: time, format and colour are passed in",
}

KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "_Static_assert", "__attribute__"}


def blank(text):
    """The text without comments, literals and preprocessor lines, but with every line break."""
    def keep_lines(match):
        found = match.group(0)
        if found.startswith(("/*", "//")):
            return "\n" * found.count("\n")
        if found.startswith(('"', "'")):
            return found[0] * 2
        return "\n" * found.count("\n")
    token = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    text = re.sub(token, keep_lines, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", keep_lines, text, flags=re.M)


def functions(text):
    """(name, first line, last line, parameters, deepest nesting) of each function definition."""
    depth = 0
    start = 0  # of the text since the last element at depth 0
    current = None
    for at, char in enumerate(text):
        if char == "{":
            if depth == 0:
                head = text[start:at]
                found = signature(head)
                if found:
                    name, parameters, offset = found
                    first = text.count("\n", 0, start + offset) + 1
                    current = [name, first, 0, parameters, 0]
            depth += 1
            if current:
                current[4] = max(current[4], depth - 1)
        elif char == "}":
            depth -= 1
            if depth == 0:
                start = at + 1
                if current:
                    current[2] = text.count("\n", 0, at) + 1
                    yield tuple(current)
                    current = None
        elif char == ";" and depth == 0:
            start = at + 1


def signature(head):
    """(name, number of parameters, offset) if the text before a { is that of a function."""
    head = re.sub(r"__attribute__\s*\(\(.*?\)\)", lambda m: " " * len(m.group(0)), head, flags=re.S)
    if "=" in head or not head.rstrip().endswith(")"):
        return None
    match = re.search(r"([A-Za-z_]\w*)\s*\(", head)
    if not match or match.group(1) in KEYWORDS:
        return None
    depth, commas = 0, 0
    inside = head[match.end():head.rindex(")")]
    for char in inside:
        depth += char in "(["
        depth -= char in ")]"
        commas += char == "," and depth == 0
    parameters = 0 if inside.strip() in ("", "void") else commas + 1
    return match.group(1), parameters, len(head) - len(head.lstrip())


def table_lines(body):
    """The number of lines of a body that are inside of tables of constants."""
    text = "\n".join(body)
    table = r"\bstatic const\b(?:\s*struct\s*\{[^{}]*\})?[^;{}()]*=\s*(\{.*?\n\s*\});"
    tables = re.findall(table, text, flags=re.S)
    return sum(table.count("\n") for table in tables)


def nesting(body):
    """Deepest level of statements in a body, by indentation: clang-format makes it reliable.

    Braces alone would miss `for (...)\\n for (...)\\n if (...)` and count initialisers.
    """
    deepest = 0
    paren = 0
    brace = []  # for each open brace: is it a block of statements?
    level = 0
    previous = ""
    for line in body.split("\n"):
        code = line.strip()
        if code and paren == 0 and all(brace) and not code.startswith(("}", "{")) \
                and not re.match(r"(case\b|default\s*:|\w+:$|[?:])", code) \
                and re.search(r"[;{})]$|\belse$|\bdo$|^(case\b.*|default):$", previous or ";"):
            level = (len(line) - len(line.lstrip())) // 4
            deepest = max(deepest, level)
        for at, char in enumerate(line):
            paren += char in "(["
            paren -= char in ")]"
            if char == "{":
                before = (previous + " " + line[:at]).rstrip()
                is_block = re.search(r"(\)|\belse|\bdo|[;{}:])$|^$", before)
                is_literal = re.search(r"\((const )?(struct|union)\s[^()]*\)$", before)
                brace.append(bool(is_block) and not is_literal and paren == 0)
            elif char == "}" and brace:
                brace.pop()
        if code:
            previous = code
    return deepest - 1


class Report:
    def __init__(self):
        self.failed = False

    def check(self, where, what, value, limit, key):
        warn, fail = limit
        if (key, what) in EXCEPTIONS:
            return
        if fail is not None and value > fail:
            print(f"{where}: {what} {value}, at most {fail}")
            self.failed = True
        elif warn is not None and value > warn:
            print(f"{where}: warning: {what} {value}, better at most {warn}")


def check_file(path, report):
    name = path.as_posix()
    raw = path.read_text(encoding="utf-8")
    lines = raw.split("\n")
    text = blank(raw)
    plain = text.split("\n")
    header = path.suffix == ".h"
    report.check(name, "lines of the header" if header else "lines of the file", len(lines) - 1,
                 HEADER_LINES if header else FILE_LINES, name)
    for number, line in enumerate(lines, 1):
        report.check(f"{name}:{number}", "columns", len(line), LINE_COLUMNS, name)
    for function, first, last, parameters, _ in functions(text):
        where, key = f"{name}:{first}: {function}", f"{name}:{function}"
        body = plain[first - 1:last]
        opening = next(i for i, line in enumerate(body) if "{" in line)
        length = last - first + 1 - table_lines(body)
        report.check(where, "lines", length, FUNCTION_LINES, key)
        report.check(where, "parameters", parameters, PARAMETERS, key)
        report.check(where, "levels of nesting", nesting("\n".join(body[opening:])), NESTING, key)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    report = Report()
    os.chdir(root)
    paths = sys.argv[1:] or [path for top in ("src", "tests", "bench")
                             for path in sorted(pathlib.Path(top).rglob("*.[ch]"))
                             if "node_modules" not in path.parts]
    for path in paths:
        check_file(pathlib.Path(path), report)
    return report.failed


if __name__ == "__main__":
    sys.exit(main())
