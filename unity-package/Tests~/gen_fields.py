#!/usr/bin/env python3
"""Makes Editor/Fields/BuiltinFields.cs and BuiltinResources.cs from the tables of src/unity/data.

    gen_fields.py                 writes both files
    gen_fields.py --check         exits with 1 if they differ from the tables

Unity's SerializedProperty shows the form of a native field (an int of 32 bits, a reference to a
Material), but not its meaning in C#: the enum of a number, that a byte is a flag, a more exact class of
a reference. The generated table has only this additional information.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "src", "unity", "data")
OUT = os.path.join(HERE, "..", "Editor", "Fields")
WIDTH = 116

# Fields that are neither shown nor set, or shown elsewhere. Keep equal to FieldSet's lists.
HIDDEN = {"m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset",
          "m_PrefabParentObject", "m_PrefabInternal", "m_EditorHideFlags", "m_Script",
          "m_EditorClassIdentifier", "m_GeneratorAsset", "m_GameObject", "m_Father", "m_Children",
          "m_RootOrder", "m_Component"}
# Always a byte that means a bool. Keep equal to NativeTypes.
ENABLED = "m_Enabled"
# Types in arrays of arrays.
VALUES = {"vector2": ".Vector2"}


def table(name):
    """The rows of a table; an empty first cell repeats the one above."""
    rows, head, above = [], None, ""
    with open(os.path.join(DATA, name), encoding="utf-8") as f:
        for line in f:
            cells = line.rstrip("\n").split("\t")
            if head is None:
                head = cells
                continue
            cells += [""] * (len(head) - len(cells))
            above = cells[0] = cells[0] or above
            rows.append(dict(zip(head, cells)))
    return rows


def short(name):
    """Shorten "UnityEngine.X" to ".X"."""
    return name[len("UnityEngine"):] if name.startswith("UnityEngine.") else name


class Facts:
    def __init__(self):
        self.classes = table("classes.tsv")
        self.by_id = {c["id"]: c for c in self.classes}
        self.by_name = {c["name"]: c for c in reversed(self.classes)}
        self.types = {c["type"] for c in self.classes if c["type"]}
        self.structs = table("structs.tsv")
        self.struct_names = {s["struct"] for s in self.structs}
        self.enums = {e["enum"] for e in table("enums.tsv")}

    def class_type(self, native):
        """The C# name of a reference to a native class."""
        c = self.by_name.get(native)
        return (c["type"] or c["name"]) if c else "UnityEngine.Object"

    def meaning(self, shape, name, enum):
        """The meaning of a field that the API does not show, or None."""
        array = re.match(r"array<(.*)>$", shape)
        if array:
            inner = self.meaning(array[1], "", "")
            if array[1].startswith("array<") and not inner:
                inner = "[" + self.whole(array[1][len("array<"):-1])
            return "[" + inner if inner else None
        if (shape.startswith("int") or shape == "bool") and enum in self.enums:
            return "e" + short(enum)
        if shape.startswith("int") and name == "bool":
            return "b"
        if shape == "color32":
            return "c"
        ref = re.match(r"ref<(.*)>$", shape)
        if ref:
            return "r" + short(name) if name in self.types and name != self.class_type(ref[1]) else None
        struct = re.match(r"struct (.*)$", shape)
        if struct:
            return None if struct[1] in self.struct_names else "?"
        return "?" if shape in ("", "guid") or shape.startswith("map<") else None

    @staticmethod
    def whole(shape):
        """The whole type: the API does not show the elements of an empty array of arrays."""
        struct = re.match(r"struct (.*)$", shape)
        return "s" + struct[1] if struct else "v" + VALUES[shape]

    def owners(self):
        """The C# name of a class, or the native name of a struct, and its fields."""
        for r in table("properties.tsv"):
            c = self.by_id[r["class"]]
            if "c" in c["flags"] and c["type"]:
                yield c["type"], r
        for s in self.structs:
            if not s["struct"].startswith("UnityEngine."):
                yield s["struct"], dict(s, type="")


