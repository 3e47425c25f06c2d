#include "tensor/functions.h"
#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

#include <cmath>

namespace tine::kernels {

namespace {

// ---- what happens to two elements
// -----------------------------------------------------------------

// Integers compute in an unsigned type that no promotion widens to a signed one: they wrap.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T> T fmodOf(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) raise(error_kind::ZeroDivision, "ZeroDivisionError");
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
}

// Integers to negative powers are 0 but for 1 and -1.
template <class T> T powerOf(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::pow(a, b);
  } else {
    if constexpr (std::is_signed_v<T>)
      if (b < 0) return a == 1 ? T(1) : a == -1 ? (b % 2 ? T(-1) : T(1)) : T(0);
    Wrapping<T> result = 1, factor = static_cast<Wrapping<T>>(a);
    for (auto rest = static_cast<std::make_unsigned_t<T>>(b); rest; rest >>= 1) {
      if (rest & 1) result *= factor;
      factor *= factor;
    }
    return static_cast<T>(result);
  }
}

// By a number of bits that the type does not have: nothing is left, or the sign.
template <class T> T shifted(T a, T b, bool left) {
  constexpr int kBits = 8 * sizeof(T);
  const bool outside = static_cast<std::make_unsigned_t<T>>(b) >= kBits;
  if (left) return outside ? T(0) : static_cast<T>(static_cast<Wrapping<T>>(a) << b);
  if (outside) return a < T(0) ? static_cast<T>(-1) : T(0);
  return static_cast<T>(a >> b);
}

template <class T> auto valueOf(PairFunction f, T a, T b) {
  constexpr bool kFloat = std::is_floating_point_v<T>, kBool = std::is_same_v<T, bool>;
  switch (f) {
  case PairFunction::Maximum:
    return static_cast<T>(a < b || b != b ? (a != a ? a : b) : a); // of equal zeros the first
  case PairFunction::Minimum:
    return static_cast<T>(b < a || b != b ? (a != a ? a : b) : a);
  case PairFunction::LogicalAnd:
    return static_cast<T>(a != T(0) && b != T(0));
  case PairFunction::LogicalOr:
    return static_cast<T>(a != T(0) || b != T(0));
  case PairFunction::LogicalXor:
    return static_cast<T>((a != T(0)) != (b != T(0)));
  case PairFunction::Fmod:
    if constexpr (!kBool) return fmodOf(a, b);
    break;
  case PairFunction::Pow:
    if constexpr (!kBool) return powerOf(a, b);
    break;
  case PairFunction::LeftShift:
  case PairFunction::RightShift:
    if constexpr (!kBool && !kFloat) return shifted(a, b, f == PairFunction::LeftShift);
    break;
  case PairFunction::Atan2:
    if constexpr (kFloat) return std::atan2(a, b);
    break;
  case PairFunction::Copysign:
    if constexpr (kFloat) return std::copysign(a, b);
    break;
  }
  return T(0); // of a dtype that typesOf refuses
}

// ---- what happens to two tensors
// ------------------------------------------------------------------

struct Types {
  DType compute, result;
};

// `inPlace`: the result will be written over a.
Types typesOf(PairFunction f, const Tensor& a, const Tensor& b, bool inPlace) {
  const DType common = resultType({a, b});
  const char* refused = nullptr; // TorchScript's name of the kernel
  switch (f) {
  case PairFunction::LogicalAnd:
  case PairFunction::LogicalOr:
  case PairFunction::LogicalXor:
    return {common, DType::Bool};
  case PairFunction::Maximum:
  case PairFunction::Minimum:
    return {common, common};
  case PairFunction::Atan2:
  case PairFunction::Copysign:
    return isFloating(common) ? Types{common, common} : Types{DType::Float32, DType::Float32};
  case PairFunction::Fmod:
    refused = "fmod_cpu";
    break;
  case PairFunction::Pow:
    refused = "pow";
    break;
  case PairFunction::LeftShift:
    refused = "lshift_cpu";
    break;
  case PairFunction::RightShift:
    refused = "rshift_cpu";
    break;
  }
  const bool shift = f == PairFunction::LeftShift || f == PairFunction::RightShift;
  if (common == DType::Bool || (shift && isFloating(common))) {
    const auto sizes = broadcastShapes(a.sizes(), b.sizes()); // shapes are the first to be said
    if (inPlace) checkWritten(a, sizes, common);
    raiseNotImplemented(refused, common);
  }
  return {common, common};
}

} // namespace

namespace {
Tensor apply(PairFunction f, const Tensor& a, const Tensor& b, Types types) {
  const Tensor left = to(a, types.compute), right = to(b, types.compute);
  const auto sizes = broadcastShapes(a.sizes(), b.sizes());
  const Tensor out = emptyForPair(sizes, types.result, left, right);
  const Strides stepsA = broadcastStrides(left, sizes), stepsB = broadcastStrides(right, sizes);
  const auto run = [&](auto zeroIn, auto zeroOut) {
    using T = decltype(zeroIn);
    using Out = decltype(zeroOut);
    strided<3>(out.sizes(), {out.strides(), stepsA, stepsB},
               [&](const std::array<std::int64_t, 3>& at, const std::array<std::int64_t, 3>& step,
                   std::int64_t n) {
                 const T *x = left.data<T>() + at[1], *y = right.data<T>() + at[2];
                 Out* o = out.data<Out>() + at[0];
                 for (std::int64_t i = 0; i < n; ++i)
                   o[i * step[0]] = static_cast<Out>(valueOf<T>(f, x[i * step[1]], y[i * step[2]]));
               });
  };
  dispatch(types.compute, [&](auto zero) {
    if (types.result == DType::Bool)
      run(zero, bool{});
    else
      run(zero, zero);
  });
  return out;
}
} // namespace

Tensor apply(PairFunction f, const Tensor& a, const Tensor& b) {
  return apply(f, a, b, typesOf(f, a, b, false));
}

void applyInto(PairFunction f, const Tensor& self, const Tensor& b) {
  checkNoInternalOverlap(self);
  checkNoPartialOverlap(self, b);
  const Types types = typesOf(f, self, b, true);
  checkWritten(self, broadcastShapes(self.sizes(), b.sizes()), types.result);
  copyInto(self, apply(f, self, b, types));
}

} // namespace tine::kernels
