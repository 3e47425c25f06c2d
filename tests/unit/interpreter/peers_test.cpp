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

} // namespace
} // namespace tine::testing
