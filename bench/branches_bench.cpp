// Two independent heavy branches, and an ensemble of four bidirectional LSTMs: per program, forked
// and, as `calls`, one after the other. With two workers both branches run at once.
#include "bench/bench.h"

namespace tine::bench {
namespace {

void add(const std::string& name, const std::string& function, std::vector<Argument> arguments,
         double want) {
  Call call = {.file = "branches", .function = function, .arguments = arguments, .source = true};
  tineRow(name + "/calls", 1, want, call);
  call.function += "_forked";
  for (const int workers : {0, 1, 2}) {
    const std::string suffix = "/workers:" + std::to_string(workers);
    call.workers = workers;
    tineRow(name + "/tine" + suffix, 1, want, call);
    if (workers) torchScriptRow(name + "/torchscript" + suffix, 1, want, call);
  }
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine::bench;
  add("Branches/Matmul", "matmul", {std::int64_t(512), std::int64_t(20)}, 1024);
  add("Branches/Lstm", "ensemble", {std::int64_t(4)}, 64082);
  return run(argc, argv);
}
