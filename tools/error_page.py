#!/usr/bin/env python3
"""Writes docs/errors.md: every kind of error and its messages, taken from the tests that compare them.

error_page.py             writes the page
error_page.py --check     exit code 1 when the page is not what this script makes

A kind without a message is an error, but for those that nothing raises yet. A message is taken from
  tests/files/errors/*.ir, tests/files/verify/*.ir   `# error: MESSAGE` in a text that is wrong
  tests/unit/**/*.cpp                                EXPECT_EQ(..., "KIND: MESSAGE")
  tests/files/cli/*.txt                              commands that end with an exit code
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "errors.md"
NOT_YET = ()
EXAMPLES = 8  # messages of a kind that are taken from unit tests
INTRODUCTION = """# Errors

Written by `tools/error_page.py` from the tests, which compare these messages; do not edit.

An error is `file:4:9: error: message`, the line with carets under the place, notes, and, when a program ran, a traceback: the
functions it went through and the forks that started their tasks, outermost first. The line is shown when its text is at hand: the
graph text itself, or the file that a `# file:line:column` names, when it is a regular file of text. Every error has a kind.

| who is wrong | in C++ | `tine` ends with |
| --- | --- | --- |
| the input | a `Result` with one or many errors | 1 |
| the program that runs | `RuntimeError`, thrown by `run` and by every `wait`, the same each time; `tryRun` returns it | 1 |
| the command line | | 2 |
| Tine | it says which invariant is broken, and aborts | 3 |

`tine run --json` prints a failed run as `{"error": {"kind": ..., "message": ..., "traceback": [{"function": ..., "place": ..., "edge": "call" | "fork"}]}}`.
A program may raise kinds of its own.
"""


def kinds():
    """The rows of support/error.def, as (name, when it happens)."""
    rows = re.findall(
        r'^TINE_ERROR_KIND\((\w+),\s*"(\w+)",\s*"([^"]*)"\)', (ROOT / "support/error.def").read_text(), re.M
    )
    return [(name, doc) for _, name, doc in rows]


def texts(folder):
    """Each wrong text's lines that have errors, with the errors: [(line, [(column or None, message)])]."""
    out = []
    for file in sorted((ROOT / "tests/files" / folder).glob("*.ir")):
        lines, found = [], []
        for line in file.read_text().splitlines():
            comment = re.match(r"(.*?)# (error|end): (.*)$", line)
            if not comment:
                if not line.startswith("#"):
                    lines.append(line)
                continue
            code, where, message = comment.groups()
            if code.strip():
                lines.append(code.rstrip())
            if not lines:
                continue
            column = len(code) if where == "error" and not code.strip() and folder == "errors" else None
            if where == "end":
                column = len(lines[-1])
            if not found or found[-1][0] != len(lines):
                found.append((len(lines), lines[-1], []))
            found[-1][2].append((column, message))
        out.append((file.relative_to(ROOT), [(line, errors) for _, line, errors in found]))
    return out


def written(folder, seen):
    """The wrong texts of a folder as code blocks, each message once."""
    out = []
    for file, lines in texts(folder):
        block = []
        for line, errors in lines:
            new = [(column, message) for column, message in errors if message not in seen]
            seen.update(message for _, message in new)
            if not new:
                continue
            block.append(shown(line))
            for column, message in new:
                indent = column if column is not None else len(line) - len(line.lstrip())
                block.append(" " * min(indent, 90) + "^ " + message)
        if block:
            out += [f"`{file}`:", "", "```", *block, "```", ""]
    return out


def shown(line):
    """A line of a wrong text, which may hold anything."""
    return "".join(c if c.isprintable() else "?" for c in line[:160])


def comparisons(source):
    """What stands between the parentheses of each EXPECT_EQ, and right of each == "..."."""
    token = re.compile(r'"(?:[^"\\\n]|\\.)*"|R"\((?:.|\n)*?\)"|\'(?:[^\'\\]|\\.)\'|//.*|[()]')
    for start in re.finditer(r"\bEXPECT_EQ\(", source):
        depth = 1
        for part in token.finditer(source, start.end()):
            depth += {"(": 1, ")": -1}.get(part[0], 0)
            if depth == 0:
                yield source[start.end() : part.start()]
                break
    for literal in re.finditer(r'==(\s*(?:"(?:[^"\\\n]|\\.)*"\s*)+)', source):
        yield "," + literal[1]


def literals(names):
    """KIND: MESSAGE literals that EXPECT_EQ compares whole: {kind: {message: file}}."""
    out = {}
    for file in sorted((ROOT / "tests/unit").rglob("*.cpp")):
        for comparison in comparisons(file.read_text()):
            tail = re.search(r',\s*((?:"(?:[^"\\]|\\.)*"\s*)+)$', comparison)
            if not tail or ".substr(" in comparison:
                continue
            text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', tail[1]))
            kind, colon, message = text.partition(": ")
            if colon and kind in names:
                message = re.sub(r'\\(["\\])', r"\1", message)
                out.setdefault(kind, {}).setdefault(message, file.relative_to(ROOT))
    return out


def commands():
    """Cases of tests/files/cli that end with 1 or 2: (exit code, command, what stderr says)."""
    out = []
    for file in sorted((ROOT / "tests/files/cli").glob("*.txt")):
        for case in file.read_text().split("\n\n"):
            code = re.search(r"^= ([12])$", case, re.M)
            command = re.search(r"^\$ (tine .*)$", case, re.M)
            errors = [line[2:] for line in case.splitlines() if line.startswith("!")]
            if code and command and errors and len(command[1]) < 150:
                out.append((int(code[1]), command[1], [e for e in errors if not e.startswith("try ")]))
    return out


def page():
    rows = kinds()
    found = literals([name for name, _ in rows])
    out = [INTRODUCTION, "## Kinds", "", "| kind | when |", "| --- | --- |"]
    out += [f"| `{name}` | {doc} |" for name, doc in rows]
    out += ["", "## Messages", ""]
    seen = set()
    for name, doc in rows:
        out += [f"### {name}", "", doc[0].upper() + doc[1:] + ".", ""]
        folder = {"SyntaxError": "errors", "VerifyError": "verify"}.get(name)
        blocks = written(folder, seen) if folder else []
        messages = [(m, f) for m, f in found.get(name, {}).items() if m not in seen]
        if not blocks and not messages:
            if name not in NOT_YET:
                sys.exit(f"no test says what a {name} says: EXPECT_EQ(..., \"{name}: ...\")")
            out += ["Nothing raises it yet.", ""]
        out += blocks
        for message, file in messages[:EXAMPLES]:
            out.append(f"* `` {message} `` ({file})" if "`" in message else f"* `{message}` ({file})")
        if messages:
            out.append("")
    out += ["## The command", ""]
    for code, title in ((1, "The program or the input is wrong"), (2, "The command line is wrong")):
        out += [f"### {title}: exit code {code}", "", "```"]
        for exit_code, command, errors in commands():
            if exit_code == code:
                out += ["$ " + command, *(shown(e) for e in errors[:12]), *(["..."] if len(errors) > 12 else [])]
        out += ["```", ""]
    return "\n".join(out).rstrip("\n") + "\n"


def main():
    made = page()
    if sys.argv[1:] == []:
        PAGE.write_text(made)
    elif sys.argv[1:] != ["--check"]:
        sys.exit(__doc__)
    elif not PAGE.exists() or PAGE.read_text() != made:
        sys.exit("docs/errors.md is not what the tests say; tools/error_page.py writes it anew")


main()
