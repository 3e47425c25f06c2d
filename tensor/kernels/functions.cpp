#include "tensor/functions.h"

#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

#include <algorithm>
#include <cmath>

namespace tine::kernels {

namespace {

enum class Kind : std::uint8_t { Float, FloatOnly, Round };

using Two = std::array<std::int64_t, 2>;

// out = f(t), element by element; of one shape.
template <class In, class Out, class F> void mapInto(const Tensor& out, const Tensor& t, F f) {
  const In* from = t.data<In>();
  Out* to = out.data<Out>();
  strided<2>(out.sizes(), {out.strides(), t.strides()},
             [&](const Two& at, const Two& step, std::int64_t n) {
               const In* in = from + at[1];
               Out* o = to + at[0];
               if (step[0] == 1 && step[1] == 1)
                 for (std::int64_t i = 0; i < n; ++i) o[i] = static_cast<Out>(f(in[i]));
               else
                 for (std::int64_t i = 0; i < n; ++i)
                   o[i * step[0]] = static_cast<Out>(f(in[i * step[1]]));
             });
}

// `make(T())` is a function of T: what it needs of numbers it converts to T once.
template <class F> Tensor mapFloats(const Tensor& t, F make) {
  const Tensor out = emptyForPair(t.sizes(), t.dtype(), t, t);
  if (t.dtype() == DType::Float32)
    mapInto<float, float>(out, t, make(float{}));
  else
    mapInto<double, double>(out, t, make(double{}));
  return out;
}
template <class F> auto always(F f) {
  return [f](auto) { return f; };
}

// Of every dtype to bool.
template <class F> Tensor mapBool(const Tensor& t, F f) {
  const Tensor out = emptyForPair(t.sizes(), DType::Bool, t, t);
  dispatch(t.dtype(), [&](auto zero) { mapInto<decltype(zero), bool>(out, t, f); });
  return out;
}

// A copy, laid out as a function's result is.
Tensor sameInNewLayout(const Tensor& t) {
  const Tensor out = emptyForPair(t.sizes(), t.dtype(), t, t);
  copyInto(out, t);
  return out;
}

void needFloats(const Tensor& t, const char* kernel) {
  if (!isFloating(t.dtype())) raiseNotImplemented(kernel, t.dtype());
}

#define TINE_UNARY(id, kind, kernel, expression)                                                   \
  struct Of_##id {                                                                                 \
    template <class T> T operator()(T x) const { return expression; }                              \
  };
#include "tensor/unary.def"

struct Row {
  Kind kind;
  const char* kernel;
  Tensor (*map)(const Tensor&);
  double (*number)(double);
};
constexpr Row kRows[] = {
#define TINE_UNARY(id, kind, kernel, expression)                                                   \
  {Kind::kind, kernel, [](const Tensor& t) { return mapFloats(t, always(Of_##id())); },            \
   [](double x) { return Of_##id()(x); }},
#include "tensor/unary.def"
};

} // namespace

std::string cppName(DType dtype) {
  return dispatch(dtype, [](auto zero) {
    using T = decltype(zero);
    return std::is_same_v<T, bool>           ? "bool"
           : std::is_same_v<T, std::uint8_t> ? "unsigned char"
           : std::is_same_v<T, std::int8_t>  ? "signed char"
           : std::is_same_v<T, std::int16_t> ? "short int"
           : std::is_same_v<T, std::int32_t> ? "int"
           : std::is_same_v<T, std::int64_t> ? "long int"
           : std::is_same_v<T, float>        ? "float"
                                             : "double";
  });
}

Tensor apply(Function f, const Tensor& t) {
  const Row& row = kRows[static_cast<int>(f)];
  if (isFloating(t.dtype())) return row.map(t);
  switch (row.kind) {
  case Kind::Float:
    return row.map(to(t, DType::Float32));
  case Kind::FloatOnly:
    break;
  case Kind::Round:
    if (t.dtype() != DType::Bool) return sameInNewLayout(t);
    break;
  }
  raiseNotImplemented(row.kernel, t.dtype());
}

void applyInto(Function f, const Tensor& self) {
  checkNoInternalOverlap(self);
  assign(self, apply(f, self));
}

double apply(Function f, double x) { return kRows[static_cast<int>(f)].number(x); }

void assign(const Tensor& self, const Tensor& result) {
  checkNoInternalOverlap(self);
  checkWritten(self, broadcastShapes(self.sizes(), result.sizes()), result.dtype());
  copyInto(self, result);
}

Tensor sign(const Tensor& t) {
  if (t.dtype() == DType::Bool) return sameInNewLayout(t);
  const Tensor out = emptyForPair(t.sizes(), t.dtype(), t, t);
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    mapInto<T, T>(out, t, [](T x) { return (T(0) < x) - (x < T(0)); });
  });
  return out;
}

Tensor logicalNot(const Tensor& t) {
  return mapBool(t, [](auto x) { return x == decltype(x)(0); });
}

Tensor bitwiseNot(const Tensor& t) {
  if (isFloating(t.dtype())) raiseNotImplemented("bitwise_not_cpu", t.dtype());
  if (t.dtype() == DType::Bool) return logicalNot(t);
  const Tensor out = emptyForPair(t.sizes(), t.dtype(), t, t);
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      mapInto<T, T>(out, t, [](T x) { return ~x; });
  });
  return out;
}

Tensor isNan(const Tensor& t) {
  return mapBool(t, [](auto x) { return x != x; });
}
Tensor isInf(const Tensor& t) {
  if (!isFloating(t.dtype())) return fullLike(t, 0, DType::Bool);
  return mapBool(t, [](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>) return std::isinf(x);
    return false;
  });
}
Tensor isFinite(const Tensor& t) {
  if (!isFloating(t.dtype())) return fullLike(t, 1, DType::Bool);
  return mapBool(t, [](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>) return std::isfinite(x);
    return true;
  });
}

