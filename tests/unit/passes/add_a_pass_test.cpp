// docs/add_a_pass.md, followed to the letter (add_a_pass.py): its source is built, its row is in
// the table, and its test holds.
#include "ir/filecheck.h"
#include "tests/same_result.h"
#include "tests/unit/passes/passes_test.h"

namespace tine {

#define TINE_PASS(name, function, doc) bool function(Graph& graph, const PassContext& context);
#include "add_a_pass/passes.def"

namespace testing {
namespace {

const std::vector<Pass> table{
#define TINE_PASS(name, function, doc) {name, function, doc},
#include "add_a_pass/passes.def"
};

std::vector<Pass> passesNamed(llvm::StringRef names) {
  std::vector<Pass> found;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  names.trim().split(parts, ',');
  for (llvm::StringRef name : parts)
    for (const Pass& pass : table)
      if (pass.name == name) found.push_back(pass);
  EXPECT_EQ(found.size(), parts.size()) << names.str();
  return found;
}

TEST(AddAPass, OneRowInItsPlace) {
  EXPECT_EQ(table.size(), allPasses().size() + 1);
  auto less = [](const Pass& a, const Pass& b) { return a.name < b.name; };
  EXPECT_TRUE(std::is_sorted(table.begin(), table.end(), less));
}

TEST(AddAPass, ItsTestHolds) {
  const std::string text = readFile(std::filesystem::path(TINE_ADDED_PASS) / "added.ir");
  llvm::StringRef names = llvm::StringRef(text).split('\n').first;
  ASSERT_TRUE(names.consume_front("# test: pass="));
  CompilationUnit unit = readUnit(text);
  auto ran = runPasses(unit, *OpSet::sharedBuiltin(), passesNamed(names));
  ASSERT_TRUE(ran) << ran.error().str();
  auto checks = FileCheck::fromComments(text, "added.ir");
  ASSERT_TRUE(checks) << checks.error().str();
  auto result = checks->test(str(unit));
  EXPECT_TRUE(result) << result.error().str();
}

TEST(AddAPass, TreatsBodiesOfForksAndChangesNoResult) {
  CompilationUnit unit = readUnit(R"(main(%x : int):
  %f : Future[int] = prim::fork_0(%x)
  %a : int = aten::neg(%x)
  %b : int = aten::neg(%a)
  %c : int = aten::wait(%f)
  %d : int = aten::sub(%b, %c)
  return (%d)
with prim::fork_0 = graph(%y : int):
  %a : int = aten::neg(%y)
  %b : int = aten::neg(%a)
  %c : int = aten::mul(%a, %b)
  return (%c)
)");
  auto ran = runPasses(unit, *OpSet::sharedBuiltin(), passesNamed("cheap_negation,dce"));
  ASSERT_TRUE(ran) << ran.error().str();
  EXPECT_EQ(str(unit), R"(main(%x : int):
  %f : Future[int] = prim::fork_0(%x)
  %c : int = aten::wait(%f)
  %d : int = aten::sub(%x, %c)
  return (%d)
with prim::fork_0 = graph(%y : int):
  %a : int = aten::neg(%y)
  %c : int = aten::mul(%a, %y)
  return (%c)
)");
  SameResult same;
  for (int workers : kWorkerCounts)
    EXPECT_EQ(same.observe(unit, "main", {3}, workers), "12 after which the arguments are 3; ");
}

} // namespace
} // namespace testing
} // namespace tine
