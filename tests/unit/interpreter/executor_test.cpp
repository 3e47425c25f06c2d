// Workers on threads that are not ours: everything works there, and what an executor may do wrong
// ends in an error, not in a hang.

#include "interpreter/futures.h"
#include "tests/unit/interpreter/programs.h"

#include <condition_variable>
#include <deque>
#include <thread>

namespace tine::testing {
namespace {

/// A pool as a host has one.
class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { main(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      ends_ = true;
      changed_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
  }
  void run(std::function<void()> job) {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    changed_.notify_one();
  }
  Scheduler::Executor executor() {
    return [this](std::function<void()> job) { run(std::move(job)); };
  }
  bool has(std::thread::id id) const {
    for (const std::thread& thread : threads_)
      if (thread.get_id() == id) return true;
    return false;
  }
  /// Of jobs that have not begun.
  std::size_t left() {
    std::lock_guard lock(mutex_);
    return jobs_.size();
  }
  void drop() {
    std::deque<std::function<void()>> dropped;
    std::lock_guard lock(mutex_);
    dropped.swap(jobs_);
  }

private:
  void main() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      {
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job();
      }
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

constexpr const char* kPrograms = R"(wait(%p : Future[int]):
  %r : int = aten::wait(%p)
  return (%r)

native(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p)
  %r : int = test::wait(%f)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = test::wait(%p)
  return (%r)

fail(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %0 : int = prim::Constant[value=0]()
  %r : int = aten::floordiv(%n, %0)
  return (%r)

stuck():
  %p : Future[int] = tine::promise()
  %r : int = aten::wait(%p)
  return (%r)

nested(%n : int):
  %r : int = test::nested(%n)
  return (%r)

spin(%n : int):
  %m : int = prim::Constant[value=9223372036854775807]()
  %true : bool = prim::Constant[value=1]()
   = prim::Loop(%m, %true)
    block0(%i : int):
      -> (%true)
  return (%n)
)";

struct Code {
  Scheduler* scheduler = nullptr; ///< that nested runs use
  std::shared_ptr<const tine::Code> fib = compileText(kFib);
  std::mutex mutex;
  std::vector<std::thread::id> seen;
  std::shared_ptr<const tine::Code> programs;

