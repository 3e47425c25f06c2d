#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

#include <algorithm>
#include <cmath>

namespace tine::kernels {

namespace {

// ---- what happens to one element
// ------------------------------------------------------------------

// Integers compute in an unsigned type that no promotion widens to a signed one: they wrap.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

[[noreturn]] void raiseZeroDivision() { raise(error_kind::ZeroDivision, "ZeroDivisionError"); }

template <class T> T floorDiv(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (b == 0) return a / b;
    const T rest = std::fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(T(0), a / b);
    const T floored = std::floor(quotient);
    return quotient - floored > T(0.5) ? floored + 1 : floored;
  } else {
    if (b == 0) raiseZeroDivision();
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(a));
      const T quotient = static_cast<T>(a / b);
      return static_cast<T>(quotient - (a % b != 0 && (a < 0) != (b < 0)));
    } else {
      return static_cast<T>(a / b);
    }
  }
}

template <class T> T truncDiv(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::trunc(a / b);
  } else {
    if (b == 0) raiseZeroDivision();
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(a));
    return static_cast<T>(a / b);
  }
}

template <class T> T remainder(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const T rest = std::fmod(a, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
  } else {
    if (b == 0) raiseZeroDivision();
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
      const T rest = static_cast<T>(a % b);
      return static_cast<T>(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    } else {
      return static_cast<T>(a % b);
    }
  }
}

template <BinaryOp op, class T> auto apply(T a, T b) {
  if constexpr (op == BinaryOp::Eq)
    return a == b;
  else if constexpr (op == BinaryOp::Ne)
    return a != b;
  else if constexpr (op == BinaryOp::Lt)
    return a < b;
  else if constexpr (op == BinaryOp::Le)
    return a <= b;
  else if constexpr (op == BinaryOp::Gt)
    return a > b;
  else if constexpr (op == BinaryOp::Ge)
    return a >= b;
  else if constexpr (op == BinaryOp::Div) {
    static_assert(std::is_floating_point_v<T>);
    return a / b;
  } else if constexpr (op == BinaryOp::FloorDiv) {
    return floorDiv<T>(a, b);
  } else if constexpr (op == BinaryOp::TruncDiv) {
    return truncDiv<T>(a, b);
  } else if constexpr (op == BinaryOp::Remainder) {
    return remainder<T>(a, b);
  } else if constexpr (op == BinaryOp::And) {
    return static_cast<T>(a & b);
  } else if constexpr (op == BinaryOp::Or) {
    return static_cast<T>(a | b);
  } else if constexpr (op == BinaryOp::Xor) {
    return static_cast<T>(a ^ b);
  } else if constexpr (std::is_same_v<T, bool>) {
    return op == BinaryOp::Mul ? a && b : a || b;
  } else if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<Wrapping<T>>(a), y = static_cast<Wrapping<T>>(b);
    return static_cast<T>(op == BinaryOp::Add ? x + y : op == BinaryOp::Sub ? x - y : x * y);
  } else {
    return op == BinaryOp::Add ? a + b : op == BinaryOp::Sub ? a - b : a * b;
  }
}

// a + alpha * b; ATen fuses the two for floats.
template <class T> T applyScaled(T a, T b, T alpha) {
  if constexpr (std::is_same_v<T, bool>)
    return a || (alpha && b);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) +
                          static_cast<Wrapping<T>>(alpha) * static_cast<Wrapping<T>>(b));
  else
    return std::fma(alpha, b, a);
}

template <UnaryOp op, class T> T apply(T a) {
  if constexpr (op == UnaryOp::Relu)
    return a < T(0) ? T(0) : a; // keeps NaN and -0
  else if constexpr (op == UnaryOp::Abs && std::is_floating_point_v<T>)
    return std::fabs(a);
  else if constexpr (op == UnaryOp::Abs && std::is_unsigned_v<T>)
    return a;
  else if constexpr (std::is_floating_point_v<T>)
    return -a;
  else
    return op == UnaryOp::Abs && a >= T(0)
               ? a
               : static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(a));
}

// ---- what happens to a run of elements
// ------------------------------------------------------------

