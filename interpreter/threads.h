#pragma once

#include "support/atomics.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tine {

/// True where a locked read-modify-write is a full fence, as on x86: then the claim of a task is
/// the fence that taking its entry needs.
#if defined(__x86_64__) || defined(__i386__)
inline constexpr bool kLockedIsFence = true;
#else
inline constexpr bool kLockedIsFence = false;
#endif

/// The memory orders of interpreter/orders.def by their names.
struct InterpreterOrders {
#define TINE_ORDER(protocol, use, name, order, why)                                                \
  static constexpr std::memory_order name = std::memory_order_##order;
#include "interpreter/orders.def"
#undef TINE_ORDER
};

/// As Atomics, with fences and what lets a thread sleep.
struct Threads : Atomics, InterpreterOrders {
  using Mutex = std::mutex;
  using Condition = std::condition_variable;

  /// Prepares the process for heavyFence. False where the kernel refuses: then both sides of a
  /// protocol have to fence.
  static bool registerHeavyFence();
  /// After it, this thread sees what every other thread of the process wrote before its last look
  /// at something: the kernel interrupts them for it. So the side of a protocol that is used all
  /// the time needs no fence of its own. The order is for tests/model/, which takes it away.
  /// \pre registerHeavyFence() was true
  static void heavyFence(std::memory_order order);

  /// A fence, where the locked instruction before it is none.
  static void fenceAfterLocked(std::memory_order order) {
    if constexpr (kLockedIsFence)
      std::atomic_signal_fence(order);
    else
      std::atomic_thread_fence(order);
  }
  static void fence(std::memory_order order) { std::atomic_thread_fence(order); }
  /// What the compiler must not move, where others fence for this thread.
  static void signalFence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

  /// Sleeps while the word is 0, until somebody wakes it or for no reason; not longer than `limit`.
  static void sleep(std::atomic<std::uint32_t>& word,
                    std::chrono::nanoseconds limit = std::chrono::nanoseconds::max());
  static void wakeOne(std::atomic<std::uint32_t>& word);
};

} // namespace tine
