#!/usr/bin/python3
"""Makes the graph dumps that tests read, exactly as TorchScript prints them.

Usage: make_dumps.py OUTDIR [PATTERN]

Writes *.ir and REFUSED.md in OUTDIR/torchscript and OUTDIR/trace; with PATTERN (as the shell's) only the jobs whose name matches, and
no REFUSED.md. Needs Debian's python3-torch. The same bytes come out of every run: each job has a process of its own, so that counters of names and
mangled classes start afresh, weights are written out or seeded, and programs are compiled under the name "programs.py".
"""
import fnmatch
import linecache
import math
import os
import pickle
import re
import sys
import traceback
import types
import warnings

import torch
from torch import Tensor

START = os.getcwd()
HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = {}


def load(name, file="programs.py", text=None):
    """The module programs.py, compiled so that its places print as FILE."""
    if text is None:
        with open("programs.py", encoding="utf-8") as source:
            text = source.read()
    module = types.ModuleType(name)
    module.__file__ = file
    sys.modules[name] = module
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), module.__dict__)
    return module


os.chdir(HERE)
P = load("programs")


def job(function):
    """Registers a function that returns {file name: graph or text}."""
    JOBS[function.__name__] = function
    return function


def texts(dumps):
    return {name: dump if isinstance(dump, str) else str(dump) for name, dump in dumps.items()}


def ramp(*shape, dtype=torch.float32):
    return torch.linspace(-1, 1, math.prod(shape)).reshape(shape).to(dtype)


# --- scripted functions -------------------------------------------------------------------------------------------------------------------------

CONSTANTS = """ints floats complexes strings strings_wide bools_none lists dicts tuples optional_elements devices""".split()
FOLDED = """folded repeated ints floats strings strings_wide lists dicts tuples optional_elements devices complexes""".split()
FLOW = """branches early loops refined failing printed text comprehension slices dictionary swap math_scalars torch_calls inplace typed_tolist
any_value uses_helper nested_depth statements_only with_block named_tuple enums interfaces classes containers containers_more unions
ignored""".split()
LATER = "remote_calls remote_types named_defaults awkward_defaults".split()
FORKS = """fork_kwargs fork_builtin fork_deep fork_loop fork_comprehension fork_while fork_dict fork_tuple_of fork_branches fork_one_branch
fork_argument fork_twice fork_results fork_returned fork_of_future fork_unwaited fork_raising fork_class fork_optional fork_enum
fork_scalar fork_early fork_types fork_zip with_fork fork_class_itself""".split()
INLINED = "uses_helper with_block classes named_tuple comprehension".split() + FORKS
BARE = "early refined printed classes strings_wide fork_kwargs fork_deep fork_loop fork_branches fork_enum fork_argument".split()


def scripted(name):
    def run():
        graph = torch.jit.script(getattr(P, name)).graph
        dumps = {f"script_{name}.ir": graph}
        if name in INLINED:
            dumps[f"scriptinl_{name}.ir"] = torch.jit.script(getattr(P, name)).inlined_graph
        if name in BARE:
            dumps[f"noloc_{name}.ir"] = graph.str(False)
        return dumps

    run.__name__ = f"script_{name}"
    job(run)


def refused(name):
    """A program that TorchScript does not compile; should it do so, its graph."""

    def run():
        return {f"script_{name}.ir": torch.jit.script(getattr(P, name)).graph}

    run.__name__ = f"refused/{name}"
    job(run)


def folded(name):
    def run():
        graph = torch.jit.script(getattr(P, name)).graph.copy()
        torch._C._jit_pass_inline(graph)
        torch._C._jit_pass_constant_propagation(graph)
        dumps = {f"folded_{name}.ir": str(graph)}
        if name in ("folded", "repeated"):
            torch._C._jit_pass_constant_pooling(graph)
            dumps[f"pooled_{name}.ir"] = str(graph)
            torch._C._jit_pass_cse(graph)
            dumps[f"canonical_{name}.ir"] = torch._C._jit_pass_canonicalize(graph, False)
        return dumps

    run.__name__ = f"folded_{name}"
    job(run)


for each in CONSTANTS + ["folded", "repeated"] + FLOW + FORKS + LATER:
    scripted(each)
for each in "fork_nothing fork_lambda fork_local fork_recursive fork_then fork_done fork_starred".split():
    refused(each)
for each in FOLDED:
    folded(each)


def transformed(name, steps):
    def run():
        graph = torch.jit.script(getattr(P, name)).graph.copy()
        for step in steps:
            result = getattr(torch._C, "_jit_pass_" + step)(graph)
            graph = result if isinstance(result, torch._C.Graph) else graph
        return {f"passes_{name}.ir": graph}

    run.__name__ = f"passes_{name}"
    job(run)


transformed("fork_deep", ["inline", "canonicalize"])
transformed("fork_argument", ["inline", "inline_fork_wait", "dce"])
transformed("fork_kwargs", ["inline", "lower_all_tuples", "cse", "canonicalize"])
transformed("unions", ["constant_propagation", "dce"])
transformed("loops", ["loop_unrolling", "constant_propagation"])
transformed("nested_depth", ["peephole", "cse"])
transformed("inplace", ["remove_mutation"])
transformed("slices", ["remove_inplace_ops"])
transformed("comprehension", ["create_functional_graphs"])
transformed("torch_calls", ["create_functional_graphs", "canonicalize"])
transformed("math_scalars", ["erase_number_types"])


