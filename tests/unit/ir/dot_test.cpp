#include "ir/dot.h"
#include "ir/parse.h"
#include "tests/fixture.h"

namespace tine {
namespace {

using ::testing::HasSubstr;
using tine::testing::kSmallStack;
using tine::testing::runOnStack;

TEST(Dot, FramesForBlocksAndForks) {
  const auto graph = parseGraph(R"(graph(%x : Tensor, %c : bool):
  %f : Future[Tensor] = prim::fork_0(%x)
  %y : Tensor = prim::If(%c)
    block0():
      %w : Tensor = aten::wait(%f)
      -> (%w)
    block1():
      -> (%x)
  return (%y)
with prim::fork_0 = graph(%x : Tensor):
  %y : Tensor = aten::neg(%x)
  return (%y)
)")
                         .value();
  EXPECT_EQ(dot(*graph), R"(digraph {
  node [shape=box]
  subgraph cluster_0 {
    label="graph"
    n0 [label="inputs"]
    n1 [label="prim::fork"]
    n0 -> n1 [label="%x" tooltip="Tensor"]
    subgraph cluster_1 {
      label="prim::fork"
      n2 [label="inputs"]
      n3 [label="aten::neg"]
      n2 -> n3 [label="%x" tooltip="Tensor"]
      n4 [label="return"]
      n3 -> n4 [label="%y" tooltip="Tensor"]
    }
    n5 [label="prim::If"]
    n0 -> n5 [label="%c" tooltip="bool"]
    subgraph cluster_2 {
      label="block0"
      n6 [label="aten::wait"]
      n1 -> n6 [label="%f" tooltip="Future[Tensor]"]
      n7 [label="return"]
      n6 -> n7 [label="%w" tooltip="Tensor"]
    }
    subgraph cluster_3 {
      label="block1"
      n8 [label="return"]
      n0 -> n8 [label="%x" tooltip="Tensor"]
    }
    n9 [label="return"]
    n5 -> n9 [label="%y" tooltip="Tensor"]
  }
}
)");
}

TEST(Dot, StringsAreEscapedAndCut) {
  Graph graph;
  Node* constant = graph.createNode("prim::Constant");
  constant->attributes().setString(graph.context().symbol("value"),
                                   "say \"no\"\n" + std::string(1000, 'x'));
  graph.block()->append(constant);
  const std::string text = dot(graph, std::string("a\"b\\c\n\0d", 8));
  EXPECT_THAT(text, HasSubstr(R"(label="a\"b\\c\n d")"));
  EXPECT_THAT(text, HasSubstr(R"(value=\"say \\\"no\\\")"));
  EXPECT_LT(text.size(), 300u);
}

TEST(Dot, DeepBlocksOnASmallStack) {
  runOnStack(kSmallStack, [] {
    Graph graph;
    Value* condition = graph.addInput("c", Type::boolType());
    Block* block = graph.block();
    for (int i = 0; i < 10000; ++i) {
      Node* node = graph.createNode("prim::If");
      block->append(node);
      node->addInput(condition);
      block = node->addBlock();
      node->addBlock();
    }
    const std::string text = dot(graph);
    EXPECT_EQ(llvm::StringRef(text).count("subgraph cluster_"), 20001u);
    EXPECT_EQ(llvm::StringRef(text).count("{"), llvm::StringRef(text).count("}"));
    EXPECT_LT(text.size(), 20'000'000u) << "indentation grows with the depth";
  });
}

} // namespace
} // namespace tine
