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

class ModelMutex {
public:
  void lock(rl::debug_info_param info = {}) { mutex_.lock(info); }
  void unlock(rl::debug_info_param info = {}) { mutex_.unlock(info); }

private:
  rl::mutex mutex_;
};

class ModelCondition {
public:
  template <class Until> void wait(std::unique_lock<ModelMutex>& lock, Until until) {
    while (!until()) changed_.wait(*lock.mutex(), RL_INFO);
  }
  void notify_one() { changed_.notify_one(RL_INFO); }

private:
  rl::condition_variable changed_;
};

/// As tine::Threads.
struct Model : ModelOrders {
  template <class T> using Atomic = ModelAtomic<T>;
  template <class T> using Var = ModelVar<T>;
  template <class T> using Slot = ModelAtomic<T>;
  template <class T> static ModelAtomic<T>& at(ModelAtomic<T>& slot) { return slot; }
  static constexpr std::size_t kApart = 16;
  using Mutex = ModelMutex;
  using Condition = ModelCondition;

  static void fence(std::memory_order order) {
    if (order == std::memory_order_relaxed) return; // taken away
    letOthersRun();
    Thread& thread = thisThread();
    if (order != std::memory_order_release) thread.atomic_thread_fence_acquire();
    if (order != std::memory_order_acquire) thread.atomic_thread_fence_release();
    if (order == std::memory_order_seq_cst) Sequence::fence(thread);
  }
  static void yield(Where where = Where::current()) { rl::ctx().yield(1, infoOf(where)); }
  static void signalFence() {} // a thread's operations run in the program's order
  static inline bool kernelFences = true;
  static bool registerHeavyFence() { return kernelFences; }
  static void heavyFence(std::memory_order order) {
    if (order != std::memory_order_relaxed) Sequence::heavyFence();
  }
  static void sleep(ModelAtomic<std::uint32_t>& word) { word.sleepWhile(0); }
  static void wakeOne(ModelAtomic<std::uint32_t>& word) { word.wakeOne(); }
  static void fenceAfterLocked(std::memory_order order) { fence(order); }
};

} // namespace tine::model