struct Run {
  const std::byte* a;
  const std::byte* b;
  std::byte* out;
  std::int64_t stepA, stepB, stepOut; // \units elements
  std::int64_t count;
};
using Loop = void (*)(const Run& run, const void* alpha);

// f(a, b) over a run. The cases that matter get loops that the compiler turns into vectors.
template <class T, class Out, class F> void loop(const Run& run, F f) {
  const auto *a = reinterpret_cast<const T*>(run.a), *b = reinterpret_cast<const T*>(run.b);
  auto* out = reinterpret_cast<Out*>(run.out);
  const std::int64_t n = run.count;
  if (run.stepOut == 1 && run.stepA == 1 && run.stepB == 1) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i], b[i]));
  } else if (run.stepOut == 1 && run.stepA == 1 && run.stepB == 0) {
    const T right = *b;
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i], right));
  } else {
    for (std::int64_t i = 0; i < n; ++i)
      out[i * run.stepOut] = static_cast<Out>(f(a[i * run.stepA], b[i * run.stepB]));
  }
}

template <BinaryOp op, class T> void binaryLoop(const Run& run, const void*) {
  using Out = decltype(apply<op, T>(T{}, T{}));
  loop<T, Out>(run, [](T a, T b) { return apply<op, T>(a, b); });
}
template <class T> void scaledLoop(const Run& run, const void* alpha) {
  loop<T, T>(run, [alpha = *static_cast<const T*>(alpha)](T a, T b) {
    return applyScaled<T>(a, b, alpha);
  });
}
template <UnaryOp op, class T> void unaryLoop(const Run& run, const void*) {
  const auto* a = reinterpret_cast<const T*>(run.a);
  auto* out = reinterpret_cast<T*>(run.out);
  if (run.stepA == 1 && run.stepOut == 1) {
    for (std::int64_t i = 0; i < run.count; ++i) out[i] = apply<op, T>(a[i]);
  } else {
    for (std::int64_t i = 0; i < run.count; ++i)
      out[i * run.stepOut] = apply<op, T>(a[i * run.stepA]);
  }
}

constexpr bool isComparison(BinaryOp op) { return op >= BinaryOp::Eq; }
constexpr bool isBitwise(BinaryOp op) { return op >= BinaryOp::And && op <= BinaryOp::Xor; }
constexpr bool isDivision(BinaryOp op) {
  return op >= BinaryOp::FloorDiv && op <= BinaryOp::Remainder;
}

// TorchScript's names of kernels, for its messages.
const char* kernelName(BinaryOp op) {
  switch (op) {
  case BinaryOp::And:
    return "bitwise_and_cpu";
  case BinaryOp::Or:
    return "bitwise_or_cpu";
  case BinaryOp::Xor:
    return "bitwise_xor_cpu";
  case BinaryOp::FloorDiv:
    return "div_floor_cpu";
  case BinaryOp::TruncDiv:
    return "div_trunc_cpu";
  case BinaryOp::Remainder:
    return "remainder_cpu";
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge:
    break;
  }
  return "kernel";
}

// The loop of an operation on T, or null where there is none.
template <BinaryOp op, class T> constexpr Loop binaryLoopOf() {
  constexpr bool kIsFloat = std::is_floating_point_v<T>, kIsBool = std::is_same_v<T, bool>;
  if constexpr ((op == BinaryOp::Div && !kIsFloat) || (isBitwise(op) && kIsFloat) ||
                (isDivision(op) && kIsBool))
    return nullptr;
  else
    return binaryLoop<op, T>;
}
template <UnaryOp op, class T> constexpr Loop unaryLoopOf() {
  if constexpr (std::is_same_v<T, bool>)
    return nullptr;
  else
    return unaryLoop<op, T>;
}

