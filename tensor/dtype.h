#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace tine {

/// The element type of a tensor; dtype.def is the table.
enum class DType : std::uint8_t {
#define TINE_DTYPE(id, cpp, name, irName, printName, number) id = number,
#define TINE_DTYPE_NAME(id, name, irName, printName, number) id = number,
#include "tensor/dtype.def"
};

/// `float32`. \source NumPy and PyTorch spellings
llvm::StringRef name(DType dtype);
/// `Float`, as types in graphs spell it.
llvm::StringRef irName(DType dtype);
/// `Float` of `CPUFloatType{2}`.
llvm::StringRef printName(DType dtype);
std::optional<DType> dtypeFromName(llvm::StringRef name);
std::optional<DType> dtypeFromIrName(llvm::StringRef irName);
/// TorchScript's number of a dtype (float32 is 6), as int arguments carry it.
std::optional<DType> dtypeFromNumber(std::int64_t number);

/// \units bytes; 0 for the dtypes that have no kernels
constexpr std::size_t itemSize(DType dtype) {
  switch (dtype) {
#define TINE_DTYPE(id, cpp, name, irName, printName, number)                                       \
  case DType::id:                                                                                  \
    return sizeof(cpp);
#define TINE_DTYPE_NAME(id, name, irName, printName, number) case DType::id:
#include "tensor/dtype.def"
    break;
  }
  return 0;
}
constexpr bool hasKernels(DType dtype) { return itemSize(dtype) != 0; }
bool isFloating(DType dtype); ///< float16, bfloat16, float32, float64
bool isIntegral(DType dtype); ///< the signed and unsigned integers, not bool

/// The dtype of an operation on both. \source c10::promoteTypes
DType promote(DType a, DType b);

[[noreturn]] void raiseNoKernels(DType dtype);

/// Calls `f` with a value of the dtype's C++ type: `dispatch(dtype, [&](auto zero) { using T =
/// decltype(zero); ... })`. \errors NotImplemented for a dtype without kernels
template <class F> decltype(auto) dispatch(DType dtype, F&& f) {
  switch (dtype) {
#define TINE_DTYPE(id, cpp, name, irName, printName, number)                                       \
  case DType::id:                                                                                  \
    return f(cpp{});
#define TINE_DTYPE_NAME(id, name, irName, printName, number) case DType::id:
#include "tensor/dtype.def"
    break;
  }
  raiseNoKernels(dtype);
}

} // namespace tine
