#include "ir/graph.h"
#include "support/count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

namespace tine {
namespace {

using ::testing::ElementsAre;

std::vector<Node*> nodesOf(const Block* block) {
  std::vector<Node*> nodes;
  for (Node* node : block->nodes()) nodes.push_back(node);
  return nodes;
}

/// (user, operand index) of each use, in order.
std::vector<std::pair<Node*, std::uint32_t>> usesOf(const Value* value) {
  std::vector<std::pair<Node*, std::uint32_t>> uses;
  for (Use& use : value->uses()) {
    EXPECT_EQ(use.value, value);
    EXPECT_EQ(use.user->input(use.index), value);
    uses.push_back({use.user, use.index});
  }
  return uses;
}

Node* appendNode(Graph& graph, llvm::StringRef kind, std::vector<Value*> inputs, int outputs = 1) {
  Node* node = graph.createNode(kind);
  for (Value* input : inputs) node->addInput(input);
  for (int i = 0; i < outputs; ++i) node->addOutput(Type::intType());
  graph.block()->append(node);
  return node;
}

/// Runs on a thread with a small stack, as a fiber would.
void onSmallStack(std::function<void()> f) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* p) -> void* {
                  (*static_cast<std::function<void()>*>(p))();
                  return nullptr;
                },
                &f),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

class GraphTest : public ::testing::Test {
protected:
  void TearDown() override {
    EXPECT_EQ(liveCount(Live::Graph), 0);
    EXPECT_EQ(liveCount(Live::Node), 0);
  }
};

TEST_F(GraphTest, UsesFollowEveryChangeOfOperands) {
  Graph graph;
  Value* x = graph.addInput("x", Type::intType());
  Value* y = graph.addInput("y", Type::intType());
  Node* add = appendNode(graph, "aten::add", {x, x, y});
  EXPECT_THAT(usesOf(x), ElementsAre(std::pair(add, 0u), std::pair(add, 1u)));
  add->insertInput(1, y);
  EXPECT_THAT(usesOf(x), ElementsAre(std::pair(add, 0u), std::pair(add, 2u)));
  EXPECT_THAT(usesOf(y), ElementsAre(std::pair(add, 3u), std::pair(add, 1u)));
  add->removeInput(0);
  EXPECT_THAT(usesOf(x), ElementsAre(std::pair(add, 1u)));
  EXPECT_TRUE(x->hasOneUse());
  add->setInput(1, y);
  EXPECT_FALSE(x->hasUses());
  EXPECT_EQ(usesOf(y).size(), 3u);
  add->removeAllInputs();
  EXPECT_FALSE(y->hasUses());
}

TEST_F(GraphTest, OperandsMayOutgrowTheirArray) {
  Graph graph;
  Value* x = graph.addInput("x", Type::intType());
  Value* y = graph.addInput("y", Type::intType());
  Node* list = appendNode(graph, "prim::ListConstruct", {});
  for (int i = 0; i < 1000; ++i) list->addInput(i % 3 ? x : y);
  EXPECT_EQ(usesOf(x).size() + usesOf(y).size(), 1000u);
  for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(list->input(i), i % 3 ? x : y);
}

TEST_F(GraphTest, ReplaceAllUsesAppendsToTheOthersUses) {
  Graph graph;
  Value* x = graph.addInput("x", Type::intType());
  Value* y = graph.addInput("y", Type::intType());
  Node* a = appendNode(graph, "aten::neg", {y});
  Node* b = appendNode(graph, "aten::add", {x, x});
  x->replaceAllUsesWith(y);
  EXPECT_FALSE(x->hasUses());
  EXPECT_THAT(usesOf(y), ElementsAre(std::pair(a, 0u), std::pair(b, 0u), std::pair(b, 1u)));
  b->setInput(0, x); // the list stays whole after the splice
  EXPECT_THAT(usesOf(y), ElementsAre(std::pair(a, 0u), std::pair(b, 1u)));
  Node* c = appendNode(graph, "aten::neg", {y});
  EXPECT_THAT(usesOf(y), ElementsAre(std::pair(a, 0u), std::pair(b, 1u), std::pair(c, 0u)));
}

