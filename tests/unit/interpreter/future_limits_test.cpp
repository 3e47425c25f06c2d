// Futures made from futures, where they hurt: long, many, circular, late, dropped, from several
// threads.

#include "interpreter/futures.h"
#include "tests/unit/interpreter/programs.h"

#include <algorithm>
#include <mutex>
#include <thread>

namespace tine::testing {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr const char* kPrograms = R"(twice(%x : int):
  %2 : int = prim::Constant[value=2]()
  %r : int = aten::mul(%x, %2)
  return (%r)

first(%x : int, %p : Future[int]):
  return (%x)

own():
  %f : Function = prim::Constant[name="first"]()
  %p : Future[int] = tine::promise()
  %g : Future[int] = tine::then(%p, %f, %p)
  %done : bool = tine::done(%g)
  return (%done)

deep(%x : int):
  %f : Future[Future[Future[int]]] = prim::fork_0(%x)
  return (%f)
with prim::fork_0 = graph(%x : int):
  %f : Future[Future[int]] = prim::fork_1(%x)
  return (%f)
with prim::fork_1 = graph(%x : int):
  %f : Future[int] = prim::fork_2(%x)
  return (%f)
with prim::fork_2 = graph(%x : int):
  %f : Function = prim::Constant[name="twice"]()
  %r : int = prim::CallFunction(%f, %x)
  return (%r)

nested(%p : Future[int]):
  %f : Function = prim::Constant[name="deep"]()
  %a : Future[Future[Future[int]]] = tine::then(%p, %f)
  %b : Future[Future[int]] = aten::wait(%a)
  %c : Future[int] = aten::wait(%b)
  %r : int = aten::wait(%c)
  return (%r)

wait(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)

poll(%p : Future[int], %s : float):
  %r : int = tine::wait_timeout(%p, %s)
  return (%r)
)";

/// Sanitizers take about ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSlow = 20;
#else
constexpr int kSlow = 1;
#endif

IValue same(const IValue& value) { return value; }

std::string outcomeOf(FutureState& future) {
  try {
    return waitNative(future).str();
  } catch (const RuntimeError& error) {
    return error.kind() + ": " + error.message();
  }
}

std::size_t numWaiters(FutureState& future) {
  std::size_t n = 0;
  future.removeWaiters([&](const Waiter&) {
    ++n;
    return false;
  });
  return n;
}

class FutureLimits : public WithWorkers {
protected:
  const std::shared_ptr<const Code> code_ = compileText(kPrograms);
  Scheduler scheduler_{{.workers = workers()}};
};
TINE_WITH_WORKERS(FutureLimits);

