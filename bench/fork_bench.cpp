// Fork and wait, per fork.  Tine and TorchScript run bench/programs/{fork,recursive}.*; beside them
// the same work as plain calls, as threads (std::async), as one fiber and future for each fork
// (Boost.Fiber), and as tasks (oneTBB).
#include "bench/bench.h"

#include <boost/fiber/all.hpp>

#include <benchmark/benchmark.h>
#include <future>
#include <vector>
#ifdef TINE_HAVE_TBB
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#endif

namespace tine::bench {
namespace {

[[gnu::noinline]] std::int64_t inc(std::int64_t x) {
  benchmark::DoNotOptimize(x);
  return x + 1;
}

/// 10^5 leaves, each ten of a parent: a fork for each node but the root.
constexpr std::int64_t kLeaves = 100000, kSkynetForks = 111110;
constexpr double kSkynetSum = 0.5 * (kLeaves - 1) * kLeaves;

double sumTo(std::int64_t n) { return 0.5 * static_cast<double>(n) * static_cast<double>(n + 1); }

std::int64_t fib(std::int64_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
/// Forks of the tree: it forks in every node that is no leaf.
std::int64_t treeForks(std::int64_t n) { return fib(n + 1) - 1; }

/// A way to fork: `fork` starts a callable, `wait` gives the result of what it returned.
struct Plain {
  template <class F> static std::int64_t fork(F f) { return f(); }
  static std::int64_t wait(std::int64_t x) { return x; }
};

struct StdAsync {
  template <class F> static auto fork(F f) { return std::async(std::launch::async, f); }
  static std::int64_t wait(std::future<std::int64_t>& x) { return x.get(); }
};

/// Pooled stacks, and the fiber starts at once: the fastest way that Boost.Fiber offers.
struct BoostFiber {
  template <class F> static auto fork(F f) {
    static boost::fibers::pooled_fixedsize_stack stacks(32 * 1024);
    return boost::fibers::async(boost::fibers::launch::dispatch, std::allocator_arg, stacks, f);
  }
  static std::int64_t wait(boost::fibers::future<std::int64_t>& x) { return x.get(); }
};

template <class Way> double loop(std::int64_t n) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    auto future = Way::fork([i] { return inc(i); });
    sum += Way::wait(future);
  }
  return static_cast<double>(sum);
}

template <class Way> double chain(std::int64_t n) {
  std::int64_t x = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    auto future = Way::fork([x] { return inc(x); });
    x = Way::wait(future);
  }
  return static_cast<double>(x);
}

template <class Way> double fanOut(std::int64_t n) {
  std::vector<decltype(Way::fork([] { return inc(0); }))> futures;
  for (std::int64_t i = 0; i < n; ++i) futures.push_back(Way::fork([i] { return inc(i); }));
  std::int64_t sum = 0;
  for (auto& future : futures) sum += Way::wait(future);
  return static_cast<double>(sum);
}

template <class Way> [[gnu::noinline]] std::int64_t tree(std::int64_t n) {
  if (n < 2) return n;
  auto future = Way::fork([n] { return tree<Way>(n - 1); });
  const std::int64_t called = tree<Way>(n - 2);
  return Way::wait(future) + called;
}

template <class Way> [[gnu::noinline]] std::int64_t skynet(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  const std::int64_t part = size / 10;
  std::vector<decltype(Way::fork([] { return inc(0); }))> futures;
  futures.reserve(10);
  for (int i = 0; i < 10; ++i)
    futures.push_back(Way::fork([=] { return skynet<Way>(first + i * part, part); }));
  std::int64_t sum = 0;
  for (auto& future : futures) sum += Way::wait(future);
  return sum;
}

template <class Way> [[gnu::noinline]] std::int64_t nest(std::int64_t n) {
  if (n == 0) return 0;
  auto future = Way::fork([n] { return nest<Way>(n - 1); });
  std::int64_t below = Way::wait(future);
  benchmark::DoNotOptimize(below); // else the compiler finds the sum
  return below + 1;
}

void plainRow(const std::string& name, std::int64_t items, double want, std::function<double()> f) {
  row(name, items, want, [f] { return f; });
}

