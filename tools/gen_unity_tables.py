#!/usr/bin/env python3
"""Writes the facts of src/unity/data/*.tsv as constant C tables for src/unity/builtin.c.

    gen_unity_tables.py OUTPUT DATA_FOLDER

All texts lie in one pool, each once, so that the compiler sees a single long literal instead of
thousands of small ones. In folded files an empty first column is that of the row above.
"""
import os
import sys

ANY = 65535
CHARS_PER_LINE = 90


class Pool:
    """Texts, each at one offset; "" is at 0."""

    def __init__(self):
        self.at = {"": 0}
        self.texts = [""]
        self.size = 1

    def ref(self, text):
        if text not in self.at:
            self.at[text] = self.size
            self.texts.append(text)
            self.size += len(text.encode()) + 1
        return f"T({self.at[text]})"

    def write(self, out):
        out.write("static const char text_pool[] =\n")
        line = ""
        for text in self.texts:
            piece = "".join(escape(b) for b in text.encode()) + "\\000"
            if len(line) + len(piece) > CHARS_PER_LINE and line:
                out.write(f'"{line}"\n')
                line = ""
            line += piece
        out.write(f'"{line}";\n')


def escape(byte):
    c = chr(byte)
    if c in '"\\?':
        return "\\" + c
    return c if 32 <= byte < 127 else f"\\{byte:03o}"


def read(folder, name, folded=False):
    """Rows as dictionaries; missing columns at the end of a line are empty."""
    rows = []
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        columns = next(file).rstrip("\n").split("\t")
        for number, line in enumerate(file, 2):
            cells = line.rstrip("\n").split("\t")
            if len(cells) > len(columns):
                sys.exit(f"{name}:{number}: {len(cells)} cells for {len(columns)} columns")
            row = dict(zip(columns, cells + [""] * (len(columns) - len(cells))))
            if folded and row[columns[0]] == "":
                row[columns[0]] = rows[-1][columns[0]]
            rows.append(row)
    return rows


def numbers(text):
    """(major, minor, patch, kind, build); what is not said is None."""
    parts = text.split(".")
    patch, kind, build = None, None, None
    if len(parts) > 2:
        for letter in "abfp":
            if letter in parts[2]:
                head, tail = parts[2].split(letter)
                patch, kind, build = int(head), letter, int(tail)
                break
        else:
            patch = int(parts[2])
    return int(parts[0]), int(parts[1]), patch, kind, build


def lower(text):
    if text == "":
        return "{0}"
    major, minor, patch, kind, build = numbers(text)
    return f"{{{major}, {minor}, {patch or 0}, {ord(kind) if kind else 0}, {build or 0}}}"


def upper(text):
    if text == "":
        return "{0}"
    major, minor, patch, kind, build = numbers(text)
    if patch is None:
        patch = ANY
    if kind is None:
        return f"{{{major}, {minor}, {patch}, 'z', {ANY}}}"
    return f"{{{major}, {minor}, {patch}, '{kind}', {build}}}"


def order(text):
    major, minor, patch, kind, build = numbers(text)
    return major, minor, patch or 0, ord(kind) if kind else 0, build or 0


def last_before(text):
    """The newest version that is older than a first one, as an upper bound."""
    major, minor, patch, kind, build = numbers(text)
    if kind:
        return f"{major}.{minor}.{patch}{kind}{build - 1}"
    if patch:
        return f"{major}.{minor}.{patch - 1}"
    return f"{major}.{minor - 1}" if minor else f"{major - 1}.9"


def sorted_by(rows, key):
    return sorted(rows, key=lambda row: row[key].encode())


def split_by_initial(row, starts):
    """A property as rows of disjoint ranges of versions, one for each initial value."""
    if not starts:
        return [dict(row, initial=None)]
    result = []
    for i, (first, value) in enumerate(starts):
        part = dict(row, initial=value)
        if i + 1 < len(starts):
            end = last_before(starts[i + 1][0])
            if row["last"] == "" or order(end) < order(row["last"]):
                part["last"] = end
        if first and (row["first"] == "" or order(first) > order(row["first"])):
            part["first"] = first
        if part["first"] and part["last"] and order(part["first"])[:2] > order(part["last"])[:2]:
            continue
        result.append(part)
    return result


