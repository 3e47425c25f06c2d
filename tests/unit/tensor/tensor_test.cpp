#include "tensor/kernels.h"
#include "tensor/tensor.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

using namespace tine;

namespace {

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

std::string errorOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const RuntimeError& e) {
    return e.kind() + ": " + e.message();
  }
  return "nothing was thrown";
}

Tensor range(std::int64_t n) { return kernels::arange(0, n, 1); }

TEST(DType, NamesAndNumbers) {
  EXPECT_EQ(name(DType::Float32), "float32");
  EXPECT_EQ(irName(DType::UInt8), "Byte");
  EXPECT_EQ(dtypeFromName("int16"), DType::Int16);
  EXPECT_EQ(dtypeFromIrName("BFloat16"), DType::BFloat16);
  EXPECT_EQ(dtypeFromNumber(6), DType::Float32);
  EXPECT_FALSE(dtypeFromName("float"));
  EXPECT_FALSE(dtypeFromIrName("float32"));
  EXPECT_FALSE(dtypeFromNumber(99));
  EXPECT_FALSE(dtypeFromNumber(-1));
  EXPECT_EQ(itemSize(DType::Int16), 2u);
  EXPECT_EQ(itemSize(DType::Complex64), 0u);
  EXPECT_TRUE(isFloating(DType::BFloat16));
  EXPECT_FALSE(isIntegral(DType::Bool));
}

// \source torch.promote_types of 1.13.1; rows and columns: uint8 int8 int16 int32 int64 float32
// float64 bool float16 bfloat16
TEST(DType, Promotes) {
  const DType types[] = {DType::UInt8,   DType::Int8,    DType::Int16,   DType::Int32,
                         DType::Int64,   DType::Float32, DType::Float64, DType::Bool,
                         DType::Float16, DType::BFloat16};
  const char* expected[] = {
      "uint8 int16 int16 int32 int64 float32 float64 uint8 float16 bfloat16",
      "int16 int8 int16 int32 int64 float32 float64 int8 float16 bfloat16",
      "int16 int16 int16 int32 int64 float32 float64 int16 float16 bfloat16",
      "int32 int32 int32 int32 int64 float32 float64 int32 float16 bfloat16",
      "int64 int64 int64 int64 int64 float32 float64 int64 float16 bfloat16",
      "float32 float32 float32 float32 float32 float32 float64 float32 float32 float32",
      "float64 float64 float64 float64 float64 float64 float64 float64 float64 float64",
      "uint8 int8 int16 int32 int64 float32 float64 bool float16 bfloat16",
      "float16 float16 float16 float16 float16 float32 float64 float16 float16 float32",
      "bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 float32 float64 bfloat16 float32 bfloat16",
  };
  for (int i = 0; i < 10; ++i) {
    std::string row;
    for (const DType other : types)
      row += (row.empty() ? "" : " ") + name(promote(types[i], other)).str();
    EXPECT_EQ(row, expected[i]);
  }
  EXPECT_EQ(promote(DType::Int64, DType::Complex64), DType::Complex64);
  EXPECT_EQ(promote(DType::Float64, DType::Complex64), DType::Complex128);
}

TEST(Tensors, OneBlockAlignedData) {
  const Tensor t = Tensor::empty({2, 3}, DType::Int64);
  EXPECT_EQ(t.numel(), 6);
  EXPECT_EQ(t.dim(), 2);
  EXPECT_EQ(t.strides(), llvm::ArrayRef<std::int64_t>({3, 1}));
  EXPECT_TRUE(t.isContiguous());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.bytes()) % 64, 0u);
  EXPECT_LT(t.bytes() - reinterpret_cast<std::byte*>(t.impl()), 256);
  EXPECT_EQ(t.impl()->storage->bytes, 48u);
}

TEST(Tensors, ManyDimensions) {
  const std::int64_t sizes[] = {2, 1, 3, 1, 2, 1, 2};
  const Tensor t = Tensor::empty(sizes);
  EXPECT_EQ(t.sizes(), llvm::ArrayRef(sizes));
  EXPECT_EQ(t.strides(), llvm::ArrayRef<std::int64_t>({12, 12, 4, 4, 2, 2, 1}));
  t.at<float>({1, 0, 2, 0, 1, 0, 1}) = 5;
  EXPECT_EQ(t.data<float>()[23], 5);
  const Tensor view = kernels::select(t, 0, 1);
  EXPECT_EQ(view.dim(), 6);
  EXPECT_EQ(view.at<float>({0, 2, 0, 1, 0, 1}), 5);
  EXPECT_EQ(errorOf([] { Tensor::empty(std::vector<std::int64_t>(65, 1)); }),
            "ValueError: a tensor has at most 64 dimensions, not 65");
}

