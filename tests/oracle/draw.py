"""Seeded operands for every schema: tensors of all dtypes, shapes, layouts and odd values; and wrong ones."""
import math
import random

import torch

from calls import Same

inf, nan = math.inf, math.nan
INTS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
FLOATS = [torch.float32, torch.float64]
DTYPES = INTS + FLOATS + [torch.bool]
NUMBER = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float32: 6, torch.float64: 7, torch.bool: 11}


class Draw(random.Random):
    """Every choice of one call. `wrong`: this call may break rules of shapes, dims, counts or dtypes."""

    def __init__(self, seed):
        super().__init__(seed)
        self.wrong = self.random() < 0.15
        self.wild = self.random() < 0.3  # inf, nan, -0.0, the ends of integers
        self.common = self.choice([None, None, torch.float32, torch.float32, torch.float64, torch.int64, self.choice(DTYPES)])

    def odds(self, p):
        return self.random() < p

    def slip(self):
        return self.wrong and self.odds(0.6)

    def dtype(self):
        return self.common if self.common and not self.slip() else self.choice(DTYPES)

    def size(self):
        return self.choice([1, 1, 2, 2, 3, 3, 4, 5, 0 if self.odds(0.25) else 2])

    def shape(self, least=0, most=4):
        if least == 0 and self.odds(0.12):
            return ()
        if self.odds(0.04):
            most = 6
        return tuple(self.size() for _ in range(self.randint(max(least, 1), most)))

    def number(self, dtype):
        if dtype == torch.bool:
            return self.odds(0.5)
        if dtype.is_floating_point:
            if self.wild and self.odds(0.4):
                return self.choice([0.0, -0.0, inf, -inf, nan, 1e30, -1e-30, 5e-324, 1e38, 0.5, -0.5, 1.5, 2.5])
            return self.choice([self.uniform(-3, 3), float(self.randint(-4, 4)), self.uniform(-100, 100), self.randint(-8, 8) / 2])
        info = torch.iinfo(dtype)
        if self.wild and self.odds(0.5):
            return self.choice([info.min, info.max, info.min + 1, self.randint(info.min, info.max), 0])
        return self.randint(max(info.min, -5), 7)

    def dense(self, shape, dtype, numbers=None):
        numbers = numbers or (lambda: self.number(dtype))
        values = [numbers() for _ in range(math.prod(shape))]
        return torch.tensor(values, dtype=torch.float64 if dtype == torch.float32 else dtype).to(dtype).reshape(shape)

    def tensor(self, shape=None, dtype=None, numbers=None, repeats=True):
        """A tensor in some layout: row-major, permuted, every second element, repeated, or inside a larger one."""
        shape = self.shape() if shape is None else tuple(shape)
        dtype = dtype or self.dtype()
        kind = self.choice("cccccpppseo") if shape else "c"
        if kind == "p":
            order = self.sample(range(len(shape)), len(shape))
            back = [order.index(i) for i in range(len(shape))]
            return self.dense([shape[i] for i in order], dtype, numbers).permute(back)
        if kind == "s":
            d = self.randrange(len(shape))
            return self.dense([2 * n if i == d else n for i, n in enumerate(shape)], dtype, numbers)[(slice(None),) * d + (slice(None, None, 2),)]
        if kind == "e" and repeats:
            kept = [n if self.odds(0.5) else 1 for n in shape]
            return self.dense(kept, dtype, numbers).expand(shape)
        if kind == "o":
            d = self.randrange(len(shape))
            return self.dense([n + 2 if i == d else n for i, n in enumerate(shape)], dtype, numbers).narrow(d, 1, shape[d])
        return self.dense(shape, dtype, numbers)

    def onto(self, shape, widen=True):
        """A shape that broadcasts with another."""
        if self.slip():
            return self.shape()
        kept = [1 if self.odds(0.2) else n for n in shape]
        kept = kept[self.randint(0, len(kept)):] if self.odds(0.2) else kept
        if widen and self.odds(0.15) and len(kept) == len(shape):
            kept = [self.size()] + kept
        return tuple(kept)

    def dim(self, ndim):
        count = max(ndim, 1)
        return self.choice([-count - 1, count, 7, -9]) if self.slip() else self.randint(-count, count - 1)

    def dims(self, ndim):
        picked = self.sample(range(ndim), self.randint(0, ndim))
        picked = [d - ndim if self.odds(0.3) else d for d in picked]
        return picked + [self.dim(ndim)] if self.slip() else picked

    def factors(self, numel, most=4):
        """Sizes that multiply to numel, one of them perhaps -1."""
        sizes = []
        while numel > 1 and len(sizes) < most - 1 and self.odds(0.7):
            size = self.choice([d for d in range(1, numel + 1) if numel % d == 0])
            sizes.append(size)
            numel //= size
        sizes.append(numel)
        self.shuffle(sizes)
        if self.odds(0.3):
            sizes[self.randrange(len(sizes))] = -1
        if self.slip():
            sizes[self.randrange(len(sizes))] += self.choice([1, -2])
        return sizes

    def scalar(self):
        if self.wild and self.odds(0.5):
            return self.choice([inf, -inf, nan, -0.0, 1e300, 2**40, -300, 300, 2**63 - 1, -2**63])
        return self.choice([0, 1, 2, 3, -1, -2, 5, 0.5, 2.5, -1.5, 1.0, 0.1])

    def int(self):
        if self.wild and self.odds(0.4):
            return self.choice([2**63 - 1, -2**63, 2**53 + 1, -1, 0, 1000])
        return self.randint(-4, 6)

    def float(self):
        if self.wild and self.odds(0.4):
            return self.choice([inf, -inf, nan, -0.0, 0.0, 1e300, 5e-324])
        return self.choice([self.uniform(-3, 3), float(self.randint(-4, 5)), 0.5, 1e10])

    def text(self):
        return self.choice(["", "a", "b", "ab", "tine", "é", "12", "-3", "1.5", "nan", " 7", "x y", "{}", "0x10", "1e5", "cpu"])

    def index(self, size, shape, dtype=torch.int64):
        """Indices of a dimension of some size."""
        bad = self.slip()
        far = 10**6 if dtype in (torch.int32, torch.int64) else 100
        numbers = lambda: self.choice([size, 0 if dtype == torch.uint8 else -size - 1, far]) if bad and self.odds(0.3) else self.randrange(max(size, 1))
        return self.tensor(shape, dtype, numbers)


