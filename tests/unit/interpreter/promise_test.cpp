#include "interpreter/futures.h"
#include "tests/unit/interpreter/programs.h"

#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tine::testing {
namespace {

constexpr const char* kWait = R"(f(%p : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %x : int = aten::wait(%p)
  %r : int = aten::add(%x, %1)
  return (%r)

forked(%p : Future[int]):
  %a : Future[int] = prim::fork_0(%p)
  %b : Future[int] = prim::fork_0(%p)
  %x : int = aten::wait(%a)
  %y : int = aten::wait(%b)
  %r : int = aten::add(%x, %y)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)

forever():
  %m : int = prim::Constant[value=9223372036854775807]()
  %true : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
   = prim::Loop(%m, %true)
    block0(%i : int):
      -> (%true)
  return (%0)

native(%p : Future[int]):
  %a : Future[int] = prim::fork_0(%p)
  %x : int = test::wait(%a)
  return (%x)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = test::wait(%p)
  return (%r)

deep(%p : Future[int], %n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %end : bool = aten::eq(%n, %0)
  %r : int = prim::If(%end)
    block0():
      %x : int = test::wait(%p)
      -> (%x)
    block1():
      %m : int = aten::sub(%n, %1)
      %f : Future[int] = prim::fork_0(%p, %m)
      %y : int = test::wait(%f)
      %z : int = aten::add(%y, %1)
      -> (%z)
  return (%r)
with prim::fork_0 = graph(%p : Future[int], %n : int):
  %f : Function = prim::Constant[name="deep"]()
  %r : int = prim::CallFunction(%f, %p, %n)
  return (%r)
)";

class Promises : public WithWorkers {
protected:
  Promises() {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::wait(Future(int) f) -> int",
             [](Ref<FutureState> f) { return waitNative(*f).toInt(); });
    code_ = compileText(kWait, ops);
  }
  Scheduler scheduler_{{.workers = workers()}};
  std::shared_ptr<const Code> code_;
};
TINE_WITH_WORKERS(Promises);

TEST_P(Promises, CompletedBeforeAndAfter) {
  Promise promise;
  promise.complete(3);
  EXPECT_EQ(run(scheduler_, code_, "f", {promise.future()}).toInt(), 4);
  Promise later;
  auto future = scheduler_.run(code_, "forked", {later.future()});
  EXPECT_FALSE(future->done());
  later.complete(10);
  EXPECT_EQ(scheduler_.wait(*future).toInt(), 20);
  EXPECT_THROW(later.complete(11), RuntimeError);
  EXPECT_EQ(later.future()->value().toInt(), 10);
}

TEST_P(Promises, ForeignThreadsWakeSleepingWorkers) {
  for (int i = 0; i < 100; ++i) {
    Promise promise;
    auto future = scheduler_.run(code_, "forked", {promise.future()});
    std::thread thread([p = std::move(promise), i]() mutable { p.complete(i); });
    EXPECT_EQ(scheduler_.wait(*future).toInt(), 2 * i);
    thread.join();
  }
}

TEST_P(Promises, CallsWaitForForeignThreads) {
  for (int i = 0; i < 100; ++i) {
    Promise promise;
    IValue arguments[] = {promise.future()};
    std::thread thread([p = std::move(promise), i]() mutable { p.complete(i); });
    EXPECT_EQ(scheduler_.call(code_, *code_->find("forked"), arguments).toInt(), 2 * i);
    thread.join();
  }
}

TEST_P(Promises, ForeignThreadsWakeSuspendedFibers) {
  for (int i = 0; i < 100; ++i) {
    Promise promise;
    auto awaited = promise.future();
    // Before the run: without workers, an operator that waits blocks the caller.
    std::thread thread([p = std::move(promise), i]() mutable { p.complete(i); });
    EXPECT_EQ(run(scheduler_, code_, "native", {awaited}).toInt(), i);
    thread.join();
  }
}

TEST_P(Promises, OneDroppedIsBroken) {
  Ref<FutureState> future;
  int line;
  {
    line = __LINE__ + 1;
    Promise promise;
    future = scheduler_.run(code_, "f", {promise.future()});
  }
  try {
    scheduler_.wait(*future);
    FAIL();
  } catch (const RuntimeError& error) {
    EXPECT_EQ(error.kind(), error_kind::BrokenPromise);
    EXPECT_THAT(error.message(), ::testing::HasSubstr("promise_test.cpp:" + std::to_string(line)));
  }
}

