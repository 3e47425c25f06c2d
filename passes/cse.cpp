#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/alias.h"
#include "passes/rewrite.h"

#include <unordered_map>

namespace tine {
namespace {

template <class Kind, class... Kinds> bool isOneOf(Kind kind, Kinds... kinds) {
  return ((kind == kinds) || ...);
}

/// Before: `%a = aten::add(%x, %y)  ...  %b = aten::add(%x, %y)  %c = f(%a, %b)`
/// After:  `%a = aten::add(%x, %y)  ...  %c = f(%a, %a)`
///
/// Walks the blocks in program order with a table of the nodes that dominate, by kind, operands and
/// attributes. Two nodes are merged when
///   - they have no effects and always compute the same;
///   - nothing that they can read may change between the two: forks write until they are waited
///   for;
///   - afterwards no two objects are one that were two, if anybody can tell: an object is not
///   merged
///     if someone writes to it or compares it by `is`, or if both can be seen from outside.
class CommonSubexpressions {
public:
  CommonSubexpressions(Graph& graph, const PassContext& context, AliasAnalysis& alias)
      : graph_(graph), context_(context), alias_(alias) {}

  bool run() {
    struct Frame {
      Node *next, *end;
      std::size_t known; ///< size of log_ on entry
    };
    std::vector<Frame> stack{{graph_.block()->param()->next(), graph_.block()->ret(), 0}};
    bool changed = false;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == frame.end) {
        forget(frame.known);
        stack.pop_back();
        continue;
      }
      Node* node = frame.next;
      frame.next = node->next();
      for (std::size_t i = node->blocks().size(); i-- > 0;) {
        Block* block = node->blocks()[i];
        stack.push_back({block->param()->next(), block->ret(), log_.size()});
      }
      changed |= visit(node);
    }
    return changed;
  }

private:
  /// A node that dominates; `older` has the same hash.
  struct Entry {
    Node* node;
    std::size_t hash;
    std::ptrdiff_t older;
  };
  /// How many nodes of one hash are tried: many that look alike and may not be merged are no reason
  /// to be slow.
  static constexpr int kTries = 4;

  void forget(std::size_t size) {
    while (log_.size() > size) {
      Entry& entry = log_.back();
      if (entry.older < 0)
        table_.erase(entry.hash);
      else
        table_[entry.hash] = entry.older;
      log_.pop_back();
    }
  }

  bool visit(Node* node) {
    if (!isCandidate(node)) return false;
    std::size_t hash = hashOf(node);
    auto [it, fresh] = table_.try_emplace(hash, static_cast<std::ptrdiff_t>(log_.size()));
    std::ptrdiff_t newest = fresh ? -1 : it->second;
    int tries = 0;
    for (std::ptrdiff_t i = newest; i >= 0 && tries < kTries; i = log_[i].older, ++tries) {
      Node* known = log_[i].node;
      if (!isSame(known, node) || !readsTheSame(known, node) || !mayBeOne(known, node)) continue;
      for (std::size_t k = 0; k < node->numOutputs(); ++k) {
        alias_.merge(known->output(k), node->output(k));
        replaceValue(node->output(k), known->output(k));
      }
      node->destroy();
      return true;
    }
    it->second = static_cast<std::ptrdiff_t>(log_.size());
    log_.push_back({node, hash, newest});
    return false;
  }

  bool isCandidate(const Node* node) const {
    if (node->numOutputs() == 0 || !node->blocks().empty() || node->subgraph()) return false;
    if (isOneOf(node->op(), Builtin::Uninitialized, Builtin::CreateObject, Builtin::Wait,
                Builtin::CallFunction, Builtin::CallMethod))
      return false;
    if (node->op() == Builtin::Constant) return true;
    Effects effects = context_.effects(*node);
    return !effects.writes && !effects.external && !effects.nondeterministic && !effects.suspends;
  }

  static std::size_t hashOf(const Node* node) {
    std::size_t hash = llvm::hash_combine(node->kind().id(), node->overload().id(),
                                          node->output()->type(), hashAttributes(*node));
    for (Value* input : node->inputs()) hash = llvm::hash_combine(hash, input);
    return hash;
  }

  static bool isSame(const Node* a, const Node* b) {
    auto typeOf = [](const Value* value) { return value->type(); };
    return a->kind() == b->kind() && a->overload() == b->overload() &&
           llvm::equal(a->inputs(), b->inputs()) &&
           llvm::equal(llvm::map_range(a->outputs(), typeOf),
                       llvm::map_range(b->outputs(), typeOf)) &&
           sameAttributes(*a, *b);
  }

  /// May nothing that the two read change in between?
  bool readsTheSame(const Node* known, const Node* node) const {
    for (const Value* input : node->inputs())
      if (alias_.writtenBetween(known, node, input)) return false;
    bool builtin = node->kind().ns() == "prim" || node->kind().ns() == "aten";
    bool elsewhere = !builtin && context_.effects(*node).reads; // where a user's operator reads
    return !elsewhere || !alias_.outsideWrittenBetween(known, node);
  }

  /// Who hands out an object that exists already: twice the same.
  static bool returnsExisting(const Node* node) {
    return isOneOf(node->op(), Builtin::GetAttr, Builtin::TupleIndex, Builtin::TupleUnpack,
                   Builtin::TupleSlice, Builtin::TupleConstruct, // nothing tells two tuples apart
                   Builtin::ListUnpack, Builtin::UncheckedCast, Builtin::UncheckedUnwrapOptional) ||
           node->kind().str() == "aten::__getitem__";
  }

  bool mayBeOne(const Node* known, const Node* node) const {
    if (returnsExisting(node)) return true;
    for (std::size_t i = 0; i < node->numOutputs(); ++i) {
      const Value *a = known->output(i), *b = node->output(i);
      if (alias_.location(a) == AliasAnalysis::kNone) continue;
      if (alias_.hasWriters(a) || alias_.hasWriters(b)) return false;
      if (alias_.identityMatters(a) || alias_.identityMatters(b)) return false;
      if (alias_.escapes(a) && alias_.escapes(b) && !alias_.staysHere(a) && !alias_.staysHere(b))
        return false;
    }
    return true;
  }

  Graph& graph_;
  const PassContext& context_;
  AliasAnalysis& alias_;
  std::unordered_map<std::size_t, std::ptrdiff_t> table_; ///< newest entry of each hash
  std::vector<Entry> log_;                                ///< what is known, in order
};

} // namespace

bool eliminateCommonSubexpressions(Graph& graph, const PassContext& context) {
  AliasAnalyses analyses(graph, context);
  bool changed = false;
  for (Graph* inner : analyses.graphs())
    changed |= CommonSubexpressions(*inner, context, analyses[*inner]).run();
  return changed;
}

} // namespace tine
