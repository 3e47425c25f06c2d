#pragma once

#include "ir/attribute.h"
#include "ir/context.h"
#include "ir/type.h"
#include "ir/value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace tine {

/// Where a node comes from: `# file:line:column`. An empty file means unknown. `printed` is false
/// for places that Tine fills in itself (the line of an .ir file whose node has no location):
/// messages use them, dumps do not.
struct Location {
  Symbol file;
  std::uint32_t line = 0;
  std::uint32_t column : 31 = 0; ///< from 0, as TorchScript counts
  std::uint32_t printed : 1 = 1;
};

/// The call or fork that a node was inlined from: `function` is the callee, in which the node's own
/// location lies; `location` is the call's. Null in nodes that belong to the function they are in.
struct CallSite {
  Symbol function; ///< empty: still the same one, which was also here
  Location location;
  const CallSite* outer = nullptr; ///< when the call itself was inlined
  bool fork = false;
};

/// An operation: a kind, operands, results, attributes and blocks. Lives in its Graph's arena;
/// belongs to one Block at a time, or to none.
class Node {
public:
  Symbol kind() const { return kind_; }
  Builtin op() const { return kind_.builtin(); } ///< for switch
  void setKind(Symbol kind) { kind_ = kind; }
  /// The overload's name (`Tensor` of `aten::add.Tensor`), empty when the schema has none or none
  /// was chosen yet.
  Symbol overload() const { return overload_; }
  /// One without a name is none.
  void setOverload(Symbol overload) { overload_ = overload.str().empty() ? Symbol() : overload; }

  Graph& graph() const { return *graph_; }
  Context& context() const;
  Block* block() const { return block_; } ///< null while unlinked
  Node* next() const { return next_; }    ///< null at the Return node
  Node* prev() const { return prev_; }    ///< null at the Param node

  Operands inputs() const { return {operands_, numOperands_}; }
  Value* input(std::size_t i) const { return inputs()[i]; }
  std::size_t numInputs() const { return numOperands_; }
  void addInput(Value* value);
  void insertInput(std::size_t i, Value* value);
  void setInput(std::size_t i, Value* value);
  void removeInput(std::size_t i);
  void removeAllInputs();

  llvm::ArrayRef<Value*> outputs() const { return outputs_; }
  Value* output(std::size_t i = 0) const { return outputs_[i]; }
  std::size_t numOutputs() const { return outputs_.size(); }
  Value* addOutput(const Type* type);
  /// \pre it has no uses
  void removeOutput(std::size_t i);
  /// Output `i` becomes what output `order[i]` was. \pre a permutation
  void permuteOutputs(llvm::ArrayRef<std::size_t> order);

  llvm::ArrayRef<Block*> blocks() const { return blocks_; }
  Block* addBlock();

  Attributes& attributes() { return attributes_; }
  const Attributes& attributes() const { return attributes_; }
  /// The `Subgraph` attribute of a fork and its like, or null.
  Graph* subgraph() const;

  const Location& location() const { return location_; }
  void setLocation(Location location) { location_ = location; }
  Symbol scope() const { return scope_; }
  void setScope(Symbol scope) { scope_ = scope; }
  const CallSite* callSite() const { return callSite_; }
  void setCallSite(const CallSite* site) { callSite_ = site; } ///< \pre of the same graph

  /// Linking. `before`/`after` must be linked; a linked node is moved.
  void insertBefore(Node* before);
  void insertAfter(Node* after);
  void unlink();
  /// Unlinks and drops operands, blocks and attributes. \pre no output has a use outside the node
  void destroy();

  /// Does this run before `other`, which may be in another block of the same graph? \cost O(depth)
  bool isBefore(const Node* other) const;

private:
  friend class Graph;
  friend class Block;
  friend struct GraphAccess;
  Node(Graph& graph, Symbol kind) : graph_(&graph), kind_(kind) {}

  Graph* graph_;
  Block* block_ = nullptr;
  Node *next_ = nullptr, *prev_ = nullptr;
  Node* nextAllocated_ = nullptr; // every node of the graph, for its destruction
  std::int64_t position_ = 0;     // order inside the block, with gaps
  Symbol kind_, overload_, scope_;
  Location location_;
  const CallSite* callSite_ = nullptr;
  Use* operands_ = nullptr;
  std::uint32_t numOperands_ = 0, capOperands_ = 0;
  llvm::SmallVector<Value*, 1> outputs_;
  llvm::SmallVector<Block*, 0> blocks_;
  Attributes attributes_;
};

