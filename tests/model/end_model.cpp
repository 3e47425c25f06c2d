// The end of a scheduler, while threads outside fire its waits.

#include "interpreter/visit.h"
#include "tests/model/scenario.h"

namespace tine::model {
namespace {

/// Threads 1 and 2 are outside, and each completes what somebody of thread 0's scheduler waits for.
template <class Derived> struct WithScheduler : Scenario<Derived> {
  struct TestWait {
    WaitStateOf<Model> state;
    ModelVar<int> block = 1; ///< 0 when it was freed
    ModelAtomic<bool> ready{false};
  };
  VisitorsOf<Model> visitors;
  ModelVar<int> core = 1; ///< 0 when it is gone
  TestWait waits[kThreads];

  void completes(unsigned i) {
    TestWait& wait = waits[i];
    fire(
        wait.state, visitors, true,
        [&] {
          MODEL_CHECK(core == 1);
          wait.ready.store(true, std::memory_order_release);
          MODEL_CHECK(core == 1); // whom it wakes
        },
        [&] { wait.block = 0; });
  }
  /// The wait goes on: by itself, or since nothing else is left for it.
  void giveUp(unsigned i) {
    TestWait& wait = waits[i];
    MODEL_CHECK(wait.block == 1);
    if (wait.state.abandon()) return;
    while (!wait.ready.load(std::memory_order_acquire)) Model::yield();
  }
  void end() {
    while (visitors.any()) Model::yield();
    core = 0;
  }
  /// Who completes something takes waits out of the list that somebody has abandoned.
  void dropAbandoned(unsigned i) {
    if (waits[i].state.isAbandoned()) waits[i].block = 0;
  }
};

struct OneOutside : WithScheduler<OneOutside> {
  void thread(unsigned i) {
    if (i == 0) {
      giveUp(1);
      end();
    } else if (i == 1) {
      completes(1);
    }
  }
};

struct TwoOutside : WithScheduler<TwoOutside> {
  void thread(unsigned i) {
    if (i == 0) {
      giveUp(1);
      giveUp(2);
      end();
    } else {
      completes(i);
    }
  }
};

struct Dropped : WithScheduler<Dropped> {
  void thread(unsigned i) {
    if (i == 0) giveUp(1);
    if (i == 2) dropAbandoned(1);
    if (i == 1) waits[2].state.fire();
  }
  void before() { waits[1].ready.store(true, std::memory_order_relaxed); }
};

} // namespace

std::vector<Case> endCases() {
  return {
      caseOf<OneOutside>("End", "OneOutside"),
      caseOf<TwoOutside>("End", "TwoOutside"),
      caseOf<Dropped>("End", "Dropped"),
  };
}

} // namespace tine::model
