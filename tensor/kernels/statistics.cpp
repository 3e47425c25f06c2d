#include "tensor/functions.h"
#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tine::kernels {

namespace {

using Dims = llvm::SmallVector<std::int64_t, 6>;

// Which dimensions go, and what is left.
struct Reduction {
  llvm::SmallVector<bool, 6> gone;
  Dims sizes; // of the result

  Reduction(const Tensor& t, Sizes dims, bool keepDim)
      : gone(std::max<std::size_t>(t.sizes().size(), 1), dims.empty()) {
    for (const std::int64_t dim : dims) {
      const auto i = static_cast<std::size_t>(wrapDim(dim, t.dim()));
      if (gone[i])
        raise(error_kind::Runtime,
              "dim " + std::to_string(i) + " appears multiple times in the list of dims");
      gone[i] = true;
    }
    for (std::size_t i = 0; i < t.sizes().size(); ++i)
      if (!gone[i])
        sizes.push_back(t.sizes()[i]);
      else if (keepDim)
        sizes.push_back(1);
  }
};

// Calls f(elements, count, k) for the elements that result k is made of, k in row-major order.
template <class T, class F> void forGroups(const Tensor& t, const Reduction& reduction, F f) {
  Dims outerSizes, outerSteps, innerSizes, innerSteps;
  for (std::size_t i = 0; i < t.sizes().size(); ++i) {
    (reduction.gone[i] ? innerSizes : outerSizes).push_back(t.sizes()[i]);
    (reduction.gone[i] ? innerSteps : outerSteps).push_back(t.strides()[i]);
  }
  std::int64_t count = 1, k = 0;
  for (const std::int64_t size : innerSizes) count *= size;
  std::vector<std::remove_const_t<std::conditional_t<std::is_same_v<T, bool>, char, T>>> gathered(
      static_cast<std::size_t>(count));
  strided<1>(outerSizes, {Sizes(outerSteps)},
             [&](const auto& at, const auto& step, std::int64_t n) {
               for (std::int64_t i = 0; i < n; ++i) {
                 const T* from = t.data<T>() + at[0] + i * step[0];
                 const T* whole = nullptr;
                 auto* to = gathered.data();
                 strided<1>(innerSizes, {Sizes(innerSteps)},
                            [&](const auto& innerAt, const auto& by, std::int64_t run) {
                              if (run == count && by[0] == 1) {
                                whole = from + innerAt[0];
                                return;
                              }
                              for (std::int64_t j = 0; j < run; ++j)
                                *to++ = from[innerAt[0] + j * by[0]];
                            });
                 f(whole ? whole : reinterpret_cast<const T*>(gathered.data()), count, k++);
               }
             });
}

// Element k of a row-major tensor; apart, so that the loops around it are not made once more for
// every dtype of a result.
template <class V> [[gnu::noinline]] void store(const Tensor& out, std::int64_t k, V value) {
  dispatch(out.dtype(),
           [&](auto zero) { out.data<decltype(zero)>()[k] = static_cast<decltype(zero)>(value); });
}

// A tensor of f(elements, count) for each group.
template <class T, class F>
Tensor reducedOf(const Tensor& t, const Reduction& reduction, DType dtype, F f) {
  const Tensor out = Tensor::empty(reduction.sizes, dtype);
  forGroups<T>(t, reduction,
               [&](const T* from, std::int64_t n, std::int64_t k) { store(out, k, f(from, n)); });
  return out;
}
template <class F> Tensor reduced(const Tensor& t, const Reduction& reduction, DType dtype, F f) {
  return dispatch(t.dtype(),
                  [&](auto zero) { return reducedOf<decltype(zero)>(t, reduction, dtype, f); });
}
// The same of floats only.
template <class F> Tensor reducedFloats(const Tensor& t, const Reduction& reduction, F f) {
  return t.dtype() == DType::Float32 ? reducedOf<float>(t, reduction, t.dtype(), f)
                                     : reducedOf<double>(t, reduction, t.dtype(), f);
}

// The place of the largest (or smallest) element, the first of equal ones; the first NaN if any.
template <class T> std::int64_t place(const T* from, std::int64_t n, bool largest) {
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (from[i] != from[i]) return i;
    if (largest ? from[i] > from[best] : from[i] < from[best]) best = i;
  }
  return best;
}

Dims dimsOf(std::optional<std::int64_t> dim) { return dim ? Dims{*dim} : Dims(); }

// A dimension of a 0-dim tensor is 0 or -1, and its size is 1.
std::int64_t sizeAt(const Tensor& t, std::int64_t dim) {
  return t.dim() ? t.sizes()[static_cast<std::size_t>(dim)] : 1;
}

