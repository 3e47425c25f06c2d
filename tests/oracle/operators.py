#!/usr/bin/python3
"""Writes tests/unit/ops/table.jsonl: calls of operators, and what TorchScript 1.13.1 makes of them.

A line is a call: the operator with the overload that TorchScript chose, the types and values of its operands, and the result (with
strides), or the text of the error. `after` holds the operands after the call when it changed them. `tolerance` is relative.
Run with the Python that sees Debian's PyTorch; the output is the same every time.
"""
import json
import os
import random
import warnings

import torch

import calls
from calls import typeOf

warnings.filterwarnings("ignore")
random.seed(7)
torch.manual_seed(7)
torch.set_num_threads(1)

inf, nan = float("inf"), float("nan")
DTYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float32, torch.float64, torch.bool]
lines = []


def call(name, args, types=None, result="Tensor", tolerance=0):
    """types: of the operands where the values do not tell; result: the type, or None for an operator without one."""
    row = calls.run(name, args, types or [typeOf(a) for a in args], [result] if result else [], tolerance)
    lines.append(json.dumps(row, separators=(",", ":")))


def t(values, dtype=None):
    return torch.tensor(values, dtype=dtype)


def some(dtype, *shape):
    """Numbers of a dtype, small and odd ones among them."""
    n = 1
    for s in shape:
        n *= s
    if dtype == torch.bool:
        values = [random.random() < 0.5 for _ in range(n)]
    elif dtype.is_floating_point:
        values = [random.choice([0., -0., 1., -1.5, inf, -inf, nan, random.uniform(-3, 3), random.uniform(-1e6, 1e6)]) for _ in range(n)]
    else:
        info = torch.iinfo(dtype)
        values = [random.choice([0, 1, 2, info.max, info.min, random.randint(info.min, info.max)]) for _ in range(n)]
    return torch.tensor(values, dtype=dtype).reshape(shape)


def tame(dtype, *shape):
    """Numbers that no conversion between dtypes overflows: from 0 to 9, floats with halves, not zero where it would divide."""
    n = 1
    for s in shape:
        n *= s
    values = [random.randint(1, 9) + (0.5 if dtype.is_floating_point and random.random() < 0.5 else 0) for _ in range(n)]
    if dtype == torch.bool:
        values = [random.random() < 0.5 for _ in range(n)]
    return torch.tensor(values, dtype=dtype).reshape(shape)


BINARY = ["add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge"]


def binary(name, a, b, alpha=1):
    call("aten::" + name, [a, b] + ([alpha] if name.rstrip("_") in ("add", "sub", "rsub") else []))


# ---- element by element: every pair of dtypes, categories of operands, broadcasting, layouts ----
for name in BINARY:
    for a in DTYPES:
        for b in DTYPES:
            if a == b:
                binary(name, some(a, 6), some(b, 6))
            else:
                binary(name, tame(a, 3), tame(b, 3))
    for a in DTYPES:
        binary(name, tame(a, 2), 3)
        binary(name, tame(a, 2), 2.5)
        binary(name, tame(a), 2.5)
        binary(name, some(a, 2), random.choice([-1, 300, 70000]))
for _ in range(60):
    binary(random.choice(BINARY), tame(random.choice(DTYPES), *random.choice([(), (2,), (1, 2)])),
           tame(random.choice(DTYPES), *random.choice([(), (2,), (3, 1), (3, 2)])))
shapes = [((2, 3), (3,)), ((2, 1), (1, 3)), ((4, 1, 3), (2, 1)), ((), (2, 2)), ((0,), (1,)), ((0, 3), (3,)), ((1, 1, 1, 1, 1, 2), (2,)), ((2,), (3,)),
          ((2, 3), (3, 2)), ((0,), (2,)), ((2, 1, 3), (2, 2, 2))]
for a, b in shapes:
    for name in ("add", "mul", "lt"):
        binary(name, tame(torch.float32, *a), tame(torch.float32, *b))
