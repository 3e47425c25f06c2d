#include "tensor/functions.h"
#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

#include <cmath>

// Functions of three tensors, element by element.
namespace tine::kernels {

namespace {

using Shape = llvm::SmallVector<std::int64_t, 6>;

Shape commonSizes(const Tensor& a, const Tensor& b, const Tensor& c) {
  return broadcastShapes(broadcastShapes(a.sizes(), b.sizes()), c.sizes());
}

// f(x, y, z) of elements in A, B, C, which the tensors have.
template <class A, class B, class C, class Out, class F>
void mapInto(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& c, F f) {
  const Sizes sizes = out.sizes();
  const Strides ofA = broadcastStrides(a, sizes), ofB = broadcastStrides(b, sizes),
                ofC = broadcastStrides(c, sizes);
  strided<4>(sizes, {out.strides(), ofA, ofB, ofC},
             [&](const std::array<std::int64_t, 4>& at, const std::array<std::int64_t, 4>& step,
                 std::int64_t n) {
               Out* to = out.data<Out>() + at[0];
               const A* x = a.data<A>() + at[1];
               const B* y = b.data<B>() + at[2];
               const C* z = c.data<C>() + at[3];
               for (std::int64_t i = 0; i < n; ++i)
                 to[i * step[0]] = f(x[i * step[1]], y[i * step[2]], z[i * step[3]]);
             });
}

// Integers compute in an unsigned type that no promotion widens to a signed one: they wrap.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T> T sumWithProduct(T self, T a, T b, T value) {
  if constexpr (std::is_floating_point_v<T>)
    return self + value * a * b;
  else
    return static_cast<T>(static_cast<Wrapping<T>>(self) + static_cast<Wrapping<T>>(value) *
                                                               static_cast<Wrapping<T>>(a) *
                                                               static_cast<Wrapping<T>>(b));
}

} // namespace

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  if (condition.dtype() != DType::Bool && condition.dtype() != DType::UInt8)
    raise(error_kind::Runtime, "where expected condition to be a boolean tensor, but got a tensor "
                               "with dtype " +
                                   typeName(condition.dtype()));
  const DType dtype = resultType({a, b});
  const Tensor x = to(a, dtype), y = to(b, dtype), c = to(condition, DType::Bool);
  const Tensor out = emptyForAll(commonSizes(c, x, y), dtype, {c, x, y});
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    mapInto<bool, T, T, T>(out, c, x, y, [](bool holds, T p, T q) { return holds ? p : q; });
  });
  return out;
}

Tensor addProduct(const Tensor& self, const Tensor& a, const Tensor& b, const IValue& value,
                  bool quotient, const Tensor* written) {
  const Shape sizes = commonSizes(self, a, b);
  const DType dtype = resultType({self, a, b});
  if (written) checkWritten(*written, sizes, dtype);
  if (dtype == DType::Bool)
    raiseNotImplemented(quotient ? "addcdiv_cpu_out" : "addcmul_cpu_out", dtype);
  const Tensor x = to(self, dtype), y = to(a, dtype), z = to(b, dtype);
  const Tensor out = emptyForAll(sizes, dtype, {x, y, z});
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, bool>) {
      const T factor = checkedNumber<T>(value);
      if (!quotient)
        mapInto<T, T, T, T>(out, x, y, z,
                            [=](T p, T q, T r) { return sumWithProduct<T>(p, q, r, factor); });
      else if constexpr (std::is_floating_point_v<T>)
        mapInto<T, T, T, T>(out, x, y, z, [=](T p, T q, T r) { return p + factor * q / r; });
    }
  });
  return out;
}

Tensor lerp(const Tensor& self, const Tensor& end, const IValue& weight, const Tensor* written) {
  const auto check = [&](const Tensor& t, const char* name) {
    if (t.dtype() != self.dtype())
      raise(error_kind::Runtime, "expected dtype " + cppName(self.dtype()) + " for `" + name +
                                     "` but got dtype " + cppName(t.dtype()));
  };
  check(end, "end");
  const Tensor by = weight.isTensor() ? weight.toTensor() : Tensor();
  if (by.defined()) check(by, "weight");
  const DType dtype = self.dtype();
  const Shape sizes =
      by.defined() ? commonSizes(self, end, by) : broadcastShapes(self.sizes(), end.sizes());
  if (written) {
    checkNoInternalOverlap(*written);
    checkWritten(*written, sizes, dtype);
  }
  if (!isFloating(dtype))
    raiseNotImplemented(by.defined() ? "lerp_kernel_tensor" : "lerp_kernel_scalar", dtype);
  const Tensor out = by.defined() ? emptyForAll(sizes, dtype, {self, end, by})
                                  : emptyForPair(sizes, dtype, self, end);
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    const Tensor factor = by.defined() ? by : full({}, weight, dtype);
    mapInto<T, T, T, T>(out, self, end, factor, [](T a, T b, T w) {
      return w < T(0.5) ? a + w * (b - a) : b - (b - a) * (T(1) - w);
    });
  };
  if (dtype == DType::Float32)
    run(float{});
  else
    run(double{});
  return out;
}

Tensor clamp(const Tensor& t, const Tensor& least, const Tensor& most) {
  if (!least.defined() && !most.defined())
    raise(error_kind::Runtime, "torch.clamp: At least one of 'min' or 'max' must not be None");
  if (!most.defined()) return apply(PairFunction::Maximum, t, least);
  if (!least.defined()) return apply(PairFunction::Minimum, t, most);
  const DType dtype = resultType({t, least, most});
  const Shape sizes = commonSizes(t, least, most);
  if (dtype == DType::Bool) raiseNotImplemented("clamp_cpu", dtype);
  const Tensor x = to(t, dtype), low = to(least, dtype), high = to(most, dtype);
  const Tensor out = emptyForAll(sizes, dtype, {x, low, high});
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    mapInto<T, T, T, T>(out, x, low, high, [](T p, T a, T b) {
      if (p != p) return p;
      if (a != a) return a;
      const T raised = p < a ? a : p;
      return b != b || b < raised ? b : raised;
    });
  });
  return out;
}

} // namespace tine::kernels
