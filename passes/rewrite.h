#pragma once

#include "ir/graph.h"
#include "tensor/ivalue.h"

#include <functional>
#include <optional>

namespace tine {

/// What passes share: small changes of graphs that keep locations, scopes and names.

/// Calls `f` on the graph and on every graph inside it, inner before outer. True when any call was.
/// `f` may change the graph it is given, but not make or drop subgraphs with graphs of their own.
bool onEachGraph(Graph& root, llvm::function_ref<bool(Graph&)> f);

/// The value of a prim::Constant; nothing for functions and for values that the text did not hold.
std::optional<IValue> constantValue(const Node& constant);
/// The same of the node that makes the value; nothing when that is not a prim::Constant.
std::optional<IValue> constantValue(const Value* value);

/// Moves the nodes of a block in front of a node, in order.
void spliceBefore(Node* before, Block& from);

/// Uses of `old` become uses of `by`, which takes over its name when it has none.
void replaceValue(Value* old, Value* by);

/// Attributes that are compared: names, kinds, types, values bit for bit. Graphs, and values that
/// the text did not hold, are like nothing else.
bool sameAttributes(const Node& a, const Node& b);
/// Equal for attributes that are the same.
std::size_t hashAttributes(const Node& node);

struct CopyBody {
  Node* before = nullptr;         ///< the nodes go in front of it
  const CallSite* site = nullptr; ///< that of nodes which have none, and around those which have
  bool consume = false; ///< attributes may be moved out of the body, which is not used again
  std::function<void(Node*)> made = [](Node*) {}; ///< called for each copy, in program order
};
/// Copies the nodes of a graph to another place, with `arguments` for its inputs. Returns the
/// values of its outputs. Iterative.
llvm::SmallVector<Value*, 2> copyBody(Graph& body, llvm::ArrayRef<Value*> arguments,
                                      const CopyBody& where);

/// One value for the outputs of a body: itself, a new None, or a new tuple, as a fork's future
/// holds.
Value* joinOutputs(llvm::ArrayRef<Value*> outputs, Node* before);

} // namespace tine