base = tame(torch.float32, 4, 3, 2)
views = [base, base.transpose(0, 2), base.permute(1, 2, 0), base[:, 1], base[::2], base.transpose(0, 1)[1:], base[0:1].transpose(0, 1),
         base.expand(2, 4, 3, 2), base[:, :, :1].expand(4, 3, 5), base[0, 0, 0], base.reshape(2, 2, 1, 3, 2, 1).transpose(1, 3)]
for v in views:
    for name in ("neg", "relu"):
        call("aten::" + name, [v])
    binary("add", v, v)
    binary("add", v, 1)
    binary("mul", v, tame(torch.float32))
    binary("lt", v, tame(torch.int64))
    binary("add", v, tame(torch.float64, *v.shape))
binary("add", base.transpose(0, 2), base.transpose(0, 2).contiguous())
binary("add", base.transpose(0, 2).contiguous(), base.transpose(0, 2))
binary("mul", base.transpose(0, 1), tame(torch.float32, 3, 1, 2))
binary("mul", tame(torch.float32, 1, 4, 1), base.transpose(0, 1))

for a in DTYPES:
    for name in ("neg", "abs", "relu"):
        call("aten::" + name, [some(a, 8)])
    for b in DTYPES:
        if (a.is_floating_point or b.is_floating_point) and random.random() < 0.5:
            continue
        for name in ("__and__", "__or__", "__xor__"):
            binary(name, some(a, 4) if a == b else tame(a, 4), some(b, 4) if a == b else tame(b, 4))
    for name in ("__and__", "__or__", "__xor__"):
        call("aten::" + name, [tame(a, 3), 3])
    for alpha in (2, -1, 0, 1.5, 0.25):
        for name in ("add", "sub", "rsub"):
            call("aten::" + name, [tame(a, 5), tame(a, 5), alpha])
        call("aten::add", [tame(a, 2), 3, alpha])
        call("aten::rsub", [tame(a, 2), 3, alpha])
    call("aten::sub", [tame(a, 2), 2.5, 2])
for _ in range(20):
    call("aten::add", [torch.randn(4), torch.randn(4), random.uniform(-2, 2)])
    call("aten::sub", [torch.randn(4, dtype=torch.float64), torch.randn(4, dtype=torch.float64), random.uniform(-2, 2)])

# Division and remainders.
for a in DTYPES:
    if a == torch.bool:
        continue
    values = [7, -7, 8, 0] if a != torch.uint8 else [7, 249, 8, 0]
    divisors = [2, -2, 3, -3] if a != torch.uint8 else [2, 3, 254, 253]
    for d in divisors:
        x, y = t(values, a), t([d] * 4, a)
        call("aten::floor_divide", [x, y])
        call("aten::remainder", [x, y])
        call("aten::remainder", [x, d])
        for mode in ("floor", "trunc"):
            call("aten::div", [x, y, mode], ["Tensor", "Tensor", "str?"])
            call("aten::div", [x, d, mode], ["Tensor", "int", "str?"])
    call("aten::div", [t(values, a), t([2], a), None], ["Tensor", "Tensor", "str?"])
    call("aten::remainder", [t(values, a), 2.5])
    call("aten::floor_divide", [t(values, a), 2.5])
    zero = t([0] * 4, a)
    call("aten::floor_divide", [t(values, a), zero])
    call("aten::remainder", [t(values, a), zero])
    call("aten::div", [t(values, a), zero, "trunc"], ["Tensor", "Tensor", "str?"])
call("aten::div", [t([1.]), t([1.]), "up"], ["Tensor", "Tensor", "str?"])
call("aten::floor_divide", [t([5.5, -5.5, inf, 1., 0.3]), t([0.1, 0.1, 2., inf, 0.1])])
call("aten::remainder", [t([5.5, -5.5, 1., 0.3]), t([0.1, 0.1, -inf, -0.1])])

# ---- in place ----
for name in ("add_", "sub_", "mul_", "div_"):
    for a in DTYPES:
        for b in random.sample(DTYPES, 4):
            binary(name, tame(a, 3), tame(b, 3))
        binary(name, tame(a, 3), 2)
        binary(name, tame(a, 3), 1.5)
    binary(name, tame(torch.float32, 2, 3), tame(torch.float32, 3))
    binary(name, tame(torch.float32, 3), tame(torch.float32, 2, 3))
    binary(name, tame(torch.float32, 1), tame(torch.float32, 2))
    binary(name, tame(torch.float32, 3, 2).t(), tame(torch.float32, 2, 3))
    binary(name, tame(torch.float32, 1).expand(3), tame(torch.float32, 3))
