#include "interpreter/native_wait.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace tine {
namespace {

/// Shared by the thread and the future: whoever comes second frees it.
struct ThreadWait : Waiter {
  std::atomic<int> fired{0};
  std::atomic<int> owners{2};
  void drop() {
    if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
};

/// The same with a limit, which futexes of the standard library do not have.
struct LimitedWait : Waiter {
  std::mutex mutex;
  std::condition_variable changed;
  bool fired = false; ///< guarded by mutex
  std::atomic<int> owners{2};
  void drop() {
    if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
};

} // namespace

bool blockThread(FutureState& future, std::chrono::nanoseconds limit) {
  if (future.done()) return true;
  auto* wait = new LimitedWait;
  wait->fire = [](Waiter* waiter, FutureState&) {
    auto* self = static_cast<LimitedWait*>(waiter);
    {
      std::lock_guard lock(self->mutex);
      self->fired = true;
      self->changed.notify_one();
    }
    self->drop();
  };
  if (!future.addWaiter(wait)) {
    delete wait;
    return true;
  }
  // Longer ones would leave the clock's range.
  limit = std::clamp<std::chrono::nanoseconds>(limit, std::chrono::nanoseconds(0),
                                               std::chrono::hours(200'000));
  const auto until = std::chrono::steady_clock::now() + limit;
  std::unique_lock lock(wait->mutex);
  wait->changed.wait_until(lock, until, [&] { return wait->fired; });
  const bool done = wait->fired;
  lock.unlock();
  if (!done && future.removeWaiters([&](const Waiter& waiter) { return &waiter == wait; }))
    wait->drop(); // the future's part
  wait->drop();
  return done;
}

void blockThread(FutureState& future) {
  if (future.done()) return;
  auto* wait = new ThreadWait;
  wait->fire = [](Waiter* waiter, FutureState&) {
    auto* self = static_cast<ThreadWait*>(waiter);
    self->fired.store(1, std::memory_order_release);
    self->fired.notify_one();
    self->drop();
  };
  if (!future.addWaiter(wait)) {
    delete wait;
    return;
  }
  wait->fired.wait(0, std::memory_order_acquire);
  wait->drop();
}

IValue result(FutureState& future, std::shared_ptr<const Error>& error) {
  if (!future.failed()) return future.value();
  future.markObserved();
  error = future.error();
  return {};
}

IValue result(FutureState& future) {
  if (future.failed()) future.markObserved();
  return future.valueOrThrow();
}

} // namespace tine
