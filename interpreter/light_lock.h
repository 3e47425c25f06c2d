#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace tine {

/// After it, this thread sees what every other thread of the process wrote before its last look at
/// something: the kernel interrupts them for it. So the side of a protocol that is used all the
/// time needs no fence of its own.
/// \pre registerHeavyFence() was true
void heavyFence();
/// Prepares the process for it. False where the kernel refuses: then both sides have to fence.
bool registerHeavyFence();

/// A mutex that is free nearly always: one locked instruction to lock, none to unlock. Whoever does
/// find it locked pays with a heavyFence and sleeps.
class LightLock {
public:
  bool try_lock() {
    bool free = false;
    return locked_.compare_exchange_strong(free, true, std::memory_order_acquire,
                                           std::memory_order_relaxed);
  }
  void lock() {
    if (!try_lock()) [[unlikely]]
      waitAndLock();
  }
  void unlock() {
    locked_.store(false, std::memory_order_release);
    if (fences_) std::atomic_thread_fence(std::memory_order_seq_cst);
    // Before the fence of one who came to wait, this sees nobody, and that one that it is free.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (waiting_.load(std::memory_order_relaxed) > 0) [[unlikely]]
      wake();
  }

private:
  void waitAndLock();
  void wake();

  std::atomic<bool> locked_{false};
  const bool fences_ = !registerHeavyFence();
  std::atomic<int> waiting_{0};
  std::mutex mutex_;
  std::condition_variable freed_;
};

} // namespace tine
