// What a scheduler says of its tasks while they run and wait.

#include "tests/unit/interpreter/programs.h"

#include <thread>

namespace tine::testing {
namespace {

constexpr const char* kPrograms = R"(chain(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p) # p.py:2:0
  %r : int = aten::wait(%f) # p.py:3:0
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = aten::wait(%p) # p.py:6:0
  return (%r)

spin(%n : int):
  %m : int = prim::Constant[value=9223372036854775807]()
  %true : bool = prim::Constant[value=1]()
   = prim::Loop(%m, %true) # p.py:12:0
    block0(%i : int):
      %s : str = aten::str(%i) # p.py:14:0
      -> (%true)
  return (%n)

ask(%n : int):
  %r : str = test::dump() # p.py:19:0
  return (%r)
)";

class Dumps : public WithWorkers {
protected:
  Dumps() : scheduler_({.workers = workers()}) {
    auto ops = std::make_shared<OpSet>(OpSet::builtin());
    ops->add("test::dump() -> str", [this]() { return scheduler_.dump(); });
    code_ = compileText(kPrograms, ops);
  }
  /// A dump that has the text; workers may not have come so far before.
  std::string dumpWith(const std::string& text) {
    std::string dump;
    do dump = scheduler_.dump();
    while (dump.find(text) == std::string::npos);
    return dump;
  }
  Scheduler scheduler_;
  std::shared_ptr<const Code> code_;
};
TINE_WITH_WORKERS(Dumps);

TEST_P(Dumps, ListTasksThatWait) {
  Promise promise;
  const auto future = scheduler_.run(code_, "chain", {promise.future()});
  const std::string dump = dumpWith("chain at p.py:3:1 waits for task <forked function>, forked in "
                                    "chain at p.py:2:1");
  dumpWith("<forked function> at p.py:6:1 waits for a promise of C++\n    forked in chain at "
           "p.py:2:1");
  EXPECT_EQ(dumpWith("2 waits:\n").rfind("2 waits:\n", 0), 0u);
  promise.complete(3);
  EXPECT_EQ(scheduler_.wait(*future).toInt(), 3);
  dumpWith("0 waits\n");
}

TEST_P(Dumps, ListTasksThatRun) {
  if (workers() == 0) GTEST_SKIP() << "the caller would run it for ever";
  Promise promise;
  const auto waits = scheduler_.run(code_, "chain", {promise.future()});
  const auto future = scheduler_.run(code_, "spin", {1});
  dumpWith("1 worker at work:\n  spin at p.py:1"); // line 12 or 14
  cancel(*future);
  EXPECT_THROW(scheduler_.wait(*future), RuntimeError);
  promise.complete(1);
  EXPECT_EQ(scheduler_.wait(*waits).toInt(), 1);
}

TEST_P(Dumps, ATaskMayAsk) {
  const std::string dump = outcome(scheduler_, code_, "ask", {1});
  EXPECT_NE(dump.find("at work:\\n  ask at p.py:19:1 runs"), std::string::npos) << dump;
}

} // namespace
} // namespace tine::testing
