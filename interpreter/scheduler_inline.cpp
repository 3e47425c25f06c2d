#include "interpreter/core.h"
#include "interpreter/native_wait.h"

#include <condition_variable>
#include <deque>
#include <mutex>

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
    if (currentWorker == worker_.get()) {
      // An operator waits in the middle of a task: what it waits for runs on top of it.
      while (!future.done())
        if (!(future.kind() == worker_->kind && runTask(future)) && !step()) stall(future, true);
      return;
    }
    Nudge::attach(signal_, future);
    while (!future.done()) {
      {
        Drive drive(*this);
        while (!future.done() && step()) {
        }
      }
      if (!future.done()) stall(future, false);
    }
  }

  Scheduler::Stats stats() override {
    Scheduler::Stats sum;
    worker_->addTo(sum);
    return sum;
  }

  void ready(Wait* wait) override {
    std::lock_guard lock(signal_->mutex);
    ready_.push_back(entryOf(wait));
    signal_->changed.notify_all();
  }

  void post(FutureState& task) override {
    std::lock_guard lock(signal_->mutex);
    ready_.push_back(entryOf(task));
    signal_->changed.notify_all();
  }

  void wake() override {}
  bool attend(Worker&) override { return stopping.load(std::memory_order_relaxed); }

private:
  /// The thread that runs the tasks now.
  class Drive {
  public:
    explicit Drive(InlineScheduler& scheduler) : self_(scheduler), before_(currentWorker) {
      std::unique_lock lock(self_.signal_->mutex);
      self_.signal_->changed.wait(lock, [&] { return !self_.driven_; });
      self_.driven_ = true;
      currentWorker = self_.worker_.get();
    }
    ~Drive() { end(); }
    Drive(const Drive&) = delete;
    void end() {
      if (ended_) return;
      ended_ = true;
      self_.worker_->settle();
      currentWorker = before_;
      std::lock_guard lock(self_.signal_->mutex);
      self_.driven_ = false;
      self_.signal_->changed.notify_all();
    }

  private:
    InlineScheduler& self_;
    Worker* before_;
    bool ended_ = false;
  };

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

  void submit(FutureState& task, Worker* worker) override {
    if (worker) return worker->offer(entryOf(task)); // as a fork; starts when it is waited for
    Drive drive(*this);
    execute(*worker_, entryOf(task), worker_->numTaken);
    while (step()) {
    }
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
    Deque::Entry entry;
    {
      std::lock_guard lock(signal_->mutex);
      if (ready_.empty()) return false;
      entry = ready_.front();
      ready_.pop_front();
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

  /// Nothing could run, and the future is not done: waits for other threads, if they can help.
  void stall(FutureState& future, bool driving) {
    std::unique_lock lock(signal_->mutex);
    if (!ready_.empty() || future.done() || (driven_ && !driving)) return;
    if (externalPromises.load(std::memory_order_acquire) > 0) {
      // Not for ever, because promises may be dropped that nobody here waits for.
      signal_->changed.wait_for(lock, std::chrono::milliseconds(20));
      return;
    }
    if (worker_->deque.size() != 0 || future.done()) return;
    lock.unlock();
    Worker* all[] = {worker_.get()};
    if (auto error = findDeadlock(all))
      if (abandonAll(all, error)) return;
    if (future.done()) return;
    raise(error_kind::Deadlock,
          ("nothing can run, and the calling thread waits for " + describe(future)).c_str());
  }

  std::unique_ptr<Worker> worker_;
  const std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  bool driven_ = false;            // this and what follows: guarded by the signal's mutex
  std::deque<Deque::Entry> ready_; // waits that fired, callbacks
};

} // namespace

std::unique_ptr<SchedulerCore> makeInlineScheduler(Scheduler& scheduler, Scheduler::Config config) {
  return std::make_unique<InlineScheduler>(scheduler, std::move(config));
}

} // namespace tine
