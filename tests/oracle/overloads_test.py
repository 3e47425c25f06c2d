#!/usr/bin/env python3
"""frontend/script/overloads.def is what make_overloads.py writes today: the operators of ops/ops.def and of the graphs under tests/files.
Exit code 77: no PyTorch."""
import difflib
import os
import pathlib
import subprocess
import sys

try:
    import torch
except ImportError:
    print("no PyTorch here", file=sys.stderr)
    sys.exit(1 if os.environ.get("TINE_REQUIRE_ORACLE") else 77)
if not torch.__version__.startswith("1.13"):
    print("the schemas are those of TorchScript 1.13", file=sys.stderr)
    sys.exit(1 if os.environ.get("TINE_REQUIRE_ORACLE") else 77)

HERE = pathlib.Path(__file__).resolve().parent
made = subprocess.run([sys.executable, HERE / "make_overloads.py"], check=True, capture_output=True, text=True).stdout
committed = (HERE.parent.parent / "frontend/script/overloads.def").read_text()
if made != committed:
    print(*list(difflib.unified_diff(committed.splitlines(), made.splitlines(), "committed", "made", lineterm="", n=0))[:40], sep="\n")
    sys.exit("run tests/oracle/make_overloads.py > frontend/script/overloads.def")
print(committed.count('\n"'), "overloads are TorchScript's")
