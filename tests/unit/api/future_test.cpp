#include "api/tine.h"
#include "tests/fixture.h"

namespace tine {
namespace {

using testing::WithWorkers;
using tine::testing::errorOf;

constexpr const char* kProgram = R"(twice(%x : int):
  %2 : int = prim::Constant[value=2]()
  %r : int = aten::mul(%x, %2)
  return (%r)
)";

class Futures : public WithWorkers {
protected:
  Future<std::int64_t> twice(std::int64_t x) {
    return Future<std::int64_t>(twice_.runAsync(scheduler_, {x}).state());
  }
  Scheduler scheduler_{{.workers = workers()}};
  const Function twice_ = parseProgram(kProgram).value().function().value();
};
TINE_WITH_WORKERS(Futures);

TEST_P(Futures, Then) {
  const Future<double> half = twice(3).then([](std::int64_t x) { return double(x) / 4; });
  EXPECT_EQ(half.wait(), 1.5);
  EXPECT_EQ(half.tryGet(), 1.5);
  const Future<std::int64_t> flat = twice(3).then([&](std::int64_t x) { return twice(x); });
  EXPECT_EQ(flat.wait(), 12);
  std::int64_t seen = 0;
  twice(4).then([&](std::int64_t x) { seen = x; }).wait();
  EXPECT_EQ(seen, 8);
}

TEST_P(Futures, Collect) {
  const std::vector<Future<std::int64_t>> futures{twice(1), twice(2), twice(3)};
  EXPECT_EQ(collectAll(futures).wait(), (std::vector<std::int64_t>{2, 4, 6}));
  const std::int64_t first = any(futures).wait();
  EXPECT_TRUE(first == 2 || first == 4 || first == 6) << first;
  Promise promise;
  promise.fail(Error(error_kind::Key, "no key"));
  const std::vector<Future<std::int64_t>> some{twice(1), Future<std::int64_t>(promise.future())};
  EXPECT_EQ(errorOf([&] { collectAll(some).wait(); }).kind, "KeyError");
  const auto settled = collectAll(some, Settle()).wait();
  ASSERT_EQ(settled.size(), 2u);
  EXPECT_EQ(settled[0].wait(), 2);
  EXPECT_EQ(errorOf([&] { settled[1].wait(); }).message, "no key");
  EXPECT_EQ(errorOf([] { any(std::vector<Future<>>()); }).kind, "ValueError");
}

TEST_P(Futures, Cancel) {
  Promise promise;
  const Future<std::int64_t> pending(promise.future());
  const auto next = pending.then([](std::int64_t x) { return x + 1; });
  next.cancel();
  EXPECT_EQ(errorOf([&] { next.wait(); }).kind, "Cancelled");
  EXPECT_FALSE(pending.done());
  promise.complete(1);
  EXPECT_EQ(pending.wait(), 1);
  const auto done = twice(2);
  EXPECT_EQ(done.wait(), 4);
  done.cancel();
  EXPECT_EQ(done.wait(), 4);
}

TEST_P(Futures, RunsHaveContexts) {
  const CancelToken stop = CancelToken::make();
  stop.cancel();
  EXPECT_EQ(errorOf([&] { twice_.run(scheduler_, {1}, {.cancel = stop}); }).kind, "Cancelled");
  EXPECT_EQ(errorOf([&] { twice_.run({1}, {.cancel = stop}); }).kind, "Cancelled");
  const TaskContext late{.deadline = TaskContext::Clock::now()};
  EXPECT_EQ(twice_.tryRun(scheduler_, {1}, late).error().kind, "Timeout");
  EXPECT_EQ(twice_.tryRun({1}, late).error().kind, "Timeout");
  EXPECT_EQ(errorOf([&] { twice_.runAsync(scheduler_, {1}, late).wait(); }).kind, "Timeout");
  const TaskContext early{.deadline = deadlineIn(std::chrono::hours(1)), .seed = 7};
  EXPECT_EQ(twice_.runAsync(scheduler_, {1}, early).wait().toInt(), 2);
}

TEST_P(Futures, Limits) {
  Promise promise;
  const Future<std::int64_t> future(promise.future());
  EXPECT_EQ(errorOf([&] { future.wait(std::chrono::milliseconds(1)); }).kind, "Timeout");
  EXPECT_EQ(future.tryGet(), std::nullopt);
  promise.complete(3);
  EXPECT_EQ(future.wait(std::chrono::hours(1)), 3);
  EXPECT_EQ(future.tryGet(), 3);
  EXPECT_EQ(twice(4).wait(std::chrono::hours(1)), 8);
}

TEST(PlainFutures, EagerForks) {
  const Future<Tensor> sum =
      fork([](Tensor x) { return x + 1; }, tensor(2)).then([](Tensor x) { return x * 2; });
  EXPECT_EQ(sum.wait().str(), "tensor(6)");
  const Future<Tensor> wrong = sum.then([](Tensor x) {
                                    return x + tensor({1.0, 2.0});
                                  })
                                   .then([](Tensor x) {
                                     return x + tensor({1.0, 2.0, 3.0});
                                   });
  EXPECT_EQ(errorOf([&] { wrong.wait(); }).kind, "ShapeMismatch");
  EXPECT_EQ(errorOf([] { Future<>().then([](IValue x) { return x; }); }).kind, "ValueError");
}

} // namespace
} // namespace tine
