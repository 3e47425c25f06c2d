#include "ir/print_parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "tensor/device.h"

#include <charconv>
#include <cstdio>

namespace tine {
namespace {

/// A list can hold itself; deeper than the parser reads, the text stops.
constexpr int kMaxDepth = 200;
constexpr std::int64_t kMaxElements = 10; // of a tensor that TorchScript writes out

/// TorchScript's text of a tensor: `{2}`, ` 1  2 [ CPULongType{2} ]`, `<Tensor>`.
void printRoundedTensor(std::string& out, const Tensor& t) {
  if (!t.defined() || t.numel() > kMaxElements) {
    out += "<Tensor>";
  } else if (t.numel() != 1) {
    std::string text = streamStr(t);
    std::replace(text.begin(), text.end(), '\n', ' ');
    out += text;
  } else {
    out += '{';
    if (isFloating(t.dtype())) {
      char buffer[32];
      int length = std::snprintf(buffer, sizeof buffer, "%g", t.toDouble());
      out.append(buffer, static_cast<std::size_t>(length));
    } else {
      appendInt(out, t.toInt());
    }
    out += '}';
  }
}

void appendElement(std::string& out, double v) { appendDouble(out, v, Style::Lossless); }
void appendElement(std::string& out, float v) { appendFloat32(out, v); }
void appendElement(std::string& out, bool v) { out += v ? '1' : '0'; }
template <class T> void appendElement(std::string& out, T v) { appendInt(out, v); }

/// `tensor<Float>([2], [1., 2.])`, bit for bit.
void printExactTensor(std::string& out, const Tensor& t) {
  out += "tensor<";
  out += irName(t.dtype());
  out += ">([";
  llvm::ListSeparator sizeComma;
  for (std::int64_t size : t.sizes()) {
    out += llvm::StringRef(sizeComma);
    appendInt(out, size);
  }
  out += "], [";
  Tensor row = t.contiguous();
  dispatch(row.dtype(), [&](auto zero) {
    using T = decltype(zero);
    llvm::ListSeparator comma;
    for (const T& element : llvm::ArrayRef(row.data<T>(), static_cast<std::size_t>(row.numel()))) {
      out += llvm::StringRef(comma);
      appendElement(out, element);
    }
  });
  out += t.isWrappedNumber() ? "], wrapped)" : "])";
}

/// Can the type of a list be told from its elements? \source TorchScript's printing of constants
bool tellsType(const Type* element) {
  return !element || !(element->is(TypeKind::Optional) || element->is(TypeKind::Union) ||
                       element->is(TypeKind::Interface) || element->is(TypeKind::Any));
}

/// The type under an Optional, when it is of this kind; else null.
const Type* known(const Type* type, TypeKind kind) {
  if (type && type->is(TypeKind::Optional)) type = type->element();
  return type && type->is(kind) ? type : nullptr;
}

class ValuePrinter {
public:
  ValuePrinter(std::string& out, Style style) : out_(out), lossless_(style == Style::Lossless) {}

  void print(const IValue& value, const Type* type) {
    if (++depth_ > kMaxDepth)
      out_ += "<too deep>";
    else
      printShallow(value, type);
    --depth_;
  }

private:
  void printShallow(const IValue& value, const Type* type) {
    Style style = lossless_ ? Style::Lossless : Style::Compat;
    switch (value.tag()) {
    case Tag::None:
      out_ += "None";
      break;
    case Tag::Bool:
      out_ += value.toBool() ? "True" : "False";
      break;
    case Tag::Int:
      appendInt(out_, value.toInt());
      break;
    case Tag::Double:
      appendDouble(out_, value.toDouble(), style);
      break;
    case Tag::Complex:
      appendComplex(out_, value.toComplex(), style);
      break;
    case Tag::String:
      appendQuoted(out_, value.toStringRef(), style);
      break;
    case Tag::Device:
      out_ += "torch.device(\"" + Device::fromCode(value.toDevice()).str() + "\")";
      break;
    case Tag::Tensor:
      if (lossless_)
        printExactTensor(out_, value.asTensor());
      else
        printRoundedTensor(out_, value.asTensor());
      break;
    case Tag::List:
      printList(value.toList(), known(type, TypeKind::List));
      break;
    case Tag::Tuple:
      printTuple(value.toTuple(), known(type, TypeKind::Tuple));
      break;
    case Tag::Dict:
      printDict(value.toDict(), known(type, TypeKind::Dict));
      break;
    case Tag::Object:
      printObject(value.toObject());
      break;
    case Tag::Function:
    case Tag::Uninitialized:
    case Tag::Future:
    case Tag::RRef:
      opaque(("<" + llvm::Twine(name(value.tag())) + ">").str());
      break;
    }
  }

