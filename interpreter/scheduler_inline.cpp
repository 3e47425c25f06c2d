#include "interpreter/core.h"
#include "interpreter/fiber_room.h"
#include "interpreter/light_lock.h"
#include "interpreter/native_wait.h"
#include "interpreter/prospects.h"
#include "interpreter/spare.h"
#include "llvm/ADT/ScopeExit.h"
#include "support/surely.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tine {
namespace {

Scheduler::Config withoutWorkers(Scheduler::Config config) {
  if (config.workers > 0)
    raise(error_kind::Value, "a chosen schedule runs on one thread: it takes no workers");
  config.workers = 0;
  return config;
}

[[noreturn]] void withoutRoom() {
  raise(error_kind::Runtime, "calls without end: operators that run programs, or wait without "
                             "workers, are on top of each other, and no stack is left");
}

/// No threads: whoever calls runs everything, one caller at a time, in an order that depends on the
/// program alone. Tasks that wait go on before tasks that have not started, and those start oldest
/// first.
///
/// With a chosen schedule the worker's attention is asked for all the time, so that running frames
/// may yield anywhere, and each fork is handed over at once: `sleepers` says that somebody waits
/// for it.
class InlineScheduler final : public SchedulerCore {
public:
  /// `drives`: the lock of who drives, or null.
  InlineScheduler(Scheduler& s, Scheduler::Config c, LightLock* drives)
      : SchedulerCore(s, withoutWorkers(std::move(c))),
        worker_(std::make_unique<Worker>(*this, *pool, config.maxDepth)),
        drives_(drives ? *drives : ownLock_) {
    if (config.schedule) {
      sleepers.store(1, std::memory_order_relaxed);
      worker_->ask();
    }
    enlist(workers_);
  }

  ~InlineScheduler() override {
    TINE_CHECK_MSG(!drivenHere(), "a scheduler is destroyed by one of its own tasks");
    stopping.store(true, std::memory_order_relaxed);
    askAll(); // also whoever helps
    close();
    Drive drive(*this);
    Worker* all[] = {worker_.get()};
    do {
      bool again = false;
      while (runReady()) {
      }
      while (Deque::Entry entry = worker_->deque.steal(&again))
        cancel(*worker_, taskOf(entry), shutdownError);
      for (; !forked_.empty(); forked_.pop_front())
        cancel(*worker_, *forked_.front(), shutdownError);
      pending->failAll(shutdownError);
    } while (hasReady() || abandonAll(all, shutdownError) || anybodyWaits(all));
    worker_->settle();
    if (called_) called_->release(1);
    drive.end();
    awaitVisitors();
    worker_.reset();
  }

  void waitDone(FutureState& future) override {
    // Others run on top of an operator that waits.
    if (!currentWorker || hasRoom()) return waitHere(future);
    if (!callWithRoom([&] { waitHere(future); })) waitWithoutRoom(future);
  }

  void waitHere(FutureState& future) {
    if (drivenHere()) {
      mustNotChoose(true);
      // An operator waits in the middle of a task: what it waits for runs on top of it.
      Drive drive(*this);
      Frame* const from = worker_->calling;
      const StandingWait standing(*worker_, future, from);
      if (future.kind() != worker_->kind) Nudge::attach(signal_, future);
      while (!future.done()) {
        if (from && numStopping.load(std::memory_order_acquire) > 0)
          if (auto error = stopOf(*from)) throw RuntimeError(error);
        if (!(future.kind() == worker_->kind && runTask(future)) && !step())
          stall(standing, nullptr);
        worker_->calling = from;
      }
      return;
    }
    Nudge::attach(signal_, future);
    const StandingWait standing(*worker_, future, nullptr);
    while (!future.done()) {
      Drive drive(*this);
      while (!future.done() && step()) {
      }
      if (!future.done()) stall(standing, &drive);
    }
  }

