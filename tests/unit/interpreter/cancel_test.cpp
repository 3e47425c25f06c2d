// What stops, and what does not, when a future is cancelled, a deadline passes, a token is
// cancelled.

#include "interpreter/futures.h"
#include "interpreter/native_wait.h"
#include "tests/explore.h"
#include "tests/unit/interpreter/programs.h"

#include <functional>
#include <set>
#include <thread>

namespace tine::testing {
namespace {

constexpr const char* kCancelled = "Cancelled: the future was cancelled";

constexpr const char* kPrograms = R"(spin(%started : Future[int]):
  %n : int = prim::Constant[value=9223372036854775807]()
  %1 : int = prim::Constant[value=1]()
  %true : bool = prim::Constant[value=1]()
   = tine::complete(%started, %1)
   = prim::Loop(%n, %true)
    block0(%i : int):
      -> (%true)
  return (%n)

recurse(%n : int):
  %f : Function = prim::Constant[name="recurse"]()
  %1 : int = prim::Constant[value=1]()
  %x : int = prim::CallFunction(%f, %n)
  %r : int = aten::add(%x, %1)
  return (%r)

count(%p : Future[int]):
  %x : int = aten::wait(%p)
  %r : int = test::count(%x)
  return (%r)

wait(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

native(%p : Future[int]):
  %x : int = test::wait(%p)
  return (%x)

same(%x : int):
  return (%x)

on_top(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p)
  %x : int = aten::wait(%f)
  %r : int = test::count(%x)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %f : Future[int] = prim::fork_1(%p)
  %x : int = aten::wait(%f)
  %r : int = test::count(%x)
  return (%r)
with prim::fork_1 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

listed(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p)
  %l : Future[int][] = prim::ListConstruct(%f)
  %x : int = aten::wait(%f)
  %n : int = aten::len(%l)
  return (%n)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

listed_native(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p)
  %l : Future[int][] = prim::ListConstruct(%f)
  %x : int = aten::wait(%f)
  %n : int = aten::len(%l)
  return (%n)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = test::wait(%p)
  return (%x)

listed_spin(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p)
  %l : Future[int][] = prim::ListConstruct(%f)
  %x : int = aten::wait(%f)
  %n : int = aten::len(%l)
  return (%n)
with prim::fork_0 = graph(%p : Future[int]):
  %f : Function = prim::Constant[name="spin"]()
  %x : int = prim::CallFunction(%f, %p)
  return (%x)

given(%l : Future[int][], %p : Future[int]):
  %f : Future[int] = prim::fork_0(%p)
  %m : Future[int][] = aten::append(%l, %f)
  %x : int = aten::wait(%f)
  return (%x)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

late(%x : int, %p : Future[int]):
  %y : int = aten::wait(%p)
  %r : int = test::count(%y)
  return (%r)

needs(%p : Future[int], %q : Future[int], %end : Future[int]):
  %f : Function = prim::Constant[name="late"]()
  %mine : Future[int] = prim::fork_0(%p)
  %shared : Future[int] = prim::fork_1(%p)
   = test::keep(%shared)
  %late : Future[int] = tine::then(%q, %f, %p)
  %listed : Future[int][] = prim::ListConstruct(%mine, %late)
  %x : int = aten::wait(%end)
  %a : int[] = test::all(%listed)
  %s : int = aten::wait(%shared)
  return (%s)
with prim::fork_0 = graph(%p : Future[int]):
  %f : Function = prim::Constant[name="count"]()
  %r : int = prim::CallFunction(%f, %p)
  return (%r)
with prim::fork_1 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

loose(%p : Future[int], %end : Future[int]):
  %f : Function = prim::Constant[name="count"]()
  %unwaited : Future[int] = prim::fork_0(%p)
  %x : int = aten::wait(%end)
  return (%x)
with prim::fork_0 = graph(%p : Future[int]):
  %f : Function = prim::Constant[name="count"]()
  %r : int = prim::CallFunction(%f, %p)
  return (%r)

unstarted(%n : int):
  %f : Future[int] = prim::fork_0(%n)
   = tine::cancel(%f)
  %x : int = aten::wait(%f)
  return (%x)
with prim::fork_0 = graph(%n : int):
  %x : int = test::count(%n)
  return (%x)

fail_fast(%p : Future[int], %never : Future[int]):
  %a : Future[int] = prim::fork_0(%never)
  %b : Future[int] = prim::fork_1(%never)
  %l : Future[int][] = prim::ListConstruct(%a, %p, %b)
  %all : Future[int[]] = tine::collect_all(%l)
  %x : int[] = aten::wait(%all)
  return (%x)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)
with prim::fork_1 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

promise():
  %1 : int = prim::Constant[value=1]()
  %p : Future[int] = tine::promise()
   = tine::cancel(%p)
   = tine::complete(%p, %1)
  %x : int = aten::wait(%p)
  return (%x)

ancestor(%me : Future[Future[int]]):
  %f : Future[int] = prim::fork_0(%me)
  %x : int = aten::wait(%f)
  %y : int = test::count(%x)
  return (%y)
with prim::fork_0 = graph(%p : Future[Future[int]]):
  %me : Future[int] = aten::wait(%p)
   = tine::cancel(%me)
  %0 : int = prim::Constant[value=0]()
  %y : int = test::count(%0)
  return (%y)
)";

std::size_t numWaiters(FutureState& future) {
  std::size_t n = 0;
  future.removeWaiters([&](const Waiter&) {
    ++n;
    return false;
  });
  return n;
}

std::string outcomeOf(FutureState& future) {
  try {
    return waitNative(future).str();
  } catch (const RuntimeError& error) {
    return error.kind() + ": " + error.message();
  }
}

/// Waits until the condition holds; a test that waits in vain ends with the watchdog.
void until(llvm::function_ref<bool()> condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

class Cancellation : public WithWorkers {
protected:
  static std::shared_ptr<const OpSet> testOps(Cancellation* self) {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::count(int x) -> int", [self](std::int64_t x) {
      ++self->count_;
      return x;
    });
    ops->add("test::wait(Future(int) f) -> int", [](Ref<FutureState> f) { return waitNative(*f); });
    ops->add("test::keep(Future(int) f) -> ()", [self](Ref<FutureState> f) { self->kept_ = f; });
    ops->add("test::all(Future(int)[] l) -> int[]", [](IValue l) { return l; });
    return ops;
  }
  Ref<FutureState> start(llvm::StringRef function, std::vector<IValue> arguments,
                         const TaskContext* context = nullptr) {
    return scheduler_.run(code_, function, std::move(arguments), context);
  }

