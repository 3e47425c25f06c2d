#pragma once

#include "ir/schema.h"

#include <string>
#include <vector>

namespace tine {

/// What a program says of a class, and its graphs do not: the name of a NamedTuple, all members of
/// an enum, the order of attributes. The methods of objects are functions of the unit, named
/// `NAME.method`.
///
///   for (const ClassDeclaration& declared : unit.classes()) use(declared.type);
struct ClassDeclaration {
  enum Kind : std::uint8_t { Object, Module, NamedTuple, Enum, Interface };
  /// An attribute; with `value` a constant of the class, the default of a NamedTuple's, or what a
  /// member of an enum stands for.
  struct Field {
    std::string name;
    const Type* type = nullptr;
    std::optional<IValue> value;
  };

  Kind kind = Object;
  std::string name;            ///< `__torch__.f.Point`
  const Type* type = nullptr;  ///< of its values
  std::vector<Field> fields;   ///< in order
  std::vector<Schema> methods; ///< of an Interface, each with the object as its first argument
};

} // namespace tine
