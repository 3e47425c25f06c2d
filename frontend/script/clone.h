#pragma once

#include "ir/graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tine::script {

/// Values of a copy by those of the original.
using ValueMap = llvm::DenseMap<const Value*, Value*>;

/// Type and name of another value, which may lose its name if it is of the same graph.
void copyMetadata(Value* to, const Value* from);
/// A copy of a node, unlinked, with its blocks. Operands that `map` does not have go through
/// `outside`. Results, then blocks are made, in TorchScript's order, which decides their numbers.
Node* cloneNode(Graph& graph, const Node& node, ValueMap& map,
                llvm::function_ref<Value*(Value*)> outside);
/// Appends copies of all nodes, and the outputs. Inputs are added.
void cloneBlock(Block* to, const Block* from, llvm::function_ref<Value*(Value*)> outside);
void cloneBlock(Block* to, const Block* from, ValueMap& map,
                llvm::function_ref<Value*(Value*)> outside);
/// Moves all nodes of a block in front of a node.
void moveNodes(Block* from, Node* before);

/// Calls `f` on every node, in order, inner ones before those that they are in. Iterative; `f` may
/// destroy the node, and add nodes before it.
void afterEachNode(Block* block, llvm::function_ref<void(Node*)> f);

} // namespace tine::script
