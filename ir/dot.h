#pragma once

#include "ir/unit.h"

#include <string>

namespace tine {

/// The functions as a picture for Graphviz: a box per node, a frame per block and per forked graph,
/// an arrow per operand with the value's name. Takes what print takes, also what does not verify.
///
///   tine print fib.ir --dot | dot -Tsvg > fib.svg
///
/// \cost linear in the graph, without recursion
std::string dot(const CompilationUnit& unit);
std::string dot(const Graph& graph, llvm::StringRef name = "graph");

} // namespace tine