  /// Nothing may start on top any more: waits for what others do.
  void waitWithoutRoom(FutureState& future) {
    const Frame* const from = drivenHere() ? worker_->calling : nullptr;
    Nudge::attach(signal_, future);
    while (!future.done()) {
      if (from && numStopping.load(std::memory_order_acquire) > 0)
        if (auto error = stopOf(*from)) throw RuntimeError(error);
      if (stopping.load(std::memory_order_relaxed)) throw RuntimeError(shutdownError);
      if (!endsOutside(*this, future)) withoutRoom();
      std::unique_lock lock(signal_->mutex);
      if (!future.done()) signal_->changed.wait_for(lock, std::chrono::milliseconds(20));
    }
  }

  void help(llvm::function_ref<bool()> wanted) override {
    if (drivenHere() || !drives_.try_lock()) return;
    Drive drive(*this, std::adopt_lock);
    while (wanted() && !stopping.load(std::memory_order_relaxed)) {
      if (step()) continue;
      if (hasReady() || !breakDeadlock()) return;
    }
  }

  IValue call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
              llvm::ArrayRef<IValue> arguments, std::shared_ptr<const Error>& error) override {
    if (isWatched_ || !isSimple(*code))
      return SchedulerCore::call(code, function, arguments, error);
    IValue result;
    Ref<FutureState> future;
    {
      Drive drive(*this, Drive::Keeps);
      future = callDriving(code, function, arguments, result, error);
    }
    if (!future) return result;
    waitDone(*future);
    return tine::result(*future, error);
  }

  /// May a call of its functions here do without a queue and a run of its own?
  static bool isSimple(const Code& code) { return !currentWorker && !code.draws(); }
  /// By who has locked drives_, and then still has. As callDriving.
  Ref<FutureState> callLocked(const std::shared_ptr<const Code>& code, const FunctionCode& function,
                              llvm::ArrayRef<IValue> arguments, IValue& result,
                              std::shared_ptr<const Error>& error) {
    Drive drive(*this, Drive::KeepsLocked);
    return callDriving(code, function, arguments, result, error);
  }

  /// Tasks and frames are all free, so that nobody waits, and no future is out. Those that were
  /// freed outside of the scheduler's tasks count as if they were not.
  bool isSpotless() override {
    constexpr std::size_t kLittle = std::size_t(4) << 20;
    const Worker& worker = *worker_;
    return !config.schedule && worker.totalTasks() == 0 && worker.totalFrames() == 0 &&
           worker.deque.size() == 0 && numReady_.load(std::memory_order_acquire) == 0 &&
           pool->size() <= kLittle && !timers.hasThread() && !deadlines.hasThread();
  }

  Scheduler::Stats stats() override {
    Scheduler::Stats sum;
    worker_->addTo(sum);
    sum.choices = numChoices_.value();
    sum.preempted = numPreempted_.value();
    return sum;
  }

  void ready(Wait* wait) override { push({.entry = entryOf(wait)}); }
  void post(FutureState& task, const FutureState* after) override {
    push({.entry = entryOf(task), .after = after});
  }

  bool wake() override {
    bool again = false;
    while (const Deque::Entry entry = worker_->deque.steal(&again)) {
      // The memory of a task that was run by who waited for it may be used again already.
      if (forked_.size() <= kWindow) std::erase(forked_, &taskOf(entry));
      forked_.push_back(&taskOf(entry));
    }
    return true;
  }

  Advice attend(Worker&, Frame* top, bool waits, std::shared_ptr<const Error>* error) override {
    if (stopping.load(std::memory_order_relaxed)) {
      *error = shutdownError;
      return Advice::Stop;
    }
    if (!config.schedule) worker_->pay();
    if (isDumping()) answerDump(*worker_, top);
    stopWhoWaits();
    const Advice advice = attendToStops(*worker_, top, waits, error);
    if (advice != Advice::GoOn || !config.schedule || waits) return advice;
    const std::vector<Candidate> candidates = this->candidates();
    if (candidates.empty()) return Advice::GoOn;
    const std::uint32_t chosen = choose(Schedule::Choice::Kind::Preempt, candidates, top);
    if (chosen == 0) return Advice::GoOn;
    ++numPreempted_;
    putFirst(candidates[chosen - 1]);
    push({.frame = top});
    return Advice::Yield;
  }

private:
  Census census() override {
    const bool runs = driver_.load(std::memory_order_relaxed) != std::thread::id();
    const auto queued = static_cast<std::size_t>(worker_->deque.size());
    return {workers_, runs ? 1u : 0u, queued + numReady_.load(std::memory_order_acquire)};
  }
  void askAll() override {
    worker_->ask();
    std::lock_guard lock(signal_->mutex);
    signal_->changed.notify_all();
  }
  void stopWhoWaits() {
    Worker* all[] = {worker_.get()};
    if (takeStopRequest()) stopParked(all);
  }

