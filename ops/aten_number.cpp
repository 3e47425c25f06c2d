#include "ops/arguments.h"
#include "support/literal.h"
#include "tensor/strided.h"

#include <cmath>

namespace tine::opkernel {

namespace {

std::uint64_t bits(std::int64_t v) { return static_cast<std::uint64_t>(v); }
std::int64_t wrapped(std::uint64_t v) { return static_cast<std::int64_t>(v); }

bool areInts(const KernelCall& call) { return call[0].isInt() && call[1].isInt(); }
double left(const KernelCall& call) { return call[0].toNumber(); }
double right(const KernelCall& call) { return call[1].toNumber(); }

std::int64_t checkedDivisor(const IValue& value, const char* message) {
  const std::int64_t divisor = value.toInt();
  if (divisor == 0) raise(error_kind::ZeroDivision, message);
  return divisor;
}

} // namespace

// ---- arithmetic
// -----------------------------------------------------------------------------------

void addInts(const KernelCall& call) {
  call.setResult(0, wrapped(bits(call[0].toInt()) + bits(call[1].toInt())));
}
void subInts(const KernelCall& call) {
  call.setResult(0, wrapped(bits(call[0].toInt()) - bits(call[1].toInt())));
}
void mulInts(const KernelCall& call) {
  call.setResult(0, wrapped(bits(call[0].toInt()) * bits(call[1].toInt())));
}
void addNumbers(const KernelCall& call) {
  if (areInts(call)) return addInts(call);
  call.setResult(0, left(call) + right(call));
}
void subNumbers(const KernelCall& call) {
  if (areInts(call)) return subInts(call);
  call.setResult(0, left(call) - right(call));
}
void mulNumbers(const KernelCall& call) {
  if (areInts(call)) return mulInts(call);
  call.setResult(0, left(call) * right(call));
}
void divNumbers(const KernelCall& call) { call.setResult(0, left(call) / right(call)); }

void floordivInts(const KernelCall& call) {
  const std::int64_t a = call[0].toInt(), b = checkedDivisor(call[1], "division by 0");
  if (b == -1) return call.setResult(0, wrapped(0 - bits(a)));
  call.setResult(0, a / b - (a % b != 0 && (a < 0) != (b < 0)));
}
void remainderInts(const KernelCall& call) {
  const std::int64_t a = call[0].toInt(), b = checkedDivisor(call[1], "integer modulo by zero");
  const std::int64_t rest = b == -1 ? 0 : a % b;
  call.setResult(0, rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}
void divmodInts(const KernelCall& call) {
  const std::int64_t a = call[0].toInt();
  const std::int64_t b =
      checkedDivisor(call[1], "ZeroDivisionError: integer division or modulo by zero");
  const std::int64_t rest = b == -1 ? 0 : a % b;
  const bool off = rest != 0 && (rest < 0) != (b < 0);
  call.setResult(0, b == -1 ? wrapped(0 - bits(a)) : a / b - off);
  call.setResult(1, off ? rest + b : rest);
}
void divmodNumbers(const KernelCall& call) {
  const double a = left(call), b = right(call);
  if (b == 0) raise(error_kind::ZeroDivision, "ZeroDivisionError: float divmod()");
  double rest = std::fmod(a, b);
  if (rest != 0 && (a < 0) != (b < 0)) rest += b;
  call.setResult(0, (a - rest) / b);
  call.setResult(1, rest);
}
void floordivNumbers(const KernelCall& call) {
  if (areInts(call)) return floordivInts(call);
  call.setResult(0, std::floor(left(call) / right(call)));
}
void remainderNumbers(const KernelCall& call) {
  if (areInts(call)) return remainderInts(call);
  const double divisor = right(call);
  call.setResult(0, std::fmod(divisor + std::fmod(left(call), divisor), divisor));
}

namespace {
double power(const KernelCall& call) {
  const double base = left(call), exponent = right(call);
  if (base == 0 && exponent < 0)
    raise(error_kind::ZeroDivision, "0.0 cannot be raised to a negative power");
  return std::pow(base, exponent);
}
} // namespace

void powNumbers(const KernelCall& call) { call.setResult(0, power(call)); }
void powInts(const KernelCall& call) { call.setResult(0, convert<std::int64_t>(power(call))); }
void negNumber(const KernelCall& call) {
  if (call[0].isInt()) return call.setResult(0, wrapped(0 - bits(call[0].toInt())));
  call.setResult(0, -left(call));
}
void absNumber(const KernelCall& call) {
  if (!call[0].isInt()) return call.setResult(0, std::fabs(left(call)));
  const std::int64_t a = call[0].toInt();
  call.setResult(0, a < 0 ? wrapped(0 - bits(a)) : a);
}

namespace {
IValue rounded(const IValue& number, double (*round)(double)) {
  if (number.isInt()) return number;
  const double value = round(number.toNumber());
  if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0))
    raise(error_kind::Overflow,
          "Cannot convert float " + std::to_string(number.toNumber()) + " to integer");
  return static_cast<std::int64_t>(value);
}
} // namespace