# --- constants that no source text gives --------------------------------------------------------------------------------------------------------


def constants(values):
    graph = torch._C.Graph()
    for value in values:
        graph.registerOutput(graph.insertConstant(value))
    return graph


def add_input(graph, name):
    value = graph.addInput()
    value.setDebugName(name)
    return value


@job
def constant_tensors():
    inf, nan = math.inf, math.nan
    every = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool]
    kinds = {
        "scalar": [torch.tensor(v, dtype=d) for d in every for v in (0, 1)],
        "scalar_values": [torch.tensor(v) for v in (2.5, 1 / 3, -0.0, 1e-5, 1e5, 123456.0, 1234567.0, 1e10, 1e20, 1e-20, 3.4e38, inf, -inf, nan, True,
                                                    False, 9223372036854775807, -9223372036854775808, 2**53 + 1, 1e15, 16777217)]
        + [torch.tensor(v, dtype=torch.float64) for v in (1 / 3, 0.1, 1e300, 5e-324, 123456789.0)]
        + [torch.tensor([v]) for v in (1.5, 7)] + [torch.tensor([[[v]]]) for v in (1.5, True)]
        + [torch.tensor(1 / 3, dtype=torch.float16), torch.tensor(65504, dtype=torch.float16), torch.tensor(1 / 3, dtype=torch.bfloat16)],
        "dtype": [torch.tensor([0, 1, 2], dtype=d) for d in every] + [torch.tensor([-1, 1, 100], dtype=d) for d in every if d != torch.uint8],
        "size": [torch.zeros(n) for n in range(13)] + [torch.arange(n) for n in range(13)] + [torch.zeros(n, dtype=torch.bool) for n in (2, 10, 11)],
        "empty": [torch.zeros(0), torch.zeros(0, 2), torch.zeros(2, 0), torch.zeros(1, 0, 3), torch.zeros(0, dtype=torch.int64),
                  torch.zeros(0, dtype=torch.bool), torch.zeros(0, dtype=torch.float64), torch.zeros(0, 0, 0, 0)],
        "shape": [ramp(2, 3), ramp(3, 2), ramp(1, 5), ramp(5, 1), ramp(2, 2, 2), ramp(1, 3, 3), ramp(3, 1, 1), ramp(2, 2, 2, 1), ramp(1, 1, 2, 5),
                  ramp(1, 2, 1, 2, 2), torch.arange(8).reshape(2, 2, 2), torch.arange(6).reshape(1, 2, 3, 1), torch.arange(10).reshape(2, 5),
                  torch.tensor([[True, False], [False, True]])],
        "magnitude": [torch.tensor(v) for v in ([1e-5, 1.0], [1e-5, 1e5], [1e-5, 2e-5], [1e5, 2e5], [1e5, 2.5], [1.0, 1000.0], [0.1, 99999.0],
                                                [0.1, 100000.0], [1e10, 1.0], [1e10, 2e10], [1e38, 1e-38], [1e-10, 2e-10], [123456.0, 654321.0],
                                                [1e6, 1e-6], [99999.0, 1.0], [100000.0, 1.0], [0.5, 0.25], [1000.5, 2.0], [12345.678, 0.001],
                                                [1e-4, 1.5], [1e8, 1.5], [0.0, 1e-7], [0.0, 1e9], [-1.5, 2.0], [-1e-5, 1e5], [1.0, 10.0, 1e4],
                                                [1.0, 1e15], [3.0, 1e9], [1.0, 123456789.0])]
        + [torch.tensor([[1e-5, 1.0], [2.0, 1e4]]), torch.tensor([[1e5, 2.5], [1e6, 1.0]]), torch.tensor([[[1e5, 2.5]], [[1.0, 0.1]]])],
        "nonfinite": [torch.tensor(v) for v in ([inf, 1.0], [-inf, inf], [nan, 1.5], [nan, nan], [inf, 1e10], [nan, 1e-5], [-inf, nan, 2.0])]
        + [torch.tensor([[inf, -inf], [nan, 0.5]]), torch.tensor([inf, 1.5], dtype=torch.float16), torch.tensor([nan, 1.0], dtype=torch.float64)],
        "double": [torch.tensor(v, dtype=torch.float64) for v in ([0.1, 0.2], [1e-300, 1e300], [1e100, 2e100], [1 / 3, 2 / 3], [1e16, 1.0],
                                                                 [2.0**53, 1.0], [1234567.125, 0.5])],
        "integer": [torch.tensor(v) for v in ([1, -1], [1, 1000000], [-5, 12345678901], [9223372036854775807, -9223372036854775808], [0, 0],
                                              [100, 99, 9], [10**15, 1], [10**16, 1])]
        + [torch.tensor([255, 0], dtype=torch.uint8), torch.tensor([-128, 127], dtype=torch.int8)],
        "complex": [torch.tensor(v) for v in (1 + 2j, [1 + 2j], [1 + 2j, 3.5 - 4.5j], [[1j, 2], [3, 4]])]
        + [torch.tensor(1.5 - 0.5j, dtype=torch.complex128), torch.tensor([0.1j, 1e10], dtype=torch.complex128), torch.zeros(11, dtype=torch.complex64)],
        "strided": [ramp(2, 3).t(), ramp(4)[::2], torch.ones(1).expand(2, 3), ramp(1, 2, 2, 2).contiguous(memory_format=torch.channels_last),
                    ramp(12)[::2], ramp(3, 4).t()[1:]],
        "quantized": [torch.quantize_per_tensor(torch.ones(2), 0.1, 1, torch.quint8), torch.quantize_per_tensor(torch.ones(1), 0.5, 0, torch.qint8),
                      torch.quantize_per_channel(torch.ones(2, 2), torch.tensor([0.1, 0.2]), torch.tensor([0, 1]), 0, torch.qint8),
                      torch.quantize_per_tensor(torch.ones(11), 0.1, 1, torch.qint32)],
    }
    return {f"constant_tensor_{kind}.ir": constants(values) for kind, values in kinds.items()}