/// A sequence of nodes with inputs and outputs. The inputs are the outputs of its Param node, its
/// outputs the operands of its Return node; neither is among nodes().
class Block {
public:
  Graph& graph() const { return *graph_; }
  Node* owner() const { return owner_; } ///< null for a graph's root block

  llvm::ArrayRef<Value*> inputs() const { return param_->outputs(); }
  Operands outputs() const { return return_->inputs(); }
  Value* addInput(const Type* type) { return param_->addOutput(type); }
  void addOutput(Value* value) { return_->addInput(value); }
  Node* param() const { return param_; }
  Node* ret() const { return return_; }

  /// The nodes in order. The node at hand may be destroyed while iterating.
  NodeRange nodes() const { return {param_->next(), return_}; }
  bool empty() const { return param_->next() == return_; }
  void append(Node* node) { node->insertBefore(return_); }
  void prepend(Node* node) { node->insertAfter(param_); }

private:
  friend class Graph;
  friend class Node;
  friend struct GraphAccess;
  Block(Graph& graph, Node* owner);
  void makeRoom(Node* node);

  Graph* graph_;
  Node *owner_, *param_, *return_;
};

/// A program in single assignment form: a root block, and everything in it.
///
///   Graph graph;
///   Value* x = graph.addInput("x", Type::tensorType());
///   Builder b(graph);
///   graph.addOutput(b.call("aten::neg", {x}));
///   std::cout << graph;
///
/// Owns its nodes, values and blocks in an arena; names and types belong to the Context, which
/// graphs share. Nothing in it recurses over nodes or blocks. \thread not safe; reading from
/// several threads is
class Graph {
public:
  explicit Graph(std::shared_ptr<Context> context = Context::create());
  ~Graph();
  Graph(const Graph&) = delete;

  Context& context() const { return *context_; }
  const std::shared_ptr<Context>& sharedContext() const { return context_; }

  Block* block() const { return root_; }
  llvm::ArrayRef<Value*> inputs() const { return root_->inputs(); }
  Operands outputs() const { return root_->outputs(); }
  NodeRange nodes() const { return root_->nodes(); }
  Value* addInput(llvm::StringRef name, const Type* type);
  void addOutput(Value* value) { root_->addOutput(value); }

  /// An unlinked node.
  Node* createNode(Symbol kind);
  Node* createNode(llvm::StringRef kind) { return createNode(context_->symbol(kind)); }

  /// A call site that lives as long as the graph.
  const CallSite* addCallSite(const CallSite& site) {
    return new (arena_.Allocate<CallSite>()) CallSite(site);
  }

  /// Numbers all values from 0 in the order of printing. True when a number changed.
  bool renumber();

  /// A copy in `context` (this graph's own by default), with names, attributes, subgraphs and
  /// locations.
  std::unique_ptr<Graph> copy(std::shared_ptr<Context> context = nullptr) const;

  /// Calls `f` on every node, outer before inner, in order; blocks of a node come right after it.
  /// Subgraphs are not entered. `f` may destroy the node it is given. Iterative.
  void forEachNode(llvm::function_ref<void(Node*)> f) const;

  /// The value with this name, or null. \cost O(1)
  Value* find(llvm::StringRef name) const;
  /// All unique numbers are below it.
  std::uint32_t numValues() const { return nextUnique_; }
  /// Renumbers a value. For readers of text, which keep the numbers that the text shows and so
  /// number all values of a graph at once: in between, two may have the same.
  void setUnique(Value* value, std::uint32_t unique);
  std::string str() const; ///< as print.h prints it in the compat style

private:
  friend class Node;
  friend class Block;
  friend class Value;
  friend struct GraphAccess;
  Block* createBlock(Node* owner);
  Value* createValue(Node* node, std::uint32_t index, const Type* type);

  std::shared_ptr<Context> context_;
  Arena arena_;
  Node* allNodes_ = nullptr;
  std::uint32_t nextUnique_ = 0;
  llvm::StringMap<Value*> names_;
  llvm::StringMap<std::uint32_t> nextSuffix_; // of names that had to give way
  Block* root_ = nullptr;
};

} // namespace tine
