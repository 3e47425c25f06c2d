#include "frontend/script/clone.h"
#include "frontend/script/normalize.h"
#include "ir/builder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace tine::script {

std::optional<IValue> knownValue(const Value* value) {
  const Node* node = value->node();
  if (node->op() != Builtin::Constant) return std::nullopt;
  const Attribute* attribute = node->attributes().find(Builtin::Value);
  if (!attribute)
    return node->attributes().has(Builtin::Name) ? std::nullopt : std::optional(IValue());
  if (value->type()->is(TypeKind::Bool)) return IValue(attribute->value.toInt() != 0);
  return attribute->value;
}

namespace {

/// May a value of the type be changed by somebody?
bool isMutable(const Type* type) {
  switch (type->kind()) {
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Complex:
  case TypeKind::Bool:
  case TypeKind::Str:
  case TypeKind::Number:
  case TypeKind::None:
  case TypeKind::Device:
  case TypeKind::SymInt:
  case TypeKind::Function:
  case TypeKind::Enum:
    return false;
  case TypeKind::Optional:
  case TypeKind::Tuple:
  case TypeKind::Union:
    return std::any_of(type->elements().begin(), type->elements().end(), isMutable);
  case TypeKind::Generator:
  case TypeKind::Stream:
  case TypeKind::Storage:
  case TypeKind::QScheme:
  case TypeKind::Quantizer:
  case TypeKind::Capsule:
  case TypeKind::Any:
  case TypeKind::AnyClass:
  case TypeKind::AnyEnum:
  case TypeKind::AnyList:
  case TypeKind::AnyTuple:
  case TypeKind::PyObject:
  case TypeKind::Tensor:
  case TypeKind::List:
  case TypeKind::Dict:
  case TypeKind::Future:
  case TypeKind::RRef:
  case TypeKind::Await:
  case TypeKind::Class:
  case TypeKind::Interface:
  case TypeKind::Var:
    return true;
  }
  TINE_UNREACHABLE("type");
}

/// Long strings and large tuples are not worth a place in the graph.
bool isSmall(const IValue& value) {
  if (value.isString()) return value.toStringRef().size() <= 4096;
  if (!value.isTuple()) return true;
  const auto& items = value.toTuple().items;
  return items.size() <= 64 && std::all_of(items.begin(), items.end(), isSmall);
}

bool callKernel(const OpInfo& op, std::vector<IValue> arguments, IValue& result) {
  for (std::size_t i = arguments.size(); i < op.schema.arguments.size(); ++i) {
    if (!op.schema.arguments[i].defaultValue) return false;
    arguments.push_back(*op.schema.arguments[i].defaultValue);
  }
  llvm::SmallVector<IValue*, 8> in;
  for (IValue& value : arguments) in.push_back(&value);
  IValue* out = &result;
  try {
    op.kernel(KernelCall(in.data(), static_cast<std::uint32_t>(in.size()), &out, 1));
    return true;
  } catch (const std::exception&) {
    return false; // it fails when it runs, if it runs
  }
}

} // namespace

std::optional<IValue> runOnConstants(const OpSet& ops, const Node& node) {
  std::vector<IValue> arguments;
  for (const Value* input : node.inputs()) {
    auto known = knownValue(input);
    if (!known || !isSmall(*known)) return std::nullopt;
    arguments.push_back(*std::move(known));
  }
  if (node.numOutputs() != 1) return std::nullopt;
  if (node.op() == Builtin::TupleConstruct) {
    const auto names = node.output()->type()->names();
    if (names.empty()) return IValue::tuple(std::move(arguments));
    std::vector<std::string> fields;
    for (Symbol field : names) fields.push_back(field.str().str());
    auto tuple = makeRef<Tuple>();
    tuple->items = std::move(arguments);
    tuple->names = std::make_shared<const std::vector<std::string>>(std::move(fields));
    return IValue(std::move(tuple));
  }
  if (node.op() == Builtin::UncheckedCast && arguments.size() == 1) return arguments[0];
  if (node.op() == Builtin::TupleIndex && arguments.size() == 2 && arguments[0].isTuple()) {
    const auto& items = arguments[0].toTuple().items;
    std::int64_t i = arguments[1].toInt();
    if (i < 0) i += static_cast<std::int64_t>(items.size());
    if (i < 0 || i >= static_cast<std::int64_t>(items.size())) return std::nullopt;
    return items[static_cast<std::size_t>(i)];
  }
  if (node.op() != Builtin::None) return std::nullopt;
  const OpInfo* op = ops.find(node.kind().str(), node.overload().str());
  if (!op || !op->kernel || op->schema.varargs || op->schema.results.size() != 1)
    return std::nullopt;
  const Effects& effects = op->effects;
  if (effects.writes || effects.external || effects.nondeterministic || effects.suspends)
    return std::nullopt;
  // `"x" * 10 ** 12`: not even tried.
  if (node.output()->type()->is(TypeKind::Str))
    for (const IValue& argument : arguments)
      if (argument.isInt() && argument.toInt() > 4096) return std::nullopt;
  IValue result;
  if (!callKernel(*op, std::move(arguments), result) || !isSmall(result)) return std::nullopt;
  return result;
}

