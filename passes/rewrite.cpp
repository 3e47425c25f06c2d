#include "passes/rewrite.h"

#include "ir/builder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <vector>

namespace tine {

bool onEachGraph(Graph& root, llvm::function_ref<bool(Graph&)> f) {
  std::vector<Graph*> graphs{&root};
  for (std::size_t i = 0; i < graphs.size(); ++i)
    graphs[i]->forEachNode([&](Node* node) {
      if (Graph* body = node->subgraph()) graphs.push_back(body);
    });
  bool changed = false;
  for (Graph* graph : llvm::reverse(graphs)) changed |= f(*graph);
  return changed;
}

std::optional<IValue> constantValue(const Node& constant) {
  const Attribute* value = constant.attributes().find(Builtin::Value);
  const Type* type = constant.output()->type();
  if (!value) {
    bool none =
        constant.attributes().empty() && (type->is(TypeKind::None) || type->is(TypeKind::Optional));
    return none ? std::optional<IValue>(IValue()) : std::nullopt;
  }
  if (value->isVerbatim() || !value->graphs.empty() || !value->types.empty()) return std::nullopt;
  if (value->value.isInt() && type->is(TypeKind::Bool)) return IValue(value->value.toInt() != 0);
  if (value->value.isString() && !type->is(TypeKind::Str))
    return std::nullopt; // Device, and others
  return value->value;
}

std::optional<IValue> constantValue(const Value* value) {
  return value->node()->op() == Builtin::Constant ? constantValue(*value->node()) : std::nullopt;
}

void spliceBefore(Node* before, Block& from) {
  for (Node* node : from.nodes()) node->insertBefore(before);
}

void replaceValue(Value* old, Value* by) {
  if (old->hasName() && !by->hasName()) {
    std::string name = old->name().str().str();
    old->setName(""); // names are unique in a graph
    by->setName(name);
  }
  old->replaceAllUsesWith(by);
}

bool sameAttributes(const Node& a, const Node& b) {
  return llvm::equal(a.attributes(), b.attributes(), [](const Attribute& x, const Attribute& y) {
    return x.name == y.name && x.kind == y.kind && x.types == y.types &&
           identical(x.value, y.value) && !x.isVerbatim() && !y.isVerbatim() && x.graphs.empty() &&
           y.graphs.empty();
  });
}

std::size_t hashAttributes(const Node& node) {
  std::size_t hash = node.attributes().size();
  for (const Attribute& attribute : node.attributes()) {
    const IValue& value = attribute.value;
    hash = llvm::hash_combine(hash, attribute.name.id(), attribute.kind, value.tag());
    if (value.isInt()) hash = llvm::hash_combine(hash, value.toInt());
    if (value.isDouble())
      hash = llvm::hash_combine(hash, llvm::bit_cast<std::uint64_t>(value.toDouble()));
    if (value.isString()) hash = llvm::hash_combine(hash, value.toStringRef());
    if (value.isTensor()) {
      const Tensor& tensor = value.asTensor();
      hash = llvm::hash_combine(hash, tensor.dtype(), tensor.numel());
      if (tensor.numel() > 0 && itemSize(tensor.dtype()) > 0)
        hash = llvm::hash_combine(hash, static_cast<std::uint8_t>(*tensor.bytes()));
    }
  }
  return hash;
}

llvm::SmallVector<Value*, 2> copyBody(Graph& body, llvm::ArrayRef<Value*> arguments,
                                      const CopyBody& where) {
  Graph& graph = where.before->graph();
  TINE_CHECK(body.inputs().size() == arguments.size() && &body.context() == &graph.context());
  llvm::DenseMap<const Value*, Value*> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) values[body.inputs()[i]] = arguments[i];

  llvm::DenseMap<const CallSite*, const CallSite*> sites{{nullptr, where.site}};
  auto siteOf = [&](const CallSite* site) {
    llvm::SmallVector<const CallSite*, 4> chain; // innermost first
    for (; !sites.contains(site); site = site->outer) chain.push_back(site);
    const CallSite* copied = sites[site];
    while (!chain.empty()) {
      const CallSite* original = chain.pop_back_val();
      copied = graph.addCallSite({original->function, original->location, copied, original->fork});
      sites[original] = copied;
    }
    return copied;
  };

  struct Frame {
    Block* from;
    Block* to; ///< null: in front of where.before
    Node* next;
  };
  std::vector<Frame> stack{{body.block(), nullptr, body.block()->param()->next()}};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    Node* node = frame.next;
    if (node == frame.from->ret()) {
      if (frame.to)
        for (Value* output : frame.from->outputs()) frame.to->addOutput(values.lookup(output));
      stack.pop_back();
      continue;
    }
    frame.next = node->next();
    Node* copy = graph.createNode(node->kind());
    copy->insertBefore(frame.to ? frame.to->ret() : where.before);
    copy->setOverload(node->overload());
    copy->setScope(node->scope());
    copy->setLocation(node->location());
    copy->setCallSite(siteOf(node->callSite()));
    for (Value* input : node->inputs()) copy->addInput(values.lookup(input));
    for (Value* output : node->outputs()) {
      Value* made = values[output] = copy->addOutput(output->type());
      if (output->hasName()) made->setName(output->name().str());
    }
    if (where.consume) {
      copy->attributes() = std::move(node->attributes());
    } else {
      for (const Attribute& attribute : node->attributes()) {
        Attribute same = attribute.withoutGraphs();
        for (const auto& inner : attribute.graphs) same.graphs.push_back(inner->copy());
        copy->attributes().set(std::move(same));
      }
    }
    where.made(copy);
    for (std::size_t i = 0; i < node->blocks().size(); ++i) copy->addBlock();
    for (std::size_t i = node->blocks().size(); i-- > 0;) { // `frame` dangles from here on
      Block* block = node->blocks()[i];
      Block* target = copy->blocks()[i];
      for (Value* input : block->inputs()) {
        Value* made = values[input] = target->addInput(input->type());
        if (input->hasName()) made->setName(input->name().str());
      }
      stack.push_back({block, target, block->param()->next()});
    }
  }
  llvm::SmallVector<Value*, 2> outputs;
  for (Value* output : body.outputs()) outputs.push_back(values.lookup(output));
  return outputs;
}

Value* joinOutputs(llvm::ArrayRef<Value*> outputs, Node* before) {
  if (outputs.size() == 1) return outputs[0];
  Builder builder(before);
  builder.setLocation(before->location());
  builder.setScope(before->scope());
  return outputs.empty() ? builder.constant(IValue()) : builder.tuple(outputs);
}

} // namespace tine
