#include "llvm/ADT/STLExtras.h"
#include "passes/alias.h"
#include "passes/rewrite.h"

namespace tine {
namespace {

/// How many nodes between a fork and its wait are looked at.
constexpr int kFar = 1000;

/// Replaces forks by their bodies. A task may run at any time from its fork to the first wait, and
/// its error shows at the wait; so the body goes
///   - to the fork, when it can neither fail nor wait;
///   - else to the first wait, when that precedes all others on every path and runs at most once
///     for each fork. A body that does more than compute a result must also be certain to run: the
///     wait is then in the fork's own block, and nothing in between can fail.
/// Every other fork stays as it is: one that draws random numbers, or calls what may; one that
/// nobody waits for, whose future is stored, returned or passed on, or whose waits lie on different
/// paths.
class ForkWait {
public:
  ForkWait(Graph& graph, const PassContext& context, const AliasAnalyses& analyses)
      : graph_(graph), context_(context), analyses_(analyses) {}

  bool run() {
    // The last fork first: when it has taken another's future along as an operand, that one's waits
    // are in sight by the time it is looked at.
    std::vector<Node*> forks;
    graph_.forEachNode([&](Node* node) {
      if (node->op() == Builtin::Fork) forks.push_back(node);
    });
    bool changed = false;
    while (!forks.empty()) {
      Node* fork = forks.back();
      forks.pop_back();
      if (Node* place = placeOf(fork)) {
        inlineAt(fork, place, forks);
        changed = true;
      }
    }
    return changed;
  }

private:
  /// What a fork's body does, as far as it decides where it may go.
  struct Conduct {
    bool fails = false;   ///< may raise, or wait
    bool visible = false; ///< does more than compute a result
    bool draws = false;   ///< takes random numbers, of which each task has its own
  };

  Conduct conductOf(const Graph& body) const {
    const AliasAnalysis& alias = analyses_[body];
    Conduct conduct;
    conduct.visible = alias.mustRun() || alias.writesOutside();
    body.forEachNode([&](Node* node) {
      conduct.fails = conduct.fails || mayFail(node);
      if (node->op() != Builtin::Fork && node->blocks().empty()) {
        const Effects effects = context_.effects(*node);
        conduct.draws |= effects.nondeterministic && effects.external;
      }
    });
    return conduct;
  }

  /// If and Loop do not fail by themselves, their nodes may; a fork's error shows at its wait.
  bool mayFail(const Node* node) const {
    if (node->op() == Builtin::RaiseException) return true;
    if (node->op() == Builtin::If || node->op() == Builtin::Loop || node->op() == Builtin::Fork)
      return false;
    if (!node->blocks().empty() || node->subgraph()) return true;
    Effects effects = context_.effects(*node);
    return effects.raises || effects.suspends;
  }

  /// The node in front of which the body may go: the fork, or a wait. Null: the fork stays.
  Node* placeOf(Node* fork) const {
    const Graph* body = fork->subgraph();
    if (!body || !fork->output()->hasUses() || body->inputs().size() != fork->numInputs())
      return nullptr;
    Node* first = nullptr;
    for (const Use& use : fork->output()->uses()) {
      if (use.user->op() != Builtin::Wait || use.user->numOutputs() != 1) return nullptr;
      if (!first || use.user->isBefore(first)) first = use.user;
    }
    Conduct conduct = conductOf(*body);
    if (conduct.draws) return nullptr;
    if (!conduct.fails) return fork;
    for (const Use& use : fork->output()->uses())
      if (!dominates(first, use.user)) return nullptr;
    for (const Node* around = first; around->block() != fork->block();
         around = around->block()->owner())
      if (around->block()->owner()->op() != Builtin::If)
        return nullptr; // a loop would run it again
    if (conduct.visible && !certain(fork, first)) return nullptr;
    return first;
  }

  static bool dominates(const Node* first, const Node* other) {
    while (other && other->block() != first->block()) other = other->block()->owner();
    return other && (other == first || first->isBefore(other));
  }

  /// Does the wait run whenever the fork did?
  bool certain(const Node* fork, const Node* wait) const {
    if (fork->block() != wait->block()) return false;
    int seen = 0;
    for (const Node* node = fork->next(); node != wait; node = node->next()) {
      std::vector<const Node*> work{node};
      while (!work.empty()) {
        const Node* inner = work.back();
        work.pop_back();
        if (++seen > kFar || mayFail(inner)) return false;
        for (const Block* block : inner->blocks())
          for (const Node* child : block->nodes()) work.push_back(child);
      }
    }
    return true;
  }

  /// As a traceback has it: the task, the fork, and the wait for it in the same function.
  const CallSite* siteOf(Node* fork, Node* place) {
    const CallSite* outer = fork->callSite();
    if (place != fork && place->callSite() == outer)
      outer = graph_.addCallSite({Symbol(), place->location(), outer});
    return graph_.addCallSite(
        {graph_.context().symbol("<forked function>"), fork->location(), outer, true});
  }

  /// Before: `%f = prim::fork_0(%x)  ...  %y = aten::wait(%f)  ...  %z = aten::wait(%f)`, and
  ///         `prim::fork_0 = graph(%a): %b = aten::neg(%a)  return (%b)`
  /// After:  `...  %b = aten::neg(%x)  ...`, with %b for %y and %z
  /// Adds the forks that came in.
  void inlineAt(Node* fork, Node* place, std::vector<Node*>& forks) {
    llvm::SmallVector<Value*, 8> arguments(fork->inputs().begin(), fork->inputs().end());
    CopyBody where;
    where.before = place;
    where.site = siteOf(fork, place);
    where.consume = true;
    where.made = [&](Node* node) { // in program order, so that the last is looked at first
      if (node->op() == Builtin::Fork) forks.push_back(node);
    };
    Value* result = joinOutputs(copyBody(*fork->subgraph(), arguments, where), place);
    while (fork->output()->hasUses()) {
      Node* wait = fork->output()->uses().begin()->user;
      replaceValue(wait->output(), result);
      wait->destroy();
    }
    fork->destroy();
  }

  Graph& graph_;
  const PassContext& context_;
  const AliasAnalyses& analyses_;
};

} // namespace

bool inlineForkWait(Graph& graph, const PassContext& context) {
  AliasAnalyses analyses(graph, context);
  // Outer before inner: a body that goes into its parent takes its own forks along, as they are,
  // and each node is copied once for all levels. What then is still a fork has a graph of its own.
  bool changed = false;
  std::vector<Graph*> graphs{&graph};
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    changed |= ForkWait(*graphs[i], context, analyses).run();
    graphs[i]->forEachNode([&](Node* node) {
      if (Graph* inner = node->subgraph()) graphs.push_back(inner);
    });
  }
  return changed;
}

} // namespace tine
