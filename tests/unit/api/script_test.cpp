#include "api/tine.h"
#include "tests/fixture.h"

using namespace tine;
using namespace tine::testing;

namespace {

class Script : public WithWorkers {
protected:
  /// The result of `main` on this fixture's workers.
  IValue run(const std::string& text, std::vector<IValue> inputs) {
    Program program = compile(text, "f.py").value();
    Scheduler scheduler({.workers = workers()});
    return program.function("main").value().run(scheduler, std::move(inputs));
  }
};
TINE_WITH_WORKERS(Script);

TEST_P(Script, EveryFormOfFork) {
  EXPECT_EQ(run(R"(
from torch.jit import fork, wait
def task(a: int, b: int = 10) -> int:
    return a * b
def main(n: int):
    k = n + 1
    def local(c: int) -> int:
        return c + k
    fs = [fork(task, n), fork(task, n, 2), fork(task, b=3, a=n), fork(local, 100),
          fork(lambda x: x + k, 200)]
    return [wait(f) for f in fs], torch.jit.fork(len, "abc").wait(), local(5)
)",
                {5})
                .str(),
            "([50, 10, 15, 106, 206], 3, 11)");
}

TEST_P(Script, RecursiveForks) {
  EXPECT_EQ(run(R"(
def fib(n: int) -> int:
    if n < 2:
        return n
    a = torch.jit.fork(fib, n - 1)
    return fib(n - 2) + a.wait()
def main(n: int) -> int:
    return fib(n)
)",
                {12})
                .toInt(),
            144);
}

TEST_P(Script, Futures) {
  EXPECT_EQ(run(R"(
def task(n: int) -> int:
    return n + 1
def main(n: int):
    k = 7
    f = torch.jit.fork(task, n)
    g = f.then(lambda v: v * k)
    h = g.then(task)
    all = torch.futures.collect_all([f, g, h])
    r = all.wait()
    return r, h.done(), h.value(), torch.futures.wait_any([f])
)",
                {1})
                .str(),
            "([2, 14, 15], True, 15, 2)");
}

TEST_P(Script, ErrorsHaveTheSourcesPlaces) {
  Program program = compile(R"(def first(l: List[int]) -> int:
    return l[9]
def main(l: List[int]) -> int:
    return torch.jit.fork(first, l).wait()
)",
                            "f.py")
                        .value();
  Scheduler scheduler({.workers = workers()});
  const Error error =
      errorOf([&] { program.function("main").value().run(scheduler, {IValue::list({1})}); });
  EXPECT_EQ(said(error), "IndexError: list index out of range");
  EXPECT_EQ(error.place.str(), "f.py:2:12");
  EXPECT_NE(program.lines().shown(error).str().find("    return l[9]\n"), std::string::npos);
}

TEST(ScriptProgram, ParametersWithDefaultsMayBeLeftOut) {
  Program program = compile(R"(def f(s: str, n: int = 2, x: float = 0.5) -> str:
    return s + str(n) + str(x)
)")
                        .value();
  Function f = program.function("f").value();
  EXPECT_EQ(f.signature(), "f(str s, int n=2, float x=0.5) -> str");
  EXPECT_EQ(program.run("f", {"a"}).str(), "'a20.5'");
  EXPECT_EQ(program.run("f", {"a", 1, 3}).str(), "'a13.'"); // an int for a float
  EXPECT_EQ(said(errorOf([&] { program.run("f", {}); })),
            "TypeError: f takes 3 inputs, but 0 are given: " + f.signature());
  EXPECT_EQ(said(errorOf([&] {
              program.run("f", {"a", "b"});
            })),
            "TypeError: input 'n' must be of type int, not str: " + f.signature());
}

