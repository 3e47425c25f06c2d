#include "interpreter/futures.h"
#include "tests/unit/interpreter/programs.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

namespace tine::testing {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr const char* kPrograms = R"(twice(%x : int):
  %2 : int = prim::Constant[value=2]()
  %r : int = aten::mul(%x, %2)
  return (%r)

plus(%x : int, %y : int, %z : int):
  %s : int = aten::add(%x, %y)
  %r : int = aten::add(%s, %z)
  return (%r)

boom(%x : int):
  %message : str = prim::Constant[value="boom"]()
  %kind : str = prim::Constant[value="builtins.ValueError"]()
   = prim::RaiseException(%message, %kind)
  return (%x)

fail(%x : int):
  %f : Future[int] = prim::fork_0(%x)
  return (%f)
with prim::fork_0 = graph(%x : int):
  %f : Function = prim::Constant[name="boom"]()
  %r : int = prim::CallFunction(%f, %x)
  return (%r)

forked(%x : int):
  %f : Future[int] = prim::fork_0(%x)
  return (%f)
with prim::fork_0 = graph(%x : int):
  %f : Function = prim::Constant[name="twice"]()
  %r : int = prim::CallFunction(%f, %x)
  return (%r)

then(%p : Future[int]):
  %f : Function = prim::Constant[name="twice"]()
  %g : Future[int] = tine::then(%p, %f)
  %r : int = aten::wait(%g)
  return (%r)

captures(%p : Future[int], %y : int):
  %f : Function = prim::Constant[name="plus"]()
  %g : Future[int] = tine::then(%p, %f, %y, %y)
  %r : int = aten::wait(%g)
  return (%r)

flattens(%p : Future[int]):
  %f : Function = prim::Constant[name="forked"]()
  %g : Future[int] = tine::then(%p, %f)
  %r : int = aten::wait(%g)
  return (%r)

raises(%p : Future[int]):
  %f : Function = prim::Constant[name="boom"]()
  %g : Future[int] = tine::then(%p, %f)
  %h : Future[int] = tine::then(%g, %f)
  %r : int = aten::wait(%h)
  return (%r)

unwaited(%p : Future[int]):
  %f : Function = prim::Constant[name="boom"]()
  %g : Future[int] = tine::then(%p, %f)
  return (%p)

all(%p : Future[int], %q : Future[int]):
  %fs : Future[int][] = prim::ListConstruct(%p, %q)
  %g : Future[int[]] = tine::collect_all(%fs)
  %r : int[] = aten::wait(%g)
  return (%r)

settle(%p : Future[int], %q : Future[int]):
  %fs : Future[int][] = prim::ListConstruct(%p, %q)
  %g : Future[Future[int][]] = tine::collect_all_settle(%fs)
  %r : Future[int][] = aten::wait(%g)
  return (%r)

any(%p : Future[int], %q : Future[int]):
  %fs : Future[int][] = prim::ListConstruct(%p, %q)
  %r : int = tine::wait_any(%fs)
  return (%r)

none():
  %fs : Future[int][] = prim::ListConstruct()
  %r : int = tine::wait_any(%fs)
  return (%r)

empty():
  %fs : Future[int][] = prim::ListConstruct()
  %g : Future[int[]] = tine::collect_all(%fs)
  %r : int[] = aten::wait(%g)
  return (%r)

timeout(%p : Future[int], %s : float):
  %r : int = tine::wait_timeout(%p, %s)
  return (%r)

ask(%p : Future[int]):
  %done : bool = tine::done(%p)
  %value : int? = tine::value(%p)
  %r : (bool, int?) = prim::TupleConstruct(%done, %value)
  return (%r)

stuck(%n : int):
  %f : Function = prim::Constant[name="twice"]()
  %p : Future[int] = tine::promise()
  %g : Future[int] = tine::then(%p, %f)
  %fs : Future[int][] = prim::ListConstruct(%g, %p)
  %all : Future[int[]] = tine::collect_all(%fs)
  %r : int[] = aten::wait(%all)
   = tine::complete(%p, %n)
  return (%r)

fork_then(%n : int):
  %f : Function = prim::Constant[name="boom"]()
  %a : Future[int] = prim::fork_0(%n)
  %b : Future[int] = tine::then(%a, %f)
  %r : int = aten::wait(%b)
  return (%r)
with prim::fork_0 = graph(%n : int):
  return (%n)

wait(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)
)";

