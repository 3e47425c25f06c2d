#include "ir/type.h"

#include "llvm/ADT/STLExtras.h"
#include "support/error.h"

#include <algorithm>

namespace tine {
namespace {

const TensorInfo kPlainTensor;

/// The text of a kind without parts; empty for the others.
llvm::StringRef simpleText(TypeKind kind) {
  switch (kind) {
#define TINE_SIMPLE_TYPE(id, text)                                                                 \
  case TypeKind::id:                                                                               \
    return text;
#define TINE_TYPE(id)                                                                              \
  case TypeKind::id:                                                                               \
    return {};
#include "ir/types.def"
  }
  TINE_UNREACHABLE("type kind");
}

void profile(llvm::FoldingSetNodeID& id, TypeKind kind, llvm::ArrayRef<const Type*> elements,
             llvm::ArrayRef<Symbol> names, const TensorInfo* tensor) {
  id.AddInteger(static_cast<unsigned>(kind));
  id.AddInteger(elements.size());
  for (const Type* element : elements) id.AddPointer(element);
  for (Symbol name : names) id.AddPointer(name.id());
  if (!tensor) return;
  auto number = [&](const std::optional<std::int64_t>& v) {
    id.AddBoolean(v.has_value());
    id.AddInteger(v.value_or(0));
  };
  id.AddInteger(tensor->dtype ? static_cast<int>(*tensor->dtype) : -1);
  id.AddBoolean(tensor->hasRank);
  id.AddInteger(tensor->sizes.size());
  for (const auto& size : tensor->sizes) number(size);
  id.AddBoolean(tensor->hasStrides);
  for (const auto& stride : tensor->strides) number(stride);
  id.AddInteger(tensor->requiresGrad ? 1 + *tensor->requiresGrad : 0);
  id.AddBoolean(tensor->device.has_value());
  if (tensor->device) id.AddString(*tensor->device);
  id.AddBoolean(tensor->undefined);
}

void appendNumbers(std::string& out, llvm::ArrayRef<std::optional<std::int64_t>> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i) out += ", ";
    out += numbers[i] ? std::to_string(*numbers[i]) : "*";
  }
}

void printTensor(std::string& out, const TensorInfo& info) {
  if (info.dtype) out += irName(*info.dtype);
  if (!info.dtype || !info.hasRank) out += "Tensor";
  if (!info.hasRank && info.dtype && !info.device) {
    if (info.undefined) out += "[Undefined]";
    return;
  }
  bool parentheses = info.hasRank || info.device;
  if (parentheses) {
    out += '(';
    bool first = true;
    auto part = [&] {
      if (!first) out += ", ";
      first = false;
    };
    if (!info.sizes.empty()) {
      part();
      appendNumbers(out, info.sizes);
    }
    if (info.hasStrides && !info.strides.empty()) {
      part();
      out += "strides=[";
      appendNumbers(out, info.strides);
      out += ']';
    }
    if (info.requiresGrad) {
      part();
      out += *info.requiresGrad ? "requires_grad=1" : "requires_grad=0";
    }
    if (info.device) {
      part();
      out += "device=" + *info.device;
    }
    out += ')';
  }
  if (info.undefined) out += "[Undefined]";
}

/// Graph form and plain form differ in what `plain` says; both recurse by the nesting of types,
/// which the parser bounds.
void printType(std::string& out, const Type* type, bool plain) {
  auto elements = [&](llvm::StringRef open, llvm::StringRef close, bool innerPlain) {
    out += open;
    for (std::size_t i = 0; i < type->elements().size(); ++i) {
      if (i) out += ", ";
      printType(out, type->elements()[i], innerPlain);
    }
    out += close;
  };
  switch (type->kind()) {
#define TINE_SIMPLE_TYPE(id, text)                                                                 \
  case TypeKind::id:                                                                               \
    out += text;                                                                                   \
    break;
#include "ir/types.def"
  case TypeKind::Tensor:
    if (plain)
      out += "Tensor";
    else
      printTensor(out, type->tensor());
    break;
  case TypeKind::List:
    printType(out, type->element(), plain);
    out += "[]";
    break;
  case TypeKind::Optional:
    printType(out, type->element(), plain);
    out += '?';
    break;
  case TypeKind::Tuple:
    if (type->names().empty()) {
      elements("(", ")", plain);
      break;
    }
    out += "NamedTuple(";
    for (std::size_t i = 0; i < type->elements().size(); ++i) {
      if (i) out += ", ";
      out += type->names()[i].str();
      out += " : ";
      printType(out, type->elements()[i], plain);
    }
    out += ')';
    break;
  case TypeKind::Dict:
    elements("Dict(", ")", true);
    break;
  case TypeKind::Union:
    elements("Union(", ")", true);
    break;
  case TypeKind::Future:
    elements(plain ? "Future(" : "Future[", plain ? ")" : "]", plain);
    break;
  case TypeKind::RRef:
    elements(plain ? "RRef(" : "RRef[", plain ? ")" : "]", plain);
    break;
  case TypeKind::Await:
    elements(plain ? "Await(" : "Await[", plain ? ")" : "]", plain);
    break;
  case TypeKind::Class:
  case TypeKind::Var:
    out += type->name();
    break;
  case TypeKind::Interface:
    (out += "InterfaceType<").append(type->name()).append(">");
    break;
  case TypeKind::Enum:
    (out += "Enum<").append(type->name()).append(">");
    break;
  }
}

