#include "interpreter/pool.h"

#include "interpreter/derived.h"
#include "interpreter/worker.h"
#include "support/surely.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <unistd.h>

namespace tine {
namespace {
constexpr std::size_t kSlab = 64 * 1024;
constexpr std::align_val_t kAlign{64};

std::size_t blockSize(int sizeClass) {
  return sizeClass == Pool::kTasks ? sizeof(FutureState)
                                   : Pool::kUnit * static_cast<std::size_t>(sizeClass);
}
} // namespace

Pool::Cache::Cache(Pool& pool) : pool_(pool) {
  for (int i = 0; i < kClasses; ++i) lists_[i].batch = batch(i);
}

Pool::Cache::~Cache() {
  for (int i = 0; i < kClasses; ++i) pool_.giveBack(i, lists_[i]);
}

Pool::Pool(SchedulerCore* core, Hook hook, std::size_t limit, bool hasWorkers)
    : core_(core), hasWorkers_(hasWorkers), process_(::getpid()), hook_(std::move(hook)),
      limit_(limit) {
  kind_.name = "task";
  kind_.destroy = destroyTask;
  kind_.unobserved = hook_ ? unobserved : nullptr;
  kind_.pool = this;
  promiseKind_.name = "promise";
  promiseKind_.destroy = destroyPromise;
  promiseKind_.broken = brokenPromise;
  promiseKind_.pool = this;
}

Pool* Pool::of(const FutureState& future) {
  if (!future.kind() || future.kind()->destroy != destroyTask) return nullptr;
  return static_cast<const Kind*>(future.kind())->pool;
}

void Pool::destroyTask(FutureState* task) {
  Pool* pool = static_cast<const Kind*>(task->kind())->pool;
  Worker* worker = currentWorker;
  if (worker && &worker->pool == pool) return worker->freeTask(task);
  countLive(Live::Future, -1);
  pool->free(kTasks, task);
}

void Pool::destroyPromise(FutureState* promise) {
  Pool* pool = static_cast<const Kind*>(promise->kind())->pool;
  Run* const run = runOf(*promise);
  Worker* worker = currentWorker;
  if (worker && &worker->pool == pool) {
    worker->endInRun(run);
    return worker->freePromise(promise);
  }
  run->release(1);
  countLive(Live::Future, -1);
  pool->free(kPromises, promise);
}

void Pool::unobserved(FutureState& task, const std::shared_ptr<const Error>& error) {
  // That a scheduler was stopped, or a task, is no news to who stopped it.
  if (error->kind == error_kind::Shutdown || error->kind == error_kind::Cancelled) return;
  if (currentWorker && currentWorker->leavesDeadlock && error->kind == error_kind::BrokenPromise)
    return;
  Pool* pool = of(task);
  std::lock_guard lock(pool->hookMutex_);
  if (!pool->hook_) return;
  // Not in the middle of an operator, whatever was before.
  Frame* const calling = currentWorker ? std::exchange(currentWorker->calling, nullptr) : nullptr;
  try {
    pool->hook_(error);
  } catch (...) {
    // Nobody is there who could catch it: whoever dropped the future has no part in this.
    if (!std::exchange(pool->hookThrew_, true)) {
      const auto thrown = currentError();
      std::fprintf(stderr,
                   "tine: onUnobservedError threw %s: %s (more of the kind are not reported)\n",
                   thrown->kind.c_str(), thrown->message.c_str());
    }
  }
  if (currentWorker) currentWorker->calling = calling;
}

Pool::~Pool() {
  for (void* slab : slabs_) ::operator delete(slab, kAlign);
}

void Pool::checkLimit(std::size_t more) const {
  if (held_.load(std::memory_order_relaxed) + more > limit_) [[unlikely]]
    raise(error_kind::Runtime, "calls and forks without end: the program's tasks and frames need " +
                                   std::to_string(limit_ >> 20) + " MiB");
}

void* Pool::takeLocked(int sizeClass) {
  Central& central = central_[sizeClass];
  if (central.head) {
    void* block = central.head;
    central.head = next(block);
    --central.count;
    return block;
  }
  const std::size_t size = blockSize(sizeClass);
  if (static_cast<std::size_t>(central.freshEnd - central.fresh) < size) {
    slabs_.push_back(nullptr); // which it stays if there is no memory
    slabs_.back() = ::operator new(kSlab, kAlign);
    central.fresh = static_cast<std::byte*>(slabs_.back());
    central.freshEnd = central.fresh + kSlab;
    size_.fetch_add(kSlab, std::memory_order_relaxed);
  }
  void* block = central.fresh;
  central.fresh += size;
  ++central.made;
  if (sizeClass == kTasks) new (block) FutureState(FutureState::Pooled{}, &kind_);
  return block;
}

/// A batch for a list that is empty, but for what it has set aside.
void Pool::refill(int sizeClass, Cache::List& list, bool beyond) {
  const std::uint32_t count = list.batch;
  if (list.full) {
    list.head = std::exchange(list.full, nullptr);
    list.count = count;
    return;
  }
  if (beyond)
    surely([&] { take(sizeClass, list, true); });
  else
    take(sizeClass, list, false);
}

void Pool::take(int sizeClass, Cache::List& list, bool beyond) {
  const std::uint32_t count = list.batch;
  std::lock_guard lock(mutex_);
  if (!beyond) checkLimit(count * blockSize(sizeClass));
  Central& central = central_[sizeClass];
  if (central.batches) {
    list.head = central.batches;
    central.batches = nextBatch(list.head);
    central.count -= count;
    list.count = count;
  }
  for (; list.count < count; ++list.count) {
    void* block;
    try {
      block = takeLocked(sizeClass);
    } catch (const std::bad_alloc&) {
      if (list.count == 0) throw;
      break; // some will do
    }
    next(block) = list.head;
    list.head = block;
  }
  held_.fetch_add(list.count * blockSize(sizeClass), std::memory_order_relaxed);
}

/// The list is a batch: it is set aside, and what was is given back.
void Pool::setAside(int sizeClass, Cache::List& list) {
  if (list.full) {
    std::lock_guard lock(mutex_);
    Central& central = central_[sizeClass];
    nextBatch(list.full) = central.batches;
    central.batches = list.full;
    central.count += batch(sizeClass);
    held_.fetch_sub(batch(sizeClass) * blockSize(sizeClass), std::memory_order_relaxed);
  }
  list.full = std::exchange(list.head, nullptr);
  list.count = 0;
}

/// All of it.
void Pool::giveBack(int sizeClass, Cache::List& list) {
  if (list.count > 0) {
    void* last = list.head;
    while (next(last)) last = next(last);
    std::lock_guard lock(mutex_);
    Central& central = central_[sizeClass];
    next(last) = central.head;
    central.head = list.head;
    central.count += list.count;
    held_.fetch_sub(list.count * blockSize(sizeClass), std::memory_order_relaxed);
    list.head = nullptr;
  }
  if (list.full) setAside(sizeClass, list);
}

void* Pool::allocate(int sizeClass) {
  std::lock_guard lock(mutex_);
  Central& central = central_[sizeClass];
  if (!central.head && central.batches) {
    central.head = central.batches;
    central.batches = nextBatch(central.head);
  }
  void* block = takeLocked(sizeClass);
  held_.fetch_add(blockSize(sizeClass), std::memory_order_relaxed);
  return block;
}

void* Pool::allocateLarge(std::size_t bytes, bool beyond) {
  if (!beyond) checkLimit(bytes);
  const auto get = [&] { return ::operator new(bytes); };
  void* block = beyond ? surely(get) : get();
  held_.fetch_add(bytes, std::memory_order_relaxed);
  return block;
}

void Pool::freeLarge(void* block, std::size_t bytes) {
  ::operator delete(block);
  held_.fetch_sub(bytes, std::memory_order_relaxed);
}

void Pool::free(int sizeClass, void* block) {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) {
    if (isElsewhere()) return; // a worker had it when the process forked, and never gives it back
    lock.lock();
  }
  next(block) = central_[sizeClass].head;
  central_[sizeClass].head = block;
  ++central_[sizeClass].count;
  held_.fetch_sub(blockSize(sizeClass), std::memory_order_relaxed);
  if (!orphaned_ || !isComplete()) return;
  lock.unlock();
  delete this;
}

bool Pool::isComplete() const {
  return std::all_of(std::begin(central_), std::end(central_),
                     [](const Central& c) { return c.count == c.made; });
}

void Pool::withCore(llvm::function_ref<void(SchedulerCore&)> f) {
  std::shared_lock lock(pinMutex_);
  if (!closed_) f(*core());
}

void Pool::close() {
  std::unique_lock lock(pinMutex_);
  closed_ = true;
}

bool Pool::isElsewhere() const { return hasWorkers_ && process_ != ::getpid(); }

void Pool::orphan() {
  {
    std::lock_guard lock(hookMutex_);
    hook_ = nullptr;
  }
  core_.store(nullptr, std::memory_order_release);
  std::unique_lock lock(mutex_);
  orphaned_ = true;
  if (!isComplete()) return;
  lock.unlock();
  delete this;
}

} // namespace tine
