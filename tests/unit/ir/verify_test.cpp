#include "ir/builder.h"
#include "ir/graph_access.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ir/verify_rules.h"
#include "tests/fixture.h"

namespace tine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// `place: message` of each error. Every broken graph must print, too.
std::vector<std::string> errorsOf(const Graph& graph) {
  auto result = verify(graph);
  std::vector<std::string> found;
  if (result) return found;
  for (const Error& error : result.errors()) {
    EXPECT_EQ(error.kind, "VerifyError");
    EXPECT_FALSE(error.notes.empty());
    found.push_back((error.place.known() ? error.place.str() + ": " : "") + error.message);
  }
  return found;
}

/// The notes of the only error.
std::vector<std::string> notesOf(const Graph& graph) {
  auto result = verify(graph);
  std::vector<std::string> found;
  if (result || result.errors().size() != 1) return found;
  for (const Error::Note& note : result.error().notes)
    found.push_back((note.place.known() ? note.place.str() + ": " : "") + note.message);
  return found;
}

/// A graph to break: %x and %n are inputs; nodes get the lines 1, 2, ... of `f.ir`.
struct Broken : ::testing::Test {
  Graph graph;
  Value* x = graph.addInput("x", Type::tensorType());
  Value* n = graph.addInput("n", Type::intType());
  Value* flag = graph.addInput("flag", Type::boolType());
  Builder b{graph};
  std::uint32_t line = 0;

  Builder& at() { return at(b); }
  Builder& at(Builder& builder) {
    builder.setLocation({graph.context().symbol("f.ir"), ++line, 4});
    return builder;
  }
  Node* node(llvm::StringRef kind, llvm::ArrayRef<Value*> inputs,
             llvm::ArrayRef<const Type*> outputs) {
    return at().node(kind, inputs, outputs);
  }
  Value* add() { return at().call("aten::add", {n, n}, Type::intType()); }

  ~Broken() override {
    std::string text = str(graph); // pain I6: whatever is broken, it prints
    EXPECT_THAT(text, HasSubstr("graph("));
    EXPECT_THAT(str(graph, {Style::Lossless}), HasSubstr("graph("));
  }
};

TEST_F(Broken, NothingYet) {
  graph.addOutput(add());
  EXPECT_THAT(errorsOf(graph), IsEmpty());
  graph.addOutput(x);
  EXPECT_THAT(errorsOf(graph), IsEmpty());
}

// ---- rule 1: links ------------------------------------------------------------------------------

TEST_F(Broken, NullOperand) {
  Node* sum = add()->node();
  sum->setInput(1, nullptr);
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: operand 1 is null"));
  EXPECT_THAT(notesOf(graph), ElementsAre("in %3 : int = aten::add(%n, null) of `graph`"));
}

TEST_F(Broken, NullOutput) {
  graph.addOutput(nullptr);
  EXPECT_THAT(errorsOf(graph), ElementsAre("output 0 is null"));
  EXPECT_THAT(notesOf(graph), ElementsAre("in return (null) of `graph`"));
}

TEST_F(Broken, NullResult) {
  GraphAccess::outputs(*add()->node())[0] = nullptr;
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: result 0 is null"));
}

TEST_F(Broken, ResultWithoutType) {
  graph.addOutput(add());
  Value* twice = at().call("aten::wait", {graph.outputs()[0]}, Type::intType());
  graph.addOutput(twice);
  graph.outputs()[0]->setType(nullptr);
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: %3 has no type"));
  graph.outputs()[0]->setType(Type::intType());
}

TEST_F(Broken, ResultOfAnotherNode) {
  Value* a = add();
  Value* c = add();
  GraphAccess::node(*c) = a->node();
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:2:5: result 0 does not know its node and position"));
  GraphAccess::node(*c) = GraphAccess::next(*a->node());
  GraphAccess::index(*c) = 7;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:2:5: result 0 does not know its node and position"));
}

TEST_F(Broken, ResultTwice) {
  Node* sum = add()->node();
  GraphAccess::outputs(*sum).push_back(sum->output());
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: result 1 does not know its node and position",
                                           "f.ir:1:5: %3 is a result twice"));
}

TEST_F(Broken, OperandOfAnotherNode) {
  Node* a = add()->node();
  Node* c = add()->node();
  GraphAccess::operands(*c)[0].user = a;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:2:5: operand 0 does not know its node and position",
                          "the uses of %n include something that is no operand"));
  GraphAccess::operands(*c)[0].user = c;
  GraphAccess::operands(*c)[0].index = 1;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:2:5: operand 0 does not know its node and position",
                          "the uses of %n include something that is no operand"));
}

