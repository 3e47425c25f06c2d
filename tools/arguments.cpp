#include "tools/arguments.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ConvertUTF.h"
#include "support/literal.h"
#include "tensor/npz.h"

#include <cmath>
#include <limits>
#include <optional>

namespace tine::tools {
namespace {

constexpr int kMaxDepth = 200;
constexpr std::size_t kMaxItems = 10'000'000; ///< of lists, dicts and the like, all in all

/// Recursive descent over one argument; the recursion is bounded by kMaxDepth.
class Reader {
public:
  Reader(llvm::StringRef text, llvm::StringRef name, std::uint64_t& random,
         std::int64_t maxElements)
      : text_(text), name_(name), random_(random), maxElements_(maxElements) {}

  Result<IValue> read() {
    // A byte that is no character would print as an escape, which reads as a character.
    const auto* bad = text_.bytes_begin();
    if (!llvm::isLegalUTF8String(&bad, text_.bytes_end())) {
      at_ = static_cast<std::size_t>(bad - text_.bytes_begin());
      fail(error_kind::Syntax, "the argument is not UTF-8");
      return *std::move(error_);
    }
    std::optional<IValue> result = value(0);
    skipBlanks();
    if (result && at_ < text_.size()) fail(error_kind::Syntax, "nothing may follow the argument");
    if (error_) return *std::move(error_);
    return *std::move(result);
  }

private:
  // Every function that reads something gives nullopt once there is an error.
  std::optional<IValue> value(int depth);
  std::optional<IValue> number();
  std::optional<IValue> string();
  std::optional<IValue> word(int depth);
  std::optional<std::vector<IValue>> items(char close, int depth, bool* comma = nullptr);
  std::optional<IValue> dict(int depth);

  /// `f(a, b, dtype=d)`
  struct Call {
    llvm::StringRef name;
    std::size_t begin; ///< of the name
    std::vector<IValue> arguments;
    std::vector<std::size_t> places; ///< where each argument begins
    std::optional<DType> dtype;
    std::size_t dtypePlace = 0;
  };
  std::optional<IValue> call(llvm::StringRef name, std::size_t begin, int depth);
  std::optional<IValue> tensor(Call& call);
  std::optional<IValue> filled(Call& call, double with);
  std::optional<IValue> arange(Call& call);
  std::optional<IValue> ramp(Call& call);
  std::optional<IValue> rand(Call& call);
  std::optional<llvm::SmallVector<std::int64_t, 6>> sizes(Call& call, std::size_t last);
  std::optional<Tensor> make(const Call& call, llvm::ArrayRef<std::int64_t> sizes, DType dtype);
  bool store(const Tensor& tensor, std::int64_t i, const IValue& element, std::size_t place);

