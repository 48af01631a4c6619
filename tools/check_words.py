#!/usr/bin/env python3
"""Words and phrases that this project does not use: docs/style.md, Language.

    tools/check_words.py               # number of findings for each folder; fails if STRICT
    tools/check_words.py --list        # every finding, with its line
    tools/check_words.py PATH...       # every finding below these paths
    tools/check_words.py --strict ...  # fails if there is any

Reads comments, texts and names of tests in C, C#, JavaScript, TypeScript and Svelte; all of shell,
Python and meson; pages without their code. A line that must keep such a word goes to EXCEPTIONS.
"""
import collections
import pathlib
import re
import subprocess
import sys

STRICT = False  # True: a finding fails `make lint`, `make check` and the test check_words

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIXES = {".c", ".h", ".def", ".cs", ".mjs", ".ts", ".svelte", ".css", ".html", ".lua", ".sh", ".py",
            ".build", ".md"}
# Inputs and outputs of others, and files about the words themselves.
SKIP = re.compile(r"/corpus/|/golden/|^tests/captures/|node_modules|^tools/check_(words\.py|checks\.sh)$|"
                  r"^src/unity/data/.*\.tsv$|^examples/.*\.cs$")
# "path: part of the line" -> why the word stays.
EXCEPTIONS = {
}
# Names on the wire and in files, which stay.
LITERAL = re.compile(r"https?://\S+|[\"'`](?:trouble|resting|rests|beat)\\?[\"'`]|[.>]trouble\b")

CODE = (r"(?:function|header|line|log|name|program|row|server|test|file|editor|client|loop|parser|"
        r"reader|scheduler|store|caller)")
BEGIN = r"(?:^|[.;:!?*/] +|[\"`])"  # of a sentence
NO_QUESTION = r"(?![^.;]*\?)"

# (words of which a finding has one, pattern, what to write instead). Each pattern is nearly always
# wrong; phrases that often are right are not here.
PATTERNS = [
    # words
    ("anew", r"\banew\b", "again"),
    ("whoever|whomever", r"\bwhom?ever\b", "name the subject"),
    ("whatever", r"\bwhatever (?:is|was|were|has|had|they|it)\b", "any, every, regardless of"),
    ("nobody", r"\bnobody(?:'?s\b| (?:is|was|has|had|will|would|may|needs?|knows?|reads?|looks?|"
     r"hears?|asks?|waits?|rests?|listens?|tells?|says?|said|else|left|there|to)\b)", "name the subject"),
    ("somebody", r"\bsomebody (?:is|was|has|had|can|could|looks?|hears?|asks?|waits?|holds?|does)\b",
     "name the subject"),
    ("everybody", r"\beverybody (?:who|is|was|has|waits?|asks?)\b", "name the subject"),
    ("of its own accord", r"\bof its own accord\b", "automatically"),
    ("word of|word on|word about|word with|word for", r"\ba word (?:of|on|about|with|for)\b|\bthe word of\b|"
     r"\bword of (?:a|an|the|others?|changed?|changes)\b", "message, notification"),
    ("last word", r"\blast word\b", "decides"),
    ("kin", r"\bkin\b", "related; the same kind"),
    ("trouble", r"\btrouble\b", "error, reason"),
    ("warden|offspring|stray", r"\bwarden\b|\boffspring\b|\bstrays?\b", "supervisor, process group, orphan"),
    ("mend", r"\bmends?\b|\bmended\b", "repair, fix"),
    ("heed", r"\bheed(?:s|ed)?\b", "respect, follow"),
    # duplicate, redo
    ("twice|only once", r"\bstands? twice\b|\bstand only once\b|\b(?:is|are) there twice\b", "duplicate"),
    ("again", r"\bmade again\b|\bmakes? again\b", "redo, rebuild"),
    # telling and hearing
    ("told", r"\b(?:is|are|was|were|be|been|being|gets?) told\b", "gets, is notified of; is reported"),
    ("told", r"\btold (?-i:so|of|about|that|by|as|in|at|with|only|once|anyway|from)\b", "reported, notified"),
    ("hear", r"\bhears? (?:of|from|that|about|what|it|nothing|no)\b|\bheard of\b|\bunheard\b|"
     r"\b(?:to|will|would|can|may|must) hear\b", "receives, is notified of"),
    ("said", r"\b(?:is|are|was|were|be) said\b", "is reported, is logged"),
    # code that says, tells, looks
    ("says|tells|speaks|looks|hears|wishes|believes",
     r"\b" + CODE + r" (?:says|tells|speaks|looks|hears|wishes|believes)\b",
     "returns, reports, checks, reads, needs"),
    ("says", r"\bsays (?:nothing|so|otherwise)\b", "reports, shows, returns"),
    ("tell", r"\btells? (?:what|how|why|which|who|where|when|whether|nothing|so|it|them|others?)\b",
     "reports, returns"),
    ("look", r"\blooks? (?:at it|for it|into it|away|again|there|whether)\b", "reads, checks"),
    ("looked", r"\b(?:is|are|was|were|be|been) looked (?:at|into)\b", "is read, is checked"),
    # order and place
    ("stand|stood", r"\b(?:stands?|stood) (?:at|in|on|as|below|above|behind|beside|before|there|here|where|"
     r"between|back|first|last|alone|still|now)\b", "is at, is in"),
    ("stand", r"\bas (?:it|they) stands?\b", "unchanged"),
    ("behind", r"\bbehind (?:it|them|this|that|these|those|the (?:last|first|name|key|value|other|end|others))\b",
     "after it"),
    ("in front of", r"\bin front of (?:it|them|this|that|these|those)\b", "before it"),
    ("as good as", r"\bas good as (?:the|not|no)\b", "equals, counts as"),
    ("lead", r"\bleads? (?:nobody|nowhere|away)\b", "has no target"),
    (" let ", r"\b(?:is|are|be|was|were) let (?:go|past|pass|through|in|out)\b", "is released, is allowed"),
    ("nothing to", r"\bnothing to (?:say|tell)\b", "is empty"),
    ("go on|goes on", r"\bgo(?:es)? on (?:with|as|from|until|where)\b", "continues"),
    ("goes for", r"\bgoes for\b", "holds for"),
    ("for want", r"\bfor want\b", "without"),
    # relative clauses as subjects
    ("the one", r"\bthe one (?:that|who|which) (?:is|was|has|had|comes?|came|runs?)\b", "name it"),
    ("one that|one who", BEGIN + r"One (?:that|who) (?:is|was|has|had|does|did|comes?|came|cannot|can|may|"
     r"needs?)\b", "name it"),
    ("all that|all who", r"\ball (?:that|who) (?:is|are|was|were|has|have|had|comes?|came|goes|hangs?|grows?|"
     r"they)\b", "everything, all tasks, ..."),
    ("what", BEGIN + r"What (?:is|was|are|were|has|had|does|comes|came|goes|cannot)\b" + NO_QUESTION,
     "begin with the subject"),
    ("who ", BEGIN + r"Who (?:is|was|has|had|does|comes|asks|looks|waits|wants|may|knows)\b" + NO_QUESTION,
     "begin with the subject"),
    ("of ", BEGIN + r"(?-i:Of) (?:what|these|those|them|each|all|several|such|it)\b", "begin with the subject"),
    ("who ", r"(?:[,(]|\b(?:to|for|of|by|from|than|as|but|and|with|before|after|until)) who (?:looks|asks|waits|"
     r"comes|goes|leaves|sends|wants|reads|has|is|was|does|sets|knows|tells)\b", "name the subject"),
    # cooldown
    ("rest", r"\brests? (?:nobody|until|after|for all|is over|were|are)\b|\bwho rests\b|\bits rest\b", "cooldown"),
    ("how long who|who does", r"\bhow long who\b|\bwho does what\b", "which agent does what"),
]
WORDS = [(re.compile(keys, re.I), re.compile(pattern, re.I | re.M), better)
         for keys, pattern, better in PATTERNS]

TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|<!--.*?-->|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`",
                   re.S)


def tracked():
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode == 0:
        return found.stdout.splitlines()
    return [str(f.relative_to(ROOT)) for f in ROOT.rglob("*") if f.is_file()]


def blank(match):
    return "\n" * match.group(0).count("\n")


def code_between(code, is_markup):
    """What remains of code between comments and texts: the text of markup, else the names of tests."""
    if is_markup:
        return re.sub(r"<script.*?</script>|<style.*?</style>|<[^>]*>|\{[^}]*\}", blank, code, flags=re.S)
    if "TEST" not in code:
        return "\n" * code.count("\n")
    lines = []
    for line in code.split("\n"):
        test = re.match(r"\s*TEST\w*\((\w+)", line)
        lines.append(test.group(1).replace("_", " ") if test else "")
    return "\n".join(lines)


def prose(name, text):
    """The text without code; every line break stays."""
    if name.endswith(".md"):
        text = re.sub(r"^ *(```|~~~).*?^ *\1", blank, text, flags=re.S | re.M)
        return re.sub(r"^#.*|`[^`\n]*(?:\n[^`\n]+)?`", blank, text, flags=re.M)
    if name.endswith((".sh", ".py", ".build", ".lua")):
        return text
    out, at = [], 0
    is_markup = name.endswith((".svelte", ".html"))
    for match in TOKEN.finditer(text):
        out.append(code_between(text[at:match.start()], is_markup))
        out.append(match.group(0))
        at = match.end()
    return "".join(out) + code_between(text[at:], is_markup)


def findings(name):
    """(line, what was found, what to write) of a file. A sentence may go on in the next line."""
    text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
    text = LITERAL.sub("", prose(name, text))
    marks = re.sub(r"\n[ \t]*(?:\*(?!/)|//+|#+)?[ \t]*(?=\S)", "\0", text)
    flat = marks.replace("\0", " ")
    for keys, pattern, better in WORDS:
        if not keys.search(flat):
            continue
        for match in pattern.finditer(flat):
            line = 1 + marks.count("\0", 0, match.start()) + marks.count("\n", 0, match.start())
            yield line, re.sub(r"\s+", " ", match.group(0)).strip(' ."`*/;:!?,('), better


def main():
    paths = [a.rstrip("/") for a in sys.argv[1:] if not a.startswith("--")]
    strict = STRICT or "--strict" in sys.argv[1:]
    show = strict or "--list" in sys.argv[1:] or bool(paths)
    counts = collections.Counter()
    for name in sorted(tracked()):
        if pathlib.PurePath(name).suffix not in SUFFIXES or SKIP.search(name):
            continue
        if (paths and not name.startswith(tuple(paths))) or not (ROOT / name).is_file():
            continue
        kept = [key[len(name) + 2:] for key in EXCEPTIONS if key.startswith(name + ": ")]
        lines = (ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines() if kept else []
        for line, found, better in sorted(findings(name)):
            if any(part in lines[line - 1] for part in kept):
                continue
            parts = name.split("/")
            counts["/".join(parts[:2]) if len(parts) > 2 else parts[0]] += 1
            if show:
                print(f'{name}:{line}: "{found}": {better}')
    if not show:
        for folder, count in sorted(counts.items()):
            print(f"{count:6} {folder}")
    if counts:
        print(f"words: {sum(counts.values())} findings")
    return 1 if strict and counts else 0


if __name__ == "__main__":
    sys.exit(main())