# ---- operands of operators whose shapes depend on each other; what is missing is drawn by its type and name ----
def broadcast(draw, names, inPlace):
    shape = draw.shape()
    out = {}
    for i, name in enumerate(names):
        fixed = inPlace and i == 0
        shapeHere = shape if i == 0 else draw.onto(shape, widen=not inPlace)
        out[name] = draw.tensor(shapeHere, repeats=not fixed or draw.odds(0.1))
    return out


def product(*rows):
    """rows: (name, letters); the same letter is the same size."""
    def make(draw, schema):
        size = {}
        def sized(letters):
            return [draw.size() if draw.slip() and draw.odds(0.4) else size.setdefault(c, draw.size()) for c in letters]
        dtype = draw.dtype()
        tensor = lambda letters: draw.tensor(sized(letters), draw.dtype() if draw.slip() else dtype)
        return {name: tensor(draw.choice(letters) if isinstance(letters, list) else letters) for name, letters in rows}
    return make


def matmul(draw, schema):
    k, dtype = draw.size(), draw.dtype()
    batch = draw.shape(0, 2)
    left = [k] if draw.odds(0.2) else [*(draw.onto(batch) if draw.odds(0.6) else ()), draw.size(), k]
    right = [k] if draw.odds(0.2) else [*(draw.onto(batch) if draw.odds(0.6) else ()), draw.size() if draw.slip() else k, draw.size()]
    other = draw.dtype() if draw.slip() else dtype
    return {"self": draw.tensor(left, dtype), "other": draw.tensor(right, other)}


