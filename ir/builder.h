#pragma once

#include "ir/graph.h"

namespace tine {

/// Makes nodes at a place of a graph, with a location and scope for all of them.
///
///   Builder b(graph);                           // at the end
///   Value* one = b.constant(1);
///   Value* y = b.call("aten::add", {x, one}, Type::intType());
///   Node* branch = b.ifNode(condition, {Type::intType()});
///   { Builder then(branch->blocks()[0]); branch->blocks()[0]->addOutput(then.constant(2)); }
class Builder {
public:
  explicit Builder(Graph& graph) : Builder(graph.block()) {}
  explicit Builder(Block* block) : graph_(block->graph()), before_(block->ret()) {}
  /// In front of a node.
  explicit Builder(Node* before) : graph_(before->graph()), before_(before) {}

  Graph& graph() const { return graph_; }
  Context& context() const { return graph_.context(); }
  void setLocation(Location location) { location_ = location; }
  void setScope(Symbol scope) { scope_ = scope; }

  /// A node with these operands and one output per type.
  Node* node(llvm::StringRef kind, llvm::ArrayRef<Value*> inputs,
             llvm::ArrayRef<const Type*> outputs);
  /// A node with one output.
  Value* call(llvm::StringRef kind, llvm::ArrayRef<Value*> inputs,
              const Type* type = Type::tensorType());

  /// `prim::Constant[value=...]`, typed after the value unless a type is given; None has no
  /// attribute.
  Value* constant(IValue value, const Type* type = nullptr);
  /// `prim::Constant[name="f"]`
  Value* functionConstant(llvm::StringRef name);
  /// `prim::If` with two empty blocks; their outputs are the caller's to add.
  Node* ifNode(Value* condition, llvm::ArrayRef<const Type*> types);
  /// `prim::Loop` with one block that has the trip count and the carried values as inputs.
  Node* loopNode(Value* maxTrips, Value* condition, llvm::ArrayRef<Value*> carried);
  /// `prim::fork` of a body whose inputs are `inputs`; the result is a Future of the body's output
  /// (None for no output, a tuple for several).
  Value* fork(std::unique_ptr<Graph> body, llvm::ArrayRef<Value*> inputs);
  Value* wait(Value* future);
  Value* tuple(llvm::ArrayRef<Value*> items);
  Value* list(const Type* element, llvm::ArrayRef<Value*> items);
  Value* getAttr(Value* object, llvm::StringRef name, const Type* type);

private:
  Graph& graph_;
  Node* before_;
  Location location_;
  Symbol scope_;
};

/// The type that a constant with this value has: `Float(2, strides=[1], requires_grad=0,
/// device=cpu)` for a tensor, `int[]` for a list of ints (an empty or mixed list has Any elements).
const Type* typeOf(Context& context, const IValue& value);
/// The refined type of a tensor, as the tracer and constants write it.
const Type* typeOfTensor(Context& context, const Tensor& tensor);

} // namespace tine
