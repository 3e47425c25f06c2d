#pragma once

#include "interpreter/deque.h"
#include "interpreter/frame.h"
#include "interpreter/pool.h"
#include "interpreter/scheduler.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tine {

class SchedulerCore;
struct Worker;

/// Somebody who waits for a future that is being computed. In the future's list of waiters from
/// `addWaiter` until it fires, and in its worker's list of waits until it goes on. Whoever changes
/// `state` from Waiting decides how it goes on.
struct Wait : Waiter {
  enum State : std::uint8_t { Waiting, Fired, Abandoned };
  enum class Who : std::uint8_t { Frames, Fiber, Thread };

  Wait(Worker& home, FutureState& future, Who who, Frame* frame, void* blocked);

  std::atomic<std::uint8_t> state{Waiting};
  const Who who;
  Pool* const pool;
  Worker* const home;
  Wait *previous = nullptr, *following = nullptr; ///< in home's list
  std::uint64_t number = 0;                       ///< among all that were ever in that list
  FutureState* const future;
  Frame* const frame;  ///< Frames: the top one, at its Wait. Fiber: that of the operator, or null
  void* const blocked; ///< Fiber, Thread: what to tell
  std::shared_ptr<const Error> error; ///< go on by raising this
};

/// A wait of C++ code that goes on by itself when the future is done, for it has others run on its
/// stack meanwhile, or polls. In its worker's list until it is over.
struct StandingWait {
  StandingWait(Worker& home, FutureState& future, Frame* frame);
  ~StandingWait();
  StandingWait(const StandingWait&) = delete;

  Worker& home;
  FutureState* const future;
  Frame* const frame; ///< that of the operator; null outside of tasks
  StandingWait *previous = nullptr, *following = nullptr;
};

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
  Worker(SchedulerCore& c, Pool& p, std::uint32_t depth)
      : core(c), pool(p), kind(p.kind()), maxDepth(std::max(depth, 1u)), cache(p),
        depthLimit_(maxDepth) {}
  virtual ~Worker() { settle(); }
  Worker(const Worker&) = delete;

  SchedulerCore& core;
  Pool& pool;
  const TaskKind* const kind; ///< of this scheduler's tasks
  const std::uint32_t maxDepth;
  Pool::Cache cache;
  Run* run = nullptr; ///< whose reserve this is
  std::int64_t reserve = 0;
  std::int64_t liveTasks = 0, liveFrames = 0; ///< since they were last reported
  Frame* calling = nullptr;                   ///< where the newest operator was called
  std::uint32_t stale = 0;                    ///< entries of the deque known to be claimed
  bool hasFibers = false;                     ///< it is a FiberWorker
  Counter numTasks, numInline, numTaken, numStolen, numParked, numSuspended, numFibers;

  Deque deque;
  alignas(64) std::mutex waitsMutex;
  Wait* waits = nullptr;            ///< who waits and was here; guarded by waitsMutex
  StandingWait* standing = nullptr; ///< guarded by waitsMutex
  std::uint64_t numWaits = 0;       ///< ever put there; guarded by waitsMutex
  std::uint64_t seenStops = 0;      ///< how many requests to stop something it has looked at

  // ---- what operators ask -----
  RandomStream random() override;
  TaskContext context() const override;

  // ---- attention -----
  /// Makes it look up from what it runs, soon. \thread any
  void ask() { depthLimit_.store(0, std::memory_order_seq_cst); }
  bool isAsked() const { return depthLimit() == 0; }
  /// What was asked for until now is done.
  void pay() { depthLimit_.store(maxDepth, std::memory_order_seq_cst); }
  /// Calls look at this alone: 0 while it is asked.
  std::uint32_t depthLimit() const { return depthLimit_.load(std::memory_order_relaxed); }

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
  /// A frame whose registers from `firstEmpty` on are None; those before it are not constructed.
  /// \errors as Pool::Cache::allocate
  Frame* allocateFrame(const FunctionCode* function, std::uint32_t firstEmpty,
                       bool beyond = false) {
    const std::size_t bytes = Frame::bytes(function->numRegisters);
    const int sizeClass = Pool::classOf(bytes);
    void* block = sizeClass < Pool::kClasses ? cache.allocate(sizeClass, beyond)
                                             : pool.allocateLarge(bytes, beyond);
    ++liveFrames;
    auto* frame = static_cast<Frame*>(block);
    frame->function = function;
    frame->pc = function->instrs.data();
    frame->sizeClass = static_cast<std::uint16_t>(sizeClass);
    frame->first = false;
    IValue* registers = frame->registers();
    for (std::uint32_t i = firstEmpty; i < function->numRegisters; ++i)
      new (registers + i) IValue();
    return frame;
  }
  void freeFrame(Frame* frame) {
    IValue* registers = frame->registers();
    for (std::uint32_t i = 0, n = frame->function->numRegisters; i < n; ++i) registers[i].~IValue();
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
  Frame* frameOf(FutureState& task);
  static void becomeFirst(Frame& frame, FutureState& task);
  /// Claims the task when it has not started. Takes its entry from the deque when that is the
  /// newest.
  bool claim(FutureState& task);
  /// Puts a task that is New, or a wait that fired, where workers find it. True when who forked it
  /// is to look up.
  bool offer(Deque::Entry entry);
  void makeRoom(); ///< in the deque, for one more

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
  void enlistLocked(Wait* wait);
  void delistLocked(Wait* wait);

  std::atomic<std::uint32_t> depthLimit_;
  std::int64_t reportedTasks_ = 0, reportedFrames_ = 0;
};