// Rows by operation, columns by a dtype's number.
constexpr int kColumns = 16;
struct LoopRow {
  Loop of[kColumns]{};
};
template <BinaryOp op> constexpr LoopRow binaryRow() {
  LoopRow row;
#define TINE_DTYPE(id, cpp, name, irName, printName, number)                                       \
  row.of[number] = binaryLoopOf<op, cpp>();
#include "tensor/dtype.def"
  return row;
}
template <UnaryOp op> constexpr LoopRow unaryRow() {
  LoopRow row;
#define TINE_DTYPE(id, cpp, name, irName, printName, number)                                       \
  row.of[number] = unaryLoopOf<op, cpp>();
#include "tensor/dtype.def"
  return row;
}
constexpr LoopRow kBinary[] = {
    binaryRow<BinaryOp::Add>(),       binaryRow<BinaryOp::Sub>(),
    binaryRow<BinaryOp::Mul>(),       binaryRow<BinaryOp::Div>(),
    binaryRow<BinaryOp::FloorDiv>(),  binaryRow<BinaryOp::TruncDiv>(),
    binaryRow<BinaryOp::Remainder>(), binaryRow<BinaryOp::And>(),
    binaryRow<BinaryOp::Or>(),        binaryRow<BinaryOp::Xor>(),
    binaryRow<BinaryOp::Eq>(),        binaryRow<BinaryOp::Ne>(),
    binaryRow<BinaryOp::Lt>(),        binaryRow<BinaryOp::Le>(),
    binaryRow<BinaryOp::Gt>(),        binaryRow<BinaryOp::Ge>(),
};
constexpr LoopRow kUnary[] = {unaryRow<UnaryOp::Neg>(), unaryRow<UnaryOp::Abs>(),
                              unaryRow<UnaryOp::Relu>()};

Loop loopOf(BinaryOp op, DType dtype) {
  const Loop found = kBinary[static_cast<int>(op)].of[static_cast<int>(dtype)];
  if (!found) [[unlikely]]
    raiseNotImplemented(kernelName(op), dtype);
  return found;
}

// The same for two tensors: shapes that do not fit are the first to be said.
Loop loopOf(BinaryOp op, DType dtype, const Tensor& a, const Tensor& b) {
  const Loop found = kBinary[static_cast<int>(op)].of[static_cast<int>(dtype)];
  if (!found) [[unlikely]] {
    broadcastShapes(a.sizes(), b.sizes());
    raiseNotImplemented(kernelName(op), dtype);
  }
  return found;
}

// \pre checkTypes(op, dtype)
Loop loopOf(UnaryOp op, DType dtype) {
  return kUnary[static_cast<int>(op)].of[static_cast<int>(dtype)];
}

// ---- what happens to tensors
// ----------------------------------------------------------------------

// What an operation computes in, and what it gives.
struct Types {
  DType compute, result;
};

Types typesOf(BinaryOp op, DType common) {
  if (isComparison(op)) return {common, DType::Bool};
  if (op == BinaryOp::Div && !isFloating(common)) return {DType::Float32, DType::Float32};
  return {common, common};
}

[[noreturn, gnu::noinline]] void raiseBoolSubtraction(DType a, DType b) {
  if (a == b)
    raise(error_kind::Runtime,
          "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
          "`logical_xor()` operator instead.");
  raise(error_kind::Runtime,
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
        "invert a mask, use the `~` or `logical_not()` operator instead.");
}

void checkTypes(BinaryOp op, DType a, DType b) {
  if (op == BinaryOp::Sub && (a == DType::Bool || b == DType::Bool)) raiseBoolSubtraction(a, b);
}

// May the result be written over this operand? Only if nobody else sees it: neither the tensor nor
// its storage, which must be the tensor's own.
bool isReusable(const Tensor& t, DType result) {
  const TensorImpl* impl = t.impl();
  return impl->refs.unique() && impl->dtype == result && !impl->wrapped &&
         impl->storage == &impl->embedded && !impl->storage->deleter &&
         impl->storage->refs.unique() && isPlainLayout(t);
}

// Results of the operands' common shape and layout, both row-major.
Tensor contiguousResult(const Tensor& a, const Tensor& b, DType result, unsigned dying) {
  if (dying & 1 && isReusable(a, result)) return a;
  if (dying & 2 && isReusable(b, result)) return b;
  return Tensor::emptyLike(a, result);
}