  /// The result or the error is there, or this is the future of a root that has to wait.
  /// \pre the calling thread drives, and isSimple(*code)
  Ref<FutureState> callDriving(const std::shared_ptr<const Code>& code,
                               const FunctionCode& function, llvm::ArrayRef<IValue> arguments,
                               IValue& result, std::shared_ptr<const Error>& error) {
    Worker& worker = *worker_;
    Run* const run = runOf(code, function);
    FutureState* const task = worker.allocateTask();
    auto freesTask = llvm::make_scope_exit([&] { worker.freeTask(task); });
    Frame* const frame = worker.allocateFrame(&function, function.numInputs, true);
    freesTask.release();
    for (std::uint32_t i = 0; i < function.numInputs; ++i)
      new (frame->registers() + i) IValue(arguments[i]);
    task->payload[0] = &run->root;
    task->payload[1] = run;
    task->payload[2] = nullptr;
    task->renewRunning(2);
    Worker::becomeFirst(*frame, *task);
    worker.addToRun(run);
    ++worker.numTaken;
    run->result = &result;
    interpret(worker, frame);
    Ref<FutureState> future;
    if (std::exchange(run->result, nullptr)) future = Ref<FutureState>::adopt(task);
    if (worker.deque.size() != 0 || numReady_.load(std::memory_order_acquire) != 0)
      while (step()) {
      }
    if (!future || !future->done()) return future;
    result = tine::result(*future, error); // it failed; here its memory goes to the worker
    return nullptr;
  }

  /// The thread that runs the tasks now; may be nested in itself.
  class Drive {
  public:
    /// At its end the worker settles, or keeps the reserve of the run for the next call; and with
    /// KeepsLocked the lock is the caller's, before and after.
    enum End { Settles, Keeps, KeepsLocked };
    /// \errors WrongProcess
    explicit Drive(InlineScheduler& scheduler, End end = Settles)
        : self_(scheduler), before_(currentWorker),
          nested_(end != KeepsLocked && scheduler.drivenHere()), end_(end) {
      if (end == KeepsLocked) {
        self_.driver_.store(std::this_thread::get_id(), std::memory_order_relaxed);
      } else if (!nested_) {
        if (!self_.drives_.try_lock()) {
          if (self_.isInherited())
            raise(error_kind::WrongProcess, "the scheduler was in use when its process forked");
          self_.drives_.lock();
        }
        self_.driver_.store(std::this_thread::get_id(), std::memory_order_relaxed);
      }
      currentWorker = self_.worker_.get();
    }
    /// Who has locked drives_ already.
    Drive(InlineScheduler& scheduler, std::adopt_lock_t)
        : self_(scheduler), before_(currentWorker), nested_(false), end_(Settles) {
      self_.driver_.store(std::this_thread::get_id(), std::memory_order_relaxed);
      currentWorker = self_.worker_.get();
    }
    ~Drive() { end(); }
    Drive(const Drive&) = delete;
    void end() {
      if (ended_) return;
      ended_ = true;
      if (!nested_ && end_ == Settles) self_.worker_->settle();
      currentWorker = before_;
      if (nested_) return;
      self_.driver_.store(std::thread::id(), std::memory_order_relaxed);
      if (end_ != KeepsLocked) self_.drives_.unlock();
    }

  private:
    InlineScheduler& self_;
    Worker* before_;
    const bool nested_;
    const End end_;
    bool ended_ = false;
  };

  /// The run of calls, which is used again when all of the last call is over.
  Run* runOf(const std::shared_ptr<const Code>& code, const FunctionCode& function) {
    const std::int64_t ours = 1 + (worker_->run == called_ ? worker_->reserve : 0);
    if (!called_ || called_->code != code ||
        called_->references.load(std::memory_order_acquire) != ours) {
      if (called_) std::exchange(called_, nullptr)->release(1);
      called_ = new Run{{1}, code, {}};
    }
    called_->root.target = &function;
    return called_;
  }

