#include "calls.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

using namespace tine;
using nlohmann::json;

namespace {

// Runs the calls of a file, and gives how many there are of each overload.
std::map<std::string, int> check(const char* file) {
  const auto ops = OpSet::sharedBuiltin();
  std::ifstream in(std::string(TINE_SOURCE_DIR "/tests/unit/ops/") + file);
  std::map<std::string, int> counts;
  for (std::string line; std::getline(in, line);) {
    const json row = json::parse(line);
    const calls::Verdict verdict = calls::run(*ops, row);
    EXPECT_EQ(verdict.kind, calls::Verdict::Same) << line << "\n  but is " << verdict.detail;
    ++counts[row["op"]];
  }
  return counts;
}

// Every call of table.jsonl, which tests/oracle/operators.py writes, chooses TorchScript's overload
// and does what TorchScript does.
TEST(Table, EqualsTorchScript) {
  int rows = 0;
  for (const auto& [op, count] : check("table.jsonl")) rows += count;
  EXPECT_GE(rows, 4000);
}

// No types choose these: an overload before them takes the same.
constexpr const char* kNeverChosen[] = {"aten::pow.int_to_int", "aten::Float.int",
                                        "aten::numpy_T.a", "aten::split"};

// The same of the random calls in random.jsonl, of every overload that has a meaning outside of a
// program; tests/oracle/operators_random_test.py writes it and has more of them.
TEST(Table, EqualsTorchScriptAtRandom) {
  const auto counts = check("random.jsonl");
  const auto ops = OpSet::sharedBuiltin();
  for (const OpInfo* op : ops->all()) {
    const llvm::StringRef name = op->schema.name;
    if (name.starts_with("tine::") || name == "prim::Print" || name == "aten::warn") continue;
    if (name.starts_with("prim::Enum") || op->schema.overload == "enum")
      continue;                                                       // of programs alone
    if (name == "aten::empty" || name == "aten::new_empty") continue; // they hold anything
    if (name == "prim::tolist") continue; // its result is of the type that a program wants
    const std::string full =
        op->schema.name + (op->schema.overload.empty() ? "" : "." + op->schema.overload);
    if (std::find(std::begin(kNeverChosen), std::end(kNeverChosen), full) != std::end(kNeverChosen))
      continue;
    EXPECT_TRUE(counts.count(full)) << full;
  }
}

// tests/oracle/operators_random_test.py gives calls, and reads what this writes: for each a line
// with the kind of verdict and what Tine makes of the call. A line that is missing is a crash.
TEST(Table, JudgesForTheOracle) {
  const char *from = std::getenv("TINE_CALLS"), *verdicts = std::getenv("TINE_VERDICTS");
  if (!from || !verdicts) GTEST_SKIP() << "TINE_CALLS and TINE_VERDICTS name no files";
  const auto ops = OpSet::sharedBuiltin();
  std::ifstream in(from);
  std::ofstream out(verdicts);
  int rows = 0;
  for (std::string line; std::getline(in, line); ++rows) {
    const calls::Verdict verdict = calls::run(*ops, json::parse(line));
    out << json::array({static_cast<int>(verdict.kind), verdict.detail})
               .dump(-1, ' ', true, json::error_handler_t::replace)
        << std::endl;
  }
  EXPECT_GT(rows, 0);
}

} // namespace
