#!/usr/bin/env python3
"""The examples in the head comments of the headers of src/ compile.

An example is an indented block of the head comment that uses a function, macro or type of its own
header; pictures, wire samples and command lines are left out (--list shows them). Functions, types
and static tables go to file scope, all other lines into one function. `...` stands for anything.
handle_NAME() and use() stand for the reader's code. All other functions must exist.

Variables that the example does not declare get a type from the parameter or member they are given
to, from what is assigned to them, or from the members that are read. tests/examples.txt declares
the others (`net/tcp.h: struct x *name;`) and includes system headers.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Headers whose example does not compile yet. One that compiles must be removed from this list.
EXCEPTIONS = set()

FLAGS = """-std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused -Wno-unused-parameter
    -Wno-missing-field-initializers -Wno-empty-body -Wno-misleading-indentation -fsyntax-only
    -fmax-errors=0 -fno-diagnostics-show-caret -fno-diagnostics-show-option
    -ftrack-macro-expansion=0 -Isrc -iquote src
    -isystem /usr/share/include -x c""".split()
SYSTEM = """assert errno fcntl limits signal stdbool stdio stdint stdlib string time unistd
    sys/types""".split()
PARALLEL = 4

CONTROL = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "break",
           "continue", "goto", "sizeof", "typeof", "__typeof__"}
BASE_TYPES = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
              "bool", "size_t", "ssize_t", "pid_t", "time_t", "off_t", "mode_t", "FILE"} | {
                  f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
WORDS = CONTROL | BASE_TYPES | {
    "struct", "union", "enum", "static", "const", "extern", "inline", "typedef", "true", "false",
    "stderr", "stdout", "stdin", "errno", "environ"}
# The types of the arguments of macros.
MACROS = {"STR_ARG": ["struct str"], "LOG_STR": ["const char *", "struct str"],
          "LOG_INT": ["const char *", "int64_t"], "STORE_TEXT": ["struct str"],
          "STORE_INT": ["int64_t"], "MAP_EACH": ["struct map *"], "LIST_EACH": ["struct list *"],
          "LIST_EACH_SAFE": ["struct list *"], "_exit": ["int"]}
FORMATS = {"s": "const char *", "d": "int", "u": "unsigned", "zu": "size_t", "f": "double",
           "lld": "long long", "c": "char", "p": "void *"}

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|'
                   r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\.\.\.|->|\+\+|--'
                   r'|[-+*/%&|^<>=!]=|<<|>>|&&|\|\||[A-Za-z_]\w*|\.?\d[\w.]*|\n|[^\S\n]+|.', re.S)


def is_name(token):
    return token[0].isalpha() or token[0] == "_"


def code_of(text):
    """The tokens of a text without blanks and comments."""
    return [token for token in TOKEN.findall(text)
            if not token.isspace() and not token.startswith(("//", "/*"))]


def close(tokens, at):
    """The index of the bracket that closes the one at `at`, or the number of tokens."""
    depth = 0
    for index in range(at, len(tokens)):
        depth += tokens[index] in ("(", "[", "{")
        depth -= tokens[index] in (")", "]", "}")
        if depth == 0:
            return index
    return len(tokens)


def split(tokens, separator=","):
    """The parts of a list of tokens between separators that are in no brackets."""
    parts, part, depth = [], [], 0
    for token in tokens:
        depth += token in ("(", "[", "{")
        depth -= token in (")", "]", "}")
        if token == separator and depth == 0:
            parts.append(part)
            part = []
        else:
            part.append(token)
    return parts + [part] if part or parts else []


def declared(tokens):
    """(name, type) of the declaration of a parameter or member; (None, type) without a name."""
    for at in range(len(tokens) - 2):
        if tokens[at:at + 2] == ["(", "*"]:  # a pointer to a function or an array
            end = close(tokens, at)
            inner = tokens[at + 1:end]
            names = [token for token in inner if is_name(token) and token != "const"]
            name = names[0] if names else None
            inner = [token for token in inner if token != name and token not in ("[", "]")]
            return name, " ".join(tokens[:at] + ["("] + inner + [")"] + tokens[end + 1:])
    if "[" in tokens:
        at = tokens.index("[")
        return (tokens[at - 1], " ".join(tokens[:at - 1]) + " *") if at else (None, "")
    if ":" in tokens:
        tokens = tokens[:tokens.index(":")]
    if len(tokens) > 1 and is_name(tokens[-1]) and tokens[-1] not in WORDS and \
            tokens[-2] not in ("struct", "union", "enum"):
        return tokens[-1], " ".join(tokens[:-1])
    return None, " ".join(tokens)


def pointee(kind):
    """The type to which a pointer points, without const: for a variable whose address is given."""
    kind = re.sub(r"(\*)\s*(const|restrict)$", r"\1", kind.strip())
    if kind in ("void *", "const void *"):
        return "char"
    if kind.endswith("*") and "(" not in kind:
        kind = kind[:-1].strip()
        return re.sub(r"^const ", "", kind) if not kind.endswith("*") else kind
    return f"__typeof__(*({kind})0)"


class Index:
    """What the headers declare."""

    def __init__(self, root):
        self.functions = {}  # name -> (type that it returns, types of the parameters)
        self.members = {}  # "struct name" -> {member: type}, in order
        self.home = {}  # name or "struct name" -> header
        self.typedefs = set()
        self.externs = set()
        for path in sorted(root.rglob("*.h")):
            self.read(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))

    def add(self, name, header):
        self.home.setdefault(name, header)

    def read(self, header, text):
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        for name in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, flags=re.M):
            self.add(name, header)
        text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        tokens = code_of(text)
        at = 0
        while at < len(tokens):
            end = at
            while end < len(tokens) and tokens[end] != ";":
                if tokens[end] in ("(", "[", "{"):
                    is_body = tokens[end] == "{" and tokens[end - 1] == ")"
                    end = close(tokens, end)
                    if is_body:
                        break
                end += 1
            self.read_declaration(tokens[at:end + 1], header)
            at = end + 1

    def read_declaration(self, tokens, header):
        while "__attribute__" in tokens:
            at = tokens.index("__attribute__")
            tokens = tokens[:at] + tokens[close(tokens, at + 1) + 1:]
        if not tokens or tokens[0] == "_Static_assert":
            return
        self.read_types(tokens, header)
        if tokens[0] == "typedef":
            name = declared([t for t in tokens[1:-1] if t != ";"])[0]
            before = tokens[:tokens.index("(")] if "(" in tokens else tokens[:-1]
            for found in {name, before[-1]} - {None}:
                self.typedefs.add(found)
                self.add(found, header)
            return
        head = [t for t in tokens if t not in ("extern", "static", "inline", "_Noreturn")]
        if tokens[0] == "extern" and "(" not in tokens:
            name = declared(head[:-1])[0]
            self.externs.add(name)
            self.add(name, header)
        before = head[:head.index("(")] if "(" in head else []
        if len(before) > 1 and not {"=", "{"} & set(before) and is_name(head[head.index("(") - 1]):
            at = head.index("(")
            name = head[at - 1]
            parameters = [declared(p)[1] for p in split(head[at + 1:close(head, at)])]
            self.functions.setdefault(name, (" ".join(head[:at - 1]), parameters))
            self.add(name, header)

    def read_types(self, tokens, header):
        for at in range(len(tokens) - 2):
            kind = tokens[at]
            if kind in ("struct", "union") and is_name(tokens[at + 1]) and tokens[at + 2] == "{":
                name = f"{kind} {tokens[at + 1]}"
                self.add(name, header)
                self.members[name] = self.read_members(tokens[at + 3:close(tokens, at + 2)])
            elif kind in ("struct", "union") and is_name(tokens[at + 1]) and tokens[at + 2] == ";":
                pass
            elif kind == "enum" and "{" in tokens[at + 1:at + 3]:
                start = at + 1 if tokens[at + 1] == "{" else at + 2
                if start == at + 2:
                    self.add(f"enum {tokens[at + 1]}", header)
                for part in split(tokens[start + 1:close(tokens, start)]):
                    if part:
                        self.add(part[0], header)

    @staticmethod
    def read_members(tokens):
        members = {}
        for part in split(tokens, ";"):
            if "{" in part:
                start = part.index("{")
                if start + 1 and part[close(part, start) + 1:] == []:  # anonymous
                    members.update(Index.read_members(part[start + 1:close(part, start)]))
                    continue
                part = part[:start] + part[close(part, start) + 1:]
            first = None
            for piece in split(part):
                name, kind = declared(piece if first is None else first.split() + piece)
                if first is None:
                    first = kind.rstrip("* ")
                if name:
                    members[name] = kind
        return members


def blocks_of(text):
    """(number of the first line, lines) of each indented block of the head comment.

    Blank lines end a block, except between the braces of a function.
    """
    blocks, block, first, depth = [], [], 0, 0
    for number, line in enumerate(text.split("\n"), 1):
        inside = line.startswith(" *     ")
        if inside:
            if not block:
                first = number
            block.append(line[7:])
            code = code_of(line[7:])
            depth += code.count("{") - code.count("}")
        elif block and line == " *" and depth > 0:
            block.append("")
        elif block:
            blocks.append((first, block))
            block, depth = [], 0
        if "*/" in line:
            break
    return blocks + ([(first, block)] if block else [])


def reject(lines, header, index):
    """Why a block is no example, or None."""
    plain = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', "\n".join(lines))
    plain = re.sub(r"//.*", "", plain)
    code = code_of("\n".join(lines))
    folder = header.rpartition("/")[0] + "/"
    is_own = any(index.home.get(token) == header
                 or index.home.get(token, "").startswith(folder) and code[at + 1:at + 2] == ["("]
                 or at and index.home.get(f"{code[at - 1]} {token}") == header
                 for at, token in enumerate(code))
    if re.search(r"-->|<--|^\s*(->|<-)\s|^\s*\S.*\s(->|<-)\s", plain, flags=re.M):
        return "a picture"
    if not is_own and not re.search(r"\w_\w+\(.*(;|\)|\.{3})\s*$", plain, flags=re.M):
        return "uses nothing of its header"  # nor is it a call of what is gone
    ends = [line.rstrip()[-1:] in (";", "{", "}", ",", ")", "(") or line.rstrip().endswith("...")
            for line in plain.split("\n") if line.strip()]
    return None if sum(ends) * 2 >= len(ends) else "not C"


def fill(lines):
    """The lines with something that compiles in place of each `...`."""
    out = []
    for line in lines:
        if line.lstrip().startswith("..."):
            out.append("")
            continue
        tokens, last, result = TOKEN.findall(line), "", []
        for token in tokens:
            if token == "...":
                if last == ")":
                    token = "{}"
                elif last == "," and result:
                    while result[-1] != ",":
                        result.pop()
                    result.pop()
                    token = " "
                else:
                    token = " "
            if not token.isspace() and not token.startswith("//"):
                last = token
            result.append(token)
        out.append("".join(result))
    return out


class Unit:
    """Code with one scope: a function of the example, a static table, or the other lines."""

    def __init__(self, first, text, kind):
        self.first, self.text, self.kind = first, text, kind
        self.tokens = code_of(text)


def chunks_of(first, lines):
    """The units of a block: what belongs to file scope, and the rest (kind "code")."""
    text = "\n".join(lines)
    tokens, starts, at = [], [], 0
    for token in TOKEN.findall(text):
        if not token.isspace() and not token.startswith(("//", "/*")):
            tokens.append(token)
            starts.append(at)
        at += len(token)
    rest, units, begin = list(text), [], 0
    while begin < len(tokens):
        end, is_function = begin, False
        while end < len(tokens) and tokens[end] != ";":
            if tokens[end] in ("(", "[", "{"):
                is_body = tokens[end] == "{" and tokens[end - 1] == ")"
                end = close(tokens, end)
                if is_body:
                    is_function = tokens[begin] not in CONTROL and begin + 1 < len(tokens) and \
                        is_name(tokens[begin]) and (is_name(tokens[begin + 1])
                                                    or tokens[begin + 1] == "*")
                    if is_function or tokens[begin] in CONTROL:
                        break
            end += 1
        end = min(end, len(tokens) - 1)
        is_type = tokens[begin] in ("struct", "enum", "union") and \
            tokens[begin + 2:begin + 3] == ["{"]
        is_include = tokens[begin] == "#"
        if is_include:
            line_end = text.find("\n", starts[begin])
            line_end = len(text) if line_end < 0 else line_end
            end = max(i for i in range(len(tokens)) if starts[i] < line_end)
        if is_function or is_type or is_include or tokens[begin] == "static":
            stop = starts[end] + len(tokens[end])
            kind = "function" if is_function else "include" if is_include else "table"
            units.append(Unit(first + text.count("\n", 0, starts[begin]),
                              text[starts[begin]:stop], kind))
            for place in range(starts[begin], stop):
                if rest[place] != "\n":
                    rest[place] = " "
        begin = end + 1
    rest = "".join(rest)
    return units + ([Unit(first, rest, "code")] if code_of(rest) else [])


class Example:
    def __init__(self, header, index, extra):
        self.header, self.index, self.extra = header, index, extra
        self.units, self.skipped, self.faults = [], [], []
        self.inferred = []  # declarations

    def read(self, text):
        for first, lines in blocks_of(text):
            why = reject(lines, self.header, self.index)
            if why:
                self.skipped.append((first, why))
                continue
            lines = fill(lines)
            tokens = code_of("\n".join(lines))
            for opening, closing in ("()", "[]", "{}"):
                if tokens.count(opening) != tokens.count(closing):
                    self.faults.append(f"src/{self.header}:{first}: brackets do not match")
                    return
            self.units += chunks_of(first, lines)

    def file_names(self):
        """The names that the example defines or declares at file scope."""
        tables = [unit for unit in self.units if unit.kind == "table"]
        return self.defined_names().union(*(self.free_names(unit, set()) for unit in tables))

    def defined_names(self):
        """The names that the example defines at file scope."""
        names = set()
        for unit in self.units:
            if unit.kind == "function":
                names.add(unit.tokens[unit.tokens.index("(") - 1])
            elif unit.kind == "table":
                names |= self.declared_names(unit.tokens)
                names |= {b for a, b in zip(unit.tokens, unit.tokens[1:]) if a == "struct"
                          and unit.tokens[:2] == ["struct", b]}
        return names

    def declared_names(self, tokens):
        """The names that code declares, and the names of a function's parameters."""
        names, at = set(), 0
        while at < len(tokens):
            end = at
            if tokens[at] in ("struct", "union", "enum") and at + 1 < len(tokens):
                end = at + 1 if is_name(tokens[at + 1]) else at
                if end + 1 < len(tokens) and tokens[end + 1] == "{":
                    end = close(tokens, end + 1)
            elif tokens[at] == "typeof":
                end = close(tokens, at + 1)
            elif tokens[at] not in BASE_TYPES and tokens[at] not in self.index.typedefs:
                at += 1
                continue
            end += 1
            while end < len(tokens) and tokens[end] in BASE_TYPES | {"*", "const"}:
                end += 1
            if end + 1 < len(tokens) and is_name(tokens[end]) and tokens[end + 1] in "=;,[):":
                names.add(tokens[end])
                at = self.more_names(tokens, end, names)
            elif tokens[end:end + 2] == ["(", "*"]:
                names.add(tokens[end + 2])
                at = end + 3
            else:
                at = max(end, at + 1)
        return names

    @staticmethod
    def more_names(tokens, at, names):
        """Adds `b` of `int a = 1, b;`."""
        end = at + 1
        while end < len(tokens) and tokens[end] not in (";", ")", ":"):
            if tokens[end] in ("(", "[", "{"):
                end = close(tokens, end)
            elif tokens[end] == "," and end + 2 < len(tokens) and is_name(tokens[end + 1]) and \
                    tokens[end + 2] in ",;=" and tokens[end + 1] not in WORDS:
                names.add(tokens[end + 1])
            end += 1
        return at + 1

    def free_names(self, unit, known):
        tokens, names = unit.tokens, []
        bound = self.declared_names(tokens) | known
        for at, token in enumerate(tokens):
            before = tokens[at - 1] if at else ""
            after = tokens[at + 1] if at + 1 < len(tokens) else ""
            if not is_name(token) or before in (".", "->", "struct", "union", "enum") or \
                    token in WORDS or token.isupper() or token in names or token in bound:
                continue
            if after == "(" and token not in self.extra:
                if re.match(r"handle_\w+$|use$", token) and token not in self.index.functions:
                    names.append(token)
                continue
            if token in self.index.typedefs or token in self.index.externs or \
                    token in self.index.functions and after != "=" or \
                    token.upper() == token and "_" in token:
                continue
            names.append(token)
        return names

    def evidence(self, tokens):
        """name -> [types], from each use."""
        found = {}
        for at, token in enumerate(tokens):
            before = tokens[at - 1] if at else ""
            if token == "(" and is_name(before):
                self.read_call(before, tokens[at + 1:close(tokens, at)], found)
            elif token == "{":
                self.read_initialiser(tokens, at, found)
            elif token == "=" and is_name(before) and at + 2 < len(tokens) and \
                    tokens[at + 2] == "(" and tokens[at + 1] in self.index.functions and \
                    (at < 2 or tokens[at - 2] not in (".", "->")):
                found.setdefault(before, []).append(self.index.functions[tokens[at + 1]][0])
            elif token == "=" and at > 2 and tokens[at - 2] in (".", "->") and \
                    tokens[at + 2:at + 3] == [";"] and is_name(tokens[at + 1]):
                kinds = self.nearest([(name, members[before])
                                      for name, members in self.index.members.items()
                                      if before in members])
                found.setdefault(tokens[at + 1], []).extend(kinds)
        return found

    def nearest(self, choices):
        """The one value of [(name of a struct, value)], or of those of this header or folder."""
        folder = self.header.rpartition("/")[0] + "/"
        for start in ("", self.header, folder):
            values = {value for name, value in choices
                      if self.index.home.get(name, "").startswith(start)}
            if len(values) == 1:
                return list(values)
        return []

    def read_call(self, name, arguments, found):
        kinds = MACROS.get(name) or self.index.functions.get(name, ("", []))[1]
        parts = split(arguments)
        formats = [at for at, part in enumerate(parts) if part[0][:1] == '"']
        if formats and (kinds[-1:] == ["..."] or name in ("printf", "fprintf")):
            marks = re.findall(r"%[-\d.]*(\*?)(l*[sdufcp]|zu)", "".join(parts[formats[-1]]))
            if not any(star for star, _ in marks):
                for part, (_, mark) in zip(parts[formats[-1] + 1:], marks):
                    self.read_value(part, FORMATS.get(mark, ""), found)
        for argument, kind in zip(parts, kinds):
            self.read_value(argument, kind, found)

    def read_value(self, value, kind, found):
        """A value of this type is wanted here."""
        if value and value[0] == "(" and close(value, 0) == len(value) - 1:
            value = value[1:-1]
        if len(value) == 1 and is_name(value[0]):
            found.setdefault(value[0], []).append(kind)
        elif len(value) == 2 and value[0] == "&":
            found.setdefault(value[1], []).append(pointee(kind))
        elif len(value) == 2 and value[0] == "*":
            found.setdefault(value[1], []).append(kind + " *")
        elif len(value) > 3 and is_name(value[0]) and value[1] == "[" and \
                close(value, 1) == len(value) - 1:
            found.setdefault(value[0], []).append(kind + " *")
        elif len(value) > 4 and value[0] == "&" and value[2] == "[" and \
                close(value, 2) == len(value) - 1:
            found.setdefault(value[1], []).append(kind)

    def read_initialiser(self, tokens, at, found):
        """The braces of `struct x name = {` or `(struct x){`."""
        before = tokens[:at]
        is_array = False
        if before[-1:] == [")"] and len(before) > 3 and before[-3] in ("struct", "union"):
            kind = " ".join(before[-3:-1])
        elif before[-1:] == ["="]:
            before.pop()
            while before[-1:] == ["]"]:
                is_array = True
                while before.pop() != "[":
                    pass
            if len(before) < 3 or before[-3] not in ("struct", "union"):
                return
            kind = " ".join(before[-3:-1])
        else:
            return
        parts = split(tokens[at + 1:close(tokens, at)])
        if is_array:
            for part in parts:
                if part[:1] == ["{"]:
                    self.read_members(split(part[1:-1]), kind, found)
        else:
            self.read_members(parts, kind, found)

    def read_members(self, parts, kind, found):
        members = self.index.members.get(kind, {})
        names = list(members)
        place = 0
        for part in parts:
            value, member = part, names[place] if place < len(names) else None
            if part[:1] == ["."] and "=" in part:
                at = part.index("=")
                member, value = "".join(part[1:at]), part[at + 1:]
                if "." in member:
                    outer, member = member.split(".", 1)
                    inner = self.index.members.get(members.get(outer, ""), {})
                    if member in inner:
                        self.read_value(value, inner[member], found)
                    continue
            if member in members:
                place = names.index(member) + 1
                if value[:1] == ["{"]:
                    self.read_members(split(value[1:-1]), members[member], found)
                else:
                    self.read_value(value, members[member], found)

    def from_members(self, name, tokens):
        """The one struct that has the members which are read of a variable."""
        used, pointer = set(), False
        for at in range(len(tokens) - 2):
            after = tokens[at + 1:]
            if tokens[at] == name and (not at or tokens[at - 1] not in (".", "->")) and \
                    after[0] in (".", "->"):
                used.add(after[1])
                pointer |= after[0] == "->"
        if not used:
            return None
        fits = self.nearest([(kind, kind) for kind, members in self.index.members.items()
                             if used <= set(members)])
        return fits[0] + (" *" if pointer else "") if fits else None

    @staticmethod
    def best(kinds):
        """The type that suits all uses: rather one that may be changed, rather not void."""
        def badness(kind):
            return ("void *" in kind and "(" not in kind, kind.startswith("const "),
                    "__typeof__" in kind)
        kinds = [re.sub(r"\* const$", "*", kind) for kind in kinds if kind.strip(" .")]
        kinds = [re.sub(r"^const (?=[^*]*$)", "", kind) for kind in kinds]
        return min(kinds, key=badness) if kinds else None

    def declare(self, names, unit, everything):
        """A declaration of each free name."""
        mine, all_found, out = self.evidence(unit.tokens), self.evidence(everything), []
        for name in names:
            if name in self.extra:
                out.append(self.extra[name])
                continue
            if re.match(r"handle_\w+$|use$", name) and name + "(" in "".join(unit.tokens):
                out.append(f"void {name}();")
                continue
            kind = self.best(mine.get(name, [])) or self.best(all_found.get(name, [])) or \
                self.from_members(name, unit.tokens) or self.counted(name, unit.tokens)
            is_function = kind and (re.search(r"\( \*( const)? \)", kind)
                                    or kind.rstrip("* ") in self.index.typedefs)
            if unit.kind == "table" and is_function:  # a variable would not be constant
                kind = f"__typeof__(*({kind})0)"
            if kind:
                out.append(f"__typeof__({kind}) {name};")
        self.inferred += out
        return out

    @staticmethod
    def counted(name, tokens):
        """size_t for what is compared or added to."""
        for at, token in enumerate(tokens):
            around = tokens[max(at - 1, 0):at] + tokens[at + 1:at + 2]
            if token == name and (around == ["[", "]"] or {"<", ">", "<=", ">=", "++", "--", "+=",
                                                           "-="} & set(around)):
                return "size_t"
        return None

    def headers(self):
        """The headers that declare what the example uses."""
        found = {self.header: None}
        for unit in self.units:
            for at, token in enumerate(unit.tokens):
                tag = f"{unit.tokens[at - 1]} {token}" if at else ""
                for name in (tag, token):
                    if name in self.index.home and not (at and unit.tokens[at - 1] in (".", "->")):
                        found[self.index.home[name]] = None
        for declaration in [*self.extra.values(), *self.inferred]:
            for name in re.findall(r"(?:struct|enum|union) \w+|\w+", declaration):
                if name in self.index.home:
                    found[self.index.home[name]] = None
        return list(found)

    def write(self, number):
        """C code for the example."""
        out, everything = [], [token for unit in self.units for token in unit.tokens]
        place = f'"src/{self.header}"'
        known = self.defined_names()
        for unit in self.units:
            if unit.kind == "table":
                names = self.free_names(unit, known)
                known |= set(names)
                for text in self.declare(names, unit, everything):
                    out += [f'#line {unit.first} {place}', "extern " + text]
                out += [f"#line {unit.first} {place}", unit.text]
            elif unit.kind == "function":
                names = self.free_names(unit, known)
                body = unit.text.index("{") + 1
                local = " ".join(self.declare(names, unit, everything))
                out += [f"#line {unit.first} {place}", unit.text[:body] + local + unit.text[body:]]
        code = [unit for unit in self.units if unit.kind == "code"]
        out += ["", f"void example_{number}(void)", "{"]
        bound = set(known)
        for unit in code:
            names = self.free_names(unit, bound)
            local = " ".join(self.declare(names, unit, everything))
            out += [f"#line {unit.first} {place}", "{ " + local, f"#line {unit.first} {place}",
                    self.without_results(unit.text)]
            bound |= self.declared_names(unit.tokens)
        return out + ["}"] * (len(code) + 1)

    @staticmethod
    def without_results(text):
        """`return x;` with the result ignored: the function around the code returns nothing."""
        return re.sub(r"\breturn\b([^;]+);", r"{ (void)(\1); return; }", text)