@job
def constant_values():
    t = torch.tensor
    ladder = [list(range(n)) for n in (1, 2, 3, 10, 11, 30)]
    return {
        "constant_lists.ir": constants(ladder + [[1.0, 0.1, 1e10, 1e17, -0.0, math.inf, -math.inf, math.nan], [True, False], ["a", "é", '"\n'], [1j, 1.5 - 2.5j],
                                                 [None], [None, None], [[1], [2, 3]], [[[1.5]]], [["a"]], [[True]], [(1, "a"), (2, "b")], [{"a": 1}],
                                                 [9223372036854775807, -9223372036854775808]]),
        "constant_tuples.ir": constants([(), (1,), ((),), (((),),), (1, 2), (1, "a", None, True, 1.5, 2j), ((1, 2), (3, (4,))), ([1, 2], ["a"]),
                                         ({"a": 1}, 2), (torch.device("cpu"), 1), (t(1), t([1.5, 2.5])), (t([[1, 2], [3, 4]]), None),
                                         (torch.zeros(11),), (t(1 + 2j),), (1, [t(1)])]),
        "constant_dicts.ir": constants([{"a": 1}, {"a": 1, "b": 2}, {1: "x", 2: "y"}, {1.5: True}, {True: 1.5}, {"a": [1, 2]}, {"a": {"b": {"c": 1}}},
                                        {"a": (1, "b")}, {"a": t(2)}, {"a": t([1, 2])}, {"é": "中"}, {1: [[1.5]]}, {"a": torch.zeros(11)}, {2j: 1}]),
        "constant_tensor_lists.ir": constants([[t(1)], [t(1), t(2)], [torch.zeros(2, 3)], [[t(1)]], [{"a": t(1)}]]),
        "constant_devices.ir": constants([torch.device(d) for d in ("cpu", "cuda", "cuda:1", "meta", "mps", "xpu:2", "cpu:0")]
                                         + [torch.float32, torch.int64, torch.bool, torch.bfloat16, torch.strided, torch.sparse_coo]),
        "constant_strings.ir": constants([bytes([b]).decode("latin-1") for b in range(256)] + ["".join(map(chr, range(128))), "é中😀", "\\n", "\0001"]),
        "constant_floats.ir": constants([v * s for s in (1, -1) for v in (
            0.0, 1.0, 0.5, 0.1, 0.2, 1 / 3, 2 / 3, 1e-1, 1e-4, 1e-5, 1.5e-5, 1e-10, 1e-100, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 100.0,
            1e9, 9999999999.0, 9999999999.5, 1e10, 1e10 + 0.5, 12345678901.0, 1e11, 1e15, 1e16, 1e17, 1e18, 1e100, 2.0**53, 2.0**63, 123456.789,
            3.141592653589793, math.inf, math.nan)]),
        "constant_complex.ir": constants([complex(a, b) for a in (0.0, -0.0, 1.0, 0.1, 1e10, 1e17, math.inf, math.nan) for b in (0.0, -0.0, -1.0, 0.1, 1e17, math.nan)]),
        "constant_ints.ir": constants([s * 2**n + d for n in (0, 7, 31, 32, 53, 62) for s in (1, -1) for d in (0, 1)] + [2**63 - 1, -(2**63)]),
    }


@job
def attribute_kinds():
    graph, inner = torch._C.Graph(), torch._C.Graph()
    inner.registerOutput(add_input(inner, "x"))

    def node(kind, outputs=0):
        return graph.insertNode(graph.create(kind, outputs))

    int_, future, tensor = torch._C.IntType.get(), torch._C.FutureType(torch._C.TensorType.get()), torch._C.TensorType.get()
    n = node("test::scalars")
    n.i_("i", -1), n.f_("f", 1e10), n.s_("s", 'a"é\r'), n.t_("t", torch.tensor(1.5)), n.ty_("ty", future)
    n = node("test::lists", 1)
    n.is_("is", [1, -2]), n.fs_("fs", [1.0, 0.1, math.nan, 1e17]), n.ss_("ss", ["a", "b\n"]), n.ts_("ts", [torch.tensor(1)]), n.tys_("tys", [int_, future])
    n = node("test::empty", 2)
    n.is_("is", []), n.fs_("fs", []), n.ss_("ss", []), n.ts_("ts", []), n.tys_("tys", []), n.gs_("gs", [])
    n = node("test::graphs")
    n.g_("g", inner), n.gs_("gs", [inner, inner])
    n = node("test::tensors")
    n.t_("a", torch.tensor([1, 2])), n.t_("b", torch.zeros(20)), n.t_("c", torch.zeros(0)), n.t_("d", torch.tensor([[0.5, 1e-5]]))
    return {"attribute_kinds.ir": graph}


