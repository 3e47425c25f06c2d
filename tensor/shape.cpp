#include "tensor/tensor.h"

#include <algorithm>

namespace tine {

std::string shapeStr(llvm::ArrayRef<std::int64_t> sizes) {
  std::string out = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i) out += ", ";
    out += std::to_string(sizes[i]);
  }
  return out + "]";
}

llvm::SmallVector<std::int64_t, 6> broadcastShapes(llvm::ArrayRef<std::int64_t> a,
                                                   llvm::ArrayRef<std::int64_t> b) {
  const std::size_t ndim = std::max(a.size(), b.size());
  llvm::SmallVector<std::int64_t, 6> out(ndim);
  for (std::size_t i = ndim; i-- > 0;) {
    const std::size_t fromEnd = ndim - 1 - i;
    const std::int64_t sizeA = fromEnd < a.size() ? a[a.size() - 1 - fromEnd] : 1;
    const std::int64_t sizeB = fromEnd < b.size() ? b[b.size() - 1 - fromEnd] : 1;
    if (sizeA != sizeB && sizeA != 1 && sizeB != 1)
      raise(error_kind::Shape, "The size of tensor a (" + std::to_string(sizeA) +
                                   ") must match the size of tensor b (" + std::to_string(sizeB) +
                                   ") at non-singleton dimension " + std::to_string(i) +
                                   "; the shapes are " + shapeStr(a) + " and " + shapeStr(b));
    out[i] = sizeA == 1 ? sizeB : sizeA;
  }
  return out;
}

Tensor broadcastTo(const Tensor& t, llvm::ArrayRef<std::int64_t> sizes) {
  if (t.sizes() == sizes) return t;
  const auto from = t.sizes(), fromStrides = t.strides();
  bool fits = sizes.size() >= from.size();
  llvm::SmallVector<std::int64_t, 6> strides(sizes.size(), 0);
  for (std::size_t k = 0; fits && k < from.size(); ++k) {
    const std::size_t i = sizes.size() - from.size() + k;
    if (from[k] == sizes[i])
      strides[i] = fromStrides[k];
    else
      fits = from[k] == 1;
  }
  if (!fits)
    raise(error_kind::Shape,
          "a tensor of shape " + shapeStr(from) + " does not broadcast to " + shapeStr(sizes));
  return t.asStrided(sizes, strides, t.offset());
}

} // namespace tine