def read_extra(path):
    """header -> {name: declaration}."""
    extra = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").split("\n"):
            match = re.match(r"([\w/]+\.h): (.*;|#include .*)$", line)
            if match and match.group(2).startswith("#"):
                extra.setdefault(match.group(1), {})[""] = match.group(2)
            elif match:
                name = re.search(r"(\w+)(?:\[[^]]*\])?;$", match.group(2)).group(1)
                extra.setdefault(match.group(1), {})[name] = match.group(2)
    return extra


def batches_of(examples):
    """Examples in lists, each without a name that is defined twice at file scope."""
    batches = []
    for example in examples:
        names = example.file_names()
        fits = [batch for batch in batches if not batch[0] & names]
        if len(batches) < PARALLEL or not fits:
            fits = [(set(), [])]
            batches.append(fits[0])
        smallest = min(fits, key=lambda batch: len(batch[1]))
        smallest[0].update(names)
        smallest[1].append(example)
    return [batch for _, batch in batches]


def source_of(batch):
    code = [line for number, example in enumerate(batch) for line in example.write(number)]
    headers = list(dict.fromkeys(header for example in batch for header in example.headers()))
    out = [f"#include <{name}.h>" for name in SYSTEM]
    out += [example.extra[""] for example in batch if "" in example.extra]
    out += [f'#include "{header}"' for header in headers]
    return "\n".join(out + code) + "\n"


