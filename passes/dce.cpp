#include "llvm/ADT/DenseSet.h"
#include "passes/alias.h"

namespace tine {
namespace {

/// Mark and sweep over one graph, whose inner graphs were treated before.
///   1. Roots: the graph's results, and nodes that must run: print, raise, write what the outside
///      knows, unknown code, waits for futures that are not ours.
///   2. A live value makes its node live; of If and Loop only the outputs and carried values that
///      lead to it. A live node makes its operands live and the nodes around it.
///   3. A value that a live node reads makes those live that write to its memory, or to what it
///      holds. A live fork makes its waits live: they order its writes and show its errors.
///   4. What is not marked goes.
class DeadCode {
public:
  /// Without an analysis, `roots` are all nodes that must run.
  DeadCode(Graph& graph, const AliasAnalysis* alias, llvm::ArrayRef<Node*> roots)
      : graph_(graph), alias_(alias), roots_(roots), liveValues_(graph.numValues(), false),
        liveLocations_(alias ? alias->numLocations() : 0, false) {}

  bool run() {
    std::vector<Node*> all;
    bool dropped = false;
    graph_.forEachNode([&](Node* node) {
      all.push_back(node);
      dropped |= node->op() == Builtin::Fork && dropInputs(node);
    });
    liveNodes_.reserve(all.size());
    markNode(graph_.block()->ret());
    for (Node* node : roots_) markNode(node);
    if (alias_)
      for (Node* node : all)
        if (alias_->role(node) == AliasAnalysis::Role::Root) markNode(node);
    propagate();
    return sweep(all) || dropped;
  }

private:
  static bool isControl(const Node* node) {
    return node->op() == Builtin::If || node->op() == Builtin::Loop;
  }

  /// Before: `%f = prim::fork_0(%x, %y)  with prim::fork_0 = graph(%a, %b): ...`, where nothing
  /// uses
  ///         %b
  /// After:  `%f = prim::fork_0(%x)  with prim::fork_0 = graph(%a): ...`
  static bool dropInputs(Node* fork) {
    Graph* body = fork->subgraph();
    bool changed = false;
    for (std::size_t i = body ? body->inputs().size() : 0; i-- > 0;) {
      if (body->inputs()[i]->hasUses()) continue;
      body->block()->param()->removeOutput(i);
      fork->removeInput(i);
      changed = true;
    }
    return changed;
  }

  void markNode(Node* node) {
    if (liveNodes_.insert(node).second) nodes_.push_back(node);
  }
  void mark(const Value* value) {
    if (liveValues_[value->unique()]) return;
    liveValues_[value->unique()] = true;
    values_.push_back(value);
  }

  void propagate() {
    while (!nodes_.empty() || !values_.empty()) {
      if (!values_.empty()) {
        const Value* value = values_.back();
        values_.pop_back();
        readValue(value);
      } else {
        Node* node = nodes_.back();
        nodes_.pop_back();
        readNode(node);
      }
    }
  }

  /// Somebody who is live reads the value.
  void readValue(const Value* value) {
    if (alias_) readMemory(alias_->location(value));
    Node* node = value->node();
    if (node->op() == Builtin::Param) { // of a loop's body: the trip count, or a carried value
      Node* owner = node->block()->owner();
      if (owner) markNode(owner);
      if (owner && owner->op() == Builtin::Loop && value->index() > 0)
        markCarried(owner, value->index() - 1);
      return;
    }
    if (node->op() == Builtin::If)
      for (Block* block : node->blocks()) mark(block->outputs()[value->index()]);
    if (node->op() == Builtin::Loop) markCarried(node, value->index());
    markNode(node);
  }

  /// The k-th carried value of a loop is needed, so all of it is: what it starts with, what the
  /// body gets and hands on. The result is not: it goes only if the whole goes.
  void markCarried(Node* loop, std::size_t k) {
    Block* body = loop->blocks()[0];
    mark(loop->input(k + 2));
    mark(body->inputs()[k + 1]);
    mark(body->outputs()[k + 1]);
  }

  void readMemory(std::uint32_t location) {
    for (; location != AliasAnalysis::kNone && !liveLocations_[location];
         location = alias_->contents(location)) {
      liveLocations_[location] = true;
      for (const Node* writer : alias_->writersOf(location)) markNode(const_cast<Node*>(writer));
    }
  }

