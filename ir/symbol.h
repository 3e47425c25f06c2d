#pragma once

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tine {

/// Names that the code knows, for `switch`; symbols.def is the table.
enum class Builtin : std::uint16_t {
  None,
#define TINE_PRIM(id, text) id,
#define TINE_NAME(id, text) id,
#include "ir/symbols.def"
};
inline constexpr int kBuiltins = 1
#define TINE_PRIM(id, text) +1
#define TINE_NAME(id, text) +1
#include "ir/symbols.def"
    ;

/// An interned name: the kind of a node (`aten::add`), an attribute's name, a file, a scope. One
/// pointer; equal names of one Context are equal pointers. Valid while its Context lives. A default
/// one is empty.
class Symbol {
public:
  Symbol() = default;
  explicit Symbol(const llvm::StringMapEntry<Builtin>* entry) : entry_(entry) {}

  llvm::StringRef str() const { return entry_ ? entry_->getKey() : llvm::StringRef(); }
  Builtin builtin() const { return entry_ ? entry_->getValue() : Builtin::None; }
  bool is(Builtin b) const { return builtin() == b; }
  bool empty() const { return !entry_; }
  llvm::StringRef ns() const { return str().split("::").first; } ///< `aten` of `aten::add`
  llvm::StringRef unqualified() const { return str().split("::").second; } ///< `add` of `aten::add`

  friend bool operator==(Symbol a, Symbol b) { return a.entry_ == b.entry_; }
  const void* id() const { return entry_; }

private:
  const llvm::StringMapEntry<Builtin>* entry_ = nullptr;
};

} // namespace tine
