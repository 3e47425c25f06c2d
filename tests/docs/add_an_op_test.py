#!/usr/bin/env python3
"""Follows docs/add_an_op.md: its row and its kernel go into a copy of ops/, which is compiled and linked before the library; the
command must then print what the page says, and run the operator.

    add_an_op_test.py BUILD SOURCE    with the build's compile_commands.json and library
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

build, source = (pathlib.Path(arg).resolve() for arg in sys.argv[1:])
page = (source / "docs/add_an_op.md").read_text()
blocks = dict(re.findall(r"^ *```(def|cpp)\n(.*?)^ *```", page.split("## To Tine")[1], re.M | re.S))
row, kernel = blocks["def"].strip(), blocks["cpp"]
printed = page.rsplit("```", 2)[1]  # the last block
commands = {entry["file"]: entry for entry in json.loads((build / "compile_commands.json").read_text())}


def compiled(path, copy, out):
    """Compiles the copy as the build compiles the original; the copied headers come first."""
    command = commands[str(source / path)]["command"].split(" -o ")[0].split()
    if "ccache" in command[0]:
        command = command[1:]
    compiler, *flags = command
    subprocess.run([compiler, f"-I{copy.parent.parent}", *flags, "-O0", "-c", str(copy), "-o", str(out)], check=True, cwd=build)
    return str(out)


with tempfile.TemporaryDirectory() as directory:
    root = pathlib.Path(directory)
    shutil.copytree(source / "ops", root / "ops")
    table, code = root / "ops/ops.def", root / "ops/aten_math.cpp"
    mark = "// The outside, and futures."
    assert table.read_text().count(mark) == 1
    table.write_text(table.read_text().replace(mark, row + "\n\n" + mark))
    before, brace, after = code.read_text().rpartition("}")
    code.write_text(before + kernel + "\n" + brace + after)

    # The copy's own includes of ops/ must find the copy, so it is compiled with its folder before the source's.
    objects = [compiled(f"ops/{name}.cpp", root / f"ops/{name}.cpp", root / f"{name}.o") for name in ("ops", "aten_math")]
    link = subprocess.run(["ninja", "-t", "commands", "-s", "tine"], check=True, cwd=build, capture_output=True, text=True).stdout.strip().splitlines()[-1]
    tine = root / "tine"
    words = next(part for part in link.split(" && ") if " -o " in part).split()
    at = words.index("-o")
    words[at + 1] = str(tine)
    main = next(i for i, word in enumerate(words) if word.endswith(".o"))
    subprocess.run([*words[: main + 1], *objects, *words[main + 1:]], check=True, cwd=build)

    shown = subprocess.run([tine, "ops", "aten::hypot"], check=True, capture_output=True, text=True).stdout
    assert shown.strip() == printed.strip(), shown
    graph = root / "hypot.ir"
    graph.write_text("graph(%a : Tensor, %b : Tensor):\n  %c : Tensor = aten::hypot(%a, %b)\n  return (%c)\n")
    result = subprocess.run([tine, "run", graph, "tensor([3., 5.])", "tensor([4., 12.])"], check=True, capture_output=True, text=True).stdout
    assert result == "tensor([ 5., 13.])\n", result
print("the page's operator is in the table, prints, and runs")
