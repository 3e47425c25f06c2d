#!/usr/bin/python3
"""Makes what TorchScript says of modules whose methods are source: tests/files/modules/NAME.json.

Usage: make_modules.py FOLDER

Of the modules that DEFINED describes: what they have, the text that `define` gets, the graph of each method exactly as TorchScript prints it, and results of calls.
Of the modules that ARCHIVED makes: the text under code/ of the archive that torch.jit.save writes, its constants, the object with its attributes, the graphs of the methods
as TorchScript prints them after loading, without places, and results of calls. Values are literals as `tine run` takes them.
Needs Debian's python3-torch. The same bytes come out of every run: each module has a process of its own.
"""
import io
import json
import pathlib
import pickle
import re
import sys
import warnings
import zipfile
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import nn

from make_script import LITERALS, ask, encode

# --- modules as C++ makes them ------------------------------------------------------------------------------------------------------------------

SCALE = {"name": "Scale", "parameters": {"w": "tensor([1.0, 2.0, 3.0])"}, "define": ["""def forward(self, x):
    return x * self.w
def scaled(self, x, by: int = 2) -> Tensor:
    return self.forward(x) * by
"""]}
DEFINED = {
    "define_forward": ({"name": "Net", "parameters": {"w": "tensor([1.0, 2.0])"}, "define": ["def forward(self, x):\n    return x + self.w\n"]}, ["forward(ones(2))"]),
    "define_forks_own_method": ({"name": "Net", "parameters": {"w": "tensor([1.0, 2.0, 3.0])"}, "buffers": {"b": "ones(3)"}, "define": ["""def scale(self, x: Tensor, n: int = 2) -> Tensor:
    return x * n + self.w
def forward(self, x):
    f = torch.jit.fork(self.scale, x)
    g = torch.jit.fork(self.scale, x, n=3)
    return f.wait() - self.b + torch.jit.wait(g)
"""]}, ["forward(ramp(3))", "scale(ramp(3))", "scale(ramp(3), 5)"]),
    "define_forks_submodule": ({"name": "Net", "modules": {"left": SCALE, "right": {**SCALE, "name": "Other"}}, "define": ["""def forward(self, x):
    a = torch.jit.fork(self.left.forward, x)
    b = torch.jit.fork(self.right.scaled, x, by=3)
    c = torch.jit.fork(self.left, x)
    return a.wait() + b.wait() + c.wait() + self.right(x)
"""]}, ["forward(ramp(3))"]),
    "define_changes_attributes": ({"name": "Net", "attributes": {"calls": ("0", "int"), "seen": ("[]", "List[str]"), "best": ("None", "Optional[float]"), "sums": ("{}", "Dict[str, float]"),
                                                                "limits": ("(1, 2.5)", "Tuple[int, float]")}, "define": ["""def note(self, name: str, value: float):
    self.calls += 1
    self.seen.append(name)
    self.sums[name] = value
    best = self.best
    if best is None or best < value:
        self.best = value
def forward(self, x):
    self.note("a", float(x.sum()))
    self.note("b", self.limits[1])
    return self.calls, self.seen, self.best, self.sums
"""]}, ["forward(ones(2))", "forward(zeros(2))"]),
    "define_loops_of_forks": ({"name": "Net", "modules": {"sub": SCALE}, "attributes": {"k": ("3", "int")}, "define": ["""def forward(self, x):
    fs = [torch.jit.fork(self.sub.scaled, x, by=i) for i in range(self.k)]
    s = self.sub.forward(x)
    for f in fs:
        s = s + torch.jit.wait(f)
    return s + self.sub.w, self.twice(len(fs))
def twice(self, a: int):
    return a * self.k
"""]}, ["forward(ones(3))", "twice(4)"]),
    "define_nested_modules": ({"name": "Net", "modules": {"mid": {"name": "Mid", "modules": {"low": SCALE}, "define": ["""def forward(self, x, n: int):
    if n == 0:
        return self.low(x)
    return torch.jit.wait(torch.jit.fork(self.low.scaled, x, n))
"""]}}, "define": ["""def forward(self, x):
    low = self.mid.low
    f = torch.jit.fork(self.mid.forward, x, 4)
    return low.scaled(x) + f.wait() + self.mid(x, 0) + low.w
"""]}, ["forward(ramp(3))"]),
    "define_twice_in_turn": ({"name": "Net", "attributes": {"n": ("2", "int")}, "define": ["def first(self, x: int) -> int:\n    return x + self.n\n", "def forward(self, x: int):\n    f = torch.jit.fork(self.first, x)\n    return f.wait() * self.first(1)\n"]},
                             ["forward(5)", "first(3)"]),
    "define_local_functions": ({"name": "Net", "parameters": {"w": "ones(2)"}, "define": ["""def forward(self, x, n: int):
    def task():
        return x * n + self.w
    f = torch.jit.fork(task)
    return f.wait()
"""]}, ["forward(ramp(2), 3)"]),
    "define_optional_module_state": ({"name": "Net", "attributes": {"h": ("None", "Optional[Tensor]")}, "define": ["""def forward(self, x):
    h = self.h
    if h is None:
        h = torch.zeros_like(x)
    h = torch.tanh(h + x)
    self.h = h
    return h
"""]}, ["forward(ones(2))", "forward(ones(2))"]),
}


