#include "tensor/tensor.h"

#include "tensor/strided.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace tine {

namespace {
constexpr int kMaxDims = 64;
constexpr std::size_t kAlignment = 64;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 47; // no address space is larger

[[noreturn]] void raiseTooLarge(llvm::ArrayRef<std::int64_t> sizes, DType dtype) {
  raise(error_kind::Memory, "a tensor of shape " + shapeStr(sizes) + " and type " +
                                name(dtype).str() + " is too large");
}

TensorImpl* blockOf(Storage* embedded) {
  return reinterpret_cast<TensorImpl*>(reinterpret_cast<std::byte*>(embedded) -
                                       offsetof(TensorImpl, embedded));
}

// A header followed by `bytes` aligned ones, in one block; null when there is no memory.
inline TensorImpl* allocateBlock(std::size_t bytes) {
  const std::size_t padding = bytes ? kAlignment - 1 : 0;
  void* memory = std::malloc(sizeof(TensorImpl) + padding + bytes);
  return memory ? new (memory) TensorImpl : nullptr;
}

std::byte* alignedDataOf(TensorImpl* impl) {
  const auto end = reinterpret_cast<std::uintptr_t>(impl + 1);
  return reinterpret_cast<std::byte*>((end + kAlignment - 1) & ~(kAlignment - 1));
}

void setDims(TensorImpl* impl, llvm::ArrayRef<std::int64_t> sizes,
             llvm::ArrayRef<std::int64_t> strides) {
  const std::size_t ndim = sizes.size();
  std::int64_t* to = impl->dims;
  std::size_t strideAt = TensorImpl::kInlineDims;
  if (ndim > TensorImpl::kInlineDims) {
    to = impl->heapDims = new std::int64_t[2 * ndim];
    strideAt = ndim;
  }
  impl->ndim = static_cast<std::uint8_t>(ndim);
  for (std::size_t i = 0; i < ndim; ++i) {
    to[i] = sizes[i];
    to[strideAt + i] = strides[i];
  }
}

// Row-major strides as TorchScript gives them: a dimension of size 0 counts as 1.
// Returns the number of elements. \errors ValueError a negative size; MemoryError too many bytes
std::int64_t rowMajor(llvm::ArrayRef<std::int64_t> sizes, DType dtype, std::int64_t* strides) {
  constexpr std::int64_t kMaxStride = std::numeric_limits<std::int64_t>::max() / 16;
  std::int64_t numel = 1, stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t size = sizes[i];
    if (size < 0)
      raise(error_kind::Value, "Trying to create tensor with negative dimension " +
                                   std::to_string(size) + ": " + shapeStr(sizes));
    strides[i] = stride;
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(size, 1), &stride) ||
        stride > kMaxStride)
      raiseTooLarge(sizes, dtype);
    numel *= size;
  }
  if (numel > kMaxBytes / static_cast<std::int64_t>(itemSize(dtype))) raiseTooLarge(sizes, dtype);
  return numel;
}

bool isRowMajor(llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides,
                std::int64_t numel) {
  if (numel == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

void checkDims(std::size_t ndim) {
  if (ndim > kMaxDims)
    raise(error_kind::Value, "a tensor has at most " + std::to_string(kMaxDims) +
                                 " dimensions, not " + std::to_string(ndim));
}

// Checks that every element lies within `available` elements of the storage; returns their number.
std::int64_t checkBounds(llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides,
                         std::int64_t offset, std::int64_t available) {
  const auto fail = [&](const char* what) {
    raise(error_kind::Value, std::string(what) + ": sizes " + shapeStr(sizes) + ", strides " +
                                 shapeStr(strides) + ", storage offset " + std::to_string(offset) +
                                 ", storage of " + std::to_string(available) + " elements");
  };
  if (sizes.size() != strides.size()) fail("mismatch in length of strides and shape");
  checkDims(sizes.size());
  if (offset < 0) fail("the storage offset is negative");
  std::int64_t numel = 1, last = offset;
  bool tooMany = false, outside = false, empty = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) fail("a size is negative");
    if (strides[i] < 0) fail("a stride is negative");
    if (sizes[i] == 0) {
      empty = true;
      continue;
    }
    std::int64_t span = 0;
    tooMany |= __builtin_mul_overflow(numel, sizes[i], &numel);
    outside |= __builtin_mul_overflow(sizes[i] - 1, strides[i], &span) ||
               __builtin_add_overflow(last, span, &last);
  }
  if (tooMany) fail("a view of too many elements");
  if (empty) return 0;
  if (outside || last >= available) fail("a view reaches outside its storage");
  return numel;
}
} // namespace

void TraceMark::raise() const { throw RuntimeError(error(*this)); }

