#include "ops/arguments.h"
#include "tensor/functions.h"

// Reductions, softmax, products, parts, shapes, indices.
namespace tine::opkernel {

namespace {

using Dims = llvm::SmallVector<std::int64_t, 6>;

const Tensor& tensor(const KernelCall& call, std::uint32_t i) { return call[i].asTensor(); }
Dims optionalInts(const IValue& value) { return value.isNone() ? Dims() : ints(value); }
Tensor optionalTensor(const IValue& value) { return value.isNone() ? Tensor() : value.toTensor(); }

void setList(const KernelCall& call, std::vector<Tensor> parts) {
  std::vector<IValue> items;
  items.reserve(parts.size());
  for (Tensor& part : parts) items.emplace_back(std::move(part));
  call.setResult(0, IValue::list(std::move(items)));
}
void setPair(const KernelCall& call, std::pair<Tensor, Tensor> pair) {
  call.setResult(0, std::move(pair.first));
  call.setResult(1, std::move(pair.second));
}
void needElements(const Tensor& t, const char* name) {
  if (t.numel() == 0)
    raise(error_kind::Runtime, std::string(name) + "(): Expected reduction dim to be specified for "
                                                   "input.numel() == 0. Specify the reduction dim "
                                                   "with the 'dim' argument.");
}

} // namespace

// ---- reductions ----

void mean(const KernelCall& call) {
  call.setResult(0, kernels::mean(tensor(call, 0), {}, false, optionalDtype(call[1])));
}
void meanDims(const KernelCall& call) {
  call.setResult(0, kernels::mean(tensor(call, 0), optionalInts(call[1]), call[2].toBool(),
                                  optionalDtype(call[3])));
}
void prod(const KernelCall& call) {
  call.setResult(0, kernels::prod(tensor(call, 0), std::nullopt, false, optionalDtype(call[1])));
}
void prodDim(const KernelCall& call) {
  call.setResult(
      0, kernels::prod(tensor(call, 0), call[1].toInt(), call[2].toBool(), optionalDtype(call[3])));
}
void maxAll(const KernelCall& call) {
  needElements(tensor(call, 0), "max");
  call.setResult(0, kernels::extreme(tensor(call, 0), {}, false, true));
}
void minAll(const KernelCall& call) {
  needElements(tensor(call, 0), "min");
  call.setResult(0, kernels::extreme(tensor(call, 0), {}, false, false));
}
void maxDim(const KernelCall& call) {
  setPair(call, kernels::extremeAt(tensor(call, 0), call[1].toInt(), call[2].toBool(), true));
}
void minDim(const KernelCall& call) {
  setPair(call, kernels::extremeAt(tensor(call, 0), call[1].toInt(), call[2].toBool(), false));
}
namespace {
Tensor extremeOver(const KernelCall& call, bool largest) {
  const Tensor& t = tensor(call, 0);
  const Dims dims = ints(call[1]);
  const char* name = largest ? "amax" : "amin";
  if (dims.empty()) needElements(t, name);
  for (const std::int64_t dim : dims) {
    const std::int64_t d = kernels::wrapDim(dim, t.dim());
    if (t.dim() && t.sizes()[static_cast<std::size_t>(d)] == 0)
      raise(error_kind::Index, std::string(name) + "(): Expected reduction dim " +
                                   std::to_string(dim) + " to have non-zero size.");
  }
  return kernels::extreme(t, dims, call[2].toBool(), largest);
}
} // namespace
void amax(const KernelCall& call) { call.setResult(0, extremeOver(call, true)); }
void amin(const KernelCall& call) { call.setResult(0, extremeOver(call, false)); }
void argmax(const KernelCall& call) {
  call.setResult(
      0, kernels::argExtreme(tensor(call, 0), optionalInt(call[1]), call[2].toBool(), true));
}
void argmin(const KernelCall& call) {
  call.setResult(
      0, kernels::argExtreme(tensor(call, 0), optionalInt(call[1]), call[2].toBool(), false));
}
void anyAll(const KernelCall& call) {
  call.setResult(0, kernels::anyOrAll(tensor(call, 0), std::nullopt, false, true));
}
void anyDim(const KernelCall& call) {
  call.setResult(0, kernels::anyOrAll(tensor(call, 0), call[1].toInt(), call[2].toBool(), true));
}
void allAll(const KernelCall& call) {
  call.setResult(0, kernels::anyOrAll(tensor(call, 0), std::nullopt, false, false));
}
void allDim(const KernelCall& call) {
  call.setResult(0, kernels::anyOrAll(tensor(call, 0), call[1].toInt(), call[2].toBool(), false));
}
#define TINE_SPREAD(id, root)                                                                      \
  void id(const KernelCall& call) {                                                                \
    call.setResult(0, kernels::variance(tensor(call, 0), {}, call[1].toBool(), false, root));      \
  }                                                                                                \
  void id##Dims(const KernelCall& call) {                                                          \
    call.setResult(0, kernels::variance(tensor(call, 0), optionalInts(call[1]), call[2].toBool(),  \
                                        call[3].toBool(), root));                                  \
  }                                                                                                \
  void id##Correction(const KernelCall& call) {                                                    \
    call.setResult(0,                                                                              \
                   kernels::variance(tensor(call, 0), optionalInts(call[1]),                       \
                                     optionalInt(call[2]).value_or(1), call[3].toBool(), root));   \
  }
