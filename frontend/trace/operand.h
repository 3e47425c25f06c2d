#pragma once

#include "ir/type.h"
#include "ops/kernel.h"
#include "tensor/ivalue.h"

#include <concepts>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <tuple>
#include <vector>

namespace tine {

/// The place of a call in C++, which the compiler fills in as a last default argument.
using Where = std::source_location;
/// The place with the file's name alone, so that dumps do not depend on where a tree lies.
Place placeOf(Where where);

class Recorder;

namespace detail {
/// A number that a trace computed; its identity is its address. `recorder` is null once the trace
/// is over.
struct Made {
  Where where;
  Recorder* recorder;
};
/// Reading a traced number as a C++ one. \errors TraceError at the place where it was made, unless
/// the trace specialises: then a guard is recorded
void readMade(const std::shared_ptr<Made>& made, const IValue& value);

template <class From, class To>
concept BecomesNumber = std::is_arithmetic_v<From> &&
    (std::same_as<From, bool> == std::same_as<To, bool>)&&(std::integral<From> ||
                                                           std::floating_point<To>);
} // namespace detail

/// A number that a trace can follow: sizes, results of arithmetic, parameters. Outside a trace, or
/// made from a C++ number, it is just that number.
///
///   Int n = size(x, 0);
///   Tensor y = reshape(x, {n * 2, -1});    // recorded: aten::size, aten::mul
///   if (n > 2) ...                         // TraceError, at the line of size(x, 0)
///
/// Never changes. There is no implicit way back to a C++ number.
template <class T> class Number {
public:
  Number(T value = T()) : value_(value) {}
  template <class U>
  requires(detail::BecomesNumber<U, T> && !std::same_as<U, T>) Number(U value)
      : value_(static_cast<T>(value)) {}
  Number(T value, std::shared_ptr<detail::Made> made) : value_(value), made_(std::move(made)) {}

  /// The number. \errors TraceError while the trace that made it is active: the graph would hold a
  /// constant
  T value() const {
    if (made_) detail::readMade(made_, value_);
    return value_;
  }
  explicit operator T() const { return value(); }
  const std::shared_ptr<detail::Made>& made() const { return made_; }
  T example() const { return value_; } ///< the number in this run; for Tine's own use

private:
  T value_;
  std::shared_ptr<detail::Made> made_;
};
using Int = Number<std::int64_t>;
using Float = Number<double>;
using Bool = Number<bool>;

/// Sizes, dimensions: `{2, size(x, 0)}`, or one number for a list of one.
class Ints : public std::vector<Int> {
public:
  Ints(std::initializer_list<Int> items) : vector(items) {}
  Ints(Int item) : vector{std::move(item)} {}
  template <class U>
  requires(detail::BecomesNumber<U, std::int64_t>) Ints(U item) : vector{Int(item)} {}
  Ints(llvm::ArrayRef<std::int64_t> items) : vector(items.begin(), items.end()) {}
};

/// How a C++ type travels into and out of operators, traced functions and forks: `box` and `unbox`.
template <class T> struct Pass;
template <class T>
concept Passes = requires {
  typename Pass<std::decay_t<T>>::Type;
};

/// A value on its way: what it is and, of numbers in a trace, who it is. Tensors and futures are
/// who they are by address.
class Operand {
public:
  Operand() = default; ///< None
  explicit Operand(IValue v) : value(std::move(v)) {}
  Operand(IValue v, std::shared_ptr<detail::Made> who)
      : value(std::move(v)), made(std::move(who)) {}
  template <Passes T>
  requires(!std::same_as<std::decay_t<T>, Operand>) Operand(T&& v)
      : Operand(Pass<std::decay_t<T>>::box(v)) {}
  Operand(const char* v) : value(v) {}

  /// With the items of lists and tuples, at every level.
  static Operand of(const IValue& value);
  static Operand list(std::vector<Operand> items, Tag element);
  static Operand tuple(std::vector<Operand> items);

