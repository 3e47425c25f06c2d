#pragma once

#include "frontend/trace/functions.h"

namespace tine {

/// An operand of a C++ operator with the place of the expression: the conversion captures it.
template <class T> struct At {
  At(const T& v, Where w = Where::current()) : value(v), where(w) {}
  const T& value;
  Where where;
};
/// What may stand beside a tensor on the left: a number.
struct NumberOperand : Operand {
  template <class T>
  requires std::is_arithmetic_v<T> NumberOperand(T v) : Operand(v) {}
  template <class T> NumberOperand(const Number<T>& v) : Operand(v) {}
};

// Tensor with tensor or number, `x * 2 + y`, element by element; comparisons too.
#define TINE_BINARY(op, function, reversed)                                                        \
  inline Tensor operator op(At<Tensor> left, const Operand& y) {                                   \
    const Tensor& x = left.value;                                                                  \
    const Where at = left.where;                                                                   \
    return function;                                                                               \
  }                                                                                                \
  inline Tensor operator op(const NumberOperand& x, At<Tensor> right) {                            \
    const Tensor& y = right.value;                                                                 \
    const Where at = right.where;                                                                  \
    return reversed;                                                                               \
  }
#define TINE_COMPARE(op, name, exchanged)                                                          \
  inline Tensor operator op(At<Tensor> x, const Operand& y) {                                      \
    return call(name, {x.value, y}, x.where).value.toTensor();                                     \
  }                                                                                                \
  inline Tensor operator op(const NumberOperand& x, At<Tensor> y) {                                \
    return call(exchanged, {y.value, x}, y.where).value.toTensor();                                \
  }
#include "frontend/trace/operators.def"

inline Tensor operator%(At<Tensor> x, const Operand& y) {
  return call("aten::remainder", {x.value, y}, x.where).value.toTensor();
}
inline Tensor operator-(At<Tensor> x) { return neg(x.value, x.where); }
inline Tensor operator+=(At<Tensor> x, const Operand& y) { return add_(x.value, y, 1, x.where); }
inline Tensor operator-=(At<Tensor> x, const Operand& y) { return sub_(x.value, y, 1, x.where); }
inline Tensor operator*=(At<Tensor> x, const Operand& y) { return mul_(x.value, y, x.where); }
inline Tensor operator/=(At<Tensor> x, const Operand& y) { return div_(x.value, y, x.where); }

namespace detail {
template <class R> R callNumber(const char* name, Where at, Operand x, Operand y) {
  return Boxing<R>::unbox(tine::call(name, {std::move(x), std::move(y)}, at), {name, "", at});
}
template <class T>
concept PlainInt = std::integral<T> && !std::same_as<T, bool>;
} // namespace detail

// Numbers that a trace can follow, with each other and with C++ numbers.
#define TINE_NUMBER(op, name, ofInts, ofFloats)                                                    \
  inline ofInts operator op(At<Int> x, At<Int> y) {                                                \
    return detail::callNumber<ofInts>(name, x.where, x.value, y.value);                            \
  }                                                                                                \
  inline ofFloats operator op(At<Float> x, At<Float> y) {                                          \
    return detail::callNumber<ofFloats>(name, x.where, x.value, y.value);                          \
  }                                                                                                \
  inline ofFloats operator op(At<Int> x, At<Float> y) {                                            \
    return detail::callNumber<ofFloats>(name, x.where, x.value, y.value);                          \
  }                                                                                                \
  inline ofFloats operator op(At<Float> x, At<Int> y) {                                            \
    return detail::callNumber<ofFloats>(name, x.where, x.value, y.value);                          \
  }                                                                                                \
  template <detail::PlainInt T> ofInts operator op(At<Int> x, T y) {                               \
    return detail::callNumber<ofInts>(name, x.where, x.value, y);                                  \
  }                                                                                                \
  template <detail::PlainInt T> ofInts operator op(T x, At<Int> y) {                               \
    return detail::callNumber<ofInts>(name, y.where, x, y.value);                                  \
  }                                                                                                \
  template <std::floating_point T> ofFloats operator op(At<Int> x, T y) {                          \
    return detail::callNumber<ofFloats>(name, x.where, x.value, y);                                \
  }                                                                                                \
  template <std::floating_point T> ofFloats operator op(T x, At<Int> y) {                          \
    return detail::callNumber<ofFloats>(name, y.where, x, y.value);                                \
  }                                                                                                \
  template <class T>                                                                               \
  requires(detail::PlainInt<T> || std::floating_point<T>) ofFloats operator op(At<Float> x, T y) { \
    return detail::callNumber<ofFloats>(name, x.where, x.value, static_cast<double>(y));           \
  }                                                                                                \
  template <class T>                                                                               \
  requires(detail::PlainInt<T> || std::floating_point<T>) ofFloats operator op(T x, At<Float> y) { \
    return detail::callNumber<ofFloats>(name, y.where, static_cast<double>(x), y.value);           \
  }
#include "frontend/trace/operators.def"

inline Int operator-(At<Int> x) {
  return Boxing<Int>::unbox(call("aten::neg", {x.value}, x.where), {"aten::neg", "", x.where});
}
inline Float operator-(At<Float> x) {
  return Boxing<Float>::unbox(call("aten::neg", {x.value}, x.where), {"aten::neg", "", x.where});
}
/// Without a place of its own, as a conversion that captures it would lose against C++'s own `!`.
template <std::same_as<Bool> B> Bool operator!(const B& x) {
  const Where at = x.made() ? x.made()->where : Where();
  return Boxing<Bool>::unbox(call("aten::__not__", {x}, at), {"aten::__not__", "", at});
}
inline Bool operator&(At<Bool> x, At<Bool> y) {
  return detail::callNumber<Bool>("aten::__and__", x.where, x.value, y.value);
}
inline Bool operator|(At<Bool> x, At<Bool> y) {
  return detail::callNumber<Bool>("aten::__or__", x.where, x.value, y.value);
}
/// `//` of Python: rounds towards minus infinity.
inline Int floorDiv(const Int& x, const Int& y, Where at = Where::current()) {
  return detail::callNumber<Int>("aten::floordiv", at, x, y);
}

} // namespace tine
