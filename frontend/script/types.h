#pragma once

#include "ir/type.h"
#include "llvm/ADT/StringMap.h"

namespace tine::script {

/// One type for what may be either; null when there is none. int and float do not unify.
/// `toUnion`: a Union instead of none.
const Type* unify(Context& context, const Type* a, const Type* b, bool toUnion = false);
const Type* unify(Context& context, llvm::ArrayRef<const Type*> types, bool toUnion = false);
/// Without what is known of a tensor.
inline const Type* plain(const Type* type) {
  return type->is(TypeKind::Tensor) ? Type::tensorType() : type;
}
inline bool isTensor(const Type* type) { return type->is(TypeKind::Tensor); }
inline const Type* withoutOptional(const Type* type) {
  return type->is(TypeKind::Optional) ? type->element() : type;
}

/// A Union as TorchScript forms it: flat, without what another member covers, in the order of its
/// kinds. A lone member is itself, one with None an Optional.
const Type* makeUnion(Context& context, llvm::ArrayRef<const Type*> members);
/// The type of what is not None; null for types that are never or always None.
const Type* withoutNone(Context& context, const Type* type);

/// Binds the variables of a schema's type to those of an actual one. False, with a reason, when the
/// two have different forms.
bool bindVariables(Context& context, const Type* formal, const Type* actual,
                   llvm::StringMap<const Type*>& variables, std::string* why);
/// The formal type with its variables replaced; null when one is not bound.
const Type* substitute(Context& context, const Type* formal,
                       const llvm::StringMap<const Type*>& variables);
/// The type with int for SymInt, as which it is matched and printed.
const Type* withInts(Context& context, const Type* type);
/// As annotations spell it: `List[int]`.
std::string spelled(const Type* type);
/// What a function gives that may say so.
inline const Type* declaredOr(const Type* declared) {
  return declared ? declared : Type::noneType();
}

} // namespace tine::script
