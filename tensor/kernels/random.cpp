#include "tensor/functions.h"
#include "tensor/kernels/layout.h"
#include "tensor/strided.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace tine::kernels {

namespace {

std::string shortest(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

// Calls f() for each element, which becomes what it returns.
template <class T, class F> void fillEach(const Tensor& self, F f) {
  T* out = self.data<T>();
  strided<1>(self.sizes(), {self.strides()},
             [&](const std::array<std::int64_t, 1>& at, const std::array<std::int64_t, 1>& step,
                 std::int64_t n) {
               for (std::int64_t i = 0; i < n; ++i) out[at[0] + i * step[0]] = f();
             });
}

// The same for float dtypes alone. f gives doubles.
template <class F> void fillFloats(const Tensor& self, const char* kernel, F f) {
  checkNoInternalOverlap(self);
  if (self.dtype() == DType::Float32)
    return fillEach<float>(self, [&] { return static_cast<float>(f()); });
  if (self.dtype() == DType::Float64) return fillEach<double>(self, f);
  raiseNotImplemented(kernel, self.dtype());
}

// 0 <= x <= most, all equally likely.
std::uint64_t upTo(RandomStream& random, std::uint64_t most) {
  const std::uint64_t count = most + 1; // 0: all of them
  if (count == 0) return random.next();
  const std::uint64_t unfair = (0 - count) % count; // the first so many numbers are left out
  for (;;)
    if (const std::uint64_t number = random.next(); number >= unfair) return number % count;
}

double exponential(RandomStream& random) { return -std::log1p(-random.uniform()); }

// Pairs of independent numbers around 0. \source Box, Muller: A Note on the Generation of Random
// Normal Deviates
class Normal {
public:
  explicit Normal(RandomStream& random) : random_(random) {}
  double next() {
    if (std::exchange(hasOther_, false)) return other_;
    const double radius = std::sqrt(2 * exponential(random_));
    const double angle = 2 * std::numbers::pi * random_.uniform();
    other_ = radius * std::sin(angle);
    hasOther_ = true;
    return radius * std::cos(angle);
  }

private:
  RandomStream& random_;
  double other_ = 0;
  bool hasOther_ = false;
};

// The largest whole number below which a dtype holds all.
template <class T> constexpr std::int64_t largest() {
  if constexpr (std::is_floating_point_v<T>)
    return std::int64_t{1} << std::numeric_limits<T>::digits;
  else
    return static_cast<std::int64_t>(std::numeric_limits<T>::max());
}

void checkProbability(double p) {
  if (!(p >= 0 && p <= 1))
    raise(error_kind::Runtime, "bernoulli_ expects p to be in [0, 1], but got p=" + shortest(p));
}

} // namespace

void fillUniform(const Tensor& self, RandomStream& random, double from, double to) {
  if (!isFloating(self.dtype())) raiseNotImplemented("check_uniform_bounds", self.dtype());
  const bool single = self.dtype() == DType::Float32;
  const double most =
      single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  for (const auto& [bound, name] : {std::pair{from, "from"}, std::pair{to, "to"}})
    if (!(std::fabs(bound) <= most))
      raise(error_kind::Runtime,
            std::string(name) + " is out of bounds for " + cppName(self.dtype()));
  if (from > to)
    raise(error_kind::Runtime, "uniform_ expects to return a [from, to) range, but found from=" +
                                   shortest(from) + " > to=" + shortest(to));
  if (!(to - from <= most))
    raise(error_kind::Runtime,
          "uniform_ expects to-from <= std::numeric_limits<" + typeName(self.dtype()) +
              ">::max(), but found to=" + shortest(to) + " and from=" + shortest(from) +
              " which result in to-from to exceed the limit");
  fillFloats(self, "uniform", [&] {
    // As many bits as the dtype has, so that no rounding makes it `to`.
    const double unit =
        single ? static_cast<double>(random.next() >> 40) * 0x1p-24 : random.uniform();
    const double x = from + unit * (to - from);
    return x < to && (!single || static_cast<float>(x) < static_cast<float>(to)) ? x : from;
  });
}

void fillNormal(const Tensor& self, RandomStream& random, double mean, double deviation) {
  if (!(deviation >= 0))
    raise(error_kind::Runtime, "normal expects std >= 0.0, but found std " + shortest(deviation));
  Normal normal(random);
  fillFloats(self, "normal_kernel_cpu", [&] { return mean + deviation * normal.next(); });
}

void fillExponential(const Tensor& self, RandomStream& random, double rate) {
  if (!(rate >= 0))
    raise(error_kind::Runtime,
          "exponential_ expects lambda >= 0.0, but found lambda=" + shortest(rate));
  fillFloats(self, "exponential_cpu", [&] { return exponential(random) / rate; });
}

void fillIntegers(const Tensor& self, RandomStream& random, std::int64_t from,
                  std::optional<std::int64_t> to) {
  if (to && from >= *to)
    raise(error_kind::Runtime, "random_ expects 'from' to be less than 'to', but got from=" +
                                   std::to_string(from) + " >= to=" + std::to_string(*to));
  dispatch(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::int64_t most = to ? *to - 1 : largest<T>();
    if constexpr (std::is_integral_v<T>) {
      const auto isOutside = [](std::int64_t x) {
        return x < static_cast<std::int64_t>(std::numeric_limits<T>::min()) || x > largest<T>();
      };
      for (const auto& [bound, name] : {std::pair{from, "from"}, std::pair{most, "to - 1"}})
        if (isOutside(bound))
          raise(error_kind::Runtime,
                std::string(name) + " is out of bounds for " + cppName(self.dtype()));
    }
    if (from > most)
      raise(error_kind::Runtime, "random_ expects 'from' to be less than or equal to the largest "
                                 "number of the dtype, but got from=" +
                                     std::to_string(from));
    checkNoInternalOverlap(self);
    const std::uint64_t span = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(from);
    fillEach<T>(self, [&] {
      return static_cast<T>(
          static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + upTo(random, span)));
    });
  });
}

