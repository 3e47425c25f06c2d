#include "support/count.h"
#include "tests/fixture.h"

#include <barrier>
#include <thread>

using namespace tine;

namespace {

TEST(Count, ThreadsThatEndLeaveTheirSums) {
  const std::int64_t before = liveCount(Live::Frame);
  // More than there are shards: each thread gives its own to the next.
  for (int i = 0; i < 1000; ++i) std::thread([] { countLive(Live::Frame, 1); }).join();
  EXPECT_EQ(liveCount(Live::Frame), before + 1000);
  countLive(Live::Frame, -1000);
  EXPECT_EQ(liveCount(Live::Frame), before);
}

TEST(Count, MoreThreadsAtOnceThanShards) {
  constexpr int kThreads = 300;
  const std::int64_t before = liveCount(Live::Node);
  std::barrier all(kThreads + 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&all] {
      countLive(Live::Node, 2);
      all.arrive_and_wait();
      all.arrive_and_wait();
      countLive(Live::Node, -2);
    });
  all.arrive_and_wait();
  EXPECT_EQ(liveCount(Live::Node), before + 2 * kThreads);
  all.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(liveCount(Live::Node), before);
}

} // namespace
