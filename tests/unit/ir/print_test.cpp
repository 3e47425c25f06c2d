#include "ir/builder.h"
#include "ir/graph_access.h"
#include "ir/print.h"
#include "tests/unit/ir/text_fixture.h"

#include <sstream>

using namespace tine;
using namespace tine::testing;

namespace {

TEST(Print, AGraphMadeByHand) {
  Graph graph;
  Value* x = graph.addInput("x", Type::tensorType());
  graph.addInput("n", Type::intType());
  Builder b(graph);
  Location location{graph.context().symbol("a.py"), 3, 4, 1};
  b.setLocation(location);
  Value* one = b.constant(1);
  b.setLocation({});
  b.setScope(graph.context().symbol("__module.a"));
  Node* branch = b.ifNode(b.constant(true), {Type::tensorType()});
  branch->blocks()[0]->addOutput(Builder(branch->blocks()[0]).call("aten::add", {x, one}));
  branch->blocks()[1]->addOutput(x);
  b.setScope({});
  b.node("prim::Print", {x}, {});
  graph.addOutput(branch->output());
  std::string text = R"(graph(%x : Tensor,
      %n : int):
  %2 : int = prim::Constant[value=1]() # a.py:3:4
  %3 : bool = prim::Constant[value=1](), scope: __module.a
  %4 : Tensor = prim::If(%3), scope: __module.a
    block0():
      %5 : Tensor = aten::add(%x, %2)
      -> (%5)
    block1():
      -> (%x)
   = prim::Print(%x)
  return (%4)
)";
  EXPECT_EQ(graph.str(), text);
  std::ostringstream stream;
  stream << graph;
  EXPECT_EQ(stream.str(), text);
  PrintOptions noLocations;
  noLocations.locations = false;
  EXPECT_EQ(llvm::StringRef(str(graph, noLocations)).find(" # "), llvm::StringRef::npos);
}

TEST(Print, OneNode) {
  auto graph = parseGraph(R"(graph(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_0(%x) # a.py:1:0
  %2 : Tensor = aten::wait(%1)
  return (%2)
with prim::fork_0 = graph(%x : Tensor):
  %1 : Tensor = aten::neg(%x)
  return (%1)
)")
                   .value();
  const Node& fork = **graph->nodes().begin();
  std::string compat, lossless;
  print(compat, fork);
  EXPECT_EQ(compat, "%1 : Future[Tensor] = prim::fork[Subgraph=<Graph>](%x) # a.py:1:0\n");
  print(lossless, fork, kLossless); // D-18
  EXPECT_EQ(lossless, "%1 : Future[Tensor] = prim::fork_0(%x) # a.py:1:0\n"
                      "with prim::fork_0 = graph(%x : Tensor):\n"
                      "  %1 : Tensor = aten::neg(%x)\n"
                      "  return (%1)\n");
}

TEST(Print, OneNodeWithBlocks) {
  auto graph = parseGraph(R"(graph(%c : bool):
   = prim::If(%c)
    block0():
      %1 : int = prim::Constant[value=1]()
      -> ()
    block1():
      -> ()
  return ()
)")
                   .value();
  std::string out;
  print(out, **graph->nodes().begin());
  EXPECT_EQ(out, " = prim::If(%c)\n"
                 "  block0():\n"
                 "    %1 : int = prim::Constant[value=1]()\n"
                 "    -> ()\n"
                 "  block1():\n"
                 "    -> ()\n");
}

TEST(Print, BrokenGraphs) { // I6
  Graph graph;
  Builder b(graph);
  Node* node = b.node("aten::add", {nullptr, nullptr}, {nullptr});
  graph.addOutput(nullptr);
  node->addBlock()->addOutput(nullptr);
  EXPECT_EQ(graph.str(), "graph():\n"
                         "  %0 : <<null>> = aten::add(%<<null>>, %<<null>>)\n"
                         "    block0():\n"
                         "      -> (%<<null>>)\n"
                         "  return (%<<null>>)\n");
  EXPECT_NE(str(graph, kLossless).find("%<<null>>"), std::string::npos);
  node->attributes().setGraph(graph.context().symbol("Subgraph"), nullptr);
  EXPECT_NE(graph.str().find("Subgraph=<Graph>"), std::string::npos);
}

/// An attribute in both styles.
std::string attributeTexts(AttrKind kind, IValue value) {
  Attribute attribute;
  attribute.kind = kind;
  attribute.value = std::move(value);
  std::string out;
  print(out, attribute);
  out += " | ";
  print(out, attribute, kLossless);
  return out;
}

