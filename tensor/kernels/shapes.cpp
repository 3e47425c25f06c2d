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

void needDimension(const Tensor& t, const char* name, const char* more = "") {
  if (t.dim() == 0)
    raise(error_kind::Runtime,
          std::string(name) + " expects at least a 1-dimensional tensor" + more);
}

} // namespace

// ---- parts ----

Tensor narrow(const Tensor& t, std::int64_t dim, std::int64_t start, std::int64_t length) {
  if (t.dim() == 0) raise(error_kind::Runtime, "narrow() cannot be applied to a 0-dim tensor.");
  const std::size_t d = axis(t, dim);
  const std::int64_t size = t.sizes()[d];
  const std::int64_t from = start != size && start < 0 && start >= -size ? start + size : start;
  if (start != size && (start < -size || start >= std::max<std::int64_t>(size, 1)))
    raise(error_kind::Index, "Dimension out of range (expected to be in range of [" +
                                 std::to_string(-std::max<std::int64_t>(size, 1)) + ", " +
                                 std::to_string(std::max<std::int64_t>(size, 1) - 1) +
                                 "], but got " + std::to_string(start) + ")");
  if (length < 0 || from > size - length)
    raise(error_kind::Runtime, "start (" + std::to_string(from) + ") + length (" +
                                   std::to_string(length) + ") exceeds dimension size (" +
                                   std::to_string(size) + ").");
  return slice(t, static_cast<std::int64_t>(d), from, from + length, 1);
}

std::vector<Tensor> split(const Tensor& t, std::int64_t size, std::int64_t dim) {
  if (t.dim() == 0) raise(error_kind::Runtime, "split expects at least a 1-dimensional tensor");
  if (size < 0)
    raise(error_kind::Runtime,
          "split expects split_size be non-negative, but got split_size=" + std::to_string(size));
  const std::int64_t whole = t.sizes()[axis(t, dim)];
  if (size == 0 && whole != 0)
    raise(error_kind::Runtime, "split_size can only be 0 if dimension size is 0, but got dimension "
                               "size of " +
                                   std::to_string(whole));
  std::vector<Tensor> parts;
  for (std::int64_t at = 0; at == 0 || at < whole; at += size) {
    parts.push_back(slice(t, dim, at, size < whole - at ? at + size : whole, 1));
    if (size >= whole - at) break;
  }
  return parts;
}

std::vector<Tensor> split(const Tensor& t, Sizes sizes, std::int64_t dim) {
  if (t.dim() == 0) raise(error_kind::Runtime, "split expects at least a 1-dimensional tensor");
  const std::int64_t whole = t.sizes()[axis(t, dim)];
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0)
      raise(error_kind::Runtime, "split_with_sizes expects split_sizes have only non-negative "
                                 "entries, but got split_sizes=" +
                                     shapeStr(sizes));
    if (at > whole || size > whole - at) {
      at = whole + 1;
      break;
    }
    parts.push_back(slice(t, dim, at, at + size, 1));
    at += size;
  }
  if (at != whole)
    raise(error_kind::Runtime, "split_with_sizes expects split_sizes to sum exactly to " +
                                   std::to_string(whole) + " (input tensor's size at dimension " +
                                   std::to_string(dim) +
                                   "), but got split_sizes=" + shapeStr(sizes));
  return parts;
}

std::vector<Tensor> chunk(const Tensor& t, std::int64_t chunks, std::int64_t dim) {
  needDimension(t, "chunk");
  if (chunks <= 0)
    raise(error_kind::Runtime,
          "chunk expects `chunks` to be greater than 0, got: " + std::to_string(chunks));
  const std::int64_t whole = t.sizes()[axis(t, dim)];
  const std::int64_t size = whole / chunks + (whole % chunks != 0);
  if (size == 0 && whole == 0) {
    if (chunks > 1 << 24) raise(error_kind::Memory, "a list of too many elements");
    return split(t, Dims(static_cast<std::size_t>(chunks), 0), dim);
  }
  return split(t, size, dim);
}