/// The worker that this thread is; null on foreign threads.
extern constinit thread_local Worker* currentWorker;

/// Takes waits that were abandoned out of the future's waiters, and frees them.
void dropAbandoned(FutureState& future);

/// Entries of a deque: tasks, which may be claimed already, and waits that fired, marked by bit 0.
inline Deque::Entry entryOf(FutureState& task) { return reinterpret_cast<Deque::Entry>(&task); }
inline Deque::Entry entryOf(Wait* wait) { return reinterpret_cast<Deque::Entry>(wait) | 1; }
inline bool isWait(Deque::Entry entry) { return entry & 1; }
inline Wait* waitOf(Deque::Entry entry) {
  return reinterpret_cast<Wait*>(entry & ~Deque::Entry(1));
}
inline FutureState& taskOf(Deque::Entry entry) { return *reinterpret_cast<FutureState*>(entry); }

/// What a task's payload holds.
inline const Site& siteOf(const FutureState& task) {
  return *static_cast<const Site*>(task.payload[0]);
}
/// The random numbers of a task that has started. \pre its site splits
inline RandomStream streamOf(const FutureState& task) {
  return RandomStream::resume(reinterpret_cast<std::uintptr_t>(task.payload[2]));
}
inline void setStream(FutureState& task, RandomStream stream) {
  task.payload[2] = reinterpret_cast<void*>(std::uintptr_t(stream.state()));
}
/// The random numbers of a task that starts with `n` arguments, which it has. \pre its site splits
inline void giveStream(FutureState& task, std::uint32_t n, RandomStream stream) {
  if (n <= 1) return setStream(task, stream);
  new (static_cast<IValue*>(task.payload[2]) + n) IValue(static_cast<std::int64_t>(stream.state()));
}
/// A stream for another task, split from this one's; any if it has none.
RandomStream splitStream(FutureState& task);
inline Run* runOf(const FutureState& task) { return static_cast<Run*>(task.payload[1]); }

enum class Outcome : std::uint8_t { Finished, Parked };

/// Runs frames until the first task of theirs ends or must wait. With an error, they go on by
/// raising it at the Wait where they stand.
Outcome interpret(Worker& worker, Frame* top, std::shared_ptr<const Error> error = nullptr);

} // namespace tine