TEST_F(GraphTest, NodesMoveAndKeepTheirOrder) {
  Graph graph;
  Node* a = appendNode(graph, "t::a", {});
  Node* b = appendNode(graph, "t::b", {});
  Node* c = appendNode(graph, "t::c", {});
  c->insertBefore(a);
  EXPECT_THAT(nodesOf(graph.block()), ElementsAre(c, a, b));
  c->insertAfter(a);
  EXPECT_THAT(nodesOf(graph.block()), ElementsAre(a, c, b));
  c->insertAfter(a); // where it is already
  EXPECT_THAT(nodesOf(graph.block()), ElementsAre(a, c, b));
  graph.block()->prepend(b);
  EXPECT_THAT(nodesOf(graph.block()), ElementsAre(b, a, c));
  EXPECT_TRUE(b->isBefore(a) && a->isBefore(c) && !c->isBefore(b));
  EXPECT_TRUE(graph.block()->param()->isBefore(b));
  EXPECT_TRUE(c->isBefore(graph.block()->ret()));
  a->destroy();
  EXPECT_THAT(nodesOf(graph.block()), ElementsAre(b, c));
}

TEST_F(GraphTest, OrderSurvivesManyInsertionsAtOnePlace) {
  Graph graph;
  Node* first = appendNode(graph, "t::first", {});
  Node* last = appendNode(graph, "t::last", {});
  std::vector<Node*> made; // each right behind `first`, so in reverse
  for (int i = 0; i < 200; ++i) {
    Node* node = graph.createNode("t::n");
    node->insertAfter(first);
    made.push_back(node);
  }
  for (std::size_t i = 0; i + 1 < made.size(); ++i) {
    ASSERT_TRUE(made[i + 1]->isBefore(made[i]));
    ASSERT_FALSE(made[i]->isBefore(made[i + 1]));
  }
  EXPECT_TRUE(first->isBefore(made.back()) && made.front()->isBefore(last));
}

TEST_F(GraphTest, OrderSurvivesInsertionsAnywhere) {
  for (int pattern = 0; pattern < 4; ++pattern) {
    Graph graph;
    Node* first = appendNode(graph, "t::first", {});
    Node* last = appendNode(graph, "t::last", {});
    std::vector<Node*> made;
    std::uint64_t random = 1;
    for (int i = 0; i < 100'000; ++i) {
      Node* node = graph.createNode("t::n");
      random = random * 6364136223846793005u + 1442695040888963407u;
      if (pattern == 0)
        node->insertBefore(last);
      else if (pattern == 1)
        node->insertAfter(first);
      else if (pattern == 2) // in the middle, from both sides
        i % 2 ? node->insertBefore(made[0]) : node->insertAfter(i ? made[0] : first);
      else
        node->insertBefore(i ? made[(random >> 33) % made.size()] : last);
      made.push_back(node);
    }
    std::size_t wrong = 0;
    for (Node* node = graph.block()->param(); node->next(); node = node->next())
      wrong += !node->isBefore(node->next()) || node->next()->isBefore(node);
    EXPECT_EQ(wrong, 0u) << "pattern " << pattern;
  }
}

TEST_F(GraphTest, OrderAcrossBlocks) {
  Graph graph;
  Node* outer = appendNode(graph, "t::outer", {});
  Node* branch = appendNode(graph, "prim::If", {});
  Node* after = appendNode(graph, "t::after", {});
  Block *yes = branch->addBlock(), *no = branch->addBlock();
  Node *inYes = graph.createNode("t::yes"), *inNo = graph.createNode("t::no");
  yes->append(inYes);
  no->append(inNo);
  EXPECT_TRUE(outer->isBefore(inYes) && inYes->isBefore(after) && !after->isBefore(inNo));
  EXPECT_TRUE(branch->isBefore(inYes) && !inYes->isBefore(branch));
  EXPECT_TRUE(inYes->isBefore(inNo) && !inNo->isBefore(inYes));
}

TEST_F(GraphTest, ATakenNameMakesItsOlderOwnerGiveWay) {
  Graph graph;
  Value* a = graph.addInput("x", Type::intType());
  Value* b = graph.addInput("x", Type::intType());
  EXPECT_EQ(a->displayName(), "x.1");
  EXPECT_EQ(b->displayName(), "x");
  Value* c = graph.addInput("x", Type::intType());
  EXPECT_EQ(b->displayName(), "x.3"); // as TorchScript counts
  EXPECT_EQ(c->displayName(), "x");
  Value* d = graph.addInput("x.1", Type::intType());
  EXPECT_EQ(d->displayName(), "x.1");
  EXPECT_EQ(a->displayName(), "x.5");
  EXPECT_EQ(graph.find("x.5"), a);
  c->setName("");
  EXPECT_EQ(graph.find("x"), nullptr);
  EXPECT_EQ(c->displayName(), std::to_string(c->unique()));
}

