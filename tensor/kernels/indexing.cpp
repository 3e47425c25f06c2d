#include "tensor/functions.h"
#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

#include <algorithm>

namespace tine::kernels {

namespace {

using Dims = llvm::SmallVector<std::int64_t, 6>;

std::size_t axis(const Tensor& t, std::int64_t dim) {
  return static_cast<std::size_t>(wrapDim(dim, t.dim()));
}

// Calls f(from, to) with addresses of elements; T is a type of the element's size.
template <class F> void forSize(DType dtype, F f) {
  switch (itemSize(dtype)) {
  case 1:
    return f(std::uint8_t{});
  case 2:
    return f(std::uint16_t{});
  case 4:
    return f(std::uint32_t{});
  default:
    return f(std::uint64_t{});
  }
}

// Integers wrap: they compute in an unsigned type that no promotion widens to a signed one.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
template <class T> T sum(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  else
    return a + b;
}
template <class T> T product(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  else
    return a * b;
}

const std::int64_t* longs(const Tensor& index) { return index.data<std::int64_t>(); }

// The elements of an index, row-major.
Tensor flatLongs(const Tensor& index) { return to(index, DType::Int64).contiguous(); }

// ---- t[indices] ----

struct Picked {
  Tensor offsets;              // of each element of the broadcast indices, in t
  Dims before, indexed, after; // sizes of the result
  Dims beforeSteps, afterSteps;
  std::vector<Tensor> places; // the indices that there are
};

std::vector<Tensor> asLongs(const Tensor& t, llvm::ArrayRef<Tensor> indices) {
  std::vector<Tensor> out;
  if (indices.size() > t.sizes().size())
    raise(error_kind::Index, "too many indices for tensor of dimension " + std::to_string(t.dim()) +
                                 " (got " + std::to_string(indices.size()) + ")");
  for (const Tensor& index : indices) {
    if (!index.defined()) {
      out.push_back(index);
      continue;
    }
    if (index.dtype() == DType::Int64) {
      out.push_back(index);
    } else if (index.dtype() == DType::Bool || index.dtype() == DType::UInt8) {
      for (std::size_t i = 0; i < index.sizes().size(); ++i)
        if (out.size() + i >= t.sizes().size() || index.sizes()[i] != t.sizes()[out.size() + i])
          raise(error_kind::Index,
                "The shape of the mask " + shapeStr(index.sizes()) + " at index " +
                    std::to_string(i) + " does not match the shape of the indexed tensor " +
                    shapeStr(t.sizes()) + " at index " + std::to_string(out.size() + i));
      const Tensor places = nonzero(index);
      for (std::int64_t i = 0; i < index.dim(); ++i) out.push_back(select(places, 1, i));
    } else {
      raise(error_kind::Index, "tensors used as indices must be long, byte or bool tensors");
    }
  }
  if (out.size() > t.sizes().size())
    raise(error_kind::Index, "too many indices for tensor of dimension " + std::to_string(t.dim()) +
                                 " (got " + std::to_string(out.size()) + ")");
  return out;
}

Dims resultSizes(const Picked& picked) {
  Dims sizes(picked.before);
  sizes.append(picked.indexed.begin(), picked.indexed.end());
  sizes.append(picked.after.begin(), picked.after.end());
  return sizes;
}

// `check(sizes of the result)` runs before the places are looked at.
template <class Check> Picked pick(const Tensor& t, llvm::ArrayRef<Tensor> given, Check check) {
  std::vector<Tensor> indices = asLongs(t, given);
  indices.resize(t.sizes().size());
  Picked out;
  Dims common;
  std::optional<std::size_t> first, last;
  bool adjacent = true;
  std::string shapes;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].defined()) continue;
    shapes += (shapes.empty() ? "" : ", ") + shapeStr(indices[i].sizes());
    if (last && *last + 1 != i) adjacent = false;
    if (!first) first = i;
    last = i;
  }
  try {
    for (const Tensor& index : indices)
      if (index.defined()) common = broadcastShapes(common, index.sizes());
  } catch (const RuntimeError&) {
    raise(error_kind::Index, "shape mismatch: indexing tensors could not be broadcast together "
                             "with shapes " +
                                 shapes);
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i].defined()) continue;
    const bool front = adjacent && (!first || i < *first);
    (front ? out.before : out.after).push_back(t.sizes()[i]);
    (front ? out.beforeSteps : out.afterSteps).push_back(t.strides()[i]);
  }
  out.indexed = common;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].defined()) continue;
    out.places.push_back(indices[i]);
    if (t.sizes()[i] == 0 && std::find(common.begin(), common.end(), 0) == common.end())
      raise(error_kind::Index, "index is out of bounds for dimension with size 0");
  }
  check(resultSizes(out));
  out.offsets = zeros(common, DType::Int64);
  const std::int64_t count = out.offsets.numel();
  auto* offsets = out.offsets.data<std::int64_t>();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].defined()) continue;
    const Tensor flat = broadcastTo(indices[i], common).contiguous();
    const std::int64_t size = t.sizes()[i];
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t at = longs(flat)[k];
      if (at < -size || at >= size)
        raise(error_kind::Index, "index " + std::to_string(at) +
                                     " is out of bounds for dimension " + std::to_string(i) +
                                     " with size " + std::to_string(size));
      offsets[k] += (at < 0 ? at + size : at) * t.strides()[i];
    }
  }
  return out;
}

