#pragma once

#include "interpreter/deque.h"
#include "interpreter/frame.h"
#include "interpreter/pool.h"
#include "interpreter/scheduler.h"
#include "interpreter/sleep.h"
#include "interpreter/task.h"
#include "interpreter/wait.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tine {

class ProfileLane;
class SchedulerCore;
struct Worker;

/// A count that its worker makes and others may read.
class Counter {
public:
  void operator++() { count_.store(value() + 1, std::memory_order_relaxed); }
  void operator--() { count_.store(value() - 1, std::memory_order_relaxed); }
  std::uint64_t value() const { return count_.load(std::memory_order_relaxed); }

private:
  std::atomic<std::uint64_t> count_{0};
};

/// One of a scheduler's workers, as far as the interpreter and the fast paths need it.
/// \thread its own, except where said
struct alignas(64) Worker : CallingTask {
  Worker(SchedulerCore& core, Pool& pool, std::uint32_t depth);
  virtual ~Worker() { settle(); }
  Worker(const Worker&) = delete;

  SchedulerCore& core;
  const Idlers& idlers; ///< the core's
  Pool& pool;
  const TaskKind* const kind; ///< of this scheduler's tasks
  const std::uint32_t maxDepth;
  Pool::Cache cache;
  ProfileLane* const lane; ///< where it is recorded; null when it is not
  Run* run = nullptr;      ///< whose reserve this is
  std::int64_t reserve = 0;
  std::int64_t liveTasks = 0, liveFrames = 0; ///< since they were last reported
  Frame* calling = nullptr;                   ///< where the newest operator was called
  std::uint32_t stale = 0;                    ///< entries of the deque known to be claimed
  bool hasFibers = false;                     ///< it is a FiberWorker
  bool leavesDeadlock = false;                ///< frames that a Deadlock leaves are being freed
  Counter numTasks, numInline, numTaken, numStolen, numParked, numSuspended, numFibers;

  Deque deque;
  alignas(64) std::mutex waitsMutex;
  Wait* waits = nullptr;            ///< who waits and was here; guarded by waitsMutex
  StandingWait* standing = nullptr; ///< guarded by waitsMutex
  std::uint64_t numWaits = 0;       ///< ever put there; guarded by waitsMutex
  std::uint64_t seenDump = 0;       ///< the newest dump that it has answered
  std::uint64_t seenStops = 0;      ///< how many requests to stop something it has looked at

  // ---- what operators ask -----
  RandomStream random() override;
  TaskContext context() const override;

  // ---- attention -----
  /// Makes it look up from what it runs, soon. \thread any
  void ask() { attention_.ask(); }
  bool isAsked() const { return attention_.isAsked(); }
  /// What was asked for until now is done.
  void pay() { attention_.pay(); }
  /// Calls look at this alone: 0 while it is asked.
  std::uint32_t depthLimit() const { return attention_.limit(); }

  // ---- runs -----
  /// Counts a new task of `r`. \pre a reference to `r` is held
  void addToRun(Run* r) {
    if (run != r || reserve == 1) [[unlikely]]
      use(r);
    --reserve;
  }
  /// Takes the reference of a task of `r` that has ended.
  void endInRun(Run* r) {
    if (run != r) [[unlikely]]
      use(r);
    ++reserve;
  }
  void use(Run* r);
  /// Gives back the reserve, and reports what is alive.
  void settle();
  /// What it made and nobody gave back to it.
  std::int64_t totalTasks() const { return reportedTasks_ + liveTasks; }
  std::int64_t totalFrames() const { return reportedFrames_ + liveFrames; }

