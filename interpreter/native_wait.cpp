#include "interpreter/native_wait.h"

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

} // namespace

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

IValue result(FutureState& future) {
  if (future.failed()) future.markObserved();
  return future.valueOrThrow();
}

} // namespace tine