// As in Python: what the file defines comes before what everybody has.
TEST(ScriptProgram, NamesOfTheFileWinOverBuiltinOnes) {
  for (const char* name : {"inf",       "nan",        "len",           "range",
                           "print",     "min",        "max",           "abs",
                           "sum",       "round",      "sorted",        "pow",
                           "divmod",    "ord",        "chr",           "hex",
                           "oct",       "bin",        "hash",          "any",
                           "all",       "zip",        "list",          "dict",
                           "enumerate", "isinstance", "getattr",       "hasattr",
                           "tuple",     "float",      "bool",          "str",
                           "complex",   "ValueError", "Exception",     "fork",
                           "wait",      "ops",        "math",          "CONSTANTS",
                           "annotate",  "rangelist",  "uninitialized", "unchecked_cast",
                           "Tensor",    "Device",     "number",        "List"}) {
    const std::string word = name;
    const Program function =
        compile("def " + word + "(n: int, k: int = 1):\n    return n + k\n" +
                "def main():\n    if " + word + "(1, 40) == 41:\n        return " + word +
                "(1) * 10 + " + word + "(1, 2)\n    return 0\n")
            .value();
    EXPECT_EQ(function.run("main", {}).str(), "23") << name;
    const Program type = compile("class " + word + ":\n    def __init__(self, n: int):\n" +
                                 "        self.n = n\ndef main():\n    return " + word + "(7).n\n")
                             .value();
    EXPECT_EQ(type.run("main", {}).str(), "7") << name;
    const Program constant =
        compile(word + " = 5\ndef main():\n    return " + word + " + 1\n").value();
    EXPECT_EQ(constant.run("main", {}).str(), "6") << name;
  }
}

TEST_P(Script, ObjectsAreSortedByTheirOwnOrder) {
  const Program program = compile(R"(
class P:
    def __init__(self, x: int, y: int):
        self.x = x
        self.y = y
    def __lt__(self, o: 'P') -> bool:
        if self.x < 0:
            raise ValueError("no order")
        return torch.jit.fork(less, self.x, o.x).wait()
def less(a: int, b: int):
    return a < b
def shown(l: List[P]):
    return [(p.x, p.y) for p in l]
def main(n: int):
    l = [P(2, 0), P(n, 1), P(3, 2), P(2, 3), P(1, 4), P(3, 5)]
    up = sorted(l)
    down = sorted(l, reverse=True)
    ends = min(l).y, max(l).y, max(l[0], l[1]).y, min(P(1, 7), P(1, 8), P(0, 9)).y
    first = shown(l)[0]
    l.sort()
    a = shown(l)
    l.sort(reverse=True)
    e: List[P] = []
    e.sort()
    return shown(up), shown(down), first, f"{a}" == f"{shown(up)}", f"{shown(l)}" == f"{shown(down)}", ends, len(e)
def long(n: int):
    l = [P(i * 7919 % n, i) for i in range(n)]
    l.sort()
    for i in range(n):
        assert l[i].x == i
    return len(l)
def fails():
    l = [P(1, 1), P(-1, 2)]
    l.sort()
)")
                              .value();
  Scheduler scheduler({.workers = workers()});
  EXPECT_EQ(program.run(scheduler, "main", 5).str(),
            "([(1, 4), (2, 0), (2, 3), (3, 2), (3, 5), (5, 1)], [(5, 1), (3, 2), (3, 5), (2, 0), "
            "(2, 3), (1, 4)], (2, 0), True, True, (4, 1, 1, 9), 0)");
  EXPECT_EQ(program.run(scheduler, "long", 1000).str(), "1000");
  EXPECT_EQ(errorOf([&] { program.run(scheduler, "fails"); }).kind, "ValueError");
  const Program others = compile("def main(a: List[int], b: List[str]):\n"
                                 "    return sorted(a, reverse=True), sorted(b, reverse=True), "
                                 "sorted(b, reverse=False), a\n")
                             .value();
  EXPECT_EQ(
      others.run("main", std::vector<int>{2, 3, 1}, std::vector<std::string>{"a", "c", "b"}).str(),
      "([3, 2, 1], ['c', 'b', 'a'], ['a', 'b', 'c'], [2, 3, 1])");
  const auto error = [](const std::string& method, const std::string& use) {
    auto made = compile("class P:\n    def __init__(self, x: int):\n        self.x = x\n" + method +
                            "def main():\n    l = [P(1)]\n    return " + use + "\n",
                        "f.py");
    return made ? "" : made.error().message + " at " + made.error().place.str();
  };
  EXPECT_EQ(error("", "sorted(l)"), "'P' has no __lt__, which says what comes first at f.py:6:12");
  EXPECT_EQ(error("    def __lt__(self, o: 'P'):\n        return 1\n", "max(l)"),
            "__lt__ of 'P' does not give a bool at f.py:8:12");
}

// TorchScript takes an empty list for one of tensors.
TEST(ScriptProgram, EmptyElementsAreOfTheContainersType) {
  const Program program = compile(R"(
class Holder:
    def __init__(self):
        self.of: Dict[str, Dict[str, int]] = {}
def main(n: int):
    d: Dict[int, List[str]] = {}
    for i in range(n):
        if i % 2 not in d:
            d[i % 2] = []
        d[i % 2].append(str(i))
    lists = [[1], [2]]
    lists[0] = []
    h = Holder()
    h.of["a"] = {}
    h.of["a"]["b"] = n
    tensors: Dict[str, List[Tensor]] = {}
    tensors["t"] = []
    return d, lists, h.of, len(tensors["t"])
)")
                              .value();
  EXPECT_EQ(program.run("main", {5}).str(),
            "({0: ['0', '2', '4'], 1: ['1', '3']}, [[], [2]], {'a': {'b': 5}}, 0)");
}

