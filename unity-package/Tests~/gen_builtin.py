#!/usr/bin/env python3
"""Writes the facts of src/unity/data/*.tsv as C# classes for the stand-in of Unity.

    gen_builtin.py DATA_DIR VERSION OUT.cs

The output has, for one editor version, the engine's components with every serialized field in file order
and its initial value, the asset classes, public enums, and scripts of packages. Types that Standin/Engine
or Standin/Runtime declare are skipped, or completed if they are `partial`. All generated types are
`partial`, so that methods can be added.

As in Unity, the fields that all subclasses of a base have first belong to the base.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = "Standin.Native"  # namespace of the engine's structs that have no C# type
OBJECT = "UnityEngine.Object"
LINKS = ("m_ObjectHideFlags", "m_PrefabParentObject", "m_CorrespondingSourceObject", "m_PrefabInternal",
         "m_PrefabInstance", "m_PrefabAsset", "m_GameObject")
SCRIPT_HEAD = LINKS + ("m_Enabled", "m_EditorHideFlags", "m_Script", "m_Name", "m_EditorClassIdentifier")
KEYWORDS = set("""abstract as base bool break byte case catch char checked class const continue decimal default
delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int
interface internal is lock long namespace new null object operator out override params private protected public
readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof
uint ulong unchecked unsafe ushort using virtual void volatile while""".split())
SIMPLE = {"bool": "bool", "int": "int", "int(u8)": "byte", "int(s8)": "sbyte", "int(u16)": "ushort",
          "int(s16)": "short", "int(u32)": "uint", "int(s64)": "long", "int(u64)": "ulong", "float": "float",
          "float(f64)": "double", "string": "string"}
VALUES = {"vector2": "Vector2", "vector3": "Vector3", "vector4": "Vector4", "vector2int": "Vector2Int",
          "vector3int": "Vector3Int", "quaternion": "Quaternion", "color": "Color", "color32": "Color32",
          "rect": "Rect", "bounds": "Bounds", "layer mask": "LayerMask", "curve": "AnimationCurve",
          "gradient": "Gradient", "matrix4x4": "Matrix4x4"}
# Initial values that are missing in initial.tsv and differ from C#'s zero.
ZEROS = {"color": {"r": "1", "g": "1", "b": "1", "a": "1"}, "rect": {"x": "0", "y": "0", "width": "1", "height": "1"},
         "color32": "white"}
CSHARP_SIMPLE = set(SIMPLE.values()) | {"char"}
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?$")


# ---- tables

# Names before 6000.0 for which the tables have the new name.
RENAMED = ("6000.0", "PhysicsMaterial", "PhysicMaterial")


def read(folder, name, folded=False, version=None):
    """Rows as dictionaries; in a folded table an empty first cell repeats the one above. version: use the
    names of that editor."""
    rows = []
    since, new, old = RENAMED
    is_old = version is not None and not version.reaches(since)
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        columns = next(file).rstrip("\n").split("\t")
        for line in file:
            if is_old:
                line = re.sub(rf"\b{new}\b", old, line)
            cells = line.rstrip("\n").split("\t")
            row = dict(zip(columns, cells + [""] * (len(columns) - len(cells))))
            if folded and row[columns[0]] == "":
                row[columns[0]] = rows[-1][columns[0]]
            rows.append(row)
    return rows


def numbers(text, missing):
    """(major, minor, patch, kind, build); missing parts are `missing`."""
    match = re.match(r"(\d+)\.(\d+)(?:\.(\d+)(?:([abfpx])(\d+))?)?", text)
    if not match:
        sys.exit(f"gen_builtin.py: no version of Unity: {text}")
    major, minor, patch, kind, build = match.groups()
    return (int(major), int(minor), int(patch) if patch else missing, ord(kind) if kind else missing,
            int(build) if build else missing)


class Version:
    """The editor version of the output; without a patch number the last of its release."""

    def __init__(self, text):
        self.at = numbers(text, 65535)

    def reaches(self, first):
        return first == "" or self.at >= numbers(first, 0)

    def has(self, row):
        return self.reaches(row["first"]) and (row["last"] == "" or self.at <= numbers(row["last"], 65535))


# ---- values in file form: text, list or dictionary

def parse_flow(text):
    """{a: 1, b: {c: 2}} or [] or a scalar."""
    text = text.strip()
    if not text or text[0] not in "{[":
        return text
    parts, depth, start = [], 0, 1
    for i, c in enumerate(text):
        depth += c in "{["
        depth -= c in "}]"
        if (c == "," and depth == 1) or (c in "}]" and depth == 0):
            parts.append(text[start:i])
            start = i + 1
    parts = [p for p in parts if p.strip()]
    if text[0] == "[":
        return [parse_flow(p) for p in parts]
    return {p.partition(":")[0].strip(): parse_flow(p.partition(":")[2]) for p in parts}


def parse_block(lines):
    """The lines of a block with the indent of its first line."""
    if not lines:
        return ""
    indent = len(lines[0]) - len(lines[0].lstrip(" "))
    if lines[0].lstrip(" ").startswith("-"):
        items = []
        for line in lines:
            if len(line) - len(line.lstrip(" ")) == indent and line[indent] == "-":
                items.append([" " * (indent + 2) + line[indent + 2:]])
            else:
                items[-1].append(line)
        return [parse_block(item) if is_block(item) else parse_flow(item[0]) for item in items]
    result = {}
    i = 0
    while i < len(lines):
        key, _, rest = lines[i].strip().partition(":")
        j = i + 1
        while j < len(lines) and (indent_of(lines[j]) > indent or lines[j][indent:indent + 1] == "-"):
            j += 1
        result[key] = parse_flow(rest) if rest.strip() else parse_block(lines[i + 1:j])
        i = j
    return result


def indent_of(line):
    return len(line) - len(line.lstrip(" "))


def is_block(item):
    text = item[0].strip()
    return len(item) > 1 or text.startswith("- ") or (not text.startswith("{") and re.match(r"[\w ]+:( |$)", text))


CURVES = {"zero": "0/0/0/0 1/0/0/0", "one": "0/1/0/0 1/1/0/0", "rise": "0/0/0/1 1/1/1/0", "fall": "0/1/0/0 1/0/0/0"}


def expand(value):
    """Expand the abbreviations of initial.tsv that are maps of plain values; curves and gradients are created
    by code."""
    lines = []
    for i, line in enumerate(value.split("\n")):
        head, at, macro = line.partition("@")
        name, _, arguments = macro.partition("(")
        arguments = arguments.rstrip(")")
        inner = []
        if name == "minmax":
            state, scalar, minimum, high, low = arguments.split(" ")
            inner = [f"minMaxState: {state}", f"scalar: {scalar}", f"minScalar: {minimum}",
                     f"maxCurve: @curve({CURVES[high]})", f"minCurve: @curve({CURVES[low]})"]
        elif name == "colors":
            inner = [f"minMaxState: {arguments}", "minColor: {r: 1, g: 1, b: 1, a: 1}",
                     "maxColor: {r: 1, g: 1, b: 1, a: 1}", "maxGradient: @gradient(1)", "minGradient: @gradient(1)"]
        if not inner:
            lines.append(line)
            continue
        lines.append(head.rstrip(" "))
        deeper = 4 if i == 0 else len(head) - len(head.lstrip(" -")) + 2
        lines += [" " * deeper + text for text in inner]
    return lines


def parse_value(text):
    lines = expand(text.replace("\\n", "\n"))
    if len(lines) == 1:
        return parse_flow(lines[0])
    return parse_block(lines[1:]) if lines[0].strip() == "" else parse_flow(" ".join(lines))


# ---- existing C# types

def declared_types():
    """{full name: is partial} of the types that the hand-written parts of UnityEngine.dll declare."""
    found = {}
    for folder in ("Engine", "Runtime"):
        for where, _, names in os.walk(os.path.join(HERE, "Standin", folder)):
            for name in names:
                if name.endswith(".cs"):
                    with open(os.path.join(where, name), encoding="utf-8-sig") as file:
                        scan_types(file.read(), found)
    return found


TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|@"(?:""|[^"])*"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|[{};]|"""
                   r"""\bnamespace\s+([\w.]+)|((?:\bpartial\s+)?)\b(?:class|struct|enum|interface)\s+(\w+)(<)?""",
                   re.S)