const Type* withElement(Context& context, TypeKind kind, const Type* element) {
  return context.intern({kind, {element}, {}, nullptr});
}

const Type* withName(Context& context, TypeKind kind, llvm::StringRef name) {
  return context.intern({kind, {}, {context.symbol(name)}, nullptr});
}

bool subtypeTensor(const TensorInfo& a, const TensorInfo& b) {
  auto within = [](const auto& known, const auto& wanted) { return !wanted || known == wanted; };
  auto listWithin = [&](bool has, const auto& known, bool wants, const auto& wanted) {
    if (!wants) return true;
    if (!has || known.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (!within(known[i], wanted[i])) return false;
    return true;
  };
  return within(a.dtype, b.dtype) && within(a.requiresGrad, b.requiresGrad) &&
         within(a.device, b.device) && listWithin(a.hasRank, a.sizes, b.hasRank, b.sizes) &&
         listWithin(a.hasStrides, a.strides, b.hasStrides, b.strides) &&
         (!b.undefined || a.undefined);
}

bool sameShell(const Type* a, const Type* b) {
  if (a->kind() != b->kind() || a->elements().size() != b->elements().size() ||
      a->names().size() != b->names().size())
    return false;
  for (std::size_t i = 0; i < a->names().size(); ++i)
    if (a->names()[i].str() != b->names()[i].str()) return false;
  return true;
}

/// Equal but for the refinement of tensors, which containers that can be written to do not promise.
bool equalUnrefined(const Type* a, const Type* b) {
  if (a == b) return true;
  if (!sameShell(a, b)) return false;
  for (std::size_t i = 0; i < a->elements().size(); ++i)
    if (!equalUnrefined(a->elements()[i], b->elements()[i])) return false;
  return true;
}

} // namespace

bool TensorInfo::operator==(const TensorInfo& o) const {
  return dtype == o.dtype && hasRank == o.hasRank && sizes == o.sizes &&
         hasStrides == o.hasStrides && strides == o.strides && requiresGrad == o.requiresGrad &&
         device == o.device && undefined == o.undefined;
}

bool TensorInfo::isPlain() const { return *this == kPlainTensor; }

#define TINE_SIMPLE_TYPE(id, text)                                                                 \
  const Type* Type::id##Type() {                                                                   \
    static const Type type(TypeKind::id, {}, {}, nullptr);                                         \
    return &type;                                                                                  \
  }
#include "ir/types.def"

const Type* Type::tensorType() {
  static const Type type(TypeKind::Tensor, {}, {}, &kPlainTensor);
  return &type;
}

void Type::print(std::string& out) const { printType(out, this, false); }
void Type::printPlain(std::string& out) const { printType(out, this, true); }

std::string Type::str() const {
  std::string out;
  print(out);
  return out;
}

void Type::Profile(llvm::FoldingSetNodeID& id) const {
  profile(id, kind_, elements_, names_, tensor_);
}

const Type* Context::intern(const TypeData& data) {
  TINE_CHECK(simpleText(data.kind).empty());
  std::lock_guard lock(mutex_);
  llvm::FoldingSetNodeID id;
  profile(id, data.kind, data.elements, data.names, data.tensor);
  void* position = nullptr;
  if (const Type* known = types_.FindNodeOrInsertPos(id, position)) return known;
  auto elements = llvm::ArrayRef(data.elements).copy(arena_);
  auto names = llvm::ArrayRef(data.names).copy(arena_);
  const TensorInfo* tensor =
      data.tensor ? new (arena_.Allocate<TensorInfo>()) TensorInfo(*data.tensor) : nullptr;
  auto* type = new (arena_.Allocate<Type>()) Type(data.kind, elements, names, tensor);
  types_.InsertNode(type, position);
  return type;
}

const Type* tensorOf(Context& context, const TensorInfo& info) {
  if (info.isPlain()) return Type::tensorType();
  return context.intern({TypeKind::Tensor, {}, {}, &info});
}

const Type* listOf(Context& context, const Type* element) {
  return withElement(context, TypeKind::List, element);
}
const Type* futureOf(Context& context, const Type* element) {
  return withElement(context, TypeKind::Future, element);
}
const Type* rrefOf(Context& context, const Type* element) {
  return withElement(context, TypeKind::RRef, element);
}
const Type* awaitOf(Context& context, const Type* element) {
  return withElement(context, TypeKind::Await, element);
}

const Type* optionalOf(Context& context, const Type* element) {
  return element->is(TypeKind::Optional) ? element
                                         : withElement(context, TypeKind::Optional, element);
}

const Type* tupleOf(Context& context, llvm::ArrayRef<const Type*> elements) {
  return context.intern({TypeKind::Tuple, {elements.begin(), elements.end()}, {}, nullptr});
}