TEST(Print, Attributes) {
  auto list = [](std::vector<IValue> items) { return IValue::list(std::move(items)); };
  EXPECT_EQ(attributeTexts(AttrKind::i, 3), "3 | 3");
  EXPECT_EQ(attributeTexts(AttrKind::i, true), "1 | True");
  EXPECT_EQ(attributeTexts(AttrKind::f, 1e10), "10000000000 | 1e10");
  EXPECT_EQ(attributeTexts(AttrKind::s, "é"), R"x("\0)+\/.)" | "é")x");
  EXPECT_EQ(attributeTexts(AttrKind::ival, IValue()), "None | None");
  EXPECT_EQ(attributeTexts(AttrKind::is, list({1, 2})), "[1, 2] | [1, 2]");
  EXPECT_EQ(attributeTexts(AttrKind::is, list({})), "annotate(List[int], []) | []");
  EXPECT_EQ(attributeTexts(AttrKind::fs, list({})), "annotate(List[float], []) | []");
  EXPECT_EQ(attributeTexts(AttrKind::ival, list({true, false})), "[True, False] | [True, False]");
  EXPECT_EQ(attributeTexts(AttrKind::ival, list({list({1}), list({})})),
            "[[1], annotate(List[Any], [])] | [[1], []]");
  EXPECT_EQ(attributeTexts(AttrKind::ival, IValue::tuple({1})), "(1,) | (1,)");
  EXPECT_EQ(attributeTexts(AttrKind::ival, IValue::device(0)), R"("cpu" | torch.device("cpu"))");
  EXPECT_EQ(attributeTexts(AttrKind::ts, list({Tensor::scalar(1.5)})),
            "[<Tensors>] | [tensor<Float>([], [1.5])]");
  EXPECT_EQ(attributeTexts(AttrKind::t, Tensor::scalar(std::int64_t(2), DType::Int64, true)),
            "{2} | tensor<Long>([], [2], wrapped)");
  Tensor pair = Tensor::empty({2}, DType::Float32);
  pair.data<float>()[0] = 1;
  pair.data<float>()[1] = 0.1f;
  EXPECT_EQ(attributeTexts(AttrKind::t, pair),
            " 1.0000  0.1000 [ CPUFloatType{2} ] | tensor<Float>([2], [1., 0.1])");
  Tensor large = Tensor::empty({11}, DType::Bool);
  std::fill_n(large.data<bool>(), 11, true);
  EXPECT_EQ(attributeTexts(AttrKind::t, large),
            "<Tensor> | tensor<Bool>([11], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])");
  EXPECT_EQ(attributeTexts(AttrKind::ival, Tensor()), "None | None"); // as in TorchScript
}

TEST(Print, AValueThatHoldsItself) {
  IValue loop = IValue::list({});
  loop.toList().items.push_back(loop);
  EXPECT_NE(attributeTexts(AttrKind::ival, loop).find("<too deep>"), std::string::npos);
  loop.toList().items.clear(); // or it would never die
}

TEST(Print, LosslessKeepsKindsThatTheTextWouldNotTell) {
  auto context = Context::create();
  CompilationUnit unit(context);
  auto graph = std::make_unique<Graph>(context);
  Builder b(*graph);
  Node* node = b.node("test::op", {}, {});
  auto set = [&](const char* name, AttrKind kind, IValue value) {
    node->attributes().setValue(context->symbol(name), kind, std::move(value));
  };
  auto list = [](std::vector<IValue> items) { return IValue::list(std::move(items)); };
  set("plain", AttrKind::is, list({1}));
  set("a", AttrKind::ival, list({1}));
  set("b", AttrKind::is, list({}));
  set("c", AttrKind::ival, list({1, 2.5}));
  set("d", AttrKind::gs, IValue());
  set("odd name", AttrKind::i, 1);
  // A constant whose value its type would convert.
  Node* constant = b.node("prim::Constant", {}, {Type::floatType()});
  constant->attributes().setValue(context->symbol(Builtin::Value), AttrKind::i, 1);
  unit.add("graph", std::move(graph));
  std::string text = str(unit, kLossless);
  EXPECT_EQ(text, "# tine 1\n"
                  "graph():\n"
                  "   = test::op[plain=[1], a:ival=[1], b:is=[], c:ival=[1, 2.5], d:gs=[], "
                  "\"odd name\"=1]()\n"
                  "  %0 : float = prim::Constant[value:i=1]()\n"
                  "  return ()\n");
  Result<CompilationUnit> again = read(text);
  ASSERT_TRUE(again) << errorsOf(again);
  std::string why;
  EXPECT_TRUE(equal(unit, *again, &why)) << why;
}

