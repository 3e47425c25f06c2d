#include "tensor/kernels/layout.h"

namespace tine::kernels {

Tensor cat(llvm::ArrayRef<Tensor> tensors, std::int64_t dim) {
  if (tensors.empty())
    raise(error_kind::Runtime, "torch.cat(): expected a non-empty list of Tensors");
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].dim() == 0)
      raise(error_kind::Runtime, "zero-dimensional tensor (at position " + std::to_string(i) +
                                     ") cannot be concatenated");
  // An empty one-dimensional tensor goes with any shape, for old programs' sake.
  const auto skipped = [](const Tensor& t) { return t.dim() == 1 && t.numel() == 0; };
  const DType dtype = resultType(tensors);
  const Tensor* model = nullptr;
  llvm::SmallVector<std::int64_t, 6> sizes{0};
  std::size_t axis = 0;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const Tensor& t = tensors[k];
    if (skipped(t)) continue;
    if (!model) {
      model = &t;
      sizes.assign(t.sizes().begin(), t.sizes().end());
      axis = static_cast<std::size_t>(wrapDim(dim, t.dim()));
      continue;
    }
    if (t.dim() != model->dim())
      raise(error_kind::Shape, "Tensors must have same number of dimensions: got " +
                                   std::to_string(model->dim()) + " and " +
                                   std::to_string(t.dim()));
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (i != axis && t.sizes()[i] != sizes[i])
        raise(error_kind::Shape, "Sizes of tensors must match except in dimension " +
                                     std::to_string(axis) + ". Expected size " +
                                     std::to_string(sizes[i]) + " but got size " +
                                     std::to_string(t.sizes()[i]) + " for tensor number " +
                                     std::to_string(k) + " in the list.");
    if (__builtin_add_overflow(sizes[axis], t.sizes()[axis], &sizes[axis]))
      raise(error_kind::Memory, "a concatenation of too many elements");
  }
  const Tensor out = Tensor::empty(sizes, dtype);
  std::int64_t at = 0;
  for (const Tensor& t : tensors) {
    if (skipped(t)) continue;
    const std::int64_t end = at + t.sizes()[axis];
    if (t.numel()) copyInto(slice(out, static_cast<std::int64_t>(axis), at, end, 1), t);
    at = end;
  }
  return out;
}

Tensor stack(llvm::ArrayRef<Tensor> tensors, std::int64_t dim) {
  if (tensors.empty()) raise(error_kind::Runtime, "stack expects a non-empty TensorList");
  const std::int64_t axis = wrapDim(dim, tensors[0].dim() + 1);
  for (std::size_t i = 1; i < tensors.size(); ++i)
    if (tensors[i].sizes() != tensors[0].sizes())
      raise(error_kind::Shape, "stack expects each tensor to be equal size, but got " +
                                   shapeStr(tensors[0].sizes()) + " at entry 0 and " +
                                   shapeStr(tensors[i].sizes()) + " at entry " + std::to_string(i));
  llvm::SmallVector<std::int64_t, 6> sizes(tensors[0].sizes());
  sizes.insert(sizes.begin() + axis, static_cast<std::int64_t>(tensors.size()));
  const Tensor out = Tensor::empty(sizes, resultType(tensors));
  for (std::size_t i = 0; i < tensors.size(); ++i)
    copyInto(select(out, axis, static_cast<std::int64_t>(i)), tensors[i]);
  return out;
}

} // namespace tine::kernels
