#include "frontend/script/clone.h"
#include "frontend/script/code_printer.h"

#include <algorithm>
#include <limits>

namespace tine::script {
namespace {

/// A node, and which of its operands.
using Key = std::pair<std::size_t, std::size_t>;
using Order = llvm::DenseMap<const Node*, std::size_t>;

Key firstUse(const Value* value, const Order& order) {
  constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  Key first{kNever, kNever};
  for (const Use& use : value->uses())
    if (const auto at = order.find(use.user); at != order.end())
      first = std::min(first, Key{at->second, use.index});
  return first;
}

/// Of all nodes, what ends a block among them.
Order orderOf(Block* whole) {
  Order order;
  std::vector<Node*> stack{whole->param()->next()};
  while (!stack.empty()) {
    Node* at = stack.back();
    order.try_emplace(at, order.size());
    if (at == at->block()->ret())
      stack.pop_back();
    else
      stack.back() = at->next();
    for (std::size_t i = at->blocks().size(); i-- > 0;)
      stack.push_back(at->blocks()[i]->param()->next());
  }
  return order;
}

/// Replaces the values from the `first` on by others, of which the i-th is the one at `from[i]`.
template <class Values>
void permute(llvm::ArrayRef<std::size_t> from, std::size_t first, Values values,
             llvm::function_ref<Value*(const Type*)> add,
             llvm::function_ref<void(std::size_t)> remove) {
  std::vector<Value*> old(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
  for (std::size_t i : from) {
    Value* made = add(old[i]->type());
    copyMetadata(made, old[i]);
    old[i]->replaceAllUsesWith(made);
  }
  for (std::size_t i = 0; i < old.size(); ++i) remove(first);
}

void permuteOperands(Node* node, llvm::ArrayRef<std::size_t> from, std::size_t first) {
  std::vector<Value*> old;
  for (std::size_t i = first; i < node->numInputs(); ++i) old.push_back(node->input(i));
  for (std::size_t i = 0; i < from.size(); ++i) node->setInput(first + i, old[from[i]]);
}

void orderOutputs(Node* node, const Order& order) {
  const bool isLoop = node->op() == Builtin::Loop;
  if (node->numOutputs() < 2 ||
      !(isLoop || node->op() == Builtin::If || node->op() == Builtin::Try))
    return;
  Block* body = node->blocks()[0];
  std::vector<std::pair<Key, std::size_t>> keys;
  for (std::size_t i = 0; i < node->numOutputs(); ++i) {
    Key key = firstUse(node->output(i), order);
    if (isLoop) key = std::min(key, firstUse(body->inputs()[i + 1], order));
    keys.push_back({key, i});
  }
  if (std::is_sorted(keys.begin(), keys.end())) return;
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> from;
  for (const auto& [key, i] : keys) from.push_back(i);
  permute(
      from, 0, node->outputs(), [&](const Type* type) { return node->addOutput(type); },
      [&](std::size_t i) { node->removeOutput(i); });
  for (Block* block : node->blocks()) permuteOperands(block->ret(), from, isLoop);
  if (!isLoop) return;
  permuteOperands(node, from, 2);
  permute(
      from, 1, body->inputs(), [&](const Type* type) { return body->addInput(type); },
      [&](std::size_t i) { body->param()->removeOutput(i); });
}

} // namespace

void orderOutputs(Graph& whole) {
  std::vector<Graph*> graphs{&whole};
  while (!graphs.empty()) {
    Graph* graph = graphs.back();
    graphs.pop_back();
    const Order order = orderOf(graph->block());
    graph->forEachNode([&](Node* node) { // outer ones first
      if (node->subgraph()) graphs.push_back(node->subgraph());
      orderOutputs(node, order);
    });
  }
}

} // namespace tine::script