TEST_F(Broken, UsesInACircle) {
  Node* sum = add()->node();
  Use* uses = GraphAccess::operands(*sum);
  uses[1].next = &uses[0];
  EXPECT_THAT(errorsOf(graph), ElementsAre("the uses of %n are not linked properly"));
  uses[0].link = &uses[1].next;
  GraphAccess::firstUse(*n) = &uses[0];
  EXPECT_THAT(errorsOf(graph), ElementsAre("the uses of %n are not linked properly"));
  uses[1].next = nullptr;
}

TEST_F(Broken, UsesThatLackOne) {
  Node* sum = add()->node();
  GraphAccess::operands(*sum)[0].next = nullptr;
  EXPECT_THAT(errorsOf(graph), ElementsAre("the uses of %n lack 1 of its 2"));
  GraphAccess::firstUse(*n) = nullptr;
  EXPECT_THAT(errorsOf(graph), ElementsAre("the uses of %n lack 2 of its 2"));
}

TEST_F(Broken, UsesWithAWrongEnd) {
  add();
  Use extra;
  extra.set(n);
  Use** link = extra.link;
  *link = nullptr;
  EXPECT_THAT(errorsOf(graph), ElementsAre("the uses of %n do not end where the value says"));
  *link = &extra;
  extra.set(nullptr);
  EXPECT_THAT(errorsOf(graph), IsEmpty());
}

TEST_F(Broken, UseOfAnotherValue) {
  Node* sum = add()->node();
  GraphAccess::operands(*sum)[1].value = flag;
  EXPECT_THAT(errorsOf(graph), ElementsAre("the uses of %n are not linked properly",
                                           "the uses of %flag lack 1 of its 1"));
  GraphAccess::operands(*sum)[1].value = n;
}

TEST_F(Broken, UseByANodeThatIsNotThere) {
  Node* sum = add()->node();
  sum->unlink();
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("the uses of %n include a node that is not in the graph",
                          "the uses of %n include a node that is not in the graph"));
}

TEST_F(Broken, NodesInACircle) {
  Node* a = add()->node();
  Node* c = add()->node();
  Node* next = GraphAccess::next(*c);
  GraphAccess::next(*c) = a;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:2:5: the list of nodes runs in a circle, or into another block"));
  GraphAccess::next(*c) = next;
}

TEST_F(Broken, NodesThatEnd) {
  Node* a = add()->node();
  Node* next = GraphAccess::next(*a);
  GraphAccess::next(*a) = nullptr;
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: the list of nodes ends before prim::Return"));
  GraphAccess::next(*a) = next;
}

TEST_F(Broken, NodesWithoutWayBack) {
  Node* a = add()->node();
  Node* c = add()->node();
  GraphAccess::prev(*c) = nullptr;
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:2:5: a node does not know the node before it"));
  GraphAccess::prev(*c) = a;
}

TEST_F(Broken, NodesOutOfOrder) {
  Node* a = add()->node();
  Node* c = add()->node();
  GraphAccess::position(*c) = GraphAccess::position(*a);
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:2:5: a node's position is not after that of the node before it"));
}

TEST_F(Broken, NodeInAnotherBlock) {
  Node* a = add()->node();
  Node* branch = at().ifNode(flag, {});
  GraphAccess::block(*a) = branch->blocks()[0];
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: a node does not know the block that it is in"));
  Graph other;
  GraphAccess::block(*a) = graph.block();
  GraphAccess::graph(*a) = &other;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: a node does not know the block that it is in"));
  GraphAccess::graph(*a) = &graph;
}

TEST_F(Broken, BlockOfAnotherNode) {
  Node* branch = at().ifNode(flag, {});
  Node* other = at().ifNode(flag, {});
  GraphAccess::owner(*branch->blocks()[1]) = other;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: a block does not know the graph or node that it belongs to"));
  GraphAccess::owner(*branch->blocks()[1]) = nullptr;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: a block does not know the graph or node that it belongs to"));
}

TEST_F(Broken, BlockTwice) {
  Node* branch = at().ifNode(flag, {});
  Block* second = branch->blocks()[1];
  GraphAccess::blocks(*branch)[1] = branch->blocks()[0];
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: a block is in two places"));
  GraphAccess::blocks(*branch)[1] = nullptr;
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: a block is null"));
  GraphAccess::blocks(*branch)[1] = second;
}

TEST_F(Broken, BlockInsideItself) {
  Node* branch = at().ifNode(flag, {});
  Builder inner(branch->blocks()[0]);
  Node* nested = at(inner).ifNode(flag, {});
  GraphAccess::blocks(*nested)[1] = graph.block();
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:2:5: a block is in two places"));
  GraphAccess::blocks(*nested).pop_back();
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:2:5: prim::If has 1 blocks and wants 2"));
}

