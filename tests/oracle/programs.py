"""The programs whose graphs make_dumps.py prints.

They lie in a file because TorchScript reads the source of what it compiles. The first part is traced, and each program there has a twin in C++;
the rest is scripted, or traced for what the printer makes of it.
"""
import enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
from torch import Tensor
from torch.distributed import rpc
from torch.distributed.rpc import RRef
from torch.futures import Future

# --- traced fork programs -----------------------------------------------------------------------------------------------------------------------


def foo(a, b):
    return a + b


def bar(a):
    fut = torch.jit.fork(foo, a, b=2)
    return torch.jit.wait(fut)


def scale(x, factor, offset):
    return x * factor + offset


def keyword(x, y):
    fut = torch.jit.fork(scale, offset=y, x=x, factor=x)
    return torch.jit.wait(fut)


class Gate(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
        self.register_buffer("bias", torch.tensor([0.5, 0.25, 0.125]))

    def forward(self, x, b: int = 1):
        return torch.relu(x * self.weight + self.bias + b)


class ForkModule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sub = Gate()
        self.shift = torch.nn.Parameter(torch.tensor([0.5]))

    def forward(self, x):
        fut = torch.jit.fork(self.sub, x)
        y = x - self.shift
        return torch.jit.wait(fut) + y


class ForkModuleKeyword(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sub = Gate()

    def forward(self, x):
        fut = torch.jit.fork(self.sub, x, b=2)
        return torch.jit.wait(fut)


class ForkModuleTwice(torch.nn.Module):
    """The same submodule forked twice and called once."""

    def __init__(self):
        super().__init__()
        self.sub = Gate()

    def forward(self, x):
        first = torch.jit.fork(self.sub, x)
        second = torch.jit.fork(self.sub, -x)
        return self.sub(torch.jit.wait(first) + torch.jit.wait(second))


class Branch(torch.nn.Module):
    def __init__(self, value):
        super().__init__()
        self.gate = Gate()
        self.scale = torch.nn.Parameter(torch.tensor([value]))

    def forward(self, x):
        fut = torch.jit.fork(self.gate, x * self.scale)
        return torch.jit.wait(fut)


class ForkModuleNested(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.left = Branch(1.5)
        self.right = Branch(2.5)

    def forward(self, x):
        left = torch.jit.fork(self.left, x)
        right = torch.jit.fork(self.right, x)
        return torch.jit.wait(left) * torch.jit.wait(right)


def inner(x):
    return torch.neg(x)


def middle(x):
    fut = torch.jit.fork(inner, x + x)
    return torch.jit.wait(fut) * x


def nested(x):
    fut = torch.jit.fork(middle, x)
    return torch.jit.wait(fut)


def nested_three(x):
    def deep(y):
        fut = torch.jit.fork(middle, y - x)
        return torch.jit.wait(fut) + x

    fut = torch.jit.fork(deep, torch.relu(x))
    return torch.jit.wait(fut)


def captured(x, y):
    first = x + y
    second = x * y

    def task(z):
        return (z - second) * first

    fut = torch.jit.fork(task, x)
    return torch.jit.wait(fut)


def captured_nested(x, y):
    a = x + y
    b = x - y

    def outer_task(z):
        def inner_task(w):
            return w * b

        fut = torch.jit.fork(inner_task, z)
        return torch.jit.wait(fut) + a

    fut = torch.jit.fork(outer_task, x)
    return torch.jit.wait(fut)


def captured_only(x):
    y = -x

    def task():
        return y * x

    return torch.jit.wait(torch.jit.fork(task))


def two_waits(x):
    fut = torch.jit.fork(inner, x)
    once = torch.jit.wait(fut)
    again = torch.jit.wait(fut)
    return once * again


def wait_method(x):
    return torch.jit.fork(inner, x).wait()


def wait_in_child(x):
    fut = torch.jit.fork(inner, x)

    def task(y):
        return torch.jit.wait(fut) + y

    other = torch.jit.fork(task, x)
    return torch.jit.wait(other)


def future_list(x):
    futures = []
    for i in range(3):
        futures.append(torch.jit.fork(foo, x, i))
    total = x
    for fut in futures:
        total = total + torch.jit.wait(fut)
    return total


def future_dict(x):
    futures = {"neg": torch.jit.fork(torch.neg, x), "relu": torch.jit.fork(torch.relu, x)}
    return torch.jit.wait(futures["relu"]) - torch.jit.wait(futures["neg"])


def unwaited(x):
    torch.jit.fork(inner, x)
    return x * x


def unwaited_mutation(x):
    def task(y):
        return y.add_(1)

    z = x * x
    torch.jit.fork(task, z)
    return z


def pair(x):
    return x + 1, x * 2


def fork_tuple(x):
    fut = torch.jit.fork(pair, x)
    a, b = torch.jit.wait(fut)
    return a * b


def fork_tuple_whole(x):
    return torch.jit.wait(torch.jit.fork(pair, x))


def nested_pair(x):
    return (x, (-x, x + x))


def fork_tuple_nested(x):
    a, (b, c) = torch.jit.wait(torch.jit.fork(nested_pair, x))
    return a * b - c


def reverse_order(x, y):
    first = torch.jit.fork(inner, x)
    second = torch.jit.fork(torch.relu, y)
    b = torch.jit.wait(second)
    a = torch.jit.wait(first)
    return b - a


def feeding(x):
    first = torch.jit.fork(inner, x)
    second = torch.jit.fork(foo, torch.jit.wait(first), x)
    return torch.jit.wait(second)


def shifted(x, count, factor):
    return (x + count) * factor


def scalars(x):
    fut = torch.jit.fork(shifted, x, 3, 0.5)
    return torch.jit.wait(fut)


def same_twice(x):
    fut = torch.jit.fork(foo, x, x)
    return torch.jit.wait(fut) + x


def chain(x):
    for i in range(4):
        x = torch.jit.wait(torch.jit.fork(foo, x, i))
    return x


def identity(x):
    return x


def fork_identity(x):
    return torch.jit.wait(torch.jit.fork(identity, x))


def make_constant(x):
    return torch.full([2], 3.0)


def fork_constant(x):
    return torch.jit.wait(torch.jit.fork(make_constant, x)) + x


def builtin(x):
    return torch.jit.wait(torch.jit.fork(torch.add, x, x, alpha=2))


def in_place(x):
    y = x * 1

    def task(z):
        z.mul_(2)
        return z

    fut = torch.jit.fork(task, y)
    return torch.jit.wait(fut) + y


def sized(x):
    def task(y):
        return y * y.size(0)

    return torch.jit.wait(torch.jit.fork(task, x))


def tuple_input(pair: Tuple[Tensor, Tensor]):
    fut = torch.jit.fork(foo, pair[0], pair[1])
    return torch.jit.wait(fut)


def list_argument(x, y):
    def task(parts):
        return torch.cat(parts)

    return torch.jit.wait(torch.jit.fork(task, [x, y]))


def branch_scripted(x, flag: bool):
    if flag:
        y = -x
    else:
        y = x
    return y


def calls_scripted(x):
    return torch.jit.wait(torch.jit.fork(scripted_inner, x)) + scripted_inner(x)


@torch.jit.script
def scripted_inner(x: Tensor) -> Tensor:
    if bool(x.sum() > 0):
        x = x + 1
    return x


def return_future(x):
    return torch.jit.fork(inner, x)


def then_callback(x):
    return torch.jit.fork(inner, x).then(lambda f: f.value() + 1).wait()


def raises(x):
    def task(y):
        raise ValueError("boom")

    return torch.jit.wait(torch.jit.fork(task, x))


def returns_none(x):
    def task(y):
        return None

    torch.jit.wait(torch.jit.fork(task, x))
    return x


def returns_int(x):
    def task(y):
        return 3

    return x + torch.jit.wait(torch.jit.fork(task, x))


def returns_list(x):
    def task(y):
        return [y, -y]

    a, b = torch.jit.wait(torch.jit.fork(task, x))
    return a + b


def returns_dict(x):
    def task(y):
        return {"a": y}

    return torch.jit.wait(torch.jit.fork(task, x))["a"]


def returns_future(x):
    def task(y):
        return torch.jit.fork(inner, y)

    return torch.jit.wait(torch.jit.wait(torch.jit.fork(task, x)))


def outside_future(x):
    return torch.jit.wait(OUTSIDE) + x


OUTSIDE: "torch.futures.Future[Tensor]" = torch.futures.Future()
OUTSIDE.set_result(torch.ones(2))


def collected(x):
    futures = torch.futures.collect_all([torch.jit.fork(inner, x), torch.jit.fork(torch.relu, x)]).wait()
    return futures[0].value() + futures[1].value()


# --- scripted: constants ------------------------------------------------------------------------------------------------------------------------


def ints():
    return [0, 1, -1, 9223372036854775807, -9223372036854775807 - 1, 2147483648, 0x10, 1_000]


def floats():
    return [0.0, -0.0, 0.1, 1.0, -2.5, 1e5, 1e9, 9999999999.0, 1e10, 1e15, 1e16, 1e17, 1e-5, 1e-300, 1e308, 5e-324, 1.0 / 3.0, 123456.789,
            float("inf"), -float("inf"), float("nan")]


def complexes(x: Tensor):
    return x * 1j, x + 2.5j, complex(1.0, -0.5), complex(0.1, 1e17), 1j * 2.0


def strings():
    return ["", "plain", "it's", 'say "hi"', "back\\slash", "tab\there", "line\nbreak", "cr\rlf\n", "\a\b\f\v", "\x00nul\x00", "\x1b[0m", "\x7f",
            "question?", "% # \\ {} []", "->", "with prim::fork_0 = graph():", " # programs.py:1:2"]


def strings_wide():
    return ["é", "ß", "中文字", "😀", "naïve café", "\u00a0", "\x80\xff", "é1", "é\n中"]


def bools_none():
    a: Optional[int] = None
    b: Optional[Tensor] = None
    return True, False, None, a, b


def lists():
    a: List[int] = []
    b: List[float] = []
    c: List[str] = []
    d: List[bool] = []
    e: List[Tensor] = []
    f: List[List[int]] = []
    g: List[Optional[int]] = []
    h: List[Tuple[int, str]] = []
    i: List[Dict[str, int]] = []
    j: List[complex] = []
    return (a, b, c, d, e), (f, g, h, i, j), [1, 2], [1.0, 2.5], [True, False], ["a", "b"], [1j, 2j], [[1], [2, 3]]


def dicts():
    a: Dict[str, int] = {}
    b: Dict[int, Tensor] = {}
    c: Dict[str, List[int]] = {}
    d: Dict[float, Optional[str]] = {}
    return a, b, c, d, {"a": 1, "b": 2}, {1: "x"}, {1.5: [1, 2]}, {True: (1, "a")}


def tuples():
    a: Tuple[int] = (1,)
    return a, (1, 2.0, "x"), ((), (1, (2, (3,)))), ()


def optional_elements():
    a: List[Optional[int]] = [None, 1]
    b: List[Optional[str]] = ["x", None]
    c: Dict[str, Optional[int]] = {"a": None, "b": 1}
    d: Tuple[Optional[int], Optional[float]] = (None, 1.0)
    e: List[Optional[Tensor]] = [None]
    return a, b, c, d, e


def devices(x: Tensor):
    a = torch.device("cpu")
    b = torch.device("cuda:1")
    y = torch.zeros([2], dtype=torch.float64, layout=torch.strided, device=torch.device("cpu"), pin_memory=False)
    z = x.to(torch.int32).to(device=a, dtype=torch.bfloat16, non_blocking=True, memory_format=torch.contiguous_format)
    return a, b, y, z, x.dtype == torch.half, x.device == a


def folded(x: Tensor):
    a = [1, 2, 3]
    b = (1, 2.5, "x", None)
    c = 3 * 7 + len("four")
    d = "a" + "b" if c > 4 else "c"
    e = (b, c, (d,))
    return x + c, e, a[1] + 2, 7 // 2, -7 % 3, 2 ** 10, 1 / 4, min(1, 2), float(3), str(4), int("5"), not True


def repeated(x: Tensor, flag: bool):
    y = x + 1
    if flag:
        y = y + 1
        for i in range(3):
            y = y * 2.0 + 1 + i
    else:
        y = y - 1
        s = "same" + str(1)
        print(s, "same", 1.5, 2.0)
    return y + 1


# --- scripted: control flow ---------------------------------------------------------------------------------------------------------------------


def branches(x: Tensor, n: int):
    if n > 10:
        y = x + 1
    elif n > 5:
        y = x * 2
    elif n == 3 or (n < 0 and not n == -1):
        y = -x
    else:
        y = x
    return y


def early(x: Tensor, n: int):
    if n == 0:
        return x
    for i in range(n):
        if i == 7:
            return x + i
        if i == 3:
            continue
        if i == 5:
            break
        x = x * 2
    while True:
        x = x - 1
        if bool(x.sum() < 0):
            return x
    return x


def loops(n: int):
    total = 0
    for i in range(0, n, 2):
        for j in range(i):
            if j % 2 == 0:
                continue
            total += i * j
    while total > 100:
        total -= 1
        if total == 150:
            break
    k = n
    while k > 0 and total < 1000:
        k -= 1
    for s in ["a", "b"]:
        total += len(s)
    for t, u in zip([1, 2], [3, 4]):
        total += t * u
    for index, value in enumerate([5, 6]):
        total += index * value
    return total


def refined(x: Optional[Tensor], n: Optional[int], s: Union[int, str, None]):
    if x is None:
        return -1
    assert n is not None, "n must be given"
    if isinstance(s, int):
        return s + n
    if s is not None:
        n = n + len(s)
    y = n if x.dim() > 1 else 0
    return y + x.size(0)


def failing(n: int) -> int:
    assert n > 0
    assert n < 10, "too large: " + str(n)
    if n == 5:
        raise ValueError("five")
    elif n == 6:
        raise RuntimeError(f"six is {n}")
    elif n == 7:
        raise Exception
    return n


def printed(x: Tensor, n: int):
    print()
    print("n is", n, x, 1.5, [1, 2], (n, "a"), None)
    print(f"x = {n}, {x}", "{} and {}".format(n, 2), "%d %s" % (n, "s"))
    return


def text(s: str):
    a = s.upper().strip().split(",")
    b = "-".join(a) + s[1:3] + s[-1] + s[::2]
    c = s.replace("a", "b").find("c") + s.count("d") + ord("e") + len(chr(102))
    return b, c, s == "x", "x" in s, s.startswith("y"), s.isdigit(), hex(255)


def comprehension(n: int, xs: List[Tensor]):
    a = [i * i for i in range(n)]
    b = [x + 1 for x in xs]
    c = {i: str(i) for i in a}
    d = [[j for j in range(i)] for i in a]
    return a, b, c, d


def slices(x: Tensor, xs: List[int]):
    a = x[0], x[:, 1], x[..., -1], x[None, 1:, ::2], x[x > 0], x[[0, 1]], x[1:2, torch.tensor([0, 1])]
    xs[0] = 3
    x[0, 1] = 2.0
    x[1:] += 1
    del xs[0]
    return a, xs[1:], xs[:-1], xs[::2], xs[-1], (1, "a", 2.0)[1:], (1, "a", 2.0)[0]


def dictionary(d: Dict[str, Tensor]):
    d["x"] = torch.ones(2)
    total = d["x"]
    for key in d:
        total = total + d[key]
    for k, v in d.items():
        total = total * v
    if "y" in d:
        del d["y"]
    return total, d.get("z"), list(d.keys()), len(d), d.pop("x"), d.setdefault("w", total)


def swap(a: int, b: int):
    a, b = b, a
    c = d = a + b
    (e, f), g = (c, d), b
    a += 1
    return a, b, e, f, g, a & b, a | b, a ^ b, a << 1, a >> 1, ~torch.tensor(a)


def math_scalars(a: int, b: float, c: bool):
    return a + b, a / 2, a // 2, a % 3, b ** 2, abs(a), round(b), max(a, 3), min(b, 1.0), int(b), float(a), bool(a), int(c), divmod(a, 2), a == b, -a, -b


def torch_calls(x: Tensor, y: Tensor):
    a = torch.cat([x, y], dim=1)
    b, c = torch.split(x, 1, 0)
    d = torch.max(x, dim=1)
    e, f = torch.sort(x, descending=True)
    g = torch.where(x > y, x, y).sum([0, 1], keepdim=True).view(-1, 1).expand(2, -1)
    h, i, j = torch.unbind(x)
    k = torch.nn.functional.pad(x, [1, 1], "constant", 0.0)
    return a, b + c, d[0], d.indices, e, f, g, h + i + j, k, x.shape, x.T, x.is_cuda, x.requires_grad, x.item(), x.tolist() if False else 1


def inplace(x: Tensor):
    x.add_(1).mul_(2.0)
    x += 1
    x -= x
    y = x.view(-1)
    y[0] = 5
    y.zero_()
    return x


def typed_tolist(x: Tensor):
    a: List[List[float]] = x.tolist()
    b: int = torch.jit.annotate(int, 3)
    c = torch.jit.annotate(List[Optional[Tensor]], [])
    return a, b, c


def any_value(x: Any, y: List[int]):
    if isinstance(x, (list, tuple)):
        return 1
    if isinstance(x, Tensor) or isinstance(y, list):
        return 2
    if isinstance(x, int):
        return x + 1
    return 3


def uses_helper(x: Tensor, n: int = 3, flag: bool = True, name: str = "d", value: Optional[float] = None):
    return helper(x, n) + helper(helper(x, 1), n=2)


def helper(x: Tensor, n: int) -> Tensor:
    for _ in range(n):
        x = leaf(x)
    return x


def leaf(x: Tensor) -> Tensor:
    return x * 2


def nested_depth(n: int):
    total = 0
    if n > 0:
        for i in range(n):
            if i > 1:
                while total < 10:
                    if total == 5:
                        for j in range(2):
                            if j == 1:
                                total += 3
                    total += 1
    return total


def statements_only(xs: List[int], flag: bool) -> None:
    if flag:
        xs.append(1)
    else:
        pass
    for x in xs:
        print(x)
    xs.sort(reverse=True)
    xs.extend([1])
    xs.clear()


class Timer:
    def __init__(self, name: str):
        self.name = name
        self.count = 0

    def __enter__(self):
        self.count += 1
        return self.count

    def __exit__(self, type: Any, value: Any, traceback: Any):
        self.count -= 1


def with_block(x: Tensor):
    with Timer("outer") as n:
        x = x + n
        with Timer("inner"), torch.no_grad():
            x = x * 2
    return x


# --- scripted: types ----------------------------------------------------------------------------------------------------------------------------


class Point(NamedTuple):
    x: Tensor
    y: int


class Defaults(NamedTuple):
    point: Point
    label: str = "d"
    count: int = 3


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.Enum):
    LOW = "low"
    HIGH = "high"


def named_tuple(x: Tensor, p: Point):
    q = Point(x, 3)
    r = Point(y=p.y, x=q.x)
    d = Defaults(q, "l")
    return q, r.x + d.point.x, d.label, p[1], d


def enums(c: Color, l: Level, d: Dict[str, Color], n: int):
    a = c == Color.RED
    b = Color.GREEN if n > 0 else c
    total = 0
    for e in [Color.RED, Color.GREEN]:
        total += e.value
    return a, b, l.value, l.name, total, Level.HIGH, [c]


@torch.jit.interface
class Shape(object):
    def area(self, x: Tensor) -> Tensor:
        pass


@torch.jit.script
class Square:
    def __init__(self, side: int):
        self.side = side

    def area(self, x: Tensor) -> Tensor:
        return x * self.side

    def grow(self, by: int = 1) -> "Square":
        self.side += by
        return self

    def __add__(self, other: "Square") -> "Square":
        return Square(self.side + other.side)

    def __len__(self) -> int:
        return self.side

    @property
    def double(self) -> int:
        return self.side * 2

    @staticmethod
    def unit() -> int:
        return 1


@torch.jit.script
class Node:
    def __init__(self, value: int, squares: List[Square]):
        self.value = value
        self.squares = squares
        self.table: Dict[str, Optional[Tensor]] = {}


def interfaces(s: Shape, x: Tensor, many: List[Shape]):
    for t in many:
        x = t.area(x)
    return s.area(x)


def classes(n: int, x: Tensor, maybe: Optional[Square]):
    s = Square(n)
    t = s.grow().grow(2) + s
    node = Node(n, [s, t])
    node.table["k"] = x
    node.value += t.double
    if maybe is not None:
        node.squares.append(maybe)
    return node, len(t), s.area(x), node.squares[0].side, node.table["k"]


def containers(a: Dict[str, Future[Tensor]], b: List[Future[Tuple[int, Tensor]]], c: Optional[List[int]], d: Union[int, str, None],
               e: Dict[int, List[Tensor]], f: Tuple[Optional[Tensor], Tuple[int]], g: Dict[str, Dict[int, Tuple[str, Tensor]]],
               h: List[Optional[Tensor]], i: List[List[List[float]]], j: Optional[Dict[str, Any]], k: Union[Tensor, List[Tensor]],
               l: Future[Future[int]], m: Optional[Future[List[int]]], n: Tuple[Future[int], Dict[str, Future[Tuple[int, str]]]]):
    return a, b, c, d, e, f, g, h, i, j, k, l, m, n


def containers_more(a: Dict[str, Optional[Tensor]], b: List[Union[int, float]], c: Union[List[int], Dict[str, int]], d: Tuple[()],
                    e: Dict[str, Union[int, List[str]]], f: Optional[Tuple[int, int]], g: List[Dict[str, List[Optional[int]]]], h: Future[Any],
                    i: Dict[int, Point], j: List[Color], k: Optional[Square], l: Dict[str, Shape], m: Union[int, Tuple[int, str], Point],
                    n: Union[int, float, complex, Tensor], o: Any, p: torch.device, q: Dict[str, torch.device], r: Union[None, int, float],
                    s: Future[Optional[Union[int, str]]], t: Dict[str, Tuple[Future[Tensor], Any]], u: List[Future[Point]],
                    v: Dict[bool, Dict[complex, Color]], w: List[Tuple[()]], x: Optional[List[Optional[Future[None]]]], y: Dict[float, Any],
                    z: Dict[str, Optional[Future[Tensor]]]):
    return 0


def unions(x: Union[int, str, None, List[int]], flag: bool):
    y: Union[int, str] = 1
    if flag:
        y = "a"
    if isinstance(x, list):
        x.append(2)
    elif isinstance(x, str):
        y = x
    elif isinstance(x, int):
        y = x + 1
    z: List[Union[int, str]] = [1, "b", y]
    return x, y, z


@torch.jit.ignore
def in_python(x: Tensor, n: int) -> Tensor:
    return x + n


@torch.jit.unused
def never(x: Tensor) -> Tensor:
    return x


def ignored(x: Tensor):
    y = in_python(x, 3)
    return y + never(x)


# --- scripted: forks ----------------------------------------------------------------------------------------------------------------------------


def task(x: Tensor, n: int = 1, flag: bool = True) -> Tensor:
    return x + n if flag else x


def task_tuple(x: Tensor) -> Tuple[Tensor, int]:
    return x, x.size(0)


def task_none(x: Tensor) -> None:
    x.add_(1)


def task_point(x: Tensor) -> Point:
    return Point(x, 1)


def task_list(xs: List[Tensor]) -> List[Tensor]:
    return [x + 1 for x in xs]


def task_wait(fut: Future[Tensor], x: Tensor) -> Tensor:
    return torch.jit.wait(fut) + x


def task_waits(futs: List[Future[Tensor]]) -> Tensor:
    total = torch.zeros(1)
    for fut in futs:
        total = total + fut.wait()
    return total


def task_raise(x: Tensor) -> Tensor:
    if x.size(0) > 2:
        raise ValueError("boom!")
    return x


def level_three(x: Tensor) -> Tensor:
    return torch.neg(x)


def level_two(x: Tensor) -> Tensor:
    fut = torch.jit.fork(level_three, x)
    other = torch.jit.fork(level_three, x + 1)
    return fut.wait() + other.wait()


def level_one(x: Tensor) -> Tensor:
    fut = torch.jit.fork(level_two, x)
    return fut.wait() * 2


def fork_kwargs(x: Tensor):
    a = torch.jit.fork(task, x, flag=False, n=3)
    b = torch.jit.fork(task, n=2, x=x)
    return torch.jit.wait(a) + torch.jit.wait(b) + torch.jit.fork(task, x).wait()


def fork_builtin(x: Tensor):
    a = torch.jit.fork(torch.neg, x)
    b = torch.jit.fork(torch.add, x, x, alpha=2)
    c = torch.jit.fork(torch.nn.functional.relu, x)
    return a.wait() + b.wait() + c.wait()


def fork_deep(x: Tensor):
    fut = torch.jit.fork(level_one, x)
    return fut.wait() + torch.jit.fork(level_two, x).wait()


def fork_loop(x: Tensor, n: int):
    futs: List[Future[Tensor]] = []
    for i in range(n):
        futs.append(torch.jit.fork(task, x, i))
    total = torch.zeros_like(x)
    for fut in futs:
        total += torch.jit.wait(fut)
    return total


def fork_comprehension(xs: List[Tensor]):
    futs = [torch.jit.fork(task, x) for x in xs]
    return [fut.wait() for fut in futs]


def fork_while(x: Tensor):
    fut = torch.jit.fork(task, x)
    while bool(fut.wait().sum() < 100):
        fut = torch.jit.fork(task, fut.wait() * 2, 3)
    return fut.wait()


def fork_dict(x: Tensor, names: List[str]):
    futs: Dict[str, Future[Tensor]] = {}
    for name in names:
        futs[name] = torch.jit.fork(task, x, len(name))
    out: Dict[str, Tensor] = {}
    for key, fut in futs.items():
        out[key] = fut.wait()
    return out


def fork_tuple_of(x: Tensor):
    futs = (torch.jit.fork(task, x), torch.jit.fork(task_tuple, x), 1)
    a, b, c = futs
    return a.wait() + b.wait()[0] + c


def fork_branches(x: Tensor, flag: bool):
    if flag:
        fut = torch.jit.fork(task, x)
    else:
        fut = torch.jit.fork(task, x, 2)
    return fut.wait()


def fork_one_branch(x: Tensor, flag: bool):
    fut: Optional[Future[Tensor]] = None
    if flag:
        fut = torch.jit.fork(task, x)
    if fut is not None:
        return fut.wait()
    return x


def fork_argument(x: Tensor):
    first = torch.jit.fork(task, x)
    second = torch.jit.fork(task_wait, first, x)
    third = torch.jit.fork(task_waits, [first, second])
    return third.wait()


def fork_twice(x: Tensor):
    a = torch.jit.fork(task, x)
    b = torch.jit.fork(task, x)
    return a.wait() + b.wait() + a.wait()


def fork_results(x: Tensor, xs: List[Tensor]):
    a, n = torch.jit.fork(task_tuple, x).wait()
    torch.jit.fork(task_none, x).wait()
    p = torch.jit.fork(task_point, x).wait()
    ys = torch.jit.fork(task_list, xs).wait()
    return a + p.x, n, ys


def fork_returned(x: Tensor):
    return torch.jit.fork(task, x), [torch.jit.fork(task_tuple, x)]


def task_future(x: Tensor) -> Future[Tensor]:
    return torch.jit.fork(task, x)


def fork_of_future(x: Tensor):
    outer = torch.jit.fork(task_future, x)
    return outer.wait().wait(), outer


def fork_unwaited(x: Tensor):
    torch.jit.fork(task_none, x)
    torch.jit.fork(task, x)
    return x


def fork_raising(x: Tensor):
    fut = torch.jit.fork(task_raise, x)
    assert x.dim() > 0, "scalar"
    return fut.wait()


def fork_class(n: int, x: Tensor):
    s = Square(n)
    fut = torch.jit.fork(s.area, x)
    s.grow()
    return fut.wait()


def fork_optional(x: Tensor, n: Optional[int]):
    fut = torch.jit.fork(optional_task, x, n)
    other = torch.jit.fork(optional_task, x, None)
    return fut.wait() + other.wait()


def optional_task(x: Tensor, n: Optional[int]) -> Tensor:
    if n is not None:
        x = x + n
    return x


def fork_enum(c: Color, p: Point):
    fut = torch.jit.fork(enum_task, c, p, "é\n", [1, 2], {"a": 1.5})
    return fut.wait()


def enum_task(c: Color, p: Point, s: str, xs: List[int], d: Dict[str, float]) -> Tuple[Color, Point]:
    return c, p


def fib(n: int) -> int:
    a = 0
    b = 1
    for _ in range(n):
        a, b = b, a + b
    return a


def fork_scalar(n: int):
    futs = [torch.jit.fork(fib, i) for i in range(n)]
    total = 0
    for fut in futs:
        total += fut.wait()
    return total


# --- modules ------------------------------------------------------------------------------------------------------------------------------------


class Affine(torch.nn.Module):
    __constants__ = ["factor", "names"]
    limit: Optional[int]
    table: Dict[str, List[int]]

    def __init__(self, factor: int):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        self.register_buffer("offset", torch.tensor([0.5, -0.5]))
        self.register_parameter("nothing", None)
        self.factor = factor
        self.names = ["a", "b"]
        self.limit = None
        self.table = {"a": [1]}
        self.counter = 0

    def forward(self, x: Tensor) -> Tensor:
        self.counter += 1
        if self.limit is not None:
            x = x.clamp(max=self.limit)
        y = self.helper(x) * self.factor
        if self.training:
            y = y + 1
        self.offset.add_(1)
        return y

    def helper(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.offset

    @torch.jit.export
    def exported(self, n: int):
        self.table["b"] = [n]
        return self.table, len(self.names), self.counter


class Stack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Affine(1), Affine(2)])
        self.named = torch.nn.ModuleDict({"first": Affine(3), "second": Affine(1)})
        self.sequence = torch.nn.Sequential(Affine(2), Affine(4))
        self.color = Color.GREEN

    def forward(self, x: Tensor, which: str):
        for layer in self.layers:
            x = layer(x)
        for i, layer in enumerate(self.layers):
            x = layer.helper(x) + i
        for key, layer in self.named.items():
            if key == which:
                x = layer(x)
        x = self.layers[0](x)
        x = self.named["first"](x)
        if self.color == Color.GREEN:
            x = -x
        return self.sequence(x)


@torch.jit.interface
class AnyModule(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class WithInterface(torch.nn.Module):
    chosen: AnyModule

    def __init__(self):
        super().__init__()
        self.chosen = Affine(2)
        self.other = Affine(3)

    def forward(self, x: Tensor) -> Tensor:
        return self.chosen.forward(x) + self.other(x)


class ForkStack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Affine(1), Affine(2)])
        self.extra = torch.nn.Parameter(torch.ones(2))

    def scaled(self, x: Tensor, n: int) -> Tensor:
        return x * self.extra + n

    def forward(self, x: Tensor) -> Tensor:
        futs: List[Future[Tensor]] = []
        for layer in self.layers:
            futs.append(torch.jit.fork(layer, x))
        own = torch.jit.fork(self.scaled, x, n=2)
        method = torch.jit.fork(self.layers[0].helper, x)
        total = own.wait() + method.wait()
        for fut in futs:
            total = total + fut.wait()
        return total


