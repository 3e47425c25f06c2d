#include "passes/pass.h"
#include "passes/rewrite.h"

namespace tine {

/// Before: `%7 : int = aten::neg(%3)`  After: `%1 : int = aten::neg(%0)`. Names stay.
bool canonicalize(Graph& graph, const PassContext&) {
  return onEachGraph(graph, [](Graph& inner) { return inner.renumber(); });
}

/// Before: `%sum.1 : int = aten::neg(%x)`  After: `%1 : int = aten::neg(%0)`
bool dropNames(Graph& graph, const PassContext&) {
  return onEachGraph(graph, [](Graph& inner) {
    bool changed = false;
    auto drop = [&](llvm::ArrayRef<Value*> values) {
      for (Value* value : values) {
        changed |= value->hasName();
        value->setName("");
      }
    };
    drop(inner.inputs());
    inner.forEachNode([&](Node* node) {
      drop(node->outputs());
      for (Block* block : node->blocks()) drop(block->inputs());
    });
    return changed;
  });
}

} // namespace tine