void floorNumber(const KernelCall& call) { call.setResult(0, rounded(call[0], std::floor)); }
void ceilNumber(const KernelCall& call) { call.setResult(0, rounded(call[0], std::ceil)); }
void sqrtNumber(const KernelCall& call) { call.setResult(0, std::sqrt(left(call))); }

void minNumbers(const KernelCall& call) {
  if (areInts(call)) return call.setResult(0, std::min(call[0].toInt(), call[1].toInt()));
  const double a = left(call), b = right(call);
  call.setResult(0, a < b ? a : b);
}
void maxNumbers(const KernelCall& call) {
  if (areInts(call)) return call.setResult(0, std::max(call[0].toInt(), call[1].toInt()));
  const double a = left(call), b = right(call);
  call.setResult(0, a > b ? a : b);
}

namespace {
bool isLess(const IValue& a, const IValue& b) {
  return a.isInt() && b.isInt() ? a.toInt() < b.toInt() : a.toNumber() < b.toNumber();
}
const std::vector<IValue>& someItems(const IValue& list, const char* name) {
  const auto& items = list.toList().items;
  if (items.empty()) raise(error_kind::Value, std::string(name) + "() arg is an empty sequence");
  return items;
}
} // namespace

void minOfList(const KernelCall& call) {
  const auto& items = someItems(call[0], "min");
  const IValue* found = &items[0];
  for (const IValue& item : items)
    if (isLess(item, *found)) found = &item;
  call.setResult(0, *found);
}
void maxOfList(const KernelCall& call) {
  const auto& items = someItems(call[0], "max");
  const IValue* found = &items[0];
  for (const IValue& item : items)
    if (isLess(*found, item)) found = &item;
  call.setResult(0, *found);
}
void sumOfFloats(const KernelCall& call) {
  double total = 0;
  for (const IValue& item : call[0].toList().items) total += item.toDouble();
  call.setResult(0, total);
}
void sumOfInts(const KernelCall& call) {
  const auto& items = call[0].toList().items;
  std::uint64_t total = 0;
  for (const IValue& item : items) total += item.isBool() ? item.toBool() : bits(item.toInt());
  call.setResult(0, wrapped(total));
}

void andBools(const KernelCall& call) { call.setResult(0, call[0].toBool() && call[1].toBool()); }
void orBools(const KernelCall& call) { call.setResult(0, call[0].toBool() || call[1].toBool()); }
void xorBools(const KernelCall& call) { call.setResult(0, call[0].toBool() != call[1].toBool()); }
void andInts(const KernelCall& call) { call.setResult(0, call[0].toInt() & call[1].toInt()); }
void orInts(const KernelCall& call) { call.setResult(0, call[0].toInt() | call[1].toInt()); }
void xorInts(const KernelCall& call) { call.setResult(0, call[0].toInt() ^ call[1].toInt()); }
void notBool(const KernelCall& call) { call.setResult(0, !call[0].toBool()); }

void rangeLength(const KernelCall& call) {
  const std::int64_t low = call[0].toInt(), high = call[1].toInt(), step = call[2].toInt();
  if (step == 0) raise(error_kind::Value, "range() arg 3 must not be zero");
  if (step > 0 ? low >= high : low <= high) return call.setResult(0, 0);
  const std::uint64_t span = step > 0 ? bits(high) - bits(low) : bits(low) - bits(high);
  const std::uint64_t stride = step > 0 ? bits(step) : 0 - bits(step);
  call.setResult(0, wrapped((span - 1) / stride + 1));
}
void deriveIndex(const KernelCall& call) {
  call.setResult(0, wrapped(bits(call[1].toInt()) + bits(call[0].toInt()) * bits(call[2].toInt())));
}