  void skipBlanks() {
    while (at_ < text_.size() && llvm::isSpace(text_[at_])) ++at_;
  }
  bool take(char c) {
    skipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool peek(char c) {
    skipBlanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  std::nullopt_t fail(const char* kind, const llvm::Twine& message) {
    return fail(kind, message, at_, 1);
  }
  std::nullopt_t fail(const char* kind, const llvm::Twine& message, std::size_t at,
                      std::size_t length = 1) {
    if (!error_) error_.emplace(kind, message.str(), placeAt(name_, text_, at, length));
    return std::nullopt;
  }

  std::string tooLarge() const { return "more than " + std::to_string(maxElements_) + " elements"; }

  llvm::StringRef text_, name_;
  std::uint64_t& random_;
  std::int64_t maxElements_;
  std::size_t at_ = 0;
  std::size_t items_ = 0;
  std::optional<Error> error_;
};

std::optional<IValue> Reader::value(int depth) {
  skipBlanks();
  if (depth > kMaxDepth) return fail(error_kind::Syntax, "nested more than 200 deep");
  if (++items_ > kMaxItems) return fail(error_kind::Memory, "more than 10,000,000 items");
  if (at_ >= text_.size()) return fail(error_kind::Syntax, "expected a value");
  char c = text_[at_];
  if (c == '"' || c == '\'') return string();
  if (llvm::isAlpha(c) || c == '_') return word(depth);
  if (llvm::isDigit(c) || c == '-' || c == '+' || c == '.') return number();
  std::size_t begin = at_++;
  if (c == '[') {
    auto list = items(']', depth);
    return list ? std::optional(IValue::list(*std::move(list))) : std::nullopt;
  }
  if (c == '(') {
    bool comma = false;
    auto parts = items(')', depth, &comma);
    if (!parts) return std::nullopt;
    if (parts->size() == 1 && !comma) return std::move(parts->front()); // parentheses
    return IValue::tuple(*std::move(parts));
  }
  if (c == '{') return dict(depth);
  return fail(error_kind::Syntax, "expected a value", begin);
}

/// After the opening bracket: values with commas between them, one may be last.
std::optional<std::vector<IValue>> Reader::items(char close, int depth, bool* comma) {
  std::size_t open = at_ - 1;
  std::vector<IValue> found;
  while (!take(close)) {
    if (!found.empty() && at_ >= text_.size())
      return fail(error_kind::Syntax, llvm::Twine("expected `") + llvm::Twine(close) + "`", open);
    auto item = value(depth + 1);
    if (!item) return std::nullopt;
    found.push_back(*std::move(item));
    if (take(',')) {
      if (comma) *comma = true;
    } else if (!peek(close)) {
      return fail(error_kind::Syntax, llvm::Twine("expected `,` or `") + llvm::Twine(close) + "`");
    }
  }
  return found;
}

std::optional<IValue> Reader::dict(int depth) {
  auto made = makeRef<Dict>();
  while (!take('}')) {
    skipBlanks();
    std::size_t place = at_;
    auto key = value(depth + 1);
    if (!key) return std::nullopt;
    if (!key->isNumber() && !key->isString())
      return fail(error_kind::Type,
                  "a dict's key is an int, float, bool, complex number or string, not " +
                      name(key->tag()),
                  place);
    if (!take(':')) return fail(error_kind::Syntax, "expected `:`");
    auto mapped = value(depth + 1);
    if (!mapped) return std::nullopt;
    made->set(*std::move(key), *std::move(mapped));
    if (!take(',') && !peek('}')) return fail(error_kind::Syntax, "expected `,` or `}`");
  }
  return IValue(std::move(made));
}

std::optional<IValue> Reader::string() {
  std::size_t begin = at_;
  char quote = text_[at_];
  for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_)
    if (text_[at_] == '\\') ++at_;
  if (at_ >= text_.size()) return fail(error_kind::Syntax, "a string without an end", begin);
  llvm::StringRef inside = text_.slice(begin + 1, at_++);
  std::string message;
  std::size_t place = 0;
  auto bytes = unescape(inside, &message, &place);
  if (!bytes) return fail(error_kind::Syntax, message, begin + 1 + place);
  return IValue(*bytes);
}

/// A number with its sign: int, float or complex (`2j`, `1+2j`).
std::optional<IValue> Reader::number() {
  std::size_t begin = at_;
  auto scan = [&] {
    std::size_t from = at_;
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      bool exponentSign = (c == '-' || c == '+') && at_ > from + 1 &&
                          (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
                          !text_.slice(from, at_).contains_insensitive("0x");
      if (!llvm::isAlnum(c) && c != '.' && c != '_' && !exponentSign) break;
    }
    return text_.slice(from, at_);
  };
  auto real = [&](llvm::StringRef text) -> std::optional<double> { return readDouble(text); };
  llvm::StringRef first = scan();
  llvm::StringRef whole = first;
  std::optional<IValue> made;
  if (first.ends_with("j")) {
    if (auto imaginary = real(first.drop_back())) made = std::complex<double>(0, *imaginary);
  } else if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) {
    llvm::StringRef second = scan();
    whole = text_.slice(begin, at_);
    auto re = real(first), im = real(second.drop_back(second.ends_with("j")));
    if (second.ends_with("j") && re && im) made = std::complex<double>(*re, *im);
  } else if (auto integer = readInt64(first)) {
    made = *integer;
  } else {
    llvm::StringRef digits = first.ltrim("+-");
    if (!digits.empty() && digits.find_first_not_of("0123456789") == llvm::StringRef::npos)
      return fail(error_kind::Overflow, "an int has 64 bits", begin, whole.size());
    if (auto floating = real(first)) made = *floating;
  }
  if (!made) return fail(error_kind::Syntax, "not a number", begin, whole.size());
  return made;
}

std::optional<IValue> Reader::word(int depth) {
  std::size_t begin = at_;
  while (at_ < text_.size() && (llvm::isAlnum(text_[at_]) || text_[at_] == '_')) ++at_;
  llvm::StringRef text = text_.slice(begin, at_);
  if (peek('(')) return call(text, begin, depth);
  if (text == "True") return IValue(true);
  if (text == "False") return IValue(false);
  if (text == "None") return IValue();
  if (text == "inf") return IValue(std::numeric_limits<double>::infinity());
  if (text == "nan") return IValue(std::numeric_limits<double>::quiet_NaN());
  if (auto dtype = dtypeFromName(text)) return IValue(static_cast<std::int64_t>(*dtype));
  fail(error_kind::Syntax, "`" + text + "` is not a value", begin, text.size());
  if (text.equals_insensitive("true") || text.equals_insensitive("false") ||
      text.equals_insensitive("none"))
    error_->notes.push_back(
        {"did you mean `" + text.take_front(1).upper() + text.drop_front(1).lower() + "`?", {}});
  else
    error_->notes.push_back({"strings are written with quotes", {}});
  return std::nullopt;
}

std::optional<IValue> Reader::call(llvm::StringRef name, std::size_t begin, int depth) {
  struct Function {
    llvm::StringRef name;
    std::optional<IValue> (Reader::*make)(Call&);
  };
  static constexpr Function kFunctions[] = {
      {"tensor", &Reader::tensor}, {"zeros", nullptr},          {"ones", nullptr},
      {"full", nullptr},           {"arange", &Reader::arange}, {"ramp", &Reader::ramp},
      {"rand", &Reader::rand},
  };
  const Function* found = nullptr;
  std::string known;
  for (const Function& function : kFunctions) {
    if (function.name == name) found = &function;
    known += (known.empty() ? "" : ", ") + function.name.str();
  }
  if (!found) {
    fail(error_kind::Syntax, "there is no function `" + name + "`", begin, name.size());
    error_->notes.push_back({"there are " + known, {}});
    return std::nullopt;
  }
  Call parts{name, begin, {}, {}, {}, 0};
  take('(');
  while (!take(')')) {
    skipBlanks();
    std::size_t place = at_;
    if (text_.substr(at_).starts_with("dtype")) {
      at_ += 5;
      if (!take('=')) return fail(error_kind::Syntax, "expected `=`");
      skipBlanks();
      parts.dtypePlace = at_;
      std::size_t wordBegin = at_;
      while (at_ < text_.size() && (llvm::isAlnum(text_[at_]) || text_[at_] == '_')) ++at_;
      llvm::StringRef text = text_.slice(wordBegin, at_);
      parts.dtype = dtypeFromName(text);
      if (!parts.dtype)
        return fail(error_kind::Syntax, "there is no dtype `" + text + "`", wordBegin,
                    std::max<std::size_t>(1, text.size()));
      if (!hasKernels(*parts.dtype))
        return fail(error_kind::Type, "tensors of dtype " + text + " cannot be made", wordBegin,
                    text.size());
    } else {
      auto argument = value(depth + 1);
      if (!argument) return std::nullopt;
      parts.arguments.push_back(*std::move(argument));
      parts.places.push_back(place);
    }
    if (!take(',') && !peek(')')) return fail(error_kind::Syntax, "expected `,` or `)`");
  }
  if (found->make) return (this->*found->make)(parts);
  if (name != "full") return filled(parts, name == "ones");
  if (parts.arguments.empty() || !parts.arguments.back().isNumber() ||
      parts.arguments.back().isComplex())
    return fail(error_kind::Type, "full takes sizes and a number", begin, name.size());
  double with = parts.arguments.back().toNumber();
  parts.arguments.pop_back();
  return filled(parts, with);
}

std::optional<llvm::SmallVector<std::int64_t, 6>> Reader::sizes(Call& call, std::size_t last) {
  llvm::SmallVector<std::int64_t, 6> found;
  std::vector<IValue> given = call.arguments;
  if (given.size() == 1 && given[0].isList())
    given = std::vector<IValue>(call.arguments[0].toList().items);
  else if (given.size() == 1 && given[0].isTuple())
    given = std::vector<IValue>(call.arguments[0].toTuple().items);
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::size_t place = call.places[std::min(i, last)];
    if (!given[i].isInt())
      return fail(error_kind::Type, "a size is an int, not " + name(given[i].tag()), place);
    std::int64_t size = given[i].toInt();
    if (size < 0) return fail(error_kind::Value, "a size is not negative", place);
    if (size && elements > maxElements_ / size)
      return fail(error_kind::Memory, tooLarge(), call.begin, call.name.size());
    elements *= size;
    found.push_back(size);
  }
  if (found.size() > 64) return fail(error_kind::Value, "more than 64 dimensions", call.begin);
  return found;
}

std::optional<Tensor> Reader::make(const Call& call, llvm::ArrayRef<std::int64_t> sizes,
                                   DType dtype) {
  try {
    return Tensor::empty(sizes, dtype);
  } catch (const RuntimeError& error) {
    return fail(error.kind().c_str(), error.message(), call.begin, call.name.size());
  }
}

/// Puts a number where the tensor's dtype can hold it.
bool Reader::store(const Tensor& tensor, std::int64_t i, const IValue& element, std::size_t place) {
  return dispatch(tensor.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = tensor.data<T>() + i;
    if constexpr (std::is_same_v<T, bool>) {
      *to = element.toNumber() != 0;
    } else if constexpr (std::is_floating_point_v<T>) {
      *to = element.isDouble() ? static_cast<T>(element.toDouble())
                               : static_cast<T>(element.isInt() ? element.toInt()
                                                                : std::int64_t(element.toBool()));
    } else {
      if (element.isDouble()) { // towards zero, as PyTorch
        double whole = std::trunc(element.toDouble());
        if (!(whole >= static_cast<double>(std::numeric_limits<T>::min()) &&
              whole < std::ldexp(1., std::numeric_limits<T>::digits))) {
          fail(error_kind::Overflow, "a number does not fit the dtype " + name(tensor.dtype()),
               place);
          return false;
        }
        *to = static_cast<T>(whole);
        return true;
      }
      std::int64_t number = element.isInt() ? element.toInt() : std::int64_t(element.toBool());
      if (number < std::int64_t(std::numeric_limits<T>::min()) ||
          number > std::int64_t(std::numeric_limits<T>::max())) {
        fail(error_kind::Overflow,
             llvm::Twine(number) + " does not fit the dtype " + name(tensor.dtype()), place);
        return false;
      }
      *to = static_cast<T>(number);
    }
    return true;
  });
}

