#include "tensor/kernels/layout.h"

#include <algorithm>

namespace tine::kernels {

namespace {

using Dims = llvm::SmallVector<std::int64_t, 6>;

// Replaces the one -1 among sizes. \errors RuntimeError when the elements do not fit
Dims inferSizes(Sizes sizes, std::int64_t numel) {
  Dims out(sizes);
  std::optional<std::size_t> inferred;
  std::int64_t product = 1;
  bool overflow = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1) {
      if (inferred) raise(error_kind::Runtime, "only one dimension can be inferred");
      inferred = i;
    } else if (sizes[i] < 0) {
      raise(error_kind::Runtime, "invalid shape dimension " + std::to_string(sizes[i]));
    } else {
      overflow |= __builtin_mul_overflow(product, sizes[i], &product);
    }
  }
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
    product = 0;
  else if (overflow)
    product = -1; // fits no tensor
  if (inferred && product == 0 && numel == 0)
    raise(error_kind::Runtime,
          "cannot reshape tensor of 0 elements into shape " + shapeStr(sizes) +
              " because the unspecified dimension size -1 can be any value and is ambiguous");
  if (product == numel && !inferred) return out;
  if (inferred && product > 0 && numel % product == 0) {
    out[*inferred] = numel / product;
    return out;
  }
  raise(error_kind::Shape,
        "shape '" + shapeStr(sizes) + "' is invalid for input of size " + std::to_string(numel));
}

// Strides with which `sizes` shows the same elements, or none when it takes a copy.
// Goes through the chunks of t that lie in memory without a gap, innermost first, and splits each
// among the new dimensions.
std::optional<Dims> viewStrides(const Tensor& t, Sizes sizes) {
  const auto old = t.sizes(), oldStrides = t.strides();
  Dims strides(sizes.size(), 1);
  if (t.numel() == 0) {
    if (old == sizes) return Dims(oldStrides);
    std::int64_t stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
      strides[i] = stride;
      stride *= std::max<std::int64_t>(sizes[i], 1);
    }
    return strides;
  }
  auto at = static_cast<std::ptrdiff_t>(sizes.size()) - 1;
  std::int64_t chunkStride = oldStrides.empty() ? 1 : oldStrides.back(), chunk = 1, covered = 1;
  for (std::size_t d = old.size(); d-- > 0;) {
    chunk *= old[d];
    if (d > 0 && (old[d - 1] == 1 || oldStrides[d - 1] == chunk * chunkStride)) continue;
    while (at >= 0 && (covered < chunk || sizes[at] == 1)) {
      strides[at] = covered * chunkStride;
      covered *= sizes[at--];
    }
    if (covered != chunk) return std::nullopt;
    if (d > 0) {
      chunkStride = oldStrides[d - 1];
      chunk = covered = 1;
    }
  }
  if (at >= 0) {
    if (!old.empty()) return std::nullopt;
    return strides; // a 0-dim tensor, seen with sizes of 1
  }
  return strides;
}

} // namespace

std::int64_t wrapDim(std::int64_t dim, std::int64_t ndim) {
  const std::int64_t count = std::max<std::int64_t>(ndim, 1);
  if (dim < -count || dim >= count)
    raise(error_kind::Index, "Dimension out of range (expected to be in range of [" +
                                 std::to_string(-count) + ", " + std::to_string(count - 1) +
                                 "], but got " + std::to_string(dim) + ")");
  return dim < 0 ? dim + count : dim;
}

Tensor select(const Tensor& t, std::int64_t dim, std::int64_t index) {
  if (t.dim() == 0) raise(error_kind::Index, "select() cannot be applied to a 0-dim tensor.");
  const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()));
  const std::int64_t size = t.sizes()[d];
  if (index < -size || index >= size)
    raise(error_kind::Index, "select(): index " + std::to_string(index) +
                                 " out of range for tensor of size " + shapeStr(t.sizes()) +
                                 " at dimension " + std::to_string(d));
  if (index < 0) index += size;
  std::int64_t sizes[64], strides[64]; // a tensor has no more dimensions
  std::size_t n = 0;
  for (std::size_t i = 0; i < t.sizes().size(); ++i) {
    if (i == d) continue;
    sizes[n] = t.sizes()[i];
    strides[n++] = t.strides()[i];
  }
  return t.asStrided({sizes, n}, {strides, n}, t.offset() + index * t.strides()[d]);
}

Tensor slice(const Tensor& t, std::int64_t dim, std::optional<std::int64_t> start,
             std::optional<std::int64_t> end, std::int64_t step) {
  if (t.dim() == 0) raise(error_kind::Runtime, "slice() cannot be applied to a 0-dim tensor.");
  const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()));
  if (step <= 0) raise(error_kind::Runtime, "slice step must be positive");
  const std::int64_t size = t.sizes()[d];
  const auto clamp = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? std::max(at, -size) + size : at, 0, size);
  };
  const std::int64_t from = clamp(start.value_or(0));
  const std::int64_t till = std::max(from, clamp(end.value_or(size)));
  Dims sizes(t.sizes()), strides(t.strides());
  const std::int64_t offset = t.offset() + from * strides[d];
  const std::int64_t length = till - from;
  sizes[d] = length / step + (length % step != 0);
  // A stride that does not fit belongs to a dimension of at most one element.
  if (__builtin_mul_overflow(strides[d], step, &strides[d])) strides[d] = 1;
  return t.asStrided(sizes, strides, offset);
}

