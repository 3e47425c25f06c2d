// What can never go on is found, and said with all who wait; what may go on is let alone.

#include "interpreter/futures.h"
#include "llvm/ADT/StringRef.h"
#include "tests/unit/interpreter/programs.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

namespace tine::testing {
namespace {

constexpr const char* kPrograms = R"(lonely():
  %p : Future[int] = tine::promise() # p.py:90:0
  %r : int = aten::wait(%p) # p.py:91:0
  return (%r)

chain(%x : int):
  %p : Future[int] = tine::promise() # p.py:2:0
  %f : Future[int] = prim::fork_0(%p) # p.py:3:0
  %r : int = aten::wait(%f) # p.py:4:0
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %outer : Function = prim::Constant[name="outer"]()
  %r : int = prim::CallFunction(%outer, %p) # p.py:3:9
  return (%r)

outer(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p) # p.py:12:0
  %r : int = aten::wait(%f) # p.py:13:0
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %middle : Function = prim::Constant[name="middle"]()
  %r : int = prim::CallFunction(%middle, %p)
  return (%r)

middle(%p : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %inner : Function = prim::Constant[name="inner"]()
  %x : int = prim::CallFunction(%inner, %p) # p.py:18:0
  %r : int = aten::add(%x, %1)
  return (%r)

inner(%p : Future[int]):
  %r : int = aten::wait(%p) # p.py:22:0
  return (%r)

wait(%p : Future[int]):
  %r : int = aten::wait(%p) # p.py:26:0
  return (%r)

self():
  %p : Future[Future[int]] = tine::promise()
  %a : Future[int] = prim::fork_0(%p) # p.py:31:0
   = tine::complete(%p, %a)
  %r : int = aten::wait(%a) # p.py:33:0
  return (%r)
with prim::fork_0 = graph(%p : Future[Future[int]]):
  %self : Future[int] = aten::wait(%p) # p.py:36:0
  %r : int = aten::wait(%self) # p.py:37:0
  return (%r)

circle():
  %p : Future[Future[int]] = tine::promise()
  %q : Future[Future[int]] = tine::promise()
  %o : Future[Future[int]] = tine::promise()
  %a : Future[int] = prim::fork_0(%p) # p.py:44:0
  %b : Future[int] = prim::fork_0(%q) # p.py:45:0
  %c : Future[int] = prim::fork_0(%o) # p.py:46:0
   = tine::complete(%p, %b)
   = tine::complete(%q, %c)
   = tine::complete(%o, %a)
  %x : int = aten::wait(%a) # p.py:50:0
  return (%x)
with prim::fork_0 = graph(%p : Future[Future[int]]):
  %other : Future[int] = aten::wait(%p)
  %r : int = aten::wait(%other) # p.py:54:0
  return (%r)
with prim::fork_0 = graph(%p : Future[Future[int]]):
  %other : Future[int] = aten::wait(%p)
  %r : int = aten::wait(%other) # p.py:54:0
  return (%r)
with prim::fork_0 = graph(%p : Future[Future[int]]):
  %other : Future[int] = aten::wait(%p)
  %r : int = aten::wait(%other) # p.py:54:0
  return (%r)

registers():
  %p : Future[int] = tine::promise()
  %q : Future[int] = tine::promise()
  %a : Future[int] = prim::fork_0(%p, %q)
  %b : Future[int] = prim::fork_0(%q, %p)
  %x : int = aten::wait(%a)
  return (%x)
with prim::fork_0 = graph(%p : Future[int], %q : Future[int]):
  %x : int = aten::wait(%p)
   = tine::complete(%q, %x)
  return (%x)
with prim::fork_0 = graph(%p : Future[int], %q : Future[int]):
  %x : int = aten::wait(%p)
   = tine::complete(%q, %x)
  return (%x)

containers():
  %1 : int = prim::Constant[value=1]()
  %p : Future[int] = tine::promise()
  %q : Future[int] = tine::promise()
  %l : Future[int][] = prim::ListConstruct(%q)
  %t : (Future[int][], int) = prim::TupleConstruct(%l, %1)
  %d : Dict(int, (Future[int][], int)) = prim::DictConstruct(%1, %t)
  %a : Future[int] = prim::fork_0(%p, %d)
  %done : Future[Future[int]] = prim::fork_0(%p)
  %keep : Future[int] = aten::wait(%done)
  %b : Future[int] = prim::fork_0(%q, %done)
  %x : int = aten::wait(%a)
  return (%x)
with prim::fork_0 = graph(%p : Future[int], %d : Dict(int, (Future[int][], int))):
  %x : int = aten::wait(%p)
  %n : int = aten::len(%d)
  return (%n)
with prim::fork_0 = graph(%p : Future[int]):
  return (%p)
with prim::fork_0 = graph(%q : Future[int], %done : Future[Future[int]]):
  %x : int = aten::wait(%q)
  %p : Future[int] = aten::wait(%done)
   = tine::complete(%p, %x)
  return (%x)

unwaited():
  %f : Function = prim::Constant[name="complete"]()
  %p : Future[int] = tine::promise()
  %q : Future[int] = tine::promise()
  %t : Future[int] = tine::then(%q, %f, %p)
  %x : int = aten::wait(%p)
   = tine::complete(%q, %x)
  return (%x)

after(%from : Future[int]):
  %f : Function = prim::Constant[name="complete"]()
  %p : Future[int] = tine::promise()
  %t : Future[int] = tine::then(%from, %f, %p)
  %x : int = aten::wait(%p)
  return (%x)

complete(%x : int, %p : Future[int]):
   = tine::complete(%p, %x)
  return (%x)

make():
  %p : Future[int] = tine::promise()
  return (%p)

relay(%from : Future[int], %to : Future[int][]):
  %0 : int = prim::Constant[value=0]()
  %x : int = aten::wait(%from)
  %p : Future[int] = aten::__getitem__(%to, %0)
   = tine::complete(%p, %x)
  return (%x)

relayed(%from : Future[int]):
  %p : Future[int] = tine::promise()
  %l : Future[int][] = prim::ListConstruct(%p)
  %f : Future[int] = prim::fork_0(%from, %l)
  %r : int = aten::wait(%p)
  return (%r)
with prim::fork_0 = graph(%from : Future[int], %l : Future[int][]):
  %relay : Function = prim::Constant[name="relay"]()
  %r : int = prim::CallFunction(%relay, %from, %l)
  return (%r)

both(%from : Future[int]):
  %p : Future[int] = tine::promise()
  %l : Future[int][] = prim::ListConstruct(%from, %p)
  %all : Future[int[]] = tine::collect_all(%l)
  %r : int[] = aten::wait(%all)
  %n : int = aten::len(%l)
  return (%n)

native():
  %p : Future[int] = tine::promise() # p.py:111:0
  %f : Future[int] = prim::fork_0(%p) # p.py:112:0
  %r : int = test::wait(%f) # p.py:113:0
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = test::wait(%p) # p.py:116:0
  return (%r)

many(%n : int):
  %p : Future[int] = tine::promise() # p.py:121:0
  %true : bool = prim::Constant[value=1]()
  %l : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %true)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%p) # p.py:125:0
      %m : Future[int][] = aten::append(%l, %f)
      -> (%true)
  %all : Future[int[]] = tine::collect_all_settle(%l)
  %x : int[] = aten::wait(%all) # p.py:128:0
  %0 : int = prim::Constant[value=0]()
  %first : Future[int] = aten::__getitem__(%l, %0)
  %r : int = aten::wait(%first)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = aten::wait(%p) # p.py:134:0
  return (%r)
)";