class Hooked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate()

    def forward(self, x: Tensor) -> Tensor:
        return self.gate(x)


class TensorConstants(torch.nn.Module):
    """Its frozen graph holds its tensors as constants."""

    def __init__(self, values: List[Tensor]):
        super().__init__()
        for i, value in enumerate(values):
            self.register_buffer("t%d" % i, value)

    def forward(self):
        return self.t0, self.t1, self.t2


class Attributes(torch.nn.Module):
    """Its frozen graph holds its attributes as constants."""

    nested: List[List[float]]
    empty: List[int]
    empty_dict: Dict[str, Tensor]
    empty_nested: Dict[str, List[int]]
    maybe: List[Optional[int]]
    none: Optional[int]

    def __init__(self):
        super().__init__()
        self.ints = [1, 2, 3]
        self.strings = {"é": "ß", "tab\t": "x"}
        self.nested = [[1.0, 0.1], []]
        self.empty = []
        self.empty_dict = {}
        self.empty_nested = {"a": []}
        self.maybe = [None, 1]
        self.pair = (1, "a", (2.5, True))
        self.tensors = [torch.ones(2), torch.zeros(1)]
        self.color = Color.RED
        self.point = Point(torch.ones(1), 2)
        self.single = (1,)
        self.none = None
        self.device = torch.device("cpu")
        self.dtype = torch.float64
        self.complex = 1.5 + 2j

    def forward(self, x: Tensor):
        total = x
        for t in self.tensors:
            total = total + t
        return (total, self.ints, self.strings, self.nested, self.empty, self.empty_dict, self.empty_nested, self.maybe, self.pair, self.tensors,
                self.color, self.point, self.single, self.none, self.device, self.dtype, self.complex)