class Derivation : public WithWorkers {
protected:
  std::string outcomeOf(FutureState& future) {
    try {
      return waitNative(future).str();
    } catch (const RuntimeError& error) {
      return error.kind() + ": " + error.message();
    }
  }
  std::string outcome(llvm::StringRef function, std::vector<IValue> arguments = {}) {
    return testing::outcome(scheduler_, code_, function, std::move(arguments));
  }
  Ref<FutureState> done(std::int64_t value) {
    Promise promise;
    promise.complete(value);
    return promise.future();
  }
  Ref<FutureState> failed(const char* message) {
    Promise promise;
    promise.fail(Error(error_kind::Key, message));
    return promise.future();
  }

  std::mutex mutex_;
  std::vector<std::string> unobserved_;
  const std::shared_ptr<const Code> code_ = compileText(kPrograms);
  Scheduler scheduler_{{.workers = workers(),
                        .onUnobservedError = [this](const std::shared_ptr<const Error>& error) {
                          std::lock_guard lock(mutex_);
                          unobserved_.push_back(error->kind + ": " + error->message);
                        }}};
};
TINE_WITH_WORKERS(Derivation);

// ---- as operators -------------------------------------------------------------------------------

TEST_P(Derivation, ThenBeforeAndAfter) {
  EXPECT_EQ(outcome("then", {done(21)}), "42");
  EXPECT_EQ(outcome("captures", {done(1), 10}), "21");
  EXPECT_EQ(outcome("flattens", {done(4)}), "8");
  Promise later;
  auto running = scheduler_.run(code_, "then", {later.future()});
  auto flattening = scheduler_.run(code_, "flattens", {later.future()});
  EXPECT_FALSE(running->done());
  later.complete(5);
  EXPECT_EQ(outcomeOf(*running), "10");
  EXPECT_EQ(outcomeOf(*flattening), "10");
}

TEST_P(Derivation, ErrorsKeepKindAndMessage) {
  EXPECT_EQ(outcome("raises", {done(1)}), "ValueError: boom");
  EXPECT_EQ(outcome("then", {failed("no key")}), "KeyError: no key");
  EXPECT_EQ(outcome("flattens", {failed("no key")}), "KeyError: no key");
  EXPECT_EQ(outcome("all", {done(1), failed("no key")}), "KeyError: no key");
  EXPECT_EQ(outcome("any", {failed("no key"), Promise().future()}), "KeyError: no key");
  EXPECT_EQ(outcome("timeout", {failed("no key"), 10.0}), "KeyError: no key");
  EXPECT_EQ(outcome("ask", {failed("no key")}), "KeyError: no key");
  EXPECT_TRUE(unobserved_.empty());
}

TEST_P(Derivation, TracebackNamesThen) {
  const auto future = scheduler_.run(code_, "fork_then", {1});
  try {
    scheduler_.wait(*future);
    FAIL() << "no error";
  } catch (const RuntimeError& error) {
    EXPECT_EQ(error.kind(), "ValueError");
    EXPECT_NE(trace(error).find("fork_then:114\n> boom:14\n"), std::string::npos) << trace(error);
  }
}

TEST_P(Derivation, CollectAll) {
  EXPECT_EQ(outcome("all", {done(1), done(2)}), "[1, 2]");
  EXPECT_EQ(outcome("empty"), "[]");
  Promise p, q;
  auto running = scheduler_.run(code_, "all", {p.future(), q.future()});
  q.complete(2);
  EXPECT_FALSE(running->done());
  p.complete(1);
  EXPECT_EQ(outcomeOf(*running), "[1, 2]");
}

TEST_P(Derivation, CollectAllFailsAtOnce) {
  Promise never;
  EXPECT_EQ(outcome("all", {never.future(), failed("no key")}), "KeyError: no key");
  never.complete(1);
}

