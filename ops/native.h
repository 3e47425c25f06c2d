#pragma once

#include "ops/kernel.h"
#include "ops/op_info.h"

#include <functional>
#include <typeinfo>

namespace tine {

/// A class written in C++ whose objects programs hold, make and call: see OpSet::addClass.
class NativeClass {
public:
  /// `my.Counter` is `torch.classes.my.Counter` in source, and in graphs
  /// `__torch__.torch.classes.my.Counter`. \errors SchemaError for what is no such name
  NativeClass(Context& context, llvm::StringRef name, const std::type_info& cpp);

  const std::string& name() const { return layout_->name; } ///< as graphs have it
  const Type* type() const { return type_; }                ///< in the OpSet's Context
  const std::shared_ptr<const ClassLayout>& layout() const { return layout_; }
  /// `__init__`, methods, and of fields `count_getter` and `count_setter`, as TorchScript names
  /// them. Their first argument is the object.
  llvm::ArrayRef<std::unique_ptr<OpInfo>> methods() const { return methods_; }
  const OpInfo* method(llvm::StringRef name) const; ///< null when there is none
  /// `signature`: a name, or as a schema `increment(int by=1) -> int`. \errors SchemaError
  void add(llvm::StringRef signature, llvm::ArrayRef<const Type*> parameters, const Type* result,
           Kernel kernel);

private:
  Context& context_;
  std::shared_ptr<const ClassLayout> layout_;
  const Type* type_;
  std::vector<std::unique_ptr<OpInfo>> methods_;
};

class NativeClasses;

namespace detail {
/// What Convert does, of types with objects of registered classes in them: which class that is,
/// only an OpSet knows. `holds`: are there any?
template <class T> struct Native;
template <class T>
concept HoldsNative = Native<T>::holds;
} // namespace detail

/// The classes of an OpSet, and what graphs call C++'s types.
class NativeClasses {
public:
  explicit NativeClasses(Context& context) : context_(context) {}

  /// \errors SchemaError for a name or C++ class that is registered already
  NativeClass& add(llvm::StringRef name, const std::type_info& cpp);
  const NativeClass* find(llvm::StringRef name) const; ///< as graphs have it; null when none
  llvm::ArrayRef<std::unique_ptr<NativeClass>> all() const { return classes_; }

  const NativeClass& find(const std::type_info& cpp) const; ///< \errors SchemaError
  template <class T> const Type* typeOf() const { return detail::Native<T>::type(*this); }
  /// A value for what C++ has; a shared pointer is an object of its class, also in containers.
  template <class T> IValue box(T value) const {
    return detail::Native<T>::box(*this, std::move(value));
  }
  IValue object(const std::type_info& cpp, std::shared_ptr<void> native) const;
  Context& context() const { return context_; }

private:
  Context& context_;
  std::vector<std::unique_ptr<NativeClass>> classes_;
};

namespace detail {
template <class T> struct Native {
  static constexpr bool holds = false;
  static const Type* type(const NativeClasses& all) { return Convert<T>::type(all.context()); }
  static IValue box(const NativeClasses&, T value) { return Convert<T>::to(std::move(value)); }
};
template <> struct Native<void> {
  static constexpr bool holds = false;
  static const Type* type(const NativeClasses&) { return Type::noneType(); }
};
template <class T> struct Native<std::shared_ptr<T>> {
  static constexpr bool holds = true;
  static const Type* type(const NativeClasses& all) { return all.find(typeid(T)).type(); }
  static IValue box(const NativeClasses& all, std::shared_ptr<T> value) {
    return all.object(typeid(T), std::move(value));
  }
};
template <HoldsNative T> struct Native<std::optional<T>> {
  static constexpr bool holds = true;
  static const Type* type(const NativeClasses& all) {
    return optionalOf(all.context(), Native<T>::type(all));
  }
  static IValue box(const NativeClasses& all, const std::optional<T>& value) {
    return value ? Native<T>::box(all, *value) : IValue();
  }
};
template <HoldsNative T> struct Native<std::vector<T>> {
  static constexpr bool holds = true;
  static const Type* type(const NativeClasses& all) {
    return listOf(all.context(), Native<T>::type(all));
  }
  static IValue box(const NativeClasses& all, const std::vector<T>& value) {
    std::vector<IValue> items;
    items.reserve(value.size());
    for (const T& item : value) items.push_back(Native<T>::box(all, item));
    return IValue::list(std::move(items));
  }
};
template <class K, HoldsNative T> struct Native<std::map<K, T>> {
  static constexpr bool holds = true;
  static const Type* type(const NativeClasses& all) {
    return dictOf(all.context(), Convert<K>::type(all.context()), Native<T>::type(all));
  }
  static IValue box(const NativeClasses& all, const std::map<K, T>& value) {
    const Ref<Dict> dict = makeRef<Dict>();
    for (const auto& [key, item] : value) dict->set(Convert<K>::to(key), Native<T>::box(all, item));
    return IValue(dict);
  }
};
template <class... T>
requires(HoldsNative<T> || ...) struct Native<std::tuple<T...>> {
  static constexpr bool holds = true;
  static const Type* type(const NativeClasses& all) {
    return tupleOf(all.context(), {Native<T>::type(all)...});
  }
  static IValue box(const NativeClasses& all, const std::tuple<T...>& value) {
    return std::apply(
        [&](const T&... item) { return IValue::tuple({Native<T>::box(all, item)...}); }, value);
  }
};

/// What a method takes after the object, and gives.
template <class F> struct MethodTraits;
template <class R, class S, class... A> struct MethodTraits<R (*)(S, A...)> {
  using Result = std::decay_t<R>;
  using Arguments = std::tuple<std::decay_t<A>...>;
};
template <class C, class R, class... A> struct MethodTraits<R (C::*)(A...)> {
  using Result = std::decay_t<R>;
  using Arguments = std::tuple<std::decay_t<A>...>;
};
template <class C, class R, class... A>
struct MethodTraits<R (C::*)(A...) const> : MethodTraits<R (C::*)(A...)> {};
template <class C, class R, class... A>
struct MethodTraits<R (C::*)(A...) noexcept> : MethodTraits<R (C::*)(A...)> {};
template <class C, class R, class... A>
struct MethodTraits<R (C::*)(A...) const noexcept> : MethodTraits<R (C::*)(A...)> {};
template <class F> struct LambdaTraits;
template <class L, class R, class S, class... A>
struct LambdaTraits<R (L::*)(S, A...) const> : MethodTraits<R (*)(S, A...)> {};
template <class L, class R, class S, class... A>
struct LambdaTraits<R (L::*)(S, A...)> : MethodTraits<R (*)(S, A...)> {};
template <class F>
requires std::is_class_v<F>
struct MethodTraits<F> : LambdaTraits<decltype(&F::operator())> {
};

/// Calls with the operands from the second on, as C++ values.
template <class Arguments, class F> decltype(auto) applyMethod(const F& f, const KernelCall& call) {
  return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
    return f(Convert<std::tuple_element_t<I, Arguments>>::from(call[I + 1])...);
  }
  (std::make_index_sequence<std::tuple_size_v<Arguments>>());
}
} // namespace detail