def linear(draw, schema):
    k, m, dtype = draw.size(), draw.size(), draw.dtype()
    weight = [k] if draw.odds(0.1) else [m, draw.size() if draw.slip() else k]
    bias = None if draw.odds(0.4) else draw.tensor([m] if draw.odds(0.9) else [1], dtype)
    return {"input": draw.tensor([*draw.shape(0, 2), k], dtype), "weight": draw.tensor(weight, dtype), "bias": bias if len(weight) == 2 else None}


def joined(draw, schema):
    shape = list(draw.shape(0 if draw.odds(0.1) else 1, 3))
    ndim = len(shape) + ("stack" in schema.name and schema.name in ("aten::stack",))
    dim = draw.dim(ndim)
    tensors = []
    for _ in range(draw.choice([1, 2, 2, 3, 0 if draw.slip() else 2])):
        own = list(shape)
        if own and schema.name in ("aten::cat", "aten::concat") and -len(own) <= dim < len(own):
            own[dim] = draw.size()
        if draw.slip() and own:
            own[draw.randrange(len(own))] += 1
        tensors.append(draw.tensor(own) if draw.odds(0.93) else draw.tensor([0]))
    return {"tensors": tensors, "dim": dim}


def viewed(draw, schema):
    t = draw.tensor()
    if schema.name in ("aten::view_as", "aten::reshape_as"):
        return {"self": t, "other": draw.tensor([abs(n) for n in draw.factors(max(t.numel(), 0)) or [1]] if draw.odds(0.7) else list(t.shape))}
    return {"self": t, "size": draw.factors(t.numel()), "shape": draw.factors(t.numel())}


def expanded(draw, schema):
    small = draw.tensor([1 if draw.odds(0.5) else n for n in draw.shape()])
    sizes = [draw.size() if n == 1 else draw.choice([n, n, -1]) for n in small.shape]
    sizes = [draw.size() for _ in range(draw.choice([0, 0, 1, 2]))] + sizes
    if draw.slip():
        sizes = draw.choice([sizes[1:], [n + 1 for n in sizes], [-1] + sizes])
    other = [abs(n) if n != -1 else 1 for n in sizes]
    return {"self": small, "size": sizes, "other": draw.tensor(other if draw.slip() or draw.odds(0.3) else list(small.expand(sizes).shape) if fits(small, sizes) else other)}


def fits(t, sizes):
    try:
        t.expand(sizes)
        return True
    except RuntimeError:
        return False


def permuted(draw, schema):
    t = draw.tensor()
    dims = [d - t.dim() if draw.odds(0.3) else d for d in draw.sample(range(t.dim()), t.dim())]
    if draw.slip():
        dims = draw.choice([dims[1:], dims + [0], [0] * len(dims), [d + 1 for d in dims]])
    return {"self": t, "dims": dims}


def split(draw, schema):
    t = draw.tensor(draw.shape(0 if draw.odds(0.05) else 1))
    dim = draw.dim(t.dim())
    size = t.shape[dim] if t.dim() and -t.dim() <= dim < t.dim() else 2
    sizes, rest = [], size
    while rest > 0:
        sizes.append(draw.randint(0, rest))
        rest -= sizes[-1]
    if draw.slip():
        sizes.append(draw.choice([1, -1]))
    return {"self": t, "dim": dim, "split_sizes": sizes, "split_size": sizes if "int[]" in str(schema) or "SymInt[]" in str(schema) else draw.choice([1, 2, 3, 7, 0 if draw.odds(0.3) else 1, -1 if draw.slip() else 2]),
            "chunks": draw.choice([1, 2, 3, 5, 0 if draw.slip() else 2]), "sections": draw.choice([1, 2, 3, 5, 0 if draw.slip() else 2]),
            "indices": [draw.randint(-2, 5) for _ in range(draw.randint(0, 3))]}