// Calls f(offset in t, k) for every element of the result, k in row-major order.
template <class F> void forPicked(const Picked& picked, F f) {
  std::int64_t k = 0;
  const auto runs = [](Sizes sizes, Sizes steps, auto g) {
    strided<1>(sizes, {steps}, [&](const auto& at, const auto& step, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) g(at[0] + i * step[0]);
    });
  };
  runs(picked.before, picked.beforeSteps, [&](std::int64_t front) {
    for (const std::int64_t offset :
         llvm::ArrayRef(longs(picked.offsets), static_cast<std::size_t>(picked.offsets.numel())))
      runs(picked.after, picked.afterSteps,
           [&](std::int64_t back) { f(front + offset + back, k++); });
  });
}

// ---- one index along a dimension ----

void checkIndexDtype(const Tensor& index, const char* name) {
  if (index.dtype() != DType::Int64)
    raise(error_kind::Runtime, std::string(name) + "(): Expected dtype int64 for index");
}

// The shape of an index beside the tensor's. \source ATen's gather_shape_check
void checkShape(const char* name, const Tensor& self, std::size_t d, const Tensor& index,
                const Tensor* source) {
  const auto one = [](Sizes sizes) { return sizes.empty() ? Dims{1} : Dims(sizes); };
  const Dims a = one(self.sizes()), b = one(index.sizes());
  if (a.size() != b.size())
    raise(error_kind::Runtime, "Index tensor must have the same number of dimensions as " +
                                   std::string(source ? "self" : "input") + " tensor");
  const Dims c = source ? one(source->sizes()) : Dims();
  if (source && c.size() != b.size())
    raise(error_kind::Runtime,
          "Index tensor must have the same number of dimensions as src tensor");
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (source && (b[i] > c[i] || (i != d && b[i] > a[i])))
      raise(error_kind::Runtime,
            "Expected index " + shapeStr(index.sizes()) + " to be smaller than self " +
                shapeStr(self.sizes()) + " apart from dimension " + std::to_string(d) +
                " and to be smaller size than src " + shapeStr(source->sizes()));
    if (!source && i != d && b[i] > a[i])
      raise(error_kind::Runtime,
            "Size does not match at dimension " + std::to_string(i) + " expected index " +
                shapeStr(index.sizes()) + " to be smaller than " + std::string(name) + " " +
                shapeStr(self.sizes()) + " apart from dimension " + std::to_string(d));
  }
}