def scan_types(text, found):
    """The declared names, found by braces; sufficient for code that compiles."""
    stack, pending = [], None
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if match.group(1):
            pending = (match.group(1), ".")
        elif match.group(3) and match.group(4) is None:
            pending = (match.group(3), "+")
            prefix = name_prefix(stack)
            full = prefix + match.group(3)
            found[full] = bool(match.group(2)) or found.get(full, False)
        elif token == "{":
            stack.append(pending)
            pending = None
        elif token == "}" and stack:
            stack.pop()
        elif token == ";":
            pending = None


def name_prefix(stack):
    return "".join(name + end for name, end in (entry for entry in stack if entry))


# ---- the model

class Field:
    def __init__(self, key, csharp, attributes=(), initial=None, scripting=None):
        self.key, self.csharp, self.attributes = key, csharp, list(attributes)
        self.initial = initial  # a C# expression
        self.scripting = scripting  # C# type of the public property, "" for none

    def same(self, other):
        return (self.key, self.csharp, self.attributes) == (other.key, other.csharp, other.attributes)


class Type:
    def __init__(self, full, kind, base=""):
        self.full, self.kind, self.base = full, kind, base
        self.attributes, self.fields, self.members = [], [], []
        self.settings = []  # what a new one starts with in fields of its base
        self.nested = {}
        self.is_abstract = False
        self.has_properties = False  # its fields are the engine's, and properties show them
        self.is_script = False  # of a package


