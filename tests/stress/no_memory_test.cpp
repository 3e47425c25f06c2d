// Memory runs out: of every allocation that a small program leads to, from the making of its
// scheduler to the end of that, one after the other fails, and then three in a row. What comes is
// the right result or MemoryError; nothing hangs, stays behind or ends the process.
//
// Allocations are those by operator new, which this executable replaces.

#include "interpreter/futures.h"
#include "tests/stress/failing_new.h"
#include "tests/unit/interpreter/programs.h"

#include <set>
#include <thread>

namespace tine::testing {
namespace {

constexpr const char* kPrograms = R"(list(%n : int):
  %true : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %fs : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %true)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%i)
      %l : Future[int][] = aten::append(%fs, %f)
      -> (%true)
  %r : int = prim::Loop(%n, %true, %0)
    block0(%j : int, %s : int):
      %g : Future[int] = aten::__getitem__(%fs, %j)
      %x : int = aten::wait(%g)
      %t : int = aten::add(%s, %x)
      -> (%true, %t)
  return (%r)
with prim::fork_0 = graph(%i : int):
  %s : str = aten::str(%i)
  %r : int = aten::len(%s)
  return (%r)

promises(%n : int):
  %p : Future[int] = tine::promise()
  %a : Future[int] = prim::fork_0(%p)
  %b : Future[int] = prim::fork_1(%p)
  %l : Future[int][] = prim::ListConstruct(%a, %b)
  %all : Future[int[]] = tine::collect_all(%l)
   = tine::complete(%p, %n)
  %rs : int[] = aten::wait(%all)
  %r : int = aten::sum(%rs)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)
with prim::fork_1 = graph(%p : Future[int]):
  %r : int = test::wait(%p)
  return (%r)

callbacks(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  %next : Function = prim::Constant[name="next"]()
  %a : Future[int] = tine::then(%f, %next, %n)
  %b : Future[int] = tine::then(%a, %next, %n)
  %limit : float = prim::Constant[value=1000.]()
  %r : int = tine::wait_timeout(%b, %limit)
  return (%r)
with prim::fork_0 = graph(%n : int):
  return (%n)

next(%x : int, %n : int):
  %r : int = aten::add(%x, %n)
  return (%r)

raise(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %0 : int = prim::Constant[value=0]()
  %f : Future[int] = prim::fork_1(%n, %0)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_1 = graph(%n : int, %0 : int):
  %r : int = aten::floordiv(%n, %0)
  return (%r)

outside(%p : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %f : Future[int] = prim::fork_0(%p)
  %x : int = aten::wait(%f)
  %r : int = aten::add(%x, %1)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = test::wait(%p)
  return (%x)

never(%n : int):
  %p : Future[int] = tine::promise()
  %a : Future[int] = prim::fork_0(%p)
  %r : int = aten::wait(%a)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)

forever(%n : int):
  %m : int = prim::Constant[value=9223372036854775807]()
  %true : bool = prim::Constant[value=1]()
  %a : Future[int] = prim::fork_0(%n)
   = prim::Loop(%m, %true)
    block0(%i : int):
      -> (%true)
  return (%n)
with prim::fork_0 = graph(%n : int):
  %p : Future[int] = tine::promise()
  %r : int = test::wait(%p)
  return (%r)
)";

class NoMemory : public WithWorkers {
protected:
  NoMemory() {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::wait(Future(int) f) -> int",
             [](Ref<FutureState> f) { return waitNative(*f).toInt(); });
    code_ = compileText(kPrograms, ops);
    fib_ = compileText(kFib);
  }

  std::string outcomeOf(FutureState& future) {
    try {
      return waitNative(future).str();
    } catch (const RuntimeError& error) {
      return error.kind();
    } catch (const std::bad_alloc&) {
      return "MemoryError";
    }
  }

  /// Does it once for each allocation that can fail. What C++ code asks for in vain is bad_alloc.
  void tryAll(const std::set<std::string>& right, llvm::function_ref<std::string()> f) {
    for (const std::int64_t inARow : {1, 3}) {
      std::int64_t first = 1;
      for (bool all = false; !all; ++first) {
        ::alarm(60); // the watchdog's, anew
        at_ = first;
        std::string outcome;
        {
          const Failing failing(first, inARow);
          try {
            outcome = f();
          } catch (const std::bad_alloc&) {
            outcome = "MemoryError";
          } catch (const RuntimeError& error) {
            outcome = error.kind();
          }
          all = failing.asked() < first;
        }
        ASSERT_TRUE(right.count(outcome) || (!all && outcome == "MemoryError"))
            << outcome << ", where allocation " << first << " failed";
        if (all) {
          EXPECT_NE(outcome, "MemoryError");
        }
      }
      EXPECT_GT(first, 2);
    }
  }
  /// The same with the result of a function.
  void tryFunction(const std::shared_ptr<const Code>& code, llvm::StringRef function,
                   std::int64_t n, const std::string& right) {
    tryAll({right}, [&] {
      Scheduler scheduler({.workers = workers(), .stackSize = 64 * 1024});
      return outcomeOf(*scheduler.run(code, function, {n}));
    });
  }
  std::shared_ptr<const Code> code_, fib_;
  std::int64_t at_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Workers, NoMemory, ::testing::Values(0, 1, 2),
                         [](const auto& param) { return std::to_string(param.param); });