void needElements(const Tensor& t, std::int64_t dim, const char* name) {
  if (sizeAt(t, dim) == 0)
    raise(error_kind::Index, std::string(name) + "(): Expected reduction dim " +
                                 std::to_string(dim) + " to have non-zero size.");
}

// Elements along one dimension, others around it: calls f(first element of t, of out, count, step).
template <class F> void forLines(const Tensor& t, std::int64_t dim, F f) {
  const std::int64_t count = sizeAt(t, dim);
  std::int64_t inner = 1;
  for (std::size_t i = static_cast<std::size_t>(dim) + 1; i < t.sizes().size(); ++i)
    inner *= t.sizes()[i];
  if (t.numel() == 0) return;
  for (std::int64_t outer = 0; outer < t.numel() / (count * inner); ++outer)
    for (std::int64_t i = 0; i < inner; ++i) f(outer * count * inner + i, count, inner);
}

} // namespace

Tensor mean(const Tensor& t, Sizes dims, bool keepDim, std::optional<DType> wanted) {
  const DType dtype = wanted.value_or(t.dtype());
  if (!isFloating(dtype))
    raise(error_kind::Runtime,
          std::string("mean(): could not infer output dtype. ") +
              (wanted ? "Optional dtype" : "Input dtype") +
              " must be either a floating point or complex dtype. Got: " + typeName(dtype));
  const Tensor from = to(t, dtype);
  return reducedFloats(from, Reduction(from, dims, keepDim), [](const auto* in, std::int64_t n) {
    double total = 0;
    for (std::int64_t i = 0; i < n; ++i) total += static_cast<double>(in[i]);
    return total / static_cast<double>(n);
  });
}

Tensor prod(const Tensor& t, std::optional<std::int64_t> dim, bool keepDim,
            std::optional<DType> wanted) {
  const DType dtype = wanted.value_or(isFloating(t.dtype()) ? t.dtype() : DType::Int64);
  const Tensor from = to(t, dtype);
  return reduced(from, Reduction(from, dimsOf(dim), keepDim), dtype,
                 [](const auto* in, std::int64_t n) {
                   using T = std::remove_cvref_t<decltype(*in)>;
                   if constexpr (std::is_floating_point_v<T>) {
                     double total = 1;
                     for (std::int64_t i = 0; i < n; ++i) total *= static_cast<double>(in[i]);
                     return total;
                   } else {
                     std::uint64_t total = 1;
                     for (std::int64_t i = 0; i < n; ++i)
                       total *= static_cast<std::uint64_t>(in[i]);
                     return std::is_same_v<T, bool> ? std::uint64_t{total != 0} : total;
                   }
                 });
}

Tensor extreme(const Tensor& t, Sizes dims, bool keepDim, bool largest) {
  const Reduction reduction(t, dims, keepDim);
  return reduced(t, reduction, t.dtype(), [&](const auto* in, std::int64_t n) {
    return n ? in[place(in, n, largest)] : std::remove_cvref_t<decltype(*in)>(0);
  });
}

std::pair<Tensor, Tensor> extremeAt(const Tensor& t, std::int64_t dim, bool keepDim, bool largest) {
  const std::int64_t d = wrapDim(dim, t.dim());
  needElements(t, d, largest ? "max" : "min");
  const Reduction reduction(t, {d}, keepDim);
  const Tensor values = extreme(t, {d}, keepDim, largest);
  return {values, reduced(t, reduction, DType::Int64,
                          [&](const auto* in, std::int64_t n) { return place(in, n, largest); })};
}

Tensor argExtreme(const Tensor& t, std::optional<std::int64_t> dim, bool keepDim, bool largest) {
  const char* name = largest ? "argmax" : "argmin";
  if (dim)
    needElements(t, wrapDim(*dim, t.dim()), name);
  else if (t.numel() == 0)
    raise(error_kind::Index, std::string(name) + "(): Expected reduction dim to be specified for "
                                                 "input.numel() == 0. Specify the reduction dim "
                                                 "with the 'dim' argument.");
  if (t.dtype() == DType::Bool)
    raiseNotImplemented(largest ? "argmax_cpu" : "argmin_cpu", t.dtype());
  return reduced(t, Reduction(t, dimsOf(dim), keepDim), DType::Int64,
                 [&](const auto* in, std::int64_t n) { return place(in, n, largest); });
}

Tensor anyOrAll(const Tensor& t, std::optional<std::int64_t> dim, bool keepDim, bool any) {
  const DType dtype = t.dtype() == DType::UInt8 ? DType::UInt8 : DType::Bool;
  return reduced(t, Reduction(t, dimsOf(dim), keepDim), dtype, [&](const auto* in, std::int64_t n) {
    using T = std::remove_cvref_t<decltype(*in)>;
    for (std::int64_t i = 0; i < n; ++i)
      if ((in[i] != T(0)) == any) return any;
    return !any;
  });
}

