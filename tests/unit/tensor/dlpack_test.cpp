#include "support/count.h"
#include "tensor/dlpack.h"

#include <cstring>
#include <dlpack/dlpack.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tine {
namespace {

using ::testing::HasSubstr;
using Sizes = std::vector<std::int64_t>;

const DType kDTypes[] = {
#define TINE_DTYPE(id, cpp, name, irName, printName, number) DType::id,
#include "tensor/dtype.def"
};

/// A producer's tensor, which counts the calls of its deleter.
struct Producer {
  Sizes sizes, strides;
  std::vector<float> data;
  int deleted = 0;
  DLManagedTensor managed{};

  explicit Producer(Sizes s, Sizes st = {}, std::size_t elements = 24)
      : sizes(std::move(s)), strides(std::move(st)), data(elements) {
    for (std::size_t i = 0; i < elements; ++i) data[i] = static_cast<float>(i);
    DLTensor& t = managed.dl_tensor;
    t.data = data.data();
    t.device = {kDLCPU, 0};
    t.ndim = static_cast<int>(sizes.size());
    t.dtype = {kDLFloat, 32, 1};
    t.shape = sizes.data();
    t.strides = strides.empty() ? nullptr : strides.data();
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) {
      ++static_cast<Producer*>(self->manager_ctx)->deleted;
    };
  }
  Producer(const Producer&) = delete;
};

struct DLPack : ::testing::Test {
  std::int64_t before = liveCount(Live::Tensor);
  ~DLPack() override { EXPECT_EQ(liveCount(Live::Tensor), before); }
};

TEST_F(DLPack, ExportsWithoutACopy) {
  Tensor t = Tensor::empty({2, 3}, DType::Float64);
  DLManagedTensor* shared = toDLPack(t);
  const DLTensor& out = shared->dl_tensor;
  EXPECT_EQ(out.data, t.bytes());
  EXPECT_EQ(out.byte_offset, 0u);
  EXPECT_EQ(out.device.device_type, kDLCPU);
  EXPECT_EQ(out.device.device_id, 0);
  ASSERT_EQ(out.ndim, 2);
  EXPECT_EQ(Sizes(out.shape, out.shape + 2), (Sizes{2, 3}));
  EXPECT_EQ(Sizes(out.strides, out.strides + 2), (Sizes{3, 1}));
  EXPECT_EQ(out.dtype.lanes, 1);
  static_cast<double*>(out.data)[4] = 7.5;
  EXPECT_EQ(t.at<double>({1, 1}), 7.5);
  t = Tensor(); // the consumer's is the last reference
  EXPECT_EQ(static_cast<double*>(out.data)[4], 7.5);
  EXPECT_EQ(liveCount(Live::Tensor), before + 1);
  shared->deleter(shared);
}

TEST_F(DLPack, ExportsEveryDtype) {
  const std::pair<int, int> codes[] = {{kDLUInt, 8}, {kDLInt, 8},    {kDLInt, 16},   {kDLInt, 32},
                                       {kDLInt, 64}, {kDLFloat, 32}, {kDLFloat, 64}, {kDLUInt, 8}};
  for (std::size_t i = 0; i < std::size(kDTypes); ++i) {
    DLManagedTensor* shared = toDLPack(Tensor::empty({3}, kDTypes[i]));
#if !defined(DLPACK_MAJOR_VERSION) && DLPACK_VERSION < 80
    EXPECT_EQ(shared->dl_tensor.dtype.code, codes[i].first) << name(kDTypes[i]).str();
#else
    EXPECT_EQ(shared->dl_tensor.dtype.code, kDTypes[i] == DType::Bool ? 6 : codes[i].first);
#endif
    EXPECT_EQ(shared->dl_tensor.dtype.bits, codes[i].second);
    EXPECT_EQ(shared->dl_tensor.dtype.lanes, 1);
    shared->deleter(shared);
  }
}

TEST_F(DLPack, ExportsViewsScalarsAndEmptyTensors) {
  const Tensor t = Tensor::empty({4, 5, 6}, DType::Int16);
  const Tensor view = t.asStrided({5, 2, 0 + 3}, {6, 30, 2}, 31);
  DLManagedTensor* shared = toDLPack(view);
  EXPECT_EQ(shared->dl_tensor.data, t.bytes() + 62);
  EXPECT_EQ(Sizes(shared->dl_tensor.strides, shared->dl_tensor.strides + 3), (Sizes{6, 30, 2}));
  shared->deleter(shared);

  shared = toDLPack(Tensor::scalar(2.5));
  EXPECT_EQ(shared->dl_tensor.ndim, 0);
  EXPECT_EQ(*static_cast<float*>(shared->dl_tensor.data), 2.5f);
  shared->deleter(shared);

  shared = toDLPack(Tensor::empty({3, 0}, DType::Int8));
  EXPECT_EQ(Sizes(shared->dl_tensor.shape, shared->dl_tensor.shape + 2), (Sizes{3, 0}));
  shared->deleter(shared);

  shared = toDLPack(Tensor::empty({1, 2, 1, 2, 1, 2, 3}, DType::Int8)); // more than lie inline
  EXPECT_EQ(Sizes(shared->dl_tensor.shape, shared->dl_tensor.shape + 7),
            (Sizes{1, 2, 1, 2, 1, 2, 3}));
  shared->deleter(shared);
}

