#include "tests/unit/interpreter/programs.h"

#include <chrono>
#include <fstream>
#include <sys/resource.h>
#include <thread>

namespace tine::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true; // slower, and memory is not what it is without
#else
constexpr bool kSanitized = false;
#endif
constexpr std::int64_t kMany = kSanitized ? 20'000 : 1'000'000;

constexpr const char* kCrowds = R"(pending(%n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %l : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%i)
      %z : Future[int][] = aten::append(%l, %f)
      -> (%t)
  %looked : int = test::look()
  %r : int = prim::Loop(%n, %t, %0)
    block0(%j : int, %acc : int):
      %g : Future[int] = aten::__getitem__(%l, %j)
      %w : int = aten::wait(%g)
      %s : int = aten::add(%acc, %w)
      -> (%t, %s)
  return (%r)
with prim::fork_0 = graph(%n : int):
  return (%n)

blocked(%p : Future[int], %n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %l : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%p)
      %z : Future[int][] = aten::append(%l, %f)
      -> (%t)
  %r : int = prim::Loop(%n, %t, %0)
    block0(%j : int, %acc : int):
      %g : Future[int] = aten::__getitem__(%l, %j)
      %w : int = aten::wait(%g)
      %s : int = aten::add(%acc, %w)
      -> (%t, %s)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)

down(%n : int):
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
)";

/// \units bytes
std::int64_t residentMemory() {
  std::ifstream file("/proc/self/statm");
  std::int64_t size = 0, resident = 0;
  file >> size >> resident;
  EXPECT_GT(resident, 0);
  return resident * 4096;
}

/// Of memory nothing is asserted where a sanitizer has its own.
void expectAtMost(std::int64_t bytes, std::int64_t limit) {
  if (kSanitized) return;
  EXPECT_LE(bytes, limit);
}

class Crowd : public ::testing::TestWithParam<int> {
protected:
  Crowd() {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::look() -> int", [this] { return seen_ = residentMemory(); });
    code_ = compileText(kCrowds, ops);
  }
  /// A million tasks have started and wait for the promise.
  Ref<FutureState> block(const Promise& promise) {
    const std::uint64_t before = scheduler_->stats().parked;
    auto future = scheduler_->run(code_, "blocked", {promise.future(), kMany});
    while (scheduler_->stats().parked < before + kMany) std::this_thread::yield();
    return future;
  }
  std::unique_ptr<Scheduler> scheduler_ =
      std::make_unique<Scheduler>(Scheduler::Config{.workers = GetParam()});
  std::shared_ptr<const Code> code_;
  std::int64_t seen_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Workers, Crowd, ::testing::Values(1, 2),
                         [](const auto& param) { return std::to_string(param.param); });

TEST_P(Crowd, AMillionPending) {
  run(*scheduler_, code_, "pending", {10});
  const std::int64_t before = residentMemory();
  EXPECT_EQ(run(*scheduler_, code_, "pending", {kMany}).toInt(), kMany * (kMany - 1) / 2);
  EXPECT_EQ(scheduler_->stats().tasks, static_cast<std::uint64_t>(kMany) + 10);
  expectAtMost(seen_ - before, 150 * kMany);
}

TEST_P(Crowd, AMillionBlockedOnOnePromise) {
  const std::int64_t before = residentMemory();
  {
    Promise promise;
    auto future = block(promise);
    EXPECT_FALSE(future->done());
    expectAtMost(residentMemory() - before, 600 * kMany);
    promise.complete(3);
    EXPECT_EQ(scheduler_->wait(*future).toInt(), 3 * kMany);
  }
  // What they had is used again, and comes back as well when the promise is dropped.
  Ref<FutureState> future;
  {
    Promise promise;
    future = block(promise);
    expectAtMost(residentMemory() - before, 600 * kMany);
  }
  const Error error = errorOf([&] { scheduler_->wait(*future); });
  EXPECT_EQ(error.kind, error_kind::BrokenPromise);
}

TEST_P(Crowd, AMillionWaitsInsideEachOther) {
  EXPECT_EQ(run(*scheduler_, code_, "down", {kMany}).toInt(), kMany);
  EXPECT_GE(scheduler_->stats().inlined, static_cast<std::uint64_t>(kMany) / 2);
}

double processorSeconds() {
  ::rusage usage{};
  EXPECT_EQ(::getrusage(RUSAGE_SELF, &usage), 0);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

TEST(Idle, WorkersUseNoProcessor) {
  Scheduler scheduler({.workers = 4});
  const auto code = compileText(kFib);
  EXPECT_EQ(outcome(scheduler, code, "fib", {18}), "2584");
  const double before = processorSeconds();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const double used = processorSeconds() - before;
  EXPECT_LT(used, kSanitized ? 0.2 : 0.02) << "of 2 s";
  EXPECT_EQ(outcome(scheduler, code, "fib", {18}), "2584"); // they wake up again
}

// Workers that have nothing left look at each other until all have nothing left.
TEST(ManyWorkers, TheirSchedulerEnds) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kWorkers = 64;
#else
  constexpr int kWorkers = 800;
#endif
  const auto code = compileText(kFib);
  Scheduler scheduler({.workers = kWorkers});
  EXPECT_EQ(outcome(scheduler, code, "fib", {10}), "55");
}

} // namespace
} // namespace tine::testing
