#pragma once

#include "llvm/ADT/DenseMap.h"
#include "passes/pass.h"

namespace tine {

/// The facts of all functions of the context's unit. \cost linear
/// \source R. Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972
llvm::DenseMap<const Graph*, CallFacts> findCallFacts(const PassContext& context);

} // namespace tine
