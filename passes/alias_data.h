#pragma once

#include "passes/alias.h"

#include <algorithm>

namespace tine {

/// The inside of AliasAnalysis, shared by its queries (alias.cpp) and its builder
/// (alias_build.cpp).

/// Locations of memory as a union-find forest.
class Locations {
public:
  static constexpr std::uint32_t kNone = AliasAnalysis::kNone;
  /// Why the outside knows a location.
  enum Flag : std::uint8_t {
    kInput = 1,    ///< it came from there
    kReturned = 2, ///< it goes there
    kUnknown = 4,  ///< a constant, or something that unknown code has seen
    kReached = 8,  ///< held by such a one
    kOutside = kInput | kReturned | kUnknown | kReached,
    kIdentity = 16,  ///< somebody compares objects by `is`
    kLingering = 64, ///< a task that may outlive the run of the graph has it
    kMerged = 32,    ///< a pass merged it: its list of writes is incomplete
  };
  struct Location {
    std::uint32_t parent, contents;
    std::uint8_t flags;
    MemoryKinds kinds;
    std::uint8_t rank = 0;
  };

  std::uint32_t make(MemoryKinds kinds);
  /// A location for each level; kNone for none.
  std::uint32_t makeChain(const MemoryLevels& levels);
  std::uint32_t find(std::uint32_t location) const;
  std::uint32_t contentsOf(std::uint32_t location); ///< made when there is none
  /// Makes two locations one, and what they hold. kNone is ignored.
  void unify(std::uint32_t a, std::uint32_t b);
  /// What the outside can reach from what it knows, it knows.
  void spreadOutside();

  Location& operator[](std::uint32_t root) { return items_[root]; } ///< \pre from find
  const Location& operator[](std::uint32_t root) const { return items_[root]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(items_.size()); }

private:
  mutable std::vector<Location> items_;
};

/// Order of the nodes of a graph: outer before inner, 1 for the first; 0 is before all.
class Positions {
public:
  static constexpr std::uint32_t kEnd = ~0u; ///< after all
  void set(const Node* node, std::uint32_t begin) { begin_[node] = begin; }
  void setEnd(const Node* node, std::uint32_t end) { end_[node] = end; }
  void reserve(std::size_t nodes) { begin_.reserve(nodes); }
  std::uint32_t begin(const Node* node) const {
    if (node->op() == Builtin::Return) return kEnd;
    return begin_.lookup(node); // the Param node: 0
  }
  /// Of the last node inside, or its own.
  std::uint32_t end(const Node* node) const {
    return node->blocks().empty() ? begin(node) : end_.lookup(node);
  }

private:
  llvm::DenseMap<const Node*, std::uint32_t> begin_, end_;
};

inline constexpr std::uint32_t kOutsideLocation = ~0u - 1;

/// Memory may change at any time from `begin` to `end`, because of the node at `origin`.
struct Write {
  std::uint32_t location; ///< kOutsideLocation: all that the outside knows
  std::uint32_t begin, end, origin;
  MemoryKinds kinds;
};

class Writes {
public:
  std::vector<Write>& all() { return all_; }
  const std::vector<Write>& all() const { return all_; }
  /// Sorts; `all` has roots from here on.
  void finish();
  /// Is there a write that ends after `after` and begins before `before`?
  bool overlap(std::uint32_t location, int kind, std::uint32_t after, std::uint32_t before) const;

private:
  static std::uint64_t key(std::uint32_t location, int kind) {
    return std::uint64_t(location) * memory::kKinds + static_cast<std::uint64_t>(kind);
  }
  struct Span {
    std::uint64_t key;
    std::uint32_t begin, end; ///< end: the latest of this one and those before it with this key
  };
  std::vector<Write> all_;
  std::vector<Span> spans_;
};

struct AliasAnalysis::Data {
  const PassContext* context;
  MemoryTypes* types;
  const AliasAnalyses* bodies;
  Locations locations;
  std::vector<std::uint32_t> ofValue; ///< by number of the value
  Positions positions;
  Writes writes;
  /// Of `writes`, before those to locations that the outside knows became writes to all such.
  std::vector<std::pair<std::uint32_t, MemoryKinds>> written;
  std::vector<std::uint32_t> waits; ///< positions of what lets other tasks run
  llvm::DenseMap<const Node*, Role> roles;
  llvm::DenseMap<std::uint32_t, std::vector<const Node*>> writers; ///< LocalWriters by location

  bool isOutside(std::uint32_t location) const;
  bool isWritten(std::uint32_t location, MemoryKinds kinds, std::uint32_t after,
                 std::uint32_t before) const;
  MemoryKinds kinds(const Value* value) const { return types->kinds(value->type()); }
  /// Is there a wait from `begin` to `end`?
  bool wakes(std::uint32_t begin, std::uint32_t end) const {
    auto it = std::lower_bound(waits.begin(), waits.end(), begin);
    return it != waits.end() && *it <= end;
  }

  struct Footprint;
  void addFootprint(const Node* node, Footprint& footprint) const;
  bool commute(const AliasAnalysis& alias, const Node* a, const Node* b) const;
};

} // namespace tine