@job
def groups():
    """Subgraphs of every kind that prints as a group, with further attributes, in blocks and in each other."""

    def body(label, then=None):
        inner = torch._C.Graph()
        x = add_input(inner, "x")
        n = inner.insertNode(inner.create("test::" + label, [x], 1))
        if then is not None:
            n = inner.insertNode(inner.create(then[0], [n.output()], 1))
            n.g_("Subgraph", then[1])
        inner.registerOutput(n.output())
        return inner

    graph = torch._C.Graph()
    x = add_input(graph, "x")
    cond = add_input(graph, "cond")
    cond.setType(torch._C.BoolType.get())
    value = x
    kinds = """prim::fork prim::Closure prim::DifferentiableGraph prim::FusionGroup prim::CudaFusionGroup prim::TensorExprGroup prim::FunctionalGraph
    prim::FallbackGraph prim::StaticSubgraph prim::BailoutTemplate prim::MKLDNNGroup prim::oneDNNFusionGroup test::custom""".split()
    for kind in kinds:
        n = graph.insertNode(graph.create(kind, [value], 1))
        n.g_("Subgraph", body(kind.split("::")[1].lower()))
        value = n.output()
    n = graph.insertNode(graph.create("prim::fork", [value], 1))
    n.i_("before", 1), n.g_("Subgraph", body("attributes")), n.s_("after", "x")
    branch = graph.insertNode(graph.create("prim::If", [cond], 1))
    for i in range(2):
        block = branch.addBlock()
        n2 = block.addNode("prim::fork", [value])
        n2.g_("Subgraph", body("branch%d" % i, ("prim::fork", body("inner%d" % i, ("prim::Closure", body("innermost"))))))
        block.registerOutput(n2.output())
    n3 = graph.insertNode(graph.create("prim::DifferentiableGraph", [branch.output()], 2))
    n3.g_("Subgraph", body("last", ("prim::fork", body("nested")))), n3.i_("ignored", 1)
    graph.registerOutput(n3.outputsAt(0))
    return {"groups.ir": graph, "noloc_groups.ir": graph.str(False)}


@job
def names():
    """Names that passes and users give; odd ones are keywords, numbers, operators and what only the printer can bear."""
    plain = "x.1 x.y.2 _ _1 __module.layer a.b.c.d self input.1 input.1 Block X9 x.007 value scope block0 with".split()
    odd = "onnx::Add_1 1.5 x.1e5 if in is None return graph def True 1x x-y /layer/Conv_output_0 x+y é 中.1 x? x# x:y x=y".split() + ["weird name!"]
    dumps = {}
    for file, every in (("names", plain), ("names_odd", odd)):
        graph = torch._C.Graph()
        value = add_input(graph, "x")
        for name in every:
            node = graph.insertNode(graph.create("test::op", [value], 1))
            node.output().setDebugName(name)
            value = node.output()
        graph.registerOutput(value)
        dumps[file + ".ir"] = graph
    return dumps


@job
def typed_values():
    """Types that few programs show."""
    graph = torch._C.Graph()
    tensor = torch._C.TensorType.get()
    C = torch._C
    every = [C.AnyType.get(), C.BoolType.get(), C.ComplexType.get(), C.DeviceObjType.get(), C.FloatType.get(), C.IntType.get(), C.NoneType.get(),
             C.NumberType.get(), C.PyObjectType.get(), C.StreamObjType.get(), C.StringType.get(), C.SymIntType.get(), tensor]
    made = [C.ListType(t) for t in every] + [C.OptionalType(t) for t in every if t is not C.NoneType.get()] + [C.FutureType(t) for t in every] + [C.RRefType(t) for t in every]
    made += [C.DictType(C.StringType.get(), t) for t in every] + [C.TupleType([t]) for t in every]
    made += [C.TupleType([]), C.TupleType([C.TupleType([]), C.TupleType(every)]), C.UnionType(every[1:3] + every[4:7]), C.UnionType([C.IntType.get(), C.ListType(tensor)])]
    future, rref = C.FutureType(tensor), C.RRefType(tensor)
    pair = C.TupleType([C.IntType.get(), tensor])
    made += [C.FutureType(future), C.ListType(future), C.OptionalType(C.ListType(future)), C.ListType(C.OptionalType(future)), C.DictType(C.IntType.get(), future),
             C.DictType(C.StringType.get(), C.ListType(future)), C.DictType(C.StringType.get(), C.DictType(C.StringType.get(), C.OptionalType(future))),
             C.ListType(C.DictType(C.StringType.get(), rref)), C.FutureType(C.DictType(C.StringType.get(), future)), C.ListType(C.FutureType(pair)),
             C.TupleType([future, C.ListType(C.FutureType(C.TupleType([future]))), rref]), C.UnionType([future, C.IntType.get()]), C.RRefType(future),
             C.FutureType(C.OptionalType(pair)), C.OptionalType(C.FutureType(C.ListType(rref))), C.DictType(C.StringType.get(), pair),
             C.UnionType([C.IntType.get(), C.FutureType(C.ListType(C.StringType.get())), C.NoneType.get()]), C.ListType(C.ListType(C.ListType(C.OptionalType(tensor)))),
             C.OptionalType(C.UnionType([C.IntType.get(), C.StringType.get()])), C.FutureType(C.UnionType([C.IntType.get(), C.StringType.get()]))]
    for t in every + made:
        add_input(graph, "v").setType(t)
    return {"typed_values.ir": graph}


