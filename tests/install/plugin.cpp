// What load.cpp loads: parses a graph with forks and runs it with two workers.
#include <tine/tine.h>

using namespace tine;

static constexpr const char* kText = R"(graph(%x : int):
  %one : int = prim::Constant[value=1]()
  %a : Future[int] = prim::fork_0(%x)
  %b : Future[int] = prim::fork_1(%x, %one)
  %p : int = aten::wait(%a)
  %q : int = aten::wait(%b)
  %sum : int = aten::add(%p, %q)
  return (%sum)
with prim::fork_0 = graph(%x : int):
  %y : int = aten::mul(%x, %x)
  return (%y)
with prim::fork_1 = graph(%x : int, %one : int):
  %y : int = aten::sub(%x, %one)
  return (%y)
)";

extern "C" long run(long x) {
  Scheduler scheduler({.workers = 2});
  const Program program = parseProgram(kText, "plugin.ir").value();
  const Function function(program, "graph");
  return function.runAsync(scheduler, {IValue(std::int64_t{x})}).wait().toInt();
}
