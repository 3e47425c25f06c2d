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
             llvm::ArrayRef<Symbol> names, llvm::ArrayRef<Symbol> defaults,
             const TensorInfo* tensor) {
  id.AddInteger(static_cast<unsigned>(kind));
  id.AddInteger(elements.size());
  for (const Type* element : elements) id.AddPointer(element);
  for (Symbol name : names) id.AddPointer(name.id());
  for (Symbol text : defaults) id.AddPointer(text.id());
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

void printTensor(std::string& out, const TensorInfo& info, bool lossless) {
  if (info.dtype) out += irName(*info.dtype);
  if (!info.dtype || !info.hasRank) out += "Tensor";
  bool strides = info.hasStrides && (lossless || !info.strides.empty());
  // Without a dtype, `Tensor(device=cpu)` may have no dimensions or an unknown number of them.
  bool rank = lossless && info.hasRank && !info.dtype && info.sizes.empty() &&
              (strides || info.requiresGrad || info.device);
  if (info.hasRank || strides || info.requiresGrad || info.device) {
    out += '(';
    llvm::StringRef separator = "";
    auto part = [&](llvm::StringRef text) {
      out += separator;
      out += text;
      separator = ", ";
    };
    if (rank) part("rank=0");
    if (!info.sizes.empty()) part(""), appendNumbers(out, info.sizes);
    if (strides) part("strides=["), appendNumbers(out, info.strides), out += ']';
    if (info.requiresGrad) part(*info.requiresGrad ? "requires_grad=1" : "requires_grad=0");
    if (info.device) part("device="), out += *info.device;
    out += ')';
  }
  if (info.undefined) out += "[Undefined]";
}

/// The spellings of types. Plain is what TorchScript uses inside Dict and Union.
enum class Spelling { Graph, Plain, Annotation, Lossless };

bool isNumber(const Type* type) {
  return type->is(TypeKind::Int) || type->is(TypeKind::Float) || type->is(TypeKind::Complex) ||
         type->is(TypeKind::Number);
}

/// Do the members include every kind of number? Then TorchScript prints those once, as `Scalar`.
bool holdsNumber(llvm::ArrayRef<const Type*> members) {
  auto has = [&](TypeKind kind) {
    return llvm::any_of(members, [&](const Type* t) { return t->is(kind); });
  };
  return has(TypeKind::Number) ||
         (has(TypeKind::Int) && has(TypeKind::Float) && has(TypeKind::Complex));
}

/// Is the name one that reads back bare: identifiers joined by dots?
bool isPlainName(llvm::StringRef name) {
  bool start = true;
  for (char c : name) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (start || !((c >= '0' && c <= '9') || c == '.'))) return false;
    start = c == '.';
  }
  return !start;
}

/// `Enum<name>`; quoted where TorchScript's spelling would not read back.
void appendNamed(std::string& out, llvm::StringRef word, llvm::StringRef name, Spelling spelling) {
  out += word;
  out += '<';
  if (spelling == Spelling::Lossless && !isPlainName(name))
    appendQuoted(out, name, Style::Lossless);
  else
    out += name;
  out += '>';
}

/// Recurses by the nesting of types, which the parser bounds.
void printType(std::string& out, const Type* type, Spelling spelling) {
  bool annotation = spelling == Spelling::Annotation, lossless = spelling == Spelling::Lossless;
  bool parentheses = spelling == Spelling::Plain;
  Spelling inner = spelling == Spelling::Graph ? Spelling::Plain : spelling;
  auto elements = [&](llvm::StringRef open, llvm::StringRef close, Spelling of) {
    out += open;
    for (std::size_t i = 0; i < type->elements().size(); ++i) {
      if (i) out += ", ";
      printType(out, type->elements()[i], of);
    }
    out += close;
  };
  auto wrapped = [&](llvm::StringRef word) {
    out += word;
    elements(parentheses ? "(" : "[", parentheses ? ")" : "]", spelling);
  };
  switch (type->kind()) {
#define TINE_SIMPLE_TYPE(id, text)                                                                 \
  case TypeKind::id:                                                                               \
    out += text;                                                                                   \
    break;
#include "ir/types.def"
  case TypeKind::Tensor:
    if (parentheses || annotation)
      out += "Tensor";
    else
      printTensor(out, type->tensor(), lossless);
    break;
  case TypeKind::List:
    if (annotation) return wrapped("List");
    printType(out, type->element(), spelling);
    out += "[]";
    break;
  case TypeKind::Optional:
    if (annotation) return wrapped("Optional");
    printType(out, type->element(), spelling);
    out += '?';
    break;
  case TypeKind::Tuple:
    if (type->names().empty()) {
      if (annotation && type->elements().empty())
        out += "Tuple[()]";
      else
        elements(annotation ? "Tuple[" : "(", annotation ? "]" : ")", spelling);
      break;
    }
    out += "NamedTuple(";
    for (std::size_t i = 0; i < type->elements().size(); ++i) {
      if (i) out += ", ";
      out += type->names()[i].str();
      out += " : ";
      printType(out, type->elements()[i], spelling);
      llvm::StringRef text = i < type->defaults().size() ? type->defaults()[i].str() : "";
      if (!text.consume_front("=")) continue;
      out += " = ";
      if (lossless) {
        out += "verbatim(";
        appendQuoted(out, text, Style::Lossless);
        out += ')';
      } else {
        out += text;
      }
    }
    out += ')';
    break;
  case TypeKind::Dict:
    elements(annotation ? "Dict[" : "Dict(", annotation ? "]" : ")", inner);
    break;
  case TypeKind::Union: {
    out += annotation ? "Union[" : "Union(";
    // The commas are TorchScript's: `Union(TensorScalar)`, `Union(, bool, Scalar)`.
    bool numbers = !lossless && holdsNumber(type->elements()), separated = false;
    for (std::size_t i = 0; i < type->elements().size(); ++i) {
      const Type* member = type->elements()[i];
      if (numbers && isNumber(member)) continue;
      if (i) out += ", ", separated = true;
      printType(out, member, inner);
    }
    if (numbers) {
      if (separated) out += ", ";
      out += annotation ? "number" : "Scalar";
    }
    out += annotation ? ']' : ')';
    break;
  }
  case TypeKind::Future:
    return wrapped("Future");
  case TypeKind::RRef:
    return wrapped("RRef");
  case TypeKind::Await:
    return wrapped("Await");
  case TypeKind::Class:
    if (lossless && !(isPlainName(type->name()) && type->name().contains('.')))
      appendNamed(out, "Class", type->name(), spelling);
    else
      out += type->name();
    break;
  case TypeKind::Var:
    if (lossless)
      appendNamed(out, "Var", type->name(), spelling);
    else
      out += type->name();
    break;
  case TypeKind::Interface:
    if (annotation)
      out += type->name();
    else
      appendNamed(out, "InterfaceType", type->name(), spelling);
    break;
  case TypeKind::Enum:
    if (annotation)
      out += type->name();
    else
      appendNamed(out, "Enum", type->name(), spelling);
    break;
  }
}