@job
def typed_tensors():
    """Tensor types as passes leave them, and nested in other types."""
    C = torch._C
    graph = C.Graph()
    exact = [C.TensorType.create_from_tensor(t) for t in (torch.zeros(()), torch.zeros(2), torch.zeros(2, 3), torch.zeros(0), torch.zeros(1, 0, 2), torch.zeros(2, 3).t(),
                                                          torch.zeros(1).expand(3, 4), torch.zeros(2, 2, requires_grad=True), torch.zeros(2, 3, device="meta"),
                                                          torch.zeros(2, dtype=torch.bool), torch.zeros(2, dtype=torch.complex64),
                                                          torch.zeros(2, dtype=torch.complex128), torch.zeros(2, dtype=torch.complex32),
                                                          torch.zeros(1, 2, 3, 4).contiguous(memory_format=torch.channels_last), torch.zeros(2, 3).to_sparse())]
    loose = [C.TensorType.getInferred()] if hasattr(C.TensorType, "getInferred") else []
    loose += [t.with_device(torch.device(d)) for t in (C.TensorType.get(), exact[2]) for d in ("cpu", "cuda", "cuda:1", "meta", "mps", "xpu:2")]
    loose += [t.contiguous() for t in exact[1:8]]
    for size in ([2, 3], [None, 3], [None, None], [], [1, 2, 3, 4, 5, 6]):
        loose.append(exact[2].with_sizes(size))
        loose.append(C.TensorType.get().with_sizes(size))
    for dtype in (torch.float64, torch.int8, torch.bool, torch.bfloat16, torch.complex64, torch.qint8):
        loose.append(C.TensorType.get().with_dtype(dtype))
        loose.append(exact[2].with_dtype(dtype))
    every = exact + loose
    every += [make(t) for t in (exact[1], exact[2], C.TensorType.get().with_dtype(torch.float64), loose[-1]) for make in
              (C.ListType, C.OptionalType, C.FutureType, C.RRefType, lambda t: C.TupleType([t, t]), lambda t: C.DictType(C.StringType.get(), t),
               lambda t: C.FutureType(C.TupleType([t])), lambda t: C.UnionType([t, C.IntType.get()]), lambda t: C.ListType(C.FutureType(t)))]
    for t in every:
        add_input(graph, "v").setType(t)
    return {"typed_tensors.ir": graph}


@job
def parsed_types():
    """What the parser of TorchScript accepts and prints otherwise."""
    types_ = ["Float(2, 3)", "Float(*, 3)", "Float(*, *)", "Float(2, 3, strides=[3, 1])", "Float(2, requires_grad=1)", "Float(2, device=cpu)", "Double(2, device=cuda:0)",
              "Long()", "Float(2, *, 3, device=cpu, requires_grad=0)", "Float(SS(-1), 2, SS(-2))", "Half(2)", "BFloat16(3)", "Bool(1)", "QInt8(2)", "t", "t[]",
              "Scalar", "ScalarType", "Layout", "MemoryFormat", "Generator", "Storage", "Stream", "QScheme", "Quantizer", "Capsule", "AnyClassType", "AnyEnumType",
              "Dimname", "SymInt", "Device", "None", "NoneType", "Future(t)", "Dict(str, t)", "(t, int)", "Float(2)[]", "Float(2)?"]
    inputs = ",\n      ".join(f"%{i} : {t}" for i, t in enumerate(types_))
    return {"parsed_types.ir": torch._C.parse_ir(f"graph({inputs}):\n  return (%0)\n")}


# --- modules ------------------------------------------------------------------------------------------------------------------------------------


def methods(prefix, module, names_=("forward",), inlined=False):
    dumps = {}
    for name in names_:
        graph = getattr(module, name).graph
        dumps[f"{prefix}_{name}.ir"] = graph
        if inlined:
            dumps[f"{prefix}_{name}_inlined.ir"] = getattr(module, name).inlined_graph
    return dumps


@job
def modules():
    dumps = methods("module_affine", torch.jit.script(P.Affine(2)), ("forward", "helper", "exported"))
    dumps.update(methods("module_stack", torch.jit.script(P.Stack()), inlined=True))
    return dumps


@job
def module_interface():
    return methods("module_interface", torch.jit.script(P.WithInterface()))


@job
def module_fork():
    module = torch.jit.script(P.ForkStack())
    dumps = methods("module_fork", module, inlined=True)
    dumps["noloc_module_fork.ir"] = module.graph.str(False)
    dumps["frozen_module_fork.ir"] = torch.jit.freeze(module.eval()).graph
    return dumps


@job
def module_pool():
    module = torch.jit.script(P.Pool())
    dumps = methods("module_pool", module, inlined=True)
    dumps["module_pool_worker.ir"] = module.chosen.graph
    dumps["noloc_module_pool.ir"] = module.graph.str(False)
    dumps["frozen_module_pool.ir"] = torch.jit.freeze(module.eval()).graph
    return dumps