Tensor view(const Tensor& t, Sizes sizes) {
  const Dims inferred = inferSizes(sizes, t.numel());
  const auto strides = viewStrides(t, inferred);
  if (!strides)
    raise(error_kind::Runtime,
          "view size is not compatible with input tensor's size and stride (at least one dimension "
          "spans across two contiguous subspaces). Use .reshape(...) instead.");
  return t.asStrided(inferred, *strides, t.offset());
}

Tensor reshape(const Tensor& t, Sizes sizes) {
  const Dims inferred = inferSizes(sizes, t.numel());
  const auto strides = viewStrides(t, inferred);
  return strides ? t.asStrided(inferred, *strides, t.offset()) : view(t.clone(), inferred);
}

Tensor transpose(const Tensor& t, std::int64_t dim0, std::int64_t dim1) {
  const auto a = static_cast<std::size_t>(wrapDim(dim0, t.dim()));
  const auto b = static_cast<std::size_t>(wrapDim(dim1, t.dim()));
  if (a == b) return t.dim() ? t.asStrided(t.sizes(), t.strides(), t.offset()) : t;
  Dims sizes(t.sizes()), strides(t.strides());
  std::swap(sizes[a], sizes[b]);
  std::swap(strides[a], strides[b]);
  return t.asStrided(sizes, strides, t.offset());
}

Tensor permute(const Tensor& t, Sizes dims) {
  if (dims.size() != t.sizes().size())
    raise(error_kind::Runtime,
          "permute(sparse_coo): number of dimensions in the tensor input does not match the length "
          "of the desired ordering of dimensions i.e. input.dim() = " +
              std::to_string(t.dim()) +
              " is not equal to len(dims) = " + std::to_string(dims.size()));
  Dims sizes, strides;
  llvm::SmallVector<bool, 6> seen(dims.size(), false);
  for (const std::int64_t dim : dims) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()));
    if (seen[d]) raise(error_kind::Runtime, "permute(): duplicate dims are not allowed.");
    seen[d] = true;
    sizes.push_back(t.sizes()[d]);
    strides.push_back(t.strides()[d]);
  }
  return t.asStrided(sizes, strides, t.offset());
}

Tensor unsqueeze(const Tensor& t, std::int64_t dim) {
  const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim() + 1));
  Dims sizes(t.sizes()), strides(t.strides());
  std::int64_t stride = 1;
  if (d < sizes.size() && __builtin_mul_overflow(sizes[d], strides[d], &stride)) stride = 1;
  sizes.insert(sizes.begin() + d, 1);
  strides.insert(strides.begin() + d, stride);
  return t.asStrided(sizes, strides, t.offset());
}

Tensor squeeze(const Tensor& t) {
  Dims sizes, strides;
  for (std::size_t i = 0; i < t.sizes().size(); ++i)
    if (t.sizes()[i] != 1) {
      sizes.push_back(t.sizes()[i]);
      strides.push_back(t.strides()[i]);
    }
  return t.asStrided(sizes, strides, t.offset());
}

Tensor squeeze(const Tensor& t, std::int64_t dim) {
  const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()));
  Dims sizes(t.sizes()), strides(t.strides());
  if (d < sizes.size() && sizes[d] == 1) {
    sizes.erase(sizes.begin() + d);
    strides.erase(strides.begin() + d);
  }
  return t.asStrided(sizes, strides, t.offset());
}

Tensor expand(const Tensor& t, Sizes sizes) {
  const std::size_t ndim = t.sizes().size();
  if (sizes.size() < ndim)
    raise(error_kind::Runtime,
          "expand(torch." + typeName(t.dtype()) + "Tensor{" + shapeStr(t.sizes()) + "}, size=" +
              shapeStr(sizes) + "): the number of sizes provided (" + std::to_string(sizes.size()) +
              ") must be greater or equal to the number of dimensions in the tensor (" +
              std::to_string(ndim) + ")");
  Dims to(sizes), strides(sizes.size(), 0);
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const bool added = i < sizes.size() - ndim;
    const std::size_t k = i - (sizes.size() - ndim);
    if (sizes[i] < (added ? 0 : -1))
      raise(error_kind::Runtime, "The expanded size of the tensor (" + std::to_string(sizes[i]) +
                                     ") isn't allowed in a leading, non-existing dimension " +
                                     std::to_string(i));
    if (added) { // a new dimension of size 1 gets the stride that unsqueeze gives
      if (sizes[i] == 1 && i + 1 < sizes.size() &&
          __builtin_mul_overflow(to[i + 1], strides[i + 1], &strides[i]))
        strides[i] = 1;
      continue;
    }
    if (sizes[i] == -1) to[i] = t.sizes()[k];
    if (to[i] == t.sizes()[k])
      strides[i] = t.strides()[k];
    else if (t.sizes()[k] != 1)
      raise(error_kind::Shape, "The expanded size of the tensor (" + std::to_string(to[i]) +
                                   ") must match the existing size (" +
                                   std::to_string(t.sizes()[k]) + ") at non-singleton dimension " +
                                   std::to_string(i) + ".  Target sizes: " + shapeStr(sizes) +
                                   ".  Tensor sizes: " + shapeStr(t.sizes()));
  }
  return t.asStrided(to, strides, t.offset());
}

} // namespace tine::kernels
