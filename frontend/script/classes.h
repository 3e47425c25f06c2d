#pragma once

#include "frontend/script/ast.h"
#include "ir/type.h"
#include "llvm/ADT/StringMap.h"
#include "tensor/ivalue.h"

#include <optional>
#include <string>
#include <vector>

namespace tine::script {

struct File;
struct Function;

/// A class of the program: what objects of it have.
///
///   ClassInfo* info = compiler.classOf(value->type());
///   if (const ClassInfo::Field* field = info->field("x")) use(field->type);
struct ClassInfo {
  enum Kind : std::uint8_t {
    Object,     ///< with methods, and the fields that its `__init__` makes or that it declares
    NamedTuple, ///< a tuple whose fields have names
    Enum,       ///< its fields are its members
    Interface,  ///< methods without bodies
  };
  /// A field; with `value` the default of a NamedTuple's, a member of an Enum, or a constant.
  struct Field {
    std::string name;
    const Type* type = nullptr;
    std::optional<IValue> value;
    Range range;
  };

  Kind kind = Object;
  std::string name;                   ///< `Point`
  std::string qualified;              ///< `__torch__.f.Point`
  File* file = nullptr;               ///< null of a class that C++ has made
  const ClassDef* def = nullptr;      ///< and this
  bool isNative = false;              ///< written in C++
  bool isModule = false;              ///< calling an object calls its `forward`
  const Type* type = nullptr;         ///< of a NamedTuple known when its fields are
  std::vector<Field> fields;          ///< in the order of definition; `add` adds one
  llvm::StringMap<Function*> methods; ///< static ones, too; a property is `__x_getter`
  enum : std::uint8_t { New, Running, Done } state = New; ///< of the fields of a NamedTuple

  const Field* field(llvm::StringRef word) const {
    const auto found = places_.find(word);
    return found == places_.end() ? nullptr : &fields[found->second];
  }
  /// \pre there is none of that name
  Field& add(Field field) {
    places_[field.name] = fields.size();
    return fields.emplace_back(std::move(field));
  }
  Function* method(llvm::StringRef word) const { return methods.lookup(word); }
  /// The names that follow a dot, for messages.
  std::vector<std::string> members() const;

private:
  llvm::StringMap<std::size_t> places_; ///< in `fields`
};

} // namespace tine::script
