// The count of references: the last one ends the object.

#include "tensor/ref.h"
#include "tests/model/scenario.h"

namespace tine::model {
namespace {

/// An object that three threads have, each of which changed a part of it.
struct ThreeHolders : Scenario<ThreeHolders> {
  RefCountOf<Model> refs;
  ModelVar<int> parts[kThreads];
  int ends = 0;

  void before() {
    refs.up();
    refs.up();
  }
  void thread(unsigned i) {
    parts[i] = int(i);
    if (!refs.down()) return;
    ++ends;
    for (int part = 0; part < kThreads; ++part) {
      MODEL_CHECK(parts[part] == part);
      parts[part] = -1;
    }
  }
  void after() { MODEL_CHECK(ends == 1); }
};

/// Who has the only reference may change the object; others come from it.
struct Sole : Scenario<Sole> {
  RefCountOf<Model> refs;
  ModelVar<int> object = 0;
  int ends = 0;

  void before() { refs.up(); }
  void thread(unsigned i) {
    if (i == 2) return;
    MODEL_CHECK(object >= 0);
    if (i == 0 && refs.unique()) object = 1;
    if (!refs.down()) return;
    object = -1;
    ++ends;
  }
  void after() { MODEL_CHECK(ends == 1); }
};

} // namespace

std::vector<Case> refCases() {
  return {caseOf<ThreeHolders>("Refs", "ThreeHolders"), caseOf<Sole>("Refs", "Sole")};
}

} // namespace tine::model