std::optional<IValue> Reader::tensor(Call& call) {
  if (call.arguments.size() != 1)
    return fail(error_kind::Type, "tensor takes one list or number", call.begin, 6);
  // Shape from the first item of each level; then every item must have it.
  llvm::SmallVector<std::int64_t, 6> shape;
  const IValue* first = &call.arguments[0];
  auto itemsOf = [](const IValue& v) -> const std::vector<IValue>* {
    if (v.isList()) return &v.toList().items;
    return v.isTuple() ? &v.toTuple().items : nullptr;
  };
  while (const std::vector<IValue>* inner = itemsOf(*first)) {
    shape.push_back(static_cast<std::int64_t>(inner->size()));
    if (inner->empty()) break;
    first = &inner->front();
  }
  if (shape.size() > 64) return fail(error_kind::Value, "more than 64 dimensions", call.begin);
  std::vector<const IValue*> level{&call.arguments[0]};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<const IValue*> next;
    for (const IValue* item : level) {
      const std::vector<IValue>* inner = itemsOf(*item);
      if (!inner || static_cast<std::int64_t>(inner->size()) != shape[d])
        return fail(error_kind::Value,
                    "the lists of a tensor have different lengths: dimension " + llvm::Twine(d) +
                        " is " + llvm::Twine(shape[d]) + " long at first",
                    call.places[0]);
      for (const IValue& v : *inner) next.push_back(&v);
    }
    level = std::move(next);
  }
  DType dtype = DType::Bool;
  for (const IValue* item : level) {
    if (!item->isNumber() || item->isComplex())
      return fail(error_kind::Type,
                  "an element of a tensor is a bool, int or float, not " + name(item->tag()),
                  call.places[0]);
    if (item->isDouble())
      dtype = DType::Float32;
    else if (item->isInt() && dtype == DType::Bool)
      dtype = DType::Int64;
  }
  if (level.empty()) dtype = DType::Float32;
  auto made = make(call, shape, call.dtype.value_or(dtype));
  if (!made) return std::nullopt;
  for (std::size_t i = 0; i < level.size(); ++i)
    if (!store(*made, static_cast<std::int64_t>(i), *level[i], call.places[0])) return std::nullopt;
  return IValue(*std::move(made));
}