std::vector<Tensor> unbind(const Tensor& t, std::int64_t dim) {
  if (t.dim() == 0) wrapDim(dim, 0);
  std::vector<Tensor> parts;
  const std::int64_t count = t.dim() ? t.sizes()[axis(t, dim)] : 1;
  for (std::int64_t i = 0; i < count; ++i) parts.push_back(select(t, dim, i));
  return parts;
}

std::vector<Tensor> tensorSplit(const Tensor& t, std::int64_t sections, std::int64_t dim) {
  if (t.dim() == 0)
    raise(error_kind::Runtime, "tensor_split expected at least a 1-dimensional tensor, but got a "
                               "tensor with 0 dims");
  const std::int64_t whole = t.sizes()[axis(t, dim)];
  if (sections <= 0)
    raise(error_kind::Runtime,
          "number of sections must be larger than 0, got " + std::to_string(sections));
  if (sections > 1 << 24) raise(error_kind::Memory, "a list of too many elements");
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < sections; ++i) {
    const std::int64_t size = whole / sections + (i < whole % sections);
    parts.push_back(slice(t, dim, at, at + size, 1));
    at += size;
  }
  return parts;
}

std::vector<Tensor> tensorSplit(const Tensor& t, Sizes indices, std::int64_t dim) {
  if (t.dim() == 0)
    raise(error_kind::Runtime, "tensor_split expected at least a 1-dimensional tensor, but got a "
                               "tensor with 0 dims");
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  for (const std::int64_t end : indices) {
    parts.push_back(slice(t, dim, at, end, 1));
    at = end;
  }
  parts.push_back(slice(t, dim, at, t.sizes()[axis(t, dim)], 1));
  return parts;
}

// ---- views and copies in another shape ----

void reshapeItself(const Tensor& self, const Tensor& view) {
  TensorImpl* impl = self.impl();
  const Sizes sizes = view.sizes(), strides = view.strides();
  const std::size_t ndim = sizes.size();
  std::int64_t* heap = ndim > TensorImpl::kInlineDims ? new std::int64_t[2 * ndim] : nullptr;
  std::int64_t* to = heap ? heap : impl->dims;
  std::copy(sizes.begin(), sizes.end(), to);
  std::copy(strides.begin(), strides.end(), to + (heap ? ndim : TensorImpl::kInlineDims));
  delete[] impl->heapDims;
  impl->heapDims = heap;
  impl->ndim = static_cast<std::uint8_t>(ndim);
  impl->contiguous = view.isContiguous();
}

