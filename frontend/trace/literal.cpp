#include "frontend/trace/literal.h"

#include "tensor/strided.h"

namespace tine {

Numbers::Numbers(std::initializer_list<Numbers> rows) {
  if (rows.size() != 0) {
    sizes = rows.begin()->sizes;
    dtype = rows.begin()->dtype;
  }
  for (const Numbers& row : rows) {
    if (row.sizes != sizes)
      raise(error_kind::Value, "tensor(...) has rows of shapes " + shapeStr(sizes) + " and " +
                                   shapeStr(row.sizes) + " side by side");
    dtype = promote(dtype, row.dtype);
    floats.insert(floats.end(), row.floats.begin(), row.floats.end());
    ints.insert(ints.end(), row.ints.begin(), row.ints.end());
  }
  sizes.insert(sizes.begin(), static_cast<std::int64_t>(rows.size()));
}

Tensor tensor(const Numbers& numbers, std::optional<DType> dtype) {
  const Tensor out = Tensor::empty(numbers.sizes, dtype.value_or(numbers.dtype));
  const bool exact = numbers.dtype == DType::Int64; // where double would lose digits
  tine::dispatch(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.data<T>();
    for (std::size_t i = 0; i < numbers.floats.size(); ++i)
      to[i] = exact ? convert<T>(numbers.ints[i]) : convert<T>(numbers.floats[i]);
  });
  return out;
}

} // namespace tine
