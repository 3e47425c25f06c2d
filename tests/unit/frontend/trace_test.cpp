#include "programs.h"
#include "tests/fixture.h"

#include <fstream>
#include <thread>

namespace tine {
namespace {

using namespace programs;
using ::testing::HasSubstr;
using ::testing::Not;
using tine::testing::errorOf;

const Tensor row = tensor({1.0, 2.0});

// ---- arguments by name --------------------------------------------------------------------------

TEST(Arguments, ByNameAndDefault) {
  const auto f = fn("scale", scale, {"x", "factor", arg("offset", tensor({10.0, 20.0}))});
  EXPECT_EQ(f(arg("factor", row), arg("x", row)).str(), "tensor([11., 24.])");
  EXPECT_EQ(wait(fork(f, row, arg("offset", row), arg("factor", row))).str(), "tensor([2., 6.])");
}

TEST(Arguments, Wrong) {
  const auto f = fn("foo", fooNumber, {"a", "b"});
  const auto message = [](auto call) {
    const Error error = errorOf(call);
    EXPECT_EQ(error.kind, "TypeError");
    return error.message;
  };
  EXPECT_EQ(message([&] { fork(f, row, arg("c", 2)); }),
            "foo has no argument 'c'; it takes 2 arguments (a, b)");
  EXPECT_EQ(message([&] { fork(f, row, arg("a", row)); }), "foo got two values for argument 'a'");
  EXPECT_EQ(message([&] { fork(f, arg("b", 1), arg("b", 2)); }),
            "foo got two values for argument 'b'");
  EXPECT_EQ(message([&] { fork(f, row); }), "foo misses argument 'b'; it takes 2 arguments (a, b)");
  EXPECT_EQ(message([&] { fork(f, row, 1, 2); }), "foo takes 2 arguments (a, b), but 3 are given");
  EXPECT_EQ(message([&] { fork(inner); }), "the function takes 1 argument, but 0 are given");
  EXPECT_THAT(message([&] { fork(inner, arg("x", row)); }), HasSubstr("wrap it in fn("));
  EXPECT_EQ(message([&] { wait(fork(f, 3, 2)); }), "argument 'a' of foo must be a Tensor, not int");
  EXPECT_EQ(message([&] { wait(fork(f, row, row)); }),
            "argument 'b' of foo must be an int, not Tensor");
}

TEST(Arguments, PlaceOfTheFork) {
  const auto f = fn("foo", fooNumber, {"a", "b"});
  const Error error = errorOf([&] { fork(f, row); });
  EXPECT_EQ(error.place.file, "trace_test.cpp");
  EXPECT_EQ(error.place.line, static_cast<unsigned>(__LINE__ - 2));
}

TEST(Arguments, SignaturesMustFit) {
  EXPECT_EQ(errorOf([] { fn("foo", fooNumber, {"a"}); }).message,
            "foo takes 2 arguments, but 1 names are given: (a)");
  EXPECT_EQ(errorOf([] {
              fn("foo", fooNumber, {"a", "a"});
            }).message,
            "foo has two arguments named 'a'");
  for (const char* name : {"3", "", "a b", "%a", "a.1"})
    EXPECT_EQ(errorOf([&] {
                fn("foo", fooNumber, {"a", name});
              }).message,
              std::string("foo has an argument named '") + name + "', which is no name");
}

TEST(Arguments, ModulesToo) {
  const Tensor x = tensor({1.0, 2.0, 3.0});
  {
    Gate gate;
    EXPECT_EQ(wait(fork(gate, x, arg("b", 2))).str(), gate.forward(x, 2).str());
    EXPECT_EQ(wait(fork(gate, x)).str(), gate.forward(x, 1).str());
    const Error error = errorOf([&] { fork(gate, x, arg("c", 2)); });
    EXPECT_THAT(error.message, HasSubstr("Gate has no argument 'c'; it takes 2 arguments (x, b)"));
  }
}

// ---- eager --------------------------------------------------------------------------------------

TEST(Eager, ForksRunAtOnceAndKeepTheirErrors) {
  int runs = 0;
  auto fut = fork(
      [&](Tensor x) {
        ++runs;
        return x + x;
      },
      row);
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(fut.done());
  EXPECT_EQ(wait(fut).str(), "tensor([2., 4.])");
  EXPECT_EQ(fut.wait().str(), "tensor([2., 4.])");

  auto failing = fork([](Tensor) -> Tensor { raise(error_kind::Value, "boom"); }, row);
  for (int i = 0; i < 2; ++i) {
    const Error error = errorOf([&] { wait(failing); });
    EXPECT_EQ(error.kind, "ValueError");
    EXPECT_EQ(error.message, "boom");
  }
  auto foreign = fork([](Tensor) -> Tensor { throw std::out_of_range("row 7"); }, row);
  EXPECT_THAT(errorOf([&] { wait(foreign); }).message, HasSubstr("row 7"));
  EXPECT_EQ(errorOf([] { Future<Tensor>().wait(); }).kind, "ValueError");
}

TEST(Eager, OperatorsAsInPyTorch) {
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 4.0}});
  EXPECT_EQ((2 - x).str(), "tensor([[ 1.,  0.],\n        [-1., -2.]])");
  EXPECT_EQ((x > 2).str(), "tensor([[False, False],\n        [ True,  True]])");
  EXPECT_EQ((2 < x).str(), (x > 2).str());
  EXPECT_EQ((x * 2 + x).str(), "tensor([[ 3.,  6.],\n        [ 9., 12.]])");
  EXPECT_EQ((tensor({1, 2}) + 0.5).str(), "tensor([1.5000, 2.5000])");
  EXPECT_EQ((tensor({1, 2}) * 2).str(), "tensor([2, 4])"); // a number does not widen
  EXPECT_EQ(sum(x, 0).str(), "tensor([4., 6.])");
  EXPECT_EQ(reshape(x, {size(x, 0) * 2, -1}).str(),
            "tensor([[1.],\n        [2.],\n        [3.],\n        [4.]])");
  Tensor y = clone(x);
  y += 1;
  EXPECT_EQ(y.str(), "tensor([[2., 3.],\n        [4., 5.]])");
  EXPECT_EQ((1 / x).str(), "tensor([[1.0000, 0.5000],\n        [0.3333, 0.2500]])");
  EXPECT_EQ((x % 2).str(), "tensor([[1., 0.],\n        [1., 0.]])");
  const Int n = size(x, 0);
  EXPECT_EQ(n.value(), 2);
  EXPECT_EQ((n * 3 + 1).value(), 7);
  EXPECT_EQ((n / 4).value(), 0.5);
  EXPECT_EQ((n * 1.5).value(), 3.0);
  EXPECT_TRUE((n < 3).value());
  EXPECT_EQ(floorDiv(n, 4).value(), 0);
  EXPECT_EQ(call("aten::neg", {tensor({1.0})}).value.str(), "tensor([-1.])");
  const Error error = errorOf([] { call("aten::nag", {row}); });
  EXPECT_EQ(error.kind, "SchemaError");
  EXPECT_EQ(error.place.line, static_cast<unsigned>(__LINE__ - 2));
}

