// Chosen schedules: programs whose result does not depend on the order give it in every order, and
// those whose result does are found out.

#include "interpreter/futures.h"
#include "tests/explore.h"
#include "tests/random_program.h"
#include "tests/unit/interpreter/programs.h"

#include <set>

namespace tine::testing {
namespace {

using Outcomes = std::set<std::string>;

/// What schedules up to so many preemptions give, and how many there were.
Outcomes explored(const std::shared_ptr<const Code>& code, int preemptions, int* count = nullptr) {
  Outcomes outcomes;
  Explorer explorer(preemptions);
  while (explorer.next() && explorer.count() < 200'000) {
    Scheduler scheduler({.schedule = explorer.schedule()});
    outcomes.insert(outcome(scheduler, code, "main"));
  }
  EXPECT_LT(explorer.count(), 200'000) << "not all";
  if (count) *count = explorer.count();
  return outcomes;
}

Outcomes seeded(const std::shared_ptr<const Code>& code, std::uint64_t seeds) {
  Outcomes outcomes;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Scheduler scheduler({.schedule = Schedule::seeded(seed)});
    outcomes.insert(outcome(scheduler, code, "main"));
  }
  return outcomes;
}

/// The choices of a seed, one line each.
std::string traceOf(const std::shared_ptr<const Code>& code, std::uint64_t seed,
                    std::vector<IValue> arguments = {}) {
  std::string trace;
  const Schedule schedule = Schedule::seeded(seed);
  Scheduler scheduler({.schedule = Schedule::chosenBy([&](const Schedule::Choice& choice) {
                         const std::uint32_t chosen = schedule.choose(choice);
                         trace += std::to_string(chosen) + " of " + std::to_string(choice.count) +
                                  ": " + choice.what(chosen) + "\n";
                         return chosen;
                       })});
  trace += outcome(scheduler, code, "main", std::move(arguments)) + "\n";
  return trace;
}

// ---- programs whose result depends on the order -------------------------------------------------

/// Two tasks write 1, 2 and 3, 4 to one list; nothing orders them.
constexpr const char* kRace = R"(main():
  %1 : int = prim::Constant[value=1]()
  %3 : int = prim::Constant[value=3]()
  %l : int[] = prim::ListConstruct()
  %a : Future[NoneType] = prim::fork_0(%l, %1)
  %b : Future[NoneType] = prim::fork_1(%l, %3)
  %x : NoneType = aten::wait(%a)
  %y : NoneType = aten::wait(%b)
  return (%l)
with prim::fork_0 = graph(%l : int[], %n : int):
  %1 : int = prim::Constant[value=1]()
  %2 : int[] = aten::append(%l, %n)
  %m : int = aten::add(%n, %1)
  %3 : int[] = aten::append(%l, %m)
  %4 : NoneType = prim::Constant()
  return (%4)
with prim::fork_1 = graph(%l : int[], %n : int):
  %1 : int = prim::Constant[value=1]()
  %2 : int[] = aten::append(%l, %n)
  %m : int = aten::add(%n, %1)
  %3 : int[] = aten::append(%l, %m)
  %4 : NoneType = prim::Constant()
  return (%4)
)";

TEST(Schedules, ExplorationFindsAllOrdersOfARace) {
  const auto code = compileText(kRace);
  const Outcomes all{"[1, 2, 3, 4]", "[1, 3, 2, 4]", "[1, 3, 4, 2]",
                     "[3, 1, 2, 4]", "[3, 1, 4, 2]", "[3, 4, 1, 2]"};
  int few = 0, many = 0;
  EXPECT_EQ(explored(code, 0, &few), (Outcomes{"[1, 2, 3, 4]"}));
  Outcomes switchedTwice = all;
  switchedTwice.erase("[3, 1, 4, 2]"); // takes three
  EXPECT_EQ(explored(code, 2), switchedTwice);
  EXPECT_EQ(explored(code, 3, &many), all);
  EXPECT_EQ(few, 1);
  EXPECT_GT(many, 20);
}

TEST(Schedules, SeedsFindThatAResultDependsOnTheOrder) {
  const auto code = compileText(kRace);
  EXPECT_EQ(seeded(code, 300).size(), 6u);
  // Its own schedule never tells.
  for (int i = 0; i < 20; ++i) {
    Scheduler scheduler({.workers = 0});
    EXPECT_EQ(outcome(scheduler, code, "main"), "[1, 2, 3, 4]");
  }
}

TEST(Schedules, AForkStartsAtOnceOrLater) {
  // The forker writes between the fork and the wait.
  const auto code = compileText(R"(main():
  %0 : int = prim::Constant[value=0]()
  %l : int[] = prim::ListConstruct()
  %f : Future[int[]] = prim::fork_0(%l)
  %1 : int[] = aten::append(%l, %0)
  %2 : int[] = aten::append(%l, %0)
  %x : int[] = aten::wait(%f)
  return (%l)
with prim::fork_0 = graph(%l : int[]):
  %1 : int = prim::Constant[value=1]()
  %2 : int[] = aten::append(%l, %1)
  return (%2)
)");
  const Outcomes all{"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  EXPECT_EQ(explored(code, 1), all);
  EXPECT_EQ(seeded(code, 100), all);
}

TEST(Schedules, WhoIsFirstDependsOnTheOrder) {
  const auto code = compileText(R"(main():
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]()
  %a : Future[int] = prim::fork_0(%1)
  %b : Future[int] = prim::fork_1(%2)
  %l : Future[int][] = prim::ListConstruct(%a, %b)
  %x : int = tine::wait_any(%l)
  return (%x)
with prim::fork_0 = graph(%n : int):
  return (%n)
with prim::fork_1 = graph(%n : int):
  return (%n)
)");
  EXPECT_EQ(explored(code, 0), (Outcomes{"1", "2"})); // whose turn it is is no preemption
  EXPECT_EQ(seeded(code, 50), (Outcomes{"1", "2"}));
}

TEST(Schedules, TheSameSeedGivesTheSameTrace) {
  const auto race = compileText(kRace);
  std::set<std::string> traces;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string trace = traceOf(race, seed);
    EXPECT_EQ(traceOf(race, seed), trace);
    traces.insert(trace);
  }
  EXPECT_GT(traces.size(), 15u);
  EXPECT_NE(traces.begin()->find("at t.ir:"), std::string::npos) << *traces.begin();
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const auto code = compile(randomProgram(seed), OpSet::sharedBuiltin()).value();
    EXPECT_EQ(traceOf(code, seed, randomInputs(seed)), traceOf(code, seed, randomInputs(seed)));
  }
}

