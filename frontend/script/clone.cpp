#include "frontend/script/clone.h"

#include "support/deep.h"

namespace tine::script {

void copyMetadata(Value* to, const Value* from) {
  to->setType(from->type());
  if (from->hasName()) to->setName(from->name().str());
}

namespace {

/// Copies as clone.h says.
class Cloner {
public:
  Cloner(Graph& graph, ValueMap& map, llvm::function_ref<Value*(Value*)> outside)
      : graph_(graph), map_(map), outside_(outside) {}

  Deep<Node*> node(const Node& node) {
    Node* copy = graph_.createNode(node.kind());
    copy->setOverload(node.overload());
    copy->setLocation(node.location());
    for (Value* output : node.outputs()) copyMetadata(copy->addOutput(output->type()), output);
    for (const Attribute& attribute : node.attributes()) {
      Attribute same = attribute.withoutGraphs();
      for (const auto& inner : attribute.graphs) same.graphs.push_back(co_await renumbered(*inner));
      copy->attributes().set(std::move(same));
    }
    for (Value* input : node.inputs()) copy->addInput(mapped(input));
    for (Block* inner : node.blocks()) co_await block(copy->addBlock(), inner);
    co_return copy;
  }

  Deep<void> block(Block* to, const Block* from) {
    for (Value* input : from->inputs()) {
      Value* copy = to->addInput(input->type());
      copyMetadata(copy, input);
      map_[input] = copy;
    }
    for (Node* node : from->nodes()) {
      Node* copy = co_await this->node(*node);
      to->append(copy);
      for (std::size_t i = 0; i < node->numOutputs(); ++i) {
        map_[node->output(i)] = copy->output(i);
        copyMetadata(copy->output(i), node->output(i)); // once more: names move on
      }
    }
    for (Value* output : from->outputs()) to->addOutput(mapped(output));
  }

private:
  /// A copy whose values are numbered from 0, as TorchScript's copies are.
  Deep<std::unique_ptr<Graph>> renumbered(const Graph& graph) {
    auto copy = std::make_unique<Graph>(graph.sharedContext());
    ValueMap map;
    const auto none = [](Value* value) { return value; };
    Cloner cloner(*copy, map, none);
    co_await cloner.block(copy->block(), graph.block());
    co_return std::move(copy);
  }

  Value* mapped(Value* value) const {
    auto found = map_.find(value);
    return found != map_.end() ? found->second : outside_(value);
  }

  Graph& graph_;
  ValueMap& map_;
  llvm::function_ref<Value*(Value*)> outside_;
};

} // namespace

Node* cloneNode(Graph& graph, const Node& node, ValueMap& map,
                llvm::function_ref<Value*(Value*)> outside) {
  return Cloner(graph, map, outside).node(node).run();
}

void cloneBlock(Block* to, const Block* from, llvm::function_ref<Value*(Value*)> outside) {
  ValueMap map;
  cloneBlock(to, from, map, outside);
}

void cloneBlock(Block* to, const Block* from, ValueMap& map,
                llvm::function_ref<Value*(Value*)> outside) {
  Cloner(to->graph(), map, outside).block(to, from).run();
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
