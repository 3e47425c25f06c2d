// What tasks are given beside their arguments: deadlines, tokens, random numbers.

#include "tests/unit/interpreter/programs.h"

#include <set>

namespace tine::testing {
namespace {

std::string str(const TaskContext& context) {
  return std::to_string(context.seed) + " " +
         (context.deadline ? std::to_string(context.deadline->time_since_epoch().count())
                           : "none") +
         (context.cancel ? " stoppable" : "");
}

/// Also says that it is deterministic, and draws all the same.
std::shared_ptr<const OpSet> testOps() {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->addKernel("test::context() -> str", Kernel([](const KernelCall& call) {
                   EXPECT_EQ(str(call.task()->context()), str(currentContext()));
                   call.setResult(0, str(call.task()->context()));
                 }),
                 Effects::all(), "");
  const Kernel draw([](const KernelCall& call) {
    call.setResult(0, static_cast<std::int64_t>(call.task()->random().next() >> 1));
  });
  ops->addKernel("test::draw() -> int", draw, Effects::all(), "");
  ops->addKernel("test::quiet_draw() -> int", draw, Effects::pure(), "");
  return ops;
}

constexpr const char* kContexts = R"(main():
  %a : str = test::context()
  %f : Future[str[]] = prim::fork_0()
  %b : str[] = aten::wait(%f)
  %c : str = test::context()
  %g : Function = prim::Constant[name="callback"]()
  %t : Future[str] = tine::then(%f, %g)
  %d : str = aten::wait(%t)
  %l : str[] = prim::ListConstruct(%a, %c, %d)
  %r : str[] = aten::add(%l, %b)
  return (%r)
with prim::fork_0 = graph():
  %a : str = test::context()
  %f : Future[str] = prim::fork_1()
  %b : str = aten::wait(%f)
  %c : str = test::context()
  %l : str[] = prim::ListConstruct(%a, %b, %c)
  return (%l)
with prim::fork_1 = graph():
  %a : str = test::context()
  return (%a)

callback(%x : str[]):
  %a : str = test::context()
  return (%a)
)";

/// Each node of a tree draws before its forks, between them, and after.
constexpr const char* kDraws = R"(main(%n : int):
  %f : Function = prim::Constant[name="tree"]()
  %g : Function = prim::Constant[name="callback"]()
  %0 : int = prim::Constant[value=0]()
  %l : int[] = prim::CallFunction(%f, %n, %0)
  %t : Future[int[]] = prim::fork_0(%l)
  %u : Future[int[]] = tine::then(%t, %g)
  %m : int[] = aten::wait(%u)
  return (%m)
with prim::fork_0 = graph(%l : int[]):
  return (%l)

callback(%l : int[]):
  %a : int = test::draw()
  %x : int[] = aten::append(%l, %a)
  return (%l)

tree(%n : int, %k : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %a : int = test::draw()
  %leaf : bool = aten::le(%n, %0)
  %r : int[] = prim::If(%leaf)
    block0():
      %l : int[] = prim::ListConstruct(%a)
      -> (%l)
    block1():
      %m : int = aten::sub(%n, %1)
      %f : Future[int[]] = prim::fork_0(%m, %0)
      %b : int = test::draw()
      %g : Future[int[]] = prim::fork_1(%m, %1)
      %y : int[] = aten::wait(%g)
      %x : int[] = aten::wait(%f)
      %c : int = test::draw()
      %own : int[] = prim::ListConstruct(%a, %b, %c)
      %s : int[] = aten::add(%own, %x)
      %t : int[] = aten::add(%s, %y)
      -> (%t)
  return (%r)
with prim::fork_0 = graph(%n : int, %k : int):
  %f : Function = prim::Constant[name="tree"]()
  %r : int[] = prim::CallFunction(%f, %n, %k)
  return (%r)
with prim::fork_1 = graph(%n : int, %k : int):
  %f : Function = prim::Constant[name="tree"]()
  %r : int[] = prim::CallFunction(%f, %n, %k)
  return (%r)
)";

/// Tensors that a task, its forks and their forks draw, one after the other.
constexpr const char* kTensors = R"(main(%n : int):
  %none : NoneType = prim::Constant()
  %size : int[] = prim::ListConstruct(%n)
  %a : Tensor = aten::rand(%size, %none, %none, %none, %none)
  %f : Future[Tensor] = prim::fork_0(%size)
  %b : Tensor = aten::rand(%size, %none, %none, %none, %none)
  %g : Future[Tensor] = prim::fork_2(%size)
  %p : float = prim::Constant[value=0.5]()
  %yes : bool = prim::Constant[value=1]()
  %c : Tensor = aten::dropout(%a, %p, %yes)
  %d : Tensor = aten::wait(%g)
  %e : Tensor = aten::wait(%f)
  %l : Tensor[] = prim::ListConstruct(%a, %b, %c, %d, %e)
  %0 : int = prim::Constant[value=0]()
  %r : Tensor = aten::stack(%l, %0)
  return (%r)
with prim::fork_0 = graph(%size : int[]):
  %none : NoneType = prim::Constant()
  %f : Future[Tensor] = prim::fork_1(%size)
  %a : Tensor = aten::rand(%size, %none, %none, %none, %none)
  %b : Tensor = aten::wait(%f)
  %c : Tensor = aten::sub(%a, %b)
  return (%c)
with prim::fork_1 = graph(%size : int[]):
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::rand(%size, %none, %none, %none, %none)
  return (%a)
with prim::fork_2 = graph(%size : int[]):
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::rand(%size, %none, %none, %none, %none)
  return (%a)
)";