  void mustNotChoose(bool here) const {
    TINE_CHECK_MSG(!here || !choosing_, "a schedule's chooser uses the scheduler that asks it");
  }

  /// Is the calling thread in the middle of a task of this scheduler?
  bool drivenHere() const {
    return driver_.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }

  /// What threads wait on. May outlive the scheduler, in the hands of a future.
  struct Signal {
    std::mutex mutex;
    std::condition_variable changed;
  };

  /// Tells waiting threads of a future that no task of ours computes.
  struct Nudge : Waiter {
    std::shared_ptr<Signal> signal;
    static void attach(std::shared_ptr<Signal> signal, FutureState& future) {
      auto* nudge = new Nudge;
      nudge->signal = std::move(signal);
      nudge->fire = [](Waiter* waiter, FutureState&) {
        auto* self = static_cast<Nudge*>(waiter);
        {
          std::lock_guard lock(self->signal->mutex);
          self->signal->changed.notify_all();
        }
        delete self;
      };
      if (!future.addWaiter(nudge)) delete nudge;
    }
  };

  Ref<FutureState> start(std::unique_ptr<Run> run, std::vector<IValue> arguments) override {
    const bool asFork = drivenHere(); // starts when it is waited for
    mustNotChoose(asFork);
    Ref<FutureState> task;
    const auto begin = [&] {
      Drive drive(*this);
      task = newRoot(worker_.get(), std::move(run), std::move(arguments));
      if (asFork) {
        worker_->offer(entryOf(*task));
        return;
      }
      execute(*worker_, entryOf(*task), worker_->numTaken);
      while (step()) {
      }
    };
    if (asFork || !currentWorker || hasRoom())
      begin();
    else if (!callWithRoom(begin)) // an operator of another one runs it
      withoutRoom();
    return task;
  }

  /// Something that goes on.
  struct Ready {
    Deque::Entry entry = 0; ///< a wait that fired, or the task of a callback
    Frame* frame = nullptr; ///< or frames that yielded
    /// Of a callback: the future; its callbacks start in their order.
    const FutureState* after = nullptr;
  };
  void push(Ready ready) {
    std::lock_guard lock(signal_->mutex);
    surely([&] { ready_.push_back(ready); });
    numReady_.store(ready_.size(), std::memory_order_release);
    signal_->changed.notify_all();
  }

  bool runTask(FutureState& task) {
    if (!worker_->claim(task)) return false;
    ++worker_->numInline;
    interpret(*worker_, worker_->frameOf(task));
    return true;
  }

  bool hasReady() {
    std::lock_guard lock(signal_->mutex);
    return !ready_.empty();
  }

  bool runReady() {
    if (numReady_.load(std::memory_order_acquire) == 0) return false;
    Ready first;
    {
      std::lock_guard lock(signal_->mutex);
      first = ready_.front(); // only whoever drives takes
      ready_.pop_front();
      numReady_.store(ready_.size(), std::memory_order_release);
      isChosen_ = false;
    }
    if (first.frame)
      interpret(*worker_, first.frame);
    else if (!isWait(first.entry) && stopping.load(std::memory_order_relaxed))
      cancel(*worker_, taskOf(first.entry), shutdownError);
    else
      execute(*worker_, first.entry, worker_->numTaken);
    return true;
  }

  /// Runs one thing. False when there is none.
  bool step() {
    stopWhoWaits();
    if (config.schedule) return stepChosen();
    if (runReady()) return true;
    bool again = false;
    const Deque::Entry entry = worker_->deque.steal(&again);
    if (!entry) return false;
    execute(*worker_, entry, worker_->numTaken);
    return true;
  }

  // ---- a chosen schedule -----

  struct Candidate {
    bool forked; ///< in forked_, else in ready_
    std::size_t index;
  };
  static constexpr std::size_t kWindow = 64;

