#include "ir/verify.h"

#include "ir/graph_access.h"
#include "ir/verify_rules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Twine.h"

#include <deque>

namespace tine {
namespace {

/// A value that the walk has met.
struct Definition {
  const Value* value;
  std::uint32_t block;    ///< the number of the block that it belongs to
  std::uint32_t operands; ///< that are this value, so far
};

/// The values that the walk has met, found by their number: numbers are dense but in graphs that
/// somebody numbered by hand.
class Definitions {
public:
  enum class Added { New, Twice, NumberTwice };

  Added add(const Value* value, std::uint32_t block) {
    std::uint32_t unique = value->unique();
    if (unique < 2 * all_.size() + 1024) {
      if (unique >= slots_.size()) slots_.resize(std::max<std::size_t>(2 * unique, 64));
      std::uint32_t& slot = slots_[unique];
      if (!slot && !(sparse_.size() && sparse_.contains(unique))) {
        slot = static_cast<std::uint32_t>(all_.size() + 1);
        all_.push_back({value, block, 0});
        return Added::New;
      }
      if (slot && all_[slot - 1].value == value) return Added::Twice;
    }
    if (!others_.try_emplace(value, all_.size()).second) return Added::Twice;
    all_.push_back({value, block, 0});
    bool taken = unique < slots_.size() && slots_[unique];
    return sparse_.insert(unique).second && !taken ? Added::New : Added::NumberTwice;
  }

  Definition* find(const Value* value) {
    if (!value) return nullptr;
    std::uint32_t unique = value->unique();
    if (unique < slots_.size() && slots_[unique]) {
      Definition& definition = all_[slots_[unique] - 1];
      if (definition.value == value) return &definition;
    }
    if (others_.empty()) return nullptr;
    auto it = others_.find(value);
    return it == others_.end() ? nullptr : &all_[it->second];
  }

  const std::vector<Definition>& all() const { return all_; }

private:
  std::vector<Definition> all_;
  std::vector<std::uint32_t> slots_;                 ///< by number: 1 + the index in all_
  llvm::DenseMap<const Value*, std::size_t> others_; ///< those without a slot
  llvm::DenseSet<std::uint32_t> sparse_;             ///< their numbers
};

/// Walks one graph in program order, once. Nothing that a link says is believed until the other
/// end says the same; only memory must be there, so values of graphs that are gone are too much.
class Verifier {
public:
  Verifier(const Graph& graph, const CompilationUnit* unit, VerifyReport& report)
      : graph_(graph), unit_(unit), report_(report) {}

  struct Inner {
    const Node* node;
    const Graph* graph;
  };
  /// The subgraphs of its nodes, in order. A node that is broken itself has no place here.
  std::vector<Inner> subgraphs;

  /// False when links are broken, so that nothing more can be said of the graph.
  bool run() {
    if (!enter(graph_.block(), nullptr)) return false;
    while (!frames_.empty()) step();
    for (const Unresolved& use : unresolved_) reportUnresolved(use);
    if (complete_)
      for (const Definition& definition : definitions_.all()) checkUses(definition);
    return sound_;
  }

private:
  /// A block that is being walked.
  struct Frame {
    const Block* block;
    const Node* previous;
    const Node* node;     ///< to be looked at next
    std::size_t inner;    ///< how many of its blocks were walked
    std::uint32_t number; ///< of the block
    bool ok = true;       ///< of `node`: its operands are known
  };
  struct Unresolved {
    const Node* node;
    std::uint32_t index;
    std::uint32_t block;
    bool counted; ///< among its value's operands
  };

  Error& broken(const Node* node, const llvm::Twine& message) {
    sound_ = false;
    return report_.add(node, message.str());
  }
  Error& broken(const Node& node, const llvm::Twine& message) { return broken(&node, message); }
  /// Parts of the graph were not met.
  void incomplete(const Node* node, const llvm::Twine& message) {
    complete_ = false;
    broken(node, message);
  }

  bool enter(const Block* block, const Node* owner) {
    if (!block || !blocks_.insert(block).second) {
      incomplete(owner, block ? "a block is in two places" : "a block is null");
      return false;
    }
    if (&block->graph() != &graph_ || block->owner() != owner)
      broken(owner, "a block does not know the graph or node that it belongs to");
    const Node *param = block->param(), *ret = block->ret();
    if (!param || !ret || !param->kind().is(Builtin::Param) || !ret->kind().is(Builtin::Return)) {
      incomplete(owner, "a block has no prim::Param or no prim::Return");
      return false;
    }
    std::uint32_t number = static_cast<std::uint32_t>(open_.size());
    open_.push_back(true);
    last_.push_back(number);
    checkMembership(*param, *block, nullptr);
    if (param->numInputs() || !param->blocks().empty())
      incomplete(param, "prim::Param has operands or blocks");
    define(*param, number);
    frames_.push_back({block, param, param->next(), 0, number});
    return true;
  }