  /// A member of an enum is `__torch__.Color.RED`; the lossless text has its value, too.
  void printObject(const Object& object) {
    if (!object.layout->isEnum) return opaque("object(" + object.layout->name + ")");
    if (lossless_) out_ += "enum(";
    out_ += object.layout->name + "." + object.slots[0].toStringRef().str();
    if (!lossless_) return;
    out_ += ", ";
    print(object.slots[1], nullptr);
    out_ += ')';
  }

  /// A value that no text holds.
  void opaque(const std::string& text) {
    if (!lossless_) {
      out_ += text;
      return;
    }
    out_ += "verbatim(";
    appendQuoted(out_, text, Style::Lossless);
    out_ += ')';
  }

  void printItems(llvm::ArrayRef<IValue> items, llvm::function_ref<const Type*(std::size_t)> type) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i) out_ += ", ";
      print(items[i], type(i));
    }
  }

  void printList(const List& list, const Type* type) {
    const Type* element = type ? type->element() : nullptr;
    llvm::ArrayRef<IValue> items = list.items;
    if (!lossless_) {
      bool tensors =
          element
              ? element->is(TypeKind::Tensor)
              : !items.empty() && llvm::all_of(items, [](const IValue& v) { return v.isTensor(); });
      if (tensors) {
        out_ += "[<Tensors>]";
        return;
      }
    }
    bool annotate = !lossless_ && (items.empty() || !tellsType(element));
    if (annotate) {
      out_ += "annotate(List[";
      (element ? element : Type::AnyType())->printAnnotation(out_);
      out_ += "], ";
    }
    out_ += '[';
    printItems(items, [&](std::size_t) { return element; });
    out_ += annotate ? "])" : "]";
  }

  void printTuple(const Tuple& tuple, const Type* type) {
    bool typed = type && type->elements().size() == tuple.items.size();
    auto typeOf = [&](std::size_t i) { return typed ? type->elements()[i] : nullptr; };
    if (lossless_ && tuple.names && tuple.names->size() == tuple.items.size()) {
      out_ += "namedtuple(";
      for (std::size_t i = 0; i < tuple.items.size(); ++i) {
        if (i) out_ += ", ";
        appendQuoted(out_, (*tuple.names)[i], Style::Lossless);
        out_ += "=";
        print(tuple.items[i], typeOf(i));
      }
      out_ += ')';
      return;
    }
    out_ += '(';
    printItems(tuple.items, typeOf);
    out_ += tuple.items.size() == 1 ? ",)" : ")";
  }

  void printDict(const Dict& dict, const Type* type) {
    const Type* keyType = type ? type->elements()[0] : nullptr;
    const Type* valueType = type ? type->elements()[1] : nullptr;
    bool annotate = !lossless_ && (dict.items.empty() || !tellsType(valueType));
    if (annotate) {
      out_ += "annotate(Dict[";
      (keyType ? keyType : Type::AnyType())->printAnnotation(out_);
      out_ += ", ";
      (valueType ? valueType : Type::AnyType())->printAnnotation(out_);
      out_ += "],";
    }
    out_ += '{';
    llvm::ListSeparator comma;
    for (const auto& [key, value] : dict.items) {
      out_ += llvm::StringRef(comma);
      print(key, keyType);
      out_ += ": ";
      print(value, valueType);
    }
    out_ += annotate ? "})" : "}";
  }

  std::string& out_;
  bool lossless_;
  int depth_ = 0;
};