TEST_P(Derivation, CollectAllSettles) {
  Promise p;
  auto running = scheduler_.run(code_, "settle", {p.future(), failed("no key")});
  EXPECT_FALSE(running->done());
  p.complete(7);
  const IValue list = scheduler_.wait(*running);
  ASSERT_EQ(list.toList().items.size(), 2u);
  EXPECT_EQ(outcomeOf(list.toList().items[0].asFuture()), "7");
  EXPECT_EQ(outcomeOf(list.toList().items[1].asFuture()), "KeyError: no key");
}

TEST_P(Derivation, Any) {
  Promise never, p;
  EXPECT_EQ(outcome("any", {never.future(), done(3)}), "3");
  auto running = scheduler_.run(code_, "any", {never.future(), p.future()});
  EXPECT_FALSE(running->done());
  p.complete(4);
  EXPECT_EQ(outcomeOf(*running), "4");
  EXPECT_EQ(outcome("none"), "ValueError: the first of no futures");
  never.complete(0);
}

TEST_P(Derivation, Timeout) {
  Promise p;
  EXPECT_EQ(outcome("timeout", {p.future(), 0.001}),
            "Timeout: the future is not done after 0.001 s");
  EXPECT_EQ(outcome("timeout", {p.future(), -1.0}), "Timeout: the future is not done after 0 s");
  EXPECT_EQ(outcome("timeout", {p.future(), std::nan("")}), "ValueError: a timeout of nan seconds");
  EXPECT_EQ(outcome("ask", {p.future()}), "(False, None)"); // it is left alone
  auto running = scheduler_.run(code_, "timeout", {p.future(), 1e300});
  p.complete(3);
  EXPECT_EQ(outcomeOf(*running), "3");
  EXPECT_EQ(outcome("timeout", {p.future(), 0.0}), "3");
}

TEST_P(Derivation, Ask) {
  Promise p;
  EXPECT_EQ(outcome("ask", {p.future()}), "(False, None)");
  p.complete(3);
  EXPECT_EQ(outcome("ask", {p.future()}), "(True, 3)");
}

TEST_P(Derivation, DeadlockNamesWhatIsWaitedFor) {
  const std::string error = outcome("stuck", {1});
  EXPECT_EQ(error.find("Deadlock: nothing can run, and "), 0u) << error;
  EXPECT_NE(error.find("\n  stuck at t.ir:107:3 waits for a collect_all in stuck at t.ir:106:3, "
                       "which waits for 2 futures, "
                       "the first of them a then in stuck at t.ir:104:3, which waits for a "
                       "promise that nobody completes"),
            std::string::npos)
      << error;
}

TEST_P(Derivation, UnobservedErrorGoesToTheHookOnce) {
  auto future = scheduler_.run(code_, "unwaited", {done(1)});
  scheduler_.waitDone(*future);
  future = nullptr;
  // Behind it: a callback that has run knows that those before have too, with one worker.
  EXPECT_EQ(outcome("then", {done(1)}), "2");
  for (;;) {
    std::lock_guard lock(mutex_);
    if (!unobserved_.empty()) break;
    std::this_thread::yield();
  }
  EXPECT_EQ(unobserved_, std::vector<std::string>{"ValueError: boom"});
}

// ---- from C++ -----------------------------------------------------------------------------------

TEST_P(Derivation, CallbacksAreTasks) {
  Promise promise;
  std::atomic<bool> wasTask{false};
  auto sum = then(
      *promise.future(),
      [&](const IValue& x) {
        wasTask = Scheduler::current() == &scheduler_;
        return IValue(x.toInt() + 1);
      },
      &scheduler_);
  promise.complete(1);
  EXPECT_EQ(outcomeOf(*sum), "2");
  EXPECT_TRUE(wasTask);
}