def property_line(pool, row):
    initial = "NULL" if row["initial"] is None else pool.ref(row["initial"])
    cells = [pool.ref(row[name]) for name in ("key", "shape", "type", "enum", "api")]
    bounds = f"{lower(row['first'])}, {upper(row['last'])}"
    return f"    {{{', '.join(cells)}, {initial}, {bounds}}},\n"


def write_classes(out, folder, pool):
    initial = {}
    has_initial = set()
    for row in read(folder, "initial.tsv", True):
        has_initial.add(row["class"])
        value = row["value"].replace("\\n", "\n")
        if row["key"]:
            initial.setdefault((row["class"], row["key"]), []).append((row["first"], value))
    for starts in initial.values():
        starts.sort(key=lambda s: order(s[0]) if s[0] else (0,))
    spans, version_at, count, known = {}, {}, 0, set()
    out.write("static const struct builtin_property properties[] = {\n")
    for row in read(folder, "properties.tsv", True):
        if row["key"] == "serializedVersion":
            version_at[row["class"]] = count - spans.get(row["class"], (count, 0))[0]
            continue
        known.add((row["class"], row["key"]))
        parts = split_by_initial(row, initial.get((row["class"], row["key"]), []))
        for part in parts:
            out.write(property_line(pool, part))
        start, n = spans.get(row["class"], (count, 0))
        spans[row["class"]] = (start, n + len(parts))
        count += len(parts)
    out.write("};\n\nstatic const struct builtin_class classes[] = {\n")
    if set(initial) - known:
        sys.exit(f"initial.tsv: no such properties: {sorted(set(initial) - known)}")
    rows = sorted(read(folder, "classes.tsv"), key=lambda row: int(row["id"]))
    for row in rows:
        start, n = spans.get(row["id"], (0, 0))
        texts = [row["name"], row["yaml_key"] or row["name"], row["type"], row["base"]]
        flags = ["true" if c in row["flags"] else "false" for c in "cbeaom"]
        flags.append("true" if row["id"] in has_initial else "false")
        out.write(f"    {{{row['id']}, {', '.join(pool.ref(t) for t in texts)}, "
                  f"{', '.join(flags)}, {lower(row['first'])}, {upper(row['last'])}, "
                  f"properties + {start}, {n}, {version_at.get(row['id'], 0)}}},\n")
    out.write("};\n\n/* Indexes of classes by their C# name. */\n")
    named = [(row["type"].encode(), i) for i, row in enumerate(rows) if row["type"]]
    out.write("static const uint16_t classes_by_type[] = {\n")
    for _, i in sorted(named):
        out.write(f"    {i},\n")
    out.write("};\n\n")


def write_serialized(out, folder):
    out.write("static const struct serialized serialized[] = {\n")
    rows = read(folder, "serialized.tsv", True)
    rows.sort(key=lambda row: (int(row["class"]), order(row["first"]) if row["first"] else (0,)))
    for row in rows:
        out.write(f"    {{{row['class']}, {lower(row['first'])}, {row['value']}}},\n")
    out.write("};\n\n")


def write_structs(out, folder, pool):
    rows = read(folder, "structs.tsv", True)
    spans = {}
    out.write("static const struct builtin_property struct_properties[] = {\n")
    for i, row in enumerate(rows):
        start, n = spans.get(row["struct"], (i, 0))
        spans[row["struct"]] = (start, n + 1)
        empty = {"type": "", "enum": "", "api": "", "first": "", "last": "", "initial": None}
        out.write(property_line(pool, {**empty, **row}))
    out.write("};\n\nstatic const struct builtin_struct structs[] = {\n")
    for name in sorted(spans, key=str.encode):
        start, n = spans[name]
        out.write(f"    {{{pool.ref(name)}, struct_properties + {start}, {n}}},\n")
    out.write("};\n\n")


def write_enums(out, folder, pool):
    spans, flags = {}, {}
    out.write("static const struct builtin_member members[] = {\n")
    for i, row in enumerate(read(folder, "enums.tsv", True)):
        start, n = spans.get(row["enum"], (i, 0))
        spans[row["enum"]] = (start, n + 1)
        flags[row["enum"]] = flags.get(row["enum"]) or row["flags"] == "f"
        value = int(row["value"])
        literal = "INT64_MIN" if value == -(2**63) else f"INT64_C({value})"
        out.write(f"    {{{pool.ref(row['member'])}, {literal}}},\n")
    out.write("};\n\nstatic const struct builtin_enum enums[] = {\n")
    for name in sorted(spans, key=str.encode):
        start, n = spans[name]
        flag = "true" if flags[name] else "false"
        out.write(f"    {{{pool.ref(name)}, {flag}, members + {start}, {n}}},\n")
    out.write("};\n\n")


