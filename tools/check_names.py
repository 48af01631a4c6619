#!/usr/bin/env python3
"""Names of our C: a name tells its file, and no name is used twice.

- A public function is defined in the file it is named after: file_verb() in file.c. Where the stem
  alone would be too general, the folder may come first: console_tasks_show() in console/tasks.c.
  A file for one system follows its header: platform_x() in platform_linux.c.
- No struct, enum or public function has the name of another one.
- A static function is named verb_object, never with a single word. The functions of an _impl
  table are named after the table's entry, so they are no exception.

`check_names.py --count` prints the totals only. Run without arguments it reads src.
"""
import collections
import os
import pathlib
import re
import sys

import check_length

# Public functions that live in another file, each with the reason. At most MOST_EXCEPTIONS.
MOST_EXCEPTIONS = 20
EXCEPTIONS = {
    "timer_start": "the heap of timers is the loop's own state",
    "timer_stop": "as timer_start",
    "timer_is_running": "as timer_start",
}


def sources(root):
    return sorted(p for p in (root / "src").rglob("*.[ch]") if "node_modules" not in p.parts)


def definitions(raw, text):
    """(name, line, is static) of each function that a .c file defines."""
    plain = text.split("\n")
    macros = re.findall(r"^#define (\w+) .*\bstatic\b", raw, flags=re.M)
    static = re.compile(r"\b(" + "|".join(["static"] + macros) + r")\b")
    for name, first, _, _, _ in check_length.functions(text):
        head = "\n".join(plain[first - 1:first + 2]).split(name + "(")[0]
        yield name, first, static.search(head) is not None


def is_own(name, path):
    stem, folder = re.sub(r"_(linux|macos|windows)$", "", path.stem), path.parent.name
    return any(name == own or name.startswith(own + "_") for own in (stem, f"{folder}_{stem}"))


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    os.chdir(root)
    problems = []
    public = collections.defaultdict(list)
    tags = collections.defaultdict(list)
    totals = collections.Counter()
    used = set()
    for path in sources(pathlib.Path(".")):
        raw = path.read_text(encoding="utf-8")
        text = check_length.blank(raw)
        for kind, name in re.findall(r"^(struct|enum) (\w+) \{", text, flags=re.M):
            tags[f"{kind} {name}"].append(path)
        if path.suffix != ".c":
            continue
        for name, line, is_static in definitions(raw, text):
            where = f"{path.as_posix()}:{line}"
            if is_static:
                totals["static functions"] += 1
                if "_" not in name:
                    totals["static functions of one word"] += 1
                    problems.append(f"{where}: {name}: a static function is named verb_object")
                continue
            if name == "main":
                continue
            totals["public functions"] += 1
            if not any(place.startswith(f"{path.as_posix()}:") for place in public[name]):  # not #if, #else
                public[name].append(where)
            if is_own(name, path):
                continue
            if name in EXCEPTIONS:
                used.add(name)
                continue
            totals["public functions outside their file"] += 1
            problems.append(f"{where}: {name}: the name tells another file")
    for name, places in public.items():
        if len(places) > 1:
            totals["names used twice"] += 1
            problems.append(f"{' and '.join(places)}: {name} is defined twice")
    for name, places in tags.items():
        if len(places) > 1:
            totals["names used twice"] += 1
            problems.append(f"{' and '.join(p.as_posix() for p in places)}: {name} is defined twice")
    for name in sorted(set(EXCEPTIONS) - used):
        problems.append(f"tools/check_names.py: the exception {name} is not needed")
    if len(EXCEPTIONS) > MOST_EXCEPTIONS:
        problems.append(f"tools/check_names.py: {len(EXCEPTIONS)} exceptions, at most {MOST_EXCEPTIONS}")
    if "--count" in sys.argv:
        for what, count in sorted(totals.items()):
            print(f"{what}: {count}")
        return 0
    print("\n".join(problems), end="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