TEST(Print, LosslessLabelsAreUnique) {
  std::string text = R"(f(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_0(%x)
  return (%1)
with prim::fork_0 = graph(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_0(%x)
  %2 : Tensor = aten::wait(%1)
  return (%2)
with prim::fork_0 = graph(%x : Tensor):
  return (%x)

g(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_0(%x)
  return (%1)
with prim::fork_0 = graph(%x : Tensor):
  return (%x)
)";
  expectRoundTrip(text);
  CompilationUnit unit = read(text, true).value();
  EXPECT_EQ(str(unit, kLossless), R"(# tine 1
f(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_0(%x)
  return (%1)
with prim::fork_0 = graph(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_1(%x)
  %2 : Tensor = aten::wait(%1)
  return (%2)
with prim::fork_1 = graph(%x : Tensor):
  return (%x)

g(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_2(%x)
  return (%1)
with prim::fork_2 = graph(%x : Tensor):
  return (%x)
)");
}

TEST(Print, LosslessKeepsWhatCompatLoses) {
  // Overloads (I8), the refinement of tensors inside a Dict, attributes of a DifferentiableGraph.
  auto context = Context::create();
  CompilationUnit unit(context);
  auto graph = std::make_unique<Graph>(context);
  TensorInfo info;
  info.dtype = DType::Float32;
  info.hasRank = true;
  info.sizes = {2};
  Value* x = graph->addInput("x", dictOf(*context, Type::strType(), tensorOf(*context, info)));
  graph->addInput("y",
                  tupleOf(*context, {classOf(*context, "odd <name>"), typeVar(*context, "elem")}));
  Builder b(*graph);
  Node* node = b.node("aten::add", {x}, {Type::tensorType()});
  node->setOverload(context->symbol("Tensor"));
  auto body = std::make_unique<Graph>(context);
  node = b.node("prim::DifferentiableGraph", {}, {});
  node->attributes().setInt(context->symbol("before"), 1);
  node->attributes().setGraph(context->symbol(Builtin::Subgraph), std::move(body));
  unit.add("graph", std::move(graph));
  EXPECT_EQ(str(unit), "graph(%x : Dict(str, Tensor),\n"
                       "      %y : (odd <name>, elem)):\n"
                       "  %2 : Tensor = aten::add(%x)\n"
                       "   = prim::DifferentiableGraph_0()\n"
                       "  return ()\n"
                       "with prim::DifferentiableGraph_0 = graph():\n"
                       "  return ()\n");
  std::string text = str(unit, kLossless);
  EXPECT_EQ(text, "# tine 1\n"
                  "graph(%x : Dict(str, Float(2)),\n"
                  "      %y : (Class<\"odd <name>\">, Var<elem>)):\n"
                  "  %2 : Tensor = aten::add.Tensor(%x)\n"
                  "   = prim::DifferentiableGraph_0[before=1]()\n"
                  "  return ()\n"
                  "with prim::DifferentiableGraph_0 = graph():\n"
                  "  return ()\n");
  Result<CompilationUnit> again = read(text);
  ASSERT_TRUE(again) << errorsOf(again);
  std::string why;
  EXPECT_TRUE(equal(unit, *again, &why)) << why;
}

TEST(Print, DeepGraphsOnASmallStack) {
  runOnStack(kSmallStack, [] {
    std::string text = "graph(%c : bool):\n";
    constexpr int depth = 1000;
    for (int i = 0; i < depth; ++i)
      text += std::string(2 + 4 * i, ' ') + " = prim::If(%c)\n" + std::string(4 + 4 * i, ' ') +
              "block0():\n";
    for (int i = depth; i-- > 0;) {
      std::string indent(4 + 4 * i, ' ');
      text += indent + "  -> ()\n" + indent + "block1():\n" + indent + "  -> ()\n";
    }
    text += "  return ()\n";
    expectRoundTrip(text);

    // Forks in forks, which the text lists one after the other.
    std::string forks = "graph(%x : Tensor):\n";
    for (int i = 0; i < depth; ++i)
      forks += "  %1 : Future[Tensor] = prim::fork_0(%x)\n  return (%1)\n"
               "with prim::fork_0 = graph(%x : Tensor):\n";
    forks += "  return (%x)\n";
    expectRoundTrip(forks);
  });
}

} // namespace
