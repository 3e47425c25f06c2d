// Random numbers: their distributions, and that nothing but the stream decides them.

#include "ops/ops.h"
#include "tensor/kernels.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace tine;

namespace {

class Task final : public CallingTask {
public:
  explicit Task(std::uint64_t seed) : stream_(seed) {}
  RandomStream random() override { return stream_.split(); }
  TaskContext context() const override { return {}; }

private:
  RandomStream stream_;
};

IValue call(Task* task, llvm::StringRef name, llvm::StringRef overload,
            std::vector<IValue> registers) {
  const auto ops = OpSet::sharedBuiltin();
  const OpInfo* op = ops->find(name, overload);
  if (!op) raise(error_kind::Schema, "no " + name.str());
  while (registers.size() < op->schema.arguments.size()) // generators, layouts, devices
    registers.push_back(op->schema.arguments[registers.size()].defaultValue.value());
  std::vector<IValue*> arguments;
  for (IValue& value : registers) arguments.push_back(&value);
  IValue result;
  IValue* results[] = {&result};
  op->kernel(KernelCall(arguments.data(), static_cast<std::uint32_t>(arguments.size()), results, 1,
                        0, task));
  return result;
}
Tensor draw(std::uint64_t seed, llvm::StringRef name, llvm::StringRef overload,
            std::vector<IValue> registers) {
  Task task(seed);
  return call(&task, name, overload, std::move(registers)).toTensor();
}

std::vector<double> numbers(const Tensor& t) {
  const Tensor dense = kernels::to(t, DType::Float64).contiguous();
  return {dense.data<double>(), dense.data<double>() + dense.numel()};
}
double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}
double variance(const std::vector<double>& x) {
  const double center = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - center) * (v - center);
  return sum / static_cast<double>(x.size());
}
double below(const std::vector<double>& x, double bound) {
  double count = 0;
  for (const double v : x) count += v < bound;
  return count / static_cast<double>(x.size());
}

constexpr std::int64_t kMany = 20000;
const IValue kSize = IValue::list({kMany});

TEST(Random, UniformNumbersFillTheirRange) {
  for (const int dtype : {6, 7}) {
    const auto x = numbers(draw(1, "aten::rand", "", {kSize, dtype}));
    EXPECT_NEAR(mean(x), 0.5, 0.01);
    EXPECT_NEAR(variance(x), 1.0 / 12, 0.002);
    for (int i = 1; i < 10; ++i) EXPECT_NEAR(below(x, i / 10.0), i / 10.0, 0.015);
    EXPECT_EQ(below(x, 0), 0);
    EXPECT_EQ(below(x, 1), 1);
  }
  const Tensor t = kernels::zeros({kMany});
  const auto y = numbers(draw(2, "aten::uniform_", "", {t, -3.0, 5.0}));
  EXPECT_NEAR(mean(y), 1, 0.08);
  EXPECT_EQ(below(y, -3), 0);
  EXPECT_EQ(below(y, 5), 1);
  EXPECT_EQ(numbers(t), y); // in place
  // As few floats as there are between 1 and the next: never the bound that is left out.
  const double next = std::nextafter(1.0F, 2.0F);
  for (const double v : numbers(draw(3, "aten::uniform_", "", {t, 1.0, next}))) EXPECT_EQ(v, 1);
}

TEST(Random, NormalNumbersHaveTheirMeanAndDeviation) {
  const auto x = numbers(draw(1, "aten::randn", "", {kSize}));
  EXPECT_NEAR(mean(x), 0, 0.03);
  EXPECT_NEAR(variance(x), 1, 0.04);
  EXPECT_NEAR(below(x, -1), 0.1587, 0.01);
  EXPECT_NEAR(below(x, 0), 0.5, 0.015);
  EXPECT_NEAR(below(x, 2), 0.9772, 0.005);
  double together = 0; // neighbours, which come from one pair, have nothing to do with each other
  for (std::size_t i = 0; i < x.size(); i += 2) together += x[i] * x[i + 1];
  EXPECT_NEAR(together / (kMany / 2), 0, 0.04);
  const auto y = numbers(draw(2, "aten::normal_", "", {kernels::zeros({kMany}), 10.0, 3.0}));
  EXPECT_NEAR(mean(y), 10, 0.1);
  EXPECT_NEAR(variance(y), 9, 0.4);
  const Tensor means = kernels::fromData(IValue::list({100, -100}), DType::Float32);
  const Tensor deviations = kernels::full({kMany / 2, 1}, 2, DType::Float32);
  const Tensor z = draw(3, "aten::normal", "Tensor_Tensor", {means, deviations});
  EXPECT_NEAR(mean(numbers(kernels::select(z, 1, 0))), 100, 0.1);
  EXPECT_NEAR(variance(numbers(kernels::select(z, 1, 1))), 4, 0.3);
}

TEST(Random, IntegersAreAllEquallyLikely) {
  const Tensor t = draw(1, "aten::randint", "low", {-2, 3, kSize, 4});
  EXPECT_EQ(t.dtype(), DType::Int64);
  std::map<double, int> counts;
  for (const double v : numbers(t)) ++counts[v];
  EXPECT_EQ(counts.size(), 5u);
  for (const auto& [v, count] : counts) EXPECT_NEAR(count, kMany / 5, 250) << v;
  EXPECT_EQ(counts.begin()->first, -2);
  EXPECT_EQ(counts.rbegin()->first, 2);
  // A span that is no power of two and nearly all of int64: its upper half is not rarer.
  const std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::int64_t{1} << 62;
  const auto wide = numbers(draw(2, "aten::randint", "low", {least, most, kSize, 4}));
  EXPECT_NEAR(below(wide, 0), 2.0 / 3, 0.015);
  EXPECT_NEAR(below(wide, -0x1p62), 1.0 / 3, 0.015);
  std::set<double> bytes;
  for (const double v :
       numbers(draw(3, "aten::random_", "", {kernels::zeros({kMany}, DType::UInt8)})))
    bytes.insert(v);
  EXPECT_EQ(bytes.size(), 128u + 128u);
}