// Calls f(offset in t, k) for every element of the index, k in row-major order.
template <class F> void forIndex(const Tensor& t, std::size_t d, const Tensor& index, F f) {
  const Tensor flat = flatLongs(index);
  const std::int64_t size = t.dim() ? t.sizes()[d] : 1;
  Dims strides(t.strides());
  strides.resize(index.sizes().size());
  const std::int64_t step = t.dim() ? t.strides()[d] : 1;
  if (d < strides.size()) strides[d] = 0;
  std::int64_t k = 0;
  strided<1>(index.sizes(), {Sizes(strides)}, [&](const auto& at, const auto& by, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i, ++k) {
      const std::int64_t place = longs(flat)[k];
      if (place < 0 || place >= size)
        raise(error_kind::Index, "index " + std::to_string(place) +
                                     " is out of bounds for dimension " + std::to_string(d) +
                                     " with size " + std::to_string(size));
      f(at[0] + i * by[0] + place * step, k);
    }
  });
}

} // namespace

Tensor index(const Tensor& t, llvm::ArrayRef<Tensor> indices) {
  const Picked picked = pick(t, indices, [](Sizes) {});
  const Dims sizes = resultSizes(picked);
  Tensor out = Tensor::empty(sizes, t.dtype());
  forSize(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = reinterpret_cast<const T*>(t.bytes());
    T* to = reinterpret_cast<T*>(out.bytes());
    forPicked(picked, [&](std::int64_t offset, std::int64_t k) { to[k] = from[offset]; });
  });
  // Laid out as t and the indices are.
  llvm::SmallVector<Strides, 4> strides(1);
  strides[0].append(picked.beforeSteps.begin(), picked.beforeSteps.end());
  strides[0].append(picked.indexed.size(), 0);
  strides[0].append(picked.afterSteps.begin(), picked.afterSteps.end());
  Dims shown(picked.before.size(), 1); // an index beside the dimensions that it leaves alone
  shown.append(picked.indexed.begin(), picked.indexed.end());
  shown.append(picked.after.size(), 1);
  for (const Tensor& index : picked.places)
    strides.push_back(broadcastStrides(reshape(expand(index, picked.indexed), shown), sizes));
  const llvm::SmallVector<Sizes, 4> seen(strides.begin(), strides.end());
  const Tensor laidOut = emptyInOrder(sizes, t.dtype(), seen);
  if (laidOut.strides() == out.strides()) return out;
  copyInto(laidOut, out);
  return laidOut;
}

namespace {
// One mask and one number: ATen fills, which converts the number. Undefined when it does not.
Tensor onlyMask(const Tensor& self, llvm::ArrayRef<Tensor> indices) {
  Tensor mask;
  std::size_t at = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].defined()) continue;
    if (mask.defined()) return Tensor();
    mask = indices[i];
    at = i;
  }
  if (!mask.defined() || (mask.dtype() != DType::Bool && mask.dtype() != DType::UInt8))
    return Tensor();
  asLongs(self, indices); // checks the shape
  for (std::size_t i = at + mask.sizes().size(); i < self.sizes().size(); ++i)
    mask = unsqueeze(mask, -1);
  return mask;
}
} // namespace

void indexPut(const Tensor& self, llvm::ArrayRef<Tensor> indices, const Tensor& values, bool add) {
  checkNoOverlap(self, values);
  for (const Tensor& index : indices)
    if (index.defined()) checkNoOverlap(self, index);
  if (!add && values.numel() == 1)
    if (const Tensor mask = onlyMask(self, indices); mask.defined())
      return maskedFill(self, mask, item(values));
  Tensor source;
  const Picked picked = pick(self, indices, [&](Sizes sizes) {
    try {
      source = broadcastTo(values, sizes);
    } catch (const RuntimeError&) {
      raise(error_kind::Shape, "shape mismatch: value tensor of shape " + shapeStr(values.sizes()) +
                                   " cannot be broadcast to indexing result of shape " +
                                   shapeStr(sizes));
    }
    if (self.dtype() != values.dtype())
      raise(error_kind::Runtime,
            "Index put requires the source and destination dtypes match, got " +
                typeName(self.dtype()) + " for the destination and " + typeName(values.dtype()) +
                " for the source.");
  });
  source = source.contiguous();
  if (source.sharesStorageWith(self)) source = source.clone();
  dispatch(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = self.data<T>();
    forPicked(picked, [&](std::int64_t offset, std::int64_t k) {
      const T value = source.data<T>()[k];
      to[offset] = add ? sum(to[offset], value) : value;
    });
  });
}

