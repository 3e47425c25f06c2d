#pragma once

#include "ops/kernel.h"
#include "tensor/device.h"
#include "tensor/kernels.h"

#include <optional>

/// How the kernels of ops.def read their arguments. Private to ops/.
namespace tine::opkernel {

/// The ints of a list, or of one int that stands for a list.
inline llvm::SmallVector<std::int64_t, 6> ints(const IValue& value) {
  if (value.isInt()) return {value.toInt()};
  llvm::SmallVector<std::int64_t, 6> out;
  for (const IValue& item : value.toList().items) out.push_back(item.toInt());
  return out;
}

inline std::optional<std::int64_t> optionalInt(const IValue& value) {
  return value.isNone() ? std::nullopt : std::optional(value.toInt());
}

/// \errors NotImplemented for a number that is no dtype
inline DType dtype(const IValue& value) {
  const auto found = dtypeFromNumber(value.toInt());
  if (!found)
    raise(error_kind::NotImplemented, "there is no dtype " + std::to_string(value.toInt()));
  return *found;
}
inline std::optional<DType> optionalDtype(const IValue& value) {
  return value.isNone() ? std::nullopt : std::optional(dtype(value));
}

/// \errors NotImplemented unless None or the CPU
inline void checkDevice(const IValue& value) {
  if (value.isNone()) return;
  const Device device = Device::fromCode(value.toDevice());
  if (device.kind != 0)
    raise(error_kind::NotImplemented, "tensors live on the cpu, not on '" + device.str() + "'");
}

/// The dtype of what is made: of the arguments dtype, layout, device, pin_memory from `at` on.
inline std::optional<DType> factoryDtype(const KernelCall& call, std::uint32_t at) {
  checkDevice(call[at + 2]);
  return optionalDtype(call[at]);
}

inline std::vector<Tensor> tensors(const IValue& list) {
  std::vector<Tensor> out;
  for (const IValue& item : list.toList().items) out.push_back(item.toTensor());
  return out;
}

/// The division of a rounding mode: None, 'floor' or 'trunc'. \errors ValueError
inline kernels::BinaryOp divisionOf(const IValue& mode) {
  if (mode.isNone()) return kernels::BinaryOp::Div;
  if (mode.toStringRef() == "floor") return kernels::BinaryOp::FloorDiv;
  if (mode.toStringRef() == "trunc") return kernels::BinaryOp::TruncDiv;
  raise(error_kind::Value,
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" +
            mode.toStringRef().str() + "'");
}

/// Which of operands 0 and 1 die with the call, as kernels::binary takes it.
inline unsigned dying(const KernelCall& call) { return call.dies(0) + 2u * call.dies(1); }

/// The result is operand 0, which the call has changed.
inline void returnSelf(const KernelCall& call) {
  IValue self = call.take(0);
  if (call.numResults()) call.setResult(0, std::move(self));
}

inline void setNone(const KernelCall& call) {
  if (call.numResults()) call.setResult(0, IValue());
}

// Every kernel of the table; a row without a function does not link.
#define TINE_OP(kernel, schema, effects, doc) void kernel(const KernelCall& call);
#include "ops/ops.def"

} // namespace tine::opkernel
