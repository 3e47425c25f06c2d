// Graphs written as source (frontend/script/code.h): byte for byte what TorchScript's serializer
// writes of the same functions, which tests/oracle/make_code.py wrote to
// tests/files/script/code.json; and source that compiles to the same program again.

#include "frontend/script/code.h"
#include "frontend/script/compile.h"
#include "tests/fixture.h"
#include "tools/json.h"

namespace tine {
namespace {

using testing::readFile;

/// What was reached; a change that makes one of them worse fails.
constexpr int kIdentical = 393, kAgain = 326, kFixed = 321;

std::string all(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& error : errors) text += error.str();
  return text;
}

Result<CompilationUnit> compiled(const std::string& source, const std::string& file) {
  TINE_TRY(auto module, script::parseModule(source, file));
  return script::compile(*module, OpSet::sharedBuiltin());
}

/// Compiles the source of a unit; `fixed` when the source of that is the same again.
Result<CompilationUnit> again(const CompilationUnit& unit, std::string& text, bool& fixed) {
  const auto ops = OpSet::sharedBuiltin();
  TINE_TRY(text, script::code(unit, *ops));
  TINE_TRY(CompilationUnit second, compiled(text, "again.py"));
  auto same = script::code(second, *ops);
  fixed = same && *same == text;
  return second;
}

TEST(Code, IsTorchScriptsAndCompilesAgain) {
  const auto ops = OpSet::sharedBuiltin();
  const auto known = tools::Json::parse(readFile(testing::testFiles() / "script/code.json"));
  int functions = 0, identical = 0, programs = 0, compiles = 0, fixed = 0;
  for (const auto& [name, wanted] : known.items()) {
    const auto path = testing::testFiles() / "script" / (name + ".py");
    auto unit = compiled(readFile(path), path.filename());
    if (!unit) continue;
    // Compiled by itself, a text has no module.
    const bool module = tools::Json::parse(readFile(testing::testFiles() / "script" /
                                                    (name + ".json")))["oracle"] == "script";
    const script::CodeOptions options{module ? "__torch__." + name + "." : "__torch__."};
    for (const auto& [function, code] : wanted.items()) {
      auto text = script::code(*unit->findFunction(function), *ops, options);
      ++functions;
      identical += text && *text == code.get_ref<const std::string&>();
    }
    ++programs;
    std::string text;
    bool same = false;
    auto second = again(*unit, text, same);
    EXPECT_TRUE(second) << name << "\n" << text << all(second.errors());
    compiles += bool(second);
    fixed += same;
  }
  std::printf(
      "%d functions, %d with TorchScript's source; of %d programs %d compile from their own "
      "source, %d to graphs with the same source\n",
      functions, identical, programs, compiles, fixed);
  EXPECT_GE(identical, kIdentical);
  EXPECT_GE(compiles, kAgain);
  EXPECT_GE(fixed, kFixed);
}

/// What TorchScript would not take is named.
TEST(Code, SaysWhatIsNotTorchScripts) {
  const auto ops = OpSet::sharedBuiltin();
  auto unit = compiled(R"(def main(n: int) -> List[int]:
    fs = [torch.jit.fork(main2, n), torch.jit.fork(main2, 2)]
    return torch.futures.collect_all(fs).wait()
def main2(n: int) -> int:
    return n
)",
                       "f.py");
  ASSERT_TRUE(unit) << all(unit.errors());
  EXPECT_EQ(*script::code(*unit->findFunction("main"), *ops),
            R"(# uses tine::collect_all, which TorchScript lacks
def main(n: int) -> List[int]:
  def __forked_function():
    return main2(n, )
  _0 = fork(__forked_function)
  def __forked_function0():
    return main2(2, )
  _1 = fork(__forked_function0)
  fs = [_0, _1]
  return torch.wait(ops.tine.collect_all(fs))
)");
}

} // namespace
} // namespace tine
