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
/// With `kFences` the kernel does not fence for others.
template <class Derived, bool kFences = false> struct Scenario : rl::test_suite<Derived, kThreads> {
  Scenario() {
    Sequence::begin();
    Model::kernelFences = !kFences;
  }
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
            // The history has all interleavings, first in the order of steps, then by thread.
            std::string steps = out.str().c_str();
            steps.resize(std::min(steps.size(), steps.find("\nthread 0:")));
            const std::size_t last = steps.rfind("[CTOR BEGIN]");
            return std::string(rl::test_result_str(params.test_result)) + ", in interleaving " +
                   std::to_string(params.stop_iteration) + '\n' +
                   (last == std::string::npos ? steps : steps.substr(steps.rfind('\n', last) + 1));
          }};
}

} // namespace tine::model