  Code() {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::wait(Future(int) f) -> int", [this](Ref<FutureState> f) {
      note();
      return waitNative(*f).toInt();
    });
    ops->add("test::nested(int n) -> int", [this](std::int64_t n) {
      note();
      return run(*scheduler, fib, "fib", {n}).toInt();
    });
    programs = compileText(kPrograms, ops);
  }
  void note() {
    std::lock_guard lock(mutex);
    seen.push_back(std::this_thread::get_id());
  }
};

class Executors : public ::testing::TestWithParam<std::tuple<int, int>> {
protected:
  int threads() const { return std::get<0>(GetParam()); }
  int workers() const { return std::get<1>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(ThreadsWorkers, Executors,
                         ::testing::Combine(::testing::Values(1, 2, 8),
                                            ::testing::Values(1, 2, 8)));

TEST_P(Executors, EverythingRunsOnThreadsOfTheHost) {
  Pool pool(threads());
  Code code;
  {
    Scheduler scheduler({.workers = workers(), .executor = pool.executor()});
    code.scheduler = &scheduler;
    EXPECT_EQ(outcome(scheduler, code.fib, "fib", {15}), "610");
    EXPECT_EQ(outcome(scheduler, code.programs, "nested", {12}), "144");
    EXPECT_EQ(outcome(scheduler, code.programs, "fail", {1}), "ZeroDivisionError: division by 0");
    const std::string stuck = outcome(scheduler, code.programs, "stuck");
    EXPECT_EQ(stuck.rfind("Deadlock: ", 0), 0u) << stuck;
    for (const char* function : {"wait", "native"}) {
      Promise promise;
      std::vector<Ref<FutureState>> futures;
      for (int i = 0; i < 20; ++i)
        futures.push_back(scheduler.run(code.programs, function, {promise.future()}));
      std::thread completes([p = std::move(promise)]() mutable { p.complete(4); });
      const auto all = collect(Collect::FailFast, futures, &scheduler);
      const auto sum = then(*all, [](const IValue& list) {
        std::int64_t n = 0;
        for (const IValue& item : list.toList().items) n += item.toInt();
        return IValue(n);
      });
      EXPECT_EQ(scheduler.wait(*sum).toInt(), 80) << function;
      completes.join();
    }
    EXPECT_THROW(
        waitNative(*scheduler.run(code.programs, "spin", {1}), std::chrono::milliseconds(5)),
        RuntimeError);
  }
  EXPECT_FALSE(code.seen.empty());
  for (const std::thread::id id : code.seen) EXPECT_TRUE(pool.has(id));
  // The threads are the host's again, and what had not begun never will.
  std::atomic<int> ran{0};
  for (int i = 0; i < threads(); ++i) pool.run([&] { ++ran; });
  while (ran < threads() || pool.left() > 0) std::this_thread::yield();
}

TEST_P(Executors, ManySchedulersShareThreads) {
  Pool pool(threads());
  Code code;
  for (int i = 0; i < 100; ++i) {
    Scheduler scheduler({.workers = workers(), .executor = pool.executor()});
    ASSERT_EQ(outcome(scheduler, code.fib, "fib", {8}), "21");
  }
}

TEST(Executor, JobsMayComeLateOrTwice) {
  std::vector<std::function<void()>> jobs;
  std::vector<std::thread> threads;
  Code code;
  {
    Scheduler scheduler(
        {.workers = 2, .executor = [&](const std::function<void()>& job) { jobs.push_back(job); }});
    ASSERT_EQ(jobs.size(), 2u);
    const auto future = scheduler.run(code.fib, "fib", {10});
    EXPECT_FALSE(future->done()); // nobody is there yet
    threads.emplace_back(jobs[0]);
    EXPECT_EQ(scheduler.wait(*future).toInt(), 55);
    jobs[0](); // does nothing
    threads.emplace_back(jobs[1]);
    EXPECT_EQ(outcome(scheduler, code.fib, "fib", {11}), "89");
  }
  for (std::thread& thread : threads) thread.join();
  jobs[1]();
}

TEST(Executor, ThatThrowsOrRunsJobsAtOnceIsRefused) {
  const auto refused = [](Scheduler::Executor executor) {
    return said(errorOf([&] { Scheduler scheduler({.workers = 2, .executor = executor}); }));
  };
  EXPECT_EQ(refused([](const std::function<void()>&) { throw std::runtime_error("full"); }),
            "RuntimeError: the executor runs no job");
  EXPECT_EQ(refused([](const std::function<void()>& job) { job(); }),
            "RuntimeError: the executor runs no job");
  EXPECT_EQ(refused([](const std::function<void()>&) {}), "RuntimeError: the executor runs no job");
  EXPECT_EQ(said(errorOf([&] {
              Scheduler scheduler({.workers = 0, .executor = [](const std::function<void()>&) {}});
            })),
            "ValueError: an executor is for workers, and there are none");
}

TEST(Executor, ThatTakesOneJobOnlyIsEnough) {
  Pool pool(1);
  Code code;
  int given = 0;
  Scheduler scheduler({.workers = 4, .executor = [&](std::function<void()> job) {
                         if (++given == 2) throw std::runtime_error("full");
                         if (given == 1) pool.run(std::move(job)); // the others are dropped
                       }});
  EXPECT_EQ(outcome(scheduler, code.fib, "fib", {12}), "144");
}

TEST(Executor, ThatDropsAllJobsLaterEndsWhatWaits) {
  Code code;
  std::vector<std::function<void()>> jobs;
  Scheduler scheduler({.workers = 2, .executor = [&](std::function<void()> job) {
                         jobs.push_back(std::move(job));
                       }});
  const char* lost = "Shutdown: the executor has dropped the scheduler's jobs";
  const auto before = scheduler.run(code.fib, "fib", {10});
  std::thread waits([&] { EXPECT_EQ(said(errorOf([&] { scheduler.wait(*before); })), lost); });
  jobs.clear();
  waits.join();
  EXPECT_EQ(outcome(scheduler, code.fib, "fib", {10}), lost);
}

TEST(Executor, ThatNeverRunsItsJobs) {
  Code code;
  std::vector<std::function<void()>> jobs;
  Ref<FutureState> future;
  {
    Scheduler scheduler({.workers = 2, .executor = [&](std::function<void()> job) {
                           jobs.push_back(std::move(job));
                         }});
    future = scheduler.run(code.fib, "fib", {10});
  }
  EXPECT_EQ(said(errorOf([&] { waitNative(*future); })), "Shutdown: the scheduler was destroyed");
  for (const auto& job : jobs) job(); // too late: does nothing
}

} // namespace
} // namespace tine::testing