/// Registers what source can use of T, while the OpSet is being filled.
template <class T> class NativeClassBuilder {
public:
  NativeClassBuilder(NativeClass& made, const NativeClasses& all) : made_(&made), all_(&all) {}

  /// The constructor with these parameters makes objects: `torch.classes.my.Counter(3)`.
  /// `parameters` gives them names and defaults: `(int start=0)`.
  template <class... A> NativeClassBuilder& init(llvm::StringRef parameters = "") {
    return initBy([](A... arguments) { return std::make_shared<T>(std::move(arguments)...); },
                  parameters);
  }
  /// A function that gives a std::shared_ptr<T> makes them.
  template <class F> NativeClassBuilder& initBy(F make, llvm::StringRef parameters = "") {
    using Arguments = typename detail::CallableTraits<F>::Arguments;
    made_->add("__init__" + parameters.str(), typesOf<Arguments>(), Type::noneType(),
               Kernel::ofCall([make = std::move(make)](const KernelCall& call) {
                 std::shared_ptr<T> native = detail::applyMethod<Arguments>(make, call);
                 detail::setNative(call[0], typeid(T), std::move(native));
                 call.setResult(0, IValue());
               }));
    return *this;
  }
  /// A member function, or a function whose first parameter is `T&` or `std::shared_ptr<T>`.
  /// `signature`: its name, or with names and defaults of the parameters `increment(int by=1) ->
  /// int`.
  template <class F> NativeClassBuilder& method(llvm::StringRef signature, F f) {
    using Traits = detail::MethodTraits<F>;
    using Arguments = typename Traits::Arguments;
    using Result = typename Traits::Result;
    made_->add(signature, typesOf<Arguments>(), all_->typeOf<Result>(),
               Kernel::ofCall([f = std::move(f), all = all_](const KernelCall& call) {
                 const std::shared_ptr<T> self = nativeOf<T>(call[0]);
                 const auto bound = [&]<class... A>(A&&... arguments) -> decltype(auto) {
                   if constexpr (std::is_invocable_v<const F&, T&, A...>)
                     return std::invoke(f, *self, std::forward<A>(arguments)...);
                   else
                     return std::invoke(f, self, std::forward<A>(arguments)...);
                 };
                 if constexpr (std::is_void_v<Result>) {
                   detail::applyMethod<Arguments>(bound, call);
                   call.setResult(0, IValue());
                 } else {
                   Result result = detail::applyMethod<Arguments>(bound, call);
                   call.setResult(0, all->box(std::move(result)));
                 }
               }));
    return *this;
  }
  /// A member that source reads and writes: `c.count += 1`.
  template <class V, class C> NativeClassBuilder& field(llvm::StringRef name, V C::*member) {
    property(name, [member](const T& self) -> V { return self.*member; });
    return method(name.str() + "_setter",
                  [member](T& self, V value) { self.*member = std::move(value); });
  }
  /// What source reads as if it were a field.
  template <class F> NativeClassBuilder& property(llvm::StringRef name, F get) {
    return method(name.str() + "_getter", std::move(get));
  }
  /// A value for an object that C++ has: an argument of a program, the result of an operator.
  IValue object(std::shared_ptr<T> native) const { return all_->box(std::move(native)); }

private:
  template <class Arguments> std::vector<const Type*> typesOf() const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::vector<const Type*>{all_->typeOf<std::tuple_element_t<I, Arguments>>()...};
    }
    (std::make_index_sequence<std::tuple_size_v<Arguments>>());
  }
  NativeClass* made_;
  const NativeClasses* all_;
};

} // namespace tine
