#pragma once

#include "ir/type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>

namespace tine {

/// Kinds of memory, as bits. Objects of different kinds are never the same object.
using MemoryKinds = std::uint8_t;
namespace memory {
inline constexpr MemoryKinds Tensor = 1, List = 2, Dict = 4, Object = 8, Other = 16, All = 31;
inline constexpr int kKinds = 5;
} // namespace memory

/// What can be reached from a value of a type, level by level: the value's own kinds of memory,
/// then those of what it holds, and so on. Empty for what never changes: int, str, tuples of such.
///   Tensor[]          {List, Tensor}
///   (int, Tensor)     {Other, Tensor}
///   Future[int]       {}
struct MemoryLevels {
  llvm::SmallVector<MemoryKinds, 3> levels;
  bool endless = false; ///< the last level may hold itself: objects, Any
};

/// Levels of types, each computed once. \thread not safe
class MemoryTypes {
public:
  const MemoryLevels& of(const Type* type);
  MemoryKinds kinds(const Type* type) {
    const MemoryLevels& levels = of(type);
    return levels.levels.empty() ? MemoryKinds(0) : levels.levels.front();
  }
  bool isMutable(const Type* type) { return kinds(type) != 0; }

private:
  llvm::DenseMap<const Type*, std::unique_ptr<MemoryLevels>> known_;
};

} // namespace tine
