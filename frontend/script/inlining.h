#pragma once

#include "ir/graph.h"
#include "llvm/ADT/DenseSet.h"

namespace tine::script {

/// Which nodes of a graph become parts of the expression that uses them, and which get a variable:
/// a part is used once, right where it would be computed anyway.
///
///   Inlining inlined;
///   inlined.scan(graph.block());
///   inlined.contains(node)
///
/// \source TorchScript's serializer
class Inlining {
public:
  void scan(Block* block);
  bool contains(const Node* node) const { return nodes_.contains(node); }
  /// Is it written where it is used, wherever it stands?
  static bool isConstant(const Node* node) { return node->op() == Builtin::Constant; }

private:
  llvm::DenseSet<const Node*> nodes_;
};

} // namespace tine::script