def write_scripts(out, folder, pool):
    spans = {}
    out.write("static const struct builtin_field fields[] = {\n")
    for i, row in enumerate(read(folder, "script_fields.tsv", True)):
        start, n = spans.get(row["type"], (i, 0))
        spans[row["type"]] = (start, n + 1)
        cells = [pool.ref(row[name]) for name in ("key", "field_type", "enum", "api")]
        out.write(f"    {{{', '.join(cells)}}},\n")
    out.write("};\n\nstatic const struct builtin_script scripts[] = {\n")
    rows = read(folder, "scripts.tsv")
    rows.sort(key=lambda row: (row["guid"], int(row["file_id"])))
    by_type = {}
    for i, row in enumerate(rows):
        names = [row["type"]] + [name for name in row["other_names"].split(",") if name]
        for name in names:
            by_type.setdefault(name, []).append(i)
        start, n = next((spans[name] for name in names if name in spans), (0, 0))
        guid = f"{{0x{row['guid'][:16]}u, 0x{row['guid'][16:]}u}}"
        component = "true" if row["kind"] == "c" else "false"
        out.write(f"    {{{guid}, INT64_C({row['file_id']}), {pool.ref(row['type'])}, "
                  f"{component}, fields + {start}, {n}}},\n")
    out.write("};\n\nstatic const struct builtin_script *const scripts_by_type[] = {\n")
    starts, at = {}, 0
    for name in sorted(by_type, key=str.encode):
        starts[name] = at
        at += len(by_type[name])
        for i in by_type[name]:
            out.write(f"    scripts + {i},\n")
    out.write("};\n\nstatic const struct script_name script_names[] = {\n")
    for name in sorted(by_type, key=str.encode):
        out.write(f"    {{{pool.ref(name)}, {starts[name]}, {len(by_type[name])}}},\n")
    out.write("};\n\n")


def write_attributes(out, folder, pool):
    rows = sorted_by(read(folder, "requires.tsv"), "type")
    out.write("static const char *const required[] = {\n")
    at, starts = 0, []
    for row in rows:
        names = row["requires"].split(" ")
        starts.append(at)
        at += len(names) + 1
        out.write(f"    {', '.join(pool.ref(name) for name in names)}, NULL,\n")
    out.write("};\n\nstatic const struct requirement requirements[] = {\n")
    for row, start in zip(rows, starts):
        out.write(f"    {{{pool.ref(row['type'])}, required + {start}}},\n")
    out.write("};\n\nstatic const char *const singles[] = {\n")
    for row in sorted_by(read(folder, "single.tsv"), "type"):
        out.write(f"    {pool.ref(row['type'])},\n")
    out.write("};\n\n")


def write_resources(out, folder, pool):
    out.write("static const struct resource resources[] = {\n")
    for row in read(folder, "resources.tsv"):
        guid = f"{{0x{row['guid'][:16]}u, 0x{row['guid'][16:]}u}}"
        out.write(f"    {{{guid}, INT64_C({row['file_id']}), {pool.ref(row['label'])}}},\n")
    out.write("};\n")


class Text:
    """What is written before the pool is complete."""

    def __init__(self):
        self.pieces = []

    def write(self, text):
        self.pieces.append(text)


def main():
    output, folder = sys.argv[1:]
    pool, tables = Pool(), Text()
    write_classes(tables, folder, pool)
    write_serialized(tables, folder)
    write_structs(tables, folder, pool)
    write_enums(tables, folder, pool)
    write_scripts(tables, folder, pool)
    write_attributes(tables, folder, pool)
    write_resources(tables, folder, pool)
    with open(output, "w", encoding="ascii") as out:
        out.write("/* Made by tools/gen_unity_tables.py. */\n")
        out.write("#pragma GCC diagnostic push\n")
        out.write('#pragma GCC diagnostic ignored "-Woverlength-strings"\n')
        pool.write(out)
        out.write("#pragma GCC diagnostic pop\n#define T(at) (text_pool + (at))\n\n")
        out.write("".join(tables.pieces))
        out.write("#undef T\n")


main()
