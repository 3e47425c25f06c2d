#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "support/atomics.h"

#include <cstdint>

namespace tine {

/// The word that threads agree by who runs a task, who waits for it, and when it is done: the phase
/// in the low bits, and above them the newest waiter, with older ones by `next`.
///
///   New --claim()--> Running --complete()--> Done
///
/// A template so that tests/model/ can check it. \thread any, except where said
template <class P, class Waiter> class FutureWord {
public:
  using Bits = std::uintptr_t;
  static constexpr Bits kNew = 1, kRunning = 2, kDone = 3;

  explicit FutureWord(Bits word) : word_(word) {}

  Bits phase() const { return phaseOf(word_.load(P::kIsDone)); }
  bool done() const { return phase() == kDone; }
  bool isNew() const { return phaseOf(word_.load(std::memory_order_relaxed)) == kNew; }
  /// Running, without waiters.
  bool isJustRunning() const { return word_.load(P::kIsDone) == kRunning; }
  bool hasWaiters() const { return waiters(word_.load(P::kIsDone)) != nullptr; }

  /// Publishes everything that was written before. \thread nobody else uses it
  void renew(Bits phase, Waiter* waiter) {
    word_.store(reinterpret_cast<Bits>(waiter) | phase, P::kRenew);
  }
  /// Done; only who hears of it later may look. \thread nobody else uses it
  void retire() { word_.store(kDone, std::memory_order_relaxed); }

  /// New -> Running. False when somebody else was first.
  bool claim() {
    Bits expected = kNew;
    return word_.compare_exchange_strong(expected, kRunning, P::kClaimTask,
                                         std::memory_order_relaxed) ||
           claimAwaited();
  }

  /// Asks who runs it to stop. True once: the first time, while it is Running.
  bool askToStop() {
    Bits seen = unlocked(std::memory_order_relaxed);
    while (phaseOf(seen) == kRunning && !(seen & kAsked)) {
      if (word_.compare_exchange_weak(seen, seen | kAsked, P::kAskToStop,
                                      std::memory_order_relaxed))
        return true;
      if (seen & kLocked) seen = unlocked(std::memory_order_relaxed);
    }
    return false;
  }
  bool isAskedToStop() const {
    const Bits seen = word_.load(P::kIsAsked);
    return phaseOf(seen) == kRunning && (seen & kAsked);
  }

  /// Running -> Done, when nobody waits or has asked. Publishes the result. \thread who runs it
  bool complete() {
    Bits seen = kRunning;
    return word_.compare_exchange_strong(seen, kDone, P::kComplete, std::memory_order_relaxed);
  }
  /// The same while waiters come: hands each one out, in the order in which they were added. Was
  /// the task asked to stop? \thread who runs it
  template <class Fire> bool completeAndFire(Fire fire) {
    bool asked = false;
    for (;;) {
      Bits seen;
      do seen = unlocked(std::memory_order_relaxed);
      while (!word_.compare_exchange_weak(seen, kFiring, P::kFire, std::memory_order_relaxed));
      asked |= phaseOf(seen) == kRunning && (seen & kAsked);
      Waiter *newest = waiters(seen), *oldest = nullptr;
      while (newest) {
        Waiter* older = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = older;
      }
      while (oldest) {
        Waiter* next = oldest->next; // a waiter may free itself
        fire(oldest);
        oldest = next;
      }
      seen = kFiring;
      if (word_.compare_exchange_strong(seen, kDone, P::kFired, std::memory_order_relaxed))
        return asked;
    }
  }

  /// False when it is Done and all others have fired.
  bool addWaiter(Waiter* waiter) {
    Bits seen = unlocked(P::kAddSeen);
    while (seen != kDone) {
      waiter->next = waiters(seen);
      const Bits awaited = reinterpret_cast<Bits>(waiter) | (seen & kFlags);
      if (word_.compare_exchange_weak(seen, awaited, P::kAddWaiter, P::kAddSeen)) return true;
      if (seen & kLocked) seen = unlocked(P::kAddSeen);
    }
    return false;
  }
  /// Takes waiters away that have not fired, linked by `next`. \cost O(waiters), during which
  /// others spin
  Waiter* removeWaiters(llvm::function_ref<bool(const Waiter&)> which) {
    Bits seen;
    do {
      seen = unlocked(std::memory_order_relaxed);
      if (!waiters(seen)) return nullptr;
    } while (!word_.compare_exchange_weak(seen, seen | kLocked, P::kLockWaiters,
                                          std::memory_order_relaxed));
    Waiter *head = waiters(seen), *last = nullptr, *removed = nullptr;
    for (Waiter* waiter = head; waiter;) {
      Waiter* const older = waiter->next;
      if (which(*waiter)) {
        if (last)
          last->next = older;
        else
          head = older;
        waiter->next = removed;
        removed = waiter;
      } else {
        last = waiter;
      }
      waiter = older;
    }
    word_.store(reinterpret_cast<Bits>(head) | (seen & kFlags), P::kUnlockWaiters);
    return removed;
  }

private:
  // Done, and waiters are being fired: later ones join the list, so that they come later.
  static constexpr Bits kFiring = kDone | 4;
  // Running, and asked to stop.
  static constexpr Bits kAsked = 4;
  // In any phase: the list is being changed, and others spin.
  static constexpr Bits kLocked = 8;
  static constexpr Bits kFlags = 15;

  static Bits phaseOf(Bits word) { return word & 3; }
  static Waiter* waiters(Bits word) { return reinterpret_cast<Waiter*>(word & ~kFlags); }

  /// The word, once nobody changes the list.
  Bits unlocked(std::memory_order order) const {
    for (unsigned spins = 1;; ++spins) {
      const Bits seen = word_.load(order);
      if (!(seen & kLocked)) return seen;
      if (spins % 64 == 0) P::yield();
    }
  }
  bool claimAwaited() {
    Bits seen = unlocked(std::memory_order_relaxed);
    while (phaseOf(seen) == kNew) {
      if (word_.compare_exchange_weak(seen, (seen & ~kFlags) | kRunning, P::kClaimTask,
                                      std::memory_order_relaxed))
        return true;
      if (seen & kLocked) seen = unlocked(std::memory_order_relaxed);
    }
    return false;
  }

  typename P::template Atomic<Bits> word_;
};

} // namespace tine
