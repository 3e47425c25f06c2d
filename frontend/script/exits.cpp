#include "frontend/script/clone.h"
#include "frontend/script/normalize.h"
#include "frontend/script/types.h"
#include "ir/builder.h"
#include "llvm/ADT/DenseSet.h"
#include "support/deep.h"

namespace tine::script {
namespace {

llvm::StringRef kind(const Node* node) { return node->kind().str(); }

/// Whether a block was left, as a value of the graph, and with what. The three values that a
/// Transformer has of its own say it for sure: left, not left, or left by an exception.
struct Exit {
  Value* left;
  llvm::SmallVector<Value*, 4> values;
};

/// Removes the nodes of one kind that leave their block for another one: what comes after them in
/// any block on the way runs only if they were not met.
///
/// Before: `prim::If(%c)  block0(): = prim::ReturnStmt(%x)  block1():   %y = f()  -> (%y)`
/// After:  `%left, %r = prim::If(%c)  block0(): -> (%true, %x)  block1(): -> (%false,
/// %uninitialized)
///          %z = prim::If(%left)  block0(): -> (%r)  block1(): %y = f() -> (%y)   -> (%z)`
class Transformer {
public:
  Transformer(Graph& graph, bool returns)
      : graph_(graph), returns_(returns),
        kind_(returns ? "prim::ReturnStmt" : "prim::LoopContinuation") {
    Node* front = graph.block()->param()->next();
    Builder builder(front);
    Location hidden;
    hidden.printed = 0;
    builder.setLocation(hidden);
    true_ = builder.constant(true);
    false_ = builder.constant(false);
    thrown_ = uninitialized(Type::boolType());
  }
  void run() { block(graph_.block()).run(); }

private:
  enum class Status : std::uint8_t { Will, Might, Wont, Throws };
  Status status(const Exit& exit) const {
    return exit.left == true_     ? Status::Will
           : exit.left == false_  ? Status::Wont
           : exit.left == thrown_ ? Status::Throws
                                  : Status::Might;
  }
  Exit wont() const { return {false_, {}}; }

  /// One for each type, at the top of the graph.
  Value* uninitialized(const Type* type) {
    Value*& value = uninitialized_[type];
    if (value) return value;
    Node* node = graph_.createNode("prim::Uninitialized");
    value = node->addOutput(type);
    node->insertAfter(graph_.block()->param());
    return value;
  }
  llvm::SmallVector<Value*, 4> uninitialized(llvm::ArrayRef<Value*> like) {
    llvm::SmallVector<Value*, 4> out;
    for (Value* value : like) out.push_back(uninitialized(value->type()));
    return out;
  }
  Node* makeIf(Value* condition) {
    Node* node = graph_.createNode("prim::If");
    node->addInput(condition);
    node->addBlock();
    node->addBlock();
    return node;
  }
  void addIfOutputs(Node* node, llvm::ArrayRef<Value*> yes, llvm::ArrayRef<Value*> no) {
    for (Value* value : yes) node->blocks()[0]->addOutput(value);
    for (Value* value : no) node->blocks()[1]->addOutput(value);
    for (std::size_t i = 0; i < yes.size(); ++i)
      node->addOutput(unify(graph_.context(), yes[i]->type(), no[i]->type(), true));
  }
  static void replaceOutputs(Block* block, llvm::ArrayRef<Value*> values) {
    block->ret()->removeAllInputs();
    for (Value* value : values) block->addOutput(value);
  }
  static llvm::SmallVector<Value*, 4> outputsOf(const Block* block) {
    Operands outputs = block->outputs();
    return {outputs.begin(), outputs.end()};
  }

  /// Is this the block that exits of our kind go to?
  bool isTarget(const Block* block) const {
    const Node* owner = block->owner();
    if (returns_) return !owner || owner->op() == Builtin::Closure;
    return owner && owner->op() == Builtin::Loop;
  }

