#!/usr/bin/python3
"""Writes tests/unit/tensor/print_table.tsv: tensors, and how PyTorch 1.13.1 prints them.

Columns: dtype, shape (2x3; empty for 0-dim), the elements' bytes in hex, repr(tensor), and the text of the
C++ stream operator (as graphs and TorchScript's print have it), the last two with \\n escaped.
Run with the Python that sees Debian's PyTorch; the output is the same every time.
"""
import os
import random

import numpy as np
import torch

random.seed(20240501)
np.random.seed(20240501)
torch.manual_seed(20240501)

stream = torch.jit.CompilationUnit("def f(x: Tensor) -> str:\n  return str(x)\n").f

DTYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float32, torch.float64, torch.bool]
FLOATS = [torch.float32, torch.float64]
rows = []


def row(t):
    data = t.contiguous().reshape(-1).numpy().tobytes().hex()
    escape = lambda s: s.replace("\\", "\\\\").replace("\n", "\\n")
    rows.append("\t".join([str(t.dtype)[6:], "x".join(map(str, t.shape)) if t.dim() else "", data, escape(repr(t)),
                           escape(stream(t))]))


def tensor(values, dtype, shape=None):
    t = torch.tensor(values, dtype=dtype)
    return t if shape is None else t.reshape(shape)


inf, nan = float("inf"), float("nan")

# Every dtype: scalars, empties, small shapes.
for dtype in DTYPES:
    for shape in [(0,), (0, 3), (2, 0), (1, 0, 2)]:
        row(torch.zeros(shape, dtype=dtype))
    for value in [0, 1]:
        row(tensor(value, dtype))
    for shape in [(1,), (4,), (2, 2), (1, 3), (3, 1), (2, 2, 2), (2, 1, 1, 2), (1, 1, 1, 1, 1, 2)]:
        n = int(np.prod(shape))
        row(tensor([random.randint(0, 9) for _ in range(n)], dtype, shape))
        if dtype.is_floating_point:
            row(tensor([random.uniform(-3, 3) for _ in range(n)], dtype, shape))

# The limits of the integers, and integers of several widths in one tensor.
for dtype in [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]:
    info = torch.iinfo(dtype)
    row(tensor([info.min, info.max], dtype))
    row(tensor(info.min, dtype))
    row(tensor(info.max, dtype))
    for _ in range(4):
        row(tensor([random.choice([0, 1, random.randint(max(info.min, -2**62), min(info.max, 2**62)) >> random.randint(0, 60)])
                    for _ in range(6)], dtype, random.choice([(6,), (2, 3), (3, 2), (1, 2, 3)])))
for digits in range(1, 13):
    row(tensor([10**digits, 10**digits - 1, -(10**digits)], torch.int64))

# Floats: each mode of printing, with and without special values, at its borders.
for dtype in FLOATS:
    for values in [[0.], [-0.], [0., -0.], [nan], [inf], [-inf], [nan, inf, -inf], [1., nan], [1.5, nan, inf], [1e10, -inf], [0., nan],
                   [1e-5, 1.], [1e-5, 1e-6], [1e-4, 1e-3], [0.00009], [0.1], [0.5, 0.25], [1 / 3], [2 / 3, 1e3], [1e3, 1.], [1001., 1.],
                   [1000.5, 1.], [1e8], [1e8, 1e7], [1.5e8], [100000001.], [123456789., 1.], [1e9], [1e10], [1e15], [1e16], [1e-30, 1e30],
                   [99999.5, 1.5], [9.99999], [9.99996, 1.], [99.99999], [99999.99], [999999.9], [0.99999], [0.099999], [0.0999999],
                   [0.00001], [1234.5678], [12345.678], [123456.78], [1234567.8], [0.001, 0.002], [0.012, 0.0345], [-0.5], [-1., -2.],
                   [-1.5e-7, 2.5e-7], [3e-12, 7.123e-12], [-99999.99, 0.5], [1., 2., 3.], [1e5, 1e4, 1.], [1e-7, 0.], [0.00012, 1.],
                   [1e38, 1.], [-1e38, -1e-38], [5.5, 1e5], [50000.25, 2.125], [500000.25, 2.125], [1e-3, 1e3], [1.1e-3, 1.1e1]]:
        row(tensor(values, dtype))
        if len(values) > 1:
            row(tensor(values, dtype, (len(values), 1)))
            row(tensor(values, dtype, (1, 1, len(values))))
    for _ in range(40):
        n = random.randint(1, 10)
        scale = 10.0 ** random.randint(-8, 8)
        spread = random.choice([0, 1, 3, 6])
        values = [random.uniform(-1, 1) * scale * 10.0 ** random.uniform(-spread, spread) for _ in range(n)]
        if random.random() < 0.2:
            values[0] = random.choice([nan, inf, -inf, 0.])
        shape = random.choice([(n,), (1, n), (n, 1), (1, n, 1)])
        row(tensor(values, dtype, shape))
