#include "tests/unit/interpreter/programs.h"

#include <thread>

namespace tine::testing {
namespace {

class Fork : public WithWorkers {
protected:
  std::string outcome(llvm::StringRef function, std::vector<IValue> arguments) {
    return testing::outcome(*scheduler_, code_, function, std::move(arguments));
  }
  void compileAll(const char* text, std::shared_ptr<const OpSet> ops = nullptr) {
    code_ = compileText(text, std::move(ops));
    ASSERT_TRUE(code_);
  }
  std::unique_ptr<Scheduler> scheduler_ =
      std::make_unique<Scheduler>(Scheduler::Config{.workers = workers()});
  std::shared_ptr<const Code> code_;
};
TINE_WITH_WORKERS(Fork);

TEST_P(Fork, RecursiveTrees) {
  compileAll(kFib);
  EXPECT_EQ(outcome("fib", {18}), "2584");
  const Scheduler::Stats stats = scheduler_->stats();
  EXPECT_EQ(stats.tasks, 4180u); // one per inner node
  EXPECT_EQ(stats.inlined + stats.taken, 4180u + 1);
}

TEST_P(Fork, BinaryTreeOfDepthTwelve) {
  compileAll(R"(tree(%d : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %leaf : bool = aten::eq(%d, %0)
  %r : int = prim::If(%leaf)
    block0():
      -> (%1)
    block1():
      %e : int = aten::sub(%d, %1)
      %a : Future[int] = prim::fork_0(%e)
      %b : Future[int] = prim::fork_1(%e)
      %x : int = aten::wait(%a)
      %y : int = aten::wait(%b)
      %s : int = aten::add(%x, %y)
      -> (%s)
  return (%r)
with prim::fork_0 = graph(%d : int):
  %f : Function = prim::Constant[name="tree"]()
  %r : int = prim::CallFunction(%f, %d)
  return (%r)
with prim::fork_1 = graph(%d : int):
  %f : Function = prim::Constant[name="tree"]()
  %r : int = prim::CallFunction(%f, %d)
  return (%r)
)");
  EXPECT_EQ(outcome("tree", {12}), "4096");
}

TEST_P(Fork, ArgumentsOfEveryNumber) {
  compileAll(R"(f(%a : int, %b : Tensor):
  %3 : int = prim::Constant[value=3]()
  %n : Future[int] = prim::fork_0()
  %two : Future[(Tensor, int)] = prim::fork_1(%b, %a)
  %same : Future[(int, int)] = prim::fork_2(%a, %3)
  %x : int = aten::wait(%n)
  %y : (Tensor, int) = aten::wait(%two)
  %z : (int, int) = aten::wait(%same)
  %r : (int, (Tensor, int), (int, int), Tensor) = prim::TupleConstruct(%x, %y, %z, %b)
  return (%r)
with prim::fork_0 = graph():
  %7 : int = prim::Constant[value=7]()
  return (%7)
with prim::fork_1 = graph(%b : Tensor, %a : int):
  return (%b, %a)
with prim::fork_2 = graph(%a : int, %c : int):
  %f : Function = prim::Constant[name="swap"]()
  %r : (int, int) = prim::CallFunction(%f, %c, %a)
  return (%r)

swap(%p : int, %q : int):
  return (%p, %q)
)");
  EXPECT_EQ(outcome("f", {1, Tensor::scalar(2.5)}),
            "(7, (tensor(2.5000), 1), (3, 1), tensor(2.5000))");
}

TEST_P(Fork, WaitsForAListThatOneHasOrSeveralHave) {
  compileAll(R"(twice(%x : int[], %i : int):
  %y : int[] = aten::append(%x, %i)
  return (%x)

sum(%l : Future[int[]][], %n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %s : int = prim::Loop(%n, %t, %0)
    block0(%i : int, %s.1 : int):
      %f : Future[int[]] = aten::__getitem__(%l, %i)
      %x : int[] = aten::wait(%f)
      %y : int = aten::__getitem__(%x, %1)
      %s.2 : int = aten::add(%s.1, %y)
      -> (%t, %s.2)
  return (%s)

forks(%n : int):
  %t : bool = prim::Constant[value=1]()
  %l : Future[int[]][] = prim::ListConstruct()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %x : int[] = prim::ListConstruct(%i)
      %f : Future[int[]] = prim::fork_0(%x, %i)
      %m : Future[int[]][] = aten::append(%l, %f)
      -> (%t)
  return (%l)
with prim::fork_0 = graph(%x : int[], %i : int):
  %twice : Function = prim::Constant[name="twice"]()
  %y : int[] = prim::CallFunction(%twice, %x, %i)
  return (%y)

alone(%n : int):
  %forks : Function = prim::Constant[name="forks"]()
  %sum : Function = prim::Constant[name="sum"]()
  %l : Future[int[]][] = prim::CallFunction(%forks, %n)
  %s : int = prim::CallFunction(%sum, %l, %n)
  return (%s)

again(%n : int):
  %forks : Function = prim::Constant[name="forks"]()
  %sum : Function = prim::Constant[name="sum"]()
  %l : Future[int[]][] = prim::CallFunction(%forks, %n)
  %f : Future[int] = prim::fork_0(%l, %n)
  %a : int = prim::CallFunction(%sum, %l, %n)
  %b : int = aten::wait(%f)
  %c : int = prim::CallFunction(%sum, %l, %n)
  %0 : int = prim::Constant[value=0]()
  %first : Future[int[]] = aten::__getitem__(%l, %0)
  %x : int[] = aten::wait(%first)
  %r : (int, int, int, int[]) = prim::TupleConstruct(%a, %b, %c, %x)
  return (%r)
with prim::fork_0 = graph(%l : Future[int[]][], %n : int):
  %sum : Function = prim::Constant[name="sum"]()
  %s : int = prim::CallFunction(%sum, %l, %n)
  return (%s)

never(%n : int):
  %x : int[] = prim::ListConstruct(%n)
  %f : Future[int[]] = prim::fork_0(%x, %n)
   = tine::cancel(%f)
  %r : int[] = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%x : int[], %i : int):
  %twice : Function = prim::Constant[name="twice"]()
  %y : int[] = prim::CallFunction(%twice, %x, %i)
  return (%y)
)");
  EXPECT_EQ(outcome("alone", {100}), "4950");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(outcome("again", {100}), "(4950, 4950, 4950, [0, 0])");
  if (workers() > 0) return; // there it may have started
  EXPECT_EQ(outcome("never", {1}), "Cancelled: the future was cancelled");
}

TEST_P(Fork, FuturesInContainersAndSeveralWaits) {
  compileAll(R"(f(%n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %a : Future[int[]] = prim::fork_0(%n)
  %l : Future[int[]][] = prim::ListConstruct(%a, %a)
  %t : (Future[int[]][], int) = prim::TupleConstruct(%l, %n)
  %m : Future[int[]][] = prim::TupleIndex(%t, %0)
  %b : Future[int[]] = aten::__getitem__(%m, %1)
  %x : int[] = aten::wait(%b)
  %y : int[] = aten::wait(%a)
  %u : int[] = aten::append(%y, %n)
  %inner : Future[Future[int]] = prim::fork_1(%n)
  %f : Future[int] = aten::wait(%inner)
  %z : int = aten::wait(%f)
  %r : (int[], int[], int) = prim::TupleConstruct(%x, %y, %z)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %l : int[] = prim::ListConstruct(%n)
  return (%l)
with prim::fork_1 = graph(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  return (%f)
with prim::fork_0 = graph(%n : int):
  %2 : int = prim::Constant[value=2]()
  %m : int = aten::mul(%n, %2)
  return (%m)

dict(%n : int):
  %k : str = prim::Constant[value="k"]()
  %a : Future[int] = prim::fork_0(%n)
  %d : Dict(str, Future(int)) = prim::DictConstruct(%k, %a)
  %b : Future[int] = aten::__getitem__(%d, %k)
  %r : int = aten::wait(%b)
  return (%r)
with prim::fork_0 = graph(%n : int):
  return (%n)
)");
  EXPECT_EQ(outcome("f", {5}), "([5, 5], [5, 5], 10)"); // one list, seen through one future
  EXPECT_EQ(outcome("dict", {5}), "5");
}

// fs = []; for i < n: fs.append(fork(id or wait(fs[-1]) + 1)); wait(fs[-1])
constexpr const char* kChain = R"(chain(%n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %first : Future[int] = prim::fork_0(%0)
  %last : Future[int] = prim::Loop(%n, %t, %first)
    block0(%i : int, %before : Future[int]):
      %next : Future[int] = prim::fork_1(%before)
      -> (%t, %next)
  %r : int = aten::wait(%last)
  return (%r)
with prim::fork_0 = graph(%x : int):
  return (%x)
with prim::fork_1 = graph(%before : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %x : int = aten::wait(%before)
  %y : int = aten::add(%x, %1)
  return (%y)
)";

TEST_P(Fork, ChainsWhereEachWaitsForTheOneBefore) {
  compileAll(kChain);
  EXPECT_EQ(outcome("chain", {10000}), "10000");
}

TEST_P(Fork, DeeplyNestedWaits) {
  compileAll(R"(down(%n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %end : bool = aten::eq(%n, %0)
  %r : int = prim::If(%end)
    block0():
      -> (%0)
    block1():
      %m : int = aten::sub(%n, %1)
      %f : Future[int] = prim::fork_0(%m)
      %x : int = aten::wait(%f)
      %y : int = aten::add(%x, %1)
      -> (%y)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %f : Function = prim::Constant[name="down"]()
  %r : int = prim::CallFunction(%f, %n)
  return (%r)
)");
  EXPECT_EQ(outcome("down", {100000}), "100000");
}

TEST_P(Fork, ManyPendingThenWaitedInOrder) {
  compileAll(R"(fan(%n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %l : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%i)
      %z : Future[int][] = aten::append(%l, %f)
      -> (%t)
  %r : int = prim::Loop(%n, %t, %0)
    block0(%j : int, %acc : int):
      %g : Future[int] = aten::__getitem__(%l, %j)
      %w : int = aten::wait(%g)
      %s : int = aten::add(%acc, %w)
      -> (%t, %s)
  return (%r)
with prim::fork_0 = graph(%n : int):
  return (%n)

dropped(%n : int):
  %t : bool = prim::Constant[value=1]()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%i)
      -> (%t)
  return (%n)
with prim::fork_0 = graph(%n : int):
  return (%n)
)");
  EXPECT_EQ(outcome("fan", {30000}), "449985000");
  EXPECT_EQ(outcome("dropped", {10000}), "10000");
  scheduler_.reset(); // unstarted ones are dropped, or have run: nothing is left
}

/// Operators that note what runs, in order.
struct Journal {
  std::shared_ptr<OpSet> ops = std::make_shared<OpSet>(OpSet::builtin());
  std::mutex mutex;
  std::vector<std::int64_t> notes;
  Journal() {
    ops->add("test::note(int x) -> int", [this](std::int64_t x) {
      std::lock_guard lock(mutex);
      notes.push_back(x);
      return x;
    });
  }
};

constexpr const char* kNotes = R"(f(%n : int):
  %t : bool = prim::Constant[value=1]()
  %5 : int = prim::Constant[value=5]()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%i)
      -> (%t)
  %five : Future[int] = prim::fork_1(%5)
  %w : int = aten::wait(%five)
  %100 : int = prim::Constant[value=100]()
  %x : int = test::note(%100)
  return (%x)
with prim::fork_0 = graph(%n : int):
  %r : int = test::note(%n)
  return (%r)
with prim::fork_1 = graph(%n : int):
  %r : int = test::note(%n)
  return (%r)
)";