TEST_F(Broken, BlockWithoutEnds) {
  Node* branch = at().ifNode(flag, {});
  Block* block = branch->blocks()[0];
  Node* ret = block->ret();
  GraphAccess::ret(*block) = nullptr;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: a block has no prim::Param or no prim::Return"));
  GraphAccess::ret(*block) = ret;
}

TEST_F(Broken, EndsAmongNodes) {
  node("prim::Return", {}, {});
  node("prim::Param", {}, {});
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: prim::Return among the nodes of a block",
                                           "f.ir:2:5: prim::Param among the nodes of a block"));
}

TEST_F(Broken, EndsWithPartsOfTheirOwn) {
  graph.block()->param()->addInput(x);
  graph.block()->ret()->addOutput(Type::intType());
  EXPECT_THAT(errorsOf(graph), ElementsAre("prim::Param has operands or blocks",
                                           "prim::Return has results or blocks"));
}

TEST_F(Broken, SubgraphOfAnotherContext) {
  Node* fork = node("prim::fork", {}, {futureOf(graph.context(), Type::noneType())});
  fork->attributes().setGraph(graph.context().symbol(Builtin::Subgraph), std::make_unique<Graph>());
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: a graph inside a graph has a Context of its own"));
  fork->attributes().setGraph(graph.context().symbol(Builtin::Subgraph), nullptr);
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: a graph attribute is null"));
  fork->destroy();
}

// ---- rule 2: dominance --------------------------------------------------------------------------

TEST_F(Broken, UsedBeforeItsDefinition) {
  Node* early = node("aten::neg", {n}, {Type::intType()});
  Value* late = add();
  early->setInput(0, late);
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: operand 0, %4, is used before it is defined"));
  EXPECT_THAT(notesOf(graph), ElementsAre("in %3 : int = aten::neg(%4) of `graph`",
                                          "f.ir:2:5: defined here: %4 : int = aten::add(%n, %n)"));
}

TEST_F(Broken, UsedByItself) {
  Node* sum = add()->node();
  sum->setInput(0, sum->output());
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: operand 0, %3, is used before it is defined"));
}

TEST_F(Broken, UsedInItsOwnBlock) {
  Node* branch = at().ifNode(flag, {Type::intType()});
  branch->blocks()[0]->addOutput(branch->output());
  branch->blocks()[1]->addOutput(n);
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: output 0, %3, is used before it is defined"));
}

TEST_F(Broken, UsedOutsideItsBlock) {
  Node* branch = at().ifNode(flag, {});
  Builder then(branch->blocks()[0]), otherwise(branch->blocks()[1]);
  Value* inside = at(then).constant(1);
  at(otherwise).call("aten::neg", inside, Type::intType());
  Value* outside = at().call("aten::neg", inside, Type::intType());
  graph.addOutput(outside);
  graph.addOutput(inside);
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:3:5: operand 0, %3, is defined in a block that its use is not in",
                          "f.ir:4:5: operand 0, %3, is defined in a block that its use is not in",
                          "output 1, %3, is defined in a block that its use is not in"));
}

TEST_F(Broken, UseOfADroppedNode) { // pain A7
  Value* sum = add();
  Value* negative = at().call("aten::neg", sum, Type::intType());
  graph.addOutput(negative);
  sum->node()->removeAllInputs();
  sum->node()->unlink();
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:2:5: operand 0, %3, is a result of a node that is not in the "
                          "graph"));
  EXPECT_THAT(notesOf(graph), ElementsAre("in %4 : int = aten::neg(%3) of `graph`",
                                          "f.ir:1:5: the node: %3 : int = aten::add()"));
}

TEST_F(Broken, ForkedBodyThatReachesOut) {
  auto body = std::make_unique<Graph>(graph.sharedContext());
  Builder inner(*body);
  body->addOutput(at(inner).call("aten::neg", {n}, Type::intType()));
  at().fork(std::move(body), {});
  auto found = errorsOf(graph);
  EXPECT_THAT(found, ElementsAre("the uses of %n include a node that is not in the graph",
                                 "f.ir:1:5: operand 0, %?, is not a value of this graph; what a "
                                 "forked body needs, it takes as an input"));
  graph.nodes().begin().operator*()->subgraph()->nodes().begin().operator*()->setInput(0, nullptr);
}

// ---- rule 3: numbers and names ------------------------------------------------------------------

TEST_F(Broken, NumbersTwice) {
  Value* sum = add();
  GraphAccess::unique(*sum) = n->unique();
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: two values have the number 1"));
  GraphAccess::unique(*sum) = 100;
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: %100 has a number that the graph has not given out"));
}

