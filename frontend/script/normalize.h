#pragma once

#include "ir/unit.h"
#include "ops/ops.h"

#include <optional>
#include <string>
#include <vector>

namespace tine::script {

/// Makes of what the Emitter wrote the graph that TorchScript prints. The steps, in this order:
///   1. addCarriedVariables: ifs, loops and closures get stores and loads for what leaves them
///   2. resolveJumps: break and continue become prim::LoopContinuation
///   3. inlineConditions: a loop's block for its condition goes into its body, and before it
///   4. eraseVariables: stores and loads vanish
///   5. transformExits (exits.h): return, break and continue vanish
///   6. liftClosures: forks, calls of local functions and callbacks get graphs of their own
///   7. clean (clean.h): tuples, constants
/// `lifted` gets what local functions became, named after `name`.
void normalize(Graph& graph, const OpSet& ops, llvm::StringRef name,
               std::vector<NamedGraph>& lifted);

/// ssa.cpp: steps 1 to 4
void convertToSsa(Graph& graph);
/// exits.cpp
void transformExits(Graph& graph);
/// closures.cpp
void liftClosures(Graph& graph, const OpSet& ops, llvm::StringRef name,
                  std::vector<NamedGraph>& lifted);
/// clean.cpp
void clean(Graph& graph, const OpSet& ops);

/// The result of a node whose operands are all constants, when it can be computed now.
std::optional<IValue> runOnConstants(const OpSet& ops, const Node& node);
/// The constant that a value is.
std::optional<IValue> knownValue(const Value* value);

} // namespace tine::script