# --- modules that torch.jit.save writes ---------------------------------------------------------------------------------------------------------

class Pair(NamedTuple):
    first: torch.Tensor
    second: Optional[int]


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start

    def step(self, by: int) -> int:
        self.count += by
        return self.count


def shifted(x, by: int = 1):
    return x + by


class NestedFork(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 9).reshape(3, 3))

    def leaf(self, x, n: int):
        for i in range(n):
            x = torch.relu(torch.matmul(x, self.w)) + x
        return x

    def branch(self, x, n: int):
        if n <= 0:
            return torch.tanh(torch.matmul(x, self.w))
        left = torch.jit.fork(self.leaf, x, n - 1)
        right = torch.jit.fork(self.leaf, x * 0.5, n - 1)
        return torch.jit.wait(left) + torch.jit.wait(right)

    def forward(self, x):
        futures: List[torch.jit.Future[torch.Tensor]] = []
        for i in range(6):
            futures.append(torch.jit.fork(self.branch, x + float(i), i % 4))
        total = torch.zeros_like(x)
        for future in futures:
            total = total + torch.jit.wait(future)
        return total


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        self.parts = nn.ModuleList([nn.Linear(3, 2), nn.Linear(3, 2)])
        for i, parameter in enumerate(self.parameters()):
            parameter.data = torch.linspace(-1, 1 + i, parameter.numel()).reshape(parameter.shape)

    def forward(self, x):
        futures = [torch.jit.fork(part, x) for part in self.parts]
        out = self.layers(x)
        for future in futures:
            out = out + future.wait()
        return out


class Mixed(nn.Module):
    names: List[str]
    best: Optional[float]

    def __init__(self):
        super().__init__()
        self.names = ["a", "b"]
        self.best = None
        self.limit: torch.jit.Final[int] = 3
        self.table = {"x": 1, "y": 2}
        self.register_buffer("b", torch.ones(2))

    def pair(self, x) -> Pair:
        return Pair(x + self.b, None if len(self.names) > self.limit else self.limit)

    @torch.jit.export
    def note(self, name: str, value: float) -> int:
        self.names.append(name)
        if self.best is None or value > torch.jit._unwrap_optional(self.best):
            self.best = value
        counter = Counter(self.table["y"])
        f = torch.jit.fork(counter.step, 5)
        return f.wait() + counter.step(1)

    def forward(self, x):
        p = self.pair(x)
        second = p.second
        assert second is not None, "a second"
        f = torch.jit.fork(shifted, p.first, second)
        weights = torch.tensor([2.0, 3.0])
        return {"sum": f.wait() * weights, "first": shifted(p.first)}, self.names, self.best


class Constants(nn.Module):
    def forward(self, x):
        y = torch.cat([x, torch.jit.annotate(List[torch.Tensor], [x, x])[1]])
        while bool(y.sum() < 100.0):
            y = y * 2
            if y.numel() > 100:
                raise ValueError("too many")
        z = float("inf")
        return y, min(z, 2.5), "text\n\"quoted\"", 1e-7, -3


class Bias(nn.Module):
    def __init__(self):
        super().__init__()
        self.sub = NestedFork()

    def forward(self, x):
        return self.sub(x) + torch.ones(3)


ARCHIVED = {
    "archive_nested_fork": (NestedFork, {}, ["forward(ramp(2, 3))", "branch(ramp(1, 3), 2)", "leaf(ramp(1, 3), 3)"]),
    "archive_sequence": (Sequence, {}, ["forward(ramp(2, 3))"]),
    "archive_mixed": (Mixed, {}, ['forward(ramp(2))', 'note("c", 2.5)', 'forward(ramp(2))']),
    "archive_constants": (Constants, {}, ["forward(ones(2, 2))"]),
    "archive_frozen": (Bias, {"freeze": True}, ["forward(ramp(2, 3))"]),
    "archive_traced": (Bias, {"trace": "ramp(2, 3)"}, ["forward(ramp(2, 3))"]),
}


# Why graphs of Tine's are others.
DIFFERS = {
    "archive_constants": {"forward": "text of archives has -3 as one literal; Tine folds the minus, as torch.jit.script does, and numbers the result"},
    "define_loops_of_forks": {"forward": "define places a comprehension at its element, torch.jit.script, as Tine, at its bracket"},
    "define_nested_modules": {"forward": "Python's define knows a local variable that is a module by another name; in Tine it is a variable"},
}


# --- values as text -----------------------------------------------------------------------------------------------------------------------------

def literal(value):
    """As ArgumentReader takes it."""
    if isinstance(value, torch.Tensor):
        return f"tensor({value.tolist()}, dtype={str(value.dtype)[6:]})"
    if isinstance(value, (list, tuple)):
        items = ", ".join(literal(item) for item in value)
        return f"[{items}]" if isinstance(value, list) else f"({items},)"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, str):
        return json.dumps(value)
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    raise TypeError(f"no literal of {value!r}")