def narrowed(draw, schema):
    t = draw.tensor(draw.shape(1))
    dim = draw.dim(t.dim())
    size = t.shape[dim] if -t.dim() <= dim < t.dim() else 2
    start = draw.randint(-size, size)
    length = draw.randint(0, max(size - (start if start >= 0 else start + size), 0))
    return {"self": t, "dim": dim, "start": start, "length": length + (draw.choice([1, -1, 9]) if draw.slip() else 0), "index": draw.randint(-size, max(size - 1, 0)) + (5 if draw.slip() else 0)}


def sliced(draw, schema):
    t = draw.tensor(draw.shape(0 if draw.odds(0.1) else 1))
    bound = lambda: None if draw.odds(0.2) else draw.choice([draw.randint(-6, 6), draw.randint(-6, 6), 2**63 - 1, -2**63])
    return {"self": t, "dim": draw.dim(t.dim()), "start": bound(), "end": bound(), "step": draw.choice([1, 1, 2, 3, 2**62, 0 if draw.slip() else 1, -1 if draw.slip() else 1])}


def indexed(draw, schema):
    """index_select, gather, scatter, take, index_add_, ...: an index for a dimension."""
    name = schema.name
    t = draw.tensor(draw.shape(0 if draw.odds(0.15) else 1, 3), repeats=not name.endswith("_"))
    dim = draw.dim(t.dim())
    size = t.shape[dim] if t.dim() and -t.dim() <= dim < t.dim() else 1
    dtype = torch.int32 if draw.odds(0.15) else draw.dtype() if draw.slip() else torch.int64
    flat = name in ("aten::index_select", "aten::index_add_", "aten::index_copy_", "aten::index_fill_", "aten::index_add", "aten::index_copy", "aten::index_fill")
    if name == "aten::take":
        shape, size = draw.shape(), t.numel()
    elif flat:
        shape = (draw.randint(0, 4),) if draw.odds(0.9) else ()
    else:
        shape = [draw.randint(0, n) if draw.odds(0.3) else n for n in t.shape]
        if t.dim() and -t.dim() <= dim < t.dim():
            shape[dim] = draw.randint(0, 4)
        if draw.slip():
            shape = draw.shape()
    index = draw.index(size, shape, dtype)
    source = list(t.shape) if flat else list(shape)
    if flat and t.dim() and -t.dim() <= dim < t.dim():
        source[dim] = index.numel()
    other = draw.dtype() if draw.slip() else t.dtype
    drawn = {"self": t, "dim": dim, "index": index, "source": draw.tensor(source, other), "src": draw.tensor(source, other)}
    return {**drawn, "value": draw.tensor(() if draw.odds(0.9) else None, other)} if "index_fill" in name and "Tensor value" in str(schema) else drawn


def gathered(draw, schema):
    """index.Tensor and index_put_: a tensor or none for each dimension."""
    t = draw.tensor(draw.shape(1, 3), repeats=not schema.name.endswith("_"))
    common = draw.shape(0, 2)
    indices = []
    for d in range(draw.randint(1, t.dim() + (1 if draw.slip() else 0))):
        size = t.shape[d] if d < t.dim() else 1
        if draw.odds(0.25) and "Tensor?" in str(schema):
            indices.append(None)
        elif draw.odds(0.15) and not draw.odds(0.3):
            indices.append(draw.tensor([size + (1 if draw.slip() else 0)], draw.choice([torch.bool, torch.bool, torch.uint8])))
        else:
            index = draw.index(size, draw.onto(common, widen=False))
            indices.append(index - size if draw.odds(0.2) and size else index)
    if all(i is None for i in indices):
        indices[0] = draw.index(t.shape[0], common)
    try:
        picked = list(t[tuple(slice(None) if i is None else i for i in indices)].shape)
    except (IndexError, RuntimeError):
        picked = [1]
    return {"self": t, "indices": indices, "values": draw.tensor(draw.onto(picked, widen=False), draw.dtype() if draw.slip() else t.dtype)}


