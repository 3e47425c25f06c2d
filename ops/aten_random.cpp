#include "ops/arguments.h"
#include "tensor/functions.h"

#include <cstdio>

// Random numbers. Each call has a stream of its own, split from the task's, so that how many
// numbers one call takes does not change what the next one gets.
namespace tine::opkernel {

namespace {

RandomStream stream(const KernelCall& call) {
  if (!call.task())
    raise(error_kind::Runtime, "random numbers are drawn from a task's own, and no task runs here");
  return call.task()->random();
}

// Operand 0, or for `made` a new tensor, changed by fill(tensor, stream).
template <class F> void filled(const KernelCall& call, const Tensor& made, F fill) {
  RandomStream random = stream(call);
  fill(made, random);
  call.setResult(0, made);
}
template <class F> void inPlace(const KernelCall& call, F fill) {
  RandomStream random = stream(call);
  fill(call[0].asTensor(), random);
  returnSelf(call);
}

Tensor sized(const KernelCall& call, std::uint32_t size, std::uint32_t dtypeAt, DType usual) {
  return kernels::zeros(ints(call[size]), factoryDtype(call, dtypeAt).value_or(usual));
}
Tensor like(const KernelCall& call, std::uint32_t dtypeAt) {
  const Tensor& t = call[0].asTensor();
  const IValue& format = call[dtypeAt + 4];
  const DType dtype = factoryDtype(call, dtypeAt).value_or(t.dtype());
  if (format.isInt() && format.toInt() == 0) return kernels::zeros(t.sizes(), dtype);
  return kernels::fullLike(t, 0, dtype);
}

void unit(const Tensor& t, RandomStream& random) { kernels::fillUniform(t, random, 0, 1); }
void standard(const Tensor& t, RandomStream& random) { kernels::fillNormal(t, random, 0, 1); }
auto integers(const IValue& low, const IValue& high) {
  return [from = low.toInt(), to = optionalInt(high)](const Tensor& t, RandomStream& random) {
    kernels::fillIntegers(t, random, from, to);
  };
}

// mean + std * a number of the standard normal distribution each
void normal(const KernelCall& call, const Tensor& mean, const IValue& deviation) {
  const bool tensor = deviation.isTensor();
  if (tensor && deviation.asTensor().numel() &&
      !(kernels::item(kernels::extreme(deviation.asTensor(), {}, false, false)).toNumber() >= 0))
    raise(error_kind::Runtime, "normal expects all elements of std >= 0.0");
  const auto sizes = tensor ? broadcastShapes(mean.sizes(), deviation.asTensor().sizes())
                            : llvm::SmallVector<std::int64_t, 6>(mean.sizes());
  filled(call, kernels::zeros(sizes, mean.dtype()), [&](const Tensor& t, RandomStream& random) {
    kernels::fillNormal(t, random, 0, tensor ? 1 : deviation.toDouble());
    if (tensor) kernels::binaryInto(kernels::BinaryOp::Mul, t, deviation.asTensor());
    kernels::addInto(t, mean);
  });
}

// Which elements stay, times 1 / (1 - p). \pre it is training
Tensor kept(const KernelCall& call, double p) {
  const Tensor& t = call[0].asTensor();
  RandomStream random = stream(call);
  if (p == 1) return kernels::zeros({}, t.dtype());
  const Tensor out = kernels::fullLike(t, 0, t.dtype());
  kernels::fillBernoulli(out, random, 1 - p);
  kernels::binaryInto(kernels::BinaryOp::Div, out, 1 - p);
  return out;
}
// The probability; nothing when all stay.
std::optional<double> dropping(const KernelCall& call) {
  const double p = call[1].toDouble();
  if (!(p >= 0 && p <= 1)) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", p);
    raise(error_kind::Runtime,
          std::string("dropout probability has to be between 0 and 1, but got ") + text);
  }
  if (p == 0 || !call[2].toBool() || call[0].asTensor().numel() == 0) return std::nullopt;
  return p;
}

} // namespace