TEST_P(Promises, FailedOnesKeepKindAndMessage) {
  Promise promise;
  auto future = scheduler_.run(code_, "forked", {promise.future()});
  promise.fail(Error("MyKind", "mine"));
  try {
    scheduler_.wait(*future);
    FAIL();
  } catch (const RuntimeError& error) {
    EXPECT_EQ(error.kind(), "MyKind");
    EXPECT_EQ(error.message(), "mine");
  }
}

TEST_P(Promises, NativeWaitsLetTheWorkerGoOn) {
  if (workers() == 0) GTEST_SKIP() << "the caller itself waits";
  Promise promise;
  std::vector<Ref<FutureState>> waiting;
  for (int i = 0; i < 50; ++i)
    waiting.push_back(scheduler_.run(code_, "native", {promise.future()}));
  // With one worker, too, something else can run meanwhile.
  Promise other;
  other.complete(1);
  EXPECT_EQ(run(scheduler_, code_, "native", {other.future()}).toInt(), 1);
  promise.complete(7);
  for (auto& future : waiting) EXPECT_EQ(scheduler_.wait(*future).toInt(), 7);
}

TEST_P(Promises, NativeWaitsNest) {
  if (workers() == 0) GTEST_SKIP() << "on the caller's own stack there is no other to go to";
  Promise promise;
  auto future = scheduler_.run(code_, "deep", {promise.future(), 2000});
  promise.complete(5);
  EXPECT_EQ(scheduler_.wait(*future).toInt(), 2005);
  EXPECT_GT(scheduler_.stats().fibers, 0u);
}

TEST_P(Promises, ADroppedPromiseEndsTheHopeOfOthers) {
  auto code = compileText(R"(f(%n : int):
  %p : Future[int] = tine::promise()
  %r : int = aten::wait(%p)
  return (%r)
)");
  auto unrelated = std::make_unique<Promise>();
  auto future = scheduler_.run(code, "f", {1});
  std::thread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    unrelated.reset();
  });
  scheduler_.waitDone(*future);
  thread.join();
  ASSERT_TRUE(future->failed());
  EXPECT_EQ(future->error()->kind, error_kind::Deadlock);
}

// ---- the end of a scheduler
// -----------------------------------------------------------------------

TEST_P(Promises, WhoWaitsWhenTheSchedulerEndsFails) {
  Promise promise;
  std::vector<Ref<FutureState>> futures;
  {
    Scheduler scheduler({.workers = workers()});
    for (const char* function : {"f", "forked", "native", "f", "native"})
      if (workers() > 0 || llvm::StringRef(function) != "native") // the caller itself would wait
        futures.push_back(scheduler.run(code_, function, {promise.future()}));
  }
  for (auto& future : futures) {
    ASSERT_TRUE(future->failed());
    EXPECT_EQ(said(*future->error()), "Shutdown: the scheduler was destroyed");
  }
  promise.complete(1);
}

TEST_P(Promises, EndlessProgramsEndWithTheirScheduler) {
  if (workers() == 0) GTEST_SKIP() << "the caller would run it for ever";
  auto code = compileText(R"(loop(%n : int):
  %t : bool = prim::Constant[value=1]()
   = prim::Loop(%n, %t)
    block0(%i : int):
      -> (%t)
  return (%n)

forks(%n : int):
  %t : bool = prim::Constant[value=1]()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%i)
      %x : int = aten::wait(%f)
      -> (%t)
  return (%n)
with prim::fork_0 = graph(%n : int):
  return (%n)
)");
  const std::int64_t forEver = std::numeric_limits<std::int64_t>::max();
  Ref<FutureState> loop, forks;
  {
    Scheduler scheduler({.workers = workers()});
    loop = scheduler.run(code, "loop", {forEver});
    forks = scheduler.run(code, "forks", {forEver});
  }
  ASSERT_TRUE(loop->failed() && forks->failed());
  EXPECT_EQ(loop->error()->kind, error_kind::Shutdown);
  EXPECT_EQ(forks->error()->kind, error_kind::Shutdown);
}

TEST_P(Promises, AThousandSchedulers) {
  auto code = compileText(kFib);
  for (int i = 0; i < (workers() == 8 ? 200 : 1000); ++i) {
    Scheduler scheduler({.workers = workers()});
    if (i % 10 == 0) {
      EXPECT_EQ(run(scheduler, code, "fib", {5}).toInt(), 5);
    }
  }
}

