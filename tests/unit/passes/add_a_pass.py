"""Does what docs/add_a_pass.md says, in another folder: add_a_pass.py PAGE PASSES_DEF FOLDER.

Writes the page's source, the table with the page's row in its place, and the page's file test.
"""
import pathlib
import re
import sys

page, table, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
text = page.read_text()
source = re.search(r"^`passes/(\w+)\.cpp`:\n\n```cpp\n(.*?)^```", text, re.S | re.M)
row = re.search(r'`(TINE_PASS\("(\w+)".*\))`', text)
test = re.search(r"^\* `tests/files/passes/(\w+)\.ir`.*?^```\n(.*?)^```", text, re.S | re.M)
assert source[1] == row[2] == test[1], "one name"

lines = table.read_text().splitlines(True)
after = [i for i, line in enumerate(lines) if line.startswith("TINE_PASS(") and line < row[1]]
rows = [i for i, line in enumerate(lines) if line.startswith("TINE_PASS(")]
lines.insert(after[-1] + 1 if after else rows[0], row[1] + "\n")

folder.mkdir(parents=True, exist_ok=True)
(folder / "added.cpp").write_text(source[2])
(folder / "passes.def").write_text("".join(lines))
(folder / "added.ir").write_text(test[2])
