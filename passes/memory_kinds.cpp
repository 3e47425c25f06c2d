#include "passes/memory_kinds.h"

#include "llvm/ADT/SetVector.h"
#include "support/error.h"

namespace tine {
namespace {

/// Deeper types than this are as if they could hold anything.
constexpr std::size_t kMaxLevels = 8;

enum class Shape : std::uint8_t { Immutable, Memory, Transparent, Anything };

/// How a kind of type takes part: a kind of memory of its own, a mere wrapper of its elements
/// (Optional, Union), nothing, or anything.
Shape shapeOf(TypeKind kind, MemoryKinds& kinds) {
  switch (kind) {
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Complex:
  case TypeKind::Bool:
  case TypeKind::Str:
  case TypeKind::Number:
  case TypeKind::None:
  case TypeKind::Device:
  case TypeKind::QScheme:
  case TypeKind::AnyEnum:
  case TypeKind::Function:
  case TypeKind::SymInt:
  case TypeKind::Enum:
    return Shape::Immutable;
  case TypeKind::Optional:
  case TypeKind::Union:
    return Shape::Transparent;
  case TypeKind::Tensor:
    kinds = memory::Tensor;
    return Shape::Memory;
  case TypeKind::List:
    kinds = memory::List;
    return Shape::Memory;
  case TypeKind::Dict:
    kinds = memory::Dict;
    return Shape::Memory;
  case TypeKind::Tuple:
  case TypeKind::Future:
  case TypeKind::RRef:
  case TypeKind::Await:
    kinds = memory::Other;
    return Shape::Memory;
  case TypeKind::AnyList:
    kinds = memory::List;
    return Shape::Anything;
  case TypeKind::AnyTuple:
    kinds = memory::Other;
    return Shape::Anything;
  case TypeKind::AnyClass:
  case TypeKind::Class:
  case TypeKind::Interface:
    kinds = memory::Object;
    return Shape::Anything;
  case TypeKind::Generator:
  case TypeKind::Stream:
  case TypeKind::Storage:
  case TypeKind::Quantizer:
  case TypeKind::Capsule:
  case TypeKind::Any:
  case TypeKind::PyObject:
  case TypeKind::Var:
    kinds = memory::All;
    return Shape::Anything;
  }
  TINE_UNREACHABLE("kind of type");
}

} // namespace

const MemoryLevels& MemoryTypes::of(const Type* type) {
  auto& known = known_[type];
  if (known) return *known;
  known = std::make_unique<MemoryLevels>();
  MemoryLevels& result = *known;
  llvm::SmallSetVector<const Type*, 8> level, next;
  level.insert(type);
  while (!level.empty() && !result.endless) {
    MemoryKinds kinds = 0;
    for (std::size_t i = 0; i < level.size(); ++i) { // grows by what Optional and Union hold
      const Type* current = level[i];
      MemoryKinds own = 0;
      Shape shape = shapeOf(current->kind(), own);
      kinds |= own;
      result.endless |= shape == Shape::Anything;
      if (shape == Shape::Transparent)
        level.insert(current->elements().begin(), current->elements().end());
      if (shape == Shape::Memory)
        next.insert(current->elements().begin(), current->elements().end());
    }
    if (result.levels.size() + 1 == kMaxLevels) result.endless = true;
    result.levels.push_back(kinds);
    if (result.endless && kinds != memory::All) result.levels.push_back(memory::All);
    level = std::move(next);
    next.clear();
  }
  // A tuple of numbers, a future of a string: nothing in them ever changes.
  while (!result.endless && !result.levels.empty() &&
         (result.levels.back() == memory::Other || result.levels.back() == 0))
    result.levels.pop_back();
  return result;
}

} // namespace tine