IValue tensors(Scheduler& scheduler, const std::shared_ptr<const Code>& code, std::uint64_t seed,
               std::int64_t n) {
  const TaskContext context{.seed = seed};
  auto future = scheduler.run(code, "main", {n}, &context);
  return scheduler.wait(*future);
}

std::string draws(Scheduler& scheduler, const std::shared_ptr<const Code>& code,
                  std::uint64_t seed) {
  const TaskContext context{.seed = seed};
  auto future = scheduler.run(code, "main", {5}, &context);
  return scheduler.wait(*future).str();
}

class Contexts : public WithWorkers {
protected:
  const std::shared_ptr<const OpSet> ops_ = testOps();
  Scheduler scheduler_{{.workers = workers()}};
};
TINE_WITH_WORKERS(Contexts);

TEST_P(Contexts, AreInheritedTwoForksDeepAndUnchangedByWaits) {
  const auto code = compileText(kContexts, ops_);
  TaskContext context{
      .deadline = deadlineIn(std::chrono::hours(1)), .cancel = CancelToken::make(), .seed = 42};
  auto future = scheduler_.run(code, "main", {}, &context);
  const IValue list = scheduler_.wait(*future);
  const std::string wanted =
      "42 " + std::to_string(context.deadline->time_since_epoch().count()) + " stoppable";
  ASSERT_EQ(list.toList().items.size(), 6u);
  for (const IValue& item : list.toList().items) EXPECT_EQ(item.toStringRef().str(), wanted);
  auto plain = scheduler_.run(code, "main", {});
  for (const IValue& item : scheduler_.wait(*plain).toList().items)
    EXPECT_EQ(item.toStringRef().str(), "0 none");
  EXPECT_EQ(str(currentContext()), "0 none"); // outside of tasks
}

TEST_P(Contexts, DrawsDependOnTheSeedAlone) {
  const auto code = compileText(kDraws, ops_);
  Scheduler serial({.workers = 0});
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_EQ(draws(scheduler_, code, seed), draws(serial, code, seed));
  EXPECT_NE(draws(scheduler_, code, 1), draws(scheduler_, code, 2));
  // All differ: 2^6 - 1 nodes, those inside three each, and the callback.
  auto future = scheduler_.run(code, "main", {5});
  const IValue list = scheduler_.wait(*future);
  std::set<std::int64_t> different;
  for (const IValue& item : list.toList().items) different.insert(item.toInt());
  EXPECT_EQ(list.toList().items.size(), 32u + 31u * 3u + 1u);
  EXPECT_EQ(different.size(), list.toList().items.size());
}

TEST_P(Contexts, WhoDrawsMustSaySo) {
  const auto code = compileText("main():\n  %a : int = test::quiet_draw()\n  return (%a)\n", ops_);
  EXPECT_EQ(outcome(scheduler_, code, "main"),
            "RuntimeError: an operator draws random numbers, and its effects say that it is "
            "deterministic");
}

