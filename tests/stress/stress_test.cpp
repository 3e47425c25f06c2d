// Everything at once, again and again, with one worker and with many more than there are
// processors.
//
//   make stress SECONDS=600        TINE_STRESS_SEED=1234 makes it begin with another seed
//
// Each round has a seed, which a failure names: TINE_STRESS_SEED=n TINE_STRESS_ROUNDS=1 repeats it,
// as far as what threads do can be repeated; the programs and what is done to them are the same.

#include "interpreter/futures.h"
#include "tests/random_program.h"
#include "tests/same_result.h"
#include "tests/unit/interpreter/programs.h"

#include <chrono>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>
#include <unistd.h>

namespace tine::testing {
namespace {

constexpr int kWorkers[] = {1, 2, 3, 8, 16};
constexpr int kTests = 6; // which share the time
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kDefaultSeconds = 30;
#else
constexpr double kDefaultSeconds = 18;
#endif

double setting(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atof(text) : otherwise;
}

/// The rounds of a test: at least one, while its part of the time lasts.
class Rounds {
public:
  Rounds()
      : seed_(static_cast<std::uint64_t>(setting("TINE_STRESS_SEED", 1))), first_(seed_),
        limit_(static_cast<std::uint64_t>(setting("TINE_STRESS_ROUNDS", 1e15))),
        end_(Clock::now() + std::chrono::milliseconds(static_cast<int>(
                                1000 * setting("TINE_STRESS_SECONDS", kDefaultSeconds) / kTests))) {
  }
  ~Rounds() {
    std::printf("             seeds %llu to %llu\n", static_cast<unsigned long long>(first_),
                static_cast<unsigned long long>(seed_ - 1));
  }
  /// `more`: whatever time it takes, but for TINE_STRESS_ROUNDS.
  bool next(bool more = false) {
    ::alarm(static_cast<unsigned>(setting("TINE_WATCHDOG", 60))); // the watchdog's, anew
    const bool isFirst = seed_ == first_;
    if (!isFirst && seed_ - first_ >= limit_) return false;
    if (!isFirst && !more && Clock::now() > end_) return false;
    if (::testing::Test::HasFailure()) return false;
    random.seed(seed_);
    ++seed_;
    return true;
  }
  std::uint64_t seed() const { return seed_ - 1; }
  std::uint64_t below(std::uint64_t n) { return random() % n; }
  bool oneIn(std::uint64_t n) { return below(n) == 0; }
  int workers() { return kWorkers[below(std::size(kWorkers))]; }

private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t seed_;
  const std::uint64_t first_, limit_;
  const Clock::time_point end_;
  std::mt19937_64 random;
};

constexpr const char* kPrograms = R"(wait(%p : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %f : Future[int] = prim::fork_0(%p)
  %x : int = aten::wait(%f)
  %r : int = aten::add(%x, %1)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

native(%p : Future[int]):
  %1 : int = prim::Constant[value=1]()
  %f : Future[int] = prim::fork_0(%p)
  %x : int = test::wait(%f)
  %r : int = aten::add(%x, %1)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = test::wait(%p)
  return (%x)

deep(%n : int, %p : Future[int]):
  %r : int = test::deep(%n, %p)
  return (%r)

raise(%p : Future[int]):
  %0 : int = prim::Constant[value=0]()
  %x : int = aten::wait(%p)
  %r : int = aten::floordiv(%x, %0)
  return (%r)

left(%n : int):
  %p : Future[int] = tine::promise()
  %a : Future[int] = prim::fork_0(%n)
  %b : Future[int] = prim::fork_1(%p)
  return (%n)
with prim::fork_0 = graph(%n : int):
  %s : str = aten::str(%n)
  %r : int = aten::len(%s)
  return (%r)
with prim::fork_1 = graph(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)
)";

std::string outcomeOf(FutureState& future) {
  try {
    return waitNative(future).str();
  } catch (const RuntimeError& error) {
    return error.kind();
  }
}

class Stress : public ::testing::Test {
protected:
  Stress() {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::wait(Future(int) f) -> int",
             [](Ref<FutureState> f) { return waitNative(*f).toInt(); });
    // As deep as it says, each on top of an operator that waits.
    ops->add("test::deep(int n, Future(int) p) -> int", [this](std::int64_t n, Ref<FutureState> p) {
      if (n == 0) return waitNative(*p).toInt();
      const auto inner = Scheduler::current()->run(code_, "deep", {n - 1, IValue(std::move(p))});
      return waitNative(*inner).toInt() + 1;
    });
    code_ = compileText(kPrograms, ops);
  }
  std::shared_ptr<const Code> code_;
  std::shared_ptr<const Code> fib_ = compileText(kFib);
};