void runOver(Loop loop, const Tensor& out, const Tensor& a, Sizes stridesA, const Tensor& b,
             Sizes stridesB, const void* alpha) {
  const auto size = [](const Tensor& t) { return static_cast<std::int64_t>(itemSize(t.dtype())); };
  const std::int64_t sizeA = size(a), sizeB = size(b), sizeOut = size(out);
  const std::byte *fromA = a.bytes(), *fromB = b.bytes();
  std::byte* to = out.bytes();
  strided<3>(out.sizes(), {out.strides(), stridesA, stridesB},
             [&](const std::array<std::int64_t, 3>& at, const std::array<std::int64_t, 3>& step,
                 std::int64_t n) {
               loop({fromA + at[1] * sizeA, fromB + at[2] * sizeB, to + at[0] * sizeOut, step[1],
                     step[2], step[0], n},
                    alpha);
             });
}

// `alpha` points at a number of the computing type, or is null.
Tensor general(Loop loop, Types types, const Tensor& a, const Tensor& b, const void* alpha) {
  const auto sizes = broadcastShapes(a.sizes(), b.sizes());
  Tensor convertedA, convertedB; // a handle costs more than a reference
  const Tensor& left = a.dtype() == types.compute ? a : convertedA = to(a, types.compute);
  const Tensor& right = b.dtype() == types.compute ? b : convertedB = to(b, types.compute);
  const Tensor out = emptyForPair(sizes, types.result, left, right);
  runOver(loop, out, left, broadcastStrides(left, sizes), right, broadcastStrides(right, sizes),
          alpha);
  return out;
}

// Small tensors spend their time here, so it goes to the headers directly.
bool isPlainPair(const Tensor& a, const Tensor& b) {
  const TensorImpl *x = a.impl(), *y = b.impl();
  if (x->dtype != y->dtype || !x->contiguous || !y->contiguous || x->wrapped || y->wrapped ||
      x->ndim != y->ndim || x->heapDims || y->heapDims)
    return false;
  for (int i = 0; i < x->ndim; ++i)
    if (x->dims[i] != y->dims[i]) return false;
  return true;
}

Tensor plain(Loop loop, Types types, const Tensor& a, const Tensor& b, const void* alpha,
             unsigned dying) {
  Tensor out = contiguousResult(a, b, types.result, dying);
  loop({a.bytes(), b.bytes(), out.bytes(), 1, 1, 1, out.impl()->numel}, alpha);
  return out;
}

void generalInto(Loop loop, Types types, const Tensor& self, const Tensor& b, const void* alpha) {
  checkNoInternalOverlap(self);
  checkNoPartialOverlap(self, b);
  const auto sizes = broadcastShapes(self.sizes(), b.sizes());
  checkWritten(self, sizes, types.result);
  const Tensor right = to(apartFrom(self, b), types.compute);
  const Strides strides = broadcastStrides(right, sizes);
  if (self.dtype() == types.compute && self.dtype() == types.result) {
    runOver(loop, self, self, self.strides(), right, strides, alpha);
    return;
  }
  const Tensor out = Tensor::empty(sizes, types.result), left = to(self, types.compute);
  runOver(loop, out, left, left.strides(), right, strides, alpha);
  copyInto(self, out);
}

void checkAlpha(const IValue& alpha, DType dtype) {
  if (alpha.isBool() && dtype != DType::Bool)
    raise(error_kind::Runtime, "Boolean alpha only supported for Boolean results.");
  if (alpha.isDouble() && !isFloating(dtype))
    raise(error_kind::Runtime,
          "For integral input tensors, argument alpha must not be a floating point number.");
}

bool isOne(const IValue& alpha) {
  return alpha.isInt() ? alpha.toInt() == 1 : alpha.toNumber() == 1;
}

// -alpha, which sub adds with. The smallest int64 is its own negative.
IValue negated(const IValue& alpha) {
  if (alpha.isDouble()) return -alpha.toDouble();
  return static_cast<std::int64_t>(
      0 - static_cast<std::uint64_t>(alpha.isBool() ? alpha.toBool() : alpha.toInt()));
}

