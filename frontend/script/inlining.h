#pragma once

#include "ir/graph.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>

namespace tine::script {

/// Which nodes of a graph become parts of the expression that uses them, and which get a variable:
/// a part is used once, right where it would be computed anyway.
///
///   Inlining inlined([](const Node* node) { return node->subgraph() != nullptr; });
///   inlined.scan(graph.block());
///   inlined.contains(node)
///
/// \source TorchScript's serializer
class Inlining {
public:
  /// `hasBody`: is a function written in front of the node, which uses its operands?
  explicit Inlining(std::function<bool(const Node*)> hasBody) : hasBody_(std::move(hasBody)) {}
  void scan(Block* block);
  bool contains(const Node* node) const { return nodes_.contains(node); }
  /// Is it written where it is used, wherever it stands?
  static bool isConstant(const Node* node) { return node->op() == Builtin::Constant; }

private:
  bool canInline(const Value* value) const;

  std::function<bool(const Node*)> hasBody_;
  llvm::DenseSet<const Node*> nodes_;
};

} // namespace tine::script
