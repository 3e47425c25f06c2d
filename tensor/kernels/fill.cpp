#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace tine::kernels {

namespace {

using Two = std::array<std::int64_t, 2>;

template <class To, class From> void convertAll(const Tensor& to, const Tensor& from) {
  To* out = to.data<To>();
  const From* in = from.data<From>();
  strided<2>(to.sizes(), {to.strides(), from.strides()},
             [&](const Two& at, const Two& step, std::int64_t n) {
               To* o = out + at[0];
               const From* i = in + at[1];
               if (step[0] == 1 && step[1] == 1)
                 for (std::int64_t k = 0; k < n; ++k) o[k] = convert<To>(i[k]);
               else
                 for (std::int64_t k = 0; k < n; ++k) o[k * step[0]] = convert<To>(i[k * step[1]]);
             });
}

void convertAll(const Tensor& to, const Tensor& from) {
  dispatch(to.dtype(), [&](auto zeroTo) {
    dispatch(from.dtype(),
             [&](auto zeroFrom) { convertAll<decltype(zeroTo), decltype(zeroFrom)>(to, from); });
  });
}

template <class T> void fillRow(T* out, std::int64_t n, std::int64_t step, T value) {
  for (std::int64_t i = 0; i < n; ++i) out[i * step] = value;
}

// ---- nested lists ----

const IValue& element(const IValue& list, std::size_t i) {
  return list.isList() ? list.toList().items[i] : list.toTuple().items[i];
}
std::size_t length(const IValue& list) {
  return list.isList() ? list.toList().items.size() : list.toTuple().items.size();
}
bool isSequence(const IValue& v) { return v.isList() || v.isTuple(); }

// The sizes that the first elements tell. Depth is bounded by a tensor's number of dimensions.
llvm::SmallVector<std::int64_t, 6> sizesOf(const IValue& data) {
  llvm::SmallVector<std::int64_t, 6> sizes;
  for (const IValue* at = &data; isSequence(*at);) {
    sizes.push_back(static_cast<std::int64_t>(length(*at)));
    if (sizes.size() > 64) raise(error_kind::Value, "a tensor has at most 64 dimensions");
    if (length(*at) == 0) break;
    at = &element(*at, 0);
  }
  return sizes;
}

// Appends the numbers of `data`, which must have these sizes, in order. Recursion is at most 64
// deep.
void flatten(const IValue& data, Sizes sizes, std::size_t dim, std::vector<const IValue*>& out) {
  if (dim == sizes.size()) {
    if (!data.isNumber() && !data.isTensor())
      raise(error_kind::Type,
            "expected a number in the data of a tensor but found " + name(data.tag()).str());
    out.push_back(&data);
    return;
  }
  if (!isSequence(data) || static_cast<std::int64_t>(length(data)) != sizes[dim])
    raise(error_kind::Value,
          "Expected sequence of length " + std::to_string(sizes[dim]) + " at dim " +
              std::to_string(dim) +
              (isSequence(data) ? " (got " + std::to_string(length(data)) + ")" : ""));
  for (std::size_t i = 0; i < length(data); ++i) flatten(element(data, i), sizes, dim + 1, out);
}

// Holds the numbers exactly.
DType dtypeOf(llvm::ArrayRef<const IValue*> numbers) {
  bool ints = false, floats = numbers.empty();
  for (const IValue* number : numbers) {
    ints |= number->isInt();
    floats |= number->isDouble();
  }
  return floats ? DType::Float64 : ints ? DType::Int64 : DType::Bool;
}

} // namespace

void fill(const Tensor& self, const IValue& number, bool overlapping) {
  if (!overlapping) checkNoInternalOverlap(self);
  dispatch(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T value = checkedNumber<T>(number);
    strided<1>(self.sizes(), {self.strides()},
               [&](const std::array<std::int64_t, 1>& at, const std::array<std::int64_t, 1>& step,
                   std::int64_t n) { fillRow(self.data<T>() + at[0], n, step[0], value); });
  });
}

void copyInto(const Tensor& self, const Tensor& from) {
  checkNoInternalOverlap(self);
  const Tensor source = broadcastTo(from, [&] {
    if (broadcastShapes(self.sizes(), from.sizes()) !=
        llvm::SmallVector<std::int64_t, 6>(self.sizes()))
      raise(error_kind::Shape, "output with shape " + shapeStr(self.sizes()) +
                                   " doesn't match the broadcast shape " +
                                   shapeStr(broadcastShapes(self.sizes(), from.sizes())));
    return self.sizes();
  }());
  checkNoPartialOverlap(self, source);
  convertAll(self, apartFrom(self, source));
}