TEST(Eager, ErrorsOfKernelsHaveThePlaceOfTheCall) {
  const Error error = errorOf([] { row + tensor({1.0, 2.0, 3.0}); });
  EXPECT_EQ(error.kind, "ShapeMismatch");
  EXPECT_EQ(error.place.file, "trace_test.cpp");
  EXPECT_EQ(error.place.line, static_cast<unsigned>(__LINE__ - 3));
}

TEST(Eager, TensorsWrittenDown) {
  EXPECT_EQ(tensor(2).dtype(), DType::Int64);
  EXPECT_EQ(tensor(2.5).dtype(), DType::Float32);
  EXPECT_EQ(tensor({true, false}).dtype(), DType::Bool);
  EXPECT_EQ(tensor({1, 2.5}).str(), "tensor([1.0000, 2.5000])");
  EXPECT_EQ(tensor({{1, 2}}).sizes(), llvm::ArrayRef<std::int64_t>({1, 2}));
  EXPECT_EQ(tensor({{{1}, {2}}}).sizes(), llvm::ArrayRef<std::int64_t>({1, 2, 1}));
  EXPECT_EQ(tensor({}).sizes(), llvm::ArrayRef<std::int64_t>({0}));
  EXPECT_EQ(tensor({9007199254740993}).str(), "tensor([9007199254740993])");
  EXPECT_EQ(tensor({1, 2}, DType::Float64).dtype(), DType::Float64);
  EXPECT_EQ(errorOf([] { tensor({{1, 2}, {3}}); }).kind, "ValueError");
}