class Deadlocks : public WithWorkers {
protected:
  Deadlocks() : scheduler_({.workers = workers()}) {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::wait(Future(int) f) -> int",
             [](Ref<FutureState> f) { return waitNative(*f).toInt(); });
    code_ = compileText(kPrograms, ops);
  }
  std::string outcomeOf(llvm::StringRef function, std::vector<IValue> arguments = {}) {
    return outcome(scheduler_, code_, function, std::move(arguments));
  }
  std::string outcomeOf(FutureState& future) {
    try {
      return scheduler_.wait(future).str();
    } catch (const RuntimeError& error) {
      return error.kind();
    }
  }
  /// Who waits, as a Deadlock's message lists them, each with its traceback. Of a tree of tasks it
  /// does not depend on who runs what on top of whom.
  static std::multiset<std::string> waiting(const std::string& outcome) {
    std::multiset<std::string> found;
    EXPECT_EQ(outcome.rfind("Deadlock: nothing can run, and ", 0), 0u) << outcome;
    llvm::StringRef rest = llvm::StringRef(outcome).split('\n').second;
    while (!rest.empty()) {
      std::size_t end = 0;
      do end = std::min(rest.find('\n', end + 1), rest.size());
      while (rest.substr(end).starts_with("\n    "));
      const llvm::StringRef one = rest.take_front(end).ltrim("\n ");
      found.insert(one.str());
      rest = rest.drop_front(end);
    }
    return found;
  }

  Scheduler scheduler_;
  std::shared_ptr<const Code> code_;
};
TINE_WITH_WORKERS(Deadlocks);