def identifier(key):
    name = re.sub(r"\W", "_", key)
    if not name or name[0].isdigit():
        name = "_" + name
    return "@" + name if name in KEYWORDS else name


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def scripting_name(key):
    name = key[2:] if key.startswith("m_") else key
    return name[:1].lower() + name[1:]


def glob(full):
    return "global::" + full.replace("+", ".")


class Generator:
    def __init__(self, folder, version):
        self.folder, self.version = folder, version
        self.declared = declared_types()
        self.types = {}
        self.classes = [row for row in read(folder, "classes.tsv", version=version) if row["type"] and version.has(row)]
        self.by_native = {row["name"]: row for row in self.classes}
        self.by_type = {row["type"]: row for row in self.classes}
        self.enums, self.structs, self.struct_versions = {}, {}, {}
        self.scripts = {}

    # -- names

    def is_taken(self, full):
        """Whether the type is declared elsewhere and not partial."""
        return self.declared.get(full) is False

    def exists(self, full):
        return full in self.types or full in self.declared

    # -- shapes

    def reference(self, native, csharp):
        """The C# type and attribute of a reference field."""
        row = self.by_native.get(native)
        full = csharp if csharp in self.by_type or csharp in self.scripts else (row["type"] if row else "")
        if not full.startswith("UnityEngine."):
            full = OBJECT
        attributes = []
        if full.rsplit(".", 1)[-1] != native:
            attributes.append(f'Standin.NativeType("PPtr<{native}>")')
        return glob(full), attributes

    def shape(self, shape, csharp="", value=None):
        """(C# type, attributes, initial expression or None) of a shape, or None if it cannot be a field."""
        if shape in SIMPLE:
            return SIMPLE[shape], [], self.scalar(SIMPLE[shape], value)
        if shape in VALUES:
            return glob("UnityEngine." + VALUES[shape]), [], self.value_expression(shape, value)
        if shape.startswith("ref<"):
            name, attributes = self.reference(shape[4:-1], csharp)
            return name, attributes, self.reference_expression(name, value)
        if shape.startswith("array<"):
            inner = self.shape(shape[6:-1])
            if inner is None:
                return None
            return inner[0] + "[]", inner[1], self.array_expression(shape[6:-1], inner[0], value)
        if shape.startswith("struct "):
            return self.struct_shape(shape[7:], value)
        return None

    def struct_shape(self, name, value):
        full = name if "." in name else f"{NATIVE}.{name}"
        if name not in self.structs:
            return None
        self.make_struct(name, full)
        return glob(full), [], self.struct_expression(name, full, value)

    def make_struct(self, name, full):
        if full in self.types or self.is_taken(full):
            return
        made = Type(full, "class")
        made.attributes.append("System.Serializable")
        if "." not in name:
            made.attributes.append(f'Standin.NativeStruct("{name}")')
        if name in self.struct_versions:
            made.attributes.append(f"Standin.SerializedVersion({self.struct_versions[name]})")
        self.types[full] = made
        for row in self.structs[name]:
            parts = self.struct_field(name, row, None)
            if parts is not None:
                made.fields.append(Field(row["key"], parts[0], parts[1], parts[2]))

    def struct_field(self, struct, row, value):
        """Enum fields of scripts' structs, which have a namespace, get the enum type."""
        parts = self.shape(row["shape"], "", value)
        if parts is None or "." not in struct or row["enum"] not in self.enums:
            return parts
        enum = glob(row["enum"])
        return enum, [], f"({enum}){parts[2]}" if parts[2] else None

    # -- initial values

    def reference_expression(self, csharp, value):
        """The initial reference of a new component to a built-in resource."""
        if not isinstance(value, dict) or value.get("guid") is None:
            return None
        return f'({csharp})Standin.BuiltinReference.Find("{value["guid"]}", {value["fileID"]}, typeof({csharp}))'

    def scalar(self, csharp, value):
        if not isinstance(value, str) or value == "":
            return None
        if csharp == "string":
            return quote(value.strip("'\""))
        if csharp == "bool":
            return None if value == "0" else "true"
        if value in ("Infinity", "-Infinity"):
            return f"{csharp}.{'NegativeInfinity' if value[0] == '-' else 'PositiveInfinity'}"
        if not NUMBER.match(value) or float(value) == 0:
            return None
        return value + {"float": "f", "double": "d"}.get(csharp, "")

    def value_expression(self, shape, value):
        full = glob("UnityEngine." + VALUES[shape])
        if shape in ("curve", "gradient"):
            return self.made_by_code(shape, value)
        if shape == "matrix4x4":
            return f"{full}.identity" if value == "@identity" else None
        if shape == "layer mask":
            bits = int(value.partition("(")[2].rstrip(")")) if isinstance(value, str) and "@mask" in value else 0
            return f"new {full} {{ value = unchecked((int){bits}u) }}" if bits else None
        if shape == "color32":
            return f"new {full}(255, 255, 255, 255)" if value == "white" else None
        if isinstance(value, dict) and shape == "rect":
            return f"new {full}({', '.join(value[k] + 'f' for k in ('x', 'y', 'width', 'height'))})"
        if isinstance(value, dict) and shape in ("vector2int", "vector3int"):
            return f"new {full}({', '.join(value[k] for k in 'xyz' if k in value)})"
        if isinstance(value, dict) and shape in ("vector2", "vector3", "vector4", "quaternion", "color"):
            names = "rgba" if shape == "color" else "xyzw"
            return f"new {full}({', '.join(value[k] + 'f' for k in names if k in value)})"
        return f"{full}.identity" if shape == "quaternion" and value is None else None

    def made_by_code(self, shape, value):
        if shape == "curve":
            keys = value[len("@curve("):-1].split(" ") if isinstance(value, str) and value.startswith("@curve") else []
            made = ", ".join("new global::UnityEngine.Keyframe({0}f, {1}f, {2}f, {3}f)".format(*k.split("/"))
                             for k in keys)
            return f"new global::UnityEngine.AnimationCurve({made})"
        return "new global::UnityEngine.Gradient()"

    def array_expression(self, shape, csharp, value):
        items = value if isinstance(value, list) else []
        if isinstance(value, str) and csharp == "byte" and re.match("([0-9a-f]{2})+$", value):
            items = [str(byte) for byte in bytes.fromhex(value)]
        made = [(self.shape(shape, "", item) or ("", [], None))[2] or f"default({csharp})" for item in items]
        empty = csharp.replace("[]", "[0][]", 1) if csharp.endswith("[]") else csharp + "[0]"
        return f"new {csharp}[] {{ {', '.join(made)} }}" if made else f"new {empty}"

    def struct_expression(self, name, full, value):
        made = []
        for row in self.structs[name]:
            if isinstance(value, dict) and row["key"] in value:
                parts = self.struct_field(name, row, value[row["key"]])
                if parts and parts[2]:
                    made.append(f"{identifier(row['key'])} = {parts[2]}")
        return f"new {glob(full)}" + (f" {{ {', '.join(made)} }}" if made else "()")

    # -- the engine's classes

    def read_tables(self):
        for row in read(self.folder, "structs.tsv", True):
            self.structs.setdefault(row["struct"], []).append(row)
        for row in read(self.folder, "struct_versions.tsv", True):
            if self.version.reaches(row["first"]):
                self.struct_versions[row["struct"]] = row["value"]
        for row in read(self.folder, "enums.tsv", True):
            self.enums.setdefault(row["enum"], []).append(row)
        for row in read(self.folder, "scripts.tsv"):
            names = [row["type"]] + [n.strip() for n in row["other_names"].split("|") if n.strip()]
            for name in names:
                if "`" not in name and not name.startswith("UnityEditor") and name not in self.by_type:
                    self.scripts.setdefault(name, []).append(row)

    def initial_values(self):
        """{(native class, key): value} in this version."""
        values = {}
        for row in read(self.folder, "initial.tsv", True):
            if row["key"] == "" or not self.version.reaches(row["first"]):
                continue
            for name in row["class"].split(","):
                values[name, row["key"]] = parse_value(row["value"])
        return values

    def narrow_structs(self, values):
        """The keys of structs in this version, from initial values; structs.tsv has only one version."""
        shapes = {}
        for row in read(self.folder, "properties.tsv", True, self.version):
            if row["shape"].startswith("struct ") and self.version.has(row):
                shapes[row["class"], row["key"]] = row["shape"][7:]
        ids = {row["name"]: row["id"] for row in self.classes}
        for (name, key), value in values.items():
            struct = shapes.get((ids.get(name), key))
            if struct in self.structs and isinstance(value, dict):
                self.structs[struct] = [row for row in self.structs[struct] if row["key"] in value]

    def class_fields(self, values):
        """{class id: its fields without the links of Component and GameObject}."""
        fields = {}
        names = {row["id"]: row["name"] for row in self.classes}
        for row in read(self.folder, "properties.tsv", True, self.version):
            if row["class"] not in names or not self.version.has(row) or row["key"] in LINKS:
                continue
            value = values.get((names[row["class"]], row["key"]), ZEROS.get(row["shape"]))
            parts = self.shape(row["shape"], row["type"], value)
            if parts is None:
                continue
            if row["shape"] == "int(u8)" and row["type"] == "bool":
                initial = "true" if parts[2] else None
                parts = ("bool", ['Standin.NativeType("UInt8")'], initial)
            scripting = self.scripting_type(row, parts[0])
            fields.setdefault(row["class"], []).append(Field(row["key"], parts[0], parts[1], parts[2], scripting))
        return fields

    def scripting_type(self, row, csharp):
        """The C# type of the public property, or "" if the tables have none."""
        if row["enum"] in self.enums:
            return glob(row["enum"])
        if row["type"] == "bool" and csharp in ("bool", "byte"):
            return "bool"
        return csharp if row["type"] and not row["shape"].startswith("struct") else ""

    def add_classes(self):
        values = self.initial_values()
        self.narrow_structs(values)
        fields = self.class_fields(values)
        serialized = self.serialized_versions()
        for row in self.classes:
            if not row["type"].startswith("UnityEngine.") or self.is_taken(row["type"]):
                continue
            base = self.class_base(row)
            if base is None:
                continue
            made = Type(row["type"], "class", base)
            made.has_properties = True
            made.is_abstract = "a" in row["flags"] and "c" in row["flags"]
            named = "".join(f", {word} = true" for flag, word in (("m", "Multiple"), ("a", "Abstract"))
                            if flag in row["flags"])
            made.attributes.append(f'Standin.NativeClass({row["id"]}, "{row["name"]}"{named})')
            if row["name"] in serialized:
                made.attributes.append('Standin.SerializedVersion({}, "{}")'.format(*serialized[row["name"]]))
            made.fields = self.own_fields(fields.get(row["id"], []), self.is_behaviour(row))
            self.types[row["type"]] = made
        self.spread([t for t in self.types.values() if t.base])

    def is_behaviour(self, row):
        """Decided by the C# base: a WindZone is a Behaviour in the engine, but not for scripts."""
        while row is not None and row["base"] != "UnityEngine.Behaviour":
            row = self.by_type.get(row["base"])
        return row is not None

    def own_fields(self, fields, is_behaviour):
        """Remove m_Enabled, which Behaviour declares."""
        return [f for f in fields if not (is_behaviour and f.key == "m_Enabled")]

    def class_base(self, row):
        base = row["base"]
        if base and not base.startswith("UnityEngine."):
            base = OBJECT
        if base and base not in self.by_type and base not in self.declared:
            base = OBJECT
        return base or None

    def serialized_versions(self):
        found, before = {}, ""
        for row in read(self.folder, "serialized.tsv", True):
            before = row["before"] or before
            if self.version.reaches(row["first"]):
                found[row["class"]] = (int(row["value"]), before)
        return {name: value for name, value in found.items() if value[0]}

    def spread(self, types):
        """Move the fields that all subclasses have first to the base."""
        below = {}
        for made in types:
            below.setdefault(made.base, []).append(made)
        done = set()

        def settle(made):
            if made.full in done:
                return
            done.add(made.full)
            children = below.get(made.full, [])
            for child in children:
                settle(child)
            if not children:
                return
            lists = [child.fields for child in children]
            if made.fields:
                common = made.fields
                for other in lists:
                    common = common_prefix(common, other)
                if len(common) < len(made.fields):
                    return  # its children do not begin as it does: each keeps its own
            elif len(children) == 1 and not made.is_abstract:
                return
            else:
                common = lists[0]
                for other in lists[1:]:
                    common = common_prefix(common, other)
            self.move_up(made, children, len(common))

        for made in types:
            settle(made)

    def move_up(self, made, children, count):
        """Move the common first fields of all children to the base. If their initial values differ, each child
        sets its own in its constructor."""
        own = {field.key: field.initial for field in made.fields}
        result = []
        for i in range(count):
            field = children[0].fields[i]
            values = {child.fields[i].initial for child in children} | ({own[field.key]} if field.key in own else set())
            shared = values.pop() if len(values) == 1 else own.get(field.key)
            for child in children:
                if child.fields[i].initial != shared:
                    value = child.fields[i].initial or f"default({field.csharp})"
                    child.settings.append((field.key, value))
            result.append(Field(field.key, field.csharp, field.attributes, shared, field.scripting))
        made.fields = result
        for child in children:
            child.fields = child.fields[count:]

    # -- scripts of packages

    def add_scripts(self):
        bases = {row["type"]: row["base"] for row in read(self.folder, "bases.tsv")}
        initial = self.script_initial()
        fields = {}
        for row in read(self.folder, "script_fields.tsv", True):
            fields.setdefault(row["type"], []).append(row)
        wanted = {}
        for name, rows in self.scripts.items():
            wanted[name] = "UnityEngine.MonoBehaviour" if rows[0]["kind"] == "c" else "UnityEngine.ScriptableObject"
        for name in list(wanted):
            self.want_bases(name, bases, wanted)
        made_types = []
        for name, root in wanted.items():
            if self.is_taken(name):
                continue
            base = bases.get(name, root)
            made = Type(name, "class", base if "`" not in base and base in wanted or base.startswith("UnityEngine.")
                        and base in self.declared else root)
            made.is_abstract = name not in self.scripts
            made.is_script = True
            self.types[name] = made
            made_types.append(made)
        for made in made_types:
            made.fields = self.script_fields(made.full, fields.get(made.full, []), bases, initial)
        self.spread(made_types)

    def want_bases(self, name, bases, wanted):
        root = wanted[name]
        while name in bases:
            name = bases[name]
            if "`" in name or name in wanted or name in ("UnityEngine.MonoBehaviour", "UnityEngine.ScriptableObject"):
                return
            wanted[name] = root

    def script_initial(self):
        values = {}
        for row in read(self.folder, "script_initial.tsv", True):
            reached = self.version.reaches(row["first"])
            known = values.get((row["type"], row["key"]))
            if reached:
                values[row["type"], row["key"]] = (True, parse_value(row["value"]))
            elif known is None:
                values[row["type"], row["key"]] = (False, None)
        return values

    def script_fields(self, name, rows, bases, initial):
        made = []
        for row in rows:
            if row["key"] in SCRIPT_HEAD:
                continue
            declared = name
            while declared and (declared, row["key"]) not in initial:
                declared = bases.get(declared, "")
            present, value = initial.get((declared, row["key"]), (True, None))
            parts = self.written(row, value) if present else None
            if parts is not None:
                made.append(Field(row["key"], parts[0], [], parts[1], parts[0]))
        return made

    def written(self, row, value):
        """(C# type, initial expression) of a type as declared in a script, or None if unknown."""
        text = row["field_type"]
        if row["enum"] in self.enums and not text.endswith(("]", ">")):
            number = value if isinstance(value, str) and NUMBER.match(value) else "0"
            return glob(row["enum"]), f"({glob(row['enum'])}){number}" if number != "0" else None
        match = re.match(r"(?:System\.Collections\.Generic\.)?List<(.+)>$", text)
        if match or text.endswith("[]"):
            inner = match.group(1) if match else text[:-2]
            parts = self.written({"field_type": inner, "enum": row["enum"]}, None)
            if parts is None or parts[0].endswith(("]", ">")):
                return None
            list_type = f"global::System.Collections.Generic.List<{parts[0]}>" if match else parts[0] + "[]"
            return list_type, f"new {list_type}()" if match else f"new {parts[0]}[0]"
        return self.written_one(text, value)

    def written_one(self, text, value):
        if text in CSHARP_SIMPLE:
            return text, self.scalar(text, value) if text != "char" else f"(char){value or 0}"
        shape = next((s for s, name in VALUES.items() if text in (name, "UnityEngine." + name)), None)
        if shape:
            return glob("UnityEngine." + VALUES[shape]), self.value_expression(shape, value)
        full = text if "." in text else "UnityEngine." + text
        if full in self.structs:
            parts = self.struct_shape(full, value)
            return parts[0], parts[2]
        if full in self.enums:
            return glob(full), None
        if full in self.by_type and full.startswith("UnityEngine.") or full in self.scripts or full == OBJECT:
            return glob(full), self.reference_expression(glob(full), value)
        if full.endswith("Event") and "+" in full:
            return self.event_type(full)
        if full in self.types and (self.types[full].is_script or full.startswith("UnityEngine.")):
            return glob(full), None
        if full in self.declared and full.startswith("UnityEngine."):
            return glob(full), None
        return None

    def event_type(self, full):
        """A nested UnityEvent class; the file contains only its calls."""
        if not self.exists(full):
            made = Type(full, "class", "UnityEngine.Events.UnityEvent")
            made.attributes.append("System.Serializable")
            self.types[full] = made
        return glob(full), f"new {glob(full)}()"

    # -- attributes and enums

    def add_attributes(self):
        for row in read(self.folder, "requires.tsv"):
            made = self.types.get(row["type"])
            for name in row["requires"].split():
                if made is not None and made.kind == "class" and self.exists(name):
                    made.attributes.append(f"global::UnityEngine.RequireComponent(typeof({glob(name)}))")
        for row in read(self.folder, "single.tsv"):
            made = self.types.get(row["type"])
            if made is not None and made.kind == "class":
                made.attributes.append("global::UnityEngine.DisallowMultipleComponent")

    def add_enums(self):
        for name, rows in self.enums.items():
            if "`" in name or name.startswith("UnityEditor") or self.is_taken(name):
                continue
            made = Type(name, "enum")
            if any(row["flags"] == "f" for row in rows):
                made.attributes.append("System.Flags")
            numbers_ = [int(row["value"]) for row in rows]
            made.base = enum_base(numbers_)
            made.members = [(identifier(row["member"]), row["value"]) for row in rows]
            self.types[name] = made

    # -- text

    def write(self, out):
        out.write("// Made by gen_builtin.py; not for editing.\n#pragma warning disable\n")
        roots = {}
        for full in sorted(self.types):
            self.place(self.types[full], roots)
        spaces = {}
        for full, made in roots.items():
            spaces.setdefault(full.rpartition(".")[0], []).append(made)
        for space in sorted(spaces):
            out.write(f"namespace {space}\n{{\n" if space else "")
            for made in spaces[space]:
                write_type(out, made, "    ")
            out.write("}\n" if space else "")
        self.write_table(out, "PackageScripts", "Scripts of packages: GUID, file id, class, package.",
                         ([row["guid"], row["file_id"], name, row["package"]]
                          for name in sorted(self.scripts) for row in self.scripts[name]
                          if name == row["type"] or name not in (r["type"] for r in self.scripts[name])))
        self.write_table(out, "BuiltinResources", "Unity's built-in resources: GUID, file id, label.",
                         (list(row.values()) for row in read(self.folder, "resources.tsv")))

    def place(self, made, roots):
        outer, plus, _ = made.full.rpartition("+")
        if not plus:
            roots[made.full] = made
            return
        if outer not in self.types:
            if self.is_taken(outer):
                return
            holder = Type(outer, "class")
            self.types[outer] = holder
            self.place(holder, roots)
        self.types[outer].nested[made.full] = made

    def write_table(self, out, name, summary, rows):
        out.write(f"namespace Standin\n{{\n    /// <summary>{summary}</summary>\n    internal static class {name}\n"
                  "    {\n        public static readonly string[] Rows =\n        {\n")
        for row in rows:
            out.write(f'            {", ".join(quote(cell) for cell in row)},\n')
        out.write("        };\n    }\n}\n")


