#include "support/count.h"
#include "tensor/npy.h"
#include "tools/arguments.h"
#include "tools/arrays.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tine::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFiles = std::string(TINE_SOURCE_DIR) + "/tests/files/npy/";

struct Arrays : ::testing::Test {
  std::int64_t tensors = liveCount(Live::Tensor), values = liveCount(Live::Value);
  std::string directory = [] {
    std::string name = (std::filesystem::temp_directory_path() / "tine_arrays_XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    return name + "/";
  }();
  ~Arrays() override {
    std::filesystem::remove_all(directory);
    EXPECT_EQ(liveCount(Live::Tensor), tensors);
    EXPECT_EQ(liveCount(Live::Value), values);
  }
};

std::vector<std::string> namesOf(const IValue& value) {
  std::vector<std::string> names;
  for (const NamedTensor& array : arraysOf(value).value()) names.push_back(array.name);
  return names;
}

TEST_F(Arrays, ArgumentsFromFilesStandAmongLiterals) {
  const Arguments read =
      readArguments({"3", "@" + kFiles + "unnamed.npz", "'@'", "@" + kFiles + "int8_5.npy"}, 0)
          .value();
  ASSERT_EQ(read.values.size(), 5u);
  EXPECT_EQ(read.values[0].toInt(), 3);
  EXPECT_EQ(read.values[1].asTensor().dtype(), DType::Int64);
  EXPECT_EQ(read.values[2].asTensor().dtype(), DType::Bool);
  EXPECT_EQ(read.values[3].toStringRef(), "@");
  EXPECT_EQ(read.values[4].str(), "tensor([-98,  60, -38, 120,  23], dtype=torch.int8)");
  EXPECT_THAT(read.texts,
              ElementsAre("3", "@" + kFiles + "unnamed.npz: arr_0",
                          "@" + kFiles + "unnamed.npz: arr_1", "'@'", "@" + kFiles + "int8_5.npy"));
  EXPECT_TRUE(readArguments({"@" + kFiles + "none.npz"}, 0).value().values.empty());
}

TEST_F(Arrays, EveryWrongArgumentIsReported) {
  const auto read = readArguments({"@" + directory + "x.npy", "[1", "4", "@"}, 0);
  ASSERT_FALSE(read.ok());
  ASSERT_EQ(read.errors().size(), 3u);
  EXPECT_EQ(read.errors()[0].str(),
            directory + "x.npy: error: cannot open the file: No such file or directory\n");
  EXPECT_EQ(read.errors()[1].place.file, "argument 2");
  EXPECT_EQ(read.errors()[2].str(),
            "argument 4:1:2: error: `@` needs the name of a .npy or .npz file\n@\n ^\n");
}

TEST_F(Arrays, NamesFollowTheResult) {
  const Tensor t = Tensor::scalar(1.5);
  EXPECT_THAT(namesOf(t), ElementsAre("arr_0"));
  EXPECT_THAT(namesOf(IValue()), ElementsAre());
  EXPECT_THAT(namesOf(IValue::tuple({t, IValue(), IValue::list({t, 2})})),
              ElementsAre("arr_0", "arr_2/arr_0", "arr_2/arr_1"));
  auto dict = makeRef<Dict>();
  dict->set("h", t);
  dict->set(3, IValue::tuple({t}));
  EXPECT_THAT(namesOf(IValue(dict)), ElementsAre("h", "3/arr_0"));
  auto named = makeRef<Tuple>();
  named->items = {t, t};
  named->names = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{"mean", "deviation"});
  EXPECT_THAT(namesOf(IValue(named)), ElementsAre("mean", "deviation"));
}

TEST_F(Arrays, NumbersAreArraysWithoutDimensions) {
  const auto arrays = arraysOf(IValue::tuple({7, 2.5, true})).value();
  ASSERT_EQ(arrays.size(), 3u);
  EXPECT_EQ(arrays[0].tensor.str(), "tensor(7)");
  EXPECT_EQ(arrays[1].tensor.str(), "tensor(2.5000, dtype=torch.float64)");
  EXPECT_EQ(arrays[2].tensor.str(), "tensor(True)");
  EXPECT_THAT(namesOf(4), ElementsAre("arr_0"));
}

TEST_F(Arrays, WhatIsNoArrayIsNamed) {
  const auto message = [](const IValue& value) { return arraysOf(value).error().message; };
  EXPECT_EQ(message("text"), "the result cannot be saved: it is a str, which is no array");
  EXPECT_EQ(message(IValue::tuple({1, IValue::list({"text"})})),
            "the result cannot be saved: arr_1/arr_0 in it is a str, which is no array");
  IValue deep = 1;
  for (int i = 0; i < 101; ++i) deep = IValue::list({deep});
  EXPECT_THAT(message(deep), HasSubstr("nested more than 100 deep"));
  EXPECT_TRUE(arraysOf(IValue(deep.toList().items[0])).ok());
  IValue shared = IValue();
  for (int i = 0; i < 90; ++i) shared = IValue::list({shared, shared});
  EXPECT_THAT(message(shared), HasSubstr("more than 100,000 items"));
}

TEST_F(Arrays, WhatIsSavedReadsBack) {
  const Tensor t = Tensor::scalar(1.5);
  ASSERT_TRUE(saveResult(directory + "x.npz", IValue::tuple({t, 3})).ok());
  const auto back = readNpz(directory + "x.npz").value();
  ASSERT_EQ(back.size(), 2u);
  EXPECT_TRUE(identical(back[0].tensor, t));
  EXPECT_EQ(back[1].tensor.toInt(), 3);
  ASSERT_TRUE(saveResult(directory + "x.npy", t).ok());
  EXPECT_TRUE(identical(readNpy(directory + "x.npy").value(), t));
  EXPECT_EQ(saveResult(directory + "x.npy", IValue::tuple({t, t})).error().message,
            "a .npy file holds one array, and the result has 2; save it as .npz");
  EXPECT_EQ(saveResult(directory + "y.npz", IValue()).error().kind, error_kind::Value);
  auto twice = makeRef<Dict>();
  twice->set("3", t);
  twice->set(3, t);
  EXPECT_EQ(saveResult(directory + "y.npz", IValue(twice)).error().kind, error_kind::Value);
  EXPECT_FALSE(std::filesystem::exists(directory + "y.npz"));
}

} // namespace
} // namespace tine::tools