void fillBernoulli(const Tensor& self, RandomStream& random, double p) {
  checkProbability(p);
  checkNoInternalOverlap(self);
  dispatch(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    fillEach<T>(self, [&] { return static_cast<T>(random.uniform() < p); });
  });
}

void fillBernoulli(const Tensor& self, RandomStream& random, const Tensor& p) {
  checkNoInternalOverlap(self);
  const Tensor each = apartFrom(self, to(expand(p, self.sizes()), DType::Float64).contiguous());
  if (!isFloating(p.dtype())) raiseNotImplemented("bernoulli_tensor_cpu_p_", p.dtype());
  const double* probability = each.data<double>();
  for (std::int64_t i = 0; i < each.numel(); ++i)
    if (!(probability[i] >= 0 && probability[i] <= 1))
      raise(error_kind::Runtime, "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
                                 "(Could this error message be improved?  If so, please report an "
                                 "enhancement request to PyTorch.)");
  dispatch(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    fillEach<T>(self, [&] { return static_cast<T>(random.uniform() < *probability++); });
  });
}

Tensor permutation(std::int64_t n, DType dtype, RandomStream& random) {
  const Tensor out = Tensor::empty({n}, dtype);
  if (dtype == DType::Bool) raiseNotImplemented("randperm", dtype);
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (n > 0) checkedNumber<T>(n);
    if (std::is_floating_point_v<T> && n - 1 > largest<T>())
      raise(error_kind::Runtime, "n cannot be greater than 2^" +
                                     std::to_string(std::numeric_limits<T>::digits) + "+1 for " +
                                     typeName(dtype) + " type.");
    T* items = out.data<T>();
    for (std::int64_t i = 0; i < n; ++i) { // each goes to a place among those before it
      const auto at = static_cast<std::int64_t>(upTo(random, static_cast<std::uint64_t>(i)));
      items[i] = items[at];
      items[at] = static_cast<T>(i);
    }
  });
  return out;
}

Tensor multinomial(const Tensor& weights, std::int64_t count, bool replacement,
                   RandomStream& random) {
  const auto no = [](const std::string& why) { raise(error_kind::Runtime, why); };
  if (weights.dim() < 1 || weights.dim() > 2) no("prob_dist must be 1 or 2 dim");
  if (!isFloating(weights.dtype()))
    no("multinomial only supports floating-point dtypes for input, got: " +
       typeName(weights.dtype()));
  if (count <= 0) no("cannot sample n_sample <= 0 samples");
  const std::int64_t categories = weights.sizes().back();
  if (!replacement && count > categories)
    no("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  if (categories > 1 << 24) no("number of categories cannot exceed 2^24");
  llvm::SmallVector<std::int64_t, 2> sizes(weights.sizes());
  sizes.back() = count;
  const Tensor out = Tensor::empty(sizes, DType::Int64);
  if (out.numel() == 0) return out;
  const Tensor rows = to(weights, DType::Float64).contiguous();
  for (const double w : llvm::ArrayRef(rows.data<double>(), static_cast<std::size_t>(rows.numel())))
    if (!(w >= 0 && std::isfinite(w)))
      no(!replacement ? "probability tensor contains either `inf`, `nan` or element < 0"
         : w < 0      ? "invalid multinomial distribution (encountering probability entry < 0)"
                      : "invalid multinomial distribution (encountering probability entry = "
                        "infinity or NaN)");
  std::vector<double> line(static_cast<std::size_t>(categories));
  std::vector<std::int64_t> order(line.size());
  auto* drawn = out.data<std::int64_t>();
  for (std::int64_t row = 0; row * count < out.numel(); ++row, drawn += count) {
    const double* weight = rows.data<double>() + row * categories;
    std::partial_sum(weight, weight + categories, line.begin());
    const double total = categories ? line.back() : 0;
    if (!(total > 0)) no("invalid multinomial distribution (sum of probabilities <= 0)");
    if (replacement) {
      for (std::int64_t i = 0; i < count; ++i) {
        const auto at = std::upper_bound(line.begin(), line.end(), random.uniform() * total);
        const auto last = std::lower_bound(line.begin(), line.end(), total); // the last with weight
        drawn[i] = std::min(at, last) - line.begin();
      }
      continue;
    }
    // The first to happen of events with these rates. \source Efraimidis, Spirakis: Weighted random
    // sampling with a reservoir
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = exponential(random) / weight[i];
    std::iota(order.begin(), order.end(), 0);
    const auto isBefore = [&](std::int64_t a, std::int64_t b) {
      return weight[a] > 0 && (weight[b] == 0 || line[a] < line[b]);
    };
    std::stable_sort(order.begin(), order.end(), isBefore);
    std::copy_n(order.begin(), count, drawn);
  }
  return out;
}

} // namespace tine::kernels