def common_prefix(a, b):
    n = 0
    while n < len(a) and n < len(b) and a[n].same(b[n]):
        n += 1
    return a[:n]


def enum_base(values):
    low, high = min(values), max(values)
    if low < -(2**31) or high > 2**32 - 1:
        return "ulong" if high > 2**63 - 1 else "long"
    return "uint" if high > 2**31 - 1 and low >= 0 else "long" if high > 2**31 - 1 else ""


INHERITED = {"name", "hideFlags", "gameObject", "transform", "tag", "script"}


def write_type(out, made, pad):
    for attribute in made.attributes:
        out.write(f"{pad}[{attribute}]\n")
    name = re.split(r"[.+]", made.full)[-1]
    if made.kind == "enum":
        out.write(f"{pad}public enum {name}{' : ' + made.base if made.base else ''}\n{pad}{{\n")
        for member, value in made.members:
            out.write(f"{pad}    {member} = {value},\n")
        out.write(f"{pad}}}\n")
        return
    base = f" : {glob(made.base)}" if made.base else ""
    abstract = "abstract " if made.is_abstract else ""
    out.write(f"{pad}public {abstract}partial class {name}{base}\n{pad}{{\n")
    taken = {name} | {re.split(r"[.+]", n)[-1] for n in made.nested} | {identifier(f.key) for f in made.fields}
    for field in made.fields:
        write_field(out, made, field, taken, pad + "    ")
    if made.settings:
        access = "protected" if made.is_abstract else "public"
        values = " ".join(f"{identifier(key)} = {value};" for key, value in made.settings)
        out.write(f"{pad}    {access} {name}() {{ {values} }}\n")
    for inner in sorted(made.nested):
        write_type(out, made.nested[inner], pad + "    ")
    out.write(f"{pad}}}\n")


