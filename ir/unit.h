#pragma once

#include "ir/declaration.h"
#include "ir/graph.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tine {

/// A named graph. Methods are functions named `Class.method` whose first input is the object.
struct NamedGraph {
  std::string name;
  std::unique_ptr<Graph> graph;
  /// Of the inputs that a caller outside may leave out, by input; empty when there are none. Graphs
  /// always pass all, and texts do not hold them.
  std::vector<std::optional<IValue>> defaults = {};

  /// The default of an input; null when it has none.
  const IValue* defaultOf(std::size_t input) const {
    return input < defaults.size() && defaults[input] ? &*defaults[input] : nullptr;
  }
};

/// Functions that know each other by name: what a file holds, what is compiled together. All graphs
/// share one Context. `prim::Constant[name="f"]` and `prim::CallMethod` refer into it, so recursion
/// can be written.
///
///   auto unit = parse(text, "fib.ir").value();
///   Graph* fib = unit.find("fib");
class CompilationUnit {
public:
  explicit CompilationUnit(std::shared_ptr<Context> context = Context::create())
      : context_(std::move(context)) {}
  CompilationUnit(CompilationUnit&&) = default;
  CompilationUnit& operator=(CompilationUnit&&) = default;

  const std::shared_ptr<Context>& context() const { return context_; }

  /// The functions in the order of definition.
  const std::vector<NamedGraph>& functions() const { return functions_; }
  /// \pre the graph is of this unit's Context. False when the name is taken.
  bool add(std::string name, std::unique_ptr<Graph> graph,
           std::vector<std::optional<IValue>> defaults = {});
  Graph* find(llvm::StringRef name) const;
  const NamedGraph* findFunction(llvm::StringRef name) const;
  Graph* findMethod(const Type* classType, llvm::StringRef method) const;
  /// The classes that the source declared, in order; texts of graphs do not hold them.
  const std::vector<ClassDeclaration>& classes() const { return classes_; }
  /// \pre the types are of this unit's Context
  void declare(ClassDeclaration declaration) { classes_.push_back(std::move(declaration)); }
  /// The graph of a single-graph file, or the first. \pre not empty
  Graph& front() const { return *functions_.front().graph; }
  bool empty() const { return functions_.empty(); }
  /// The front graph itself; the unit is empty afterwards. \pre it holds one graph
  std::unique_ptr<Graph> takeFront();

private:
  std::shared_ptr<Context> context_;
  std::vector<NamedGraph> functions_;
  std::vector<ClassDeclaration> classes_;
  llvm::StringMap<std::size_t> index_;
};

} // namespace tine
