// Workers that sleep and are woken. Nobody can go on when a wake-up is lost.

#include "interpreter/deque.h"
#include "interpreter/sleep.h"
#include "tests/model/scenario.h"

namespace tine::model {
namespace {

using Entry = std::uintptr_t;

struct TestWorker {
  BellOf<Model> bell;
  ModelVar<bool> searches = false;
};

struct TestLetter {
  ModelVar<TestLetter*> next = nullptr;
  ModelVar<int> text = 0;
};

/// Workers that look for one entry each, and sleep until there is one.
template <class Derived, bool kFences> struct WithWorkers : Scenario<Derived, kFences> {
  IdlersOf<Model> idlers;
  SleepersOf<Model, TestWorker> sleepers{idlers, {}, {}};
  DequeOf<Model> deque; ///< of a worker that has other things to do
  InjectedOf<Model, Entry> injected;
  TestWorker workers[kThreads];
  int got[kThreads] = {};

  WithWorkers() { idlers.fenced = kFences; }

  void push(Entry entry) {
    deque.push(entry);
    if (idlers.wantWaking()) sleepers.wake();
  }
  void inject(Entry entry) {
    injected.add(entry);
    sleepers.call();
  }
  bool hasWork() const { return injected.size() > 0 || deque.size() > 0; }

  void work(unsigned i) {
    TestWorker& worker = workers[i];
    while (!find(i))
      sleepers.sleep(
          worker, [&] { return hasWork(); },
          [&] {
            while (!worker.bell.isRung()) worker.bell.sleep();
          });
  }
  bool find(unsigned i) {
    TestWorker& worker = workers[i];
    if (!worker.searches) worker.searches = idlers.beginSearch();
    bool again = false;
    Entry entry = deque.steal(&again);
    if (!entry) entry = injected.take();
    if (worker.searches) sleepers.endSearch(worker, entry != 0, [&] { return hasWork(); });
    if (entry) ++got[entry];
    return entry != 0;
  }
  void after() {
    MODEL_CHECK(!hasWork());
    MODEL_CHECK(idlers.sleepers.load(std::memory_order_relaxed) == 0);
  }
};

template <bool kFences> struct Push : WithWorkers<Push<kFences>, kFences> {
  void thread(unsigned i) {
    if (i == 0) this->push(1);
    if (i == 1) this->work(1);
  }
};

/// By somebody outside; another worker has searched and found something, or sleeps too.
template <bool kFences> struct Inject : WithWorkers<Inject<kFences>, kFences> {
  void thread(unsigned i) {
    if (i == 0) {
      this->inject(1);
      this->inject(2);
    } else {
      this->work(i);
    }
  }
};

template <bool kFences> struct InjectOne : WithWorkers<InjectOne<kFences>, kFences> {
  void thread(unsigned i) {
    if (i == 0) this->inject(1);
    if (i == 1) this->work(1);
  }
};

/// Two threads have something for a worker, and ask it to look; it looks when it is asked, and
/// sleeps.
template <bool kFences> struct Mail : WithWorkers<Mail<kFences>, kFences> {
  MailboxOf<Model, TestLetter> mailbox;
  AttentionOf<Model> attention{7};
  TestLetter letters[kThreads];

  void thread(unsigned i) {
    TestWorker& worker = this->workers[0];
    if (i != 0) {
      letters[i].text = int(i);
      mailbox.put(&letters[i]);
      attention.ask();
      worker.bell.ring();
      return;
    }
    for (int read = 0; read < 2;) {
      if (attention.isAsked()) {
        attention.pay();
        if (!mailbox.isEmpty())
          for (TestLetter* letter = mailbox.takeAll(); letter; letter = letter->next) {
            MODEL_CHECK(letter->text != 0);
            ++read;
          }
      } else {
        this->sleepers.sleep(
            worker, [] { return false; },
            [&] {
              while (!worker.bell.isRung()) worker.bell.sleep();
            });
      }
    }
  }
};

/// The same on a worker that runs, and looks up only when it is asked.
struct Asked : Scenario<Asked> {
  MailboxOf<Model, TestLetter> mailbox;
  AttentionOf<Model> attention{7};
  TestLetter letters[kThreads];

  void thread(unsigned i) {
    if (i != 0) {
      mailbox.put(&letters[i]);
      attention.ask();
      return;
    }
    for (int read = 0; read < 2;) {
      while (!attention.isAsked()) Model::yield();
      attention.pay();
      if (mailbox.isEmpty()) continue;
      for (TestLetter* letter = mailbox.takeAll(); letter; letter = letter->next) ++read;
    }
  }
};

} // namespace

std::vector<Case> sleepCases() {
  return {
      caseOf<Push<false>>("Sleep", "Push"),
      caseOf<Push<true>>("Sleep", "PushFence"),
      caseOf<InjectOne<false>>("Sleep", "InjectOne"),
      caseOf<InjectOne<true>>("Sleep", "InjectOneFence"),
      caseOf<Inject<false>>("Sleep", "Inject"),
      caseOf<Inject<true>>("Sleep", "InjectFence"),
      caseOf<Mail<false>>("Sleep", "Mail"),
      caseOf<Mail<true>>("Sleep", "MailFence"),
      caseOf<Asked>("Sleep", "Asked"),
  };
}

} // namespace tine::model
