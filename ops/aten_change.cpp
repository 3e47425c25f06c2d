#include "ops/arguments.h"
#include "tensor/functions.h"

// What changes a tensor's own shape, and indexing that writes with arithmetic.
namespace tine::opkernel {

namespace {

const Tensor& tensor(const KernelCall& call, std::uint32_t i) { return call[i].asTensor(); }

// Operand 0 becomes the view of itself, and is the result.
void become(const KernelCall& call, const Tensor& view) {
  kernels::reshapeItself(tensor(call, 0), view);
  returnSelf(call);
}

kernels::ScatterMode modeOf(const IValue& name) {
  if (name.toStringRef() == "add") return kernels::ScatterMode::Add;
  if (name.toStringRef() == "multiply") return kernels::ScatterMode::Multiply;
  raise(error_kind::Runtime, "reduce argument must be either add or multiply.");
}
void scatterReduced(const KernelCall& call, const Tensor& out) {
  const IValue& source = call[3];
  kernels::wrapDim(call[1].toInt(), out.dim()); // the first to be said
  kernels::scatter(out, call[1].toInt(), tensor(call, 2),
                   source.isTensor() ? source.toTensor() : kernels::wrappedScalar(source),
                   modeOf(call[4]));
}

} // namespace

// ---- shapes, in place ----

void squeezeInPlace(const KernelCall& call) { become(call, kernels::squeeze(tensor(call, 0))); }
void squeezeDimInPlace(const KernelCall& call) {
  become(call, kernels::squeeze(tensor(call, 0), call[1].toInt()));
}
void unsqueezeInPlace(const KernelCall& call) {
  become(call, kernels::unsqueeze(tensor(call, 0), call[1].toInt()));
}
void transposeInPlace(const KernelCall& call) {
  become(call, kernels::transpose(tensor(call, 0), call[1].toInt(), call[2].toInt()));
}
void transposeMatrixInPlace(const KernelCall& call) {
  const Tensor& t = tensor(call, 0);
  if (t.dim() > 2)
    raise(error_kind::Runtime, "t_() expects a tensor with <= 2 dimensions, but self is " +
                                   std::to_string(t.dim()) + "D");
  become(call, kernels::transpose(t, 0, t.dim() < 2 ? 0 : 1));
}

// ---- running sums, in place ----

namespace {
void accumulate(const KernelCall& call, bool product) {
  const Tensor& t = tensor(call, 0);
  const auto wanted = optionalDtype(call[2]);
  const std::int64_t dim = kernels::wrapDim(call[1].toInt(), t.dim());
  if (wanted && *wanted != t.dtype())
    raise(error_kind::Runtime, "Bad in-place call: input tensor dtype " +
                                   kernels::cppName(t.dtype()) + " and output tensor dtype " +
                                   kernels::cppName(*wanted) + " should match");
  kernels::assign(t, kernels::cumulative(t, dim, t.dtype(), product));
  returnSelf(call);
}
} // namespace
void cumsumInPlace(const KernelCall& call) { accumulate(call, false); }
void cumprodInPlace(const KernelCall& call) { accumulate(call, true); }

// ---- scatter with arithmetic ----

void scatterReduce(const KernelCall& call) {
  const Tensor out = tensor(call, 0).clone();
  scatterReduced(call, out);
  call.setResult(0, out);
}
void scatterReduceInPlace(const KernelCall& call) {
  scatterReduced(call, tensor(call, 0));
  returnSelf(call);
}

// ---- what lies at an index, or under a mask ----

namespace {
void addAtIndex(const KernelCall& call, const Tensor& out) {
  kernels::indexAdd(out, call[1].toInt(), tensor(call, 2), tensor(call, 3), call[4]);
}
void fillAtIndex(const KernelCall& call, const Tensor& out) {
  const IValue& value = call[3];
  if (value.isTensor() && value.asTensor().dim() != 0)
    raise(error_kind::Runtime,
          "index_fill_ only supports a 0-dimensional value tensor, but got tensor with " +
              std::to_string(value.asTensor().dim()) + " dimension(s).");
  kernels::indexFill(out, call[1].toInt(), tensor(call, 2),
                     value.isTensor() ? kernels::item(value.asTensor()) : value);
}
template <class F> void changed(const KernelCall& call, const Tensor& copy, F change) {
  change(call, copy);
  call.setResult(0, copy);
}
} // namespace
void indexAdd(const KernelCall& call) { changed(call, tensor(call, 0).clone(), addAtIndex); }
void indexAddInPlace(const KernelCall& call) {
  addAtIndex(call, tensor(call, 0));
  returnSelf(call);
}
void indexFill(const KernelCall& call) {
  changed(call, kernels::copy(tensor(call, 0)), fillAtIndex);
}
void indexFillInPlace(const KernelCall& call) {
  fillAtIndex(call, tensor(call, 0));
  returnSelf(call);
}
void maskedScatter(const KernelCall& call) {
  const Tensor &t = tensor(call, 0), &mask = tensor(call, 1);
  const auto sizes = broadcastShapes(mask.sizes(), t.sizes());
  const Tensor out = kernels::expand(t, sizes).clone();
  kernels::maskedScatter(out, mask, tensor(call, 2));
  call.setResult(0, out);
}
void maskedScatterInPlace(const KernelCall& call) {
  kernels::maskedScatter(tensor(call, 0), tensor(call, 1), tensor(call, 2));
  returnSelf(call);
}

// ---- repeated and largest elements ----

void repeatInterleave(const KernelCall& call) {
  call.setResult(0, kernels::repeatInterleave(tensor(call, 0), optionalInt(call[1])));
}
void repeatInterleaveOf(const KernelCall& call) {
  Tensor t = tensor(call, 0);
  const bool number = !call[1].isTensor();
  const Tensor repeats = number ? kernels::full({1}, call[1], DType::Int64) : call[1].toTensor();
  if (call[2].isNone()) t = kernels::reshape(t, {-1});
  const std::int64_t given = call[2].isNone() ? 0 : call[2].toInt();
  if (t.dim() == 0)
    raise(error_kind::Index,
          "Dimension specified as " + std::to_string(given) + " but tensor has no dimensions");
  const std::int64_t dim = kernels::wrapDim(given, t.dim());
  const std::int64_t size = t.sizes()[static_cast<std::size_t>(dim)];
  Tensor each = repeats;
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.sizes()[0] == 1))
    each = kernels::expand(kernels::reshape(repeats, {1}), {size});
  else if (repeats.dim() != 1)
    raise(error_kind::Runtime, "repeats must be 0-dim or 1-dim tensor");
  else if (repeats.sizes()[0] != size)
    raise(error_kind::Runtime, "repeats must have the same size as input along dim");
  call.setResult(
      0, kernels::indexSelect(t, dim, kernels::repeatInterleave(each, optionalInt(call[3]))));
}
void topk(const KernelCall& call) {
  auto [values, indices] = kernels::topk(tensor(call, 0), call[1].toInt(), call[2].toInt(),
                                         call[3].toBool(), call[4].toBool());
  call.setResult(0, std::move(values));
  call.setResult(1, std::move(indices));
}

