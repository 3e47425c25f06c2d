#include "ops/ops.h"
#include "tensor/kernels.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tine;

// Calls that no careful program makes: each ends in an error that names what is wrong, or in what
// TorchScript makes of it.
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

class Hostile : public testing::Test {
protected:
  // The result of an overload as text, or its error.
  std::string run(llvm::StringRef name, llvm::StringRef overload, std::vector<IValue> registers) {
    const OpInfo* op = ops_->find(name, overload);
    if (!op) return "there is no such operator";
    for (std::size_t i = registers.size(); i < op->schema.arguments.size(); ++i)
      registers.push_back(op->schema.arguments[i].defaultValue.value_or(IValue()));
    std::vector<IValue*> arguments, results;
    for (IValue& value : registers) arguments.push_back(&value);
    std::vector<IValue> values(op->schema.results.size());
    for (IValue& value : values) results.push_back(&value);
    try {
      op->kernel(KernelCall(arguments.data(), static_cast<std::uint32_t>(arguments.size()),
                            results.data(), static_cast<std::uint32_t>(results.size())));
    } catch (const RuntimeError& e) {
      return e.kind() + ": " + e.message();
    }
    return values.empty() ? "" : values[0].str();
  }
  static IValue list(std::vector<IValue> items) { return IValue::list(std::move(items)); }
  static Tensor ramp(std::vector<std::int64_t> sizes) {
    std::int64_t n = 1;
    for (const std::int64_t size : sizes) n *= size;
    return kernels::view(kernels::arange(0, n, 1, DType::Float32), sizes);
  }
  std::shared_ptr<const OpSet> ops_ = OpSet::sharedBuiltin();
};

#define EXPECT_RAISES(call, start)                                                                 \
  do {                                                                                             \
    const std::string outcome = call;                                                              \
    EXPECT_TRUE(llvm::StringRef(outcome).starts_with(start)) << outcome;                           \
  } while (false)

TEST_F(Hostile, ShapesThatNothingHolds) {
  const IValue none;
  for (const std::vector<IValue>& sizes : {std::vector<IValue>{kMost},
                                           {std::int64_t{1} << 32, std::int64_t{1} << 32},
                                           {kMost, kMost, kMost},
                                           {std::int64_t{1} << 46, 4},
                                           {kMost, 0}}) {
    EXPECT_RAISES(run("aten::zeros", "", {list(sizes)}), "MemoryError: a tensor of shape [");
    EXPECT_RAISES(run("aten::full", "", {list(sizes), 1}), "MemoryError: a tensor of shape [");
    EXPECT_RAISES(run("aten::new_ones", "", {ramp({2}), list(sizes)}), "MemoryError: a tensor");
  }
  EXPECT_RAISES(run("aten::zeros", "", {list({-1})}),
                "ValueError: Trying to create tensor with negative dimension -1: [-1]");
  EXPECT_RAISES(run("aten::eye", "", {std::int64_t{1} << 40}), "MemoryError: ");
  EXPECT_RAISES(run("aten::eye", "", {-1}), "RuntimeError: n must be greater or equal to 0");
  EXPECT_RAISES(run("aten::linspace", "", {0, 1, kMost}), "MemoryError: ");
  EXPECT_RAISES(run("aten::arange", "", {kMost}), "RuntimeError: invalid size, possible overflow?");
  EXPECT_RAISES(run("aten::arange", "", {std::int64_t{1} << 46}), "MemoryError: ");
  EXPECT_RAISES(run("aten::expand", "", {ramp({1}), list({kMost, kMost})}),
                "ValueError: a view of");
  EXPECT_RAISES(run("aten::repeat", "", {ramp({3}), list({kMost})}), "MemoryError: ");
  EXPECT_RAISES(run("aten::tile", "", {ramp({3}), list({kMost, 2})}), "MemoryError: ");
  EXPECT_RAISES(run("aten::view", "", {ramp({4}), list({kMost, kMost})}),
                "ShapeMismatch: shape '[");
  EXPECT_RAISES(run("aten::view", "", {ramp({4}), list({-1, -1})}),
                "RuntimeError: only one dimension can be inferred");
  EXPECT_RAISES(run("aten::zeros", "", {list(std::vector<IValue>(65, 1))}),
                "ValueError: a tensor has at most 64 dimensions");
  EXPECT_RAISES(run("aten::chunk", "", {kernels::zeros({0}), kMost}), "MemoryError: ");
  EXPECT_RAISES(run("aten::tensor_split", "sections", {ramp({2}), kMost}), "MemoryError: ");
}