Tensor to(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return t;
  if (!hasKernels(dtype)) raiseNoKernels(dtype);
  const Tensor out = emptyPreserving(t, dtype);
  convertAll(out, t);
  return out;
}

Tensor full(Sizes sizes, const IValue& number, DType dtype) {
  const Tensor out = Tensor::empty(sizes, dtype);
  fill(out, number);
  return out;
}

Tensor copy(const Tensor& t) {
  const Tensor out = emptyPreserving(t, t.dtype());
  convertAll(out, t);
  return out;
}

Tensor fullLike(const Tensor& t, const IValue& number, DType dtype) {
  const Tensor out = emptyPreserving(t, dtype);
  fill(out, number);
  return out;
}

Tensor zeros(Sizes sizes, DType dtype) {
  const Tensor out = Tensor::empty(sizes, dtype);
  if (out.numel())
    std::memset(out.bytes(), 0, static_cast<std::size_t>(out.numel()) * itemSize(dtype));
  return out;
}

Tensor ones(Sizes sizes, DType dtype) { return full(sizes, 1, dtype); }

Tensor arange(const IValue& start, const IValue& end, const IValue& step,
              std::optional<DType> wanted) {
  const bool whole = !start.isDouble() && !end.isDouble() && !step.isDouble();
  const DType dtype = wanted.value_or(whole ? DType::Int64 : DType::Float32);
  if (dtype == DType::Bool) raiseNotImplemented("arange_cpu", dtype);
  const bool integral = !isFloating(dtype);
  const auto from = integral ? checkedNumber<std::int64_t>(start) : 0;
  const auto till = integral ? checkedNumber<std::int64_t>(end) : 0;
  const auto each = integral ? checkedNumber<std::int64_t>(step) : 0;
  const double first = start.toNumber(), last = end.toNumber(), by = step.toNumber();
  if (!std::isfinite(first) || !std::isfinite(last)) {
    char text[96];
    std::snprintf(text, sizeof text, "unsupported range: %g -> %g", first, last);
    raise(error_kind::Runtime, text);
  }
  if (integral ? each == 0 : by == 0) raise(error_kind::Runtime, "step must be nonzero");
  if (integral ? (each > 0 ? till < from : till > from) : (by > 0 ? last < first : last > first))
    raise(error_kind::Runtime, "upper bound and larger bound inconsistent with step sign");

  double steps = std::ceil((last - first) / by);
  if (dtype == DType::Int64) { // exact beyond 2^53
    const auto bits = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
    const std::uint64_t span = each > 0 ? bits(till) - bits(from) : bits(from) - bits(till);
    const std::uint64_t stride = each > 0 ? bits(each) : 0 - bits(each);
    steps = static_cast<double>(span / stride + (span % stride != 0));
  }
  if (!(steps >= 0 && steps < 9e18)) raise(error_kind::Runtime, "invalid size, possible overflow?");
  const Tensor out = Tensor::empty({static_cast<std::int64_t>(steps)}, dtype);
  const std::int64_t count = out.numel();
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* values = out.data<T>();
    if constexpr (std::is_integral_v<T>) {
      for (std::int64_t i = 0; i < count; ++i)
        values[i] = convert<T>(static_cast<std::int64_t>(static_cast<std::uint64_t>(from) +
                                                         static_cast<std::uint64_t>(each) *
                                                             static_cast<std::uint64_t>(i)));
    } else {
      // ATen fills vectors of 32 bytes, two at a time, from their first element; the rest one by
      // one.
      constexpr std::int64_t kWidth = 32 / sizeof(T);
      const std::int64_t inVectors = count - count % (2 * kWidth);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t head = i < inVectors ? i - i % kWidth : i;
        const T base = static_cast<T>(first + by * static_cast<double>(head));
        values[i] = static_cast<T>(base + by * static_cast<double>(i - head));
      }
    }
  });
  return out;
}

Tensor fromData(const IValue& data, std::optional<DType> wanted) {
  if (data.isTensor()) return to(data.asTensor().clone(), wanted.value_or(data.asTensor().dtype()));
  const auto sizes = sizesOf(data);
  std::vector<const IValue*> numbers;
  flatten(data, sizes, 0, numbers);
  const Tensor out = Tensor::empty(sizes, dtypeOf(numbers));
  dispatch(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.data<T>();
    for (std::size_t i = 0; i < numbers.size(); ++i)
      to[i] = checkedNumber<T>(numbers[i]->isTensor() ? item(numbers[i]->asTensor()) : *numbers[i]);
  });
  return to(out, wanted.value_or(isFloating(out.dtype()) ? DType::Float32 : out.dtype()));
}

} // namespace tine::kernels