def evaluated(text):
    return eval(text, dict(LITERALS))


def call_rows(module, calls):
    rows = []
    with torch.no_grad(), torch.jit.optimized_execution(False):
        for call in calls:
            name, rest = call.split("(", 1)
            arguments = evaluated("(" + rest[:-1] + ("," if rest[:-1] else "") + ")")
            rows.append({"call": call, "result": encode(getattr(module, name)(*arguments))})
    return rows


def graphs_of(module, places):
    """Of the methods of a module and those below it, by path."""
    graphs = {}
    for path, part in [("", module._c)] + [(path, sub._c) for path, sub in module.named_modules() if path]:
        for name in sorted(part._method_names()):
            text = str(part._get_method(name).graph)
            graphs[f"{path}.{name}".lstrip(".")] = text if places else re.sub(r" # \S*:\d+:\d+$", "", text, flags=re.M)
    return graphs


# --- the two questions --------------------------------------------------------------------------------------------------------------------------

def made(spec):
    """The module of a description, with its methods."""
    module = type(spec["name"], (nn.Module,), {})()
    for name, value in spec.get("parameters", {}).items():
        module.register_parameter(name, nn.Parameter(evaluated(value)))
    for name, value in spec.get("buffers", {}).items():
        module.register_buffer(name, evaluated(value))
    for name, (value, kind) in spec.get("attributes", {}).items():
        setattr(module, name, torch.jit.Attribute(evaluated(value), eval(kind, {**globals(), "Tensor": torch.Tensor})))
    for name, sub in spec.get("modules", {}).items():
        setattr(module, name, made(sub))
    scripted = torch.jit.script(module)
    for text in spec["define"]:
        scripted.define(text)
    return scripted


def defined(name):
    spec, calls = DEFINED[name]
    module = made(spec)
    return {"module": spec, "graphs": graphs_of(module, True), "calls": call_rows(module, calls)}


def described(module, declared):
    """An object with what its class declares."""
    name = str(module._type())
    values = {attribute: module.getattr(attribute) for attribute in declared[name]}
    return {"class": name, "attributes": {attribute: described(value, declared) if isinstance(value, torch._C.ScriptModule) else literal(value) for attribute, value in values.items()}}


def attributes_of(qualifier, text):
    """By class, the attributes that a text under code/ declares and that are no constants."""
    declared, current = {}, None
    for line in text.splitlines():
        if found := re.match(r"class (\w+)\(", line):
            current = declared.setdefault(f"{qualifier}.{found[1]}", [])
        elif found := re.match(r'  (?:__annotations__\["(\w+)"\] = |(?!__)(\w+) : (?!Final))', line):
            current.append(found[1] or found[2])
    return declared


def archived(name):
    make, how, calls = ARCHIVED[name]
    module = make()
    module = torch.jit.trace(module, evaluated(how["trace"])) if "trace" in how else torch.jit.script(module)
    if "freeze" in how:
        module = torch.jit.freeze(module.eval())
    data = io.BytesIO()
    torch.jit.save(module, data)
    loaded = torch.jit.load(io.BytesIO(data.getvalue()))
    archive = zipfile.ZipFile(io.BytesIO(data.getvalue()))
    texts, declared = {}, {}
    for entry in archive.namelist():
        path = entry.split("/", 1)[1]
        if path.startswith("code/") and path.endswith(".py"):
            qualifier = path[5:-3].replace("/", ".")
            texts[qualifier] = archive.read(entry).decode()
            declared.update(attributes_of(qualifier, texts[qualifier]))
    return {"archive": texts, "constants": [literal(constant) for constant in constants_of(archive)], "object": described(loaded._c, declared), "graphs": graphs_of(loaded, False), "calls": call_rows(loaded, calls)}


def constants_of(archive):
    """The tensors of constants.pkl."""
    root = archive.namelist()[0].split("/")[0]

    class Unpickler(pickle.Unpickler):
        def find_class(self, module, name):
            if name == "_rebuild_tensor_v2":
                return lambda storage, offset, size, stride, *_: torch.as_strided(storage, size, stride, offset)
            return name if name.endswith("Storage") else super().find_class(module, name)

        def persistent_load(self, saved):
            dtype = {"FloatStorage": torch.float32, "LongStorage": torch.int64, "DoubleStorage": torch.float64}[saved[1]]
            return torch.frombuffer(bytearray(archive.read(f"{root}/constants/{saved[2]}")), dtype=dtype)

    return Unpickler(io.BytesIO(archive.read(f"{root}/constants.pkl"))).load()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    warnings.filterwarnings("ignore")
    folder, failed = pathlib.Path(sys.argv[1]), 0
    for question, names in ((defined, DEFINED), (archived, ARCHIVED)):
        for name in names:
            result = ask(question, name)
            if isinstance(result, str):
                print(f"{name}: {result}", file=sys.stderr)
                failed += 1
                continue
            if name in DIFFERS:
                result["differs"] = DIFFERS[name]
            (folder / f"{name}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
