#!/usr/bin/env python3
"""Writes the facts of src/unity/data/*.tsv as constant C tables for src/unity/builtin.c.

    gen_unity_tables.py OUTPUT DATA_FOLDER

All texts are in one pool, without duplicates, so that the compiler sees a single long literal
instead of thousands of small ones. In folded files an empty first column repeats the row above.
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
    """(major, minor, patch, kind, build); missing parts are None."""
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


class Rows:
    """Lines of a table, without duplicates, and for each owner the indexes of its lines."""

    def __init__(self):
        self.at, self.indexes, self.spans = {}, [], {}

    def add(self, owner, line):
        start, n = self.spans.get(owner, (len(self.indexes), 0))
        self.spans[owner] = (start, n + 1)
        self.indexes.append(self.at.setdefault(line, len(self.at)))

    def count(self, owner):
        return self.spans.get(owner, (0, 0))[1]

    def write(self, out, kind, name):
        out.write(f"static const struct {kind} {name}[] = {{\n{''.join(self.at)}}};\n\n")
        out.write(f"static const uint16_t {name}_rows[] = {{\n")
        for i in range(0, len(self.indexes), 16):
            out.write(f"    {', '.join(str(n) for n in self.indexes[i:i + 16])},\n")
        out.write("};\n\n")


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


# Forms that occur in many initial values. In initial.tsv "@name(arguments)" at the end of a line
# stands for the lines below it, two columns deeper than that line.

CURVES = {"zero": "0/0/0/0 1/0/0/0", "one": "0/1/0/0 1/1/0/0", "rise": "0/0/0/1 1/1/1/0",
          "fall": "0/1/0/0 1/0/0/0"}
# The versions in which the format of a curve's keys and of a gradient changed.
NEW_CURVES, NEW_GRADIENTS = "2018.1", "2022.2"


def curve_lines(keys, version):
    lines = ["serializedVersion: 2", "m_Curve:"]
    weighted = order(version) >= order(NEW_CURVES)
    for key in keys.split(" "):
        time, value, slope_in, slope_out = key.split("/")
        lines += [f"- serializedVersion: {3 if weighted else 2}", f"  time: {time}",
                  f"  value: {value}", f"  inSlope: {slope_in}", f"  outSlope: {slope_out}",
                  "  tangentMode: 0"]
        if weighted:
            lines += ["  weightedMode: 0", "  inWeight: 0.33333334", "  outWeight: 0.33333334"]
    return lines + ["m_PreInfinity: 2", "m_PostInfinity: 2", "m_RotationOrder: 4"]


def gradient_lines(alpha, version):
    lines = ["serializedVersion: 2", "key0: {r: 1, g: 1, b: 1, a: 1}",
             f"key1: {{r: 1, g: 1, b: 1, a: {alpha}}}"]
    lines += [f"key{i}: {{r: 0, g: 0, b: 0, a: 0}}" for i in range(2, 8)]
    for name in ("ctime", "atime"):
        lines += [f"{name}{i}: {65535 if i == 1 else 0}" for i in range(8)]
    lines.append("m_Mode: 0")
    if order(version) >= order(NEW_GRADIENTS):
        lines.append("m_ColorSpace: -1")
    return lines + ["m_NumColorKeys: 2", "m_NumAlphaKeys: 2"]


def macro_lines(name, arguments, version):
    if name == "curve":
        return curve_lines(arguments, version)
    if name == "gradient":
        return gradient_lines(arguments, version)
    if name == "minmax":
        state, scalar, minimum, high, low = arguments.split(" ")
        return ["serializedVersion: 2", f"minMaxState: {state}", f"scalar: {scalar}",
                f"minScalar: {minimum}", f"maxCurve: @curve({CURVES[high]})",
                f"minCurve: @curve({CURVES[low]})"]
    if name == "colors":
        return ["serializedVersion: 2", f"minMaxState: {arguments}",
                "minColor: {r: 1, g: 1, b: 1, a: 1}", "maxColor: {r: 1, g: 1, b: 1, a: 1}",
                "maxGradient: @gradient(1)", "minGradient: @gradient(1)"]
    if name == "mask":
        return ["serializedVersion: 2", f"m_Bits: {arguments}"]
    if name == "identity":
        return [f"e{i}{j}: {1 if i == j else 0}" for i in range(4) for j in range(4)]
    sys.exit(f"initial.tsv: unknown form @{name}")


def expand(value, version, indent=2):
    """The value as that version writes it; its first line follows a key at this indent."""
    result = []
    for i, line in enumerate(value.split("\n")):
        head, at, macro = line.partition("@")
        if not at:
            result.append(line)
            continue
        deeper = indent + 2 if i == 0 else len(head) - len(head.lstrip(" -")) + 2
        result.append(head.rstrip(" "))
        name, _, arguments = macro.partition("(")
        for inner in macro_lines(name, arguments.rstrip(")"), version):
            result += expand(" " * deeper + inner, version, deeper).split("\n")
    return "\n".join(result)


def eras(first, value):
    """(first version, value) for each form of the value from that version on."""
    breaks = [first]
    for macros, new in ((("@curve", "@minmax"), NEW_CURVES), (("@gradient", "@colors"), NEW_GRADIENTS)):
        if any(m in value for m in macros) and (first == "" or order(first) < order(new)):
            breaks.append(new)
    return [(at, expand(value, at or "5.6")) for at in breaks]


def read_initial(folder, ids):
    """{(class, key): [(first, value)]} and {class: first version for which values are known}."""
    values, known = {}, {}
    for row in read(folder, "initial.tsv", True):
        for name in row["class"].split(","):
            if row["key"] == "":
                known[ids[name]] = row["first"]
                continue
            known.setdefault(ids[name], "")
            rows = values.setdefault((ids[name], row["key"]), [])
            rows.append((row["first"], row["value"].replace("\\n", "\n")))
    for key, rows in values.items():
        rows.sort(key=lambda r: order(r[0]) if r[0] else (0,))
        result = []
        for i, (first, value) in enumerate(rows):
            first = first or known[key[0]]  # older forms are never written
            end = rows[i + 1][0] if i + 1 < len(rows) else None
            result += [e for e in eras(first, value) if not end or not e[0] or order(e[0]) < order(end)]
        values[key] = result
    return values, known


def check_initial(row, known):
    """Only properties with a zero of their own may be omitted."""
    composed = ("struct", "curve", "gradient", "matrix")
    if row["initial"] is None and row["class"] in known and row["shape"].startswith(composed):
        sys.exit(f"initial.tsv: class {row['class']} needs a value for {row['key']}")


def property_line(pool, row):
    initial = "NULL" if row["initial"] is None else pool.ref(row["initial"])
    cells = [pool.ref(row[name]) for name in ("key", "shape", "type", "enum")]
    bounds = f"{lower(row['first'])}, {upper(row['last'])}"
    return f"    {{{', '.join(cells)}, {initial}, {bounds}}},\n"


def write_classes(out, folder, pool):
    rows = sorted(read(folder, "classes.tsv"), key=lambda row: int(row["id"]))
    initial, has_initial = read_initial(folder, {row["name"]: row["id"] for row in rows})
    table, places, known = Rows(), {}, set()
    for row in read(folder, "properties.tsv", True):
        known.add((row["class"], row["key"]))
        places.setdefault((row["class"], row["key"]), table.count(row["class"]))
        for part in split_by_initial(row, initial.get((row["class"], row["key"]), [])):
            check_initial(part, has_initial)
            table.add(row["class"], property_line(pool, part))
    if set(initial) - known:
        sys.exit(f"initial.tsv: unknown properties: {sorted(set(initial) - known)}")
    table.write(out, "builtin_property", "properties")
    out.write("static const struct builtin_class classes[] = {\n")
    for row in rows:
        start, n = table.spans.get(row["id"], (0, 0))
        texts = [row["name"], row["yaml_key"] or row["name"], row["type"], row["base"]]
        flags = ["true" if c in row["flags"] else "false" for c in "cbeaom"]
        flags.append("true" if row["id"] in has_initial else "false")
        out.write(f"    {{{row['id']}, {', '.join(pool.ref(t) for t in texts)}, "
                  f"{', '.join(flags)}, {lower(row['first'])}, {upper(row['last'])}, "
                  f"{lower(has_initial.get(row['id'], ''))}, "
                  f"{n}, properties_rows + {start}}},\n")
    out.write("};\n\n/* Indexes of classes by their C# name. */\n")
    named = [(row["type"].encode(), i) for i, row in enumerate(rows) if row["type"]]
    out.write("static const uint16_t classes_by_type[] = {\n")
    for _, i in sorted(named):
        out.write(f"    {i},\n")
    out.write("};\n\n")
    write_serialized(out, folder, rows, places)


def write_serialized(out, folder, classes, places):
    """serializedVersion of a class from a version on, and the property after it."""
    out.write("static const struct serialized serialized[] = {\n")
    ids = {row["name"]: row["id"] for row in classes}
    before = ""
    for row in read(folder, "serialized.tsv", True):
        before = row["before"] or before
        number = ids[row["class"]]
        out.write(f"    {{{number}, {lower(row['first'])}, {row['value']}, "
                  f"{places[number, before]}}},\n")
    out.write("};\n\n")


def write_structs(out, folder, pool):
    rows = read(folder, "structs.tsv", True)
    spans = {}
    out.write("static const struct builtin_property struct_properties[] = {\n")
    for i, row in enumerate(rows):
        start, n = spans.get(row["struct"], (i, 0))
        spans[row["struct"]] = (start, n + 1)
        empty = {"type": "", "enum": "", "first": "", "last": "", "initial": None}
        out.write(property_line(pool, {**empty, **row}))
    out.write("};\n\nstatic const struct builtin_struct structs[] = {\n")
    for name in sorted(spans, key=str.encode):
        start, n = spans[name]
        out.write(f"    {{{pool.ref(name)}, struct_properties + {start}, {n}}},\n")
    out.write("};\n\n")


def write_struct_versions(out, folder, pool):
    """serializedVersion of a struct from a version on."""
    names = {row["struct"] for row in read(folder, "structs.tsv", True)}
    out.write("static const struct struct_version struct_versions[] = {\n")
    for row in read(folder, "struct_versions.tsv", True):
        if row["struct"] not in names:
            sys.exit(f"struct_versions.tsv: no such struct: {row['struct']}")
        out.write(f"    {{{pool.ref(row['struct'])}, {lower(row['first'])}, {row['value']}}},\n")
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


def read_script_initial(folder):
    """{(type, key): [(first, value)]}, of base classes too."""
    values = {}
    for row in read(folder, "script_initial.tsv", True):
        value = expand(row["value"].replace("\\n", "\n"), row["first"] or "5.6")
        values.setdefault((row["type"], row["key"]), []).append((row["first"], value))
    return values


def write_script_fields(out, folder, pool):
    bases = {row["type"]: row["base"] for row in read(folder, "bases.tsv")}
    values, used, lines, starts = read_script_initial(folder), set(), [], {}
    table = Rows()
    for row in read(folder, "script_fields.tsv", True):
        declared = row["type"]
        while declared and (declared, row["key"]) not in values:
            declared = bases.get(declared, "")
        found = values.get((declared, row["key"]), [])
        if found:
            used.add((declared, row["key"]))
            forms = "".join(f"    {{{lower(first)}, {pool.ref(value)}}},\n" for first, value in found)
            if forms not in starts:
                starts[forms] = len(lines)
                lines += forms.splitlines(True)
        initial = f"script_initials + {starts[forms]}" if found else "NULL"
        cells = [pool.ref(row[name]) for name in ("key", "field_type", "enum")]
        table.add(row["type"], f"    {{{', '.join(cells)}, {initial}, {len(found)}}},\n")
    if set(values) - used:
        sys.exit(f"script_initial.tsv: no such fields: {sorted(set(values) - used)}")
    out.write(f"static const struct builtin_initial script_initials[] = {{\n{''.join(lines)}}};\n\n")
    return table


def write_scripts(out, folder, pool):
    table = write_script_fields(out, folder, pool)
    table.write(out, "builtin_field", "fields")
    out.write("static const struct builtin_script scripts[] = {\n")
    rows = read(folder, "scripts.tsv")
    rows.sort(key=lambda row: (row["guid"], int(row["file_id"])))
    by_type = {}
    for i, row in enumerate(rows):
        names = [row["type"]] + [name for name in row["other_names"].split(",") if name]
        for name in names:
            by_type.setdefault(name, []).append(i)
        start, n = next((table.spans[n] for n in names if n in table.spans), (0, 0))
        guid = f"{{0x{row['guid'][:16]}u, 0x{row['guid'][16:]}u}}"
        component = "true" if row["kind"] == "c" else "false"
        out.write(f"    {{{guid}, INT64_C({row['file_id']}), {pool.ref(row['type'])}, "
                  f"{pool.ref(row['package'])}, {component}, {n}, fields_rows + {start}}},\n")
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
    out.write("};\n\nstatic const struct base_class base_classes[] = {\n")
    for row in sorted_by(read(folder, "bases.tsv"), "type"):
        out.write(f"    {{{pool.ref(row['type'])}, {pool.ref(row['base'])}}},\n")
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
    """Declarations that are written before the pool is complete."""

    def __init__(self):
        self.pieces = []

    def write(self, text):
        self.pieces.append(text)


def main():
    output, folder = sys.argv[1:]
    pool, tables = Pool(), Text()
    write_classes(tables, folder, pool)
    write_structs(tables, folder, pool)
    write_struct_versions(tables, folder, pool)
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
