#include "interpreter/threads.h"

#include <algorithm>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tine {

bool Threads::registerHeavyFence() {
  return ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void Threads::heavyFence(std::memory_order) {
  ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

void Threads::sleep(std::atomic<std::uint32_t>& word, std::chrono::nanoseconds limit) {
  const bool timed = limit != std::chrono::nanoseconds::max();
  const auto left = std::max(std::chrono::nanoseconds(0), limit).count();
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(left / 1'000'000'000);
  timeout.tv_nsec = static_cast<long>(left % 1'000'000'000);
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, timed ? &timeout : nullptr, nullptr, 0);
}

void Threads::wakeOne(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

} // namespace tine