Tensor gelu(const Tensor& t, bool tanh) {
  needFloats(t, "GeluKernelImpl");
  return mapFloats(t, always([tanh](auto x) {
                     using T = decltype(x);
                     if (tanh) {
                       const T inner = T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
                       return T(0.5) * x * (1 + std::tanh(inner));
                     }
                     return x * T(0.5) * (1 + std::erf(x * T(0.70710678118654752440)));
                   }));
}
Tensor leakyRelu(const Tensor& t, const IValue& slope) {
  needFloats(t, "leaky_relu_cpu");
  return mapFloats(t, [&](auto zero) {
    using T = decltype(zero);
    return [by = checkedNumber<T>(slope)](T x) { return x > 0 ? x : x * by; };
  });
}
Tensor elu(const Tensor& t, const IValue& alpha, const IValue& scale, const IValue& inputScale) {
  needFloats(t, "elu_cpu");
  return mapFloats(t, [&](auto zero) {
    using T = decltype(zero);
    const T positive = checkedNumber<T>(scale), input = checkedNumber<T>(inputScale);
    const T negative = checkedNumber<T>(alpha) * positive;
    return [=](T x) { return x <= 0 ? (std::exp(x * input) - 1) * negative : x * positive; };
  });
}
Tensor softplus(const Tensor& t, const IValue& beta, const IValue& threshold) {
  needFloats(t, "softplus_cpu");
  return mapFloats(t, [&](auto zero) {
    using T = decltype(zero);
    const T b = checkedNumber<T>(beta), most = checkedNumber<T>(threshold);
    return [=](T x) { return x * b > most ? x : std::log1p(std::exp(x * b)) / b; };
  });
}

Tensor pow(const Tensor& base, const IValue& exponent, const Tensor* written) {
  const DType dtype = resultType({base, wrappedScalar(exponent)});
  if (isIntegral(dtype) && exponent.isInt() && exponent.toInt() < 0)
    raise(error_kind::Runtime, "Integers to negative integer powers are not allowed.");
  if (written && written->dtype() != dtype)
    raise(error_kind::Runtime,
          "Found dtype " + typeName(written->dtype()) + " but expected " + typeName(dtype));
  const double power = exponent.toNumber();
  const Tensor t = to(base, dtype);
  if (power == 0) {
    const Tensor out = emptyForPair(t.sizes(), dtype, t, t);
    fill(out, 1);
    return out;
  }
  if (power == 1) return sameInNewLayout(t);
  if (isFloating(dtype)) { // ATen's short cuts, which differ at the infinities
    if (power == 0.5) return apply(Function::sqrt, t);
    if (power == -0.5) return apply(Function::rsqrt, t);
    if (power == 2) return mapFloats(t, always([](auto x) { return x * x; }));
    if (power == 3) return mapFloats(t, always([](auto x) { return x * x * x; }));
    if (power == -1) return mapFloats(t, always([](auto x) { return 1 / x; }));
    if (power == -2) return mapFloats(t, always([](auto x) { return 1 / (x * x); }));
  }
  const Tensor out = emptyForPair(t.sizes(), dtype, t, t);
  copyInto(out, apply(PairFunction::Pow, t, wrappedScalar(exponent)));
  return out;
}

Tensor pow(const IValue& base, const Tensor& exponent) {
  const Tensor number = wrappedScalar(base);
  const Tensor out = Tensor::empty(exponent.sizes(), resultType({number, exponent}));
  if (base.toNumber() == 1)
    fill(out, 1);
  else
    copyInto(out, apply(PairFunction::Pow, number, exponent));
  return out;
}