TEST_F(Broken, NamesTwice) {
  Value* sum = add();
  GraphAccess::name(*sum) = n->name();
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: two values have the name %n"));
  EXPECT_THAT(notesOf(graph),
              ElementsAre("in %n : int = aten::add(%n, %n) of `graph`",
                          "the other one: inputs (%x : Tensor, %n : int, %flag : bool)"));
  GraphAccess::name(*sum) = graph.context().symbol("unheard");
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: the graph does not know the name %unheard"));
  GraphAccess::name(*sum) = Symbol();
}

// ---- rules 4 and 5: the IR's own nodes ----------------------------------------------------------

TEST_F(Broken, Counts) {
  node("prim::Constant", {n}, {Type::noneType()});
  node("prim::If", {flag}, {})->addBlock();
  node("prim::Loop", {n}, {});
  node("aten::wait", {}, {Type::intType()});
  node("prim::TupleIndex", {n}, {});
  node("prim::RaiseException", {n, n, n}, {});
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: prim::Constant has 1 operands and wants 0",
                          "f.ir:2:5: prim::If has 1 blocks and wants 2",
                          "f.ir:3:5: prim::Loop has 1 operands and wants at least 2",
                          "f.ir:3:5: prim::Loop has 0 blocks and wants 1",
                          "f.ir:4:5: aten::wait has 0 operands and wants 1",
                          "f.ir:5:5: prim::TupleIndex has 1 operands and wants 2",
                          "f.ir:5:5: prim::TupleIndex has 0 results and wants 1",
                          "f.ir:6:5: prim::RaiseException has 3 operands and wants 1 or 2"));
}

TEST_F(Broken, Constants) {
  Symbol value = graph.context().symbol(Builtin::Value), name = graph.context().symbol("name");
  auto constant = [&](const Type* type, AttrKind kind, IValue v) {
    node("prim::Constant", {}, {type})->attributes().setValue(value, kind, std::move(v));
  };
  constant(Type::intType(), AttrKind::i, 1);
  constant(Type::boolType(), AttrKind::i, 1);
  constant(optionalOf(graph.context(), Type::intType()), AttrKind::i, 1);
  constant(Type::AnyType(), AttrKind::s, "s");
  constant(Type::DeviceType(), AttrKind::s, "cpu");
  node("prim::Constant", {}, {Type::noneType()});
  node("prim::Constant", {}, {optionalOf(graph.context(), Type::tensorType())});
  EXPECT_THAT(errorsOf(graph), IsEmpty());
  line = 0;
  constant(Type::strType(), AttrKind::i, 1);
  constant(Type::intType(), AttrKind::f, 1.5);
  constant(Type::intType(), AttrKind::s, "s");
  constant(Type::intType(), AttrKind::c, std::complex<double>(1, 2));
  constant(Type::intType(), AttrKind::t, Tensor::scalar(1.));
  constant(Type::intType(), AttrKind::is, IValue::list({1}));
  constant(listOf(graph.context(), Type::strType()), AttrKind::ival, IValue::list({1}));
  node("prim::Constant", {}, {Type::intType()});
  node("prim::Constant", {}, {Type::FunctionType()})->attributes().setValue(name, AttrKind::i, 1);
  node("prim::Constant", {}, {Type::intType()})->attributes().setString(name, "f");
  node("prim::Constant", {}, {Type::intType()})->attributes().setTypes(value, {});
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: prim::Constant holds an int, but has type str",
                          "f.ir:2:5: prim::Constant holds a float, but has type int",
                          "f.ir:3:5: prim::Constant holds a string, but has type int",
                          "f.ir:4:5: prim::Constant holds a complex number, but has type int",
                          "f.ir:5:5: prim::Constant holds a tensor, but has type int",
                          "f.ir:6:5: prim::Constant holds a list, but has type int",
                          "f.ir:7:5: prim::Constant holds int[], but has type str[]",
                          "f.ir:8:5: prim::Constant has no value, but has type int",
                          "f.ir:9:5: prim::Constant has the wrong kind of attribute `name`",
                          "f.ir:10:5: prim::Constant names a function, but has type int",
                          "f.ir:11:5: prim::Constant has the wrong kind of attribute `value`"));
}

TEST_F(Broken, If) {
  Node* branch = at().ifNode(n, {Type::intType()});
  branch->blocks()[0]->addInput(Type::intType());
  branch->blocks()[0]->addOutput(x);
  EXPECT_THAT(
      errorsOf(graph),
      ElementsAre("f.ir:1:5: prim::If has operand 0, %n of type int, where bool is wanted",
                  "f.ir:1:5: prim::If has a block with inputs",
                  "f.ir:1:5: prim::If has a block whose output, %x of type Tensor, does not fit %3 "
                  "of type int",
                  "f.ir:1:5: prim::If has 0 outputs of a block and wants 1"));
}