namespace {

// ---- tuples -------------------------------------------------------------------------------------

/// Before: `%t = prim::TupleConstruct(%a, %b)  %x, %y = prim::TupleUnpack(%t)  f(%x)`
/// After:  `... f(%a)`; the same for TupleIndex and TupleSlice. What is not needed any more stays.
void forwardTuples(Graph& graph) {
  graph.forEachNode([&](Node* node) {
    if (node->numInputs() == 0 || node->input(0)->node()->op() != Builtin::TupleConstruct) return;
    Node* tuple = node->input(0)->node();
    const auto replace = [](Value* value, Value* by) {
      if (value->hasUses()) value->replaceAllUsesWith(by);
    };
    if (node->op() == Builtin::TupleUnpack) {
      for (std::size_t i = 0; i < node->numOutputs(); ++i)
        replace(node->output(i), tuple->input(i));
    } else if (node->op() == Builtin::TupleIndex) {
      auto index = knownValue(node->input(1));
      if (!index || !index->isInt()) return;
      const auto size = static_cast<std::int64_t>(tuple->numInputs());
      const std::int64_t i = index->toInt() < 0 ? index->toInt() + size : index->toInt();
      if (i >= 0 && i < size) replace(node->output(), tuple->input(static_cast<std::size_t>(i)));
    } else if (node->op() == Builtin::TupleSlice) {
      llvm::SmallVector<Value*, 8> items;
      for (auto i = node->attributes().integer(Builtin::Beg);
           i < node->attributes().integer(Builtin::End); ++i)
        items.push_back(tuple->input(static_cast<std::size_t>(i)));
      Builder builder(node);
      builder.setLocation(node->location());
      Value* slice = builder.tuple(items);
      replace(node->output(), slice);
    }
  });
}

// ---- what nobody needs --------------------------------------------------------------------------

/// Marks what the results and the effects need, and removes the rest.
class Sweeper {
public:
  Sweeper(Graph& graph, const OpSet& ops) : graph_(graph), ops_(ops) {}

  void run() {
    llvm::DenseSet<Node*> droppable;
    markAll(droppable);
    graph_.forEachNode([&](Node* node) {
      if (node->op() == Builtin::Loop && isDroppable(node)) droppable.insert(node);
    });
    if (!droppable.empty()) {
      needed_.clear();
      marked_.clear();
      markAll(droppable);
    }
    sweep();
  }

private:
  /// Whatever a loop hands from one time to the next stays, as in TorchScript, and so does a loop
  /// that might not end: only a `for` that hands on nothing can go.
  bool isDroppable(const Node* loop) const {
    const Block* body = loop->blocks()[0];
    auto start = knownValue(loop->input(1)), next = knownValue(body->outputs()[0]);
    const bool counts = start && start->isBool() && start->toBool() && next && next->isBool() &&
                        next->toBool() && !isEndless(loop);
    if (!counts) return false;
    for (std::size_t i = 0; i < loop->numOutputs(); ++i)
      if (needed_.contains(loop->output(i)) || needed_.contains(body->inputs()[i + 1]))
        return false;
    return true;
  }
  static bool isEndless(const Node* loop) {
    auto trips = knownValue(loop->input(0));
    return trips && trips->isInt() && trips->toInt() == std::numeric_limits<std::int64_t>::max();
  }

