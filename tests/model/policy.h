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

/// A slot of a deque's ring, of entries that are never 0. A thief's look at an entry that it gets
/// must have happened before the slot is written again. Relacy runs no store before an earlier load
/// of another thread's, so the looks are plain data besides, which the next store comes to as well.
template <class T> class ModelSlot {
public:
  T load(std::memory_order order, Where where = Where::current()) const {
    const T entry = slot_.load(order, where);
    if (entry != 0) {
      const unsigned i = rl::ctx().current_thread();
      looks_[i] = entry;
      lookedAt_[i] = this;
    }
    return entry;
  }
  void store(T entry, std::memory_order order, Where where = Where::current()) {
    for (unsigned i = 0; i < kThreads; ++i)
      if (isTaken_[i]) static_cast<void>(T(looks_[i]));
    std::fill_n(isTaken_, kThreads, false);
    slot_.store(entry, order, where);
  }
  /// The thread at work got what it looked at last.
  static void take() {
    const unsigned i = rl::ctx().current_thread();
    lookedAt_[i]->isTaken_[i] = true;
  }

private:
  ModelAtomic<T> slot_;
  mutable ModelVar<T> looks_[kThreads];
  mutable bool isTaken_[kThreads] = {};
  static inline const ModelSlot* lookedAt_[kThreads] = {};
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
  template <class T> using Slot = ModelSlot<T>;
  template <class T> static ModelSlot<T>& at(ModelSlot<T>& slot) { return slot; }
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
