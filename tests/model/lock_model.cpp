// The lock that is free nearly always.

#include "interpreter/light_lock.h"
#include "tests/model/scenario.h"

namespace tine::model {
namespace {

template <class Derived, bool kFences> struct WithLock : Scenario<Derived, kFences> {
  LightLockOf<Model> lock;
  ModelVar<int> guarded = 0;
  int expected = 0;

  void change() {
    lock.lock();
    guarded = guarded + 1;
    lock.unlock();
  }
  void after() { MODEL_CHECK(guarded == expected); }
};

template <bool kFences> struct TwoOfThem : WithLock<TwoOfThem<kFences>, kFences> {
  void thread(unsigned i) {
    if (i == 2) return;
    this->change();
    ++this->expected;
  }
};

template <bool kFences> struct ThreeOfThem : WithLock<ThreeOfThem<kFences>, kFences> {
  void thread(unsigned i) {
    this->change();
    ++this->expected;
    if (i != 0) return;
    this->change();
    ++this->expected;
  }
};

} // namespace

std::vector<Case> lockCases() {
  return {
      caseOf<TwoOfThem<false>>("Lock", "TwoOfThem"),
      caseOf<TwoOfThem<true>>("Lock", "TwoOfThemFence"),
      caseOf<ThreeOfThem<false>>("Lock", "ThreeOfThem"),
      caseOf<ThreeOfThem<true>>("Lock", "ThreeOfThemFence"),
  };
}

} // namespace tine::model
