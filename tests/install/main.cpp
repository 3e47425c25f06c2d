// Traces a function with a fork, runs the graph and prints the version.
#include <iostream>
#include <tine/ir/graph.h>
#include <tine/tine.h>

using namespace tine;

static Tensor twice(Tensor x) { return x + x; }
static Tensor both(Tensor x) { return wait(fork(fn("twice", twice, {"x"}), x)) + x; }

int main() {
  const Function traced = trace(fn("both", both, {"x"}), {tensor(1)});
  FileCheck().check("prim::fork_0(%x)").check("aten::wait").run(traced.graph());
  Scheduler scheduler({.workers = 2});
  const IValue result = traced.runAsync(scheduler, {tensor(7)}).wait();
  if (result.toTensor().toInt() != 21) return 1;
  try { // an exception of the library is the program's
    traced.runAsync(scheduler, {}).wait();
    return 1;
  } catch (const RuntimeError&) {
  }
  std::cout << tine::version() << '\n';
}