  void markAll(const llvm::DenseSet<Node*>& droppable) {
    graph_.forEachNode([&](Node* node) {
      const bool loop = node->op() == Builtin::Loop;
      if (loop ? !droppable.contains(node) : node->blocks().empty() && mustStay(*node)) mark(node);
    });
    for (Value* output : graph_.block()->outputs()) need(output);
    while (!work_.empty()) {
      Value* value = work_.back();
      work_.pop_back();
      Node* node = value->node();
      if (node->op() == Builtin::Param) { // of a loop's body: comes from its end and its start
        Node* loop = node->block()->owner();
        if (!loop) continue;
        mark(loop);
        if (loop->op() == Builtin::Loop && value->index() > 0) {
          need(node->block()->outputs()[value->index()]);
          need(loop->input(value->index() + 1));
        }
        continue;
      }
      mark(node);
      if (node->op() == Builtin::If || node->op() == Builtin::Try)
        for (Block* block : node->blocks()) need(block->outputs()[value->index()]);
      if (node->op() == Builtin::Loop) {
        need(node->blocks()[0]->outputs()[value->index() + 1]);
        need(node->input(value->index() + 2));
      }
    }
  }

  bool mustStay(const Node& node) const {
    if (node.op() == Builtin::RaiseException || node.op() == Builtin::Print) return true;
    if (node.op() == Builtin::Fork || node.op() == Builtin::Reraise) return true;
    const Effects effects = effectsOf(ops_, node);
    return effects.mustExecute() || (effects.raises && isTried(node));
  }
  /// Would somebody notice that it fails?
  static bool isTried(const Node& node) {
    for (const Block* block = node.block(); block->owner(); block = block->owner()->block())
      if (block->owner()->op() == Builtin::Try) return true;
    return false;
  }
  void need(Value* value) {
    if (needed_.insert(value).second) work_.push_back(value);
  }
  /// The node, the operands that it needs whatever becomes of it, and the nodes that it is in.
  void mark(Node* node) {
    for (; marked_.insert(node).second; node = node->block()->owner()) {
      if (node->op() == Builtin::Loop) {
        need(node->input(0));
        need(node->input(1));
        for (Value* output : node->blocks()[0]->outputs()) need(output);
      } else {
        for (Value* input : node->inputs()) need(input);
      }
      if (!node->block()->owner()) return;
    }
  }

  void sweep() {
    std::vector<Node*> nodes;
    graph_.forEachNode([&](Node* node) { nodes.push_back(node); });
    // Results of ifs and loops first: they hold on to what makes them.
    for (Node* node : nodes) {
      if (!marked_.contains(node)) continue;
      for (std::size_t i = node->numOutputs(); i-- > 0;) {
        if (needed_.contains(node->output(i))) continue;
        if (node->op() == Builtin::If || node->op() == Builtin::Try) {
          for (Block* block : node->blocks()) block->ret()->removeInput(i);
        } else if (node->op() == Builtin::Loop) {
          Block* body = node->blocks()[0];
          if (needed_.contains(body->inputs()[i + 1])) continue;
          body->ret()->removeInput(i + 1);
          node->removeInput(i + 2);
          dead_.push_back({node, i});
          continue;
        } else {
          continue;
        }
        dead_.push_back({node, i});
      }
    }
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it)
      if (!marked_.contains(*it)) (*it)->removeAllInputs();
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it)
      if (!marked_.contains(*it)) dropBlocks(*it);
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it)
      if (!marked_.contains(*it) && isTop(*it)) (*it)->destroy();
    for (auto [node, i] : dead_) {
      if (node->op() == Builtin::Loop) node->blocks()[0]->param()->removeOutput(i + 1);
      node->removeOutput(i);
    }
  }
  static void dropBlocks(Node* node) {
    for (Block* block : node->blocks()) block->ret()->removeAllInputs();
  }
  /// Does it go by itself, not with a node that it is in?
  bool isTop(Node* node) const {
    Node* owner = node->block()->owner();
    return !owner || marked_.contains(owner);
  }

  Graph& graph_;
  const OpSet& ops_;
  llvm::DenseSet<Value*> needed_;
  llvm::DenseSet<Node*> marked_;
  std::vector<Value*> work_;
  std::vector<std::pair<Node*, std::size_t>> dead_;
};

