#!/usr/bin/env python3
"""Checks that docs/pains.md names only tests, files and benchmarks that exist.

    check_pains.py [ENTRIES]

ENTRIES is a text in which each entry begins `**F1**`; each must have a row, too.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/pains.md"


def tests():
    """`Suite.Name` of every GoogleTest in the tree."""
    pattern = re.compile(r"^TEST(?:_P|_F)?\((\w+),\s*(\w+)\)", re.M)
    for path in ROOT.glob("tests/unit/**/*.cpp"):
        for suite, name in pattern.findall(path.read_text()):
            yield f"{suite}.{name}"


def rows():
    """Line number, entry and last cell of every row of the page's tables."""
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        if re.match(r"\| [A-Z]\d+ \|", line):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            yield number, cells[0], cells[-1]


def main():
    known = set(tests())
    errors, seen, evidence = [], set(), 0
    for number, entry, shown in rows():
        place = f"{PAGE.relative_to(ROOT)}:{number}: "
        if entry in seen:
            errors.append(f"{place}{entry} has a row already")
        seen.add(entry)
        names = re.findall(r"`([^`]+)`", shown)
        if not names and shown != "later":
            errors.append(f"{place}nothing shows {entry}")
        for name in names:
            evidence += 1
            if not (name in known or (ROOT / name).is_file()
                    or (name.endswith("_bench") and (ROOT / f"bench/{name}.cpp").is_file())):
                errors.append(f"{place}{name} does not exist")
    if len(sys.argv) > 1:
        wanted = re.findall(r"^\*\*([A-Z]\d+)\*\*", Path(sys.argv[1]).read_text(), re.M)
        if not wanted:
            errors.append(f"{sys.argv[1]}: no entries")
        errors += [f"{PAGE.relative_to(ROOT)}: no row for {entry}"
                   for entry in wanted if entry not in seen]
    print("\n".join(errors), end="\n" if errors else "")
    print(f"{len(seen)} entries, {evidence} tests named, {len(errors)} errors")
    return 1 if errors or not seen else 0


sys.exit(main())
