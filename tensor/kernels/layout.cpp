#include "tensor/kernels/layout.h"

#include "tensor/strided.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tine::kernels {

namespace {

// Does dimension p lie further out in memory than q? 1 yes, -1 no, 0 the operands do not say.
int compareDims(Sizes sizes, llvm::ArrayRef<Sizes> strides, std::size_t p, std::size_t q) {
  for (const Sizes& step : strides) {
    if (step[p] == 0 || step[q] == 0) continue; // broadcast
    if (step[p] != step[q]) return step[p] < step[q] ? -1 : 1;
    if (sizes[p] > sizes[q]) return 1;
  }
  return 0;
}

bool isDense(const Tensor& t) {
  if (t.isContiguous()) return true;
  llvm::SmallVector<std::size_t, 6> order;
  for (std::size_t i = 0; i < t.sizes().size(); ++i)
    if (t.sizes()[i] != 1) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return t.strides()[a] < t.strides()[b]; });
  std::int64_t expected = 1;
  for (const std::size_t i : order) {
    if (t.strides()[i] != expected) return false;
    expected *= t.sizes()[i];
  }
  return true;
}

} // namespace

Strides broadcastStrides(const Tensor& t, Sizes sizes) {
  const auto from = t.sizes();
  const std::size_t added = sizes.size() - from.size();
  Strides strides(sizes.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] == sizes[added + i]) strides[added + i] = t.strides()[i];
  return strides;
}

