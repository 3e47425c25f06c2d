#include "tensor/device.h"
#include "tensor/future.h"
#include "tensor/ivalue.h"
#include "tests/fixture.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

using namespace tine;

namespace {

IValue nestedList(int depth) {
  IValue value = IValue::list({});
  for (int i = 0; i < depth; ++i) {
    std::vector<IValue> items;
    items.push_back(std::move(value));
    value = IValue::list(std::move(items));
  }
  return value;
}

std::string kindOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const RuntimeError& e) {
    return e.kind() + ": " + e.message();
  }
  return "nothing was thrown";
}

TEST(Values, HoldsEachKind) {
  EXPECT_TRUE(IValue().isNone());
  EXPECT_EQ(IValue(3).toInt(), 3);
  EXPECT_EQ(IValue(true).toBool(), true);
  EXPECT_EQ(IValue(2.5).toDouble(), 2.5);
  EXPECT_EQ(IValue("text").toStringRef(), "text");
  EXPECT_EQ(IValue(std::complex<double>(1, 2)).toComplex(), std::complex<double>(1, 2));
  EXPECT_EQ(IValue(Tensor::scalar(2.0)).toTensor().toDouble(), 2.0);
  EXPECT_EQ(IValue::list({1, 2}).toList().items[1].toInt(), 2);
  EXPECT_EQ(IValue::tuple({1, "a"}).toTuple().items[1].toStringRef(), "a");
  EXPECT_TRUE(IValue(Tensor()).isNone());
  const int function = 0;
  EXPECT_EQ(IValue::function(&function).toFunction(), &function);
  EXPECT_EQ(IValue::device(deviceFromName("cuda:1")->code()).toDevice(), 1 | 2 << 8);
}

TEST(Values, WrongKindNamesBoth) {
  EXPECT_EQ(kindOf([] { IValue(3).toList(); }),
            "TypeError: expected a value of type List but found int");
  EXPECT_EQ(kindOf([] { IValue("s").toDouble(); }),
            "TypeError: expected a value of type float but found str");
  EXPECT_EQ(kindOf([] { IValue().asTensor(); }),
            "TypeError: expected a value of type Tensor but found NoneType");
}

TEST(Values, NumbersConvert) {
  EXPECT_EQ(IValue(3).toNumber(), 3.0);
  EXPECT_EQ(IValue(true).toNumber(), 1.0);
  EXPECT_EQ(IValue(2.5).toComplex(), std::complex<double>(2.5, 0));
}

TEST(Values, CopiesShareAndMovesEmpty) {
  IValue a = IValue::list({1});
  EXPECT_TRUE(a.isUnique());
  IValue b = a;
  EXPECT_FALSE(a.isUnique());
  b.toList().items.push_back(2);
  EXPECT_EQ(a.toList().items.size(), 2u);
  EXPECT_TRUE(a.isSame(b));
  IValue c = std::move(b);
  EXPECT_TRUE(b.isNone());
  a = IValue();
  EXPECT_TRUE(c.isUnique());
  EXPECT_FALSE(IValue(3).isUnique());
}

TEST(Values, MillionNestedListsAreDestroyedOnASmallStack) {
  tine::testing::runOnStack(tine::testing::kSmallStack, [] {
    IValue deep = nestedList(1'000'000);
    IValue other = nestedList(1'000'000);
    EXPECT_TRUE(identical(deep, other));
    other.toList().items[0].toList().items.push_back(1);
    EXPECT_FALSE(identical(deep, other));
    EXPECT_EQ(deep.str().size(), 2u * 1'000'001);
  });
}

