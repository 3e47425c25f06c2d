#!/usr/bin/env python3
"""Writes filecheck.jsonl: what TorchScript's FileCheck says of random directives and texts.

filecheck_table.py            writes the table beside this file
filecheck_table.py --check    compares it with what TorchScript says now; exit code 77 without it

One case a line: {"checks": [[directive, text, count], ...], "text": ..., "pass": ...}, where the
directive is the method's name (`check_count_exactly` stands for check_count with exactly=True).
"""
import json
import os
import pathlib
import random
import sys

TABLE = pathlib.Path(__file__).with_name("filecheck.jsonl")
CASES = 400  # half of them pass
WORDS = ["a", "b", "ab", "aa", "ba", "c", "%x", "aten::add"]
KINDS = ["check", "check", "check", "check_next", "check_same", "check_not", "check_not", "check_dag",
         "check_dag", "check_count", "check_count_exactly", "check_source_highlighted"]


def random_case(rng):
    lines = []
    for _ in range(rng.randint(1, 5)):
        line = " ".join(rng.choice(WORDS + [""]) for _ in range(rng.randint(0, 5)))
        lines.append(line)
        if line and rng.random() < 0.5:  # underline some of it
            begin = rng.randrange(len(line))
            lines.append(" " * begin + "~" * rng.randint(1, 3))
    text = "\n".join(lines)
    checks = []
    for _ in range(rng.randint(1, 5)):
        kind = rng.choice(KINDS)
        count = 1
        if kind.startswith("check_count"):
            count = rng.randint(0 if kind.endswith("exactly") else 1, 3)
        checks.append([kind, rng.choice(WORDS), count])
    # TorchScript never sees a highlight that ends with the text.
    if rng.random() < 0.5 or any(kind == "check_source_highlighted" for kind, _, _ in checks):
        text += "\n"
    return checks, text


def verdict(checks, text):
    from torch.testing import FileCheck

    fc = FileCheck()
    for kind, wanted, count in checks:
        if kind.startswith("check_count"):
            fc.check_count(wanted, count, exactly=kind.endswith("exactly"))
        else:
            getattr(fc, kind)(wanted)
    try:
        fc.run(text)
    except RuntimeError:
        return False
    return True


def table():
    rng = random.Random(20240811)
    missing = {True: CASES // 2, False: CASES // 2}
    kinds_left = set(KINDS)
    while any(missing.values()):
        checks, text = random_case(rng)
        passes = verdict(checks, text)
        if missing[passes] == 0:
            continue
        # A long list of checks fails at its first one: keep few of the cases that say little.
        if not passes and checks[0][0] == "check" and checks[0][1] not in text and rng.random() < 0.8:
            continue
        missing[passes] -= 1
        kinds_left -= {kind for kind, _, _ in checks}
        yield json.dumps({"checks": checks, "text": text, "pass": passes})
    assert not kinds_left, kinds_left


def main():
    try:
        import torch  # noqa: F401
    except ImportError:
        print("no PyTorch here", file=sys.stderr)
        return 1 if os.environ.get("TINE_REQUIRE_ORACLE") else 77
    lines = "".join(line + "\n" for line in table())
    if sys.argv[1:] != ["--check"]:
        TABLE.write_text(lines)
    elif TABLE.read_text() != lines:
        print(f"{TABLE} is not what TorchScript says; filecheck_table.py writes it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