  // ---- tasks, frames -----
  FutureState* allocateTask(bool beyond = false) {
    void* block = cache.allocate(Pool::kTasks, beyond);
    ++liveTasks;
    return static_cast<FutureState*>(block);
  }
  void freeTask(FutureState* task) {
    --liveTasks;
    cache.free(Pool::kTasks, task);
  }
  /// A future of a program that completes it: Running, with one reference.
  FutureState* allocatePromise() {
    void* block = cache.allocate(Pool::kPromises);
    ++liveTasks;
    auto* promise = new (block) FutureState(FutureState::Pooled{}, pool.promiseKind());
    promise->renewRunning(1);
    return promise;
  }
  void freePromise(FutureState* promise) {
    --liveTasks;
    cache.free(Pool::kPromises, promise);
  }
  /// A frame whose registers from `firstEmpty` on are None; those before it are not constructed.
  /// \errors as Pool::Cache::allocate
  Frame* allocateFrame(const FunctionCode* function, std::uint32_t firstEmpty,
                       bool beyond = false) {
    const int sizeClass = function->frameClass;
    void* block = sizeClass < Pool::kClasses
                      ? cache.allocate(sizeClass, beyond)
                      : pool.allocateLarge(Frame::bytes(function->numRegisters), beyond);
    ++liveFrames;
    auto* frame = static_cast<Frame*>(block);
    frame->function = function;
    frame->pc = function->instrs.data();
    frame->sizeClass = static_cast<std::uint16_t>(sizeClass);
    frame->first = false;
    frame->borrows = Borrows::No;
    IValue* const end = frame->registers() + function->numRegisters;
    clear(frame->registers() + firstEmpty, end);
    return frame;
  }
  void freeFrame(Frame* frame) {
    IValue* const end = frame->registers() + frame->function->numRegisters;
#pragma GCC unroll 4
    for (IValue* value = frame->registers(); value < end; ++value)
      if (value->isCounted()) [[unlikely]]
        value->~IValue();
    --liveFrames;
    if (frame->sizeClass < Pool::kClasses)
      cache.free(frame->sizeClass, frame);
    else
      pool.freeLarge(frame, Frame::bytes(frame->function->numRegisters));
  }
  void* allocateBlock(std::size_t bytes) { // beyond the limit, which counts it: the task is made
    const int sizeClass = Pool::classOf(bytes);
    return sizeClass < Pool::kClasses ? cache.allocate(sizeClass, true)
                                      : pool.allocateLarge(bytes, true);
  }
  void freeBlock(void* block, std::size_t bytes) {
    const int sizeClass = Pool::classOf(bytes);
    if (sizeClass < Pool::kClasses)
      cache.free(sizeClass, block);
    else
      pool.freeLarge(block, bytes);
  }

  /// The first frame of a task that was claimed, with its arguments.
  Frame* frameOf(FutureState& task) {
    const FunctionCode* function = siteOf(task).target;
    Frame* frame = allocateFrame(function, function->numInputs, true);
    if (function->numInputs == 1)
      new (frame->registers()) IValue(std::move(task.argument()));
    else if (function->numInputs > 1)
      takeArguments(task, frame->registers());
    becomeFirst(*frame, task);
    return frame;
  }
  static void becomeFirst(Frame& frame, FutureState& task) {
    frame.caller = nullptr;
    frame.task = &task;
    frame.run = runOf(task);
    frame.first = true;
    frame.depth = 0;
  }
  /// Claims the task when it has not started. Takes its entry from the deque when that is the
  /// newest.
  bool claim(FutureState& task) {
    if (!deque.isNewest(entryOf(task))) return claimFromTheMiddle(task);
    const bool won = deque.takeClaiming([&] { return task.claim(); });
    if (stale > 0) [[unlikely]]
      dropNewest();
    return won;
  }
  /// Puts a task that is New, or a wait that fired, where workers find it. True when who forked it
  /// is to look up.
  bool offer(Deque::Entry entry) {
    if (deque.isFull()) [[unlikely]]
      makeRoom();
    deque.push(entry);
    if (idlers.wantWaking()) [[unlikely]]
      return wakeOther();
    return false;
  }
  void makeRoom(); ///< in the deque

  // ---- waiting -----
  /// Waits for the future. Of frames whoever completes it makes them ready, and from then on they
  /// are no business of the caller. False, and nothing happens, when it is done already, or when
  /// the task is to stop: then there is an error.
  bool await(FutureState& future, Wait::Who who, Frame* frame, void* blocked,
             std::shared_ptr<const Error>* error);
  void dropWait(Wait* wait); ///< delisted from its home, and freed
  void enlist(Wait* wait);   ///< \thread any
  void delist(Wait* wait);   ///< \thread any
  /// The frames of a wait that fired; its error, if any, into `*error`.
  Frame* resume(Wait* wait, std::shared_ptr<const Error>* error);
  void addTo(Scheduler::Stats& sum) const; ///< \thread any

private:
  void takeArguments(FutureState& task, IValue* registers);
  bool claimFromTheMiddle(FutureState& task);
  void dropNewest();
  bool wakeOther();
  void enlistLocked(Wait* wait);
  void delistLocked(Wait* wait);

  AttentionOf<Threads> attention_;
  std::int64_t reportedTasks_ = 0, reportedFrames_ = 0;
};

/// The worker that this thread is; null on foreign threads.
extern constinit thread_local Worker* currentWorker;

/// Takes waits that were abandoned out of the future's waiters, and frees them.
void dropAbandoned(FutureState& future);

enum class Outcome : std::uint8_t { Finished, Parked };

/// Runs frames until the first task of theirs ends or must wait.
Outcome interpret(Worker& worker, Frame* top);
/// The same; with an error, they go on by raising it at the Wait where they stand.
Outcome interpret(Worker& worker, Frame* top, std::shared_ptr<const Error> error);
/// The same, recorded in the worker's lane.
Outcome interpretProfiled(Worker& worker, Frame* top, std::shared_ptr<const Error> error);

} // namespace tine