bool converts(const IValue& value, const Type* type, int depth) {
  if (!type || depth > kMaxDepth) return false;
  if (type->is(TypeKind::Optional)) return converts(value, type->element(), depth + 1);
  if (value.isInt()) return type->is(TypeKind::Float) || type->is(TypeKind::Complex);
  if (value.isDouble()) return type->is(TypeKind::Complex);
  if (value.isString()) return type->is(TypeKind::Device);
  if (value.isList() && type->is(TypeKind::List))
    return llvm::any_of(value.toList().items, [&](const IValue& item) {
      return converts(item, type->element(), depth + 1);
    });
  if (value.isTuple() && type->is(TypeKind::Tuple)) {
    llvm::ArrayRef<IValue> items = value.toTuple().items;
    for (std::size_t i = 0; i < items.size() && i < type->elements().size(); ++i)
      if (converts(items[i], type->elements()[i], depth + 1)) return true;
  }
  if (value.isDict() && type->is(TypeKind::Dict))
    for (const auto& [key, mapped] : value.toDict().items)
      if (converts(key, type->elements()[0], depth + 1) ||
          converts(mapped, type->elements()[1], depth + 1))
        return true;
  return false;
}

constexpr llvm::StringLiteral kKindNames[] = {"f", "fs", "c", "cs", "i",  "is",  "s",   "ss",
                                              "t", "ts", "g", "gs", "ty", "tys", "ival"};

} // namespace

void appendInt(std::string& out, std::int64_t value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void printValue(std::string& out, const IValue& value, const Type* type, Style style) {
  ValuePrinter(out, style).print(value, type);
}

bool typeConverts(const IValue& value, const Type* type) { return converts(value, type, 0); }

llvm::StringRef name(AttrKind kind) { return kKindNames[static_cast<int>(kind)]; }

std::optional<AttrKind> attrKindFromName(llvm::StringRef text) {
  for (std::size_t i = 0; i < std::size(kKindNames); ++i)
    if (kKindNames[i] == text) return static_cast<AttrKind>(i);
  return std::nullopt;
}

AttrKind inferredKind(const Attribute& attribute, bool constant) {
  if (attribute.isVerbatim()) return AttrKind::ival;
  if (attribute.kind == AttrKind::g ||
      (attribute.kind == AttrKind::gs && !attribute.graphs.empty()) ||
      (!constant && (attribute.kind == AttrKind::ty || attribute.kind == AttrKind::tys)))
    return attribute.kind;
  switch (attribute.value.tag()) {
  case Tag::Bool:
  case Tag::Int:
    return AttrKind::i;
  case Tag::Double:
    return AttrKind::f;
  case Tag::Complex:
    return AttrKind::c;
  case Tag::String:
    return AttrKind::s;
  case Tag::Tensor:
    return AttrKind::t;
  case Tag::List: {
    llvm::ArrayRef<IValue> items = attribute.value.toList().items;
    if (constant) return AttrKind::ival;
    if (items.empty()) return attribute.types.empty() ? AttrKind::tys : AttrKind::ival;
    auto all = [&](auto is) { return llvm::all_of(items, is); };
    if (all([](const IValue& v) { return v.isInt(); })) return AttrKind::is;
    if (all([](const IValue& v) { return v.isDouble() || v.isInt(); })) return AttrKind::fs;
    if (all([](const IValue& v) { return v.isComplex(); })) return AttrKind::cs;
    if (all([](const IValue& v) { return v.isString(); })) return AttrKind::ss;
    if (all([](const IValue& v) { return v.isTensor(); })) return AttrKind::ts;
    return AttrKind::ival;
  }
  case Tag::None:
  case Tag::Device:
  case Tag::Function:
  case Tag::Uninitialized:
  case Tag::Tuple:
  case Tag::Dict:
  case Tag::Object:
  case Tag::Future:
  case Tag::RRef:
    return AttrKind::ival;
  }
  TINE_UNREACHABLE("tag");
}

} // namespace tine
