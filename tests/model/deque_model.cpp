// The deque of a worker: its owner pushes and takes, others steal.

#include "interpreter/deque.h"
#include "tests/model/scenario.h"

namespace tine::model {
namespace {

using Entry = std::uintptr_t;

/// What entries stand for. Who gets one looks at what its owner wrote before it pushed it.
struct Items {
  static constexpr int kMost = 8;
  ModelVar<int> written[kMost + 1];
  int got[kMost + 1] = {};

  void write(Entry entry) { written[entry] = int(entry); }
  void run(Entry entry) {
    MODEL_CHECK(entry >= 1 && entry <= kMost);
    MODEL_CHECK(written[entry] == int(entry));
    written[entry] = -1; // alone
    ++got[entry];
  }
  void allOnce(Entry last) const {
    for (Entry entry = 1; entry <= last; ++entry) MODEL_CHECK(got[entry] == 1);
  }
};

/// What a thief gets, or 0.
Entry stealFrom(DequeOf<Model>& deque) {
  bool again = false;
  const Entry entry = deque.steal(&again);
  if (entry != 0) ModelSlot<Entry>::take();
  return entry;
}

/// The owner of a deque of so much room and thieves; whatever is left is taken in the end.
template <class Derived, std::int64_t kRoom = 8> struct WithDeque : Scenario<Derived> {
  DequeOf<Model> deque{kRoom};
  Items items;
  Entry last = 0;

  void push() {
    if (deque.isFull()) deque.makeRoom([](Entry) { return true; });
    items.write(++last);
    deque.push(last);
  }
  void take() {
    if (const Entry entry = deque.take()) items.run(entry);
  }
  void steal() {
    if (const Entry entry = stealFrom(deque)) items.run(entry);
  }
  void after() {
    while (const Entry entry = deque.take()) items.run(entry);
    items.allOnce(last);
  }
};

struct OneEntry : WithDeque<OneEntry> {
  void thread(unsigned i) {
    if (i != 0) return steal();
    push();
    take();
    push();
  }
};

/// A thief may think that both are there when neither is.
struct TwoEntries : WithDeque<TwoEntries> {
  void thread(unsigned i) {
    if (i != 0) return steal();
    push();
    push();
    take();
    take();
  }
};

struct ThievesTakeTwo : WithDeque<ThievesTakeTwo> {
  void thread(unsigned i) {
    if (i == 0) {
      push();
      push();
      take();
      push();
      take();
      take();
    } else {
      steal();
      steal();
    }
  }
};

struct Growth : WithDeque<Growth, 2> {
  void thread(unsigned i) {
    if (i == 0) {
      for (int n = 0; n < 4; ++n) push();
      take();
      push();
    } else {
      steal();
      steal();
    }
  }
};

/// A thief takes several into a deque of its own, and another steals from there.
struct Batch : WithDeque<Batch, 2> {
  DequeOf<Model> other{2};