// Python's callback gets the future, and Python's collect_all futures that are done.
TEST_P(Script, CallbacksMayTakeTheFuture) {
  const Program program = compile(R"(
def g(x: int) -> int:
    if x < 0:
        raise ValueError("negative")
    return x
def top(f: torch.jit.Future[int]) -> int:
    return f.wait() + 100
def main(n: int):
    f = torch.jit.fork(g, n)
    def double(fut: torch.jit.Future[int]) -> int:
        return fut.wait() * 2
    def safe(fut: torch.jit.Future[int]) -> str:
        try:
            return str(fut.wait())
        except ValueError as e:
            return "caught " + str(e)
    def untyped(fut):
        # fut is not asked here
        return fut + 1
    bad = torch.jit.fork(g, -n)
    return (f.then(lambda v: v + 1).wait(), f.then(lambda x: x.wait() + 10).wait(),
            f.then(double).wait(), f.then(top).wait(), f.then(untyped).wait(),
            f.then(safe).wait(), bad.then(safe).wait())
def collected(n: int):
    all = torch.futures.collect_all([torch.jit.fork(g, i) for i in range(n)])
    values = sum(all.wait())
    futures = sum([x.wait() for x in all.wait()])
    for f in all.wait():
        assert f.done()
        futures += f.value()
    return values, futures, all.then(lambda fs: sum([x.wait() for x in fs.wait()])).wait()
)")
                              .value();
  Scheduler scheduler({.workers = workers()});
  EXPECT_EQ(program.run(scheduler, "main", 3).str(), "(4, 13, 6, 103, 4, '3', 'caught negative')");
  EXPECT_EQ(program.run(scheduler, "collected", 5).str(), "(10, 20, 10)");
  const auto wrong = compile("def g(x: int):\n    return x\ndef main(x: int):\n"
                             "    return torch.jit.fork(g, x).wait().wait()\n");
  EXPECT_EQ(wrong.error().message, "'int' has no attribute 'wait'");
}

TEST(ScriptProgram, ListsOfTensors) {
  const Program program = compile(R"(
def lists(x):
    y: List[List[float]] = x.tolist()
    return y
def more(x):
    a: List[int] = x.tolist()
    b: bool = (x[0] > 0).tolist()
    c: List[List[List[bool]]] = (x.reshape([1, -1, 1]) > 1).tolist()
    return a, b, c, torch.jit.annotate(float, x.sum().double().tolist())
)")
                              .value();
  const auto run = [&](const char* name, const Tensor& x) {
    try {
      return program.run(name, x).str();
    } catch (const RuntimeError& e) {
      return e.kind() + ": " + e.message();
    }
  };
  EXPECT_EQ(run("lists", reshape(tensor({1., 2., 3., 4., 5., 6.}), {2, 3})),
            "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]");
  EXPECT_EQ(run("lists", transpose(reshape(tensor({1., 2., 3., 4.}), {2, 2}), 0, 1)),
            "[[1.0, 3.0], [2.0, 4.0]]");
  EXPECT_EQ(run("lists", zeros({0, 3})), "[]");
  EXPECT_EQ(run("lists", zeros({2, 0})), "[[], []]");
  EXPECT_EQ(run("lists", tensor({1.})),
            "RuntimeError: Output annotation list dimension and runtime tensor dimension must "
            "match for tolist()");
  EXPECT_EQ(run("lists", reshape(tensor({1, 2}), {1, 2})),
            "RuntimeError: Output annotation element type and runtime tensor element type must "
            "match for tolist()");
  EXPECT_EQ(run("more", tensor({1, 2})), "([1, 2], True, [[[False], [True]]], 3.0)");
  const auto error = [](const std::string& body) {
    return compile("def f(x):\n    " + body + "\n").error().message;
  };
  EXPECT_EQ(error("return x.tolist()"),
            "the result of tolist needs a type: x: List[int] = t.tolist()");
  EXPECT_EQ(error("y: List[str] = x.tolist()"),
            "tolist gives ints, floats, bools, and lists of them, not List[str]");
  EXPECT_EQ(error("y: Optional[int] = x.tolist()"),
            "tolist gives ints, floats, bools, and lists of them, not Optional[int]");
}