TEST_F(Broken, Loop) {
  Node* loop = at().loopNode(x, x, {n});
  Block* body = loop->blocks()[0];
  EXPECT_THAT(
      errorsOf(graph),
      ElementsAre("f.ir:1:5: prim::Loop has operand 0, %x of type Tensor, where int is wanted",
                  "f.ir:1:5: prim::Loop has operand 1, %x of type Tensor, where bool is wanted",
                  "f.ir:1:5: prim::Loop has 0 outputs of its block and wants 2"));
  loop->setInput(0, n);
  loop->setInput(1, flag);
  body->addOutput(n);
  body->addOutput(flag);
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: prim::Loop goes on by %n of type int, which is not a bool",
                          "f.ir:1:5: prim::Loop has a block whose output, %flag of type bool, does "
                          "not fit %5 of type int",
                          "f.ir:1:5: prim::Loop has a block whose output, %flag of type bool, does "
                          "not fit %4 of type int"));
  body->ret()->setInput(0, flag);
  body->ret()->setInput(1, body->inputs()[1]);
  EXPECT_THAT(errorsOf(graph), IsEmpty());
  loop->setInput(2, x);
  body->inputs()[0]->setType(Type::strType());
  EXPECT_THAT(
      errorsOf(graph),
      ElementsAre("f.ir:1:5: prim::Loop has a trip count that is int, which does not fit %3 of "
                  "type str",
                  "f.ir:1:5: prim::Loop has a carried value that, %x of type Tensor, does not fit "
                  "%5 of type int"));
}

TEST_F(Broken, Fork) {
  auto body = [&](int inputs, int outputs) {
    auto made = std::make_unique<Graph>(graph.sharedContext());
    for (int i = 0; i < inputs; ++i) made->addInput("", Type::intType());
    for (int i = 0; i < outputs; ++i) made->addOutput(made->inputs()[0]);
    return made;
  };
  at().fork(body(1, 1), {n});
  at().fork(body(2, 2), {n, n});
  at().fork(body(0, 0), {});
  EXPECT_THAT(errorsOf(graph), IsEmpty());
  line = 0;
  at().fork(body(1, 1), {n, n});
  at().fork(body(1, 1), {x});
  at().fork(body(1, 1), {n})->setType(Type::intType());
  at().fork(body(1, 1), {n})->setType(futureOf(graph.context(), Type::strType()));
  at().fork(body(1, 2), {n})->setType(futureOf(graph.context(), Type::intType()));
  at().fork(body(1, 0), {n})->setType(futureOf(graph.context(), Type::intType()));
  EXPECT_THAT(
      errorsOf(graph),
      ElementsAre("f.ir:1:5: prim::fork has 2 operands, but its body has 1 inputs",
                  "f.ir:2:5: prim::fork has operand 0, %x of type Tensor, where its body takes int",
                  "f.ir:3:5: prim::fork gives a Future, not int",
                  "f.ir:4:5: prim::fork gives Future[str], but its body gives int",
                  "f.ir:5:5: prim::fork gives Future[int], but its body gives other results",
                  "f.ir:6:5: prim::fork gives Future[int], but its body gives nothing"));
}

TEST_F(Broken, InsideAFork) {
  auto outer = std::make_unique<Graph>(graph.sharedContext());
  auto inner = std::make_unique<Graph>(graph.sharedContext());
  Builder outerBuilder(*outer), innerBuilder(*inner);
  Node* late = at(innerBuilder).node("aten::neg", {}, {Type::intType()});
  late->addInput(at(innerBuilder).constant(1));
  outerBuilder.fork(std::move(inner), {});
  b.fork(std::move(outer), {});
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: operand 0, %1, is used before it is defined"));
  EXPECT_THAT(notesOf(graph).at(0), "in %0 : int = aten::neg(%1) of `a subgraph of graph`");
}

TEST_F(Broken, Wait) {
  at().call("aten::wait", {n}, Type::intType());
  Value* future = graph.addInput("f", futureOf(graph.context(), Type::intType()));
  at().wait(future);
  at().call("aten::wait", {future}, Type::tensorType());
  EXPECT_THAT(errorsOf(graph),
              ElementsAre("f.ir:1:5: aten::wait wants a Future, not %n of type int",
                          "f.ir:3:5: aten::wait has a result that is int, which does not fit %6 of "
                          "type Tensor"));
}

