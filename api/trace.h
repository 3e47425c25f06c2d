#pragma once

#include "api/function.h"
#include "frontend/trace/operators.h"

namespace tine {

namespace detail {
/// What trace() knows of the callee.
struct TraceRequest {
  std::string name;
  const Signature& signature;
  std::vector<MakeType> types; ///< of the parameters
  const Module* root;          ///< null of a function
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
        {callee.name() + ".forward", callee.signature(), Traits::types(), &callee.module()},
        std::move(examples), std::move(options),
        [&](llvm::ArrayRef<Operand> operands) { return callee.forward(operands, at); }, at);
  else
    return detail::traceBody(
        {callee.name(), callee.signature(), Traits::types(), nullptr}, std::move(examples),
        std::move(options), [&](llvm::ArrayRef<Operand> operands) { return callee(operands, at); },
        at);
}

namespace detail {
void nameValue(llvm::StringRef name, const Operand& value);
} // namespace detail

/// The value; in a trace, graphs call it `name`.
///   Tensor h = named("hidden", relu(matmul(x, w)));
template <Passes T> T named(const std::string& name, T value) {
  detail::nameValue(name, Operand(value));
  return value;
}

namespace detail {
template <class T> struct Handled { using Type = typename Boxing<std::decay_t<T>>::Handle; };
template <> struct Handled<void> { using Type = void; };
template <class T> using HandleOf = typename Handled<T>::Type;
template <class F> Operand boxed(F& f) {
  if constexpr (std::is_void_v<decltype(f())>)
    return f(), Operand();
  else
    return Operand(f());
}
Operand branch(const Bool& condition, Body then, Body otherwise, Where at);
Operand loop(const Int& trips, const Operand& state, Body body, Where at);
} // namespace detail

/// One of two results, Int where the sides give ints. In a trace both functions run and become the
/// blocks of prim::If; what the side that the example does not take writes is undone.
///   Tensor y = cond(toBool(sum(x) > 0), [&] { return x + 1; }, [&] { return -x; });
template <class F, class G>
auto cond(const Bool& condition, F&& then, G&& otherwise, Where at = Where::current()) {
  using Result = detail::HandleOf<decltype(then())>;
  static_assert(std::same_as<Result, detail::HandleOf<decltype(otherwise())>>,
                "both sides of cond must give the same type");
  return detail::unboxResult<Result>(
      detail::branch(
          condition, [&](llvm::ArrayRef<Operand>) { return detail::boxed(then); },
          [&](llvm::ArrayRef<Operand>) { return detail::boxed(otherwise); }, at),
      "cond", at);
}

/// The state after `trips` turns of `body(turn, state)`. In a trace the body becomes the block of
/// prim::Loop, whatever the number of turns: it runs for each turn of the example, and once when
/// there is none.
///   Tensor y = loop(size(x, 0), zeros({3}), [&](Int i, Tensor sum) { return sum + select(x, 0, i);
///   });
template <Passes S, class F>
auto loop(const Int& trips, const S& state, F&& body, Where at = Where::current()) {
  using State = detail::HandleOf<S>; // Int of an int
  static_assert(std::is_invocable_v<F&, Int, State>,
                "the body of loop must take the turn as an Int and the state, whose numbers are "
                "Int, Float and Bool");
  return detail::unboxResult<State>(
      detail::loop(
          trips, Operand(state),
          [&](llvm::ArrayRef<Operand> in) {
            const ArgumentName name{"loop", "that the body gets", at};
            return Operand(
                State(body(Boxing<Int>::unbox(in[0], name), Boxing<State>::unbox(in[1], name))));
          },
          at),
      "loop", at);
}
/// The same without a state, for what the body writes in place.
template <class F>
requires std::is_invocable_v<F&, Int>
void loop(const Int& trips, F&& body, Where at = Where::current()) {
  loop(
      trips, std::tuple<>(),
      [&](const Int& turn, std::tuple<> none) {
        body(turn);
        return none;
      },
      at);
}

} // namespace tine