void rand(const KernelCall& call) { filled(call, sized(call, 0, 1, DType::Float32), unit); }
void randLike(const KernelCall& call) { filled(call, like(call, 1), unit); }
void randn(const KernelCall& call) { filled(call, sized(call, 0, 1, DType::Float32), standard); }
void randnLike(const KernelCall& call) { filled(call, like(call, 1), standard); }
void randint(const KernelCall& call) {
  filled(call, sized(call, 1, 2, DType::Float32), integers(0, call[0]));
}
void randintLow(const KernelCall& call) {
  filled(call, sized(call, 2, 3, DType::Float32), integers(call[0], call[1]));
}
void randintLike(const KernelCall& call) { filled(call, like(call, 2), integers(0, call[1])); }
void randintLikeLow(const KernelCall& call) {
  filled(call, like(call, 3), integers(call[1], call[2]));
}
void randperm(const KernelCall& call) {
  const DType dtype = factoryDtype(call, 1).value_or(DType::Int64);
  RandomStream random = stream(call);
  call.setResult(0, kernels::permutation(call[0].toInt(), dtype, random));
}

void bernoulli(const KernelCall& call) {
  const Tensor& p = call[0].asTensor();
  filled(call, kernels::zeros(p.sizes(), p.dtype()),
         [&](const Tensor& t, RandomStream& random) { kernels::fillBernoulli(t, random, p); });
}
void bernoulliP(const KernelCall& call) {
  const Tensor& like = call[0].asTensor();
  filled(call, kernels::zeros(like.sizes(), like.dtype()),
         [&](const Tensor& t, RandomStream& random) {
           kernels::fillBernoulli(t, random, call[1].toDouble());
         });
}
void bernoulliTensorInPlace(const KernelCall& call) {
  inPlace(call, [&](const Tensor& t, RandomStream& random) {
    kernels::fillBernoulli(t, random, call[1].asTensor());
  });
}
void bernoulliInPlace(const KernelCall& call) {
  inPlace(call, [&](const Tensor& t, RandomStream& random) {
    kernels::fillBernoulli(t, random, call[1].toDouble());
  });
}

void uniformInPlace(const KernelCall& call) {
  inPlace(call, [&](const Tensor& t, RandomStream& random) {
    kernels::fillUniform(t, random, call[1].toDouble(), call[2].toDouble());
  });
}
void normalInPlace(const KernelCall& call) {
  inPlace(call, [&](const Tensor& t, RandomStream& random) {
    kernels::fillNormal(t, random, call[1].toDouble(), call[2].toDouble());
  });
}
void exponentialInPlace(const KernelCall& call) {
  inPlace(call, [&](const Tensor& t, RandomStream& random) {
    kernels::fillExponential(t, random, call[1].toDouble());
  });
}
void randomFromInPlace(const KernelCall& call) { inPlace(call, integers(call[1], call[2])); }
void randomToInPlace(const KernelCall& call) { inPlace(call, integers(0, call[1])); }
void randomInPlace(const KernelCall& call) { inPlace(call, integers(0, IValue())); }

void normalTensorFloat(const KernelCall& call) { normal(call, call[0].asTensor(), call[1]); }
void normalTensors(const KernelCall& call) { normal(call, call[0].asTensor(), call[1]); }
void normalFloatTensor(const KernelCall& call) {
  const Tensor& deviation = call[1].asTensor();
  normal(call, kernels::full({}, call[0], deviation.dtype()), call[1]);
}
void normalSize(const KernelCall& call) {
  filled(call, sized(call, 2, 4, DType::Float32), [&](const Tensor& t, RandomStream& random) {
    kernels::fillNormal(t, random, call[0].toDouble(), call[1].toDouble());
  });
}

void multinomial(const KernelCall& call) {
  RandomStream random = stream(call);
  call.setResult(
      0, kernels::multinomial(call[0].asTensor(), call[1].toInt(), call[2].toBool(), random));
}

void dropout(const KernelCall& call) {
  const auto p = dropping(call);
  if (!p) return returnSelf(call);
  call.setResult(0, kernels::binary(kernels::BinaryOp::Mul, call[0].asTensor(), kept(call, *p)));
}
void dropoutInPlace(const KernelCall& call) {
  if (const auto p = dropping(call))
    kernels::binaryInto(kernels::BinaryOp::Mul, call[0].asTensor(), kept(call, *p));
  returnSelf(call);
}

} // namespace tine::opkernel