TEST_F(Broken, Tuples) {
  const Type* pair = tupleOf(graph.context(), {Type::intType(), Type::tensorType()});
  Value* tuple = at().tuple({n, x});
  node("prim::TupleConstruct", {n, x}, {pair});
  node("prim::TupleUnpack", {tuple}, {Type::intType(), Type::tensorType()});
  EXPECT_THAT(errorsOf(graph), IsEmpty());
  line = 0;
  node("prim::TupleConstruct", {n}, {pair});
  node("prim::TupleConstruct", {x, n}, {pair});
  node("prim::TupleConstruct", {n}, {Type::intType()});
  node("prim::TupleUnpack", {n}, {Type::intType()});
  node("prim::TupleUnpack", {tuple}, {Type::intType()});
  node("prim::TupleUnpack", {tuple}, {Type::intType(), Type::intType()});
  node("prim::TupleIndex", {n, n}, {Type::intType()});
  node("prim::TupleIndex", {tuple, x}, {Type::intType()});
  node("prim::TupleSlice", {tuple}, {pair});
  EXPECT_THAT(
      errorsOf(graph),
      ElementsAre(
          "f.ir:1:5: prim::TupleConstruct has 1 operands and wants 2",
          "f.ir:2:5: prim::TupleConstruct has operand 0, %x of type Tensor, where int is wanted",
          "f.ir:2:5: prim::TupleConstruct has operand 1, %n of type int, where Tensor is wanted",
          "f.ir:3:5: prim::TupleConstruct makes no tuple, but %9 of type int",
          "f.ir:4:5: prim::TupleUnpack wants a tuple, not %n of type int",
          "f.ir:5:5: prim::TupleUnpack has 1 results and wants 2",
          "f.ir:6:5: prim::TupleUnpack has an element that is Tensor, which does not fit %13 of "
          "type int",
          "f.ir:7:5: prim::TupleIndex wants a tuple, not %n of type int",
          "f.ir:8:5: prim::TupleIndex has operand 1, %x of type Tensor, where int is wanted",
          "f.ir:9:5: prim::TupleSlice has no attribute `beg`",
          "f.ir:9:5: prim::TupleSlice has no attribute `end`"));
}

TEST_F(Broken, ListsAndDicts) {
  const Type* ints = listOf(graph.context(), Type::intType());
  const Type* dict = dictOf(graph.context(), Type::strType(), Type::intType());
  Value* list = at().list(Type::intType(), {n, n});
  Value* key = at().constant("k");
  node("prim::ListUnpack", {list}, {Type::intType(), Type::intType()});
  node("prim::DictConstruct", {key, n}, {dict});
  EXPECT_THAT(errorsOf(graph), IsEmpty());
  line = 0;
  at().list(Type::intType(), {n, x});
  node("prim::ListConstruct", {n}, {Type::intType()});
  node("prim::ListUnpack", {n}, {Type::intType()});
  node("prim::ListUnpack", {list}, {Type::strType()});
  node("prim::DictConstruct", {key}, {dict});
  node("prim::DictConstruct", {n, key}, {dict});
  node("prim::DictConstruct", {}, {ints});
  EXPECT_THAT(
      errorsOf(graph),
      ElementsAre(
          "f.ir:1:5: prim::ListConstruct has operand 1, %x of type Tensor, where int is wanted",
          "f.ir:2:5: prim::ListConstruct makes no list, but %9 of type int",
          "f.ir:3:5: prim::ListUnpack wants a list, not %n of type int",
          "f.ir:4:5: prim::ListUnpack has an element that is int, which does not fit %11 of type "
          "str",
          "f.ir:5:5: prim::DictConstruct has a key without a value",
          "f.ir:6:5: prim::DictConstruct has key %n of type int, where str is wanted",
          "f.ir:6:5: prim::DictConstruct has value %4 of type str, where int is wanted",
          "f.ir:7:5: prim::DictConstruct makes no dict, but %14 of type int[]"));
}

TEST_F(Broken, NamedThings) {
  node("prim::GetAttr", {x}, {Type::intType()});
  node("prim::CallMethod", {x}, {Type::intType()})
      ->attributes()
      .setInt(graph.context().symbol(Builtin::Name), 1);
  node("prim::CallFunction", {x}, {Type::intType()});
  node("prim::isinstance", {x}, {Type::boolType()});
  node("prim::RaiseException", {n}, {});
  EXPECT_THAT(
      errorsOf(graph),
      ElementsAre(
          "f.ir:1:5: prim::GetAttr has no attribute `name`",
          "f.ir:2:5: prim::CallMethod has the wrong kind of attribute `name`",
          "f.ir:3:5: prim::CallFunction has operand 0, %x of type Tensor, where Function is wanted",
          "f.ir:4:5: prim::isinstance has no attribute `types`",
          "f.ir:5:5: prim::RaiseException has operand 0, %n of type int, where str is wanted"));
}