  /// Without workers somebody must run what there is.
  void drive() {
    if (workers() != 0) return;
    EXPECT_EQ(outcome(scheduler_, code_, "same", {1}), "1");
  }

  std::atomic<int> count_{0};
  Ref<FutureState> kept_;
  Promise running_;
  const std::shared_ptr<const Code> code_ = compileText(kPrograms, testOps(this));
  Scheduler scheduler_{{.workers = workers(), .maxDepth = 100'000}};
};
TINE_WITH_WORKERS(Cancellation);

TEST_P(Cancellation, ForksThatHaveNotStartedNeverWill) {
  for (int i = 0; i < 20; ++i) {
    const std::string text = outcome(scheduler_, code_, "unstarted", {7});
    // With more workers it may have been stolen, and be over.
    EXPECT_TRUE(text == kCancelled || (workers() > 1 && text == "7")) << text;
  }
  if (workers() <= 1) {
    EXPECT_EQ(count_, 0);
  }
  auto future = start("wait", {running_.future()});
  cancel(*future);
  EXPECT_EQ(said(errorOf([&] { waitNative(*future); })), "Cancelled: the future was cancelled");
}

TEST_P(Cancellation, LoopsAndRecursionStop) {
  // Whoever waits first drives, without workers: another thread cancels.
  for (int i = 0; i < 3; ++i) {
    Promise started;
    const auto begun = started.future();
    Ref<FutureState> future;
    std::thread waiter;
    if (workers() == 0) {
      const CancelToken stop = CancelToken::make();
      const TaskContext context{.cancel = stop};
      std::thread canceller([&] {
        blockThread(*begun);
        stop.cancel();
      });
      future = start("spin", {begun}, &context);
      canceller.join();
      EXPECT_EQ(said(errorOf([&] { waitNative(*future); })), "Cancelled: the work was cancelled");
    } else {
      future = start("spin", {begun});
      blockThread(*begun);
      cancel(*future);
      EXPECT_EQ(outcomeOf(*future), kCancelled);
      future = start("recurse", {0});
      cancel(*future);
      const std::string text = outcomeOf(*future);
      EXPECT_TRUE(text == kCancelled || text.rfind("RuntimeError: ", 0) == 0) << text;
    }
    EXPECT_EQ(errorOf([&] { started.complete(2); }).kind, "AlreadyCompleted");
  }
}

TEST_P(Cancellation, TasksThatWaitStop) {
  Promise never;
  for (const char* function : {"wait", "native", "on_top"}) {
    SCOPED_TRACE(function);
    if (workers() == 0 && std::string(function) == "native") continue; // it waits on our stack
    auto future = start(function, {never.future()});
    until([&] { return workers() == 0 || numWaiters(*never.future()) == 1; });
    cancel(*future);
    EXPECT_EQ(outcomeOf(*future), kCancelled);
    until([&] { return numWaiters(*never.future()) == 0; });
  }
  EXPECT_EQ(count_, 0);
  never.complete(1);
}

TEST_P(Cancellation, OnlyWhatNobodyElseNeedsIsCancelledToo) {
  Promise p, q, end;
  auto future = start("needs", {p.future(), q.future(), end.future()});
  until([&] { return numWaiters(*end.future()) == 1; });
  until([&] { return workers() == 0 || numWaiters(*p.future()) == 2; }); // %mine and %shared
  cancel(*future);
  EXPECT_EQ(outcomeOf(*future), kCancelled);
  drive();
  until([&] { return numWaiters(*p.future()) <= 1; }); // %mine waits no longer
  p.complete(5);
  q.complete(6);
  EXPECT_EQ(outcomeOf(*kept_), "5");
  end.complete(0);
  EXPECT_EQ(outcome(scheduler_, code_, "same", {1}), "1");
  EXPECT_EQ(count_, 0);
  kept_ = nullptr;
}

TEST_P(Cancellation, WhatNobodyWaitsForRunsAllTheSame) {
  Promise p, end;
  auto future = start("loose", {p.future(), end.future()});
  until([&] { return numWaiters(*end.future()) == 1; });
  cancel(*future);
  EXPECT_EQ(outcomeOf(*future), kCancelled);
  p.complete(1);
  end.complete(1);
  drive();
  until([&] { return count_ == 1; });
}

TEST_P(Cancellation, FailFastCancelsTheRest) {
  Promise never;
  {
    Promise p;
    auto future = start("fail_fast", {p.future(), never.future()});
    until([&] { return numWaiters(*never.future()) == 2; });
    until([&] { return numWaiters(*p.future()) == 1; });
    p.fail(Error(error_kind::Key, "no key"));
    EXPECT_EQ(outcomeOf(*future), "KeyError: no key");
    drive();
    until([&] { return numWaiters(*never.future()) == 0; });
  }
  // In C++: those that were given away.
  Promise p;
  const auto kept = start("wait", {never.future()});
  auto all = collect(Collect::FailFast, {start("wait", {never.future()}), kept, p.future()});
  until([&] { return numWaiters(*never.future()) == 2; });
  p.fail(Error(error_kind::Key, "no key"));
  EXPECT_EQ(outcomeOf(*all), "KeyError: no key");
  drive();
  until([&] { return numWaiters(*never.future()) == 1; });
  EXPECT_FALSE(kept->done());
  never.complete(3);
  EXPECT_EQ(outcomeOf(*kept), "3");
}

TEST_P(Cancellation, CallbacksAreNotCalled) {
  Promise promise;
  const auto p = promise.future();
  auto next = then(
      *p,
      [&](const IValue& x) {
        ++count_;
        return x;
      },
      &scheduler_);
  auto last = then(
      *next, [&](const IValue& x) { return x; }, &scheduler_);
  cancel(*next);
  EXPECT_EQ(outcomeOf(*next), kCancelled);
  EXPECT_EQ(outcomeOf(*last), kCancelled);
  promise.complete(1);
  EXPECT_EQ(outcome(scheduler_, code_, "same", {1}), "1");
  EXPECT_EQ(count_, 0);
  // And the task that only it needs.
  Promise never;
  next = then(
      *start("wait", {never.future()}), [&](const IValue& x) { return x; }, &scheduler_);
  until([&] { return numWaiters(*never.future()) == 1; });
  cancel(*next);
  EXPECT_EQ(outcomeOf(*next), kCancelled);
  drive();
  until([&] { return numWaiters(*never.future()) == 0; });
}

TEST_P(Cancellation, PromisesAreCompletedInVain) {
  EXPECT_EQ(outcome(scheduler_, code_, "promise"), kCancelled);
  Promise promise;
  auto future = start("wait", {promise.future()});
  cancel(*promise.future());
  EXPECT_EQ(outcomeOf(*future), kCancelled);
  promise.complete(1);
  EXPECT_EQ(outcomeOf(*promise.future()), kCancelled);
  auto done = start("same", {4});
  EXPECT_EQ(outcomeOf(*done), "4");
  cancel(*done); // too late
  EXPECT_EQ(outcomeOf(*done), "4");
}

TEST_P(Cancellation, ATaskMayCancelItselfAndWhoWaitsForIt) {
  Promise me;
  auto future = start("ancestor", {me.future()});
  me.complete(IValue(future));
  EXPECT_EQ(outcomeOf(*future), kCancelled);
  // On another worker it may be past the call when it learns that nobody needs it any more.
  if (workers() <= 1) {
    EXPECT_EQ(count_, 0);
  }
}

// ---- deadlines and tokens -----------------------------------------------------------------------

TEST_P(Cancellation, DeadlinesEndEverything) {
  Promise never;
  const auto soon = [] {
    return TaskContext{.deadline = deadlineIn(std::chrono::milliseconds(5))};
  };
  for (const char* function : {"wait", "native", "on_top", "recurse"}) {
    SCOPED_TRACE(function);
    const TaskContext context = soon();
    auto future =
        start(function, {std::string(function) == "recurse" ? IValue(0) : IValue(never.future())},
              &context);
    const std::string text = outcomeOf(*future);
    EXPECT_TRUE(text == "Timeout: the deadline has passed" ||
                (std::string(function) == "recurse" && text.rfind("RuntimeError: ", 0) == 0))
        << text;
  }
  Promise started;
  const TaskContext context = soon();
  auto future = start("spin", {started.future()}, &context);
  EXPECT_EQ(said(errorOf([&] { waitNative(*future); })), "Timeout: the deadline has passed");
  EXPECT_EQ(count_, 0);
  const TaskContext passed{.deadline = TaskContext::Clock::now() - std::chrono::seconds(1)};
  EXPECT_EQ(outcomeOf(*start("unstarted", {1}, &passed)), "Timeout: the deadline has passed");
  EXPECT_EQ(count_, 0);
  const TaskContext late{.deadline = deadlineIn(std::chrono::hours(1))};
  EXPECT_EQ(outcomeOf(*start("same", {1}, &late)), "1");
}

TEST_P(Cancellation, TokensStopARunAndItsForks) {
  Promise never;
  for (const char* function : {"wait", "on_top"}) {
    const CancelToken stop = CancelToken::make();
    const TaskContext context{.cancel = stop};
    auto future = start(function, {never.future()}, &context);
    auto other = start(function, {never.future()});
    stop.cancel();
    EXPECT_EQ(outcomeOf(*future), "Cancelled: the work was cancelled");
    EXPECT_FALSE(other->done());
    EXPECT_EQ(outcomeOf(*start(function, {never.future()}, &context)),
              "Cancelled: the work was cancelled");
    cancel(*other);
    EXPECT_EQ(outcomeOf(*other), kCancelled);
  }
  EXPECT_EQ(count_, 0);
  EXPECT_FALSE(CancelToken().isCancelled());
}

// Whoever is told to stop does so at once, also when others have a handle of what runs on top of
// it.
TEST_P(Cancellation, WhoWaitsBelowWhatOthersNeedStops) {
  for (const char* function : {"listed", "listed_native", "listed_spin"}) {
    const bool spins = function == std::string("listed_spin");
    if (function != std::string("listed") && workers() == 0) continue; // the caller is in it
    Promise promise;
    const auto future = spins ? nullptr : start(function, {promise.future()});
    if (!spins) {
      cancel(*future);
      EXPECT_EQ(outcomeOf(*future), kCancelled) << function;
      continue;
    }
    auto code = compileText("make():\n  %p : Future[int] = tine::promise()\n  return (%p)\n");
    const IValue started = run(scheduler_, code, "make", {});
    const auto spinning = start(function, {started});
    EXPECT_EQ(outcomeOf(started.asFuture()), "1");
    cancel(*spinning);
    EXPECT_EQ(outcomeOf(*spinning), kCancelled);
    // The worker that ran the endless loop is free again.
    EXPECT_EQ(outcome(scheduler_, code_, "same", {3}), "3");
  }
}

TEST_P(Cancellation, WhatOthersNeedGoesOnWithoutWhoWaitedForIt) {
  Promise promise;
  const IValue list = IValue::list({});
  const auto future = start("given", {list, promise.future()});
  while (scheduler_.stats().parked == 0) std::this_thread::yield();
  cancel(*future);
  EXPECT_EQ(outcomeOf(*future), kCancelled);
  ASSERT_EQ(list.toList().items.size(), 1u);
  const Ref<FutureState> inner = list.toList().items[0].toFuture();
  EXPECT_FALSE(inner->done());
  promise.complete(7);
  EXPECT_EQ(outcomeOf(*inner), "7");
}

TEST_P(Cancellation, DeadlinesBeforeAllTimeHavePassed) {
  TaskContext context;
  context.deadline = TaskContext::Clock::time_point::min();
  const auto future = scheduler_.run(code_, "same", {1}, &context);
  EXPECT_EQ(outcomeOf(*future), "Timeout: the deadline has passed");
}

// The only worker is in an operator until it is all over, or there is none yet.
TEST(CancelledBeforeTheyStart, RunsFailThoughNoWorkerIsFree) {
  std::atomic<bool> begun{false}, over{false};
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("test::busy(int n) -> int", [&](std::int64_t n) {
    begun = true;
    while (!over) std::this_thread::yield();
    return n;
  });
  const auto code = compileText(R"(busy(%n : int):
  %r : int = test::busy(%n)
  return (%r)

identity(%n : int):
  return (%n)
)",
                                ops);
  for (const bool begins : {true, false}) {
    begun = over = false;
    std::vector<std::function<void()>> kept;
    const auto keep = [&](std::function<void()> job) { kept.push_back(std::move(job)); };
    Scheduler scheduler(begins ? Scheduler::Config{.workers = 1}
                               : Scheduler::Config{.workers = 1, .executor = keep});
    const auto busy = begins ? scheduler.run(code, "busy", {7}) : nullptr;
    while (begins && !begun) std::this_thread::yield();

    const auto outcomeOf = [&](const TaskContext& context) {
      const auto future = scheduler.run(code, "identity", {1}, &context);
      return said(errorOf([&] { scheduler.wait(*future); }));
    };
    EXPECT_EQ(outcomeOf({.deadline = deadlineIn(std::chrono::milliseconds(1))}),
              "Timeout: the deadline has passed");
    const CancelToken token = CancelToken::make();
    const TaskContext context{.cancel = token};
    const auto future = scheduler.run(code, "identity", {1}, &context);
    EXPECT_FALSE(future->done());
    token.cancel();
    EXPECT_EQ(said(errorOf([&] { scheduler.wait(*future); })), "Cancelled: the work was cancelled");
    EXPECT_EQ(outcomeOf({.cancel = token}), "Cancelled: the work was cancelled");
    over = true;
    if (busy) {
      EXPECT_EQ(scheduler.wait(*busy).toInt(), 7);
    }
  }
}

TEST(CancelTokens, EveryCallbackIsCalledWhateverOthersThrow) {
  const CancelToken token = CancelToken::make();
  std::string called;
  const auto a = token.onCancel([&] { called += 'a'; });
  const auto b = token.onCancel([&] {
    called += 'b';
    throw std::runtime_error("no");
  });
  const auto c = token.onCancel([&] { called += 'c'; });
  ::testing::internal::CaptureStderr();
  token.cancel();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "tine: a callback of CancelToken::onCancel threw RuntimeError: no\n");
  EXPECT_EQ(called, "abc");
}

