#include "tensor/dtype.h"

#include "support/error.h"

#include <algorithm>

namespace tine {

namespace {
struct Row {
  DType dtype;
  llvm::StringRef name, irName, printName;
};
constexpr Row kRows[] = {
#define TINE_DTYPE(id, cpp, name, irName, printName, number) {DType::id, name, irName, printName},
#define TINE_DTYPE_NAME(id, name, irName, printName, number) {DType::id, name, irName, printName},
#include "tensor/dtype.def"
};

const Row& row(DType dtype) {
  for (const Row& r : kRows)
    if (r.dtype == dtype) return r;
  TINE_UNREACHABLE("no such dtype");
}

template <class Field> std::optional<DType> search(llvm::StringRef text, Field field) {
  for (const Row& r : kRows)
    if (r.*field == text) return r.dtype;
  return std::nullopt;
}

enum class Category : std::uint8_t { Bool, Integral, Floating, Complex, Quantized };

Category category(DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return Category::Bool;
  case DType::UInt8:
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int64:
    return Category::Integral;
  case DType::Float16:
  case DType::BFloat16:
  case DType::Float32:
  case DType::Float64:
    return Category::Floating;
  case DType::ComplexHalf:
  case DType::Complex64:
  case DType::Complex128:
    return Category::Complex;
  case DType::QInt8:
  case DType::QUInt8:
  case DType::QInt32:
    return Category::Quantized;
  }
  TINE_UNREACHABLE("no such dtype");
}

// Width in which a floating or complex dtype computes: half 1, float 2, double 3.
int precision(DType dtype) {
  const auto is = [&](auto... any) { return ((dtype == any) || ...); };
  if (is(DType::Float16, DType::BFloat16, DType::ComplexHalf)) return 1;
  return is(DType::Float64, DType::Complex128) ? 3 : 2;
}

DType promoteIntegral(DType a, DType b) {
  if (a == b) return a;
  // Unsigned 8 bits and signed 8 bits meet at 16; otherwise the wider one holds both.
  const bool bytes = itemSize(a) == 1 && itemSize(b) == 1;
  if (bytes) return DType::Int16;
  return itemSize(a) >= itemSize(b) ? a : b;
}
} // namespace

llvm::StringRef name(DType dtype) { return row(dtype).name; }
llvm::StringRef irName(DType dtype) { return row(dtype).irName; }
llvm::StringRef printName(DType dtype) { return row(dtype).printName; }

std::optional<DType> dtypeFromName(llvm::StringRef text) { return search(text, &Row::name); }
std::optional<DType> dtypeFromIrName(llvm::StringRef text) { return search(text, &Row::irName); }

std::optional<DType> dtypeFromNumber(std::int64_t number) {
  for (const Row& r : kRows)
    if (static_cast<std::int64_t>(r.dtype) == number) return r.dtype;
  return std::nullopt;
}

bool isFloating(DType dtype) { return category(dtype) == Category::Floating; }
bool isIntegral(DType dtype) { return category(dtype) == Category::Integral; }

DType promote(DType a, DType b) {
  if (a == b) return a;
  const Category ca = category(a), cb = category(b);
  if (ca == Category::Quantized || cb == Category::Quantized)
    raise(error_kind::NotImplemented, "promotion of " + name(a).str() + " and " + name(b).str());
  if (ca == Category::Complex || cb == Category::Complex) {
    int bits = 1;
    if (ca >= Category::Floating) bits = std::max(bits, precision(a));
    if (cb >= Category::Floating) bits = std::max(bits, precision(b));
    return bits == 1 ? DType::ComplexHalf : bits == 2 ? DType::Complex64 : DType::Complex128;
  }
  if (ca == Category::Floating && cb == Category::Floating) {
    if (precision(a) == precision(b)) return DType::Float32; // float16 with bfloat16
    return precision(a) > precision(b) ? a : b;
  }
  if (ca != cb) return ca > cb ? a : b;
  return promoteIntegral(a, b);
}

void raiseNoKernels(DType dtype) {
  raise(error_kind::NotImplemented, "there are no kernels for " + name(dtype).str() + " tensors");
}

} // namespace tine
