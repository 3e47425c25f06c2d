#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

// What the test knows of the scenarios. Relacy's macros and GoogleTest do not go together.

namespace tine::model {

/// The orders of orders.def, which tests weaken.
struct ModelOrders {
#define TINE_ORDER(protocol, use, name, order, why)                                                \
  static inline std::memory_order name = std::memory_order_##order;
#include "tests/model/all_orders.def"
#undef TINE_ORDER
};

/// A scenario.
struct Case {
  const char* protocol; ///< as in orders.def
  const char* name;
  /// Runs it with so many interleavings. What went wrong, with the history of the first failure, or
  /// "".
  std::function<std::string(unsigned)> run;
};

std::vector<Case> dequeCases();
std::vector<Case> futureCases();
std::vector<Case> refCases();
std::vector<Case> lockCases();
std::vector<Case> sleepCases();
std::vector<Case> endCases();

} // namespace tine::model
