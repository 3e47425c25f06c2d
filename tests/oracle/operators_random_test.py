#!/usr/bin/python3
"""Calls every overload of `tine ops` with seeded random operands in TorchScript and in Tine, and compares.

    operators_random_test.py [--calls=20] [--seed=1] [--only=aten::add] [--all] [--write]

Prints a table: of each overload the calls, those that return, those that raise, those where both raise in other words, those
that differ on purpose (docs/operators.md says why), and those that differ. The exit code is 1 when one differs, 77 without
PyTorch. `--all` shows every row and not only the remarkable ones. `--write` keeps calls that agree in
tests/unit/ops/random.jsonl, which needs no PyTorch; with `--only`, it leaves the rows of other overloads alone.
TINE names the command; its tests lie beside it.
"""
import argparse
import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings

try:
    import torch
except ImportError:
    print("no PyTorch here", file=sys.stderr)
    sys.exit(1 if os.environ.get("TINE_REQUIRE_ORACLE") else 77)
import calls
from draw import Draw, operands

HERE = pathlib.Path(__file__).resolve().parent
TINE = pathlib.Path(os.environ.get("TINE", HERE.parent.parent / "build/release/tine"))
KEPT = 4  # calls of an overload that --write keeps

# Not called here: they act outside of the program, or concern futures or enums, which other tests cover; or no types choose them, since
# another overload takes the same before.
LEFT_OUT = ("prim::Print", "aten::warn", "tine::", "prim::Enum", "aten::eq.enum(", "aten::ne.enum(", "aten::pow.int_to_int(", "aten::Float.int(", "aten::numpy_T.a(", "aten::split(")

# Relative, for operators whose results are not the same to the bit: functions that libraries compute, and sums in another order.
FUNCTIONS = set("""exp exp2 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid erf erfc pow atan2 gelu silu elu
    softplus softmax log_softmax logsumexp std var norm reciprocal lgamma digamma mish selu celu hardswish hardsigmoid logaddexp leaky_relu lerp addcmul addcdiv linspace
    arcsin arccos arctan arcsinh arccosh arctanh arctan2""".split())
SUMS = set("sum mean prod mm bmm matmul linear addmm mv dot baddbmm cumsum cumprod nansum outer index_add scatter_add index_put cross std_mean var_mean".split())


def tolerance(name):
    base = name.split("::")[1].rstrip("_")
    return 1e-5 if base in FUNCTIONS else 1e-4 if base in SUMS else 0


def numbers(value):
    """All numbers of an encoded value, floats too."""
    import struct
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, (int, float)):
        return [value]
    if isinstance(value, list):
        return [n for v in value for n in numbers(v)]
    if "f" in value:
        return [struct.unpack(">d", bytes.fromhex(value["f"]))[0]]
    if "T" in value:
        dtype, _, _, data = value["T"]
        if dtype == "bool":
            return []
        return torch.frombuffer(bytearray.fromhex(data), dtype=getattr(torch, dtype)).tolist() if data else []
    return [n for k in ("l", "t", "d") if k in value for n in numbers(value[k])]


def huge(row):
    """Some number of the operands fits no int64, or is NaN."""
    return any(isinstance(n, float) and not abs(n) < 2.0**31 for n in numbers(row["args"]))


# (reason, does it explain the difference?): the rows of docs/operators.md.
ON_PURPOSE = []


def on_purpose(reason):
    return lambda f: ON_PURPOSE.append((reason, f)) or f


@on_purpose("casts of floats that an integer type cannot hold")
def _(row, detail):
    return huge(row) and "error" not in row and any(t.startswith(("int", "uint")) for t in dtypes(row["result"]) + dtypes(row.get("after")))


@on_purpose("casts to an integer dtype in `fill_`, `to`, `copy_`")
def _(row, detail):
    return "OverflowError" in detail and huge(row)


@on_purpose("texts of C++ exceptions, of Python's where they are Python's")
def _(row, detail):
    return row.get("error", "").startswith(("stoll", "stod", "basic_string::", "vector::reserve"))


@on_purpose("operators of a Scalar compute in int32 or float32")
def _(row, detail):
    exact = not row["op"].startswith(("aten::degrees", "aten::radians")) and all(abs(n) < 2**31 and n == int(n) for n in numbers(row["args"]))
    return row["types"] == ["Scalar"] and ("error" in row or not exact)


@on_purpose("ints above 2**53 go through floats")
def _(row, detail):
    return row["op"] in ("aten::floor.int", "aten::ceil.int", "aten::round.int") and abs(row["args"][0]) > 2**53


@on_purpose("bounds and steps near the limits of int64")
def _(row, detail):
    return row["op"] == "aten::slice.Tensor" and row["args"][4] >= 2**62 or "is_symbolic" in row.get("error", "") or "as a SymInt" in row.get("error", "")


