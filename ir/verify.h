#pragma once

#include "ir/unit.h"
#include "support/result.h"

namespace tine {

/// Checks a graph and its subgraphs, and reports every broken rule with place and notes. The rules:
///   1. links: blocks, nodes, operands, uses and owners agree in both directions
///   2. every use is dominated by its definition, in the same or an enclosing block of the same
///   graph
///   3. unique numbers and names are distinct in a graph
///   4. operands, results and blocks of the nodes that the IR itself defines: Constant, If (bool;
///   two blocks without
///      inputs, outputs as the node's), Loop (int, bool, carried; block inputs int + carried,
///      outputs bool + carried), fork and its like (Subgraph's inputs as the operands), wait (a
///      Future), tuples, lists, dicts
///   5. their types, where both sides are known: subtypes as isSubtype says
///   6. when a unit is given: a function that `prim::Constant[name=]` names exists, and calls of it
///      or of a method of the unit have its arguments and result; names without one are allowed in
///      single graphs
/// Iterative: any depth.
/// \errors VerifyError
Result<Ok> verify(const Graph& graph, llvm::StringRef name = "graph");
Result<Ok> verify(const CompilationUnit& unit);

} // namespace tine