const std::string kPromise = "a promise that nobody completes, made in ";
const std::string kForked = "<forked function>";

TEST_P(Deadlocks, ListAllTasksOfAChainWithTheirTracebacks) {
  EXPECT_EQ(
      waiting(outcomeOf("chain", {1})),
      (std::multiset<std::string>{
          "inner at p.py:22:1 waits for " + kPromise +
              "chain at p.py:2:1\n    called in middle at p.py:18:1\n    forked in outer at "
              "p.py:12:1",
          "outer at p.py:13:1 waits for task middle, forked in outer at p.py:12:1\n    forked "
          "in chain at p.py:3:1",
          "chain at p.py:4:1 waits for task outer, forked in chain at p.py:3:1"}));
}

TEST_P(Deadlocks, SayTheSameWhenAThreadWaitsToo) {
  const std::string wanted = "Deadlock: nothing can run, and 1 waits:\n  lonely at p.py:91:1 waits "
                             "for " +
                             kPromise + "lonely at p.py:90:1";
  for (int i = 0; i < 20; ++i) EXPECT_EQ(outcomeOf("lonely"), wanted);
}

// The fastest of many, since the machine may be doing something else; most take less than 1 ms.
TEST_P(Deadlocks, AreFoundWithin100Milliseconds) {
  using Clock = std::chrono::steady_clock;
  auto fastest = Clock::duration::max();
  for (int i = 0; i < 50 && fastest > std::chrono::milliseconds(100); ++i) {
    const Clock::time_point begin = Clock::now();
    EXPECT_EQ(waiting(outcomeOf("chain", {1})).size(), 3u);
    fastest = std::min(fastest, Clock::now() - begin);
  }
  EXPECT_LE(fastest, std::chrono::milliseconds(100));
}

TEST_P(Deadlocks, OfATaskThatWaitsForItself) {
  const std::string forked = "task " + kForked + ", forked in self at p.py:31:1";
  EXPECT_EQ(waiting(outcomeOf("self")),
            (std::multiset<std::string>{kForked + " at p.py:37:1 waits for " + forked +
                                            "\n    forked in self at p.py:31:1",
                                        "self at p.py:33:1 waits for " + forked}));
}

TEST_P(Deadlocks, OfACircleOfThree) {
  const auto one = [](int self, int other) {
    const auto line = [](int n) { return "circle at p.py:" + std::to_string(n) + ":1"; };
    return kForked + " at p.py:54:1 waits for task " + kForked + ", forked in " + line(other) +
           "\n    forked in " + line(self);
  };
  EXPECT_EQ(waiting(outcomeOf("circle")),
            (std::multiset<std::string>{one(44, 45), one(45, 46), one(46, 44),
                                        "circle at p.py:50:1 waits for task " + kForked +
                                            ", forked in circle at p.py:44:1"}));
}

TEST_P(Deadlocks, OfOperatorsThatWaitOnTopOfEachOther) {
  EXPECT_EQ(waiting(outcomeOf("native")),
            (std::multiset<std::string>{kForked + " at p.py:116:1 waits for " + kPromise +
                                            "native at p.py:111:1\n    forked in native at "
                                            "p.py:112:1",
                                        "native at p.py:113:1 waits for task " + kForked +
                                            ", forked in native at p.py:112:1"}));
}

TEST_P(Deadlocks, ThousandsAtOnePlaceAreOneLine) {
  const std::string found = outcomeOf("many", {20000});
  EXPECT_NE(found.find("\n  " + kForked + " at p.py:134:1 waits for " + kPromise +
                       "many at p.py:121:1 (20000 of these)\n    forked in many at p.py:125:1"),
            std::string::npos)
      << found;
}

TEST_P(Deadlocks, WhenOnlyThoseWhoWaitHaveThePromises) {
  for (const char* function : {"registers", "containers", "unwaited"})
    EXPECT_EQ(outcomeOf(function).rfind("Deadlock: nothing can run, and ", 0), 0u) << function;
}

