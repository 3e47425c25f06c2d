#include "gtest/gtest.h"
#include "interpreter/light_lock.h"

#include <thread>
#include <vector>

namespace tine {
namespace {

// Threads that keep it for long, so that the others sleep, and threads that do not.
TEST(LightLock, OneHoldsItAndNobodySleepsForEver) {
  LightLock lock;
  std::int64_t sum = 0, inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        std::lock_guard guard(lock);
        most = std::max(most, ++inside);
        if (t % 2 == 0 && i % 100 == 0) std::this_thread::yield();
        ++sum;
        --inside;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 16000);
  EXPECT_EQ(most, 1);
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
}

} // namespace
} // namespace tine
