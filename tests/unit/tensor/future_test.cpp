#include "tensor/future.h"
#include "tests/fixture.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace tine;

namespace {

using Phase = FutureState::Phase;

std::shared_ptr<const Error> someError() {
  return std::make_shared<const Error>(error_kind::Value, "no");
}

// Writes its number into a log when it fires.
struct LoggingWaiter : Waiter {
  LoggingWaiter(std::vector<int>& to, int i) : log(to), number(i) {
    fire = [](Waiter* self, FutureState&) {
      auto* waiter = static_cast<LoggingWaiter*>(self);
      waiter->log.push_back(waiter->number);
      delete waiter;
    };
  }
  std::vector<int>& log;
  int number;
};

TEST(Future, CompletesOnce) {
  auto future = makeRef<FutureState>(Phase::Running);
  EXPECT_EQ(future->phase(), Phase::Running);
  EXPECT_FALSE(future->done());
  EXPECT_TRUE(future->complete(3));
  EXPECT_FALSE(future->complete(4));
  EXPECT_FALSE(future->fail(someError()));
  EXPECT_EQ(future->phase(), Phase::Done);
  EXPECT_EQ(future->value().toInt(), 3);
  EXPECT_EQ(future->valueOrThrow().toInt(), 3);
  EXPECT_FALSE(future->failed());
}

TEST(Future, KeepsTheError) {
  auto future = makeRef<FutureState>(Phase::Running);
  const auto error = someError();
  EXPECT_TRUE(future->fail(error));
  EXPECT_TRUE(future->failed());
  EXPECT_EQ(future->error(), error);
  try {
    future->valueOrThrow();
    FAIL();
  } catch (const RuntimeError& e) {
    EXPECT_EQ(e.kind(), "ValueError");
    EXPECT_EQ(e.shared(), error);
  }
}

TEST(Future, ExactlyOneClaims) {
  auto future = makeRef<FutureState>(Phase::New);
  EXPECT_EQ(future->phase(), Phase::New);
  EXPECT_TRUE(future->claim());
  EXPECT_FALSE(future->claim());
  EXPECT_EQ(future->phase(), Phase::Running);
}

TEST(Future, ClaimKeepsTheWaiters) {
  std::vector<int> log;
  auto future = makeRef<FutureState>(Phase::New);
  EXPECT_TRUE(future->addWaiter(new LoggingWaiter(log, 1)));
  EXPECT_EQ(future->phase(), Phase::New);
  EXPECT_TRUE(future->addWaiter(new LoggingWaiter(log, 2)));
  EXPECT_TRUE(future->claim());
  EXPECT_FALSE(future->claim());
  EXPECT_EQ(future->phase(), Phase::Running);
  EXPECT_TRUE(future->addWaiter(new LoggingWaiter(log, 3)));
  EXPECT_TRUE(future->complete(IValue()));
  EXPECT_EQ(log, (std::vector<int>{1, 2, 3}));
}

TEST(Future, WaitersFireInOrderOfRegistration) {
  std::vector<int> log, expected;
  auto future = makeRef<FutureState>(Phase::Running);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(future->addWaiter(new LoggingWaiter(log, i)));
    expected.push_back(i);
  }
  EXPECT_TRUE(log.empty());
  EXPECT_TRUE(future->fail(someError()));
  EXPECT_EQ(log, expected);
  LoggingWaiter late(log, 100);
  EXPECT_FALSE(future->addWaiter(&late));
  EXPECT_EQ(log, expected);
}

TEST(Future, DroppedWhileAwaitedIsABrokenPromise) {
  struct KeepingWaiter : Waiter {
    Ref<FutureState> kept;
  } waiter;
  waiter.fire = [](Waiter* self, FutureState& state) {
    static_cast<KeepingWaiter*>(self)->kept = Ref<FutureState>(&state);
  };
  const auto before = liveCount(Live::Future);
  auto future = makeRef<FutureState>(Phase::Running);
  EXPECT_TRUE(future->addWaiter(&waiter));
  future = nullptr;
  ASSERT_TRUE(waiter.kept);
  EXPECT_EQ(tine::testing::said(*waiter.kept->error()),
            "BrokenPromise: a future was dropped before it was completed");
  EXPECT_EQ(liveCount(Live::Future), before + 1);
  waiter.kept = nullptr;
  EXPECT_EQ(liveCount(Live::Future), before);
}

