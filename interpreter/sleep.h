#pragma once

#include "interpreter/threads.h"
#include "support/surely.h"

#include <algorithm>
#include <vector>

namespace tine {

// How workers without work sleep, and how they are woken. Templates so that tests/model/ can check
// that nobody sleeps for ever beside work.

/// Who of a scheduler's workers has nothing to do. Read by every fork, to see whether somebody is
/// to be woken.
template <class P> struct alignas(P::kApart) IdlersOf {
  typename P::template Atomic<int> sleepers{0};
  typename P::template Atomic<int> searching{0}; ///< somebody is awake and looks for work already
  /// The kernel cannot fence other threads: whoever pushes fences itself. Set before workers start.
  bool fenced = false;

  /// Is somebody to be woken for what this worker has pushed?
  bool wantWaking() const {
    if (fenced) [[unlikely]]
      P::fence(P::kPushed);
    P::signalFence();
    return sleepers.load(std::memory_order_relaxed) > 0 &&
           searching.load(std::memory_order_relaxed) == 0;
  }
  bool beginSearch() {
    int nobody = 0;
    return searching.compare_exchange_strong(nobody, 1, std::memory_order_relaxed,
                                             std::memory_order_relaxed);
  }
  void endSearch() { searching.store(0, P::kEndSearch); }
  bool isSearched() const { return searching.load(P::kIsSearched) > 0; }
  bool anySleeps() const { return sleepers.load(P::kAnySleeps) > 0; }
};
using Idlers = IdlersOf<Threads>;

/// What a running worker looks at for everything: how deep its calls may be, 0 while it is asked to
/// look up.
template <class P> class AttentionOf {
public:
  explicit AttentionOf(std::uint32_t depth) : depth_(depth), limit_(depth) {}
  /// Makes it look up, soon. \thread any
  void ask() { limit_.exchange(0, P::kAsk); }
  bool isAsked() const { return limit() == 0; }
  /// What was asked for until now is seen after this.
  void pay() { limit_.exchange(depth_, P::kPay); }
  std::uint32_t limit() const { return limit_.load(std::memory_order_relaxed); }

private:
  const std::uint32_t depth_;
  typename P::template Atomic<std::uint32_t> limit_;
};

/// One worker's bell: it sleeps while nobody rings.
template <class P> class BellOf {
public:
  /// Ends the sleep, or keeps the worker from falling asleep. \thread any
  void ring() {
    if (word_.exchange(1, P::kRing) == 0) P::wakeOne(word_);
  }
  bool isRung() const { return word_.load(std::memory_order_relaxed) != 0; }
  /// What it was rung for before is seen after this.
  void clear() { word_.exchange(0, P::kClearBell); }
  template <class... Limit> void sleep(Limit... limit) { P::sleep(word_, limit...); }

private:
  typename P::template Atomic<std::uint32_t> word_{0};
};

/// The workers that sleep. A Worker has a `bell`, and `searches`: who woke it counts it as one who
/// searches; guarded by `mutex` while it sleeps.
template <class P, class Worker> struct SleepersOf {
  IdlersOf<P>& idlers;
  typename P::Mutex mutex;
  std::vector<Worker*> sleeping; ///< guarded by mutex

  /// Sleeps by `rest`, which ends when the bell rings, unless `hasWork` after everybody can see
  /// that it lies down.
  template <class HasWork, class Rest> void sleep(Worker& worker, HasWork hasWork, Rest rest) {
    {
      std::lock_guard lock(mutex);
      sleeping.push_back(&worker);
      idlers.sleepers.fetch_add(1, std::memory_order_relaxed);
    }
    if (idlers.fenced)
      P::fence(P::kLieDownFence);
    else
      P::heavyFence(P::kLieDownHeavily);
    if (!hasWork()) rest();
    worker.bell.clear();
    std::lock_guard lock(mutex);
    if (worker.searches) return; // who woke it took it off the list
    sleeping.erase(std::find(sleeping.begin(), sleeping.end(), &worker));
    idlers.sleepers.fetch_sub(1, std::memory_order_relaxed);
  }
  /// The worker has searched, and perhaps found something: then somebody else may look for the
  /// rest.
  template <class HasWork> void endSearch(Worker& worker, bool found, HasWork hasWork) {
    worker.searches = false;
    idlers.endSearch();
    if (found && idlers.anySleeps() && hasWork()) wake();
  }
  /// Something was injected. False when it is not for those who sleep to do it. \thread any
  bool call() {
    if (idlers.isSearched()) return true;
    if (!idlers.anySleeps()) return false;
    wake();
    return true;
  }
  /// Wakes one to search, if nobody does. \thread any
  void wake() {
    if (!idlers.beginSearch()) return;
    Worker* worker = nullptr;
    {
      std::lock_guard lock(mutex);
      if (sleeping.empty()) return idlers.endSearch();
      worker = sleeping.back();
      sleeping.pop_back();
      idlers.sleepers.fetch_sub(1, std::memory_order_relaxed);
      worker->searches = true;
    }
    worker->bell.ring();
  }
};

/// What others give a worker: a list of Items by `next`, the newest first.
template <class P, class Item> class MailboxOf {
public:
  void put(Item* item) { ///< \thread any
    Item* head = newest_.load(std::memory_order_relaxed);
    do item->next = head;
    while (!newest_.compare_exchange_weak(head, item, P::kPut, std::memory_order_relaxed));
  }
  /// All of it, the oldest first.
  Item* takeAll() {
    Item* list = newest_.exchange(nullptr, P::kTakeAll);
    Item* oldest = nullptr;
    while (list) {
      Item* older = list->next;
      list->next = oldest;
      oldest = list;
      list = older;
    }
    return oldest;
  }
  bool isEmpty() const { return newest_.load(std::memory_order_relaxed) == nullptr; }

private:
  typename P::template Atomic<Item*> newest_{nullptr};
};

/// Entries from threads that are no workers.
template <class P, class Entry> class InjectedOf {
public:
  void add(Entry entry) {
    std::lock_guard lock(mutex_);
    surely([&] { entries_.push_back(entry); });
    count_.fetch_add(1, P::kInject);
  }
  /// The oldest, or 0.
  Entry take() {
    if (count_.load(std::memory_order_relaxed) == 0) return 0;
    std::lock_guard lock(mutex_);
    if (head_ == entries_.size()) return 0;
    const Entry entry = entries_[head_++];
    if (head_ == entries_.size()) {
      entries_.clear();
      head_ = 0;
    } else if (head_ > 1024 && head_ * 2 > entries_.size()) {
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
    count_.fetch_sub(1, std::memory_order_relaxed);
    return entry;
  }
  std::size_t size() const { return count_.load(P::kInjected); }

private:
  typename P::Mutex mutex_;
  std::vector<Entry> entries_; ///< guarded by mutex_; oldest at head_
  std::size_t head_ = 0;       ///< guarded by mutex_
  typename P::template Atomic<std::size_t> count_{0};
};

} // namespace tine