#ifdef TINE_HAVE_TBB
/// oneTBB returns no values, so its tasks write them; a group waits for all of its tasks.
namespace with_tbb {

double loop(std::int64_t n) {
  tbb::task_group group;
  std::int64_t sum = 0, result = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    group.run([&result, i] { result = inc(i); });
    group.wait();
    sum += result;
  }
  return static_cast<double>(sum);
}

double chain(std::int64_t n) {
  tbb::task_group group;
  std::int64_t x = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    group.run([&x] { x = inc(x); });
    group.wait();
  }
  return static_cast<double>(x);
}

double fanOut(std::int64_t n) {
  tbb::task_group group;
  std::vector<std::int64_t> results(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    group.run([result = &results[static_cast<std::size_t>(i)], i] { *result = inc(i); });
  group.wait();
  std::int64_t sum = 0;
  for (const std::int64_t result : results) sum += result;
  return static_cast<double>(sum);
}

std::int64_t tree(std::int64_t n) {
  if (n < 2) return n;
  tbb::task_group group;
  std::int64_t forked;
  group.run([&forked, n] { forked = tree(n - 1); });
  const std::int64_t called = tree(n - 2);
  group.wait();
  return forked + called;
}

std::int64_t skynet(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  const std::int64_t part = size / 10;
  tbb::task_group group;
  std::int64_t results[10], sum = 0;
  for (int i = 0; i < 10; ++i)
    group.run([=, &results] { results[i] = skynet(first + i * part, part); });
  group.wait();
  for (const std::int64_t result : results) sum += result;
  return sum;
}

std::int64_t nest(std::int64_t n) {
  if (n == 0) return 0;
  tbb::task_group group;
  std::int64_t result;
  group.run([&result, n] { result = nest(n - 1); });
  group.wait();
  return result + 1;
}

} // namespace with_tbb

template <class F>
void tbbRow(const std::string& name, std::int64_t items, double want, int workers, F f) {
  if (!workers) return;
  row(name + "/tbb/workers:" + std::to_string(workers), items, want, [=]() -> Batch {
    return [=, arena = std::make_shared<tbb::task_arena>(workers)] {
      return static_cast<double>(arena->execute(f));
    };
  });
}
#endif

/// The most workers that Tine's rows have.
constexpr int kTineWorkers = 2;

/// A row of the engines that run the same program. Without workers Tine's caller runs the forks.
void engineRows(const std::string& name, std::int64_t items, double want, int workers, Call tine,
                Call torchScript) {
  const std::string suffix = "/workers:" + std::to_string(workers);
  tine.workers = torchScript.workers = workers;
  if (workers <= kTineWorkers) tineRow(name + "/tine" + suffix, items, want, tine);
  if (workers == 1 && tine.function == torchScript.function) { // else the source has methods
    tine.source = true;
    tineRow(name + "/tine_source" + suffix, items, want, tine);
  }
  if (workers) torchScriptRow(name + "/torchscript" + suffix, items, want, torchScript);
}

void addLoops() {
  constexpr std::int64_t kSmall = 200, n = 1000;
  plainRow("Fork/Int/plain", n, sumTo(n), [] { return loop<Plain>(n); });
  plainRow("Fork/Int/std_async", kSmall, sumTo(kSmall), [] { return loop<StdAsync>(kSmall); });
  plainRow("Fork/Int/boost_fiber", n, sumTo(n), [] { return loop<BoostFiber>(n); });
  plainRow("Fork/Chain/plain", n, n, [] { return chain<Plain>(n); });
  plainRow("Fork/Chain/std_async", kSmall, kSmall, [] { return chain<StdAsync>(kSmall); });
  plainRow("Fork/Chain/boost_fiber", n, n, [] { return chain<BoostFiber>(n); });
  const std::vector<float> ones(4, 1);
  for (const int workers : {0, 1, 2}) {
    const Call call = {.file = "fork", .function = "int_loop", .arguments = {n}};
    engineRows("Fork/Int", n, sumTo(n), workers, call, call);
    const Call tensors = {.file = "fork", .function = "tensor_loop", .arguments = {ones, n}};
    engineRows("Fork/Tensor", n, n + 1, workers, tensors, tensors);
    Call errors = {.file = "errors", .function = "error", .arguments = {-n}, .workers = workers};
    errors.repeat = kSmall, errors.raises = errors.source = true;
    tineRow("Fork/Error/tine/workers:" + std::to_string(workers), kSmall, kSmall, errors);
    if (workers)
      torchScriptRow("Fork/Error/torchscript/workers:" + std::to_string(workers), kSmall, kSmall,
                     errors);
    const Call caught = {.file = "caught",
                         .function = "caught",
                         .arguments = {n},
                         .workers = workers,
                         .source = true};
    tineRow("Fork/Caught/tine/workers:" + std::to_string(workers), n, n, caught);
    const Call links = {.file = "fork", .function = "chain", .arguments = {n}};
    engineRows("Fork/Chain", n, n, workers, links, links);
#ifdef TINE_HAVE_TBB
    tbbRow("Fork/Int", n, sumTo(n), workers, [] { return with_tbb::loop(n); });
    tbbRow("Fork/Chain", n, n, workers, [] { return with_tbb::chain(n); });
#endif
  }
}