TEST_F(GraphTest, DestroyTakesWhatIsInsideAlong) {
  Graph graph;
  Value* x = graph.addInput("x", Type::intType());
  Node* branch = appendNode(graph, "prim::If", {x});
  Block* block = branch->addBlock();
  Node* inner = graph.createNode("aten::neg");
  inner->addInput(x);
  inner->addOutput(Type::intType())->setName("inner");
  block->append(inner);
  block->addOutput(inner->output());
  branch->addBlock()->addOutput(x);
  EXPECT_EQ(usesOf(x).size(), 3u);
  branch->destroy();
  EXPECT_FALSE(x->hasUses());
  EXPECT_EQ(graph.find("inner"), nullptr);
  EXPECT_TRUE(graph.block()->empty());
}

TEST_F(GraphTest, ForEachNodeGoesOuterBeforeInnerInOrderAndMayDestroy) {
  Graph graph;
  appendNode(graph, "t::a", {});
  Node* branch = appendNode(graph, "prim::If", {}, 0);
  appendNode(graph, "t::z", {});
  for (const char* kind : {"t::then", "t::else"})
    branch->addBlock()->append(graph.createNode(kind));
  std::vector<std::string> seen;
  graph.forEachNode([&](Node* node) { seen.push_back(node->kind().str().str()); });
  EXPECT_THAT(seen, ElementsAre("t::a", "prim::If", "t::then", "t::else", "t::z"));
  graph.forEachNode([](Node* node) { node->destroy(); });
  EXPECT_TRUE(graph.block()->empty());
}

TEST_F(GraphTest, CopyIsDeepAndCrossesContexts) {
  auto copy = [] {
    Graph graph;
    Value* x = graph.addInput("x", listOf(graph.context(), Type::intType()));
    Node* fork = appendNode(graph, "prim::fork", {x});
    fork->output()->setType(futureOf(graph.context(), Type::intType()));
    auto body = std::make_unique<Graph>(graph.sharedContext());
    body->addOutput(body->addInput("inside", x->type()));
    fork->attributes().setGraph(graph.context().symbol(Builtin::Subgraph), std::move(body));
    fork->setLocation({graph.context().symbol("f.py"), 3, 4, 1});
    Node* loop = appendNode(graph, "prim::Loop", {x});
    Value* trip = loop->addBlock()->addInput(Type::intType());
    trip->setName("i");
    loop->blocks()[0]->addOutput(trip);
    graph.addOutput(loop->output());
    return graph.copy(Context::create());
  }();
  // The original and its Context are gone.
  std::vector<Node*> nodes = nodesOf(copy->block());
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(copy->find("x")->type()->str(), "int[]");
  EXPECT_EQ(nodes[0]->output()->type()->str(), "Future[int]");
  EXPECT_EQ(nodes[0]->op(), Builtin::Fork);
  EXPECT_EQ(nodes[0]->location().file.str(), "f.py");
  ASSERT_TRUE(nodes[0]->subgraph());
  EXPECT_EQ(nodes[0]->subgraph()->inputs()[0]->displayName(), "inside");
  EXPECT_EQ(nodes[0]->subgraph()->outputs()[0], nodes[0]->subgraph()->inputs()[0]);
  EXPECT_EQ(nodes[1]->blocks()[0]->outputs()[0], copy->find("i"));
  EXPECT_EQ(copy->outputs()[0], nodes[1]->output());
  EXPECT_EQ(&nodes[0]->subgraph()->context(), &copy->context());
}

TEST_F(GraphTest, DepthAndLengthCostNoStack) {
  onSmallStack([] {
    Graph graph;
    Value* x = graph.addInput("x", Type::intType());
    for (int i = 0; i < 100'000; ++i) x = appendNode(graph, "aten::neg", {x})->output();
    Block* block = graph.block();
    for (int i = 0; i < 10'000; ++i) {
      Node* branch = graph.createNode("prim::If");
      block->append(branch);
      block = branch->addBlock();
      branch->addBlock();
    }
    int count = 0;
    graph.forEachNode([&](Node*) { ++count; });
    EXPECT_EQ(count, 110'000);
    auto copy = graph.copy();
    count = 0;
    copy->forEachNode([&](Node*) { ++count; });
    EXPECT_EQ(count, 110'000);
    nodesOf(graph.block()).back()->destroy();
  });
}

TEST_F(GraphTest, NestedForksCostNoStack) {
  onSmallStack([] {
    auto context = Context::create();
    auto graph = std::make_unique<Graph>(context);
    for (int i = 0; i < 10'000; ++i) {
      auto outer = std::make_unique<Graph>(context);
      Node* fork = outer->createNode(context->symbol(Builtin::Fork));
      fork->attributes().setGraph(context->symbol(Builtin::Subgraph), std::move(graph));
      outer->block()->append(fork);
      graph = std::move(outer);
    }
    EXPECT_EQ(liveCount(Live::Graph), 10'001);
    auto copy = graph->copy();
    EXPECT_EQ(liveCount(Live::Graph), 20'002);
  });
}

} // namespace
} // namespace tine