TEST_P(Contexts, RunsThatTasksStartHaveTheTasksContext) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  const auto inner = compileText(kContexts, ops_);
  const auto drawing = compileText("main():\n  %a : int = test::draw()\n  return (%a)\n", ops_);
  ops->add("test::run(bool draws) -> Any", [&](bool draws) {
    return waitNative(*Scheduler::current()->run(draws ? drawing : inner, "main", {}));
  });
  const auto code = compileText(R"(main(%draws : bool):
  %a : Any = test::run(%draws)
  %b : Any = test::run(%draws)
  %c : Any = prim::TupleConstruct(%a, %b)
  return (%c)
)",
                                ops);
  const TaskContext context{.deadline = deadlineIn(std::chrono::hours(1)), .seed = 3};
  auto future = scheduler_.run(code, "main", {false}, &context);
  const IValue both = scheduler_.wait(*future);
  const std::string deadline = std::to_string(context.deadline->time_since_epoch().count());
  std::set<std::string> seen;
  for (const IValue& list : both.toTuple().items) {
    EXPECT_EQ(list.toList().items.size(), 6u);
    for (const IValue& item : list.toList().items) seen.insert(item.toStringRef().str());
  }
  ASSERT_EQ(seen.size(), 2u); // each run has a seed of its own
  for (const std::string& text : seen)
    EXPECT_NE(text.find(" " + deadline + " stoppable"), std::string::npos) << text;
  auto first = scheduler_.run(code, "main", {true}, &context);
  auto second = scheduler_.run(code, "main", {true}, &context);
  EXPECT_EQ(scheduler_.wait(*first).str(), scheduler_.wait(*second).str());
}

TEST(ContextSchedules, DrawsAreTheSameInEverySchedule) {
  const auto code = compileText(kDraws, testOps());
  Scheduler serial({.workers = 0});
  const std::string wanted = draws(serial, code, 9);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scheduler scheduler({.schedule = Schedule::seeded(seed)});
    EXPECT_EQ(draws(scheduler, code, 9), wanted);
  }
}

TEST_P(Contexts, TensorsDependOnTheSeedAlone) {
  const auto code = compileText(kTensors);
  Scheduler serial({.workers = 0});
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_TRUE(identical(tensors(scheduler_, code, seed, 10), tensors(serial, code, seed, 10)));
  EXPECT_FALSE(identical(tensors(serial, code, 1, 10), tensors(serial, code, 2, 10)));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scheduler any({.schedule = Schedule::seeded(seed)});
    EXPECT_TRUE(identical(tensors(any, code, 9, 10), tensors(serial, code, 9, 10)));
  }
}

// What one task draws tells nothing of what another does, nor of what it drew before.
TEST_P(Contexts, TensorsOfTasksAreIndependent) {
  constexpr std::int64_t kCount = 20000;
  const Tensor drawn =
      tensors(scheduler_, compileText(kTensors), 4, kCount).toTensor().contiguous();
  ASSERT_EQ(drawn.numel(), 5 * kCount);
  const auto average = [&](auto f) {
    double sum = 0;
    for (std::int64_t i = 0; i < kCount; ++i) sum += f(i);
    return sum / kCount;
  };
  const auto row = [&](std::int64_t k) {
    const float* first = drawn.data<float>() + k * kCount;
    return [first](std::int64_t i) { return static_cast<double>(first[i]); };
  };
  const double centers[] = {0.5, 0.5, 0.5, 0.5, 0}; // the last is a difference of two
  for (std::int64_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(average(row(i)), centers[i], 0.02);
    for (std::int64_t k = 0; k < i; ++k) {
      if (i == 2 && k == 0) continue; // what dropout leaves of it
      const auto a = row(i), b = row(k);
      EXPECT_NEAR(average([&](auto n) { return (a(n) - centers[i]) * (b(n) - centers[k]); }), 0,
                  0.01)
          << i << " " << k;
    }
  }
}

TEST(RandomStreams, AreKnownNumbersAndSplitApart) {
  RandomStream stream(7);
  const std::uint64_t first = stream.next(), second = stream.next();
  RandomStream again(7), other(8);
  EXPECT_EQ(again.next(), first);
  EXPECT_EQ(RandomStream::resume(again.state()).next(), second);
  EXPECT_NE(other.next(), first);
  std::set<std::uint64_t> all;
  std::vector<RandomStream> streams{RandomStream(1)};
  for (int i = 0; i < 6; ++i) // 64 streams, each split from another
    for (std::size_t n = streams.size(), k = 0; k < n; ++k) streams.push_back(streams[k].split());
  for (RandomStream& s : streams)
    for (int i = 0; i < 100; ++i) all.insert(s.next());
  EXPECT_EQ(all.size(), streams.size() * 100);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double x = stream.uniform();
    ASSERT_TRUE(x >= 0 && x < 1);
    sum += x;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

} // namespace
} // namespace tine::testing
