#pragma once

#include "frontend/trace/recorder.h"

namespace tine {

namespace detail {
/// Calls the operator in a row of functions.def, which its line there tells.
Operand callFunction(int line, Where at, OperandList operands);

template <class R, class... A> R callFunctionAs(int line, Where at, const A&... arguments) {
  OperandList operands;
  (operands.push_back(Operand(arguments)), ...);
  return Boxing<R>::unbox(callFunction(line, at, std::move(operands)), {"an operator", "", at});
}
/// A dtype that is an argument: DType::Float32, or of a traced tensor `dtype(x)`.
struct AnyDType : Operand {
  AnyDType() = default;
  AnyDType(DType dtype) : Operand(dtype) {}
  AnyDType(std::optional<DType> dtype) : Operand(dtype) {}
  AnyDType(const Int& dtype) : Operand(dtype) {}
};
inline Operand cpu() { return Operand(IValue::device(0)); }
} // namespace detail

// One C++ function per row of functions.def. Each calls the operator and, in a trace, records it;
// the last parameter is the place of the call.
//
//   Tensor y = relu(matmul(x, t(w)) + bias);
#define TINE_UNPACK(...) __VA_ARGS__
#define TINE_FUNCTION(result, name, op, overload, parameters, ...)                                 \
  inline result name(TINE_UNPACK parameters, Where at = Where::current()) {                        \
    return detail::callFunctionAs<result>(__LINE__, at, __VA_ARGS__);                              \
  }
#include "frontend/trace/functions.def"
#undef TINE_UNPACK

/// Any operator of the set in use, for those without a function: `call("my::scale", {x, 2.0})`.
/// Several results are a tuple.
/// \errors SchemaError
Operand call(llvm::StringRef name, OperandList operands, Where at = Where::current());

} // namespace tine
