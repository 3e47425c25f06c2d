#include "ir/builder.h"
#include "tests/fixture.h"
#include "tools/arguments.h"

namespace tine::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The value as text, or `place: kind: message`.
std::string read(llvm::StringRef text) {
  auto value = ArgumentReader(0).read(text, "argument 1");
  if (value) return value->str();
  const Error& error = value.error();
  return error.place.str() + ": " + error.kind + ": " + error.message;
}

Tensor readTensor(llvm::StringRef text) { return ArgumentReader(0).read(text, "t")->toTensor(); }

template <class T> std::vector<T> elements(const Tensor& tensor) {
  return std::vector<T>(tensor.data<T>(), tensor.data<T>() + tensor.numel());
}

TEST(Arguments, Scalars) {
  EXPECT_EQ(read("3"), "3");
  EXPECT_EQ(read(" -7 "), "-7");
  EXPECT_EQ(read("+7"), "7");
  EXPECT_EQ(read("0x1F"), "31");
  EXPECT_EQ(read("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(read("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(read("-2.5"), "-2.5");
  EXPECT_EQ(read(".5"), "0.5");
  EXPECT_EQ(read("1e10"), "10000000000.0");
  EXPECT_EQ(read("1E-2"), "0.01");
  EXPECT_EQ(read("True"), "True");
  EXPECT_EQ(read("False"), "False");
  EXPECT_EQ(read("None"), "None");
  EXPECT_EQ(read("inf"), "inf");
  EXPECT_EQ(read("-inf"), "-inf");
  EXPECT_EQ(read("nan"), "nan");
  EXPECT_EQ(read("\"a\\n'\\x41\""), "\"a\\n'A\"");
  EXPECT_EQ(read("'s'"), "'s'");
  EXPECT_EQ(read("float32"), "6");
  EXPECT_EQ(ArgumentReader(0).read("1-2.5j", "")->toComplex(), std::complex<double>(1, -2.5));
  EXPECT_EQ(ArgumentReader(0).read("2j", "")->toComplex(), std::complex<double>(0, 2));
  EXPECT_EQ(ArgumentReader(0).read("1e-3+1e+2j", "")->toComplex(), std::complex<double>(.001, 100));
}

TEST(Arguments, Containers) {
  EXPECT_EQ(read("[]"), "[]");
  EXPECT_EQ(read("[1, 2.5, 'a',]"), "[1, 2.5, 'a']");
  EXPECT_EQ(read("[[1], [2, 3]]"), "[[1], [2, 3]]");
  EXPECT_EQ(read("()"), "()");
  EXPECT_EQ(read("(1,)"), "(1,)");
  EXPECT_EQ(read("(1)"), "1");
  EXPECT_EQ(read("(1, \"a\")"), "(1, 'a')");
  EXPECT_EQ(read("{}"), "{}");
  EXPECT_EQ(read("{\"k\": 1, 'l': [2]}"), "{'k': 1, 'l': [2]}");
  EXPECT_EQ(read("{1: 2, 1: 3}"), "{1: 3}");
}

TEST(Arguments, Tensors) {
  EXPECT_EQ(readTensor("tensor(3)").dtype(), DType::Int64);
  EXPECT_EQ(readTensor("tensor(3)").dim(), 0);
  EXPECT_EQ(readTensor("tensor(True)").dtype(), DType::Bool);
  EXPECT_EQ(readTensor("tensor([True, 2])").dtype(), DType::Int64);
  EXPECT_EQ(readTensor("tensor([1, 2.5])").dtype(), DType::Float32);
  EXPECT_EQ(readTensor("tensor([])").dtype(), DType::Float32);
  EXPECT_THAT(readTensor("tensor([[], []])").sizes(), ElementsAre(2, 0));
  Tensor t = readTensor("tensor([[1, 2], [3, 4]], dtype=float32)");
  EXPECT_THAT(t.sizes(), ElementsAre(2, 2));
  EXPECT_THAT(elements<float>(t), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(elements<std::int32_t>(readTensor("tensor([1.9, -1.9], dtype=int32)")),
              ElementsAre(1, -1));
  EXPECT_THAT(elements<bool>(readTensor("tensor([0, 2, 0.5], dtype=bool)")),
              ElementsAre(false, true, true));
  EXPECT_THAT(elements<double>(readTensor("tensor((1, inf), dtype=float64)")),
              ElementsAre(1, std::numeric_limits<double>::infinity()));
  EXPECT_THAT(readTensor("zeros(2, 3)").sizes(), ElementsAre(2, 3));
  EXPECT_THAT(readTensor("zeros([2, 3])").sizes(), ElementsAre(2, 3));
  EXPECT_THAT(readTensor("zeros()").sizes(), ElementsAre());
  EXPECT_THAT(elements<std::int64_t>(readTensor("ones(2, dtype=int64)")), ElementsAre(1, 1));
  EXPECT_THAT(elements<float>(readTensor("full(2, 3.5)")), ElementsAre(3.5f, 3.5f));
  EXPECT_THAT(elements<std::int64_t>(readTensor("arange(4)")), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(elements<std::int64_t>(readTensor("arange(5, 0, -2)")), ElementsAre(5, 3, 1));
  EXPECT_THAT(elements<float>(readTensor("arange(0, 1, 0.25)")), ElementsAre(0, .25f, .5f, .75f));
  EXPECT_THAT(elements<float>(readTensor("arange(2, dtype=float32)")), ElementsAre(0, 1));
  EXPECT_EQ(readTensor("arange(0)").numel(), 0);
  EXPECT_THAT(elements<float>(readTensor("ramp(5)")), ElementsAre(-1, -.5f, 0, .5f, 1));
  EXPECT_THAT(readTensor("ramp(2, 3)").sizes(), ElementsAre(2, 3));
  EXPECT_THAT(elements<float>(readTensor("ramp(1)")), ElementsAre(-1));
  EXPECT_EQ(readTensor("ramp(0)").numel(), 0);
  EXPECT_THAT(elements<std::int64_t>(readTensor("arange(-9223372036854775808, 9223372036854775807, "
                                                "4611686018427387904)")),
              ElementsAre(std::numeric_limits<std::int64_t>::min(), -4611686018427387904, 0,
                          4611686018427387904));
}

TEST(Arguments, RandomNumbersComeFromTheSeed) {
  auto draw = [](std::uint64_t seed) {
    ArgumentReader reader(seed);
    auto first = elements<float>(reader.read("rand(100)", "")->toTensor());
    auto second = elements<float>(reader.read("rand(10, 10)", "")->toTensor());
    EXPECT_NE(first, second);
    first.insert(first.end(), second.begin(), second.end());
    return first;
  };
  auto numbers = draw(1);
  EXPECT_EQ(numbers, draw(1));
  EXPECT_NE(numbers, draw(2));
  float sum = 0;
  for (float n : numbers) {
    EXPECT_GE(n, 0);
    EXPECT_LT(n, 1);
    sum += n;
  }
  EXPECT_NEAR(sum / 200, .5, .1);
}

TEST(Arguments, ErrorsHaveTheirPlace) {
  EXPECT_EQ(read(""), "argument 1:1:1: SyntaxError: expected a value");
  EXPECT_EQ(read("[1, 2"), "argument 1:1:6: SyntaxError: expected `,` or `]`");
  EXPECT_EQ(read("[1 2]"), "argument 1:1:4: SyntaxError: expected `,` or `]`");
  EXPECT_EQ(read("[1,, 2]"), "argument 1:1:4: SyntaxError: expected a value");
  EXPECT_EQ(read("1 2"), "argument 1:1:3: SyntaxError: nothing may follow the argument");
  EXPECT_EQ(read("1x"), "argument 1:1:1: SyntaxError: not a number");
  EXPECT_EQ(read("-"), "argument 1:1:1: SyntaxError: not a number");
  EXPECT_EQ(read("1_000"), "argument 1:1:1: SyntaxError: not a number");
  EXPECT_EQ(read("9223372036854775808"), "argument 1:1:1: OverflowError: an int has 64 bits");
  EXPECT_EQ(read("1e999"), "argument 1:1:1: SyntaxError: not a number");
  EXPECT_EQ(read("\"abc"), "argument 1:1:1: SyntaxError: a string without an end");
  EXPECT_EQ(read("'a\xff'"), "argument 1:1:3: SyntaxError: the argument is not UTF-8");
  EXPECT_THAT(read("\"ab\\q\""), HasSubstr("argument 1:1:4: SyntaxError"));
  EXPECT_EQ(read("true"), "argument 1:1:1: SyntaxError: `true` is not a value");
  EXPECT_EQ(read("zeroes(2)"), "argument 1:1:1: SyntaxError: there is no function `zeroes`");
  EXPECT_EQ(read("{1 2}"), "argument 1:1:4: SyntaxError: expected `:`");
  EXPECT_EQ(read("{[1]: 2}").substr(0, 27), "argument 1:1:2: TypeError: ");
  EXPECT_EQ(read("@"), "argument 1:1:1: SyntaxError: expected a value");
  EXPECT_EQ(read("tensor(1, dtype=float33)"),
            "argument 1:1:17: SyntaxError: there is no dtype `float33`");
  EXPECT_THAT(read("tensor(1, dtype=float16)"), HasSubstr("argument 1:1:17: TypeError"));
  EXPECT_EQ(read("tensor([[1], [2, 3]])"),
            "argument 1:1:8: ValueError: the lists of a tensor have different lengths: dimension 1 "
            "is 1 long at first");
  EXPECT_THAT(read("tensor([[1], 2])"), HasSubstr("different lengths"));
  EXPECT_THAT(read("tensor([\"a\"])"), HasSubstr("TypeError: an element of a tensor"));
  EXPECT_EQ(read("tensor([300], dtype=uint8)"),
            "argument 1:1:8: OverflowError: 300 does not fit the dtype uint8");
  EXPECT_THAT(read("tensor([1e10], dtype=int32)"), HasSubstr("OverflowError"));
  EXPECT_THAT(read("tensor([nan], dtype=int64)"), HasSubstr("OverflowError"));
  EXPECT_THAT(read("tensor([9223372036854775808.0], dtype=int64)"), HasSubstr("OverflowError"));
  EXPECT_EQ(read("zeros(2, -1)"), "argument 1:1:10: ValueError: a size is not negative");
  EXPECT_THAT(read("zeros(2.5)"), HasSubstr("argument 1:1:7: TypeError: a size is an int"));
  EXPECT_EQ(read("zeros(100000, 100000)"),
            "argument 1:1:1: MemoryError: more than 268435456 elements");
  EXPECT_EQ(read("arange(1e300)"), "argument 1:1:1: MemoryError: more than 268435456 elements");
  EXPECT_THAT(read("arange(1, 2, 0)"), HasSubstr("ValueError"));
  EXPECT_THAT(read("arange(2, 1)"), HasSubstr("ValueError: arange steps away"));
  EXPECT_THAT(read("arange(nan)"), HasSubstr("ValueError"));
  EXPECT_THAT(read("rand(2, dtype=int64)"), HasSubstr("argument 1:1:15: TypeError"));
  EXPECT_THAT(read("full()"), HasSubstr("TypeError"));
}

TEST(Arguments, AnyTextEndsWell) {
  EXPECT_EQ(read(std::string(100000, '[')),
            "argument 1:1:202: SyntaxError: nested more than 200 deep");
  EXPECT_THAT(read(std::string(200, '[') + "1" + std::string(200, ']')), HasSubstr("1"));
  // Every prefix, and every prefix with a byte after it.
  std::string text =
      "[tensor([[1, 2.5]], dtype=float64), {\"k\": (1-2j, 'a\\x41')}, zeros(2), -inf]";
  for (std::size_t i = 0; i <= text.size(); ++i) {
    for (char c : llvm::StringRef("\0[]{}(),:\"'\\-+.ej5 \xff\n", 22)) {
      auto value = ArgumentReader(0).read(text.substr(0, i) + c, "x");
      if (!value) {
        EXPECT_LE(value.error().place.column, i + 2);
      }
    }
  }
}

TEST(Arguments, WhatIsPrintedReadsBack) {
  for (const char* text :
       {"[1, -2, 0]", "[1.5, -0.0, 1e300, 5e-324, 0.1]", "['a\\n\\x07\\'\\\\', \"'\", '']",
        "(1, (True, None), [])", "(1,)", "{'k': {1: 2.5}}", "[1+2j, -0.5j]", "[inf, -inf]"}) {
    auto first = ArgumentReader(0).read(text, "x");
    ASSERT_TRUE(first) << text;
    auto second = ArgumentReader(0).read(first->str(), "x");
    ASSERT_TRUE(second) << first->str() << ": " << second.error().str();
    EXPECT_TRUE(identical(*first, *second)) << text << " gives " << first->str();
  }
}

struct Bound : ::testing::Test {
  NamedGraph function{"main", std::make_unique<Graph>()};
  Graph& graph = *function.graph;
  std::string bind(std::vector<std::string> texts) {
    ArgumentReader reader(0);
    std::vector<IValue> values;
    for (const std::string& text : texts) values.push_back(reader.read(text, "x").value());
    auto bound = bindArguments(function, std::move(values), texts);
    std::string out;
    if (bound)
      for (const IValue& value : *bound) out += value.str() + ";";
    else
      for (const Error& error : bound.errors()) out += error.str();
    return out;
  }
};

TEST_F(Bound, LeavesOutWhatHasADefault) {
  graph.addInput("x", Type::floatType());
  graph.addInput("s", Type::strType());
  graph.addOutput(graph.addInput("n", Type::intType()));
  function.defaults = {std::nullopt, IValue("two"), IValue(3)};
  EXPECT_EQ(bind({"1"}), "1.0;'two';3;");
  EXPECT_EQ(bind({"1", "'s'"}), "1.0;'s';3;");
  EXPECT_EQ(bind({"1", "'s'", "4"}), "1.0;'s';4;");
  const std::string shown = "note: main(%x : float, %s : str = 'two', %n : int = 3) -> int\n";
  EXPECT_EQ(bind({}), "error: main takes 1 to 3 arguments, but 0 are given\n"
                      "note: there is none for %x : float\n" +
                          shown);
  EXPECT_EQ(bind({"1", "'s'", "4", "5"}),
            "error: main takes 1 to 3 arguments, but 4 are given\n" + shown);
}

TEST_F(Bound, CountsArguments) {
  graph.addInput("x", Type::tensorType());
  graph.addOutput(graph.addInput("n", Type::intType()));
  EXPECT_EQ(bind({"1"}), "error: main takes 2 arguments, but 1 is given\n"
                         "note: there is none for %n : int\n"
                         "note: main(%x : Tensor, %n : int) -> int\n");
  EXPECT_THAT(bind({"1", "2", "3"}), HasSubstr("main takes 2 arguments, but 3 are given"));
}

TEST_F(Bound, ChecksTypes) {
  graph.addInput("x", Type::tensorType());
  graph.addInput("n", Type::intType());
  EXPECT_EQ(bind({"1", "[2]"}), "argument 1:1:1: error: the argument does not fit %x : Tensor\n"
                                "1\n"
                                "^\n"
                                "note: main(%x : Tensor, %n : int) -> ()\n"
                                "argument 2:1:1: error: the argument does not fit %n : int\n"
                                "[2]\n"
                                "^~~\n"
                                "note: main(%x : Tensor, %n : int) -> ()\n");
}

TEST_F(Bound, ConvertsAndRefuses) {
  Context& c = graph.context();
  const Type *i = Type::intType(), *f = Type::floatType();
  struct Case {
    const Type* type;
    const char* text;
    const char* bound; ///< null: does not fit
  };
  const Case cases[] = {
      {f, "1", "1.0;"},
      {f, "1.5", "1.5;"},
      {f, "True", nullptr},
      {i, "1.5", nullptr},
      {i, "True", nullptr},
      {Type::boolType(), "1", nullptr},
      {Type::NumberType(), "1.5", "1.5;"},
      {Type::NumberType(), "'a'", nullptr},
      {Type::strType(), "'a'", "'a';"},
      {Type::AnyType(), "[1, 'a']", "[1, 'a'];"},
      {optionalOf(c, f), "None", "None;"},
      {optionalOf(c, f), "2", "2.0;"},
      {optionalOf(c, f), "'a'", nullptr},
      {listOf(c, f), "[1, 2]", "[1.0, 2.0];"},
      {listOf(c, i), "[1, 2.5]", nullptr},
      {listOf(c, i), "[]", "[];"},
      {listOf(c, i), "(1, 2)", nullptr},
      {tupleOf(c, {i, f}), "(1, 2)", "(1, 2.0);"},
      {tupleOf(c, {i, f}), "(1,)", nullptr},
      {dictOf(c, Type::strType(), f), "{'a': 1}", "{'a': 1.0};"},
      {dictOf(c, Type::strType(), f), "{1: 1}", nullptr},
      {unionOf(c, {Type::strType(), listOf(c, i)}), "[1]", "[1];"},
      {unionOf(c, {Type::strType(), listOf(c, i)}), "1", nullptr},
      {futureOf(c, i), "1", nullptr},
      {classOf(c, "__torch__.M"), "1", nullptr},
      {Type::AnyListType(), "[1]", "[1];"},
  };
  Value* input = graph.addInput("a", i);
  for (const Case& test : cases) {
    input->setType(test.type);
    if (test.bound)
      EXPECT_EQ(bind({test.text}), test.bound) << test.type->str();
    else
      EXPECT_THAT(bind({test.text}), HasSubstr("does not fit %a : " + test.type->str()))
          << test.text;
  }
}

} // namespace
} // namespace tine::tools