def compile_batch(batch, flags):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as source:
        source.write(source_of(batch))
        source.flush()
        done = subprocess.run(["gcc", *flags, source.name],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "LC_ALL": "C"})
    lines = [line for line in done.stderr.split("\n") if re.search(r": (fatal )?error: ", line)]
    return lines if lines or done.returncode == 0 else done.stderr.split("\n")


def main():
    if not shutil.which("gcc"):
        print("gcc is not installed")
        return 77
    os.chdir(pathlib.Path(__file__).resolve().parent.parent)
    root = pathlib.Path("src")
    index = Index(root)
    extra = read_extra(pathlib.Path("tests/examples.txt"))
    examples, skipped, failures = [], [], []
    for path in sorted(root.rglob("*.h")):
        header = path.relative_to(root).as_posix()
        example = Example(header, index, extra.get(header, {}))
        example.read(path.read_text(encoding="utf-8"))
        failures += example.faults
        skipped += [(header, line, why) for line, why in example.skipped]
        if example.units and not example.faults:
            examples.append(example)
    if "--list" in sys.argv:
        for header, line, why in skipped:
            print(f"src/{header}:{line}: skipped: {why}")
        print(f"{len(examples)} headers with an example, {len(skipped)} blocks skipped")
    if sys.argv[1:2] == ["--source"]:
        print(source_of([e for e in examples if e.header in sys.argv[2:]]))
        return 0
    libraries = subprocess.run(["pkg-config", "--cflags", "libuv", "libpq"], check=False,
                               stdout=subprocess.PIPE, text=True).stdout.split()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for lines in pool.map(lambda batch: compile_batch(batch, FLAGS + libraries),
                              batches_of(examples)):
            failures += lines
    failing = {match.group(1) for line in failures
               for match in [re.match(r"src/(\S+?\.h):", line)] if match}
    failures = [line for line in failures
                if not any(line.startswith(f"src/{header}:") for header in EXCEPTIONS)]
    failures += [f"src/{header}: compiles: remove it from EXCEPTIONS"
                 for header in sorted(EXCEPTIONS - failing)]
    for line in failures:
        print(line)
    if any("undeclared" in line for line in failures):
        print("A variable whose type cannot be found is declared in tests/examples.txt.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