def write_field(out, made, field, taken, pad):
    name = identifier(field.key)
    attributes = list(field.attributes)
    if name.lstrip("@") != field.key:
        attributes.insert(0, f"Standin.SerializedName({quote(field.key)})")
    is_hidden = made.has_properties or (made.is_script and field.key.startswith("m_"))
    access = "internal" if is_hidden else "public"
    if is_hidden and made.is_script:
        attributes.insert(0, "global::UnityEngine.SerializeField")
    text = f"[{', '.join(attributes)}] " if attributes else ""
    own = re.split(r"[.+]", made.full)[-1]
    if name == own:
        name += "_"
        text = f"[{', '.join([f'Standin.SerializedName({quote(field.key)})'] + attributes)}] "
    initial = f" = {field.initial}" if field.initial else ""
    out.write(f"{pad}{text}{access} {field.csharp} {name}{initial};\n")
    if is_hidden and field.scripting:
        write_property(out, field, name, taken, pad)


def write_property(out, field, name, taken, pad):
    shown = identifier(scripting_name(field.key))
    if shown in taken or shown in INHERITED or shown.startswith("_") or " " in field.key:
        return
    taken.add(shown)
    if field.scripting == field.csharp:
        get, put = name, "value"
    elif field.csharp == "bool":
        get, put = f"({field.scripting})({name} ? 1 : 0)", "(int)value != 0"
    else:
        get, put = f"({field.scripting}){name}", f"({field.csharp})value"
    out.write(f"{pad}public {field.scripting} {shown} {{ get {{ return {get}; }} set {{ {name} = {put}; }} }}\n")


def main():
    if len(sys.argv) != 4:
        sys.exit("gen_builtin.py DATA_DIR VERSION OUT.cs")
    made = Generator(sys.argv[1], Version(sys.argv[2]))
    made.read_tables()
    made.add_enums()
    made.add_classes()
    made.add_scripts()
    made.add_attributes()
    temporary = sys.argv[3] + ".new"
    with open(temporary, "w", encoding="utf-8") as out:
        made.write(out)
    os.replace(temporary, sys.argv[3])


if __name__ == "__main__":
    main()