Tensor clamp(const Tensor& t, const IValue& least, const IValue& most, const Tensor* written) {
  if (least.isNone() && most.isNone())
    raise(error_kind::Runtime, "torch.clamp: At least one of 'min' or 'max' must not be None");
  DType dtype = t.dtype();
  if (!isFloating(dtype)) {
    llvm::SmallVector<Tensor, 3> operands{t};
    for (const IValue* bound : {&least, &most})
      if (!bound->isNone()) operands.push_back(wrappedScalar(*bound));
    dtype = resultType(operands);
    if (written && dtype != written->dtype())
      raise(error_kind::Runtime, "result type " + typeName(dtype) +
                                     " can't be cast to the desired output type " +
                                     cppName(written->dtype()));
  }
  const Tensor from = to(t, dtype), out = emptyForPair(t.sizes(), dtype, from, from);
  const auto isNaN = [](const IValue& bound) {
    return bound.isDouble() && std::isnan(bound.toDouble());
  };
  if (!least.isNone() && !most.isNone() && (isNaN(least) || isNaN(most))) {
    fill(out, isNaN(least) ? least : most);
    return out; // alone, a bound that is NaN bounds nothing
  }
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T low = least.isNone() ? T(0) : checkedNumber<T>(least);
    const T high = most.isNone() ? T(0) : checkedNumber<T>(most);
    const bool hasLow = !least.isNone(), hasHigh = !most.isNone();
    mapInto<T, T>(out, from, [=](T x) {
      if (hasLow && x < low) x = low;
      if (hasHigh && high < x) x = high;
      return x;
    });
  });
  return out;
}

Tensor roundTo(const Tensor& t, std::int64_t decimals) {
  if (decimals == 0) {
    needFloats(t, "round_vml_cpu");
    return apply(Function::round, t);
  }
  needFloats(t, "round_cpu");
  return mapFloats(t, [&](auto zero) {
    using T = decltype(zero);
    const T by = static_cast<T>(std::pow(10, std::fabs(static_cast<double>(decimals))));
    return [by, left = decimals < 0](T x) {
      return left ? std::nearbyint(x / by) * by : std::nearbyint(x * by) / by;
    };
  });
}

void maskedFill(const Tensor& self, const Tensor& mask, const IValue& number) {
  if (mask.dtype() != DType::Bool && mask.dtype() != DType::UInt8)
    raise(error_kind::Runtime, "expected mask dtype to be Bool but got " + typeName(mask.dtype()));
  checkNoPartialOverlap(self, mask);
  checkWritten(self, broadcastShapes(self.sizes(), mask.sizes()), self.dtype());
  const Tensor m = broadcastTo(apartFrom(self, mask), self.sizes());
  dispatch(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T value = checkedNumber<T>(number);
    const auto* holds = reinterpret_cast<const std::uint8_t*>(m.bytes());
    strided<2>(self.sizes(), {self.strides(), m.strides()},
               [&](const Two& at, const Two& step, std::int64_t n) {
                 for (std::int64_t i = 0; i < n; ++i) {
                   const std::uint8_t bit = holds[at[1] + i * step[1]];
                   if (bit > 1)
                     raise(error_kind::Runtime, "Mask tensor can take 0 and 1 values only");
                   if (bit) self.data<T>()[at[0] + i * step[0]] = value;
                 }
               });
  });
}

Tensor isClose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equalNan) {
  if (a.dtype() != b.dtype())
    raise(error_kind::Runtime, typeName(a.dtype()) + " did not match " + typeName(b.dtype()));
  if (rtol < 0)
    raise(error_kind::Runtime,
          "rtol must be greater than or equal to zero, but got " + std::to_string(rtol));
  if (atol < 0)
    raise(error_kind::Runtime,
          "atol must be greater than or equal to zero, but got " + std::to_string(atol));
  const Tensor close = binary(BinaryOp::Eq, a, b);
  if (equalNan && isFloating(a.dtype())) {
    const Tensor both = isNan(a);
    binaryInto(BinaryOp::And, both, isNan(b)); // b may not be the larger one, as in ATen
    binaryInto(BinaryOp::Or, close, both);
  }
  if (rtol == 0 && atol == 0) return close;
  const Tensor mine = a.dtype() == DType::Bool ? to(a, DType::Float32) : a;
  const Tensor other = isFloating(a.dtype()) ? b : to(b, DType::Float32);
  const Tensor allowed =
      binary(BinaryOp::Add, unary(UnaryOp::Abs, binary(BinaryOp::Mul, other, rtol)), atol);
  const Tensor error = unary(UnaryOp::Abs, binary(BinaryOp::Sub, mine, other));
  const Tensor within = isFinite(error);
  binaryInto(BinaryOp::And, within, binary(BinaryOp::Le, error, allowed));
  binaryInto(BinaryOp::Or, close, within);
  return close;
}

} // namespace tine::kernels
