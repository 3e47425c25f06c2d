#include "ir/parse.h"
#include "ir/parse_parts.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "support/literal.h"

namespace tine {
namespace {

/// A kind without parts, or null. Other names of the same types included.
const Type* simpleType(llvm::StringRef word) {
  return llvm::StringSwitch<const Type*>(word)
#define TINE_SIMPLE_TYPE(id, text) .Case(text, Type::id##Type())
#include "ir/types.def"
      .Cases("number", "Scalar", Type::NumberType())
      .Case("string", Type::StrType())
      .Case("None", Type::NoneType())
      .Cases("ScalarType", "Layout", "MemoryFormat", Type::IntType())
      .Case("Dimname", Type::StrType())
      .Default(nullptr);
}

/// Words that begin a type, for suggestions.
constexpr llvm::StringLiteral kWords[] = {
#define TINE_SIMPLE_TYPE(id, text) text,
#include "ir/types.def"
    "Tensor", "List",  "Optional", "Tuple",         "Dict",  "Union",      "Future",
    "RRef",   "Await", "Enum",     "InterfaceType", "Class", "NamedTuple",
#define TINE_DTYPE(id, cpp, name, irName, printName, number) irName,
#define TINE_DTYPE_NAME(id, name, irName, printName, number) irName,
#include "tensor/dtype.def"
};

bool isTypeVariable(llvm::StringRef word) {
  return !word.empty() && word[0] >= 'a' && word[0] <= 'z' &&
         word.drop_front().find_if_not([](char c) { return c >= '0' && c <= '9'; }) ==
             llvm::StringRef::npos;
}

} // namespace

const Type* TypeReader::checkDepth(const Type* type, int depth) {
  depth_ = depth;
  if (!type || depth <= Lexer::kMaxDepth) return type;
  lex_.error(lex_.offset(), 1, "a type nested deeper than " + std::to_string(Lexer::kMaxDepth));
  return nullptr;
}

const Type* TypeReader::type() {
  const Type* result = primary();
  return result ? suffixes(result) : nullptr;
}

const Type* TypeReader::suffixes(const Type* type) {
  while (type) {
    if (lex_.peek() == '[' && lex_.peek(1) == ']') {
      lex_.advance(2);
      type = checkDepth(listOf(context_, type), depth_ + 1);
    } else if (lex_.take('?')) {
      type = checkDepth(optionalOf(context_, type), depth_ + 1);
    } else {
      break;
    }
  }
  return type;
}

const Type* TypeReader::primary() {
  Lexer::Deeper deeper(lex_);
  if (!deeper.ok()) return nullptr;
  depth_ = 1;
  std::size_t start = lex_.offset();
  if (lex_.take('(')) return tuple();
  llvm::StringRef text = lex_.dotted();
  if (text.empty()) {
    lex_.expected("a type");
    return nullptr;
  }
  return word(text, start);
}

const Type* TypeReader::tuple() {
  llvm::SmallVector<const Type*, 4> elements;
  return list(')', elements) ? tupleOf(context_, elements) : nullptr;
}

/// `type {"," type} close`, after the opening bracket. Leaves the depth of the whole in depth_.
bool TypeReader::list(char close, llvm::SmallVectorImpl<const Type*>& elements) {
  int depth = 0;
  lex_.skipSpace();
  while (!lex_.take(close)) {
    if (!elements.empty()) {
      if (!lex_.take(',')) return lex_.expected(close == ')' ? "',' or ')'" : "',' or ']'");
      lex_.skipSpace();
    }
    const Type* element = type();
    if (!element) return false;
    depth = std::max(depth, depth_);
    elements.push_back(element);
    lex_.skipSpace();
  }
  return checkDepth(Type::noneType(), depth + 1);
}

/// `[T]` or `(T)` of Future and its like.
const Type* TypeReader::wrapped(const Type* (*make)(Context&, const Type*)) {
  char close = lex_.peek() == '(' ? ')' : ']';
  if (!lex_.take('(') && !lex_.take('[')) {
    lex_.expected("'[' or '('");
    return nullptr;
  }
  lex_.skipSpace();
  const Type* element = type();
  if (!element) return nullptr;
  lex_.skipSpace();
  if (!lex_.take(close)) {
    lex_.expected(close == ')' ? "')'" : "']'");
    return nullptr;
  }
  return checkDepth(make(context_, element), depth_ + 1);
}

/// `<name>` or `<"name">`.
const Type* TypeReader::named(const Type* (*make)(Context&, llvm::StringRef)) {
  if (!lex_.take('<')) {
    lex_.expected("'<'");
    return nullptr;
  }
  std::string name;
  if (lex_.peek() == '"') {
    std::optional<std::string> quoted = lex_.string();
    if (!quoted) return nullptr;
    name = std::move(*quoted);
  } else {
    std::size_t length = lex_.findOnLine('>');
    if (length == llvm::StringRef::npos) {
      lex_.expected("a name and '>'");
      return nullptr;
    }
    name = lex_.rest().take_front(length).str();
    lex_.advance(length);
  }
  if (name.empty() || !lex_.take('>')) {
    lex_.expected(name.empty() ? "a name" : "'>'");
    return nullptr;
  }
  return make(context_, name);
}

const Type* TypeReader::dict() {
  char close = lex_.peek() == '(' ? ')' : ']';
  std::size_t start = lex_.offset();
  if (!lex_.take('(') && !lex_.take('[')) {
    lex_.expected("'('");
    return nullptr;
  }
  llvm::SmallVector<const Type*, 2> parts;
  if (!list(close, parts)) return nullptr;
  if (parts.size() != 2) {
    lex_.error(start, lex_.offset() - start, "a Dict has two types, key and value");
    return nullptr;
  }
  return dictOf(context_, parts[0], parts[1]);
}

/// TorchScript prints the number types of a union once, as `Scalar`, and loses a comma when they
/// come first or after the first: `Union(, bool, Scalar)`, `Union(TensorScalar)`. type.cpp prints
/// them so.
const Type* TypeReader::unionType() {
  char close = lex_.peek() == '(' ? ')' : ']';
  std::size_t start = lex_.offset();
  if (!lex_.take('(') && !lex_.take('[')) {
    lex_.expected("'('");
    return nullptr;
  }
  llvm::SmallVector<const Type*, 4> members;
  lex_.skipSpace();
  bool numbersFirst = lex_.take(',');
  if (numbersFirst) members.push_back(Type::NumberType());
  int depth = 0;
  for (;;) {
    lex_.skipSpace();
    const Type* member;
    llvm::StringRef joined = lex_.peekIdentifier();
    if (members.empty() && joined.size() > 6 && joined.ends_with("Scalar")) {
      std::size_t at = lex_.offset();
      lex_.advance(joined.size());
      depth_ = 1;
      member = word(joined.drop_back(6), at);
      if (member) members.push_back(member), member = Type::NumberType();
    } else {
      member = type();
    }
    if (!member) return nullptr;
    depth = std::max(depth, depth_);
    members.push_back(member);
    if (members.size() == 1 && lex_.takeWord("Scalar")) members.push_back(Type::NumberType());
    lex_.skipSpace();
    if (lex_.take(close)) break;
    if (!lex_.take(',')) {
      lex_.expected("',' or the end of the Union");
      return nullptr;
    }
  }
  if (numbersFirst) {
    if (!members.back()->is(TypeKind::Number)) {
      lex_.error(start, lex_.offset() - start, "a Union that begins with ',' ends with Scalar");
      return nullptr;
    }
    members.pop_back();
  }
  if (members.size() == 2 && members[1]->is(TypeKind::None))
    return checkDepth(optionalOf(context_, members[0]), depth + 1);
  return checkDepth(unionOf(context_, members), depth + 1);
}

const Type* TypeReader::namedTuple() {
  if (!lex_.take('(')) {
    lex_.expected("'('");
    return nullptr;
  }
  llvm::SmallVector<Symbol, 4> fields, defaults;
  llvm::SmallVector<const Type*, 4> elements;
  int depth = 0;
  lex_.skipSpace();
  while (!lex_.take(')')) {
    if (!fields.empty()) {
      if (!lex_.take(',')) {
        lex_.expected("',' or ')'");
        return nullptr;
      }
      lex_.skipSpace();
    }
    llvm::StringRef field = lex_.identifier();
    lex_.skipBlanks();
    if (field.empty() || !lex_.take(':')) {
      lex_.expected(field.empty() ? "a field's name" : "':'");
      return nullptr;
    }
    lex_.skipSpace();
    const Type* element = type();
    if (!element) return nullptr;
    depth = std::max(depth, depth_);
    fields.push_back(context_.symbol(field));
    elements.push_back(element);
    defaults.emplace_back();
    if (lex_.take(" = ") && !fieldDefault(defaults.back())) return nullptr;
    if (defaults.back().empty()) lex_.skipSpace();
  }
  return checkDepth(namedTupleOf(context_, fields, elements, defaults), depth + 1);
}

/// TorchScript prints defaults as they are, strings without quotes: the text ends before the next
/// field, or before the parenthesis that closes the tuple. Kept with a `=` in front, as an empty
/// string is a default too.
bool TypeReader::fieldDefault(Symbol& out) {
  if (lex_.take("verbatim(")) {
    std::optional<std::string> text = lex_.string();
    if (!text || !lex_.take(')')) return lex_.failed() ? false : lex_.expected("a string and ')'");
    out = context_.symbol("=" + *text);
    return true;
  }
  std::size_t start = lex_.offset();
  int open = 0;
  for (; !lex_.atEnd(); lex_.advance()) {
    char c = lex_.peek();
    if (c == '(') ++open;
    if (c == ')' && open-- == 0) break;
    if (c != ',' || open > 0 || lex_.peek(1) != ' ') continue;
    std::size_t comma = lex_.offset();
    lex_.advance(2);
    bool field = !lex_.identifier().empty() && lex_.looksAt(" : ");
    lex_.moveTo(comma);
    if (field) break;
  }
  if (lex_.atEnd()) {
    lex_.moveTo(start);
    return lex_.error(start, 1, "a default that does not end");
  }
  out = context_.symbol((llvm::Twine("=") + lex_.since(start)).str());
  return true;
}

const Type* TypeReader::word(llvm::StringRef text, std::size_t start) {
  if (text == "Tensor") return tensor(text, std::nullopt, false);
  if (const Type* simple = simpleType(text)) return simple;
  if (std::optional<DType> dtype = dtypeFromIrName(text)) return tensor(text, dtype, true);
  if (text.contains('.')) return classOf(context_, text);
  return compound(text, start);
}

const Type* TypeReader::compound(llvm::StringRef text, std::size_t start) {
  if (text == "Future") return wrapped(futureOf);
  if (text == "Optional") return wrapped(optionalOf);
  if (text == "List") return wrapped(listOf);
  if (text == "Dict") return dict();
  if (text == "RRef") return wrapped(rrefOf);
  if (text == "Await") return wrapped(awaitOf);
  if (text == "Union") return unionType();
  if (text == "NamedTuple") return namedTuple();
  if (text == "Enum") return named(enumOf);
  if (text == "InterfaceType") return named(interfaceOf);
  if (text == "Class") return named(classOf);
  if (text == "Var") return named(typeVar);
  if (text == "Tuple") return tupleAnnotation();
  if (llvm::StringRef prefix = text; prefix.consume_back("Tensor"))
    if (std::optional<DType> dtype = dtypeFromIrName(prefix)) return tensor(text, dtype, false);
  return unknown(text, start);
}

/// `Tuple[A, B]`, the spelling of annotations.
const Type* TypeReader::tupleAnnotation() {
  if (!lex_.take('[')) {
    lex_.expected("'['");
    return nullptr;
  }
  llvm::SmallVector<const Type*, 4> elements;
  if (lex_.take("()]")) return tupleOf(context_, {});
  return list(']', elements) ? tupleOf(context_, elements) : nullptr;
}

const Type* TypeReader::unknown(llvm::StringRef text, std::size_t start) {
  if (words_ == Words::Schema || isTypeVariable(text)) return typeVar(context_, text);
  lex_.error(start, text.size(),
             (llvm::Twine("unknown type '") + text + "'").str() +
                 didYouMean(
                     text, [](std::size_t i) { return kWords[i]; }, std::size(kWords)));
  return nullptr;
}

/// `ranked`: the word is a dtype's, so that parentheses without sizes mean zero dimensions.
const Type* TypeReader::tensor(llvm::StringRef word, std::optional<DType> dtype, bool ranked) {
  std::size_t start = lex_.offset() - word.size();
  bool parentheses = lex_.peek() == '(';
  // In a schema an alias annotation may follow: `Tensor(a!)`.
  if (words_ == Words::Schema && !dtype) parentheses = false;
  if (!parentheses && !dtype && !lex_.looksAt("[Undefined]")) return Type::tensorType();
  llvm::StringRef key;
  if (parentheses) {
    std::size_t close = lex_.findOnLine(')');
    if (close != llvm::StringRef::npos &&
        !lex_.rest().drop_front(close + 1).starts_with("[Undefined]")) {
      key = llvm::StringRef(word.data(), word.size() + close + 1);
      if (auto known = tensors_.find(key); known != tensors_.end()) {
        lex_.moveTo(start + key.size());
        return known->second;
      }
    }
  }
  TensorInfo info;
  info.dtype = dtype;
  if (parentheses) {
    lex_.advance();
    lex_.skipSpace();
    bool empty = true;
    while (!lex_.take(')')) {
      if (!empty) {
        if (!lex_.take(',')) {
          lex_.expected("',' or ')'");
          return nullptr;
        }
        lex_.skipSpace();
      }
      empty = false;
      if (!tensorPart(info)) return nullptr;
      lex_.skipSpace();
    }
    if (!info.sizes.empty() || ranked || (empty && !dtype)) info.hasRank = true;
  }
  if (lex_.take("[Undefined]")) info.undefined = true;
  const Type* type = tensorOf(context_, info);
  if (!key.empty() && lex_.offset() == start + key.size()) tensors_[key] = type;
  return type;
}

/// One size, or `strides=[..]`, `requires_grad=0`, `device=cpu`, `rank=0`.
bool TypeReader::tensorPart(TensorInfo& info) {
  std::size_t start = lex_.offset();
  llvm::StringRef word = lex_.peekIdentifier();
  if (word.empty() || word == "SS") {
    if (info.hasStrides || info.requiresGrad || info.device)
      return lex_.error(start, 1, "sizes come before strides, requires_grad and device");
    std::optional<std::int64_t> size;
    if (!dimension(size)) return false;
    info.sizes.push_back(size);
    return true;
  }
  lex_.identifier();
  if (!lex_.take('=')) {
    lex_.moveTo(start);
    return lex_.expected("a size, strides=, requires_grad= or device=");
  }
  if (word == "strides") {
    if (!lex_.take('[')) return lex_.expected("'['");
    info.hasStrides = true;
    info.strides.clear();
    return dimensions(info.strides, ']');
  }
  if (word == "requires_grad") {
    char c = lex_.peek();
    if (c != '0' && c != '1') return lex_.expected("0 or 1");
    lex_.advance();
    info.requiresGrad = c == '1';
    return true;
  }
  if (word == "device") {
    std::size_t at = lex_.offset();
    llvm::StringRef kind = lex_.identifier();
    if (kind.empty()) return lex_.expected("a device");
    if (lex_.take(':') && lex_.digits().empty()) return lex_.expected("a device's number");
    info.device = lex_.since(at).str();
    return true;
  }
  if (word == "rank") {
    if (!lex_.take('0')) return lex_.expected("0");
    info.hasRank = true;
    return true;
  }
  constexpr llvm::StringLiteral known[] = {"strides", "requires_grad", "device"};
  return lex_.error(start, word.size(),
                    (llvm::Twine("unknown property '") + word + "' of a tensor type").str() +
                        didYouMean(
                            word, [&](std::size_t i) { return known[i]; }, 3));
}

bool TypeReader::dimensions(llvm::SmallVectorImpl<std::optional<std::int64_t>>& out, char close) {
  lex_.skipSpace();
  while (!lex_.take(close)) {
    if (!out.empty()) {
      if (!lex_.take(',')) return lex_.expected("',' or ']'");
      lex_.skipSpace();
    }
    std::optional<std::int64_t> value;
    if (!dimension(value)) return false;
    out.push_back(value);
    lex_.skipSpace();
  }
  return true;
}

/// A number, `*`, or `SS(-1)`, a symbol that prints as `*`.
bool TypeReader::dimension(std::optional<std::int64_t>& out) {
  if (lex_.take('*')) return true;
  std::size_t start = lex_.offset();
  bool symbolic = lex_.take("SS(");
  llvm::StringRef text = lex_.number();
  if (text.empty()) return lex_.expected("a size or '*'");
  std::optional<std::int64_t> value = readInt64(text);
  if (!value || (*value < 0 && !symbolic))
    return lex_.error(start, lex_.offset() - start,
                      "a size between 0 and 9223372036854775807 is wanted");
  if (!symbolic) {
    out = value;
    return true;
  }
  return lex_.take(')') || lex_.expected("')'");
}

Result<const Type*> parseType(Context& context, llvm::StringRef text) {
  Lexer lex(text, "<type>");
  lex.skipSpace();
  const Type* type = TypeReader(lex, context).type();
  lex.skipSpace();
  if (type && !lex.atEnd()) lex.expected("the end of the type");
  if (lex.failed()) return lex.takeErrors();
  return type;
}

} // namespace tine