TEST(Random, BernoulliAndDropoutKeepTheirShare) {
  const auto x = numbers(draw(1, "aten::bernoulli", "p", {kernels::zeros({kMany}), 0.3}));
  EXPECT_NEAR(mean(x), 0.3, 0.015);
  EXPECT_EQ(std::set<double>(x.begin(), x.end()), (std::set<double>{0, 1}));
  const Tensor p = kernels::fromData(IValue::list({0.0, 1.0, 0.25}));
  const Tensor many = kernels::expand(p, {kMany, 3});
  const Tensor y = draw(2, "aten::bernoulli", "", {many});
  EXPECT_EQ(mean(numbers(kernels::select(y, 1, 0))), 0);
  EXPECT_EQ(mean(numbers(kernels::select(y, 1, 1))), 1);
  EXPECT_NEAR(mean(numbers(kernels::select(y, 1, 2))), 0.25, 0.015);
  const auto z = numbers(
      draw(3, "aten::dropout", "", {kernels::full({kMany}, 3, DType::Float32), 0.25, true}));
  EXPECT_EQ(std::set<double>(z.begin(), z.end()), (std::set<double>{0, 4}));
  EXPECT_NEAR(mean(z), 3, 0.06);
  EXPECT_NEAR(below(z, 1), 0.25, 0.015);
}

TEST(Random, DropoutThatDropsNothingNeedsNoTask) {
  const Tensor t = kernels::ones({3});
  EXPECT_TRUE(call(nullptr, "aten::dropout", "", {t, 0.5, false}).isSame(t));
  EXPECT_TRUE(call(nullptr, "aten::dropout", "", {t, 0.0, true}).isSame(t));
  try {
    call(nullptr, "aten::dropout", "", {t, 0.5, true});
    FAIL() << "drew without a task";
  } catch (const RuntimeError& e) {
    EXPECT_EQ(e.message(), "random numbers are drawn from a task's own, and no task runs here");
  }
}

TEST(Random, ExponentialNumbers) {
  const auto x = numbers(draw(1, "aten::exponential_", "", {kernels::zeros({kMany}), 2.0}));
  EXPECT_NEAR(mean(x), 0.5, 0.02);
  EXPECT_NEAR(below(x, std::log(2) / 2), 0.5, 0.015); // half of them
  EXPECT_EQ(below(x, 0), 0);
}

TEST(Random, PermutationsAreEquallyLikely) {
  const auto kept = OpSet::sharedBuiltin(); // made once
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 0; seed < 6000; ++seed)
    ++counts[draw(seed, "aten::randperm", "", {3}).str()];
  EXPECT_EQ(counts.size(), 6u);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 130) << order;
  const auto many = numbers(draw(1, "aten::randperm", "", {1000}));
  EXPECT_EQ(std::set<double>(many.begin(), many.end()).size(), 1000u);
  EXPECT_NEAR(mean({many.begin(), many.begin() + 500}), 499.5, 40);
}

TEST(Random, MultinomialFollowsItsWeights) {
  const Tensor weights = kernels::fromData(IValue::list({1.0, 0.0, 3.0, 4.0}));
  std::map<double, int> counts;
  for (const double v : numbers(draw(1, "aten::multinomial", "", {weights, kMany, true})))
    ++counts[v];
  EXPECT_EQ(counts.size(), 3u);
  EXPECT_NEAR(counts[0], kMany / 8, 200);
  EXPECT_NEAR(counts[2], kMany * 3 / 8, 300);
  EXPECT_NEAR(counts[3], kMany / 2, 300);
  std::map<double, int> first;
  const Tensor rows = kernels::expand(weights, {kMany, 4});
  const Tensor drawn = draw(2, "aten::multinomial", "", {rows, 3});
  for (const double v : numbers(kernels::select(drawn, 1, 0))) ++first[v];
  EXPECT_NEAR(first[0], kMany / 8, 200);
  EXPECT_NEAR(first[3], kMany / 2, 300);
  for (std::int64_t i = 0; i < 100; ++i) { // without replacement: all that have a weight
    const auto row = numbers(kernels::select(drawn, 0, i));
    EXPECT_EQ(std::set<double>(row.begin(), row.end()), (std::set<double>{0, 2, 3}));
  }
}

TEST(Random, TheStreamAloneDecides) {
  const IValue size = IValue::list({3, 4});
  EXPECT_TRUE(identical(draw(5, "aten::rand", "", {size}), draw(5, "aten::rand", "", {size})));
  EXPECT_FALSE(identical(draw(5, "aten::rand", "", {size}), draw(6, "aten::rand", "", {size})));
  // Row-major, whatever the layout.
  const Tensor turned = kernels::transpose(kernels::zeros({4, 3}), 0, 1);
  EXPECT_TRUE(identical(draw(5, "aten::uniform_", "", {turned, 0.0, 1.0}),
                        draw(5, "aten::rand", "", {size})));
  // How much one call takes does not change what the next one gets.
  Task once(7), twice(7);
  call(&once, "aten::rand", "", {IValue::list({1})});
  call(&twice, "aten::rand", "", {IValue::list({1000})});
  EXPECT_TRUE(identical(call(&once, "aten::randn", "", {size}).toTensor(),
                        call(&twice, "aten::randn", "", {size}).toTensor()));
}

} // namespace
