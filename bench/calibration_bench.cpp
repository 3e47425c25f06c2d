// The yardstick of the machine: one locked compare-and-swap that nobody contends for.  A fork +
// wait takes at least one.
#include "bench/bench.h"

#include <atomic>
#include <benchmark/benchmark.h>

namespace {

double swap(std::int64_t n) {
  std::atomic<std::int64_t> word{0};
  benchmark::DoNotOptimize(&word);
  for (std::int64_t i = 0; i < n; ++i) word.compare_exchange_strong(i, i + 1);
  return static_cast<double>(word.load());
}

} // namespace

int main(int argc, char** argv) {
  constexpr std::int64_t n = 1000;
  tine::bench::row("Calibration/CompareAndSwap/cpp", n, n, [] { return [] { return swap(n); }; });
  return tine::bench::run(argc, argv);
}