std::optional<IValue> Reader::filled(Call& call, double with) {
  auto shape = sizes(call, call.arguments.empty() ? 0 : call.arguments.size() - 1);
  if (!shape) return std::nullopt;
  auto made = make(call, *shape, call.dtype.value_or(DType::Float32));
  if (!made) return std::nullopt;
  for (std::int64_t i = 0; i < made->numel(); ++i)
    if (!store(*made, i, with, call.begin)) return std::nullopt;
  return IValue(*std::move(made));
}

std::optional<IValue> Reader::arange(Call& call) {
  std::size_t count = call.arguments.size();
  if (count < 1 || count > 3)
    return fail(error_kind::Type, "arange takes an end, a start and an end, or a step too",
                call.begin, 6);
  bool integers = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (!call.arguments[i].isInt() && !call.arguments[i].isDouble())
      return fail(error_kind::Type, "a bound is an int or float", call.places[i]);
    integers &= call.arguments[i].isInt();
  }
  auto at = [&](std::size_t i) { return call.arguments[i].toNumber(); };
  double start = count > 1 ? at(0) : 0, end = at(count > 1 ? 1 : 0), step = count > 2 ? at(2) : 1;
  double size = std::ceil((end - start) / step);
  if (step == 0 || !std::isfinite(size))
    return fail(error_kind::Value, "arange cannot reach its end", call.begin, 6);
  if (size < 0) return fail(error_kind::Value, "arange steps away from its end", call.begin, 6);
  if (size > static_cast<double>(maxElements_))
    return fail(error_kind::Memory, tooLarge(), call.begin, 6);
  auto made = make(call, {static_cast<std::int64_t>(size)},
                   call.dtype.value_or(integers ? DType::Int64 : DType::Float32));
  if (!made) return std::nullopt;
  // Unsigned: a step may be so long that the product overflows.
  auto whole = [&](std::size_t n) { return static_cast<std::uint64_t>(call.arguments[n].toInt()); };
  std::uint64_t first = integers && count > 1 ? whole(0) : 0;
  std::uint64_t stride = integers && count > 2 ? whole(2) : 1;
  for (std::int64_t i = 0; i < made->numel(); ++i) {
    IValue element =
        integers ? IValue(static_cast<std::int64_t>(first + static_cast<std::uint64_t>(i) * stride))
                 : IValue(start + static_cast<double>(i) * step);
    if (!store(*made, i, element, call.begin)) return std::nullopt;
  }
  return IValue(*std::move(made));
}