TEST_P(FutureLimits, NoWakeUpIsLost) {
  // F3
  const auto rounds = [&](int numRounds, int numFutures) {
    for (int round = 0; round < numRounds; ++round) {
      std::vector<Ref<FutureState>> futures;
      for (int i = 0; i < numFutures; ++i)
        futures.push_back(then(*scheduler_.run(code_, "twice", {i}), same));
      const IValue all = waitNative(*collect(Collect::FailFast, std::move(futures)));
      for (int i = 0; i < numFutures; ++i)
        ASSERT_EQ(all.toList().items[std::size_t(i)].toInt(), 2 * i);
    }
  };
  rounds(100 / kSlow, 50);
  rounds(20 / kSlow, 10'000 / kSlow);
}

TEST_P(FutureLimits, CallbacksStartInOrderWhoeverRegisters) {
  if (workers() > 1) GTEST_SKIP() << "several workers run them at the same time";
  for (int round = 0; round < 100 / kSlow; ++round) {
    Promise promise;
    std::vector<int> order;
    std::vector<Ref<FutureState>> futures;
    std::atomic<bool> go{false};
    std::thread other([&] {
      while (!go) std::this_thread::yield();
      promise.complete(round);
    });
    go = true;
    for (int i = 0; i < 20; ++i)
      futures.push_back(then(
          *promise.future(),
          [&order, i](const IValue&) {
            order.push_back(i);
            return IValue();
          },
          &scheduler_));
    waitNative(*collect(Collect::FailFast, std::move(futures)));
    other.join();
    ASSERT_EQ(order.size(), 20u);
    ASSERT_TRUE(std::is_sorted(order.begin(), order.end()));
  }
}

TEST_P(FutureLimits, ChainOf100000) {
  constexpr int kLength = 100'000 / kSlow;
  runOnStack(kSmallStack, [&] {
    Promise promise;
    Ref<FutureState> last = promise.future();
    for (int i = 0; i < kLength; ++i)
      last = then(
          *last, [](const IValue& x) { return IValue(x.toInt() + 1); }, &scheduler_);
    promise.complete(0);
    EXPECT_EQ(outcomeOf(*last), std::to_string(kLength));
  });
}

TEST_P(FutureLimits, ChainOfFlattening) {
  // Each callback returns the future of the one before.
  constexpr int kLength = 100'000 / kSlow;
  runOnStack(kSmallStack, [&] {
    Promise promise;
    auto done = scheduler_.run(code_, "twice", {1});
    Ref<FutureState> last = promise.future();
    for (int i = 0; i < kLength; ++i)
      last = then(
          *done, [last](const IValue&) { return IValue(last); }, &scheduler_);
    promise.complete(7);
    EXPECT_EQ(outcomeOf(*last), "7");
  });
}

TEST_P(FutureLimits, CollectOf100000) {
  constexpr int kCount = 100'000 / kSlow;
  runOnStack(kSmallStack, [&] {
    Promise promise;
    std::vector<Ref<FutureState>> futures;
    for (int i = 0; i < kCount; ++i)
      futures.push_back(i % 2 ? scheduler_.run(code_, "twice", {i}) : promise.future());
    auto all = collect(Collect::FailFast, futures, &scheduler_);
    auto settled = collect(Collect::Settle, futures, &scheduler_);
    auto first = collect(Collect::First, futures, &scheduler_);
    waitNative(*first);
    promise.complete(5);
    const IValue list = waitNative(*all);
    ASSERT_EQ(list.toList().items.size(), std::size_t(kCount));
    EXPECT_EQ(list.toList().items[0].toInt(), 5);
    EXPECT_EQ(list.toList().items[kCount - 1].toInt(), 2 * (kCount - 1));
    EXPECT_EQ(waitNative(*settled).toList().items[kCount - 1].toFuture().get(),
              futures.back().get());
  });
}

TEST_P(FutureLimits, SameFutureTwice) {
  Promise promise, broken;
  const auto p = promise.future(), q = broken.future();
  auto all = collect(Collect::FailFast, {p, p, p}, &scheduler_);
  auto settled = collect(Collect::Settle, {q, q}, &scheduler_);
  auto failing = collect(Collect::FailFast, {q, p, q}, &scheduler_);
  auto first = collect(Collect::First, {q, q}, &scheduler_);
  promise.complete(3);
  broken.fail(Error(error_kind::Key, "no key"));
  EXPECT_EQ(outcomeOf(*all), "[3, 3, 3]");
  EXPECT_EQ(waitNative(*settled).toList().items.size(), 2u);
  EXPECT_EQ(outcomeOf(*failing), "KeyError: no key");
  EXPECT_EQ(outcomeOf(*first), "KeyError: no key");
}

TEST_P(FutureLimits, FutureOfFutureOfFuture) {
  Promise promise;
  auto running = scheduler_.run(code_, "nested", {promise.future()});
  promise.complete(4);
  EXPECT_EQ(outcomeOf(*running), "8");
  // Flattened once: what is left is a future of a future.
  auto flat = then(
      *scheduler_.run(code_, "twice", {2}),
      [&](const IValue& x) { return IValue(scheduler_.run(code_, "deep", {x})); }, &scheduler_);
  IValue value = waitNative(*flat);
  for (int i = 0; i < 3; ++i) value = waitNative(value.asFuture());
  EXPECT_EQ(value.toInt(), 8);
}

TEST_P(FutureLimits, CallbacksForkAndWaitAndRaise) {
  std::vector<Ref<FutureState>> futures;
  for (int i = 0; i < 100; ++i)
    futures.push_back(then(
        *scheduler_.run(code_, "twice", {i}),
        [&, i](const IValue& x) -> IValue {
          std::vector<Ref<FutureState>> inner;
          for (int k = 0; k < 10; ++k) inner.push_back(scheduler_.run(code_, "twice", {x}));
          const IValue list = waitNative(*collect(Collect::FailFast, inner));
          if (i % 10 == 0) raise(error_kind::Index, std::to_string(i));
          return list.toList().items[9];
        },
        &scheduler_));
  const IValue settled = waitNative(*collect(Collect::Settle, futures));
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(outcomeOf(settled.toList().items[std::size_t(i)].asFuture()),
              i % 10 ? std::to_string(4 * i) : "IndexError: " + std::to_string(i));
}

TEST_P(FutureLimits, CallbackHoldsWhatItWaitsFor) {
  // M1. Completed, the circle is gone at once; else with the scheduler.
  for (int i = 0; i < 100; ++i) {
    Promise promise;
    auto future = promise.future();
    auto next = then(
        *future, [future](const IValue& x) { return IValue(x.toInt() + 1); }, &scheduler_);
    promise.complete(i);
    ASSERT_EQ(waitNative(*next).toInt(), i + 1);
  }
  {
    Scheduler scheduler({.workers = workers()});
    Ref<FutureState> future(new FutureState(FutureState::Phase::Running));
    future->release(); // of the two
    auto next = then(
        *future, [future](const IValue&) { return IValue(future); }, &scheduler);
    EXPECT_FALSE(next->done());
    EXPECT_EQ(outcome(scheduler, code_, "own"), "False");
  }
}

TEST_P(FutureLimits, FutureThatIsItsOwnResult) {
  Promise promise;
  auto holder = std::make_shared<Ref<FutureState>>();
  *holder = then(
      *promise.future(), [holder](const IValue&) { return IValue(*holder); }, &scheduler_);
  const Ref<FutureState> circle = *holder;
  promise.complete(1);
  EXPECT_EQ(outcomeOf(*circle), "ValueError: a future cannot wait for itself");
}

TEST_P(FutureLimits, CirclesAreDeadlocks) {
  // Each callback returns the other's future.
  Promise promise;
  std::vector<Ref<FutureState>> both(2);
  {
    Scheduler scheduler({.workers = workers()});
    auto futures = std::make_shared<std::vector<Ref<FutureState>>>(2);
    for (std::size_t i = 0; i < 2; ++i)
      (*futures)[i] = then(
          *promise.future(), [futures, i](const IValue&) { return IValue((*futures)[1 - i]); },
          &scheduler);
    both = *futures;
    futures = nullptr;
    promise.complete(1);
    const std::string error = outcome(scheduler, code_, "wait", {both[0]});
    EXPECT_EQ(error.find("Deadlock: nothing can run, and "), 0u) << error;
    EXPECT_NE(error.find("waits for a then in "), std::string::npos) << error;
  }
  EXPECT_EQ(outcomeOf(*both[0]), "Shutdown: the scheduler was destroyed");
}

TEST_P(FutureLimits, DroppedPromisesWakeAll) {
  for (int round = 0; round < 60 / kSlow; ++round) {
    std::vector<Ref<FutureState>> waiting;
    std::thread dropper;
    {
      auto promise = std::make_shared<Promise>();
      const auto p = promise->future();
      for (int i = 0; i < 5; ++i) {
        waiting.push_back(scheduler_.run(code_, "wait", {p}));
        waiting.push_back(then(*p, same, &scheduler_));
        waiting.push_back(collect(Collect::FailFast, {p, waiting.back()}, &scheduler_));
        waiting.push_back(scheduler_.run(code_, "poll", {p, 1e6}));
      }
      dropper = std::thread([promise = std::move(promise)]() mutable { promise = nullptr; });
    }
    for (auto& future : waiting)
      ASSERT_EQ(outcomeOf(*future).find("BrokenPromise: the promise made at "), 0u);
    dropper.join();
  }
}

TEST_P(FutureLimits, OddLimits) {
  Promise promise;
  auto& future = *promise.future();
  const auto kindOf = [&](nanoseconds limit) {
    try {
      waitNative(future, limit);
    } catch (const RuntimeError& error) {
      return error.kind();
    }
    return std::string("none");
  };
  EXPECT_EQ(kindOf(nanoseconds(0)), "Timeout");
  EXPECT_EQ(kindOf(nanoseconds(-5)), "Timeout");
  EXPECT_EQ(kindOf(nanoseconds::min()), "Timeout");
  auto running = scheduler_.run(code_, "poll", {promise.future(), INFINITY});
  auto huge = scheduler_.run(code_, "poll", {promise.future(), 1.7e308});
  EXPECT_EQ(outcome(scheduler_, code_, "poll", {promise.future(), -INFINITY}),
            "Timeout: the future is not done after 0 s");
  std::thread other([&] { promise.complete(3); });
  EXPECT_EQ(waitNative(future, nanoseconds::max()).toInt(), 3);
  other.join();
  EXPECT_EQ(outcomeOf(*running), "3");
  EXPECT_EQ(outcomeOf(*huge), "3");
}

TEST_P(FutureLimits, PollingLeavesNothingBehind) {
  // Each of these waited for a future that is not done, and waits no longer.
  Promise never;
  const auto future = never.future();
  for (int i = 0; i < 100; ++i) {
    EXPECT_THROW(waitNative(*future, nanoseconds(1)), RuntimeError);
    EXPECT_EQ(outcome(scheduler_, code_, "poll", {future, 0.0}).substr(0, 7), "Timeout");
    auto done = scheduler_.run(code_, "twice", {i});
    EXPECT_EQ(outcomeOf(*collect(Collect::First, {future, done}, &scheduler_)),
              std::to_string(2 * i));
    EXPECT_EQ(outcomeOf(*collect(Collect::First, {future, done})), std::to_string(2 * i));
  }
  EXPECT_LT(numWaiters(*future), 200u);
  never.complete(1);
}

TEST_P(FutureLimits, ShutdownWithCallbacksPending) {
  for (int round = 0; round < 100 / kSlow; ++round) {
    Promise promise, never;
    std::vector<Ref<FutureState>> futures;
    std::atomic<int> called{0};
    std::thread completer;
    {
      Scheduler scheduler({.workers = workers()});
      for (int i = 0; i < 20; ++i) {
        futures.push_back(then(
            *promise.future(),
            [&](const IValue& x) {
              ++called;
              return x;
            },
            &scheduler));
        futures.push_back(then(*never.future(), same, &scheduler));
        futures.push_back(scheduler.run(code_, "poll", {never.future(), 1e6}));
      }
      completer = std::thread([&] { promise.complete(1); });
    }
    completer.join();
    never.complete(2); // and nobody is called
    for (std::size_t i = 0; i < futures.size(); ++i) {
      ASSERT_TRUE(futures[i]->done());
      const std::string text = outcomeOf(*futures[i]);
      ASSERT_TRUE(text == "Shutdown: the scheduler was destroyed" || (text == "1" && i % 3 == 0))
          << text;
    }
    ASSERT_LE(called, 20);
  }
}

TEST_P(FutureLimits, ManyThreadsCompleteWhatOthersDerive) {
  constexpr int kThreads = 4, kEach = 500 / kSlow;
  std::vector<Promise> promises(kThreads * kEach);
  std::vector<Ref<FutureState>> futures;
  for (Promise& promise : promises) futures.push_back(promise.future());
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) promises[std::size_t(t * kEach + i)].complete(1);
    });
  std::vector<Ref<FutureState>> sums;
  for (int round = 0; round < 10; ++round) {
    auto all = collect(Collect::FailFast, futures, &scheduler_);
    sums.push_back(then(
        *all,
        [](const IValue& list) {
          std::int64_t sum = 0;
          for (const IValue& item : list.toList().items) sum += item.toInt();
          return IValue(sum);
        },
        &scheduler_));
    for (std::size_t i = 0; i < futures.size(); i += 7)
      sums.push_back(then(
          *futures[i], [](const IValue&) { return IValue(kThreads * kEach); }, &scheduler_));
  }
  for (auto& sum : sums) ASSERT_EQ(waitNative(*sum).toInt(), kThreads * kEach);
  for (std::thread& thread : threads) thread.join();
}

