#pragma once

#include "interpreter/core.h"
#include "interpreter/fiber_stack.h"

#include <boost/fiber/algo/algorithm.hpp>
#include <boost/fiber/context.hpp>
#include <boost/fiber/scheduler.hpp>

#include <chrono>
#include <condition_variable>
#include <random>
#include <sched.h>
#include <thread>

namespace tine {

class FiberScheduler;
class FiberWorker;
struct WorkerJob;

/// For how long who waits for another thread looks before it sleeps: to be woken takes 5 to 50 us.
/// \units rests
inline constexpr unsigned kPatience = 160;
/// Between two looks, about 0.3 us. With `yields`, the other thread may need this processor.
inline void rest(unsigned number, bool yields) {
#if defined(__x86_64__)
  for (unsigned i = 0; i < 16; ++i) __builtin_ia32_pause();
#endif
  if (yields && number % 4 == 3) ::sched_yield();
}
/// What came so soon after it slept makes it patient again.
inline constexpr std::chrono::microseconds kSoon(200);

/// How Boost.Fiber schedules the fibers of a worker. There are few: its loops, all but one of them
/// idle or in the middle of a native wait, and what operators in C++ start.
class FiberAlgorithm final : public boost::fibers::algo::algorithm {
public:
  explicit FiberAlgorithm(FiberWorker* worker) : worker_(*worker) {}
  void awakened(boost::fibers::context* fiber) noexcept override;
  boost::fibers::context* pick_next() noexcept override;
  bool has_ready_fibers() const noexcept override {
    return !ready_.empty() || (leaving_ && dispatcher_);
  }
  /// From now on all fibers of the thread are another algorithm's.
  void leave() { leaving_ = true; }
  void suspend_until(std::chrono::steady_clock::time_point const& until) noexcept override;
  void notify() noexcept override;

private:
  FiberWorker& worker_;
  boost::fibers::context* dispatcher_ = nullptr; ///< while it is ready
  boost::fibers::scheduler::ready_queue_type ready_;
  unsigned tick_ = 0;
  bool leaving_ = false;
};

/// A worker with a thread. The loop that looks for tasks runs on a fiber. When native code in a
/// task waits, that fiber is suspended and an idle one takes the loop over: exactly one loop is
/// active.
class FiberWorker final : public Worker {
public:
  FiberWorker(FiberScheduler& scheduler, Pool& pool, std::uint32_t index);

  ~FiberWorker() override;

  /// On a thread of its own, or as a job of the executor. \errors what the executor throws
  void start();
  /// Waits for its end; a job that has not begun never will.
  void join();

  /// Suspends the fiber, or runs the task on it, until the future is done. \thread its own
  void wait(FutureState& future);
  /// A fiber of this worker whose wait fired. \thread any
  void wakeFiber(Wait* wait);
  /// Ends the worker's sleep, or keeps it from falling asleep. \thread any
  void signal() { bell.ring(); }
  /// Lets fibers that are ready run, in the middle of a task.
  void yieldToFibers();

  using Clock = std::chrono::steady_clock;

  // For those who wake it.
  alignas(64) BellOf<Threads> bell;
  bool searches = false; ///< was woken to search: `searching` counts it

private:
  friend class FiberAlgorithm;
  friend class FiberScheduler;
  friend struct WorkerJob;

  void main();
  void loop();
  Deque::Entry next();
  Deque::Entry stealFrom(FiberWorker& victim);
  Deque::Entry search();
  Deque::Entry lookAround();
  bool nap(unsigned count);
  void endSearch();
  void judgeBatch();
  bool noteAttention();
  void park();
  void makeSpare();
  void wakeFibers();
  bool onMainStack() const;
  void sleep(Clock::time_point until);

