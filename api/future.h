#pragma once

#include "frontend/trace/callable.h"
#include "interpreter/futures.h"

#include <optional>

namespace tine {

template <class T> class Future;

namespace detail {
/// Waits from C++: suspends the fiber, blocks the thread, or is recorded by the trace.
Operand waitFor(const Ref<FutureState>& state, Where at);
/// Or is recorded.
void cancel(const Ref<FutureState>& state, Where at);
/// \errors TraceError in a trace, where C++ must not ask
bool isDone(const Ref<FutureState>& state, Where at);
/// `name`: of the function that a trace makes of the callback; may be empty.
Ref<FutureState> thenOf(const Ref<FutureState>& state, llvm::StringRef name,
                        std::function<Operand(const Operand&)> callback, Where at);
Ref<FutureState> collectOf(Collect how, std::vector<Ref<FutureState>> states, Where at);
Operand waitFor(const Ref<FutureState>& state, std::chrono::nanoseconds limit, Where at);
/// What a callback returns, with one future around it gone.
template <class R> struct Flat { using Type = R; };
template <> struct Flat<void> { using Type = IValue; };
template <class R> struct Flat<Future<R>> { using Type = R; };
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
    return detail::unboxResult<T>(detail::waitFor(state_, at), "a future", at);
  }
  /// The same, but not for longer. \errors Timeout, which leaves the future and its work alone
  T wait(std::chrono::nanoseconds limit, Where at = Where::current()) const {
    return detail::unboxResult<T>(detail::waitFor(state_, limit, at), "a future", at);
  }
  bool done(Where at = Where::current()) const { return detail::isDone(state_, at); }
  /// The result, or nothing while there is none. Never waits. \errors what made the work fail
  std::optional<T> tryGet(Where at = Where::current()) const {
    if (!done(at)) return std::nullopt;
    return wait(at);
  }
  /// Calls `f` with the result, as a task of the scheduler behind the future; a future that `f`
  /// returns is waited for. When this one fails, `f` is not called and the error is the result's.
  /// What holds of order and of futures without a scheduler: interpreter/futures.h.
  ///   Future<Tensor> shifted = fork(f, x).then([](Tensor y) { return y + 1; });
  /// In a trace the callback becomes a function of its own, and tensors that it captures become
  /// further arguments of tine::then.
  template <class F> auto then(F f, Where at = Where::current()) const {
    using R = std::decay_t<std::invoke_result_t<F&, T>>;
    std::string name;
    if constexpr (requires { F(f).name(); }) name = f.name();
    return Future<typename detail::Flat<R>::Type>(detail::thenOf(
        state_, name,
        [f = std::move(f), at](const Operand& result) mutable {
          T value = detail::unboxResult<T>(result, "a future", at);
          if constexpr (std::is_void_v<R>) {
            f(std::move(value));
            return Operand();
          } else {
            return Operand(R(f(std::move(value))));
          }
        },
        at));
  }
  /// Fails with Cancelled, unless it is done, and with it what it alone needs: tasks that have not
  /// started never will, others stop at their next call, wait or end of a loop's round. What
  /// somebody else waits for, or has a handle of, is left alone.
  void cancel(Where at = Where::current()) const { detail::cancel(state_, at); }
  const Ref<FutureState>& state() const { return state_; }

private:
  Ref<FutureState> state_;
};

template <class T> struct Boxing<Future<T>> {
  using Handle = Future<T>;
  static const tine::Type* type(Context& context) {
    return futureOf(context, Boxing<T>::type(context));
  }
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
/// The handles themselves, when they are given away.
template <class T> std::vector<Ref<FutureState>> statesOf(std::vector<Future<T>> futures) {
  std::vector<Ref<FutureState>> states;
  for (const Future<T>& future : futures) states.push_back(future.state());
  return states;
}
} // namespace detail

struct FailFast {};
struct Settle {};

/// All results; fails as soon as one fails, with its error, and then cancels those of the others
/// that nobody has a handle of: give handles away if that is to be all.
///   std::vector<Tensor> both = collectAll(std::vector{a, b}).wait();
///   std::vector<Tensor> all = collectAll(std::move(futures)).wait();
template <class T>
Future<std::vector<T>> collectAll(std::vector<Future<T>> futures, FailFast = {},
                                  Where at = Where::current()) {
  return Future<std::vector<T>>(
      detail::collectOf(Collect::FailFast, detail::statesOf(std::move(futures)), at));
}
/// The futures, once all are done, whether they failed or not.
template <class T>
Future<std::vector<Future<T>>> collectAll(const std::vector<Future<T>>& futures, Settle,
                                          Where at = Where::current()) {
  return Future<std::vector<Future<T>>>(
      detail::collectOf(Collect::Settle, detail::statesOf(futures), at));
}
/// The result or error of the future that is done first. \errors ValueError there is none
template <class T>
Future<T> any(const std::vector<Future<T>>& futures, Where at = Where::current()) {
  return Future<T>(detail::collectOf(Collect::First, detail::statesOf(futures), at));
}

namespace detail {
template <class F, class... A> auto forkAt(Where at, const F& f, const A&... arguments) {
  if constexpr (IsGeneric<F> && (Passes<A> && ...)) {
    const auto typed = [&f](typename Boxing<std::decay_t<A>>::Handle... values) {
      return const_cast<F&>(f)(values...);
    };
    return forkAt(at, typed, arguments...);
  } else {
    const Callee callee(f);
    using Result = typename std::decay_t<decltype(callee)>::Result;
    return Future<Result>(forkBody(
        callee.signature(), bindFor(callee, at, arguments...),
        [&](llvm::ArrayRef<Operand> operands) { return callee(operands, at); }, at));
  }
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