// Calls f(loop, types, &alpha) with alpha in the computing type.
template <class F> auto scaled(DType common, const IValue& alpha, bool negate, F f) {
  checkAlpha(alpha, common);
  const IValue factor = negate ? negated(alpha) : alpha;
  return dispatch(common, [&](auto zero) {
    using T = decltype(zero);
    // A negated integer may not fit an unsigned dtype: it wraps.
    const T number =
        negate && factor.isInt() ? convert<T>(factor.toInt()) : checkedNumber<T>(factor);
    return f(scaledLoop<T>, Types{common, common}, &number);
  });
}

Tensor addScaled(const Tensor& a, const Tensor& b, const IValue& alpha, bool negate) {
  return scaled(resultType({a, b}), alpha, negate, [&](Loop loop, Types types, const void* factor) {
    return general(loop, types, a, b, factor);
  });
}
void addScaledInto(const Tensor& self, const Tensor& b, const IValue& alpha, bool negate) {
  checkNoInternalOverlap(self);
  checkNoPartialOverlap(self, b);
  checkWritten(self, broadcastShapes(self.sizes(), b.sizes()), resultType({self, b}));
  scaled(resultType({self, b}), alpha, negate, [&](Loop loop, Types types, const void* factor) {
    generalInto(loop, types, self, b, factor);
  });
}

void checkTypes(UnaryOp op, DType dtype) {
  if (dtype != DType::Bool) return;
  switch (op) {
  case UnaryOp::Neg:
    raise(error_kind::Runtime,
          "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
          "invert a mask, use the `~` or `logical_not()` operator instead.");
  case UnaryOp::Abs:
    raiseNotImplemented("abs_cpu", DType::Bool);
  case UnaryOp::Relu:
    raise(error_kind::Runtime, "Boolean inputs not supported for relu");
  }
}

} // namespace

DType resultType(llvm::ArrayRef<Tensor> operands) {
  std::optional<DType> dimensioned, zeroDim, wrapped;
  const auto join = [](std::optional<DType>& to, DType dtype) {
    to = to ? promote(*to, dtype) : dtype;
  };
  for (const Tensor& t : operands) {
    if (t.dim() > 0)
      join(dimensioned, t.dtype());
    else if (t.isWrappedNumber())
      join(wrapped, isFloating(t.dtype()) ? DType::Float32 : t.dtype());
    else
      join(zeroDim, t.dtype());
  }
  // The higher category decides unless the lower one is of a higher kind: bool, integral, floating.
  const auto combine = [](std::optional<DType> higher, std::optional<DType> lower) {
    if (!higher || !lower) return higher ? higher : lower;
    if (isFloating(*higher)) return higher;
    if (*higher == DType::Bool || isFloating(*lower))
      return std::optional(promote(*higher, *lower));
    return higher;
  };
  const auto result = combine(dimensioned, combine(zeroDim, wrapped));
  TINE_CHECK(result);
  return *result;
}

Tensor wrappedScalar(const IValue& number) {
  if (number.isDouble()) return Tensor::scalar(number.toDouble(), DType::Float64, true);
  if (number.isBool()) return Tensor::scalar(std::int64_t{number.toBool()}, DType::Bool, true);
  return Tensor::scalar(number.toInt(), DType::Int64, true);
}

IValue item(const Tensor& t) {
  if (isFloating(t.dtype())) return t.toDouble();
  const std::int64_t value = t.toInt();
  return t.dtype() == DType::Bool ? IValue(value != 0) : IValue(value);
}

bool truth(const Tensor& t) {
  if (t.numel() != 1)
    raise(error_kind::Runtime,
          t.numel() == 0 ? "Boolean value of Tensor with no values is ambiguous"
                         : "Boolean value of Tensor with more than one value is ambiguous");
  return dispatch(t.dtype(), [&](auto zero) { return convert<bool>(*t.data<decltype(zero)>()); });
}

namespace {
// Apart, so that the common case needs no room for what happens here.
[[gnu::noinline]] Tensor binaryGeneral(BinaryOp op, const Tensor& a, const Tensor& b) {
  const Types types = typesOf(op, resultType({a, b}));
  return general(loopOf(op, types.compute, a, b), types, a, b, nullptr);
}
} // namespace

Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b, unsigned dying) {
  checkTypes(op, a.dtype(), b.dtype());
  if (!isPlainPair(a, b)) return binaryGeneral(op, a, b);
  const Types types = typesOf(op, a.dtype());
  if (types.compute != a.dtype()) return binaryGeneral(op, a, b);
  return plain(loopOf(op, types.compute), types, a, b, nullptr, dying);
}