// ---- programs whose result does not -------------------------------------------------------------

struct Tiny {
  const char* name;
  const char* text;
  int preemptions; ///< all schedules with so many
};
const Tiny kTiny[] = {
    {"chain", R"(main():
  %1 : int = prim::Constant[value=1]()
  %a : Future[int] = prim::fork_0(%1)
  %x : int = aten::wait(%a)
  %b : Future[int] = prim::fork_1(%x)
  %y : int = aten::wait(%b)
  %r : int = aten::add(%x, %y)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %s : str = aten::str(%n)
  %l : int = aten::len(%s)
  %r : int = aten::add(%n, %l)
  return (%r)
with prim::fork_1 = graph(%n : int):
  %s : str = aten::str(%n)
  %l : int = aten::len(%s)
  %r : int = aten::add(%n, %l)
  return (%r)
)",
     100},
    {"nested", R"(main():
  %1 : int = prim::Constant[value=1]()
  %a : Future[int] = prim::fork_0(%1)
  %b : Future[int] = prim::fork_1(%a)
  %c : Future[int] = prim::fork_3(%a)
  %x : int = aten::wait(%c)
  %y : int = aten::wait(%b)
  %r : int = aten::sub(%x, %y)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %f : Future[int] = prim::fork_2(%n)
  %x : int = aten::wait(%f)
  return (%x)
with prim::fork_2 = graph(%n : int):
  return (%n)
with prim::fork_1 = graph(%f : Future[int]):
  %x : int = aten::wait(%f)
  return (%x)
with prim::fork_3 = graph(%f : Future[int]):
  %x : int = aten::wait(%f)
  return (%x)
)",
     3},
    {"error", R"(main():
  %s : str = prim::Constant[value="bad"]()
  %a : Future[NoneType] = prim::fork_0(%s)
  %b : Future[NoneType] = prim::fork_1(%a)
  %x : NoneType = aten::wait(%b)
  return (%x)
with prim::fork_0 = graph(%s : str):
  %t : str = aten::format(%s)
  %e : str = prim::Constant[value="builtins.ValueError"]()
   = prim::RaiseException(%t, %e)
  %r : NoneType = prim::Constant()
  return (%r)
with prim::fork_1 = graph(%f : Future[NoneType]):
  %x : NoneType = aten::wait(%f)
  return (%x)
)",
     100},
    {"promise", R"(main():
  %1 : int = prim::Constant[value=1]()
  %p : Future[int] = tine::promise()
  %a : Future[int] = prim::fork_0(%p)
  %b : Future[NoneType] = prim::fork_1(%p, %1)
  %x : int = aten::wait(%a)
  return (%x)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)