Tensor indexSelect(const Tensor& t, std::int64_t dim, const Tensor& index) {
  const std::size_t d = axis(t, dim);
  if (index.dim() > 1) raise(error_kind::Index, "index_select(): Index is supposed to be a vector");
  if (index.dtype() != DType::Int64 && index.dtype() != DType::Int32)
    raise(error_kind::Runtime, "index_select(): Expected dtype int32 or int64 for index");
  if (t.dim() == 0 && index.numel() == 0)
    raise(error_kind::Index, "index_select(): Index to scalar can have only 1 value, got " +
                                 std::to_string(index.numel()) + " value(s)");
  const Tensor flat = flatLongs(index);
  const std::int64_t size = t.dim() ? t.sizes()[d] : 1;
  for (std::int64_t k = 0; k < flat.numel(); ++k)
    if (longs(flat)[k] < 0 || longs(flat)[k] >= size)
      raise(error_kind::Index, "index out of range in self");
  if (t.dim() == 0) return t.clone();
  Dims sizes(t.sizes());
  sizes[d] = index.numel();
  const Tensor out = Tensor::empty(sizes, t.dtype());
  if (out.numel() == 0) return out;
  const auto along = static_cast<std::int64_t>(d);
  for (std::int64_t k = 0; k < flat.numel(); ++k)
    copyInto(select(out, along, k), select(t, along, longs(flat)[k]));
  return out;
}

Tensor gather(const Tensor& t, std::int64_t dim, const Tensor& index) {
  const std::size_t d = axis(t, dim);
  const Tensor out = Tensor::empty(index.sizes(), t.dtype());
  if (index.numel() == 0) return out;
  checkIndexDtype(index, "gather");
  checkShape("self", t, d, index, nullptr);
  forSize(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = reinterpret_cast<const T*>(t.bytes());
    T* to = reinterpret_cast<T*>(out.bytes());
    forIndex(t, d, index, [&](std::int64_t offset, std::int64_t k) { to[k] = from[offset]; });
  });
  return out;
}

void scatter(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
             ScatterMode mode) {
  const std::size_t d = axis(self, dim);
  const bool number = source.isWrappedNumber();
  if (index.numel()) checkIndexDtype(index, "scatter");
  if (!number && self.dtype() != source.dtype())
    raise(error_kind::Runtime, "scatter(): Expected self.dtype to be equal to src.dtype");
  if (index.numel()) checkShape("self", self, d, index, number ? &index : &source);
  checkNoInternalOverlap(self);
  checkNoOverlap(self, index);
  if (!number) checkNoOverlap(self, source);
  if (index.numel() == 0) return;
  const Tensor flat = number ? Tensor() : [&] {
    Dims sizes(index.sizes());
    sizes.resize(source.sizes().size(), 1);
    return source.asStrided(sizes, source.strides(), source.offset()).clone();
  }();
  dispatch(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = self.data<T>();
    const T value = number ? checkedNumber<T>(item(source)) : T(0);
    forIndex(self, d, index, [&](std::int64_t offset, std::int64_t k) {
      const T from = number ? value : flat.data<T>()[k];
      T& element = to[offset];
      switch (mode) {
      case ScatterMode::Set:
        element = from;
        break;
      case ScatterMode::Add:
        element = sum(element, from);
        break;
      case ScatterMode::Multiply:
        element = product(element, from);
        break;
      }
    });
  });
}