# --- traced, and for the executors --------------------------------------------------------------------------------------------------------------


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n, label):
        return x * x * x

    @staticmethod
    def backward(ctx, grad):
        return grad, None, None


class Split(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y, x - y

    @staticmethod
    def backward(ctx, a, b):
        return a, b


class UsesCube(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate()

    def forward(self, x):
        a, b = Split.apply(Cube.apply(x, 3, "label"), x)
        return self.gate(a) - b


class Plain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Gate(), Gate()])

    def forward(self, x, y):
        for layer in self.layers:
            x = layer(x) * y
        return x, {"sum": x.sum()}["sum"]


def traced_simple(x, y):
    a = x * y + 1
    b = a.view(-1)[1:]
    return torch.cat([b, b]).relu()


def square(x):
    return x * x


def traced_views(x):
    return x.t(), x[:, ::2], x.transpose(0, 1).contiguous(), x.sum(), x > 0, x.expand(2, 2, 3), x.size(0) * x


def traced_dtypes(x):
    return (x.double(), x.half(), x.to(torch.int8), x.to(torch.uint8), x.to(torch.int16), x.int(), x.long(), x.bool(), x.bfloat16(),
            x.to(torch.complex64), x.to(torch.complex128), x.sum(), x[0:0])


def traced_lists(x):
    a, b = torch.split(x, 1)
    v, i = torch.max(x, 1)
    parts = torch.unbind(x, 1)
    return a + b, v, i, parts[0], torch.stack(parts), x.new_zeros(2, 3), torch.arange(3), torch.tensor([1.5, 2.5]), torch.ones(3, 4)


