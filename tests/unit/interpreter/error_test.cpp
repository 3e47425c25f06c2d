#include "support/lines.h"
#include "tests/unit/interpreter/programs.h"

#include <mutex>
#include <thread>

namespace tine::testing {
namespace {

class Errors : public WithWorkers {
protected:
  /// The error of a call.
  RuntimeError failure(const std::shared_ptr<const Code>& code, llvm::StringRef function,
                       std::vector<IValue> arguments) {
    try {
      run(scheduler_, code, function, std::move(arguments));
    } catch (const RuntimeError& error) {
      return error;
    }
    ADD_FAILURE() << "no error";
    return RuntimeError("none", "");
  }
  Scheduler scheduler_{{.workers = workers()}};
};
TINE_WITH_WORKERS(Errors);

TEST_P(Errors, KindsOfRaisedExceptions) {
  auto code = compileText(R"(f(%message : str, %cls : str?):
   = prim::RaiseException(%message, %cls)
  return (%message)

g(%message : str):
   = prim::RaiseException(%message)
  return (%message)
)");
  EXPECT_EQ(outcome(scheduler_, code, "f", {"boom", "builtins.ValueError"}), "ValueError: boom");
  EXPECT_EQ(outcome(scheduler_, code, "f", {"boom", "my.own.Kind"}), "Kind: boom");
  EXPECT_EQ(outcome(scheduler_, code, "f", {"boom", "Plain"}), "Plain: boom");
  EXPECT_EQ(outcome(scheduler_, code, "f", {"AssertionError: must", IValue()}),
            "AssertionError: must");
  EXPECT_EQ(outcome(scheduler_, code, "g", {"boom"}), "RuntimeError: boom");
  EXPECT_EQ(outcome(scheduler_, code, "g", {"AssertionError: "}), "AssertionError: ");
}

constexpr const char* kForkInFork = R"(main(%l : int[]):
  %f : Function = prim::Constant[name="helper"]()
  %r : int = prim::CallFunction(%f, %l) # p.py:3:11
  return (%r)

helper(%l : int[]):
  %a : Future[int] = prim::fork_0(%l) # p.py:7:8
  %r : int = aten::wait(%a) # p.py:8:11
  return (%r)
with prim::fork_0 = graph(%l : int[]):
  %f : Function = prim::Constant[name="outer"]()
  %r : int = prim::CallFunction(%f, %l)
  return (%r)

outer(%l : int[]):
  %b : Future[int] = prim::fork_0(%l) # p.py:12:8
  %r : int = aten::wait(%b) # p.py:13:11
  return (%r)
with prim::fork_0 = graph(%l : int[]):
  %9 : int = prim::Constant[value=9]()
  %f : Function = prim::Constant[name="inner"]() 
  %r : int = prim::CallFunction(%f, %l, %9) # p.py:12:20
  return (%r)

inner(%l : int[], %i : int):
  %r : int = aten::__getitem__(%l, %i) # p.py:17:11
  return (%r)
)";

TEST_P(Errors, TracebacksListCallsAndForks) {
  auto code = compileText(kForkInFork);
  const RuntimeError error = failure(code, "main", {IValue::list({1})});
  EXPECT_EQ(error.kind(), error_kind::Index);
  EXPECT_EQ(error.message(), "list index out of range");
  EXPECT_EQ(error.error().place.str(), "p.py:17:12");
  EXPECT_EQ(trace(error), "main:3\n"
                          "helper:8\n"
                          "helper:7\n"
                          "> outer:13\n"
                          "outer:12\n"
                          "> <forked function>:12\n"
                          "inner:17\n");
}

TEST_P(Errors, EveryWaitSeesTheSame) {
  auto code = compileText(R"(make(%l : int[]):
  %f : Future[int] = prim::fork_0(%l) # p.py:2:0
  return (%f)
with prim::fork_0 = graph(%l : int[]):
  %9 : int = prim::Constant[value=9]()
  %r : int = aten::__getitem__(%l, %9) # p.py:4:0
  return (%r)

use(%f : Future[int]):
  %r : int = aten::wait(%f) # p.py:8:0
  return (%r)
)");
  IValue future = run(scheduler_, code, "make", {IValue::list({})});
  const RuntimeError first = failure(code, "use", {future});
  const RuntimeError second = failure(code, "use", {future});
  EXPECT_EQ(trace(first), "use:8\nmake:2\n> <forked function>:4\n");
  EXPECT_EQ(first.kind(), second.kind());
  EXPECT_EQ(first.message(), second.message());
  EXPECT_EQ(first.traceback(), second.traceback());
  // The future's own error is one object, however often it is looked at.
  EXPECT_EQ(future.asFuture().error(), future.asFuture().error());
  EXPECT_EQ(trace(RuntimeError(future.asFuture().error())), "make:2\n> <forked function>:4\n");
}

TEST_P(Errors, OfAForkInAForkAreThoseOfACallWithBothForksAndCarets) {
  constexpr llvm::StringLiteral text = R"(start(%l : int[]):
  %f : Future[int] = prim::fork_0(%l)
  return (%f)
with prim::fork_0 = graph(%l : int[]):
  %f : Future[int] = prim::fork_0(%l)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%l : int[]):
  %get : Function = prim::Constant[name="get"]()
  %nine : int = prim::Constant[value=9]()
  %r : int = prim::CallFunction(%get, %l, %nine)
  return (%r)

get(%l : int[],
    %i : int):
  %r : int = aten::__getitem__(%l, %i)
  return (%r)

use(%f : Future[int]):
  %r : int = aten::wait(%f)
  return (%r)
)";
  auto code = compileText(text);
  const auto shown = [&](const RuntimeError& error) {
    SourceLines lines(SourceLines::Files::Leave);
    lines.add("t.ir", text);
    return lines.shown(error.error()).str();
  };
  const RuntimeError plain = failure(code, "get", {IValue::list({1}), 9});
  const std::string what = "t.ir:16:3: error: list index out of range\n"
                           "  %r : int = aten::__getitem__(%l, %i)\n"
                           "  ^\n"
                           "traceback (outermost first):\n";
  const std::string where = "  in get, at t.ir:16:3\n"
                            "      %r : int = aten::__getitem__(%l, %i)\n"
                            "      ^\n";
  EXPECT_EQ(shown(plain), what + where);

  IValue future = run(scheduler_, code, "start", {IValue::list({1})});
  const RuntimeError first = failure(code, "use", {future});
  const RuntimeError second = failure(code, "use", {future});
  EXPECT_EQ(first.kind(), plain.kind());
  EXPECT_EQ(first.message(), plain.message());
  EXPECT_EQ(shown(first), what +
                              "  in use, at t.ir:20:3\n"
                              "      %r : int = aten::wait(%f)\n"
                              "      ^\n"
                              "  in start, at t.ir:2:3\n"
                              "      %f : Future[int] = prim::fork_0(%l)\n"
                              "      ^\n"
                              "  in <forked function>, started by a fork, at t.ir:6:3\n"
                              "      %r : int = aten::wait(%f)\n"
                              "      ^\n"
                              "  in <forked function>, at t.ir:5:3\n"
                              "      %f : Future[int] = prim::fork_0(%l)\n"
                              "      ^\n"
                              "  in <forked function>, started by a fork, at t.ir:11:3\n"
                              "      %r : int = prim::CallFunction(%get, %l, %nine)\n"
                              "      ^\n" +
                              where);
  EXPECT_EQ(second.kind(), first.kind());
  EXPECT_EQ(shown(second), shown(first));
}