// ---- what a trace cannot follow
// -------------------------------------------------------------------

/// Kind and message of the error of tracing f with x = [1, 2]: a TraceError at the line that f
/// notes.
template <class F> std::string traceError(F f) {
  unsigned line = 0;
  const Error error = errorOf([&] { trace([&](Tensor x) { return f(x, line); }, {row}); });
  EXPECT_EQ(error.kind, "TraceError") << error.message;
  EXPECT_EQ(error.place.file, "trace_test.cpp") << error.message;
  EXPECT_EQ(error.place.line, line) << error.message;
  if (std::ifstream(__FILE__)) { // where it was compiled
    EXPECT_NE(error.place.text, "") << error.message;
  }
  EXPECT_EQ(Recorder::active(), nullptr);
  return tine::testing::said(error);
}

TEST(TraceErrors, NumbersReadInCpp) {
  const std::string number = traceError([](Tensor x, unsigned& line) {
    line = __LINE__ + 1;
    return x * size(x, 0).value();
  });
  EXPECT_EQ(number, "TraceError: the number that comes from here is read as a C++ number, and the "
                    "graph would hold a constant: keep it an Int or Float, use loop(...), or trace "
                    "with specialise");
  traceError([](Tensor x, unsigned& line) {
    line = __LINE__ + 1;
    return x * static_cast<std::int64_t>(size(x, 0));
  });
  const std::string branch = traceError([](Tensor x, unsigned& line) {
    line = __LINE__ + 1;
    const Bool large = toBool(sum(x) > 2);
    return large ? x : -x;
  });
  EXPECT_EQ(branch, "TraceError: the bool that comes from here decides a C++ branch, and the graph "
                    "would hold the side that was taken: use cond(...), & and |, or trace with "
                    "specialise");
  traceError([](Tensor x, unsigned& line) {
    const Int n = size(x, 0);
    line = __LINE__ + 1;
    const Int m = n + 1; // the last operation, not the first
    for (std::int64_t i = 0; i < m.value(); ++i) x = x + 1;
    return x;
  });
}

TEST(TraceErrors, TensorsReadInCpp) {
  const auto reading = [](auto read) {
    traceError([read](Tensor x, unsigned& line) {
      line = __LINE__ + 1;
      const Tensor y = sum(x);
      return x * read(y);
    });
  };
  reading([](Tensor y) { return y.numel(); });
  reading([](Tensor y) { return y.sizes().size(); });
  reading([](Tensor y) { return y.strides().size(); });
  reading([](Tensor y) { return y.toDouble(); });
  reading([](Tensor y) { return y.toInt(); });
  reading([](Tensor y) { return y.at<float>({}); });
  reading([](Tensor y) { return *y.data<float>(); });
  reading([](Tensor y) { return y.clone(); }); // clone(y) is the operator
  reading([](Tensor y) { return y.asStrided({}, {}, 0); });
  reading([](Tensor y) { return equal(y, y); });
}

