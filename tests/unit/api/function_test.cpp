#include "api/tine.h"
#include "tests/fixture.h"
#include "tests/unit/frontend/programs.h"

#include <fstream>
#include <thread>

namespace tine {
namespace {

using namespace programs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tine::testing::errorOf;
using tine::testing::WithWorkers;

const Tensor two = tensor(2), row = tensor({1.0, 2.0}), other = tensor({3.0, 4.0});

// ---- traced programs give what C++ gives --------------------------------------------------------

class Traced : public WithWorkers {
protected:
  /// Traces f with the examples, runs it on others, and compares with f itself.
  template <class F, class... A>
  void expectSame(F f, std::tuple<A...> examples, std::tuple<A...> inputs) {
    const auto values = [](const auto& tuple) {
      return std::apply([](const auto&... v) { return std::vector<IValue>{IValue(v)...}; }, tuple);
    };
    const Function traced = trace(f, values(examples));
    Scheduler scheduler({.workers = workers()});
    const IValue result = traced.run(scheduler, values(inputs));
    const IValue expected = Operand(std::apply(f, inputs)).value;
    EXPECT_TRUE(identical(result, expected)) << result.str() << " " << expected.str();
  }
  void same(Tensor (*f)(Tensor)) {
    expectSame(f, std::tuple(row), std::tuple(tensor({-5.0, 7.0})));
  }
  void same(Tensor (*f)(Tensor, Tensor)) {
    expectSame(f, std::tuple(row, other), std::tuple(tensor({-5.0, 7.0}), tensor({0.5, 2.0})));
  }
};
TINE_WITH_WORKERS(Traced);

TEST_P(Traced, Programs) {
  for (auto f :
       {bar,         nested,       nestedThree, capturedOnly, twoWaits,     waitMethod,
        waitInChild, futureList,   futureDict,  unwaited,     forkTuple,    forkTupleNested,
        feeding,     scalars,      sameTwice,   chain,        forkIdentity, forkConstant,
        builtin,     inPlace,      sized,       returnsList,  returnsNone,  returnsInt,
        returnsSize, returnsFuture})
    same(f);
  for (auto f : {keyword, captured, capturedNested, reverseOrder, listArgument}) same(f);
  expectSame(forkTupleWhole, std::tuple(row), std::tuple(other));
}

TEST_P(Traced, Modules) {
  Scheduler scheduler({.workers = workers()});
  const Tensor x = tensor({1.0, 2.0, 3.0}), y = tensor({-1.0, 0.5, 10.0});
  const auto same = [&](auto module) {
    const Function traced = trace(module, {x});
    EXPECT_EQ(traced.run(scheduler, {y}).str(), IValue(module.forward(y)).str());
  };
  same(ForkModule());
  same(ForkModuleKeyword());
  same(ForkModuleTwice());
  same(ForkModuleNested());
}

TEST_P(Traced, FuturesAsResults) {
  Scheduler scheduler({.workers = workers()});
  const Function traced = trace(returnFuture, {row});
  const IValue future = traced.run(scheduler, {other});
  EXPECT_EQ(wait(Future<Tensor>(future.toFuture())).str(), "tensor([-3., -4.])");
}

TEST(Functions, UnwaitedForksRun) {
  // TorchScript drops this fork. On the calling thread it runs when the function is over.
  const Function traced = trace(unwaitedMutation, {row});
  EXPECT_EQ(traced.run({row}).str(), "tensor([2., 5.])");
}

TEST_P(Traced, ManyAtOnce) {
  Scheduler scheduler({.workers = workers()});
  const Function traced = trace(futureList, {two});
  std::vector<Future<>> running;
  for (int i = 0; i < 100; ++i) running.push_back(traced.runAsync(scheduler, {tensor(i)}));
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(running[static_cast<std::size_t>(i)].wait().toTensor().toInt(), 4 * i + 3);
}

TEST_P(Traced, FromSeveralThreads) {
  Scheduler scheduler({.workers = workers()});
  const Function traced = trace(nestedThree, {row});
  const std::string expected = nestedThree(other).str();
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) wrong[t] += traced.run(scheduler, {other}).str() != expected;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

TEST_P(Traced, ErrorsComeThroughForks) {
  Scheduler scheduler({.workers = workers()});
  const Function traced = trace(
      [](Tensor x, Tensor y) { return wait(fork([](Tensor a, Tensor b) { return a + b; }, x, y)); },
      {row, other});
  const Error error = errorOf([&] { traced.run(scheduler, {row, tensor({1.0, 2.0, 3.0})}); });
  EXPECT_EQ(error.kind, "ShapeMismatch");
  const Result<IValue> result = traced.tryRun(scheduler, {row, tensor({1.0, 2.0, 3.0})});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, error.message);
  ASSERT_FALSE(error.traceback.empty());
  EXPECT_EQ(error.traceback.back().place.file, "function_test.cpp");
}

TEST_P(Traced, ErrorsShowTheLinesOfCpp) {
  if (!std::ifstream(__FILE__)) GTEST_SKIP() << "this file is not where it was compiled";
  Scheduler scheduler({.workers = workers()});
  const auto sum = [](Tensor a, Tensor b) { return a + b; };
  const Function traced =
      trace([&](Tensor x, Tensor y) { return wait(fork(sum, x, y)); }, {row, other});
  const Error error = errorOf([&] { traced.run(scheduler, {row, tensor({1.0, 2.0, 3.0})}); });
  EXPECT_EQ(error.place.text, ""); // files are read when somebody asks
  const Error shown = traced.program().lines().shown(error);
  EXPECT_EQ(shown.place.text, "  const auto sum = [](Tensor a, Tensor b) { return a + b; };");
  EXPECT_THAT(shown.str(), HasSubstr("{ return a + b; };\n  ^\n"));
  EXPECT_EQ(shown.traceback.back().place.text, shown.place.text);
  EXPECT_THAT(shown.traceback.front().place.text, HasSubstr("return wait(fork(sum, x, y))"));
}

// ---- functions and programs ---------------------------------------------------------------------

TEST(Functions, ExampleOfTheDesign) {
  const Function traced = trace(fn("bar", bar, {"a"}), {two});
  FileCheck().check("prim::fork").check("aten::wait").run(traced.graph());
  Scheduler scheduler({.workers = 4});
  Future<> running = traced.runAsync(scheduler, {two});
  EXPECT_EQ(running.wait().str(), "tensor(4)");
  EXPECT_TRUE(running.done());
  EXPECT_EQ(traced.name(), "bar");
  EXPECT_EQ(traced.signature(), "bar(Tensor a) -> Tensor");
}

TEST(Functions, InputsAreChecked) {
  const Function traced = trace(fn("bar", bar, {"a"}), {two});
  const std::string signature = traced.signature();
  EXPECT_EQ(errorOf([&] { traced.run({}); }).message,
            "bar takes 1 input, but 0 are given: " + signature);
  EXPECT_EQ(errorOf([&] {
              traced.run({two, two});
            }).message,
            "bar takes 1 input, but 2 are given: " + signature);
  const Error error = errorOf([&] { traced.run({3}); });
  EXPECT_EQ(error.kind, "TypeError");
  EXPECT_EQ(error.message, "input 'a' must be of type Tensor, not int: " + signature);
  Scheduler scheduler({.workers = 1});
  EXPECT_EQ(errorOf([&] { traced.runAsync(scheduler, {}); }).kind, "TypeError");
  EXPECT_FALSE(traced.tryRun({3}).ok());
  // Other shapes and dtypes are welcome.
  EXPECT_EQ(traced.run({tensor({1.5, 2.5})}).str(), "tensor([3.5000, 4.5000])");
}

TEST(Functions, OfModulesTakeTheOtherInputs) {
  const Tensor x = tensor({1.0, 2.0, 3.0});
  ForkModule module;
  const Function traced = trace(module, {x});
  EXPECT_EQ(traced.name(), "__torch__.programs.ForkModule.forward");
  EXPECT_EQ(errorOf([&] {
              traced.run({x, x});
            }).message,
            "__torch__.programs.ForkModule.forward takes 1 input, but 2 are given: " +
                traced.signature());
  EXPECT_TRUE(traced.self().isObject());
}

TEST(Functions, OutliveModuleAndScheduler) {
  const Tensor x = tensor({1.0, 2.0, 3.0});
  std::optional<Function> traced;
  std::string expected;
  {
    ForkModule module;
    expected = module.forward(x).str();
    traced = trace(module, {x});
  }
  Future<> running;
  {
    Scheduler scheduler({.workers = 2});
    running = traced->runAsync(scheduler, {x});
    running.wait();
  }
  EXPECT_EQ(running.wait().str(), expected);
}

TEST(Programs, ThroughText) {
  const Function traced = trace(fn("bar", bar, {"a"}), {two});
  const std::string text = str(traced.unit(), {.style = Style::Lossless});
  const Program program = parseProgram(text, "bar.ir").value();
  EXPECT_THAT(program.functionNames(), ElementsAre("bar"));
  EXPECT_EQ(program.function("bar").value().run({two}).str(), "tensor(4)");
  EXPECT_EQ(program.function().value().run({two}).str(), "tensor(4)");
  EXPECT_EQ(program.function("baz").error().message,
            "there is no function 'baz', did you mean 'bar'?");
}

TEST(Programs, ModulesThroughText) {
  const Tensor x = tensor({1.0, 2.0, 3.0});
  ForkModuleNested module;
  const Function traced = trace(module, {x});
  const Program program =
      parseProgram(str(traced.unit(), {.style = Style::Lossless}), "net.ir").value();
  const Function back(program, traced.name(), traced.self());
  EXPECT_EQ(back.run({x}).str(), module.forward(x).str());
}

TEST(Programs, CalledByName) {
  const Program program = parseProgram(R"(
fib(%n : int):
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %small : bool = aten::lt(%n, %two)
  %r : int = prim::If(%small)
    block0():
      -> (%n)
    block1():
      %f : Function = prim::Constant[name="fib"]()
      %a : int = aten::sub(%n, %one)
      %b : int = aten::sub(%n, %two)
      %left : Future[int] = prim::fork_0(%a)
      %right : int = prim::CallFunction(%f, %b)
      %waited : int = aten::wait(%left)
      %sum : int = aten::add(%waited, %right)
      -> (%sum)
  return (%r)
with prim::fork_0 = graph(%a : int):
  %f : Function = prim::Constant[name="fib"]()
  %r : int = prim::CallFunction(%f, %a)
  return (%r)
)",
                                       "fib.ir")
                              .value();
  const Function fib = program.function("fib").value();
  EXPECT_EQ(fib.signature(), "fib(int n) -> int");
  EXPECT_EQ(fib.run({15}).toInt(), 610);
}