TEST_P(Errors, LongTracebacksLoseTheirMiddle) {
  auto code = compileText(R"(down(%n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %end : bool = aten::eq(%n, %0)
   = prim::If(%end)
    block0():
      %x : int = aten::floordiv(%1, %0) # p.py:5:0
      -> ()
    block1():
      -> ()
  %m : int = aten::sub(%n, %1)
  %f : Future[int] = prim::fork_0(%m) # p.py:7:0
  %keep : Future[int][] = prim::ListConstruct(%f)
  %r : int = aten::wait(%f) # p.py:8:0
  %len : int = aten::len(%keep)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %f : Function = prim::Constant[name="down"]()
  %r : int = prim::CallFunction(%f, %n)
  return (%r)
)");
  const RuntimeError error = failure(code, "down", {2000});
  EXPECT_EQ(error.kind(), error_kind::ZeroDivision);
  EXPECT_EQ(error.traceback().size(), 201u);
  EXPECT_EQ(error.traceback().front().place.line, 8u);
  EXPECT_EQ(error.traceback()[100].function, "...");
  EXPECT_EQ(error.traceback().back().place.line, 5u);
}

TEST_P(Errors, ThoseThatNobodySeesReachTheHookOnce) {
  std::mutex mutex;
  std::vector<std::string> heard;
  auto code = compileText(R"(f(%n : int):
  %0 : int = prim::Constant[value=0]()
  %a : Future[int] = prim::fork_0(%n, %0)
  return (%n)
with prim::fork_0 = graph(%n : int, %z : int):
  %r : int = aten::floordiv(%n, %z) # p.py:4:0
  return (%r)

bad(%n : int):
  %0 : int = prim::Constant[value=0]()
  %r : int = aten::floordiv(%n, %0)
  return (%r)
)");
  {
    Scheduler scheduler(
        {.workers = workers(), .onUnobservedError = [&](const std::shared_ptr<const Error>& error) {
           std::lock_guard lock(mutex);
           heard.push_back(error->kind + " " + error->place.str());
         }});
    EXPECT_EQ(outcome(scheduler, code, "f", {1}), "1");
    for (;;) {
      std::lock_guard lock(mutex);
      if (!heard.empty()) break;
      std::this_thread::yield();
    }
    // What somebody saw is not unobserved.
    auto bad = scheduler.run(code, "bad", {1});
    EXPECT_THROW(scheduler.wait(*bad), RuntimeError);
  }
  EXPECT_THAT(heard, ::testing::ElementsAre("ZeroDivisionError p.py:4:1"));
}

