// What somebody tries who knows the README and the headers alone.

#include "api/tine.h"
#include "tests/fixture.h"

#include <fstream>
#include <functional>
#include <thread>

namespace tine {
namespace {

using ::testing::HasSubstr;
using tine::testing::errorOf;

const Tensor row = tensor({1.0, 2.0});

// ---- what can be called -------------------------------------------------------------------------

Tensor plain(Tensor x) { return x + 1; }
Tensor noThrow(Tensor x) noexcept { return x + 1; }
Tensor constRefs(const Tensor& x, const Int& n) { return x * n; }
Tensor rvalue(Tensor&& x) { return x + 1; }
Tensor lvalue(Tensor& x) { return x = x + 1; }
Tensor six(Tensor a, Tensor b, Tensor c, Tensor d, Tensor e, Tensor f) {
  return a + b + c + d + e + f;
}
Tensor nothing() { return ones({2}); }
Tensor overloaded(Tensor x) { return x + 1; }
[[maybe_unused]] Tensor overloaded(Tensor x, Int n) { return x + n; }
struct Functor {
  Tensor operator()(Tensor x) const& noexcept { return x + 1; }
};

TEST(Newcomer, CallsAnything) {
  const std::string result = "tensor([2., 3.])";
  const auto expect = [&](const auto& f) {
    EXPECT_EQ(trace(f, {row}).run({row}).str(), result);
    EXPECT_EQ(wait(fork(f, row)).str(), result);
    EXPECT_EQ(trace([&](Tensor x) { return wait(fork(f, x)); }, {row}).run({row}).str(), result);
  };
  expect(plain);
  expect(noThrow);
  expect(rvalue);
  expect(lvalue);
  expect(Functor());
  expect(static_cast<Tensor (*)(Tensor)>(overloaded));
  expect(std::function<Tensor(Tensor)>(plain));
  expect([n = 0](Tensor x) mutable { return ++n, x + 1; });
  expect([one = tensor(1.0)](const Tensor& x) noexcept { return x + one; });
  EXPECT_EQ(trace(constRefs, {row, 3}).run({row, 2}).str(), "tensor([2., 4.])");
  EXPECT_EQ(trace(six, std::vector<IValue>(6, row)).run(std::vector<IValue>(6, row)).str(),
            "tensor([ 6., 12.])");
  EXPECT_EQ(
      trace([](Tensor x) { return wait(fork(six, x, x, x, x, x, x)); }, {row}).run({row}).str(),
      "tensor([ 6., 12.])");
  EXPECT_EQ(trace(nothing).run({}).str(), "tensor([1., 1.])");
}

TEST(Newcomer, GenericLambdasAreWhatTheyAreGiven) {
  const auto scale = [](auto x, auto n) { return x * n; };
  EXPECT_EQ(wait(fork(scale, row, 3)).str(), "tensor([3., 6.])");
  const Function f = trace([&](Tensor x) { return wait(fork(scale, x, size(x, 0))); }, {row});
  EXPECT_EQ(f.run({ones({3})}).str(), "tensor([3., 3., 3.])");
}

TEST(Newcomer, NotOfBools) {
  const Function f = trace([](Bool a, Bool b) { return (!(a & b)) | !b; }, {true, false});
  EXPECT_EQ(f.run({true, true}).str(), "False");
  EXPECT_EQ(f.run({true, false}).str(), "True");
  EXPECT_TRUE((!Bool(false)).value());
  const Error error = errorOf([] { // C++'s own operators must know
    trace([](Bool a, Bool b) { return a && b ? Int(1) : Int(2); }, {true, false});
  });
  EXPECT_THAT(error.message, HasSubstr("use cond(...), & and |"));
}

// ---- forks --------------------------------------------------------------------------------------

Tensor nestedForks(const Tensor& x, int depth) {
  if (depth == 0) return x + 1;
  return wait(fork([&] { return nestedForks(x, depth - 1) + x; }));
}

TEST(Newcomer, ForksAHundredDeep) {
  const Function f = trace([](Tensor x) { return nestedForks(x, 100); }, {row});
  EXPECT_EQ(f.run({row}).str(), "tensor([102., 203.])");
  Scheduler scheduler({.workers = 2});
  EXPECT_EQ(f.run(scheduler, {row}).str(), "tensor([102., 203.])");
}

TEST(Newcomer, OneFutureInManyPlaces) {
  const Function f = trace(
      [](Tensor x) {
        const auto future = fork(neg, x);
        const auto a = fork([&] { return wait(future) + 1; });
        const auto b = fork([&](Future<Tensor> mine) { return wait(mine) * 2; }, future);
        return wait(a) + wait(b) + wait(future) + wait(future);
      },
      {row});
  for (int workers : testing::kWorkerCounts) {
    Scheduler scheduler({.workers = workers});
    EXPECT_EQ(f.run(scheduler, {row}).str(), "tensor([-4., -9.])");
  }
}

TEST(Newcomer, FuturesThatLoopsCarry) {
  const Function f = trace(
      [](Tensor x) {
        return wait(loop(size(x, 0), fork(neg, x), [](Int i, Future<Tensor> before) {
          return fork([&] { return wait(before) + i; });
        }));
      },
      {row});
  EXPECT_EQ(f.run({ones({4})}).str(), "tensor([5., 5., 5., 5.])");
}

TEST(Newcomer, ForkedGraphsAreNumberedFromTheirInputs) {
  const Function f = trace([](Tensor x) { return wait(fork([&] { return x * 2 + 1; })); }, {row});
  FileCheck()
      .check("with prim::fork_0 = graph(%0 : Float(")
      .checkNext("%1 : Long(")
      .checkNext("%2 : Float(2")
      .run(f.graph());
}

// ---- threads ------------------------------------------------------------------------------------

TEST(Newcomer, OtherThreadsDoNotRecord) { // numbers were silently constants
  const auto inThread = [](auto f) {
    Error error("none", "");
    std::thread([&] {
      try {
        f();
      } catch (const RuntimeError& e) {
        error = e.error();
      }
    }).join();
    EXPECT_EQ(error.kind, "TraceError");
    return error;
  };
  trace(
      [&](Tensor x) {
        const Int n = size(x, 0);
        const unsigned line = __LINE__ - 1;
        EXPECT_EQ(inThread([&] { n + 1; }).place.line, line);
        EXPECT_EQ(inThread([&] { ones({n}); }).place.line, line);
        EXPECT_EQ(inThread([&] { n.value(); }).place.line, line);
        EXPECT_THAT(inThread([&] { x + 1; }).message, HasSubstr("on another thread"));
        EXPECT_THAT(inThread([&] { add_(x, 1); }).message, HasSubstr("on another thread"));
        EXPECT_THAT(inThread([&] { trace([&](Tensor y) { return y + x; }, {row}); }).message,
                    HasSubstr("another trace"));
        return x * n;
      },
      {row});
}

TEST(Newcomer, OneFunctionOnManyThreadsFromTheFirstCall) {
  const Function f = trace(
      [](Tensor x) {
        return loop(size(x, 0), x,
                    [&](Int i, Tensor y) { return wait(fork([&] { return y + i; })); });
      },
      {row});
  Scheduler scheduler({.workers = 2});
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  for (std::size_t k = 0; k < wrong.size(); ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 50; ++i) {
        wrong[k] += f.run({row}).str() != "tensor([2., 3.])";
        wrong[k] += f.run(scheduler, {row}).str() != "tensor([2., 3.])";
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

// ---- lifetimes ----------------------------------------------------------------------------------

TEST(Newcomer, HandlesOutliveTheirTraces) {
  Int n;
  Float half;
  Bool more;
  Tensor y;
  Future<Tensor> future;
  trace(
      [&](Tensor x) {
        n = size(x, 0);
        half = n / 4;
        more = n > 1;
        y = x + 1;
        future = fork(neg, x);
        return x;
      },
      {row});
  EXPECT_EQ(n.value(), 2);
  EXPECT_EQ((n + 1).value(), 3);
  EXPECT_EQ(half.value(), 0.5);
  EXPECT_EQ(y.str(), "tensor([2., 3.])");
  EXPECT_EQ(wait(future).str(), "tensor([-1., -2.])");
  // in another trace they are what any number is: constants
  const Function f = trace(
      [&](Tensor x) {
        return cond(
            more, [&] { return loop(n, x * n + y, [&](Int, Tensor z) { return z * half; }); },
            [&] { return x; });
      },
      {row});
  EXPECT_EQ(f.run({row}).str(), "tensor([1.0000, 1.7500])");
}

TEST(Newcomer, DestructionInAnyOrder) {
  const auto make = [] { return trace([](Tensor x) { return wait(fork(neg, x)) + 1; }, {row}); };
  const std::string result = "tensor([ 0., -1.])";
  for (int workers : testing::kWorkerCounts) {
    Future<> first, second;
    Graph* graph = nullptr;
    std::optional<Function> last;
    {
      auto scheduler = std::make_unique<Scheduler>(Scheduler::Config{.workers = workers});
      {
        auto function = std::make_unique<Function>(make());
        last = *function;
        first = function->runAsync(*scheduler, {row});
      } // the function goes first
      EXPECT_EQ(first.wait().str(), result);
      second = make().runAsync(*scheduler, {row});
      scheduler.reset(); // then the scheduler, whose work may not be done
      graph = last->unit().find("graph");
    }
    EXPECT_EQ(first.wait().str(), result);
    try {
      EXPECT_EQ(second.wait().str(), result);
    } catch (const RuntimeError& e) {
      EXPECT_EQ(e.kind(), "Shutdown");
    }
    EXPECT_EQ(&last->graph(), graph);
    EXPECT_EQ(last->run({row}).str(), result);
  }
  IValue inner;
  { // a future that a graph gives
    const Function f = trace([](Tensor x) { return fork([&] { return x + 1; }); }, {row});
    Scheduler scheduler({.workers = 1});
    inner = f.run(scheduler, {row});
    EXPECT_EQ(Future<Tensor>(inner.toFuture()).wait().str(), "tensor([2., 3.])");
  }
  EXPECT_EQ(Future<Tensor>(inner.toFuture()).wait().str(), "tensor([2., 3.])");
}

// ---- size ---------------------------------------------------------------------------------------

TEST(Newcomer, AHundredThousandOperations) {
  const Function f = trace(
      [](Tensor x, Int n) {
        for (int i = 0; i < 50'000; ++i) {
          x = x + 1;
          n = n + 1;
        }
        return x + n;
      },
      {row, 0});
  EXPECT_EQ(f.run({row, 5}).str(), "tensor([100006., 100007.])");
}

// ---- graphs that run inside a trace -------------------------------------------------------------

TEST(Newcomer, GraphsInsideATrace) {
  const Function inner = trace([](Tensor x) { return x * 3; }, {row});
  const Function constant = trace([&](Tensor x) { return x + inner.run({row}).toTensor(); }, {row});
  EXPECT_EQ(constant.run({tensor({0.0, 0.0})}).str(), "tensor([3., 6.])");
  const Error error =
      errorOf([&] { trace([&](Tensor x) { return inner.run({x + 1}).toTensor(); }, {row}); });
  EXPECT_EQ(error.kind, "TraceError");
  EXPECT_THAT(error.message, HasSubstr("call the C++ function that it was traced from"));
  EXPECT_EQ(error.place.line, static_cast<unsigned>(__LINE__ - 3));
}

// ---- wrong inputs of a run ----------------------------------------------------------------------

TEST(Newcomer, WrongInputsHaveThePlaceOfTheRun) {
  const Function f = trace(
      fn("f", [](Tensor x, Int n, Float q) { return x * n * q; }, {"x", "n", "q"}), {row, 2, 0.5});
  EXPECT_EQ(f.signature(), "f(Tensor x, int n, float q) -> Tensor");
  const auto message = [&](std::vector<IValue> inputs) {
    const Error error = errorOf([&] { f.run(inputs); });
    EXPECT_EQ(error.kind, "TypeError");
    EXPECT_EQ(error.place.line, static_cast<unsigned>(__LINE__ - 2));
    return error.message;
  };
  EXPECT_EQ(message({row}), "f takes 3 inputs, but 1 is given: " + f.signature());
  EXPECT_EQ(message({2, row, 0.5}), "input 'x' must be of type Tensor, not int: " + f.signature());
  EXPECT_EQ(message({row, 2.5, 1}), "input 'n' must be of type int, not float: " + f.signature());
  EXPECT_EQ(message({row, true, 1}), "input 'n' must be of type int, not bool: " + f.signature());
  EXPECT_EQ(message({Tensor(), 2, 1}),
            "input 'x' must be of type Tensor, not NoneType: " + f.signature());
  EXPECT_EQ(f.run({row, 2, 1}).str(), "tensor([2., 4.])"); // an int for a float
  EXPECT_EQ(f.run({tensor({{1, 2}}), 2, 1}).str(), "tensor([[2., 4.]], dtype=torch.float64)");
  EXPECT_EQ(f.run({zeros({0}), 2, 1}).str(), "tensor([])");
}

TEST(Newcomer, TransposedExpandedAndEmptyTensors) {
  const auto f = [](Tensor x) { return contiguous(x) + x * size(x, 0); };
  const std::vector<Tensor> inputs = {t(tensor({{1.0, 2.0}, {3.0, 4.0}})),
                                      expand(tensor({1.0}), {3}), zeros({0, 2}),
                                      select(tensor({{1.0, 2.0}, {3.0, 4.0}}), 1, 1)};
  for (const Tensor& example : inputs) {
    const Function traced = trace(f, {example});
    for (const Tensor& x : inputs) EXPECT_EQ(traced.run({x}).str(), f(x).str());
  }
}

// ---- names and checks ---------------------------------------------------------------------------

TEST(Newcomer, NamedValues) {
  const Function f = trace(
      [](Tensor x) {
        const Tensor hidden = named("hidden", x * 2);
        const Int n = named("rows", size(x, 0));
        return wait(fork([&] { return named("hidden", hidden + 1) * n; }));
      },
      {row});
  FileCheck()
      .check("%hidden : Float(")
      .checkNext("Constant")
      .checkNext("%rows : int = aten::size")
      .checkNext("prim::fork_0(%hidden, %rows)")
      .check("%hidden.1 : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::add(%hidden")
      .run(f.graph());
  EXPECT_EQ(named("x", row).str(), row.str());
  for (const char* name : {"5", "", "a b", "a,b", "%x", "x\n", "x:"})
    EXPECT_EQ(errorOf([&] { named(name, row); }).kind, "ValueError") << name;
}

TEST(Newcomer, TracesAreCheckedOnOtherInputs) {
  const auto check = [](auto f, std::vector<std::vector<IValue>> inputs) {
    return errorOf([&] { trace(f, {row}, {.check = inputs}); });
  };
  int calls = 0;
  const auto counts = [&](Tensor x) { return x * ++calls; };
  const Error error = check(counts, {{row}});
  EXPECT_EQ(error.kind, "TraceError");
  EXPECT_EQ(error.message, "the function and its graph disagree on the inputs of check 1: the "
                           "result, element 0 of 2, is 2.0 and 1.0");
  EXPECT_EQ(error.place.file, "trace_newcomer_test.cpp");
  bool fails = false;
  const auto moody = [&](Tensor x) {
    if (fails) raise(error_kind::Value, "moody");
    fails = true;
    return x;
  };
  EXPECT_THAT(check(moody, {{row}}).message, HasSubstr("the function fails"));
  int writes = 0;
  const auto writer = [&](Tensor x) {
    if (writes++) add_(x, 1);
    return size(x, 0);
  };
  EXPECT_THAT(check(writer, {{row}}).message, HasSubstr("input 1 afterwards, element 0 of 2"));

  const Tensor untouched = tensor({5.0, 6.0, 7.0});
  const Function good = trace(
      [](Tensor x) {
        return std::map<std::string, Tensor>{{"y", add_(x, size(x, 0))}};
      },
      {row}, {.check = {{untouched}, {zeros({0})}, {row}}});
  EXPECT_EQ(untouched.str(), "tensor([5., 6., 7.])");
  EXPECT_EQ(good.run({clone(row)}).str(), "{'y': tensor([3., 4.])}");
}

struct Adder : Module {
  Tensor total = registerBuffer("total", tensor({0.0, 0.0}));
  Tensor forward(Tensor x) { return total += x; }
};

TEST(Newcomer, ChecksLeaveModulesAlone) {
  Adder adder;
  const Function f = trace(adder, {row}, {.check = {{row}, {row * 2}}});
  EXPECT_EQ(adder.total.str(), "tensor([0., 0.])");
  EXPECT_EQ(f.run({row}).str(), "tensor([1., 2.])");
}

// issue: `self.acc += x; y = self.acc * 2; self.acc = self.acc * self.acc`
struct Squares : Module {
  Tensor acc = registerBuffer("acc", tensor({0.0}));
  Tensor forward(Tensor x) {
    acc += x;
    Tensor y = acc * 2;
    copy_(acc, acc * acc);
    return y;
  }
};

TEST(Newcomer, StateWrittenAfterItsLastUse) {
  Squares squares;
  const Function f = trace(squares, {tensor({1.0})});
  for (const char* expected : {"tensor([2.])", "tensor([4.])", "tensor([10.])"})
    EXPECT_EQ(f.run({tensor({1.0})}).str(), expected);
}

// ---- 1,000 loads, traces and runs leave every live counter at zero and resident memory flat -----

long residentKilobytes() {
  std::ifstream file("/proc/self/statm");
  long size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4;
}

TEST(Newcomer, AThousandLoadsTracesAndRuns) {
  Adder adder;
  const auto once = [&] {
    const Function f = trace(
        [](Tensor x, std::map<std::string, Tensor> more) {
          const Tensor y = cond(
              size(x, 0) > 1, [&] { return wait(fork([&] { return x * 2; })); }, [&] { return x; });
          return loop(size(x, 0), y + more.at("k"), [](Int i, Tensor z) { return z + i; });
        },
        {row, [] {
           auto dict = makeRef<Dict>();
           dict->set("k", row);
           return IValue(dict);
         }()});
    const Program loaded =
        parseProgram(str(f.unit(), {.style = Style::Lossless}), "traced.ir").value();
    auto dict = makeRef<Dict>();
    dict->set("k", row);
    ASSERT_EQ(loaded.function()->run({row, IValue(dict)}).str(), "tensor([4., 7.])");
    const Function method = trace(adder, {row});
    Scheduler scheduler({.workers = 1});
    method.runAsync(scheduler, {row}).wait();
    EXPECT_FALSE(f.tryRun({row, row}).ok());
  };
  const testing::LiveCounts before;
  for (int i = 0; i < 200; ++i) once();
  [[maybe_unused]] const long resident = residentKilobytes();
  for (int i = 0; i < 800; ++i) once();
  EXPECT_EQ(before.difference(), "");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // which keep what is freed
  EXPECT_LT(residentKilobytes(), resident + 2'000);
#endif
}

} // namespace
} // namespace tine
