#pragma once

#include <atomic>
#include <cstddef>

namespace tine {

/// True where a locked read-modify-write is a full fence, as on x86: then the claim of a task is
/// the fence that taking its entry needs.
#if defined(__x86_64__) || defined(__i386__)
inline constexpr bool kLockedIsFence = true;
#else
inline constexpr bool kLockedIsFence = false;
#endif

/// The memory orders of the protocols between threads, by their names in orders.def.
struct Orders {
#define TINE_ORDER(protocol, use, name, order, why)                                                \
  static constexpr std::memory_order name = std::memory_order_##order;
#include "support/orders.def"
};

/// What these protocols are made of. They are templates over it, so that a model checker can stand
/// in for the machine and run the very same code: tests/model/.
///
///   template <class P> class Flag {
///     void raise() { raised_.store(true, P::kRaise); }
///     typename P::template Atomic<bool> raised_{false};
///   };
struct Atomics : Orders {
  template <class T> using Atomic = std::atomic<T>;
  /// Plain data that a protocol hands from thread to thread.
  template <class T> using Var = T;
  /// Memory of an atomic that is not touched before it is used; `at` is the atomic.
  template <class T> using Slot = T;
  template <class T> static std::atomic_ref<T> at(T& slot) { return std::atomic_ref<T>(slot); }
  /// What different threads write is so far apart.
  static constexpr std::size_t kApart = 64;

  /// A fence, where the locked instruction before it is none.
  static void fenceAfterLocked(std::memory_order order) {
    if constexpr (kLockedIsFence)
      std::atomic_signal_fence(order);
    else
      std::atomic_thread_fence(order);
  }
};

} // namespace tine
