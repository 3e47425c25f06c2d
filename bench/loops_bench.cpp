// Loops of the interpreter, per iteration: the same programs in graph text, TorchScript and Lua,
// and what a C++ compiler makes of them when it may neither unroll the loop nor guess its result.
#include "bench/bench.h"

#include <benchmark/benchmark.h>

namespace tine::bench {
namespace {

constexpr std::int64_t kTrips = 10000;

[[gnu::noinline]] double forAdd(std::int64_t n) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) benchmark::DoNotOptimize(sum += i);
  return static_cast<double>(sum);
}

[[gnu::noinline]] double whileLess(std::int64_t n) {
  std::int64_t sum = 0, i = 0;
  while (i < n) {
    benchmark::DoNotOptimize(sum += i);
    benchmark::DoNotOptimize(++i);
  }
  return static_cast<double>(sum);
}

[[gnu::noinline]] double ifEven(std::int64_t n) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t remainder = i % 2;
    benchmark::DoNotOptimize(remainder);
    if (remainder == 0)
      benchmark::DoNotOptimize(sum += i);
    else
      benchmark::DoNotOptimize(--sum);
  }
  return static_cast<double>(sum);
}

[[gnu::noinline]] double listAppend(std::int64_t n) {
  std::vector<std::int64_t> items;
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    items.push_back(i);
    benchmark::DoNotOptimize(items.data());
    benchmark::DoNotOptimize(sum += items[static_cast<std::size_t>(i)]);
  }
  return static_cast<double>(sum);
}

[[gnu::noinline]] double polynomial(std::int64_t n) {
  double x = 0, sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    benchmark::DoNotOptimize(sum += ((2 * x - 3) * x + 4) * x - 5);
    benchmark::DoNotOptimize(x += 0.125);
  }
  return sum;
}

[[gnu::noinline]] std::int64_t plus(std::int64_t x, std::int64_t y) {
  benchmark::DoNotOptimize(x);
  return x + y;
}

[[gnu::noinline]] double call(std::int64_t n) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum = plus(sum, i);
  return static_cast<double>(sum);
}

void add(const std::string& name, const std::string& function, double (*plain)(std::int64_t)) {
  const double want = plain(kTrips);
  const Call call = {.file = "loops", .function = function, .arguments = {kTrips}};
  tineRow(name + "/tine", kTrips, want, call);
  Call compiled = call;
  compiled.source = true;
  tineRow(name + "/tine_source", kTrips, want, compiled);
  torchScriptRow(name + "/torchscript", kTrips, want, call);
  luaRow(name + "/lua", kTrips, want, call);
  row(name + "/cpp", kTrips, want, [plain] { return [plain] { return plain(kTrips); }; });
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine::bench;
  add("Loop/For", "for_add", forAdd);
  add("Loop/While", "while_less", whileLess);
  add("Loop/If", "if_even", ifEven);
  add("Loop/List", "list_append", listAppend);
  add("Loop/Polynomial", "polynomial", polynomial);
  add("Loop/Call", "call", call);
  return run(argc, argv);
}
