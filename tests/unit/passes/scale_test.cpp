#include "ir/builder.h"
#include "ir/verify.h"
#include "passes/alias.h"
#include "tests/unit/passes/passes_test.h"

namespace tine::testing {
namespace {

class EveryPass : public ::testing::TestWithParam<Pass> {};
INSTANTIATE_TEST_SUITE_P(Scale, EveryPass,
                         ::testing::ValuesIn(allPasses().begin(), allPasses().end()),
                         [](const auto& param) { return param.param.name.str(); });

/// The pass runs and leaves a good graph, on a stack of 256 kB.
void runSmall(Graph& graph, const Pass& pass) {
  runOnStack(kSmallStack, [&] {
    PassContext context(OpSet::sharedBuiltin());
    pass.run(graph, context);
    auto verified = verify(graph);
    EXPECT_TRUE(verified) << verified.error().str();
  });
}

std::size_t count(const Graph& graph) {
  std::size_t nodes = 0;
  graph.forEachNode([&](Node*) { ++nodes; });
  return nodes;
}

TEST_P(EveryPass, LongChain) {
  Graph graph;
  Value* last = graph.addInput("x", Type::tensorType());
  Builder b(graph);
  for (int i = 0; i < 100'000; ++i) last = b.call("aten::abs", {last});
  graph.addOutput(last);
  runSmall(graph, GetParam());
  EXPECT_EQ(count(graph), 100'000u);
}

TEST_P(EveryPass, LongChainOfConstants) {
  Graph graph;
  Builder b(graph);
  Value* last = b.constant(1);
  for (int i = 0; i < 100'000; ++i) last = b.call("aten::neg", {last}, Type::intType());
  graph.addOutput(last);
  runSmall(graph, GetParam());
  EXPECT_GE(count(graph), 1u);
}

TEST_P(EveryPass, DeepBlocks) {
  Graph graph;
  Value* x = graph.addInput("x", Type::tensorType());
  Value* c = graph.addInput("c", Type::boolType());
  Block* block = graph.block();
  std::vector<Node*> branches;
  for (int i = 0; i < 10'000; ++i) {
    Builder b(block);
    Node* node = b.ifNode(c, {Type::tensorType()});
    node->blocks()[1]->addOutput(x);
    block->addOutput(node->output());
    branches.push_back(node);
    block = node->blocks()[0];
  }
  Builder b(block);
  block->addOutput(b.call("aten::neg", {x}));
  runSmall(graph, GetParam());
  EXPECT_EQ(count(graph), 10'001u);
}

TEST_P(EveryPass, DeepLoopsAndConstantBranches) {
  Graph graph;
  Value* carried = graph.addInput("x", Type::intType());
  Builder root(graph);
  Value *yes = root.constant(true), *three = root.constant(3);
  Block* block = graph.block();
  auto finish = [&](Block* around, Value* result) {
    if (around->owner() && around->owner()->op() == Builtin::Loop) around->addOutput(yes);
    around->addOutput(result);
  };
  constexpr int kDepth = 10'000;
  for (int i = 0; i < kDepth; ++i) {
    Builder b(block);
    Node* node = i % 2 ? b.ifNode(yes, {Type::intType()}) : b.loopNode(three, yes, {carried});
    finish(block, node->output());
    if (i % 2) node->blocks()[1]->addOutput(carried);
    block = node->blocks()[0];
    if (i % 2 == 0) carried = block->inputs()[1];
  }
  finish(block, Builder(block).call("aten::neg", {carried}, Type::intType()));
  runSmall(graph, GetParam());
  // Folding takes the branches; nothing else may take anything.
  std::size_t expected = kDepth + 3;
  if (GetParam().name == "fold") expected -= kDepth / 2;
  EXPECT_EQ(count(graph), expected);
}

TEST_P(EveryPass, DeepForks) {
  constexpr int kDepth = 3'000;
  auto context = Context::create();
  auto body = std::make_unique<Graph>(context);
  body->addOutput(Builder(*body).call("aten::neg", {body->addInput("x", Type::tensorType())}));
  for (int i = 0; i < kDepth; ++i) {
    auto outer = std::make_unique<Graph>(context);
    Value* x = outer->addInput("x", Type::tensorType());
    Builder b(*outer);
    outer->addOutput(b.wait(b.fork(std::move(body), {x})));
    body = std::move(outer);
  }
  runSmall(*body, GetParam());
  EXPECT_EQ(count(*body), GetParam().name == "inline_fork_wait" ? 1u : 2u);
}

TEST_P(EveryPass, ManyForksAtOnce) {
  Graph graph;
  Value* x = graph.addInput("x", Type::tensorType());
  Builder b(graph);
  std::vector<Value*> futures;
  constexpr int kForks = 20'000;
  for (int i = 0; i < kForks; ++i) {
    auto body = std::make_unique<Graph>(graph.sharedContext());
    body->addOutput(Builder(*body).call("aten::neg", {body->addInput("x", Type::tensorType())}));
    futures.push_back(b.fork(std::move(body), {x}));
  }
  Value* sum = x;
  for (Value* future : futures) sum = b.call("aten::mul", {sum, b.wait(future)});
  graph.addOutput(sum);
  runSmall(graph, GetParam());
  EXPECT_EQ(count(graph), GetParam().name == "inline_fork_wait" ? 2u * kForks : 3u * kForks);
}

/// f0 calls nothing, f1 calls f0 `calls` times, ...
CompilationUnit chainOfCalls(int functions, int calls) {
  CompilationUnit unit;
  for (int i = 0; i < functions; ++i) {
    auto graph = std::make_unique<Graph>(unit.context());
    Value* x = graph->addInput("x", Type::intType());
    Builder b(*graph);
    if (i == 0) {
      x = b.call("aten::neg", {x}, Type::intType());
    } else {
      Value* f = b.functionConstant("f" + std::to_string(i - 1));
      for (int k = 0; k < calls; ++k) x = b.call("prim::CallFunction", {f, x}, Type::intType());
    }
    graph->addOutput(x);
    unit.add("f" + std::to_string(i), std::move(graph));
  }
  return unit;
}

TEST(Scale, CallsThatDoubleStopGrowing) {
  CompilationUnit unit = chainOfCalls(41, 2); // f40 would be 2^40 nodes
  PassContext context(OpSet::sharedBuiltin(), &unit);
  Graph& last = *unit.find("f40");
  EXPECT_TRUE(inlineCalls(last, context));
  EXPECT_GT(count(last), 100'000u);
  EXPECT_LE(count(last), 200'002u);
  EXPECT_TRUE(verify(unit));
}

TEST(Scale, ManyFunctionsThatCallEachOtherStopGrowing) {
  CompilationUnit unit = chainOfCalls(2'000, 2);
  runOnStack(kSmallStack, [&] {
    auto ran = runPasses(unit, *OpSet::sharedBuiltin(), "default");
    EXPECT_TRUE(ran) << ran.error().str();
  });
  std::size_t nodes = 0;
  for (const NamedGraph& function : unit.functions()) nodes += count(*function.graph);
  EXPECT_GT(nodes, 100'000u);
  EXPECT_LE(nodes, 510'000u);
}

TEST(CallFacts, OfLoopsForksAndStrangers) {
  CompilationUnit unit = readUnit(R"(alone(%x : int):
  return (%x)

ping(%x : int):
  %f : Function = prim::Constant[name="pong"]()
  %y : int = prim::CallFunction(%f, %x)
  return (%y)

pong(%x : int):
  %f : Future[int] = prim::fork_0(%x)
  %y : int = aten::wait(%f)
  return (%y)
with prim::fork_0 = graph(%x : int):
  %f : Function = prim::Constant[name="ping"]()
  %y : int = prim::CallFunction(%f, %x)
  return (%y)

self(%x : int):
  %f : Function = prim::Constant[name="self"]()
  %y : int = prim::CallFunction(%f, %x)
  return (%y)

above(%x : int,
      %g : Function):
  %f : Function = prim::Constant[name="ping"]()
  %y : int = prim::CallFunction(%f, %x)
  %z : int = prim::CallFunction(%g, %y)
  return (%z)
)");
  PassContext context(OpSet::sharedBuiltin(), &unit);
  auto facts = [&](const char* name) {
    const CallFacts& known = context.facts(*unit.find(name));
    EXPECT_EQ(known.name, name);
    return std::string(known.recursive ? "recursive " : "") + (known.forks ? "forks " : "") +
           (known.unknown ? "unknown" : "");
  };
  EXPECT_EQ(facts("alone"), "");
  EXPECT_EQ(facts("ping"), "recursive forks ");
  EXPECT_EQ(facts("pong"), "recursive forks ");
  EXPECT_EQ(facts("self"), "recursive ");
  EXPECT_EQ(facts("above"), "forks unknown");
  Graph other; // of another unit
  EXPECT_TRUE(context.facts(other).unknown);
}

} // namespace
} // namespace tine::testing
