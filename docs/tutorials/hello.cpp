#include <tine/tine.h>
using namespace tine;

Tensor foo(Tensor a, int64_t b) { return a + b; }

Tensor bar(Tensor a) {
  static const auto f = fn("foo", foo, {"a", "b"}); // names, for keyword arguments and dumps
  Future<Tensor> fut = fork(f, a, arg("b", 2));     // C++: runs at once; traced: prim::fork;
  return wait(fut);                                 // run from a graph: a task on a fiber
}

int main() {
  Tensor input = tensor(2);
  Function traced = trace(fn("bar", bar, {"a"}), {input});
  std::cout << traced.graph();
  FileCheck().check("prim::fork").check("aten::wait").run(traced.graph());

  Scheduler scheduler({.workers = 4});
  Future<> running = traced.runAsync(scheduler, {input}); // returns at once, from any thread
  TINE_CHECK(equal(running.wait().toTensor(), bar(input)));
  std::cout << running.wait().str() << "\n";
}