def masked(draw, schema):
    shape = draw.shape()
    t = draw.tensor(shape, repeats=not schema.name.endswith("_"))
    mask = draw.tensor(draw.onto(shape, widen=not schema.name.endswith("_")), draw.dtype() if draw.slip() else torch.bool)
    drawn = {"self": t, "mask": mask, "source": draw.tensor((40,), t.dtype)}
    return drawn if "Scalar value" in str(schema) else {**drawn, "value": draw.tensor(() if draw.odds(0.9) else (1,))}


def selected(draw, schema):
    shape = draw.shape()
    condition = draw.tensor(shape, draw.dtype() if draw.slip() else torch.bool)
    dtype = draw.dtype()
    drawn = {"condition": condition, "self": draw.tensor(draw.onto(shape), dtype), "other": draw.tensor(draw.onto(shape), draw.dtype() if draw.slip() else dtype)}
    return {name: value for name, value in drawn.items() if f"Scalar {name}" not in str(schema)}


def ranged(draw, schema):
    start = draw.choice([draw.randint(-5, 5), draw.uniform(-3, 3)])
    step = draw.choice([1, 2, 0.5, -1, -0.25, 3, 0 if draw.slip() else 1])
    return {"start": start, "end": start + step * draw.randint(0, 9) + draw.choice([0, 0.3, 1]) if draw.odds(0.95) else draw.choice([inf, nan, -inf, 1e300]), "step": step, "steps": draw.choice([0, 1, 2, 5, 17, -1 if draw.slip() else 3])}


def powers(draw, schema):
    names = [a.name for a in schema.arguments if str(a.type) == "Tensor"]
    out = broadcast(draw, names, schema.name.endswith("_"))
    draw.wild = draw.wild and draw.odds(0.3)
    return out


def rolled(draw, schema):
    t = draw.tensor()
    dims = [d for d in draw.dims(t.dim())]
    shifts = [draw.randint(-5, 5) for _ in dims] or [draw.randint(-5, 5)]
    return {"self": t, "dims": dims, "shifts": shifts + [1] if draw.slip() else shifts}


def moved(draw, schema):
    t = draw.tensor()
    source = draw.sample(range(t.dim()), draw.randint(0, t.dim()))
    destination = draw.sample(range(t.dim()), len(source))
    if "int[]" not in str(schema):
        return {"self": t, "source": draw.dim(t.dim()), "destination": draw.dim(t.dim())}
    return {"self": t, "source": source + [0] if draw.slip() else source, "destination": [d - t.dim() for d in destination]}


def unflattened(draw, schema):
    t = draw.tensor(draw.shape(1))
    dim = draw.dim(t.dim())
    return {"self": t, "dim": dim, "sizes": draw.factors(t.shape[dim] if -t.dim() <= dim < t.dim() else 4)}


def restrided(draw, schema):
    t = draw.dense((draw.randint(1, 40),), draw.dtype())
    sizes = [draw.randint(0, 3) for _ in range(draw.randint(0, 3))]
    return {"self": t, "size": sizes, "stride": [draw.randint(0, 4) for _ in sizes], "storage_offset": draw.choice([None, 0, 1, 5])}


def repeated(draw, schema):
    t = draw.tensor(draw.shape(0, 3))
    times = [draw.randint(0, 3) for _ in range(t.dim() + draw.choice([0, 0, 1, -1 if draw.slip() else 0]))]
    return {"self": t, "repeats": times, "dims": times}


