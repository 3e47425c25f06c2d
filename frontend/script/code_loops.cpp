#include "frontend/script/clone.h"
#include "frontend/script/code_printer.h"
#include "frontend/script/normalize.h"
#include "ir/builder.h"

#include <limits>

namespace tine::script {
namespace {

bool isEndless(const Node* loop) {
  auto trips = knownValue(loop->input(0));
  return trips && trips->isInt() && trips->toInt() == std::numeric_limits<std::int64_t>::max() &&
         !loop->blocks()[0]->inputs()[0]->hasUses();
}
bool isTrue(const Value* value) {
  auto known = knownValue(value);
  return known && known->isBool() && known->toBool();
}

Value* call(Builder& builder, const char* kind, const char* overload, llvm::ArrayRef<Value*> inputs,
            const Type* type) {
  Value* result = builder.call(kind, inputs, type);
  result->node()->setOverload(result->node()->graph().context().symbol(overload));
  return result;
}

} // namespace

bool isCounted(const Node* loop) {
  return isTrue(loop->input(1)) && isTrue(loop->blocks()[0]->outputs()[0]) && !isEndless(loop);
}

void splitLoops(Graph& graph) {
  std::vector<Node*> loops;
  std::vector<Graph*> graphs{&graph};
  while (!graphs.empty()) {
    Graph* inner = graphs.back();
    graphs.pop_back();
    inner->forEachNode([&](Node* node) {
      if (node->op() == Builtin::Loop && !isEndless(node) && !isCounted(node))
        loops.push_back(node);
      if (node->subgraph()) graphs.push_back(node->subgraph());
    });
  }
  for (Node* loop : loops) {
    Block* body = loop->blocks()[0];
    Builder before(loop);
    Value *zero = before.constant(std::int64_t(0)), *one = before.constant(std::int64_t(1));
    Value* trips = loop->input(0);
    Value* condition = call(before, "aten::gt", "int", {trips, zero}, Type::boolType());
    loop->setInput(0, before.constant(std::numeric_limits<std::int64_t>::max()));
    if (!isTrue(loop->input(1)))
      condition =
          call(before, "aten::__and__", "bool", {condition, loop->input(1)}, Type::boolType());
    loop->setInput(1, condition);
    loop->addInput(zero);
    loop->addOutput(Type::intType());
    Value* count = body->addInput(Type::intType());
    body->inputs()[0]->setName("");
    body->inputs()[0]->replaceAllUsesWith(count);
    Builder after(body);
    Value* next = call(after, "aten::add", "int", {count, one}, Type::intType());
    Value* more = call(after, "aten::lt", "int", {next, trips}, Type::boolType());
    Value* goesOn =
        call(after, "aten::__and__", "bool", {more, body->outputs()[0]}, Type::boolType());
    body->addOutput(next);
    body->ret()->setInput(0, goesOn);
  }
}

void giveConstant(Graph& inner, Value* input, const Node& constant) {
  ValueMap none;
  Node* copy = cloneNode(inner, constant, none, [](Value* value) { return value; });
  copy->insertAfter(inner.block()->param());
  input->replaceAllUsesWith(copy->output());
}

/// Gives forks the constants that they capture: so written, they capture them again.
static void giveConstants(Graph& whole) {
  std::vector<Graph*> graphs{&whole};
  while (!graphs.empty()) {
    Graph* graph = graphs.back();
    graphs.pop_back();
    graph->forEachNode([&](Node* node) {
      Graph* inner = node->subgraph();
      if (!inner) return;
      for (std::size_t i = node->op() == Builtin::Fork ? node->numInputs() : 0; i-- > 0;) {
        const Node* constant = node->input(i)->node();
        if (constant->op() != Builtin::Constant) continue;
        giveConstant(*inner, inner->inputs()[i], *constant);
        node->removeInput(i);
        inner->block()->param()->removeOutput(i);
      }
      graphs.push_back(inner);
    });
  }
}

std::unique_ptr<Graph> writable(const Graph& graph, bool inFile) {
  auto copy = graph.copy();
  if (inFile) giveConstants(*copy);
  splitLoops(*copy);
  if (inFile) orderOutputs(*copy);
  return copy;
}

} // namespace tine::script
