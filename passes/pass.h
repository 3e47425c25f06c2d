#pragma once

#include "ir/unit.h"
#include "llvm/ADT/ArrayRef.h"
#include "ops/ops.h"
#include "support/result.h"

#include <functional>
#include <memory>
#include <vector>

namespace tine {

/// What a call of a function of the unit leads to, in the function, in the bodies of its forks, and
/// in what it calls.
struct CallFacts {
  llvm::StringRef name;
  bool recursive = true; ///< may come back to the function
  bool forks = true;     ///< has a fork, something else with a body, or tine::then
  bool unknown = true;   ///< calls what the unit does not have
};

/// What a pass knows of the program around its graph: the operators, and the functions that calls
/// refer to. Remembers which operator a node calls, by kind, overload and operand types; so it must
/// not outlive the Context of the graphs that it was used with. What calls lead to it remembers
/// from the first question on: passes take away from that, and never add to it.
///
///   PassContext context(OpSet::sharedBuiltin(), &unit);
///   bool changed = eliminateDeadCode(unit.front(), context);
///
/// \thread not safe
class PassContext {
public:
  explicit PassContext(std::shared_ptr<const OpSet> ops, const CompilationUnit* unit = nullptr);
  PassContext(const PassContext&) = delete;
  ~PassContext();

  const OpSet& ops() const { return *ops_; }
  const CompilationUnit* unit() const { return unit_; } ///< null: calls may do anything

  /// The operator that the node calls; null when the table has none that fits its operands.
  const OpInfo* find(const Node& node) const;
  /// What a node without blocks and without a subgraph may do. \pre no blocks, no subgraph
  Effects effects(const Node& node) const;
  /// The function of the unit that a CallFunction or CallMethod calls, or null.
  Graph* callee(const Node& node) const;
  /// \cost O(nodes of the unit) for the first of all answers
  const CallFacts& facts(const Graph& function) const;
  /// Takes nodes from an allowance of 500,000 for the life of the context: what copies bodies
  /// asks first, so that no pipeline makes a program endless.
  bool mayAdd(std::size_t nodes) const;

private:
  struct Cache;
  std::shared_ptr<const OpSet> ops_;
  const CompilationUnit* unit_;
  std::unique_ptr<Cache> cache_;
};

/// A pass: graph in, graph out. It treats the graph, its blocks and the bodies of its forks, and
/// answers whether it changed anything.
struct Pass {
  llvm::StringRef name;
  bool (*run)(Graph& graph, const PassContext& context);
  llvm::StringRef doc; ///< one line, for `tine passes`
};

#define TINE_PASS(name, function, doc) bool function(Graph& graph, const PassContext& context);
#include "passes/passes.def"

/// All passes of passes.def, in its order.
llvm::ArrayRef<Pass> allPasses();
/// The names of the passes that `default` stands for, in the order in which they run.
llvm::ArrayRef<llvm::StringRef> defaultPipeline();

/// `dce,cse`, `default`, `none` or a mixture, as passes. \errors ValueError an unknown name, with
/// near ones
Result<std::vector<Pass>> parsePasses(llvm::StringRef names);

struct PassOptions {
  /// Called with the unit after each pass.
  std::function<void(const Pass& pass, const CompilationUnit& unit, bool changed)> after;
};

/// Runs the passes over every function of the unit, one pass after the other, and verifies the unit
/// after each.
///
///   TINE_TRY(Ok ok, runPasses(unit, *ops, "default"));
///
/// \errors VerifyError when a pass broke the unit: the message names the pass, the places are the
/// node's and the use's. The unit is then good for printing only
Result<Ok> runPasses(CompilationUnit& unit, const OpSet& ops, llvm::ArrayRef<Pass> passes,
                     const PassOptions& options = {});
Result<Ok> runPasses(CompilationUnit& unit, const OpSet& ops, llvm::StringRef names = "default",
                     const PassOptions& options = {});

} // namespace tine
