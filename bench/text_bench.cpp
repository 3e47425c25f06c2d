// Text to graph and back, per node.  What an operation makes is destroyed within its time.
#include "bench/bench.h"
#include "ir/parse.h"
#include "ir/print.h"

namespace tine::bench {
namespace {

void add(std::int64_t nodes) {
  const std::string text = tensorChain(nodes);
  const auto size = static_cast<double>(text.size());
  row("Text/Parse/tine", nodes, size, [=]() -> Batch {
    return [=] {
      (void)parseGraph(text).value();
      return size;
    };
  });
  row("Text/Print/tine", nodes, size, [=]() -> Batch {
    return [graph = std::shared_ptr<Graph>(parseGraph(text).value())] {
      return static_cast<double>(str(*graph).size());
    };
  });
  torchScriptGraphRow("Text/Parse/torchscript", nodes, GraphWork::Parse, text);
  torchScriptGraphRow("Text/Print/torchscript", nodes, GraphWork::Print, text);
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  tine::bench::add(10000);
  return tine::bench::run(argc, argv);
}