TEST(TraceErrors, PlainParameters) {
  const Error error = errorOf([] { trace(fn("foo", fooNumber, {"a", "b"}), {row, 2}); });
  EXPECT_EQ(error.kind, "TraceError");
  EXPECT_EQ(error.place.line, static_cast<unsigned>(__LINE__ - 2));
  const Function traced = trace([](Tensor x, Int n) { return x * n; }, {row, 2});
  EXPECT_EQ(traced.run({row, 5}).str(), "tensor([ 5., 10.])");
}

TEST(TraceErrors, FuturesFromOutside) {
  const auto outside = fork(inner, row);
  const std::string message = traceError([&](Tensor x, unsigned& line) {
    line = __LINE__ + 1;
    return x + wait(outside);
  });
  EXPECT_EQ(message, "TraceError: waits for a future from outside the trace, whose result would be "
                     "a constant of the graph");
  traceError([](Tensor x, unsigned& line) {
    const auto inside = fork(inner, x);
    line = __LINE__ + 1;
    return inside.done() ? x : -x;
  });
}

TEST(TraceErrors, WritingWhatIsOutside) {
  const Tensor outside = tensor({5.0, 6.0});
  const std::string message = traceError([&](Tensor x, unsigned& line) {
    line = __LINE__ + 1;
    return add_(outside, x);
  });
  EXPECT_EQ(message, "TraceError: aten::add_ writes a tensor from outside the trace, which the "
                     "graph holds as a constant: make it an input, or register it in the module");
  traceError([&](Tensor x, unsigned& line) {
    const Tensor view = select(outside, 0, 1);
    line = __LINE__ + 1;
    return add_(view, sum(x));
  });
  EXPECT_EQ(outside.str(), "tensor([5., 6.])");
}

TEST(TraceErrors, ValuesThatLeaveAForkSecretly) {
  Tensor leaked;
  Int number;
  const std::string ofTensor = traceError([&](Tensor x, unsigned& line) {
    const auto task = [&](Tensor y) {
      line = __LINE__ + 1;
      leaked = y + 1;
      return y;
    };
    fork(task, x);
    return x * leaked;
  });
  EXPECT_EQ(ofTensor, "TraceError: a tensor that belongs to the body of a fork, method, branch or "
                      "loop, or to another trace, is used outside of it; let it be part of the "
                      "result");
  const std::string ofNumber = traceError([&](Tensor x, unsigned& line) {
    const auto task = [&](Tensor y) {
      line = __LINE__ + 1;
      number = size(y, 0);
      return y;
    };
    fork(task, x);
    return x * number;
  });
  EXPECT_EQ(ofNumber, "TraceError: a number that belongs to the body of a fork, method, branch or "
                      "loop, or to another trace, is used outside of it; let it be part of the "
                      "result");
}

TEST(TraceErrors, TraceInATrace) {
  const Error error =
      errorOf([] { trace([](Tensor x) { return trace(inner, {x}).run({x}).toTensor(); }, {row}); });
  EXPECT_EQ(tine::testing::said(error), "TraceError: a trace inside the trace that began here");
  EXPECT_EQ(error.place.line, static_cast<unsigned>(__LINE__ - 2));
  EXPECT_EQ(Recorder::active(), nullptr);
}

TEST(TraceErrors, ErrorsOfTheFunctionLeaveTheTrace) {
  const Error error = errorOf([] {
    trace(
        [](Tensor x) {
          return wait(fork([](Tensor y) { return y + tensor({1.0, 2.0, 3.0}); }, x));
        },
        {row});
  });
  EXPECT_EQ(error.kind, "ShapeMismatch");
  EXPECT_EQ(Recorder::active(), nullptr);
  EXPECT_THROW(trace([](Tensor) -> Tensor { throw 7; }, {row}), int);
  EXPECT_EQ(Recorder::active(), nullptr);
  EXPECT_EQ(trace(inner, {row}).run({row}).str(), "tensor([-1., -2.])");
}

