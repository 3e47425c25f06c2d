#include "ir/graph.h"
#include "ops/ops.h"

#include <algorithm>

namespace tine {

namespace {

// ---- matching types
// -------------------------------------------------------------------------------

// What the type variables of a schema stand for; there are few.
class Bindings {
public:
  const Type* find(llvm::StringRef variable) const {
    for (const auto& [name, type] : bound_)
      if (name == variable) return type;
    return nullptr;
  }
  void set(llvm::StringRef variable, const Type* type) {
    for (auto& [name, bound] : bound_)
      if (name == variable) {
        bound = type;
        return;
      }
    bound_.push_back({variable, type});
  }

private:
  llvm::SmallVector<std::pair<llvm::StringRef, const Type*>, 2> bound_;
};

bool isNumber(const Type* type) {
  return type->is(TypeKind::Int) || type->is(TypeKind::Float) || type->is(TypeKind::Complex) ||
         type->is(TypeKind::Number) || type->is(TypeKind::SymInt);
}

// Does the type contain a variable of the schema?
bool hasVariable(const Type* type) {
  if (type->is(TypeKind::Var)) return true;
  return std::any_of(type->elements().begin(), type->elements().end(), hasVariable);
}

// May a value of type `actual` be passed for `formal`? Types nest as deep as schemas write them.
bool matches(const Type* formal, const Type* actual, Bindings& bindings) {
  if (formal == actual && !hasVariable(formal)) return true;
  const auto isOne = [&](auto... kinds) { return (formal->is(kinds) || ...); };
  if (formal->is(TypeKind::Any)) return true;
  if (formal->is(TypeKind::Var)) {
    const Type* bound = bindings.find(formal->name());
    if (bound && isSubtype(actual, bound)) return true;
    if (bound && !isSubtype(bound, actual)) return false;
    bindings.set(formal->name(), actual);
    return true;
  }
  if (formal->is(TypeKind::Number)) return isNumber(actual);
  if (isOne(TypeKind::Int, TypeKind::SymInt))
    return actual->is(TypeKind::Int) || actual->is(TypeKind::SymInt);
  if (formal->is(TypeKind::Optional)) {
    if (actual->is(TypeKind::None)) return true;
    if (actual->is(TypeKind::Optional)) actual = actual->element();
    return matches(formal->element(), actual, bindings);
  }
  const bool open = hasVariable(formal) ||
                    (formal->is(TypeKind::List) && formal->element()->is(TypeKind::SymInt));
  if (!open || !isOne(TypeKind::List, TypeKind::Tuple, TypeKind::Dict, TypeKind::Future,
                      TypeKind::RRef, TypeKind::Await))
    return isSubtype(actual, formal);
  const auto inside = formal->elements(), given = actual->elements();
  if (!actual->is(formal->kind()) || inside.size() != given.size()) return false;
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (!matches(inside[i], given[i], bindings)) return false;
  return true;
}

bool matchesArgument(const Argument& argument, const Type* actual, Bindings& bindings) {
  if (matches(argument.type, actual, bindings)) return true;
  // `int[2]` takes one int for two; so does `int[1]?`.
  const Type* formal =
      argument.type->is(TypeKind::Optional) ? argument.type->element() : argument.type;
  return argument.listSize && formal->is(TypeKind::List) &&
         matches(formal->element(), actual, bindings);
}

// The first argument that keeps the overload from fitting, described; empty when it fits. Without
// `why` only the answer matters.
bool fits(const OpInfo& op, llvm::ArrayRef<const Type*> types, Bindings& bindings,
          std::string* why) {
  const auto& arguments = op.schema.arguments;
  const auto no = [&](auto describe) {
    if (why) *why = describe();
    return false;
  };
  if (types.size() > arguments.size() && !op.schema.varargs)
    return no([&] {
      return "expected at most " + std::to_string(arguments.size()) + " argument(s) but received " +
             std::to_string(types.size());
    });
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (i >= types.size()) {
      if (!argument.defaultValue)
        return no([&] { return "Argument " + argument.name + " not provided."; });
    } else if (!matchesArgument(argument, types[i], bindings)) {
      return no([&] {
        return "Expected a value of type '" + argument.type->str() + "' for argument '" +
               argument.name + "' but instead found type '" + types[i]->str() + "'.";
      });
    }
  }
  return true;
}

// ---- errors
// ---------------------------------------------------------------------------------------

Error unknownOperator(const OpSet& ops, llvm::StringRef name) {
  Error error(error_kind::Schema, "there is no operator " + name.str());
  std::vector<std::pair<unsigned, llvm::StringRef>> near;
  const auto mostEdits = static_cast<unsigned>(std::min<std::size_t>(name.size() / 4, 3));
  llvm::StringRef last;
  for (const OpInfo* op : ops.all()) {
    if (op->schema.name == last) continue;
    last = op->schema.name;
    const unsigned edits = name.edit_distance(last, true, mostEdits);
    const bool sameWord = name.split("::").second == last.split("::").second;
    if (edits <= mostEdits || sameWord) near.push_back({sameWord ? 0 : edits, last});
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > 3) near.resize(3);
  std::string names;
  for (const auto& [edits, candidate] : near)
    names += (names.empty() ? "" : ", ") + candidate.str();
  if (names.empty()) return error;
  return std::move(error).note("did you mean " + names + "?");
}

Error noOverloadFits(llvm::StringRef name, llvm::ArrayRef<const OpInfo*> overloads,
                     llvm::ArrayRef<const Type*> types) {
  std::string given;
  for (const Type* type : types) given += (given.empty() ? "" : ", ") + type->str();
  Error error(error_kind::Schema, "no overload of " + name.str() + " takes (" + given + ")");
  for (const OpInfo* op : overloads) {
    std::string why;
    Bindings bindings;
    fits(*op, types, bindings, &why);
    error = std::move(error).note(op->schema.str() + ": " + why);
  }
  return error;
}

Error unknownOverload(llvm::StringRef name, llvm::StringRef overload,
                      llvm::ArrayRef<const OpInfo*> overloads) {
  Error error(error_kind::Schema, "there is no overload '" + overload.str() + "' of " + name.str());
  for (const OpInfo* op : overloads) error = std::move(error).note("there is " + op->schema.str());
  return error;
}

// ---- substituting variables
// -----------------------------------------------------------------------

const Type* substitute(Context& context, const Type* type, const Bindings& bindings) {
  if (!hasVariable(type)) return type;
  if (type->is(TypeKind::Var)) {
    const Type* bound = bindings.find(type->name());
    return bound ? bound : type;
  }
  TypeData data;
  data.kind = type->kind();
  for (const Type* element : type->elements())
    data.elements.push_back(substitute(context, element, bindings));
  if (type->is(TypeKind::Optional)) return optionalOf(context, data.elements[0]);
  data.names.assign(type->names().begin(), type->names().end());
  return context.intern(data);
}

} // namespace

