#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "support/count.h"
#include "support/error.h"
#include "tensor/dtype.h"
#include "tensor/ref.h"

#include <cstddef>
#include <string>

namespace tine {

/// Bytes that one or more tensors look at. Counted on its own, so that a view may outlive its base.
struct Storage {
  RefCount refs;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  /// Frees `data` that somebody else allocated; null when the bytes lie in the tensor's own block.
  void (*deleter)(void* owner) = nullptr;
  void* owner = nullptr;
};

/// Set on a tensor while a trace computes it: what C++ reads of it would silently become a constant
/// of the graph, so that reading raises. Operators take the mark off while their kernels run.
struct TraceMark {
  Error (*error)(const TraceMark& mark); ///< of kind TraceError
  [[noreturn]] void raise() const;
};

/// Header of a tensor. For a tensor that owns its data one block holds header, Storage and, 64-byte
/// aligned, the data. \source spec: fused block, five dimensions inline
struct TensorImpl {
  static constexpr int kInlineDims = 5;

  RefCount refs;
  DType dtype = DType::Float32;
  std::uint8_t ndim = 0;
  bool contiguous = true; ///< row-major without gaps
  bool wrapped =
      false; ///< a C++ or Python number in a tensor's clothes: it does not promote a tensor's dtype
  std::int64_t numel = 0;
  Storage* storage = nullptr;
  std::int64_t offset = 0; ///< \units elements
  /// Sizes, then strides at kInlineDims, when ndim <= kInlineDims. The rest is not initialised.
  std::int64_t dims[2 * kInlineDims];
  std::int64_t* heapDims = nullptr; ///< sizes, then strides at ndim, when there are more
  const TraceMark* mark = nullptr;  ///< of a tensor that belongs to an active trace
  Storage embedded;

  void retain() const { refs.up(); }
  void release() const {
    if (refs.down()) destroy(const_cast<TensorImpl*>(this));
  }
  static void destroy(TensorImpl* impl);
};

/// A handle of an n-dimensional array; copying shares it. Most tensors never change; in-place
/// operators write through to the storage that views share.
///
///   Tensor t = tensor({1., 2., 3.});     // float32 [3]
///   Tensor u = Tensor::empty({2, 3}, DType::Int64);
///   t.sizes()[0]; t.at<float>({1}); t.str();
///
/// A default-made handle is undefined: only `defined()` may be called on it. Of a tensor that
/// belongs to an active trace, sizes and elements cannot be read: \errors TraceError
/// \thread a handle: not safe; distinct handles of one tensor: any, while nobody writes to it
class Tensor {
public:
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}

  /// An uninitialised row-major tensor. \errors ValueError a negative size; MemoryError too large
  static Tensor empty(llvm::ArrayRef<std::int64_t> sizes, DType dtype = DType::Float32);
  /// The same, with another tensor's sizes.
  static Tensor emptyLike(const Tensor& t, DType dtype);
  /// The same without gaps, its dimensions laid out in this order, innermost first.
  static Tensor emptyOrdered(llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::size_t> order,
                             DType dtype);
  /// A 0-dim tensor. `wrapped`: see TensorImpl.
  static Tensor scalar(double value, DType dtype = DType::Float32, bool wrapped = false);
  static Tensor scalar(std::int64_t value, DType dtype = DType::Int64, bool wrapped = false);
  /// Looks at foreign memory; `deleter(owner)` runs when the last view is gone.
  static Tensor fromBlob(void* data, std::size_t bytes, llvm::ArrayRef<std::int64_t> sizes,
                         llvm::ArrayRef<std::int64_t> strides, DType dtype, void (*deleter)(void*),
                         void* owner);

  bool defined() const { return static_cast<bool>(impl_); }
  DType dtype() const { return impl_->dtype; }
  int dim() const { return impl_->ndim; }
  std::int64_t numel() const { return readable()->numel; }
  llvm::ArrayRef<std::int64_t> sizes() const {
    readable();
    return {impl_->heapDims ? impl_->heapDims : impl_->dims, impl_->ndim};
  }
  /// \units elements
  llvm::ArrayRef<std::int64_t> strides() const {
    readable();
    return {impl_->heapDims ? impl_->heapDims + impl_->ndim : impl_->dims + TensorImpl::kInlineDims,
            impl_->ndim};
  }
  std::int64_t offset() const { return impl_->offset; }
  bool isContiguous() const { return impl_->contiguous; }
  bool isWrappedNumber() const { return impl_->wrapped; }

  /// First element. T must be the dtype's C++ type.
  template <class T> T* data() const {
    return reinterpret_cast<T*>(readable()->storage->data) + impl_->offset;
  }
  std::byte* bytes() const {
    return readable()->storage->data + impl_->offset * static_cast<std::int64_t>(itemSize(dtype()));
  }
  /// One element, bounds checked. \errors IndexError
  template <class T> T& at(llvm::ArrayRef<std::int64_t> index) const {
    return data<T>()[elementOffset(index)];
  }

  /// A view with other sizes, strides and offset (from the storage's start), bounds checked against
  /// the storage. \errors ValueError out of the storage's bounds
  Tensor asStrided(llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides,
                   std::int64_t offset) const;
  /// Itself when row-major, else a copy that is.
  Tensor contiguous() const;
  /// A row-major copy.
  Tensor clone() const;
  /// The only element as a number. \errors ValueError unless numel() == 1
  double toDouble() const;
  std::int64_t toInt() const;

  bool sharesStorageWith(const Tensor& other) const {
    return impl_->storage == other.impl_->storage;
  }
  TensorImpl* impl() const { return impl_.get(); }
  /// As PyTorch prints it: `tensor([1., 2.])`.
  std::string str() const;

private:
  const TensorImpl* readable() const {
    if (impl_->mark) [[unlikely]]
      impl_->mark->raise();
    return impl_.get();
  }
  std::int64_t elementOffset(llvm::ArrayRef<std::int64_t> index) const;
  Ref<TensorImpl> impl_;
};

/// Same dtype, sizes and bits of every element (so a NaN equals itself and 0.0 is not -0.0).
bool identical(const Tensor& a, const Tensor& b);
/// Same sizes and equal values, as torch.equal.
bool equal(const Tensor& a, const Tensor& b);

/// Sizes of an operation on both. \shapes trailing dimensions equal or 1 \errors ShapeMismatch
/// naming both shapes
llvm::SmallVector<std::int64_t, 6> broadcastShapes(llvm::ArrayRef<std::int64_t> a,
                                                   llvm::ArrayRef<std::int64_t> b);
/// A view with stride 0 along the new or widened dimensions. \errors ShapeMismatch
Tensor broadcastTo(const Tensor& t, llvm::ArrayRef<std::int64_t> sizes);
/// `[2, 3]`, for messages.
std::string shapeStr(llvm::ArrayRef<std::int64_t> sizes);

/// The text of a tensor inside a graph as TorchScript prints it, with newlines: ` 1\n 2\n[
/// CPUFloatType{2} ]`. \source ATen's stream operator
std::string streamStr(const Tensor& t);

} // namespace tine