for alpha in (2, 1.5, -1):
    for a in (torch.int32, torch.float32, torch.uint8, torch.bool):
        call("aten::add_", [tame(a, 3), tame(a, 3), alpha])
        call("aten::sub_", [tame(a, 3), tame(a, 3), alpha])
for name in ("neg_", "abs_", "relu_", "zero_"):
    for a in DTYPES:
        call("aten::" + name, [some(a, 4)])
    call("aten::" + name, [some(torch.float32, 3, 2).t()])
for a in DTYPES:
    for value in (1, 0, 2.5, 300, -1, -300, 1e10, nan, inf, 1e300, 2**40):
        call("aten::fill_", [torch.zeros(2, dtype=a), value])
    call("aten::fill_", [torch.zeros(2, dtype=a), t(3)])
    for b in DTYPES:
        call("aten::copy_", [torch.zeros(2, 2, dtype=a), tame(b, 2), False])
call("aten::fill_", [torch.zeros(2), t([3.])])
call("aten::copy_", [torch.zeros(2), tame(torch.float32, 3), False])
call("aten::copy_", [torch.zeros(2), tame(torch.float32, 2, 2), False])
call("aten::copy_", [torch.zeros(1).expand(2), tame(torch.float32, 2), False])
call("aten::copy_", [torch.zeros(2, 3).t(), tame(torch.float32, 3, 2), False])

# ---- joining, reducing, products ----
def tensors(name, list_, dim):
    call("aten::" + name, [list_, dim], ["Tensor[]", "int"])


for name in ("cat", "stack"):
    for dim in (0, 1, -1, -2, 2, 5):
        tensors(name, [tame(torch.float32, 2, 2), tame(torch.float32, 2, 2)], dim)
    tensors(name, [tame(torch.float32, 2), tame(torch.int64, 2), tame(torch.bool, 2)], 0)
    tensors(name, [tame(torch.uint8, 2), tame(torch.int8, 2)], 0)
    tensors(name, [], 0)
    tensors(name, [tame(torch.float32), tame(torch.float32)], 0)
    tensors(name, [tame(torch.float32, 2), tame(torch.float32, 1, 2)], 0)
    tensors(name, [tame(torch.float32, 1, 2), tame(torch.float32, 2, 2)], 0)
    tensors(name, [tame(torch.float32, 1, 2), tame(torch.float32, 2, 2)], 1)
    tensors(name, [tame(torch.float32, 3, 2).t(), tame(torch.float32, 2, 3)], 0)
tensors("cat", [tame(torch.int64, 2), torch.zeros(0)], 0)
tensors("cat", [torch.zeros(0), tame(torch.float32, 2, 2)], 1)
tensors("cat", [torch.zeros(0), torch.zeros(0)], 0)
tensors("cat", [torch.zeros(0, 2), tame(torch.float32, 2, 2)], 0)
for a in DTYPES:
    call("aten::sum", [tame(a, 3, 2), None], ["Tensor", "int?"])
    call("aten::sum", [tame(a, 3, 2), [0], False, None], ["Tensor", "int[]", "bool", "int?"])
    call("aten::sum", [tame(a, 3, 2), 7], ["Tensor", "int?"])
    call("aten::sum", [some(a, 6), 3], ["Tensor", "int?"]) if not a.is_floating_point else None
for dims in ([0], [1], [-1], [0, 2], [2, 1], [], [3], [0, 0], [-4], [0, -3]):
    for keep in (False, True):
        call("aten::sum", [tame(torch.float32, 2, 3, 4), dims, keep, None], ["Tensor", "int[]", "bool", "int?"])