@on_purpose("bytes of a string that are no text")
def _(row, detail):
    return "codec can't decode" in row.get("error", "")


@on_purpose("shifts by fewer bits than none or more than there are")
def _(row, detail):
    return "shift" in row["op"] and any(not 0 <= n < 64 or n >= 8 * ITEM.get(dtypes(row["args"][0])[0], 8) for n in numbers(row["args"][1]))


@on_purpose("internal errors of TorchScript")
def _(row, detail):
    return "INTERNAL ASSERT FAILED" in row.get("error", "")


@on_purpose("the sign of a zero, which depends on the loop or the library")
def _(row, detail):
    return detail.startswith("the sign of a zero") and row["op"].split("::")[1].split(".")[0].rstrip("_") in ("gelu", "max", "min", "maximum", "minimum", "clamp", "clamp_min", "clamp_max")


@on_purpose("masks that are neither of bool nor of uint8")
def _(row, detail):
    return row["op"].startswith(("aten::masked_fill", "aten::masked_scatter")) and "expected mask dtype to be Bool" in detail


@on_purpose("an empty string replaced or counted")
def _(row, detail):
    return row["op"] in ("aten::replace", "aten::count", "aten::rsplit") and row["args"][1] == ""


@on_purpose("a list of ints is summed in int32")
def _(row, detail):
    return row["op"] == "aten::sum.int" and sum(map(abs, numbers(row["args"]))) >= 2**31


@on_purpose("int arithmetic that overflows")
def _(row, detail):
    return row["op"] == "aten::remainder.int" and any(abs(n) >= 2**62 for n in row["args"])


@on_purpose("a float64 of a script rounds to float32 first")
def _(row, detail):
    return row["op"] == "aten::tensor.float" and dtypes(row.get("result")) == ["float64"]


@on_purpose("what `empty` holds")
def _(row, detail):
    return row["op"].startswith(("aten::empty", "aten::new_empty")) and "result" in row and "Error" not in detail


@on_purpose("a list appended to itself")
def _(row, detail):
    return row["op"] in ("aten::add_.t", "aten::extend.t") and row["args"][1] == {"S": 0}


@on_purpose("in-place operators on views that overlap")
def _(row, detail):
    return row["op"].split(".")[0].endswith("_") and any(isinstance(a, dict) and "V" in a for a in row["args"])


@on_purpose("a copy to no dtype at all is one of uint8")
def _(row, detail):
    return row["op"].startswith("aten::to.prim_") and None in row["args"] and dtypes(row.get("result")) == ["uint8"]


@on_purpose("the element type of an empty list")
def _(row, detail):
    return row["op"] == "aten::tensor" and row["args"][0] == {"l": []}


@on_purpose("divmod of an int and a float in float32")
def _(row, detail):
    return row["op"] in ("aten::divmod.int_float", "aten::divmod.float_int") and (detail.startswith("the sign of a zero") or any(n != torch.tensor(n, dtype=torch.float32).item() for n in map(float, numbers(row["args"]))))


@on_purpose("an int cut to 32 bits before its factorial")
def _(row, detail):
    return row["op"] == "aten::factorial.int" and not -(2**31) <= row["args"][0] < 2**31


@on_purpose("the mean beside a variance when there are infinities")
def _(row, detail):
    return row["op"].startswith(("aten::std_mean", "aten::var_mean")) and any(n in (float("inf"), -float("inf")) for n in numbers(row["args"]))


ITEM = {"uint8": 1, "int8": 1, "int16": 2, "int32": 4}


def dtypes(value):
    if isinstance(value, dict):
        return [value["T"][0]] if "T" in value else [d for k in ("l", "t", "d") if k in value for d in dtypes(value[k])]
    if isinstance(value, list):
        return [d for v in value for d in dtypes(v)]
    return ["int64"] if isinstance(value, int) and not isinstance(value, bool) else []


