#pragma once

#include "api/function.h"
#include "frontend/trace/operators.h"

namespace tine {

namespace detail {
/// What trace() knows of the callee.
struct TraceRequest {
  std::string name;
  const Signature& signature;
  std::size_t arity;
  const Module* root; ///< null of a function
};
Function traceBody(const TraceRequest& request, std::vector<IValue> examples, TraceOptions options,
                   Body body, Where at);
} // namespace detail

/// Runs a C++ function once on copies of the examples and writes down what it does, as a graph.
///
///   Function f = trace(fn("bar", bar, {"a"}), {tensor(2)});
///   Function g = trace(net, {x});      // a Module: its forward, with the parameters as `%self`
///
/// Operators on tensors, Int, Float and Bool become nodes; fork and wait become prim::fork and
/// aten::wait; what is neither input nor module becomes a constant. The examples, and the module's
/// tensors, are unchanged afterwards.
/// \errors TraceError with the place, where the graph could not be faithful: a C++ number or branch
/// that depends on an input, a future from outside; TypeError; what the function throws
template <class F>
Function trace(const F& f, std::vector<IValue> examples = {}, TraceOptions options = {},
               Where at = Where::current()) {
  const Callee callee(f);
  using Traits = typename std::decay_t<decltype(callee)>::Traits;
  if constexpr (requires { callee.forward({}, at); })
    return detail::traceBody(
        {callee.name() + ".forward", callee.signature(), Traits::arity, &callee.module()},
        std::move(examples), std::move(options),
        [&](llvm::ArrayRef<Operand> operands) { return callee.forward(operands, at); }, at);
  else
    return detail::traceBody(
        {callee.name(), callee.signature(), Traits::arity, nullptr}, std::move(examples),
        std::move(options), [&](llvm::ArrayRef<Operand> operands) { return callee(operands, at); },
        at);
}

namespace detail {
Operand branch(const Bool& condition, Body then, Body otherwise, Where at);
Operand loop(const Int& trips, const Operand& state, Body body, Where at);
} // namespace detail

/// One of two results. In a trace both functions run and become the blocks of prim::If.
///   Tensor y = cond(sum(x) > 0, [&] { return x + 1; }, [&] { return -x; });
template <class F, class G>
auto cond(const Bool& condition, F&& then, G&& otherwise, Where at = Where::current()) {
  using Result = std::decay_t<decltype(then())>;
  static_assert(std::same_as<Result, std::decay_t<decltype(otherwise())>>,
                "both sides of cond must give the same type");
  return detail::unboxResult<Result>(
      detail::branch(
          condition, [&](llvm::ArrayRef<Operand>) { return Operand(then()); },
          [&](llvm::ArrayRef<Operand>) { return Operand(otherwise()); }, at),
      "cond");
}

/// The state after `trips` turns of `body(turn, state)`. In a trace the body becomes the block of
/// prim::Loop, whatever the number of turns.
///   Tensor y = loop(size(x, 0), zeros({3}), [&](Int i, Tensor sum) { return sum + select(x, 0, i);
///   });
template <Passes S, class F>
S loop(const Int& trips, const S& state, F&& body, Where at = Where::current()) {
  const ArgumentName name{"loop", "that the body gets"};
  return detail::unboxResult<S>(
      detail::loop(
          trips, Operand(state),
          [&](llvm::ArrayRef<Operand> in) {
            return Operand(S(body(Pass<Int>::unbox(in[0], name), Pass<S>::unbox(in[1], name))));
          },
          at),
      "loop");
}

} // namespace tine