TINE_SPREAD(var, false)
TINE_SPREAD(deviation, true)
#undef TINE_SPREAD

namespace {
// Variance (or its root) and mean. The correction is 1 when nothing is said.
void spreadAndMean(const KernelCall& call, const Dims& dims, std::int64_t correction, bool keepDim,
                   bool root) {
  const Tensor& t = tensor(call, 0);
  if (!isFloating(t.dtype()))
    raise(error_kind::Runtime, std::string(root ? "std" : "var") +
                                   "_mean only support floating point and complex dtypes");
  setPair(call, {kernels::variance(t, dims, correction, keepDim, root),
                 kernels::mean(t, dims, keepDim, std::nullopt)});
}
} // namespace
#define TINE_SPREAD(id, root)                                                                      \
  void id##Mean(const KernelCall& call) {                                                          \
    spreadAndMean(call, {}, call[1].toBool(), false, root);                                        \
  }                                                                                                \
  void id##MeanDims(const KernelCall& call) {                                                      \
    spreadAndMean(call, optionalInts(call[1]), call[2].toBool(), call[3].toBool(), root);          \
  }                                                                                                \
  void id##MeanCorrection(const KernelCall& call) {                                                \
    spreadAndMean(call, optionalInts(call[1]), optionalInt(call[2]).value_or(1), call[3].toBool(), \
                  root);                                                                           \
  }
TINE_SPREAD(var, false)
TINE_SPREAD(deviation, true)
#undef TINE_SPREAD

void outer(const KernelCall& call) {
  for (std::uint32_t i = 0; i < 2; ++i)
    if (tensor(call, i).dim() != 1)
      raise(error_kind::Runtime, std::string("outer: Expected 1-D argument ") +
                                     (i ? "vec2" : "self") + ", but got " +
                                     std::to_string(tensor(call, i).dim()) + "-D");
  call.setResult(0, kernels::binary(kernels::BinaryOp::Mul, kernels::unsqueeze(tensor(call, 0), 1),
                                    tensor(call, 1)));
}
void norm(const KernelCall& call) {
  call.setResult(0, kernels::norm(tensor(call, 0), call[1].toNumber(), {}, false, std::nullopt));
}
void normDims(const KernelCall& call) {
  call.setResult(0, kernels::norm(tensor(call, 0), call[1].isNone() ? 2 : call[1].toNumber(),
                                  ints(call[2]), call[3].toBool(), std::nullopt));
}
void logSumExp(const KernelCall& call) {
  call.setResult(0, kernels::logSumExp(tensor(call, 0), ints(call[1]), call[2].toBool()));
}
void cumsum(const KernelCall& call) {
  call.setResult(
      0, kernels::cumulative(tensor(call, 0), call[1].toInt(), optionalDtype(call[2]), false));
}
void cumprod(const KernelCall& call) {
  call.setResult(
      0, kernels::cumulative(tensor(call, 0), call[1].toInt(), optionalDtype(call[2]), true));
}
void softmax(const KernelCall& call) {
  call.setResult(0,
                 kernels::softmax(tensor(call, 0), call[1].toInt(), optionalDtype(call[2]), false));
}
void logSoftmax(const KernelCall& call) {
  call.setResult(0,
                 kernels::softmax(tensor(call, 0), call[1].toInt(), optionalDtype(call[2]), true));
}
void sortTensor(const KernelCall& call) {
  setPair(call, kernels::sort(tensor(call, 0), call[1].toInt(), call[2].toBool()));
}
void argsort(const KernelCall& call) {
  call.setResult(0, kernels::sort(tensor(call, 0), call[1].toInt(), call[2].toBool()).second);
}