const Type* namedTupleOf(Context& context, llvm::ArrayRef<Symbol> fields,
                         llvm::ArrayRef<const Type*> elements) {
  TINE_CHECK(fields.size() == elements.size());
  return context.intern({TypeKind::Tuple,
                         {elements.begin(), elements.end()},
                         {fields.begin(), fields.end()},
                         nullptr});
}

const Type* dictOf(Context& context, const Type* key, const Type* value) {
  return context.intern({TypeKind::Dict, {key, value}, {}, nullptr});
}

const Type* unionOf(Context& context, llvm::ArrayRef<const Type*> members) {
  return context.intern({TypeKind::Union, {members.begin(), members.end()}, {}, nullptr});
}

const Type* classOf(Context& context, llvm::StringRef name) {
  return withName(context, TypeKind::Class, name);
}
const Type* interfaceOf(Context& context, llvm::StringRef name) {
  return withName(context, TypeKind::Interface, name);
}
const Type* enumOf(Context& context, llvm::StringRef name) {
  return withName(context, TypeKind::Enum, name);
}
const Type* typeVar(Context& context, llvm::StringRef name) {
  return withName(context, TypeKind::Var, name);
}

const Type* copyType(Context& to, const Type* type) {
  if (!simpleText(type->kind()).empty()) return type;
  if (type->is(TypeKind::Tensor)) return tensorOf(to, type->tensor());
  TypeData data{type->kind(), {}, {}, nullptr};
  for (const Type* element : type->elements()) data.elements.push_back(copyType(to, element));
  for (Symbol name : type->names()) data.names.push_back(to.symbol(name.str()));
  return to.intern(data);
}

bool equal(const Type* a, const Type* b) {
  if (a == b) return true;
  if (!sameShell(a, b)) return false;
  if (a->is(TypeKind::Tensor)) return a->tensor() == b->tensor();
  for (std::size_t i = 0; i < a->elements().size(); ++i)
    if (!equal(a->elements()[i], b->elements()[i])) return false;
  return true;
}

bool isSubtype(const Type* a, const Type* b) {
  if (a == b || b->is(TypeKind::Any)) return true;
  switch (b->kind()) {
  case TypeKind::Tensor:
    return a->is(TypeKind::Tensor) && subtypeTensor(a->tensor(), b->tensor());
  case TypeKind::Number:
    return a->is(TypeKind::Int) || a->is(TypeKind::Float) || a->is(TypeKind::Complex) ||
           a->is(TypeKind::SymInt);
  case TypeKind::Int:
  case TypeKind::SymInt:
    return a->is(TypeKind::Int) || a->is(TypeKind::SymInt);
  case TypeKind::Optional:
    if (a->is(TypeKind::None)) return true;
    if (a->is(TypeKind::Optional)) return isSubtype(a->element(), b->element());
    return isSubtype(a, b->element());
  case TypeKind::Union: {
    auto fits = [&](const Type* part) {
      return llvm::any_of(b->elements(),
                          [&](const Type* member) { return isSubtype(part, member); });
    };
    if (a->is(TypeKind::Union)) return llvm::all_of(a->elements(), fits);
    if (a->is(TypeKind::Optional)) return fits(Type::noneType()) && fits(a->element());
    return fits(a);
  }
  case TypeKind::Tuple:
    // A NamedTuple is a tuple; a tuple is not a NamedTuple.
    if (!a->is(TypeKind::Tuple) || a->elements().size() != b->elements().size()) return false;
    if (!b->names().empty() && !sameShell(a, b)) return false;
    for (std::size_t i = 0; i < a->elements().size(); ++i)
      if (!isSubtype(a->elements()[i], b->elements()[i])) return false;
    return true;
  case TypeKind::AnyList:
    return a->is(TypeKind::List);
  case TypeKind::AnyTuple:
    return a->is(TypeKind::Tuple);
  case TypeKind::AnyClass:
    return a->is(TypeKind::Class);
  case TypeKind::AnyEnum:
    return a->is(TypeKind::Enum);
  case TypeKind::Future:
  case TypeKind::RRef:
  case TypeKind::Await:
    return a->kind() == b->kind() && isSubtype(a->element(), b->element());
  case TypeKind::Interface:
    return a->is(TypeKind::Class) || (a->is(TypeKind::Interface) && a->name() == b->name());
  case TypeKind::List:
  case TypeKind::Dict:
    return equalUnrefined(a, b);
  case TypeKind::Float:
  case TypeKind::Complex:
  case TypeKind::Bool:
  case TypeKind::Str:
  case TypeKind::None:
  case TypeKind::Device:
  case TypeKind::Generator:
  case TypeKind::Stream:
  case TypeKind::Storage:
  case TypeKind::QScheme:
  case TypeKind::Quantizer:
  case TypeKind::Capsule:
  case TypeKind::Any:
  case TypeKind::PyObject:
  case TypeKind::Function:
  case TypeKind::Class:
  case TypeKind::Enum:
  case TypeKind::Var:
    return equal(a, b);
  }
  TINE_UNREACHABLE("type kind");
}

} // namespace tine
