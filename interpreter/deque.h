#pragma once

#include "interpreter/threads.h"
#include "support/surely.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tine {

/// What a worker may run, newest at the bottom: Chase and Lev's deque of words. The owner pushes
/// and takes at the bottom, thieves steal from the top. Never full: the ring grows, and outgrown
/// rings are kept until the deque dies, since a thief may still read them.
///
/// Every entry is handed out at most once, except those that `takeClaiming` took: such an entry may
/// also go to a thief, so it must be a task, which only its claimer runs.
/// \source Le, Pop, Cohen, Zappa Nardelli: Correct and Efficient Work-Stealing for Weak Memory
/// Models
template <class P> class DequeOf {
public:
  using Entry = std::uintptr_t; ///< never 0

  explicit DequeOf(std::int64_t room = 8) {
    grow(room);
    slots_.store(rings_.back().get(), std::memory_order_relaxed);
  }
  DequeOf(const DequeOf&) = delete;

  /// \thread the owner
  bool isFull() const {
    return bottom_.load(std::memory_order_relaxed) - top_.load(P::kRoomSeen) > own_.mask;
  }
  /// \pre not isFull() \thread the owner
  void push(Entry entry) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    own_.at(b).store(entry, std::memory_order_relaxed);
    bottom_.store(b + 1, P::kPush);
  }
  /// The newest entry, or 0. \thread the owner
  Entry take() {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    const std::int64_t t = lower(b);
    if (t > b) {
      bottom_.store(b + 1, std::memory_order_relaxed);
      return 0;
    }
    Entry entry = own_.at(b).load(std::memory_order_relaxed);
    if (t == b) {
      if (!takeLast(t)) entry = 0;
      bottom_.store(b + 1, std::memory_order_relaxed);
    }
    return entry;
  }
  /// The newest entry, or 0, without taking it. \thread the owner
  Entry newest() const {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    if (b <= top_.load(std::memory_order_relaxed)) return 0;
    return own_.at(b - 1).load(std::memory_order_relaxed);
  }
  bool isNewest(Entry entry) const { return newest() == entry; }
  /// Takes the newest entry, a task, by claiming it: one locked instruction for both. False when
  /// somebody else had claimed it; the entry is gone all the same. \pre isNewest \thread the owner
  template <class Claim> bool takeClaiming(Claim claim) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(b, P::kClaim);
    const bool won = claim();
    P::fenceAfterLocked(P::kClaimFence);
    const std::int64_t t = top_.load(std::memory_order_relaxed);
    if (t >= b) { // the last one, or a thief has it already
      if (t == b) takeLast(t);
      bottom_.store(b + 1, std::memory_order_relaxed);
    }
    return won;
  }
  /// The oldest entry; 0 when there is none, or when another thief was faster (`*again`).
  /// \thread any
  Entry steal(bool* again) {
    std::int64_t t = top_.load(P::kStealTop);
    if (t >= bottom_.load(P::kStealBottom)) return 0;
    const Entry entry = slots_.load(P::kStealSlots)->slots.at(t).load(std::memory_order_relaxed);
    if (top_.compare_exchange_strong(t, t + 1, P::kSteal, std::memory_order_relaxed)) return entry;
    *again = true;
    return 0;
  }
  /// How many entries were ever taken at the top: the number of the oldest one. \thread any
  std::int64_t top() const { return top_.load(std::memory_order_relaxed); }
  /// How many entries there are, more or less. \thread any
  std::int64_t size() const {
    const std::int64_t n =
        bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
    return n < 0 ? 0 : n;
  }
  /// Takes the newest entries off as long as `drop` says so; how many that were. \thread the owner
  template <class Drop> std::int64_t dropNewest(Drop drop) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    std::int64_t t = top_.load(std::memory_order_relaxed), n = b;
    while (n > t && drop(own_.at(n - 1).load(std::memory_order_relaxed))) --n;
    if (n == b) return 0;
    t = lower(n);
    if (t > n) { // thieves take them, and may be about to take more
      bottom_.store(b, std::memory_order_relaxed);
      return 0;
    }
    if (t == n) { // one of us gets the last of them
      takeLast(t);
      bottom_.store(n + 1, std::memory_order_relaxed);
    }
    return b - n;
  }
  /// The same with the oldest ones. \thread the owner
  template <class Drop> std::int64_t dropOldest(Drop drop) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    std::int64_t t = top_.load(std::memory_order_relaxed);
    const std::int64_t first = t;
    std::int64_t n = t;
    while (n < b && drop(own_.at(n).load(std::memory_order_relaxed))) ++n;
    const bool all =
        n > t && top_.compare_exchange_strong(t, n, P::kDropOldest, std::memory_order_relaxed);
    return all ? n - first : 0;
  }
  /// Makes room: drops the entries that `keep` refuses, and makes the ring larger when more than
  /// half stay. \thread the owner
  template <class Keep> void makeRoom(Keep keep) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    std::int64_t t = top_.load(std::memory_order_relaxed);
    while (!top_.compare_exchange_weak(t, b, P::kMakeRoom, std::memory_order_relaxed)) {
    }
    // They are the owner's. Those that stay are moved behind, where others were that have been
    // read.
    std::int64_t end = b;
    for (; t < b; ++t)
      if (const Entry entry = own_.at(t).load(std::memory_order_relaxed); keep(entry))
        own_.at(end++).store(entry, std::memory_order_relaxed);
    if ((end - b) * 2 > own_.mask) {
      const Slots old = own_;
      grow(4 * (old.mask + 1));
      for (std::int64_t i = b; i < end; ++i)
        own_.at(i).store(old.at(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
      slots_.store(rings_.back().get(), P::kNewSlots);
    }
    bottom_.store(end, P::kMoved);
  }

private:
  using Slot = typename P::template Slot<Entry>;
  template <class T> using Atomic = typename P::template Atomic<T>;
  template <class T> using Var = typename P::template Var<T>;

  /// A ring of entries; a power of two of them.
  struct Slots {
    Var<Slot*> first = nullptr;
    Var<std::int64_t> mask = 0;
    decltype(auto) at(std::int64_t i) const {
      return P::at(first[static_cast<std::size_t>(i & mask)]);
    }
  };
  struct Ring {
    explicit Ring(std::int64_t size)
        : memory(new Slot[static_cast<std::size_t>(size)]), slots{memory.get(), size - 1} {}
    std::unique_ptr<Slot[]> memory; // not touched before it is used
    const Slots slots;
  };

  /// From now on the owner's entries are those below `b`. Sequentially consistent, for thieves read
  /// `bottom` after `top` in that order. The top.
  std::int64_t lower(std::int64_t b) {
    bottom_.exchange(b, P::kTake);
    return top_.load(P::kTakeTop);
  }
  /// One of the owner and the thieves gets the last entry: does the owner?
  bool takeLast(std::int64_t t) {
    return top_.compare_exchange_strong(t, t + 1, P::kTakeLast, std::memory_order_relaxed);
  }

  /// A new ring for the owner, which others do not see yet.
  void grow(std::int64_t size) {
    surely([&] { rings_.push_back(std::make_unique<Ring>(size)); });
    own_ = rings_.back()->slots;
  }

  alignas(P::kApart) Atomic<std::int64_t> top_{0};
  alignas(P::kApart) Atomic<std::int64_t> bottom_{0};
  Slots own_; ///< the owner's, as in slots_
  std::vector<std::unique_ptr<Ring>> rings_;
  alignas(P::kApart) Atomic<const Ring*> slots_{nullptr};
};
using Deque = DequeOf<Threads>;

} // namespace tine