@job
def frozen_forks():
    """Graphs that a freeze of a module inlines into their forks."""
    dumps = {}
    for name in ("ForkModule", "ForkModuleKeyword", "ForkModuleNested"):
        traced = trace_of(getattr(P, name)().eval(), torch.tensor([1.0, 2.0, 3.0]))
        dumps[f"frozen_traced_{name}.ir"] = torch.jit.freeze(traced.eval()).graph
    return dumps


@job
def module_mangled():
    """Two modules whose classes differ only in their attributes, so that one name is mangled; and classes of one name in two files."""
    other = load("programs_again", "programs.py")
    other.Affine.__module__ = "programs"
    torch.jit.script(P.Affine(7))
    return methods("module_mangled", torch.jit.script(torch.nn.Sequential(P.Affine(1), other.Affine(2), P.Gate(), other.Gate())), inlined=True)


@job
def frozen_affine():
    module = P.Affine(3).eval()
    script = torch.jit.script(module)
    return {"frozen_affine.ir": torch.jit.freeze(script).graph, "frozen_affine_exported.ir": torch.jit.freeze(script, ["exported"]).exported.graph}


@job
def frozen_attributes():
    return {"frozen_attributes.ir": torch.jit.freeze(torch.jit.script(P.Attributes().eval())).graph, "script_attributes.ir": torch.jit.script(P.Attributes()).graph}


@job
def frozen_tensors():
    values = [torch.tensor([0.1, 1e-5, math.inf]), ramp(2, 2, 2), torch.zeros(12)]
    return {"frozen_tensors.ir": torch.jit.freeze(torch.jit.script(P.TensorConstants(values).eval())).graph}


@job
def frozen_network():
    torch.manual_seed(1)
    network = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Dropout(0.5), torch.nn.Linear(8, 2))
    frozen = torch.jit.freeze(torch.jit.script(network.eval()))
    return {"noloc_frozen_network.ir": frozen.graph.str(False)}


@job
def strings_of_source():
    """Programs given as text: places name no file, or an odd one."""
    unit = torch.jit.CompilationUnit()
    unit.define("def first(x: Tensor, n: int=3) -> Tensor:\n    for i in range(n):\n        x = x + i\n    return x\n"
                "def second(x):\n    if bool(x.sum() > 0):\n        y = first(x, n=2)\n    else:\n        y = first(x)\n    return y\n")
    text = "import torch\ndef odd(x: torch.Tensor):\n    return task(x) + torch.jit.fork(task, x).wait()\ndef task(x: torch.Tensor):\n    return x + 1 # comment\n"
    dumps = {"unit_first.ir": unit.first.graph, "unit_second.ir": unit.second.graph}
    for name, file in (("spaces", "a dir/my program.py"), ("colon", "C:\\x:1:2.py"), ("wide", "é/中.py"), ("dots", "../a-b/c.d.py"), ("hash", "a # b.py:3:4")):
        dumps[f"place_{name}.ir"] = torch.jit.script(load("odd_" + name, file, text).odd).graph
    return dumps


# --- traces, shapes, executors ------------------------------------------------------------------------------------------------------------------


def trace_of(function, *inputs, **options):
    return torch.jit.trace(function, inputs, check_trace=False, **options)


@job
def traced():
    x = ramp(2, 3)
    dumps = {"traced_simple.ir": trace_of(P.traced_simple, x, x).graph,
             "traced_views.ir": trace_of(P.traced_views, x).graph,
             "traced_strides.ir": trace_of(P.traced_views, ramp(3, 2).t()).graph,
             "traced_dtypes.ir": trace_of(P.traced_dtypes, x).graph,
             "traced_lists.ir": trace_of(P.traced_lists, x).graph,
             "traced_grad.ir": trace_of(P.traced_simple, ramp(2, 3).requires_grad_(), x).graph,
             "traced_zero_dim.ir": trace_of(P.traced_simple, torch.tensor(2), torch.tensor(1.5)).graph,
             "traced_empty.ir": trace_of(P.traced_simple, ramp(0, 3), ramp(1, 3)).graph}
    for dtype in (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, torch.complex64, torch.complex128):
        dumps[f"traced_{str(dtype).split('.')[1]}.ir"] = trace_of(P.square, ramp(2, 3, dtype=dtype)).graph
    return dumps


@job
def traced_module():
    module = P.Plain()
    result = trace_of(module, ramp(3), ramp(3), strict=False)
    return {"traced_module.ir": result.graph, "traced_module_inlined.ir": result.inlined_graph, "traced_module_layer.ir": getattr(result.layers, "0").graph, "traced_module_layer1.ir": getattr(result.layers, "1").graph}


@job
def traced_scopes():
    dumps = {}
    for name, module, inputs in (("plain", P.Plain(), (ramp(3), ramp(3))), ("fork", P.ForkModule(), (ramp(3),)), ("python", P.UsesCube(), (ramp(3),)),
                                 ("fork_nested", P.ForkModuleNested(), (ramp(3),))):
        graph, _ = torch.jit._get_trace_graph(module, inputs)
        dumps[f"scopes_{name}.ir"] = str(graph)
        dumps[f"noloc_scopes_{name}.ir"] = graph.str(False)
    return dumps


