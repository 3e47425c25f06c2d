// Passes over graphs of 10,000 nodes (goal: dead code, common subexpressions and folding at most 3
// ms each) and, to see that they stay linear, of 100,000. Each works on a copy that is made and
// destroyed within its time; Graph/Copy and Scale/ChainCopy say what that takes.
#include "bench/bench.h"
#include "ir/builder.h"
#include "passes/pass.h"

namespace tine::bench {
namespace {

using Make = void (*)(Graph& graph, int nodes);

/// Tensors, each from the one before: `%a2 = aten::add(%a1, %x, %1)`, and a constant for each.
void tensors(Graph& graph, int nodes) {
  Value* x = graph.addInput("x", Type::tensorType());
  Builder b(graph);
  Value* last = x;
  for (int i = 0; i < nodes / 2; ++i) last = b.call("aten::add", {last, x, b.constant(1)});
  graph.addOutput(last);
}

/// The same sums over and over, in pairs, and half of all results unused.
void repeated(Graph& graph, int nodes) {
  Value *x = graph.addInput("x", Type::tensorType()), *last = x;
  Builder b(graph);
  Value* one = b.constant(1);
  for (int i = 0; i < nodes / 4; ++i) {
    Value* p = b.call("aten::add", {last, x, one});
    Value* q = b.call("aten::add", {last, x, one});
    b.call("aten::mul", {p, x});
    last = b.call("aten::mul", {p, q});
  }
  graph.addOutput(last);
}

/// Ints: all known, but for the first.
void numbers(Graph& graph, int nodes) {
  Value* n = graph.addInput("n", Type::intType());
  Builder b(graph);
  Value *last = b.constant(1), *two = b.constant(2);
  for (int i = 0; i < nodes; ++i)
    last = b.call(i % 2 ? "aten::add" : "aten::sub", {last, two}, Type::intType());
  graph.addOutput(b.call("aten::add", {last, n}, Type::intType()));
}

/// In-place operators, lists, branches and loops.
void effects(Graph& graph, int nodes) {
  Value* x = graph.addInput("x", Type::tensorType());
  Value* go = graph.addInput("c", Type::boolType());
  Builder b(graph);
  Value *last = x, *one = b.constant(1);
  for (int i = 0; i < nodes / 10; ++i) {
    Value* y = b.call("aten::neg", {last});
    b.call("aten::add_", {y, x, one});
    Value* list = b.list(Type::tensorType(), {y});
    b.call("aten::append", {list, last}, list->type());
    Node* branch = b.ifNode(go, {Type::tensorType()});
    for (Block* block : branch->blocks()) {
      Builder inner(block);
      block->addOutput(inner.call("aten::mul", {y, x}));
    }
    Node* loop = b.loopNode(one, go, {branch->output()});
    Builder body(loop->blocks()[0]);
    Value* next = body.call("aten::mul", {loop->blocks()[0]->inputs()[1], x});
    loop->blocks()[0]->addOutput(go);
    loop->blocks()[0]->addOutput(next);
    last = b.call("aten::neg", {loop->output()});
  }
  graph.addOutput(last);
}

/// Forks of a body of six nodes, and their waits.
void forks(Graph& graph, int nodes) {
  Value *x = graph.addInput("x", Type::tensorType()), *last = x;
  Builder b(graph);
  for (int i = 0; i < nodes / 8; ++i) {
    auto body = std::make_unique<Graph>(graph.sharedContext());
    Value *p = body->addInput("p", Type::tensorType()),
          *q = body->addInput("q", Type::tensorType());
    Builder inner(*body);
    for (int k = 0; k < 6; ++k) q = inner.call("aten::mul", {p, q});
    body->addOutput(q);
    last = b.wait(b.fork(std::move(body), {last, x}));
  }
  graph.addOutput(last);
}

struct Shape {
  const char* name;
  Make make;
};
constexpr Shape shapes[] = {{"Tensors", tensors},
                            {"Repeated", repeated},
                            {"Numbers", numbers},
                            {"Effects", effects},
                            {"Forks", forks}};

void add(const Pass& pass, const Shape& shape, int nodes) {
  row("Pass/" + pass.name.str() + "_" + shape.name + "/n:" + std::to_string(nodes) + "/tine", nodes,
      0, [&pass, make = shape.make, nodes]() -> Batch {
        auto graph = std::make_shared<Graph>();
        make(*graph, nodes);
        return [&pass, graph] {
          const std::unique_ptr<Graph> copy = graph->copy();
          const PassContext context(OpSet::sharedBuiltin());
          pass.run(*copy, context);
          return 0;
        };
      });
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine::bench;
  for (const tine::Pass& pass : tine::allPasses())
    for (const Shape& shape : shapes) add(pass, shape, 10'000);
  for (const tine::Pass& pass : tine::allPasses()) add(pass, shapes[0], 100'000);
  return run(argc, argv);
}
