// Passes change nothing that a program's caller can see: random programs and every file that runs
// give the same results, errors and aliases before and after, with any number of workers.
#include "ir/verify.h"
#include "tests/random_program.h"
#include "tests/same_result.h"
#include "tests/unit/passes/passes_test.h"

namespace tine::testing {
namespace {

constexpr int kSeeds = 500;

class RandomPrograms : public ::testing::TestWithParam<std::string> {};
std::vector<std::string> everyPipeline() {
  std::vector<std::string> names;
  for (const Pass& pass : allPasses()) names.push_back(pass.name.str());
  names.push_back("default");
  names.push_back("inline,inline_fork_wait,default");
  names.push_back("fold,inline_bodies,cse,dce,inline_fork_wait,cse,pool,dce");
  return names;
}
INSTANTIATE_TEST_SUITE_P(Passes, RandomPrograms, ::testing::ValuesIn(everyPipeline()),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), ',', '_');
                           return name;
                         });

TEST_P(RandomPrograms, SameResult) {
  SameResult same;
  int failing = 0, changed = 0;
  for (int seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomProgramOptions options;
    options.tensors = seed % 4 != 0;
    CompilationUnit unit = randomProgram(static_cast<std::uint64_t>(seed), options);
    auto verified = verify(unit);
    ASSERT_TRUE(verified) << verified.error().str();
    // All worker counts now and then, one of them each time.
    SameResult::Outcome outcome = same.expect(
        unit, "main", GetParam(), randomInputs(static_cast<std::uint64_t>(seed), options),
        seed % 10 == 0 ? llvm::ArrayRef(kWorkerCounts)
                       : llvm::ArrayRef(kWorkerCounts).slice(seed % 4, 1));
    failing += outcome.failed;
    changed += outcome.changed;
  }
  // The programs are worth their time: most give a result, some fail.
  EXPECT_GT(failing, 5);
  EXPECT_LT(failing, kSeeds / 2);
  bool rare = GetParam() == "lower_tuples" || GetParam() == "inline_bodies";
  EXPECT_GT(changed, rare ? 0 : kSeeds / 4);
}

} // namespace
} // namespace tine::testing