TEST_F(Broken, PlaceOfTheNodeAround) {
  Node* branch = at().ifNode(flag, {});
  Builder then(branch->blocks()[0]);
  then.node("aten::wait", {}, {});
  EXPECT_THAT(errorsOf(graph), ElementsAre("f.ir:1:5: aten::wait has 0 operands and wants 1",
                                           "f.ir:1:5: aten::wait has 0 results and wants 1"));
}

TEST_F(Broken, LongNodesAreShownInPart) {
  std::vector<Value*> many(1000, n);
  node("aten::wait", many, {Type::intType()});
  EXPECT_THAT(notesOf(graph),
              ElementsAre("in %3 : int = aten::wait(%n, %n, %n, %n, %n, %n, %n, %n, ...) of "
                          "`graph`"));
}

// ---- rule 6: functions --------------------------------------------------------------------------

TEST(Verify, FunctionsThatDoNotExist) {
  CompilationUnit unit;
  auto calling = [&](llvm::StringRef name) {
    auto graph = std::make_unique<Graph>(unit.context());
    Builder b(*graph);
    b.setLocation({graph->context().symbol("f.ir"), 3, 0});
    graph->addOutput(b.call("prim::CallFunction", b.functionConstant(name)));
    return graph;
  };
  EXPECT_TRUE(verify(*calling("nowhere"))); // a single graph
  ASSERT_TRUE(unit.add("graph", calling("nowhere")));
  EXPECT_TRUE(verify(unit)); // and its dump
  ASSERT_TRUE(unit.add("double", calling("graph")));
  auto result = verify(unit);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.errors().size(), 1u);
  EXPECT_EQ(result.error().message,
            "prim::Constant names the function `nowhere`, which does not exist");
  EXPECT_EQ(result.error().place.str(), "f.ir:3:1");

  CompilationUnit fine;
  auto recursive = std::make_unique<Graph>(fine.context());
  Builder b(*recursive);
  recursive->addOutput(b.call("prim::CallFunction", b.functionConstant("double")));
  ASSERT_TRUE(fine.add("double", std::move(recursive)));
  EXPECT_TRUE(verify(fine));
  auto typo = std::make_unique<Graph>(fine.context());
  Builder t(*typo);
  typo->addOutput(t.call("prim::CallFunction", t.functionConstant("duoble")));
  ASSERT_TRUE(fine.add("main", std::move(typo)));
  result = verify(fine);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().notes.at(0).message, "in %0 : Function = prim::Constant() of `main`");
  EXPECT_EQ(result.error().notes.at(1).message, "did you mean `double`?");
}

// ---- types --------------------------------------------------------------------------------------

TEST(Verify, TypesThatFit) {
  Context context;
  const Type *i = Type::intType(), *f = Type::floatType(), *t = Type::tensorType(),
             *none = Type::noneType(), *any = Type::AnyType();
  TensorInfo info;
  info.dtype = DType::Float32;
  info.hasRank = true;
  info.sizes = {2};
  const Type* vector = tensorOf(context, info);
  info.sizes = {2, 3};
  const Type* matrix = tensorOf(context, info);
  info.dtype = DType::Int64;
  const Type* longs = tensorOf(context, info);
  auto list = [&](const Type* e) { return listOf(context, e); };
  auto optional = [&](const Type* e) { return optionalOf(context, e); };
  auto future = [&](const Type* e) { return futureOf(context, e); };
  auto tuple = [&](const Type* a, const Type* b) { return tupleOf(context, {a, b}); };
  struct Case {
    const Type *from, *to;
    bool fits;
  };
  const Case cases[] = {
      {i, i, true},
      {i, f, false},
      {i, Type::NumberType(), true},
      {Type::boolType(), Type::NumberType(), false},
      {i, any, true},
      {any, i, true}, // not known
      {i, optional(i), true},
      {none, optional(i), true},
      {optional(i), i, false},
      {optional(i), optional(f), false},
      {vector, t, true},
      {t, vector, true}, // shapes that were never inferred
      {vector, matrix, false},
      {matrix, longs, false},
      {list(vector), list(t), true},
      {list(vector), list(matrix), true}, // a list promises nothing
      {list(i), list(f), false},
      {list(i), list(optional(i)), false}, // invariant
      {list(any), list(i), true},          // an empty list
      {list(list(i)), list(list(f)), false},
      {future(vector), future(t), true},
      {future(i), future(optional(i)), true},
      {future(i), i, false},
      {tuple(i, vector), tuple(i, t), true},
      {tuple(i, i), tuple(i, optional(i)), true},
      {tuple(i, i), tupleOf(context, {i}), false},
      {tuple(i, i), Type::AnyTupleType(), true},
      {list(i), Type::AnyListType(), true},
      {dictOf(context, i, t), dictOf(context, i, vector), true},
      {dictOf(context, i, t), dictOf(context, f, t), false},
      {i, unionOf(context, {f, i}), true},
      {t, unionOf(context, {f, i}), false},
      {classOf(context, "__torch__.A"), classOf(context, "__torch__.A"), true},
      {classOf(context, "__torch__.A"), classOf(context, "__torch__.B"), false},
      {typeVar(context, "t"), i, true},
      {t, future(t), true}, // where TorchScript put a body in place of its fork
      {vector, future(t), false},
      {t, i, false},
  };
  for (const Case& c : cases)
    EXPECT_EQ(fits(c.from, c.to), c.fits) << c.from->str() << " to " << c.to->str();
}

