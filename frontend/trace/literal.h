#pragma once

#include "tensor/tensor.h"

#include <concepts>
#include <initializer_list>
#include <optional>
#include <vector>

namespace tine {

/// Numbers as they are written down in C++: one, a row, rows of rows.
struct Numbers {
  template <class T>
  requires std::is_arithmetic_v<T> Numbers(T value)
      : floats{static_cast<double>(value)}, ints{std::integral<T> ? static_cast<std::int64_t>(value)
                                                                  : 0},
        dtype(std::same_as<T, bool>    ? DType::Bool
              : std::floating_point<T> ? DType::Float32
                                       : DType::Int64) {}
  /// \errors ValueError for rows of different shapes
  Numbers(std::initializer_list<Numbers> rows);

  std::vector<std::int64_t> sizes;
  std::vector<double> floats;
  std::vector<std::int64_t> ints;
  DType dtype = DType::Float32;
};

/// A tensor of numbers: int64 of integers, float32 of floating point numbers and of both together,
/// bool of bools, unless a type is given.
///   tensor(2)                      // int64 []
///   tensor({1., 2.5})              // float32 [2]
///   tensor({{1, 2}, {3, 4}})       // int64 [2, 2]
Tensor tensor(const Numbers& numbers, std::optional<DType> dtype = {});

} // namespace tine
