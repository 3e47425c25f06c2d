#!/usr/bin/python3
"""Makes FOLDER/code.json: what TorchScript's serializer writes of each function of the programs there that it takes (`f.code`).

Usage: make_code.py FOLDER
Classes and what uses them are left out. Needs Debian's python3-torch."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_script  # noqa: E402


def codes(path):
    _, functions, _ = make_script.compiled(make_script.Text(path))
    return {name: function.code for name, function in functions.items()}


def main():
    folder = pathlib.Path(sys.argv[1])
    found = {}
    for path in sorted(folder.glob("*.py")):
        texts = make_script.ask(codes, path)
        if isinstance(texts, dict) and texts and not path.stem.startswith(("class_", "enum_", "interface", "named_tuple", "no_grad", "with_")):
            found[path.stem] = texts
    (folder / "code.json").write_text(json.dumps(found, indent=1, ensure_ascii=True) + "\n")
    print(sum(map(len, found.values())), "functions of", len(found), "programs")


if __name__ == "__main__":
    main()
