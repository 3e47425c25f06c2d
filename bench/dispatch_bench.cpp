// What it costs to get to a kernel or a graph: an operator on a tensor of four elements in a loop,
// per operator, beside the tensor library alone (aten: as is, and in inference mode); and a call of
// a graph from C++.
#include "bench/bench.h"

int main(int argc, char** argv) {
  using namespace tine::bench;
  constexpr std::int64_t n = 1000;
  const Call add = {
      .file = "dispatch", .function = "add_loop", .arguments = {std::vector<float>(4, 1), n}};
  tineRow("Dispatch/Add/tine", n, n + 1, add);
  torchScriptRow("Dispatch/Add/torchscript", n, n + 1, add);
  atenAddRow("Dispatch/Add/aten", n, false);
  atenAddRow("Dispatch/Add/aten_inference", n, true);

  const Call inc = {
      .file = "dispatch", .function = "inc", .arguments = {std::int64_t(41)}, .repeat = n};
  tineRow("Dispatch/Call/tine", n, 42, inc);
  torchScriptRow("Dispatch/Call/torchscript", n, 42, inc);
  return run(argc, argv);
}
