#!/usr/bin/env python3
"""Markdown that stays true and readable.

Fails for
- a path in the pages that does not exist: `src/base/buf.h`, `tests/unit`, and module names such as
  `bridge/queue` (src/bridge/queue.c or .h), in text, tables and drawings;
- a function in a drawing that its file does not define: "bridge/queue: queue_call()";
- a link to a heading that does not exist;
- a section that a source names and the page does not have: "docs/spec/10-bridge.md, 8";
- a line of text above 100 columns (not in code, tables and links);
- a table cell above 80 characters: make it a paragraph or a list.

    tools/check_docs.py                  # all pages
    tools/check_docs.py --wrap FILE...   # wrap the text of these files at 100 columns, in place
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 100
CELL = 80

# Pages with another author: file -> (what is not checked there, why).
EXCEPTIONS = {
    "docs/tools.md": ({"columns", "cell"}, "written from the catalog of tools"),
    "tests/editors/differences.md": ({"columns", "cell"}, "written from differences.mjs"),
    "CHANGELOG.md": ({"path"}, "names what there was"),
    "unity-package/CHANGELOG.md": ({"path"}, "names what there was"),
}
# Placeholders of instructions: src/FOLDER/x.h, tests/unit/x_test.c, tests/e2e/NNNN-what.test.mjs.
PLACEHOLDER = re.compile(r"(^|[/_])x(_test)?(\.|/|$)|NNN|<|FOLDER|/\.\.\.")
# Not of the tree: what npm installs, and methods of MCP.
OUTSIDE = re.compile(r"/node_modules/|^tools/(list|call|list_changed)$")
ENDINGS = ("", ".c", ".h", ".def", ".md", ".mjs", ".ts", ".svelte", ".cs", ".py", ".sh")


def tracked():
    """The files of the tree, relative to it; without git (in a test of this check) what is there."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode == 0:
        names = found.stdout.splitlines()
    else:
        names = [str(f.relative_to(ROOT)) for f in ROOT.rglob("*") if f.is_file()]
    return sorted(n for n in names if (ROOT / n).is_file())


# ---- the blocks of a page


def blocks(lines):
    """(kind, first line from 0, lines): fence, table, heading, code, item, text, blank."""
    at, in_list = 0, False
    while at < len(lines):
        line = lines[at]
        start = at
        if re.match(r" *(```|~~~)", line):
            mark = line.strip()[:3]
            at += 1
            while at < len(lines) and not lines[at].strip().startswith(mark):
                at += 1
            at += 1
            kind = "fence"
        elif not line.strip():
            at += 1
            kind = "blank"
        elif line.lstrip().startswith("|"):
            while at < len(lines) and lines[at].lstrip().startswith("|"):
                at += 1
            kind = "table"
        elif re.match(r"#+ ", line) or line.startswith(("<", "[//]", "---")):
            at += 1
            kind, in_list = "heading", False
        elif is_code(line, in_list):
            while at < len(lines) and is_code(lines[at], in_list):
                at += 1
            kind = "code"
        else:
            kind = "item" if re.match(r" *([-*+]|\d+\.) ", line) else "text"
            in_list = kind == "item" or (in_list and line.startswith(" "))
            at += 1
            while at < len(lines) and continues(lines[at]):
                at += 1
        yield kind, start, lines[start:at]


def is_code(line, in_list):
    return line.startswith("       " if in_list else "    ") and not re.match(r" *- ", line)


def continues(line):
    return line.strip() and not re.match(r" *([-*+] |\d+\. |```|~~~|\||#+ |<)", line)


# ---- wrapping