// A hook that throws ends neither the process nor what dropped the future.
TEST_P(Errors, HooksMayThrow) {
  std::atomic<int> heard{0};
  auto code = compileText(R"(f(%n : int):
  %0 : int = prim::Constant[value=0]()
  %a : Future[int] = prim::fork_0(%n, %0)
  return (%n)
with prim::fork_0 = graph(%n : int, %z : int):
  %r : int = aten::floordiv(%n, %z)
  return (%r)
)");
  ::testing::internal::CaptureStderr();
  {
    Scheduler scheduler(
        {.workers = workers(), .onUnobservedError = [&](const std::shared_ptr<const Error>&) {
           ++heard;
           throw std::runtime_error("the disk is full");
         }});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(outcome(scheduler, code, "f", {i}), std::to_string(i));
    while (heard < 3) std::this_thread::yield();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "tine: onUnobservedError threw RuntimeError: the disk is full (more of the kind are "
            "not reported)\n");
}

TEST_P(Errors, WhenMemoryIsOut) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("test::allocate(int x) -> int",
           [](std::int64_t) -> std::int64_t { throw std::bad_alloc(); });
  ops->add("test::reserve(int x) -> int", [](std::int64_t x) {
    std::vector<std::int64_t>().reserve(static_cast<std::size_t>(x));
    return x;
  });
  auto code = compileText(R"(allocate(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %r : int = test::allocate(%n)
  return (%r)

reserve(%n : int):
  %r : int = test::reserve(%n)
  return (%r)
)",
                          ops);
  const RuntimeError error = failure(code, "allocate", {1});
  EXPECT_EQ(error.kind() + ": " + error.message(),
            "MemoryError: no memory is left for what the program makes");
  EXPECT_EQ(error.traceback().back().place.line, 6u);
  EXPECT_EQ(outcome(scheduler_, code, "reserve", {-1}),
            "MemoryError: a container of too many elements: vector::reserve");
}

TEST_P(Errors, AnExceptionWithoutText) {
  struct Silent : std::exception {
    const char* what() const noexcept override { return nullptr; }
  };
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("test::silent(int x) -> int", [](std::int64_t) -> std::int64_t { throw Silent(); });
  auto code = compileText("f(%x : int):\n  %r : int = test::silent(%x)\n  return (%r)\n", ops);
  EXPECT_EQ(failure(code, "f", {1}).message(), "an exception without a message");
}