// ---- what TorchScript prints --------------------------------------------------------------------

void acceptsDumps(const std::filesystem::path& folder, std::size_t atLeast) {
  std::size_t graphs = 0;
  for (const auto& path : testing::filesUnder(folder, ".ir")) {
    ParseOptions options;
    options.verify = false;
    auto unit = parse(testing::readFile(path), path.filename().string(), options);
    if (!unit) continue; // the parser's tests say why
    ++graphs;
    auto result = verify(*unit);
    if (result) continue;
    std::string errors;
    for (const Error& error : result.errors()) errors += error.str();
    ADD_FAILURE() << path << ":\n" << errors;
  }
  EXPECT_GE(graphs, atLeast);
}

TEST(Verify, AcceptsTorchScriptsDumps) { acceptsDumps(testing::testFiles() / "torchscript", 100); }
TEST(Verify, AcceptsTorchScriptsTraces) { acceptsDumps(testing::testFiles() / "trace", 20); }
TEST(Verify, AcceptsSharedDumps) {
  if (testing::sharedData().empty()) GTEST_SKIP() << "no shared data";
  acceptsDumps(testing::sharedData() / "ir", 80);
}

TEST(Verify, ShowsTheLineOfTheText) {
  auto unit = parse("graph(%x : Tensor):\n"
                    "  %1 : int = prim::Constant[value=1]()\n"
                    "  %2 : int = aten::wait(%1)\n"
                    "  return (%2)\n",
                    "f.ir");
  ASSERT_FALSE(unit);
  EXPECT_EQ(unit.error().str(), "f.ir:3:3: error: aten::wait wants a Future, not %1 of type int\n"
                                "  %2 : int = aten::wait(%1)\n"
                                "  ^\n"
                                "note: in %2 : int = aten::wait(%1) of `graph`\n");
}

// ---- size ---------------------------------------------------------------------------------------

TEST(Verify, DeepAndLongGraphsOnASmallStack) {
  testing::runOnStack(testing::kSmallStack, [] {
    Graph graph;
    Value* flag = graph.addInput("flag", Type::boolType());
    Value* n = graph.addInput("n", Type::intType());
    Block* block = graph.block();
    for (int i = 0; i < 10000; ++i) {
      Builder b(block);
      block = b.ifNode(flag, {})->blocks()[i % 2];
    }
    Builder inner(block);
    Value* value = n;
    for (int i = 0; i < 100000; ++i) value = inner.call("aten::add", {value, n}, Type::intType());
    EXPECT_THAT(errorsOf(graph), IsEmpty());
    Builder(graph).call("aten::neg", value, Type::intType());
    EXPECT_THAT(errorsOf(graph), ElementsAre("operand 0, %" + value->displayName() +
                                             ", is defined in a block that its use is not in"));
  });
}

TEST(Verify, DeepForksOnASmallStack) {
  testing::runOnStack(testing::kSmallStack, [] {
    auto context = Context::create();
    auto graph = std::make_unique<Graph>(context);
    graph->addOutput(graph->addInput("", Type::intType()));
    for (int i = 0; i < 10000; ++i) {
      auto outer = std::make_unique<Graph>(context);
      Builder b(*outer);
      outer->addOutput(b.wait(b.fork(std::move(graph), {outer->addInput("", Type::intType())})));
      graph = std::move(outer);
    }
    EXPECT_THAT(errorsOf(*graph), IsEmpty());
  });
}

TEST(Verify, ManyErrorsTakeLinearTime) {
  Graph graph;
  Builder b(graph);
  Node* branch = b.ifNode(graph.addInput("flag", Type::boolType()), {});
  Builder inner(branch->blocks()[0]);
  Value* hidden = inner.constant(1);
  Block* block = branch->blocks()[1];
  for (int i = 0; i < 10000; ++i) block = Builder(block).ifNode(graph.inputs()[0], {})->blocks()[0];
  for (int i = 0; i < 20000; ++i) Builder(block).call("aten::neg", hidden, Type::intType());
  auto result = verify(graph);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.errors().size(), 20000u);
}

} // namespace
} // namespace tine
