#pragma once

#include "frontend/trace/module.h"
#include "frontend/trace/parameters.h"
#include "frontend/trace/recorder.h"
#include "frontend/trace/signature.h"

namespace tine {

namespace detail {
/// What C++ says of a callable: parameters without a last `Where`, which callers fill in, and
/// result.
template <class F> struct Callable {
  static_assert(HasParameters<F>,
                "a generic lambda, or an object with several operator(), does not say what its "
                "parameters are: give them types, or wrap it in a lambda that has them");
  using All = Declared<F>;
  using Result = typename All::Result;
  template <std::size_t I> using Type = typename All::template Type<I>;
  static constexpr bool takesWhere = [] {
    if constexpr (All::count == 0)
      return false;
    else
      return std::same_as<Type<All::count - 1>, Where>;
  }();
  static constexpr std::size_t arity = All::count - takesWhere;

  /// What graphs call the parameters' types.
  static std::vector<MakeType> types() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      static_assert((Passes<Type<I>> && ...), "a parameter of the function is of a type that "
                                              "cannot be traced or forked");
      return std::vector<MakeType>{&Boxing<Type<I>>::type...};
    }
    (std::make_index_sequence<arity>());
  }

  /// Calls with operands converted to the parameters' types; boxes the result.
  template <class G>
  static Operand call(G&& f, llvm::ArrayRef<Operand> operands, llvm::StringRef function,
                      const Signature& names, Where at) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto nameOf = [&](std::size_t i) {
        return ArgumentName{
            function,
            i < names.size() ? "'" + names[i].name + "'" : "number " + std::to_string(i + 1), at};
      };
      static_assert((Passes<Type<I>> && ...), "a parameter of the function is of a type that "
                                              "cannot be traced or forked");
      std::tuple<Type<I>...> values{Boxing<Type<I>>::unbox(operands[I], nameOf(I))...};
      const auto run = [&]() -> decltype(auto) {
        if constexpr (takesWhere)
          return f(static_cast<typename All::template Raw<I>&&>(std::get<I>(values))..., at);
        else
          return f(static_cast<typename All::template Raw<I>&&>(std::get<I>(values))...);
      };
      if constexpr (std::is_void_v<Result>) {
        run();
        return Operand();
      } else {
        static_assert(Passes<Result>, "the function's result is of a type that cannot be traced or "
                                      "forked");
        return Operand(Result(run()));
      }
    }
    (std::make_index_sequence<arity>());
  }
};
/// C++'s value of what a call gave.
template <class R> R unboxResult(const Operand& result, llvm::StringRef function, Where at) {
  if constexpr (!std::is_void_v<R>) return Boxing<R>::unbox(result, {function, "", at});
}
template <class M>
concept HasSignature = requires {
  { M::signature() } -> std::convertible_to<Signature>;
};
template <class M>
concept IsModule = std::derived_from<M, Module>;
} // namespace detail

/// A C++ function with a name and named parameters, so that keyword arguments, dumps and messages
/// can use them. Calling it calls the function.
///
///   const auto f = fn("foo", foo, {"a", arg("b", 1)});
///   f(x, arg("b", 2));
template <class F> class Fn {
public:
  Fn(std::string name, F f, Signature signature)
      : name_(std::move(name)), f_(std::move(f)), signature_(std::move(signature)) {
    checkSignature(name_, signature_, detail::Callable<F>::arity);
  }
  const std::string& name() const { return name_; }
  const Signature& signature() const { return signature_; }
  const F& function() const { return f_; }

  template <class... A> auto operator()(const A&... arguments) const;

private:
  std::string name_;
  F f_;
  Signature signature_;
};
template <class F> Fn<std::decay_t<F>> fn(std::string name, F&& f, Signature signature = {}) {
  return {std::move(name), std::forward<F>(f), std::move(signature)};
}

/// Anything that can be called, forked or traced: a function or lambda, an Fn, a module (which
/// stands for its forward), a Child or shared pointer of one.
///   Callee callee(f);
///   std::vector<Operand> operands = detail::bindFor(callee, at, x, arg("b", 2));
///   Operand result = callee(operands, at);
template <class F> class Callee {
public:
  using Traits = detail::Callable<F>;
  using Result = typename Traits::Result;
  explicit Callee(const F& f) : f_(f) {}
  std::string name() const { return ""; }
  const Signature& signature() const { return none_; }
  Operand operator()(llvm::ArrayRef<Operand> operands, Where at) const {
    return Traits::call(const_cast<F&>(f_), operands, "the function", none_, at);
  }

private:
  std::conditional_t<std::is_pointer_v<F>, const F, const F&> f_;
  Signature none_;
};