// ---- without a scheduler ------------------------------------------------------------------------

TEST(PlainFutureLimits, EachCallbackCompletesTheNextPromise) {
  constexpr std::size_t kLength = 100'000 / kSlow;
  runOnStack(kSmallStack, [] {
    std::vector<Promise> promises(kLength + 1);
    std::vector<Ref<FutureState>> callbacks;
    for (std::size_t i = 0; i < kLength; ++i)
      callbacks.push_back(then(*promises[i].future(), [&, i](const IValue& x) {
        promises[i + 1].complete(x.toInt() + 1);
        return x;
      }));
    const auto last = promises.back().future();
    promises.front().complete(0);
    EXPECT_EQ(waitNative(*last).toInt(), std::int64_t(kLength));
    EXPECT_EQ(waitNative(*callbacks.back()).toInt(), std::int64_t(kLength) - 1);
  });
}

TEST(PlainFutureLimits, CallbackOfACallbackOfTheSameFuture) {
  Promise promise;
  const auto p = promise.future();
  std::vector<int> order;
  const auto log = [&](int i) {
    return [&order, i](const IValue& x) {
      order.push_back(i);
      return x;
    };
  };
  auto outer = then(*p, [&](const IValue&) {
    auto inner = then(*p, log(1)); // it is done: at once
    EXPECT_EQ(order.size(), 1u);
    order.push_back(2);
    return waitNative(*inner);
  });
  auto second = then(*p, log(3));
  promise.complete(7);
  EXPECT_EQ(waitNative(*outer).toInt(), 7);
  EXPECT_EQ(waitNative(*second).toInt(), 7);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(PlainFutureLimits, ItsOwnResult) {
  Promise promise;
  auto holder = std::make_shared<Ref<FutureState>>();
  *holder = then(*promise.future(), [holder](const IValue&) { return IValue(*holder); });
  const Ref<FutureState> circle = *holder;
  promise.complete(1);
  EXPECT_EQ(outcomeOf(*circle), "ValueError: a future cannot wait for itself");
}

} // namespace
} // namespace tine::testing