TEST(TraceErrors, CaughtInsideItCanGoOn) {
  const Function traced = trace(
      [](Tensor x) {
        try {
          wait(fork([](Tensor y) { return y + tensor({1.0, 2.0, 3.0}); }, x));
        } catch (const RuntimeError&) {
        }
        return -x;
      },
      {row});
  EXPECT_EQ(traced.run({row}).str(), "tensor([-1., -2.])");
}

TEST(TraceErrors, WrongExamples) {
  EXPECT_EQ(errorOf([] { trace(fn("bar", bar, {"a"}), {}); }).message,
            "bar misses argument 'a'; it takes 1 argument (a)");
  EXPECT_EQ(errorOf([] {
              trace(inner, {row, row});
            }).message,
            "the function takes 1 argument, but 2 are given");
}

// ---- numbers
// --------------------------------------------------------------------------------------

TEST(Numbers, SizesAreFollowed) { // issue: numel() traced as a constant
  const Function count = trace([](Tensor x) { return ones({numel(x)}); }, {zeros({2, 3, 4})});
  EXPECT_EQ(count.run({row}).str(), "tensor([1., 1.])");
  const Function shape = trace(
      [](Tensor x) {
        const Int n = size(x, 0);
        return reshape(x, {n, -1}) * (n + 1) + arange(n * 1);
      },
      {tensor({{1.0, 2.0}, {3.0, 4.0}})});
  EXPECT_EQ(shape.run({tensor({{1.0}, {2.0}, {3.0}})}).str(),
            "tensor([[ 4.,  5.,  6.],\n        [ 8.,  9., 10.],\n        [12., 13., 14.]])");
  FileCheck()
      .check("aten::size")
      .check("aten::add(%")
      .check("prim::NumToTensor")
      .run(shape.graph());
}

TEST(Numbers, ListsOfThem) {
  const Function f = trace(
      [](Tensor x) {
        const Operand sizes = call("aten::size", {x});
        return zeros({Boxing<Int>::unbox(sizes.item(1), {"size", "1"}), 1});
      },
      {zeros({2, 3})});
  EXPECT_EQ(f.run({zeros({1, 2})}).str(), "tensor([[0.],\n        [0.]])");
  FileCheck().check("int[] = aten::size(%").checkNext("prim::ListUnpack").run(f.graph());
}

TEST(Numbers, NeverChange) { // issue: `m = n; m += 2` changed n
  const Function f = trace(
      [](Tensor x) {
        Int n = size(x, 0);
        Int m = n;
        m = m + 2;
        return n + m;
      },
      {zeros({3})});
  EXPECT_EQ(f.run({zeros({3})}).toInt(), 8);
  EXPECT_EQ(f.run({zeros({5})}).toInt(), 12);
}

TEST(Numbers, PassThroughForks) {
  const Function f = trace(
      [](Tensor x) {
        auto fut = fork([](Int n, Float total) { return std::tuple(n * 2, total + n); }, size(x, 0),
                        toFloat(sum(x)));
        auto [n, s] = wait(fut);
        return x * n + s;
      },
      {row});
  EXPECT_EQ(f.run({tensor({1.0, 1.0, 1.0})}).str(), "tensor([12., 12., 12.])");
  FileCheck()
      .check("Future[(int, float)] = prim::fork_0(%")
      .check("prim::TupleUnpack")
      .run(f.graph());
}

TEST(Numbers, AfterTheTraceTheyCanBeRead) {
  Int kept;
  Tensor alsoKept;
  trace(
      [&](Tensor x) {
        kept = size(x, 0);
        alsoKept = x + 1;
        return x;
      },
      {row});
  EXPECT_EQ(kept.value(), 2);
  EXPECT_EQ(alsoKept.sizes()[0], 2);
}

TEST(Numbers, SpecialisedWithAGuard) {
  const Function f = trace(
      [](Tensor x) {
        for (std::int64_t i = 0; i < size(x, 0).value(); ++i) x = x + 1;
        return x;
      },
      {row}, {.specialise = true});
  EXPECT_EQ(f.run({tensor({5.0, 6.0})}).str(), "tensor([7., 8.])");
  const Error error = errorOf([&] { f.run({tensor({5.0, 6.0, 7.0})}); });
  EXPECT_THAT(error.message, HasSubstr("traced for 2"));
  EXPECT_THAT(error.message, HasSubstr("trace_test.cpp:"));
}

