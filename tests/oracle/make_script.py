#!/usr/bin/python3
"""Makes what TorchScript says of the programs under tests/files/script, beside them.

Usage: make_script.py FOLDER [PATTERN]

For each NAME.py in FOLDER (only those that match PATTERN, as the shell's):
  NAME.ir    the graphs of its functions, in the order of the text, exactly as TorchScript prints them, under the name NAME.py; where there are several,
             the word before the parenthesis is the function's name, so that the file is one that Tine reads; after them the methods of its classes;
  NAME.json  who was asked ("script": torch.jit.script on the module that the text is; "unit": torch.jit.CompilationUnit on the text, where only that takes
             it; "python": neither takes it, or `# oracle: python` says that they are wrong, and Python itself ran it) and, for each `# run: main(...)`, the result as `tine run --json` prints it, what was printed, or the
             error's kind and the first line of its message, and Python's own where it differs.
And for FOLDER/wrong, refused.json: the first line of what TorchScript says of each wrong program; null where it takes it.
Needs Debian's python3-torch. The same bytes come out of every run: each program has a process of its own.
"""
import cmath
import enum
import fnmatch
import inspect
import json
import linecache
import math
import os
import pathlib
import pickle
import re
import resource
import sys
import tempfile
import types
import typing
import warnings

import torch


# --- what programs and arguments are made of ----------------------------------------------------------------------------------------------------

def ramp(*shape):
    return torch.linspace(-1, 1, math.prod(shape)).reshape(shape)


LITERALS = {"tensor": torch.tensor, "zeros": torch.zeros, "ones": torch.ones, "arange": torch.arange, "full": lambda *a: torch.full(a[:-1], a[-1]), "ramp": ramp,
            "inf": math.inf, "nan": math.nan, **{name: getattr(torch, name) for name in "float32 float64 int64 int32 uint8 bool".split() if name != "bool"}}
# What a program without imports may name all the same, as in text for torch.jit.CompilationUnit.
NAMES = {name: getattr(typing, name) for name in "Any Dict List NamedTuple Optional Tuple Union".split()}
NAMES.update(torch=torch, Tensor=torch.Tensor, Future=torch.futures.Future)


class Future:
    """Tine's future, as far as a program that runs at once can tell."""

    def __init__(self, function, *args, **kwargs):
        self.value_ = self.error = None
        try:
            self.value_ = function(*args, **kwargs)
            while isinstance(self.value_, Future) and function.__name__ == "flat":
                self.value_ = self.value_.wait()
        except Exception as error:
            self.error = error

    def wait(self):
        if self.error:
            raise self.error
        return self.value_

    value = wait

    def done(self):
        return True

    def then(self, function):
        def flat():
            return function(self.wait())

        return Future(flat)


class Subscripted(type):
    def __getitem__(cls, item):
        return cls


class FutureType(Future, metaclass=Subscripted):
    pass


def tine_names():
    """From here on torch's futures are Tine's."""
    wait_all = lambda futures: [future.wait() for future in futures]
    torch.jit.fork = torch.jit._fork = Future
    torch.jit.wait = torch.jit._wait = lambda future: future.wait()
    torch.futures.Future = NAMES["Future"] = FutureType
    torch.futures.wait_all = wait_all
    torch.futures.collect_all = lambda futures: Future(wait_all, futures)
    torch.futures.wait_any = lambda futures: futures[0].wait()


class Text:
    """A program: its text, its functions, its calls."""

    def __init__(self, path):
        self.file, self.name = path.name, path.stem
        self.text = path.read_bytes().decode("utf-8", "surrogateescape")
        self.functions = re.findall(r"^def (\w+)", self.text, re.M)
        self.calls = re.findall(r"^# run: (.*?\))(?: raises .*)?$", self.text, re.M)
        self.forced = re.findall(r"^# oracle: (\w+)", self.text, re.M)
        self.is_module = bool(re.search(r"^(?:import|from|@|class)\b", self.text, re.M))

    def module(self):
        """The module that the text is, so that places print as its file."""
        module = types.ModuleType(self.name)
        module.__file__ = self.file
        if not self.is_module or re.search(r"^import math", self.text, re.M) is None:
            module.__dict__.update(NAMES)
        sys.modules[self.name] = module
        linecache.cache[self.file] = (len(self.text), None, self.text.splitlines(True), self.file)
        exec(compile(self.text, self.file, "exec"), module.__dict__)
        return module

    def arguments(self, call):
        """The function of a call, and its arguments, made anew."""
        name, rest = call.split("(", 1)
        return name, eval("(" + rest[:-1] + ("," if rest[:-1] else "") + ")", dict(LITERALS))


