#pragma once

#include <atomic>
#include <cstddef>
#include <sched.h>

namespace tine {

/// The memory orders of support/orders.def by their names.
struct Orders {
#define TINE_ORDER(protocol, use, name, order, why)                                                \
  static constexpr std::memory_order name = std::memory_order_##order;
#include "support/orders.def"
#undef TINE_ORDER
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

  /// Another thread is in the middle of something short.
  static void yield() { ::sched_yield(); }
};

} // namespace tine
