// Compiling TorchScript source, per line: parsing, graphs, verification and code of a generated
// program. At ten times the size the time may be at most 12 times; tools/bench_table.py prints it.
#include "api/function.h"
#include "bench/bench.h"

namespace tine::bench {
namespace {

/// What one function of the generated program is, its number in place of `@`: 20 lines.
constexpr const char* kFunction = R"(def f@(x: Tensor, n: int, names: List[str]) -> Tensor:
    total = 0
    seen: Dict[str, int] = {}
    for i in range(n):
        if i % 2 == 0:
            total += i * @
        elif i > 100:
            break
        else:
            total -= i
    for name in names:
        seen[name] = len(name) + total
    futures: List[Future[Tensor]] = []
    for i in range(3):
        futures.append(torch.jit.fork(g@, x, i))
    y = x
    for future in futures:
        y = y + torch.jit.wait(future) * 0.5
    return torch.relu(y) if total > len(seen) else y

def g@(x: Tensor, i: int) -> Tensor:
    return torch.sigmoid(x + i)

)";
constexpr std::int64_t kLinesOfFunction = 23;

std::string generated(std::int64_t functions) {
  std::string text;
  for (std::int64_t i = 0; i < functions; ++i)
    for (const char* c = kFunction; *c; ++c)
      text += *c == '@' ? std::to_string(i) : std::string(1, *c);
  return text;
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine;
  using namespace tine::bench;
  for (const std::int64_t lines : {20000, 200000}) {
    const std::int64_t functions = lines / kLinesOfFunction;
    row("Source/Compile/n:" + std::to_string(lines) + "/tine", functions * kLinesOfFunction,
        static_cast<double>(2 * functions), [=]() -> Batch {
          return [text = generated(functions)] {
            return static_cast<double>(compile(text).value().functionNames().size());
          };
        });
  }
  return run(argc, argv);
}
