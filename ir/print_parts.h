#pragma once

#include "ir/attribute.h"
#include "ir/type.h"
#include "support/literal.h"

namespace tine {

/// Appends a value as the text of an attribute. `type` is what is known of it, or null: TorchScript
/// writes the element type of an empty list, and of one with optional elements.
void printValue(std::string& out, const IValue& value, const Type* type, Style style);

/// Would reading the text of `value` for a constant of this type give another value, such as a
/// float for an int? Then the lossless style says the attribute's kind.
bool typeConverts(const IValue& value, const Type* type);

void appendInt(std::string& out, std::int64_t value);

/// `is` of AttrKind::is, and back.
llvm::StringRef name(AttrKind kind);
std::optional<AttrKind> attrKindFromName(llvm::StringRef name);

/// The kind that an attribute's value has when its text does not say. A constant's list is an ival.
AttrKind inferredKind(const Attribute& attribute, bool constant);

} // namespace tine