// ---- constants ----------------------------------------------------------------------------------

bool isConstant(const Value* value) { return value->node()->op() == Builtin::Constant; }

bool sameValue(const IValue& a, const IValue& b) {
  if (a.tag() != b.tag()) return false;
  if (a.isTuple()) {
    const auto &x = a.toTuple().items, &y = b.toTuple().items;
    return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), sameValue);
  }
  if (a.isString()) return a.toStringRef() == b.toStringRef();
  return !a.isObject() && a.isSame(b); // TorchScript repeats the members of enums
}

std::size_t hashValue(const IValue& value) {
  if (value.isString()) return llvm::hash_value(llvm::StringRef(value.toStringRef()));
  if (value.isInt()) return llvm::hash_value(value.toInt());
  if (value.isDouble()) return std::hash<double>()(value.toDouble());
  if (value.isTuple()) {
    std::size_t hash = value.toTuple().items.size();
    for (const IValue& item : value.toTuple().items)
      hash = llvm::hash_combine(hash, hashValue(item));
    return hash;
  }
  return static_cast<std::size_t>(value.tag());
}

bool sameConstant(const Node* a, const Node* b) {
  if (a->output()->type() != b->output()->type()) return false;
  if (a->attributes().size() != b->attributes().size()) return false;
  const Attribute *x = a->attributes().find(Builtin::Value),
                  *y = b->attributes().find(Builtin::Value);
  if (!x != !y) return false;
  if (x) return sameValue(x->value, y->value);
  const bool named = a->attributes().has(Builtin::Name);
  return !named || a->attributes().string(Builtin::Name) == b->attributes().string(Builtin::Name);
}

class Folder {
public:
  Folder(Graph& graph, const OpSet& ops) : graph_(graph), ops_(ops) {}

  /// True when anything changed.
  bool run() {
    struct Frame {
      Node* next;
      Node* open = nullptr; ///< its blocks were just walked
    };
    std::vector<Frame> stack{{graph_.block()->param()->next()}};
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (Node* closed = std::exchange(frame.open, nullptr)) {
        if (closed->op() == Builtin::If && isConstant(closed->input(0)))
          inlineIf(closed);
        else if (closed->op() == Builtin::If)
          removeExtraIfOutputs(closed);
        else if (closed->op() == Builtin::Loop)
          removeExtraLoopOutputs(closed);
      }
      Node* node = frame.next;
      if (node == node->block()->ret()) {
        stack.pop_back();
        continue;
      }
      frame.next = node->next();
      if (node->op() == Builtin::Loop && neverRuns(node)) {
        for (std::size_t i = 0; i < node->numOutputs(); ++i)
          replace(node->output(i), node->input(i + 2));
        node->destroy();
        changed_ = true;
        continue;
      }
      if (!node->blocks().empty()) {
        frame.open = node;
        llvm::ArrayRef<Block*> blocks = node->blocks();
        // Of a known branch only what is taken is looked at.
        const auto taken = node->op() == Builtin::If ? knownValue(node->input(0)) : std::nullopt;
        for (std::size_t i = blocks.size(); i-- > 0;) { // `frame` dangles
          if (taken && taken->isBool() && taken->toBool() != (i == 0)) continue;
          stack.push_back({blocks[i]->param()->next()});
        }
        continue;
      }
      fold(node);
    }
    return changed_;
  }