Tensor variance(const Tensor& t, Sizes dims, std::int64_t correction, bool keepDim, bool root) {
  if (!isFloating(t.dtype()))
    raise(error_kind::Runtime, std::string("std and var only support floating point and complex "
                                           "dtypes"));
  return reducedFloats(t, Reduction(t, dims, keepDim), [&](const auto* in, std::int64_t n) {
    double total = 0, squares = 0;
    for (std::int64_t i = 0; i < n; ++i) total += static_cast<double>(in[i]);
    const double average = total / static_cast<double>(n);
    for (std::int64_t i = 0; i < n; ++i) {
      const double off = static_cast<double>(in[i]) - average;
      squares += off * off;
    }
    const double result = squares / static_cast<double>(std::max<std::int64_t>(n - correction, 0));
    return root ? std::sqrt(result) : result;
  });
}

Tensor norm(const Tensor& t, double p, Sizes dims, bool keepDim, std::optional<DType> wanted) {
  const Tensor from = wanted ? to(t, *wanted) : t;
  if (wanted && !isFloating(*wanted))
    raise(error_kind::Runtime, "norm(): the desired output dtype should be either floating point "
                               "or complex. Got " +
                                   typeName(*wanted) + " instead.");
  if (!isFloating(from.dtype()))
    raise(error_kind::Runtime,
          "norm(): input dtype should be either floating point or complex. Got " +
              typeName(from.dtype()) + " instead.");
  return reducedFloats(from, Reduction(from, dims, keepDim), [&](const auto* in, std::int64_t n) {
    double total = 0;
    if (n == 0) return total; // of any p
    if (std::isinf(p)) {
      for (std::int64_t i = 0; i < n; ++i) {
        const double x = std::fabs(static_cast<double>(in[i]));
        if (i == 0 || x != x || (p > 0 ? x > total : x < total)) total = x;
        if (x != x) break;
      }
      return total;
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = std::fabs(static_cast<double>(in[i]));
      total += p == 0 ? x != 0 : p == 1 ? x : p == 2 ? x * x : std::pow(x, p);
    }
    return p == 0 || p == 1 ? total : p == 2 ? std::sqrt(total) : std::pow(total, 1 / p);
  });
}

Tensor logSumExp(const Tensor& t, Sizes dims, bool keepDim) {
  if (!isFloating(t.dtype())) return logSumExp(to(t, DType::Float32), dims, keepDim);
  if (dims.empty() && !keepDim && t.dim() > 0) // what ATen subtracts keeps its dimensions
    raise(error_kind::Shape, "output with shape [] doesn't match the broadcast shape " +
                                 shapeStr(Dims(t.sizes().size(), 1)));
  return reducedFloats(t, Reduction(t, dims, keepDim), [](const auto* in, std::int64_t n) {
    if (n == 0) return -std::numeric_limits<double>::infinity();
    double most = static_cast<double>(in[place(in, n, true)]), total = 0;
    if (most != most) return most;
    if (std::isinf(most)) most = 0;
    for (std::int64_t i = 0; i < n; ++i) total += std::exp(static_cast<double>(in[i]) - most);
    return std::log(total) + most;
  });
}

Tensor cumulative(const Tensor& t, std::int64_t dim, std::optional<DType> wanted, bool product) {
  const std::int64_t d = wrapDim(dim, t.dim());
  const DType dtype = wanted.value_or(isFloating(t.dtype()) ? t.dtype() : DType::Int64);
  if (dtype == DType::Bool)
    raiseNotImplemented(product ? "cumprod_out_cpu" : "cumsum_out_cpu", dtype);
  const Tensor out = Tensor::empty(t.sizes(), dtype);
  if (t.dim() == 0) {
    fill(out, item(t)); // the one place where the conversion is checked
    return out;
  }
  const Tensor from = to(t, dtype).contiguous();
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    using Total = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
    forLines(from, d, [&](std::int64_t at, std::int64_t n, std::int64_t step) {
      Total total = product ? 1 : 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const auto x = static_cast<Total>(from.data<T>()[at + i * step]);
        total = product ? total * x : total + x;
        out.data<T>()[at + i * step] = static_cast<T>(total);
      }
    });
  });
  return out;
}

