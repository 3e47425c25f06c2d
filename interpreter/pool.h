#pragma once

#include "interpreter/visit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "tensor/future.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <sys/types.h>
#include <vector>

namespace tine {

class SchedulerCore;

/// Memory of one scheduler's tasks, frames and the like, by size. Workers keep caches of free
/// blocks and exchange batches with the pool, so that what one worker makes and another frees goes
/// round.
///
/// Blocks of kTasks always hold a FutureState: a stale pointer to one may still try to claim it.
/// Futures may outlive their scheduler, and the pool outlives them all: `orphan` leaves its end to
/// the last block that comes back.
/// \thread any, except where said
class Pool {
public:
  static constexpr int kTasks = 0, kPromises = 1;
  static constexpr int kClasses = 17; ///< 0: tasks; k: k * 64 bytes
  static constexpr std::size_t kUnit = 64;
  static constexpr std::size_t kLargest = kUnit * (kClasses - 1);

  /// The class of blocks of at least so many bytes; kClasses when none is that large.
  static int classOf(std::size_t bytes) {
    return bytes > kLargest ? kClasses : static_cast<int>((bytes + kUnit - 1) / kUnit);
  }

  /// Free blocks of one worker, linked in their second word.
  /// \thread not safe
  class Cache {
  public:
    explicit Cache(Pool& pool);
    ~Cache();
    /// \errors RuntimeError the limit is reached, or bad_alloc; neither with `beyond`, for who
    /// cannot turn back.
    void* allocate(int sizeClass, bool beyond = false) {
      List& list = lists_[sizeClass];
      if (!list.head) [[unlikely]]
        pool_.refill(sizeClass, list, beyond);
      void* block = list.head;
      list.head = next(block);
      --list.count;
      return block;
    }
    void free(int sizeClass, void* block) {
      List& list = lists_[sizeClass];
      if (list.count == list.batch) [[unlikely]]
        pool_.setAside(sizeClass, list);
      next(block) = list.head;
      list.head = block;
      ++list.count;
    }

  private:
    friend class Pool;
    struct List {
      void* head = nullptr;
      std::uint32_t count = 0; ///< at most a batch
      std::uint32_t batch = 0;
      void* full = nullptr; ///< a batch, or null
    };
    Pool& pool_;
    List lists_[kClasses];
  };

  using Hook = std::function<void(const std::shared_ptr<const Error>&)>;
  /// `hook` hears of tasks' errors that nobody looked at, until the pool is orphaned.
  /// `limit`: bytes of blocks that may be out; what ends tasks is allowed beyond it.
  Pool(SchedulerCore* core, Hook hook, std::size_t limit, bool hasWorkers);
  Pool(const Pool&) = delete;

  /// The kind of the scheduler's tasks; its pool.
  const TaskKind* kind() const { return &kind_; }
  /// That of its programs' promises.
  const TaskKind* promiseKind() const { return &promiseKind_; }
  static Pool* of(const FutureState& future); ///< null unless it is a scheduler's task
  /// The scheduler; null when it is gone.
  SchedulerCore* core() const { return core_.load(std::memory_order_acquire); }
  /// Calls it with the scheduler, which is there until it returns; not when it is about to go.
  void withCore(llvm::function_ref<void(SchedulerCore&)> f);
  VisitorsOf<Threads>& visitors() { return visitors_; } ///< of the scheduler
  /// The first thing that a scheduler's destructor does; waits for what `withCore` calls.
  void close();
  bool hasWorkers() const { return hasWorkers_; }
  /// Are its workers in another process, the one that made the scheduler?
  bool isElsewhere() const;

  /// Of its memory. \units bytes
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  /// For threads without a cache. No limit. \errors bad_alloc
  void* allocate(int sizeClass);
  /// Of more than kLargest. \errors as Cache::allocate
  void* allocateLarge(std::size_t bytes, bool beyond = false);
  void freeLarge(void* block, std::size_t bytes);
  /// May delete the pool.
  void free(int sizeClass, void* block);
  /// The owner goes; the pool follows when the last block is back.
  /// \pre the caches are gone
  void orphan();

private:
  friend class Cache;
  ~Pool();
  static void*& next(void* block) { return static_cast<void**>(block)[1]; }
  static void*& nextBatch(void* block) { return static_cast<void**>(block)[2]; }
  static constexpr std::uint32_t batch(int sizeClass) {
    return sizeClass <= 1 ? 64 : sizeClass <= 4 ? 32 : 8;
  }
  void refill(int sizeClass, Cache::List& list, bool beyond);
  void take(int sizeClass, Cache::List& list, bool beyond);
  void setAside(int sizeClass, Cache::List& list);
  void giveBack(int sizeClass, Cache::List& list);
  void* takeLocked(int sizeClass);
  void checkLimit(std::size_t more) const;
  bool isComplete() const;

  static void destroyTask(FutureState* task);
  static void destroyPromise(FutureState* promise);
  static void unobserved(FutureState& task, const std::shared_ptr<const Error>& error);

  struct Kind : TaskKind {
    Pool* pool;
  } kind_, promiseKind_;
  std::atomic<SchedulerCore*> core_;
  std::shared_mutex pinMutex_;
  bool closed_ = false; ///< guarded by pinMutex_
  const bool hasWorkers_;
  const ::pid_t process_;          ///< that made the scheduler
  std::recursive_mutex hookMutex_; ///< held while the hook runs, so that none runs after `orphan`
  Hook hook_;
  bool hookThrew_ = false; ///< and that was reported; guarded by hookMutex_

  VisitorsOf<Threads> visitors_;
  std::mutex mutex_;
  bool orphaned_ = false;
  struct Central {
    void* batches = nullptr; ///< linked by their first blocks' third words
    void* head = nullptr;    ///< blocks outside of batches
    std::size_t count = 0;   ///< of all
    std::size_t made = 0;
    std::byte *fresh = nullptr, *freshEnd = nullptr; ///< of the newest slab, never handed out
  };
  Central central_[kClasses];
  std::vector<void*> slabs_;
  std::atomic<std::size_t> size_{0}; ///< bytes of slabs
  const std::size_t limit_;          ///< of `held_`
  std::atomic<std::size_t> held_{0}; ///< bytes of blocks that workers and futures have
};

} // namespace tine