@job
def onnx():
    import torch.onnx
    from torch.onnx import _globals, utils

    _globals.GLOBALS.export_onnx_opset_version = 13
    dumps = {}
    for name, module, inputs in (("plain", P.Plain(), (ramp(3), ramp(3))), ("python", P.Gate(), (ramp(3),))):
        graph, _, _ = utils._model_to_graph(module, inputs, training=torch.onnx.TrainingMode.EVAL, do_constant_folding=False)
        dumps[f"onnx_{name}.ir"] = str(graph)
    return dumps


@job
def shape_passes():
    dumps = {}
    C = torch._C
    graph = torch.jit.script(P.shapes).graph.copy()
    C._jit_pass_inline(graph)
    C._jit_pass_complete_shape_analysis(graph, (ramp(2, 3), ramp(3, 4)), False)
    dumps["shapes_complete.ir"] = str(graph)
    C._jit_pass_erase_shape_information(graph)
    dumps["shapes_erased.ir"] = str(graph)

    def with_inputs(*types_):
        graph = torch.jit.script(P.shapes).graph.copy()
        for value, type_ in zip(graph.inputs(), types_):
            value.setType(type_)
        return graph

    get = lambda *shape: C.TensorType.get().with_sizes(list(shape))
    graph = with_inputs(get(2, 3), get(3, 4))
    C._jit_pass_propagate_shapes_on_graph(graph)
    dumps["shapes_sizes.ir"] = str(graph)
    graph = with_inputs(get(None, 3), get(3, None))
    C._jit_pass_propagate_shapes_on_graph(graph)
    dumps["shapes_symbolic.ir"] = str(graph)
    compute = C._jit_pass_propagate_shapes_on_graph_and_build_compute
    graph = with_inputs(get(None, 3), get(3, None))
    built = compute(graph)
    dumps["shapes_compute.ir"] = str(graph)
    if built is not None:
        dumps["shapes_partial.ir"] = str(built.partial_eval_shape_graph())
    example = C.TensorType.create_from_tensor
    graph = with_inputs(C.TensorType.get().with_dtype(torch.float64), example(ramp(3, 4)))
    C._jit_pass_propagate_dtype(graph)
    dumps["shapes_dtype.ir"] = str(graph)
    graph = with_inputs(example(ramp(2, 3)), example(ramp(3, 4)))
    C._jit_pass_propagate_device(graph)
    C._jit_pass_propagate_dtype(graph)
    dumps["shapes_device.ir"] = str(graph)
    C._jit_pass_peephole(graph, True)
    dumps["shapes_peephole.ir"] = str(graph)
    return dumps


def last_graph(function, *inputs, times=1):
    for _ in range(times):
        function(*inputs)
    return str(torch.jit.last_executed_optimized_graph())


@job
def executor_profile():
    torch._C._jit_set_num_profiled_runs(2)
    dumps = {}
    for name, function, inputs in (("pointwise", P.pointwise, (ramp(2, 3), ramp(2, 3))), ("branch", P.pointwise_branch, (ramp(2, 3), ramp(2, 3), 2, ramp(3))),
                                   ("fork", P.pointwise_fork, (ramp(2, 3), ramp(2, 3)))):
        dumps[f"profile_{name}.ir"] = last_graph(torch.jit.script(function), *inputs)
    return dumps


@job
def executor_grad():
    x, y = ramp(2, 3).requires_grad_(), ramp(2, 3)
    dumps = {}
    for name, function, inputs in (("pointwise", P.pointwise, (x, y)), ("branch", P.pointwise_branch, (x, y, 2, y)), ("fork", P.pointwise_fork, (x, y))):
        dumps[f"grad_{name}.ir"] = last_graph(torch.jit.script(function), *inputs, times=3)
    return dumps


@job
def executor_fused():
    torch._C._jit_override_can_fuse_on_cpu(True)
    torch._C._jit_set_te_must_use_llvm_cpu(False)
    torch._C._jit_set_texpr_fuser_enabled(True)
    dumps = {}
    for name, function, inputs in (("pointwise", P.pointwise, (ramp(2, 3), ramp(2, 3))), ("fork", P.pointwise_fork, (ramp(2, 3), ramp(2, 3))),
                                   ("grad", P.pointwise, (ramp(2, 3).requires_grad_(), ramp(2, 3)))):
        dumps[f"fused_{name}.ir"] = last_graph(torch.jit.script(function), *inputs, times=3)
    return dumps


@job
def executor_legacy():
    torch._C._jit_set_profiling_executor(False)
    x, y = ramp(2, 3).requires_grad_(), ramp(2, 3)
    dumps = {}
    for name, function, inputs in (("grad", P.pointwise, (x, y)), ("fork", P.pointwise_fork, (ramp(2, 3), y))):
        dumps[f"legacy_{name}.ir"] = last_graph(torch.jit.script(function), *inputs, times=2)
    torch._C._jit_override_can_fuse_on_cpu_legacy(True)
    graph = trace_of(P.pointwise, ramp(2, 3), y).graph.copy()
    torch._C._jit_pass_fuse(graph, True)
    dumps["legacy_fused.ir"] = str(graph)
    return dumps


