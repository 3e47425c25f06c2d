#pragma once

#include "interpreter/code.h"
#include "interpreter/schedule.h"
#include "support/context.h"
#include "tensor/future.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tine {

class LightLock;
class Profile;
class SchedulerCore;

/// Runs compiled graphs; every fork in them is a task.
///
///   Scheduler scheduler({.workers = 4});
///   Ref<FutureState> future = scheduler.run(code, "main", {3});
///   IValue result = scheduler.wait(*future);     // or throws the program's RuntimeError
///
/// With workers, `run` returns at once and workers run the tasks. Without (workers = 0) everything
/// runs on the threads that call `run` and `wait`, one at a time and always in the same order: a
/// fork starts when it is first waited for, and those that nobody waits for run after the root, in
/// program order.
///
/// The destructor stops everything: tasks that have not started, and those that wait, fail with
/// Shutdown. Futures may outlive their scheduler.
/// \thread any
class Scheduler {
public:
  using Executor = std::function<void(std::function<void()> job)>;
  struct Config {
    /// Threads; -1 is one per processor. At most 4096. \errors ValueError an impossible number
    int workers = -1;
    /// Of a fiber, which native code that waits needs one of. \units bytes, at least 16 KiB,
    /// at most 4 GiB \errors ValueError more
    std::size_t stackSize = 256 * 1024;
    /// How much tasks and frames may take; a fork or a call beyond it raises RuntimeError. 0: 4
    /// GiB, but at most half of the machine's, or of what the process may have. \units bytes
    std::size_t memory = 0;
    /// Functions that may be on top of each other, in calls and in waits, before a program fails.
    /// Forks that other workers take start again at none, and are bounded by `memory`.
    std::uint32_t maxDepth = 4'000'000;
    /// Hears, once, of every error that nobody looked at before its future was dropped. Called on
    /// any thread, not after the scheduler's destructor. Null: such errors are dropped.
    std::function<void(const std::shared_ptr<const Error>&)> onUnobservedError = nullptr;
    /// A chosen one takes no workers: -1 or 0. \errors ValueError there are some
    Schedule schedule = {};
    /// Runs a job on some thread some time, which it lends until the scheduler's end: then each
    /// worker is one job, and no thread is started but for limits. docs/executor.md says what
    /// becomes of jobs that it drops, delays or runs at once. Must not outlive its own end, nor be
    /// destroyed before the scheduler. \errors ValueError there are no workers
    Executor executor = nullptr;
    /// Gets what the workers do, which then takes longer.
    std::shared_ptr<Profile> profile = nullptr;
  };
  /// What happened so far. \source tine run --stats
  struct Stats {
    std::uint64_t tasks = 0;     ///< forked
    std::uint64_t inlined = 0;   ///< of them run by whoever waited first, on its own stack
    std::uint64_t taken = 0;     ///< and roots, run by a worker that had nothing else to do
    std::uint64_t stolen = 0;    ///< that went to another worker before they started
    std::uint64_t parked = 0;    ///< waits that left their frames and let the worker go on
    std::uint64_t suspended = 0; ///< waits of native code that suspended a fiber
    std::uint64_t fibers = 0;    ///< made
    std::uint64_t choices = 0;   ///< of a chosen schedule
    std::uint64_t preempted = 0; ///< of them, how many interrupted what ran
  };

  Scheduler();
  explicit Scheduler(Config config);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;

  /// Starts a function. A wrong number of arguments, a scheduler whose workers are in another
  /// process or one that stops give a failed future.
  ///
  /// `context` is its tasks'. One that a task starts, in an operator in C++, has that task's unless
  /// another is given, and never more time, and stops when that task is stopped.
  Ref<FutureState> run(std::shared_ptr<const Code> code, const FunctionCode& function,
                       std::vector<IValue> arguments, const TaskContext* context = nullptr);
  /// \errors AttributeError no such function
  Ref<FutureState> run(std::shared_ptr<const Code> code, llvm::StringRef function,
                       std::vector<IValue> arguments, const TaskContext* context = nullptr);

  /// Runs a function and waits for its result, as `wait(*run(...))` does, in less time. What the
  /// program raises goes to `error`, and the result is None then. \pre the function has as many
  /// inputs
  IValue call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
              llvm::ArrayRef<IValue> arguments, std::shared_ptr<const Error>& error);
  /// The same, throwing. \errors as wait
  IValue call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
              llvm::ArrayRef<IValue> arguments);

  /// The future's value, when it is done. Allowed everywhere: a foreign thread blocks; a worker's
  /// fiber (an operator in C++) runs the task itself or is suspended, and the worker goes on.
  /// Without workers the caller runs what is to run. \errors RuntimeError the task's
  IValue wait(FutureState& future);
  /// As `wait`, without looking at the result.
  void waitDone(FutureState& future);

  int workers() const;
  Stats stats() const;
  /// All tasks, as text: of those that wait each with its calls, its fork and what it waits for, as
  /// a Deadlock lists them; of those that run the same, if they look up within 50 ms, which they do
  /// at calls, operators and loops; of those that have not started how many. For a look at what
  /// seems to hang. \thread any
  std::string dump();
  /// The same of every scheduler of the process. For watchdogs. \thread any
  static std::string dumpAll();
  /// Without workers: is nothing left of what ran, and little memory kept for what will?
  bool isSpotless() const;
  /// The scheduler whose task the calling thread is running, or null.
  static Scheduler* current();
  /// For the interpreter's own sources.
  SchedulerCore& core() { return *core_; }

private:
  friend class SpareScheduler;
  /// Without workers; whoever runs its tasks locks `drives`, which outlives it.
  Scheduler(Config config, LightLock& drives);

  std::unique_ptr<SchedulerCore> core_;
};

/// Fails the future with Cancelled, unless it is done, and with it what it alone needs: tasks that
/// have not started never will, others stop at their next call, wait or end of a loop's round, and
/// fail then. What somebody else waits for, or has a handle of, is left alone. \thread any
void cancel(FutureState& future);

/// The context of the calling task; a default one outside of tasks. \thread any
TaskContext currentContext();

/// As Scheduler::wait, for who does not know the scheduler: that of the task behind the future, or
/// of the calling worker; a promise that no scheduler is behind just blocks.
IValue waitNative(FutureState& future);

} // namespace tine
