#pragma once

#include "interpreter/threads.h"

namespace tine {

// How a thread outside tells a scheduler that a wait has fired, while the scheduler may give the
// wait up and end. Templates so that tests/model/ can check that nobody touches what is gone.

/// What has become of a wait. Whoever changes it from Waiting decides how it goes on.
template <class P> class WaitStateOf {
public:
  enum State : std::uint8_t { Waiting, Fired, Abandoned };

  explicit WaitStateOf(State state = Waiting) : state_(state) {}
  /// False when it was abandoned: then it is the caller's.
  bool fire() {
    std::uint8_t expected = Waiting;
    if (state_.compare_exchange_strong(expected, Fired, std::memory_order_relaxed,
                                       std::memory_order_relaxed))
      return true;
    // It stays what it is now. (g++ 12 takes no stronger order where the exchange fails.)
    state_.load(P::kAbandonSeen);
    return false;
  }
  /// False when it has fired. From then on it is whoever's comes to fire it.
  bool abandon() {
    std::uint8_t expected = Waiting;
    return state_.compare_exchange_strong(expected, Abandoned, P::kAbandon,
                                          std::memory_order_relaxed);
  }
  bool isWaiting() const { return state_.load(std::memory_order_relaxed) == Waiting; }
  bool isAbandoned() const { return state_.load(P::kAbandonSeen) == Abandoned; }
  /// \pre nobody else sees it
  void setFired() { state_.store(Fired, std::memory_order_relaxed); }

private:
  typename P::template Atomic<std::uint8_t> state_;
};

/// Threads outside that are about to tell a scheduler something. The last thing that its destructor
/// does is to wait until there are none.
template <class P> class VisitorsOf {
public:
  void enter() { visitors_.fetch_add(1, std::memory_order_relaxed); }
  void leave() { visitors_.fetch_sub(1, P::kLeave); }
  bool any() const { return visitors_.load(P::kAnyVisits) > 0; }

private:
  typename P::template Atomic<std::int64_t> visitors_{0};
};

/// Fires a wait. A thread outside is counted from before it decides until it has told the
/// scheduler, which goes on and may be destroyed as soon as it hears. `drop` gets a wait that was
/// abandoned.
template <class P, class Tell, class Drop>
void fire(WaitStateOf<P>& state, VisitorsOf<P>& visitors, bool visits, Tell tell, Drop drop) {
  if (visits) visitors.enter();
  const bool fired = state.fire();
  if (fired) tell();
  if (visits) visitors.leave();
  if (!fired) drop();
}

} // namespace tine
