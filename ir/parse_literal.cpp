#include "ir/parse_parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "support/literal.h"
#include "tensor/device.h"
#include "tensor/print.h"

#include <algorithm>

namespace tine {
namespace {

/// Length of a tensor in TorchScript's spelling at the front: numbers, `(1,.,.) =` and `1e-05 *`,
/// then
/// `[ CPUFloatType{2} ...]`. 0 when there is none; looks no further than the first other sign.
std::size_t streamedLength(llvm::StringRef text) {
  llvm::StringRef s = text;
  s.consume_front("MKLDNN Tensor:");
  for (;;) {
    s = s.ltrim(' ');
    if (s.empty()) return 0;
    if (s[0] == '[') break;
    if (s[0] == '(') { // the index of a matrix
      std::size_t close = s.take_front(200).find(')');
      if (close == llvm::StringRef::npos || !s.substr(close + 1).starts_with(" =") ||
          s.substr(1, close - 1).find_first_not_of("0123456789,.") != llvm::StringRef::npos)
        return 0;
      s = s.drop_front(close + 3);
      continue;
    }
    std::size_t word = s.find_first_not_of("0123456789.+-einfa*");
    if (word == 0 || word == llvm::StringRef::npos || (s[word] != ' ' && s[word] != '[')) return 0;
    s = s.drop_front(word);
  }
  if (!s.starts_with("[ ") || s.size() < 4 || s[2] < 'A' || s[2] > 'Z') return 0;
  // Quantised tensors hold others: `scales:  0.1 [ CPUDoubleType{1} ], ...`.
  int open = 0;
  for (std::size_t i = 0; i < s.size() && s[i] != '\n'; ++i) {
    if (s[i] == '[') ++open;
    if (s[i] == ']' && --open == 0)
      return s.take_front(i).contains("Type{") ? text.size() - s.size() + i + 1 : 0;
  }
  return 0;
}

/// The dtype and sizes that a type knows of a tensor with one element.
std::optional<DType> scalarDType(const Type* type) {
  if (type && type->is(TypeKind::Optional)) type = type->element();
  if (!type || !type->is(TypeKind::Tensor)) return std::nullopt;
  return type->tensor().dtype;
}

template <class T> bool readElement(llvm::StringRef text, T& out) {
  std::optional<std::int64_t> value = readInt64(text);
  if (!value || static_cast<std::int64_t>(static_cast<T>(*value)) != *value) return false;
  out = static_cast<T>(*value);
  return true;
}
bool readElement(llvm::StringRef text, double& out) {
  std::optional<double> value = readDouble(text);
  if (value) out = *value;
  return value.has_value();
}
bool readElement(llvm::StringRef text, float& out) {
  std::optional<float> value = readFloat32(text);
  if (value) out = *value;
  return value.has_value();
}

} // namespace

std::optional<IValue> LiteralReader::fail(llvm::StringRef expected) {
  lex_.expected(expected);
  return std::nullopt;
}

bool LiteralReader::value(Attribute& attribute, const Type* type, std::optional<AttrKind> kind,
                          std::vector<GraphReference>& references) {
  opaque_ = rounded_ = false;
  annotation_ = nullptr;
  std::size_t start = lex_.offset();
  bool constant = type != nullptr;
  if (!streamedLength(lex_.rest())) lex_.skipSpace();
  if (lex_.looksAt("<Graph") || lex_.looksAt("[<Graph")) {
    if (!readGraphs(attribute, references)) return false;
  } else if (lex_.looksAt("verbatim(")) {
    lex_.advance(sizeof "verbatim(" - 1);
    std::optional<std::string> text = lex_.string();
    if (!text || !lex_.take(')') || text->empty())
      return !lex_.failed() && lex_.expected("a string and ')'");
    attribute.verbatim = std::move(*text);
    attribute.kind = AttrKind::ival;
  } else if (kind == AttrKind::gs) {
    if (!lex_.take("[]")) return lex_.expected("'[]' or graphs");
  } else if (kind == AttrKind::ty || kind == AttrKind::tys ||
             (!kind && !constant && !streamedLength(lex_.rest()) && startsType())) {
    if (!readTypes(attribute)) return false;
  } else {
    // What the text says of the kind is said because the type would mislead.
    std::optional<IValue> read = literal(kind ? nullptr : type);
    if (!read) return false;
    attribute.value = std::move(*read);
    if (annotation_ && !constant) attribute.types.push_back(annotation_);
    attribute.kind = inferredKind(attribute, constant);
    bool convertsInts = !kind && attribute.kind == AttrKind::fs;
    if (convertsInts)
      for (IValue& item : attribute.value.toList().items)
        if (item.isInt()) item = static_cast<double>(item.toInt());
    if (constant && !kind && type->is(TypeKind::Device) && attribute.value.isString())
      if (std::optional<Device> device = deviceFromName(attribute.value.toStringRef());
          device && device->str() == attribute.value.toStringRef()) {
        attribute.value = IValue::device(device->code());
        attribute.kind = AttrKind::ival;
      }
    if (!constant && !kind && annotation_ && annotation_->is(TypeKind::List)) {
      // TorchScript's own spelling of empty `is`, `fs`, `ss`.
      bool empty = attribute.value.isList() && attribute.value.toList().items.empty();
      const Type* element = annotation_->element();
      std::optional<AttrKind> plain;
      if (element->is(TypeKind::Int)) plain = AttrKind::is;
      if (element->is(TypeKind::Float)) plain = AttrKind::fs;
      if (element->is(TypeKind::Str)) plain = AttrKind::ss;
      if (element->is(TypeKind::Complex)) plain = AttrKind::cs;
      if (empty && plain) {
        attribute.kind = *plain;
        attribute.types.clear();
      }
    }
    bool verbatim = opaque_;
    if (rounded_ && !opaque_) {
      std::string again;
      attribute.kind == AttrKind::ts ? static_cast<void>(again = "[<Tensors>]")
                                     : printValue(again, attribute.value, type, Style::Compat);
      verbatim = again != lex_.since(start);
    }
    if (verbatim) {
      attribute.verbatim = lex_.since(start).str();
      attribute.kind = attribute.value.isTensor()                                      ? AttrKind::t
                       : attribute.verbatim == "<Tensor>"                              ? AttrKind::t
                       : attribute.verbatim.front() == '{' && attribute.value.isNone() ? AttrKind::t
                       : attribute.verbatim == "[<Tensors>]" && !constant ? AttrKind::ts
                                                                          : AttrKind::ival;
      attribute.value = IValue();
      attribute.types.clear();
    }
  }
  if (kind) attribute.kind = *kind;
  return true;
}

/// Does a type stand here, perhaps inside brackets or parentheses, rather than a literal?
bool LiteralReader::startsType() const {
  llvm::StringRef s =
      lex_.rest().drop_while([](char c) { return c == '[' || c == '(' || c == ' ' || c == '\n'; });
  llvm::StringRef word = s.take_while([](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (word.empty() || (word[0] >= '0' && word[0] <= '9')) return lex_.looksAt("[]");
  char after = s.substr(word.size()).empty() ? '\0' : s[word.size()];
  if (after == '(')
    return word != "annotate" && word != "object" && word != "nan" && word != "namedtuple" &&
           word != "verbatim";
  return llvm::StringSwitch<bool>(word)
      .Cases("True", "False", "None", "inf", "nan", "infj", "nanj", "torch", false)
      .Case("tensor", after != '<')
      .Default(true);
}

bool LiteralReader::readTypes(Attribute& attribute) {
  if (!lex_.take('[')) {
    const Type* type = types_.type();
    attribute.kind = AttrKind::ty;
    if (type) attribute.types.push_back(type);
    return type;
  }
  attribute.kind = AttrKind::tys;
  lex_.skipSpace();
  while (!lex_.take(']')) {
    if (!attribute.types.empty()) {
      if (!lex_.take(',')) return lex_.expected("',' or ']'");
      lex_.skipSpace();
    }
    const Type* type = types_.type();
    if (!type) return false;
    attribute.types.push_back(type);
    lex_.skipSpace();
  }
  return true;
}

/// `<Graph>`, whose graph the text does not hold, `<Graph 3>`, and lists of these.
bool LiteralReader::readGraphs(Attribute& attribute, std::vector<GraphReference>& references) {
  bool list = lex_.looksAt("[");
  attribute.kind = list ? AttrKind::gs : AttrKind::g;
  if (lex_.take(list ? "[<Graphs>]" : "<Graph>")) {
    attribute.verbatim = list ? "[<Graphs>]" : "<Graph>";
    return true;
  }
  if (list) lex_.advance();
  do {
    lex_.skipSpace();
    std::size_t start = lex_.offset();
    if (!lex_.take("<Graph ")) return lex_.expected("<Graph and a number>");
    llvm::StringRef number = lex_.digits();
    if (number.empty()) return lex_.expected("a number");
    if (!lex_.take('>')) return lex_.expected("'>'");
    references.push_back({start, ("Graph_" + llvm::Twine(number)).str()});
    lex_.skipSpace();
  } while (list && lex_.take(','));
  return !list || lex_.take(']') || lex_.expected("',' or ']'");
}

std::optional<IValue> LiteralReader::literal(const Type* type) {
  Lexer::Deeper deeper(lex_);
  if (!deeper.ok()) return std::nullopt;
  if (std::size_t length = streamedLength(lex_.rest())) return streamedTensor(length);
  lex_.skipSpace();
  if (type && type->is(TypeKind::Optional)) type = type->element();
  switch (char c = lex_.peek()) {
  case '[':
    return list(type);
  case '(':
    return tuple(type);
  case '{':
    return braces(type);
  case '<':
    return angle();
  case '"':
  case '\'': {
    std::optional<std::string> text = lex_.string();
    if (!text) return std::nullopt;
    return IValue(*text);
  }
  default:
    if ((c >= 'a' && c <= 'z' && !lex_.looksAt("inf") && !lex_.looksAt("nan")) ||
        (c >= 'A' && c <= 'Z') || c == '_')
      return word(type);
    return numeric(type);
  }
}

bool LiteralReader::items(char close, std::vector<IValue>& out,
                          llvm::function_ref<const Type*(std::size_t)> type) {
  for (;;) {
    if (!streamedLength(lex_.rest())) lex_.skipSpace();
    if (lex_.take(close)) return true;
    if (!out.empty()) {
      if (!lex_.take(',')) return lex_.expected(close == ')' ? "',' or ')'" : "',' or ']'");
      // `(1,)` has one item. A space after the comma may belong to a tensor.
      if (close == ')' && lex_.take(')')) return true;
      if (lex_.peek() == ' ') lex_.advance();
    }
    std::optional<IValue> item = literal(type(out.size()));
    if (!item) return false;
    out.push_back(std::move(*item));
  }
}

std::optional<IValue> LiteralReader::list(const Type* type) {
  if (lex_.looksAt("[<Tensors>]")) return opaqueText(sizeof "[<Tensors>]" - 1);
  lex_.advance();
  const Type* element = type && type->is(TypeKind::List) ? type->element() : nullptr;
  std::vector<IValue> out;
  if (!items(']', out, [&](std::size_t) { return element; })) return std::nullopt;
  return IValue::list(std::move(out));
}

std::optional<IValue> LiteralReader::tuple(const Type* type) {
  lex_.advance();
  llvm::ArrayRef<const Type*> elements;
  if (type && type->is(TypeKind::Tuple)) elements = type->elements();
  std::vector<IValue> out;
  auto typeOf = [&](std::size_t i) { return i < elements.size() ? elements[i] : nullptr; };
  if (!items(')', out, typeOf)) return std::nullopt;
  return IValue::tuple(std::move(out));
}

/// `namedtuple("x"=1, "y"=2)`
std::optional<IValue> LiteralReader::namedTuple() {
  auto tuple = makeRef<Tuple>();
  std::vector<std::string> names;
  lex_.skipSpace();
  while (!lex_.take(')')) {
    if (!names.empty()) {
      if (!lex_.take(',')) return fail("',' or ')'");
      lex_.skipSpace();
    }
    std::optional<std::string> name = lex_.string();
    if (!name || !lex_.take('=')) return fail("a quoted name and '='");
    std::optional<IValue> item = literal(nullptr);
    if (!item) return std::nullopt;
    names.push_back(std::move(*name));
    tuple->items.push_back(std::move(*item));
    lex_.skipSpace();
  }
  tuple->names = std::make_shared<const std::vector<std::string>>(std::move(names));
  return IValue(std::move(tuple));
}

/// A dict, or a tensor with one element: `{"a": 1}`, `{2.5}`, `{(1,2)}`.
std::optional<IValue> LiteralReader::braces(const Type* type) {
  lex_.advance();
  bool dict = type && type->is(TypeKind::Dict);
  const Type* keyType = dict ? type->elements()[0] : nullptr;
  const Type* valueType = dict ? type->elements()[1] : nullptr;
  auto out = makeRef<Dict>();
  lex_.skipSpace();
  bool first = true;
  while (!lex_.take('}')) {
    if (!first) {
      if (!lex_.take(',')) return fail("',' or '}'");
      lex_.skipSpace();
    }
    std::size_t keyStart = lex_.offset();
    std::optional<IValue> key = literal(keyType);
    if (!key) return std::nullopt;
    llvm::StringRef keyText = lex_.since(keyStart);
    lex_.skipSpace();
    if (first && lex_.take('}')) {
      if (key->isInt() || key->isDouble()) return scalarTensor(type, keyText);
      if (!key->isTuple())
        return lex_.error(keyStart, keyText.size(), "a number is wanted inside a tensor's braces"),
               std::nullopt;
      opaque_ = true; // a complex number, which has no kernels
      return IValue();
    }
    first = false;
    if (!lex_.take(':')) return fail("':'");
    if (lex_.peek() == ' ') lex_.advance();
    std::optional<IValue> value = literal(valueType);
    if (!value) return std::nullopt;
    if (!key->isNumber() && !key->isString()) {
      lex_.error(keyStart, keyText.size(), "a key of this kind does not exist");
      return std::nullopt;
    }
    if (out->find(*key)) {
      lex_.error(keyStart, keyText.size(), "a key that the dict has already");
      return std::nullopt;
    }
    out->set(std::move(*key), std::move(*value));
    lex_.skipSpace();
  }
  return IValue(std::move(out));
}

/// `<Tensor>` and other values that TorchScript only names.
std::optional<IValue> LiteralReader::angle() {
  std::size_t close = lex_.findOnLine('>');
  llvm::StringRef inside = lex_.rest().substr(1, close == llvm::StringRef::npos ? 0 : close - 1);
  if (inside.empty() ||
      inside.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") !=
          llvm::StringRef::npos)
    return fail("a value");
  return opaqueText(close + 1);
}

std::optional<IValue> LiteralReader::opaqueText(std::size_t length) {
  lex_.advance(length);
  opaque_ = true;
  return IValue();
}

std::optional<IValue> LiteralReader::word(const Type* type) {
  std::size_t start = lex_.offset();
  llvm::StringRef text = lex_.dotted();
  if (text == "True") return IValue(true);
  if (text == "False") return IValue(false);
  if (text == "None") return IValue();
  if (text == "annotate" && lex_.take('(')) return annotated();
  if (text == "namedtuple" && lex_.take('(')) return namedTuple();
  if (text == "tensor" && lex_.take('<')) return exactTensor();
  if (text == "torch.device" && lex_.take('(')) {
    std::size_t at = lex_.offset();
    std::optional<std::string> name = lex_.string();
    if (!name) return fail("a device's name");
    std::optional<Device> device = deviceFromName(*name);
    if (!device || device->str() != *name) {
      lex_.error(at, lex_.offset() - at, "unknown device '" + *name + "'");
      return std::nullopt;
    }
    if (!lex_.take(')')) return fail("')'");
    return IValue::device(device->code());
  }
  if (text == "enum" && lex_.take('(')) return enumMember();
  // The address or name of an object, a part of an enum: the value is not in the text.
  if (text == "object" && lex_.peek() == '(') {
    std::size_t close = lex_.findOnLine(')');
    if (close == llvm::StringRef::npos) return fail("')'");
    return opaqueText(close + 1);
  }
  if (text == "verbatim" && lex_.take('(')) {
    std::optional<std::string> inner = lex_.string();
    if (!inner || !lex_.take(')')) return fail("a string and ')'");
    opaque_ = true;
    return IValue();
  }
  if (text.contains('.') || (type && type->is(TypeKind::Enum))) {
    opaque_ = true;
    return IValue();
  }
  constexpr llvm::StringLiteral known[] = {"True", "False",    "None",  "inf",
                                           "nan",  "annotate", "tensor"};
  lex_.error(start, text.size(),
             (llvm::Twine("unknown value '") + text + "'").str() +
                 didYouMean(
                     text, [&](std::size_t i) { return known[i]; }, std::size(known)));
  return std::nullopt;
}

/// `enum(__torch__.Color.RED, 1)`
std::optional<IValue> LiteralReader::enumMember() {
  const auto [type, name] = lex_.dotted().rsplit('.');
  if (type.empty() || name.empty()) return fail("the name of an enum's member");
  lex_.skipSpace();
  if (!lex_.take(',')) return fail("','");
  lex_.skipSpace();
  std::optional<IValue> value = literal(nullptr);
  if (!value) return std::nullopt;
  lex_.skipSpace();
  if (!lex_.take(')')) return fail("')'");
  std::shared_ptr<const ClassLayout>& layout = enums_[type];
  if (!layout) {
    auto made = std::make_shared<ClassLayout>();
    made->name = type.str();
    made->attributes = {"name", "value"};
    made->isEnum = true;
    layout = std::move(made);
  }
  auto object = makeRef<Object>();
  object->layout = layout;
  object->slots = {IValue(name.str()), *std::move(value)};
  return IValue(std::move(object));
}

/// `annotate(List[int], [])`: a value and the type that its text would not tell.
std::optional<IValue> LiteralReader::annotated() {
  lex_.skipSpace();
  const Type* type = types_.type();
  if (!type) return std::nullopt;
  lex_.skipSpace();
  if (!lex_.take(',')) return fail("','");
  if (lex_.peek() == ' ') lex_.advance();
  std::optional<IValue> value = literal(type);
  if (!value) return std::nullopt;
  lex_.skipSpace();
  if (!lex_.take(')')) return fail("')'");
  annotation_ = type; // the outermost is set last
  return value;
}

std::optional<IValue> LiteralReader::numeric(const Type* type) {
  std::size_t start = lex_.offset();
  llvm::StringRef text = lex_.number();
  if (text.empty()) return fail("a value");
  auto outOfRange = [&](llvm::StringRef what) -> std::optional<IValue> {
    lex_.error(start, lex_.offset() - start, (llvm::Twine(what) + " out of range").str());
    return std::nullopt;
  };
  bool imaginaryOnly = lex_.peek() == 'j';
  if (imaginaryOnly || lex_.peek() == '+' || lex_.peek() == '-') {
    std::optional<double> real = readDouble(text), imaginary;
    if (imaginaryOnly) {
      imaginary = real;
      real = 0.;
    } else {
      llvm::StringRef second = lex_.number();
      imaginary = readDouble(second);
      if (second.empty() || lex_.peek() != 'j') return fail("the imaginary part and 'j'");
    }
    lex_.advance();
    if (!real || !imaginary) return outOfRange("a complex number");
    return IValue(std::complex<double>(*real, *imaginary));
  }
  char next = lex_.peek();
  if ((next >= '0' && next <= '9') || (next >= 'a' && next <= 'z') ||
      (next >= 'A' && next <= 'Z') || next == '_' || next == '.')
    return fail("the end of the number");
  llvm::StringRef digits = text.ltrim("+-");
  bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  bool integral = hex ? !digits.contains_insensitive('p') && !digits.contains('.')
                      : digits.find_first_not_of("0123456789") == llvm::StringRef::npos;
  if (hex && (digits.size() == 2 || digits.ends_with_insensitive("p")))
    return fail("a hexadecimal digit");
  bool wantsFloat = type && (type->is(TypeKind::Float) || type->is(TypeKind::Complex));
  if (integral && !wantsFloat) {
    std::optional<std::int64_t> value = readInt64(text);
    return value ? IValue(*value) : outOfRange("an int");
  }
  std::optional<double> value = readDouble(text);
  if (!value && digits.starts_with("nan(")) {
    lex_.error(start, text.size(), "nan(0x...) wants the 64 bits of a NaN");
    return std::nullopt;
  }
  if (!value) return outOfRange("a float");
  if (type && type->is(TypeKind::Complex)) return IValue(std::complex<double>(*value, 0.));
  return IValue(*value);
}

/// The tensor of `{2.5}`, whose dtype only the type of the value tells.
std::optional<IValue> LiteralReader::scalarTensor(const Type* type, llvm::StringRef text) {
  std::optional<DType> dtype = scalarDType(type);
  rounded_ = true;
  if (!dtype || !hasKernels(*dtype)) {
    opaque_ = true;
    return IValue();
  }
  llvm::SmallVector<std::int64_t, 4> sizes;
  for (const auto& size : type->tensor().sizes)
    if (type->tensor().hasRank) sizes.push_back(size.value_or(1));
  if (llvm::any_of(sizes, [](std::int64_t size) { return size != 1; })) sizes.clear();
  Tensor tensor = Tensor::empty(sizes, *dtype);
  bool known = dispatch(*dtype, [&](auto zero) {
    using T = decltype(zero);
    T element{};
    bool read = readElement(text, element);
    *tensor.data<T>() = element;
    return read;
  });
  if (!known) opaque_ = true;
  return IValue(std::move(tensor));
}

std::optional<IValue> LiteralReader::streamedTensor(std::size_t length) {
  llvm::StringRef text = lex_.rest().take_front(length);
  lex_.advance(length);
  rounded_ = true;
  Result<Tensor> tensor = readStreamStr(text);
  if (!tensor) {
    opaque_ = true; // a dtype without kernels, or quantised
    return IValue();
  }
  return IValue(*std::move(tensor));
}

/// `tensor<Float>([2, 3], [1., 2., ...], wrapped)`, after the `<`.
std::optional<IValue> LiteralReader::exactTensor() {
  std::size_t start = lex_.offset();
  llvm::StringRef word = lex_.identifier();
  std::optional<DType> dtype = dtypeFromIrName(word);
  if (!dtype || !hasKernels(*dtype)) {
    lex_.error(start, word.size(),
               dtype ? (llvm::Twine("this build has no kernels for ") + word).str()
                     : (llvm::Twine("unknown element type '") + word + "'").str());
    return std::nullopt;
  }
  if (!lex_.take(">(")) return fail("'>('");
  lex_.skipSpace();
  std::size_t sizesAt = lex_.offset();
  if (!lex_.take('[')) return fail("the list of sizes");
  llvm::SmallVector<std::int64_t, 6> sizes;
  std::int64_t elements = 1;
  lex_.skipSpace();
  while (!lex_.take(']')) {
    if (!sizes.empty()) {
      if (!lex_.take(',')) return fail("',' or ']'");
      lex_.skipSpace();
    }
    std::size_t sizeAt = lex_.offset();
    llvm::StringRef text = lex_.number();
    if (text.empty()) return fail("a size");
    std::optional<std::int64_t> size = readInt64(text);
    if (!size || *size < 0) {
      lex_.error(sizeAt, text.size(), "a size between 0 and 9223372036854775807 is wanted");
      return std::nullopt;
    }
    sizes.push_back(*size);
    if (__builtin_mul_overflow(elements, *size, &elements)) elements = -1;
    lex_.skipSpace();
  }
  std::size_t sizesLength = lex_.offset() - sizesAt;
  if (!lex_.take(',')) return fail("','");
  lex_.skipSpace();
  if (!lex_.take('[')) return fail("the list of elements");
  // The elements first: what the text holds bounds what is allocated.
  std::optional<IValue> result;
  dispatch(*dtype, [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::conditional_t<std::is_same_v<T, bool>, char, T>> data;
    lex_.skipSpace();
    while (!lex_.take(']')) {
      if (!data.empty()) {
        if (!lex_.take(',')) return static_cast<void>(lex_.expected("',' or ']'"));
        lex_.skipSpace();
      }
      std::size_t at = lex_.offset();
      llvm::StringRef number = lex_.number();
      T element{};
      if (number.empty()) return static_cast<void>(lex_.expected("an element"));
      if (!readElement(number, element))
        return static_cast<void>(
            lex_.error(at, number.size(), "an element outside the range of its type"));
      data.push_back(element);
      lex_.skipSpace();
    }
    if (elements != static_cast<std::int64_t>(data.size()))
      return static_cast<void>(lex_.error(sizesAt, sizesLength,
                                          "the sizes do not multiply to " +
                                              std::to_string(data.size()) +
                                              ", the number of elements"));
    try {
      Tensor tensor = Tensor::empty(sizes, *dtype);
      std::copy(data.begin(), data.end(), tensor.data<T>());
      result = IValue(std::move(tensor));
    } catch (const RuntimeError& error) {
      lex_.error(sizesAt, sizesLength, error.message());
    }
  });
  if (!result) return std::nullopt;
  lex_.skipSpace();
  if (lex_.take(',')) {
    lex_.skipSpace();
    if (!lex_.takeWord("wrapped")) return fail("'wrapped'");
    result->asTensor().impl()->wrapped = true;
    lex_.skipSpace();
  }
  if (!lex_.take(')')) return fail("')'");
  return result;
}

} // namespace tine
