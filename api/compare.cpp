#include "api/compare.h"

#include "interpreter/scheduler.h"
#include "tensor/strided.h"

#include <cmath>

namespace tine {

namespace {
constexpr double kRelative = 1e-5, kAbsolute = 1e-8;

bool close(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= kAbsolute + kRelative * std::abs(b);
}

std::string tensorDifference(const Tensor& a, const Tensor& b, const std::string& what) {
  const auto differ = [&](const std::string& x, const std::string& y) {
    return what + " is " + x + " and " + y;
  };
  if (a.dtype() != b.dtype()) return differ(name(a.dtype()).str(), name(b.dtype()).str());
  if (a.sizes() != b.sizes())
    return differ("of shape " + shapeStr(a.sizes()), "of shape " + shapeStr(b.sizes()));
  const Tensor x = a.contiguous(), y = b.contiguous();
  std::string difference;
  tine::dispatch(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; difference.empty() && i < x.numel(); ++i) {
      const double left = convert<double>(x.data<T>()[i]), right = convert<double>(y.data<T>()[i]);
      const bool same =
          std::is_integral_v<T> ? x.data<T>()[i] == y.data<T>()[i] : close(left, right);
      if (!same)
        difference = what + ", element " + std::to_string(i) + " of " + std::to_string(x.numel()) +
                     ", is " + IValue(left).str() + " and " + IValue(right).str();
    }
  });
  return difference;
}
} // namespace

std::string differenceOf(const IValue& a, const IValue& b, const std::string& what) {
  struct Pair {
    IValue a, b;
    std::string what;
  };
  std::vector<Pair> pairs{{a, b, what}};
  while (!pairs.empty()) {
    const Pair pair = std::move(pairs.back());
    pairs.pop_back();
    const IValue &x = pair.a, &y = pair.b;
    if (x.tag() != y.tag())
      return pair.what + " is of type " + name(x.tag()).str() + " and " + name(y.tag()).str();
    const auto addItems = [&](const std::vector<IValue>& left, const std::vector<IValue>& right) {
      for (std::size_t i = left.size(); i-- > 0;)
        pairs.push_back({left[i], right[i], pair.what + "[" + std::to_string(i) + "]"});
    };
    bool same = true;
    if (x.isTensor()) {
      std::string difference = tensorDifference(x.asTensor(), y.asTensor(), pair.what);
      if (!difference.empty()) return difference;
    } else if (x.isDouble()) {
      same = close(x.toDouble(), y.toDouble());
    } else if (x.isFuture()) {
      pairs.push_back({waitNative(x.asFuture()), waitNative(y.asFuture()), pair.what});
    } else if (x.isList()) {
      same = x.toList().items.size() == y.toList().items.size();
      if (same) addItems(x.toList().items, y.toList().items);
    } else if (x.isTuple()) {
      same = x.toTuple().items.size() == y.toTuple().items.size();
      if (same) addItems(x.toTuple().items, y.toTuple().items);
    } else if (x.isDict()) {
      same = x.toDict().items.size() == y.toDict().items.size();
      for (const auto& [key, value] : x.toDict().items) {
        const IValue* other = same ? y.toDict().find(key) : nullptr;
        if (!other) return pair.what + " is a dict with other keys: " + x.str() + " and " + y.str();
        pairs.push_back({value, *other, pair.what + "[" + key.str() + "]"});
      }
    } else {
      same = identical(x, y);
    }
    if (!same) return pair.what + " is " + x.str() + " and " + y.str();
  }
  return "";
}

} // namespace tine
