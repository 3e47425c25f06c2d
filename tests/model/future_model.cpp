// The word of a future: who runs its task, who waits for it, when it is done.

#include "tensor/future_word.h"
#include "tests/model/scenario.h"

namespace tine::model {
namespace {

struct alignas(16) TestWaiter {
  ModelVar<TestWaiter*> next = nullptr;
  ModelVar<int> who = 0; ///< that is woken
  int fired = 0;
};
using Word = FutureWord<Model, TestWaiter>;

/// A future with a result, and a waiter for each thread.
template <class Derived> struct WithFuture : Scenario<Derived> {
  Word word{Word::kRunning};
  ModelVar<int> result = 0;
  TestWaiter waiters[kThreads];
  int added[kThreads] = {};
  int order[kThreads] = {}, numFired = 0;
  ModelVar<int> log = 0; ///< of those who fired
  bool wasAsked = false;

  void complete() {
    result = 42;
    if (!word.complete()) wasAsked = word.completeAndFire([this](TestWaiter* w) { fire(w); });
  }
  void fire(TestWaiter* waiter) {
    order[numFired++] = waiter->who;
    ++waiter->fired;
    log = log + 1;
  }
  /// True when the thread waits.
  bool await(unsigned i) {
    waiters[i].who = int(i);
    if (word.addWaiter(&waiters[i])) {
      ++added[i];
      return true;
    }
    MODEL_CHECK(result == 42);
    MODEL_CHECK(log >= 0); // after all who fired
    return false;
  }
  void after() {
    MODEL_CHECK(word.done());
    for (int i = 0; i < kThreads; ++i) MODEL_CHECK(waiters[i].fired == added[i]);
  }
};

struct AddAndComplete : WithFuture<AddAndComplete> {
  void thread(unsigned i) {
    if (i == 0) return complete();
    await(i);
    if (word.done()) MODEL_CHECK(result == 42);
  }
};

/// Those that are added while others fire come later.
struct Order : WithFuture<Order> {
  void before() { await(1); }
  void thread(unsigned i) {
    if (i == 0) complete();
    if (i == 2) await(2);
  }
  void after() {
    MODEL_CHECK(order[0] == 1);
    WithFuture::after();
  }
};

/// One wait has a limit, and is taken away.
struct RemoveWaiter : WithFuture<RemoveWaiter> {
  void thread(unsigned i) {
    if (i == 0) return complete();
    if (!await(i) || i != 1) return;
    TestWaiter* gone = word.removeWaiters([&](const TestWaiter& w) { return &w == &waiters[1]; });
    if (!gone) return;
    MODEL_CHECK(gone == &waiters[1] && gone->next == nullptr);
    gone->who = -1; // nobody else has it
    --added[1];
  }
};

/// Two look through the list, and take themselves away, while it grows.
struct RemoveBoth : WithFuture<RemoveBoth> {
  void before() { await(0); }
  void thread(unsigned i) {
    if (i == 0) return;
    await(i);
    if (word.removeWaiters([&](const TestWaiter& w) { return w.who == int(i); })) {
      waiters[i].who = -1;
      --added[i];
    }
  }
  void after() {
    complete();
    WithFuture::after();
    MODEL_CHECK(added[0] == 1 && added[1] == 0 && added[2] == 0);
  }
};

struct AskToStop : WithFuture<AskToStop> {
  ModelVar<int> why = 0;
  bool asked = false;
  void thread(unsigned i) {
    if (i == 0) {
      if (word.isAskedToStop()) MODEL_CHECK(why == 1);
      complete();
    } else if (i == 1) {
      why = 1;
      asked = word.askToStop();
    } else {
      await(2);
    }
  }
  void after() {
    MODEL_CHECK(asked == wasAsked);
    WithFuture::after();
  }
};

/// A task's memory is used again, and who has a stale pointer to it may claim it.
template <class Derived> struct WithTask : WithFuture<Derived> {
  ModelVar<int> argument = 0;
  WithTask() { this->word.retire(); }

  void renew(TestWaiter* waiter) {
    argument = 7;
    this->word.renew(Word::kNew, waiter);
  }
  bool claimAndRun() {
    if (!this->word.claim()) return false;
    MODEL_CHECK(argument == 7);
    argument = 0; // alone
    this->complete();
    return true;
  }
};

struct Claim : WithTask<Claim> {
  void thread(unsigned i) {
    if (i == 0) {
      renew(nullptr);
      if (!claimAndRun()) await(0);
    } else if (i == 1) {
      claimAndRun();
    } else if (word.isNew() && !claimAndRun()) {
      await(2);
    }
  }
};

struct ClaimAwaited : WithTask<ClaimAwaited> {
  void thread(unsigned i) {
    if (i == 0) {
      waiters[0].who = 0;
      ++added[0];
      renew(&waiters[0]);
      claimAndRun();
    } else if (i == 1) {
      claimAndRun();
    } else if (word.isNew()) {
      await(2);
    }
  }
};

} // namespace

std::vector<Case> futureCases() {
  return {
      caseOf<AddAndComplete>("Future", "AddAndComplete"),
      caseOf<Order>("Future", "Order"),
      caseOf<RemoveWaiter>("Future", "RemoveWaiter"),
      caseOf<RemoveBoth>("Future", "RemoveBoth"),
      caseOf<AskToStop>("Future", "AskToStop"),
      caseOf<Claim>("Future", "Claim"),
      caseOf<ClaimAwaited>("Future", "ClaimAwaited"),
  };
}

} // namespace tine::model