Result<const OpInfo*> resolve(const OpSet& ops, llvm::StringRef name, llvm::StringRef overload,
                              llvm::ArrayRef<const Type*> types) {
  const llvm::ArrayRef<const OpInfo*> overloads = ops.find(name);
  if (overloads.empty()) return unknownOperator(ops, name);
  if (!overload.empty()) {
    const OpInfo* found = ops.find(name, overload);
    if (!found) return unknownOverload(name, overload, overloads);
    Bindings bindings;
    if (!fits(*found, types, bindings, nullptr)) return noOverloadFits(name, {found}, types);
    return found;
  }
  // One whose arguments are all given comes before one with defaults, as in TorchScript.
  for (const bool whole : {true, false})
    for (const OpInfo* op : overloads) {
      if (whole != (types.size() >= op->schema.arguments.size())) continue;
      Bindings bindings;
      if (fits(*op, types, bindings, nullptr)) return op;
    }
  return noOverloadFits(name, overloads, types);
}

Result<const OpInfo*> resolve(const OpSet& ops, const Node& node) {
  llvm::SmallVector<const Type*, 8> types;
  for (const Value* input : node.inputs()) types.push_back(input->type());
  return resolve(ops, node.kind().str(), node.overload().str(), types);
}

llvm::SmallVector<const Type*, 2> resultTypes(Context& context, const OpInfo& op,
                                              llvm::ArrayRef<const Type*> types) {
  Bindings bindings;
  for (std::size_t i = 0; i < std::min(types.size(), op.schema.arguments.size()); ++i)
    matchesArgument(op.schema.arguments[i], types[i], bindings);
  llvm::SmallVector<const Type*, 2> out;
  for (const Argument& result : op.schema.results)
    out.push_back(copyType(context, substitute(context, copyType(context, result.type), bindings)));
  return out;
}

} // namespace tine