// ---- conversions
// ----------------------------------------------------------------------------------

void intOfScalar(const KernelCall& call) {
  if (call[0].isDouble() && !(std::fabs(call[0].toDouble()) < 9223372036854775808.0))
    raise(error_kind::Overflow, "value cannot be converted to type int without overflow");
  intOf(call);
}
void intOf(const KernelCall& call) {
  const IValue& a = call[0];
  call.setResult(0, a.isInt()    ? a.toInt()
                    : a.isBool() ? std::int64_t{a.toBool()}
                                 : convert<std::int64_t>(a.toDouble()));
}
void floatOf(const KernelCall& call) { call.setResult(0, call[0].toNumber()); }
void boolOf(const KernelCall& call) { call.setResult(0, call[0].toNumber() != 0); }
void intOfStr(const KernelCall& call) {
  const llvm::StringRef text = call[0].toStringRef();
  llvm::StringRef digits = text.trim();
  digits.consume_front("+");
  std::int64_t value = 0;
  if (digits.getAsInteger(10, value))
    raise(error_kind::Value, "invalid literal for int() with base 10: '" + text.str() + "'");
  call.setResult(0, value);
}
void floatOfStr(const KernelCall& call) {
  const llvm::StringRef text = call[0].toStringRef();
  const auto value = readDouble(text.trim());
  if (!value) raise(error_kind::Value, "could not convert string to float: '" + text.str() + "'");
  call.setResult(0, *value);
}

// ---- comparisons
// ----------------------------------------------------------------------------------

namespace {
// Ints compare exactly; an int with a float compares as floats.
template <class F> void compareNumbers(const KernelCall& call, F f) {
  call.setResult(0,
                 areInts(call) ? f(call[0].toInt(), call[1].toInt()) : f(left(call), right(call)));
}
template <class F> void compareStrings(const KernelCall& call, F f) {
  call.setResult(0, f(call[0].toStringRef().compare(call[1].toStringRef()), 0));
}
} // namespace

void eqInts(const KernelCall& call) { call.setResult(0, call[0].toInt() == call[1].toInt()); }
void neInts(const KernelCall& call) { call.setResult(0, call[0].toInt() != call[1].toInt()); }
void ltInts(const KernelCall& call) { call.setResult(0, call[0].toInt() < call[1].toInt()); }
void leInts(const KernelCall& call) { call.setResult(0, call[0].toInt() <= call[1].toInt()); }
void gtInts(const KernelCall& call) { call.setResult(0, call[0].toInt() > call[1].toInt()); }
void geInts(const KernelCall& call) { call.setResult(0, call[0].toInt() >= call[1].toInt()); }
void eqNumbers(const KernelCall& call) { compareNumbers(call, std::equal_to<>()); }
void neNumbers(const KernelCall& call) { compareNumbers(call, std::not_equal_to<>()); }
void ltNumbers(const KernelCall& call) { compareNumbers(call, std::less<>()); }
void leNumbers(const KernelCall& call) { compareNumbers(call, std::less_equal<>()); }
void gtNumbers(const KernelCall& call) { compareNumbers(call, std::greater<>()); }
void geNumbers(const KernelCall& call) { compareNumbers(call, std::greater_equal<>()); }
void eqStrings(const KernelCall& call) { compareStrings(call, std::equal_to<>()); }
void neStrings(const KernelCall& call) { compareStrings(call, std::not_equal_to<>()); }
void ltStrings(const KernelCall& call) { compareStrings(call, std::less<>()); }
void leStrings(const KernelCall& call) { compareStrings(call, std::less_equal<>()); }
void gtStrings(const KernelCall& call) { compareStrings(call, std::greater<>()); }
void geStrings(const KernelCall& call) { compareStrings(call, std::greater_equal<>()); }
void eqBools(const KernelCall& call) { call.setResult(0, call[0].toBool() == call[1].toBool()); }
void neBools(const KernelCall& call) { call.setResult(0, call[0].toBool() != call[1].toBool()); }
void eqDevices(const KernelCall& call) {
  call.setResult(0, call[0].toDevice() == call[1].toDevice());
}
void neDevices(const KernelCall& call) {
  call.setResult(0, call[0].toDevice() != call[1].toDevice());
}

} // namespace tine::opkernel
