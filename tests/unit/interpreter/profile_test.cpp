#include "interpreter/profile.h"
#include "llvm/Support/JSON.h"
#include "tests/unit/interpreter/programs.h"

#include <map>
#include <sstream>
#include <thread>

namespace tine::testing {
namespace {

struct Found {
  std::map<std::string, int> slices; ///< by name
  std::map<std::string, int> arrows;
  bool nests = true;
};

Found written(const Profile& profile) {
  std::ostringstream out;
  profile.write(out);
  Found found;
  auto json = llvm::json::parse(out.str());
  if (!json) {
    ADD_FAILURE() << llvm::toString(json.takeError());
    return found;
  }
  std::map<std::int64_t, int> depths;
  for (const llvm::json::Value& value : *json->getAsObject()->getArray("traceEvents")) {
    const llvm::json::Object& event = *value.getAsObject();
    const auto phase = *event.getString("ph");
    int& depth = depths[*event.getInteger("tid")];
    if (phase == "B") {
      ++depth;
      ++found.slices[event.getString("name")->str()];
    }
    if (phase == "E") found.nests &= --depth >= 0;
    if (phase == "f") ++found.arrows[event.getString("name")->str()];
  }
  for (const auto& [lane, depth] : depths) found.nests &= depth == 0;
  return found;
}

class Profiles : public WithWorkers {};
TINE_WITH_WORKERS(Profiles);

TEST_P(Profiles, FullOnesStillNest) {
  auto code = compileText(kFib);
  auto profile = std::make_shared<Profile>(5000);
  {
    Scheduler scheduler({.workers = workers(), .profile = profile});
    EXPECT_EQ(outcome(scheduler, code, "fib", {18}), "2584");
  }
  EXPECT_TRUE(profile->isFull());
  const Found found = written(*profile);
  EXPECT_TRUE(found.nests);
  EXPECT_GT(found.slices.at("fib"), 100);
  EXPECT_GT(found.arrows.at("fork"), 100);
}

// Operators that wait leave their worker to others, whose slices are not inside of theirs.
TEST_P(Profiles, NativeWaits) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("test::wait(Future(int) f) -> int",
           [](Ref<FutureState> f) { return waitNative(*f).toInt(); });
  auto code = compileText(R"(f(%p : Future(int)):
  %a : Future[int] = prim::fork_0(%p)
  %b : Future[int] = prim::fork_1(%p)
  %x : int = test::wait(%a)
  %y : int = aten::wait(%b)
  %s : int = aten::add(%x, %y)
  return (%s)
with prim::fork_0 = graph(%p : Future(int)):
  %x : int = test::wait(%p)
  return (%x)
with prim::fork_1 = graph(%p : Future(int)):
  %x : int = aten::wait(%p)
  return (%x)
)",
                          ops);
  ASSERT_TRUE(code);
  auto profile = std::make_shared<Profile>();
  {
    Scheduler scheduler({.workers = workers(), .profile = profile});
    Promise promise;
    auto awaited = promise.future();
    std::thread thread([p = std::move(promise)]() mutable {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      p.complete(4);
    });
    EXPECT_EQ(outcome(scheduler, code, "f", {awaited}), "8");
    thread.join();
  }
  const Found found = written(*profile);
  EXPECT_TRUE(found.nests);
  EXPECT_EQ(found.arrows.at("fork"), 2);
  EXPECT_GE(found.slices.at("test::wait"), 2);
}

TEST_P(Profiles, OfFailuresAndCallbacks) {
  auto code = compileText(R"(f(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  %x : int = aten::wait(%f)
  return (%x)
with prim::fork_0 = graph(%n : int):
  %f : Future[int] = prim::fork_1(%n)
  %x : int = aten::wait(%f)
  return (%x)
with prim::fork_1 = graph(%n : int):
  %zero : int = prim::Constant[value=0]()
  %x : int = aten::floordiv(%n, %zero)
  return (%x)
)");
  ASSERT_TRUE(code);
  auto profile = std::make_shared<Profile>();
  {
    Scheduler scheduler({.workers = workers(), .profile = profile});
    for (int i = 0; i < 3; ++i)
      EXPECT_THAT(outcome(scheduler, code, "f", {1}), ::testing::StartsWith("ZeroDivisionError"));
  }
  const Found found = written(*profile);
  EXPECT_TRUE(found.nests);
  EXPECT_EQ(found.arrows.at("fork"), 6);
  EXPECT_EQ(found.slices.at("aten::floordiv"), 3);
}

} // namespace
} // namespace tine::testing
