// To be suspended and woken again, by turns: each of two tasks completes what the other one waits
// for, and waits. Parked: the tasks are a graph's, and their frames are left; Fiber: an operator in
// C++ waits, whose fiber is suspended. Per wait, with the making of its promise, beside two fibers
// of Boost's. Foreign: a worker sleeps until another thread completes what its task waits for,
// which waits for that task in turn: from there and back, beside two threads and std::promise.
#include "api/function.h"
#include "bench/bench.h"
#include "interpreter/promise.h"

#include <boost/fiber/all.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <regex>
#include <thread>

namespace tine::bench {
namespace {

constexpr const char* kProgram = R"(turns(%n : int):
  %true : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %there : Future[int][] = prim::ListConstruct()
  %back : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %true)
    block0(%i : int):
      %p : Future[int] = tine::promise()
      %there.1 : Future[int][] = aten::append(%there, %p)
      %q : Future[int] = tine::promise()
      %back.1 : Future[int][] = aten::append(%back, %q)
      -> (%true)
  %first : Future[int] = prim::fork_0(%there, %back, %n)
  %second : Future[int] = prim::fork_1(%there, %back, %n)
  %x : int = aten::wait(%first)
  %y : int = aten::wait(%second)
  %sum : int = aten::add(%x, %y)
  return (%sum)
with prim::fork_0 = graph(%there : Future[int][], %back : Future[int][], %n : int):
  %true : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %sum : int = prim::Loop(%n, %true, %zero)
    block0(%i : int, %sum.1 : int):
      %p : Future[int] = aten::__getitem__(%there, %i)
      %x : int = WAIT(%p)
      %q : Future[int] = aten::__getitem__(%back, %i)
       = tine::complete(%q, %i)
      %sum.2 : int = aten::add(%sum.1, %x)
      -> (%true, %sum.2)
  return (%sum)
with prim::fork_1 = graph(%there : Future[int][], %back : Future[int][], %n : int):
  %true : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %sum : int = prim::Loop(%n, %true, %zero)
    block0(%i : int, %sum.1 : int):
      %p : Future[int] = aten::__getitem__(%there, %i)
       = tine::complete(%p, %i)
      %q : Future[int] = aten::__getitem__(%back, %i)
      %x : int = WAIT(%q)
      %sum.2 : int = aten::add(%sum.1, %x)
      -> (%true, %sum.2)
  return (%sum)

waits(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)
)";

/// \param wait the operator that waits
Function load(const std::string& name, const std::string& wait) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("bench::wait(Future(int) f) -> int",
           [](const Ref<FutureState>& f) { return waitNative(*f).toInt(); });
  const std::string text = std::regex_replace(kProgram, std::regex("WAIT"), wait);
  return parseProgram(text, "wake.ir", std::move(ops)).value().function(name).value();
}

constexpr std::int64_t kTurns = 1000;
constexpr double kSum = kTurns * (kTurns - 1);

void addTurns(const std::string& name, const std::string& wait, int workers) {
  row(name + "/tine/workers:" + std::to_string(workers), 2 * kTurns, kSum, [=]() -> Batch {
    auto scheduler = std::make_shared<Scheduler>(Scheduler::Config{.workers = workers});
    return [scheduler, f = load("turns", wait)] {
      return static_cast<double>(f.run(*scheduler, {kTurns}).toInt());
    };
  });
}

double boostFibers() {
  using Promises = std::vector<boost::fibers::promise<std::int64_t>>;
  Promises there(kTurns), back(kTurns);
  std::int64_t sum = 0;
  const auto play = [&](Promises& mine, Promises& others, bool waitsFirst) {
    for (std::size_t i = 0; i < kTurns; ++i) {
      if (waitsFirst) sum += others[i].get_future().get();
      mine[i].set_value(static_cast<std::int64_t>(i));
      if (!waitsFirst) sum += others[i].get_future().get();
    }
  };
  boost::fibers::fiber first([&] { play(back, there, true); });
  boost::fibers::fiber second([&] { play(there, back, false); });
  first.join();
  second.join();
  return static_cast<double>(sum);
}

// ---- from a foreign thread --------------------------------------------------------------------

using Clock = std::chrono::steady_clock;

/// Until who waits on the other side sleeps.
void letSleep() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

/// The time that `there` and `back` take. \errors not that came back which was sent
template <class There, class Back> double roundTrip(There there, Back back) {
  letSleep();
  const auto begin = Clock::now();
  there();
  const std::int64_t result = back();
  const std::chrono::duration<double> taken = Clock::now() - begin;
  if (result != 1) throw std::runtime_error("wrong result");
  return taken.count();
}

/// The median: a trip that another process delays is as long as a hundred others.
template <class Trip> double median(Trip trip) {
  std::array<double, 11> times;
  for (double& time : times) time = trip();
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void addForeign(int workers) {
  timedRow("Wake/Foreign/tine/workers:" + std::to_string(workers), [=]() -> Batch {
    auto scheduler = std::make_shared<Scheduler>(Scheduler::Config{.workers = workers});
    return [scheduler, f = load("waits", "aten::wait")] {
      return median([&] {
        Promise promise;
        const Future<> running = f.runAsync(*scheduler, {IValue(promise.future())});
        return roundTrip([&] { promise.complete(1); }, [&] { return running.wait().toInt(); });
      });
    };
  });
}

/// Two threads, one of them asleep.
double threads() {
  std::promise<std::int64_t> there, back;
  std::thread thread([&] { back.set_value(there.get_future().get()); });
  const double taken =
      roundTrip([&] { there.set_value(1); }, [&] { return back.get_future().get(); });
  thread.join();
  return taken;
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine::bench;
  for (const int workers : {0, 1, 2}) addTurns("Wake/Parked", "aten::wait", workers);
  for (const int workers : {1, 2}) addTurns("Wake/Fiber", "bench::wait", workers);
  row("Wake/Fiber/boost_fiber", 2 * kTurns, kSum, [] { return boostFibers; });
  for (const int workers : {1, 2}) addForeign(workers);
  timedRow("Wake/Foreign/std_promise", [] { return [] { return median(threads); }; });
  return run(argc, argv);
}