// ---- branches and loops
// -----------------------------------------------------------------------------

TEST(Branches, BothSidesAreRecorded) {
  const auto f = [](Tensor x) {
    Tensor scaled = x * 2;
    return cond(
               toBool(sum(x) > 0), [&] { return scaled; }, [&] { return -scaled; }) +
           scaled;
  };
  const Function traced = trace(f, {row});
  const Tensor negative = tensor({-1.0, -2.0});
  EXPECT_EQ(traced.run({row}).str(), f(row).str());
  EXPECT_EQ(traced.run({negative}).str(), f(negative).str());
  FileCheck().check("prim::If").check("block0").check("block1").run(traced.graph());
}

TEST(Branches, SidesMustAgree) {
  const Error error = errorOf([] {
    trace(
        [](Tensor x) {
          return cond(
              toBool(sum(x) > 0), [&] { return Operand(x); }, [&] { return Operand(1); });
        },
        {row});
  });
  EXPECT_EQ(tine::testing::said(error),
            "TraceError: the sides of cond(...) give different kinds of result: Tensor and int");
}

TEST(Branches, ForksInside) {
  const Function traced = trace(
      [](Tensor x) {
        return cond(
            toBool(sum(x) > 0), [&] { return wait(fork(inner, x)); }, [&] { return x; });
      },
      {row});
  EXPECT_EQ(traced.run({row}).str(), "tensor([-1., -2.])");
  EXPECT_EQ(traced.run({tensor({-1.0, 0.0})}).str(), "tensor([-1.,  0.])");
}

TEST(Loops, AnyNumberOfTurns) { // issue: a loop over a dynamic dimension was unrolled
  const auto f = [](Tensor x) {
    return loop(size(x, 0), zeros({2}),
                [&](Int i, Tensor total) { return total + select(x, 0, i) * i; });
  };
  const Tensor two = tensor({{1.0, 2.0}, {3.0, 4.0}}), none = zeros({0, 2});
  const Tensor four = tensor({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}, {7.0, 8.0}});
  const Function traced = trace(f, {two});
  EXPECT_EQ(traced.run({two}).str(), "tensor([3., 4.])");
  EXPECT_EQ(traced.run({four}).str(), f(four).str());
  EXPECT_EQ(traced.run({none}).str(), "tensor([0., 0.])");
}

TEST(Loops, StateOfSeveralParts) {
  const auto f = [](Int n) {
    using State = std::tuple<Int, Int>;
    auto [a, b] = loop(n, State(0, 1), [](Int, State s) {
      return State(std::get<1>(s), std::get<0>(s) + std::get<1>(s));
    });
    return a + b * 0;
  };
  const Function fib = trace(f, {5});
  EXPECT_EQ(fib.run({10}).toInt(), 55);
  EXPECT_EQ(fib.run({0}).toInt(), 0);
}

TEST(Loops, ForksBranchesAndLoopsInside) {
  const auto f = [](Tensor x, Int n) {
    return loop(n, x, [&](Int i, Tensor y) {
      const auto half = fork([](Tensor z, Int k) { return z * k; }, y, i);
      const Tensor inside = loop(i, y, [&](Int, Tensor z) { return wait(half) + z; });
      return cond(
          toBool(sum(inside) > 50), [&] { return inside - x; }, [&] { return inside + x; });
    });
  };
  const Function traced = trace(f, {row, 2});
  for (int n : {0, 1, 2, 3, 7}) EXPECT_EQ(traced.run({row, n}).str(), f(row, n).str()) << n;
  FileCheck()
      .check("prim::Loop")
      .check("prim::fork_0(")
      .check("prim::Loop")
      .check("aten::wait")
      .check("prim::If")
      .run(traced.graph());
}