TEST_P(NoMemory, RecursiveForks) { tryFunction(fib_, "fib", 7, "13"); }
TEST_P(NoMemory, ForksInAList) { tryFunction(code_, "list", 20, "30"); }
TEST_P(NoMemory, Errors) { tryFunction(code_, "raise", 1, "ZeroDivisionError"); }
TEST_P(NoMemory, Promises) { tryFunction(code_, "promises", 3, "6"); }
TEST_P(NoMemory, Callbacks) { tryFunction(code_, "callbacks", 3, "9"); }
TEST_P(NoMemory, Deadlocks) { tryFunction(code_, "never", 3, "Deadlock"); }

TEST_P(NoMemory, PromisesThatAThreadCompletes) {
  tryAll({"8"}, [&] {
    Scheduler scheduler({.workers = workers(), .stackSize = 64 * 1024});
    Promise promise;
    const std::jthread thread([&] { promise.complete(7); });
    return outcomeOf(*scheduler.run(code_, "outside", {promise.future()}));
  });
}

TEST_P(NoMemory, Cancelling) {
  if (workers() == 0) GTEST_SKIP() << "the caller would run it for ever";
  tryAll({"Cancelled"}, [&] {
    Scheduler scheduler({.workers = workers(), .stackSize = 64 * 1024});
    const auto future = scheduler.run(code_, "forever", {1});
    cancel(*future);
    return outcomeOf(*future);
  });
}

TEST_P(NoMemory, Deadlines) {
  if (workers() == 0) GTEST_SKIP() << "what the program waits for never comes";
  tryAll({"Timeout"}, [&] {
    Scheduler scheduler({.workers = workers(), .stackSize = 64 * 1024});
    const TaskContext context{.deadline = deadlineIn(std::chrono::microseconds(200))};
    return outcomeOf(*scheduler.run(code_, "forever", {1}, &context));
  });
}

TEST_P(NoMemory, TheEnd) {
  if (workers() == 0) GTEST_SKIP() << "nothing runs";
  tryAll({"Shutdown"}, [&] {
    Ref<FutureState> future;
    Promise promise;
    {
      Scheduler scheduler({.workers = workers(), .stackSize = 64 * 1024});
      scheduler.run(code_, "forever", {1});
      future = scheduler.run(code_, "outside", {promise.future()});
    }
    return outcomeOf(*future);
  });
}

// Whoever unwinds for want of memory frees what it had, and fails what others wait for.
TEST(NoMemoryAtAll, IsNeededToFreeOrToFail) {
  constexpr std::int64_t kEver = std::int64_t(1) << 60;
  IValue all = IValue::list({});
  std::vector<Ref<FutureState>> futures;
  for (int i = 0; i < 10'000; ++i) {
    auto inner = makeRef<FutureState>(FutureState::Phase::Running);
    inner->complete(IValue::list({IValue::tuple({IValue("text"), i})}));
    auto outer = makeRef<FutureState>(FutureState::Phase::Running);
    outer->complete(IValue(std::move(inner)));
    auto dict = makeRef<Dict>();
    dict->set("k", IValue(std::move(outer)));
    auto object = makeRef<Object>();
    object->slots.push_back(IValue(std::move(dict)));
    futures.push_back(makeRef<FutureState>(FutureState::Phase::Running));
    object->slots.push_back(IValue(futures.back()));
    all.toList().items.push_back(IValue(std::move(object)));
  }
  const auto error = std::make_shared<const Error>(error_kind::Cancelled, "it was cancelled");
  std::size_t failed = 0;
  const std::int64_t before = liveCount(Live::Value);
  std::int64_t freeing;
  {
    const Failing failing(1, kEver);
    for (const Ref<FutureState>& future : futures) {
      future->fail(error);
      failed += future->failed() && future->error()->kind == error_kind::Memory;
    }
    const std::int64_t asked = failing.asked();
    for (Ref<FutureState>& future : futures) future = nullptr;
    all = IValue();
    freeing = failing.asked() - asked;
  }
  EXPECT_EQ(failed, 10'000u);
  EXPECT_EQ(freeing, 0);
  EXPECT_EQ(before - liveCount(Live::Value), 1 + 10'000 * 6);
}

} // namespace
} // namespace tine::testing
