#include "frontend/script/clone.h"

namespace tine::script {

void copyMetadata(Value* to, const Value* from) {
  to->setType(from->type());
  if (from->hasName()) to->setName(from->name().str());
}

Node* cloneNode(Graph& graph, const Node& node, ValueMap& map,
                llvm::function_ref<Value*(Value*)> outside) {
  Node* copy = graph.createNode(node.kind());
  copy->setOverload(node.overload());
  copy->setLocation(node.location());
  for (Value* output : node.outputs()) copyMetadata(copy->addOutput(output->type()), output);
  for (const Attribute& attribute : node.attributes()) {
    Attribute same;
    same.name = attribute.name;
    same.kind = attribute.kind;
    same.value = attribute.value;
    same.verbatim = attribute.verbatim;
    same.types = attribute.types;
    for (const auto& inner : attribute.graphs) same.graphs.push_back(inner->copy());
    copy->attributes().set(std::move(same));
  }
  const auto mapped = [&](Value* value) {
    auto found = map.find(value);
    return found != map.end() ? found->second : outside(value);
  };
  for (Value* input : node.inputs()) copy->addInput(mapped(input));
  for (Block* block : node.blocks()) cloneBlock(copy->addBlock(), block, map, outside);
  return copy;
}

void cloneBlock(Block* to, const Block* from, llvm::function_ref<Value*(Value*)> outside) {
  ValueMap map;
  cloneBlock(to, from, map, outside);
}

void cloneBlock(Block* to, const Block* from, ValueMap& map,
                llvm::function_ref<Value*(Value*)> outside) {
  Graph& graph = to->graph();
  for (Value* input : from->inputs()) {
    Value* copy = to->addInput(input->type());
    copyMetadata(copy, input);
    map[input] = copy;
  }
  for (Node* node : from->nodes()) {
    Node* copy = cloneNode(graph, *node, map, outside);
    to->append(copy);
    for (std::size_t i = 0; i < node->numOutputs(); ++i) {
      map[node->output(i)] = copy->output(i);
      copyMetadata(copy->output(i), node->output(i)); // once more: names move on
    }
  }
  for (Value* output : from->outputs()) {
    auto found = map.find(output);
    to->addOutput(found != map.end() ? found->second : outside(output));
  }
}

void moveNodes(Block* from, Node* before) {
  for (Node* node : from->nodes()) node->insertBefore(before);
}

void afterEachNode(Block* block, llvm::function_ref<void(Node*)> f) {
  struct Frame {
    Node* node;
    std::size_t block;
  };
  std::vector<Frame> stack{{block->param()->next(), 0}};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    Node* node = frame.node;
    if (node == node->block()->ret()) {
      stack.pop_back();
    } else if (frame.block < node->blocks().size()) {
      Block* inner = node->blocks()[frame.block++];
      stack.push_back({inner->param()->next(), 0});
    } else {
      frame = {node->next(), 0};
      f(node);
    }
  }
}

} // namespace tine::script