  FiberScheduler& scheduler_;
  const std::uint32_t index_;
  std::thread thread_;
  std::shared_ptr<WorkerJob> job_; ///< instead of a thread
  std::atomic<bool> begun_{false}; ///< it has a thread
  std::minstd_rand random_;
  StackPool stacks_;
  FiberAlgorithm* algorithm_ = nullptr;
  std::vector<boost::fibers::context*> idle_; ///< loops that do nothing
  std::size_t loops_ = 1, nativeWaits_ = 0;   ///< all loops; those suspended in `wait`
  bool makingSpare_ = false;
  bool idling_ = false; ///< the active loop found nothing to do
  std::uint32_t tick_ = 0;
  std::vector<std::int64_t> seenTops_; ///< of the others' deques when they last had one entry
  unsigned patience_ = kPatience;      ///< while it searches
  Clock::time_point idleSince_;        ///< when it began to search
  std::int64_t numBatch_ = 0;          ///< tasks that it stole last and has not judged yet
  Clock::time_point stoleAt_;          ///< those
  Clock::duration shyness_{0}; ///< how long it leaves the others' tasks alone, and until when
  Clock::time_point shyUntil_{};
  Clock::time_point until_ = Clock::time_point::max(); ///< of the sleep, for timers of fibers

  alignas(64) std::atomic<bool> naps_{false}; ///< `signal` ends that, too
  std::atomic<bool> notified_{false};         ///< Boost has a fiber from another thread
  MailboxOf<Threads, Waiter> woken_;          ///< fibers whose waits fired
  bool idleInStop_ = false;                   ///< guarded by the scheduler's stopMutex_
};

/// Worker threads that share their tasks by stealing.
class FiberScheduler final : public SchedulerCore {
public:
  using Clock = FiberWorker::Clock;

  FiberScheduler(Scheduler& scheduler, Scheduler::Config config);
  ~FiberScheduler() override;

  void waitDone(FutureState& future) override;
  Scheduler::Stats stats() override;
  void ready(Wait* wait) override;
  void post(FutureState& task, const FutureState*) override { inject(entryOf(task)); }
  bool wake() override;
  Advice attend(Worker& worker, Frame* top, bool waits,
                std::shared_ptr<const Error>* error) override;

private:
  friend class FiberWorker;
  Ref<FutureState> start(std::unique_ptr<Run> run, std::vector<IValue> arguments) override;
  void askAll() override;
  Census census() override;
  bool looksAtDone(const FutureState& future);
  void inject(Deque::Entry entry);
  Deque::Entry takeInjected() { return injected_.take(); }
  bool hasWork() const;
  /// Everybody sleeps: is it for ever? True when it was, and tasks were made to fail. `again` is
  /// when to look again, if it may be without anybody waking the worker.
  bool breakDeadlock(Clock::time_point* again);
  bool nothingRuns(); ///< and somebody waits
  /// Runs what schedulers without workers have to run that somebody waits for.
  void helpOthers();
  void idleInStop(FiberWorker& worker);

  std::vector<std::unique_ptr<FiberWorker>> workers_;
  std::vector<Worker*> all_;
  std::atomic<int> napping_{0};               ///< workers that look again soon
  std::atomic<int> looking_{0};               ///< threads outside that wait and do not sleep
  std::atomic<unsigned> patience_{kPatience}; ///< of threads outside that wait
  SleepersOf<Threads, FiberWorker> asleep_{*this, {}, {}};
  std::mutex deadlockMutex_;             ///< held while one is looked for and broken
  Clock::time_point nextLook_{};         ///< for one; guarded by deadlockMutex_
  Clock::time_point nextHelp_{};         ///< for others; guarded by deadlockMutex_
  std::vector<Ref<FutureState>> toHelp_; ///< guarded by deadlockMutex_
  std::atomic<bool> helps_{false};       ///< toHelp_ has some: for whoever is awake
  InjectedOf<Threads, Deque::Entry> injected_;
  std::mutex stopMutex_;
  std::condition_variable stopChanged_;
  std::atomic<bool> finished_{false};
  std::atomic<std::size_t> started_{~std::size_t(0)}; ///< workers that have a thread

  // Of an executor.
  friend struct WorkerJob;
  void begin(FiberWorker& worker);
  void lose(); ///< a job will never begin
  static std::shared_ptr<const Error> lostError();
  /// Nothing will ever run: tasks that have not started and threads that wait fail.
  void failAll(const std::shared_ptr<const Error>& error);
  std::atomic<std::size_t> numLost_{0};
  std::atomic<bool> lost_{false}; ///< all are
  std::atomic<std::thread::id> constructing_;
};

} // namespace tine