private:
  static void replace(Value* value, Value* by) {
    if (value->hasUses()) value->replaceAllUsesWith(by);
  }

  void fold(Node* node) {
    if (node->op() == Builtin::Constant || node->op() == Builtin::Uninitialized ||
        node->op() == Builtin::UncheckedUnwrapOptional || node->subgraph() ||
        node->numOutputs() != 1)
      return;
    for (Value* input : node->inputs())
      if (!isConstant(input) || isMutable(input->type())) return;
    if (isMutable(node->output()->type())) return;
    auto result = runOnConstants(ops_, *node);
    if (!result) return;
    Builder builder(node);
    Location hidden = node->location();
    hidden.printed = 0;
    builder.setLocation(hidden);
    const bool named = result->isTuple() && result->toTuple().names; // its defaults are in the type
    const Type* type = result->isNone() || named ? node->output()->type() : nullptr;
    Value* made = builder.constant(*std::move(result), type);
    replace(node->output(), made);
    changed_ = true;
  }

  static bool neverRuns(const Node* node) {
    auto trips = knownValue(node->input(0)), start = knownValue(node->input(1));
    return (trips && trips->isInt() && trips->toInt() <= 0) ||
           (start && start->isBool() && !start->toBool());
  }

  void inlineIf(Node* node) {
    auto condition = knownValue(node->input(0));
    if (!condition || !condition->isBool()) return;
    Block* taken = node->blocks()[condition->toBool() ? 0 : 1];
    moveNodes(taken, node);
    for (std::size_t i = 0; i < node->numOutputs(); ++i)
      replace(node->output(i), taken->outputs()[i]);
    node->destroy();
    changed_ = true;
  }

  void removeExtraIfOutputs(Node* node) {
    Block *yes = node->blocks()[0], *no = node->blocks()[1];
    for (std::size_t i = 0; i < node->numOutputs();) {
      Value *a = yes->outputs()[i], *b = no->outputs()[i];
      Value* same = a == b ? a : nullptr;
      if (!same && isConstant(a) && isConstant(b) && sameConstant(a->node(), b->node())) {
        Builder builder(node);
        Location hidden = node->location();
        hidden.printed = 0;
        builder.setLocation(hidden);
        same = builder.constant(*knownValue(a), a->type());
      }
      if (!same) {
        ++i;
        continue;
      }
      replace(node->output(i), same);
      node->removeOutput(i);
      yes->ret()->removeInput(i);
      no->ret()->removeInput(i);
      changed_ = true;
    }
  }

  /// A value that the body hands on unchanged.
  void removeExtraLoopOutputs(Node* node) {
    Block* body = node->blocks()[0];
    for (std::size_t i = node->numOutputs(); i-- > 0;) {
      if (body->inputs()[i + 1] != body->outputs()[i + 1]) continue;
      Value* start = node->input(i + 2);
      replace(node->output(i), start);
      body->ret()->removeInput(i + 1);
      replace(body->inputs()[i + 1], start);
      node->removeOutput(i);
      node->removeInput(i + 2);
      body->param()->removeOutput(i + 1);
      changed_ = true;
    }
  }

  Graph& graph_;
  const OpSet& ops_;
  bool changed_ = false;
};

/// Moves constants to the front, each once: the one that is met last comes first.
void poolConstants(Graph& graph) {
  std::unordered_multimap<std::size_t, Node*> pool;
  graph.forEachNode([&](Node* node) {
    if (node->op() != Builtin::Constant) return;
    const Type* type = node->output()->type();
    const Attribute* value = node->attributes().find(Builtin::Value);
    std::size_t hash = llvm::hash_value(type);
    if (value) hash = llvm::hash_combine(hash, hashValue(value->value));
    if (node->attributes().has(Builtin::Name))
      hash = llvm::hash_combine(hash, node->attributes().string(Builtin::Name));
    auto [first, last] = pool.equal_range(hash);
    for (auto it = first; it != last; ++it)
      if (sameConstant(it->second, node)) {
        if (node->output()->hasUses()) node->output()->replaceAllUsesWith(it->second->output());
        node->destroy();
        return;
      }
    pool.emplace(hash, node);
    Node* front = graph.block()->param()->next();
    if (node != front) node->insertBefore(front);
  });
}

// ---- the order of results -----------------------------------------------------------------------