@job
def autodiff():
    graph = trace_of(P.pointwise, ramp(2, 3).requires_grad_(), ramp(2, 3)).graph.copy()
    torch._C._jit_pass_create_autodiff_subgraphs(graph, 1)
    return {"autodiff.ir": graph, "noloc_autodiff.ir": graph.str(False)}


# --- traced fork programs -----------------------------------------------------------------------------------------------------------------------

T = torch.tensor
ONE, TWO, INT = (T([1.0, 2.0]),), (T([1.0, 2.0]), T([3.0, 4.0])), (T(2),)
TRACED = {
    "function": (P.bar, INT), "keyword": (P.keyword, TWO), "builtin": (P.builtin, ONE), "nested": (P.nested, ONE), "nested_three": (P.nested_three, ONE),
    "captured": (P.captured, TWO), "captured_nested": (P.captured_nested, TWO), "captured_only": (P.captured_only, ONE), "two_waits": (P.two_waits, ONE),
    "wait_method": (P.wait_method, ONE), "wait_in_child": (P.wait_in_child, ONE), "future_list": (P.future_list, INT), "future_dict": (P.future_dict, ONE),
    "unwaited": (P.unwaited, ONE), "unwaited_mutation": (P.unwaited_mutation, ONE), "fork_tuple": (P.fork_tuple, ONE), "fork_tuple_whole": (P.fork_tuple_whole, ONE),
    "fork_tuple_nested": (P.fork_tuple_nested, ONE), "reverse_order": (P.reverse_order, TWO), "feeding": (P.feeding, ONE), "scalars": (P.scalars, ONE),
    "same_twice": (P.same_twice, ONE), "chain": (P.chain, INT), "fork_identity": (P.fork_identity, ONE), "fork_constant": (P.fork_constant, ONE),
    "in_place": (P.in_place, ONE), "sized": (P.sized, ONE), "tuple_input": (P.tuple_input, (TWO,)), "list_argument": (P.list_argument, TWO),
    "calls_scripted": (P.calls_scripted, ONE), "return_future": (P.return_future, ONE), "then_callback": (P.then_callback, ONE), "raises": (P.raises, ONE),
    "returns_none": (P.returns_none, ONE), "returns_int": (P.returns_int, ONE), "returns_list": (P.returns_list, ONE), "returns_dict": (P.returns_dict, ONE),
    "returns_future": (P.returns_future, ONE), "outside_future": (P.outside_future, ONE), "collected": (P.collected, ONE),
    "module": (P.ForkModule, (T([1.0, 2.0, 3.0]),)), "module_keyword": (P.ForkModuleKeyword, (T([1.0, 2.0, 3.0]),)),
    "module_twice": (P.ForkModuleTwice, (T([1.0, 2.0, 3.0]),)), "module_nested": (P.ForkModuleNested, (T([1.0, 2.0, 3.0]),)),
}


def traced_forks(name, program, inputs):
    def run():
        program_ = program() if isinstance(program, type) else program
        result = trace_of(program_, *inputs)
        dumps = {f"{name}.ir": result.graph, f"{name}.inlined.ir": result.inlined_graph}
        if isinstance(program, type):
            for path, part in result.named_modules():
                for method in part._c._method_names() if path else []:
                    dumps[f"{name}.{path}.{method}.ir"] = part._c._get_method(method).graph
        return dumps

    run.__name__ = f"trace/{name}"
    job(run)


for each, (program, inputs) in TRACED.items():
    traced_forks(each, program, inputs)


# --- the run ------------------------------------------------------------------------------------------------------------------------------------


def run_job(name):
    """Runs a job in a process of its own; returns its dumps, or its error."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            answer = texts(JOBS[name]()), None
        except Exception as error:
            answer = {}, ((str(error).strip() or repr(error)).splitlines()[0], type(error).__name__, traceback.format_exc())
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else ({}, ("the process crashed", "Crash", ""))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    out, pattern = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else "*"
    out = os.path.join(START, out)
    warnings.filterwarnings("ignore")
    refused, failed, count = {"torchscript": [], "trace": []}, 0, 0
    for folder in ("torchscript", "trace"):
        os.makedirs(os.path.join(out, folder), exist_ok=True)
    for name in JOBS:
        if not fnmatch.fnmatch(name, pattern):
            continue
        dumps, error = run_job(name)
        folder = "trace" if name.startswith("trace/") else "torchscript"
        for file, text in dumps.items():
            with open(os.path.join(out, folder, file), "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
            count += 1
        if error and "/" in name:
            refused[folder].append((name.split("/")[1], error[1], re.sub("0x[0-9a-f]+", "0x...", error[0]).replace("|", "\\|")))
        elif error:
            failed += 1
            print(f"{name}: {error[0]}\n{error[2]}", file=sys.stderr)
    for folder, rows in refused.items() if pattern == "*" else ():
        with open(os.path.join(out, folder, "REFUSED.md"), "w", encoding="utf-8", newline="") as stream:
            stream.write("# Programs that TorchScript refuses\n\nFunctions of `tests/oracle/programs.py`, and the first line of the message.\n\n| program | error | message |\n| --- | --- | --- |\n")
            stream.writelines(f"| `{name}` | {kind} | {message} |\n" for name, kind, message in rows)
    print(f"{count} dumps, {sum(map(len, refused.values()))} programs refused, {failed} jobs failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