TEST(Values, ChainsOfTuplesDictsObjectsAndFuturesAreDestroyedOnASmallStack) {
  tine::testing::runOnStack(tine::testing::kSmallStack, [] {
    IValue value = 1;
    const auto layout = std::make_shared<ClassLayout>();
    for (int i = 0; i < 200'000; ++i) {
      std::vector<IValue> items;
      items.push_back(std::move(value));
      value = IValue::tuple(std::move(items));
      auto future = makeRef<FutureState>(FutureState::Phase::Running);
      EXPECT_TRUE(future->complete(std::move(value)));
      auto dict = makeRef<Dict>();
      dict->set("k", IValue(std::move(future)));
      auto object = makeRef<Object>();
      object->layout = layout;
      object->slots.push_back(IValue(std::move(dict)));
      value = IValue(std::move(object));
    }
    EXPECT_TRUE(value.isObject());
  });
}

TEST(Values, DictKeepsInsertionOrderAndFindsKeys) {
  auto dict = makeRef<Dict>();
  for (int i = 0; i < 1000; ++i) dict->set(IValue(i * 7), IValue(i));
  dict->set(IValue(14), IValue("replaced"));
  ASSERT_EQ(dict->items.size(), 1000u);
  EXPECT_EQ(dict->items[2].second.toStringRef(), "replaced");
  for (int i = 3; i < 1000; ++i) ASSERT_EQ(dict->find(IValue(i * 7))->toInt(), i);
  EXPECT_EQ(dict->find(IValue(1)), nullptr);
  EXPECT_EQ(dict->find(IValue(14.0)), nullptr);
  EXPECT_TRUE(dict->erase(IValue(14)));
  EXPECT_FALSE(dict->erase(IValue(14)));
  ASSERT_EQ(dict->items.size(), 999u);
  EXPECT_EQ(dict->items[2].first.toInt(), 21);
  for (int i = 3; i < 1000; ++i) ASSERT_EQ(dict->find(IValue(i * 7))->toInt(), i);
  dict->clear();
  EXPECT_EQ(dict->find(IValue(21)), nullptr);
}

TEST(Values, DictKeysCompareAsPythonDoes) {
  auto dict = makeRef<Dict>();
  dict->set(0.0, "zero");
  EXPECT_EQ(dict->find(-0.0)->toStringRef(), "zero");
  dict->set(std::nan(""), 1);
  EXPECT_EQ(dict->find(std::nan("")), nullptr);
  dict->set("a", 1);
  EXPECT_EQ(dict->find("a")->toInt(), 1);
  dict->set(std::complex<double>(1, 2), 3);
  EXPECT_EQ(dict->find(std::complex<double>(1, 2))->toInt(), 3);
  const Tensor t = Tensor::scalar(1.0), u = Tensor::scalar(1.0);
  dict->set(t, 4);
  EXPECT_EQ(dict->find(t)->toInt(), 4);
  EXPECT_EQ(dict->find(u), nullptr);
  EXPECT_EQ(kindOf([&] { dict->set(IValue::list({}), 1); }),
            "TypeError: a value of type List cannot be a dict's key");
}

TEST(Values, IdenticalComparesBits) {
  EXPECT_TRUE(identical(std::nan(""), std::nan("")));
  EXPECT_FALSE(identical(0.0, -0.0));
  EXPECT_FALSE(identical(1, 1.0));
  EXPECT_FALSE(identical(1, true));
  EXPECT_TRUE(identical(IValue::list({1, "a", Tensor::scalar(2.0)}),
                        IValue::list({1, "a", Tensor::scalar(2.0)})));
  EXPECT_FALSE(identical(IValue::list({1}), IValue::tuple({1})));
  EXPECT_FALSE(identical(IValue::list({1}), IValue::list({1, 2})));
  EXPECT_TRUE(identical(std::complex<double>(1, 2), std::complex<double>(1, 2)));
  EXPECT_FALSE(identical(std::complex<double>(0., 2), std::complex<double>(-0., 2)));
  auto a = makeRef<Dict>(), b = makeRef<Dict>();
  a->set("x", 1);
  a->set("y", 2);
  b->set("y", 2);
  b->set("x", 1);
  EXPECT_FALSE(identical(IValue(a), IValue(b)));
  b->erase("x");
  b->clear();
  b->set("x", 1);
  b->set("y", 2);
  EXPECT_TRUE(identical(IValue(a), IValue(b)));
}