  void leave() {
    std::uint32_t number = frames_.back().number;
    open_[number] = false;
    last_[number] = static_cast<std::uint32_t>(open_.size() - 1);
    frames_.pop_back();
  }

  void step() {
    Frame& frame = frames_.back();
    const Node* node = frame.node;
    if (frame.inner == 0) {
      if (!node) {
        incomplete(frame.previous, "the list of nodes ends before prim::Return");
        return leave();
      }
      if (GraphAccess::position(*node) <= GraphAccess::position(*frame.previous)) {
        // Positions that do not grow: stale ones, or a circle.
        if (node->prev() != frame.previous || !stale_.insert(node).second) {
          incomplete(frame.previous, "the list of nodes runs in a circle, or into another block");
          return leave();
        }
        broken(*node, "a node's position is not after that of the node before it");
      }
      checkMembership(*node, *frame.block, frame.previous);
      frame.ok = checkOperands(*node, frame.number);
      if (node == frame.block->ret()) {
        if (!frame.ok) unsound_.insert(frame.block);
        if (node->numOutputs() || !node->blocks().empty())
          broken(*node, "prim::Return has results or blocks");
        if (node->next()) broken(*node, "the list of nodes goes on after prim::Return");
        return leave();
      }
      if (node->kind().is(Builtin::Param) || node->kind().is(Builtin::Return))
        broken(*node, node->kind().str() + " among the nodes of a block");
    }
    if (frame.inner < node->blocks().size()) {
      const Block* block = node->blocks()[frame.inner++];
      std::size_t self = frames_.size() - 1;
      if (!enter(block, node)) frames_[self].ok = false; // `frame` may dangle
      return;
    }
    for (const Block* block : node->blocks())
      if (unsound_.contains(block)) frame.ok = false;
    define(*node, frame.number);
    for (const Attribute& attribute : node->attributes())
      for (const auto& graph : attribute.graphs) checkSubgraph(*node, graph.get());
    if (frame.ok) verifyNode(*node, unit_, report_);
    frame.previous = node;
    frame.node = node->next();
    frame.inner = 0;
  }

  void checkSubgraph(const Node& node, const Graph* graph) {
    if (!graph)
      broken(node, "a graph attribute is null");
    else if (graph->sharedContext() != graph_.sharedContext())
      broken(node, "a graph inside a graph has a Context of its own");
    else
      subgraphs.push_back({frames_.back().ok && graph == node.subgraph() ? &node : nullptr, graph});
  }

  void checkMembership(const Node& node, const Block& block, const Node* previous) {
    if (&node.graph() != &graph_ || node.block() != &block)
      incomplete(&node, "a node does not know the block that it is in");
    if (node.prev() != previous) broken(node, "a node does not know the node before it");
  }

  /// Are all operands defined, here or in a block around? Those that are not wait for the end: they
  /// may be defined later.
  bool checkOperands(const Node& node, std::uint32_t block) {
    bool ok = true;
    const Use* uses = GraphAccess::operands(node);
    for (std::uint32_t i = 0; i < node.numInputs(); ++i) {
      const Use& use = uses[i];
      if (use.user != &node || use.index != i) {
        broken(node, "operand " + llvm::Twine(i) + " does not know its node and position");
        ok = false;
      }
      Definition* definition = definitions_.find(use.value);
      if (definition) ++definition->operands;
      if (definition && open_[definition->block]) continue;
      unresolved_.push_back({&node, i, block, definition != nullptr});
      sound_ = ok = false;
    }
    return ok;
  }

  void define(const Node& node, std::uint32_t block) {
    for (std::uint32_t i = 0; i < node.numOutputs(); ++i) {
      const Value* value = node.output(i);
      if (!value) {
        broken(node, "result " + llvm::Twine(i) + " is null");
        continue;
      }
      if (value->node() != &node || value->index() != i)
        broken(node, "result " + llvm::Twine(i) + " does not know its node and position");
      Definitions::Added added = definitions_.add(value, block);
      if (added == Definitions::Added::Twice) {
        broken(node, report_.describe(value) + " is a result twice");
        continue;
      }
      if (added == Definitions::Added::NumberTwice)
        broken(node, "two values have the number " + llvm::Twine(value->unique()));
      if (value->unique() >= graph_.numValues())
        broken(node, report_.describe(value) + " has a number that the graph has not given out");
      if (!value->type()) broken(node, report_.describe(value) + " has no type");
      if (value->hasName()) checkName(node, *value);
    }
  }

  void checkName(const Node& node, const Value& value) {
    const Value* known = graph_.find(value.name().str());
    if (known == &value) return;
    Error& error = broken(node, known ? "two values have the name %" + value.name().str()
                                      : "the graph does not know the name %" + value.name().str());
    if (known) report_.note(error, "the other one", *known);
  }