TEST_P(Derivation, CallbacksStartInOrder) {
  if (workers() > 1) GTEST_SKIP() << "several workers run them at the same time";
  Promise promise;
  std::vector<int> order;
  std::vector<Ref<FutureState>> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(then(
        *promise.future(),
        [&order, i](const IValue&) {
          order.push_back(i);
          return IValue();
        },
        &scheduler_));
  promise.complete(1);
  waitNative(*collect(Collect::FailFast, all));
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_P(Derivation, TasksThatOthersWaitForAreStillToStart) {
  // `s` is claimed while `f` is newer; taking `g` then clears away what was claimed below it.
  const auto code = compileText(R"(main(%n : int):
  %s : Future[int] = prim::fork_0(%n)
  %f : Future[int] = prim::fork_0(%n)
  %l : Future[int][] = prim::ListConstruct(%f)
  %any : Future[int] = tine::any(%l)
  %x : int = aten::wait(%s)
  %g : Future[int] = prim::fork_1(%any)
  %r : int = aten::wait(%g)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %one : int = prim::Constant[value=1]()
  %r : int = aten::add(%n, %one)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %one : int = prim::Constant[value=1]()
  %r : int = aten::add(%n, %one)
  return (%r)
with prim::fork_1 = graph(%any : Future[int]):
  %r : int = aten::wait(%any)
  return (%r)
)");
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(testing::outcome(scheduler_, code, "main", {i}), std::to_string(i + 1));
}

TEST_P(Derivation, CallbacksMayWait) {
  // F2: what the callback waits for can only be done by the worker that runs it.
  auto outer = then(
      *done(3),
      [&](const IValue& x) {
        return waitNative(*scheduler_.run(code_, "flattens", {done(x.toInt())}));
      },
      &scheduler_);
  EXPECT_EQ(outcomeOf(*outer), "6");
  auto flat = then(
      *done(3), [&](const IValue& x) { return IValue(scheduler_.run(code_, "twice", {x})); },
      &scheduler_);
  EXPECT_EQ(outcomeOf(*flat), "6");
}

TEST_P(Derivation, CallbackThatThrows) {
  auto wrong = then(
      *done(3), [](const IValue&) -> IValue { throw std::out_of_range("row 7"); }, &scheduler_);
  EXPECT_NE(outcomeOf(*wrong).find("row 7"), std::string::npos);
  // E3: the waiter of a promise that a failing callback was to complete.
  Ref<FutureState> result;
  {
    auto promise = std::make_shared<Promise>();
    result = promise->future();
    auto skipped = then(
        *failed("no key"),
        [promise](const IValue& x) {
          promise->complete(x);
          return IValue();
        },
        &scheduler_);
    EXPECT_EQ(outcomeOf(*skipped), "KeyError: no key");
  }
  EXPECT_EQ(outcomeOf(*result).substr(0, 33), "BrokenPromise: the promise made a");
}

TEST_P(Derivation, WaitWithALimit) {
  Promise promise;
  auto twice = scheduler_.run(code_, "then", {promise.future()});
  EXPECT_THROW(waitNative(*twice, milliseconds(1)), RuntimeError);
  EXPECT_THROW(waitNative(*promise.future(), milliseconds(1)), RuntimeError);
  EXPECT_FALSE(twice->done());
  promise.complete(4);
  EXPECT_EQ(waitNative(*twice, hours(1)).toInt(), 8);
  EXPECT_EQ(waitNative(*twice, milliseconds(0)).toInt(), 8);
}

TEST_P(Derivation, ShutdownFailsWhatIsNotDone) {
  Promise promise;
  Ref<FutureState> waiting, all;
  {
    Scheduler scheduler({.workers = workers()});
    waiting = then(
        *promise.future(), [](const IValue& x) { return x; }, &scheduler);
    all = collect(Collect::FailFast, {waiting, promise.future()}, &scheduler);
  }
  EXPECT_EQ(outcomeOf(*waiting), "Shutdown: the scheduler was destroyed");
  EXPECT_EQ(outcomeOf(*all), "Shutdown: the scheduler was destroyed");
  promise.complete(1); // and nobody is called
}

TEST_P(Derivation, LongChains) {
  constexpr int kLength = 20'000;
  runOnStack(kSmallStack, [&] {
    for (const bool fails : {false, true}) {
      Promise promise;
      Ref<FutureState> last = promise.future();
      for (int i = 0; i < kLength; ++i)
        last = i % 2 ? then(
                           *last, [](const IValue& x) { return IValue(x.toList().items[0]); },
                           &scheduler_)
                     : collect(Collect::FailFast, {last}, &scheduler_);
      if (fails)
        promise.fail(Error(error_kind::Key, "no key"));
      else
        promise.complete(3);
      EXPECT_EQ(outcomeOf(*last), fails ? "KeyError: no key" : "3");
    }
  });
}

TEST_P(Derivation, Stress) {
  // F3: no wake-up is lost.
  constexpr int kRounds = 500, kFutures = 50;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Ref<FutureState>> futures;
    for (int i = 0; i < kFutures; ++i)
      futures.push_back(then(*scheduler_.run(code_, "twice", {i}),
                             [](const IValue& x) { return IValue(x.toInt() + 1); }));
    const IValue all = waitNative(*collect(Collect::FailFast, futures));
    ASSERT_EQ(all.toList().items.size(), std::size_t(kFutures));
    for (int i = 0; i < kFutures; ++i)
      ASSERT_EQ(all.toList().items[std::size_t(i)].toInt(), 2 * i + 1);
  }
}