// ---- products ----

void bmm(const KernelCall& call) {
  call.setResult(0, kernels::bmm(tensor(call, 0), tensor(call, 1)));
}
void mv(const KernelCall& call) {
  call.setResult(0, kernels::mv(tensor(call, 0), tensor(call, 1)));
}
void dot(const KernelCall& call) {
  call.setResult(0, kernels::dot(tensor(call, 0), tensor(call, 1)));
}
void addmm(const KernelCall& call) {
  call.setResult(
      0, kernels::addmm(tensor(call, 0), tensor(call, 1), tensor(call, 2), call[3], call[4]));
}
void linear(const KernelCall& call) {
  call.setResult(0, kernels::linear(tensor(call, 0), tensor(call, 1), optionalTensor(call[2])));
}

// ---- parts ----

void splitSize(const KernelCall& call) {
  setList(call, kernels::split(tensor(call, 0), call[1].toInt(), call[2].toInt()));
}
void splitSizes(const KernelCall& call) {
  setList(call, kernels::split(tensor(call, 0), ints(call[1]), call[2].toInt()));
}
void chunk(const KernelCall& call) {
  setList(call, kernels::chunk(tensor(call, 0), call[1].toInt(), call[2].toInt()));
}
void unbind(const KernelCall& call) {
  setList(call, kernels::unbind(tensor(call, 0), call[1].toInt()));
}
void tensorSplitSections(const KernelCall& call) {
  setList(call, kernels::tensorSplit(tensor(call, 0), call[1].toInt(), call[2].toInt()));
}
void tensorSplitIndices(const KernelCall& call) {
  setList(call, kernels::tensorSplit(tensor(call, 0), ints(call[1]), call[2].toInt()));
}
void narrow(const KernelCall& call) {
  call.setResult(
      0, kernels::narrow(tensor(call, 0), call[1].toInt(), call[2].toInt(), call[3].toInt()));
}
namespace {
// Each with `dims` dimensions at least.
std::vector<Tensor> atLeast(const IValue& list, int dims) {
  std::vector<Tensor> out = tensors(list);
  for (Tensor& t : out)
    while (t.dim() < dims) t = kernels::unsqueeze(t, 0);
  return out;
}
} // namespace
void hstack(const KernelCall& call) {
  const auto parts = atLeast(call[0], 1);
  if (parts.empty()) raise(error_kind::Runtime, "hstack expects a non-empty TensorList");
  call.setResult(0, kernels::cat(parts, parts[0].dim() == 1 ? 0 : 1));
}
void vstack(const KernelCall& call) {
  const auto parts = atLeast(call[0], 2);
  if (parts.empty()) raise(error_kind::Runtime, "vstack expects a non-empty TensorList");
  call.setResult(0, kernels::cat(parts, 0));
}

// ---- views and copies in another shape ----

