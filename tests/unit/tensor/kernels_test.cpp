#include "tensor/kernels.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

using namespace tine;
using namespace tine::kernels;

namespace {

// What kernels compute is compared with TorchScript in tests/unit/ops; here is what that cannot
// see: kinds of errors, buffers, aliases.

std::string errorOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const RuntimeError& e) {
    return e.kind() + ": " + e.message();
  }
  return "nothing was thrown";
}

Tensor ints(std::vector<IValue> data) { return fromData(IValue::list(std::move(data))); }

TEST(Kernels, KindsOfErrors) {
  const Tensor two = ints({1, 2}), three = ints({1, 2, 3}), zero = ints({0});
  EXPECT_EQ(errorOf([&] { add(two, three); }),
            "ShapeMismatch: The size of tensor a (2) must match the size of tensor b (3) at "
            "non-singleton dimension 0; the shapes are [2] and [3]");
  EXPECT_EQ(errorOf([&] { binary(BinaryOp::FloorDiv, two, zero); }),
            "ZeroDivisionError: ZeroDivisionError");
  EXPECT_EQ(errorOf([&] { binary(BinaryOp::Remainder, two, zero); }),
            "ZeroDivisionError: ZeroDivisionError");
  EXPECT_EQ(errorOf([&] { select(two, 0, 5); }),
            "IndexError: select(): index 5 out of range for tensor of size [2] at dimension 0");
  EXPECT_EQ(errorOf([&] { unsqueeze(two, 5); }),
            "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 5)");
  EXPECT_EQ(errorOf([&] {
              mm(view(two, {1, 2}), view(three, {1, 3}));
            }),
            "ShapeMismatch: mat1 and mat2 shapes cannot be multiplied (1x2 and 1x3)");
  EXPECT_EQ(errorOf([&] { fill(zeros({1}, DType::UInt8), 300); }),
            "OverflowError: value cannot be converted to type uint8_t without overflow");
  EXPECT_EQ(errorOf([&] { view(two, {3}); }),
            "ShapeMismatch: shape '[3]' is invalid for input of size 2");
  EXPECT_EQ(errorOf([&] { full({2}, 1, DType::Float16); }),
            "NotImplementedError: there are no kernels for float16 tensors");
}