/// Is the first use before the second in the text?
bool isBefore(const Use& a, const Use& b) {
  if (a.user == b.user) return a.index < b.index;
  const auto path = [](const Node* node) {
    llvm::SmallVector<const Node*, 8> out{node};
    while (const Node* owner = out.back()->block()->owner()) out.push_back(owner);
    return out;
  };
  auto x = path(a.user), y = path(b.user);
  // Down from the root to where they part.
  while (!x.empty() && !y.empty() && x.back() == y.back()) {
    const Node* common = x.pop_back_val();
    y.pop_back();
    if (x.empty()) return true; // a's node contains b's
    if (y.empty()) return false;
    if (x.back()->block() != y.back()->block()) {
      for (const Block* block : common->blocks()) {
        if (block == x.back()->block()) return true;
        if (block == y.back()->block()) return false;
      }
    }
  }
  return x.back()->isBefore(y.back());
}

const Use* firstUse(const Value* value) {
  const Use* first = nullptr;
  for (const Use& use : value->uses())
    if (!first || !isBefore(*first, use)) first = &use;
  return first;
}

void permuteOperands(Node* node, std::size_t first, llvm::ArrayRef<std::size_t> order) {
  const llvm::SmallVector<Value*, 8> old(node->inputs().begin(), node->inputs().end());
  for (std::size_t i = 0; i < order.size(); ++i) node->setInput(first + i, old[first + order[i]]);
}

/// Gives the results of an If or Loop another order.
void permute(Node* node, llvm::ArrayRef<std::size_t> order) {
  node->permuteOutputs(order);
  const bool isLoop = node->op() == Builtin::Loop;
  for (Block* block : node->blocks()) permuteOperands(block->ret(), isLoop, order);
  if (!isLoop) return;
  permuteOperands(node, 2, order);
  llvm::SmallVector<std::size_t, 8> inputs{0};
  for (std::size_t i : order) inputs.push_back(i + 1);
  node->blocks()[0]->param()->permuteOutputs(inputs);
}

void orderResultsOf(Node* node) {
  const std::size_t count = node->numOutputs();
  if (count < 2) return;
  std::vector<const Use*> first;
  for (Value* output : node->outputs()) first.push_back(firstUse(output));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (!first[a] || !first[b]) return first[a] != nullptr && first[b] == nullptr;
    return isBefore(*first[a], *first[b]);
  });
  if (!std::is_sorted(order.begin(), order.end())) permute(node, order);
}

/// Sorts the results of ifs and loops by where they are first used.
void orderResults(Graph& graph) {
  // Later nodes first, as the order of results decides that of uses in what comes before.
  std::vector<Node*> work{graph.block()->ret()->prev()};
  while (!work.empty()) {
    Node* node = work.back();
    if (node == node->block()->param()) {
      work.pop_back();
      continue;
    }
    work.back() = node->prev();
    if (node->op() == Builtin::If || node->op() == Builtin::Loop) orderResultsOf(node);
    for (std::size_t i = node->blocks().size(); i-- > 0;)
      work.push_back(node->blocks()[i]->ret()->prev());
  }
}

/// `[]` whose type nobody decided: a list of tensors.
void eraseEmptyLists(Graph& graph) {
  graph.forEachNode([&](Node* node) {
    if (node->kind().str() != "prim::EmptyListLiteral") return;
    if (node->output()->hasUses()) {
      Node* list = graph.createNode("prim::ListConstruct");
      list->setLocation(node->location());
      node->output()->replaceAllUsesWith(list->addOutput(node->output()->type()));
      list->insertBefore(node);
    }
    node->destroy();
  });
}

} // namespace

void clean(Graph& graph, const OpSet& ops) {
  forwardTuples(graph);
  Sweeper(graph, ops).run();
  Folder(graph, ops).run();
  Sweeper(graph, ops).run(); // what loops handed on keeps alive what computed it until it is gone
  poolConstants(graph);
  orderResults(graph);
}

void normalize(Graph& graph, const OpSet& ops, llvm::StringRef name,
               std::vector<NamedGraph>& lifted) {
  convertToSsa(graph);
  transformExits(graph);
  eraseEmptyLists(graph);
  liftClosures(graph, ops, name, lifted);
  clean(graph, ops);
}

} // namespace tine::script
