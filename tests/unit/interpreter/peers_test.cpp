// What waits for tasks of several schedulers. The tests' own scheduler is the first, with each
// number of workers; the second has each number, too.

#include "interpreter/futures.h"
#include "tests/unit/interpreter/programs.h"

#include <thread>

namespace tine::testing {
namespace {

constexpr const char* kPrograms = R"(wait(%p : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %x : int = aten::wait(%p)
  %r : int = aten::add(%x, %1)
  return (%r)

native(%p : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %x : int = test::wait(%p)
  %r : int = aten::add(%x, %1)
  return (%r)

forked(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %f : Function = prim::Constant[name="wait"]()
  %r : int = prim::CallFunction(%f, %p)
  return (%r)

limited(%p : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %s : float = prim::Constant[value=3600.]()
  %x : int = tine::wait_timeout(%p, %s)
  %r : int = aten::add(%x, %1)
  return (%r)

inner(%p : Future[Future[int]]):
  %f : Future[int] = aten::wait(%p)
  %r : int = aten::wait(%f)
  return (%r)

never():
  %p : Future[int] = tine::promise()
  %r : int = aten::wait(%p)
  return (%r)

gate(%x : int):
  %r : int = test::gate(%x)
  return (%r)
)";

std::string outcomeOf(FutureState& future) {
  try {
    return waitNative(future).str();
  } catch (const RuntimeError& error) {
    return error.kind();
  }
}

class Peers : public WithWorkers {
protected:
  Peers() {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::wait(Future(int) f) -> int",
             [](Ref<FutureState> f) { return waitNative(*f).toInt(); });
    ops->add("test::gate(int x) -> int", [this](std::int64_t x) {
      open_.wait(false);
      return x;
    });
    code_ = compileText(kPrograms, ops);
  }
  /// Opens the gate when everybody else has had the time to lie down.
  std::thread opener() {
    open_ = false;
    return std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      open_ = true;
      open_.notify_all();
    });
  }
  std::atomic<bool> open_{true};
  std::shared_ptr<const Code> code_;
};
TINE_WITH_WORKERS(Peers);

// What is derived from tasks of two schedulers waits for both: one is done at once, the other when
// the gate opens.
TEST_P(Peers, DerivedFromBothIsNoDeadlock) {
  Scheduler first({.workers = workers()});
  const auto id = [](const IValue& x) { return x; };
  for (const int others : {1, 2, 8}) {
    Scheduler second({.workers = others});
    for (int how = 0; how < 6; ++how) {
      std::thread opens = opener();
      const auto slow = second.run(code_, "gate", {2});
      Promise promise;
      promise.complete(0);
      const auto fast = first.run(code_, "wait", {promise.future()});
      switch (how) {
      case 0:
        EXPECT_EQ(outcomeOf(*collect(Collect::FailFast, {fast, slow})), "[1, 2]");
        break;
      case 1:
        EXPECT_EQ(waitNative(*collect(Collect::Settle, {fast, slow})).toList().items.size(), 2u);
        EXPECT_TRUE(slow->done());
        break;
      case 2:
        EXPECT_EQ(outcomeOf(*collect(Collect::First, {then(*slow, id, &first), slow})), "2");
        break;
      case 3:
        EXPECT_EQ(outcomeOf(*then(*fast, [&](const IValue&) { return IValue(slow); })), "2");
        break;
      case 4: {
        const auto both = collect(Collect::FailFast, {fast, slow});
        const auto list = [](const IValue& x) { return x.toList().items[1]; };
        const auto last = then(*both, list, &first);
        EXPECT_EQ(outcomeOf(*first.run(code_, "forked", {last})), "3");
        break;
      }
      default:
        EXPECT_EQ(outcomeOf(*first.run(code_, "native", {then(*slow, id, &first)})), "3");
      }
      opens.join();
    }
  }
}

// A task of the second waits for one of the first, which waits for a promise. Without workers it is
// whoever waits that runs the first.
TEST_P(Peers, WhoWaitsRunsTheOther) {
  Scheduler first({.workers = workers()});
  for (const int others : kWorkerCounts) {
    Scheduler second({.workers = others});
    for (const char* function : {"wait", "forked", "limited"})
      for (const char* outer : {"wait", "forked", "limited"}) {
        Promise promise;
        const auto root = first.run(code_, function, {promise.future()});
        const auto waits = second.run(code_, outer, {root});
        promise.complete(5);
        EXPECT_EQ(outcomeOf(*waits), "7") << others << " " << function << " " << outer;
      }
  }
}

// The same by native code, and completed by another thread before or after somebody waits.
TEST_P(Peers, NativeCodeWaitsForTheOther) {
  Scheduler first({.workers = workers()});
  for (const int others : kWorkerCounts) {
    Scheduler second({.workers = others});
    for (int i = 0; i < 30; ++i) {
      Promise promise;
      const auto root = first.run(code_, "forked", {promise.future()});
      std::thread completes([p = std::move(promise)]() mutable { p.complete(5); });
      EXPECT_EQ(outcomeOf(*second.run(code_, "native", {root})), "7") << others;
      completes.join();
    }
  }
}

// Nobody but tasks waits, so only workers can help.
TEST_P(Peers, WorkersRunTheOther) {
  Scheduler first({.workers = workers()});
  for (const int others : {1, 2, 8}) {
    Scheduler second({.workers = others});
    for (const char* outer : {"wait", "native"}) {
      Promise promise;
      const auto root = first.run(code_, "wait", {promise.future()});
      const auto waits = second.run(code_, outer, {root});
      promise.complete(5);
      while (!waits->done()) std::this_thread::yield();
      EXPECT_EQ(outcomeOf(*waits), "7") << others << " " << outer;
    }
  }
}

TEST_P(Peers, ThreadsThatWaitForDerivedFuturesRunTheOther) {
  Scheduler first({.workers = workers()});
  for (const int others : kWorkerCounts) {
    Scheduler second({.workers = others});
    for (const bool limited : {false, true}) {
      Promise promise, done;
      const auto root = first.run(code_, "wait", {promise.future()});
      done.complete(1);
      const auto other = second.run(code_, "wait", {done.future()});
      const auto both = collect(Collect::FailFast, {other, root});
      promise.complete(5);
      if (limited)
        EXPECT_EQ(waitNative(*both, std::chrono::hours(1)).str(), "[2, 6]") << others;
      else
        EXPECT_EQ(outcomeOf(*both), "[2, 6]") << others;
    }
  }
}

// What can never be done in another scheduler is found there.
TEST_P(Peers, DeadlocksInTheOtherAreFound) {
  Scheduler first({.workers = workers()});
  for (const int others : kWorkerCounts) {
    Scheduler second({.workers = others});
    for (const char* function : {"wait", "forked", "native", "limited"}) {
      const auto inFirst = first.run(code_, "never", {});
      EXPECT_EQ(outcomeOf(*second.run(code_, function, {inFirst})), "Deadlock") << others;
    }
  }
}

// Schedulers come and go while others look at them.
TEST_P(Peers, ComeAndGo) {
  Scheduler first({.workers = workers()});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        Scheduler second({.workers = (t + i) % 3});
        Promise promise;
        const auto root = first.run(code_, "wait", {promise.future()});
        const auto waits = second.run(code_, "forked", {root});
        const auto back = first.run(code_, "wait", {waits});
        promise.complete(i);
        EXPECT_EQ(outcomeOf(*back), std::to_string(i + 3));
      }
    });
  for (std::thread& thread : threads) thread.join();
}

} // namespace
} // namespace tine::testing