def interleaved(draw, schema):
    if "self" not in str(schema).split(",")[0] and "Tensor repeats" in str(schema).split(",")[0]:
        return {"repeats": draw.dense((draw.randint(0, 4),), draw.choice([torch.int64, torch.int32]), lambda: draw.randint(-1 if draw.slip() else 0, 3)), "output_size": None}
    t = draw.tensor()
    dim = None if draw.odds(0.3) else draw.dim(t.dim())
    size = t.numel() if dim is None else t.shape[dim] if -t.dim() <= dim < t.dim() else 1
    drawn = {"self": t, "dim": dim, "output_size": None}
    if "int repeats" in str(schema):
        return {**drawn, "repeats": draw.randint(-1 if draw.slip() else 0, 3)}
    return {**drawn, "repeats": draw.dense(draw.choice([(size,), (size,), (1,), (), (2,)]), torch.int64, lambda: draw.randint(0, 3))}


def chances(draw, schema):
    """bernoulli, multinomial: probabilities, or weights."""
    wanted = draw.choice(FLOATS)
    number = lambda: draw.choice([0.0, 0.5, 1.0, draw.uniform(0, 1), draw.number(wanted) if draw.slip() else 0.25])
    t = draw.tensor(draw.shape(1, 2) if "multinomial" in schema.name else draw.shape(), draw.dtype() if draw.slip() else wanted, number, repeats=not schema.name.endswith("_"))
    drawn = {"self": t, "p": draw.tensor(draw.onto(t.shape, widen=False), draw.choice(FLOATS), number)}
    return drawn if "Tensor p" in str(schema) else {"self": t}


def together(draw, schema):
    shape = draw.shape()
    return {"tensors": [draw.tensor(draw.onto(shape)) for _ in range(draw.randint(1, 3))]}


FAMILIES = {
    "mm": product(("self", "nk"), ("mat2", "km")),
    "bmm": product(("self", "bnk"), ("mat2", "bkm")),
    "mv": product(("self", "nk"), ("vec", "k")),
    "dot": product(("self", "k"), ("tensor", "k")),
    "addmm": product(("self", ["nm", "m", "", "1m"]), ("mat1", "nk"), ("mat2", "km")),
    "baddbmm": product(("self", ["bnm", "m", "nm", ""]), ("batch1", "bnk"), ("batch2", "bkm")),
    "outer": product(("self", "n"), ("vec2", "m")),
    "matmul": matmul, "linear": linear,
    "cat": joined, "concat": joined, "stack": joined, "hstack": joined, "vstack": joined,
    "view": viewed, "reshape": viewed, "view_as": viewed, "reshape_as": viewed,
    "expand": expanded, "expand_as": expanded, "broadcast_to": expanded,
    "permute": permuted,
    "split": split, "split_with_sizes": split, "chunk": split, "tensor_split": split, "unbind": split,
    "narrow": narrowed, "select": narrowed, "slice": sliced,
    "index_select": indexed, "gather": indexed, "scatter": indexed, "scatter_add": indexed, "take": indexed, "index_add": indexed, "index_copy": indexed,
    "index_fill": indexed, "index": gathered, "index_put": gathered, "masked_fill": masked, "masked_select": masked, "masked_scatter": masked, "where": selected,
    "arange": ranged, "linspace": ranged, "roll": rolled, "movedim": moved, "unflatten": unflattened, "as_strided": restrided, "repeat": repeated, "tile": repeated,
    "bernoulli": chances, "multinomial": chances, "broadcast_tensors": together, "repeat_interleave": interleaved,
}


