#include "api/testing.h"
#include "ir/builder.h"
#include "ir/verify.h"
#include "tests/fixture.h"

namespace tine {
namespace {

using testing::Dump;
using ::testing::HasSubstr;
using ::testing::Not;

std::string kindOf(const Value* value) { return value->node()->kind().str().str(); }

TEST(Builder, PutsNodesWhereItStands) {
  Graph graph;
  Value* x = graph.addInput("x", Type::intType());
  Builder b(graph);
  b.setLocation({graph.context().symbol("f.py"), 3, 7});
  b.setScope(graph.context().symbol("outer"));
  Value* second = b.call("aten::neg", x, Type::intType());
  Builder before(second->node());
  Value* first = before.call("aten::abs", {x}, Type::intType());
  graph.addOutput(second);
  EXPECT_EQ(second->node()->prev(), first->node());
  EXPECT_EQ(second->node()->location().line, 3u);
  EXPECT_EQ(second->node()->scope().str(), "outer");
  EXPECT_TRUE(first->node()->location().file.empty());
  EXPECT_TRUE(verify(graph));
}

TEST(Builder, Constants) {
  Graph graph;
  Context& context = graph.context();
  Builder b(graph);
  auto check = [&](Value* value, const char* type, std::optional<AttrKind> kind) {
    const Attribute* attribute = value->node()->attributes().find(Builtin::Value);
    EXPECT_EQ(value->type()->str(), type);
    EXPECT_EQ(attribute ? std::optional(attribute->kind) : std::nullopt, kind) << type;
  };
  check(b.constant({}), "NoneType", {});
  check(b.constant({}, optionalOf(context, Type::intType())), "int?", {});
  check(b.constant(true), "bool", AttrKind::i);
  check(b.constant(3), "int", AttrKind::i);
  check(b.constant(2.5), "float", AttrKind::f);
  check(b.constant(std::complex<double>(1, 2)), "complex", AttrKind::c);
  check(b.constant("s"), "str", AttrKind::s);
  check(b.constant(Tensor::empty({2, 3})),
        "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)", AttrKind::t);
  check(b.constant(Tensor::scalar(1.)), "Float(requires_grad=0, device=cpu)", AttrKind::t);
  check(b.constant(IValue::list({1, 2})), "int[]", AttrKind::ival);
  check(b.constant(IValue::list({})), "Any[]", AttrKind::ival);
  check(b.constant(IValue::list({1, 2.}), listOf(context, Type::AnyType())), "Any[]",
        AttrKind::ival);
  EXPECT_EQ(b.constant(true)->node()->attributes().integer(Builtin::Value), 1);
  EXPECT_EQ(b.constant("s")->node()->attributes().string(Builtin::Value), "s");
  EXPECT_EQ(b.functionConstant("f")->node()->attributes().string(Builtin::Name), "f");
  EXPECT_TRUE(verify(graph));
}

TEST(Builder, TypesOfValues) {
  Context context;
  auto type = [&](IValue value) { return typeOf(context, value)->str(); };
  EXPECT_EQ(type(IValue::list({IValue::list({1}), IValue::list({2, 3})})), "int[][]");
  EXPECT_EQ(type(IValue::list({IValue::list({1}), IValue::list({2.})})), "Any[]");
  EXPECT_EQ(type(IValue::list({Tensor::empty({2}), Tensor::empty({3})})), "Tensor[]");
  EXPECT_EQ(type(IValue::tuple({1, "s", IValue::tuple({})})), "(int, str, ())");
  auto dict = makeRef<Dict>();
  dict->set("a", 1);
  dict->set("b", 2);
  EXPECT_EQ(type(dict), "Dict(str, int)");
  auto named = makeRef<Tuple>();
  named->items = {1, 2.};
  named->names = std::make_shared<std::vector<std::string>>(std::vector<std::string>{"a", "b"});
  EXPECT_EQ(type(named), "NamedTuple(a : int, b : float)");
  auto object = makeRef<Object>();
  object->layout = std::make_shared<ClassLayout>(ClassLayout{"__torch__.M", {}});
  EXPECT_EQ(type(object), "__torch__.M");
  EXPECT_EQ(typeOfTensor(context, Tensor())->str(), "Tensor");
}

TEST(Builder, TypesOfDeepAndCircularValues) {
  testing::runOnStack(testing::kSmallStack, [] {
    Context context;
    IValue deep = 1;
    for (int i = 0; i < 15000; ++i) deep = IValue::list({deep});
    const Type* type = typeOf(context, deep);
    int depth = 0;
    for (; type->is(TypeKind::List); type = type->element()) ++depth;
    EXPECT_EQ(depth, 15000);
    EXPECT_EQ(type, Type::intType());

    IValue circle = IValue::list({});
    circle.toList().items.push_back(circle);
    type = typeOf(context, circle);
    for (depth = 0; type->is(TypeKind::List); type = type->element()) ++depth;
    EXPECT_EQ(depth, 20000);
    EXPECT_EQ(type, Type::AnyType());
    circle.toList().items.clear();
  });
}

TEST(Builder, ControlFlow) {
  Graph graph;
  Value* n = graph.addInput("n", Type::intType());
  Value* flag = graph.addInput("flag", Type::boolType());
  Builder b(graph);
  Node* branch = b.ifNode(flag, {Type::intType()});
  for (Block* block : branch->blocks()) {
    Builder inner(block);
    block->addOutput(inner.constant(1));
  }
  Node* loop = b.loopNode(n, flag, {branch->output(), n});
  Block* body = loop->blocks()[0];
  ASSERT_EQ(body->inputs().size(), 3u);
  body->addOutput(flag);
  body->addOutput(body->inputs()[0]);
  body->addOutput(body->inputs()[2]);
  graph.addOutput(loop->output(1));
  EXPECT_EQ(loop->numOutputs(), 2u);
  EXPECT_EQ(loop->output(0)->type(), Type::intType());
  EXPECT_TRUE(verify(graph));
}

TEST(Builder, Containers) {
  Graph graph;
  Value* n = graph.addInput("n", Type::intType());
  Value* self = graph.addInput("self", classOf(graph.context(), "__torch__.M"));
  Builder b(graph);
  EXPECT_EQ(b.tuple({n, n})->type()->str(), "(int, int)");
  EXPECT_EQ(b.list(Type::intType(), {n, n})->type()->str(), "int[]");
  Value* weight = b.getAttr(self, "w", Type::tensorType());
  EXPECT_EQ(kindOf(weight), "prim::GetAttr");
  EXPECT_EQ(weight->node()->attributes().string(Builtin::Name), "w");
  EXPECT_TRUE(verify(graph));
}

TEST(Builder, ForkAndWait) {
  Graph graph;
  Value* n = graph.addInput("n", Type::intType());
  Builder b(graph);
  auto body = [&](std::shared_ptr<Context> context, int outputs) {
    auto made = std::make_unique<Graph>(context);
    Value* input = made->addInput("", Type::intType());
    for (int i = 0; i < outputs; ++i) made->addOutput(input);
    return made;
  };
  auto shared = graph.sharedContext();
  EXPECT_EQ(b.fork(body(shared, 0), {n})->type()->str(), "Future[NoneType]");
  EXPECT_EQ(b.fork(body(shared, 1), {n})->type()->str(), "Future[int]");
  EXPECT_EQ(b.fork(body(shared, 2), {n})->type()->str(), "Future[(int, int)]");
  Value* foreign = b.fork(body(Context::create(), 1), {n});
  EXPECT_EQ(&foreign->node()->subgraph()->context(), shared.get());
  Value* result = b.wait(foreign);
  EXPECT_EQ(result->type(), Type::intType());
  graph.addOutput(result);
  EXPECT_TRUE(verify(graph));
  EXPECT_THAT(graph, Dump("prim::fork", "aten::wait"));
}

TEST(Dump, Matches) {
  Graph graph;
  Builder b(graph);
  graph.addOutput(b.call("aten::neg", graph.addInput("x", Type::tensorType())));
  EXPECT_THAT(graph, Dump("aten::neg"));
  EXPECT_THAT(&graph, Dump("graph(%x", std::string("aten::neg"), "return"));
  EXPECT_THAT(graph, Not(Dump("aten::abs")));
  EXPECT_THAT(graph, Not(Dump("return", "aten::neg")));
  EXPECT_THAT(graph, Dump(FileCheck().checkNot("aten::abs").checkCount("%x", 2, true)));
  EXPECT_THAT("some text", Dump("text"));
  EXPECT_THAT(std::string("some text"), Not(Dump("other")));
  EXPECT_THAT(llvm::StringRef("some text"), Dump("some"));
  ::testing::StringMatchResultListener why;
  ::testing::Matcher<const Graph&> matcher = Dump("aten::abs", "x");
  EXPECT_FALSE(matcher.MatchAndExplain(graph, &why));
  EXPECT_THAT(why.str(), HasSubstr("Expected to find \"aten::abs\" but did not find it"));
  std::ostringstream what;
  matcher.DescribeTo(&what);
  EXPECT_EQ(what.str(), "has a dump with `aten::abs`, then `x`");
}

} // namespace
} // namespace tine