const Type* withElement(Context& context, TypeKind kind, const Type* element) {
  return context.intern({kind, {element}, {}, nullptr, {}});
}

const Type* withName(Context& context, TypeKind kind, llvm::StringRef name) {
  return context.intern({kind, {}, {context.symbol(name)}, nullptr, {}});
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

void Type::print(std::string& out, Style style) const {
  printType(out, this, style == Style::Compat ? Spelling::Graph : Spelling::Lossless);
}
void Type::printPlain(std::string& out) const { printType(out, this, Spelling::Plain); }
void Type::printAnnotation(std::string& out) const { printType(out, this, Spelling::Annotation); }

std::string Type::str(Style style) const {
  std::string out;
  print(out, style);
  return out;
}

void Type::Profile(llvm::FoldingSetNodeID& id) const {
  profile(id, kind_, elements_, names_, defaults_, tensor_);
}

const Type* Context::intern(const TypeData& data) {
  TINE_CHECK(simpleText(data.kind).empty());
  std::lock_guard lock(mutex_);
  llvm::FoldingSetNodeID id;
  profile(id, data.kind, data.elements, data.names, data.defaults, data.tensor);
  void* position = nullptr;
  if (const Type* known = types_.FindNodeOrInsertPos(id, position)) return known;
  auto elements = llvm::ArrayRef(data.elements).copy(arena_);
  auto names = llvm::ArrayRef(data.names).copy(arena_);
  auto defaults = llvm::ArrayRef(data.defaults).copy(arena_);
  const TensorInfo* tensor =
      data.tensor ? new (arena_.Allocate<TensorInfo>()) TensorInfo(*data.tensor) : nullptr;
  auto* type = new (arena_.Allocate<Type>()) Type(data.kind, elements, names, tensor, defaults);
  types_.InsertNode(type, position);
  return type;
}

const Type* tensorOf(Context& context, const TensorInfo& info) {
  if (info.isPlain()) return Type::tensorType();
  if (!info.hasStrides || !info.hasRank || !info.sizes.empty())
    return context.intern({TypeKind::Tensor, {}, {}, &info, {}});
  // No dimensions have no strides, whether somebody knew that or not: one type, not two.
  TensorInfo same = info;
  same.hasStrides = false;
  return context.intern({TypeKind::Tensor, {}, {}, &same, {}});
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
  return context.intern({TypeKind::Tuple, {elements.begin(), elements.end()}, {}, nullptr, {}});
}

const Type* namedTupleOf(Context& context, llvm::ArrayRef<Symbol> fields,
                         llvm::ArrayRef<const Type*> elements, llvm::ArrayRef<Symbol> defaults) {
  TINE_CHECK(fields.size() == elements.size());
  TypeData data{TypeKind::Tuple, {}, {}, nullptr, {}};
  data.elements.assign(elements.begin(), elements.end());
  data.names.assign(fields.begin(), fields.end());
  if (llvm::any_of(defaults, [](Symbol text) { return !text.empty(); }))
    data.defaults.assign(defaults.begin(), defaults.end());
  return context.intern(data);
}

const Type* dictOf(Context& context, const Type* key, const Type* value) {
  return context.intern({TypeKind::Dict, {key, value}, {}, nullptr, {}});
}

const Type* unionOf(Context& context, llvm::ArrayRef<const Type*> members) {
  return context.intern({TypeKind::Union, {members.begin(), members.end()}, {}, nullptr, {}});
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
  TypeData data{type->kind(), {}, {}, nullptr, {}};
  for (const Type* element : type->elements()) data.elements.push_back(copyType(to, element));
  for (Symbol name : type->names()) data.names.push_back(to.symbol(name.str()));
  for (Symbol text : type->defaults())
    data.defaults.push_back(text.empty() ? text : to.symbol(text.str()));
  return to.intern(data);
}

bool equal(const Type* a, const Type* b) {
  if (a == b) return true;
  if (!sameShell(a, b)) return false;
  if (a->is(TypeKind::Tensor)) return a->tensor() == b->tensor();
  if (!llvm::equal(a->defaults(), b->defaults(),
                   [](Symbol x, Symbol y) { return x.str() == y.str(); }))
    return false;
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
