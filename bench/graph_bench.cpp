// Work on a graph as a whole, per node.  What an operation makes is destroyed within its time.
#include "bench/bench.h"
#include "interpreter/code.h"
#include "ir/parse.h"
#include "ir/verify.h"

namespace tine::bench {
namespace {

void addTine(const std::string& name, std::int64_t nodes, const std::string& text,
             void (*work)(const Graph&)) {
  row(name, nodes, 0, [=]() -> Batch {
    return [work, graph = std::shared_ptr<Graph>(parseGraph(text).value())] {
      work(*graph);
      return 0;
    };
  });
}

void add(std::int64_t nodes) {
  const std::string text = tensorChain(nodes);
  addTine("Graph/Verify/tine", nodes, text,
          [](const Graph& graph) { (void)verify(graph).value(); });
  torchScriptGraphRow("Graph/Verify/torchscript", nodes, GraphWork::Verify, text);
  addTine("Graph/Copy/tine", nodes, text, [](const Graph& graph) { graph.copy(); });
  torchScriptGraphRow("Graph/Copy/torchscript", nodes, GraphWork::Copy, text);
  addTine("Graph/Compile/tine", nodes, text,
          [](const Graph& graph) { (void)compile(graph, OpSet::sharedBuiltin()).value(); });
  torchScriptGraphRow("Graph/Compile/torchscript", nodes, GraphWork::Compile, text);
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  tine::bench::add(10000);
  return tine::bench::run(argc, argv);
}