TEST_P(Deadlocks, NotWhileSomebodyOutsideHasThePromise) {
  for (const bool completes : {true, false}) {
    IValue promise = run(scheduler_, code_, "make", {});
    const auto waits = scheduler_.run(code_, "chain", {1});
    const auto other = scheduler_.run(code_, "wait", {promise});
    // By now all has been looked at: the one is found, and the other not.
    EXPECT_EQ(outcomeOf(*waits), "Deadlock");
    EXPECT_FALSE(other->done());
    if (completes)
      EXPECT_EQ(outcomeOf("complete", {3, std::move(promise)}), "3");
    else
      promise = IValue();
    EXPECT_EQ(outcomeOf(*other), completes ? "3" : "Deadlock");
  }
}

TEST_P(Deadlocks, NotWhileATaskThatMayGoOnHasThePromise) {
  for (const char* function : {"relayed", "after"}) {
    Promise promise;
    const auto waits = scheduler_.run(code_, function, {promise.future()});
    EXPECT_EQ(outcomeOf("self").rfind("Deadlock: ", 0), 0u);
    EXPECT_FALSE(waits->done()) << function;
    promise.complete(7);
    EXPECT_EQ(outcomeOf(*waits), "7") << function;
  }
}

TEST_P(Deadlocks, AreFoundWhileOthersWaitForTheOutside) {
  Promise promise, unrelated;
  const auto waits = scheduler_.run(code_, "wait", {promise.future()});
  const std::string found = outcomeOf("chain", {1});
  EXPECT_EQ(found.rfind("Deadlock: ", 0), 0u) << found;
  EXPECT_EQ(found.find("wait at p.py:26"), std::string::npos) << found;
  EXPECT_FALSE(waits->done());
  promise.complete(1);
  EXPECT_EQ(outcomeOf(*waits), "1");
}

TEST_P(Deadlocks, OfACollectionOnceTheLastThatMayEndHasEnded) {
  Promise promise;
  const auto waits = scheduler_.run(code_, "both", {promise.future()});
  EXPECT_EQ(outcomeOf("self").rfind("Deadlock: ", 0), 0u);
  EXPECT_FALSE(waits->done());
  promise.complete(1);
  EXPECT_EQ(outcomeOf(*waits), "Deadlock");
}

// Somebody outside always has the handle, if only on its way into the next run.
TEST_P(Deadlocks, NoneIsSeenWhileThreadsPassPromisesAround) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        IValue promise = run(scheduler_, code_, "make", {});
        const auto waits = scheduler_.run(code_, i % 2 ? "wait" : "both", {promise});
        const auto completes = scheduler_.run(code_, "complete", {i, std::move(promise)});
        if (i % 2)
          EXPECT_EQ(outcomeOf(*waits), std::to_string(i));
        else
          EXPECT_EQ(outcomeOf(*waits), "Deadlock"); // its own promise
        EXPECT_EQ(outcomeOf(*completes), std::to_string(i));
      }
    });
  for (std::thread& thread : threads) thread.join();
}

// What the deadlock itself breaks is not told beside it.
TEST_P(Deadlocks, NobodyHearsOfThePromisesThatItBreaks) {
  const auto code = compileText(R"(closure():
  %p : Future[int] = tine::promise()
  %cb : Function = prim::Constant[name="cb"]()
  %one : int = prim::Constant[value=1]()
  %q : Future[int] = tine::promise()
  %t : Future[int] = tine::then(%q, %cb, %p)
  %r : int = aten::wait(%p)
   = tine::complete(%q, %one)
  return (%r)

cb(%x : int, %p : Future[int]):
   = tine::complete(%p, %x)
  return (%x)

broken():
  %cb : Function = prim::Constant[name="shift"]()
  %q : Future[int] = tine::promise()
  %t : Future[int] = tine::then(%q, %cb)
  %one : int = prim::Constant[value=1]()
  return (%one)

shift(%x : int):
  return (%x)
)");
  std::mutex mutex;
  std::vector<std::string> heard;
  const auto hook = [&](const std::shared_ptr<const Error>& error) {
    std::lock_guard lock(mutex);
    heard.push_back(error->kind);
  };
  {
    Scheduler scheduler({.workers = workers(), .onUnobservedError = hook});
    EXPECT_THAT(outcome(scheduler, code, "closure"), ::testing::StartsWith("Deadlock: "));
    EXPECT_EQ(outcome(scheduler, code, "broken"), "1");
  }
  EXPECT_EQ(heard, std::vector<std::string>{error_kind::BrokenPromise}) << "of `broken` alone";
}

} // namespace
} // namespace tine::testing
