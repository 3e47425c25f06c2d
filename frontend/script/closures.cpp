#include "frontend/script/clone.h"
#include "frontend/script/normalize.h"
#include "ir/builder.h"
#include "llvm/ADT/MapVector.h"

namespace tine::script {
namespace {

llvm::StringRef kind(const Node* node) { return node->kind().str(); }

/// A closure's block as a graph, which takes apart a tuple of what it uses from outside.
struct Lifted {
  std::unique_ptr<Graph> graph;
  Node* captured = nullptr; ///< its operands are what is used from outside
};

/// TorchScript makes a value here, and throws it away; numbers count on.
void skipNumber(Graph& graph) {
  Node* node = graph.createNode("prim::TupleConstruct");
  node->addOutput(Type::noneType());
  node->destroy();
}

Lifted lift(Node* closure, const OpSet& ops, llvm::StringRef name,
            std::vector<NamedGraph>& functions) {
  Lifted out;
  Graph& outer = closure->graph();
  out.captured = outer.createNode("prim::TupleConstruct");
  out.captured->addOutput(Type::noneType());
  out.captured->insertAfter(closure);
  out.graph = std::make_unique<Graph>(outer.sharedContext());
  Graph& graph = *out.graph;
  Value* context = graph.addInput("context", Type::noneType());
  Node* unpack = graph.createNode("prim::TupleUnpack");
  unpack->addInput(context);
  graph.block()->append(unpack);
  ValueMap captures;
  cloneBlock(graph.block(), closure->blocks()[0], [&](Value* value) {
    Value*& inner = captures[value];
    if (!inner) {
      out.captured->addInput(value);
      inner = unpack->addOutput(value->type());
      copyMetadata(inner, value);
    }
    return inner;
  });
  llvm::SmallVector<const Type*, 4> types;
  for (Value* value : out.captured->inputs()) types.push_back(value->type());
  context->setType(tupleOf(graph.context(), types));
  skipNumber(outer);
  liftClosures(graph, ops, name, functions);
  clean(graph, ops);
  return out;
}

/// The graph with what it captures as inputs, after its own ones.
std::unique_ptr<Graph> withInputs(const Lifted& lifted, const OpSet& ops) {
  auto graph = std::make_unique<Graph>(lifted.graph->sharedContext());
  cloneBlock(graph->block(), lifted.graph->block(), [](Value* value) { return value; });
  Value* context = graph->inputs()[0];
  Node* unpack = nullptr;
  for (Use& use : context->uses()) unpack = use.user;
  for (std::size_t i = 0; i < lifted.captured->numInputs(); ++i) {
    Value* input = graph->block()->addInput(Type::noneType());
    copyMetadata(input, lifted.captured->input(i));
    if (unpack && unpack->output(i)->hasUses()) unpack->output(i)->replaceAllUsesWith(input);
  }
  if (unpack) unpack->destroy();
  graph->block()->param()->removeOutput(0);
  clean(*graph, ops);
  return graph;
}

std::string freeName(llvm::StringRef outer, llvm::StringRef name,
                     llvm::ArrayRef<NamedGraph> taken) {
  std::string base = outer.str() + "." + name.str(), out = base;
  const auto isTaken = [&](llvm::StringRef candidate) {
    for (const NamedGraph& graph : taken)
      if (graph.name == candidate) return true;
    return false;
  };
  for (int i = 1; isTaken(out); ++i) out = base + std::to_string(i);
  return out;
}

bool isInClosure(const Node* node) {
  for (const Block* block = node->block(); block->owner(); block = block->owner()->block())
    if (block->owner()->op() == Builtin::Closure) return true;
  return false;
}

} // namespace

void liftClosures(Graph& graph, const OpSet& ops, llvm::StringRef name,
                  std::vector<NamedGraph>& functions) {
  llvm::MapVector<Node*, Lifted> lifted;
  graph.forEachNode([&](Node* node) {
    if (node->op() == Builtin::Closure && !node->blocks().empty() && !isInClosure(node))
      lifted.insert({node, Lifted()});
  });
  for (auto& [node, body] : lifted) body = lift(node, ops, name, functions);
  for (auto& [closure, body] : lifted) {
    TINE_CHECK(closure->output()->hasOneUse());
    Node* user = (*closure->output()->uses().begin()).user;
    Node* made;
    const bool isFork = kind(user) == "prim::forkClosure";
    if (isFork) {
      made = graph.createNode("prim::fork");
    } else {
      const bool isThen = kind(user) == "prim::thenClosure";
      made = graph.createNode(isThen ? "tine::then" : "prim::CallFunction");
      NamedGraph function{freeName(name, user->attributes().string(Builtin::Name), functions),
                          withInputs(body, ops)};
      Builder builder(user);
      Location hidden = user->location();
      hidden.printed = 0;
      builder.setLocation(hidden);
      if (isThen) made->addInput(user->input(1));
      made->addInput(builder.functionConstant(function.name));
      functions.push_back(std::move(function));
    }
    Value* output = made->addOutput(user->output()->type());
    made->insertAfter(user);
    made->setLocation(user->location());
    for (Value* value : body.captured->inputs()) made->addInput(value);
    std::unique_ptr<Graph> inner;
    if (isFork) inner = withInputs(body, ops);
    copyMetadata(output, user->output());
    if (user->output()->hasUses()) user->output()->replaceAllUsesWith(output);
    user->destroy();
    body.captured->destroy();
    closure->destroy();
    if (isFork)
      made->attributes().setGraph(graph.context().symbol(Builtin::Subgraph), std::move(inner));
  }
}

} // namespace tine::script
