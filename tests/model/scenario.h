#pragma once

#include "tests/model/policy.h"

/// Of a scenario: must hold in every interleaving.
#define MODEL_CHECK(condition)                                                                     \
  do {                                                                                             \
    if (!(condition))                                                                              \
      ::tine::model::fail(#condition, rl::test_result_user_assert_failed,                          \
                          ::tine::model::Where::current());                                        \
  } while (0)

namespace tine::model {

/// Some threads that use a protocol, and what must come of it. Threads are numbered from 0.
///
///   struct Handover : Scenario<Handover> {
///     Flag<Model> flag;
///     ModelVar<int> data = 0;
///     void thread(unsigned i) { ... }
///     void after() { MODEL_CHECK(...); }
///   };
template <class Derived> struct Scenario : rl::test_suite<Derived, kThreads> {
  Scenario() { Sequence::begin(); }
};

template <class S> Case caseOf(const char* protocol, const char* name) {
  return {protocol, name, [](unsigned interleavings) -> std::string {
            rl::ostringstream out, progress;
            rl::test_params params;
            params.iteration_count = interleavings;
            params.execution_depth_limit = 20000;
            params.output_stream = &out;
            params.progress_stream = &progress;
            if (rl::simulate<S>(params)) return "";
            return std::string(rl::test_result_str(params.test_result)) + "\n" + out.str().c_str();
          }};
}

} // namespace tine::model
