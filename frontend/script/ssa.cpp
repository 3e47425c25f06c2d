#include "frontend/script/clone.h"
#include "frontend/script/normalize.h"
#include "frontend/script/types.h"
#include "ir/builder.h"
#include "support/deep.h"

#include <map>

namespace tine::script {
namespace {

llvm::StringRef kind(const Node* node) { return node->kind().str(); }
llvm::StringRef variable(const Node* node) { return node->attributes().string(Builtin::Name); }

/// Is it a try whose errors and exits pass a `finally`?
bool hasFinally(const Node* node) {
  if (node->op() != Builtin::Try) return false;
  do node = node->next();
  while (kind(node) == "prim::Store" || kind(node) == "prim::Load"); // of its results
  return kind(node) == "prim::FinallyBegin";
}

/// What variables have in a block and in those around it.
template <class T> struct Scope {
  Scope* outer;
  std::map<std::string, T, std::less<>> here;
  const T* find(llvm::StringRef name) const {
    for (const Scope* scope = this; scope; scope = scope->outer)
      if (auto found = scope->here.find(name); found != scope->here.end()) return &found->second;
    return nullptr;
  }
};

bool isMeaningful(llvm::StringRef name) {
  if (name.empty() || name[0] == '$') return false;
  return name[0] != '_' ||
         name.drop_front().find_first_not_of("0123456789") != llvm::StringRef::npos;
}

// ---- 1: what leaves ifs and loops ---------------------------------------------------------------

/// Before: `= prim::If(%c)  block0(): = prim::Store[name="x"](%1) ...`
/// After:  `%x = prim::If(%c)  block0(): = prim::Store[name="x"](%1) %2 = prim::Load[name="x"]() ->
/// (%2)
///          ...  = prim::Store[name="x"](%x)`
class CarriedVariables {
public:
  using Types = Scope<const Type*>;
  explicit CarriedVariables(Graph& graph) : graph_(graph), context_(graph.context()) {}

  Deep<Types> block(Block* block, Types* outer) {
    Types scope{outer, {}};
    for (Node* node : block->nodes()) {
      if (node->op() == Builtin::If || node->op() == Builtin::Try) {
        co_await branches(node, scope);
      } else if (node->op() == Builtin::Loop) {
        co_await loop(node, scope);
      } else if (kind(node) == "prim::Store") {
        scope.here[variable(node).str()] = node->input(0)->type();
      } else if (node->op() == Builtin::Closure || kind(node) == "prim::ComprehensionScope") {
        co_await this->block(node->blocks()[0], &scope);
      }
    }
    co_return scope;
  }

private:
  Value* load(llvm::StringRef name, const Type* type, Node* before) {
    Node* node = graph_.createNode("prim::Load");
    Value* value = node->addOutput(type);
    node->attributes().setString(context_.symbol(Builtin::Name), name);
    node->insertBefore(before);
    return value;
  }
  void store(llvm::StringRef name, Value* value, Node* after) {
    Node* node = graph_.createNode("prim::Store");
    node->addInput(value);
    node->attributes().setString(context_.symbol(Builtin::Name), name);
    node->insertAfter(after);
  }
  void output(Node* node, llvm::StringRef name, const Type* type, Types& scope) {
    Value* value = node->addOutput(type);
    if (isMeaningful(name)) value->setName(name);
    store(name, value, node);
    scope.here[name.str()] = type;
  }