def operands(draw, schema):
    """The operands of a call, their types, and the types of its results, as IR text spells them."""
    variables = {}

    def concrete(kind):
        if kind not in variables:
            variables[kind] = draw.choice(["int", "int", "float", "bool", "str", "Tensor"])
        return variables[kind]

    def spelled(ty):
        kind = ty.kind()
        if kind == "ListType":
            return spelled(ty.getElementType()) + "[]"
        if kind == "OptionalType":
            return spelled(ty.getElementType()) + "?"
        if kind == "DictType":
            return f"Dict({spelled(ty.getKeyType())}, {spelled(ty.getValueType())})"
        if kind == "TupleType":
            return "(" + ", ".join(spelled(e) for e in ty.elements()) + ")"
        if kind == "VarType":
            return concrete(str(ty))
        return {"TensorType": "Tensor", "IntType": "int", "SymIntType": "int", "FloatType": "float", "BoolType": "bool", "StringType": "str", "NumberType": "Scalar",
                "DeviceObjType": "Device", "GeneratorType": "Generator", "AnyType": "Any", "NoneType": "None", "ScalarTypeType": "int", "LayoutType": "int", "MemoryFormatType": "int"}[kind]

    base = schema.name.split("::")[1]
    inPlace = base.endswith("_") and not base.startswith("__")
    base = base.rstrip("_") if inPlace else base
    tensors = [a.name for a in schema.arguments if str(a.type) == "Tensor"]
    isList = schema.arguments and schema.arguments[0].type.kind() in ("ListType", "StringType", "DictType")
    if base in FAMILIES and not (isList and base not in ("cat", "concat", "stack", "hstack", "vstack")):
        drawn = FAMILIES[base](draw, schema)
    else:
        drawn = broadcast(draw, tensors, inPlace)
    first = next((drawn[n] for n in tensors if isinstance(drawn.get(n), torch.Tensor)), None)
    ndim = first.dim() if first is not None else 2

    def plain(type_, name):
        if type_.endswith("?"):
            return None if draw.odds(0.4) else plain(type_[:-1], name)
        if type_.endswith("[]"):
            inner = type_[:-2]
            if inner == "int" and name in ("dim", "dims", "axis"):
                return draw.dims(ndim)
            if inner == "int" and name in ("size", "sizes"):
                return [draw.size() - (2 if draw.slip() else 0) for _ in range(draw.randint(0, 3))]
            if inner == "int" and name in ("repeats", "shifts"):
                return [draw.randint(0, 3) for _ in range(ndim + draw.choice([0, 0, 1, -1 if draw.slip() and ndim else 0]))]
            return [plain(inner, "item") for _ in range(draw.choice([0, 1, 2, 3, 4]))]
        if type_.startswith("Dict("):
            key, value = type_[5:-1].split(", ", 1)
            return {plain(key, "key"): plain(value, "value") for _ in range(draw.choice([0, 1, 2, 3]))}
        if type_.startswith("("):
            return tuple(plain(e, "item") for e in type_[1:-1].split(", "))
        if type_ == "Tensor":
            if name != "item":
                return draw.tensor(None if first is None else draw.onto(first.shape, widen=not inPlace))
            return draw.tensor(draw.choice([(), (1,), (2,), None]))
        if type_ == "Any":
            return draw.int()
        if type_ == "Scalar":
            if name in ("exponent", "p", "beta"):
                return draw.choice([0, 1, 2, 3, 0.5, -0.5, -1, -2, 1.5, inf, draw.scalar()] if name != "beta" else [0, 1, 1, 2, 0.5])
            return draw.scalar()
        if type_ == "int":
            if name in ("decimals", "k"):
                return draw.choice([0, 1, 2, 3, -1])
            if name in ("width", "m", "tabsize"):
                return draw.randint(-1, 7)
            if name == "i" and base == "chr":
                return draw.randint(-2, 130)
            if name in ("dim", "dim0", "dim1", "axis", "axis0", "axis1", "start_dim", "end_dim"):
                return draw.dim(ndim + (base == "unsqueeze"))
            if name == "num_samples":
                return draw.choice([1, 1, 2, 3, 9, draw.int() if draw.slip() else 1])
            if name in ("high", "to"):
                return draw.choice([1, 2, 3, 5, 100, 127, draw.int() if draw.slip() else 2])
            if name == "low" or name == "from":
                return draw.choice([0, 0, 1, -3 if draw.slip() else 0])
            if name == "n" and base == "randperm":
                return draw.choice([0, 1, 2, 7, 100, -1 if draw.slip() else 3, 300])
            if name == "dtype":
                return NUMBER[draw.dtype() if draw.odds(0.5) else draw.choice(DTYPES)]
            if name in ("layout", "memory_format"):
                return 0
            if name in ("n", "chunks"):  # so many elements
                return draw.randint(-3, 5)
            return draw.int()
        if type_ == "float" and name in ("p", "std", "lambd", "to"):
            return draw.choice([0.0, 0.25, 0.5, 1.0, 1.0, draw.float() if draw.slip() else 1.0])
        if type_ == "float" and name == "from":
            return draw.choice([0.0, -1.0, -2.5, draw.float() if draw.slip() else 0.0])
        if name in ("rtol", "atol"):
            return draw.choice([0.0, 1e-5, 0.1, 1.0, -1.0 if draw.slip() else 0.5])
        if name == "reduce":
            return draw.choice(["add", "multiply", "x" if draw.slip() else "add"])
        if name == "approximate":
            return draw.choice(["none", "tanh", "x" if draw.slip() else "none"])
        if name == "fillchar":
            return draw.choice([" ", "*", "ab" if draw.slip() else "0"])
        if name in ("substr", "old", "separator", "chars") and draw.odds(0.7):
            return draw.choice(["a", "b", " ", "1", "ti"])
        return {"float": draw.float, "bool": lambda: draw.odds(0.5), "str": draw.text, "Device": lambda: torch.device("cpu"), "None": lambda: None}[type_]()

    args, types = [], []
    for argument in schema.arguments:
        type_ = spelled(argument.type)
        if argument.name in drawn:
            value = drawn[argument.name]
        elif argument.name in ("layout", "device", "pin_memory", "memory_format", "generator") and type_.endswith("?"):
            value = None
        elif argument.name == "alpha":
            value = draw.choice([1, 1, 1, 2, -1, 0.5, draw.scalar()])
        elif argument.name == "unbiased" or argument.name == "correction":
            value = plain(type_, argument.name) if type_.startswith("bool") else draw.choice([0, 1, 1, 2])
        elif argument.name == "rounding_mode":
            value = draw.choice([None, "floor", "trunc", "up" if draw.slip() else "floor"])
        elif argument.name == "key" and types and types[0].startswith("Dict(") and args[0] and draw.odds(0.6):
            at = draw.randrange(len(args[0]))
            value = Same(0, key=at)
        elif argument.name == "requires_grad":
            value = False
        else:
            value = plain(type_, argument.name)
        # The same list twice, the same tensor twice, or a view of it.
        if args and types[0] == type_ and type_ == "Tensor" and inPlace and isinstance(args[0], torch.Tensor) and args[0].dim() and draw.odds(0.15):
            value = aliased(draw, args[0])
        elif args and types[0] == type_ and type_.endswith("[]") and draw.odds(0.1):
            value = Same(0)
        if isinstance(value, list) and all(isinstance(v, torch.Tensor) or v is None for v in value) and any(v is None for v in value):
            type_ = "Tensor?[]"
        types.append("float" if type_ == "Scalar" and isinstance(value, float) and tensors else "int" if type_ == "Scalar" and tensors else type_)
        args.append(value)
    results = [spelled(r.type) for r in schema.returns]
    return args, types, results


def aliased(draw, t):
    """t itself, transposed, or a part of its storage."""
    sizes, strides, offset = list(t.shape), list(t.stride()), t.storage_offset()
    how = draw.choice("spo")
    if how == "s":
        return Same(0)
    if how == "p":
        order = draw.sample(range(t.dim()), t.dim())
        return Same(0, view=(([sizes[i] for i in order]), [strides[i] for i in order], 0))
    d = draw.randrange(t.dim())
    if sizes[d] < 2:
        return Same(0)
    return Same(0, view=([1 if i == d else n for i, n in enumerate(sizes)], strides, strides[d] * draw.randrange(sizes[d])))