def schemas(only):
    listed = subprocess.run([TINE, "ops"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [line for line in listed if line.startswith(tuple(only or ("aten::", "prim::"))) and not line.startswith(LEFT_OUT)]


def ask_oracle(work, path):
    """Writes the row of each (schema, seed). In a child, since some calls end TorchScript's process."""
    at = 0
    with open(path, "w", encoding="ascii") as out:
        while at < len(work):
            out.flush()
            child = os.fork()
            if child == 0:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                try:
                    for schema, seed in work[at:]:
                        signal.alarm(5)  # ends the process, as a crash does
                        out.write(row_of(schema, seed, lambda row: (out.write("@" + json.dumps(row, separators=(",", ":")) + "\n"), out.flush())) + "\n")
                    out.flush()
                    os._exit(0)
                except BaseException:  # of draw.py: what the parent has to clean up is not the child's
                    print(f"{schema} {seed}\n{traceback.format_exc()}", flush=True)
                    os._exit(1)
            _, status = os.waitpid(child, 0)
            lines = [line for line in pathlib.Path(path).read_text("ascii").split("\n") if line]
            died = os.WIFSIGNALED(status) and lines[-1].startswith("@")
            rows = [line for line in lines if not line.startswith("@")]
            if died:
                rows.append(json.dumps({**json.loads(lines[-1][1:]), "died": status}, separators=(",", ":")))
            elif status:
                raise SystemExit(f"the oracle's process failed with status {status}")
            out.seek(0)
            out.truncate()
            out.write("".join(row + "\n" for row in rows))
            at = len(rows)
    return [json.loads(line) for line in pathlib.Path(path).read_text("ascii").splitlines()]


def row_of(text, seed, before):
    schema = torch._C.parse_schema(text)
    draw = Draw(f"{seed} {text}")
    args, types, results = operands(draw, schema)
    try:
        return json.dumps(calls.run(schema.name, args, types, results, tolerance(schema.name), before), separators=(",", ":"))
    except Exception as error:
        return json.dumps({"refused": str(error), "op": text.split("(")[0], "types": types})


def ask_tine(rows, directory):
    verdicts = []
    while len(verdicts) < len(rows):
        given, taken = directory / "calls", directory / "verdicts"
        given.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows[len(verdicts):]), "ascii")
        ended = subprocess.run([TINE.parent / "tests/unit_ops", "--gtest_filter=Table.JudgesForTheOracle"], capture_output=True, text=True, timeout=300,
                               env={**os.environ, "TINE_CALLS": str(given), "TINE_VERDICTS": str(taken)})
        verdicts += [json.loads(line) for line in taken.read_text("ascii").splitlines()]
        if len(verdicts) < len(rows):
            verdicts.append([2, f"the process ends with {ended.returncode}: {(ended.stdout + ended.stderr)[:600]}"])
    return verdicts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)

    known = schemas(options.only)
    work = [(schema, f"{options.seed}.{i}") for schema in known for i in range(options.calls)]
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        rows = ask_oracle(work, directory / "rows")
        assert len(rows) == len(work)
        called = [i for i, row in enumerate(rows) if "refused" not in row]
        verdicts = dict(zip(called, ask_tine([rows[i] for i in called], directory)))

    table = collections.OrderedDict((schema, collections.Counter()) for schema in known)
    examples, reasons, kept = [], collections.Counter(), []
    for i, ((schema, seed), row) in enumerate(zip(work, rows)):
        count = table[schema]
        count["calls"] += 1
        if i not in verdicts:
            count["refused"] += 1
            examples.append((schema, seed, row, "TorchScript takes no such types: " + row["refused"].replace("\n", " ")))
            continue
        if row["op"] != schema.split("(")[0]:
            count["elsewhere"] += 1
        count["died" if "died" in row else "raises" if "error" in row else "returns"] += 1
        kind, detail = verdicts[i]
        reason = next((reason for reason, explains in ON_PURPOSE if kind and explains(row, detail)), None)
        if reason:
            count["on purpose"] += 1
            reasons[reason] += 1
        elif kind:
            count[("", "words", "differ")[kind]] += 1
            examples.append((schema, seed, row, detail))
        elif count["kept"] < KEPT and "died" not in row:
            count["kept"] += 1
            kept.append(json.dumps(row, separators=(",", ":")))

    columns = ["calls", "returns", "raises", "died", "elsewhere", "words", "on purpose", "refused", "differ"]
    print(f"{'overload':44}" + "".join(f"{c:>11}" for c in columns))
    for schema, count in table.items():
        if options.all or any(count[c] for c in columns[5:]) or not count["returns"]:
            print(f"{schema.split('(')[0]:44}" + "".join(f"{count[c] or '':>11}" for c in columns))
    total = sum(table.values(), collections.Counter())
    print(f"{f'{len(table)} overloads':44}" + "".join(f"{total[c]:>11}" for c in columns))
    for reason, count in reasons.most_common():
        print(f"on purpose: {reason}: {count}")
    shown = collections.Counter()
    for schema, seed, row, detail in examples:
        shown[schema, detail.startswith("operand")] += 1
        if shown[schema, detail.startswith("operand")] <= 3:
            print(f"\n{seed} {json.dumps(row)[:1500]}\n  but is {detail[:600]}")
    if options.write:
        file = HERE.parent / "unit/ops/random.jsonl"
        called = {schema.split("(")[0] for schema in known}
        others = [row for row in file.read_text("ascii").splitlines() if json.loads(row)["op"] not in called] if options.only else []
        file.write_text("\n".join(others + kept) + "\n", "ascii")
    return 1 if total["differ"] or total["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
