#include "ops/arguments.h"
#include "tensor/functions.h"

#include <cmath>
#include <numbers>
#include <numeric>

// Functions of tensors and of numbers, element by element.
namespace tine::opkernel {

using kernels::BinaryOp;
using kernels::PairFunction;

namespace {

const Tensor& tensor(const KernelCall& call, std::uint32_t i) { return call[i].asTensor(); }
// Both kinds of functions of two tensors, with one spelling.
Tensor pair(BinaryOp op, const Tensor& a, const Tensor& b) { return kernels::binary(op, a, b); }
Tensor pair(PairFunction f, const Tensor& a, const Tensor& b) { return kernels::apply(f, a, b); }
void pairInto(BinaryOp op, const Tensor& a, const Tensor& b) { kernels::binaryInto(op, a, b); }
void pairInto(PairFunction f, const Tensor& a, const Tensor& b) { kernels::applyInto(f, a, b); }

template <class F> void tensors(F f, const KernelCall& call) {
  call.setResult(0, pair(f, tensor(call, 0), tensor(call, 1)));
}
template <class F> void withNumber(F f, const KernelCall& call) {
  call.setResult(0, pair(f, tensor(call, 0), kernels::wrappedScalar(call[1])));
}
template <class F> void numberFirst(F f, const KernelCall& call) {
  call.setResult(0, pair(f, kernels::wrappedScalar(call[0]), tensor(call, 1)));
}
template <class F> void inPlace(F f, const KernelCall& call) {
  pairInto(f, tensor(call, 0),
           call[1].isTensor() ? call[1].asTensor() : kernels::wrappedScalar(call[1]));
  returnSelf(call);
}
// Writes the result over operand 0, which is the result.
void become(const KernelCall& call, const Tensor& result) {
  kernels::assign(tensor(call, 0), result);
  returnSelf(call);
}

} // namespace

#define TINE_UNARY(id, kind, kernel, expression)                                                   \
  void id##Tensor(const KernelCall& call) {                                                        \
    call.setResult(0, kernels::apply(kernels::Function::id, call[0].asTensor()));                  \
  }                                                                                                \
  void id##InPlace(const KernelCall& call) {                                                       \
    kernels::applyInto(kernels::Function::id, call[0].asTensor());                                 \
    returnSelf(call);                                                                              \
  }                                                                                                \
  void id##OfNumber(const KernelCall& call) {                                                      \
    call.setResult(0, kernels::apply(kernels::Function::id, call[0].toNumber()));                  \
  }
#include "tensor/unary.def"

// Two tensors, a tensor and a number, and in place.
#define TINE_BINARY(id, op)                                                                        \
  void id##Tensors(const KernelCall& call) { tensors(op, call); }                                  \
  void id##WithNumber(const KernelCall& call) { withNumber(op, call); }                            \
  void id##NumberFirst(const KernelCall& call) { numberFirst(op, call); }                          \
  void id##InPlace(const KernelCall& call) { inPlace(op, call); }
TINE_BINARY(trueDivide, BinaryOp::Div)
TINE_BINARY(floorDivide, BinaryOp::FloorDiv)
TINE_BINARY(remainder, BinaryOp::Remainder)
TINE_BINARY(fmod, PairFunction::Fmod)
TINE_BINARY(bitwiseAnd, BinaryOp::And)
TINE_BINARY(bitwiseOr, BinaryOp::Or)
TINE_BINARY(bitwiseXor, BinaryOp::Xor)
TINE_BINARY(logicalAnd, PairFunction::LogicalAnd)
TINE_BINARY(logicalOr, PairFunction::LogicalOr)
TINE_BINARY(logicalXor, PairFunction::LogicalXor)
TINE_BINARY(leftShift, PairFunction::LeftShift)
TINE_BINARY(rightShift, PairFunction::RightShift)
TINE_BINARY(maximum, PairFunction::Maximum)
TINE_BINARY(minimum, PairFunction::Minimum)
TINE_BINARY(atan2, PairFunction::Atan2)
TINE_BINARY(copysign, PairFunction::Copysign)
TINE_BINARY(eq, BinaryOp::Eq)
TINE_BINARY(ne, BinaryOp::Ne)
TINE_BINARY(lt, BinaryOp::Lt)
TINE_BINARY(le, BinaryOp::Le)
TINE_BINARY(gt, BinaryOp::Gt)
TINE_BINARY(ge, BinaryOp::Ge)
#undef TINE_BINARY

