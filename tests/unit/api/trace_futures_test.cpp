// then, collectAll, any and waits with a limit, traced: what the graph says, that its text reads
// back, and that it gives what C++ gives.

#include "api/tine.h"
#include "ir/parse.h"
#include "tests/fixture.h"

namespace tine {
namespace {

using ::testing::HasSubstr;
using tine::testing::errorOf;
using tine::testing::WithWorkers;

const Tensor row = tensor({1.0, 2.0}), other = tensor({-5.0, 7.0});

Tensor negated(Tensor x) { return -x; }
Tensor doubled(Tensor x) { return x * 2; }
std::tuple<Tensor, Tensor> pairOf(Tensor x) { return {x + 1, x * x}; }

Tensor simple(Tensor x) {
  return fork(negated, x).then([](Tensor y) { return y + 1; }).wait();
}
Tensor captures(Tensor x) {
  const Tensor z = x * 3;
  return fork(negated, x).then([&](Tensor y) { return y * z - x; }).wait();
}
Tensor named(Tensor x) {
  const auto shift = fn("shift", doubled, {"y"});
  return fork(negated, x).then(shift).then(shift).wait();
}
Tensor flattens(Tensor x) {
  return fork(negated, x).then([](Tensor y) { return fork(doubled, y); }).wait() + x;
}
Tensor nested(Tensor x) {
  return fork(negated, x)
      .then([&](Tensor y) { return fork(doubled, y).then([&](Tensor z) { return z * y + x; }); })
      .wait();
}
Tensor structured(Tensor x) {
  const auto [a, b] = fork(pairOf, x)
                          .then([](std::tuple<Tensor, Tensor> both) {
                            return std::tuple(std::get<1>(both), std::get<0>(both));
                          })
                          .wait();
  return a - b;
}
Tensor identity(Tensor x) {
  const auto future = fork(negated, x);
  const Tensor once = future.then([](Tensor y) { return y; }).wait();
  return once + future.wait();
}
Tensor nothing(Tensor x) {
  fork(negated, x).then([](Tensor) {}).wait();
  return x + 1;
}
Tensor unwaited(Tensor x) {
  fork(negated, x).then([](Tensor y) { return y * 5; });
  return x + 1;
}
Tensor number(Tensor x) {
  const Int count =
      fork([](Tensor y) { return size(y, 0); }, x).then([](Int n) { return n * 2; }).wait();
  return x * count;
}
Tensor waitsInside(Tensor x) {
  const auto first = fork(negated, x), second = fork(doubled, x);
  return first.then([&](Tensor y) { return y * second.wait(); }).wait();
}
Tensor all(Tensor x) {
  const auto parts = collectAll(std::vector{fork(negated, x), fork(doubled, x)}).wait();
  return parts[0] * parts[1] + x;
}
Tensor none(Tensor x) {
  return collectAll(std::vector<Future<Tensor>>()).wait().empty() ? x + 1 : x;
}
Tensor sameTwice(Tensor x) {
  const auto future = fork(negated, x);
  const auto both = collectAll(std::vector{future, future}).wait();
  return both[0] * 2 + both[1];
}
Tensor allThen(Tensor x) {
  return collectAll(std::vector{fork(negated, x), fork(doubled, x)})
      .then([](std::vector<Tensor> parts) { return parts[0] + parts[1] * 10; })
      .wait();
}
Tensor settles(Tensor x) {
  const auto done = collectAll(std::vector{fork(negated, x), fork(doubled, x)}, Settle()).wait();
  return done[0].wait() * 10 + done[1].wait();
}
// Of equal results, so that it does not matter which is the first.
Tensor first(Tensor x) { return any(std::vector{fork(negated, x), fork(negated, x)}).wait() + x; }
Tensor firstAndOne(Tensor x) {
  const std::vector futures{fork(negated, x), fork(negated, x)};
  const Tensor one = futures[0].wait();
  return any(futures).wait() * 10 + one;
}
Tensor limited(Tensor x) { return fork(negated, x).wait(std::chrono::hours(1)) + x; }
Tensor inFork(Tensor x) {
  return fork([](Tensor y) { return simple(y) * y; }, x).wait();
}
Tensor inBranch(Tensor x) {
  return cond(
      toFloat(sum(x)) > 0, [&] { return captures(x); }, [&] { return all(x); });
}
Tensor inLoop(Tensor x) {
  return loop(size(x, 0), x, [](Int, Tensor y) { return captures(y); });
}
std::vector<Tensor> chosen(Tensor x) {
  const std::vector list{x, x * 2};
  return cond(
      toFloat(sum(x)) > 2.5, [&] { return list; },
      [&] {
        return std::vector{x * 3, x};
      });
}
Tensor lists(Tensor x) {
  const std::vector list = chosen(x);
  return list[0] + list[1] * 10 + x;
}

struct Case {
  const char* name;
  Tensor (*function)(Tensor);
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
constexpr Case kCases[] = {{"simple", simple},
                           {"captures", captures},
                           {"named", named},
                           {"flattens", flattens},
                           {"nested", nested},
                           {"structured", structured},
                           {"identity", identity},
                           {"nothing", nothing},
                           {"unwaited", unwaited},
                           {"number", number},
                           {"waits_inside", waitsInside},
                           {"all", all},
                           {"none", none},
                           {"same_twice", sameTwice},
                           {"all_then", allThen},
                           {"settles", settles},
                           {"first", first},
                           {"first_and_one", firstAndOne},
                           {"limited", limited},
                           {"in_fork", inFork},
                           {"in_branch", inBranch},
                           {"in_loop", inLoop},
                           {"lists", lists}};

class TracedFutures : public ::testing::TestWithParam<Case> {
protected:
  Function trace() const { return tine::trace(fn("main", GetParam().function, {"x"}), {row}); }
};
INSTANTIATE_TEST_SUITE_P(All, TracedFutures, ::testing::ValuesIn(kCases),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(TracedFutures, ReadBack) {
  const Function traced = trace();
  for (const Style style : {Style::Lossless, Style::Compat}) {
    const std::string text = str(traced.unit(), {.style = style});
    const Result<CompilationUnit> back = parse(text, "traced.ir");
    ASSERT_TRUE(back.ok()) << back.error().str() << text;
    EXPECT_EQ(str(*back, {.style = style}), text);
    std::string why;
    EXPECT_TRUE(style == Style::Compat || tine::equal(traced.unit(), *back, &why)) << why << text;
  }
}

TEST_P(TracedFutures, GiveWhatCppGives) {
  const Function traced = trace();
  const Program back =
      parseProgram(str(traced.unit(), {.style = Style::Lossless}), "traced.ir").value();
  for (const int workers : {0, 1, 2, 8}) {
    Scheduler scheduler({.workers = workers});
    for (const Tensor& x : {row, other}) {
      const std::string expected = GetParam().function(x).str();
      EXPECT_EQ(traced.run(scheduler, {x}).str(), expected) << str(traced.unit());
      EXPECT_EQ(back.function("main")->run(scheduler, {x}).str(), expected);
    }
  }
}

TEST(TracedFutures, ThenIsAFunctionOfTheUnit) {
  const Function traced = trace(fn("main", named, {"x"}), {row});
  FileCheck()
      .check("%1 : Future[Float(2, strides=[1], requires_grad=0, device=cpu)] = prim::fork_0(%x)")
      .check(": Function = prim::Constant[name=\"shift\"]()")
      .check("= tine::then(%1, %")
      .check(": Function = prim::Constant[name=\"shift1\"]()")
      .check("= tine::then(%")
      .check("aten::wait")
      .run(traced.graph());
  ASSERT_TRUE(traced.unit().find("shift1"));
  FileCheck().check("aten::mul").checkNot("aten::mul").run(*traced.unit().find("shift1"));
}

TEST(TracedFutures, WhatCallbacksCaptureAreOperands) {
  const Function traced = trace(captures, {row});
  FileCheck()
      .check("%[[Z:[0-9]+]] : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::mul(%0")
      .run(traced.graph());
  const std::string text = str(traced.graph());
  EXPECT_THAT(text, HasSubstr("tine::then(%")) << text;
  const Graph* callback = traced.unit().find("then");
  ASSERT_TRUE(callback);
  EXPECT_EQ(callback->inputs().size(), 3u) << str(*callback);
}

Tensor cancels(Tensor x) {
  const auto future = fork(negated, x);
  future.cancel();
  return future.wait();
}

TEST(TracedFutures, Operators) {
  const auto kinds = [](Tensor (*f)(Tensor)) {
    std::string out;
    const Function traced = trace(f, {row});
    traced.graph().forEachNode([&](const Node* node) {
      const llvm::StringRef kind = node->kind().str();
      if (kind.starts_with("tine::") || kind == "prim::ListConstruct") out += kind.str() + " ";
    });
    return out;
  };
  EXPECT_EQ(kinds(all), "prim::ListConstruct tine::collect_all ");
  EXPECT_EQ(kinds(settles), "prim::ListConstruct tine::collect_all_settle ");
  EXPECT_EQ(kinds(first), "prim::ListConstruct tine::any ");
  EXPECT_EQ(kinds(limited), "tine::wait_timeout ");
  EXPECT_EQ(kinds(unwaited), "tine::then ");
  EXPECT_EQ(kinds(cancels), "tine::cancel ");
  EXPECT_THAT(str(trace(limited, {row}).graph()), HasSubstr("prim::Constant[value=3600.]()"));
}

TEST(TracedFutures, NothingFromOutside) {
  const Future<Tensor> outside = fork(negated, row);
  const auto expectRefused = [&](auto body) {
    const Error error = errorOf([&] { trace(body, {row}); });
    EXPECT_EQ(error.kind, "TraceError");
    EXPECT_THAT(error.message, HasSubstr("a future from outside the trace"));
    EXPECT_EQ(error.place.file, "trace_futures_test.cpp");
  };
  expectRefused([&](Tensor) { return outside.wait(); });
  expectRefused([&](Tensor) { return outside.wait(std::chrono::hours(1)); });
  expectRefused([&](Tensor) { return outside.then([](Tensor y) { return y; }).wait(); });
  expectRefused([&](Tensor x) {
    return collectAll(std::vector{fork(negated, x), outside}).wait();
  });
  expectRefused([&](Tensor x) { return any(std::vector{fork(negated, x), outside}).wait(); });
  const auto asks = [](Tensor x) { return fork(negated, x).tryGet().value(); };
  EXPECT_THAT(errorOf([&] { trace(asks, {row}); }).message, HasSubstr("is asked in a trace"));
  const auto ofNone = [](Tensor) { return any(std::vector<Future<Tensor>>()).wait(); };
  EXPECT_EQ(errorOf([&] { trace(ofNone, {row}); }).message, "the first of no futures");
}

TEST(TracedFutures, ErrorsOfCallbacksLeaveTheTrace) {
  const auto wrong = [](Tensor x) {
    return fork(negated, x).then([](Tensor y) { return y + tensor({1.0, 2.0, 3.0}); }).wait();
  };
  const Error error = errorOf([&] { trace(wrong, {row}); });
  EXPECT_EQ(error.kind, "ShapeMismatch");
  EXPECT_EQ(trace(simple, {row}).run({row}).str(), "tensor([ 0., -1.])"); // and it is over
}

class RunTracedFutures : public WithWorkers {};
TINE_WITH_WORKERS(RunTracedFutures);

TEST_P(RunTracedFutures, ErrorsKeepTheirKind) {
  Scheduler scheduler({.workers = workers()});
  const Function traced = trace(
      [](Tensor x, Tensor y) {
        return fork(negated, x)
            .then([&](Tensor z) { return z + y; })
            .then([](Tensor z) { return z * 2; })
            .wait();
      },
      {row, other});
  const Result<IValue> result = traced.tryRun(scheduler, {row, tensor({1.0, 2.0, 3.0})});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, "ShapeMismatch");
  EXPECT_EQ(traced.run(scheduler, {row, other}).str(), "tensor([-12.,  10.])");
}

TEST_P(RunTracedFutures, UnwaitedCallbacksRun) {
  Scheduler scheduler({.workers = workers()});
  const Function traced = trace(
      [](Tensor x) {
        const Tensor y = x * 1;
        const auto written = fork(negated, x).then([&](Tensor) { return add_(y, 1); });
        written.wait();
        return y;
      },
      {row});
  EXPECT_EQ(traced.run(scheduler, {other}).str(), "tensor([-4.,  8.])");
}

} // namespace
} // namespace tine