  Deep<void> branches(Node* node, Types& scope) {
    Block *yes = node->blocks()[0], *no = node->blocks()[1];
    const Types yesTypes = co_await block(yes, &scope);
    const Types noTypes = co_await block(no, &scope);
    std::map<std::string, std::pair<const Type*, const Type*>> changed;
    for (const auto& [name, type] : yesTypes.here)
      if (const Type* const* other = noTypes.find(name)) changed[name] = {type, *other};
    const bool fails = hasFinally(node); // the other block does the `finally`, and raises again
    for (const auto& [name, type] : noTypes.here)
      if (const Type* const* other = fails ? nullptr : yesTypes.find(name))
        changed[name] = {*other, type};
    for (const auto& [name, types] : changed) {
      const Type* type = unify(context_, types.first, types.second);
      // Of a union that was declared in a branch the values tell only parts.
      if (!type && (scope.find(name) || isReadNext(name, node)))
        type = unify(context_, types.first, types.second, true);
      if (!type) continue;
      yes->addOutput(load(name, types.first, yes->ret()));
      no->addOutput(load(name, types.second, no->ret()));
      output(node, name, type, scope);
    }
  }

  /// Is the variable read after the node before anything is stored there again?
  static bool isReadNext(llvm::StringRef name, Node* node) {
    for (Node* at = node;;) {
      // The next one in the text: not into `node` itself, else into blocks before what follows.
      if (at != node && !at->blocks().empty())
        at = at->blocks()[0]->param()->next();
      else
        at = at->next();
      while (at == at->block()->ret()) {
        Block* const ended = at->block();
        Node* const owner = ended->owner();
        if (!owner) return false;
        std::size_t index = 0;
        while (owner->blocks()[index] != ended) ++index;
        at = index + 1 < owner->blocks().size() ? owner->blocks()[index + 1]->param()->next()
                                                : owner->next();
      }
      const bool reads = kind(at) == "prim::Load";
      if ((reads || kind(at) == "prim::Store") && variable(at) == name) return reads;
    }
  }

  Deep<void> loop(Node* node, Types& scope) {
    Block* body = node->blocks()[0];
    const Types inside = co_await block(body, &scope);
    for (const auto& [name, type] : inside.here) {
      const Type* const* before = scope.find(name);
      if (!before) continue; // of the body alone
      const Type* first = *before;
      const Type* both = unify(context_, first, type, true);
      node->addInput(load(name, first, node->prev()));
      Value* carried = body->addInput(both);
      carried->setName(name);
      store(name, carried, body->param());
      body->addOutput(load(name, type, body->ret()));
      output(node, name, both, scope);
    }
  }

  Graph& graph_;
  Context& context_;
};

// ---- 2: break and continue ----------------------------------------------------------------------

/// Before: `= prim::BreakStmt()`  After: `= prim::LoopContinuation(%false, %x)`, with what is
/// carried. Who leaves a try with `finally` only says whether the loop goes on: with what is known
/// at the prim::FinallyEnd, which gets what is carried then, and, where no other `finally` is left
/// to do, a block with the condition.
class Jumps {
public:
  explicit Jumps(Graph& graph) : graph_(graph) {}

  void run(Block* block) {
    Builder builder(block->param()->next());
    Location hidden;
    hidden.printed = 0;
    builder.setLocation(hidden);
    false_ = builder.constant(false);
    walk(block).run();
  }

private:
  Deep<void> walk(Block* block) {
    for (Node* node : block->nodes()) {
      if (node->op() == Builtin::If || node->op() == Builtin::Try) {
        const bool guarded = loop_ && hasFinally(node);
        finally_ += guarded;
        co_await walk(node->blocks()[0]);
        finally_ -= guarded;
        co_await walk(node->blocks()[1]);
      } else if (node->op() == Builtin::Closure) {
        Jumps(graph_).run(node->blocks()[0]);
      } else if (node->op() == Builtin::Loop) {
        Node* const saved = std::exchange(loop_, node);
        const int finally = std::exchange(finally_, 0);
        co_await walk(node->blocks()[0]);
        loop_ = saved;
        finally_ = finally;
      } else if (kind(node) == "prim::FinallyEnd" && loop_) {
        if (finally_ == 0) cloneBlock(node->addBlock(), condition(), [](Value* v) { return v; });
        loadCarried(node);
      } else if (kind(node) == "prim::ContinueStmt" || kind(node) == "prim::BreakStmt") {
        jump(node, kind(node) == "prim::BreakStmt");
      } // there are no jumps in a comprehension
    }
  }