def fields(facts):
    """Owner -> "key=meaning key=meaning"; a blank in a key is ~."""
    made = {}
    for owner, r in facts.owners():
        if r["key"] in HIDDEN or r["key"] == ENABLED:
            continue
        what = facts.meaning(r["shape"], r["type"], r["enum"])
        if what:
            made.setdefault(short(owner), {})[r["key"].replace(" ", "~")] = what
    return {owner: " ".join(k + "=" + v for k, v in keys.items()) for owner, keys in made.items()}


def natives(facts):
    """Native class -> C# class, for referenced classes that are not "UnityEngine." and the name."""
    made = {}
    for _, r in facts.owners():
        if r["key"] in HIDDEN:
            continue
        for native in re.findall(r"ref<([^>]*)>", r["shape"]):
            if facts.class_type(native) != "UnityEngine." + native:
                made[native] = short(facts.class_type(native))
    return made


def literal(text, indent):
    """A C# string, in lines of at most WIDTH columns."""
    lines, rest = [], text
    room = WIDTH - indent - 4
    while len(rest) > room:
        cut = rest.rfind(" ", 0, room) + 1
        lines.append('"%s" +' % rest[:cut])
        rest = rest[cut:]
    lines.append('"%s",' % rest)
    return "\n".join(" " * indent + line for line in lines)


def write_pairs(pairs):
    return "\n".join(" " * 12 + '"%s",\n%s' % (k, literal(v, 16)) for k, v in sorted(pairs.items()))


FIELDS = """/* Generated by Tests~/gen_fields.py from the tables of Unity's classes: do not edit. */
namespace Multiverse.Editor
{
    /// <summary>The rows of <see cref="NativeFields"/>: alternating names and texts.</summary>
    static class BuiltinFields
    {
        /// <summary>A C# class or native struct, and the meanings of its fields: "key=meaning ...". A
        /// leading dot in a name stands for UnityEngine; ~ in a key for a blank. Meanings: eE an enum, b a
        /// bool, c a Color32, rT a reference to T, vT a value, sN a native struct, [M an array of M,
        /// ? unknown in C#.</summary>
        public static readonly string[] Meanings =
        {
%s
        };

        /// <summary>Native classes whose C# name is not "UnityEngine." and the native name.</summary>
        public static readonly string Natives =
%s
    }
}
"""

RESOURCES = """/* Generated by Tests~/gen_fields.py from the tables of Unity's classes: do not edit. */
namespace Multiverse.Editor
{
    /// <summary>The rows of <see cref="BuiltinNames"/>.</summary>
    static class BuiltinResources
    {
        /// <summary>"e" (default resources) or "f" (built-in extra), id and label.</summary>
        public static readonly string[] Rows =
        {
%s
        };
    }
}
"""


def files():
    facts = Facts()
    names = " ".join("%s=%s" % pair for pair in sorted(natives(facts).items()))
    text = FIELDS % (write_pairs(fields(facts)), literal(names, 12)[:-1] + ";")
    rows = []
    for r in table("resources.tsv"):
        kind = {"0000000000000000e000000000000000": "e", "0000000000000000f000000000000000": "f"}[r["guid"]]
        rows.append(literal("%s%s %s" % (kind, r["file_id"], r["label"]), 12))
    return {"BuiltinFields.cs": text, "BuiltinResources.cs": RESOURCES % "\n".join(rows)}


def main():
    old = 0
    for name, text in files().items():
        path = os.path.join(OUT, name)
        if sys.argv[1:] != ["--check"]:
            with open(path, "w", encoding="utf-8", newline="\n") as f:
                f.write(text)
            continue
        with open(path, encoding="utf-8") as f:
            if f.read() != text:
                print("%s is not what the tables say: run gen_fields.py" % name, file=sys.stderr)
                old = 1
    return old


if __name__ == "__main__":
    sys.exit(main())