call("aten::sum", [tame(torch.float32, 2, 3), None, False, None], ["Tensor", "int[]?", "bool", "int?"])
call("aten::sum", [torch.zeros(0), None], ["Tensor", "int?"])
call("aten::sum", [torch.zeros(2, 0), [1], False, None], ["Tensor", "int[]", "bool", "int?"])
call("aten::sum", [tame(torch.float32), [0], False, None], ["Tensor", "int[]", "bool", "int?"])
call("aten::sum", [torch.rand(10000), None], ["Tensor", "int?"], tolerance=1e-5)
call("aten::sum", [base.transpose(0, 2), [1], False, None], ["Tensor", "int[]", "bool", "int?"])
for a in DTYPES:
    call("aten::mm", [tame(a, 2, 3), tame(a, 3, 2)])
    call("aten::matmul", [tame(a, 3), tame(a, 3)])
    call("aten::matmul", [tame(a, 2, 3), tame(a, 3)])
for a, b in [((2, 3), (2, 3)), ((3,), (3, 2)), ((2, 3), (3,)), ((0, 3), (3, 2)), ((2, 0), (0, 2)), ((2, 3, 4), (4, 2))]:
    call("aten::mm", [tame(torch.float32, *a), tame(torch.float32, *b)])
for a, b in [((3,), (3,)), ((3,), (2,)), ((3,), (3, 2)), ((3,), (2, 3)), ((2, 3), (3,)), ((2, 3), (2,)), ((2, 3), (3, 4)), ((2, 3), (2, 3)),
             ((2, 2, 3), (3, 4)), ((2, 2, 3), (4, 3)), ((2, 3), (2, 3, 4)), ((2, 1, 2, 3), (4, 3, 2)), ((2, 2, 3), (3, 3, 2)), ((2, 2, 3), (2, 2, 3)),
             ((2, 2, 3), (3,)), ((3,), (2, 3, 2)), ((), (3,)), ((3,), ()), ((2, 0), (0, 3)), ((1, 2, 3), (1, 3, 1))]:
    call("aten::matmul", [tame(torch.float32, *a), tame(torch.float32, *b)])
call("aten::mm", [torch.randn(17, 33), torch.randn(33, 9)], tolerance=1e-4)
call("aten::mm", [torch.randn(5, 7).t(), torch.randn(4, 5).t()], tolerance=1e-4)
call("aten::matmul", [torch.randn(2, 5, 7), torch.randn(7, 3)], tolerance=1e-4)
call("aten::mm", [tame(torch.float32, 2, 2), tame(torch.int64, 2, 2)])
call("aten::matmul", [tame(torch.float32, 2), tame(torch.int64, 2)])

# ---- making ----
NONES = [None] * 4
NONE_TYPES = ["int?", "int?", "Device?", "bool?"]
for size in ([2], [2, 3], [], [0], [2, -1]):
    call("aten::zeros", [size] + NONES, ["int[]"] + NONE_TYPES)
    call("aten::ones", [size, 4] + NONES[1:], ["int[]"] + NONE_TYPES)
    for value in (3, 2.5):
        call("aten::full", [size, value] + NONES, ["int[]", typeOf(value)] + NONE_TYPES)
call("aten::full", [[2], 2.5, 4] + NONES[1:], ["int[]", "float"] + NONE_TYPES)
call("aten::full", [[2], 300, 0] + NONES[1:], ["int[]", "int"] + NONE_TYPES)
call("aten::full", [[2], 1, 11] + NONES[1:], ["int[]", "int"] + NONE_TYPES)
call("aten::zeros", [[2], 6, None, torch.device("cpu"), None], ["int[]"] + NONE_TYPES)
for name in ("zeros_like", "ones_like"):
    call("aten::" + name, [base.transpose(0, 2)] + NONES + [None], ["Tensor"] + NONE_TYPES + ["int?"])
    call("aten::" + name, [base, 4] + NONES[1:] + [None], ["Tensor"] + NONE_TYPES + ["int?"])
call("aten::full_like", [base, 7] + NONES + [None], ["Tensor", "int"] + NONE_TYPES + ["int?"])
for end in (5, 0, 3.5, -1, inf, nan):
    call("aten::arange", [end] + NONES, [typeOf(end)] + NONE_TYPES)
for args in ((1, 5), (5, 1), (1.5, 4), (-2, 2)):
    call("aten::arange", list(args) + NONES, [typeOf(a) for a in args] + NONE_TYPES)
