#pragma once

#include "ir/type.h"
#include "tensor/future.h"
#include "tensor/ivalue.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tine {

/// IValue to and from C++ types; specialise for more. `type`: what graphs call it. `fits`: do
/// values of the schema's type always convert, in both directions?
template <class T, class = void> struct Convert;
template <> struct Convert<IValue> {
  static const Type* type(Context&) { return Type::AnyType(); }
  static bool fits(const Type*) { return true; }
  static IValue from(IValue v) { return v; }
  static IValue to(IValue v) { return v; }
};
template <> struct Convert<Tensor> {
  static const Type* type(Context&) { return Type::tensorType(); }
  static bool fits(const Type* type) { return type->is(TypeKind::Tensor); }
  static Tensor from(const IValue& v) { return v.toTensor(); }
  static IValue to(Tensor v) { return v; }
};
template <> struct Convert<std::int64_t> {
  static const Type* type(Context&) { return Type::intType(); }
  static bool fits(const Type* type) { return type->is(TypeKind::Int); }
  static std::int64_t from(const IValue& v) { return v.toInt(); }
  static IValue to(std::int64_t v) { return v; }
};
template <> struct Convert<int> {
  static const Type* type(Context&) { return Type::intType(); }
  static bool fits(const Type* type) { return type->is(TypeKind::Int); }
  static int from(const IValue& v) { return static_cast<int>(v.toInt()); }
  static IValue to(int v) { return v; }
};
template <> struct Convert<double> {
  static const Type* type(Context&) { return Type::floatType(); }
  static bool fits(const Type* type) {
    return type->is(TypeKind::Float) || type->is(TypeKind::Number);
  }
  static double from(const IValue& v) { return v.toNumber(); }
  static IValue to(double v) { return v; }
};
template <> struct Convert<bool> {
  static const Type* type(Context&) { return Type::boolType(); }
  static bool fits(const Type* type) { return type->is(TypeKind::Bool); }
  static bool from(const IValue& v) { return v.toBool(); }
  static IValue to(bool v) { return v; }
};
template <> struct Convert<std::string> {
  static const Type* type(Context&) { return Type::strType(); }
  static bool fits(const Type* type) { return type->is(TypeKind::Str); }
  static std::string from(const IValue& v) { return v.toStringRef().str(); }
  static IValue to(const std::string& v) { return v; }
};
template <> struct Convert<Ref<FutureState>> {
  static bool fits(const Type* type) { return type->is(TypeKind::Future); }
  static Ref<FutureState> from(const IValue& v) { return v.toFuture(); }
  static IValue to(Ref<FutureState> v) { return v; }
};
template <class T> struct Convert<std::vector<T>> {
  static const Type* type(Context& context) { return listOf(context, Convert<T>::type(context)); }
  static bool fits(const Type* type) {
    return type->is(TypeKind::List) && Convert<T>::fits(type->element());
  }
  static std::vector<T> from(const IValue& v) {
    std::vector<T> out;
    out.reserve(v.toList().items.size());
    for (const IValue& item : v.toList().items) out.push_back(Convert<T>::from(item));
    return out;
  }
  static IValue to(const std::vector<T>& v) {
    std::vector<IValue> items;
    items.reserve(v.size());
    for (const T& item : v) items.push_back(Convert<T>::to(item));
    return IValue::list(std::move(items));
  }
};
template <class T> struct Convert<std::optional<T>> {
  static const Type* type(Context& context) {
    return optionalOf(context, Convert<T>::type(context));
  }
  static bool fits(const Type* type) {
    return type->is(TypeKind::Optional) && Convert<T>::fits(type->element());
  }
  static std::optional<T> from(const IValue& v) {
    return v.isNone() ? std::nullopt : std::optional<T>(Convert<T>::from(v));
  }
  static IValue to(const std::optional<T>& v) { return v ? Convert<T>::to(*v) : IValue(); }
};
/// A dict, in the order of its keys.
template <class K, class T> struct Convert<std::map<K, T>> {
  static const Type* type(Context& context) {
    return dictOf(context, Convert<K>::type(context), Convert<T>::type(context));
  }
  static bool fits(const Type* type) {
    return type->is(TypeKind::Dict) && Convert<K>::fits(type->elements()[0]) &&
           Convert<T>::fits(type->elements()[1]);
  }
  static std::map<K, T> from(const IValue& v) {
    std::map<K, T> out;
    for (const auto& [key, item] : v.toDict().items)
      out.emplace(Convert<K>::from(key), Convert<T>::from(item));
    return out;
  }
  static IValue to(const std::map<K, T>& v) {
    const Ref<Dict> dict = makeRef<Dict>();
    for (const auto& [key, item] : v) dict->set(Convert<K>::to(key), Convert<T>::to(item));
    return IValue(dict);
  }
};
template <class... T> struct Convert<std::tuple<T...>> {
  static const Type* type(Context& context) {
    return tupleOf(context, {Convert<T>::type(context)...});
  }
  static bool fits(const Type* type) {
    std::size_t i = 0;
    return type->is(TypeKind::Tuple) && type->elements().size() == sizeof...(T) &&
           (Convert<T>::fits(type->elements()[i++]) && ...);
  }
  static std::tuple<T...> from(const IValue& v) {
    return fromItems(v.toTuple().items, std::index_sequence_for<T...>());
  }
  static IValue to(const std::tuple<T...>& v) {
    return std::apply([](const T&... item) { return IValue::tuple({Convert<T>::to(item)...}); }, v);
  }

private:
  template <std::size_t... I>
  static std::tuple<T...> fromItems(const std::vector<IValue>& items, std::index_sequence<I...>) {
    if (items.size() != sizeof...(T))
      raise(error_kind::Type, "expected a tuple of " + std::to_string(sizeof...(T)));
    return {Convert<T>::from(items[I])...};
  }
};

namespace detail {
/// \errors TypeError unless the value is an object of that C++ class; ValueError if none was made
const std::shared_ptr<void>& nativeIn(const IValue& value, const std::type_info& cpp);
void setNative(const IValue& value, const std::type_info& cpp, std::shared_ptr<void> native);
} // namespace detail
/// The object of a class that is written in C++ and registered (OpSet::addClass).
///   auto counter = nativeOf<Counter>(result);
/// \errors TypeError
template <class T> std::shared_ptr<T> nativeOf(const IValue& value) {
  return std::static_pointer_cast<T>(detail::nativeIn(value, typeid(T)));
}
template <class T> struct Convert<std::shared_ptr<T>> { // back: NativeClassBuilder::object
  static bool fits(const Type* type) { return type->is(TypeKind::Class); }
  static std::shared_ptr<T> from(const IValue& v) { return nativeOf<T>(v); }
};

} // namespace tine
