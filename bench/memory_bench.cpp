// Peak memory for each fork, in bytes: of many that are pending, of many that wait, and in a
// skynet.  Each is measured in a child process, so that none uses what another left behind, after a
// small run that pays for code and pools.
#include "bench/bench.h"

#include <fstream>
#include <limits>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace tine::bench {
namespace {

/// A number of /proc/self/status. \units bytes
double status(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kilobytes;
    if (word == key + ":" && file >> kilobytes) return 1024 * kilobytes;
  }
  throw std::runtime_error("no " + key);
}

/// By how much the resident memory grows, at its peak, while `f` runs.
double peakOf(const std::function<void()>& f) {
  std::ofstream reset("/proc/self/clear_refs"); // 5: the peak becomes what is resident now
  if (!(reset << 5 << std::flush)) throw std::runtime_error("cannot reset the peak");
  const double before = status("VmRSS");
  f();
  return status("VmHWM") - before;
}

/// Runs `f` in a child process, which nothing has started a thread in yet.
double inChild(const std::function<double()>& f) {
  int ends[2];
  if (pipe(ends)) throw std::runtime_error("cannot make a pipe");
  const pid_t child = fork();
  if (child == 0) {
    try {
      const double result = f();
      _exit(write(ends[1], &result, sizeof result) != sizeof result);
    } catch (...) {
      _exit(1);
    }
  }
  close(ends[1]);
  double result = std::numeric_limits<double>::quiet_NaN();
  const bool complete = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!complete) throw std::runtime_error("the child failed");
  return result;
}

void add(const std::string& name, double (*once)(const Call&), const Call& small, const Call& large,
         double forks, double want) {
  memoryRow(name, [=] {
    return inChild([&] {
      once(small);
      return peakOf([&] {
               if (once(large) != want) throw std::runtime_error("wrong result");
             }) /
             forks;
    });
  });
}

/// `skynet` is a method where there is no recursion; see recursive.py.
void addEngine(const std::string& who, const std::string& skynet, int workers,
               double (*once)(const Call&)) {
  const auto fanOut = [=](std::int64_t n) {
    return Call{.file = "fork", .function = "fan_out", .arguments = {n}, .workers = workers};
  };
  const auto tree = [=](std::int64_t n) {
    return Call{.file = "recursive",
                .function = skynet,
                .arguments = {std::int64_t(0), n},
                .workers = workers};
  };
  add("Memory/Pending/n:100000/" + who, once, fanOut(10), fanOut(100000), 100000,
      0.5 * 100000 * 100001);
  add("Memory/Skynet/" + who, once, tree(10), tree(100000), 111110, 0.5 * 100000 * 99999);
}

/// A million that TorchScript has no memory for, or no promise.
void addMillion() {
  constexpr std::int64_t n = 1000000;
  const auto call = [](const char* file, const char* function, std::int64_t count) {
    return Call{.file = file, .function = function, .arguments = {count}};
  };
  add("Memory/Pending/n:1000000/tine", tineOnce, call("fork", "fan_out", 10),
      call("fork", "fan_out", n), n, 0.5 * n * (n + 1));
  add("Memory/Blocked/n:1000000/tine", tineOnce, call("blocked", "blocked", 10),
      call("blocked", "blocked", n), n, n);
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine::bench;
  addEngine("tine", "skynet", 0, tineOnce);
  addMillion();
#ifdef TINE_HAVE_LIBTORCH
  addEngine("torchscript", "Recursive.skynet", 1, torchScriptOnce);
#endif
  return run(argc, argv);
}
