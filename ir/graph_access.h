#pragma once

#include "ir/graph.h"

namespace tine {

/// Behind the interface of graphs: for the verifier, which trusts nothing, and for tests that break
/// graphs on purpose. Nothing else includes this.
struct GraphAccess {
  static Node*& next(Node& node) { return node.next_; }
  static Node*& prev(Node& node) { return node.prev_; }
  static Block*& block(Node& node) { return node.block_; }
  static Graph*& graph(Node& node) { return node.graph_; }
  static std::int64_t& position(Node& node) { return node.position_; }
  static std::int64_t position(const Node& node) { return node.position_; }
  static Use* operands(const Node& node) { return node.operands_; }
  static llvm::SmallVector<Value*, 1>& outputs(Node& node) { return node.outputs_; }
  static llvm::SmallVector<Block*, 0>& blocks(Node& node) { return node.blocks_; }

  static Node*& owner(Block& block) { return block.owner_; }
  static Graph*& graph(Block& block) { return block.graph_; }
  static Node*& param(Block& block) { return block.param_; }
  static Node*& ret(Block& block) { return block.return_; }

  static Node*& node(Value& value) { return value.node_; }
  static Symbol& name(Value& value) { return value.name_; }
  static std::uint32_t& unique(Value& value) { return value.unique_; }
  static std::uint32_t& index(Value& value) { return value.index_; }
  static Use*& firstUse(Value& value) { return value.firstUse_; }
  static Use** lastUse(const Value& value) { return value.lastUse_; }
  static Use* const* firstLink(const Value& value) { return &value.firstUse_; }

  /// Does the object live in the graph's arena? Then it may be looked at, linked or not.
  static bool owns(const Graph& graph, const void* object) {
    return const_cast<Graph&>(graph).arena_.identifyObject(object).has_value();
  }
};

} // namespace tine
