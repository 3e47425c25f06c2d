// How time grows with size, per node, on a stack of 256 kB: at ten times the size the time may be
// at most 15 times.  tools/bench_table.py prints the ratio.  What an operation makes is destroyed
// within its time.  Nothing is beside it: TorchScript overflows its stack on most of these.
#include "bench/bench.h"
#include "interpreter/scheduler.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"

namespace tine::bench {
namespace {

constexpr std::size_t kStack = 256 * 1024;

using Work = std::function<double(const Graph&)>;

void add(const std::string& name, std::int64_t size, double want, const std::string& text,
         const Work& work) {
  row(name + "/n:" + std::to_string(size) + "/tine", size, want, [=]() -> Batch {
    std::shared_ptr<Graph> graph;
    onStack(kStack, [&] { graph = parseGraph(text).value(); });
    return [=] {
      double result = 0;
      onStack(kStack, [&] { result = work(*graph); });
      return result;
    };
  });
}

std::shared_ptr<const Code> compileText(const std::string& text) {
  return compile(*parseGraph(text).value(), OpSet::sharedBuiltin()).value();
}

/// Rows of one kind of graph; `arguments` and `want` are of running it.
void addAll(const std::string& name, std::int64_t size, const std::string& text,
            const std::vector<IValue>& arguments, double want) {
  add(name + "Parse", size, 0, text, [=](const Graph&) {
    (void)parseGraph(text).value();
    return 0;
  });
  add(name + "Verify", size, 0, text, [](const Graph& graph) {
    (void)verify(graph).value();
    return 0;
  });
  add(name + "Copy", size, 0, text, [](const Graph& graph) {
    graph.copy();
    return 0;
  });
  add(name + "Compile", size, 0, text, [](const Graph& graph) {
    (void)compile(graph, OpSet::sharedBuiltin()).value();
    return 0;
  });
  row(name + "Run/n:" + std::to_string(size) + "/tine", size, want, [=]() -> Batch {
    std::shared_ptr<const Code> code;
    onStack(kStack, [&] { code = compileText(text); });
    return [=, scheduler = std::make_shared<Scheduler>(Scheduler::Config{.workers = 0})] {
      double result = 0;
      onStack(kStack, [&] {
        result = scheduler->wait(*scheduler->run(code, code->front(), arguments)).toNumber();
      });
      return result;
    };
  });
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine::bench;
  for (const std::int64_t n : {10000, 100000}) {
    const std::string text = intChain(n);
    addAll("Scale/Chain", n, text, {1}, static_cast<double>(n + 1));
    // Of a chain only: indented by its depth, the text of nested blocks grows with its square.
    add("Scale/ChainPrint", n, static_cast<double>(text.size()), text,
        [](const tine::Graph& graph) { return static_cast<double>(graph.str().size()); });
  }
  for (const std::int64_t n : {1000, 10000})
    addAll("Scale/NestedIf", n, nestedIfs(n), {true, 7}, 7);
  return run(argc, argv);
}