void divModeInPlace(const KernelCall& call) { inPlace(divisionOf(call[2]), call); }

void powTensors(const KernelCall& call) { tensors(PairFunction::Pow, call); }
void powTensorNumber(const KernelCall& call) {
  call.setResult(0, kernels::pow(tensor(call, 0), call[1]));
}
void powNumberTensor(const KernelCall& call) {
  call.setResult(0, kernels::pow(call[0], tensor(call, 1)));
}
void powInPlace(const KernelCall& call) {
  if (call[1].isTensor()) return inPlace(PairFunction::Pow, call);
  become(call, kernels::pow(tensor(call, 0), call[1], &tensor(call, 0)));
}
void squareTensor(const KernelCall& call) { call.setResult(0, kernels::pow(tensor(call, 0), 2)); }
void squareInPlace(const KernelCall& call) {
  become(call, kernels::pow(tensor(call, 0), 2, &tensor(call, 0)));
}

#define TINE_PAIR(id, function)                                                                    \
  void id##Tensor(const KernelCall& call) { call.setResult(0, function(tensor(call, 0))); }        \
  void id##InPlace(const KernelCall& call) { become(call, function(tensor(call, 0))); }
TINE_PAIR(sign, kernels::sign)
TINE_PAIR(logicalNot, kernels::logicalNot)
TINE_PAIR(bitwiseNot, kernels::bitwiseNot)
#undef TINE_PAIR
void isNanTensor(const KernelCall& call) { call.setResult(0, kernels::isNan(tensor(call, 0))); }
void isInfTensor(const KernelCall& call) { call.setResult(0, kernels::isInf(tensor(call, 0))); }
void isFiniteTensor(const KernelCall& call) {
  call.setResult(0, kernels::isFinite(tensor(call, 0)));
}

// ---- activations ----

namespace {
Tensor geluOf(const KernelCall& call) {
  const llvm::StringRef approximate = call[1].toStringRef();
  if (approximate != "none" && approximate != "tanh")
    raise(error_kind::Runtime, "approximate argument must be either none or tanh.");
  return kernels::gelu(tensor(call, 0), approximate == "tanh");
}
Tensor leakyReluOf(const KernelCall& call) { return kernels::leakyRelu(tensor(call, 0), call[1]); }
Tensor eluOf(const KernelCall& call) {
  return kernels::elu(tensor(call, 0), call[1], call[2], call[3]);
}
// Operand 0 between bounds, of which either may be missing.
Tensor bounded(const KernelCall& call, const IValue& least, const IValue& most, bool inPlace) {
  const Tensor& t = tensor(call, 0);
  if (least.isTensor() || most.isTensor())
    return kernels::clamp(t, least.isNone() ? Tensor() : least.toTensor(),
                          most.isNone() ? Tensor() : most.toTensor());
  return kernels::clamp(t, least, most, inPlace ? &t : nullptr);
}
Tensor hardtanhOf(const Tensor& t, const IValue& least, const IValue& most) {
  if (t.dtype() == DType::Bool)
    raise(error_kind::Runtime, "Bool inputs not supported for hardtanh");
  IValue low = least, high = most;
  if (!isFloating(t.dtype())) {
    low = kernels::wrappedScalar(least).toInt();
    high = kernels::wrappedScalar(most).toInt();
    if (t.dtype() == DType::UInt8 && (low.toInt() < 0 || high.toInt() < 0))
      raise(error_kind::Runtime, "cannot do hardtanh on an unsigned type with negative limits");
  }
  const Tensor out = kernels::fullLike(t, 0, t.dtype());
  kernels::copyInto(out, kernels::clamp(t, low, high));
  return out;
}
Tensor hardtanhOf(const KernelCall& call) { return hardtanhOf(tensor(call, 0), call[1], call[2]); }
Tensor relu6Of(const KernelCall& call) { return hardtanhOf(tensor(call, 0), 0, 6); }
} // namespace

#define TINE_PAIR(id, function)                                                                    \
  void id##Tensor(const KernelCall& call) { call.setResult(0, function(call)); }                   \
  void id##InPlace(const KernelCall& call) { become(call, function(call)); }
