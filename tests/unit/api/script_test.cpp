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