std::optional<IValue> Reader::ramp(Call& call) {
  auto shape = sizes(call, call.arguments.empty() ? 0 : call.arguments.size() - 1);
  if (!shape) return std::nullopt;
  auto made = make(call, *shape, call.dtype.value_or(DType::Float32));
  if (!made) return std::nullopt;
  for (std::int64_t i = 0, last = made->numel() - 1; i <= last; ++i) {
    double element = last ? 2. * static_cast<double>(i) / static_cast<double>(last) - 1 : -1.;
    if (!store(*made, i, element, call.begin)) return std::nullopt;
  }
  return IValue(*std::move(made));
}

std::optional<IValue> Reader::rand(Call& call) {
  auto shape = sizes(call, call.arguments.empty() ? 0 : call.arguments.size() - 1);
  if (!shape) return std::nullopt;
  DType dtype = call.dtype.value_or(DType::Float32);
  if (!isFloating(dtype))
    return fail(error_kind::Type, "random numbers are floats", call.dtypePlace);
  auto made = make(call, *shape, dtype);
  if (!made) return std::nullopt;
  for (std::int64_t i = 0; i < made->numel(); ++i) {
    std::uint64_t z = random_ += 0x9e3779b97f4a7c15; // splitmix64
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    double element = std::ldexp(static_cast<double>((z ^ z >> 31) >> 40), -24); // exact in a float
    if (!store(*made, i, element, call.begin)) return std::nullopt;
  }
  return IValue(*std::move(made));
}