  /// Transforms a block. What comes after a node that might have exited goes into a block of an If
  /// of its own, which is transformed in its turn: as many as the block has such nodes, hence the
  /// list and no recursion.
  Deep<Exit> block(Block* whole) {
    struct Guard {
      Node* node;
      Exit exited;
    };
    std::vector<Guard> guards;
    Block* current = whole;
    Exit exit = wont();
    for (Node* node = current->param()->next(); node != current->ret();) {
      Node* next = node->next();
      if (node->op() == Builtin::RaiseException || node->op() == Builtin::Reraise)
        exit = {thrown_, {}};
      else if (kind(node) == kind_) {
        Operands inputs = node->inputs();
        exit = {true_, {inputs.begin(), inputs.end()}};
        node->destroy();
      } else if (node->op() == Builtin::If || node->op() == Builtin::Try)
        exit = co_await branch(node);
      else if (kind(node) == "prim::With")
        exit = co_await block(node->blocks()[0]);
      else if (node->op() == Builtin::Closure)
        co_await block(node->blocks()[0]);
      else if (node->op() == Builtin::Loop)
        exit = co_await loop(node);
      // What must be done however the node was left comes before anything else.
      if (status(exit) != Status::Wont)
        if (Node* after = co_await leave(node, exit)) next = after;
      const Status now = status(exit);
      if (now == Status::Will || now == Status::Throws) {
        deleteFrom(current, next);
        break;
      }
      if (now == Status::Might) {
        if (next == current->ret()) break;
        Node* guard = guardRest(current, exit, next);
        Exit exited = co_await block(guard->blocks()[0]);
        guards.push_back({guard, std::move(exited)});
        current = guard->blocks()[1];
        exit = wont();
        next = current->param()->next();
      }
      node = next;
    }
    while (!guards.empty()) {
      Guard guard = std::move(guards.back());
      guards.pop_back();
      exit = joined(guard.node, std::move(guard.exited), std::move(exit));
    }
    if (!isTarget(whole)) co_return exit;
    if (status(exit) == Status::Might) {
      Node* choice = makeIf(exit.left);
      choice->insertBefore(whole->ret());
      addIfOutputs(choice, exit.values, outputsOf(whole));
      replaceOutputs(whole, choice->outputs());
    } else if (status(exit) == Status::Will) {
      replaceOutputs(whole, exit.values);
    }
    co_return wont();
  }

  /// Behind a with or try: prim::Exit, or what is between prim::FinallyBegin and prim::FinallyEnd.
  /// The node that follows; null when there is nothing to be done.
  Deep<Node*> leave(Node* node, Exit& exit) {
    Node* next = node->next();
    if (kind(node) == "prim::With") co_return next->next();
    if (node->op() != Builtin::Try || kind(next) != "prim::FinallyBegin") co_return nullptr;
    for (int depth = 0;; next = next->next()) {
      if (kind(next) == "prim::FinallyBegin") ++depth;
      if (kind(next) == "prim::FinallyEnd" && --depth == 0) {
        Node* const rest = next->next();
        if (!returns_ && next->numInputs()) exit = afterFinally(next, std::move(exit));
        co_return rest;
      }
      Exit inner = wont();
      if (next->op() == Builtin::RaiseException || next->op() == Builtin::Reraise)
        inner = {thrown_, {}};
      else if (next->op() == Builtin::If || next->op() == Builtin::Try)
        inner = co_await branch(next);
      else if (next->op() == Builtin::Loop)
        inner = co_await loop(next);
      else if (next->op() == Builtin::Closure)
        co_await block(next->blocks()[0]);
      if (status(inner) != Status::Throws) continue;
      exit = inner; // whatever it was: it raises now
      co_return next->next();
    }
  }

  /// What the loop carries is what the `finally` has left; it goes on when who left it wanted that,
  /// and its condition holds now.
  Exit afterFinally(Node* end, Exit exit) {
    Value* goesOn = exit.values[0];
    if (!end->blocks().empty()) {
      Node* choice = makeIf(goesOn);
      Block* condition = end->blocks()[0];
      if (status(exit) == Status::Might) {
        Node* guard = makeIf(exit.left);
        guard->insertAfter(end);
        choice->insertBefore(guard->blocks()[0]->ret());
        guard->blocks()[0]->addOutput(choice->addOutput(Type::boolType()));
        guard->blocks()[1]->addOutput(uninitialized(Type::boolType()));
        goesOn = guard->addOutput(Type::boolType());
      } else {
        choice->insertAfter(end);
        goesOn = choice->addOutput(Type::boolType());
      }
      moveNodes(condition, choice->blocks()[0]->ret());
      choice->blocks()[0]->addOutput(condition->outputs()[0]);
      choice->blocks()[1]->addOutput(false_);
      condition->ret()->removeAllInputs();
    }
    exit.values = {goesOn};
    exit.values.append(end->inputs().begin(), end->inputs().end());
    return exit;
  }

