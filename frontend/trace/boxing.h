#pragma once

#include "frontend/trace/operand.h"

#include <map>
#include <optional>
#include <tuple>

namespace tine {

// How each C++ type is passed on: `box` and `unbox`; `type` is what graphs call it; `Handle` is the
// type that stands for it where a trace gives it back, as C++ numbers would be constants: Int of an
// int.

template <> struct Boxing<Operand> {
  using Handle = Operand;
  static const Type* type(Context&) { return Type::AnyType(); }
  static Operand box(Operand v) { return v; }
  static Operand unbox(const Operand& o, const ArgumentName&) { return o; }
};
template <> struct Boxing<IValue> {
  using Handle = IValue;
  static const Type* type(Context&) { return Type::AnyType(); }
  static Operand box(const IValue& v) { return Operand(v); }
  static IValue unbox(const Operand& o, const ArgumentName&) { return detail::plainValue(o); }
};
template <> struct Boxing<Tensor> {
  using Handle = Tensor;
  static const Type* type(Context&) { return Type::tensorType(); }
  static Operand box(const Tensor& v) { return v.defined() ? Operand(IValue(v)) : Operand(); }
  static Tensor unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isTensor()) raiseWrongArgument(name, "a Tensor", o);
    return o.value.toTensor();
  }
};
template <class T> struct Boxing<Number<T>> {
  using Handle = Number<T>;
  static const Type* type(Context&) {
    return std::same_as<T, bool>     ? Type::boolType()
           : std::same_as<T, double> ? Type::floatType()
                                     : Type::intType();
  }
  static Operand box(const Number<T>& v) { return {IValue(v.example()), v.made()}; }
  static Number<T> unbox(const Operand& o, const ArgumentName& name) {
    if constexpr (std::same_as<T, bool>) {
      if (o.value.isBool()) return {o.value.toBool(), o.made};
      raiseWrongArgument(name, "a bool", o);
    } else if constexpr (std::same_as<T, double>) {
      if (o.value.isInt() && !o.made) return Float(static_cast<double>(o.value.toInt()));
      if (o.value.isDouble()) return {o.value.toDouble(), o.made};
      raiseWrongArgument(name, "a float", o);
    } else {
      if (o.value.isInt()) return {o.value.toInt(), o.made};
      raiseWrongArgument(name, "an int", o);
    }
  }
};
template <class T>
requires std::is_arithmetic_v<T>
struct Boxing<T> {
  using Handle =
      Number<std::conditional_t<std::same_as<T, bool>, bool,
                                std::conditional_t<std::floating_point<T>, double, std::int64_t>>>;
  static const Type* type(Context& context) { return Boxing<Handle>::type(context); }
  static Operand box(T v) { return Boxing<Handle>::box(Handle(v)); }
  static T unbox(const Operand& o, const ArgumentName& name) {
    const auto value = Boxing<Handle>::unbox(o, name).value();
    const T out = static_cast<T>(value);
    if constexpr (std::integral<T> && !std::same_as<T, bool>)
      if (static_cast<std::int64_t>(out) != value || (std::is_unsigned_v<T> && value < 0))
        raiseWrongArgument(name, "in the range of its C++ type", o);
    return out;
  }
};
template <> struct Boxing<std::string> {
  using Handle = std::string;
  static const Type* type(Context&) { return Type::strType(); }
  static Operand box(const std::string& v) { return Operand(IValue(v)); }
  static std::string unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isString()) raiseWrongArgument(name, "a str", o);
    return detail::plainValue(o).toStringRef().str();
  }
};
template <> struct Boxing<DType> {
  using Handle = DType;
  static const Type* type(Context&) { return Type::intType(); }
  static Operand box(DType v) { return Operand(IValue(static_cast<std::int64_t>(v))); }
  static DType unbox(const Operand& o, const ArgumentName& name) {
    const auto dtype =
        o.value.isInt() ? dtypeFromNumber(detail::plainValue(o).toInt()) : std::nullopt;
    if (!dtype) raiseWrongArgument(name, "a dtype", o);
    return *dtype;
  }
};
template <Passes T> struct Boxing<std::optional<T>> {
  using Handle = std::optional<typename Boxing<T>::Handle>;
  static const Type* type(Context& context) {
    return optionalOf(context, Boxing<T>::type(context));
  }
  static Operand box(const std::optional<T>& v) { return v ? Boxing<T>::box(*v) : Operand(); }
  static std::optional<T> unbox(const Operand& o, const ArgumentName& name) {
    if (o.value.isNone()) return std::nullopt;
    return Boxing<T>::unbox(o, name);
  }
};
template <Passes T> struct Boxing<std::vector<T>> {
  using Handle = std::vector<typename Boxing<T>::Handle>;
  static const Type* type(Context& context) { return listOf(context, Boxing<T>::type(context)); }
  static Operand box(const std::vector<T>& v) {
    std::vector<Operand> items;
    items.reserve(v.size());
    for (const auto& item : v) items.push_back(Boxing<T>::box(item));
    return Operand::list(std::move(items), &type);
  }
  static std::vector<T> unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isList()) raiseWrongArgument(name, "a list", o);
    std::vector<T> out;
    out.reserve(o.size());
    for (std::size_t i = 0; i < o.size(); ++i) out.push_back(Boxing<T>::unbox(o.item(i), name));
    return out;
  }
};
template <> struct Boxing<Ints> : Boxing<std::vector<Int>> {};
/// A dict, in the order of its keys.
template <class K, Passes T>
requires(std::same_as<K, std::string> || std::is_arithmetic_v<K>) struct Boxing<std::map<K, T>> {
  using Handle = std::map<K, typename Boxing<T>::Handle>;
  static const Type* type(Context& context) {
    return dictOf(context, Boxing<K>::type(context), Boxing<T>::type(context));
  }
  static Operand box(const std::map<K, T>& v) {
    std::vector<std::pair<IValue, Operand>> items;
    items.reserve(v.size());
    for (const auto& [key, item] : v)
      items.emplace_back(Boxing<K>::box(key).value, Boxing<T>::box(item));
    return Operand::dict(std::move(items), &type);
  }
  static std::map<K, T> unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isDict()) raiseWrongArgument(name, "a dict", o);
    std::map<K, T> out;
    for (std::size_t i = 0; i < o.size(); ++i)
      out.emplace(Boxing<K>::unbox(Operand(o.value.toDict().items[i].first), name),
                  Boxing<T>::unbox(o.item(i), name));
    return out;
  }
};
template <Passes... T> struct Boxing<std::tuple<T...>> {
  using Handle = std::tuple<typename Boxing<T>::Handle...>;
  static const Type* type(Context& context) {
    return tupleOf(context, std::initializer_list<const Type*>{Boxing<T>::type(context)...});
  }
  static Operand box(const std::tuple<T...>& v) {
    return std::apply([](const T&... item) { return Operand::tuple({Boxing<T>::box(item)...}); },
                      v);
  }
  static std::tuple<T...> unbox(const Operand& o, const ArgumentName& name) {
    if (!o.value.isTuple() || o.size() != sizeof...(T))
      raiseWrongArgument(name, "a tuple of " + std::to_string(sizeof...(T)), o);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<T...>{Boxing<T>::unbox(o.item(I), name)...};
    }
    (std::index_sequence_for<T...>());
  }
};
template <Passes A, Passes B> struct Boxing<std::pair<A, B>> {
  using Both = Boxing<std::tuple<A, B>>;
  using Handle = std::pair<typename Boxing<A>::Handle, typename Boxing<B>::Handle>;
  static const Type* type(Context& context) { return Both::type(context); }
  static Operand box(const std::pair<A, B>& v) { return Both::box({v.first, v.second}); }
  static std::pair<A, B> unbox(const Operand& o, const ArgumentName& name) {
    return std::make_from_tuple<std::pair<A, B>>(Both::unbox(o, name));
  }
};

} // namespace tine
