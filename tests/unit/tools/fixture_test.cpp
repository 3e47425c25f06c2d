// The fixtures themselves: what they catch is caught in a process of its own.

#include "ir/graph.h"
#include "tests/fixture.h"

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