TEST(Programs, WrongText) {
  const Result<Program> syntax = parseProgram("graph(%x : Tensor)\n  return (%x)\n", "bad.ir");
  ASSERT_FALSE(syntax.ok());
  EXPECT_EQ(syntax.error().kind, "SyntaxError");
  EXPECT_EQ(syntax.error().place.file, "bad.ir");
  EXPECT_FALSE(parseProgram("graph(%x : int):\n  %y : int = aten::neg(%z)\n  return (%y)\n").ok());
  EXPECT_FALSE(parseProgram("").ok());
}

TEST(Programs, FromFiles) {
  const std::string path = ::testing::TempDir() + "tine_function_test.ir";
  std::ofstream(path) << "graph(%x : int):\n  %y : int = aten::neg(%x)\n  return (%y)\n";
  EXPECT_EQ(loadProgram(path).value().function()->run({3}).toInt(), -3);
  std::ofstream(path, std::ios::trunc);
  EXPECT_EQ(loadProgram(path).error().message, "expected a graph, found the end of the text");
  std::remove(path.c_str());
  EXPECT_EQ(loadProgram("/").error().message, "cannot read '/'");
  const Result<Program> missing = loadProgram("no/such.ir");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(tine::testing::said(missing.error()), "IoError: cannot read 'no/such.ir'");
}

