#pragma once

#include "tests/model/cases.h"
#include "tests/model/model_atomic.h"

namespace tine::model {

/// Plain data: it is an error when two threads come to it without an order between them.
template <class T> class ModelVar {
public:
  ModelVar() : ModelVar(T()) {}
  ModelVar(T value) : var_(value) {}
  ModelVar(const ModelVar& other) : var_(T(other)) {}
  ModelVar& operator=(T value) {
    var_(RL_INFO) = value;
    return *this;
  }
  ModelVar& operator=(const ModelVar& other) { return *this = T(other); }
  operator T() const { return var_(RL_INFO); }
  T operator->() const { return *this; }

private:
  rl::var<T> var_;
};

/// As tine::Atomics.
struct Model : ModelOrders {
  template <class T> using Atomic = ModelAtomic<T>;
  template <class T> using Var = ModelVar<T>;
  template <class T> using Slot = ModelAtomic<T>;
  template <class T> static ModelAtomic<T>& at(ModelAtomic<T>& slot) { return slot; }
  static constexpr std::size_t kApart = 16;

  static void fence(std::memory_order order) {
    if (order == std::memory_order_relaxed) return; // taken away
    letOthersRun();
    Sequence::enter();
    Thread& thread = thisThread();
    if (order != std::memory_order_release) thread.atomic_thread_fence_acquire();
    if (order != std::memory_order_acquire) thread.atomic_thread_fence_release();
    if (order == std::memory_order_seq_cst) Sequence::fence(thread);
  }
  static void fenceAfterLocked(std::memory_order order) { fence(order); }
};

} // namespace tine::model
