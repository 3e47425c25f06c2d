#pragma once

#include "frontend/trace/callable.h"

namespace tine {

namespace detail {
/// Waits from C++: suspends the fiber, blocks the thread, or is recorded by the trace.
Operand waitFor(const Ref<FutureState>& state, Where at);
/// \errors TraceError in a trace, where C++ must not ask
bool isDone(const Ref<FutureState>& state, Where at);
Ref<FutureState> forkBody(const Signature& signature, llvm::ArrayRef<Operand> operands, Body body,
                          Where at);
} // namespace detail

/// A result that may not be there yet, whatever makes it: a fork, a running graph, a promise.
/// `Future<>` holds any value.
///
///   Future<> running = f.runAsync(scheduler, {x});
///   Tensor y = running.wait().toTensor();
///
/// \thread distinct handles: any
template <class T = IValue> class Future {
public:
  using Type = T;
  Future() = default;
  explicit Future(Ref<FutureState> state) : state_(std::move(state)) {}

  /// The result; may be asked for any number of times. \errors what made the work fail
  T wait(Where at = Where::current()) const {
    return detail::unboxResult<T>(detail::waitFor(state_, at), "a future");
  }
  bool done(Where at = Where::current()) const { return detail::isDone(state_, at); }
  const Ref<FutureState>& state() const { return state_; }

private:
  Ref<FutureState> state_;
};

template <class T> struct Pass<Future<T>> {
  using Type = Future<T>;
  static Operand box(const Future<T>& v) {
    return v.state() ? Operand(IValue(v.state())) : Operand();
  }
  static Future<T> unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isFuture()) raiseWrongArgument(name, "a Future", o);
    return Future<T>(o.value.toFuture());
  }
};

/// As Future::wait.
template <class T> T wait(const Future<T>& future, Where at = Where::current()) {
  return future.wait(at);
}

namespace detail {
template <class F, class... A> auto forkAt(Where at, const F& f, const A&... arguments) {
  const Callee callee(f);
  using Result = typename std::decay_t<decltype(callee)>::Result;
  return Future<Result>(forkBody(
      callee.signature(), bindFor(callee, at, arguments...),
      [&](llvm::ArrayRef<Operand> operands) { return callee(operands, at); }, at));
}
} // namespace detail

/// Starts a call of a function, lambda, Fn or module; arguments by position or, with names, by
/// `arg("b", 2)`.
///   Future<Tensor> y = fork(f, x, arg("b", 2));
///
/// In C++ the call runs at once, and an error that it throws is kept for wait. In a trace it
/// becomes prim::fork, and an error leaves the trace; tensors that a lambda captures become inputs.
/// \errors TypeError arguments that do not fit
// One overload per number of arguments, as nothing but a last default can capture the place.
template <class F> auto fork(const F& f, Where at = Where::current()) {
  return detail::forkAt(at, f);
}
template <class F, class A> auto fork(const F& f, const A& a, Where at = Where::current()) {
  return detail::forkAt(at, f, a);
}
template <class F, class A, class B>
auto fork(const F& f, const A& a, const B& b, Where at = Where::current()) {
  return detail::forkAt(at, f, a, b);
}
template <class F, class A, class B, class C>
auto fork(const F& f, const A& a, const B& b, const C& c, Where at = Where::current()) {
  return detail::forkAt(at, f, a, b, c);
}
template <class F, class A, class B, class C, class D>
auto fork(const F& f, const A& a, const B& b, const C& c, const D& d, Where at = Where::current()) {
  return detail::forkAt(at, f, a, b, c, d);
}
template <class F, class A, class B, class C, class D, class... E>
auto fork(const F& f, const A& a, const B& b, const C& c, const D& d,
          const E&... more) requires(sizeof...(E) > 0 && !(std::same_as<E, Where> || ...)) {
  return detail::forkAt(Where(), f, a, b, c, d, more...);
}

} // namespace tine
