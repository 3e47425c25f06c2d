// Tasks that are to stop: those of a run whose deadline has passed or whose token was cancelled,
// and those whose future was cancelled.

#include "interpreter/control.h"
#include "interpreter/core.h"
#include "support/surely.h"
#include "tensor/delivery.h"

#include <iterator>
#include <unordered_set>

namespace tine {

void SchedulerCore::requestStop() {
  stopRequests_.fetch_add(1, std::memory_order_acq_rel);
  stopRequested_.store(true, std::memory_order_release);
  askAll();
}

void SchedulerCore::stop(FutureState& task) {
  if (!task.askToStop()) return;
  numStopping.fetch_add(1, std::memory_order_acq_rel);
  requestStop();
}

std::shared_ptr<const Error> SchedulerCore::stopOf(const Frame& top) const {
  const RunControl* control = top.run->control.get();
  if (control && control->isStopped()) return control->error();
  return top.task->isAskedToStop() ? cancelledError_ : nullptr;
}

namespace {
/// A task on top of one that is to stop, which alone needs it, is to stop, too. One that others
/// need goes on by itself, and what is below it, in `below`, without it.
void stopOnTop(SchedulerCore& core, Frame* top, llvm::SmallVectorImpl<Frame*>& below) {
  llvm::SmallVector<Frame*, 8> waited; // first frames of the tasks on top of those who wait
  for (Frame* frame = top; frame; frame = frame->caller)
    if (frame->first && frame->caller) waited.push_back(frame);
  while (!waited.empty()) { // from the bottom
    Frame* const first = waited.pop_back_val();
    if (core.stopOf(*first) || !core.stopOf(*first->caller)) continue;
    // Whom the waiter below borrows its task from needs it, if only until the waiter is gone.
    if (std::exchange(first->borrows, Borrows::No) != Borrows::No || !first->task->isHeldBy(2))
      below.push_back(std::exchange(first->caller, nullptr));
    else if (first->task->askToStop())
      core.numStopping.fetch_add(1, std::memory_order_acq_rel);
  }
}
} // namespace

/// Frames that are not in a wait any more go on as if one had fired; with an error by raising it.
/// \thread a worker's
void SchedulerCore::goOn(Frame* top, std::shared_ptr<const Error> error) {
  auto* wait = new (surely([&] { return pool->allocate(Pool::classOf(sizeof(Wait))); }))
      Wait(*currentWorker, *top->task, Wait::Who::Frames, top, nullptr);
  wait->state.setFired();
  wait->error = std::move(error);
  currentWorker->enlist(wait);
  ready(wait);
}

Advice SchedulerCore::attendToStops(Worker& worker, Frame* top, bool waits,
                                    std::shared_ptr<const Error>* error) {
  if (numStopping.load(std::memory_order_acquire) <= 0) return Advice::GoOn;
  worker.ask(); // until they are over
  const std::uint64_t requests = stopRequests_.load(std::memory_order_acquire);
  llvm::SmallVector<Frame*, 4> below;
  if (std::exchange(worker.seenStops, requests) != requests) stopOnTop(*this, top, below);
  *error = stopOf(*top);
  // Those who stop come first: what runs now may be endless, and needed by nobody then.
  const bool yields = !below.empty() && !*error && !waits;
  if (yields && config.workers != 0) goOn(top, nullptr); // the worker takes the newest
  for (Frame* frame : below) goOn(frame, stopOf(*frame));
  if (yields && config.workers == 0) goOn(top, nullptr); // and without workers the oldest
  return *error ? Advice::Stop : yields ? Advice::Yield : Advice::GoOn;
}

void SchedulerCore::stopParked(llvm::ArrayRef<Worker*> workers) {
  llvm::SmallVector<Frame*, 4> below;
  abandon(workers, [&](const Wait& wait, std::size_t) -> std::shared_ptr<const Error> {
    if (!wait.frame) return nullptr;
    stopOnTop(*this, wait.frame, below);
    return stopOf(*wait.frame);
  });
  for (Frame* frame : below) goOn(frame, stopOf(*frame));
}

void SchedulerCore::failUnstarted(FutureState& task, const std::shared_ptr<const Error>& error,
                                  std::vector<Ref<FutureState>>* held) {
  const Site& site = siteOf(task);
  Run* const run = runOf(task);
  const std::uint32_t n = site.target->numInputs;
  std::vector<IValue> arguments;
  surely([&] { arguments.reserve(n); });
  if (n == 1 || hasPlaceForTwo(site)) {
    arguments.push_back(std::move(task.argument()));
    if (n == 2) arguments.push_back(takeSecond(task));
  } else if (n > 1) {
    auto* given = static_cast<IValue*>(task.payload[2]);
    for (std::uint32_t i = 0; i < n; ++i) {
      arguments.push_back(std::move(given[i]));
      given[i].~IValue();
    }
    const std::size_t bytes = (n + site.splits) * sizeof(IValue);
    const int sizeClass = Pool::classOf(bytes);
    if (sizeClass < Pool::kClasses)
      pool->free(sizeClass, given);
    else
      pool->freeLarge(given, bytes);
  }
  if (held)
    for (const IValue& argument : arguments) surely([&] { addFutures(argument, *held); });
  arguments.clear();
  task.fail(error);
  task.release();
  run->release(1);
}

// ---- futures ------------------------------------------------------------------------------------

void addFutures(const IValue& value, std::vector<Ref<FutureState>>& to) {
  if (value.isFuture()) return to.push_back(value.toFuture());
  if (!value.isList() && !value.isTuple() && !value.isDict()) return;
  std::vector<Ref<FutureState>> found;
  std::unordered_set<const void*> seen;
  std::vector<const IValue*> open{&value};
  const auto addAll = [&](const void* payload, const std::vector<IValue>& items) {
    if (!seen.insert(payload).second) return;
    for (const IValue& item : items) open.push_back(&item);
  };
  while (!open.empty()) {
    const IValue& v = *open.back();
    open.pop_back();
    if (v.isFuture())
      found.push_back(v.toFuture());
    else if (v.isList())
      addAll(&v.toList(), v.toList().items);
    else if (v.isTuple())
      addAll(&v.toTuple(), v.toTuple().items);
    else if (v.isDict() && seen.insert(&v.toDict()).second)
      for (const auto& [key, item] : v.toDict().items) open.push_back(&item);
  }
  to.insert(to.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

namespace {

std::shared_ptr<const Error> cancelled() {
  return surely([] {
    return std::make_shared<const Error>(error_kind::Cancelled, "the future was cancelled");
  });
}

/// Cancels futures, and those that these alone needed.
class Canceller {
public:
  void add(Ref<FutureState> future) {
    // One handle of each, so that they count.
    if (surely([&] { return known_.insert(future.get()).second; }))
      surely([&] { unneeded_.push_back(std::move(future)); });
  }
  void addAll(std::vector<Ref<FutureState>> futures) {
    for (Ref<FutureState>& future : futures) add(std::move(future));
  }

  void run() {
    while (!unneeded_.empty()) {
      const Ref<FutureState> future = std::move(unneeded_.back());
      unneeded_.pop_back();
      known_.erase(future.get());
      if (!future->done() && !isNeeded(*future)) cancel(*future);
    }
  }

  void cancel(FutureState& future) {
    SchedulerCore::mustBeHere(nullptr, future);
    Pool* const pool = Pool::of(future);
    SchedulerCore* const core = pool ? pool->core() : nullptr;
    if (!core) {
      future.fail(cancelled()); // a promise, or nobody's
    } else if (!future.payload[0]) {
      cancelDerived(*core, future);
    } else if (future.claim()) {
      std::vector<Ref<FutureState>> held;
      core->failUnstarted(future, cancelled(), &held);
      addAll(std::move(held));
    } else {
      core->stop(future);
    }
  }

private:
  /// Has anybody else a handle, or waits? One handle is ours, one that of whoever computes it.
  static bool isNeeded(FutureState& future) {
    const Pool* pool = Pool::of(future);
    if (!pool || future.refs().value() > 2) return true;
    bool waits = false;
    future.removeWaiters([&](const Waiter& waiter) {
      waits |= !Derived::isOver(waiter);
      return false;
    });
    return waits;
  }

  void cancelDerived(SchedulerCore& core, FutureState& future) {
    std::shared_ptr<Derived> derived;
    std::vector<Ref<FutureState>> held;
    // What a callback holds may be what it waits for.
    FutureCallback callback;
    std::vector<IValue> captured;
    {
      std::lock_guard lock(core.pending->mutex);
      if (!future.payload[1]) return;
      derived = static_cast<Derived*>(future.payload[1])->shared_from_this();
      surely([&] { derived->addSources(held); });
      derived->isCancelled = true;
      callback.swap(derived->callback);
      captured.swap(derived->captured);
    }
    for (const IValue& value : captured) surely([&] { addFutures(value, held); });
    captured.clear();
    if (auto taken = derived->take())
      Delivery::after([taken, error = cancelled()] { taken->fail(error); });
    addAll(std::move(held));
  }

  std::vector<Ref<FutureState>> unneeded_;
  std::unordered_set<FutureState*> known_; ///< in it
};

} // namespace

void cancel(FutureState& future) {
  SchedulerCore::mustBeHere(nullptr, future);
  const Ref<FutureState> alive(&future);
  const Delivery delivery(Delivery::Scope::Registration);
  Canceller canceller;
  if (!future.done()) canceller.cancel(future);
  canceller.run();
}

void cancelUnneeded(std::vector<Ref<FutureState>> futures) {
  Canceller canceller;
  canceller.addAll(std::move(futures));
  canceller.run();
}

} // namespace tine