TEST(Values, ListsThatContainThemselvesCompareAndPrint) {
  IValue list = IValue::list({1});
  list.toList().items.push_back(list);
  IValue other = IValue::list({1});
  other.toList().items.push_back(other);
  EXPECT_TRUE(identical(list, other));
  EXPECT_EQ(list.str(), "[1, [...]]");
  list.toList().items.clear();
  other.toList().items.clear();
}

TEST(Values, PrintsAsPython) {
  EXPECT_EQ(IValue().str(), "None");
  EXPECT_EQ(IValue(true).str(), "True");
  EXPECT_EQ(IValue(-3).str(), "-3");
  EXPECT_EQ(IValue::list({1, 2}).str(), "[1, 2]");
  EXPECT_EQ(IValue::tuple({1}).str(), "(1,)");
  EXPECT_EQ(IValue::tuple({}).str(), "()");
  EXPECT_EQ(IValue::tuple({1, IValue::list({2.0, IValue()})}).str(), "(1, [2.0, None])");
  auto dict = makeRef<Dict>();
  dict->set("k", 1);
  dict->set("l", IValue::list({}));
  EXPECT_EQ(IValue(dict).str(), "{'k': 1, 'l': []}");
  EXPECT_EQ(IValue(Tensor::scalar(std::int64_t{4})).str(), "tensor(4)");
  EXPECT_EQ(IValue::device(0).str(), "device(type='cpu')");
  EXPECT_EQ(IValue::device(deviceFromName("cuda:1")->code()).str(), "device(type='cuda', index=1)");
  auto tuple = makeRef<Tuple>();
  tuple->items = {1, 2};
  tuple->names = std::make_shared<std::vector<std::string>>(std::vector<std::string>{"a", "b"});
  EXPECT_EQ(IValue(tuple).str(), "(a=1, b=2)");
}

TEST(Values, FloatsPrintAsPythonsRepr) {
  const std::pair<double, const char*> rows[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {0.1, "0.1"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {1e22, "1e+22"},
      {1e100, "1e+100"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {1.5e-7, "1.5e-07"},
      {std::numeric_limits<double>::infinity(), "inf"},
      {-std::numeric_limits<double>::infinity(), "-inf"},
      {std::nan(""), "nan"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(IValue(value).str(), text);
  EXPECT_EQ(IValue(std::complex<double>(0, 1)).str(), "1j");
  EXPECT_EQ(IValue(std::complex<double>(1, -2.5)).str(), "(1-2.5j)");
  EXPECT_EQ(IValue(std::complex<double>(-0.0, 1)).str(), "(-0+1j)");
  EXPECT_EQ(IValue(std::complex<double>(1, std::nan(""))).str(), "(1+nanj)");
}

TEST(Values, StringsPrintAsPythonsRepr) {
  const std::pair<llvm::StringRef, const char*> rows[] = {
      {"abc", "'abc'"},
      {"it's", "\"it's\""},
      {"'\"", "'\\'\"'"},
      {"a\nb\t\r\\", "'a\\nb\\t\\r\\\\'"},
      {llvm::StringRef("\0\x1f\x7f", 3), "'\\x00\\x1f\\x7f'"},
      {"\xc3\xa9", "'\xc3\xa9'"},
      {"\xff", "'\\xff'"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(IValue(value).str(), text);
}

TEST(Device, NamesReadBack) {
  for (const char* text : {"cpu", "cuda", "cuda:0", "cuda:12", "meta", "mps:1"})
    EXPECT_EQ(deviceFromName(text)->str(), text);
  for (const char* text : {"", "cp", "cuda:", "cuda:x", "cuda:-1", "cuda:99999", "cpu:0:1", ":0"})
    EXPECT_FALSE(deviceFromName(text)) << text;
  const Device device = Device::fromCode(deviceFromName("cuda:3")->code());
  EXPECT_EQ(device.str(), "cuda:3");
}

} // namespace
