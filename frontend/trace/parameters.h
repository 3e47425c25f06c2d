#pragma once

#include <tuple>
#include <type_traits>

namespace tine::detail {

/// The parameters and the result of a function, member function or function object, as they are
/// declared. Undefined for generic lambdas and overloaded operators, which have none of their own.
template <class F> struct Declared {};
template <class F>
requires requires { &F::operator(); }
struct Declared<F> : Declared<decltype(&F::operator())> {};

template <class R, class... A> struct DeclaredAs {
  using Result = std::decay_t<R>;
  using Parameters = std::tuple<A...>;
  static constexpr std::size_t count = sizeof...(A);
  /// As declared, and as values.
  template <std::size_t I>
  using Raw = typename std::tuple_element<I, std::tuple<std::type_identity<A>...>>::type::type;
  template <std::size_t I> using Type = std::decay_t<Raw<I>>;
};
template <class R, class... A> struct Declared<R (*)(A...)> : DeclaredAs<R, A...> {};
template <class R, class... A> struct Declared<R (*)(A...) noexcept> : DeclaredAs<R, A...> {};
#define TINE_MEMBER(qualifiers)                                                                    \
  template <class C, class R, class... A>                                                          \
  struct Declared<R (C::*)(A...) qualifiers> : DeclaredAs<R, A...> {};
TINE_MEMBER()
TINE_MEMBER(const)
TINE_MEMBER(&)
TINE_MEMBER(const&)
TINE_MEMBER(noexcept)
TINE_MEMBER(const noexcept)
TINE_MEMBER(&noexcept)
TINE_MEMBER(const& noexcept)
#undef TINE_MEMBER

template <class F>
concept HasParameters = requires {
  Declared<F>::count;
};

} // namespace tine::detail