  void reportUnresolved(const Unresolved& use) {
    const Node& node = *use.node;
    const Value* value = GraphAccess::operands(node)[use.index].value;
    std::string what =
        (node.kind().is(Builtin::Return) ? "output " : "operand ") + std::to_string(use.index);
    if (!value) {
      report_.add(&node, what + " is null");
      return;
    }
    what += ", " + report_.describe(value) + ", ";
    if (Definition* definition = definitions_.find(value)) {
      if (!use.counted) ++definition->operands;
      std::uint32_t home = definition->block;
      bool encloses = home <= use.block && use.block <= last_[home];
      Error& error =
          report_.add(&node, what + (encloses ? "is used before it is defined"
                                              : "is defined in a block that its use is not in"));
      report_.note(error, "defined here", *value);
    } else if (GraphAccess::owns(graph_, value)) {
      Error& error = report_.add(&node, what + "is a result of a node that is not in the graph");
      if (value->node()) report_.note(error, "the node", *value);
    } else {
      report_.add(&node, what + "is not a value of this graph; what a forked body needs, it "
                                "takes as an input");
    }
  }

  /// The list of uses holds exactly the operands that were met.
  void checkUses(const Definition& definition) {
    const Value& value = *definition.value;
    std::uint32_t count = 0;
    Use* const* link = GraphAccess::firstLink(value);
    llvm::SmallPtrSet<const Use*, 4> outside;
    for (const Use* use = *link; use; link = &use->next, use = use->next) {
      auto fail = [&](const llvm::Twine& message) -> Error& {
        return broken(value.node(), "the uses of " + report_.describe(&value) + message);
      };
      if (use->value != &value || use->link != link) {
        fail(" are not linked properly");
        return;
      }
      if (!use->user || &use->user->graph() != &graph_ || !use->user->block()) {
        if (!outside.insert(use).second) {
          fail(" run in a circle");
          return;
        }
        Error& error = fail(" include a node that is not in the graph");
        if (use->user && GraphAccess::owns(graph_, use->user))
          error.notes.push_back({"the node: " + report_.describe(*use->user), {}});
        continue;
      }
      if (use->index >= use->user->numInputs() ||
          use != GraphAccess::operands(*use->user) + use->index) {
        fail(" include something that is no operand");
        return;
      }
      if (++count > definition.operands) {
        fail(" run in a circle, or include a node that is not in the graph");
        return;
      }
    }
    if (count != definition.operands)
      broken(value.node(), "the uses of " + report_.describe(&value) + " lack " +
                               llvm::Twine(definition.operands - count) + " of its " +
                               llvm::Twine(definition.operands));
    else if (GraphAccess::lastUse(value) != link)
      broken(value.node(),
             "the uses of " + report_.describe(&value) + " do not end where the value says");
  }

  const Graph& graph_;
  const CompilationUnit* unit_;
  VerifyReport& report_;
  bool sound_ = true;
  bool complete_ = true;
  std::vector<Frame> frames_;
  std::vector<char> open_;          ///< by the block's number: is it being walked?
  std::vector<std::uint32_t> last_; ///< by the block's number: the last number inside it
  Definitions definitions_;
  llvm::DenseSet<const Block*> blocks_;
  llvm::SmallPtrSet<const Node*, 4> stale_;    ///< whose position is not after the one before
  llvm::SmallPtrSet<const Block*, 4> unsound_; ///< their outputs are broken
  std::vector<Unresolved> unresolved_;
};

void verifyInto(const Graph& graph, llvm::StringRef name, const CompilationUnit* unit,
                std::vector<Error>& errors) {
  // Forks nest as deep as they like: a worklist, outer before inner.
  struct Pending {
    const Graph* graph;
    const Graph* outer;
    const Node* node; ///< that holds the graph; null when the node is broken
  };
  std::string inner = "a subgraph of " + name.str();
  std::deque<Pending> pending{{&graph, nullptr, nullptr}};
  while (!pending.empty()) {
    Pending next = pending.front();
    pending.pop_front();
    VerifyReport report(*next.graph, next.outer ? llvm::StringRef(inner) : name, errors);
    Verifier verifier(*next.graph, unit, report);
    bool sound = verifier.run();
    if (sound && next.node) {
      VerifyReport outer(*next.outer, name, errors);
      verifySubgraph(*next.node, *next.graph, outer);
    }
    for (const Verifier::Inner& body : verifier.subgraphs)
      pending.push_back({body.graph, next.graph, body.node});
  }
}

Result<Ok> finish(std::vector<Error> errors) {
  if (errors.empty()) return Ok{};
  return errors;
}

} // namespace

Result<Ok> verify(const Graph& graph, llvm::StringRef name) {
  std::vector<Error> errors;
  verifyInto(graph, name, nullptr, errors);
  return finish(std::move(errors));
}

Result<Ok> verify(const CompilationUnit& unit) {
  std::vector<Error> errors;
  // A lone `graph` is a dump: its functions are elsewhere.
  bool dump = unit.functions().size() == 1 && unit.functions().front().name == "graph";
  for (const NamedGraph& function : unit.functions())
    verifyInto(*function.graph, function.name, dump ? nullptr : &unit, errors);
  return finish(std::move(errors));
}

} // namespace tine