  /// Before: `rest...  -> (%a)`
  /// After:  `%b = prim::If(%left)  block0(): = prim::ReturnStmt(values) -> (%uninitialized)
  ///          block1(): rest... -> (%a)   -> (%b)`
  Node* guardRest(Block* block, const Exit& exit, Node* rest) {
    Node* guard = makeIf(exit.left);
    guard->insertBefore(rest);
    Block *exited = guard->blocks()[0], *others = guard->blocks()[1];
    for (Node* node = rest; node != block->ret();) {
      Node* next = node->next();
      node->insertBefore(others->ret());
      node = next;
    }
    const llvm::SmallVector<Value*, 4> outputs = outputsOf(block);
    const llvm::SmallVector<Value*, 4> unused = uninitialized(outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      exited->addOutput(unused[i]);
      others->addOutput(outputs[i]);
      guard->addOutput(outputs[i]->type());
    }
    replaceOutputs(block, guard->outputs());
    Node* leave = graph_.createNode(kind_);
    for (Value* value : exit.values) leave->addInput(value);
    leave->insertBefore(exited->ret());
    return guard;
  }

  Deep<Exit> branch(Node* node) {
    Exit yes = co_await block(node->blocks()[0]);
    Exit no = co_await block(node->blocks()[1]);
    co_return joined(node, std::move(yes), std::move(no));
  }

  /// What an If does, from what its blocks do.
  Exit joined(Node* node, Exit yes, Exit no) {
    const Status first = status(yes), second = status(no);
    Status both = Status::Might;
    if (first == Status::Throws)
      both = second;
    else if (second == Status::Throws)
      both = first;
    else if (first == second && first != Status::Might)
      both = first;
    if (both == Status::Throws) return {thrown_, {}};
    if (both == Status::Wont) return wont();
    if (first == Status::Wont || first == Status::Throws)
      yes.values = uninitialized(no.values);
    else if (second == Status::Wont || second == Status::Throws)
      no.values = uninitialized(yes.values);
    Value* left = true_;
    if (both != Status::Will) {
      addIfOutputs(node, yes.left, no.left);
      left = node->outputs().back();
    }
    addIfOutputs(node, yes.values, no.values);
    Exit exit{left, {}};
    for (Value* value : node->outputs().take_back(yes.values.size())) exit.values.push_back(value);
    return exit;
  }

  /// A loop that might be left stops when it is, and says so.
  Deep<Exit> loop(Node* node) {
    Block* body = node->blocks()[0];
    Exit exit = co_await block(body);
    if (status(exit) == Status::Wont || status(exit) == Status::Throws) co_return wont();
    Node* choice = makeIf(exit.left);
    choice->insertBefore(body->ret());
    choice->blocks()[0]->addOutput(false_);
    choice->blocks()[1]->addOutput(body->outputs()[0]);
    body->ret()->setInput(0, choice->addOutput(Type::boolType()));
    node->addInput(false_);
    body->addInput(Type::boolType());
    body->addOutput(exit.left);
    Exit out{node->addOutput(Type::boolType()), {}};
    for (Value* value : exit.values) {
      node->addInput(uninitialized(value->type()));
      out.values.push_back(node->addOutput(value->type()));
      body->addInput(value->type());
      body->addOutput(value);
    }
    co_return out;
  }

  /// What comes after an exit is gone; who uses its values is not reached. The prim::Exit of what
  /// was entered before stays: it says that an error calls `__exit__`.
  void deleteFrom(Block* block, Node* first) {
    if (first == block->ret()) return;
    llvm::DenseSet<const Node*> kept;
    llvm::SmallVector<const Value*, 2> entered;
    for (const Node* node = first; node != block->ret(); node = node->next()) {
      if (node->op() == Builtin::Enter) entered.push_back(node->input(0));
      if (node->op() != Builtin::Exit) continue;
      if (!entered.empty() && entered.back() == node->input(0))
        entered.pop_back();
      else
        kept.insert(node);
    }
    for (Node* node = block->ret()->prev();;) {
      Node* prev = node->prev();
      const bool last = node == first;
      for (Value* output : node->outputs())
        if (output->hasUses()) output->replaceAllUsesWith(uninitialized(output->type()));
      if (!kept.contains(node)) node->destroy();
      if (last) return;
      node = prev;
    }
  }

