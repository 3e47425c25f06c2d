#include "ir/unit.h"

#include "llvm/ADT/Twine.h"

namespace tine {

bool CompilationUnit::add(std::string name, std::unique_ptr<Graph> graph,
                          std::vector<std::optional<IValue>> defaults) {
  TINE_CHECK_MSG(graph->sharedContext() == context_, "a unit's graphs share its Context");
  if (!index_.try_emplace(name, functions_.size()).second) return false;
  functions_.push_back({std::move(name), std::move(graph), std::move(defaults)});
  return true;
}

Graph* CompilationUnit::find(llvm::StringRef name) const {
  const NamedGraph* function = findFunction(name);
  return function ? function->graph.get() : nullptr;
}

const NamedGraph* CompilationUnit::findFunction(llvm::StringRef name) const {
  auto it = index_.find(name);
  return it == index_.end() ? nullptr : &functions_[it->second];
}

std::unique_ptr<Graph> CompilationUnit::takeFront() {
  TINE_CHECK(functions_.size() == 1);
  std::unique_ptr<Graph> graph = std::move(functions_.front().graph);
  functions_.clear();
  index_.clear();
  return graph;
}

Graph* CompilationUnit::findMethod(const Type* classType, llvm::StringRef method) const {
  if (!classType->is(TypeKind::Class)) return nullptr;
  return find((classType->name() + "." + method).str());
}

} // namespace tine