void indexAdd(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
              const IValue& alpha) {
  const auto no = [](const std::string& why) {
    raise(error_kind::Runtime, "index_add_(): " + why);
  };
  const std::size_t d = axis(self, dim);
  if (index.dim() > 1)
    raise(error_kind::Index, "index_add_(): Index is supposed to be a vector, but got dim: " +
                                 std::to_string(index.dim()) + " with type: " +
                                 typeName(index.dtype()) + " and size: " + shapeStr(index.sizes()));
  if (index.dtype() != DType::Int64 && index.dtype() != DType::Int32)
    no("Expected dtype int32/int64 for index but got: " + typeName(index.dtype()));
  if (self.dtype() != source.dtype())
    no("self (" + typeName(self.dtype()) + ") and source (" + typeName(source.dtype()) +
       ") must have the same scalar type");
  if (source.dim() != 0 && static_cast<std::int64_t>(d) >= source.dim())
    no("Indexing dim " + std::to_string(d) + " is out of bounds of the source tensor");
  const std::int64_t count = index.numel();
  if (const std::int64_t given = source.dim() ? source.sizes()[d] : 1; count != given)
    no("Number of indices (" + std::to_string(count) + ") should be equal to source.size(dim): (" +
       std::to_string(given) + "), for dim: " + std::to_string(dim));
  checkNoInternalOverlap(self);
  checkNoOverlap(self, index);
  checkNoOverlap(self, source);
  const Tensor to = self.dim() ? self : unsqueeze(self, 0);
  const Tensor from = source.dim() ? source : unsqueeze(source, 0), flat = flatLongs(index);
  const IValue factor = dispatch(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T number = checkedNumber<T>(alpha);
    if constexpr (std::is_same_v<T, bool>)
      return IValue(number);
    else if constexpr (std::is_integral_v<T>)
      return IValue(static_cast<std::int64_t>(number));
    else
      return IValue(static_cast<double>(number));
  });
  const auto along = static_cast<std::int64_t>(d);
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t at = longs(flat)[k];
    if (at < 0 || at >= to.sizes()[d]) raise(error_kind::Index, "index out of range in self");
    addInto(select(to, along, at), binary(BinaryOp::Mul, select(from, along, k), factor));
  }
}

void indexFill(const Tensor& self, std::int64_t dim, const Tensor& index, const IValue& number) {
  if (index.dtype() != DType::Int64)
    raise(error_kind::Index, "index_fill_(): Expected dtype int64 for index.");
  if (index.dim() > 1) raise(error_kind::Runtime, "Index has to be a vector/scalar");
  const std::size_t d = axis(self, dim);
  checkNoOverlap(self, index);
  const Tensor to = self.dim() ? self : unsqueeze(self, 0), flat = flatLongs(index);
  const std::int64_t size = to.sizes()[d];
  for (std::int64_t k = 0; k < flat.numel(); ++k)
    if (const std::int64_t at = longs(flat)[k]; at < -size || at >= size)
      raise(error_kind::Index, "index " + std::to_string(at) + " is out of bounds for dimension " +
                                   std::to_string(d) + " with size " + std::to_string(size));
  for (std::int64_t k = 0; k < flat.numel(); ++k)
    fill(select(to, static_cast<std::int64_t>(d), longs(flat)[k]), number, true);
}

void maskedScatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  if (mask.dtype() != DType::Bool && mask.dtype() != DType::UInt8)
    raise(error_kind::Runtime, "expected mask dtype to be Bool but got " + typeName(mask.dtype()));
  checkNoInternalOverlap(self);
  if (self.dtype() != source.dtype())
    raise(error_kind::Runtime,
          "masked_scatter: expected self and source to have same dtypes but got" +
              typeName(self.dtype()) + " and " + typeName(source.dtype()));
  const Tensor which = to(expand(apartFrom(self, mask), self.sizes()), DType::Bool).contiguous();
  const Tensor out = self.clone(); // a row-major source that is self sees what is written
  const Tensor from =
      self.impl() == source.impl() && self.isContiguous() ? out : source.contiguous();
  const bool* holds = which.data<bool>();
  if (std::count(holds, holds + which.numel(), true) > from.numel())
    raise(error_kind::Runtime, "Number of elements of source < number of ones in mask");
  forSize(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* next = reinterpret_cast<const T*>(from.bytes());
    T* to = reinterpret_cast<T*>(out.bytes());
    for (std::int64_t i = 0; i < which.numel(); ++i)
      if (holds[i]) to[i] = *next++;
  });
  copyInto(self, out);
}

