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