struct Looped : Module {
  Child<Gate> gate = registerModule("gate", Gate());
  Tensor shift = registerParameter("shift", tensor({0.5, 0.5, 0.5}));
  Tensor forward(Tensor x) {
    return loop(size(x, 0), x, [&](Int i, Tensor y) {
      return cond(
          i > 1, [&] { return gate(y); }, [&] { return y + shift; });
    });
  }
};
TEST(Loops, ModulesInside) {
  const Tensor x = tensor({1.0, -2.0, 3.0});
  Looped module;
  const Function traced = trace(module, {x});
  EXPECT_EQ(traced.run({x}).str(), module.forward(x).str());
  FileCheck() // fetched at the top of the graph, not in each turn
      .check("prim::GetAttr[name=\"shift\"](%self)")
      .check("prim::Loop")
      .check("prim::CallMethod[name=\"forward\"]")
      .run(traced.graph());
}

TEST(Loops, StateMustKeepItsKind) {
  const Error error = errorOf([] {
    trace([](Int n) { return loop(n, Operand(1), [](Int, Operand) { return Operand(row); }); },
          {2});
  });
  EXPECT_EQ(tine::testing::said(error),
            "TraceError: the body of loop(...) turns a state of int into one of Tensor");
}

// ---- examples and modules stay as they were
// ---------------------------------------------------------

TEST(Traced, ExamplesAreCopied) { // issue: tracing changed the caller's tensors
  const Tensor x = tensor({1.0, 2.0});
  const Function f = trace([](Tensor y) { return add_(y, 1); }, {x});
  EXPECT_EQ(x.str(), "tensor([1., 2.])");
  EXPECT_EQ(f.run({x}).str(), "tensor([2., 3.])");
  EXPECT_EQ(x.str(), "tensor([2., 3.])"); // the graph writes its input, as the function does
}

TEST(Traced, OneTensorTwice) {
  const Function f = trace([](Tensor a, Tensor b) { return a - b; }, {row, row});
  EXPECT_EQ(f.run({row, tensor({10.0, 20.0})}).str(), "tensor([ -9., -18.])");
}

TEST(Traced, StridesOfExamples) {
  const Tensor x = transpose(tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}), 0, 1);
  FileCheck().check("Float(3, 2, strides=[1, 3]").run(trace(inner, {x}).graph());
}

TEST(Traced, ConstantsAreCopied) {
  const Tensor outside = tensor({10.0, 20.0});
  const Function f = trace([&](Tensor x) { return x + outside; }, {row});
  add_(outside, 1);
  EXPECT_EQ(f.run({row}).str(), "tensor([11., 22.])");
}

TEST(Traced, DeadNodesGoAndEffectsStay) {
  const Function f = trace(
      [](Tensor x) {
        x + 1;
        size(x, 0);
        Tensor y = x * 2;
        mul_(select(y, 0, 0), 5);
        return y;
      },
      {row});
  FileCheck()
      .check("aten::mul(")
      .check("aten::select")
      .check("aten::mul_")
      .checkNot("aten::add")
      .run(f.graph());
  EXPECT_EQ(f.run({row}).str(), "tensor([10.,  4.])");
}

struct Counter : Module {
  Tensor total = registerBuffer("total", tensor({0.0, 0.0}));
  Tensor forward(Tensor x) {
    total += x;
    return total * 2;
  }
};

TEST(Traced, StateOfModules) { // issue: assignment to module state vanished
  Counter counter;
  const Function f = trace(counter, {row});
  EXPECT_EQ(counter.total.str(), "tensor([0., 0.])"); // tracing left no trace
  EXPECT_EQ(f.run({row}).str(), "tensor([2., 4.])");
  EXPECT_EQ(f.run({row}).str(), "tensor([4., 8.])");
  EXPECT_EQ(counter.total.str(), "tensor([2., 4.])"); // one tensor, shared
}

