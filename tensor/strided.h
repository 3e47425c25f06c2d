#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tine {

/// Visits the elements of N tensors of equal sizes, row-major, as runs: `f(at, step, n)` stands for
/// the elements at[k] + i * step[k] of tensor k, i < n, counted from its first element. Adjacent
/// dimensions that all N tensors lay out without gaps become one run.
///
///   strided<2>(out.sizes(), {out.strides(), in.strides()}, [&](auto at, auto step, auto n) {
///     for (std::int64_t i = 0; i < n; ++i) to[at[0] + i * step[0]] = from[at[1] + i * step[1]];
///   });
template <std::size_t N, class F>
void strided(llvm::ArrayRef<std::int64_t> sizes,
             const std::array<llvm::ArrayRef<std::int64_t>, N>& strides, F&& f) {
  struct Dim {
    std::int64_t size;
    std::array<std::int64_t, N> step;
  };
  llvm::SmallVector<Dim, 6> dims; // innermost first
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 0) return;
    if (sizes[i] == 1) continue;
    Dim dim{sizes[i], {}};
    for (std::size_t k = 0; k < N; ++k) dim.step[k] = strides[k][i];
    bool joins = !dims.empty();
    for (std::size_t k = 0; joins && k < N; ++k)
      joins = dim.step[k] == dims.back().step[k] * dims.back().size;
    if (joins)
      dims.back().size *= dim.size;
    else
      dims.push_back(dim);
  }
  std::array<std::int64_t, N> at{};
  if (dims.empty()) {
    f(at, at, std::int64_t{1});
    return;
  }
  llvm::SmallVector<std::int64_t, 6> index(dims.size(), 0);
  for (;;) {
    f(at, dims[0].step, dims[0].size);
    std::size_t d = 1;
    for (; d < dims.size(); ++d) {
      for (std::size_t k = 0; k < N; ++k) at[k] += dims[d].step[k];
      if (++index[d] < dims[d].size) break;
      for (std::size_t k = 0; k < N; ++k) at[k] -= dims[d].step[k] * dims[d].size;
      index[d] = 0;
    }
    if (d == dims.size()) return;
  }
}

/// A number in another element type, defined for every input: integers wrap, floats outside the
/// range of an integer and NaN become its minimum (what the hardware and so TorchScript give for
/// 64 bits, then wrapped), anything but zero is True.
template <class To, class From> To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    constexpr From kLimit = static_cast<From>(9223372036854775808.0);
    const std::int64_t wide = value >= -kLimit && value < kLimit
                                  ? static_cast<std::int64_t>(value)
                                  : std::numeric_limits<std::int64_t>::min();
    return static_cast<To>(wide);
  } else {
    return static_cast<To>(value);
  }
}

} // namespace tine