TEST_F(Hostile, ListsAndStringsThatNothingHolds) {
  EXPECT_RAISES(run("aten::mul", "left_t", {list({1, 2}), kMost}), "MemoryError: ");
  EXPECT_RAISES(run("aten::mul", "left_t", {list({1}), std::int64_t{1} << 39}), "MemoryError: ");
  EXPECT_RAISES(run("prim::rangelist", "", {kMost}), "MemoryError: ");
  EXPECT_RAISES(run("prim::rangelist", "", {std::int64_t{1} << 39}), "MemoryError: ");
  EXPECT_RAISES(run("aten::ljust", "", {"x", kMost, " "}), "MemoryError: ");
  EXPECT_RAISES(run("aten::zfill", "", {"x", kMost}), "MemoryError: ");
  EXPECT_EQ(run("aten::zfill", "", {"-1", kLeast}), "'-1'");
}

TEST_F(Hostile, PlacesThatAreNone) {
  const Tensor t = ramp({2, 3});
  for (const std::int64_t dim : {std::int64_t{2}, std::int64_t{-3}, kMost, kLeast}) {
    const std::string start =
        "IndexError: Dimension out of range (expected to be in range of [-2, 1]";
    EXPECT_RAISES(run("aten::select", "int", {t, dim, 0}), start);
    EXPECT_RAISES(run("aten::softmax", "int", {t, dim}), start);
    EXPECT_RAISES(run("aten::unbind", "int", {t, dim}), start);
    EXPECT_RAISES(run("aten::transpose", "int", {t, 0, dim}), start);
    EXPECT_RAISES(run("aten::flip", "", {t, list({dim})}), start);
    EXPECT_RAISES(run("aten::cumsum", "", {t, dim}), start);
    EXPECT_RAISES(run("aten::gather", "", {t, dim, kernels::zeros({2, 3}, DType::Int64)}), start);
  }
  for (const std::int64_t at : {std::int64_t{3}, std::int64_t{-4}, kMost, kLeast}) {
    EXPECT_RAISES(run("aten::select", "int", {t, 1, at}), "IndexError: ");
    EXPECT_RAISES(run("aten::index_select", "", {t, 1, kernels::full({1}, at, DType::Int64)}),
                  "IndexError: index out of range in self");
    EXPECT_RAISES(run("aten::gather", "", {t, 1, kernels::full({1, 1}, at, DType::Int64)}),
                  "IndexError: index ");
    EXPECT_RAISES(
        run("aten::index", "Tensor", {t, list({IValue(), kernels::full({1}, at, DType::Int64)})}),
        "IndexError: index ");
    EXPECT_RAISES(run("aten::index_put_", "",
                      {t, list({IValue(), kernels::full({1}, at, DType::Int64)}), ramp({1})}),
                  "IndexError: index ");
    EXPECT_RAISES(
        run("aten::scatter_", "value", {t, 1, kernels::full({1, 1}, at, DType::Int64), 5}),
        "IndexError: index ");
  }
  EXPECT_RAISES(run("aten::take", "", {t, kernels::full({1}, 6, DType::Int64)}), "IndexError: ");
  EXPECT_EQ(t.str(), ramp({2, 3}).str()); // nothing was written
  EXPECT_RAISES(run("aten::slice", "Tensor", {t, 0, 0, 1, 0}),
                "RuntimeError: slice step must be positive");
  EXPECT_RAISES(run("aten::slice", "t", {list({1}), 0, 1, 0}),
                "ValueError: List slice should have non-zero step");
  EXPECT_RAISES(run("aten::narrow", "", {t, 1, 1, kMost}), "RuntimeError: start (1) + length (");
  EXPECT_EQ(run("aten::slice", "Tensor", {t, 1, kLeast, kMost, kMost}),
            "tensor([[0.],\n        [3.]])");
  EXPECT_EQ(run("aten::roll", "", {t, list({kLeast}), list({0})}),
            run("aten::roll", "", {t, list({0}), list({0})}));
}