TEST(Kernels, IntegersWrapAtTheirLimits) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const Tensor t = ints({least});
  EXPECT_EQ(binary(BinaryOp::Sub, t, IValue(1)).toInt(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(unary(UnaryOp::Neg, t).toInt(), least);
  EXPECT_EQ(unary(UnaryOp::Abs, t).toInt(), least);
  EXPECT_EQ(binary(BinaryOp::FloorDiv, t, IValue(-1)).toInt(), least);
  EXPECT_EQ(binary(BinaryOp::TruncDiv, t, IValue(-1)).toInt(), least);
  EXPECT_EQ(binary(BinaryOp::Remainder, t, IValue(-1)).toInt(), 0);
  EXPECT_EQ(sub(ints({0}), t, IValue(least)).toInt(), 0);
  const Tensor small = full({1}, -32768, DType::Int16);
  EXPECT_EQ(binary(BinaryOp::Mul, small, small).toInt(), 0);
  EXPECT_EQ(binary(BinaryOp::FloorDiv, small, IValue(-1)).toInt(), -32768);
  EXPECT_EQ(sum(ints({least, least})).toInt(), 0);
  EXPECT_EQ(mm(view(t, {1, 1}), ints({IValue::list({2})})).toInt(), 0);
}

// Casts that are undefined in C++ have one answer here.
TEST(Kernels, FloatsOutsideAnIntegersRangeConvert) {
  const double values[] = {1e30, -1e30, std::nan(""), 3e9};
  for (const double value : values) {
    const Tensor t = Tensor::scalar(value, DType::Float64);
    const bool fits = value == 3e9;
    EXPECT_EQ(to(t, DType::Int64).toInt(),
              fits ? 3000000000 : std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(to(t, DType::Int32).toInt(), fits ? -1294967296 : 0);
    EXPECT_EQ(to(t, DType::Bool).toInt(), 1);
  }
}

TEST(Kernels, DyingOperandsLendTheirBuffer) {
  Tensor a = ones({4}), b = ones({4});
  const void* data = a.bytes();
  const Tensor r = add(a, b, 1, 1);
  EXPECT_EQ(r.bytes(), data);
  EXPECT_EQ(r.str(), "tensor([2., 2., 2., 2.])");
  const void* second = b.bytes();
  const Tensor s = add(r, b, 1, 2);
  EXPECT_EQ(s.bytes(), second);
  EXPECT_EQ(r.str(), "tensor([2., 2., 2., 2.])");
}

TEST(Kernels, SharedBuffersAreNotLent) {
  const Tensor a = ones({4}), b = ones({4});
  const Tensor handle = a;
  EXPECT_NE(add(a, b, 1, 1).bytes(), a.bytes()); // somebody else has the tensor
  const Tensor c = ones({4});
  const Tensor view = slice(c, 0, 1, 3, 1);
  EXPECT_NE(add(c, b, 1, 1).bytes(), c.bytes()); // a view sees its storage
  EXPECT_EQ(view.str(), "tensor([1., 1.])");
  const Tensor ofView = slice(ones({4}), 0, 0, 4, 1);
  EXPECT_NE(add(ofView, b, 1, 1).bytes(), ofView.bytes());
  float foreign[4] = {1, 1, 1, 1};
  const Tensor blob = Tensor::fromBlob(
      foreign, sizeof foreign, {4}, {1}, DType::Float32, [](void*) {}, nullptr);
  add(blob, b, 1, 1);
  EXPECT_EQ(foreign[0], 1);
  const Tensor i = ints({1, 2});
  EXPECT_EQ(binary(BinaryOp::Lt, i, i, 3).dtype(),
            DType::Bool); // another type needs another buffer
  EXPECT_EQ(i.str(), "tensor([1, 2])");
}

TEST(Kernels, InPlaceWritesThroughViews) {
  const Tensor base = zeros({2, 3});
  addInto(select(base, 0, 1), ints({1, 2, 3}));
  fill(select(base, 1, 0), 7);
  EXPECT_EQ(base.str(), "tensor([[7., 0., 0.],\n        [7., 2., 3.]])");
  binaryInto(BinaryOp::Mul, transpose(base, 0, 1), IValue(2));
  EXPECT_EQ(base.str(), "tensor([[14.,  0.,  0.],\n        [14.,  4.,  6.]])");
}

TEST(Kernels, InPlaceOverlapsAreSafe) {
  const Tensor t = arange(0, 6, 1);
  EXPECT_EQ(errorOf([&] { addInto(slice(t, 0, 0, 4, 1), slice(t, 0, 1, 5, 1)); }),
            "RuntimeError: unsupported operation: some elements of the input tensor and the "
            "written-to tensor refer to a single memory location. Please clone() the tensor before "
            "performing the operation.");
  EXPECT_EQ(errorOf([&] { fill(expand(ints({1}), {3}), 2); }),
            "RuntimeError: unsupported operation: more than one element of the written-to tensor "
            "refers to a single memory location. Please clone() the tensor before performing the "
            "operation.");
  addInto(t, t); // itself
  EXPECT_EQ(t.str(), "tensor([ 0,  2,  4,  6,  8, 10])");
  // Every second element: too hard to tell apart for TorchScript; the operand is read as it was.
  addInto(slice(t, 0, 0, 4, 2), slice(t, 0, 2, 6, 2));
  EXPECT_EQ(t.str(), "tensor([ 4,  2, 12,  6,  8, 10])");
  const Tensor square = view(arange(0, 4, 1), {2, 2});
  copyInto(square, transpose(square, 0, 1).clone());
  EXPECT_EQ(square.str(), "tensor([[0, 2],\n        [1, 3]])");
}

TEST(Kernels, ViewsShareAndCopiesDoNot) {
  const Tensor t = view(arange(0, 6, 1), {2, 3});
  EXPECT_TRUE(reshape(t, {3, 2}).sharesStorageWith(t));
  EXPECT_FALSE(reshape(transpose(t, 0, 1), {6}).sharesStorageWith(t));
  EXPECT_EQ(reshape(transpose(t, 0, 1), {6}).str(), "tensor([0, 3, 1, 4, 2, 5])");
  EXPECT_FALSE(copy(t).sharesStorageWith(t));
  EXPECT_EQ(to(t, DType::Int64).impl(), t.impl());
}

TEST(Kernels, SumsKeepTheirPrecision) {
  const Tensor t = full({1'000'000}, 0.1, DType::Float32);
  EXPECT_NEAR(sum(t).toDouble(), 100000.0, 0.01);
  EXPECT_EQ(sum(ones({1'000'000}, DType::Bool)).toInt(), 1'000'000);
}

TEST(Kernels, ArangeIsExactAndBounded) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(arange(most - 3, most, 2).str(), "tensor([9223372036854775804, 9223372036854775806])");
  EXPECT_EQ(errorOf([&] { arange(-most, most, 1); }).substr(0, 12), "RuntimeError");
  EXPECT_EQ(errorOf([&] { arange(0.0, 1.0, 1e-300); }).substr(0, 12), "RuntimeError");
  EXPECT_EQ(errorOf([&] { arange(0, 10, IValue(std::nan(""))); }),
            "RuntimeError: upper bound and larger bound inconsistent with step sign");
}

TEST(Kernels, DataOfNestedLists) {
  const auto list = [](std::vector<IValue> items) { return IValue::list(std::move(items)); };
  EXPECT_EQ(fromData(list({list({1, 2}), list({3, 4})})).str(),
            "tensor([[1, 2],\n        [3, 4]])");
  EXPECT_EQ(fromData(list({1, 2.5})).str(), "tensor([1.0000, 2.5000])");
  EXPECT_EQ(fromData(list({true, false})).str(), "tensor([ True, False])");
  EXPECT_EQ(fromData(3).str(), "tensor(3)");
  EXPECT_EQ(fromData(list({0.1}), DType::Float64).data<double>()[0], 0.1);
  EXPECT_EQ(errorOf([&] {
              fromData(list({1, list({2})}));
            }),
            "TypeError: expected a number in the data of a tensor but found List");
  EXPECT_EQ(errorOf([&] {
              fromData(list({list({1}), 2}));
            }),
            "ValueError: Expected sequence of length 1 at dim 1");
  EXPECT_EQ(errorOf([&] { fromData("text"); }),
            "TypeError: expected a number in the data of a tensor but found str");
  IValue deep = 1;
  for (int i = 0; i < 100; ++i) deep = list({deep});
  EXPECT_EQ(errorOf([&] { fromData(deep); }), "ValueError: a tensor has at most 64 dimensions");
}

} // namespace