TEST(Programs, OwnOperators) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("my::scale(Tensor x, float k=2.0) -> Tensor", [](Tensor x, double k) { return x * k; });
  const auto f = [](Tensor x) { return call("my::scale", {x}).value.toTensor() + 1; };
  const Function traced = trace(f, {row}, {.ops = ops});
  FileCheck().check("my::scale(%").check("aten::add").checkNot("aten::mul").run(traced.graph());
  EXPECT_EQ(traced.run({other}).str(), "tensor([7., 9.])");
}

// ---- runs that bring no scheduler share the program's spare one
// ----------------------------------

constexpr const char* kForking = R"(fib(%n : int):
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %small : bool = aten::lt(%n, %two)
  %r : int = prim::If(%small)
    block0():
      -> (%n)
    block1():
      %a : int = aten::sub(%n, %one)
      %b : int = aten::sub(%n, %two)
      %f : Future[int] = prim::fork_0(%a)
      %y : int = prim::CallFunction(%fib, %b)
      %x : int = aten::wait(%f)
      %s : int = aten::add(%x, %y)
      -> (%s)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %x : int = prim::CallFunction(%fib, %n)
  return (%x)

stuck():
  %p : Future[int] = tine::promise()
  %f : Future[int] = prim::fork_1(%p)
  return (%f)