  void jump(Node* node, bool isBreak) {
    Node* exit = graph_.createNode("prim::LoopContinuation");
    exit->setLocation(node->location());
    exit->insertAfter(node);
    if (isBreak) {
      exit->addInput(false_);
    } else if (finally_ > 0) {
      exit->addInput(Builder(node).constant(true));
    } else {
      Node* holder = graph_.createNode("prim::LoopCondition");
      holder->insertBefore(node);
      Block* copy = holder->addBlock();
      cloneBlock(copy, condition(), [](Value* value) { return value; });
      moveNodes(copy, holder);
      exit->addInput(copy->outputs()[0]);
      holder->destroy();
    }
    loadCarried(exit);
    node->destroy();
  }

  const Block* condition() const { return loop_->prev()->blocks()[0]; }
  /// Adds what the loop carries, as it is there, to the operands of a node.
  void loadCarried(Node* node) {
    ValueMap none;
    for (Value* carried : loop_->blocks()[0]->outputs()) {
      Node* load = cloneNode(graph_, *carried->node(), none, [](Value* value) { return value; });
      load->insertBefore(node);
      node->addInput(load->output());
    }
  }

  Graph& graph_;
  Value* false_ = nullptr;
  Node* loop_ = nullptr;
  int finally_ = 0; ///< how many of them are to be done before the loop is reached
};

// ---- 3: conditions of loops ---------------------------------------------------------------------

/// Before: `prim::LoopCondition() block0(): %c = ... -> (%c)  prim::Loop(%n, %x) block0(...): ->
/// (%y)` After:  `%c = ...  prim::Loop(%n, %c, %x)  block0(...): %d = ... -> (%d, %y)`
Deep<void> inlineConditions(Block* block) {
  for (Node* node : block->nodes()) {
    for (Block* inner : node->blocks()) co_await inlineConditions(inner);
    if (node->op() != Builtin::Loop) continue;
    Node* holder = node->prev();
    Block *condition = holder->blocks()[0], *body = node->blocks()[0];
    Node* copyHolder = block->graph().createNode("prim::LoopCondition");
    copyHolder->insertBefore(holder);
    Block* copy = copyHolder->addBlock();
    cloneBlock(copy, condition, [](Value* value) { return value; });
    moveNodes(copy, copyHolder);
    node->insertInput(1, copy->outputs()[0]);
    copyHolder->destroy();
    moveNodes(condition, body->ret());
    body->ret()->insertInput(0, condition->outputs()[0]);
    holder->destroy();
  }
}

// ---- 4: variables -------------------------------------------------------------------------------

Deep<void> eraseVariables(Block* block, Scope<Value*>* outer) {
  Scope<Value*> scope{outer, {}};
  for (Node* node : block->nodes()) {
    if (kind(node) == "prim::Store") {
      scope.here[variable(node).str()] = node->input(0);
      node->destroy();
    } else if (kind(node) == "prim::Load") {
      if (node->output()->hasUses()) {
        Value* const* value = scope.find(variable(node));
        TINE_CHECK_MSG(value, "a variable without a value");
        node->output()->replaceAllUsesWith(*value);
      }
      node->destroy();
    } else if (kind(node) == "prim::ComprehensionScope") {
      co_await eraseVariables(node->blocks()[0], &scope);
      moveNodes(node->blocks()[0], node);
      node->destroy();
    } else {
      for (Block* inner : node->blocks()) co_await eraseVariables(inner, &scope);
    }
  }
}

} // namespace

void convertToSsa(Graph& graph) {
  CarriedVariables(graph).block(graph.block(), nullptr).run();
  Jumps(graph).run(graph.block());
  inlineConditions(graph.block()).run();
  eraseVariables(graph.block(), nullptr).run();
}

} // namespace tine::script