TEST_P(Promises, FuturesOutliveTheirScheduler) {
  Ref<FutureState> future;
  {
    Scheduler scheduler({.workers = workers()});
    Promise promise;
    promise.complete(1);
    future = scheduler.run(code_, "f", {promise.future()});
    scheduler.waitDone(*future);
  }
  EXPECT_EQ(waitNative(*future).toInt(), 2);
}

TEST_P(Promises, AnotherProcessHasNoWorkers) {
  Promise promise;
  promise.complete(1);
  EXPECT_EQ(run(scheduler_, code_, "f", {promise.future()}).toInt(), 2);
  const ::pid_t child = ::fork();
  if (child == 0) {
    const auto future = scheduler_.run(code_, "f", {promise.future()});
    // Without workers nothing was lost.
    const bool right = workers() == 0
                           ? scheduler_.wait(*future).toInt() == 2
                           : future->failed() && said(*future->error()) ==
                                                     "WrongProcess: the scheduler was made in "
                                                     "another process: make one after fork()";
    ::_exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

/// The status of a process that does so and ends.
int statusOfChild(llvm::function_ref<bool()> f) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    ::_exit(f() ? 0 : 1);
  }
  int status = -1;
  return ::waitpid(child, &status, 0) == child ? status : -1;
}

// What was in use when the process forked stays so in the new one: here the lock that a worker has
// while it calls the hook, and what the thread of a deadline waits on.
TEST_P(Promises, AnotherProcessDestroysWhatItWasLeft) {
  std::atomic<bool> begun{false}, over{false};
  const auto hook = [&](const std::shared_ptr<const Error>&) {
    begun = true;
    while (!over) std::this_thread::yield();
  };
  auto scheduler = std::make_unique<Scheduler>(
      Scheduler::Config{.workers = workers(), .onUnobservedError = hook});
  Promise promise, never;
  const TaskContext soon{.deadline = deadlineIn(std::chrono::milliseconds(1))};
  EXPECT_EQ(errorOf([&] {
              scheduler->wait(*scheduler->run(code_, "native", {never.future()}, &soon));
            }).kind,
            error_kind::Timeout);
  auto waits = workers() == 0 ? nullptr : scheduler->run(code_, "f", {promise.future()});
  if (workers() > 0) {
    Promise failed;
    scheduler->run(code_, "f", {failed.future()}); // its handle is dropped
    failed.fail(Error("MyKind", "mine"));
    while (!begun) std::this_thread::yield();
  }
  const int status = statusOfChild([&] {
    bool right = true;
#ifndef __SANITIZE_THREAD__ // which ends a child that starts a thread
    if (workers() == 0) {
      const TaskContext limit{.deadline = deadlineIn(std::chrono::milliseconds(1))};
      const auto future = scheduler->run(code_, "forever", {}, &limit);
      right = future->failed() && future->error()->kind == error_kind::Timeout;
    }
#endif
    promise.complete(1);
    waits = nullptr;
    scheduler = nullptr;
    return right;
  });
  EXPECT_EQ(status, 0);
  over = true;
  if (waits) {
    promise.complete(2);
    EXPECT_EQ(scheduler->wait(*waits).toInt(), 3);
  }
}

// A future of the other process's tasks is refused however it is waited for.
TEST_P(Promises, AnotherProcessIsToldWhateverItWaitsThrough) {
  Promise promise;
  const auto future = scheduler_.run(code_, "forked", {promise.future()});
  const auto same = [](const IValue& x) { return x; };
  const std::function<IValue()> waits[] = {
      [&] { return waitNative(*future); },
      [&] { return scheduler_.wait(*future); },
      [&] { return waitNative(*future, std::chrono::hours(1)); },
      [&] { return waitNative(*then(*future, same)); },
      [&] { return waitNative(*collect(Collect::FailFast, {future})).toList().items[0]; },
      [&] { return waitNative(*collect(Collect::Settle, {future})).toList().items[0].toFuture(); },
      [&] { return waitNative(*collect(Collect::First, {future})); },
      [&] {
        Scheduler here({.workers = 1});
        Promise done;
        done.complete(1);
        const auto mine = here.run(code_, "f", {done.future()});
        const auto both = collect(Collect::FailFast, {mine, future});
        return waitNative(*both).toList().items[1];
      },
  };
#ifdef __SANITIZE_THREAD__
  constexpr bool kNoThreadsAfterFork = true; // ThreadSanitizer ends a child that starts one
#else
  constexpr bool kNoThreadsAfterFork = false;
#endif
  for (const bool completes : {false, true})
    for (const auto& wait : waits) {
      if (!completes && workers() == 0) continue; // it waits for the promise, which is held
      if (kNoThreadsAfterFork && workers() > 0 && &wait == std::end(waits) - 1) continue;
      const ::pid_t child = ::fork();
      if (child == 0) {
        ::alarm(30);
        if (completes) promise.complete(2);
        std::string said;
        try {
          const IValue value = wait();
          said = value.isFuture() ? value.asFuture().value().str() : value.str();
        } catch (const RuntimeError& error) {
          said = error.kind();
        }
        ::_exit(said == (workers() == 0 ? "4" : "WrongProcess") ? 0 : 1);
      }
      int status = -1;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0) << completes << " " << &wait - waits;
    }
  promise.complete(10);
  EXPECT_EQ(scheduler_.wait(*future).toInt(), 20);
}

