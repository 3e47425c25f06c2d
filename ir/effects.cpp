#include "ir/effects.h"

namespace tine {

namespace {
// Can what lies behind a value of this type change?
bool isMutable(const Type* type) {
  switch (type->kind()) {
  case TypeKind::Tensor:
  case TypeKind::List:
  case TypeKind::Dict:
  case TypeKind::Future:
  case TypeKind::RRef:
  case TypeKind::Await:
  case TypeKind::Class:
  case TypeKind::Interface:
  case TypeKind::Any:
  case TypeKind::AnyClass:
  case TypeKind::AnyList:
  case TypeKind::AnyTuple:
  case TypeKind::Generator:
  case TypeKind::Stream:
  case TypeKind::Storage:
  case TypeKind::Capsule:
  case TypeKind::PyObject:
  case TypeKind::Function:
  case TypeKind::Var:
    return true;
  case TypeKind::Optional:
  case TypeKind::Tuple:
  case TypeKind::Union:
    for (const Type* element : type->elements())
      if (isMutable(element)) return true;
    return false;
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Complex:
  case TypeKind::Bool:
  case TypeKind::Str:
  case TypeKind::Number:
  case TypeKind::None:
  case TypeKind::Device:
  case TypeKind::QScheme:
  case TypeKind::Quantizer:
  case TypeKind::AnyEnum:
  case TypeKind::Enum:
  case TypeKind::SymInt:
    return false;
  }
  return true;
}
} // namespace

Effects Effects::fromSchema(const Schema& schema) {
  Effects effects = pure();
  effects.raises = true;
  effects.reads = schema.varargs;
  for (const Argument& argument : schema.arguments) {
    effects.reads |= isMutable(argument.type);
    effects.writes |= argument.written;
  }
  return effects;
}

bool Effects::interferes(const Effects& other) const {
  if (suspends || other.suspends) return true; // what runs meanwhile may do anything
  if (external && other.external) return true; // the order of output, of random numbers
  if ((writes && (other.reads || other.writes)) || (other.writes && reads)) return true;
  // An error must not overtake, nor come after, what others can see.
  return (raises && (other.writes || other.external)) || (other.raises && (writes || external));
}

Effects Effects::operator|(const Effects& other) const {
  return {reads || other.reads,
          writes || other.writes,
          external || other.external,
          raises || other.raises,
          nondeterministic || other.nondeterministic,
          suspends || other.suspends};
}

} // namespace tine
