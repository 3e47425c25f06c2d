#pragma once

#include "ir/type.h"
#include "tensor/ivalue.h"

#include <concepts>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace tine {

/// The place of a call in C++, which the compiler fills in as a last default argument.
using Where = std::source_location;
/// The place with the file's name alone, so that dumps do not depend on where a tree lies.
Place placeOf(Where where);

class Recorder;

namespace detail {
/// A number or string that a trace computed; its identity is its address. `recorder` is null once
/// the trace is over.
struct Made {
  Where where;
  Recorder* recorder;
  /// In the side of a cond(...) that the example does not take, where nothing could compute it.
  bool unknown = false;
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
///   if (n > 2) ...                         // TraceError, at the line of n > 2
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
  /// Who it is in the trace that made it; null when that is over.
  std::shared_ptr<detail::Made> made() const { return made_ && made_->recorder ? made_ : nullptr; }
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
  Ints(std::vector<Int> items) : vector(std::move(items)) {}
  Ints(llvm::ArrayRef<std::int64_t> items) : vector(items.begin(), items.end()) {}
};

/// How a C++ type travels into and out of operators, traced functions and forks; see pass.h.
template <class T> struct Boxing;
template <class T>
concept Passes = requires {
  typename Boxing<std::decay_t<T>>::Handle;
};
/// The graph's type of a C++ type, which says what an empty list could hold.
using MakeType = const Type* (*)(Context&);

/// A value on its way: what it is and, of numbers and strings in a trace, who it is. Tensors and
/// futures are who they are by address.
class Operand {
public:
  Operand() = default; ///< None
  explicit Operand(IValue v) : value(std::move(v)) {}
  Operand(IValue v, std::shared_ptr<detail::Made> who)
      : value(std::move(v)), made(std::move(who)) {}
  template <Passes T>
  requires(!std::same_as<std::decay_t<T>, Operand>) Operand(T&& v)
      : Operand(Boxing<std::decay_t<T>>::box(v)) {}
  Operand(const char* v) : value(v) {}

  /// With the items of lists, tuples and dicts, at every level. \errors ValueError too many levels
  static Operand of(const IValue& value);
  static Operand list(std::vector<Operand> items, MakeType type = nullptr);
  static Operand tuple(std::vector<Operand> items);
  static Operand dict(std::vector<std::pair<IValue, Operand>> items, MakeType type = nullptr);
  /// A container of the same kind, with the same keys and these items.
  Operand with(std::vector<Operand> others) const;

  bool isContainer() const { return value.isList() || value.isTuple() || value.isDict(); }
  /// How many items a list or tuple has, or values a dict; 0 of everything else.
  std::size_t size() const;
  /// One of them, as it was made.
  Operand item(std::size_t i) const;

  IValue value;
  std::shared_ptr<detail::Made> made; ///< null for what is not a traced number or string
  std::vector<Operand> items;         ///< of a container; none when they are just the value's
  MakeType type = nullptr;            ///< of a list or dict; null stands for what its items say
};

/// Which argument is being converted, for messages.
struct ArgumentName {
  llvm::StringRef function;
  std::string argument; ///< `'b'`, or `number 2`; empty: what it returns
  Where at = Where();
};
[[noreturn]] void raiseWrongArgument(const ArgumentName& name, llvm::StringRef wanted,
                                     const Operand& given);

namespace detail {
/// The value without its identity. \errors TraceError when a trace computed it
IValue plainValue(const Operand& o);
} // namespace detail

} // namespace tine
