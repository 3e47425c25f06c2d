#pragma once

#include "interpreter/threads.h"

namespace tine {

/// A mutex that is free nearly always: one locked instruction to lock, none to unlock. Whoever does
/// find it locked pays with a heavy fence and sleeps.
template <class P> class LightLockOf {
public:
  bool try_lock() {
    bool free = false;
    return locked_.compare_exchange_strong(free, true, P::kLock, std::memory_order_relaxed);
  }
  void lock() {
    if (!try_lock()) [[unlikely]]
      waitAndLock();
  }
  void unlock() {
    locked_.store(false, P::kUnlock);
    if (fences_) P::fence(P::kUnlockFence);
    // Before the fence of one who came to wait, this sees nobody, and that one that it is free.
    P::signalFence();
    if (waiting_.load(std::memory_order_relaxed) > 0) [[unlikely]]
      wake();
  }

private:
  [[gnu::noinline]] void waitAndLock() {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    if (fences_)
      P::fence(P::kAwaitLock);
    else
      P::heavyFence(P::kAwaitLockHeavily);
    while (!try_lock()) {
      std::unique_lock lock(mutex_);
      freed_.wait(lock, [&] { return !locked_.load(std::memory_order_relaxed); });
    }
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  [[gnu::noinline]] void wake() {
    std::lock_guard lock(mutex_);
    freed_.notify_one();
  }

  typename P::template Atomic<bool> locked_{false};
  const bool fences_ = !P::registerHeavyFence();
  typename P::template Atomic<int> waiting_{0};
  typename P::Mutex mutex_;
  typename P::Condition freed_;
};
class LightLock : public LightLockOf<Threads> {};

} // namespace tine