TEST_F(Stress, RandomProgramsGiveTheSerialResult) {
  SameResult same;
  for (Rounds rounds; rounds.next();) {
    SCOPED_TRACE(rounds.seed());
    RandomProgramOptions options;
    options.tensors = rounds.oneIn(2);
    options.statements = 6 + static_cast<int>(rounds.below(20));
    const CompilationUnit unit = randomProgram(rounds.seed(), options);
    const std::vector<IValue> inputs = randomInputs(rounds.seed(), options);
    const std::string serial = same.observe(unit, "main", inputs, 0);
    for (const int workers : kWorkers)
      ASSERT_EQ(same.observe(unit, "main", inputs, workers), serial) << workers << " workers";
  }
}

// Futures made of futures, of two schedulers, of promises that other threads complete; waited for
// in any order, dropped, failed, cancelled. Each has a set of outcomes that are right.
TEST_F(Stress, RandomFuturesOfFutures) {
  using Outcomes = std::set<std::string>;
  struct Node {
    Ref<FutureState> future;
    Outcomes right;
  };
  const auto isError = [](const std::string& outcome) { return !std::isdigit(outcome[0]); };
  for (Rounds rounds; rounds.next();) {
    SCOPED_TRACE(rounds.seed());
    Scheduler first({.workers = rounds.workers()}), second({.workers = rounds.workers()});
    std::vector<Node> nodes;
    std::vector<std::thread> threads;
    std::vector<std::vector<Promise>> promises(3);
    const auto any = [&]() -> Node& { return nodes[rounds.below(nodes.size())]; };
    for (int i = 0; i < 30; ++i) {
      Scheduler& scheduler = rounds.oneIn(2) ? first : second;
      Node made;
      switch (nodes.size() < 4 ? 0 : rounds.below(7)) {
      case 0: {
        Promise promise;
        made.future = promise.future();
        made.right = {std::to_string(rounds.below(promises.size()))};
        const auto value = static_cast<std::size_t>(std::stoi(*made.right.begin()));
        promises[value].push_back(std::move(promise));
        break;
      }
      case 1:
      case 2: { // what the function makes of one
        const bool native = rounds.oneIn(2);
        const Node& of = any();
        made.future = scheduler.run(code_, native ? "native" : "wait", {IValue(of.future)});
        for (const std::string& outcome : of.right)
          made.right.insert(isError(outcome) ? outcome : std::to_string(std::stoi(outcome) + 1));
        break;
      }
      case 3: {
        const Node& of = any();
        made.future = scheduler.run(code_, "raise", {IValue(of.future)});
        for (const std::string& outcome : of.right)
          made.right.insert(isError(outcome) ? outcome : "ZeroDivisionError");
        break;
      }
      case 4: { // perhaps a future of a future
        const Node &of = any(), &result = any();
        const bool flattens = rounds.oneIn(2);
        made.future = then(
            *of.future,
            [flattens, other = result.future](const IValue& x) {
              return flattens ? IValue(other) : IValue(x.toInt() + 10);
            },
            &scheduler);
        for (const std::string& outcome : of.right) {
          if (isError(outcome))
            made.right.insert(outcome);
          else if (flattens)
            made.right.insert(result.right.begin(), result.right.end());
          else
            made.right.insert(std::to_string(std::stoi(outcome) + 10));
        }
        break;
      }
      case 5:
      default: {
        std::vector<Ref<FutureState>> futures;
        Outcomes errors, all;
        bool maySucceed = true;
        for (std::uint64_t n = 1 + rounds.below(5); n > 0; --n) {
          const Node& of = any();
          futures.push_back(of.future);
          bool succeeds = false;
          for (const std::string& outcome : of.right) {
            succeeds |= !isError(outcome);
            if (isError(outcome)) errors.insert(outcome);
            all.insert(outcome);
          }
          maySucceed &= succeeds;
        }
        if (rounds.oneIn(2)) {
          made.future = collect(Collect::First, futures, &scheduler);
          made.right = all;
        } else {
          const auto list = collect(Collect::FailFast, futures, &scheduler);
          made.future = then(
              *list,
              [](const IValue& x) { return IValue(static_cast<int>(x.toList().items.size())); },
              &scheduler);
          made.right = errors;
          if (maySucceed) made.right.insert(std::to_string(futures.size()));
        }
      }
      }
      nodes.push_back(std::move(made));
    }
    // All are made: cancelling one changes what those may give that are made of it.
    Outcomes cancelled;
    const bool cancels = rounds.oneIn(2);
    std::vector<Ref<FutureState>> toCancel;
    if (cancels)
      for (int i = 0; i < 4; ++i) toCancel.push_back(any().future);
    for (std::size_t value = 0; value < promises.size(); ++value)
      threads.emplace_back([&list = promises[value], value] {
        for (Promise& promise : list) {
          try {
            promise.complete(static_cast<int>(value));
          } catch (const RuntimeError&) {
            ADD_FAILURE() << "completed twice";
          }
        }
      });
    if (cancels)
      threads.emplace_back([&] {
        for (const auto& future : toCancel) cancel(*future);
      });
    for (int i = 0; i < 40; ++i) { // twice, or never
      const Node& node = any();
      const std::string outcome = outcomeOf(*node.future);
      ASSERT_TRUE(node.right.count(outcome) || (cancels && outcome == "Cancelled")) << outcome;
    }
    for (std::thread& thread : threads) thread.join();
    if (rounds.oneIn(2))
      for (const Node& node : nodes) outcomeOf(*node.future);
  }
}