TINE_PAIR(gelu, geluOf)
TINE_PAIR(leakyRelu, leakyReluOf)
TINE_PAIR(elu, eluOf)
TINE_PAIR(hardtanh, hardtanhOf)
TINE_PAIR(relu6, relu6Of)
#undef TINE_PAIR
void softplus(const KernelCall& call) {
  call.setResult(0, kernels::softplus(tensor(call, 0), call[1], call[2]));
}

void clampTensor(const KernelCall& call) {
  call.setResult(0, bounded(call, call[1], call[2], false));
}
void clampInPlace(const KernelCall& call) { become(call, bounded(call, call[1], call[2], true)); }
namespace {
// One bound, in front of a missing one. NaN is both: unlike clamp's it bounds everything.
Tensor boundedBy(const KernelCall& call, bool below, bool inPlace) {
  const bool isNaN = call[1].isDouble() && call[1].toDouble() != call[1].toDouble();
  const IValue none;
  return bounded(call, below || isNaN ? call[1] : none, !below || isNaN ? call[1] : none, inPlace);
}
} // namespace
void clampMin(const KernelCall& call) { call.setResult(0, boundedBy(call, true, false)); }
void clampMax(const KernelCall& call) { call.setResult(0, boundedBy(call, false, false)); }
void clampMinInPlace(const KernelCall& call) { become(call, boundedBy(call, true, true)); }
void clampMaxInPlace(const KernelCall& call) { become(call, boundedBy(call, false, true)); }

// ---- several operands ----

namespace {
Tensor sumOfProduct(const KernelCall& call, bool quotient, bool inPlace) {
  if (quotient && !isFloating(tensor(call, 1).dtype()) && !isFloating(tensor(call, 2).dtype()))
    raise(error_kind::Runtime,
          "Integer division with addcdiv is no longer supported, and in a future  release addcdiv "
          "will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can "
          "be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for "
          "integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future "
          "addcdiv behavior is just the latter implementation: (input + value * tensor1 / "
          "tensor2), for all dtypes.");
  return kernels::addProduct(tensor(call, 0), tensor(call, 1), tensor(call, 2), call[3], quotient,
                             inPlace ? &tensor(call, 0) : nullptr);
}
// Two operands of which numbers become tensors of the common dtype. \errors OverflowError
std::pair<Tensor, Tensor> alike(const IValue& a, const IValue& b) {
  const auto wrapped = [](const IValue& value) {
    return value.isTensor() ? value.toTensor() : kernels::wrappedScalar(value);
  };
  const DType dtype = kernels::resultType({wrapped(a), wrapped(b)});
  const auto plain = [&](const IValue& value) {
    return value.isTensor() ? value.toTensor() : kernels::full({}, value, dtype);
  };
  return {plain(a), plain(b)};
}
IValue onlyNumber(const IValue& value) {
  if (!value.isTensor()) return value;
  const Tensor& t = value.asTensor();
  if (t.dim() != 0)
    raise(error_kind::Runtime, "masked_fill_ only supports a 0-dimensional value tensor, but got "
                               "tensor with " +
                                   std::to_string(t.dim()) + " dimension(s).");
  return kernels::item(t);
}
} // namespace

void addcmul(const KernelCall& call) { call.setResult(0, sumOfProduct(call, false, false)); }
void addcdiv(const KernelCall& call) { call.setResult(0, sumOfProduct(call, true, false)); }
void addcmulInPlace(const KernelCall& call) { become(call, sumOfProduct(call, false, true)); }
void addcdivInPlace(const KernelCall& call) { become(call, sumOfProduct(call, true, true)); }
void where(const KernelCall& call) {
  const auto [a, b] = alike(call[1], call[2]);
  call.setResult(0, kernels::where(tensor(call, 0), a, b));
}
void maskedFill(const KernelCall& call) {
  const Tensor &t = tensor(call, 0), &mask = tensor(call, 1);
  const Tensor out = kernels::expand(t, broadcastShapes(mask.sizes(), t.sizes())).clone();
  const IValue number = onlyNumber(call[2]);
  kernels::maskedFill(out, mask, number);
  call.setResult(0, out);
}
void maskedFillInPlace(const KernelCall& call) {
  kernels::maskedFill(tensor(call, 0), tensor(call, 1), onlyNumber(call[2]));
  returnSelf(call);
}