TEST_F(DLPack, ImportsWithoutACopyAndDeletesOnce) {
  Producer producer({2, 3});
  {
    Tensor t = fromDLPack(&producer.managed).value();
    EXPECT_EQ(t.bytes(), reinterpret_cast<std::byte*>(producer.data.data()));
    EXPECT_EQ(t.dtype(), DType::Float32);
    EXPECT_EQ(t.sizes(), llvm::ArrayRef<std::int64_t>({2, 3}));
    EXPECT_EQ(t.strides(), llvm::ArrayRef<std::int64_t>({3, 1}));
    EXPECT_TRUE(t.isContiguous());
    EXPECT_EQ(t.at<float>({1, 2}), 5.f);
    producer.data[5] = -1.f;
    EXPECT_EQ(t.at<float>({1, 2}), -1.f);
    Tensor view = t.asStrided({2}, {1}, 4), copy = t;
    t = Tensor();
    copy = Tensor();
    EXPECT_EQ(producer.deleted, 0) << "a view still looks";
    EXPECT_EQ(view.at<float>({1}), -1.f);
  }
  EXPECT_EQ(producer.deleted, 1);
}

TEST_F(DLPack, ImportsStridesOffsetsScalarsAndEmptyTensors) {
  {
    Producer p({3, 2}, {1, 12}); // column by column, with a gap
    const Tensor t = fromDLPack(&p.managed).value();
    EXPECT_FALSE(t.isContiguous());
    EXPECT_EQ(t.at<float>({2, 1}), 14.f);
    EXPECT_EQ(t.impl()->storage->bytes, 60u);
    EXPECT_THROW((void)t.asStrided({16}, {1}, 0), RuntimeError) << "only what the producer showed";
  }
  {
    Producer p({2, 2}, {2, 1});
    p.managed.dl_tensor.byte_offset = 20;
    const Tensor t = fromDLPack(&p.managed).value();
    EXPECT_EQ(t.at<float>({0, 0}), 5.f);
    EXPECT_EQ(t.at<float>({1, 1}), 8.f);
    EXPECT_EQ(t.offset(), 0);
  }
  {
    Producer p({});
    p.managed.dl_tensor.shape = nullptr;
    const Tensor t = fromDLPack(&p.managed).value();
    EXPECT_EQ(t.dim(), 0);
    EXPECT_EQ(t.numel(), 1);
    EXPECT_EQ(t.at<float>({}), 0.f);
  }
  for (const Sizes& sizes : {Sizes{0}, Sizes{3, 0, 2}, Sizes{std::int64_t{1} << 40, 0}}) {
    Producer p(sizes);
    p.managed.dl_tensor.data = nullptr;
    {
      const Tensor t = fromDLPack(&p.managed).value();
      EXPECT_EQ(t.numel(), 0);
      EXPECT_EQ(t.sizes(), llvm::ArrayRef<std::int64_t>(sizes));
      EXPECT_EQ(t.str(), t.clone().str());
    }
    EXPECT_EQ(p.deleted, 1);
  }
  {
    Producer p({4, 6}, {0, 1}); // one row, four times
    const Tensor t = fromDLPack(&p.managed).value();
    EXPECT_EQ(t.at<float>({3, 5}), 5.f);
    EXPECT_EQ(t.impl()->storage->bytes, 24u);
  }
  {
    Producer p({1, 3}, {-7, 1}); // the stride of a single element means nothing
    EXPECT_EQ(fromDLPack(&p.managed).value().at<float>({0, 2}), 2.f);
  }
}

TEST_F(DLPack, GoesRoundEveryDtype) {
  for (const DType dtype : kDTypes) {
    const Tensor t = Tensor::empty({2, 5}, dtype);
    std::memset(t.bytes(), dtype == DType::Bool ? 1 : 0x3A, 10 * itemSize(dtype));
    const Tensor view = t.asStrided({3, 2}, {2, 5}, 0);
    DLManagedTensor* shared = toDLPack(view);
    if (dtype == DType::Bool) shared->dl_tensor.dtype.code = 6; // as DLPack from 0.8 on says it
    const Tensor back = fromDLPack(shared).value();
    EXPECT_EQ(back.dtype(), dtype);
    EXPECT_EQ(back.bytes(), view.bytes());
    EXPECT_EQ(back.strides(), view.strides());
    EXPECT_TRUE(identical(back, view));
  }
}

