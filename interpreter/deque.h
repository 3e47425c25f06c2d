#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace tine {

/// True where a locked read-modify-write is a full fence, as on x86: then the claim of a task is
/// the fence that taking its entry needs.
#if defined(__x86_64__) || defined(__i386__)
inline constexpr bool kLockedIsFence = true;
#else
inline constexpr bool kLockedIsFence = false;
#endif

/// What a worker may run, newest at the bottom: Chase and Lev's deque of words. The owner pushes
/// and takes at the bottom, thieves steal from the top. Never full: the ring grows, and outgrown
/// rings are kept until the deque dies, since a thief may still read them.
///
/// Every entry is handed out at most once, except those that `takeClaiming` took: such an entry may
/// also go to a thief, so it must be a task, which only its claimer runs.
/// \source Le, Pop, Cohen, Zappa Nardelli: Correct and Efficient Work-Stealing for Weak Memory
/// Models
class Deque {
public:
  using Entry = std::uintptr_t; ///< never 0

  Deque() { grow(8); }
  Deque(const Deque&) = delete;

  /// \thread the owner
  bool isFull() const {
    return bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_acquire) >=
           ring_.load(std::memory_order_relaxed)->size();
  }
  /// \pre not isFull() \thread the owner
  void push(Entry entry) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    ring_.load(std::memory_order_relaxed)->at(b).store(entry, std::memory_order_relaxed);
    bottom_.store(b + 1, std::memory_order_release);
  }
  /// The newest entry, or 0. \thread the owner
  Entry take() {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    Ring* ring = ring_.load(std::memory_order_relaxed);
    // Sequentially consistent, for thieves read `bottom` after `top` in that order.
    bottom_.exchange(b, std::memory_order_seq_cst);
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    if (t > b) {
      bottom_.store(b + 1, std::memory_order_relaxed);
      return 0;
    }
    Entry entry = ring->at(b).load(std::memory_order_relaxed);
    if (t == b) {
      if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed))
        entry = 0;
      bottom_.store(b + 1, std::memory_order_relaxed);
    }
    return entry;
  }
  /// The newest entry, or 0, without taking it. \thread the owner
  Entry newest() const {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    if (b <= top_.load(std::memory_order_relaxed)) return 0;
    return ring_.load(std::memory_order_relaxed)->at(b - 1).load(std::memory_order_relaxed);
  }
  bool isNewest(Entry entry) const { return newest() == entry; }
  /// Takes the newest entry, a task, by claiming it: one locked instruction for both. False when
  /// somebody else had claimed it; the entry is gone all the same. \pre isNewest \thread the owner
  template <class Claim> bool takeClaiming(Claim claim) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(b, std::memory_order_relaxed);
    const bool won = claim();
    if constexpr (!kLockedIsFence) std::atomic_thread_fence(std::memory_order_seq_cst);
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    if (t >= b) { // the last one, or a thief has it already
      if (t == b)
        top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                     std::memory_order_relaxed);
      bottom_.store(b + 1, std::memory_order_relaxed);
    }
    return won;
  }
  /// The oldest entry; 0 when there is none, or when another thief was faster (`*again`).
  /// \thread any
  Entry steal(bool* again) {
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    if (t >= bottom_.load(std::memory_order_seq_cst)) return 0;
    const Entry entry =
        ring_.load(std::memory_order_acquire)->at(t).load(std::memory_order_relaxed);
    if (top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                     std::memory_order_relaxed))
      return entry;
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
  /// Makes room: drops the entries that `keep` refuses, and doubles the ring when more than half
  /// stay. \thread the owner
  template <class Keep> void makeRoom(Keep keep) {
    std::vector<Entry> kept;
    for (;;) {
      bool again = false;
      const Entry entry = steal(&again);
      if (!entry && !again) break;
      if (entry && keep(entry)) kept.push_back(entry);
    }
    Ring* ring = ring_.load(std::memory_order_relaxed);
    if (kept.size() * 2 > static_cast<std::size_t>(ring->size())) grow(ring->bits() + 1);
    for (Entry entry : kept) push(entry);
  }

private:
  class Ring {
  public:
    explicit Ring(int bits)
        : bits_(bits), mask_((std::int64_t(1) << bits) - 1),
          entries_(new std::atomic<Entry>[static_cast<std::size_t>(mask_) + 1]) {}
    std::atomic<Entry>& at(std::int64_t i) { return entries_[static_cast<std::size_t>(i & mask_)]; }
    std::int64_t size() const { return mask_ + 1; }
    int bits() const { return bits_; }

  private:
    int bits_;
    std::int64_t mask_;
    std::unique_ptr<std::atomic<Entry>[]> entries_;
  };

  /// \pre empty, as seen by the owner
  void grow(int bits) {
    rings_.push_back(std::make_unique<Ring>(bits));
    ring_.store(rings_.back().get(), std::memory_order_release);
  }

  alignas(64) std::atomic<std::int64_t> top_{0};
  alignas(64) std::atomic<std::int64_t> bottom_{0};
  std::atomic<Ring*> ring_{nullptr};
  std::vector<std::unique_ptr<Ring>> rings_;
};

} // namespace tine