for args in ((0, 10, 3), (10, 0, -3), (10, 0, 3), (0, 1, 0), (0, 1, 0.25), (5, 1, -1.5), (0.1, 1.1, 0.1), (2**53, 2**53 + 5, 2), (0, 10, 2.5)):
    call("aten::arange", list(args) + NONES, [typeOf(a) for a in args] + NONE_TYPES)
    for dtype in (4, 3, 0, 7):
        if args[0] >= 0 and max(args) < 100:
            call("aten::arange", list(args) + [dtype] + NONES[1:], [typeOf(a) for a in args] + NONE_TYPES)
for value in (3, 2.5, True, -1, 300, 1e10, nan):
    for dtype in (None, 0, 3, 4, 6, 7, 11):
        if (value != value or value == 1e10) and dtype in (0, 3):
            continue  # undefined in TorchScript
        if value != value and dtype == 4:
            continue
        call("aten::tensor", [value, dtype, None, False], [typeOf(value), "int?", "Device?", "bool"])
for data, type_ in (([1, 2], "int[]"), ([1.5, 2.], "float[]"), ([True, False], "bool[]"), ([[1, 2], [3, 4]], "int[][]"), ([[1], [2, 3]], "int[][]"),
                    ([], "float[]"), ([[], []], "float[][]"), ([300, -1], "int[]"), ([0.1, 1e30], "float[]")):
    for dtype in (None, 0, 4, 6, 7, 11):
        if data == [0.1, 1e30] and dtype in (0, 4, 7):
            continue  # undefined in TorchScript; as float64 it rounds to float32 first
        call("aten::tensor", [data, dtype, None, False], [type_, "int?", "Device?", "bool"])
for v in views:
    call("aten::clone", [v, None], ["Tensor", "int?"])
    call("aten::contiguous", [v, 0])
for a in DTYPES:
    for b in DTYPES:
        call("aten::to", [tame(a, 2, 2).t(), {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float32: 6,
                                               torch.float64: 7, torch.bool: 11}[b], False, True, None], ["Tensor", "int", "bool", "bool", "int?"])
        call("aten::to", [tame(a, 2), tame(b, 1), False, False, None], ["Tensor", "Tensor", "bool", "bool", "int?"])
call("aten::to", [t([300, -1, 70000]), 0, False, False, None], ["Tensor", "int", "bool", "bool", "int?"])
call("aten::to", [t([0.5, -0.5, 0., nan]), 11, False, False, None], ["Tensor", "int", "bool", "bool", "int?"])

# ---- views ----
for v in views:
    for dim in (0, -1, 1, 7):
        for index in (-1, 9):
            call("aten::select", [v, dim, index])
        call("aten::unsqueeze", [v, dim])
        call("aten::squeeze", [v, dim])
        call("aten::size", [v, dim], result="int")
        call("aten::transpose", [v, dim, 0])
    call("aten::squeeze", [v])
    call("aten::size", [v], result="int[]")
    call("aten::dim", [v], result="int")
    call("aten::numel", [v], result="int")
    call("aten::len", [v], result="int")
    for size in ([-1], [4, -1], [2, 12], [24], [5], [-1, -1], [-2]):
        call("aten::view", [v, size], ["Tensor", "int[]"])
        call("aten::reshape", [v, size], ["Tensor", "int[]"])
for start, end, step in ((0, 2, 1), (1, None, 1), (None, None, 2), (-2, None, 1), (None, -1, 1), (3, 1, 1), (-100, 100, 3), (0, 4, -1), (0, 4, 0), (9, 12, 1)):
    call("aten::slice", [base, 0, start, end, step], ["Tensor", "int", "int?", "int?", "int"])
    call("aten::slice", [base.transpose(0, 1), -2, start, end, step], ["Tensor", "int", "int?", "int?", "int"])
call("aten::slice", [t(1), 0, None, None, 1], ["Tensor", "int", "int?", "int?", "int"])
call("aten::slice", [base, 3, None, None, 1], ["Tensor", "int", "int?", "int?", "int"])
for dims in ([0, 1, 2], [2, 0, 1], [-1, 0, 1], [0, 0, 1], [0, 1], [0, 1, 5]):
    call("aten::permute", [base, dims], ["Tensor", "int[]"])