// ---- between two tensors, and rounded ----

void lerp(const KernelCall& call) {
  call.setResult(0, kernels::lerp(tensor(call, 0), tensor(call, 1), call[2]));
}
void lerpInPlace(const KernelCall& call) {
  const Tensor& t = tensor(call, 0);
  kernels::assign(t, kernels::lerp(t, tensor(call, 1), call[2], &t));
  returnSelf(call);
}
void roundDecimals(const KernelCall& call) {
  call.setResult(0, kernels::roundTo(tensor(call, 0), call[1].toInt()));
}
void roundDecimalsInPlace(const KernelCall& call) {
  const Tensor& t = tensor(call, 0);
  kernels::assign(t, kernels::roundTo(t, call[1].toInt()));
  returnSelf(call);
}
namespace {
double powerOf(const IValue& p) { return p.isNone() ? 2 : p.toNumber(); }
} // namespace
void normDtype(const KernelCall& call) {
  call.setResult(
      0, kernels::norm(tensor(call, 0), powerOf(call[1]), {}, false, optionalDtype(call[2])));
}
void normDimsDtype(const KernelCall& call) {
  call.setResult(0, kernels::norm(tensor(call, 0), powerOf(call[1]), ints(call[2]),
                                  call[3].toBool(), optionalDtype(call[4])));
}

} // namespace tine::opkernel