TEST_F(Hostile, ViewsOutsideOfTheirStorage) {
  const Tensor t = ramp({4});
  const auto strided = [&](std::vector<IValue> sizes, std::vector<IValue> strides, IValue offset) {
    return run("aten::as_strided", "",
               {t, list(std::move(sizes)), list(std::move(strides)), offset});
  };
  EXPECT_EQ(strided({2, 2}, {1, 1}, 1), "tensor([[1., 2.],\n        [2., 3.]])");
  EXPECT_RAISES(strided({5}, {1}, 0), "RuntimeError: setStorage: sizes [5], strides [1]");
  EXPECT_RAISES(strided({2}, {kMost}, 0), "ValueError: a view reaches outside its storage");
  EXPECT_RAISES(strided({1}, {1}, 4), "RuntimeError: setStorage: sizes [1], strides [1]");
  EXPECT_RAISES(strided({1}, {1}, -1), "ValueError: the storage offset is negative");
  EXPECT_RAISES(strided({2}, {-1}, 1), "ValueError: a stride is negative");
  EXPECT_RAISES(strided({2}, {1, 1}, 0), "ValueError: mismatch in length of strides and shape");
}

// An operand that looks at what is written counts as it was, or the overlap is an error.
TEST_F(Hostile, WritesToWhatIsRead) {
  Tensor t = ramp({2, 2});
  EXPECT_RAISES(run("aten::add_", "Tensor", {t, kernels::transpose(t, 0, 1)}),
                "RuntimeError: unsupported operation: some elements of the input tensor");
  const Tensor row = ramp({1, 3});
  EXPECT_RAISES(run("aten::add_", "Tensor", {kernels::expand(row, {2, 3}), row}),
                "RuntimeError: unsupported operation: more than one element of the written-to");
  EXPECT_RAISES(run("aten::masked_scatter_", "",
                    {kernels::expand(row, {2, 3}), kernels::ones({3}, DType::Bool), row}),
                "RuntimeError: unsupported operation: more than one element of the written-to");
  // One number everywhere means the same in any order.
  EXPECT_EQ(run("aten::masked_fill_", "Scalar",
                {kernels::expand(row, {2, 3}), kernels::ones({3}, DType::Bool), 1}),
            "tensor([[1., 1., 1.],\n        [1., 1., 1.]])");
  EXPECT_EQ(run("aten::mul_", "Tensor", {t, t}), "tensor([[0., 1.],\n        [4., 9.]])");
  // Slices of slices see one storage.
  const Tensor base = ramp({8});
  const Tensor inner = kernels::slice(kernels::slice(base, 0, 1, kMost, 2), 0, 1, 3, 1);
  run("aten::fill_", "Scalar", {inner, -1});
  EXPECT_EQ(base.str(), "tensor([ 0.,  1.,  2., -1.,  4., -1.,  6.,  7.])");
}

TEST_F(Hostile, ContainersInsideOfThemselves) {
  const IValue own = list({1, 2});
  run("aten::extend", "t", {own, own});
  EXPECT_EQ(own.str(), "[1, 2, 1, 2]");
  run("aten::add_", "t", {own, own});
  EXPECT_EQ(own.toList().items.size(), 8u);
  auto dict = makeRef<Dict>();
  dict->set("k", 1);
  run("aten::update", "str", {IValue(dict), IValue(dict)});
  EXPECT_EQ(dict->items.size(), 1u);
  EXPECT_RAISES(run("aten::pop", "Dict_str", {IValue(dict), "z"}), "KeyError: ");
  EXPECT_RAISES(run("aten::popitem", "str", {IValue(makeRef<Dict>())}),
                "RuntimeError: popitem(): dictionary is empty");
}

} // namespace
