#pragma once

#include "ir/unit.h"
#include "support/literal.h"

#include <iosfwd>
#include <string>

namespace tine {

struct PrintOptions {
  /// Compat: byte for byte what TorchScript prints. Lossless: nothing is lost; parse gives an equal
  /// graph.
  Style style = Style::Compat;
  bool locations = true; ///< ` # file:line:col`, everywhere (TorchScript's D-14 is not imitated)
};

/// Appends the graph, its groups included. Prints whatever is there, also graphs that do not
/// verify: `%<<null>>`.
void print(std::string& out, const Graph& graph, const PrintOptions& options = {},
           llvm::StringRef name = "graph");
/// All functions, in order, a blank line between them. A lone function named `graph` prints as
/// `graph(...)`.
void print(std::string& out, const CompilationUnit& unit, const PrintOptions& options = {});
/// One node with its blocks, as TorchScript prints a node.
void print(std::string& out, const Node& node, const PrintOptions& options = {});
/// One attribute's value.
void print(std::string& out, const Attribute& attribute, const PrintOptions& options = {});

std::string str(const Graph& graph, const PrintOptions& options = {});
std::string str(const CompilationUnit& unit, const PrintOptions& options = {});
std::ostream& operator<<(std::ostream& stream, const Graph& graph);

} // namespace tine