Tensor flatten(const Tensor& t, std::int64_t start, std::int64_t end) {
  const std::size_t first = axis(t, start), last = axis(t, end);
  if (first > last)
    raise(error_kind::Runtime, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (t.dim() == 0) return reshape(t, {1});
  if (first == last) return t;
  Dims sizes(t.sizes().take_front(first));
  std::int64_t joined = 1;
  for (std::size_t i = first; i <= last; ++i) joined *= t.sizes()[i];
  sizes.push_back(joined);
  sizes.append(t.sizes().begin() + last + 1, t.sizes().end());
  return reshape(t, sizes);
}

Tensor unflatten(const Tensor& t, std::int64_t dim, Sizes sizes) {
  const std::size_t d = axis(t, dim);
  if (sizes.empty()) raise(error_kind::Runtime, "unflatten: sizes must be non-empty");
  const std::int64_t whole = t.dim() ? t.sizes()[d] : 1;
  Dims inside(sizes);
  std::int64_t product = 1, *open = nullptr;
  bool bad = false;
  for (std::int64_t& size : inside) {
    if (size == -1 && open) raise(error_kind::Runtime, "only one dimension can be inferred");
    if (size < -1) raise(error_kind::Runtime, "invalid shape dimension " + std::to_string(size));
    if (size == -1)
      open = &size;
    else
      bad |= __builtin_mul_overflow(product, size, &product);
  }
  if (open && product > 0 && whole % product == 0) {
    *open = whole / product;
    product = whole;
  }
  if (bad || product != whole)
    raise(error_kind::Runtime, "unflatten: Provided sizes " + shapeStr(sizes) +
                                   " don't multiply up to the size of dim " + std::to_string(d) +
                                   " (" + std::to_string(whole) + ") in the input tensor");
  Dims all(t.sizes());
  if (!all.empty()) all.erase(all.begin() + d);
  all.insert(all.begin() + d, inside.begin(), inside.end());
  return view(t, all);
}

Tensor diagonal(const Tensor& t, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  const std::size_t a = axis(t, dim1), b = axis(t, dim2);
  if (a == b)
    raise(error_kind::Runtime, "diagonal dimensions cannot be identical " + std::to_string(dim1) +
                                   ", " + std::to_string(dim2));
  const std::int64_t rows = t.sizes()[a], columns = t.sizes()[b];
  const std::int64_t length = offset >= 0 ? std::min(rows, columns > offset ? columns - offset : 0)
                                          : std::min(offset > -rows ? rows + offset : 0, columns);
  std::int64_t first = t.offset();
  if (length > 0) first += offset >= 0 ? offset * t.strides()[b] : -offset * t.strides()[a];
  Dims sizes, strides;
  for (std::size_t i = 0; i < t.sizes().size(); ++i)
    if (i != a && i != b) {
      sizes.push_back(t.sizes()[i]);
      strides.push_back(t.strides()[i]);
    }
  sizes.push_back(std::max<std::int64_t>(length, 0));
  strides.push_back(t.strides()[a] + t.strides()[b]);
  return t.asStrided(sizes, strides, first);
}

Tensor moveDims(const Tensor& t, Sizes from, Sizes to) {
  if (from.size() != to.size())
    raise(error_kind::Runtime,
          "movedim: Invalid source or destination dims: source (" + shapeStr(from) +
              " dims) should contain the same number of dims as destination (" + shapeStr(to) +
              " dims)");
  const std::size_t ndim = t.sizes().size();
  Dims order(ndim, -1);
  llvm::SmallVector<bool, 6> moved(std::max<std::size_t>(ndim, 1), false);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t source = axis(t, from[i]), target = axis(t, to[i]);
    if (moved[source])
      raise(error_kind::Runtime, "movedim: repeated dim in `source` (" + shapeStr(from) + ")");
    if (ndim && order[target] >= 0)
      raise(error_kind::Runtime, "movedim: repeated dim in `destination` (" + shapeStr(to) + ")");
    moved[source] = true;
    if (ndim) order[target] = static_cast<std::int64_t>(source);
  }
  if (ndim == 0) return t;
  std::size_t next = 0;
  for (std::int64_t& at : order)
    if (at < 0) {
      while (moved[next]) ++next;
      at = static_cast<std::int64_t>(next++);
    }
  return permute(t, order);
}

Tensor repeat(const Tensor& t, Sizes times) {
  const std::size_t ndim = t.sizes().size();
  if (times.size() < ndim)
    raise(error_kind::Runtime, "Number of dimensions of repeat dims can not be smaller than number "
                               "of dimensions of tensor");
  Dims sizes(times);
  const std::size_t added = times.size() - ndim;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (__builtin_mul_overflow(sizes[i], i < added ? 1 : t.sizes()[i - added], &sizes[i]))
      raise(error_kind::Memory, "a repetition of too many elements");
  const Tensor out = Tensor::empty(sizes, t.dtype());
  if (out.numel() == 0) return out;
  // Each dimension as two: which repetition, and where in it.
  Dims shown, showing, steps, from;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t size = i < added ? 1 : t.sizes()[i - added];
    shown.append({times[i], size});
    steps.append({out.strides()[i] * size, out.strides()[i]});
    from.append({0, i < added ? 0 : t.strides()[i - added]});
  }
  if (shown.size() > 64) raise(error_kind::Value, "a tensor has at most 64 dimensions");
  copyInto(out.asStrided(shown, steps, 0), t.asStrided(shown, from, t.offset()));
  return out;
}

