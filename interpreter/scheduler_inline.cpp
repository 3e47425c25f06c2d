#include "interpreter/core.h"
#include "interpreter/native_wait.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace tine {
namespace {

/// No threads: whoever calls runs everything, one caller at a time, in an order that depends on the
/// program alone. Tasks that wait go on before tasks that have not started, and those start oldest
/// first.
class InlineScheduler final : public SchedulerCore {
public:
  InlineScheduler(Scheduler& s, Scheduler::Config c)
      : SchedulerCore(s, std::move(c)),
        worker_(std::make_unique<Worker>(*this, *pool, config.maxDepth)) {}

  ~InlineScheduler() override {
    close();
    Drive drive(*this);
    stopping.store(true, std::memory_order_relaxed);
    worker_->attention.store(true, std::memory_order_relaxed);
    Worker* all[] = {worker_.get()};
    do {
      bool again = false;
      while (runReady()) {
      }
      while (Deque::Entry entry = worker_->deque.steal(&again))
        cancel(*worker_, taskOf(entry), shutdownError);
      pending->failAll(shutdownError);
    } while (hasReady() || abandonAll(all, shutdownError));
    worker_->settle();
    drive.end();
    worker_.reset();
  }

  void waitDone(FutureState& future) override {
    if (drivenHere()) {
      // An operator waits in the middle of a task: what it waits for runs on top of it.
      Drive drive(*this);
      if (future.kind() != worker_->kind) Nudge::attach(signal_, future);
      while (!future.done())
        if (!(future.kind() == worker_->kind && runTask(future)) && !step()) stall(future, nullptr);
      return;
    }
    Nudge::attach(signal_, future);
    while (!future.done()) {
      Drive drive(*this);
      while (!future.done() && step()) {
      }
      if (!future.done()) stall(future, &drive);
    }
  }

  Scheduler::Stats stats() override {
    Scheduler::Stats sum;
    worker_->addTo(sum);
    return sum;
  }

  void ready(Wait* wait) override { push(entryOf(wait)); }
  void post(FutureState& task) override { push(entryOf(task)); }

  void wake() override {}
  bool attend(Worker&) override { return stopping.load(std::memory_order_relaxed); }

private:
  /// The thread that runs the tasks now; may be nested in itself.
  class Drive {
  public:
    /// \errors WrongProcess
    explicit Drive(InlineScheduler& scheduler)
        : self_(scheduler), before_(currentWorker), nested_(scheduler.drivenHere()) {
      if (!nested_) {
        if (!self_.drives_.try_lock()) {
          if (::getpid() != self_.pid_)
            raise(error_kind::WrongProcess, "the scheduler was in use when its process forked");
          self_.drives_.lock();
        }
        self_.driver_.store(std::this_thread::get_id(), std::memory_order_relaxed);
      }
      currentWorker = self_.worker_.get();
    }
    ~Drive() { end(); }
    Drive(const Drive&) = delete;
    void end() {
      if (ended_) return;
      ended_ = true;
      if (!nested_) self_.worker_->settle();
      currentWorker = before_;
      if (nested_) return;
      self_.driver_.store(std::thread::id(), std::memory_order_relaxed);
      self_.drives_.unlock();
    }

  private:
    InlineScheduler& self_;
    Worker* before_;
    const bool nested_;
    bool ended_ = false;
  };

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
    Drive drive(*this);
    auto task = newRoot(worker_.get(), std::move(run), std::move(arguments));
    if (asFork) {
      worker_->offer(entryOf(*task));
    } else {
      execute(*worker_, entryOf(*task), worker_->numTaken);
      while (step()) {
      }
    }
    return task;
  }

  void push(Deque::Entry entry) {
    std::lock_guard lock(signal_->mutex);
    ready_.push_back(entry);
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
    Deque::Entry entry;
    {
      std::lock_guard lock(signal_->mutex);
      entry = ready_.front(); // only whoever drives takes
      ready_.pop_front();
      numReady_.store(ready_.size(), std::memory_order_release);
    }
    if (!isWait(entry) && stopping.load(std::memory_order_relaxed))
      cancel(*worker_, taskOf(entry), shutdownError);
    else
      execute(*worker_, entry, worker_->numTaken);
    return true;
  }

  /// Runs one thing. False when there is none.
  bool step() {
    if (runReady()) return true;
    bool again = false;
    const Deque::Entry entry = worker_->deque.steal(&again);
    if (!entry) return false;
    execute(*worker_, entry, worker_->numTaken);
    return true;
  }

  /// Nothing could run, and the future is not done: waits for other threads, if they can help, and
  /// lets them drive unless `drive` is null. \pre the calling thread drives
  void stall(FutureState& future, Drive* drive) {
    Worker* all[] = {worker_.get()};
    if (externalPromises.load(std::memory_order_acquire) > 0 || isOfAnother(future) ||
        waitsForAnother(all)) {
      if (drive) drive->end();
      std::unique_lock lock(signal_->mutex);
      // Not for ever, because promises may be dropped that nobody here waits for.
      if (ready_.empty() && !future.done())
        signal_->changed.wait_for(lock, std::chrono::milliseconds(20));
      return;
    }
    if (hasReady() || worker_->deque.size() != 0 || future.done()) return;
    if (auto error = findDeadlock(all))
      if (abandonAll(all, error)) return;
    if (future.done()) return;
    raise(error_kind::Deadlock,
          ("nothing can run, and the calling thread waits for " + describe(future)).c_str());
  }

  std::unique_ptr<Worker> worker_;
  const std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  std::mutex drives_;
  std::atomic<std::thread::id> driver_; // who has locked drives_
  std::deque<Deque::Entry> ready_; // waits that fired, callbacks; guarded by the signal's mutex
  std::atomic<std::size_t> numReady_{0};
};

} // namespace

std::unique_ptr<SchedulerCore> makeInlineScheduler(Scheduler& scheduler, Scheduler::Config config) {
  return std::make_unique<InlineScheduler>(scheduler, std::move(config));
}

} // namespace tine