for x, size in ((t([1, 2]), [3, 2]), (t([[1], [2]]), [2, 3]), (t([[1], [2]]), [-1, 4]), (t([1, 2]), [3]), (t([1, 2]), [-1, 2]), (t(1), [2, 2]),
                (t([[1, 2]]), [2]), (t([1]), [0]), (t([1, 2]), [2, 0])):
    call("aten::expand", [x, size, False], ["Tensor", "int[]", "bool"])
call("aten::expand_as", [t([1, 2]), torch.zeros(3, 2)])
for x in (base[0], t([1, 2]), t(1), base):
    call("aten::t", [x])
for size, x in (([0, -1], torch.zeros(0, 3)), ([-1, 0], torch.zeros(0, 3)), ([0], torch.zeros(0, 3)), ([3, 0], torch.zeros(0, 3)), ([1, 1], t(5)), ([], t([5])),
                ([], t(5)), ([2**40, 2**40], t([1]))):
    call("aten::view", [x, size], ["Tensor", "int[]"])
call("aten::len", [t(1)], result="int")
call("prim::dtype", [t([1.5])], result="int")
call("prim::device", [t([1.5])], result="Device")
call("aten::is_floating_point", [t([1.5])], result="bool")
call("aten::is_floating_point", [t([1])], result="bool")

# ---- tensors and numbers ----
for x in (t(2), t(2.9), t(-2.9), t(True), t([3]), t([1, 2]), t([]), t(nan), t(inf), t(1e30), t(0.), t([[0.5]], dtype=torch.float64), t(200, dtype=torch.uint8)):
    for name, result in (("Int", "int"), ("Float", "float"), ("Bool", "bool"), ("item", "Scalar"), ("ScalarImplicit", "Scalar"), ("IntImplicit", "int"),
                         ("FloatImplicit", "float")):
        call("aten::" + name, [x], result=result)
for x in (3, 2.5, True):
    call("prim::NumToTensor", [x])

# ---- numbers ----
INTS = [0, 1, -1, 2, 7, -7, 3, 2**62, 2**63 - 1, -2**63]
FLOATS = [0., -0., 1., -1., 2.5, -2.5, 0.1, 1e300, inf, -inf, nan]
for name in ("add", "sub", "mul"):
    for _ in range(12):
        call("aten::" + name, [random.choice(INTS), random.choice(INTS)], result="int")
        call("aten::" + name, [random.choice(FLOATS), random.choice(FLOATS)], result="float")
        call("aten::" + name, [random.choice(INTS), random.choice(FLOATS)], result="float")
        call("aten::" + name, [random.choice(FLOATS), random.choice(INTS)], result="float")
for a in (7, -7, 8, -8, 0):
    for b in (2, -2, 3, -3):
        call("aten::floordiv", [a, b], result="int")
        call("aten::remainder", [a, b], result="int")
        call("aten::floordiv", [float(a), b], result="float")
        call("aten::remainder", [a, float(b)], result="float")
        call("aten::remainder", [a + 0.25, b + 0.125], result="float")
        call("aten::floordiv", [a + 0.25, b + 0.125], result="float")
        call("aten::div", [a, b], result="float")
        call("aten::pow", [a, b], result="float")
for a in FLOATS:
    for b in random.sample(FLOATS, 4):
        call("aten::floordiv", [a, b], result="float")
        call("aten::div", [a, b], result="float")
        call("aten::pow", [a, b], result="float", tolerance=1e-15)
        for name in ("min", "max"):
            call("prim::" + name, [a, b], result="float")
call("aten::floordiv", [1, 0], result="int")
call("aten::div", [1, 0], result="float")
call("aten::div", [0, 0], result="float")
for x in INTS + FLOATS:
    kind = typeOf(x)
    call("aten::neg", [x], result=kind)
    call("prim::abs", [x], result=kind) if x != -2**63 else None
    call("aten::floor", [x], result="int") if kind == "float" and x == x else None
    call("aten::ceil", [x], result="int") if kind == "float" and x == x else None
    call("aten::sqrt", [x], result="float")
    call("aten::Bool", [x], result="bool")
    if kind == "int":
        call("aten::Float", [x], result="float")
    elif abs(x) < 1e10:
        call("aten::Int", [x], result="int")
