// Objects of C++ that tasks and threads share, and who outlives whom.

#include "api/tine.h"
#include "tests/fixture.h"

#include <atomic>
#include <thread>

using namespace tine;
using namespace tine::testing;

namespace {

std::atomic<int> alive{0};

struct Sum {
  Sum() { ++alive; }
  ~Sum() { --alive; }
  void add(std::int64_t by) { total += by; }
  std::atomic<std::int64_t> total{0};
  std::int64_t plain = 0; ///< read and written by one task at a time
};

std::shared_ptr<const OpSet> withSum() {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->addClass<Sum>("my.Sum")
      .init<>()
      .method("add", &Sum::add)
      .method("total", [](const Sum& self) { return self.total.load(); })
      .method("refuse(int n) -> int",
              [](const Sum&, std::int64_t n) -> std::int64_t {
                throw std::out_of_range("no " + std::to_string(n));
              })
      .method("wait_for",
              [](Sum& self, const IValue& future) {
                self.add(Future<>(future.toFuture()).wait().toInt());
                return self.total.load();
              })
      .method("same", [](const std::shared_ptr<Sum>& self) { return self; })
      .field("plain", &Sum::plain);
  return ops;
}

class SharedObjects : public WithWorkers {
protected:
  void TearDown() override { EXPECT_EQ(alive, 0) << "objects outlived what refers to them"; }
};
TINE_WITH_WORKERS(SharedObjects);

const char* const kSource = R"(
def bump(s: torch.classes.my.Sum, n: int):
    for i in range(n):
        s.add(1)
def main(s: torch.classes.my.Sum, tasks: int):
    fs = [torch.jit.fork(bump, s, 10) for _ in range(tasks)]
    fs.append(torch.jit.fork(s.add, 1000))
    for f in fs:
        torch.jit.wait(f)
    s.plain += 1
    return s.total()
def refused(s: torch.classes.my.Sum):
    fs = [torch.jit.fork(s.refuse, i) for i in range(3)]
    said: List[str] = []
    for f in fs:
        try:
            f.wait()
        except IndexError as e:
            said.append(str(e))
    return said
def slow(n: int) -> int:
    if n < 0:
        raise KeyError("below 0")
    return n * 2
def waits(s: torch.classes.my.Sum, n: int):
    fs = [torch.jit.fork(s.wait_for, torch.jit.fork(slow, i)) for i in range(n)]
    for f in fs:
        torch.jit.wait(f)
    try:
        s.wait_for(torch.jit.fork(slow, -1))
    except KeyError as e:
        return s.total(), str(e)
    return s.total(), ""
def make():
    return torch.classes.my.Sum().same()
def later(s: torch.classes.my.Sum):
    return torch.jit.fork(bump, s, 5)
def then(s: torch.classes.my.Sum):
    f = torch.jit.fork(make)
    f.then(lambda made: made.add(3)).wait()
    return f.wait().total(), f.then(lambda made: made.same()).wait().total()
)";

TEST_P(SharedObjects, ByForks) {
  const Program program = compile(kSource, "f.py", withSum()).value();
  Scheduler scheduler({.workers = workers()});
  const auto sum = std::make_shared<Sum>();
  EXPECT_EQ(program.run<std::int64_t>(scheduler, "main", sum, 20), 1200);
  EXPECT_EQ(sum->plain, 1);
  EXPECT_EQ(program.run(scheduler, "refused", sum).str(), "['no 0', 'no 1', 'no 2']");
  EXPECT_EQ(program.run(scheduler, "then", sum).str(), "(3, 3)");
}

TEST_P(SharedObjects, MayWaitForFutures) {
  const Program program = compile(kSource, "f.py", withSum()).value();
  Scheduler scheduler({.workers = workers()});
  const auto sum = std::make_shared<Sum>();
  EXPECT_EQ(program.run(scheduler, "waits", sum, 20).str(), "(380, 'below 0')");
}

TEST_P(SharedObjects, ByRunsOfSeveralThreads) {
  const Program program = compile(kSource, "f.py", withSum()).value();
  Scheduler scheduler({.workers = workers()});
  const auto sum = std::make_shared<Sum>();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) program.run(scheduler, "bump", sum, 3);
      for (int i = 0; i < 10; ++i) program.run("bump", sum, 2);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum->total, 4 * 10 * 5);
}

// One value, which several runs hold at once.
TEST_P(SharedObjects, ByTheirValue) {
  const Program program = compile(kSource, "f.py", withSum()).value();
  Scheduler scheduler({.workers = workers()});
  const IValue value = program.run("make");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) program.run(scheduler, "bump", value, 3);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(nativeOf<Sum>(value)->total, 120);
}

TEST_P(SharedObjects, MayOutliveTheProgram) {
  std::shared_ptr<Sum> sum;
  IValue value, unfinished;
  {
    const Program program = compile(kSource, "f.py", withSum()).value();
    Scheduler scheduler({.workers = workers()});
    sum = program.run<std::shared_ptr<Sum>>(scheduler, "make");
    value = program.run(scheduler, "make");
    unfinished = program.run(scheduler, "later", sum); // a future, whose task holds the object
  }
  EXPECT_EQ(value.toObject().layout->name, "__torch__.torch.classes.my.Sum");
  const Program other = compile(kSource, "f.py", withSum()).value();
  EXPECT_EQ(other.run<std::int64_t>("main", sum, 0) % 1000, sum->total % 1000);
  EXPECT_EQ(other.run("main", value, 1).str(), "1010") << "a class is known by its name and type";
}

TEST_P(SharedObjects, GoWithTheirLastReference) {
  const Program program = compile(kSource, "f.py", withSum()).value();
  Scheduler scheduler({.workers = workers()});
  std::weak_ptr<Sum> seen;
  {
    const auto sum = std::make_shared<Sum>();
    seen = sum;
    program.run(scheduler, "main", sum, 2);
  }
  EXPECT_TRUE(seen.expired());
}

} // namespace