def words_of(text):
    """Words; short code spans and links stay whole, and no line begins like an item of a list."""
    parts = re.findall(r"(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|\S)+", text)
    words = []
    for part in (word for p in parts for word in (p.split() if len(p) > COLUMNS // 2 else [p])):
        if words and re.fullmatch(r"[-+*>#|]+|\d+\.", part):
            words[-1] += " " + part
        else:
            words.append(part)
    return words


def wrap_block(kind, lines):
    if kind not in ("item", "text"):
        return lines
    head = re.match(r" *(?:[-*+] |\d+\. )?" if kind == "item" else r" *", lines[0]).group(0)
    indent = " " * len(head)
    out, line = [], head
    for word in words_of(" ".join([lines[0][len(head):]] + [l.strip() for l in lines[1:]])):
        if line.strip() and line != head and len(line) + 1 + len(word) > COLUMNS:
            out.append(line)
            line = indent + word
        else:
            line += word if line in (head, indent) else " " + word
    return out + [line]


def wrap(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    out = []
    for kind, _, block in blocks(lines):
        out += wrap_block(kind, block)
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


# ---- checks


def long_lines(kind, block):
    for offset, line in enumerate(block):
        words = line.split()
        if len(line) > COLUMNS and kind in ("item", "text", "heading") and "](" not in line:
            if len(words) > 1 and max(map(len, words)) < 70:
                yield offset, f"columns {len(line)}: wrap at {COLUMNS}"


def long_cells(kind, block):
    if kind != "table":
        return
    for offset, line in enumerate(block):
        for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
            shown = re.sub(r"\]\([^)]*\)", "]", cell.strip())
            if len(shown) > CELL and not re.fullmatch(r"`[^`]*`", shown):
                yield offset, f"a table cell of {len(shown)} characters: make it a paragraph"


class Tree:
    def __init__(self, files):
        self.names = set(files)
        for name in files:
            self.names.update(str(p) for p in pathlib.PurePath(name).parents)
        self.top = {n.split("/")[0] for n in files if "/" in n}
        self.folders = {n.split("/")[1] for n in files if n.startswith("src/") and n.count("/") > 1}

    def has(self, name):
        name = name.rstrip("/")
        if "*" in name:
            return any(pathlib.PurePath(n).match(name) for n in self.names)
        return name in self.names

    def misses(self, token, page):
        """Whether a token looks like a path of the tree, and is not there."""
        first, _, rest = token.partition("/")
        if not rest or PLACEHOLDER.search(token) or OUTSIDE.search(token) or token.startswith("."):
            return False
        if first in self.top and not (first in self.folders and first != "tests"):
            return not any(self.has(token + e) for e in ENDINGS)
        if first in self.folders:
            near = str(pathlib.PurePath(page).parent / token)
            if rest in self.folders or self.has(f"tests/e2e/{token}.test.mjs"):
                return False
            return not any(self.has(f"src/{token}{e}") or self.has(f"{near}{e}") for e in ENDINGS)
        return False


TOKEN = re.compile(r"(?<![\w/.:~$-])[A-Za-z][\w.~-]*(?:/[\w.~*-]+)+/?(?!:\S|[\w/?=(])")


def missing_paths(kind, block, tree, page):
    if kind in ("item", "text"):  # a code span may go on in the next line
        block = ["\n".join(block)]
    for offset, line in enumerate(block):
        text = re.sub(r"\]\([^)]*\)", "]", line)  # check_text.sh reads the targets of links
        if kind not in ("fence", "code"):
            text = " ".join(re.findall(r"`([^`]*)`", text))
        for token in TOKEN.findall(text):
            token = token.rstrip(".,")
            if tree.misses(token, page):
                yield offset, f"no such file or module: {token}"


def missing_functions(kind, block):
    if kind != "fence":
        return
    for offset, line in enumerate(block):
        for module, name in re.findall(r"\b([a-z]\w*/\w+): (\w+)\(\)", line):
            source = ROOT / f"src/{module}.c"
            text = source.read_text(encoding="utf-8") if source.is_file() else ""
            if not re.search(rf"^(?!\s)[^;{{}}=]*\b{name}\([^;{{}}]*\)\n\{{", text, re.M):
                yield offset, f"src/{module}.c does not define {name}()"


def anchors(text):
    """The targets that the headings of a page give, as GitHub and GitLab name them."""
    found = set()
    for kind, _, block in blocks(text.splitlines()):
        if kind == "heading":
            title = re.sub(r"^#+ |`|\*|\]\([^)]*\)", "", block[0]).strip().lower()
            found.add(re.sub(r"[^\w -]", "", title).replace(" ", "-"))
    return found


def lost_anchors(kind, block, page):
    for offset, line in enumerate(block):
        for path, anchor in re.findall(r"\]\(([^)#: ]*)#([^) ]+)\)", line):
            target = (ROOT / page).parent / path if path else ROOT / page
            if kind == "fence" or not target.is_file() or target.suffix != ".md":
                continue
            if anchor not in anchors(target.read_text(encoding="utf-8")):
                yield offset, f"no such heading: {path}#{anchor}"


def page_faults(page, tree):
    skipped = EXCEPTIONS.get(page, (set(), ""))[0]
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    for kind, first, block in blocks(lines):
        found = list(lost_anchors(kind, block, page))
        if "columns" not in skipped:
            found += long_lines(kind, block)
        if "cell" not in skipped:
            found += long_cells(kind, block)
        if "path" not in skipped:
            found += missing_paths(kind, block, tree, page)
            found += missing_functions(kind, block)
        for offset, what in found:
            yield f"{page}:{first + offset + 1}: {what}"


def section_faults(files):
    """References of sources to pages: the page and its section exist."""
    sections = {}
    if not (ROOT / "docs").is_dir():  # the small tree of check_checks.sh
        return
    for name in files:
        if not re.search(r"\.(c|h|def|mjs|ts|svelte|cs|py|sh|build)$", name) or "check_docs" in name:
            continue
        text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
        for found in re.finditer(r"(docs/[\w/-]+\.md)(?:, (?:section )?(\d+))?", text):
            page, section = found.groups()
            line = text.count("\n", 0, found.start()) + 1
            if not (ROOT / page).is_file():
                yield f"{name}:{line}: no such page: {page}"
                continue
            if page not in sections:
                body = (ROOT / page).read_text(encoding="utf-8")
                sections[page] = set(re.findall(r"^## (\d+)\.", body, re.M))
            if section and section not in sections[page]:
                yield f"{name}:{line}: {page} has no section {section}"


def main():
    if sys.argv[1:2] == ["--wrap"]:
        for name in sys.argv[2:]:
            wrap(pathlib.Path(name))
        return 0
    files = tracked()
    tree = Tree(files)
    faults = []
    for name in files:
        if name.endswith(".md") and "node_modules" not in name:
            faults += page_faults(name, tree)
    faults += section_faults(files)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