TEST(Traced, AttributesStayAttributes) {
  const Tensor x = tensor({1.0, 2.0, 3.0});
  Gate gate;
  const Function f = trace(gate, {x});
  EXPECT_EQ(f.run({x}).str(), "tensor([ 2.5000,  5.2500, 10.1250])");
  fill_(gate.weight, 0);
  EXPECT_EQ(f.run({x}).str(), gate.forward(x, 1).str());
}

TEST(Traced, ModulesOfAFunctionAreConstants) {
  const Tensor x = tensor({1.0, 2.0, 3.0});
  Gate gate;
  const Function f = trace([&](Tensor y) { return wait(fork(gate, y)); }, {x});
  EXPECT_EQ(f.run({x}).str(), gate.forward(x, 1).str());
  EXPECT_EQ(f.unit().functions().size(), 1u);
}

TEST(Modules, NamesAreChecked) {
  struct Bad : Module {};
  Bad bad;
  bad.registerParameter("w", row);
  EXPECT_EQ(errorOf([&] { bad.registerBuffer("w", row); }).message, "the module has a 'w' already");
  EXPECT_EQ(errorOf([&] { bad.registerBuffer("a.b", row); }).kind, "ValueError");
  EXPECT_EQ(errorOf([&] { bad.registerBuffer("", row); }).kind, "ValueError");
  EXPECT_EQ(errorOf([&] { bad.registerBuffer("v", Tensor()); }).kind, "ValueError");
}

TEST(Modules, ClassNames) {
  EXPECT_EQ(Gate().qualifiedName(), "__torch__.programs.Gate");
  EXPECT_EQ(Module("a.b.C").qualifiedName(), "__torch__.a.b.C");
  EXPECT_EQ(Counter().qualifiedName(), "__torch__.tine.Counter");
}

struct Shared : Module {
  std::shared_ptr<Gate> gate = std::make_shared<Gate>();
  Child<Gate> first = registerModule("first", gate), second = registerModule("second", gate);
  Tensor forward(Tensor x) { return first(second(x)); }
};
struct Direct : Module {
  Child<Gate> gate = registerModule("gate", Gate());
  Tensor forward(Tensor x) { return gate->forward(x, 1); }
};

TEST(Modules, SharedAndCalledDirectly) {
  const Tensor x = tensor({1.0, 2.0, 3.0});
  Shared shared;
  EXPECT_EQ(trace(shared, {x}).run({x}).str(), shared.forward(x).str());
  Direct direct;
  const Function f = trace(direct, {x});
  EXPECT_EQ(f.run({x}).str(), direct.forward(x).str());
  FileCheck() // as TorchScript: chains in reverse order of first use, each whole
      .check("prim::GetAttr[name=\"gate\"](%self)")
      .checkNext("prim::GetAttr[name=\"bias\"]")
      .checkNext("prim::GetAttr[name=\"gate\"](%self)")
      .checkNext("prim::GetAttr[name=\"weight\"]")
      .checkNot("CallMethod")
      .run(f.graph());
}

struct Holder : Module {
  Tensor forward(Tensor x) { return x; }
};
TEST(Modules, InsideItself) {
  auto holder = std::make_shared<Holder>();
  holder->registerModule("me", holder);
  EXPECT_THAT(errorOf([&] { trace(*holder, {row}); }).message, HasSubstr("contains"));
  const_cast<std::vector<Module::NamedModule>&>(holder->children()).clear(); // the cycle
}

// ---- threads
// ----------------------------------------------------------------------------------------

TEST(Threads, TwoTracesAtOnce) {
  const std::string expected = str(trace(fn("nested", nested, {"x"}), {row}).graph());
  ForkModuleNested module; // whose tensors both traces read
  const Tensor x = tensor({1.0, 2.0, 3.0});
  const std::string expectedModule = str(trace(module, {x}).unit());
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        wrong[t] += str(trace(fn("nested", nested, {"x"}), {row}).graph()) != expected;
        wrong[t] += str(trace(module, {x}).unit()) != expectedModule;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

} // namespace
} // namespace tine
