#include "ops/arguments.h"

#include <algorithm>
#include <cctype>

namespace tine::opkernel {

using kernels::BinaryOp;
using kernels::UnaryOp;

// ---- element by element
// ---------------------------------------------------------------------------

namespace {

void tensors(BinaryOp op, const KernelCall& call) {
  call.setResult(0, kernels::binary(op, call[0].asTensor(), call[1].asTensor(), dying(call)));
}
void withNumber(BinaryOp op, const KernelCall& call) {
  call.setResult(0, kernels::binary(op, call[0].asTensor(), call[1], call.dies(0)));
}
void unary(UnaryOp op, const KernelCall& call) {
  call.setResult(0, kernels::unary(op, call[0].asTensor(), call.dies(0)));
}

bool isOne(const IValue& alpha) { return alpha.isInt() && alpha.toInt() == 1; }

} // namespace

void addTensor(const KernelCall& call) {
  call.setResult(0, kernels::add(call[0].asTensor(), call[1].asTensor(), call[2], dying(call)));
}
void subTensor(const KernelCall& call) {
  call.setResult(0, kernels::sub(call[0].asTensor(), call[1].asTensor(), call[2], dying(call)));
}
void addScalar(const KernelCall& call) {
  if (isOne(call[2])) return withNumber(BinaryOp::Add, call);
  call.setResult(0, kernels::add(call[0].asTensor(), kernels::wrappedScalar(call[1]), call[2]));
}
void subScalar(const KernelCall& call) {
  if (isOne(call[2])) return withNumber(BinaryOp::Sub, call);
  call.setResult(0, kernels::sub(call[0].asTensor(), kernels::wrappedScalar(call[1]), call[2]));
}
void rsubTensor(const KernelCall& call) {
  call.setResult(0, kernels::sub(call[1].asTensor(), call[0].asTensor(), call[2]));
}
void rsubScalar(const KernelCall& call) {
  call.setResult(0, kernels::sub(kernels::wrappedScalar(call[1]), call[0].asTensor(), call[2]));
}
void mulTensor(const KernelCall& call) { tensors(BinaryOp::Mul, call); }
void mulScalar(const KernelCall& call) { withNumber(BinaryOp::Mul, call); }
void divTensor(const KernelCall& call) { tensors(BinaryOp::Div, call); }
void divScalar(const KernelCall& call) { withNumber(BinaryOp::Div, call); }
void divTensorMode(const KernelCall& call) { tensors(divisionOf(call[2]), call); }
void divScalarMode(const KernelCall& call) { withNumber(divisionOf(call[2]), call); }
void floorDivideTensor(const KernelCall& call) { tensors(BinaryOp::FloorDiv, call); }
void floorDivideScalar(const KernelCall& call) { withNumber(BinaryOp::FloorDiv, call); }
void remainderTensor(const KernelCall& call) { tensors(BinaryOp::Remainder, call); }
void remainderScalar(const KernelCall& call) { withNumber(BinaryOp::Remainder, call); }
void andTensor(const KernelCall& call) { tensors(BinaryOp::And, call); }
void andScalar(const KernelCall& call) { withNumber(BinaryOp::And, call); }
void orTensor(const KernelCall& call) { tensors(BinaryOp::Or, call); }
void orScalar(const KernelCall& call) { withNumber(BinaryOp::Or, call); }
void xorTensor(const KernelCall& call) { tensors(BinaryOp::Xor, call); }
void xorScalar(const KernelCall& call) { withNumber(BinaryOp::Xor, call); }
void eqTensor(const KernelCall& call) { tensors(BinaryOp::Eq, call); }
void eqScalar(const KernelCall& call) { withNumber(BinaryOp::Eq, call); }
void neTensor(const KernelCall& call) { tensors(BinaryOp::Ne, call); }
void neScalar(const KernelCall& call) { withNumber(BinaryOp::Ne, call); }
void ltTensor(const KernelCall& call) { tensors(BinaryOp::Lt, call); }
void ltScalar(const KernelCall& call) { withNumber(BinaryOp::Lt, call); }
void leTensor(const KernelCall& call) { tensors(BinaryOp::Le, call); }
void leScalar(const KernelCall& call) { withNumber(BinaryOp::Le, call); }
void gtTensor(const KernelCall& call) { tensors(BinaryOp::Gt, call); }
void gtScalar(const KernelCall& call) { withNumber(BinaryOp::Gt, call); }
void geTensor(const KernelCall& call) { tensors(BinaryOp::Ge, call); }
void geScalar(const KernelCall& call) { withNumber(BinaryOp::Ge, call); }
void negTensor(const KernelCall& call) { unary(UnaryOp::Neg, call); }
void absTensor(const KernelCall& call) { unary(UnaryOp::Abs, call); }
void reluTensor(const KernelCall& call) { unary(UnaryOp::Relu, call); }

// ---- in place
// -------------------------------------------------------------------------------------

void addInPlaceTensor(const KernelCall& call) {
  kernels::addInto(call[0].asTensor(), call[1].asTensor(), call[2]);
  returnSelf(call);
}
void addInPlaceScalar(const KernelCall& call) {
  kernels::addInto(call[0].asTensor(), kernels::wrappedScalar(call[1]), call[2]);
  returnSelf(call);
}
void subInPlaceTensor(const KernelCall& call) {
  kernels::subInto(call[0].asTensor(), call[1].asTensor(), call[2]);
  returnSelf(call);
}
void subInPlaceScalar(const KernelCall& call) {
  kernels::subInto(call[0].asTensor(), kernels::wrappedScalar(call[1]), call[2]);
  returnSelf(call);
}
void mulInPlaceTensor(const KernelCall& call) {
  kernels::binaryInto(BinaryOp::Mul, call[0].asTensor(), call[1].asTensor());
  returnSelf(call);
}
void mulInPlaceScalar(const KernelCall& call) {
  kernels::binaryInto(BinaryOp::Mul, call[0].asTensor(), call[1]);
  returnSelf(call);
}
void divInPlaceTensor(const KernelCall& call) {
  kernels::binaryInto(BinaryOp::Div, call[0].asTensor(), call[1].asTensor());
  returnSelf(call);
}
void divInPlaceScalar(const KernelCall& call) {
  kernels::binaryInto(BinaryOp::Div, call[0].asTensor(), call[1]);
  returnSelf(call);
}
void negInPlace(const KernelCall& call) {
  kernels::unaryInto(UnaryOp::Neg, call[0].asTensor());
  returnSelf(call);
}
void absInPlace(const KernelCall& call) {
  kernels::unaryInto(UnaryOp::Abs, call[0].asTensor());
  returnSelf(call);
}
void reluInPlace(const KernelCall& call) {
  kernels::unaryInto(UnaryOp::Relu, call[0].asTensor());
  returnSelf(call);
}
void fillInPlaceScalar(const KernelCall& call) {
  kernels::fill(call[0].asTensor(), call[1], true);
  returnSelf(call);
}
void fillInPlaceTensor(const KernelCall& call) {
  const Tensor& value = call[1].asTensor();
  if (value.dim() != 0)
    raise(error_kind::Runtime, "fill_ only supports 0-dimension value tensor but got tensor with " +
                                   std::to_string(value.dim()) + " dimensions.");
  kernels::fill(call[0].asTensor(), kernels::item(value), true);
  returnSelf(call);
}
void zeroInPlace(const KernelCall& call) {
  kernels::fill(call[0].asTensor(), 0, true);
  returnSelf(call);
}
void copyInPlace(const KernelCall& call) {
  kernels::copyInto(call[0].asTensor(), call[1].asTensor());
  returnSelf(call);
}
void copyInPlaceTensor(const KernelCall& call) { copyInPlace(call); }
void copyInPlaceNumber(const KernelCall& call) { fillInPlaceScalar(call); }

// ---- joining, reducing, products
// ------------------------------------------------------------------

void cat(const KernelCall& call) {
  call.setResult(0, kernels::cat(tensors(call[0]), call[1].toInt()));
}
void stack(const KernelCall& call) {
  call.setResult(0, kernels::stack(tensors(call[0]), call[1].toInt()));
}
void sum(const KernelCall& call) {
  call.setResult(0, kernels::sum(call[0].asTensor(), optionalDtype(call[1])));
}
void sumDims(const KernelCall& call) {
  const auto dims = call[1].isNone() ? llvm::SmallVector<std::int64_t, 6>() : ints(call[1]);
  call.setResult(0,
                 kernels::sum(call[0].asTensor(), dims, call[2].toBool(), optionalDtype(call[3])));
}
void mm(const KernelCall& call) {
  call.setResult(0, kernels::mm(call[0].asTensor(), call[1].asTensor()));
}
void matmul(const KernelCall& call) {
  call.setResult(0, kernels::matmul(call[0].asTensor(), call[1].asTensor()));
}

// ---- making
// ---------------------------------------------------------------------------------------

namespace {
DType dtypeOf(const IValue& number) {
  return number.isDouble() ? DType::Float32 : number.isBool() ? DType::Bool : DType::Int64;
}
} // namespace

void zeros(const KernelCall& call) {
  const auto dtype = factoryDtype(call, 1);
  call.setResult(0, kernels::zeros(ints(call[0]), dtype.value_or(DType::Float32)));
}
void ones(const KernelCall& call) {
  const auto dtype = factoryDtype(call, 1);
  call.setResult(0, kernels::ones(ints(call[0]), dtype.value_or(DType::Float32)));
}
void full(const KernelCall& call) {
  const auto dtype = factoryDtype(call, 2);
  call.setResult(0, kernels::full(ints(call[0]), call[1], dtype.value_or(dtypeOf(call[1]))));
}
void zerosLike(const KernelCall& call) {
  const Tensor& t = call[0].asTensor();
  call.setResult(0, kernels::fullLike(t, 0, factoryDtype(call, 1).value_or(t.dtype())));
}
void onesLike(const KernelCall& call) {
  const Tensor& t = call[0].asTensor();
  call.setResult(0, kernels::fullLike(t, 1, factoryDtype(call, 1).value_or(t.dtype())));
}
void fullLike(const KernelCall& call) {
  const Tensor& t = call[0].asTensor();
  call.setResult(0, kernels::fullLike(t, call[1], factoryDtype(call, 2).value_or(t.dtype())));
}
void arangeEnd(const KernelCall& call) {
  call.setResult(0, kernels::arange(0, call[0], 1, factoryDtype(call, 1)));
}
void arangeStart(const KernelCall& call) {
  call.setResult(0, kernels::arange(call[0], call[1], 1, factoryDtype(call, 2)));
}
void arangeStep(const KernelCall& call) {
  call.setResult(0, kernels::arange(call[0], call[1], call[2], factoryDtype(call, 3)));
}
void tensorOf(const KernelCall& call) {
  checkDevice(call[2]);
  const IValue* first = &call[0];
  while (first->isList() && !first->toList().items.empty()) first = &first->toList().items[0];
  if (first->isTensor() || first->isString())
    raise(error_kind::Type, std::string("Input must be of ints, floats, or bools, got ") +
                                (first->isTensor() ? "Tensor" : "str"));
  call.setResult(0, kernels::fromData(call[0], optionalDtype(call[1])));
}

namespace {
// 0 contiguous, 1 preserve; the channels-last formats do not exist here.
void checkMemoryFormat(const IValue& format) {
  if (format.isInt() && format.toInt() > 1)
    raise(error_kind::NotImplemented,
          "there is no memory format " + std::to_string(format.toInt()) + " but row-major");
}
void convertTo(const KernelCall& call, DType dtype, bool copy, const IValue& format) {
  checkMemoryFormat(format);
  const Tensor& t = call[0].asTensor();
  call.setResult(0, copy && t.dtype() == dtype ? kernels::copy(t) : kernels::to(t, dtype));
}
} // namespace

void clone(const KernelCall& call) {
  checkMemoryFormat(call[1]);
  const Tensor& t = call[0].asTensor();
  call.setResult(0, call[1].isInt() && call[1].toInt() == 0 ? t.clone() : kernels::copy(t));
}
void toDtype(const KernelCall& call) { convertTo(call, dtype(call[1]), call[3].toBool(), call[4]); }
void toDevice(const KernelCall& call) {
  checkDevice(call[1]);
  convertTo(call, dtype(call[2]), call[4].toBool(), call[5]);
}
void toOther(const KernelCall& call) {
  convertTo(call, call[1].asTensor().dtype(), call[3].toBool(), call[4]);
}
void toPrimDevice(const KernelCall& call) {
  checkDevice(call[1]);
  convertTo(call, optionalDtype(call[2]).value_or(call[0].asTensor().dtype()), call[4].toBool(),
            IValue());
}
void toPrimDtype(const KernelCall& call) {
  convertTo(call, optionalDtype(call[1]).value_or(call[0].asTensor().dtype()), call[3].toBool(),
            IValue());
}

// ---- views
// ----------------------------------------------------------------------------------------

void selectTensor(const KernelCall& call) {
  call.setResult(0, kernels::select(call[0].asTensor(), call[1].toInt(), call[2].toInt()));
}
void sliceTensor(const KernelCall& call) {
  call.setResult(0, kernels::slice(call[0].asTensor(), call[1].toInt(), optionalInt(call[2]),
                                   optionalInt(call[3]), call[4].toInt()));
}
void view(const KernelCall& call) {
  call.setResult(0, kernels::view(call[0].asTensor(), ints(call[1])));
}
void reshape(const KernelCall& call) {
  call.setResult(0, kernels::reshape(call[0].asTensor(), ints(call[1])));
}
void transpose(const KernelCall& call) {
  call.setResult(0, kernels::transpose(call[0].asTensor(), call[1].toInt(), call[2].toInt()));
}
void transposeMatrix(const KernelCall& call) {
  const Tensor& t = call[0].asTensor();
  if (t.dim() > 2)
    raise(error_kind::Runtime, "t() expects a tensor with <= 2 dimensions, but self is " +
                                   std::to_string(t.dim()) + "D");
  call.setResult(0, kernels::transpose(t, 0, t.dim() < 2 ? 0 : 1));
}
void permute(const KernelCall& call) {
  call.setResult(0, kernels::permute(call[0].asTensor(), ints(call[1])));
}
void unsqueeze(const KernelCall& call) {
  call.setResult(0, kernels::unsqueeze(call[0].asTensor(), call[1].toInt()));
}
void squeeze(const KernelCall& call) { call.setResult(0, kernels::squeeze(call[0].asTensor())); }
void squeezeDim(const KernelCall& call) {
  call.setResult(0, kernels::squeeze(call[0].asTensor(), call[1].toInt()));
}
void expand(const KernelCall& call) {
  call.setResult(0, kernels::expand(call[0].asTensor(), ints(call[1])));
}
void expandAs(const KernelCall& call) {
  call.setResult(0, kernels::expand(call[0].asTensor(), call[1].asTensor().sizes()));
}
void contiguous(const KernelCall& call) {
  checkMemoryFormat(call[1]);
  call.setResult(0, call[0].asTensor().contiguous());
}
void detach(const KernelCall& call) {
  const Tensor& t = call[0].asTensor();
  call.setResult(0, t.asStrided(t.sizes(), t.strides(), t.offset()));
}

// ---- what is known of a tensor
// --------------------------------------------------------------------

void sizes(const KernelCall& call) {
  const auto all = call[0].asTensor().sizes();
  call.setResult(0, IValue::list(std::vector<IValue>(all.begin(), all.end())));
}
void sizeOfDim(const KernelCall& call) {
  const Tensor& t = call[0].asTensor();
  if (t.dim() == 0)
    raise(error_kind::Index, "Dimension specified as " + std::to_string(call[1].toInt()) +
                                 " but tensor has no dimensions");
  const std::int64_t d = kernels::wrapDim(call[1].toInt(), t.dim());
  call.setResult(0, t.sizes()[static_cast<std::size_t>(d)]);
}
void dim(const KernelCall& call) { call.setResult(0, call[0].asTensor().dim()); }
void numel(const KernelCall& call) { call.setResult(0, call[0].asTensor().numel()); }
void lenTensor(const KernelCall& call) {
  const Tensor& t = call[0].asTensor();
  if (t.dim() == 0) raise(error_kind::Type, "len() of a 0-d tensor");
  call.setResult(0, t.sizes()[0]);
}
void isFloatingPoint(const KernelCall& call) {
  call.setResult(0, isFloating(call[0].asTensor().dtype()));
}
void dtype(const KernelCall& call) {
  call.setResult(0, static_cast<std::int64_t>(call[0].asTensor().dtype()));
}
void deviceOf(const KernelCall& call) {
  call[0].asTensor();
  call.setResult(0, IValue::device(Device().code()));
}
namespace {
[[noreturn]] void raiseNoDevice(llvm::StringRef text) {
  if (text.empty()) raise(error_kind::Value, "Device string must not be empty");
  const bool word = std::all_of(text.begin(), text.end(),
                                [](char c) { return std::islower(static_cast<unsigned char>(c)); });
  if (!word) raise(error_kind::Value, "Invalid device string: '" + text.str() + "'");
  raise(error_kind::Value,
        "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, ort, "
        "xla, lazy, vulkan, mps, meta, hpu, privateuseone device type at start of device string: " +
            text.str());
}
} // namespace
void deviceNamed(const KernelCall& call) {
  const auto device = deviceFromName(call[0].toStringRef());
  if (!device) raiseNoDevice(call[0].toStringRef());
  call.setResult(0, IValue::device(device->code()));
}

// ---- numbers
// --------------------------------------------------------------------------------------

void toInt(const KernelCall& call) { call.setResult(0, call[0].asTensor().toInt()); }
void toFloat(const KernelCall& call) { call.setResult(0, call[0].asTensor().toDouble()); }
void toBool(const KernelCall& call) { call.setResult(0, kernels::truth(call[0].asTensor())); }
void item(const KernelCall& call) { call.setResult(0, kernels::item(call[0].asTensor())); }

namespace {
/// What prim::tolist calls the types of numbers.
enum ListOf : std::int64_t { Ints = 0, Floats = 1, Bools = 2 };
ListOf listOf(DType dtype) {
  return dtype == DType::Bool ? Bools : isFloating(dtype) ? Floats : Ints;
}
} // namespace

/// Ints of any size and floats of any are taken, as Python does.
void toList(const KernelCall& call) {
  const Tensor t = call[0].asTensor().contiguous();
  const auto mustMatch = [](const char* annotated, const char* actual) {
    raise(error_kind::Runtime, std::string("Output annotation ") + annotated +
                                   " and runtime tensor " + actual + " must match for tolist()");
  };
  if (call[1].toInt() != t.dim()) mustMatch("list dimension", "dimension");
  if (call[2].toInt() != listOf(t.dtype())) mustMatch("element type", "element type");
  std::vector<IValue> items(static_cast<std::size_t>(t.numel()));
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = t.data<T>();
    for (IValue& item : items)
      if constexpr (std::same_as<T, bool>)
        item = IValue(*from++);
      else if constexpr (std::floating_point<T>)
        item = IValue(static_cast<double>(*from++));
      else
        item = IValue(static_cast<std::int64_t>(*from++));
  });
  // From the innermost dimension on, each list takes its part of them.
  for (int d = t.dim(); d-- > 0;) {
    std::size_t lists = 1;
    for (const std::int64_t size : t.sizes().take_front(static_cast<std::size_t>(d)))
      lists *= static_cast<std::size_t>(size);
    const auto size = static_cast<std::size_t>(t.sizes()[static_cast<std::size_t>(d)]);
    std::vector<IValue> outer;
    outer.reserve(lists);
    for (std::size_t i = 0; i < lists; ++i) {
      const auto begin =
          std::make_move_iterator(items.begin() + static_cast<std::ptrdiff_t>(i * size));
      outer.push_back(
          IValue::list(std::vector<IValue>(begin, begin + static_cast<std::ptrdiff_t>(size))));
    }
    items = std::move(outer);
  }
  call.setResult(0, std::move(items.front()));
}

namespace {
const Tensor& zeroDim(const IValue& value) {
  const Tensor& t = value.asTensor();
  if (t.dim() != 0)
    raise(error_kind::Runtime,
          "Cannot input a tensor of dimension other than 0 as a scalar argument");
  return t;
}
} // namespace

void scalarImplicit(const KernelCall& call) { call.setResult(0, kernels::item(zeroDim(call[0]))); }
void intImplicit(const KernelCall& call) {
  const Tensor& t = zeroDim(call[0]);
  if (!isIntegral(t.dtype()))
    raise(error_kind::Runtime, "Cannot input a tensor of type " + printName(t.dtype()).str() +
                                   " as an integral argument");
  call.setResult(0, t.toInt());
}
void floatImplicit(const KernelCall& call) { call.setResult(0, zeroDim(call[0]).toDouble()); }
void numToTensor(const KernelCall& call) {
  const IValue& number = call[0];
  call.setResult(0, number.isDouble() ? Tensor::scalar(number.toDouble(), DType::Float64)
                    : number.isBool() ? Tensor::scalar(std::int64_t{number.toBool()}, DType::Bool)
                                      : Tensor::scalar(number.toInt()));
}

} // namespace tine::opkernel
