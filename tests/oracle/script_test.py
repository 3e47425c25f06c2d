#!/usr/bin/env python3
"""Asks TorchScript again about every program under tests/files/script: the committed answers are what make_script.py writes, to the byte.
Exit code 77: no PyTorch."""
import os
import pathlib
import shutil
import sys
import tempfile

try:
    import torch
except ImportError:
    print("no PyTorch here", file=sys.stderr)
    sys.exit(1 if os.environ.get("TINE_REQUIRE_ORACLE") else 77)
if not torch.__version__.startswith("1.13"):
    print("the answers are those of TorchScript 1.13", file=sys.stderr)
    sys.exit(1 if os.environ.get("TINE_REQUIRE_ORACLE") else 77)
import make_code
import make_script

FILES = pathlib.Path(__file__).resolve().parent.parent / "files/script"

with tempfile.TemporaryDirectory() as directory:
    again = pathlib.Path(directory) / "script"
    shutil.copytree(FILES, again, ignore=shutil.ignore_patterns("*.ir", "*.json"))
    sys.argv[1:] = [str(again)]
    try:
        make_script.main()
    except SystemExit as end:
        assert end.code == 0, "some programs have no answer"
    make_code.main()
    wanted = {path.relative_to(FILES) for path in FILES.rglob("*") if path.suffix in (".ir", ".json")}
    made = {path.relative_to(again) for path in again.rglob("*") if path.suffix in (".ir", ".json")}
    assert wanted == made, wanted ^ made
    wrong = [str(path) for path in sorted(wanted) if (FILES / path).read_bytes() != (again / path).read_bytes()]
    assert not wrong, wrong
    print(len(wanted), "answers of TorchScript are what is committed")
