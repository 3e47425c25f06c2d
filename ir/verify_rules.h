#pragma once

#include "ir/unit.h"

#include <string>
#include <vector>

namespace tine {

/// What the verifier found in one graph: errors at the places of nodes, which they show.
class VerifyReport {
public:
  /// `function` is what messages call the graph.
  VerifyReport(const Graph& graph, llvm::StringRef function, std::vector<Error>& errors)
      : graph_(graph), function_(function), errors_(errors) {}

  /// An error at a node (its place, or that of the nearest node around it that has one), with the
  /// node itself as a note. Null stands for the graph as a whole.
  Error& add(const Node* node, std::string message);
  /// Adds `message: the value's definition` and its place.
  void note(Error& error, std::string message, const Value& definition);

  /// `%4 : int = aten::add(%3, %2)`, without blocks; whatever is broken in it.
  std::string describe(const Node& node) const;
  std::string describe(const Value* value) const; ///< `%4`; `null`, or `%?` when not the graph's

  std::size_t count() const { return errors_.size(); } ///< errors so far, of all graphs

private:
  const Graph& graph_;
  llvm::StringRef function_;
  std::vector<Error>& errors_;
};

/// Rules 4 and 5 for one node but for its Subgraph, and rule 6 when there is a unit.
/// \pre its operands, blocks and their outputs are values of its graph
void verifyNode(const Node& node, const CompilationUnit* unit, VerifyReport& report);

/// Rules 4 and 5 for a node and its Subgraph. \pre as above, for both graphs
void verifySubgraph(const Node& node, const Graph& body, VerifyReport& report);

/// May a value of type `from` flow where `to` is wanted, as far as both are known? As isSubtype,
/// but as lenient as graphs need that TorchScript's passes leave behind: a tensor's refinement may
/// get lost or appear, a tensor without dimensions may be a number, plain Tensor may be a Future;
/// Any and variables fit everything. Iterative.
bool fits(const Type* from, const Type* to);

} // namespace tine
