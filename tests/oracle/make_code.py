#!/usr/bin/python3
"""Makes FOLDER/code.json: what TorchScript's serializer writes of each function and method of the programs there that it takes (`f.code`).

Usage: make_code.py FOLDER
Needs Debian's python3-torch."""
import json
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_script  # noqa: E402


def codes(path):
    """By name; methods and static functions by that of the graph in NAME.ir."""
    program = make_script.Text(path)
    who, functions, _ = make_script.compiled(program)
    found = {name: function.code for name, function in functions.items()}
    if who == "script":
        prefix = f"__torch__.{program.name}."
        compiled = {function.qualified_name: function.code for function in torch.jit._state._python_cu.get_functions()}
        for name in make_script.graphs_of_classes(program):
            found[name] = compiled[name if name.startswith(prefix) else prefix + name]
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    found = {}
    for path in sorted(folder.glob("*.py")):
        texts = make_script.ask(codes, path)
        if isinstance(texts, dict) and texts:
            found[path.stem] = texts
    (folder / "code.json").write_text(json.dumps(found, indent=1, ensure_ascii=True) + "\n")
    print(sum(map(len, found.values())), "functions of", len(found), "programs")


if __name__ == "__main__":
    main()