with prim::fork_1 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

fails(%n : int):
  %zero : int = prim::Constant[value=0]()
  %x : int = aten::floordiv(%n, %zero)
  return (%x)
)";

std::string forking() {
  std::string text = kForking;
  const std::string fib = "  %fib : Function = prim::Constant[name=\"fib\"]()\n";
  for (const char* before : {"  %one : int", "  %x : int = prim::CallFunction"})
    text.insert(text.find(before), fib);
  return text;
}

TEST(SpareScheduler, ThreadsAtOnce) {
  const Program program = parseProgram(forking(), "forking.ir").value();
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) wrong[t] += program.run("fib", {10}).toInt() != 55;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

TEST(SpareScheduler, RunsInsideOfRuns) {
  std::optional<Program> program;
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("my::fib(int n) -> int", [&](std::int64_t n) {
    return n < 2 ? n : program->run("f", {n - 1}).toInt() + program->run("f", {n - 2}).toInt();
  });
  program =
      parseProgram("f(%n : int):\n  %x : int = my::fib(%n)\n  return (%x)\n", "f.ir", ops).value();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(program->run("f", {10}).toInt(), 55);
}

TEST(SpareScheduler, WhatARunLeavesEndsWithIt) {
  const Program program = parseProgram(forking(), "forking.ir").value();
  for (int i = 0; i < 3; ++i) {
    const IValue future = program.run("stuck", {});
    ASSERT_TRUE(future.isFuture());
    EXPECT_TRUE(future.asFuture().done());
    EXPECT_EQ(errorOf([&] { Future<>(future.toFuture()).wait(); }).kind, "Shutdown");
    EXPECT_EQ(errorOf([&] { program.run("fails", {1}); }).kind, "ZeroDivisionError");
    EXPECT_EQ(program.run("fib", {10}).toInt(), 55);
  }
}

TEST(SpareScheduler, InputsAreTheCallers) {
  const Function traced = trace([](Tensor x) { return x * 2 + 1; }, {row});
  const std::vector<IValue> inputs{other};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(traced.run(inputs).str(), "tensor([7., 9.])");
  EXPECT_EQ(other.str(), "tensor([3., 4.])");
}

TEST(Versions, Text) {
  EXPECT_THAT(version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

} // namespace
} // namespace tine
