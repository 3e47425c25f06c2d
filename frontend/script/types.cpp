#include "frontend/script/types.h"

#include <algorithm>

namespace tine::script {
namespace {

bool hasVariable(const Type* type) {
  return type->is(TypeKind::Var) ||
         std::any_of(type->elements().begin(), type->elements().end(), hasVariable);
}

/// The same kind of type with other parts.
const Type* rebuilt(Context& context, const Type* type, llvm::ArrayRef<const Type*> elements) {
  if (type->is(TypeKind::Optional)) return optionalOf(context, elements[0]);
  TypeData data;
  data.kind = type->kind();
  data.elements.assign(elements.begin(), elements.end());
  data.names.assign(type->names().begin(), type->names().end());
  return context.intern(data);
}

/// Where TorchScript's list of kinds of types has this one.
int rank(const Type* type) {
  constexpr TypeKind kOrder[] = {
      TypeKind::Any,       TypeKind::Enum,  TypeKind::AnyEnum, TypeKind::Tensor,
      TypeKind::Storage,   TypeKind::Tuple, TypeKind::List,    TypeKind::Dict,
      TypeKind::Number,    TypeKind::Float, TypeKind::Complex, TypeKind::Future,
      TypeKind::RRef,      TypeKind::Int,   TypeKind::None,    TypeKind::Str,
      TypeKind::Generator, TypeKind::Bool,  TypeKind::Device,  TypeKind::Stream,
      TypeKind::Function,  TypeKind::Class};
  const auto* found = std::find(std::begin(kOrder), std::end(kOrder), type->kind());
  return static_cast<int>(found - std::begin(kOrder));
}

} // namespace

const Type* makeUnion(Context& context, llvm::ArrayRef<const Type*> members) {
  llvm::SmallVector<const Type*, 8> flat;
  for (const Type* member : members) {
    const bool nested = member->is(TypeKind::Union) || member->is(TypeKind::Optional);
    flat.append(nested ? member->elements().begin() : &member,
                nested ? member->elements().end() : &member + 1);
    if (member->is(TypeKind::Optional)) flat.push_back(Type::noneType());
  }
  llvm::SmallVector<const Type*, 8> kept;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    bool covered = false;
    for (std::size_t j = 0; j < flat.size() && !covered; ++j)
      covered = i != j && isSubtype(flat[i], flat[j]) && (!isSubtype(flat[j], flat[i]) || j < i);
    if (!covered) kept.push_back(flat[i]);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Type* a, const Type* b) { return rank(a) < rank(b); });
  if (kept.size() == 1) return kept[0];
  const auto none = std::find(kept.begin(), kept.end(), Type::noneType());
  if (kept.size() == 2 && none != kept.end())
    return optionalOf(context, kept[none == kept.begin()]);
  return unionOf(context, kept);
}

const Type* withoutNone(Context& context, const Type* type) {
  if (type->is(TypeKind::Optional)) return type->element();
  if (!type->is(TypeKind::Union)) return nullptr;
  llvm::SmallVector<const Type*, 4> members;
  for (const Type* member : type->elements())
    if (!member->is(TypeKind::None)) members.push_back(member);
  return members.size() == type->elements().size() ? nullptr : makeUnion(context, members);
}

const Type* unify(Context& context, const Type* a, const Type* b, bool toUnion) {
  if (isSubtype(a, b)) return b;
  if (isSubtype(b, a)) return a;
  if (isTensor(a) && isTensor(b)) return Type::tensorType();
  if (a->is(TypeKind::None)) return optionalOf(context, b);
  if (b->is(TypeKind::None)) return optionalOf(context, a);
  if (a->is(TypeKind::Optional) || b->is(TypeKind::Optional))
    if (const Type* inner = unify(context, withoutOptional(a), withoutOptional(b)))
      return optionalOf(context, inner);
  const bool alike = a->kind() == b->kind() && a->elements().size() == b->elements().size();
  if (alike && a->is(TypeKind::Tuple) && a->names().empty() && b->names().empty()) {
    llvm::SmallVector<const Type*, 4> elements;
    for (std::size_t i = 0; i < a->elements().size(); ++i) {
      const Type* element = unify(context, a->elements()[i], b->elements()[i], toUnion);
      if (!element) return nullptr;
      elements.push_back(element);
    }
    return tupleOf(context, elements);
  }
  if (alike && a->is(TypeKind::Future))
    if (const Type* element = unify(context, a->element(), b->element()))
      return futureOf(context, element);
  if (!toUnion) return nullptr;
  return makeUnion(context, {a, b});
}

const Type* unify(Context& context, llvm::ArrayRef<const Type*> types, bool toUnion) {
  const Type* all = types.empty() ? nullptr : types[0];
  for (const Type* type : types) {
    if (!all) return nullptr;
    all = unify(context, all, type, toUnion);
  }
  return all;
}

bool bindVariables(Context& context, const Type* formal, const Type* actual,
                   llvm::StringMap<const Type*>& variables, std::string* why) {
  const auto no = [&] {
    if (why) *why = "cannot match " + spelled(actual) + " to " + spelled(formal);
    return false;
  };
  if (!hasVariable(formal)) return true;
  if (formal->is(TypeKind::Var)) {
    auto [entry, fresh] = variables.try_emplace(formal->name(), actual);
    if (fresh) return true;
    const Type* both = unify(context, entry->second, actual);
    if (!both) return no();
    entry->second = both;
    return true;
  }
  if (formal->is(TypeKind::Optional)) {
    if (actual->is(TypeKind::None)) return no();
    return bindVariables(context, formal->element(), withoutOptional(actual), variables, why);
  }
  if (formal->is(TypeKind::List) && actual->is(TypeKind::Tuple)) {
    const Type* element = unify(context, actual->elements());
    return element ? bindVariables(context, formal->element(), element, variables, why) : no();
  }
  if (formal->kind() != actual->kind() || formal->elements().size() != actual->elements().size())
    return no();
  for (std::size_t i = 0; i < formal->elements().size(); ++i)
    if (!bindVariables(context, formal->elements()[i], actual->elements()[i], variables, why))
      return false;
  return true;
}

const Type* substitute(Context& context, const Type* formal,
                       const llvm::StringMap<const Type*>& variables) {
  if (!hasVariable(formal)) return formal;
  if (formal->is(TypeKind::Var)) {
    const auto bound = variables.find(formal->name());
    return bound == variables.end() ? nullptr : bound->second;
  }
  llvm::SmallVector<const Type*, 2> elements;
  for (const Type* element : formal->elements()) {
    elements.push_back(substitute(context, element, variables));
    if (!elements.back()) return nullptr;
  }
  return rebuilt(context, formal, elements);
}

const Type* withInts(Context& context, const Type* type) {
  if (type->is(TypeKind::SymInt)) return Type::intType();
  llvm::SmallVector<const Type*, 2> elements;
  bool changed = false;
  for (const Type* element : type->elements()) {
    elements.push_back(withInts(context, element));
    changed |= elements.back() != element;
  }
  return changed ? rebuilt(context, type, elements) : type;
}

std::string spelled(const Type* type) {
  std::string out;
  type->printAnnotation(out);
  return out;
}

} // namespace tine::script