void TensorImpl::destroy(TensorImpl* impl) {
  Storage* storage = impl->storage;
  const bool owns = storage == &impl->embedded;
  if (impl->heapDims) [[unlikely]]
    delete[] impl->heapDims;
  if (!storage->refs.down()) { // views outlive their base: its block stays for the storage's sake
    if (!owns) std::free(impl);
    return;
  }
  if (!owns) std::free(impl);
  if (storage->deleter) storage->deleter(storage->owner);
  std::free(blockOf(storage));
  countLive(Live::Tensor, -1);
}

namespace {
// A tensor that owns its data. `strides` are those of a tensor without gaps.
Tensor makeOwner(llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides,
                 std::int64_t numel, DType dtype) {
  const std::size_t bytes = static_cast<std::size_t>(numel) * itemSize(dtype);
  TensorImpl* impl = allocateBlock(bytes);
  if (!impl) raiseTooLarge(sizes, dtype);
  impl->dtype = dtype;
  impl->numel = numel;
  impl->storage = &impl->embedded;
  impl->embedded.data = alignedDataOf(impl);
  impl->embedded.bytes = bytes;
  setDims(impl, sizes, strides);
  countLive(Live::Tensor, 1);
  return Tensor(Ref<TensorImpl>::adopt(impl));
}
} // namespace

Tensor Tensor::empty(llvm::ArrayRef<std::int64_t> sizes, DType dtype) {
  if (!hasKernels(dtype)) raiseNoKernels(dtype);
  checkDims(sizes.size());
  std::int64_t strides[kMaxDims];
  const std::int64_t numel = rowMajor(sizes, dtype, strides);
  return makeOwner(sizes, {strides, sizes.size()}, numel, dtype);
}

Tensor Tensor::emptyOrdered(llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::size_t> order,
                            DType dtype) {
  if (!hasKernels(dtype)) raiseNoKernels(dtype);
  checkDims(sizes.size());
  std::int64_t strides[kMaxDims], stride = 1;
  const std::int64_t numel = rowMajor(sizes, dtype, strides); // checks the sizes
  for (const std::size_t i : order) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(sizes[i], 1);
  }
  const Tensor t = makeOwner(sizes, {strides, sizes.size()}, numel, dtype);
  t.impl()->contiguous = isRowMajor(sizes, {strides, sizes.size()}, numel);
  return t;
}

Tensor Tensor::emptyLike(const Tensor& t, DType dtype) {
  const TensorImpl* from = t.impl();
  // Row-major dims of a tensor that exists need no checks; this is the path of small operators.
  if (!from->contiguous || from->heapDims || itemSize(dtype) > itemSize(from->dtype))
    return empty(t.sizes(), dtype);
  const std::size_t bytes = static_cast<std::size_t>(from->numel) * itemSize(dtype);
  TensorImpl* impl = allocateBlock(bytes);
  if (!impl) raiseTooLarge(t.sizes(), dtype);
  impl->dtype = dtype;
  impl->numel = from->numel;
  impl->storage = &impl->embedded;
  impl->embedded.data = alignedDataOf(impl);
  impl->embedded.bytes = bytes;
  impl->ndim = from->ndim;
  std::int64_t stride = 1; // not the strides of `t`: those of dimensions of size 1 are arbitrary
  for (int i = from->ndim; i-- > 0;) {
    impl->dims[i] = from->dims[i];
    impl->dims[TensorImpl::kInlineDims + i] = stride;
    stride *= std::max<std::int64_t>(from->dims[i], 1);
  }
  countLive(Live::Tensor, 1);
  return Tensor(Ref<TensorImpl>::adopt(impl));
}

Tensor Tensor::scalar(double value, DType dtype, bool wrapped) {
  Tensor t = empty({}, dtype);
  dispatch(dtype, [&](auto zero) { *t.data<decltype(zero)>() = convert<decltype(zero)>(value); });
  t.impl()->wrapped = wrapped;
  return t;
}

Tensor Tensor::scalar(std::int64_t value, DType dtype, bool wrapped) {
  Tensor t = empty({}, dtype);
  dispatch(dtype, [&](auto zero) { *t.data<decltype(zero)>() = convert<decltype(zero)>(value); });
  t.impl()->wrapped = wrapped;
  return t;
}

Tensor Tensor::fromBlob(void* data, std::size_t bytes, llvm::ArrayRef<std::int64_t> sizes,
                        llvm::ArrayRef<std::int64_t> strides, DType dtype, void (*deleter)(void*),
                        void* owner) {
  if (!hasKernels(dtype)) raiseNoKernels(dtype);
  const std::int64_t numel =
      checkBounds(sizes, strides, 0, static_cast<std::int64_t>(bytes / itemSize(dtype)));
  TensorImpl* impl = allocateBlock(0);
  if (!impl) raiseTooLarge(sizes, dtype);
  impl->dtype = dtype;
  impl->numel = numel;
  impl->contiguous = isRowMajor(sizes, strides, numel);
  impl->storage = &impl->embedded;
  impl->embedded.data = static_cast<std::byte*>(data);
  impl->embedded.bytes = bytes;
  impl->embedded.deleter = deleter;
  impl->embedded.owner = owner;
  setDims(impl, sizes, strides);
  countLive(Live::Tensor, 1);
  return Tensor(Ref<TensorImpl>::adopt(impl));
}