TEST(Configs, AsManyWorkersAsProcessors) {
  EXPECT_EQ(Scheduler({.workers = -1}).workers(),
            std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST(Configs, ImpossibleOnesAreRefused) {
  const auto refused = [](Scheduler::Config config) {
    return said(errorOf([&] { Scheduler scheduler(std::move(config)); }));
  };
  EXPECT_EQ(refused({.workers = 100'000'000}),
            "ValueError: a scheduler with 100000000 workers: -1 is one per processor, and 4096 are "
            "the most");
  EXPECT_EQ(refused({.workers = -5}),
            "ValueError: a scheduler with -5 workers: -1 is one per processor, and 4096 are the "
            "most");
  EXPECT_EQ(refused({.workers = 1, .stackSize = ~std::size_t(0)}),
            "ValueError: a stack of 18446744073709551615 bytes: more than 4294967296");
}

TEST_P(Errors, SiblingsGoOn) {
  auto code = compileText(R"(f(%n : int):
  %0 : int = prim::Constant[value=0]()
  %a : Future[int] = prim::fork_0(%n, %0)
  %b : Future[int] = prim::fork_1(%n)
  %y : int = aten::wait(%b)
  %x : int = aten::wait(%a)
  return (%x)
with prim::fork_0 = graph(%n : int, %z : int):
  %r : int = aten::floordiv(%n, %z)
  return (%r)
with prim::fork_1 = graph(%n : int):
  return (%n)
)");
  EXPECT_EQ(failure(code, "f", {1}).kind(), error_kind::ZeroDivision);
}

// ---- deadlocks
// ------------------------------------------------------------------------------------

TEST_P(Errors, APromiseThatNobodyCompletesIsADeadlock) {
  auto code = compileText(R"(f(%n : int):
  %p : Future[int] = tine::promise() # p.py:2:0
  %a : Future[int] = prim::fork_0(%p) # p.py:3:0
  %r : int = aten::wait(%a) # p.py:4:0
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = aten::wait(%p) # p.py:7:0
  return (%r)

ok(%n : int):
  return (%n)
)");
  const RuntimeError error = failure(code, "f", {1});
  EXPECT_EQ(error.kind(), error_kind::Deadlock);
  EXPECT_THAT(error.message(), ::testing::HasSubstr("<forked function> at p.py:7:1 waits for a "
                                                    "promise that nobody completes"));
  EXPECT_EQ(outcome(scheduler_, code, "ok", {1}), "1");
}

TEST_P(Errors, ATaskThatWaitsForItselfIsADeadlock) {
  auto code = compileText(R"(f(%n : int):
  %p : Future[Future[int]] = tine::promise()
  %a : Future[int] = prim::fork_0(%p) # p.py:3:0
   = tine::complete(%p, %a)
  %r : int = aten::wait(%a) # p.py:4:0
  return (%r)
with prim::fork_0 = graph(%p : Future[Future[int]]):
  %self : Future[int] = aten::wait(%p) # p.py:7:0
  %r : int = aten::wait(%self) # p.py:8:0
  return (%r)
)");
  const RuntimeError error = failure(code, "f", {1});
  EXPECT_EQ(error.kind(), error_kind::Deadlock);
  EXPECT_THAT(error.message(),
              ::testing::HasSubstr("<forked function> at p.py:8:1 waits for task <forked "
                                   "function>, forked in f at p.py:3:1"));
}

TEST_P(Errors, TasksThatWaitForEachOtherAreADeadlock) {
  auto code = compileText(R"(f(%n : int):
  %p : Future[Future[int]] = tine::promise()
  %q : Future[Future[int]] = tine::promise()
  %a : Future[int] = prim::fork_0(%p)
  %b : Future[int] = prim::fork_0(%q)
   = tine::complete(%p, %b)
   = tine::complete(%q, %a)
  %x : int = aten::wait(%a)
  return (%x)
with prim::fork_0 = graph(%p : Future[Future[int]]):
  %other : Future[int] = aten::wait(%p)
  %r : int = aten::wait(%other) # p.py:8:0
  return (%r)
with prim::fork_0 = graph(%p : Future[Future[int]]):
  %other : Future[int] = aten::wait(%p)
  %r : int = aten::wait(%other) # p.py:9:0
  return (%r)
)");
  EXPECT_EQ(failure(code, "f", {1}).kind(), error_kind::Deadlock);
}

TEST_P(Errors, AThreadThatWaitsForSuchAPromiseIsToldToo) {
  auto code = compileText(R"(make(%n : int):
  %p : Future[int] = tine::promise()
  return (%p)
)");
  IValue promise = run(scheduler_, code, "make", {1});
  try {
    scheduler_.wait(promise.asFuture());
    FAIL();
  } catch (const RuntimeError& error) {
    EXPECT_EQ(error.kind(), error_kind::Deadlock);
    EXPECT_EQ(said(error.error()), "Deadlock: nothing can run, and 1 waits:\n  a thread outside "
                                   "waits for a promise that nobody completes, made in make at "
                                   "t.ir:2:3");
  }
  promise.asFuture().complete(3);
  EXPECT_EQ(scheduler_.wait(promise.asFuture()).toInt(), 3);
}

TEST_P(Errors, ManyRootsThatWaitForNothingAllFail) {
  auto code = compileText(R"(f(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)

make(%n : int):
  %p : Future[int] = tine::promise()
  return (%p)
)");
  IValue promise = run(scheduler_, code, "make", {1});
  std::vector<Ref<FutureState>> roots;
  for (int i = 0; i < 20; ++i) roots.push_back(scheduler_.run(code, "f", {promise}));
  promise = IValue(); // whoever has it might complete it
  for (auto& root : roots) {
    scheduler_.waitDone(*root);
    ASSERT_TRUE(root->failed());
    EXPECT_EQ(root->error()->kind, error_kind::Deadlock);
    root->markObserved();
  }
}

TEST(Limits, RecursionWithoutEndIsAnErrorWhateverRecurses) {
  std::string wide = "wide(%n : int):\n  %1 : int = prim::Constant[value=1]()\n", all;
  for (int i = 0; i < 100; ++i) { // a frame that no size class of the pool has
    const std::string name = "%v" + std::to_string(i);
    wide += "  " + name + " : int = aten::add(%n, %1)\n";
    all += (i ? ", " : "") + name;
  }
  wide += "  %f : Function = prim::Constant[name=\"wide\"]()\n"
          "  %r : int = prim::CallFunction(%f, %n)\n"
          "  %l : int[] = prim::ListConstruct(" +
          all + ")\n  %s : int = aten::sum(%l)\n  return (%s)\n\n";
  auto code = compileText(wide + R"(calls(%n : int):
  %f : Function = prim::Constant[name="calls"]()
  %r : int = prim::CallFunction(%f, %n)
  return (%r)

forks(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %f : Function = prim::Constant[name="forks"]()
  %r : int = prim::CallFunction(%f, %n)
  return (%r)

many(%a : int, %b : int):
  %f : Future[int] = prim::fork_0(%a, %b)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%a : int, %b : int):
  %f : Function = prim::Constant[name="many"]()
  %r : int = prim::CallFunction(%f, %a, %b)
  return (%r)

pending(%n : int):
  %yes : bool = prim::Constant[value=1]()
  %l : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %yes)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%i)
      %m : Future[int][] = aten::append(%l, %f)
      -> (%yes)
  %r : int = aten::len(%l)
  return (%r)
with prim::fork_0 = graph(%i : int):
  return (%i)
)");
  const std::string error =
      "RuntimeError: calls and forks without end: the program's tasks and frames need 4 MiB";
  for (int workers : {0, 1, 2, 8}) {
    Scheduler scheduler({.workers = workers, .memory = std::size_t(4) << 20});
    EXPECT_EQ(outcome(scheduler, code, "wide", {1}), error) << workers;
    EXPECT_EQ(outcome(scheduler, code, "calls", {1}), error) << workers;
    EXPECT_EQ(outcome(scheduler, code, "forks", {1}), error) << workers;
    EXPECT_EQ(outcome(scheduler, code, "many", {1, 2}), error) << workers;
    EXPECT_EQ(outcome(scheduler, code, "pending", {1000}), "1000") << workers;
    EXPECT_EQ(outcome(scheduler, code, "pending", {1'000'000}), error) << workers;
  }
}

} // namespace
} // namespace tine::testing