TEST_F(DLPack, TheDeleterMayBeNull) {
  Producer p({4});
  p.managed.deleter = nullptr;
  EXPECT_EQ(fromDLPack(&p.managed).value().numel(), 4);
  EXPECT_EQ(p.deleted, 0);
}

TEST_F(DLPack, WhatCannotBeImportedStaysTheCallers) {
  const char *unsupported = error_kind::Unsupported, *value = error_kind::Value;
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  struct {
    std::function<void(Producer&)> spoil;
    const char *kind, *message;
  } cases[] = {
      {[](Producer& p) {
         p.managed.dl_tensor.device = {kDLCUDA, 1};
       },
       unsupported, "on cuda:1"},
      {[](Producer& p) {
         p.managed.dl_tensor.device = {kDLCUDAHost, 0};
       },
       unsupported, "pinned cuda host"},
      {[](Producer& p) {
         const int type = 77;
         std::memcpy(&p.managed.dl_tensor.device.device_type, &type, sizeof(type));
       },
       unsupported, "unknown device type 77:0"},
      {[](Producer& p) {
         p.managed.dl_tensor.dtype = {kDLFloat, 16, 1};
       },
       unsupported, "of float16"},
      {[](Producer& p) {
         p.managed.dl_tensor.dtype = {kDLBfloat, 16, 1};
       },
       unsupported, "of bfloat16"},
      {[](Producer& p) {
         p.managed.dl_tensor.dtype = {kDLComplex, 64, 1};
       },
       unsupported, "of complex64"},
      {[](Producer& p) {
         p.managed.dl_tensor.dtype = {kDLUInt, 16, 1};
       },
       unsupported, "of uint16"},
      {[](Producer& p) {
         p.managed.dl_tensor.dtype = {kDLInt, 4, 1};
       },
       unsupported, "of int4"},
      {[](Producer& p) {
         p.managed.dl_tensor.dtype = {kDLOpaqueHandle, 64, 1};
       },
       unsupported, "opaque handle"},
      {[](Producer& p) {
         p.managed.dl_tensor.dtype = {200, 32, 1};
       },
       unsupported, "type code 200"},
      {[](Producer& p) {
         p.managed.dl_tensor.dtype = {6, 32, 1};
       },
       unsupported, "of bool32"},
      {[](Producer& p) { p.managed.dl_tensor.dtype.lanes = 4; }, unsupported, "4 lanes"},
      {[](Producer& p) { p.managed.dl_tensor.dtype.lanes = 0; }, unsupported, "0 lanes"},
      {[](Producer& p) { p.managed.dl_tensor.ndim = -1; }, value, "-1 dimensions"},
      {[](Producer& p) { p.managed.dl_tensor.ndim = 65; }, value, "65 dimensions"},
      {[](Producer& p) { p.managed.dl_tensor.shape = nullptr; }, value, "no shape"},
      {[](Producer& p) { p.managed.dl_tensor.data = nullptr; }, value, "no data"},
      {[](Producer& p) { p.sizes[0] = -2; }, value, "negative size"},
      {[](Producer& p) { p.strides[0] = -3; }, unsupported, "negative strides [-3, 1]"},
      {[](Producer& p) { p.sizes[0] = kHuge; }, value, "more bytes than 64 bits"},
      {[](Producer& p) { p.sizes[0] = kHuge, p.managed.dl_tensor.strides = nullptr; }, value,
       "more bytes than 64 bits"},
      {[](Producer& p) { p.strides[0] = kHuge, p.strides[1] = kHuge; }, value,
       "more bytes than 64 bits"},
      {[](Producer& p) { p.strides[0] = kHuge / 2; }, value, "more bytes than 64 bits"},
      {[](Producer& p) {
         p.sizes = {kHuge, kHuge}, p.strides = {0, 0};
       },
       value, ""},
      {[](Producer& p) { p.managed.dl_tensor.byte_offset = 2; }, unsupported,
       "not aligned to 4 bytes"},
  };
  for (const auto& c : cases) {
    Producer p({2, 3}, {3, 1});
    c.spoil(p);
    if (p.managed.dl_tensor.shape) p.managed.dl_tensor.shape = p.sizes.data();
    if (p.managed.dl_tensor.strides) p.managed.dl_tensor.strides = p.strides.data();
    const Result<Tensor> t = fromDLPack(&p.managed);
    ASSERT_FALSE(t.ok()) << c.message;
    EXPECT_EQ(t.error().kind, c.kind) << t.error().message;
    EXPECT_THAT(t.error().message, HasSubstr(c.message));
    EXPECT_EQ(p.deleted, 0);
  }
  EXPECT_EQ(fromDLPack(nullptr).error().kind, error_kind::Value);
}

} // namespace
} // namespace tine