for a in (True, False):
    call("aten::__not__", [a], result="bool")
    call("aten::Int", [a], result="int")
    call("aten::Float", [a], result="float")
    for b in (True, False):
        for name in ("__and__", "__or__", "__xor__", "eq", "ne"):
            call("aten::" + name, [a, b], result="bool")
for name in ("__and__", "__or__", "__xor__"):
    call("aten::" + name, [12, 10], result="int")
    call("aten::" + name, [-1, 2**62], result="int")
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    for a, b in ((1, 2), (2, 2), (2**53, 2**53 + 1), (1., 2.), (nan, nan), (0., -0.), (1, 1.5), (2, 2.), (1.5, 1), (2**53 + 1, 2.**53), ("a", "b"), ("ab", "a"),
                 ("", ""), ("é", "z")):
        call("aten::" + name, [a, b], result="bool")
for text in ("12", "-3", " 5", "+7", "0", "9223372036854775807", "12a"):
    call("aten::Int", [text], result="int")
for text in ("1.5", "-inf", "1e3", " 2", "1.5z"):
    call("aten::Float", [text], result="float")
for args in ((0, 10, 3), (0, 10, 1), (10, 0, -3), (10, 0, 3), (0, 0, 1), (0, 5, 0)):
    call("aten::__range_length", list(args), result="int")
    call("aten::__derive_index", [2] + list(args[:1]) + [args[2]], result="int")
for data, kind in (([3, 1, 2], "int"), ([2.5, -1.], "float"), ([True, False], "bool"), ([], "int")):
    for name in ("min", "max"):
        call("prim::" + name, [data], [kind + "[]"], result=kind)
    call("aten::sum", [data], [kind + "[]"], result="int" if kind == "bool" else kind)
call("prim::rangelist", [3], result="int[]")

# ---- strings ----
call("aten::add", ["ab", "cd"], result="str")
call("aten::len", ["abc"], result="int")
for i in (0, 2, -1, -3):
    call("aten::__getitem__", ["abc", i], result="str")
SLICES = [(None, None, 1), (1, 3, 1), (None, None, -1), (-2, None, 1), (None, -1, 2), (3, 0, -1), (-1, -4, -2), (0, 100, 1), (100, 0, -1), (0, 4, 0), (None, -100, -1), (2, 2, 1)]
for s in SLICES:
    call("aten::slice", ["abcd"] + list(s), ["str", "int?", "int?", "int"], result="str")
    call("aten::slice", [[10, 11, 12, 13]] + list(s), ["int[]", "int?", "int?", "int"], result="int[]")
call("aten::list", ["abc"], result="str[]")
for s in ("a", "", "ab"):
    call("aten::ord", [s], result="int")
for x, kind in ((3, "int"), (0.1, "float"), (True, "bool"), ("s", "str"), ([1, 2], "int[]"), (t([1., 2.5]), "Tensor"), ({"a": 1}, "Dict(str, int)"), ((1, "b"), "(int, str)"),
                (None, "int?"), (1e20, "float"), ([0.5], "float[]")):
    call("aten::str", [x], [kind], result="str")
    call("aten::format", ["<{}>", x], ["str", kind], result="str")
call("aten::format", ["{} {} {}", 1, 2.5, "x"], result="str")
call("aten::format", ["{}", 1, 2], result="str")
call("aten::format", ["none"], result="str")
call("aten::format", ["{} {}", 1], result="str")

# ---- lists ----
for i in (0, 1, -1, -2, 2, -3):
    call("aten::__getitem__", [[5, 6], i], ["int[]", "int"], result="int")
    call("aten::_set_item", [[5, 6], i, 9], ["int[]", "int", "int"], result="int[]")
    call("aten::pop", [[5, 6], i], ["int[]", "int"], result="int")
    call("aten::Delete", [[5, 6], i], ["int[]", "int"], result=None)
    call("aten::insert", [[5, 6], i, 9], ["int[]", "int", "int"], result=None)
