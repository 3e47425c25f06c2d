// The fixtures themselves: what they catch is caught in a process of its own.

#include "ir/graph.h"
#include "tests/fixture.h"
#include "tests/unit/interpreter/programs.h"

#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace tine {
namespace {

using ::testing::HasSubstr;

Graph* leaked = nullptr;

TEST(FixtureSubject, DISABLED_Leaks) { leaked = new Graph; }
TEST(FixtureSubject, DISABLED_FreesWhatItDidNotMake) {
  leaked = new Graph;
  EXPECT_EQ(testing::LiveCounts().difference(), "");
  delete leaked;
}
TEST(FixtureSubject, DISABLED_Hangs) {
  testing::setWatchdogReport([] { std::fputs("what the scheduler knows\n", stderr); });
  while (true) pause();
}

TEST(FixtureSubject, DISABLED_HangsInAWait) {
  const auto code = testing::compileText(R"(main(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p) # p.py:2:0
  %r : int = aten::wait(%f) # p.py:3:0
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %r : int = aten::wait(%p) # p.py:6:0
  return (%r)
)");
  for (const int workers : {0, 2}) {
    auto* scheduler = new Scheduler({.workers = workers}); // never gone
    auto* future = new Ref(scheduler->run(code, "main", {(new Promise)->future()}));
    if (workers > 0) waitNative(**future);
  }
}

/// What this program prints when it runs one of the tests above, and how it ends.
std::pair<std::string, int> run(const std::string& test) {
  std::string command = "TINE_WATCHDOG=1 /proc/" + std::to_string(getpid()) +
                        "/exe --gtest_also_run_disabled_tests --gtest_filter=FixtureSubject."
                        "DISABLED_" +
                        test + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  int status = pclose(pipe);
  return {output, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

TEST(Fixture, SeesWhatIsLeftAlive) {
  auto [output, code] = run("Leaks");
  EXPECT_THAT(output, HasSubstr("left alive: Graph +1, Node +2"));
  EXPECT_EQ(code, 1);
}

TEST(Fixture, IsContentWithATestThatCleansUp) {
  auto [output, code] = run("FreesWhatItDidNotMake");
  EXPECT_THAT(output, HasSubstr("[  PASSED  ] 1 test."));
  EXPECT_EQ(code, 0);
}

TEST(Fixture, EndsATestThatHangs) {
  auto [output, code] = run("Hangs");
  EXPECT_THAT(output, HasSubstr("watchdog: no progress in FixtureSubject.DISABLED_Hangs\n"));
  EXPECT_THAT(output, HasSubstr("what the scheduler knows\n"));
  EXPECT_NE(code, 0);
}

TEST(Fixture, ListsTheTasksOfATestThatHangs) {
  auto [output, code] = run("HangsInAWait");
  EXPECT_THAT(output, HasSubstr("watchdog: no progress in FixtureSubject.DISABLED_HangsInAWait\n"
                                "scheduler 1, 2 workers\n"
                                "3 waits:\n"));
  EXPECT_THAT(output, HasSubstr("scheduler 2, without workers\n2 waits:\n"));
  EXPECT_THAT(output, HasSubstr("\n  main at p.py:3:1 waits for task <forked function>, forked in "
                                "main at p.py:2:1\n"));
  EXPECT_THAT(output, HasSubstr("\n  <forked function> at p.py:6:1 waits for a promise of C++\n"
                                "    forked in main at p.py:2:1\n"));
  EXPECT_NE(code, 0);
}

TEST(Fixture, CountsWhatIsAlive) {
  testing::LiveCounts start;
  {
    Graph graph;
    EXPECT_EQ(start.difference(), "Graph +1, Node +2");
    testing::LiveCounts with;
    EXPECT_EQ(with.difference(), "");
  }
  EXPECT_EQ(start.difference(), "");
}

TEST(Fixture, RunsOnASmallStack) {
  std::size_t size = 0;
  testing::runOnStack(testing::kSmallStack, [&] {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
  });
  EXPECT_GE(size, testing::kSmallStack);
  EXPECT_LE(size, 4 * testing::kSmallStack + 65536);
}

class Workers : public testing::WithWorkers {};
TINE_WITH_WORKERS(Workers);
TEST_P(Workers, AreTheFour) {
  EXPECT_THAT((std::array{0, 1, 2, 8}), ::testing::Contains(workers()));
}

} // namespace
} // namespace tine
