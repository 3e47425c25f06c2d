// How the library lives with the process that it is in: threads, exits, other threads' work.
#include "api/tine.h"
#include "tests/fixture.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace tine {
namespace {

/// Four forks of a matrix product, two of which are waited for.
constexpr const char* kProducts = R"(main(%x : Tensor):
  %a : Future[Tensor] = prim::fork_0(%x)
  %b : Future[Tensor] = prim::fork_0(%x)
  %c : Future[Tensor] = prim::fork_0(%x)
  %d : Future[Tensor] = prim::fork_0(%x)
  %w : Tensor = aten::wait(%a)
  %z : Tensor = aten::wait(%d)
  %one : int = prim::Constant[value=1]()
  %r : Tensor = aten::add(%w, %z, %one)
  return (%r)
with prim::fork_0 = graph(%x : Tensor):
  %y : Tensor = aten::mm(%x, %x)
  return (%y)
with prim::fork_0 = graph(%x : Tensor):
  %y : Tensor = aten::mm(%x, %x)
  return (%y)
with prim::fork_0 = graph(%x : Tensor):
  %y : Tensor = aten::mm(%x, %x)
  return (%y)
with prim::fork_0 = graph(%x : Tensor):
  %y : Tensor = aten::mm(%x, %x)
  return (%y)
)";

std::size_t threads() {
  const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(Process, HasAsManyThreadsAsWorkers) {
  const Function products = parseProgram(kProducts).value().function().value();
  const std::size_t before = threads();
  {
    Scheduler scheduler({.workers = 3});
    const IValue sum = products.run(scheduler, {ones({256, 256})});
    EXPECT_TRUE(equal(sum.toTensor(), full({256, 256}, 512.0)));
    EXPECT_EQ(threads(), before + 3) << "kernels start no threads";
  }
  EXPECT_EQ(threads(), before);
}

TEST(Process, ATaskMayExit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        auto ops = std::make_shared<OpSet>(OpSet::builtin());
        ops->add("test::leave(int code) -> int",
                 [](std::int64_t code) -> std::int64_t { std::exit(static_cast<int>(code)); });
        const Program program = parseProgram(R"(main(%code : int):
  %f : Future[int] = prim::fork_0(%code)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%code : int):
  %r : int = test::leave(%code)
  return (%r)
)",
                                             "exit.ir", ops)
                                    .value();
        Scheduler scheduler({.workers = 4});
        program.function()->run(scheduler, {17});
      },
      ::testing::ExitedWithCode(17), "");
}

TEST(Process, LoadsWhileAnotherThreadRuns) {
  // The first thread is inside `run` until the second has loaded, run and dropped a program.
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  std::atomic<bool> inside{false}, done{false};
  ops->add("test::meet() -> int", [&]() -> std::int64_t {
    inside = true;
    inside.notify_all();
    done.wait(false);
    return 1;
  });
  const Program meeting =
      parseProgram("main():\n  %r : int = test::meet()\n  return (%r)\n", "meet.ir", ops).value();
  std::thread first([&] { EXPECT_EQ(meeting.function()->run({}).toInt(), 1); });
  inside.wait(false);
  const Program loaded = loadProgram(TINE_SOURCE_DIR "/docs/examples/fib.ir").value();
  Scheduler scheduler({.workers = 2});
  EXPECT_EQ(loaded.function()->run(scheduler, {10}).toInt(), 55);
  done = true;
  done.notify_all();
  first.join();
}

TEST(Process, PassesOfOneThreadAreItsOwn) {
  constexpr const char* kText = R"(main(%x : int):
  %one : int = prim::Constant[value=1]()
  %unused : int = aten::mul(%x, %x)
  %r : int = aten::add(%x, %one)
  return (%r)
)";
  const auto compiled = [&](llvm::StringRef passes) {
    CompilationUnit unit = parse(kText).value();
    runPasses(unit, *OpSet::sharedBuiltin(), passes).value();
    return Program::create(std::move(unit)).value();
  };
  const auto many = [&](llvm::StringRef passes, bool kept) {
    for (int i = 0; i < 200; ++i) {
      const Program program = compiled(passes);
      const Function main = program.function().value();
      ASSERT_EQ(main.graph().str().find("aten::mul") != std::string::npos, kept) << i;
      ASSERT_EQ(main.run({i}).toInt(), i + 1);
    }
  };
  std::thread other([&] { many("default", false); });
  many("none", true);
  other.join();
}

} // namespace
} // namespace tine