namespace {
// The dimensions, innermost first, as the operands have them in memory.
llvm::SmallVector<std::size_t, 6> dimOrder(Sizes sizes, llvm::ArrayRef<Sizes> strides) {
  llvm::SmallVector<std::size_t, 6> order(sizes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  for (std::size_t i = 1; i < order.size(); ++i) {
    std::size_t at = i;
    for (std::size_t before = i; before-- > 0;) {
      const int compared = compareDims(sizes, strides, order[before], order[at]);
      if (compared < 0) break;
      if (compared == 0) continue;
      std::swap(order[before], order[at]);
      at = before;
    }
  }
  return order;
}
} // namespace

Tensor emptyInOrder(Sizes sizes, DType dtype, llvm::ArrayRef<Sizes> strides) {
  if (sizes.size() < 2) return Tensor::empty(sizes, dtype);
  const auto order = dimOrder(sizes, strides);
  Tensor out = Tensor::emptyOrdered(sizes, order, dtype);
  if (out.numel() || std::is_sorted(order.rbegin(), order.rend())) return out;
  Strides steps(sizes.size()); // of an empty one in another order than row-major, sizes of 0 count
  std::int64_t step = 1;
  for (const std::size_t i : order) {
    steps[i] = step;
    step *= sizes[i];
  }
  return out.asStrided(sizes, steps, 0);
}

namespace {
// In ATen's layout of images, [N, H, W, C] seen as [N, C, H, W], which goes before any other.
constexpr std::array<std::size_t, 4> kChannelsLast{1, 3, 2, 0};
bool isChannelsLast(const Tensor& t) {
  if (t.dim() != 4) return false;
  std::int64_t expected = 1;
  for (const std::size_t i : kChannelsLast) {
    if (t.sizes()[i] == 1) continue;
    if (t.strides()[i] != expected) return false;
    expected *= t.sizes()[i];
  }
  return true;
}
} // namespace

Tensor emptyForPair(Sizes sizes, DType dtype, const Tensor& a, const Tensor& b) {
  if (a.sizes() == b.sizes()) {
    if (a.isContiguous() && b.isContiguous()) return Tensor::empty(sizes, dtype);
    if (isChannelsLast(a) && isChannelsLast(b))
      return Tensor::emptyOrdered(sizes, kChannelsLast, dtype);
    if (a.strides() == b.strides() && isDense(a)) return emptyPreserving(a, dtype);
  }
  return emptyInOrder(sizes, dtype, {broadcastStrides(a, sizes), broadcastStrides(b, sizes)});
}

Tensor emptyForAll(Sizes sizes, DType dtype, llvm::ArrayRef<Tensor> operands) {
  const auto all = [&](auto is) { return std::all_of(operands.begin(), operands.end(), is); };
  if (all([&](const Tensor& t) { return t.sizes() == sizes; })) {
    if (all([](const Tensor& t) { return t.isContiguous(); })) return Tensor::empty(sizes, dtype);
    if (all(isChannelsLast)) return Tensor::emptyOrdered(sizes, kChannelsLast, dtype);
    if (all([&](const Tensor& t) { return t.strides() == operands[0].strides() && isDense(t); }))
      return emptyPreserving(operands[0], dtype);
  }
  llvm::SmallVector<Strides, 3> strides;
  for (const Tensor& t : operands) strides.push_back(broadcastStrides(t, sizes));
  const llvm::SmallVector<Sizes, 3> seen(strides.begin(), strides.end());
  return emptyInOrder(sizes, dtype, seen);
}

bool isPlainLayout(const Tensor& t) {
  if (!t.isContiguous() || t.numel() == 0) return false;
  std::int64_t expected = 1;
  for (std::size_t i = t.sizes().size(); i-- > 0;) {
    if (t.strides()[i] != expected) return false;
    expected *= t.sizes()[i];
  }
  return true;
}

Tensor emptyPreserving(const Tensor& t, DType dtype) {
  if (isPlainLayout(t)) return Tensor::emptyLike(t, dtype);
  if (!isDense(t))
    return Tensor::emptyOrdered(t.sizes(), dimOrder(t.sizes(), {t.strides()}), dtype);
  return Tensor::empty(t.sizes(), dtype).asStrided(t.sizes(), t.strides(), 0);
}

void checkNoInternalOverlap(const Tensor& self) {
  if (self.isContiguous()) return;
  for (std::size_t i = 0; i < self.sizes().size(); ++i)
    if (self.strides()[i] == 0 && self.sizes()[i] > 1)
      raise(error_kind::Runtime,
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation.");
}

namespace {
[[noreturn]] void raiseOverlap() {
  raise(error_kind::Runtime,
        "unsupported operation: some elements of the input tensor and the written-to tensor refer "
        "to a single memory location. Please clone() the tensor before performing the operation.");
}
} // namespace

void checkNoOverlap(const Tensor& self, const Tensor& from) {
  if (self.impl() == from.impl()) raiseOverlap();
  if (!self.sharesStorageWith(from) || self.numel() == 0 || from.numel() == 0 || !isDense(self) ||
      !isDense(from))
    return;
  const std::byte *begin = self.bytes(), *end = begin + self.numel() * itemSize(self.dtype());
  const std::byte *other = from.bytes(), *otherEnd = other + from.numel() * itemSize(from.dtype());
  if (begin < otherEnd && other < end) raiseOverlap();
}

void checkWritten(const Tensor& self, Sizes sizes, DType dtype) {
  if (sizes != self.sizes())
    raise(error_kind::Shape, "output with shape " + shapeStr(self.sizes()) +
                                 " doesn't match the broadcast shape " + shapeStr(sizes));
  const DType to = self.dtype();
  if ((isFloating(dtype) && !isFloating(to)) || (to == DType::Bool && dtype != DType::Bool))
    raise(error_kind::Runtime, "result type " + typeName(dtype) +
                                   " can't be cast to the desired output type " + typeName(to));
}

void checkNoPartialOverlap(const Tensor& self, const Tensor& from) {
  if (!self.sharesStorageWith(from) || self.impl() == from.impl()) return;
  if (self.numel() == 0 || from.numel() == 0 || !isDense(self) || !isDense(from)) return;
  const std::byte *begin = self.bytes(), *end = begin + self.numel() * itemSize(self.dtype());
  const std::byte *other = from.bytes(), *otherEnd = other + from.numel() * itemSize(from.dtype());
  const bool same = begin == other && end == otherEnd && self.strides() == from.strides();
  if (!same && begin < otherEnd && other < end) raiseOverlap();
}

Tensor apartFrom(const Tensor& self, const Tensor& from) {
  const bool same = self.offset() == from.offset() && self.sizes() == from.sizes() &&
                    self.strides() == from.strides();
  return !self.sharesStorageWith(from) || same ? from : from.clone();
}

template <class T> T checkedNumber(const IValue& number) {
  constexpr auto fail = [] {
    const char* type = std::is_same_v<T, std::uint8_t>   ? "uint8_t"
                       : std::is_same_v<T, std::int8_t>  ? "int8_t"
                       : std::is_same_v<T, std::int16_t> ? "int16_t"
                       : std::is_same_v<T, std::int32_t> ? "int"
                       : std::is_same_v<T, float>        ? "float"
                                                         : "int64_t";
    raise(error_kind::Overflow,
          std::string("value cannot be converted to type ") + type + " without overflow");
  };
  if (number.isBool()) return static_cast<T>(number.toBool());
  if (number.isInt()) {
    const std::int64_t value = number.toInt();
    if constexpr (std::is_same_v<T, bool>) {
      return value != 0;
    } else if constexpr (std::is_same_v<T, std::uint8_t>) {
      if (value < -255 || value > 255) fail(); // negative ones wrap
    } else if constexpr (std::is_integral_v<T>) {
      if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) fail();
    }
    return static_cast<T>(value);
  }
  const double value = number.toDouble();
  if constexpr (std::is_same_v<T, float>) {
    if (std::isfinite(value) && std::fabs(value) > std::numeric_limits<float>::max()) fail();
    return static_cast<T>(value);
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // The comparison with the largest int64, rounded up to 2^63, must exclude 2^63 itself.
    constexpr auto kLeast = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto kMost = static_cast<double>(std::numeric_limits<T>::max());
    if (!(value >= kLeast && value <= kMost) || value == 9223372036854775808.0) fail();
    return static_cast<T>(value);
  } else {
    return convert<T>(value);
  }
}

template std::uint8_t checkedNumber(const IValue&);
template std::int8_t checkedNumber(const IValue&);
template std::int16_t checkedNumber(const IValue&);
template std::int32_t checkedNumber(const IValue&);
template std::int64_t checkedNumber(const IValue&);
template float checkedNumber(const IValue&);
template double checkedNumber(const IValue&);
template bool checkedNumber(const IValue&);

void raiseNotImplemented(llvm::StringRef kernel, DType dtype) {
  raise(error_kind::NotImplemented,
        "\"" + kernel.str() + "\" not implemented for '" + typeName(dtype) + "'");
}

} // namespace tine::kernels