Tensor nonzero(const Tensor& t) {
  const Tensor flat = t.contiguous();
  std::vector<std::int64_t> places;
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < flat.numel(); ++i)
      if (flat.data<T>()[i] != T(0)) places.push_back(i);
  });
  // Column by column in memory, as ATen has it.
  const auto count = static_cast<std::int64_t>(places.size());
  const Tensor out =
      Tensor::empty({t.dim(), count}, DType::Int64).asStrided({count, t.dim()}, {1, count}, 0);
  for (std::int64_t k = 0; k < count; ++k) {
    std::int64_t rest = places[static_cast<std::size_t>(k)];
    for (std::size_t i = t.sizes().size(); i-- > 0;) {
      out.data<std::int64_t>()[k * out.strides()[0] + static_cast<std::int64_t>(i) *
                                                          out.strides()[1]] = rest % t.sizes()[i];
      rest /= t.sizes()[i];
    }
  }
  return out;
}

Tensor maskedSelect(const Tensor& t, const Tensor& mask) {
  if (mask.dtype() != DType::Bool && mask.dtype() != DType::UInt8)
    raise(error_kind::Runtime, "masked_select: expected BoolTensor or ByteTensor for mask");
  const auto sizes = broadcastShapes(mask.sizes(), t.sizes());
  const Tensor from = broadcastTo(t, sizes).contiguous();
  const Tensor which = to(broadcastTo(mask, sizes), DType::Bool).contiguous();
  const bool* chosen = which.data<bool>();
  const Tensor out = Tensor::empty({std::count(chosen, chosen + which.numel(), true)}, t.dtype());
  forSize(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = reinterpret_cast<T*>(out.bytes());
    for (std::int64_t i = 0; i < which.numel(); ++i)
      if (chosen[i]) *to++ = reinterpret_cast<const T*>(from.bytes())[i];
  });
  return out;
}

Tensor repeatInterleave(const Tensor& repeats, std::optional<std::int64_t> size) {
  const bool isWhole = repeats.dtype() == DType::Int64 || repeats.dtype() == DType::Int32;
  if (repeats.dim() == 1 && repeats.numel() == 0 && isWhole) return repeats.clone();
  if (!isWhole) raiseNotImplemented("repeat_interleave_cpu", repeats.dtype());
  if (repeats.dim() != 1)
    raise(error_kind::Runtime, "repeat_interleave only accept 1D vector as repeat");
  const Tensor times = flatLongs(repeats);
  std::int64_t total = 0;
  bool tooMany = false;
  for (std::int64_t i = 0; i < times.numel(); ++i) {
    if (longs(times)[i] < 0) raise(error_kind::Runtime, "repeats can not be negative");
    tooMany |= __builtin_add_overflow(total, longs(times)[i], &total);
  }
  if (tooMany) raise(error_kind::Memory, "a repetition of too many elements");
  if (size && *size != total)
    raise(error_kind::Runtime, "allocated size does not match required size");
  const Tensor out = Tensor::empty({total}, DType::Int64);
  auto* to = out.data<std::int64_t>();
  for (std::int64_t i = 0; i < times.numel(); ++i) to = std::fill_n(to, longs(times)[i], i);
  return kernels::to(out, repeats.dtype());
}

Tensor take(const Tensor& t, const Tensor& index) {
  if (index.dtype() != DType::Int64)
    raise(error_kind::Runtime,
          "take(): Expected a long tensor for index, but got " + typeName(index.dtype()));
  if (t.numel() == 0 && index.numel() != 0)
    raise(error_kind::Index, "take(): tried to take from an empty tensor");
  const Tensor flat = flatLongs(index), from = t.contiguous();
  const Tensor out = Tensor::empty(index.sizes(), t.dtype());
  forSize(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t k = 0; k < flat.numel(); ++k) {
      const std::int64_t at = longs(flat)[k], size = t.numel();
      if (at < -size || at >= size)
        raise(error_kind::Index, "out of range: tried to access index " + std::to_string(at) +
                                     " on a tensor of " + std::to_string(size) + " elements.");
      reinterpret_cast<T*>(out.bytes())[k] =
          reinterpret_cast<const T*>(from.bytes())[at < 0 ? at + size : at];
    }
  });
  return out;
}

} // namespace tine::kernels