Tensor softmax(const Tensor& t, std::int64_t dim, std::optional<DType> wanted, bool log) {
  const Tensor from = (wanted ? to(t, *wanted) : t).contiguous();
  const std::int64_t d = wrapDim(dim, t.dim());
  if (t.numel() == 0) return Tensor::empty(t.sizes(), from.dtype());
  if (!isFloating(from.dtype()))
    raiseNotImplemented(d + 1 < t.dim() ? "softmax_kernel_impl"
                        : log           ? "log_softmax_lastdim_kernel_impl"
                                        : "softmax_lastdim_kernel_impl",
                        from.dtype());
  const Tensor out = Tensor::empty(t.sizes(), from.dtype());
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    forLines(from, d, [&](std::int64_t at, std::int64_t n, std::int64_t step) {
      const T* in = from.data<T>() + at;
      T* to = out.data<T>() + at;
      T most = in[0];
      for (std::int64_t i = 0; i < n; ++i)
        if (in[i * step] > most || in[i * step] != in[i * step]) most = in[i * step];
      T total = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const T power = std::exp(in[i * step] - most);
        to[i * step] = log ? in[i * step] - most : power;
        total += power;
      }
      const T by = log ? std::log(total) : 1 / total;
      for (std::int64_t i = 0; i < n; ++i)
        to[i * step] = log ? to[i * step] - by : to[i * step] * by;
    });
  };
  if (from.dtype() == DType::Float32)
    run(float{});
  else
    run(double{});
  return out;
}

std::pair<Tensor, Tensor> sort(const Tensor& t, std::int64_t dim, bool descending) {
  const std::int64_t d = wrapDim(dim, t.dim());
  const Tensor from = t.contiguous(), values = Tensor::empty(t.sizes(), t.dtype());
  const Tensor indices = Tensor::empty(t.sizes(), DType::Int64);
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* in = from.data<T>();
    std::vector<std::int64_t> order;
    forLines(from, d, [&](std::int64_t at, std::int64_t n, std::int64_t step) {
      order.resize(static_cast<std::size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      const auto before = [&](T a, T b) { // NaN is the largest
        return descending ? (a != a && b == b) || a > b : (a == a && b != b) || a < b;
      };
      std::stable_sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t k) {
        return before(in[at + i * step], in[at + k * step]);
      });
      for (std::int64_t i = 0; i < n; ++i) {
        values.data<T>()[at + i * step] = in[at + order[static_cast<std::size_t>(i)] * step];
        indices.data<std::int64_t>()[at + i * step] = order[static_cast<std::size_t>(i)];
      }
    });
  });
  const auto laidOut = [&](const Tensor& result) { // as ATen's: in t's order of dimensions
    const Tensor out = emptyPreserving(t, result.dtype());
    if (out.strides() == result.strides()) return result;
    copyInto(out, result);
    return out;
  };
  return {laidOut(values), laidOut(indices)};
}

std::pair<Tensor, Tensor> topk(const Tensor& t, std::int64_t k, std::int64_t dim, bool largest,
                               bool sorted) {
  const std::int64_t d = wrapDim(dim, t.dim());
  if (k < 0 || k > sizeAt(t, d)) raise(error_kind::Runtime, "selected index k out of range");
  Dims sizes(t.sizes());
  if (!sizes.empty()) sizes[static_cast<std::size_t>(d)] = k;
  const Tensor values = Tensor::empty(sizes, t.dtype());
  const Tensor indices = zeros(sizes, DType::Int64);
  if (t.dim() == 0) {
    copyInto(values, t);
    return {values, indices};
  }
  if (t.dtype() == DType::Bool) raiseNotImplemented("topk_cpu", t.dtype());
  if (values.numel() == 0) return {values, indices};
  const Tensor from = t.contiguous();
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using Item = std::pair<T, std::int64_t>;
    std::vector<Item> queue;
    const auto before = [largest](const Item& a, const Item& b) { // NaN is the largest
      const T x = a.first, y = b.first;
      return largest ? (x != x && y == y) || x > y : (x == x && y != y) || x < y;
    };
    std::int64_t line = 0;
    forLines(from, d, [&](std::int64_t at, std::int64_t n, std::int64_t step) {
      queue.resize(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i)
        queue[static_cast<std::size_t>(i)] = {from.data<T>()[at + i * step], i};
      // As ATen chooses, so that of equal elements the same ones are taken.
      if (k * 64 <= n) {
        std::partial_sort(queue.begin(), queue.begin() + k, queue.end(), before);
      } else {
        std::nth_element(queue.begin(), queue.begin() + k - 1, queue.end(), before);
        if (sorted) std::sort(queue.begin(), queue.begin() + k - 1, before);
      }
      const std::int64_t first = line / step * k * step + line % step;
      ++line;
      for (std::int64_t i = 0; i < k; ++i) {
        values.data<T>()[first + i * step] = queue[static_cast<std::size_t>(i)].first;
        indices.data<std::int64_t>()[first + i * step] = queue[static_cast<std::size_t>(i)].second;
      }
    });
  });
  return {values, indices};
}

} // namespace tine::kernels