void flatten(const KernelCall& call) {
  call.setResult(0, kernels::flatten(tensor(call, 0), call[1].toInt(), call[2].toInt()));
}
void unflatten(const KernelCall& call) {
  call.setResult(0, kernels::unflatten(tensor(call, 0), call[1].toInt(), ints(call[2])));
}
void viewAs(const KernelCall& call) {
  call.setResult(0, kernels::view(tensor(call, 0), tensor(call, 1).sizes()));
}
void reshapeAs(const KernelCall& call) {
  call.setResult(0, kernels::reshape(tensor(call, 0), tensor(call, 1).sizes()));
}
void ravel(const KernelCall& call) {
  call.setResult(0, kernels::reshape(tensor(call, 0).contiguous(), {-1}));
}
void diagonal(const KernelCall& call) {
  call.setResult(
      0, kernels::diagonal(tensor(call, 0), call[1].toInt(), call[2].toInt(), call[3].toInt()));
}
void moveDims(const KernelCall& call) {
  call.setResult(0, kernels::moveDims(tensor(call, 0), ints(call[1]), ints(call[2])));
}
void numpyT(const KernelCall& call) {
  const Tensor& t = tensor(call, 0);
  Dims order;
  for (int i = t.dim(); i-- > 0;) order.push_back(i);
  call.setResult(0, kernels::permute(t, order));
}
void broadcastTo(const KernelCall& call) {
  call.setResult(0, kernels::expand(tensor(call, 0), ints(call[1])));
}
void broadcastTensors(const KernelCall& call) {
  std::vector<Tensor> all = tensors(call[0]);
  Dims sizes;
  for (const Tensor& t : all) sizes = broadcastShapes(sizes, t.sizes());
  for (Tensor& t : all) t = kernels::expand(t, sizes);
  setList(call, std::move(all));
}
void repeat(const KernelCall& call) {
  call.setResult(0, kernels::repeat(tensor(call, 0), ints(call[1])));
}
void tile(const KernelCall& call) {
  const Tensor& t = tensor(call, 0);
  Dims times = ints(call[1]);
  while (static_cast<int>(times.size()) < t.dim()) times.insert(times.begin(), 1);
  call.setResult(0, kernels::repeat(t, times));
}
void flip(const KernelCall& call) {
  call.setResult(0, kernels::flip(tensor(call, 0), ints(call[1])));
}
void roll(const KernelCall& call) {
  call.setResult(0, kernels::roll(tensor(call, 0), ints(call[1]), ints(call[2])));
}
void triu(const KernelCall& call) {
  call.setResult(0, kernels::triangle(tensor(call, 0), call[1].toInt(), true));
}
void tril(const KernelCall& call) {
  call.setResult(0, kernels::triangle(tensor(call, 0), call[1].toInt(), false));
}
void asStrided(const KernelCall& call) {
  const Tensor& t = tensor(call, 0);
  const Dims sizes = ints(call[1]), strides = ints(call[2]);
  const std::int64_t offset = optionalInt(call[3]).value_or(t.offset());
  try {
    call.setResult(0, t.asStrided(sizes, strides, offset));
  } catch (const RuntimeError&) {
    // TorchScript's text, when the number of bytes can be said.
    const auto size = static_cast<std::int64_t>(itemSize(t.dtype()));
    std::int64_t needed = offset;
    bool sayable = sizes.size() == strides.size() && offset >= 0;
    for (std::size_t i = 0; sayable && i < sizes.size(); ++i) {
      std::int64_t span = 0;
      sayable = sizes[i] > 0 && strides[i] >= 0 &&
                !__builtin_mul_overflow(sizes[i] - 1, strides[i], &span) &&
                !__builtin_add_overflow(needed, span, &needed);
    }
    if (!sayable || __builtin_add_overflow(needed, 1, &needed) ||
        __builtin_mul_overflow(needed, size, &needed))
      throw;
    raise(error_kind::Runtime,
          "setStorage: sizes " + shapeStr(sizes) + ", strides " + shapeStr(strides) +
              ", storage offset " + std::to_string(offset) + ", and itemsize " +
              std::to_string(size) + " requiring a storage size of " + std::to_string(needed) +
              " are out of bounds for storage of size " + std::to_string(t.impl()->storage->bytes));
  }
}
void strides(const KernelCall& call) {
  const auto all = tensor(call, 0).strides();
  call.setResult(0, IValue::list(std::vector<IValue>(all.begin(), all.end())));
}
void strideOfDim(const KernelCall& call) {
  const Tensor& t = tensor(call, 0);
  if (t.dim() == 0)
    raise(error_kind::Index, "Dimension specified as " + std::to_string(call[1].toInt()) +
                                 " but tensor has no dimensions");
  call.setResult(0,
                 t.strides()[static_cast<std::size_t>(kernels::wrapDim(call[1].toInt(), t.dim()))]);
}
void typeAs(const KernelCall& call) {
  call.setResult(0, kernels::to(tensor(call, 0), tensor(call, 1).dtype()));
}

// ---- indices ----

namespace {
std::vector<Tensor> indices(const IValue& list) {
  std::vector<Tensor> out;
  for (const IValue& item : list.toList().items) out.push_back(optionalTensor(item));
  return out;
}
Tensor sourceOf(const IValue& value) {
  return value.isTensor() ? value.toTensor() : kernels::wrappedScalar(value);
}
} // namespace

