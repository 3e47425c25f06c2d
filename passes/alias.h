#pragma once

#include "llvm/ADT/DenseMap.h"
#include "passes/memory_kinds.h"
#include "passes/pass.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tine {

class AliasAnalysis;

/// The analyses of a graph and of all graphs inside it, bodies of forks first.
class AliasAnalyses {
public:
  AliasAnalyses(Graph& root, const PassContext& context);
  AliasAnalyses(const AliasAnalyses&) = delete;
  ~AliasAnalyses();
  AliasAnalysis& operator[](const Graph& graph) const { return *analyses_.find(&graph)->second; }
  llvm::ArrayRef<Graph*> graphs() const { return graphs_; } ///< inner before outer

private:
  MemoryTypes types_;
  std::vector<Graph*> graphs_;
  llvm::DenseMap<const Graph*, std::unique_ptr<AliasAnalysis>> analyses_;
};

/// Which values of one graph may share memory, and who may write to it, when.
///
///   AliasAnalyses all(graph, context);
///   AliasAnalysis& alias = all[graph];
///   alias.mayAlias(x, y);                     // may both be one object, or views of one storage?
///   alias.writtenBetween(first, second, x);   // may x change between two nodes that read it?
///
/// Memory is split in locations by unification (Steensgaard): values that may alias have one
/// location, a container has a location for everything in it. Locations that the world outside the
/// graph may know (inputs, results, constants, what was passed to unknown operators) form one
/// wildcard per kind of memory. A fork writes what its body writes, from the fork to the first wait
/// in its own block, and without one to the end of the run; the result of a wait aliases what the
/// body's result may alias. Unknown operators and calls may do anything to all that they can reach.
///
/// Conservative: "no" is certain, "yes" is not. Describes the graph as it was; a pass that merges
/// values says so with `merge`. \cost near linear in nodes, to build; queries O(log writes) for
/// each level of containers \source B. Steensgaard, "Points-to Analysis in Almost Linear Time",
/// 1996
class AliasAnalysis {
public:
  AliasAnalysis(const Graph& graph, std::size_t nodes, const PassContext& context,
                MemoryTypes& types, const AliasAnalyses& bodies);
  ~AliasAnalysis();

  bool mayAlias(const Value* a, const Value* b) const;
  /// May the node, or something in it, write to memory that can be reached from the value? A wait
  /// writes what the tasks that it lets finish write.
  bool mayWrite(const Node* node, const Value* value) const;
  /// Is there any writer of memory that can be reached from the value?
  bool hasWriters(const Value* value) const;
  /// May the world outside the graph know the value's memory, during the run or after it?
  bool escapes(const Value* value) const;
  /// Is the value (a view, a constant: its memory may be known outside) itself only read, by
  /// operators that do not hand it on?
  bool staysHere(const Value* value) const;
  /// May something tell the value's object from an equal one (`is`)?
  bool identityMatters(const Value* value) const;
  /// May memory that can be reached from the value change after `first` ran and before `second`
  /// does? \pre `first` dominates `second`
  bool writtenBetween(const Node* first, const Node* second, const Value* value) const;
  /// The same for memory that the outside knows.
  bool outsideWrittenBetween(const Node* first, const Node* second) const;
  /// May the node run before `other`, which precedes it in its block, or after it, which follows?
  /// Looks at operands, memory and effects of everything between. \cost O(what is between)
  bool mayMoveBefore(const Node* node, const Node* other) const;
  bool mayMoveAfter(const Node* node, const Node* other) const;

  /// From now on, both are one value.
  void merge(const Value* a, const Value* b);

  /// Does the graph do what must happen even if nobody reads a result: print, raise, run unknown
  /// code, let other tasks run? Writes are not meant; see writesOutside.
  bool mustRun() const { return mustRun_; }
  /// May it write to memory that it did not make itself?
  bool writesOutside() const { return writesOutside_; }
  /// May a task that it started still run, and write, when it has ended?
  bool leavesWriters() const { return leavesWriters_; }

  /// What a node does beyond computing its results; of If and Loop nothing, their nodes do it.
  enum class Role : std::uint8_t {
    Pure,        ///< nothing that anybody sees
    LocalWriter, ///< writes to memory that the outside does not know; see writesOf
    Wait,        ///< waits for a fork of this graph: goes when the fork goes
    Root,        ///< must run
  };
  Role role(const Node* node) const;

  /// Locations, as numbers below numLocations. kNone: a value without memory, a location that holds
  /// nothing.
  static constexpr std::uint32_t kNone = ~0u;
  std::uint32_t numLocations() const;
  std::uint32_t location(const Value* value) const;
  std::uint32_t contents(std::uint32_t location) const; ///< a location for all that it holds
  /// The LocalWriters of a location, and the locations of a LocalWriter.
  llvm::ArrayRef<const Node*> writersOf(std::uint32_t location) const;

private:
  struct Data;
  friend class AliasBuilder;
  std::unique_ptr<Data> data_;
  bool mustRun_ = false, writesOutside_ = false, leavesWriters_ = false;
};

} // namespace tine