TEST(MovedPromise, SaysSo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto moved = [](const std::function<void(Promise&)>& use) {
    Promise promise;
    const Promise other = std::move(promise);
    use(promise);
  };
  const char* said = "a promise is used after it was moved from";
  EXPECT_DEATH(moved([](Promise& p) { p.complete(1); }), said);
  EXPECT_DEATH(moved([](Promise& p) { p.fail(Error(error_kind::Value, "")); }), said);
  EXPECT_DEATH(moved([](Promise& p) { p.fail(std::shared_ptr<const Error>()); }), said);
  EXPECT_DEATH(moved([](Promise& p) { static_cast<void>(p.future()); }), said);
}

TEST_P(Promises, ATaskMustNotDestroyItsScheduler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const char* said = "a scheduler is destroyed by one of its own tasks";
  EXPECT_DEATH(
      {
        auto scheduler = std::make_unique<Scheduler>(Scheduler::Config{.workers = workers()});
        auto ops = std::make_shared<OpSet>(OpSet::builtin());
        ops->add("test::end(int x) -> int", [&](std::int64_t x) {
          scheduler.reset();
          return x;
        });
        const auto code =
            compileText("f(%x : int):\n  %r : int = test::end(%x)\n  return (%r)\n", ops);
        static_cast<void>(run(*scheduler, code, "f", {1}));
      },
      said);
  EXPECT_DEATH(
      {
        auto scheduler = std::make_shared<Scheduler>(Scheduler::Config{.workers = workers()});
        Promise promise;
        const auto future = scheduler->run(code_, "f", {promise.future()});
        const auto last = then(
            *future, [held = scheduler](const IValue& x) { return x; }, scheduler.get());
        scheduler.reset();
        promise.complete(1);
        static_cast<void>(waitNative(*last));
        for (;;) std::this_thread::yield(); // until the callback is dropped
      },
      said);
}

// An operator runs a task on a second scheduler, whose operator comes back to the first.
TEST_P(Promises, SchedulersUseEachOther) {
  Scheduler second({.workers = workers()});
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  std::shared_ptr<const Code> code;
  ops->add("test::there(int n) -> int",
           [&](std::int64_t n) { return run(second, code, "back", {n}).toInt(); });
  ops->add("test::back(int n) -> int", [&](std::int64_t n) {
    return n == 0 ? 100 : run(scheduler_, code, "there", {n - 1}).toInt();
  });
  code = compileText(R"(there(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %r : int = test::there(%n)
  return (%r)

back(%n : int):
  %r : int = test::back(%n)
  return (%r)
)",
                     ops);
  EXPECT_EQ(run(scheduler_, code, "there", {3}).toInt(), 100);
}

TEST_P(Promises, WaitingForAnotherSchedulerIsNoDeadlock) {
  std::atomic<bool> open{false};
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("test::gate() -> int", [&]() -> std::int64_t {
    open.wait(false);
    return 20;
  });
  const auto gate = compileText("gate():\n  %r : int = test::gate()\n  return (%r)\n", ops);
  Scheduler second({.workers = 1});
  for (const char* function : {"f", "forked", "native"}) {
    open = false;
    auto awaited = second.run(gate, "gate", {});
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30)); // all others are idle by then
      open = true;
      open.notify_all();
    });
    EXPECT_EQ(run(scheduler_, code_, function, {awaited}).toInt(),
              function == std::string("f")        ? 21
              : function == std::string("forked") ? 40
                                                  : 20);
    opener.join();
  }
}

} // namespace
} // namespace tine::testing