void equalTensors(const KernelCall& call) {
  call.setResult(0, equal(tensor(call, 0), tensor(call, 1)));
}
void isClose(const KernelCall& call) {
  call.setResult(0, kernels::isClose(tensor(call, 0), tensor(call, 1), call[2].toNumber(),
                                     call[3].toNumber(), call[4].toBool()));
}
void allClose(const KernelCall& call) {
  const Tensor close = kernels::isClose(tensor(call, 0), tensor(call, 1), call[2].toNumber(),
                                        call[3].toNumber(), call[4].toBool());
  call.setResult(0, kernels::truth(kernels::anyOrAll(close, std::nullopt, false, false)));
}
void isNonzero(const KernelCall& call) { call.setResult(0, kernels::truth(tensor(call, 0))); }
void isSameSize(const KernelCall& call) {
  call.setResult(0, tensor(call, 0).sizes() == tensor(call, 1).sizes());
}

// ---- numbers ----

namespace {
double first(const KernelCall& call) { return call[0].toNumber(); }
double second(const KernelCall& call) { return call[1].toNumber(); }
} // namespace

void fmodNumbers(const KernelCall& call) {
  call.setResult(0, std::fmod(first(call), second(call)));
}
void atan2Numbers(const KernelCall& call) {
  call.setResult(0, std::atan2(first(call), second(call)));
}
void copysignNumbers(const KernelCall& call) {
  call.setResult(0, std::copysign(first(call), second(call)));
}
void logBase(const KernelCall& call) {
  call.setResult(0, std::log(first(call)) / std::log(second(call)));
}
void degrees(const KernelCall& call) { call.setResult(0, first(call) * (180 / std::numbers::pi)); }
void radians(const KernelCall& call) { call.setResult(0, first(call) * (std::numbers::pi / 180)); }
void gammaOfNumber(const KernelCall& call) { call.setResult(0, std::tgamma(first(call))); }
void lgammaOfNumber(const KernelCall& call) { call.setResult(0, std::lgamma(first(call))); }
void fabsOfNumber(const KernelCall& call) { call.setResult(0, std::fabs(first(call))); }
void isNanNumber(const KernelCall& call) { call.setResult(0, std::isnan(first(call))); }
void isInfNumber(const KernelCall& call) { call.setResult(0, std::isinf(first(call))); }
void isFiniteNumber(const KernelCall& call) { call.setResult(0, std::isfinite(first(call))); }
void mathRemainder(const KernelCall& call) {
  call.setResult(0, std::remainder(first(call), second(call)));
}
void modfOfNumber(const KernelCall& call) {
  double whole = 0;
  const double rest = std::modf(first(call), &whole);
  call.setResult(0, rest);
  call.setResult(1, whole);
}
void frexpOfNumber(const KernelCall& call) {
  int exponent = 0;
  const double x = first(call), mantissa = std::frexp(x, &exponent);
  call.setResult(0, mantissa);
  call.setResult(1, std::isfinite(x) ? exponent : 0);
}
void ldexpOfNumber(const KernelCall& call) { // the exponent wraps to 32 bits, as TorchScript's does
  call.setResult(0, std::ldexp(first(call), static_cast<int>(call[1].toInt())));
}
void factorial(const KernelCall& call) {
  const std::int64_t n = call[0].toInt();
  if (n < 0) raise(error_kind::Value, "factorial() not defined for negative values");
  std::uint64_t product = 1; // 0 from 66 on
  for (std::int64_t i = 2; i <= n && product != 0; ++i) product *= static_cast<std::uint64_t>(i);
  call.setResult(0, static_cast<std::int64_t>(product));
}
void gcdInts(const KernelCall& call) {
  const auto magnitude = [](std::int64_t v) {
    return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
  };
  call.setResult(0, static_cast<std::int64_t>(
                        std::gcd(magnitude(call[0].toInt()), magnitude(call[1].toInt()))));
}
void leftShiftInts(const KernelCall& call) {
  const std::int64_t by = call[1].toInt();
  const auto bits = static_cast<std::uint64_t>(call[0].toInt());
  call.setResult(0, static_cast<std::int64_t>(by < 0 || by > 63 ? 0 : bits << by));
}
void rightShiftInts(const KernelCall& call) {
  const std::int64_t by = call[1].toInt(), a = call[0].toInt();
  call.setResult(0, by < 0 || by > 63 ? (a < 0 ? std::int64_t{-1} : std::int64_t{0}) : a >> by);
}

} // namespace tine::opkernel