template <class F> class Callee<Fn<F>> {
public:
  using Traits = detail::Callable<F>;
  using Result = typename Traits::Result;
  explicit Callee(const Fn<F>& f) : f_(f) {}
  std::string name() const { return f_.name(); }
  const Signature& signature() const { return f_.signature(); }
  Operand operator()(llvm::ArrayRef<Operand> operands, Where at) const {
    return Traits::call(const_cast<F&>(f_.function()), operands, f_.name(), f_.signature(), at);
  }

private:
  const Fn<F>& f_;
};

template <detail::IsModule M> class Callee<M> {
public:
  using Traits = detail::Callable<decltype(&M::forward)>;
  using Result = typename Traits::Result;
  explicit Callee(const M& module) : module_(const_cast<M&>(module)) {
    if constexpr (detail::HasSignature<M>) {
      signature_ = M::signature();
      checkSignature(name() + ".forward", signature_, Traits::arity);
    }
  }
  std::string name() const { return module_.qualifiedName(); }
  const Signature& signature() const { return signature_; }
  M& module() const { return module_; }
  /// forward itself, as the root of a trace runs it.
  Operand forward(llvm::ArrayRef<Operand> operands, Where at) const {
    const auto f = [this](auto&&... values) -> decltype(auto) {
      return module_.forward(std::forward<decltype(values)>(values)...);
    };
    return Traits::call(f, operands, "forward", signature_, at);
  }
  Operand operator()(llvm::ArrayRef<Operand> operands, Where at) const {
    const auto body = [&](llvm::ArrayRef<Operand> inside) { return forward(inside, at); };
    Recorder* recorder = Recorder::active();
    if (!recorder) return body(operands);
    return recorder->callMethod(module_, namesOf(signature_), operands, body, at);
  }

private:
  M& module_;
  Signature signature_;
};
template <class M> class Callee<Child<M>> : public Callee<M> {
public:
  explicit Callee(const Child<M>& child) : Callee<M>(*child) {}
};
template <detail::IsModule M> class Callee<std::shared_ptr<M>> : public Callee<M> {
public:
  explicit Callee(const std::shared_ptr<M>& module) : Callee<M>(*module) {}
};
template <class F> Callee(const F&) -> Callee<F>;
template <class R, class... A> Callee(R (&)(A...)) -> Callee<R (*)(A...)>;

namespace detail {
template <class F> inline constexpr bool isWrapped = IsModule<F>;
template <class F> inline constexpr bool isWrapped<Fn<F>> = true;
template <class M> inline constexpr bool isWrapped<Child<M>> = true;
template <class M> inline constexpr bool isWrapped<std::shared_ptr<M>> = true;
/// A function object whose parameters are only known from its arguments.
template <class F>
concept IsGeneric = std::is_class_v<F> && !HasParameters<F> && !isWrapped<F>;

/// A callee with its arguments bound, for one call.
template <class F, class... A>
std::vector<Operand> bindFor(const Callee<F>& callee, Where at, const A&... arguments) {
  return bindArguments(callee.name(), callee.signature(), Callee<F>::Traits::arity,
                       Arguments::of(arguments...), at);
}
} // namespace detail

template <class F> template <class... A> auto Fn<F>::operator()(const A&... arguments) const {
  const Where at; // unknown: a variadic call cannot capture its place
  const Callee<Fn<F>> callee(*this);
  const Operand result = callee(detail::bindFor(callee, at, arguments...), at);
  return detail::unboxResult<typename Callee<Fn<F>>::Result>(result, name_, at);
}

template <class M>
template <class... A>
decltype(auto) Child<M>::operator()(A&&... arguments) const {
  const Where at; // unknown: a variadic call cannot capture its place
  const Callee<M> callee(*module_);
  const Operand result = callee(detail::bindFor(callee, at, arguments...), at);
  return detail::unboxResult<typename Callee<M>::Result>(result, callee.name(), at);
}

} // namespace tine