Tensor Tensor::asStrided(llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides,
                         std::int64_t offset) const {
  Storage* storage = readable()->storage;
  // Every size of an element is a power of two; a division would cost more than all the rest.
  const int shift = std::countr_zero(itemSize(dtype()));
  const std::int64_t numel =
      checkBounds(sizes, strides, offset, static_cast<std::int64_t>(storage->bytes >> shift));
  TensorImpl* impl = allocateBlock(0);
  if (!impl) raiseTooLarge(sizes, dtype());
  impl->dtype = dtype();
  impl->numel = numel;
  impl->offset = offset;
  impl->contiguous = isRowMajor(sizes, strides, numel);
  impl->storage = storage;
  storage->refs.up();
  setDims(impl, sizes, strides);
  return Tensor(Ref<TensorImpl>::adopt(impl));
}

Tensor Tensor::contiguous() const { return isContiguous() ? *this : clone(); }

Tensor Tensor::clone() const {
  Tensor out = empty(sizes(), dtype());
  dispatch(dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.data<T>();
    const T* from = data<T>();
    if (isContiguous()) {
      if (numel()) std::memcpy(to, from, static_cast<std::size_t>(numel()) * sizeof(T));
      return;
    }
    strided<2>(
        sizes(), {out.strides(), strides()},
        [&](std::array<std::int64_t, 2> at, std::array<std::int64_t, 2> step, std::int64_t n) {
          for (std::int64_t i = 0; i < n; ++i) to[at[0] + i * step[0]] = from[at[1] + i * step[1]];
        });
  });
  return out;
}

double Tensor::toDouble() const {
  if (numel() != 1)
    raise(error_kind::Value,
          "a Tensor with " + std::to_string(numel()) + " elements cannot be converted to Scalar");
  return dispatch(dtype(), [&](auto zero) { return static_cast<double>(*data<decltype(zero)>()); });
}

std::int64_t Tensor::toInt() const {
  if (numel() != 1)
    raise(error_kind::Value,
          "a Tensor with " + std::to_string(numel()) + " elements cannot be converted to Scalar");
  return dispatch(dtype(), [&](auto zero) -> std::int64_t {
    const auto value = *data<decltype(zero)>();
    if constexpr (std::is_floating_point_v<decltype(zero)>) {
      // Also false for NaN. 2^63 is the first double that does not fit.
      if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0))
        raise(error_kind::Overflow, "value cannot be converted to type int64_t without overflow");
    }
    return static_cast<std::int64_t>(value);
  });
}

std::int64_t Tensor::elementOffset(llvm::ArrayRef<std::int64_t> index) const {
  const auto size = sizes(), stride = strides();
  if (index.size() != size.size())
    raise(error_kind::Index, "a tensor of " + std::to_string(size.size()) +
                                 " dimensions needs as "
                                 "many indices, not " +
                                 std::to_string(index.size()));
  std::int64_t at = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= size[i])
      raise(error_kind::Index,
            "index " + shapeStr(index) + " is outside a tensor of shape " + shapeStr(size));
    at += index[i] * stride[i];
  }
  return at;
}

bool identical(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined() || a.impl() == b.impl()) return true;
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes() ||
      a.isWrappedNumber() != b.isWrappedNumber())
    return false;
  const Tensor left = a.contiguous(), right = b.contiguous();
  return left.numel() == 0 ||
         std::memcmp(left.bytes(), right.bytes(),
                     static_cast<std::size_t>(left.numel()) * itemSize(left.dtype())) == 0;
}

bool equal(const Tensor& a, const Tensor& b) {
  if (a.sizes() != b.sizes()) return false;
  return dispatch(a.dtype(), [&](auto zeroA) {
    return dispatch(b.dtype(), [&](auto zeroB) {
      using A = decltype(zeroA);
      using B = decltype(zeroB);
      // A common type that holds both exactly, but for int64 with a float, as promotion has it.
      using T = std::conditional_t<std::is_same_v<A, B>, A, std::common_type_t<A, B>>;
      bool same = true;
      const A* left = a.data<A>();
      const B* right = b.data<B>();
      strided<2>(
          a.sizes(), {a.strides(), b.strides()},
          [&](std::array<std::int64_t, 2> at, std::array<std::int64_t, 2> step, std::int64_t n) {
            for (std::int64_t i = 0; same && i < n; ++i)
              same = static_cast<T>(left[at[0] + i * step[0]]) ==
                     static_cast<T>(right[at[1] + i * step[1]]);
          });
      return same;
    });
  });
}

} // namespace tine