with prim::fork_1 = graph(%p : Future[int], %n : int):
   = tine::complete(%p, %n)
  %x : NoneType = prim::Constant()
  return (%x)
)",
     100},
    {"callbacks", R"(main():
  %1 : int = prim::Constant[value=1]()
  %f : Function = prim::Constant[name="twice"]()
  %a : Future[int] = prim::fork_0(%1)
  %b : Future[int] = tine::then(%a, %f)
  %c : Future[int] = tine::then(%b, %f)
  %d : Future[int] = tine::then(%a, %f)
  %l : Future[int][] = prim::ListConstruct(%a, %b, %c, %d)
  %all : Future[int[]] = tine::collect_all(%l)
  %x : int[] = aten::wait(%all)
  return (%x)
with prim::fork_0 = graph(%n : int):
  return (%n)

twice(%x : int):
  %2 : int = prim::Constant[value=2]()
  %s : str = aten::str(%x)
  %y : int = aten::mul(%x, %2)
  %l : int = aten::len(%s)
  %r : int = aten::mul(%y, %l)
  return (%r)
)",
     100},
    {"deadlock", R"(main():
  %p : Future[int] = tine::promise()
  %a : Future[int] = prim::fork_0(%p)
  %b : Future[int] = prim::fork_1(%a)
  %x : int = aten::wait(%b)
  return (%x)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)
with prim::fork_1 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)
)",
     3},
};

/// Who waits is listed in the order of the schedule, and not who waits on top of another.
std::string withoutList(std::string outcome) {
  if (outcome.rfind("Deadlock: ", 0) == 0) outcome.resize(8);
  return outcome;
}

class TinyPrograms : public ::testing::TestWithParam<Tiny> {};
INSTANTIATE_TEST_SUITE_P(Schedules, TinyPrograms, ::testing::ValuesIn(kTiny),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(TinyPrograms, GiveTheSerialResultInEverySchedule) {
  const auto code = compileText(GetParam().text);
  Outcomes serial, all, some;
  {
    Scheduler scheduler({.workers = 0});
    serial.insert(withoutList(outcome(scheduler, code, "main")));
  }
  int count = 0;
  for (const std::string& text : explored(code, GetParam().preemptions, &count))
    all.insert(withoutList(text));
  for (const std::string& text : seeded(code, 100)) some.insert(withoutList(text));
  {
    Scheduler scheduler({.schedule = Schedule::chosenBy(
                             [](const Schedule::Choice& choice) { return choice.count - 1; })});
    all.insert(withoutList(outcome(scheduler, code, "main"))); // interrupted wherever it can be
  }
  EXPECT_EQ(all, serial);
  EXPECT_EQ(some, serial);
  EXPECT_GT(count, 3);
  RecordProperty("schedules", count);
}

TEST(Schedules, RandomProgramsGiveTheSerialResult) {
  constexpr int kPrograms = 300, kSeeds = 20;
  std::uint64_t preempted = 0;
  int failing = 0;
  for (std::uint64_t program = 0; program < kPrograms && !HasFailure(); ++program) {
    RandomProgramOptions options;
    options.statements = 8;
    options.tensors = program % 3 == 0;
    const auto code = compile(randomProgram(program, options), OpSet::sharedBuiltin()).value();
    std::string serial;
    {
      Scheduler scheduler({.workers = 0});
      serial = outcome(scheduler, code, "main", randomInputs(program, options));
    }
    failing += serial.find("Error: ") != std::string::npos;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      Scheduler scheduler({.schedule = Schedule::seeded(seed)});
      EXPECT_EQ(outcome(scheduler, code, "main", randomInputs(program, options)), serial)
          << "program " << program << ", seed " << seed;
      preempted += scheduler.stats().preempted;
    }
  }
  EXPECT_GT(preempted, 1000u);
  EXPECT_LT(failing, kPrograms / 2);
}

// ---- the contract holds in chosen schedules too -------------------------------------------------

TEST(Schedules, CallbacksOfOneFutureStartInOrder) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Scheduler scheduler({.schedule = Schedule::seeded(seed)});
    const auto code = compileText(kFib);
    std::string order;
    const auto note = [&](char c) {
      return [&order, c](const IValue& x) {
        order += c;
        return x;
      };
    };
    Promise one, other;
    std::vector<Ref<FutureState>> futures;
    for (char c : {'a', 'b', 'c'}) futures.push_back(then(*one.future(), note(c), &scheduler));
    for (char c : {'x', 'y', 'z'}) futures.push_back(then(*other.future(), note(c), &scheduler));
    one.complete(1);
    other.complete(2);
    waitNative(*collect(Collect::FailFast, futures, &scheduler));
    std::string abc, xyz;
    for (char c : order) (c < 'x' ? abc : xyz) += c;
    EXPECT_EQ(abc, "abc");
    EXPECT_EQ(xyz, "xyz");
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 20u); // all ways to merge them
}