/// The value as the type has it (an int as a float), or nullopt when it does not fit. The
/// recursion follows the value, whose nesting the reader bounds.
std::optional<IValue> convert(const IValue& value, const Type* type) {
  auto all = [](const std::vector<IValue>& items, auto typeAt) {
    std::optional<std::vector<IValue>> out(std::in_place);
    for (std::size_t i = 0; out && i < items.size(); ++i) {
      auto item = convert(items[i], typeAt(i));
      if (item)
        out->push_back(*std::move(item));
      else
        out.reset();
    }
    return out;
  };
  auto when = [&](bool fits) { return fits ? std::optional(value) : std::nullopt; };
  switch (type->kind()) {
  case TypeKind::Any:
  case TypeKind::Var:
    return value;
  case TypeKind::Tensor:
    return when(value.isTensor());
  case TypeKind::Int:
  case TypeKind::SymInt:
    return when(value.isInt());
  case TypeKind::Float:
    return value.isInt() ? IValue(static_cast<double>(value.toInt())) : when(value.isDouble());
  case TypeKind::Complex:
    if (value.isInt() || value.isDouble()) return IValue(std::complex<double>(value.toNumber(), 0));
    return when(value.isComplex());
  case TypeKind::Bool:
    return when(value.isBool());
  case TypeKind::Number:
    return when(value.isNumber() && !value.isBool());
  case TypeKind::Str:
    return when(value.isString());
  case TypeKind::None:
    return when(value.isNone());
  case TypeKind::AnyList:
    return when(value.isList());
  case TypeKind::AnyTuple:
    return when(value.isTuple());
  case TypeKind::Optional:
    return value.isNone() ? value : convert(value, type->element());
  case TypeKind::Union:
    for (const Type* member : type->elements())
      if (auto fitting = convert(value, member)) return fitting;
    return std::nullopt;
  case TypeKind::List: {
    if (!value.isList()) return std::nullopt;
    auto items = all(value.toList().items, [&](std::size_t) { return type->element(); });
    return items ? std::optional(IValue::list(*std::move(items))) : std::nullopt;
  }
  case TypeKind::Tuple: {
    if (!value.isTuple() || value.toTuple().items.size() != type->elements().size())
      return std::nullopt;
    auto items = all(value.toTuple().items, [&](std::size_t i) { return type->elements()[i]; });
    if (!items) return std::nullopt;
    auto made = makeRef<Tuple>();
    made->items = *std::move(items);
    if (!type->names().empty()) {
      std::vector<std::string> names;
      for (Symbol name : type->names()) names.push_back(name.str().str());
      made->names = std::make_shared<const std::vector<std::string>>(std::move(names));
    }
    return IValue(std::move(made));
  }
  case TypeKind::Dict: {
    if (!value.isDict()) return std::nullopt;
    auto made = makeRef<Dict>();
    for (const auto& [key, mapped] : value.toDict().items) {
      auto newKey = convert(key, type->elements()[0]);
      auto newMapped = convert(mapped, type->elements()[1]);
      if (!newKey || !newMapped) return std::nullopt;
      made->set(*std::move(newKey), *std::move(newMapped));
    }
    return IValue(std::move(made));
  }
  case TypeKind::Device:
  case TypeKind::Generator:
  case TypeKind::Stream:
  case TypeKind::Storage:
  case TypeKind::QScheme:
  case TypeKind::Quantizer:
  case TypeKind::Capsule:
  case TypeKind::AnyClass:
  case TypeKind::AnyEnum:
  case TypeKind::PyObject:
  case TypeKind::Function:
  case TypeKind::Future:
  case TypeKind::RRef:
  case TypeKind::Await:
  case TypeKind::Class:
  case TypeKind::Interface:
  case TypeKind::Enum:
    return std::nullopt; // no literal makes one
  }
  TINE_UNREACHABLE("type kind");
}