Tensor binary(BinaryOp op, const Tensor& a, const IValue& b, unsigned dying) {
  const bool floating = isFloating(a.dtype());
  // The common cases need no tensor for the number: it takes the tensor's dtype.
  if (isPlainLayout(a) && !a.isWrappedNumber() && (floating || op != BinaryOp::Div) &&
      (b.isInt() || (b.isDouble() && floating)) && a.dtype() != DType::Bool) {
    const Types types = typesOf(op, a.dtype());
    return dispatch(a.dtype(), [&](auto zero) {
      using T = decltype(zero);
      const T number = b.isInt() ? convert<T>(b.toInt()) : convert<T>(b.toDouble());
      Tensor out = contiguousResult(a, a, types.result, dying & 1);
      loopOf(op, types.compute)(
          {a.bytes(), reinterpret_cast<const std::byte*>(&number), out.bytes(), 1, 0, 1, a.numel()},
          nullptr);
      return out;
    });
  }
  return binary(op, a, wrappedScalar(b));
}

void binaryInto(BinaryOp op, const Tensor& self, const Tensor& b) {
  checkTypes(op, self.dtype(), b.dtype());
  const Types types = typesOf(op, resultType({self, b}));
  const Loop loop = kBinary[static_cast<int>(op)].of[static_cast<int>(types.compute)];
  if (!loop) { // what is wrong with self is the first to be said
    checkNoInternalOverlap(self);
    checkWritten(self, broadcastShapes(self.sizes(), b.sizes()), types.result);
    raiseNotImplemented(kernelName(op), types.compute);
  }
  generalInto(loop, types, self, b, nullptr);
}

void binaryInto(BinaryOp op, const Tensor& self, const IValue& b) {
  binaryInto(op, self, wrappedScalar(b));
}

Tensor add(const Tensor& a, const Tensor& b, const IValue& alpha, unsigned dying) {
  if (alpha.isInt() && alpha.toInt() == 1) return binary(BinaryOp::Add, a, b, dying);
  return addScaled(a, b, alpha, false);
}

Tensor sub(const Tensor& a, const Tensor& b, const IValue& alpha, unsigned dying) {
  checkTypes(BinaryOp::Sub, a.dtype(), b.dtype());
  if (alpha.isInt() && alpha.toInt() == 1) return binary(BinaryOp::Sub, a, b, dying);
  return addScaled(a, b, alpha, true);
}

void addInto(const Tensor& self, const Tensor& b, const IValue& alpha) {
  if (alpha.isInt() && isOne(alpha)) return binaryInto(BinaryOp::Add, self, b);
  addScaledInto(self, b, alpha, false);
}

void subInto(const Tensor& self, const Tensor& b, const IValue& alpha) {
  checkTypes(BinaryOp::Sub, self.dtype(), b.dtype());
  if (alpha.isInt() && isOne(alpha)) return binaryInto(BinaryOp::Sub, self, b);
  addScaledInto(self, b, alpha, true);
}

Tensor unary(UnaryOp op, const Tensor& a, unsigned dying) {
  checkTypes(op, a.dtype());
  const Loop loop = loopOf(op, a.dtype());
  if (a.isContiguous()) {
    Tensor out = contiguousResult(a, a, a.dtype(), dying & 1);
    loop({a.bytes(), nullptr, out.bytes(), 1, 0, 1, a.numel()}, nullptr);
    return out;
  }
  const Tensor out = emptyForPair(a.sizes(), a.dtype(), a, a);
  runOver(loop, out, a, a.strides(), a, a.strides(), nullptr);
  return out;
}

void unaryInto(UnaryOp op, const Tensor& self) {
  checkTypes(op, self.dtype());
  checkNoInternalOverlap(self);
  runOver(loopOf(op, self.dtype()), self, self, self.strides(), self, self.strides(), nullptr);
}

} // namespace tine::kernels
