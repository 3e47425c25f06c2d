#include "bench/bench.h"

#include <boost/version.hpp>

#include <benchmark/benchmark.h>
#include <chrono>
#include <exception>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <stdexcept>
#include <utility>
#ifdef TINE_HAVE_TBB
#include <tbb/version.h>
#endif
#ifdef TINE_HAVE_LUA
#include <lua.hpp>
#endif
#ifdef TINE_HAVE_LIBTORCH
#include <torch/version.h>
#endif

namespace tine::bench {
namespace {

/// The console's report; remembers whether a row had an error.
class Reporter : public benchmark::ConsoleReporter {
public:
  Reporter() : ConsoleReporter(OO_None) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) failed_ |= run.error_occurred;
    ConsoleReporter::ReportRuns(runs);
  }
  bool failed() const { return failed_; }

private:
  bool failed_ = false;
};

/// The rivals that this program was built with, for the report.
const char* const kRivals = "Boost.Fiber " BOOST_LIB_VERSION
#ifdef TINE_HAVE_TBB
                            ", oneTBB " TBB_VERSION_STRING
#endif
#ifdef TINE_HAVE_LUA
                            ", " LUA_RELEASE
#endif
#ifdef TINE_HAVE_LIBTORCH
                            ", TorchScript " TORCH_VERSION
#endif
    ;

void measure(benchmark::State& state, std::int64_t items, double want, const MakeBatch& make) {
  constexpr std::chrono::milliseconds kLong(100);
  const Batch batch = make();
  const auto begin = std::chrono::steady_clock::now();
  for (int warmUp = 0; warmUp < 2; ++warmUp) {
    if (std::chrono::steady_clock::now() - begin > kLong) break;
    const double result = batch();
    if (result != want)
      throw std::runtime_error("wrong result: " + std::to_string(result) + ", not " +
                               std::to_string(want));
  }
  while (state.KeepRunningBatch(items)) benchmark::DoNotOptimize(batch());
}

} // namespace

void row(const std::string& name, std::int64_t items, double want, MakeBatch make) {
  benchmark::RegisterBenchmark(name.c_str(), [=, make = std::move(make)](benchmark::State& state) {
    try {
      measure(state, items, want, make);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  })->UseRealTime(); // a caller who waits for other threads uses no processor time
}

void timedRow(const std::string& name, MakeBatch make) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=, make = std::move(make)](benchmark::State& state) {
                                 try {
                                   const Batch batch = make();
                                   while (state.KeepRunning()) state.SetIterationTime(batch());
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->Iterations(9) // their own time says nothing of how long they take
      ->UseManualTime();
}

void memoryRow(const std::string& name, std::function<double()> measure) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    try {
      while (state.KeepRunning()) state.counters["bytes"] = measure();
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  })->Iterations(1);
}

std::string program(const std::string& file) {
  std::ifstream stream(TINE_SOURCE_DIR "/bench/programs/" + file);
  if (!stream) throw std::runtime_error("cannot read bench/programs/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string tensorChain(std::int64_t nodes) {
  std::string text = "graph(%x : Tensor):\n  %1 : int = prim::Constant[value=1]()\n";
  std::string last = "%x";
  for (std::int64_t i = 2; i <= nodes; ++i) {
    const std::string name = "%" + std::to_string(i);
    text += "  " + name + " : Tensor = ";
    switch (i % 4) {
    case 0:
      text += "aten::add(" + last + ", %x, %1)\n";
      break;
    case 1:
      text += "aten::mul(" + last + ", %x)\n";
      break;
    case 2:
      text += "aten::relu(" + last + ")\n";
      break;
    default:
      text += "aten::tanh(" + last + ")\n";
    }
    last = name;
  }
  return text + "  return (" + last + ")\n";
}

std::string intChain(std::int64_t nodes) {
  std::string text = "graph(%x : int):\n", last = "%x";
  for (std::int64_t i = 1; i <= nodes; ++i) {
    const std::string name = "%" + std::to_string(i);
    text += "  " + name + " : int = aten::add(" + last + ", %x)\n";
    last = name;
  }
  return text + "  return (" + last + ")\n";
}

std::string nestedIfs(std::int64_t depth) {
  std::string text = "graph(%c : bool, %x : int):\n";
  for (std::int64_t i = 2; i < depth + 2; ++i)
    text += "  %" + std::to_string(i) + " : int = prim::If(%c)\n  block0():\n";
  text += "  -> (%x)\n";
  for (std::int64_t i = depth + 1; i >= 2; --i)
    text += "  block1():\n  -> (%x)\n  " + std::string(i > 2 ? "-> " : "return ") + "(%" +
            std::to_string(i) + ")\n";
  return text;
}

void onStack(std::size_t bytes, const std::function<void()>& f) {
  struct Job {
    const std::function<void()>& f;
    std::exception_ptr error;
  } job{f, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread;
  const int failed = pthread_create(
      &thread, &attributes,
      [](void* p) -> void* {
        auto& mine = *static_cast<Job*>(p);
        try {
          mine.f();
        } catch (...) {
          mine.error = std::current_exception();
        }
        return nullptr;
      },
      &job);
  pthread_attr_destroy(&attributes);
  if (failed) throw std::runtime_error("cannot start a thread");
  pthread_join(thread, nullptr);
  if (job.error) std::rethrow_exception(job.error);
}

int run(int argc, char** argv) {
  benchmark::AddCustomContext("compiler", TINE_BENCH_COMPILER);
  benchmark::AddCustomContext("rivals", kRivals);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return reporter.failed() ? 1 : 0;
}

} // namespace tine::bench
