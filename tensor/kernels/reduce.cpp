#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

namespace tine::kernels {

namespace {

// What sums are kept in: floats in double, integers in uint64, where they wrap.
template <class T>
using Total = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

template <class T>
Total<T> sumRow(const T* from, std::int64_t n, std::int64_t step, Total<T> total) {
  for (std::int64_t i = 0; i < n; ++i) total += static_cast<Total<T>>(from[i * step]);
  return total;
}

} // namespace

Tensor sum(const Tensor& t, std::optional<DType> dtype) { return sum(t, {}, false, dtype); }

Tensor sum(const Tensor& t, Sizes dims, bool keepDim, std::optional<DType> wanted) {
  const DType dtype = wanted.value_or(isFloating(t.dtype()) ? t.dtype() : DType::Int64);
  if (wanted && dtype != t.dtype()) return sum(to(t, dtype), dims, keepDim, dtype);
  const auto ndim = static_cast<std::size_t>(t.dim());
  llvm::SmallVector<bool, 6> reduced(std::max<std::size_t>(ndim, 1), dims.empty());
  for (const std::int64_t dim : dims) {
    const auto i = static_cast<std::size_t>(wrapDim(dim, t.dim()));
    if (reduced[i])
      raise(error_kind::Runtime,
            "dim " + std::to_string(i) + " appears multiple times in the list of dims");
    reduced[i] = true;
  }
  // Kept dimensions outside, reduced ones inside: one run of the inner ones is one sum.
  llvm::SmallVector<std::int64_t, 6> sizes, outerSizes, outerSteps, innerSizes, innerSteps;
  for (std::size_t i = 0; i < ndim; ++i) {
    (reduced[i] ? innerSizes : outerSizes).push_back(t.sizes()[i]);
    (reduced[i] ? innerSteps : outerSteps).push_back(t.strides()[i]);
    if (!reduced[i])
      sizes.push_back(t.sizes()[i]);
    else if (keepDim)
      sizes.push_back(1);
  }
  const Tensor out = Tensor::empty(sizes, dtype);
  dispatch(t.dtype(), [&](auto zeroIn) {
    dispatch(dtype, [&](auto zeroOut) {
      using In = decltype(zeroIn);
      using Out = decltype(zeroOut);
      Out* to = out.data<Out>();
      strided<1>(
          outerSizes, {Sizes(outerSteps)}, [&](const auto& at, const auto& step, std::int64_t n) {
            for (std::int64_t i = 0; i < n; ++i) {
              const In* from = t.data<In>() + at[0] + i * step[0];
              Total<In> total = 0;
              strided<1>(innerSizes, {Sizes(innerSteps)},
                         [&](const auto& innerAt, const auto& innerStep, std::int64_t count) {
                           total = sumRow(from + innerAt[0], count, innerStep[0], total);
                         });
              *to++ = convert<Out>(total);
            }
          });
    });
  });
  return out;
}

} // namespace tine::kernels
