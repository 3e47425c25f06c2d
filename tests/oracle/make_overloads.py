#!/usr/bin/python3
"""Makes frontend/script/overloads.def: TorchScript's schemas of the operators that programs call, in its order.

Usage: make_overloads.py > frontend/script/overloads.def
The operators are those of ops/ops.def, and those that the graphs under tests/files call. Needs Debian's python3-torch."""
import pathlib
import re

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MORE = """upper lower capitalize title swapcase strip lstrip rstrip split rsplit splitlines partition rpartition join find rfind index rindex count replace
startswith endswith isdigit isalpha isalnum isdecimal isnumeric isspace isupper islower isidentifier isprintable istitle expandtabs center ljust rjust zfill format
sort sorted remove reverse insert extend pop clear copy append divmod chr hex oct bin round hash complex fmod index index_put_ gcd factorial degrees radians
sin cos tan asin acos atan atan2 sinh cosh tanh exp expm1 log log2 log10 log1p fabs copysign isnan isinf isfinite gamma lgamma erf erfc trunc ldexp frexp modf
mathremainder lcm _unwrap_optional reciprocal neg size""".split()


def names():
    found = {"aten::" + name for name in MORE}
    found |= set(re.findall(r'"((?:aten|prim)::\w+)[.(]', (ROOT / "ops/ops.def").read_text()))
    for file in (ROOT / "tests/files").rglob("*.ir"):
        found |= set(re.findall(r"= ((?:aten|prim)::\w+)\(", file.read_text(encoding="utf-8", errors="replace")))
    return sorted(found)


def main():
    print("""// TorchScript's overloads of the operators that programs call, in the order in which it tries them:
// strings between commas. Which one is taken, and what numbers values get, depends on the order.
// Made by tests/oracle/make_overloads.py. \\source TorchScript 1.13.1's schemas
""")
    for name in names():
        for schema in torch._C._jit_get_schemas_for_operator(name):
            text = str(schema)
            if "-> ..." in text or re.search(r"__torch__|Storage|QScheme", text):
                continue
            quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            print(f'"{quoted}",')


if __name__ == "__main__":
    main()
