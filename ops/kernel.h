#pragma once

#include "ir/schema.h"
#include "ir/type.h"
#include "ops/calling_task.h"
#include "ops/convert.h"
#include "tensor/future.h"
#include "tensor/ivalue.h"

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine {

/// The operands and results of one call of a kernel: pointers to registers, nothing is copied.
class KernelCall {
public:
  /// `dying`: bit i is set when operand i is not read again, so that its buffer may be reused.
  KernelCall(IValue* const* arguments, std::uint32_t count, IValue* const* results,
             std::uint32_t numResults, std::uint64_t dying = 0, CallingTask* task = nullptr)
      : arguments_(arguments), results_(results), dying_(dying), count_(count),
        numResults_(numResults), task_(task) {}

  std::uint32_t size() const { return count_; }
  const IValue& operator[](std::uint32_t i) const { return *arguments_[i]; }
  /// The operand itself when it dies here, else a copy.
  IValue take(std::uint32_t i) const {
    return dies(i) ? std::move(*arguments_[i]) : IValue(*arguments_[i]);
  }
  bool dies(std::uint32_t i) const { return i < 64 && (dying_ >> i & 1); }

  std::uint32_t numResults() const { return numResults_; }
  /// Operands may share registers with results: read before writing.
  void setResult(std::uint32_t i, IValue value) const { *results_[i] = std::move(value); }
  /// Null when no task calls it, as when constants are folded.
  CallingTask* task() const { return task_; }

private:
  IValue* const* arguments_;
  IValue* const* results_;
  std::uint64_t dying_;
  std::uint32_t count_, numResults_;
  CallingTask* task_;
};

/// What runs when an operator is called. Throws RuntimeError when the program is wrong.
class Kernel {
public:
  using Function = void (*)(const void* self, const KernelCall& call);

  Kernel() = default;
  /// A plain function over the call.
  explicit Kernel(void (*f)(const KernelCall&))
      : call_([](const void* self, const KernelCall& c) {
          reinterpret_cast<void (*)(const KernelCall&)>(const_cast<void*>(self))(c);
        }),
        self_(reinterpret_cast<const void*>(f)) {}
  /// A callable over C++ types; see OpSet::add.
  template <class F> static Kernel of(F f);
  /// A callable over the call.
  template <class F> static Kernel ofCall(F f) {
    auto owner = std::make_shared<const F>(std::move(f));
    Kernel kernel;
    kernel.self_ = owner.get();
    kernel.owner_ = std::move(owner);
    kernel.call_ = [](const void* self, const KernelCall& call) {
      (*static_cast<const F*>(self))(call);
    };
    return kernel;
  }

  void operator()(const KernelCall& call) const { call_(self_, call); }
  explicit operator bool() const { return call_; }
  /// What of the schema does not fit the callable that `of` wrapped; empty when all does, and for
  /// plain functions.
  std::string misfit(const Schema& schema) const { return misfit_ ? misfit_(schema) : ""; }

private:
  Function call_ = nullptr;
  const void* self_ = nullptr;
  std::string (*misfit_)(const Schema&) = nullptr;
  std::shared_ptr<const void> owner_;
};

namespace detail {
template <class F> struct CallableTraits : CallableTraits<decltype(&F::operator())> {};
template <class R, class... A> struct CallableTraits<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<std::decay_t<A>...>;
};
template <class C, class R, class... A>
struct CallableTraits<R (C::*)(A...) const> : CallableTraits<R (*)(A...)> {};
template <class C, class R, class... A>
struct CallableTraits<R (C::*)(A...)> : CallableTraits<R (*)(A...)> {};
template <class T> struct IsStdTuple : std::false_type {};
template <class... T> struct IsStdTuple<std::tuple<T...>> : std::true_type {};

template <class F, std::size_t... I>
void callUnboxed(const F& f, const KernelCall& call, std::index_sequence<I...>) {
  using Traits = CallableTraits<F>;
  using R = typename Traits::Result;
  if constexpr (std::is_void_v<R>) {
    f(Convert<std::tuple_element_t<I, typename Traits::Arguments>>::from(call[I])...);
    if (call.numResults()) call.setResult(0, IValue());
  } else {
    R result = f(Convert<std::tuple_element_t<I, typename Traits::Arguments>>::from(call[I])...);
    if constexpr (IsStdTuple<R>::value) {
      IValue boxed = Convert<R>::to(result);
      if (call.numResults() == 1)
        call.setResult(0, std::move(boxed));
      else
        for (std::uint32_t i = 0; i < call.numResults(); ++i)
          call.setResult(i, boxed.toTuple().items[i]);
    } else if (call.numResults()) {
      call.setResult(0, Convert<std::decay_t<R>>::to(std::move(result)));
    }
  }
}

template <class F> std::string misfit(const Schema& schema) {
  using Traits = CallableTraits<F>;
  using R = std::decay_t<typename Traits::Result>;
  constexpr std::size_t arity = std::tuple_size_v<typename Traits::Arguments>;
  if (arity != schema.arguments.size() || schema.varargs)
    return "a callable of " + std::to_string(arity) + " parameters does not fit " +
           (schema.varargs ? "any number of" : std::to_string(schema.arguments.size())) +
           " arguments";
  std::size_t wrong = arity;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (void)((Convert<std::tuple_element_t<I, typename Traits::Arguments>>::fits(
                schema.arguments[I].type) ||
            (wrong = I, false)) &&
           ...);
  }
  (std::make_index_sequence<arity>());
  if (wrong != arity)
    return "the callable's parameter " + std::to_string(wrong + 1) + " does not fit argument '" +
           schema.arguments[wrong].name + "'";
  const auto& results = schema.results;
  bool fits = false;
  if constexpr (std::is_void_v<R>)
    fits = results.empty() || (results.size() == 1 && results[0].type->is(TypeKind::None));
  else if (results.size() == 1)
    fits = Convert<R>::fits(results[0].type);
  else if constexpr (IsStdTuple<R>::value)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      fits = results.size() == sizeof...(I) &&
             (Convert<std::tuple_element_t<I, R>>::fits(results[I].type) && ...);
    }
  (std::make_index_sequence<std::tuple_size_v<R>>());
  return fits ? "" : "the callable's result does not fit the schema's";
}
} // namespace detail

template <class F> Kernel Kernel::of(F f) {
  using Arguments = typename detail::CallableTraits<F>::Arguments;
  auto owner = std::make_shared<const F>(std::move(f));
  Kernel kernel;
  kernel.self_ = owner.get();
  kernel.owner_ = owner;
  kernel.misfit_ = detail::misfit<F>;
  kernel.call_ = [](const void* self, const KernelCall& call) {
    detail::callUnboxed(*static_cast<const F*>(self), call,
                        std::make_index_sequence<std::tuple_size_v<Arguments>>());
  };
  return kernel;
}

} // namespace tine