void index(const KernelCall& call) {
  call.setResult(0, kernels::index(tensor(call, 0), indices(call[1])));
}
void indexPut(const KernelCall& call) {
  const Tensor out = kernels::copy(tensor(call, 0));
  kernels::indexPut(out, indices(call[1]), tensor(call, 2), call[3].toBool());
  call.setResult(0, out);
}
void indexPutInPlace(const KernelCall& call) {
  kernels::indexPut(tensor(call, 0), indices(call[1]), tensor(call, 2), call[3].toBool());
  returnSelf(call);
}
void indexSelect(const KernelCall& call) {
  call.setResult(0, kernels::indexSelect(tensor(call, 0), call[1].toInt(), tensor(call, 2)));
}
void gather(const KernelCall& call) {
  call.setResult(0, kernels::gather(tensor(call, 0), call[1].toInt(), tensor(call, 2)));
}
void scatter(const KernelCall& call) {
  const Tensor out = tensor(call, 0).clone();
  kernels::scatter(out, call[1].toInt(), tensor(call, 2), sourceOf(call[3]),
                   kernels::ScatterMode::Set);
  call.setResult(0, out);
}
void scatterInPlace(const KernelCall& call) {
  kernels::scatter(tensor(call, 0), call[1].toInt(), tensor(call, 2), sourceOf(call[3]),
                   kernels::ScatterMode::Set);
  returnSelf(call);
}
void scatterAdd(const KernelCall& call) {
  const Tensor out = tensor(call, 0).clone();
  kernels::scatter(out, call[1].toInt(), tensor(call, 2), tensor(call, 3),
                   kernels::ScatterMode::Add);
  call.setResult(0, out);
}
void scatterAddInPlace(const KernelCall& call) {
  kernels::scatter(tensor(call, 0), call[1].toInt(), tensor(call, 2), tensor(call, 3),
                   kernels::ScatterMode::Add);
  returnSelf(call);
}
void nonzero(const KernelCall& call) { call.setResult(0, kernels::nonzero(tensor(call, 0))); }
void whereNonzero(const KernelCall& call) {
  Tensor t = tensor(call, 0);
  if (t.dim() == 0) t = kernels::unsqueeze(t, 0);
  setList(call, kernels::unbind(kernels::nonzero(t), 1));
}
void maskedSelect(const KernelCall& call) {
  call.setResult(0, kernels::maskedSelect(tensor(call, 0), tensor(call, 1)));
}
void take(const KernelCall& call) {
  call.setResult(0, kernels::take(tensor(call, 0), tensor(call, 1)));
}

// ---- making ----

namespace {
DType dtypeFor(const KernelCall& call, std::uint32_t at, DType otherwise) {
  checkDevice(call[at + 2]);
  return optionalDtype(call[at]).value_or(otherwise);
}
} // namespace
void empty(const KernelCall& call) { // zeros: no program can tell what was there before
  call.setResult(0, kernels::zeros(ints(call[0]), dtypeFor(call, 1, DType::Float32)));
}
void emptyLike(const KernelCall& call) {
  const Tensor& t = tensor(call, 0);
  call.setResult(0, kernels::fullLike(t, 0, dtypeFor(call, 1, t.dtype())));
}
void newZeros(const KernelCall& call) {
  call.setResult(0, kernels::zeros(ints(call[1]), dtypeFor(call, 2, tensor(call, 0).dtype())));
}
void newOnes(const KernelCall& call) {
  call.setResult(0, kernels::ones(ints(call[1]), dtypeFor(call, 2, tensor(call, 0).dtype())));
}
void newFull(const KernelCall& call) {
  call.setResult(0,
                 kernels::full(ints(call[1]), call[2], dtypeFor(call, 3, tensor(call, 0).dtype())));
}
void linspace(const KernelCall& call) {
  call.setResult(
      0, kernels::linspace(call[0], call[1], call[2].toInt(), dtypeFor(call, 3, DType::Float32)));
}
void eye(const KernelCall& call) {
  const std::int64_t n = call[0].toInt();
  call.setResult(0, kernels::eye(n, n, dtypeFor(call, 1, DType::Float32)));
}
void eyeRectangle(const KernelCall& call) {
  call.setResult(0,
                 kernels::eye(call[0].toInt(), call[1].toInt(), dtypeFor(call, 2, DType::Float32)));
}
void scalarTensor(const KernelCall& call) {
  call.setResult(0, kernels::full({}, call[0], dtypeFor(call, 1, DType::Float32)));
}

} // namespace tine::opkernel
