#include "llvm/ADT/Hashing.h"
#include "passes/alias.h"
#include "passes/rewrite.h"

#include <unordered_map>

namespace tine {
namespace {

/// Before: `%a = f(%x)  prim::If(%c) block0(): %1 = prim::Constant[value=1]() ... block1():
///          %2 = prim::Constant[value=1]() ...`
/// After:  `%1 = prim::Constant[value=1]()  %a = f(%x)  prim::If(%c) ...`, with %1 for %2
///
/// Constants come in the order in which they were met. Equal means equal type and bits. Lists and
/// dicts stay where they are: whoever gets one may change it. Two tensors become one only where
/// nobody can tell.
class ConstantPool {
public:
  ConstantPool(Graph& graph, AliasAnalysis* alias) : graph_(graph), alias_(alias) {}

  bool run(MemoryTypes& types) {
    bool changed = false;
    graph_.forEachNode([&](Node* node) {
      if (node->op() != Builtin::Constant || node->numOutputs() != 1) return;
      const Type* type = node->output()->type();
      if (types.isMutable(type) && !type->is(TypeKind::Tensor)) return;
      if (Node* known = isKnown(node)) {
        if (known == node) return;
        if (alias_) alias_->merge(known->output(), node->output());
        replaceValue(node->output(), known->output());
        node->destroy();
        changed = true;
        return;
      }
      Node* after = last_ ? last_ : graph_.block()->param();
      if (after->next() != node) {
        node->insertAfter(after);
        changed = true;
      }
      last_ = node;
    });
    return changed;
  }

private:
  /// The equal constant that is in the pool, or null after putting this one there.
  Node* isKnown(Node* node) {
    auto [first, last] = pool_.equal_range(hashOf(node));
    int tries = 0;
    for (auto it = first; it != last && tries < kTries; ++it, ++tries)
      if (isSame(it->second, node) && mayBeOne(it->second, node)) return it->second;
    pool_.emplace(hashOf(node), node);
    return nullptr;
  }
  static constexpr int kTries = 8; ///< how many tensors that look alike are compared

  static std::size_t hashOf(const Node* node) {
    return llvm::hash_combine(node->output()->type(), hashAttributes(*node));
  }
  static bool isSame(const Node* a, const Node* b) {
    return a->output()->type() == b->output()->type() && sameAttributes(*a, *b);
  }

  bool mayBeOne(const Node* known, const Node* node) const {
    const Value *a = known->output(), *b = node->output();
    if (!a->type()->is(TypeKind::Tensor)) return true;
    return alias_ && !alias_->hasWriters(a) && !alias_->identityMatters(a) &&
           !alias_->identityMatters(b) && (alias_->staysHere(a) || alias_->staysHere(b));
  }

  Graph& graph_;
  AliasAnalysis* alias_;
  Node* last_ = nullptr; ///< of the pool
  std::unordered_multimap<std::size_t, Node*> pool_;
};

bool holdsTensors(Graph& root) {
  return onEachGraph(root, [](Graph& graph) {
    bool found = false;
    graph.forEachNode([&](Node* node) {
      found |= node->op() == Builtin::Constant && node->numOutputs() == 1 &&
               node->output()->type()->is(TypeKind::Tensor);
    });
    return found;
  });
}

} // namespace

bool poolConstants(Graph& graph, const PassContext& context) {
  std::unique_ptr<AliasAnalyses> analyses;
  if (holdsTensors(graph)) analyses = std::make_unique<AliasAnalyses>(graph, context);
  MemoryTypes types;
  return onEachGraph(graph, [&](Graph& inner) {
    return ConstantPool(inner, analyses ? &(*analyses)[inner] : nullptr).run(types);
  });
}

} // namespace tine
