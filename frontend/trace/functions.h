#pragma once

#include "frontend/trace/recorder.h"

namespace tine {

using TensorPair = std::tuple<Tensor, Tensor>; ///< values and indices

namespace detail {
/// Calls the operator in a row of functions.def, which its line there tells.
Results callFunction(int line, Where at, OperandList operands);

template <class R, class... A> R callFunctionAs(int line, Where at, const A&... arguments) {
  OperandList operands;
  (operands.push_back(Operand(arguments)), ...);
  const Results results = callFunction(line, at, std::move(operands));
  const ArgumentName name{"an operator", ""};
  if constexpr (std::same_as<R, TensorPair>)
    return {Pass<Tensor>::unbox(results[0], name), Pass<Tensor>::unbox(results[1], name)};
  else
    return Pass<R>::unbox(results[0], name);
}
inline Operand cpu() { return Operand(IValue::device(0)); }
} // namespace detail

// One C++ function per row of functions.def. Each calls the operator and, in a trace, records it;
// the last parameter is the place of the call.
//
//   Tensor y = softmax(matmul(x, t(w)), -1);
#define TINE_UNPACK(...) __VA_ARGS__
#define TINE_FUNCTION(result, name, op, overload, parameters, ...)                                 \
  inline result name(TINE_UNPACK parameters, Where at = Where::current()) {                        \
    return detail::callFunctionAs<result>(__LINE__, at, __VA_ARGS__);                              \
  }
#include "frontend/trace/functions.def"
#undef TINE_UNPACK

/// Any operator of the set in use, for those without a function: `call("aten::hardswish", {x})`.
/// \errors SchemaError
Operand call(llvm::StringRef name, OperandList operands, Where at = Where::current());

} // namespace tine