TEST(ScriptProgram, ClassesOfManyMembers) {
  std::string source = "from enum import Enum\nclass E(Enum):\n";
  std::string made = "class C:\n    def __init__(self):\n";
  std::string tuple = "class T(NamedTuple):\n";
  constexpr int kMembers = 20'000;
  for (int i = 0; i < kMembers; ++i) {
    const std::string n = std::to_string(i);
    source += "    M" + n + " = " + n + "\n";
    if (i < 2000) made += "        self.m" + n + " = " + n + "\n";
    if (i < 2000) tuple += "    m" + n + ": int = " + n + "\n";
  }
  const Program program = compile(source + made + tuple +
                                  "def main():\n    return E.M19999.value, C().m1999, T().m1999\n")
                              .value();
  EXPECT_EQ(program.run("main", {}).str(), "(19999, 1999, 1999)");
}

TEST(ScriptProgram, RunsByName) {
  Program program = compile("def twice(x: int) -> int:\n    return x * 2\n").value();
  EXPECT_EQ(program.run("twice", {21}).toInt(), 42);
  EXPECT_EQ(said(errorOf([&] { program.run("half", {1}); })),
            "ValueError: there is no function 'half'; there are twice");
  EXPECT_EQ(said(errorOf([&] { program.run("twise", {1}); })),
            "ValueError: there is no function 'twise', did you mean 'twice'?");
}

/// TorchScript's seed program, with C++ values in and out.
TEST_P(Script, RunsWithCppValuesAndATypedResult) {
  const Program program = compile(R"(
def foo(a, b: int):
    return a + b
def bar(a, b: int = 2):
    return torch.jit.wait(torch.jit.fork(foo, a, b=b))
def total(xs: List[float], names: Dict[str, int], pair: Tuple[int, str]) -> Tuple[float, str]:
    return sum(xs) + names["a"], pair[1] + str(pair[0])
)",
                                  "f.py")
                              .value();
  Scheduler scheduler({.workers = workers()});
  const Tensor x = tensor({1., 2.});
  EXPECT_TRUE(equal(program.run<Tensor>("bar", x), tensor({3., 4.})));
  EXPECT_TRUE(equal(program.run<Tensor>(scheduler, "bar", x, arg("b", 5)), tensor({6., 7.})));
  EXPECT_TRUE(equal(program.run<Tensor>(std::string("bar"), arg("b", 5), arg("a", x)),
                    program.run("bar", {x, 5}).toTensor()));
  using Pair = std::tuple<double, std::string>;
  EXPECT_EQ(program.run<Pair>(scheduler, "total", std::vector<double>{1, 2.5},
                              std::map<std::string, std::int64_t>{{"a", 3}},
                              std::pair(2, std::string("ab"))),
            Pair(6.5, "ab2"));
}

TEST(ScriptProgram, WrongArgumentsHaveThePlaceOfTheCall) {
  const Program program =
      compile("def f(a: int, b: int = 2) -> int:\n    return a * b\n", "f.py").value();
  const auto error = [&](auto call) {
    const Error made = errorOf(call);
    EXPECT_EQ(made.place.file, "script_test.cpp") << made.str();
    EXPECT_GT(made.place.line, 100u);
    return said(made);
  };
  EXPECT_EQ(error([&] { program.run<int64_t>("g", 1); }),
            "ValueError: there is no function 'g'; there are f");
  EXPECT_EQ(error([&] { program.run<int64_t>("f"); }),
            "TypeError: f misses argument 'a'; it takes 2 arguments (a, b)");
  EXPECT_EQ(error([&] { program.run<int64_t>("f", 1, 2, 3); }),
            "TypeError: f takes 2 arguments (a, b), but 3 are given");
  EXPECT_EQ(error([&] { program.run<int64_t>("f", 1, arg("c", 2)); }),
            "TypeError: f has no argument 'c'; it takes 2 arguments (a, b)");
  EXPECT_EQ(error([&] { program.run<int64_t>("f", 1, arg("a", 2)); }),
            "TypeError: f got two values for argument 'a'");
  EXPECT_EQ(error([&] { program.run<int64_t>("f", "one"); }),
            "TypeError: input 'a' must be of type int, not str: f(int a, int b=2) -> int");
  EXPECT_EQ(error([&] { program.run<std::string>("f", 1); }),
            "TypeError: the result of f must be a str, not int");
}

} // namespace
