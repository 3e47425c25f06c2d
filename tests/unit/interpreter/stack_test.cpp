// Operators that wait, or run programs, are on top of each other's stacks: any number of them.
#include "interpreter/futures.h"
#include "tests/unit/interpreter/programs.h"

#include <atomic>
#include <thread>

namespace tine::testing {
namespace {

constexpr const char* kPrograms = R"(many(%p : Future[int], %n : int):
  %true : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %fs : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %true)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%p)
      %l : Future[int][] = aten::append(%fs, %f)
      -> (%true)
  %r : int = prim::Loop(%n, %true, %0)
    block0(%j : int, %s : int):
      %g : Future[int] = aten::__getitem__(%fs, %j)
      %x : int = aten::wait(%g)
      %t : int = aten::add(%s, %x)
      -> (%true, %t)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = test::wait(%p)
  return (%r)

deep(%n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %end : bool = aten::eq(%n, %0)
  %r : int = prim::If(%end)
    block0():
      -> (%n)
    block1():
      %m : int = aten::sub(%n, %1)
      %f : Future[int] = prim::fork_0(%m)
      %y : int = test::wait(%f)
      %z : int = aten::add(%y, %1)
      -> (%z)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %f : Function = prim::Constant[name="deep"]()
  %r : int = prim::CallFunction(%f, %n)
  return (%r)

nested(%n : int):
  %1 : int = prim::Constant[value=1]()
  %m : int = aten::sub(%n, %1)
  %x : int = test::run(%m)
  %r : int = aten::add(%x, %1)
  return (%r)

waits(%p : Future[int]):
  %r : int = test::wait(%p)
  return (%r)
)";

constexpr const char* kWithoutEnd =
    "RuntimeError: calls without end: operators that run programs, or wait without workers, are on "
    "top of each other, and no stack is left";

class Stacks : public ::testing::Test {
protected:
  Stacks() {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::wait(Future(int) f) -> int", [this](Ref<FutureState> f) {
      ++begun_;
      return waitNative(*f).toInt();
    });
    ops->add("test::run(int n) -> int", [this](std::int64_t n) {
      if (n == 0) return n;
      Scheduler inner({.workers = 0});
      const IValue arguments[] = {n};
      return inner.call(code_, *code_->find("nested"), arguments).toInt();
    });
    code_ = compileText(kPrograms, ops);
  }
  std::atomic<int> begun_{0};
  std::shared_ptr<const Code> code_;
};

TEST_F(Stacks, ManyOperatorsWaitWithoutWorkers) {
  constexpr int kMany = 2000;
  for (const bool seeded : {false, true})
    runOnStack(kSmallStack, [&] {
      Scheduler scheduler(seeded ? Scheduler::Config{.schedule = Schedule::seeded(3)}
                                 : Scheduler::Config{.workers = 0});
      begun_ = 0;
      Promise promise;
      const IValue future = promise.future();
      const std::jthread thread([&] {
        while (begun_ < kMany) std::this_thread::yield();
        promise.complete(1);
      });
      EXPECT_EQ(outcome(scheduler, code_, "many", {future, kMany}), std::to_string(kMany));
    });
}

TEST_F(Stacks, DeepWaitsOfOperators) {
  runOnStack(kSmallStack, [&] {
    Scheduler scheduler({.workers = 0});
    EXPECT_EQ(outcome(scheduler, code_, "deep", {2000}), "2000");
  });
}

TEST_F(Stacks, RunsInsideOfOperators) {
  runOnStack(kSmallStack, [&] {
    Scheduler scheduler({.workers = 0});
    EXPECT_EQ(outcome(scheduler, code_, "nested", {800}), "800");
  });
}

TEST_F(Stacks, RunsInsideOfOperatorsWithoutEnd) {
  runOnStack(kSmallStack, [&] {
    Scheduler scheduler({.workers = 0});
    EXPECT_EQ(outcome(scheduler, code_, "nested", {-1}), kWithoutEnd);
    EXPECT_EQ(outcome(scheduler, code_, "nested", {100}), "100");
  });
}

// The worker goes on with a fiber, whose stack is small.
TEST_F(Stacks, RunsInsideOfOperatorsBesideOneThatWaits) {
  Scheduler scheduler({.workers = 1, .stackSize = 64 * 1024});
  Promise promise;
  const auto waits = scheduler.run(code_, "waits", {promise.future()});
  while (begun_ == 0) std::this_thread::yield();
  EXPECT_EQ(outcome(scheduler, code_, "nested", {500}), "500");
  promise.complete(4);
  EXPECT_EQ(scheduler.wait(*waits).toInt(), 4);
}

} // namespace
} // namespace tine::testing
