// What `make demo` runs: a C++ function with fork and wait becomes a graph, is checked, written,
// read back, and run with its forks as tasks on fibers; then the same with a module.

#include <iostream>
#include <tine/tine.h>

using namespace tine;

namespace demo {

Tensor foo(Tensor a, int64_t b) { return a + b; }

Tensor bar(Tensor a) {
  static const auto f = fn("foo", foo, {"a", "b"});
  Future<Tensor> fut = fork(f, a, arg("b", 2)); // a keyword argument
  return wait(fut);
}

struct Gate : Module {
  Tensor weight = registerParameter("weight", tensor({1., 2., 3.}));
  Tensor bias = registerBuffer("bias", tensor({0.5, 0.25, 0.125}));
  static Signature signature() { return {"x", arg("b", 1)}; }
  Tensor forward(Tensor x, int64_t b) { return relu(x * weight + bias + b); }
};

struct Net : Module {
  Child<Gate> gate = registerModule("gate", Gate());
  Tensor shift = registerParameter("shift", tensor({0.5}));
  static Signature signature() { return {"x"}; }
  Tensor forward(Tensor x) {
    Future<Tensor> fut = fork(gate, x, arg("b", 2));
    Tensor y = x - shift; // while the fork runs
    return wait(fut) + y;
  }
};

/// A graph as others may have it: text, then a graph again.
Function throughText(const Function& function) {
  const std::string text = str(function.unit(), {.style = Style::Lossless});
  const Program program = parseProgram(text, function.name() + ".ir").value();
  TINE_CHECK(equal(program.unit(), function.unit()));
  return Function(program, function.name(), function.self());
}

void title(const char* text) { std::cout << "\n== " << text << "\n"; }

void run() {
  title("a function, traced");
  const Tensor two = tensor(2);
  const Function traced = trace(fn("bar", bar, {"a"}), {two});
  std::cout << traced.graph();
  FileCheck().check("prim::fork").check("aten::wait").run(traced.graph());
  std::cout << "contains \"prim::fork\", then \"aten::wait\"\n";

  title("a module, traced");
  const Tensor x = tensor({1., 2., 3.});
  Net net;
  const Function method = trace(net, {x});
  for (const NamedGraph& function : method.unit().functions())
    std::cout << function.name << ":\n" << *function.graph;
  FileCheck()
      .check("%self")
      .check("prim::GetAttr[name=\"shift\"](%self)")
      .check("prim::fork_0(%self, %x)")
      .check("aten::wait")
      .check("prim::GetAttr[name=\"gate\"](%self)")
      .run(method.graph());
  std::cout << "contains %self, GetAttr, fork and wait\n";

  title("written, read back, run with 4 workers");
  Scheduler scheduler({.workers = 4});
  const Function first = throughText(traced), second = throughText(method);
  Future<> four = first.runAsync(scheduler, {two}); // returns at once; the fork is a task
  Future<> sums = second.runAsync(scheduler, {x});
  std::cout << four.wait().str() << "\n" << sums.wait().str() << "\n";
  TINE_CHECK(equal(four.wait().toTensor(), bar(two)));
  TINE_CHECK(equal(sums.wait().toTensor(), net.forward(x)));

  const Scheduler::Stats stats = scheduler.stats();
  std::cout << stats.tasks << " tasks forked: " << stats.inlined
            << " run on the stack of whoever waited, " << stats.stolen << " stolen; "
            << stats.parked << " waits parked\n";
}

} // namespace demo

int main() {
  try {
    demo::run();
  } catch (const RuntimeError& e) {
    std::cerr << e.error().str();
    return 1;
  }
}