def pointwise(x: Tensor, y: Tensor):
    a = x * y
    b = torch.sigmoid(a) + y
    return torch.tanh(b) * a


def pointwise_branch(x: Tensor, y: Tensor, n: int, z: Optional[Tensor] = None):
    for i in range(n):
        if bool(x.sum() > 1):
            x = torch.sigmoid(x * y) + i
    if z is not None:
        x = x + z
    return x


def pointwise_fork(x: Tensor, y: Tensor):
    fut = torch.jit.fork(pointwise, x, y)
    a = torch.tanh(x * y) * x
    return fut.wait() + a


def shapes(x: Tensor, w: Tensor):
    y = torch.mm(x, w)
    z = torch.relu(y) + 1
    return z.sum([1]), z.view(-1), z.t(), torch.cat([z, z], 0)


# --- calls between processes --------------------------------------------------------------------------------------------------------------------

@torch.jit.script
def remote_task(x: Tensor, n: int = 2) -> Tensor:
    return x + n


def remote_calls(to: str, x: Tensor):
    fut = rpc.rpc_async(to, remote_task, (x,), {"n": 3})
    late = rpc.rpc_async(to, remote_task, (x, 1), {}, 2.5)
    now = rpc.rpc_sync(to, remote_task, (x,))
    ref = rpc.remote(to, remote_task, (x,))
    return fut.wait() + late.wait() + now + ref.to_here()