  IValue value;
  std::shared_ptr<detail::Made> made; ///< null for what is not a traced number
  std::vector<Operand> items;         ///< of a list or tuple
  Tag element = Tag::None;            ///< of a list
};

/// Which argument is being converted, for messages.
struct ArgumentName {
  llvm::StringRef function;
  std::string argument; ///< `'b'`, or `number 2`
};
[[noreturn]] void raiseWrongArgument(const ArgumentName& name, llvm::StringRef wanted,
                                     const Operand& given);

// How each type passes. `Type` marks a specialisation as usable.
namespace detail {
/// The value without its identity. \errors TraceError when a trace computed it
IValue plainValue(const Operand& o);
} // namespace detail

template <> struct Pass<Operand> {
  using Type = Operand;
  static Operand box(Operand v) { return v; }
  static Operand unbox(const Operand& o, const ArgumentName&) { return o; }
};
template <> struct Pass<IValue> {
  using Type = IValue;
  static Operand box(const IValue& v) { return Operand(v); }
  static IValue unbox(const Operand& o, const ArgumentName&) { return detail::plainValue(o); }
};
template <> struct Pass<Tensor> {
  using Type = Tensor;
  static Operand box(const Tensor& v) { return v.defined() ? Operand(IValue(v)) : Operand(); }
  static Tensor unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isTensor()) raiseWrongArgument(name, "a Tensor", o);
    return o.value.toTensor();
  }
};
template <class T> struct Pass<Number<T>> {
  using Type = Number<T>;
  static Operand box(const Number<T>& v) { return {IValue(v.example()), v.made()}; }
  static Number<T> unbox(const Operand& o, const ArgumentName& name) {
    if constexpr (std::same_as<T, double>)
      if (o.value.isInt() && !o.made) return Float(static_cast<double>(o.value.toInt()));
    const bool fits = std::same_as<T, bool>     ? o.value.isBool()
                      : std::same_as<T, double> ? o.value.isDouble()
                                                : o.value.isInt();
    const char* wanted = std::same_as<T, bool>     ? "a Bool"
                         : std::same_as<T, double> ? "a Float"
                                                   : "an Int";
    if (!fits) raiseWrongArgument(name, wanted, o);
    if constexpr (std::same_as<T, bool>)
      return {o.value.toBool(), o.made};
    else if constexpr (std::same_as<T, double>)
      return {o.value.toDouble(), o.made};
    else
      return {o.value.toInt(), o.made};
  }
};
template <class T>
requires std::is_arithmetic_v<T>
struct Pass<T> {
  using Type = T;
  using Handle =
      Number<std::conditional_t<std::same_as<T, bool>, bool,
                                std::conditional_t<std::floating_point<T>, double, std::int64_t>>>;
  static Operand box(T v) { return Pass<Handle>::box(Handle(v)); }
  static T unbox(const Operand& o, const ArgumentName& name) {
    return static_cast<T>(Pass<Handle>::unbox(o, name).value());
  }
};
template <> struct Pass<std::string> {
  using Type = std::string;
  static Operand box(const std::string& v) { return Operand(IValue(v)); }
  static std::string unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isString()) raiseWrongArgument(name, "a str", o);
    return o.value.toStringRef().str();
  }
};
template <> struct Pass<DType> {
  using Type = DType;
  static Operand box(DType v) { return Operand(IValue(static_cast<std::int64_t>(v))); }
  static DType unbox(const Operand& o, const ArgumentName& name) {
    const auto dtype =
        o.value.isInt() ? dtypeFromNumber(detail::plainValue(o).toInt()) : std::nullopt;
    if (!dtype) raiseWrongArgument(name, "a dtype", o);
    return *dtype;
  }
};
template <class T> struct Pass<std::optional<T>> {
  using Type = std::optional<T>;
  static Operand box(const std::optional<T>& v) { return v ? Pass<T>::box(*v) : Operand(); }
  static std::optional<T> unbox(const Operand& o, const ArgumentName& name) {
    if (o.value.isNone()) return std::nullopt;
    return Pass<T>::unbox(o, name);
  }
};
template <class T> struct Pass<std::vector<T>> {
  using Type = std::vector<T>;
  static Operand box(const std::vector<T>& v) {
    std::vector<Operand> items;
    items.reserve(v.size());
    for (const auto& item : v) items.push_back(Pass<T>::box(item));
    return Operand::list(std::move(items), Pass<T>::box(T()).value.tag());
  }
  static std::vector<T> unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isList()) raiseWrongArgument(name, "a list", o);
    std::vector<T> out;
    out.reserve(o.items.size());
    for (const Operand& item : o.items) out.push_back(Pass<T>::unbox(item, name));
    return out;
  }
};
template <> inline Operand Pass<std::vector<Tensor>>::box(const std::vector<Tensor>& v) {
  std::vector<Operand> items;
  items.reserve(v.size());
  for (const Tensor& item : v) items.push_back(Pass<Tensor>::box(item));
  return Operand::list(std::move(items), Tag::Tensor);
}
template <> struct Pass<Ints> {
  using Type = Ints;
  static Operand box(const Ints& v) { return Pass<std::vector<Int>>::box(v); }
};
template <class... T> struct Pass<std::tuple<T...>> {
  using Type = std::tuple<T...>;
  static Operand box(const std::tuple<T...>& v) {
    return std::apply([](const T&... item) { return Operand::tuple({Pass<T>::box(item)...}); }, v);
  }
  static std::tuple<T...> unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isTuple() || o.items.size() != sizeof...(T))
      raiseWrongArgument(name, "a tuple of " + std::to_string(sizeof...(T)), o);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<T...>{Pass<T>::unbox(o.items[I], name)...};
    }
    (std::index_sequence_for<T...>());
  }
};

} // namespace tine