TEST_F(Stress, TenThousandSchedulersComeAndGo) {
  int made = 0;
  for (Rounds rounds; rounds.next(made < 10'000);) {
    SCOPED_TRACE(rounds.seed());
    for (int i = 0; i < 20; ++i, ++made) {
      Scheduler scheduler({.workers = static_cast<int>(rounds.below(5))});
      const auto n = static_cast<std::int64_t>(rounds.below(8));
      if (rounds.oneIn(3)) continue;
      const auto left = scheduler.run(code_, "left", {n});
      const auto fib = scheduler.run(fib_, "fib", {n});
      if (rounds.oneIn(2)) {
        ASSERT_EQ(waitNative(*left).toInt(), n);
      }
      if (rounds.oneIn(2)) outcomeOf(*fib);
    }
  }
  std::printf("             %d schedulers\n", made);
}

TEST_F(Stress, PromisesAreCompletedDuringShutdown) {
  for (Rounds rounds; rounds.next();) {
    SCOPED_TRACE(rounds.seed());
    std::vector<Ref<FutureState>> futures;
    std::vector<std::thread> threads;
    {
      Scheduler scheduler({.workers = rounds.workers()});
      for (int t = 0; t < 3; ++t) {
        std::vector<Promise> promises(5);
        for (Promise& promise : promises)
          for (const char* function : {"wait", "native"}) {
            futures.push_back(scheduler.run(code_, function, {promise.future()}));
            futures.push_back(then(
                *futures.back(), [](const IValue& x) { return x; }, &scheduler));
          }
        threads.emplace_back([list = std::move(promises), drop = rounds.oneIn(4)]() mutable {
          for (Promise& promise : list)
            if (!drop) promise.complete(1);
        });
      }
      if (rounds.oneIn(2)) std::this_thread::yield();
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& future : futures) {
      const std::string outcome = outcomeOf(*future);
      ASSERT_TRUE(outcome == "2" || outcome == "Shutdown" || outcome == "BrokenPromise") << outcome;
    }
  }
}

TEST_F(Stress, SmallestStacks) {
  for (Rounds rounds; rounds.next();) {
    SCOPED_TRACE(rounds.seed());
    Scheduler scheduler({.workers = rounds.workers(), .stackSize = 16 * 1024});
    std::vector<Ref<FutureState>> futures;
    std::vector<std::int64_t> depths;
    Promise promise;
    for (int i = 0; i < 5; ++i) {
      depths.push_back(static_cast<std::int64_t>(rounds.below(60)));
      futures.push_back(scheduler.run(code_, "deep", {depths.back(), promise.future()}));
    }
    std::thread thread([&] { promise.complete(7); });
    for (std::size_t i = 0; i < futures.size(); ++i)
      ASSERT_EQ(outcomeOf(*futures[i]), std::to_string(depths[i] + 7));
    thread.join();
    ASSERT_EQ(outcome(scheduler, fib_, "fib", {12}), "144");
  }
}

// Memory runs out anywhere; what does not fail is right, and the scheduler serves who comes later.
TEST_F(Stress, LittleMemory) {
  int failed = 0;
  for (Rounds rounds; rounds.next();) {
    SCOPED_TRACE(rounds.seed());
    Scheduler scheduler({.workers = static_cast<int>(rounds.below(4)),
                         .memory = std::size_t(16 * 1024) << rounds.below(7)});
    RandomProgramOptions options;
    options.tensors = false;
    const auto code =
        compile(randomProgram(rounds.seed(), options), OpSet::sharedBuiltin()).value();
    Scheduler serial({.workers = 0});
    const std::string right = outcome(serial, code, "main", randomInputs(rounds.seed(), options));
    const auto mustBe = [&](const std::string& got, const std::string& wanted) {
      const bool out = got.rfind("RuntimeError: calls and forks without end", 0) == 0;
      failed += out;
      EXPECT_TRUE(got == wanted || out) << got << "\n" << wanted;
    };
    mustBe(outcome(scheduler, code, "main", randomInputs(rounds.seed(), options)), right);
    mustBe(outcome(scheduler, fib_, "fib", {16}), "987");
    mustBe(outcome(scheduler, fib_, "plain", {10}), "55");
  }
  std::printf("             %d ran out\n", failed);
}

} // namespace
} // namespace tine::testing
