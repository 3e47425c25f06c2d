// cond and loop in traces: what the example does not reach is recorded all the same, and leaves
// nothing behind; what decides in C++ is refused.

#include "api/tine.h"
#include "tests/fixture.h"

namespace tine {
namespace {

using ::testing::HasSubstr;
using tine::testing::errorOf;

const Tensor row = tensor({1.0, 2.0}), none = zeros({0});

/// The graph traced with `example` gives what C++ gives, for each input.
template <class F>
void expectFollows(F f, const Tensor& example, const std::vector<Tensor>& inputs) {
  const Function traced = trace(f, {example});
  for (const Tensor& x : inputs)
    EXPECT_EQ(traced.run({clone(x)}).str(), Operand(f(clone(x))).value.str()) << x.str();
}

// Traced with [2, 3, 4] and run with [5], [0], [1, 1]: numel, size(-1), arange(size), reshape
// follow the input; a data-dependent branch or loop is refused with a place; loop gives right
// results for lengths 0, 1, 5 and 20.
TEST(Follows, SizesOfAnyRankBranchesRefusedLoopsOfAnyLength) {
  const Tensor example = zeros({2, 3, 4});
  const std::vector<Tensor> inputs = {arange(5.0), zeros({0}), ones({1, 1}), example};
  expectFollows([](Tensor x) { return ones({numel(x)}); }, example, inputs);
  expectFollows([](Tensor x) { return size(x, -1) * 10 + dim(x); }, example, inputs);
  expectFollows([](Tensor x) { return arange(size(x, -1)) + numel(x); }, example, inputs);
  expectFollows(
      [](Tensor x) {
        return reshape(x, {size(x, 0), numel(x) + 1 - numel(x), -1});
      },
      example, {arange(5.0), ones({1, 1}), example});
  expectFollows([](Tensor x) { return reshape(x, {numel(x), 1}); }, example, inputs);

  const auto refused = [&](auto f) {
    unsigned line = 0;
    const Error error = errorOf([&] { trace([&](Tensor x) { return f(x, line); }, {example}); });
    EXPECT_EQ(error.kind, "TraceError");
    EXPECT_EQ(error.place.file, "trace_control_test.cpp");
    EXPECT_EQ(error.place.line, line);
  };
  refused([](Tensor x, unsigned& line) {
    line = __LINE__ + 1;
    const Bool positive = toBool(sum(x) > 0);
    return positive ? x : -x;
  });
  refused([](Tensor x, unsigned& line) {
    line = __LINE__ + 1;
    const Int rows = size(x, 0);
    for (std::int64_t i = 0; i < rows.value(); ++i) x = x + 1;
    return x;
  });

  const auto f = [](Tensor x) {
    return loop(size(x, 0), zeros({3}),
                [&](Int i, Tensor total) { return total * 2 + select(x, 0, i) + i; });
  };
  const auto ofLength = [](int n) { return reshape(arange(n * 3.0), {n, 3}); };
  for (int traced : {0, 1, 5, 20})
    expectFollows(f, ofLength(traced), {ofLength(0), ofLength(1), ofLength(5), ofLength(20)});
}

TEST(Follows, RankAndDtype) {
  const Function f =
      trace([](Tensor x) { return zeros({dim(x)}, dtype(x)) + to(ones({1}), dtype(x)); }, {row});
  EXPECT_EQ(f.run({tensor({{1, 2}})}).str(), "tensor([1, 1])");
  EXPECT_EQ(f.run({tensor({1.0})}).str(), "tensor([1.])");
}

// ---- what the example does not reach ------------------------------------------------------------

TEST(Untaken, WhatCannotBeComputedIsNoError) {
  const auto first = [](Tensor x) {
    return cond(
        size(x, 0) > 0, [&] { return select(x, 0, 0) * 2 + select(x, 0, 0); },
        [&] { return sum(x); });
  };
  expectFollows(first, none, {none, row});
  expectFollows(first, row, {none, row});
  const auto nested = [](Tensor x) { // in which nothing is known, and yet all is recorded
    return cond(
        numel(x) > 1,
        [&] {
          const Tensor y = select(x, 0, 1);
          const Int n = toInt(y);
          const Tensor z = loop(n, y, [&](Int i, Tensor t) { return t + i * n; });
          return wait(fork([&] {
            return cond(
                toBool(z > 3), [&] { return z; }, [&] { return -z; });
          }));
        },
        [&] { return sum(x); });
  };
  for (const Tensor& example : {none, row, tensor({0.0, 5.0})})
    expectFollows(nested, example, {none, row, tensor({4.0}), tensor({0.0, 5.0})});
}

TEST(Untaken, WhatItWritesIsUndone) {
  const auto f = [](Tensor x) {
    Tensor y = x * 1;
    cond(
        size(x, 0) > 1, [&] { add_(y, 10); }, [&] { fill_(y, 99); });
    loop(size(x, 0) - 2, [&](Int) { fill_(y, 77); });
    return loop(toInt(select(y, 0, 0)), Int(0), [](Int, Int n) { return n + 1; }); // reads y
  };
  expectFollows(f, row, {row, tensor({5.0}), tensor({1.0, 2.0, 3.0})});
  const Function traced = trace(
      [](Tensor x) { // what the guards compare with
        Tensor y = x * 1;
        cond(
            size(x, 0) > 1, [&] { add_(y, 10); }, [&] { fill_(y, 99); });
        return x * toInt(select(y, 0, 0)).value();
      },
      {row}, {.specialise = true});
  EXPECT_EQ(traced.run({row}).str(), "tensor([11., 22.])");
}

TEST(Untaken, StateOfModulesToo) {
  struct Switch : Module {
    Tensor total = registerBuffer("total", tensor({0.0, 0.0}));
    Tensor forward(Tensor x) {
      cond(
          toBool(sum(x) > 0), [&] { total += x; }, [&] { total -= 100; });
      return total * 1;
    }
  };
  Switch module;
  const Function f = trace(module, {row});
  EXPECT_EQ(module.total.str(), "tensor([0., 0.])");
  EXPECT_EQ(f.run({row}).str(), "tensor([1., 2.])");
  EXPECT_EQ(f.run({-row}).str(), "tensor([-99., -98.])");
}

TEST(Untaken, UnknownLengthsAndNumbersAreErrors) {
  const auto in = [](auto then, TraceOptions options) {
    return errorOf([&] {
      trace(
          [&](Tensor x) {
            return cond(
                size(x, 0) > 0, [&] { return then(select(x, 0, 0)); }, [&] { return x; });
          },
          {none}, options);
    });
  };
  const auto lengths = [](Tensor y) {
    return y * static_cast<int>(call("aten::size", {y}).size());
  };
  EXPECT_THAT(in(lengths, {}).message, HasSubstr("aten::size cannot tell how much it gives"));
  const auto reads = [](Tensor y) { return y * toInt(y).value(); };
  EXPECT_THAT(in(reads, {.specialise = true}).message, HasSubstr("it is not known"));
}

TEST(Untaken, OutsideEffectsAreNotTried) {
  int calls = 0;
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("test::note(Tensor x) -> Tensor", [&](Tensor x) {
    ++calls;
    return x;
  });
  const Function f = trace(
      [](Tensor x) {
        return cond(
            size(x, 0) > 2, [&] { return call("test::note", {x}).value.toTensor(); },
            [&] { return x; });
      },
      {row}, {.ops = ops});
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(f.run({zeros({3})}).str(), "tensor([0., 0., 0.])");
  EXPECT_EQ(calls, 1);
}

// ---- results ------------------------------------------------------------------------------------

TEST(Branches, OfNothingAndOfNumbers) {
  const auto f = [](Tensor x) {
    const Int n = cond(
        size(x, 0) > 1, [] { return 1; }, [] { return 2; });
    const auto [k, b] = cond(
        n > 1, [&] { return std::tuple(n, true); }, [&] { return std::tuple(n * 7, false); });
    return zeros({k}) + cond(
                            !b, [] { return 0.5; }, [] { return 1.5; });
  };
  expectFollows(f, row, {row, tensor({1.0})});
}

TEST(Loops, WithoutStateAndWithNumbers) {
  const auto f = [](Tensor x) {
    const Tensor y = x * 1;
    loop(size(x, 0), [&](Int i) { add_(y, i); });
    return y * loop(size(x, 0), 1, [](Int, Int n) { return n * 2; });
  };
  expectFollows(f, row, {none, row, ones({5})});
}

TEST(Loops, NegativeNumbersOfTurns) {
  const auto f = [](Int n) { return loop(n, 5, [](Int, Int k) { return k + 1; }); };
  const Function traced = trace(f, {-3});
  EXPECT_EQ(traced.run({-3}).toInt(), 5);
  EXPECT_EQ(traced.run({3}).toInt(), 8);
  const Function special = trace( // the example's value is right as well
      [&](Int n, Tensor x) { return x * f(n).value(); }, {-3, row}, {.specialise = true});
  EXPECT_EQ(special.run({-3, row}).str(), "tensor([ 5., 10.])");
}

// ---- exceptions ---------------------------------------------------------------------------------

TEST(Exceptions, LeaveNothingBehind) {
  const auto attempt = [](auto body) {
    return trace(
        [&](Tensor x) {
          try {
            body(x);
          } catch (const std::runtime_error&) {
          }
          return -x;
        },
        {row});
  };
  const std::string plain = "tensor([-1., -2.])";
  const auto fails = [](Tensor x) -> Tensor {
    x + 1;
    throw std::runtime_error("no");
  };
  const Function branch = attempt([&](Tensor x) {
    cond(
        size(x, 0) > 1, [&] { return fails(x); }, [&] { return x; });
  });
  const Function looped =
      attempt([&](Tensor x) { loop(size(x, 0), x, [&](Int, Tensor y) { return fails(y); }); });
  const Function forked = attempt([&](Tensor x) { fork(fails, x); });
  for (const Function* f : {&branch, &looped, &forked}) {
    EXPECT_EQ(f->run({row}).str(), plain);
    EXPECT_EQ(llvm::StringRef(str(f->graph())).count('\n'), 3u) << f->graph();
  }
}

TEST(Exceptions, CaughtAfterAWriteAreRefused) { // which the graph could not have done in part
  const Error error = errorOf([] {
    trace(
        [](Tensor x) {
          try {
            cond(
                size(x, 0) > 1,
                [&]() -> Tensor {
                  add_(x, 1);
                  throw std::runtime_error("no");
                },
                [&] { return x; });
          } catch (const std::runtime_error&) {
          }
          return x;
        },
        {row});
  });
  EXPECT_EQ(error.kind, "TraceError");
  EXPECT_THAT(error.message, HasSubstr("a graph cannot catch"));
}

} // namespace
} // namespace tine