std::string displayInput(const Value* input) {
  return "%" + input->displayName() + " : " + input->type()->str();
}

} // namespace

Result<IValue> ArgumentReader::read(llvm::StringRef text, llvm::StringRef name) {
  return Reader(text, name, state_, maxElements_).read();
}

Result<Arguments> readArguments(llvm::ArrayRef<std::string> arguments, std::uint64_t seed) {
  ArgumentReader reader(seed);
  Arguments read;
  std::vector<Error> errors;
  const auto fail = [&](std::vector<Error> more) {
    for (Error& error : more) errors.push_back(std::move(error));
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& text = arguments[i];
    if (text == "@") {
      errors.emplace_back(error_kind::Syntax, "`@` needs the name of a .npy or .npz file",
                          placeAt("argument " + std::to_string(i + 1), text, 1));
    } else if (!text.empty() && text[0] == '@') {
      Result<std::vector<NamedTensor>> arrays = readArrays(text.substr(1));
      if (!arrays) {
        fail(arrays.takeErrors());
        continue;
      }
      for (NamedTensor& array : *arrays) {
        read.values.push_back(std::move(array.tensor));
        read.texts.push_back(array.name.empty() ? text : text + ": " + array.name);
      }
    } else if (Result<IValue> value = reader.read(text, "argument " + std::to_string(i + 1))) {
      read.values.push_back(*std::move(value));
      read.texts.push_back(text);
    } else {
      fail(value.takeErrors());
    }
  }
  if (!errors.empty()) return errors;
  return read;
}

std::string signature(const NamedGraph& function) {
  const Graph& graph = *function.graph;
  std::string out = function.name + "(";
  for (const Value* input : graph.inputs()) {
    if (input->index()) out += ", ";
    out += displayInput(input);
    if (const IValue* value = function.defaultOf(input->index())) out += " = " + value->str();
  }
  out += ") -> ";
  if (graph.outputs().size() != 1) out += "(";
  bool first = true;
  for (const Value* output : graph.outputs()) {
    if (!first) out += ", ";
    first = false;
    out += output->type()->str();
  }
  if (graph.outputs().size() != 1) out += ")";
  return out;
}

Result<std::vector<IValue>> bindArguments(const NamedGraph& function, std::vector<IValue> values,
                                          llvm::ArrayRef<std::string> texts) {
  auto inputs = function.graph->inputs();
  std::string shown = signature(function);
  std::vector<Error> errors;
  const std::size_t given = values.size();
  const auto lacks = [&](std::size_t i) { return !function.defaultOf(i); };
  std::size_t needed = inputs.size();
  while (needed && !lacks(needed - 1)) --needed;
  if (given > inputs.size() || given < needed) {
    auto plural = [](std::size_t n) {
      return std::to_string(n) + (n == 1 ? " argument" : " arguments");
    };
    Error error(error_kind::Type,
                function.name + " takes " +
                    (needed == inputs.size() ? "" : std::to_string(needed) + " to ") +
                    plural(inputs.size()) + ", but " + std::to_string(given) +
                    (given == 1 ? " is" : " are") + " given");
    for (std::size_t i = given, shownInputs = 0; i < inputs.size() && shownInputs < 5; ++i)
      if (lacks(i)) {
        error.notes.push_back({"there is none for " + displayInput(inputs[i]), {}});
        ++shownInputs;
      }
    error.notes.push_back({shown, {}});
    return error;
  }
  std::vector<IValue> bound;
  for (std::size_t i = 0; i < given; ++i) {
    if (auto fitting = convert(values[i], inputs[i]->type())) {
      bound.push_back(*std::move(fitting));
      continue;
    }
    errors.push_back(
        Error(error_kind::Type, "the argument does not fit " + displayInput(inputs[i]),
              placeAt("argument " + std::to_string(i + 1), texts[i], 0, texts[i].size()))
            .note(shown));
  }
  if (!errors.empty()) return errors;
  for (std::size_t i = given; i < inputs.size(); ++i) bound.push_back(*function.defaultOf(i));
  return bound;
}

} // namespace tine::tools