  /// All inside, as somebody notices what fails.
  void keepAll(Node* node) {
    std::vector<Block*> blocks(node->blocks().begin(), node->blocks().end());
    while (!blocks.empty()) {
      Block* block = blocks.back();
      blocks.pop_back();
      for (Value* output : block->outputs()) mark(output);
      for (Node* inner : block->nodes()) {
        markNode(inner);
        blocks.insert(blocks.end(), inner->blocks().begin(), inner->blocks().end());
      }
    }
  }

  void readNode(Node* node) {
    if (Node* owner = node->block()->owner()) markNode(owner);
    if (node->op() == Builtin::If) return mark(node->input(0));
    if (node->op() == Builtin::Loop) {
      mark(node->input(0));
      mark(node->input(1));
      return mark(node->blocks()[0]->outputs()[0]);
    }
    for (Value* input : node->inputs()) mark(input);
    if (node->op() == Builtin::Try) return keepAll(node);
    for (Block* block : node->blocks()) { // of a kind that we do not know
      for (Value* output : block->outputs()) mark(output);
      for (Node* inner : block->nodes()) {
        markNode(inner);
        for (Value* output : inner->outputs()) mark(output);
      }
    }
    if (node->op() == Builtin::Fork)
      for (Use& use : node->output()->uses())
        if (use.user->op() == Builtin::Wait) markNode(use.user);
  }

  bool sweep(llvm::ArrayRef<Node*> all) {
    // First operands: a dead node's, and in live branches and loops what leads to dead values.
    //   Before: `%a, %b = prim::If(%c)  block0(): -> (%x, %y) ...`, where nobody needs %b
    //   After:  `%a = prim::If(%c)  block0(): -> (%x) ...`
    //   Before: `%a, %b = prim::Loop(%n, %c, %x, %y)  block0(%i, %p, %q): ... -> (%d, %r, %s)`,
    //           where nobody needs %b, and %q only to make %s
    //   After:  `%a = prim::Loop(%n, %c, %x)  block0(%i, %p): ... -> (%d, %r)`
    bool changed = false;
    for (Node* node : all) {
      bool live = liveNodes_.contains(node);
      if (!live) {
        changed = true;
        node->removeAllInputs();
        for (Block* block : node->blocks()) block->ret()->removeAllInputs();
      } else if (isControl(node)) {
        for (std::size_t i = node->numOutputs(); i-- > 0;)
          if (isDead(node, i)) {
            bool loop = node->op() == Builtin::Loop;
            for (Block* block : node->blocks()) block->ret()->removeInput(loop ? i + 1 : i);
            if (loop) node->removeInput(i + 2);
          }
      }
    }
    // Then nobody uses their results.
    for (Node* node : all) {
      if (!liveNodes_.contains(node)) {
        if (node->block()) node->destroy(); // those inside a dead one go with it
      } else if (isControl(node)) {
        for (std::size_t i = node->numOutputs(); i-- > 0;)
          if (isDead(node, i)) {
            changed = true;
            if (node->op() == Builtin::Loop) node->blocks()[0]->param()->removeOutput(i + 1);
            node->removeOutput(i);
          }
      }
    }
    return changed;
  }

  bool isDead(const Node* control, std::size_t i) const {
    auto dead = [&](const Value* value) { return !liveValues_[value->unique()]; };
    if (control->op() == Builtin::If) return dead(control->output(i));
    return dead(control->blocks()[0]->inputs()[i + 1]) && dead(control->output(i));
  }

  Graph& graph_;
  const AliasAnalysis* alias_;
  llvm::ArrayRef<Node*> roots_;
  std::vector<bool> liveValues_, liveLocations_;
  llvm::DenseSet<const Node*> liveNodes_;
  std::vector<Node*> nodes_;         ///< live, operands not yet
  std::vector<const Value*> values_; ///< live, what they come from not yet
};

} // namespace

bool eliminateDeadCode(Graph& graph, const PassContext& context) {
  // Who writes to nothing that is shared needs no analysis of aliases.
  bool simple = true;
  std::vector<Node*> roots;
  graph.forEachNode([&](Node* node) {
    if (!simple || node->op() == Builtin::If || node->op() == Builtin::Loop) return;
    if (node->subgraph() || !node->blocks().empty()) {
      simple = false;
      return;
    }
    Effects effects = context.effects(*node);
    if (effects.mustExecute() || node->op() == Builtin::RaiseException) roots.push_back(node);
    simple &= !effects.writes && !effects.suspends;
  });
  if (simple) return DeadCode(graph, nullptr, roots).run();
  AliasAnalyses analyses(graph, context);
  bool changed = false;
  for (Graph* inner : analyses.graphs()) changed |= DeadCode(*inner, &analyses[*inner], {}).run();
  return changed;
}

} // namespace tine
