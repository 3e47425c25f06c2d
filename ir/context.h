#pragma once

#include "ir/arena.h"
#include "ir/symbol.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tine {

class Type;
struct TypeData;

/// Owns the names and types of graphs that belong together, each once, so that equal ones are equal
/// pointers. Graphs hold it by shared pointer; when the last goes, so do its names and types.
///
///   auto context = Context::create();
///   Symbol add = context->symbol("aten::add");
///   const Type* ints = listOf(*context, Type::intType());
///
/// \thread any
class Context {
public:
  static std::shared_ptr<Context> create() { return std::make_shared<Context>(); }
  Context();
  ~Context();
  Context(const Context&) = delete;

  Symbol symbol(llvm::StringRef text);
  Symbol symbol(Builtin builtin) const { return builtins_[static_cast<int>(builtin)]; }

  /// Where a file lies of which locations have the name alone. Two of one name: unknown.
  void setPath(Symbol file, llvm::StringRef path);
  std::vector<std::pair<std::string, std::string>> paths() const; ///< names and paths

  /// The type with these parts, made when it is new. Use the functions of type.h instead.
  const Type* intern(const TypeData& data);

private:
  mutable std::mutex mutex_;
  llvm::StringMap<Builtin> symbols_;
  llvm::StringMap<std::string> paths_; ///< empty: there were two
  llvm::FoldingSet<Type> types_;
  Arena arena_;
  Symbol builtins_[kBuiltins];
};

} // namespace tine