Tensor flip(const Tensor& t, Sizes dims) {
  llvm::SmallVector<bool, 6> turned(std::max<std::size_t>(t.sizes().size(), 1), false);
  for (const std::int64_t dim : dims) {
    const std::size_t d = axis(t, dim);
    if (turned[d])
      raise(error_kind::Runtime,
            "dim " + std::to_string(d) + " appears multiple times in the list of dims");
    turned[d] = true;
  }
  const Tensor out = emptyPreserving(t, t.dtype());
  const std::size_t size = itemSize(t.dtype());
  Dims strides(t.strides());
  std::int64_t first = 0;
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (turned[i] && t.sizes()[i] > 0) {
      first += (t.sizes()[i] - 1) * strides[i];
      strides[i] = -strides[i];
    }
  strided<2>(out.sizes(), {out.strides(), Sizes(strides)},
             [&](const auto& at, const auto& step, std::int64_t n) {
               for (std::int64_t i = 0; i < n; ++i)
                 std::copy_n(
                     t.bytes() + (first + at[1] + i * step[1]) * static_cast<std::int64_t>(size),
                     size, out.bytes() + (at[0] + i * step[0]) * static_cast<std::int64_t>(size));
             });
  return out;
}

Tensor roll(const Tensor& t, Sizes shifts, Sizes dims) {
  if (shifts.empty()) raise(error_kind::Runtime, "`shifts` required");
  if (dims.empty() && shifts.size() == 1)
    return view(roll(reshape(t, {t.numel()}), shifts, {0}), t.sizes());
  if (shifts.size() != dims.size())
    raise(error_kind::Runtime,
          "shifts and dimensions must align. shifts: " + std::to_string(shifts.size()) +
              ", dims:" + std::to_string(dims.size()));
  Tensor out = t;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (t.numel() == 0) return t.clone();
    const std::size_t d = axis(t, dims[i]);
    const std::int64_t size = t.sizes()[d], by = ((shifts[i] % size) + size) % size;
    const auto dim = static_cast<std::int64_t>(d);
    out = cat({slice(out, dim, size - by, size, 1), slice(out, dim, 0, size - by, 1)}, dim);
  }
  return out;
}

Tensor triangle(const Tensor& t, std::int64_t diagonal, bool upper) {
  if (t.numel() == 0) return t.clone();
  if (t.dim() == 0)
    raise(error_kind::Index, "Dimension specified as -2 but tensor has no dimensions");
  wrapDim(-2, t.dim());
  const Tensor out = t.clone();
  const std::int64_t rows = t.sizes()[t.sizes().size() - 2], columns = t.sizes().back();
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* at = out.data<T>();
    for (std::int64_t m = 0; m < t.numel() / (rows * columns); ++m)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c, ++at)
          if (upper ? c - r < diagonal : c - r > diagonal) *at = T(0);
  });
  return out;
}

// ---- making ----

Tensor linspace(const IValue& start, const IValue& end, std::int64_t steps, DType dtype) {
  if (steps < 0) raise(error_kind::Runtime, "number of steps must be non-negative");
  const Tensor out = Tensor::empty({steps}, dtype);
  if (steps == 0) return out;
  if (dtype == DType::Bool && steps > 1) raiseNotImplemented("linspace_cpu", dtype);
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    using Step = std::conditional_t<std::is_floating_point_v<T>, T, float>;
    const T first = checkedNumber<T>(start), last = checkedNumber<T>(end);
    const Step step = steps > 1 ? (static_cast<Step>(last) - static_cast<Step>(first)) /
                                      static_cast<Step>(steps - 1)
                                : 0;
    for (std::int64_t i = 0; i < steps; ++i)
      out.data<T>()[i] =
          i < steps / 2 || steps == 1
              ? convert<T>(static_cast<Step>(first) + step * static_cast<Step>(i))
              : convert<T>(static_cast<Step>(last) - step * static_cast<Step>(steps - 1 - i));
  });
  return out;
}

Tensor eye(std::int64_t rows, std::int64_t columns, DType dtype) {
  if (rows < 0)
    raise(error_kind::Runtime, "n must be greater or equal to 0, got " + std::to_string(rows));
  if (columns < 0)
    raise(error_kind::Runtime, "m must be greater or equal to 0, got " + std::to_string(columns));
  const Tensor out = zeros({rows, columns}, dtype);
  if (out.numel()) fill(diagonal(out, 0, 0, 1), 1);
  return out;
}

} // namespace tine::kernels
