#include "ir/builder.h"
#include "tests/unit/interpreter/programs.h"

namespace tine::testing {
namespace {

std::string codeOf(const char* text) {
  auto code = compileText(text);
  return code ? code->str() : "";
}

TEST(Code, ValuesAreMovedAtTheirLastUseAndResultsComputedInPlace) {
  EXPECT_EQ(codeOf(R"(f(%a : int, %n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %r : int = prim::Loop(%n, %t, %0)
    block0(%i : int, %acc : int):
      %x : int = aten::mul(%i, %a)
      %s : int = aten::add(%acc, %x)
      -> (%t, %s)
  return (%r)
)"),
            "f: 2 inputs, 5 registers\n"
            "0  Copy r4 0\n"
            "1  Move r3 r1\n"
            "2  LoopStart r2 6\n"
            "3  MulInt r1 r2 r0\n"
            "4  AddInt r4 r4 r1\n"
            "5  LoopNext r2 3\n"
            "6  Return r4!\n");
}

TEST(Code, ComparisonsBranchAndConstantsAreOperands) {
  EXPECT_EQ(codeOf(R"(f(%n : int):
  %max : int = prim::Constant[value=9223372036854775807]()
  %0 : int = prim::Constant[value=0]()
  %2 : int = prim::Constant[value=2]()
  %enter : bool = aten::lt(%0, %n)
  %s : int, %i : int = prim::Loop(%max, %enter, %0, %0)
    block0(%trip : int, %s.1 : int, %i.1 : int):
      %d : int = aten::mul(%2, %i.1)
      %s.2 : int = aten::add(%s.1, %d)
      %i.2 : int = aten::add(%i.1, %2)
      %again : bool = aten::lt(%i.2, %n)
      -> (%again, %s.2, %i.2)
  return (%s)
)"),
            "f: 1 inputs, 6 registers\n"
            "0  GtIntK r1 r0 0\n"
            "1  Copy r4 0\n"
            "2  Copy r5 0\n"
            "3  Copy r3 9223372036854775807\n"
            "4  JumpIfNot r1 12\n"
            "5  LoopStart r2 12\n"
            "6  MulIntK r1 r5 2\n"
            "7  AddInt r4 r4 r1\n"
            "8  AddIntK r5 r5 2\n"
            "9  LtIntBranch r1 r5 r0\n"
            "10  JumpIfNot r1 12\n"
            "11  LoopNext r2 6\n"
            "12  Return r4!\n");
}

// Every instruction of arithmetic and comparison, in all its forms, on all pairs of odd numbers.
template <class T> struct Calculation {
  const char* name;
  IValue (*expected)(T a, T b);
};

template <class T>
void expectAllForms(const char* type, llvm::ArrayRef<Calculation<T>> calculations,
                    llvm::ArrayRef<T> numbers, const std::function<std::string(T)>& literal) {
  const std::string t = type;
  Scheduler scheduler({.workers = 0});
  for (const Calculation<T>& calculation : calculations) {
    const bool compares = calculation.expected(1, 1).isBool();
    const std::string result = compares ? "bool" : t;
    const std::string op = std::string(" = ") + calculation.name;
    const auto branch = [&](const std::string& operands) {
      return "  %c : bool" + op + operands +
             "\n  %yes : bool = prim::Constant[value=1]()\n  %no : bool = prim::Constant[value=0]()"
             "\n  %r : bool = prim::If(%c)\n    block0():\n      -> (%yes)\n    block1():\n"
             "      -> (%no)\n  return (%r)\n\n";
    };
    const auto forms = [&](const std::string& suffix, const std::string& inputs,
                           const std::string& constants, const std::string& operands) {
      std::string text = "plain" + suffix + inputs + ":\n" + constants + "  %r : " + result + op +
                         operands + "\n  return (%r)\n\n";
      if (compares) text += "branch" + suffix + inputs + ":\n" + constants + branch(operands);
      return text;
    };
    std::string text = forms("", "(%a : " + t + ", %b : " + t + ")", "", "(%a, %b)");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::string k =
          "  %k : " + t + " = prim::Constant[value=" + literal(numbers[i]) + "]()\n";
      text += forms("_right" + std::to_string(i), "(%a : " + t + ")", k, "(%a, %k)");
      text += forms("_left" + std::to_string(i), "(%b : " + t + ")", k, "(%k, %b)");
      for (std::size_t j = 0; j < numbers.size(); ++j)
        text +=
            forms("_both" + std::to_string(i) + "_" + std::to_string(j), "()",
                  k + "  %m : " + t + " = prim::Constant[value=" + literal(numbers[j]) + "]()\n",
                  "(%k, %m)");
    }
    auto code = compileText(text);
    ASSERT_TRUE(code);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      for (std::size_t j = 0; j < numbers.size(); ++j) {
        const T a = numbers[i], b = numbers[j];
        const IValue expected = calculation.expected(a, b);
        const std::string wanted =
            expected.isNone() ? "ZeroDivisionError: " : expected.str(); // None: divided by zero
        for (const char* form : {"plain", "branch"}) {
          if (form[0] == 'b' && !compares) continue;
          const std::string name = form;
          const auto what =
              name + " " + calculation.name + "(" + literal(a) + ", " + literal(b) + ")";
          EXPECT_THAT(outcome(scheduler, code, name, {a, b}), ::testing::StartsWith(wanted))
              << what;
          EXPECT_THAT(outcome(scheduler, code, name + "_right" + std::to_string(j), {a}),
                      ::testing::StartsWith(wanted))
              << what;
          EXPECT_THAT(outcome(scheduler, code, name + "_left" + std::to_string(i), {b}),
                      ::testing::StartsWith(wanted))
              << what;
          EXPECT_THAT(outcome(scheduler, code,
                              name + "_both" + std::to_string(i) + "_" + std::to_string(j), {}),
                      ::testing::StartsWith(wanted))
              << what;
        }
      }
  }
}

TEST(Code, IntInstructionsInAllForms) {
  using T = std::int64_t;
  constexpr T kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
#define TINE_FORM(name, expression)                                                                \
  {                                                                                                \
    name, [](T a, T b) -> IValue { return expression; }                                            \
  }
#define TINE_WRAP(op) static_cast<T>(static_cast<std::uint64_t>(a) op static_cast<std::uint64_t>(b))
  const Calculation<T> calculations[] = {
      TINE_FORM("aten::add", TINE_WRAP(+)),
      TINE_FORM("aten::sub", TINE_WRAP(-)),
      TINE_FORM("aten::mul", TINE_WRAP(*)),
      TINE_FORM("aten::floordiv", b == 0    ? IValue()
                                  : b == -1 ? IValue(static_cast<T>(-static_cast<std::uint64_t>(a)))
                                            : IValue(a / b - (a % b != 0 && (a < 0) != (b < 0)))),
      TINE_FORM("aten::remainder", b == 0    ? IValue()
                                   : b == -1 ? IValue(T(0))
                                             : IValue((a % b + b) % b)),
      TINE_FORM("aten::lt", a < b),
      TINE_FORM("aten::le", a <= b),
      TINE_FORM("aten::gt", a > b),
      TINE_FORM("aten::ge", a >= b),
      TINE_FORM("aten::eq", a == b),
      TINE_FORM("aten::ne", a != b),
  };
  const T numbers[] = {-7, -1, 0, 1, 2, 7, kMax / 3, kMin / 5};
  expectAllForms<T>("int", calculations, numbers, [](T v) { return std::to_string(v); });
}

TEST(Code, FloatInstructionsInAllForms) {
  using T = double;
  constexpr T kInf = std::numeric_limits<T>::infinity();
  const Calculation<T> calculations[] = {
      TINE_FORM("aten::add", a + b), TINE_FORM("aten::sub", a - b), TINE_FORM("aten::mul", a * b),
      TINE_FORM("aten::lt", a < b),  TINE_FORM("aten::le", a <= b), TINE_FORM("aten::gt", a > b),
      TINE_FORM("aten::ge", a >= b), TINE_FORM("aten::eq", a == b), TINE_FORM("aten::ne", a != b),
  };
#undef TINE_FORM
#undef TINE_WRAP
  const T numbers[] = {-2.5,  -0.0, 0.0,   1.5,
                       1e300, kInf, -kInf, std::numeric_limits<T>::quiet_NaN()};
  expectAllForms<T>("float", calculations, numbers, [](T v) { return IValue(v).str(); });
}

TEST(Code, ListInstructionsAndTheirKernels) {
  auto code = compileText(R"(get(%l : int[], %i : int):
  %x : int = aten::__getitem__(%l, %i)
  %n : int = aten::len(%l)
  %same : int[] = aten::append(%l, %i)
  %y : int = aten::__getitem__(%l, %n)
  %r : (int, int, int, int[]) = prim::TupleConstruct(%x, %n, %y, %l)
  return (%r)
)");
  ASSERT_TRUE(code);
  for (const char* instr : {"ListGet", "ListLen", "ListAppend"})
    EXPECT_THAT(code->str(), ::testing::HasSubstr(instr));
  Scheduler scheduler({.workers = 0});
  const auto list = [] { return IValue::list({4, 5, 6}); };
  EXPECT_EQ(outcome(scheduler, code, "get", {list(), 2}), "(6, 3, 2, [4, 5, 6, 2])");
  EXPECT_EQ(outcome(scheduler, code, "get", {list(), -3}), "(4, 3, -3, [4, 5, 6, -3])");
  for (std::int64_t out :
       {std::int64_t(3), std::int64_t(-4), std::numeric_limits<std::int64_t>::min()})
    EXPECT_EQ(outcome(scheduler, code, "get", {list(), out}),
              "IndexError: list index out of range");
}

TEST(Code, TensorsAreReleasedWhereTheyDie) {
  EXPECT_EQ(codeOf(R"(f(%a : Tensor, %b : Tensor, %c : bool):
  %1 : int = prim::Constant[value=1]()
  %x : Tensor = aten::add(%a, %b, %1)
  %y : Tensor = aten::neg(%x)
  %unused : Tensor = aten::neg(%x)
  %r : Tensor = prim::If(%c)
    block0():
      %z : Tensor = aten::neg(%b)
      -> (%z)
    block1():
      -> (%y)
  return (%r)
)"),
            "f: 3 inputs, 4 registers\n"
            "0  Operator aten::add.Tensor(r0!, r1, 1) -> r0\n"
            "1  Operator aten::neg(r0) -> r3\n"
            "2  Operator aten::neg(r0!) -> r0\n"
            "3  Drop r0\n"
            "4  JumpIfNot r2 7\n"
            "5  Operator aten::neg(r1) -> r2\n"
            "6  Jump 8\n"
            "7  Copy r2 r3\n"
            "8  Drop r3\n"
            "9  Drop r1\n"
            "10  Return r2!\n");
}

TEST(Code, ABodyThatOnlyCallsIsTheCalleeItself) {
  auto code = compileText(kFib);
  EXPECT_EQ(code->functions().size(), 2u);
  EXPECT_THAT(code->str(), ::testing::HasSubstr("Fork r2 fib(r2!)"));
  EXPECT_THAT(code->str(), ::testing::Not(::testing::HasSubstr("<forked function>")));
}

TEST(Code, TooManyLiveValuesAreAnErrorWithAPlace) {
  Graph graph;
  Builder b(graph);
  b.setLocation({graph.context().symbol("big.py"), 7, 3, 1});
  std::vector<Value*> values;
  Value* x = graph.addInput("x", Type::tensorType());
  for (int i = 0; i < 40000; ++i) values.push_back(b.call("aten::neg", {x}));
  graph.addOutput(b.list(Type::tensorType(), values));
  auto code = compile(graph, OpSet::sharedBuiltin());
  ASSERT_FALSE(code);
  EXPECT_EQ(said(code.error()),
            "UnsupportedError: function graph has more than 32767 values alive at once");
  EXPECT_EQ(code.error().place.str(), "big.py:7:4");
}

// Operands reach 32,768 constants; the others are loaded where they are used.
TEST(Code, AnyNumberOfConstants) {
  constexpr std::int64_t kMany = 70000;
  std::string text = "f(%x : int):\n", list = "  %l : int[] = prim::ListConstruct(";
  std::string last = "x";
  for (std::int64_t i = 0; i < kMany; ++i) {
    const std::string n = std::to_string(i), sum = "s" + n, k = "k" + n;
    text += "  %" + k + " : int = prim::Constant[value=" + n + "]()\n";
    // Constants on the left, on the right, as what a block gives, as a condition.
    text += "  %" + sum + " : int = aten::" + (i % 2 ? "sub(%" + k + ", %" : "add(%" + k + ", %") +
            last + ")\n";
    list += (i ? ", %" : "%") + k;
    last = sum;
  }
  text += list +
          ")\n  %w : str = prim::Constant[value=\"far\"]()\n"
          "  %t : bool = prim::Constant[value=1]()\n"
          "  %i : int, %v : str = prim::If(%t)\n    block0():\n      -> (%k69999, %w)\n"
          "    block1():\n      -> (%k69998, %w)\n"
          "  %r : (int, int, str, int[]) = prim::TupleConstruct(%" +
          last + ", %i, %v, %l)\n  return (%r)\n";
  std::int64_t want = 5;
  for (std::int64_t i = 0; i < kMany; ++i) want = i % 2 ? i - want : i + want;
  auto code = compileText(text);
  ASSERT_TRUE(code);
  Scheduler scheduler({.workers = 0});
  for (int i = 0; i < 2; ++i) { // the list is a new one each time
    const IValue result = scheduler.wait(*scheduler.run(code, "f", {5}));
    const std::vector<IValue>& items = result.toTuple().items;
    EXPECT_EQ(items[0].toInt(), want);
    EXPECT_EQ(items[1].toInt(), kMany - 1);
    EXPECT_EQ(items[2].toStringRef(), "far");
    std::vector<IValue>& numbers = items[3].toList().items;
    ASSERT_EQ(numbers.size(), static_cast<std::size_t>(kMany));
    EXPECT_EQ(numbers.back().toInt(), kMany - 1);
    numbers.clear();
  }
}

TEST(Code, LongChainsOnASmallStack) {
  runOnStack(kSmallStack, [] {
    auto graph = std::make_unique<Graph>();
    Builder b(*graph);
    Value* x = graph->addInput("x", Type::tensorType());
    Value* one = b.constant(1);
    for (int i = 0; i < 100000; ++i) x = b.call("aten::sub", {x, one, one});
    graph->addOutput(x);
    auto code = compile(*graph, OpSet::sharedBuiltin()).value();
    graph.reset();
    EXPECT_EQ(code->front().numRegisters, 1u);
    Scheduler scheduler({.workers = 0});
    EXPECT_EQ(
        run(scheduler, code, "graph", {Tensor::scalar(std::int64_t(100007))}).toTensor().toInt(),
        7);
  });
}

TEST(Code, DeepNestingOnASmallStack) {
  runOnStack(kSmallStack, [] {
    constexpr int kDepth = 10000;
    auto graph = std::make_unique<Graph>();
    Value* n = graph->addInput("n", Type::intType());
    Value* outer = graph->addInput("outer", Type::intType());
    Value* condition = Builder(*graph).constant(true);
    std::vector<Node*> branches;
    Block* block = graph->block();
    for (int i = 0; i < kDepth; ++i) {
      branches.push_back(Builder(block).ifNode(condition, {Type::intType()}));
      branches.back()->blocks()[1]->addOutput(outer);
      block = branches.back()->blocks()[0];
    }
    block->addOutput(n);
    for (std::size_t i = branches.size(); i-- > 0;) {
      Block* around = branches[i]->block();
      around->addOutput(
          Builder(around).call("aten::add", {branches[i]->output(), outer}, Type::intType()));
    }
    auto code = compile(*graph, OpSet::sharedBuiltin()).value();
    graph.reset();
    Scheduler scheduler({.workers = 0});
    EXPECT_EQ(run(scheduler, code, "graph", {5, 3}).toInt(), 5 + 3 * kDepth);
  });
}

TEST(Code, IsInstanceLooksInside) {
  auto context = Context::create();
  const Type* ints = listOf(*context, Type::intType());
  const Type* pair = tupleOf(*context, {Type::intType(), Type::strType()});
  EXPECT_TRUE(isInstance(IValue::list({1, 2}), ints));
  EXPECT_FALSE(isInstance(IValue::list({1, 2.5}), ints));
  EXPECT_TRUE(isInstance(IValue(), optionalOf(*context, ints)));
  EXPECT_TRUE(isInstance(IValue::tuple({1, "s"}), pair));
  EXPECT_FALSE(isInstance(IValue::tuple({1}), pair));
  EXPECT_FALSE(isInstance(IValue(true), Type::intType()));
}

} // namespace
} // namespace tine::testing