# --- what comes out -----------------------------------------------------------------------------------------------------------------------------

def number(value):
    return str(value) if math.isnan(value) or math.isinf(value) else value


def encode(value):
    """As `tine run --json` prints it."""
    if isinstance(value, enum.Enum):
        return str(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return number(value)
    if isinstance(value, complex):
        return [number(value.real), number(value.imag)]
    if isinstance(value, torch.Tensor):
        data = [encode(v) for v in value.reshape(-1).tolist()]
        return {"tensor": {"dtype": str(value.dtype)[6:], "shape": list(value.shape), "data": data}}
    if isinstance(value, tuple):
        return {"tuple": [encode(v) for v in value]}
    if isinstance(value, (list, range)):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        return {"dict": [[encode(k), encode(v)] for k, v in value.items()]}
    if isinstance(value, torch.Size):
        return list(value)
    raise TypeError(f"no JSON for {type(value)}")


def described(error):
    """Kind and first line: of the innermost error that an interpreter's text quotes."""
    text = str(error)
    if "TorchScript" in text:
        quoted = re.findall(r"^(?:[\w.]+\.)?(\w*(?:Error|Exception)): (.*)$", text, re.M)
        kind, message = quoted[-1] if quoted else ("RuntimeError", text.strip().splitlines()[-1])
    else:
        kind, message = type(error).__name__, (text.strip().splitlines() or [""])[0]
    nested = re.fullmatch(r"(AssertionError|Exception|\w+Error): (.*)", message)
    if kind in ("RuntimeError", "Error") and nested:
        kind, message = nested.groups()
    return {"kind": kind, "message": message}


class Printed:
    """What goes to file descriptor 1 in the block."""

    def __enter__(self):
        sys.stdout.flush()
        self.saved, self.file, self.text = os.dup(1), tempfile.TemporaryFile(), ""
        os.dup2(self.file.fileno(), 1)
        return self

    def __exit__(self, *_):
        sys.stdout.flush()
        os.dup2(self.saved, 1)
        os.close(self.saved)
        self.file.seek(0)
        self.text = self.file.read().decode()
        self.file.close()


def outcome(function, arguments):
    out = {}
    with Printed() as printed:
        try:
            out["result"] = encode(function(*arguments))
        except Exception as error:
            out["error"] = described(error)
    if printed.text:
        out["printed"] = printed.text
    return out


# --- the two compilers --------------------------------------------------------------------------------------------------------------------------

def by_unit(program):
    unit = torch.jit.CompilationUnit(program.text)
    return {name: getattr(unit, name) for name in program.functions}


def by_script(program):
    module = program.module()
    functions = {name: torch.jit.script(getattr(module, name)) for name in program.functions}
    return {name: function for name, function in functions.items() if isinstance(function, torch.jit.ScriptFunction)}


def graphs_of_classes(program):
    """Static functions, then the methods of each class in the order of the text."""
    prefix = f"__torch__.{program.name}."
    compiled = {function.qualified_name[len(prefix):]: function for function in torch.jit._state._python_cu.get_functions() if function.qualified_name.startswith(prefix)}
    order = []
    for name in compiled:
        owner, _, method = name.rpartition(".")
        if not owner and name not in program.functions:
            order.append((-1, program.text.find(f"def {name}("), name))
        if owner:
            begin = program.text.find(f"class {owner}")
            plain = re.sub(r"^__(\w+)_[gs]etter$", r"\1", method)
            at = program.text.find(f"def {plain}(", begin)
            if method.endswith("_setter"):
                at = program.text.find(f"def {plain}(", at + 1)
            order.append((begin, at, name))
    return {prefix * ("." in name) + name: str(compiled[name].graph) for _, _, name in sorted(order)}


def printed_graphs(program, functions, who):
    graphs = {name: str(function.graph) for name, function in functions.items()}
    if who == "script":
        graphs.update(graphs_of_classes(program))
    text = "\n".join(graph if len(graphs) == 1 else name + graph[len("graph"):] for name, graph in graphs.items())
    return text.replace(" # <string>:", f" # {program.file}:") if who == "unit" else text


def said(error):
    """The first line of a refusal, without addresses."""
    return re.sub("0x[0-9a-f]+", "0x...", (str(error).strip() or type(error).__name__).splitlines()[0])


def compiled(program):
    """(who compiled it, its functions, the refusals)."""
    refusals = {}
    for who, how in [("script", by_script), ("unit", by_unit)]:
        if (who == "unit" and program.is_module) or (program.forced and who not in program.forced):
            continue
        try:
            return who, how(program), refusals
        except Exception as error:
            refusals[who] = said(error)
    return "python", {}, refusals


def answer(path):
    """(text of NAME.ir or None, lines of NAME.json, what to tell the user)."""
    program = Text(path)
    who, functions, refusals = compiled(program)
    graphs = printed_graphs(program, functions, who) if functions else None
    rows, notes = [], []
    with torch.jit.optimized_execution(False):
        compiled_outcomes = [outcome(functions[name], arguments) for name, arguments in map(program.arguments, program.calls)] if functions else []
    if who == "unit":
        notes.append("only unit: " + refusals.get("script", "the program says so"))
    try:
        if not functions:
            tine_names()
        sys.setrecursionlimit(100000)
        module = program.module()
        python = [outcome(getattr(module, name), arguments) for name, arguments in map(program.arguments, program.calls)]
    except Exception as error:
        if not functions:
            raise
        notes.append(f"python: {type(error).__name__}: {error}")
        python = compiled_outcomes
    for call, ours, theirs in zip(program.calls, compiled_outcomes or python, python):
        row = {"call": call, **ours}
        if "error" in ours and "error" in theirs and ours["error"] != theirs["error"]:
            row["error"] = {**ours["error"], "python": theirs["error"]}
        elif json.dumps(ours) != json.dumps(theirs) and "error" not in theirs:
            notes.append(f"{call}: {ours} but in python {theirs}")
        rows.append(row)
    head = {"oracle": who}
    if refusals and not functions:
        head["refused"] = next(iter(refusals.values()))
    return graphs, head, rows, notes


def refusal(path):
    """The first line of what is wrong with a program; None when TorchScript takes it."""
    program = Text(path)
    try:
        by_script(program)
    except Exception as error:
        return said(error)[:200]


# --- the run ------------------------------------------------------------------------------------------------------------------------------------

def ask(question, path):
    """The answer to a question about a program, from a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            result = question(path)
        except BaseException as error:
            result = error.__class__.__name__ + ": " + str(error)
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(result, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else "the process crashed"


def json_text(head, rows):
    """One call a line, so that differences can be read."""
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    fields = "".join(f' {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n' for key, value in head.items())
    return "{\n" + fields + ' "calls": [\n' + lines + "\n ]\n}\n"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    warnings.filterwarnings("ignore")
    folder, pattern = pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else "*"
    counts, failed = {}, 0
    for path in sorted(folder.glob("*.py")):
        if not fnmatch.fnmatch(path.stem, pattern):
            continue
        result = ask(answer, path)
        if isinstance(result, str):
            print(f"{path.stem}: {result}", file=sys.stderr)
            failed += 1
            continue
        graphs, head, rows, notes = result
        counts[head["oracle"]] = counts.get(head["oracle"], 0) + 1
        for note in notes:
            print(f"{path.stem}: {note}")
        if graphs:
            path.with_suffix(".ir").write_text(graphs, encoding="utf-8")
        path.with_suffix(".json").write_text(json_text(head, rows), encoding="utf-8")
    refused = {path.stem: ask(refusal, path) for path in sorted((folder / "wrong").glob("*.py")) if fnmatch.fnmatch("wrong", pattern)}
    if refused:
        (folder / "wrong/refused.json").write_text(json.dumps(refused, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
    print(f"{len(refused)} wrong programs, {sum(r is None for r in refused.values())} of them accepted")
    print(f"{sum(counts.values())} programs: " + ", ".join(f"{count} by {who}" for who, count in sorted(counts.items())) + f"; {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
