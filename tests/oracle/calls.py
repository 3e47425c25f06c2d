"""Calls of operators in TorchScript, written as tests/unit/ops/calls.h describes."""
import json
import re
import struct

import torch

functions = {}

# Operators whose numbers are their own affair.
RANDOM = set("""rand rand_like randn randn_like randint randint_like randperm bernoulli bernoulli_ uniform_ normal_ normal exponential_ random_ multinomial dropout
    dropout_""".split())


def draws(name, args):
    return name.split("::")[1] in RANDOM and not ("dropout" in name and args[2] is False)


def encode(v):
    if isinstance(v, torch.Tensor):
        dense = v.contiguous()
        return {"T": [str(v.dtype)[6:], list(v.shape), list(v.stride()), dense.reshape(-1).numpy().tobytes().hex()]}
    if isinstance(v, bool) or v is None or isinstance(v, (int, str)):
        return v
    if isinstance(v, float):
        return {"f": struct.pack(">d", v).hex()}
    if isinstance(v, list):
        return {"l": [encode(x) for x in v]}
    if isinstance(v, tuple):
        return {"t": [encode(x) for x in v]}
    if isinstance(v, dict):
        return {"d": [[encode(k), encode(x)] for k, x in v.items()]}
    if isinstance(v, torch.device):
        return {"device": str(v)}
    raise TypeError(type(v))


def typeOf(v):
    if isinstance(v, torch.Tensor):
        return "Tensor"
    if isinstance(v, bool):
        return "bool"
    if isinstance(v, torch.device):
        return "Device"
    return {int: "int", float: "float", str: "str"}[type(v)]


class Same:
    """An operand that is operand k again, or a view (sizes, strides, offset from its start), or a key of it."""

    def __init__(self, k, view=None, key=None):
        self.k, self.view, self.key = k, view, key

    def value(self, args):
        of = args[self.k]
        if self.view:
            return of.as_strided(self.view[0], self.view[1], of.storage_offset() + self.view[2])
        return list(of)[self.key] if self.key is not None else of

    def encode(self):
        if self.view:
            return {"V": [self.k, *self.view]}
        return {"K": [self.k, self.key]} if self.key is not None else {"S": self.k}


def compiled(name, types, results, repeated):
    """A function of the operator alone that gives (results, lists and dicts among the operands), and its schema."""
    inputs = ", ".join(f"%a{i} : {t}" for i, t in enumerate(types) if i not in repeated)
    operands = ", ".join(f"%a{repeated.get(i, i)}" for i in range(len(types)))
    # Python's lists and dicts are copied on the way in, so they come back beside the results.
    shared = [i for i, t in enumerate(types) if i not in repeated and re.search(r"\[\]$|^Dict", t)]
    head = ", ".join(f"%r{i} : {r}" for i, r in enumerate(results)) + (" = " if results else "")
    kinds = results + [types[i] for i in shared]
    names = [f"%r{i}" for i in range(len(results))] + [f"%a{i}" for i in shared]
    text = (f"graph({inputs}):\n  {head}{name}({operands})\n  %t : ({', '.join(kinds)}) = prim::TupleConstruct({', '.join(names)})\n"
            "  return (%t)\n")
    if text not in functions:
        graph = torch._C.parse_ir(text)
        node = next(iter(graph.nodes()))
        functions[text] = torch._C._create_function_from_graph("f", graph), node.schema(), shared
    return functions[text]


def run(name, args, types, results, tolerance=0, before=None):
    """The row of a call. `before(row)` sees it without its outcome. \\errors ValueError when no overload takes the types"""
    values = []
    for a in args:
        values.append(a.value(values) if isinstance(a, Same) else a)
    repeated = {i: a.k for i, a in enumerate(args) if isinstance(a, Same) and not a.view and a.key is None}
    function, schema, shared = compiled(name, types, results, repeated)
    if "no schema" in schema:
        raise ValueError(f"{name} {types}: {schema}")
    encoded = lambda given: [a.encode() if isinstance(a, Same) else encode(v) for a, v in zip(args, given)]
    row = {"op": schema.split("(")[0], "types": types, "args": encoded(values)}
    if before:
        before(row)
    before = json.dumps(row["args"])
    alias = None
    try:
        with torch.jit.optimized_execution(False):
            out = list(function(*[v for i, v in enumerate(values) if i not in repeated]))
        made, back = out[:len(results)], out[len(results):]
        row["result"] = encode(made[0]) if len(results) == 1 else encode(tuple(made)) if results else None
        if results == ["Tensor"] and made[0].numel():
            for i, v in enumerate(values):
                if alias is None and isinstance(v, torch.Tensor) and v.numel() and v.storage().data_ptr() == made[0].storage().data_ptr():
                    alias = i
        for i, value in zip(shared, back):
            values[i] = value
    except Exception as error:
        message = re.split(r"\n(?:RuntimeError|Error): ", str(error))[-1].strip()
        row["error"] = message.split("\n")[0]
    after = encoded(values)
    if json.dumps(after) != before:
        row["after"] = after
    if alias is not None:
        row["alias"] = alias
    if tolerance:
        row["tolerance"] = tolerance
    if draws(name, args):
        row["random"] = True
    return row
