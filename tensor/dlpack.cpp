#include "tensor/dlpack.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstring>
#include <dlpack/dlpack.h>
#include <iterator>
#include <optional>

namespace tine {
namespace {

constexpr std::uint8_t kBool = 6; // kDLBool, which headers before 0.8 do not name
constexpr int kMaxDims = 64;
#ifdef DLPACK_MAJOR_VERSION
constexpr bool kHasBool = true;
#else
constexpr bool kHasBool = DLPACK_VERSION >= 80;
#endif

// What a consumer gets, in one block.
struct Exported {
  explicit Exported(const Tensor& t)
      : tensor(t), sizes(t.sizes().begin(), t.sizes().end()),
        strides(t.strides().begin(), t.strides().end()) {}
  DLManagedTensor managed{};
  Tensor tensor;
  llvm::SmallVector<std::int64_t, TensorImpl::kInlineDims> sizes, strides;
};

DLDataType typeOf(DType dtype) {
  std::uint8_t code = isFloating(dtype) ? kDLFloat : kDLInt;
  if (dtype == DType::UInt8) code = kDLUInt;
  if (dtype == DType::Bool) code = kHasBool ? kBool : static_cast<std::uint8_t>(kDLUInt);
  return {code, static_cast<std::uint8_t>(8 * itemSize(dtype)), 1};
}

std::optional<DType> dtypeOf(DLDataType type) {
  for (const DType dtype : {
#define TINE_DTYPE(id, cpp, name, irName, printName, number) DType::id,
#include "tensor/dtype.def"
       }) {
    const DLDataType known = typeOf(dtype);
    const std::uint8_t code = dtype == DType::Bool ? kBool : known.code;
    if (code == type.code && known.bits == type.bits) return dtype;
  }
  return std::nullopt;
}

std::string describe(DLDataType type) {
  static constexpr const char* kNames[] = {"int",    "uint",    "float", "opaque handle",
                                           "bfloat", "complex", "bool"};
  return (type.code < std::size(kNames) ? kNames[type.code]
                                        : "type code " + std::to_string(type.code) + ", bits ") +
         std::to_string(type.bits);
}

// Read as a number: a newer producer's device is no value of this header's enumeration.
std::uint32_t deviceType(const DLDevice& device) {
  std::uint32_t type;
  static_assert(sizeof(type) == sizeof(device.device_type));
  std::memcpy(&type, &device.device_type, sizeof(type));
  return type;
}

std::string describe(const DLDevice& device) {
  static constexpr const char* kNames[] = {
      nullptr, "cpu", "cuda", "pinned cuda host", "opencl",    nullptr,       nullptr, "vulkan",
      "metal", "vpi", "rocm", "pinned rocm host", "extension", "managed cuda"};
  const std::uint32_t type = deviceType(device);
  const char* name = type < std::size(kNames) ? kNames[type] : nullptr;
  return (name ? name : "unknown device type " + std::to_string(type)) + ":" +
         std::to_string(device.device_id);
}

void releaseManaged(void* owner) {
  auto* managed = static_cast<DLManagedTensor*>(owner);
  if (managed->deleter) managed->deleter(managed);
}

} // namespace

DLManagedTensor* toDLPack(const Tensor& tensor) {
  TINE_CHECK_MSG(tensor.defined(), "an undefined tensor has nothing to share");
  auto* exported = new Exported(tensor);
  DLTensor& out = exported->managed.dl_tensor;
  out.data = tensor.bytes();
  out.device = {kDLCPU, 0};
  out.ndim = tensor.dim();
  out.dtype = typeOf(tensor.dtype());
  out.shape = exported->sizes.data();
  out.strides = exported->strides.data();
  out.byte_offset = 0;
  exported->managed.manager_ctx = exported;
  exported->managed.deleter = [](DLManagedTensor* managed) {
    delete static_cast<Exported*>(managed->manager_ctx);
  };
  return &exported->managed;
}

Result<Tensor> fromDLPack(DLManagedTensor* managed) {
  const auto unsupported = [](const std::string& message) {
    return Error(error_kind::Unsupported, "a DLPack tensor " + message + " is not supported");
  };
  const auto wrong = [](const std::string& message) {
    return Error(error_kind::Value, "a DLPack tensor " + message);
  };
  if (!managed) return wrong("is missing: the pointer is null");
  const DLTensor& in = managed->dl_tensor;
  if (deviceType(in.device) != kDLCPU) return unsupported("on " + describe(in.device));
  if (in.dtype.lanes != 1) return unsupported("with " + std::to_string(in.dtype.lanes) + " lanes");
  const std::optional<DType> dtype = dtypeOf(in.dtype);
  if (!dtype) return unsupported("of " + describe(in.dtype));
  if (in.ndim < 0 || in.ndim > kMaxDims)
    return wrong("has " + std::to_string(in.ndim) + " dimensions; the limit is " +
                 std::to_string(kMaxDims));
  const auto ndim = static_cast<std::size_t>(in.ndim);
  if (ndim && !in.shape) return wrong("has dimensions but no shape");

  const llvm::ArrayRef<std::int64_t> sizes(in.shape, ndim);
  llvm::SmallVector<std::int64_t, 6> strides(ndim, 1);
  const auto size = static_cast<std::int64_t>(itemSize(*dtype));
  bool empty = false, overflow = false;
  for (const std::int64_t n : sizes) {
    if (n < 0) return wrong("has a negative size: " + shapeStr(sizes));
    empty |= n == 0;
  }
  std::int64_t stride = 1, last = 0;
  for (std::size_t i = ndim; i-- > 0;) {
    strides[i] = in.strides ? in.strides[i] : stride;
    if (!in.strides)
      overflow |= __builtin_mul_overflow(stride, std::max<std::int64_t>(sizes[i], 1), &stride);
    if (strides[i] < 0) {
      if (sizes[i] > 1) return unsupported("with negative strides " + shapeStr({in.strides, ndim}));
      strides[i] = 1; // never taken
    }
    std::int64_t span = 0;
    if (!empty)
      overflow |= __builtin_mul_overflow(sizes[i] - 1, strides[i], &span) ||
                  __builtin_add_overflow(last, span, &last);
  }
  std::int64_t bytes = 0;
  if (!empty)
    overflow |=
        __builtin_add_overflow(last, 1, &bytes) || __builtin_mul_overflow(bytes, size, &bytes);
  if (overflow) return wrong("of shape " + shapeStr(sizes) + " has more bytes than 64 bits count");
  if (!empty && !in.data) return wrong("of shape " + shapeStr(sizes) + " has no data");

  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(in.data) + in.byte_offset;
  if (!empty && address % itemSize(*dtype) != 0)
    return unsupported("whose data is not aligned to " + std::to_string(size) + " bytes");
  try {
    return Tensor::fromBlob(reinterpret_cast<void*>(address), static_cast<std::size_t>(bytes),
                            sizes, strides, *dtype, releaseManaged, managed);
  } catch (const RuntimeError& error) {
    return error.error();
  }
}

} // namespace tine