  /// What could go on; of very many only the first, and of tasks the newest too.
  std::vector<Candidate> candidates() {
    std::vector<Candidate> found;
    {
      std::lock_guard lock(signal_->mutex);
      for (std::size_t i = 0; i < std::min(ready_.size(), kWindow); ++i) {
        const FutureState* after = ready_[i].after;
        const auto end = ready_.begin() + static_cast<std::ptrdiff_t>(i);
        if (!after || std::none_of(ready_.begin(), end,
                                   [&](const Ready& ready) { return ready.after == after; }))
          found.push_back({false, i});
      }
    }
    // Those that were run by who waited for them are still there. It takes as long as many forks
    // to look at many.
    if (forked_.size() <= kWindow || worker_->stale * 2 > forked_.size()) {
      std::erase_if(forked_, [](FutureState* task) { return !task->isNew(); });
      worker_->stale = 0;
    }
    for (std::size_t i = 0; i < forked_.size(); ++i) {
      if (i == kWindow / 2 && forked_.size() > kWindow) i = forked_.size() - kWindow / 2;
      if (forked_[i]->isNew()) found.push_back({true, i});
    }
    return found;
  }

  /// One of the candidates, or before them of what runs.
  std::uint32_t choose(Schedule::Choice::Kind kind, const std::vector<Candidate>& candidates,
                       const Frame* runs) {
    const auto count = static_cast<std::uint32_t>(candidates.size()) + (runs != nullptr);
    if (count == 1) return 0;
    ++numChoices_;
    const auto what = [&](std::uint32_t i) {
      return runs && i == 0 ? placeOf(*runs) : str(candidates[i - (runs != nullptr)]);
    };
    choosing_ = true;
    const std::uint32_t chosen = config.schedule.choose({kind, count, what});
    choosing_ = false;
    return chosen;
  }

  std::string str(const Candidate& candidate) {
    if (candidate.forked) return "a new task of " + siteOf(*forked_[candidate.index]).target->name;
    std::lock_guard lock(signal_->mutex);
    const Ready& ready = ready_[candidate.index];
    if (ready.frame) return placeOf(*ready.frame);
    if (isWait(ready.entry)) return placeOf(*waitOf(ready.entry)->frame);
    if (!taskOf(ready.entry).isNew()) return "a callback that was cancelled";
    return "a callback of " + siteOf(taskOf(ready.entry)).target->name;
  }

  /// The candidate goes on before all others.
  void putFirst(const Candidate& candidate) {
    std::lock_guard lock(signal_->mutex);
    Ready ready;
    if (candidate.forked) {
      const auto at = forked_.begin() + static_cast<std::ptrdiff_t>(candidate.index);
      ready.entry = entryOf(**at);
      forked_.erase(at);
    } else {
      const auto at = ready_.begin() + static_cast<std::ptrdiff_t>(candidate.index);
      ready = *at;
      ready_.erase(at);
    }
    ready_.push_front(ready);
    numReady_.store(ready_.size(), std::memory_order_release);
    isChosen_ = true;
  }

  bool stepChosen() {
    if (!isChosen_) {
      const std::vector<Candidate> candidates = this->candidates();
      if (candidates.empty()) return false;
      putFirst(candidates[choose(Schedule::Choice::Kind::Next, candidates, nullptr)]);
    }
    return runReady();
  }

  /// Nothing could run, and who waits still does: waits for other threads, if they can help, and
  /// lets them drive unless `drive` is null. \pre the calling thread drives
  void stall(const StandingWait& wait, Drive* drive) {
    if (config.schedule && timers.pass()) return;
    if (hasReady() || worker_->deque.size() != 0 || wait.future->done()) return;
    std::vector<Ref<FutureState>> others;
    if (breakDeadlock(&wait, &others)) return;
    if (!drive && stopping.load(std::memory_order_relaxed)) throw RuntimeError(shutdownError);
    if (drive) drive->end();
    for (const Ref<FutureState>& other : others)
      Pool::of(*other)->withCore(
          [&](SchedulerCore& core) { core.help([&] { return !wait.future->done(); }); });
    std::unique_lock lock(signal_->mutex);
    // Not for ever, because handles may be dropped without a sign.
    if (ready_.empty() && !wait.future->done())
      signal_->changed.wait_for(lock, std::chrono::milliseconds(20));
  }