row(torch.tensor([1e100, 1e-100], dtype=torch.float64))
row(torch.tensor([1.5e100, -1.5e-100], dtype=torch.float64))
row(torch.tensor([5e-324, 1.7976931348623157e308], dtype=torch.float64))
row(torch.tensor([[1e200, 2e200], [3e200, -1e200]], dtype=torch.float64))
row(torch.tensor([1.5e200], dtype=torch.float64))
row(torch.tensor([1.4e-45, 1e-40], dtype=torch.float32))

# Matrices of several modes in one tensor: the stream's precision carries over from one to the next.
row(torch.tensor([[[0.5, 0.25]], [[12345., 67890.]]]))
row(torch.tensor([[[12345., 67890.]], [[0.5, 0.25]], [[123456., 1.]]]))
row(torch.tensor([[[1e10, 1.]], [[123456., 7.]]]))
row(torch.tensor([[[[1e-6, 1.]], [[1.5, 2.]]], [[[3., 4.]], [[1e6, 2.25e6]]]]))

# Wide rows: line breaks in Python, groups of columns in C++.
for n in [7, 8, 9, 10, 17, 26, 40]:
    row(torch.arange(n))
    row(torch.arange(n).reshape(1, n))
    row((torch.rand(n) * 10 ** random.randint(0, 6)).reshape(1, n))
    row((torch.rand(n) * 1e-7).reshape(1, n))
    row(-torch.rand(2, n) * 1e12)
row(torch.ones(2, 50))
row(torch.rand(3, 2, 11) - 0.5)
row(torch.ones(2, 90, dtype=torch.bool))
row(torch.arange(200, dtype=torch.uint8).reshape(2, 100))
row(torch.zeros(0, 3, 0, 10**9, dtype=torch.int16))
row(torch.zeros(2, 3, 0, 12345678, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, dtype=torch.float64))
row(torch.tensor([1.5, 2.5, 3.5, 4.5, 5.5, 6.5], dtype=torch.float64))  # the suffix fits on the line, or not
row(torch.tensor([1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5], dtype=torch.float64))
for n in range(3, 26):
    row(torch.arange(n, dtype=torch.int32))

# More than 1000 elements are summarised in Python.
row(torch.arange(1000, dtype=torch.int16))
row(torch.arange(1001, dtype=torch.int16))
row((torch.arange(1001) % 256).to(torch.uint8))
row((torch.arange(1100) % 7 == 0).reshape(11, 100))
row((torch.arange(1200) % 100).to(torch.int8).reshape(3, 400))
row((torch.arange(1200) % 100).to(torch.int8).reshape(400, 3))
row((torch.arange(1008) % 100).to(torch.int8).reshape(7, 8, 18))
row((torch.arange(1024) % 100).to(torch.int8).reshape(2, 2, 2, 2, 2, 2, 2, 2, 2, 2))
row(((torch.arange(1010) % 13).to(torch.float32) / 8).reshape(10, 101))
row(torch.cat([torch.zeros(600), torch.tensor([1e30, nan]), torch.zeros(600)]).to(torch.float32))
row(torch.zeros(1001, 1, dtype=torch.bool))
row(torch.zeros(1, 1001, dtype=torch.bool))

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "tensor", "print_table.tsv")
with open(path, "w", encoding="ascii") as out:
    out.write("\n".join(rows) + "\n")
print(len(rows), "rows")