TEST_P(Cancellation, ManyAtOnce) {
  // Threads cancel what others run; whatever becomes of it, it ends, and nothing is left.
  constexpr int kRounds = 20, kEach = 100;
  for (int round = 0; round < kRounds; ++round) {
    Promise gate;
    std::vector<Ref<FutureState>> futures;
    for (int i = 0; i < kEach; ++i)
      futures.push_back(start(i % 3 ? "wait" : "on_top", {gate.future()}));
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        for (int i = t; i < kEach; i += 4) cancel(*futures[std::size_t(i)]);
      });
    threads.emplace_back([&] { gate.complete(1); });
    for (int i = 0; i < kEach; ++i) {
      const std::string text = outcomeOf(*futures[std::size_t(i)]);
      ASSERT_TRUE(text == "1" || (text == kCancelled && i % 4 != 3)) << text;
    }
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(CancelSchedules, EveryScheduleEndsOneWayOrTheOther) {
  const auto code = compileText(R"(main():
  %1 : int = prim::Constant[value=1]()
  %p : Future[int] = tine::promise()
  %a : Future[int] = prim::fork_0(%p)
  %b : Future[int] = prim::fork_1(%a)
   = tine::cancel(%b)
   = tine::complete(%p, %1)
  %x : int = aten::wait(%b)
  return (%x)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)
with prim::fork_1 = graph(%f : Future[int]):
  %x : int = aten::wait(%f)
  %s : str = aten::str(%x)
  return (%x)
)");
  std::set<std::string> outcomes;
  Explorer explorer(2);
  while (explorer.next()) {
    Scheduler scheduler({.schedule = explorer.schedule()});
    outcomes.insert(outcome(scheduler, code, "main"));
  }
  EXPECT_EQ(outcomes, (std::set<std::string>{kCancelled}));
  EXPECT_GT(explorer.count(), 20);
}

} // namespace
} // namespace tine::testing