void addFanOut() {
  for (const std::int64_t n : {100, 10000, 100000}) {
    const std::string name = "Fork/FanOut/n:" + std::to_string(n);
    plainRow(name + "/plain", n, sumTo(n), [=] { return fanOut<Plain>(n); });
    if (n == 100) plainRow(name + "/std_async", n, sumTo(n), [=] { return fanOut<StdAsync>(n); });
    plainRow(name + "/boost_fiber", n, sumTo(n), [=] { return fanOut<BoostFiber>(n); });
    for (const int workers : {0, 1, 2}) {
      const Call call = {.file = "fork", .function = "fan_out", .arguments = {n}};
      engineRows(name, n, sumTo(n), workers, call, call);
#ifdef TINE_HAVE_TBB
      tbbRow(name, n, sumTo(n), workers, [=] { return with_tbb::fanOut(n); });
#endif
    }
  }
}

void addRecursion() {
  // TorchScript's functions are methods; see recursive.py.
  const auto add = [](const std::string& name, std::int64_t items, double want, int workers,
                      const std::string& function, std::vector<Argument> arguments) {
    engineRows(name, items, want, workers,
               {.file = "recursive", .function = function, .arguments = arguments},
               {.file = "recursive", .function = "Recursive." + function, .arguments = arguments});
  };
  for (const std::int64_t n : {20, 25}) {
    const std::string name = "Fork/Tree/n:" + std::to_string(n);
    const std::int64_t forks = treeForks(n);
    const auto want = static_cast<double>(fib(n));
    plainRow(name + "/plain", forks, want, [=] { return tree<Plain>(n); });
    plainRow(name + "/boost_fiber", forks, want, [=] { return tree<BoostFiber>(n); });
    for (const int workers : {0, 1, 2}) {
      add(name, forks, want, workers, "tree", {n});
#ifdef TINE_HAVE_TBB
      tbbRow(name, forks, want, workers, [=] { return with_tbb::tree(n); });
#endif
    }
  }
  constexpr std::int64_t kDepth = 10000;
  const std::string skynetName = "Fork/Skynet", nestName = "Fork/Nest";
  const auto skynetPlain = [] { return skynet<Plain>(0, kLeaves); };
  const auto skynetFiber = [] { return skynet<BoostFiber>(0, kLeaves); };
  plainRow(skynetName + "/plain", kSkynetForks, kSkynetSum, skynetPlain);
  plainRow(skynetName + "/boost_fiber", kSkynetForks, kSkynetSum, skynetFiber);
  plainRow(nestName + "/plain", kDepth, kDepth, [] { return nest<Plain>(kDepth); });
  plainRow(nestName + "/boost_fiber", kDepth, kDepth, [] { return nest<BoostFiber>(kDepth); });
  for (const int workers : {0, 1, 2}) {
    add(skynetName, kSkynetForks, kSkynetSum, workers, "skynet", {std::int64_t(0), kLeaves});
    add(nestName, kDepth, kDepth, workers, "nest", {kDepth});
#ifdef TINE_HAVE_TBB
    tbbRow(skynetName, kSkynetForks, kSkynetSum, workers,
           [] { return with_tbb::skynet(0, kLeaves); });
    tbbRow(nestName, kDepth, kDepth, workers, [] { return with_tbb::nest(kDepth); });
#endif
  }
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  tine::bench::addLoops();
  tine::bench::addFanOut();
  tine::bench::addRecursion();
  return tine::bench::run(argc, argv);
}