def remote_types(a: RRef[Tensor], b: List[RRef[int]], c: Dict[str, RRef[Tensor]], d: Optional[RRef[List[Tensor]]], e: RRef[Future[Tensor]],
                 f: Tuple[RRef[str], Future[RRef[int]]], g: Dict[str, List[RRef[Tuple[int, str]]]]):
    return a.is_owner(), b, c, d, e, f, g


# --- more forks ---------------------------------------------------------------------------------------------------------------------------------


class Worker(torch.nn.Module):
    def __init__(self, depth: int):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
        self.depth = depth

    def forward(self, x: Tensor) -> Tensor:
        fut = torch.jit.fork(self.step, x, self.depth)
        return fut.wait()

    def step(self, x: Tensor, n: int) -> Tensor:
        for _ in range(n):
            x = x * self.weight
        return x


class Pool(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.workers = torch.nn.ModuleDict({"a": Worker(1), "b": Worker(2)})
        self.chosen = Worker(3)

    def forward(self, x: Tensor, flags: List[bool]) -> Dict[str, Tensor]:
        futs: Dict[str, Future[Tensor]] = {}
        for key, worker in self.workers.items():
            futs[key] = torch.jit.fork(worker, x)
        out: Dict[str, Tensor] = {}
        for flag in flags:
            if flag:
                out["chosen"] = torch.jit.fork(self.chosen, x).wait()
            else:
                fut = torch.jit.fork(self.chosen.step, x, n=1)
                if bool(x.sum() > 0):
                    out["step"] = fut.wait()
        for key, fut in futs.items():
            out[key] = fut.wait()
        return out


def fork_early(x: Tensor, n: int):
    fut = torch.jit.fork(task, x)
    for i in range(n):
        other = torch.jit.fork(task, x, i)
        if i == 3:
            return other.wait()
        if i == 2:
            continue
        x = fut.wait() + other.wait()
    return x


def task_any(x: Any, y: Union[int, str], z: Optional[List[Future[int]]]) -> Union[int, None]:
    if isinstance(y, int):
        return y
    return None


def fork_types(x: Tensor):
    a = torch.jit.fork(task_any, x, 1, None)
    b = torch.jit.fork(task_any, [1, 2], "s", [torch.jit.fork(fib, 3)])
    c: Future[Future[int]] = torch.jit.fork(fork_fib, 3)
    return a.wait(), b, c


def fork_fib(n: int) -> Future[int]:
    return torch.jit.fork(fib, n)


def tuple_futures(xs: List[Tensor]) -> List[Tuple[Future[Tensor], int]]:
    out: List[Tuple[Future[Tensor], int]] = []
    for i, x in enumerate(xs):
        out.append((torch.jit.fork(task, x, i), i))
    return out


def fork_zip(xs: List[Tensor], ys: List[Tensor]):
    futs = [torch.jit.fork(add_two, x, y) for x, y in zip(xs, ys)]
    pairs = tuple_futures(xs)
    total = torch.zeros(1)
    for fut, n in pairs:
        total += fut.wait() * n
    return torch.stack([fut.wait() for fut in futs]) + total


def add_two(x: Tensor, y: Tensor) -> Tensor:
    return x + y


def with_fork(x: Tensor):
    with Timer("fork") as n:
        fut = torch.jit.fork(task, x, n)
        with torch.no_grad():
            other = torch.jit.fork(task, x)
    return fut.wait() + other.wait()


def fork_class_itself(n: int):
    return torch.jit.fork(Square, n).wait()


# --- scripted forks that TorchScript refuses ----------------------------------------------------------------------------------------------------


def nothing() -> int:
    return 3


def fork_nothing():
    return torch.jit.fork(nothing).wait()


def fork_lambda(x: Tensor):
    return torch.jit.fork(lambda y: y + 1, x).wait()


def fork_local(x: Tensor):
    def local(y: Tensor):
        return y + 1

    return torch.jit.fork(local, x).wait()


def fork_recursive(n: int) -> int:
    if n < 2:
        return n
    return torch.jit.fork(fork_recursive, n - 1).wait() + n


def fork_then(x: Tensor):
    return torch.jit.fork(task, x).then(task).wait()


def fork_done(x: Tensor):
    fut = torch.jit.fork(task, x)
    return fut.done()


def fork_starred(x: Tensor, xs: List[Tensor]):
    return torch.jit.fork(task_list, *xs).wait()


# --- more types ---------------------------------------------------------------------------------------------------------------------------------


class Awkward(NamedTuple):
    x: Tensor
    label: str = "a, (b) : c = é\n"
    ratio: float = 1e10
    flag: bool = True
    maybe: Optional[int] = None
    items: List[int] = [1, 2]
    pair: Tuple[int, str] = (1, "a")
    table: Dict[str, float] = {"k": 0.1}


def awkward_defaults(a: Awkward, b: List[Awkward], c: Dict[str, Awkward], d: Optional[Awkward], e: Future[Awkward]):
    return Awkward(a.x), b, c, d, e


class Defaulted(NamedTuple):
    x: Tensor
    label: str = "plain words"
    empty: str = ""
    ratio: float = 0.1
    flag: bool = False
    maybe: Optional[Tensor] = None
    pair: Tuple[int, float] = (1, 2.5)


def named_defaults(a: Defaulted, b: List[Defaulted], c: Optional[Defaulted]):
    return Defaulted(a.x, ratio=a.ratio), b, c