TEST(Schedules, DeepTreesAndManyForks) {
  const auto code = compileText(kFib);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scheduler scheduler({.schedule = Schedule::seeded(seed)});
    EXPECT_EQ(outcome(scheduler, code, "fib", {14}), "377");
    EXPECT_GT(scheduler.stats().choices, 100u);
  }
  const auto many = compileText(R"(main(%n : int):
  %true : bool = prim::Constant[value=1]()
  %l : Future[int][] = prim::ListConstruct()
   = prim::Loop(%n, %true)
    block0(%i : int):
      %f : Future[int] = prim::fork_0(%i)
      %x : Future[int][] = aten::append(%l, %f)
      -> (%true)
  %all : Future[int[]] = tine::collect_all(%l)
  %r : int[] = aten::wait(%all)
  %s : int = aten::sum(%r)
  return (%s)
with prim::fork_0 = graph(%i : int):
  return (%i)
)");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Scheduler scheduler({.schedule = Schedule::seeded(seed)});
    EXPECT_EQ(outcome(scheduler, many, "main", {2000}), "1999000");
  }
}

TEST(Schedules, TimePassesWhenEverybodyWaits) {
  const auto code = compileText(R"(main(%p : Future[str], %s : float, %t : float):
  %a : Future[str] = prim::fork_0(%p, %s)
  %b : Future[str] = prim::fork_1(%p, %t)
  %l : Future[str][] = prim::ListConstruct(%a, %b)
  %x : str = tine::wait_any(%l)
  return (%x)
with prim::fork_0 = graph(%p : Future[str], %s : float):
  %x : str = tine::wait_timeout(%p, %s)
  return (%x)
with prim::fork_1 = graph(%p : Future[str], %s : float):
  %x : str = tine::wait_timeout(%p, %s)
  return (%x)
)");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scheduler scheduler({.schedule = Schedule::seeded(seed)});
    Promise never;
    // Years, at once, and the shorter first.
    EXPECT_EQ(outcome(scheduler, code, "main", {never.future(), 2e8, 1e8}),
              "Timeout: the future is not done after 1e+08 s");
    EXPECT_EQ(outcome(scheduler, code, "main", {never.future(), 3e7, 4e7}),
              "Timeout: the future is not done after 3e+07 s");
  }
}

TEST(Schedules, PromisesOfOtherThreadsAndTheEnd) {
  const auto code = compileText(R"(main(%p : Future[int]):
  %a : Future[int] = prim::fork_0(%p)
  %b : Future[int] = prim::fork_1(%p)
  %x : int = aten::wait(%a)
  %y : int = aten::wait(%b)
  %r : int = aten::add(%x, %y)
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)
with prim::fork_1 = graph(%p : Future[int]):
  %x : int = aten::wait(%p)
  return (%x)
)");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Promise promise, never;
    Ref<FutureState> left;
    Scheduler scheduler({.schedule = Schedule::seeded(seed)});
    auto done = scheduler.run(code, "main", {promise.future()});
    promise.complete(4);
    EXPECT_EQ(scheduler.wait(*done).toInt(), 8);
    {
      Scheduler ends({.schedule = Schedule::seeded(seed)});
      left = ends.run(code, "main", {never.future()});
      EXPECT_FALSE(left->done());
    }
    EXPECT_EQ(errorOf([&] { waitNative(*left); }).kind, "Shutdown");
  }
}

TEST(Schedules, TakeNoWorkers) {
  EXPECT_EQ(said(errorOf([] { Scheduler({.workers = 2, .schedule = Schedule::seeded(1)}); })),
            "ValueError: a chosen schedule runs on one thread: it takes no workers");
  EXPECT_EQ(Scheduler({.schedule = Schedule::seeded(1)}).workers(), 0);
}

TEST(ChosenSchedules, AChooserMustNotUseTheScheduler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto code = compileText(kFib);
  EXPECT_DEATH(
      {
        Scheduler* self = nullptr;
        Scheduler scheduler({.schedule = Schedule::chosenBy([&](const Schedule::Choice&) {
                               static_cast<void>(self->run(code, "fib", {3}));
                               return 0u;
                             })});
        self = &scheduler;
        static_cast<void>(run(scheduler, code, "fib", {8}));
      },
      "a schedule's chooser uses the scheduler that asks it");
}

} // namespace
} // namespace tine::testing
