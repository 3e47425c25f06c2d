#pragma once

#include "tests/model/relacy.h"

namespace tine::model {

/// All scenarios have so many threads; those without anything to do end at once.
inline constexpr rl::thread_id_t kThreads = 3;

using Thread = rl::thread_info<kThreads>;
using Where = std::source_location;

inline Thread& thisThread() { return static_cast<Thread&>(*rl::ctx().threadx_); }
/// Relacy has them in an array.
inline Thread& threadOf(int i) {
  return static_cast<rl::aligned<Thread>*>(&thisThread())[i - thisThread().index_];
}
inline rl::debug_info infoOf(const Where& where) {
  return {where.function_name(), where.file_name(), where.line()};
}
[[noreturn]] inline void fail(const char* what, rl::test_result_e kind, const Where& where) {
  rl::ctx().fail_test(what, kind, infoOf(where));
  std::abort(); // a failed test does not come back
}

/// Whatever other threads do is between the calling thread's steps: mostly one step of somebody,
/// but also many, as if this thread were not running for a while.
inline void letOthersRun() {
  rl::ctx().sched();
  if (rl::rand(12) == 0)
    for (unsigned n = rl::rand(32); n > 0; --n) rl::ctx().sched();
}

/// A line of the history that a failure prints.
struct Event {
  const char* what;
  const void* where;
  long long from, to;
  int order;
  void output(std::ostream& s) const {
    static constexpr const char* kNames[] = {"relaxed", "consume", "acquire",
                                             "release", "acq_rel", "seq_cst"};
    s << '<' << where << "> " << what << ' ' << from << " -> " << to << ", " << kNames[order];
  }
};
inline void note(const Event& event, const Where& where) {
  rl::context& c = rl::ctx();
  if (c.collecting_history()) c.exec_log(infoOf(where), event);
}

/// The order of all sequentially consistent operations and fences, as C++20 has it; Relacy's own is
/// stronger in some ways and weaker in others. Stores, changes and fences are in it when they run.
/// A load may be earlier in it: anywhere behind what is known to have happened before it.
///
/// What a thread must see because of this order binds its loads and nothing else: it does not know
/// what was written before, so plain data that relies on a fence alone is a race.
class Sequence {
public:
  using Stamp = rl::timestamp_t;
  using Position = unsigned; ///< from 1

  /// An interleaving begins.
  static void begin() {
    State& s = state();
    s.now = 0;
    s.numFences = 0;
    for (int i = 0; i < kThreads; ++i) {
      s.numPoints[i] = 0;
      s.lastFence[i] = 0;
      std::fill_n(s.seen[i], kThreads, 0);
    }
  }
  /// The calling thread has done the newest.
  static Position add() {
    const Position position = ++state().now;
    addPoint(thisThread(), position);
    return position;
  }
  /// A sequentially consistent fence of a thread, the calling one or another.
  static void fence(Thread& thread) {
    State& s = state();
    Fence& fence = s.fences[s.numFences++ % kMost];
    const Stamp* before = s.numFences > 1 ? s.fences[(s.numFences - 2) % kMost].seen : nullptr;
    fence.position = ++s.now;
    for (int i = 0; i < kThreads; ++i)
      fence.seen[i] = s.seen[thread.index_][i] =
          std::max({before ? before[i] : 0, s.seen[thread.index_][i], thread.acq_rel_order_[i]});
    s.lastFence[thread.index_] = fence.position;
    addPoint(thread, fence.position);
  }
  /// Of every thread, one after the other, at any time until it returns.
  static void heavyFence() {
    fence(thisThread());
    for (int i = 0; i < kThreads; ++i) {
      rl::ctx().sched();
      fence(threadOf(i));
    }
    rl::ctx().sched();
    fence(thisThread());
  }

  /// While it lives, a load of the calling thread is bound by what it must see.
  class Bound {
  public:
    explicit Bound(bool sequential) : thread_(thisThread()), sequential_(sequential) {
      const State& s = state();
      std::copy_n(thread_.acq_rel_order_, kThreads, before_);
      if (sequential_) {
        position_ = s.now;
        const Position first = known(thread_);
        if (first < position_ && rl::rand(2) == 0) position_ = first + rl::rand(s.now - first + 1);
      }
      const Stamp* fenced = nullptr;
      for (unsigned n = s.numFences; sequential_ && n > 0 && !fenced; --n)
        if (s.fences[(n - 1) % kMost].position <= position_)
          fenced = s.fences[(n - 1) % kMost].seen;
      for (int i = 0; i < kThreads; ++i) {
        mustSee(i, s.seen[thread_.index_][i]);
        if (fenced) mustSee(i, fenced[i]);
      }
    }
    /// Of a store to what is loaded, where it is in the order.
    void add(int by, Stamp stamp, Position position) {
      if (position != 0 &&
          (position <= state().lastFence[thread_.index_] || (sequential_ && position <= position_)))
        mustSee(by, stamp);
    }
    /// That store was seen. The thread knows again what it knew, and with `acquired` what whoever
    /// stored knew.
    void end(Position seen, const Stamp* acquired) {
      for (int i = 0; i < kThreads; ++i) {
        Stamp& knows = thread_.acq_rel_order_[i];
        if (i != thread_.index_) knows = before_[i];
        if (acquired) knows = std::max(knows, acquired[i]);
      }
      if (sequential_) addPoint(thread_, std::max({position_, seen, known(thread_)}));
    }

  private:
    void mustSee(int by, Stamp stamp) {
      Stamp& knows = thread_.acq_rel_order_[by];
      if (by != thread_.index_) knows = std::max(knows, stamp);
    }
    Thread& thread_;
    const bool sequential_;
    Position position_ = 0;
    Stamp before_[kThreads];
  };

private:
  static constexpr unsigned kMost = 4096; ///< more than steps of an interleaving
  struct Point {
    Stamp stamp; ///< the thread's time
    Position position;
  };
  struct Fence {
    Position position;
    Stamp seen[kThreads]; ///< by whoever has fenced until then
  };
  struct State {
    Position now;
    Fence fences[kMost];
    unsigned numFences;
    Point points[kThreads][kMost]; ///< where each thread was in the order
    unsigned numPoints[kThreads];
    Stamp seen[kThreads][kThreads]; ///< by each thread when it fenced
    Position lastFence[kThreads];
  };
  static State& state() {
    static State s;
    return s;
  }
  static void addPoint(Thread& thread, Position position) {
    State& s = state();
    s.points[thread.index_][s.numPoints[thread.index_]++ % kMost] = {thread.own_acq_rel_order_,
                                                                     position};
  }
  /// The last position that is known to be before what the thread does next.
  static Position known(const Thread& thread) {
    const State& s = state();
    Position last = 0;
    for (int i = 0; i < kThreads; ++i)
      for (unsigned n = s.numPoints[i]; n > 0; --n)
        if (const Point& p = s.points[i][(n - 1) % kMost]; p.stamp <= thread.acq_rel_order_[i]) {
          last = std::max(last, p.position);
          break;
        }
    return last;
  }
};

} // namespace tine::model