  void thread(unsigned i) {
    if (i == 0) {
      for (int n = 0; n < 3; ++n) push();
      take();
    } else if (i == 1) {
      for (int n = 0; n < 2; ++n) {
        const Entry entry = stealFrom(deque);
        if (!entry) continue;
        if (other.isFull()) other.makeRoom([](Entry) { return true; });
        other.push(entry);
      }
      if (const Entry entry = other.take()) items.run(entry);
    } else {
      for (int n = 0; n < 2; ++n)
        if (const Entry entry = stealFrom(other)) items.run(entry);
    }
  }
  void after() {
    while (const Entry entry = other.take()) items.run(entry);
    WithDeque::after();
  }
};

/// Some entries are tasks, which run where they are claimed, whoever has their entries. The owner
/// claims them also without looking for those.
template <class Derived, std::int64_t kRoom = 8> struct WithTasks : WithDeque<Derived, kRoom> {
  static constexpr Entry kFirst = 5; ///< of the tasks
  ModelAtomic<int> claimed[Items::kMost + 1];

  bool claim(Entry task) {
    int expected = 0;
    return claimed[task].compare_exchange_strong(expected, 1, std::memory_order_acq_rel,
                                                 std::memory_order_relaxed);
  }
  void runIfClaimed(Entry task) {
    if (claim(task)) this->items.run(task);
  }
  bool isStale(Entry entry) {
    return entry >= kFirst && claimed[entry].load(std::memory_order_relaxed) != 0;
  }
  void got(Entry entry) {
    if (entry >= kFirst)
      runIfClaimed(entry);
    else if (entry != 0)
      this->items.run(entry);
  }
  void give(Entry entry) {
    if (this->deque.isFull()) makeRoom();
    this->items.write(entry);
    this->deque.push(entry);
  }
  void makeRoom() {
    this->deque.makeRoom([this](Entry entry) { return !isStale(entry); });
  }
  /// As a worker that waits for the task.
  void awaits(Entry task) {
    if (!this->deque.isNewest(task)) return runIfClaimed(task);
    if (this->deque.takeClaiming([&] { return claim(task); })) this->items.run(task);
  }
  void steal() { got(stealFrom(this->deque)); }
  void takeAll() {
    while (const Entry entry = this->deque.take()) got(entry);
  }
  /// All of them, once.
  void check(std::initializer_list<Entry> entries) {
    takeAll();
    for (const Entry entry : entries) MODEL_CHECK(this->items.got[entry] == 1);
  }
};

struct ClaimNewest : WithTasks<ClaimNewest> {
  void thread(unsigned i) {
    if (i == 0) {
      give(1);
      give(5);
      awaits(5);
      give(2);
    } else {
      steal();
      steal();
    }
  }
  void after() { check({1, 2, 5}); }
};

struct ClaimOnly : WithTasks<ClaimOnly> {
  void thread(unsigned i) {
    if (i != 0) return steal();
    give(5);
    awaits(5);
    give(6);
    awaits(6);
    give(1);
  }
  void after() { check({1, 5, 6}); }
};

/// Tasks that were claimed elsewhere come up as the newest.
struct DropNewest : WithTasks<DropNewest> {
  void thread(unsigned i) {
    if (i == 0) {
      give(1);
      give(5);
      give(6);
      runIfClaimed(5);
      awaits(6);
      deque.dropNewest([this](Entry entry) { return isStale(entry); });
      give(2);
      if (const Entry entry = deque.take()) got(entry);
    } else {
      steal();
      steal();
    }
  }
  void after() { check({1, 2, 5, 6}); }
};

struct DropOldest : WithTasks<DropOldest> {
  void thread(unsigned i) {
    if (i == 0) {
      give(5);
      give(6);
      give(1);
      awaits(5);
      awaits(6);
      deque.dropOldest([this](Entry entry) { return isStale(entry); });
      if (const Entry entry = deque.take()) got(entry);
      give(2);
    } else {
      steal();
      steal();
    }
  }
  void after() { check({1, 2, 5, 6}); }
};

/// A thief that sees the new top and an old bottom would think that what was taken is there.
struct DropOldestLate : WithTasks<DropOldestLate> {
  void thread(unsigned i) {
    if (i != 0) return steal();
    give(5);
    give(1);
    runIfClaimed(5);
    got(deque.take());
    deque.dropOldest([this](Entry entry) { return isStale(entry); });
  }
  void after() { check({1, 5}); }
};

struct MakeRoomLate : WithDeque<MakeRoomLate> {
  void before() {
    push();
    push();
  }
  void thread(unsigned i) {
    if (i != 0) return steal();
    take();
    deque.makeRoom([](Entry) { return false; });
  }
  void after() { MODEL_CHECK(items.got[2] == 1 && items.got[1] <= 1); }
};

/// Half of the entries are stale when the ring is full.
struct MakeRoom : WithTasks<MakeRoom, 2> {
  void thread(unsigned i) {
    if (i == 0) {
      give(5);
      give(1);
      awaits(5);
      give(2);
      give(3);
      if (const Entry entry = deque.take()) got(entry);
    } else {
      steal();
      steal();
    }
  }
  void after() { check({1, 2, 3, 5}); }
};

} // namespace

std::vector<Case> dequeCases() {
  return {
      caseOf<OneEntry>("Deque", "OneEntry"),
      caseOf<TwoEntries>("Deque", "TwoEntries"),
      caseOf<ThievesTakeTwo>("Deque", "ThievesTakeTwo"),
      caseOf<Growth>("Deque", "Growth"),
      caseOf<Batch>("Deque", "Batch"),
      caseOf<ClaimNewest>("Deque", "ClaimNewest"),
      caseOf<ClaimOnly>("Deque", "ClaimOnly"),
      caseOf<DropNewest>("Deque", "DropNewest"),
      caseOf<DropOldest>("Deque", "DropOldest"),
      caseOf<DropOldestLate>("Deque", "DropOldestLate"),
      caseOf<MakeRoom>("Deque", "MakeRoom"),
      caseOf<MakeRoomLate>("Deque", "MakeRoomLate"),
  };
}

} // namespace tine::model