TEST(Future, TaskKindFreesPayloadAfterTheResult) {
  static std::vector<std::string> log;
  log.clear();
  const TaskKind kind{"test", [](FutureState* state) {
                        log.push_back("payload " +
                                      std::to_string(*static_cast<int*>(state->payload[0])));
                        delete static_cast<int*>(state->payload[0]);
                        delete state;
                      }};
  const auto values = liveCount(Live::Value);
  {
    auto future = makeRef<FutureState>(Phase::New, &kind);
    future->payload[0] = new int(7);
    EXPECT_EQ(future->kind(), &kind);
    EXPECT_TRUE(future->claim());
    EXPECT_TRUE(future->complete(IValue::list({1})));
  }
  EXPECT_EQ(log, std::vector<std::string>{"payload 7"});
  EXPECT_EQ(liveCount(Live::Value), values);
}

// A chain of tasks whose payload holds the next: each destroy releases another.
TEST(Future, ChainsOfPayloadsAreDestroyedWithoutRecursion) {
  const TaskKind kind{"chain", [](FutureState* state) {
                        delete static_cast<IValue*>(state->payload[0]);
                        delete state;
                      }};
  const auto before = liveCount(Live::Future);
  tine::testing::runOnStack(tine::testing::kSmallStack, [&] {
    IValue value;
    for (int i = 0; i < 1'000'000; ++i) {
      auto future = makeRef<FutureState>(Phase::New, &kind);
      future->payload[0] = new IValue(std::move(value));
      value = IValue(std::move(future));
    }
  });
  EXPECT_EQ(liveCount(Live::Future), before);
}

TEST(Future, AddWaiterRacesWithComplete) {
  struct CountingWaiter : Waiter {
    std::atomic<int>* fired;
    int number;
    int* last;
    bool* ordered;
  };
  for (int round = 0; round < 2000; ++round) {
    constexpr int kWaiters = 16;
    auto future = makeRef<FutureState>(round % 2 ? Phase::Running : Phase::New);
    std::atomic<int> fired{0}, added{0};
    std::atomic<bool> go{false};
    int last = -1;
    bool ordered = true;
    CountingWaiter waiters[kWaiters];
    std::thread waiting([&, state = future] {
      while (!go.load()) {
      }
      for (int i = 0; i < kWaiters; ++i) {
        waiters[i].fired = &fired;
        waiters[i].number = i;
        waiters[i].last = &last;
        waiters[i].ordered = &ordered;
        waiters[i].fire = [](Waiter* self, FutureState& s) {
          auto* w = static_cast<CountingWaiter*>(self);
          if (w->number <= *w->last || s.value().toInt() != 42) *w->ordered = false;
          *w->last = w->number;
          w->fired->fetch_add(1);
        };
        if (state->addWaiter(&waiters[i]))
          added.fetch_add(1);
        else if (state->value().toInt() != 42)
          ordered = false;
      }
    });
    std::thread completing([&, state = future] {
      while (!go.load()) {
      }
      if (state->phase() == Phase::New && !state->claim()) ordered = false;
      if (!state->complete(42)) ordered = false;
    });
    go.store(true);
    waiting.join();
    completing.join();
    ASSERT_EQ(fired.load(), added.load());
    ASSERT_TRUE(ordered);
    ASSERT_TRUE(future->refs().unique());
  }
}

TEST(Future, ManyCompletersOneWins) {
  for (int round = 0; round < 500; ++round) {
    auto future = makeRef<FutureState>(Phase::Running);
    std::atomic<int> winners{0};
    std::atomic<bool> go{false};
    std::thread a([&] {
      while (!go.load()) {
      }
      winners += future->complete(1);
    });
    std::thread b([&] {
      while (!go.load()) {
      }
      winners += future->fail(someError());
    });
    go.store(true);
    a.join();
    b.join();
    ASSERT_EQ(winners.load(), 1);
    ASSERT_TRUE(future->done());
  }
}

TEST(LiveCounts, AddUpOverThreads) {
  const auto before = liveCount(Live::Value);
  IValue kept;
  std::thread maker([&] { kept = IValue::list({IValue("a"), IValue("b")}); });
  maker.join();
  EXPECT_EQ(liveCount(Live::Value), before + 3);
  std::thread dropper([&] { kept = IValue(); });
  dropper.join();
  EXPECT_EQ(liveCount(Live::Value), before);
}

} // namespace
