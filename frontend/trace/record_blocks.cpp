#include "frontend/trace/frame.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

// What cond and loop become in the graph.

namespace tine {

namespace {
/// The tensors, numbers, lists and so on of a result, from left to right.
void addLeaves(const Operand& operand, std::vector<Operand>& leaves) {
  if (operand.value.isNone()) return;
  if (!operand.value.isTuple()) return leaves.push_back(operand);
  for (std::size_t i = 0; i < operand.size(); ++i) addLeaves(operand.item(i), leaves);
}
std::vector<Operand> leavesOf(const Operand& operand) {
  std::vector<Operand> leaves;
  addLeaves(operand, leaves);
  return leaves;
}

/// The same structure with other leaves.
Operand mapLeaves(const Operand& operand, llvm::function_ref<Operand(const Operand&)> f) {
  if (operand.value.isNone()) return operand;
  if (!operand.value.isTuple()) return f(operand);
  std::vector<Operand> items;
  for (std::size_t i = 0; i < operand.size(); ++i) items.push_back(mapLeaves(operand.item(i), f));
  return Operand::tuple(std::move(items));
}

/// `(Tensor, int, Tensor[2])`: kinds without sizes, which both sides of a branch must have. The
/// lengths of lists and the keys of dicts belong to it, as C++ sees them.
std::string structureOf(const Operand& operand) {
  if (!operand.isContainer()) return name(operand.value.tag()).str();
  std::vector<std::string> items;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const std::string key =
        operand.value.isDict() ? operand.value.toDict().items[i].first.str() + ": " : "";
    items.push_back(key + structureOf(operand.item(i)));
  }
  if (operand.value.isList() && !items.empty() && llvm::all_equal(items))
    return items[0] + "[" + std::to_string(items.size()) + "]";
  const char* brackets = operand.value.isTuple() ? "()" : operand.value.isList() ? "[]" : "{}";
  return brackets[0] + llvm::join(items, ", ") + brackets[1];
}
} // namespace

/// Runs a body whose nodes go into a block, and adds its results, leaf by leaf, as the block's
/// outputs.
Operand Recorder::inBlock(Block* block, Body body, bool isTaken, Where at) {
  const Untaken untaken(*this, !isTaken);
  FrameScope frame(*this, Frame::Kind::Block, block);
  const Operand result = body({});
  for (const Operand& leaf : leavesOf(result)) block->addOutput(valueOf(leaf, nullptr, at));
  frame.pop();
  return result;
}

/// The same in this run, but under addresses of its own, as at another time it may be another: what
/// one of several bodies or futures gives.
Operand Recorder::renewed(const Operand& operand, Where at) {
  const IValue& value = operand.value;
  if (value.isFuture() && futures_.count(value.toFuture().get()))
    return Operand(IValue(futureWith(renewed(Operand(futures_.lookup(idOf(value))), at), nullptr)));
  if (value.isTensor()) {
    const bool unknown = isUnknown(operand);
    const Unmarked unmarked(operand);
    const Tensor view = viewOf(value.asTensor());
    mark(view, at, unknown);
    return Operand(view);
  }
  if (!operand.isContainer()) return traced(value, at, isUnknown(operand));
  std::vector<Operand> items;
  for (std::size_t i = 0; i < operand.size(); ++i) items.push_back(renewed(operand.item(i), at));
  return operand.with(std::move(items));
}

/// What a node with blocks gives: like `result`, bound to the node's outputs.
Operand Recorder::bindLeaves(const Operand& result, Node* node, Where at) {
  std::size_t next = 0;
  return mapLeaves(renewed(result, at), [&](const Operand& leaf) {
    return adopt(node->output(next++), leaf, Source::Block, at);
  });
}

Operand Recorder::branch(const Operand& condition, Body then, Body otherwise, Where at) {
  const bool taken = condition.value.toBool();
  if (muted_) return taken ? then({}) : otherwise({});
  Node* node = builder(at, false).ifNode(valueOf(condition, nullptr, at), {});
  Unfinished unfinished(node);
  const Operand first = inBlock(node->blocks()[0], then, taken, at);
  const Operand second = inBlock(node->blocks()[1], otherwise, !taken, at);
  if (structureOf(first) != structureOf(second))
    throw RuntimeError(traceError("the sides of cond(...) give different kinds of result: " +
                                      structureOf(first) + " and " + structureOf(second),
                                  at));
  const auto outputs = node->blocks()[0]->outputs(), others = node->blocks()[1]->outputs();
  const std::vector<Operand> leaves = leavesOf(first);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    node->addOutput(outputs[i]->type() == others[i]->type() ? outputs[i]->type()
                                                            : unrefinedType(leaves[i]));
  unfinished.finish();
  return bindLeaves(taken ? first : second, node, at);
}

Operand Recorder::loop(const Operand& trips, const Operand& state, Body body, Where at) {
  const std::int64_t count = trips.value.toInt();
  const auto later = [&](Operand now, std::int64_t from) {
    for (std::int64_t i = from; i < count; ++i) now = body({Operand(IValue(i)), now});
    return now;
  };
  if (muted_) return later(state, 0);
  Value* max = valueOf(trips, nullptr, at);
  const std::vector<Operand> leaves = leavesOf(state);
  llvm::SmallVector<Value*, 4> carried;
  for (const Operand& leaf : leaves) carried.push_back(valueOf(leaf, nullptr, at));
  Builder b = builder(at, false);
  Node* node = b.loopNode(max, b.constant(true), carried);
  Unfinished unfinished(node);
  Block* block = node->blocks()[0];
  for (std::size_t i = 0; i < leaves.size(); ++i) { // another turn may have other shapes
    const Type* type = unrefinedType(leaves[i]);
    block->inputs()[i + 1]->setType(type);
    node->outputs()[i]->setType(type);
  }
  block->addOutput(Builder(block).constant(true));
  // The first turn is recorded; the others only run, for the example's sake.
  const auto firstTurn = [&](llvm::ArrayRef<Operand>) {
    const auto bind = [&](const Operand& own, std::size_t input) {
      return adopt(block->inputs()[input], own, Source::Block, at);
    };
    const Operand turn = bind(traced(IValue(0), at, isUnknown(trips)), 0);
    std::size_t input = 1;
    const Operand inside =
        mapLeaves(renewed(state, at), [&](const Operand& leaf) { return bind(leaf, input++); });
    return body({turn, inside});
  };
  const Operand next = inBlock(block, firstTurn, count > 0, at);
  if (structureOf(next) != structureOf(state))
    throw RuntimeError(traceError("the body of loop(...) turns a state of " + structureOf(state) +
                                      " into one of " + structureOf(next),
                                  at));
  unfinished.finish();
  Operand last = count > 0 ? next : state;
  if (count > 1 && !untaken_) {
    muted_ = true;
    const auto unmute = llvm::make_scope_exit([&] { muted_ = false; });
    last = later(next, 1);
  }
  return bindLeaves(last, node, at);
}

} // namespace tine