TEST(Tensors, RefusesWhatCannotBe) {
  EXPECT_EQ(errorOf([] {
              Tensor::empty({2, -1});
            }),
            "ValueError: Trying to create tensor with negative dimension -1: [2, -1]");
  EXPECT_EQ(errorOf([] { Tensor::empty({kHuge}); }),
            "MemoryError: a tensor of shape [9223372036854775807] and type float32 is too large");
  EXPECT_EQ(errorOf([] {
              Tensor::empty({1 << 30, 1 << 30, 1 << 30}, DType::Bool);
            }),
            "MemoryError: a tensor of shape [1073741824, 1073741824, 1073741824] and type bool is "
            "too large");
  // Fits an int64, but no memory.
  EXPECT_EQ(errorOf([] { Tensor::empty({std::int64_t{1} << 60}, DType::UInt8); }),
            "MemoryError: a tensor of shape [1152921504606846976] and type uint8 is too large");
  EXPECT_EQ(errorOf([] { Tensor::empty({kHuge, kHuge, 0}); }).substr(0, 12), "MemoryError:");
  EXPECT_EQ(errorOf([] { Tensor::empty({1}, DType::Complex64); }),
            "NotImplementedError: there are no kernels for complex64 tensors");
}

TEST(Tensors, ViewsOutliveTheirBase) {
  Tensor base = range(6);
  Tensor view = base.asStrided({2}, {2}, 1);
  EXPECT_TRUE(view.sharesStorageWith(base));
  base.data<std::int64_t>()[3] = 42;
  base = Tensor();
  EXPECT_EQ(view.at<std::int64_t>({0}), 1);
  EXPECT_EQ(view.at<std::int64_t>({1}), 42);
  Tensor second = view.asStrided({1}, {1}, 5);
  view = Tensor();
  EXPECT_EQ(second.toInt(), 5);
}

TEST(Tensors, AsStridedIsBoundsChecked) {
  const Tensor t = range(6);
  EXPECT_EQ(t.asStrided({2, 3}, {3, 1}, 0).str(), "tensor([[0, 1, 2],\n        [3, 4, 5]])");
  EXPECT_EQ(t.asStrided({3, 2}, {1, 3}, 0).str(),
            "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])");
  EXPECT_EQ(t.asStrided({4}, {0}, 5).str(), "tensor([5, 5, 5, 5])");
  EXPECT_EQ(t.asStrided({0}, {1}, 100).numel(), 0);
  for (const auto& f : std::initializer_list<std::function<void()>>{
           [&] { t.asStrided({7}, {1}, 0); }, [&] { t.asStrided({1}, {1}, 6); },
           [&] {
             t.asStrided({2, 2}, {4, 2}, 0);
           },
           [&] { t.asStrided({2}, {kHuge}, 0); }, [&] { t.asStrided({kHuge}, {kHuge}, 0); },
           [&] { t.asStrided({2}, {1}, kHuge); }})
    EXPECT_EQ(errorOf(f).substr(0, 49), "ValueError: a view reaches outside its storage: s");
  EXPECT_EQ(
      errorOf([&] { t.asStrided({2}, {-1}, 3); }),
      "ValueError: a stride is negative: sizes [2], strides [-1], storage offset 3, storage of "
      "6 elements");
  EXPECT_EQ(errorOf([&] { t.asStrided({-2}, {1}, 3); }).substr(0, 30),
            "ValueError: a size is negative");
  EXPECT_EQ(errorOf([&] { t.asStrided({1}, {1}, -1); }).substr(0, 42),
            "ValueError: the storage offset is negative");
  EXPECT_EQ(errorOf([&] {
              t.asStrided({1, 1}, {1}, 0);
            }).substr(0, 51),
            "ValueError: mismatch in length of strides and shape");
  EXPECT_EQ(errorOf([&] {
              t.asStrided({kHuge, 4}, {0, 0}, 0);
            }).substr(0, 38),
            "ValueError: a view of too many element");
}

TEST(Tensors, ContiguousAndClone) {
  const Tensor t = range(6).asStrided({3, 2}, {1, 3}, 0);
  EXPECT_FALSE(t.isContiguous());
  const Tensor c = t.contiguous();
  EXPECT_TRUE(c.isContiguous());
  EXPECT_FALSE(c.sharesStorageWith(t));
  EXPECT_TRUE(identical(c, t));
  EXPECT_EQ(c.contiguous().impl(), c.impl());
  EXPECT_NE(c.clone().impl(), c.impl());
  EXPECT_TRUE(t.asStrided({1, 6}, {99, 1}, 0).isContiguous());
}