call("aten::pop", [[], -1], ["int[]", "int"], result="int")
call("aten::append", [[5], 6], ["int[]", "int"], result="int[]")
call("aten::append", [["a"], "b"], ["str[]", "str"], result="str[]")
call("aten::append", [[t([1])], t([2])], ["Tensor[]", "Tensor"], result="Tensor[]")
call("aten::extend", [[5], [6, 7]], ["int[]", "int[]"], result=None)
call("aten::clear", [[5]], ["int[]"], result=None)
call("aten::reverse", [[5, 6, 7]], ["int[]"], result=None)
call("aten::add", [[5], [6]], ["int[]", "int[]"], result="int[]")
call("aten::add_", [[5], [6]], ["int[]", "int[]"], result="int[]")
call("aten::mul", [[5, 6], 2], ["int[]", "int"], result="int[]")
call("aten::mul", [3, [5, 6]], ["int", "int[]"], result="int[]")
call("aten::len", [[5, 6]], ["int[]"], result="int")
call("aten::list", [[5, 6]], ["int[]"], result="int[]")
call("aten::copy", [[5, 6]], ["int[]"], result="int[]")
for a, b, kind in (([1, 2], [1, 2], "int"), ([1], [1, 2], "int"), ([1.5], [1.5], "float"), ([nan], [nan], "float"), (["a"], ["b"], "str"), ([True], [True], "bool")):
    for name in ("eq", "ne"):
        call("aten::" + name, [a, b], [kind + "[]"] * 2, result="bool")
call("aten::eq", [[t([1])], [t([1])]], ["Tensor[]"] * 2, result="bool")
call("aten::eq", [[t([1, 2])], [t([1, 2])]], ["Tensor[]"] * 2, result="bool")
for item in (1, 3):
    call("aten::__contains__", [[1, 2], item], ["int[]", "int"], result="bool")
call("aten::__contains__", [["a"], "a"], ["str[]", "str"], result="bool")
call("aten::__contains__", [[0.5], 0.5], ["float[]", "float"], result="bool")

# ---- dicts ----
for key, other, kind in (("a", "z", "str"), (1, 9, "int"), (0.5, 9.5, "float"), (True, False, "bool")):
    D = f"Dict({kind}, int)"
    fresh = lambda: {key: 5}
    for k in (key, other):
        call("aten::__getitem__", [fresh(), k], [D, kind], result="int")
        call("aten::__contains__", [fresh(), k], [D, kind], result="bool")
        call("aten::get", [fresh(), k], [D, kind], result="int?")
        call("aten::get", [fresh(), k, 8], [D, kind, "int"], result="int")
        call("aten::pop", [fresh(), k], [D, kind], result="int")
        call("aten::pop", [fresh(), k, 8], [D, kind, "int"], result="int")
        call("aten::Delete", [fresh(), k], [D, kind], result=None)
        call("aten::_set_item", [fresh(), k, 6], [D, kind, "int"], result=None)
    call("aten::len", [fresh()], [D], result="int")
    call("aten::keys", [fresh()], [D], result=kind + "[]")
    call("aten::values", [fresh()], [D], result="int[]")
    call("aten::items", [fresh()], [D], result=f"({kind}, int)[]")
    call("aten::clear", [fresh()], [D], result=None)
    call("aten::copy", [fresh()], [D], result=D)
    call("aten::dict", [fresh()], [D], result=D)
    call("aten::dict", [[(key, 1), (other, 2), (key, 3)]], [f"({kind}, int)[]"], result=D)
    call("aten::dict", [[]], [f"({kind}, int)[]"], result=D)
    call("aten::update", [fresh(), {other: 7, key: 6}], [D, D], result=None)
    call("aten::update", [fresh(), {}], [D, D], result=None)
    for k in (key, other):
        call("aten::setdefault", [fresh(), k, 8], [D, kind, "int"], result="int")
    call("aten::popitem", [{other: 7, key: 5}], [D], result=f"({kind}, int)")
    call("aten::popitem", [{}], [D], result=f"({kind}, int)")

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "ops", "table.jsonl")
with open(path, "w", encoding="ascii") as out:
    out.write("\n".join(lines) + "\n")
print(len(lines), "calls")