  Graph& graph_;
  const bool returns_;
  const llvm::StringRef kind_;
  Value *true_, *false_, *thrown_;
  llvm::DenseMap<const Type*, Value*> uninitialized_;
};

// ---- with ---------------------------------------------------------------------------------------

bool hasExits(Node* first, const Node* last) {
  std::vector<const Node*> work;
  for (Node* node = first; node != last; node = node->next()) work.push_back(node);
  while (!work.empty()) {
    const Node* node = work.back();
    work.pop_back();
    if (kind(node) == "prim::ReturnStmt" || kind(node) == "prim::LoopContinuation") return true;
    if (node->op() == Builtin::Closure) continue;
    for (const Block* inner : node->blocks())
      for (const Node* other : inner->nodes()) work.push_back(other);
  }
  return false;
}

bool isIn(const Node* node, const Block* block) {
  for (const Block* at = node->block(); at; at = at->owner() ? at->owner()->block() : nullptr)
    if (at == block) return true;
  return false;
}

/// Before: `prim::Enter(%o)  body...  prim::Exit(%o)`
/// After:  `prim::Enter(%o)  %x = prim::With()  block0(): body... -> (%x)   prim::Exit(%o)`,
/// where body may be left: what follows then comes after the Exit.
void groupScopes(Graph& graph) {
  std::vector<Node*> exits;
  graph.forEachNode([&](Node* node) {
    if (node->op() == Builtin::Exit) exits.push_back(node);
  });
  for (Node* exit : exits) { // inner ones first, as they come first
    Node* enter = exit->prev();
    while (enter->op() != Builtin::Enter || enter->input(0) != exit->input(0)) {
      enter = enter->prev();
      if (enter == exit->block()->param()) break;
    }
    if (enter->op() != Builtin::Enter || !hasExits(enter->next(), exit)) continue;
    Node* group = graph.createNode("prim::With");
    group->insertBefore(exit);
    Block* body = group->addBlock();
    for (Node* node = enter->next(); node != group;) {
      Node* next = node->next();
      node->insertBefore(body->ret());
      node = next;
    }
    for (Node* node : body->nodes())
      for (Value* output : node->outputs()) {
        llvm::SmallVector<std::pair<Node*, std::uint32_t>, 4> outside;
        for (Use& use : output->uses())
          if (!isIn(use.user, body)) outside.push_back({use.user, use.index});
        if (outside.empty()) continue;
        Value* made = group->addOutput(output->type());
        body->addOutput(output);
        for (auto [user, index] : outside) user->setInput(index, made);
      }
  }
}

/// Back again, and the marks of `finally` vanish.
void inlineScopes(Graph& graph) {
  std::vector<Node*> marks;
  graph.forEachNode([&](Node* node) {
    if (kind(node) == "prim::With" || kind(node) == "prim::FinallyBegin" ||
        kind(node) == "prim::FinallyEnd")
      marks.push_back(node);
  });
  for (std::size_t i = marks.size(); i-- > 0;) {
    Node* mark = marks[i];
    if (kind(mark) == "prim::With") {
      Block* body = mark->blocks()[0];
      for (Value* output : mark->outputs())
        if (output->hasUses()) output->replaceAllUsesWith(body->outputs()[output->index()]);
      body->ret()->removeAllInputs();
      moveNodes(body, mark);
    }
    mark->destroy();
  }
}

// ---- Ifs in a row -------------------------------------------------------------------------------

/// Before: `%l = prim::If(%c)  block0(): A -> (%true)  block1(): B -> (%false)
///          %r = prim::If(%l)  block0(): C -> (%x)  block1(): D -> (%y)`
/// After:  `%l, %r = prim::If(%c)  block0(): A C -> (%true, %x)  block1(): B D -> (%false, %y)`
///
/// TorchScript copies C and D, which gives them new numbers. So does this, up to kMaxCopies nodes
/// of a graph; then it moves them, as the copies of a long chain would take quadratic time.
class Merger {
public:
  explicit Merger(Graph& graph) : graph_(graph) {}

  void run() {
    struct Frame {
      Node* node;
      std::size_t block;
    };
    std::vector<Frame> stack{{graph_.block()->param()->next(), 0}};
    while (!stack.empty()) {
      Frame& frame = stack.back();
      Node* node = frame.node;
      if (node == node->block()->ret()) {
        stack.pop_back();
      } else if (frame.block < node->blocks().size()) {
        Block* inner = node->blocks()[frame.block++];
        stack.push_back({inner->param()->next(), 0});
      } else if (merge(node)) {
        frame.block = 0;
      } else {
        frame = {node->next(), 0};
      }
    }
  }

private:
  bool merge(Node* first) {
    Node* second = first->next();
    if (first->op() != Builtin::If || second->op() != Builtin::If) return false;
    Value* condition = second->input(0);
    if (condition->node() != first) return false;
    const std::size_t at = condition->index();
    auto yes = knownValue(first->blocks()[0]->outputs()[at]);
    auto no = knownValue(first->blocks()[1]->outputs()[at]);
    if (!yes || !no || !yes->isBool() || !no->isBool() || yes->toBool() == no->toBool())
      return false;
    for (std::size_t i = 0; i < 2; ++i) {
      Block* to = first->blocks()[i];
      Block* from = second->blocks()[(i == 0 ? yes : no)->toBool() ? 0 : 1];
      const auto outside = [&](Value* value) {
        return value->node() == first ? to->outputs()[value->index()] : value;
      };
      const std::size_t size = sizeOf(from);
      if (size <= kMaxCopied && copies_ + size <= kMaxCopies) {
        cloneBlock(to, from, outside);
        copies_ += size;
      } else {
        move(to, from, first, outside);
      }
    }
    for (Value* output : second->outputs()) {
      Value* joined = first->addOutput(output->type());
      copyMetadata(joined, output);
      if (output->hasUses()) output->replaceAllUsesWith(joined);
    }
    second->destroy();
    return true;
  }