TEST_P(Derivation, ThreadsCompleteWhileOthersRegister) {
  for (int round = 0; round < 200; ++round) {
    Promise promise;
    auto running = scheduler_.run(code_, "all", {promise.future(), promise.future()});
    std::thread other([&] { promise.complete(round); });
    auto sum = then(
        *promise.future(), [](const IValue& x) { return x; }, &scheduler_);
    auto first = collect(Collect::First, {sum, running}, &scheduler_);
    waitNative(*first);
    EXPECT_EQ(waitNative(*sum).toInt(), round);
    EXPECT_EQ(waitNative(*running).toList().items[1].toInt(), round);
    other.join();
  }
}

// ---- without a scheduler ------------------------------------------------------------------------

TEST(PlainFutures, CallbacksRunWhereTheFutureIsCompleted) {
  Promise promise;
  std::thread::id where;
  auto next = then(*promise.future(), [&](const IValue& x) {
    where = std::this_thread::get_id();
    return IValue(x.toInt() * 2);
  });
  EXPECT_FALSE(next->done());
  std::thread other([&] { promise.complete(4); });
  const auto otherId = other.get_id();
  other.join();
  EXPECT_EQ(waitNative(*next).toInt(), 8);
  EXPECT_EQ(where, otherId);
}

TEST(PlainFutures, BrokenPromisesComeThrough) {
  Ref<FutureState> next, all, settled;
  const int line = __LINE__ + 2;
  {
    Promise promise;
    next = then(*promise.future(), [](const IValue& x) { return x; });
    all = collect(Collect::FailFast, {next});
    settled = collect(Collect::Settle, {promise.future()});
  }
  try {
    waitNative(*all);
    FAIL() << "no error";
  } catch (const RuntimeError& error) {
    EXPECT_EQ(error.kind(), "BrokenPromise");
    EXPECT_NE(error.message().find("future_test.cpp:" + std::to_string(line)), std::string::npos)
        << error.message();
  }
  EXPECT_TRUE(waitNative(*settled).toList().items[0].asFuture().failed());
}

TEST(PlainFutures, Limit) {
  Promise promise;
  EXPECT_THROW(waitNative(*promise.future(), milliseconds(1)), RuntimeError);
  promise.complete(1);
  EXPECT_EQ(waitNative(*promise.future(), hours(1'000'000)).toInt(), 1);
}

TEST(PlainFutures, CallbackWaitsForWhatItCompletes) {
  Promise first;
  auto next = then(*first.future(), [](const IValue& x) {
    Promise second;
    auto inner = then(*second.future(), [](const IValue& y) { return y; });
    second.complete(x);
    return waitNative(*inner);
  });
  first.complete(5);
  EXPECT_EQ(waitNative(*next).toInt(), 5);
}

TEST(PlainFutures, LongChains) {
  runOnStack(kSmallStack, [] {
    Promise promise;
    Ref<FutureState> last = promise.future();
    for (int i = 0; i < 50'000; ++i)
      last = then(*last, [](const IValue& x) { return IValue(x.toInt() + 1); });
    promise.complete(0);
    EXPECT_EQ(waitNative(*last).toInt(), 50'000);
  });
}

} // namespace
} // namespace tine::testing