  /// True when it made somebody go on. `wait` is the calling thread's own, and `others` what
  /// schedulers without workers are to compute. \errors Deadlock `wait` can never end
  bool breakDeadlock(const StandingWait* wait = nullptr,
                     std::vector<Ref<FutureState>>* others = nullptr) {
    Worker* all[] = {worker_.get()};
    Waits hopeless;
    std::shared_ptr<const Error> error;
    bool isHopeless;
    try {
      const Prospects prospects(*this, all);
      error = prospects.deadlock();
      hopeless = prospects.hopeless();
      isHopeless = wait && prospects.isHopeless(*wait);
      if (others) *others = prospects.withoutWorkers();
    } catch (const std::bad_alloc&) {
      return false; // whoever waits comes again
    }
    if (error && abandonAll(all, error, &hopeless)) return true;
    if (isHopeless && !wait->future->done()) throw RuntimeError(error);
    return false;
  }

  std::unique_ptr<Worker> worker_;
  Worker* const workers_[1] = {worker_.get()};
  Run* called_ = nullptr; // with a reference of its own
  const std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  const bool isWatched_ = config.schedule || config.profile;
  LightLock ownLock_;
  LightLock& drives_;
  std::atomic<std::thread::id> driver_; // who has locked drives_
  std::deque<Ready> ready_;             // guarded by the signal's mutex
  std::atomic<std::size_t> numReady_{0};
  // With a chosen schedule:
  bool isChosen_ = false;           // the first of ready_ goes on
  std::deque<FutureState*> forked_; // tasks that may be New
  Counter numChoices_, numPreempted_;
  bool choosing_ = false; // by whoever drives
};

} // namespace

std::unique_ptr<SchedulerCore> makeInlineScheduler(Scheduler& scheduler, Scheduler::Config config,
                                                   LightLock* drives) {
  return std::make_unique<InlineScheduler>(scheduler, std::move(config), drives);
}

// ---- the spare one ------------------------------------------------------------------------------

/// What is lent to this call beyond the lock, for it has to wait, or leaves something to end.
class SpareScheduler::Loan {
public:
  /// \pre drives_ is locked, which it is not any more
  explicit Loan(SpareScheduler& spare) : spare_(spare) {
    spare_.isLent_ = true;
    spare_.drives_.unlock();
  }
  ~Loan() {
    if (spare_.scheduler_ && !spare_.scheduler_->isSpotless()) spare_.scheduler_.reset();
    spare_.drives_.lock();
    spare_.isLent_ = false;
    spare_.drives_.unlock();
  }
  Loan(const Loan&) = delete;

private:
  SpareScheduler& spare_;
};

IValue SpareScheduler::call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
                            llvm::ArrayRef<IValue> arguments, std::shared_ptr<const Error>& error) {
  const bool locked = drives_.try_lock();
  if (!locked || isLent_ || !scheduler_ || !InlineScheduler::isSimple(*code)) [[unlikely]]
    return callSlowly(locked, code, function, arguments, error);
  auto& core = static_cast<InlineScheduler&>(scheduler_->core());
  IValue result;
  const Ref<FutureState> future = core.callLocked(code, function, arguments, result, error);
  if (!future && core.isSpotless()) [[likely]] {
    drives_.unlock();
    return result;
  }
  const Loan loan(*this);
  if (future) {
    core.waitDone(*future);
    result = tine::result(*future, error);
  }
  return result;
}

IValue SpareScheduler::callSlowly(bool locked, const std::shared_ptr<const Code>& code,
                                  const FunctionCode& function, llvm::ArrayRef<IValue> arguments,
                                  std::shared_ptr<const Error>& error) {
  Scheduler::Config config{.workers = 0};
  if (!locked || isLent_) {
    if (locked) drives_.unlock();
    return Scheduler(std::move(config)).call(code, function, arguments, error);
  }
  const Loan loan(*this);
  if (!scheduler_) scheduler_.reset(new Scheduler(std::move(config), drives_));
  return scheduler_->call(code, function, arguments, error);
}

} // namespace tine