  /// As cloneBlock, but with the nodes themselves.
  void move(Block* to, Block* from, Node* first, llvm::function_ref<Value*(Value*)> outside) {
    for (Value* output : from->outputs()) to->addOutput(outside(output));
    moveNodes(from, to->ret());
    for (Value* output : first->outputs()) {
      llvm::SmallVector<std::pair<Node*, std::uint32_t>, 4> uses;
      for (Use& use : output->uses())
        if (isInside(use.user, to)) uses.push_back({use.user, use.index});
      for (auto [user, index] : uses) user->setInput(index, outside(output));
    }
  }
  static bool isInside(const Node* node, const Block* block) {
    for (const Block* at = node->block(); at; at = at->owner() ? at->owner()->block() : nullptr)
      if (at == block) return true;
    return false;
  }

  /// The number of nodes, or more than kMaxCopied.
  static std::size_t sizeOf(const Block* block) {
    std::vector<const Block*> work{block};
    std::size_t size = 0;
    while (!work.empty() && size <= kMaxCopied) {
      const Block* current = work.back();
      work.pop_back();
      for (const Node* node : current->nodes()) {
        if (++size > kMaxCopied) break;
        work.insert(work.end(), node->blocks().begin(), node->blocks().end());
      }
    }
    return size;
  }

  static constexpr std::size_t kMaxCopied = 300;    ///< of one block, also its depth
  static constexpr std::size_t kMaxCopies = 20'000; ///< of a graph
  Graph& graph_;
  std::size_t copies_ = 0;
};

// ---- loops with a count and a condition ---------------------------------------------------------

/// `for` with `break`: a `while` that counts, as such loops have a spelling in Python.
void canonicalizeLoop(Node* node) {
  Block* body = node->blocks()[0];
  auto trips = knownValue(node->input(0)), start = knownValue(node->input(1)),
       goOn = knownValue(body->outputs()[0]);
  const auto isTrue = [](const std::optional<IValue>& value) {
    return value && value->isBool() && value->toBool();
  };
  const bool counts = !trips || trips->toInt() != INT64_MAX || body->inputs()[0]->hasUses();
  if ((isTrue(start) && isTrue(goOn)) || !counts) return;
  const Type *Int = Type::intType(), *Bool = Type::boolType();
  Location hidden = node->location();
  hidden.printed = 0;
  Builder before(node);
  before.setLocation(hidden);
  Value* zero = before.constant(std::int64_t(0));
  Value* one = before.constant(std::int64_t(1));
  Value* max = node->input(0);
  Value* runs = before.call("aten::gt", {max, zero}, Bool);
  node->setInput(0, before.constant(std::int64_t(INT64_MAX)));
  if (!isTrue(start)) runs = before.call("aten::__and__", {runs, node->input(1)}, Bool);
  node->setInput(1, runs);
  node->addOutput(Int);
  node->addInput(zero);
  Builder inside(body);
  inside.setLocation(hidden);
  Value* count = body->addInput(Int);
  Value* trip = body->inputs()[0];
  trip->setName("");
  if (trip->hasUses()) trip->replaceAllUsesWith(count);
  Value* next = inside.call("aten::add", {count, one}, Int);
  body->addOutput(next);
  Value* more = inside.call("aten::lt", {next, max}, Bool);
  body->ret()->setInput(0, inside.call("aten::__and__", {more, body->outputs()[0]}, Bool));
}

} // namespace

void transformExits(Graph& graph) {
  groupScopes(graph);
  Transformer(graph, false).run();
  Transformer(graph, true).run();
  inlineScopes(graph);
  Merger(graph).run();
  afterEachNode(graph.block(), [](Node* node) {
    if (node->op() == Builtin::Loop) canonicalizeLoop(node);
  });
}

} // namespace tine::script
