#include "interpreter/light_lock.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tine {

void heavyFence() { ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); }

bool registerHeavyFence() {
  return ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void LightLock::waitAndLock() {
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  if (!fences_) heavyFence();
  while (!try_lock()) {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return !locked_.load(std::memory_order_relaxed); });
  }
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void LightLock::wake() {
  std::lock_guard lock(mutex_);
  freed_.notify_one();
}

} // namespace tine