TEST_P(Fork, ThoseThatNobodyWaitsForRunTwo) {
  Journal journal;
  compileAll(kNotes, journal.ops);
  EXPECT_EQ(outcome("f", {4}), "100");
  // They run some time; when all workers have nothing left to do.
  for (;;) {
    {
      std::lock_guard lock(journal.mutex);
      if (journal.notes.size() == 6) break;
    }
    std::this_thread::yield();
  }
  scheduler_.reset();
  std::sort(journal.notes.begin(), journal.notes.end());
  EXPECT_THAT(journal.notes, ::testing::ElementsAre(0, 1, 2, 3, 5, 100));
}

TEST(ForkOrder, WithoutWorkersTheOrderIsAlwaysTheSame) {
  for (int i = 0; i < 3; ++i) {
    Journal journal;
    auto code = compileText(kNotes, journal.ops);
    Scheduler scheduler({.workers = 0});
    EXPECT_EQ(outcome(scheduler, code, "f", {4}), "100");
    // The one that is waited for starts then; the others follow the root, in program order.
    EXPECT_THAT(journal.notes, ::testing::ElementsAre(5, 100, 0, 1, 2, 3));
  }
}

TEST_P(Fork, ManyRootsFromManyThreadsOnOneColdCode) {
  compileAll(kFib);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        if (run(*scheduler_, code_, "fib", {10}).toInt() == 55) right.fetch_add(1);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right.load(), 160);
}

TEST_P(Fork, CodeLivesAsLongAsItsTasks) {
  compileAll(kChain);
  std::weak_ptr<const Code> watch = code_;
  Promise promise;
  auto waits = compileText(R"(f(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)
)");
  auto future = scheduler_->run(std::move(waits), "f", {promise.future()});
  auto other = scheduler_->run(std::move(code_), "chain", {10});
  EXPECT_EQ(scheduler_->wait(*other).toInt(), 10);
  promise.complete(3);
  EXPECT_EQ(scheduler_->wait(*future).toInt(), 3);
  scheduler_.reset();
  EXPECT_TRUE(watch.expired());
}

} // namespace
} // namespace tine::testing