TEST(Tensors, FromBlobRunsItsDeleter) {
  int deleted = 0;
  float data[] = {1, 2, 3, 4};
  {
    const Tensor t = Tensor::fromBlob(
        data, sizeof data, {2, 2}, {1, 2}, DType::Float32,
        [](void* owner) { ++*static_cast<int*>(owner); }, &deleted);
    EXPECT_EQ(t.str(), "tensor([[1., 3.],\n        [2., 4.]])");
    const Tensor view = kernels::select(t, 0, 1);
    EXPECT_EQ(view.data<float>(), data + 1);
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
  EXPECT_EQ(errorOf([&] {
              Tensor::fromBlob(data, sizeof data, {5}, {1}, DType::Float32, nullptr, nullptr);
            }).substr(0, 46),
            "ValueError: a view reaches outside its storage");
}

TEST(Tensors, ScalarsAndNumbers) {
  EXPECT_EQ(Tensor::scalar(2.75).toDouble(), 2.75);
  EXPECT_EQ(Tensor::scalar(2.75).toInt(), 2);
  EXPECT_EQ(Tensor::scalar(std::int64_t{300}, DType::UInt8).toInt(), 44);
  EXPECT_EQ(Tensor::scalar(0.5, DType::Bool).toInt(), 1);
  EXPECT_TRUE(Tensor::scalar(1.0, DType::Float64, true).isWrappedNumber());
  EXPECT_EQ(errorOf([] { range(2).toDouble(); }),
            "ValueError: a Tensor with 2 elements cannot be converted to Scalar");
  for (const double value : {1e19, -1e19, 9223372036854775808.0, double(NAN), double(INFINITY)})
    EXPECT_EQ(errorOf([&] { Tensor::scalar(value, DType::Float64).toInt(); }),
              "OverflowError: value cannot be converted to type int64_t without overflow");
  EXPECT_EQ(Tensor::scalar(-9223372036854775808.0, DType::Float64).toInt(),
            std::numeric_limits<std::int64_t>::min());
}

TEST(Tensors, AtChecksItsIndex) {
  const Tensor t = kernels::view(range(6), {2, 3});
  EXPECT_EQ(t.at<std::int64_t>({1, 2}), 5);
  EXPECT_EQ(errorOf([&] {
              t.at<std::int64_t>({2, 0});
            }),
            "IndexError: index [2, 0] is outside a tensor of shape [2, 3]");
  EXPECT_EQ(errorOf([&] {
              t.at<std::int64_t>({0, -1});
            }),
            "IndexError: index [0, -1] is outside a tensor of shape [2, 3]");
  EXPECT_EQ(errorOf([&] { t.at<std::int64_t>({0}); }),
            "IndexError: a tensor of 2 dimensions needs as many indices, not 1");
}

TEST(Tensors, IdenticalAndEqual) {
  const Tensor nan = Tensor::scalar(std::nan("")), zero = Tensor::scalar(0.0);
  EXPECT_TRUE(identical(nan, nan.clone()));
  EXPECT_FALSE(equal(nan, nan));
  EXPECT_FALSE(identical(zero, Tensor::scalar(-0.0)));
  EXPECT_TRUE(equal(zero, Tensor::scalar(-0.0)));
  EXPECT_FALSE(identical(range(2), kernels::to(range(2), DType::Int32)));
  EXPECT_TRUE(equal(range(2), kernels::to(range(2), DType::Int32)));
  EXPECT_TRUE(equal(range(2), kernels::to(range(2), DType::Float32)));
  EXPECT_FALSE(equal(range(2), range(3)));
  EXPECT_FALSE(equal(kernels::view(range(2), {1, 2}), range(2)));
  const Tensor big = Tensor::scalar(std::int64_t{200}, DType::UInt8);
  EXPECT_FALSE(equal(big, Tensor::scalar(std::int64_t{-56}, DType::Int8)));
}

TEST(Tensors, Broadcasts) {
  using Shape = llvm::SmallVector<std::int64_t, 6>;
  EXPECT_EQ(broadcastShapes({2, 1}, {1, 3}), (Shape{2, 3}));
  EXPECT_EQ(broadcastShapes({}, {4}), (Shape{4}));
  EXPECT_EQ(broadcastShapes({0}, {1}), (Shape{0}));
  EXPECT_EQ(errorOf([] {
              broadcastShapes({2, 3}, {4, 2});
            }),
            "ShapeMismatch: The size of tensor a (3) must match the size of tensor b (2) at "
            "non-singleton dimension 1; the shapes are [2, 3] and [4, 2]");
  const Tensor t = broadcastTo(range(3), {2, 3});
  EXPECT_EQ(t.strides(), llvm::ArrayRef<std::int64_t>({0, 1}));
  EXPECT_EQ(t.str(), "tensor([[0, 1, 2],\n        [0, 1, 2]])");
  EXPECT_EQ(errorOf([] {
              broadcastTo(range(3), {3, 2});
            }),
            "ShapeMismatch: a tensor of shape [3] does not broadcast to [3, 2]");
}

} // namespace
