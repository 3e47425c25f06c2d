// Compiles the programs under tests/files/script, and compares the graphs with those that
// TorchScript printed for them (NAME.ir), byte for byte, locations included.

#include "frontend/script/compile.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "tests/fixture.h"

#include <map>

namespace tine {
namespace {

/// Programs whose graphs differ from TorchScript's, and why.
const std::map<std::string, const char*> kDiffering = {
    {"fork_unwaited", "TorchScript drops forks that nobody waits for, with what they do"},
    {"pass_statement", "TorchScript leaves a constant behind that nobody uses"},
    {"return_in_nested_loops", "TorchScript's types of tuples are equal, but not the same"},
    {"tensor_scalars", "TorchScript prints places in its own sources for `2 - x`"},
    {"tensor_size_of", "TorchScript prints places in its own sources for `x.shape`"},
    {"tensor_sizes", "TorchScript prints places in its own sources for `x.shape`"},
    {"torch_aliases", "torch.nn.functional.relu is a Python function there, an operator here"},
    {"complex_literals", "there are no kernels for complex numbers that could fold them"},
    {"string_search", "TorchScript prints places in its own sources for `a in b`"},
    {"import_math_constants", "there are no kernels for factorial, gcd, degrees, radians"},
};

/// So many wrong programs get the places and messages that their comments want.
constexpr int kWrongEqual = 160;

/// The function as its file has it: `graph` when it is alone.
std::string printed(const CompilationUnit& unit) {
  if (unit.functions().size() == 1) return str(unit.front());
  return str(unit);
}

TEST(ScriptCompile, GraphsAreTorchScripts) {
  int accepted = 0, identical = 0, explained = 0, unsupported = 0;
  for (const auto& path : testing::filesUnder(testing::testFiles() / "script", ".py")) {
    auto dump = std::filesystem::path(path).replace_extension(".ir");
    if (!std::filesystem::exists(dump)) continue;
    ++accepted;
    const std::string name = path.stem();
    auto module = script::parseModule(testing::readFile(path), path.filename());
    ASSERT_TRUE(module) << module.error().str();
    auto unit = script::compile(**module, OpSet::sharedBuiltin());
    if (!unit) {
      for (const Error& error : unit.errors())
        EXPECT_EQ(error.kind, error_kind::Unsupported) << error.str();
      ++unsupported;
      continue;
    }
    EXPECT_TRUE(verify(*unit)) << name;
    const bool same = printed(*unit) == testing::readFile(dump);
    if (kDiffering.contains(name)) {
      EXPECT_FALSE(same) << name << " does not differ any more";
      ++explained;
    } else {
      EXPECT_EQ(printed(*unit), testing::readFile(dump)) << name;
    }
    identical += same;
  }
  std::printf(
      "%d programs that TorchScript accepts: %d identical, %d differing for a reason, %d not "
      "supported yet\n",
      accepted, identical, explained, unsupported);
  EXPECT_GE(identical, 313);
}

/// What a wrong program's comments say of it: `# ERROR: 5:12-15: message`, without the end.
std::vector<std::string> wantedErrors(llvm::StringRef text) {
  std::vector<std::string> wanted;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!line.consume_front("# ERROR: ")) continue;
    auto [place, message] = line.split(": ");
    wanted.push_back(place.split('-').first.str() + ": " + message.str());
  }
  return wanted;
}

std::vector<std::string> errorsOf(std::string text) {
  std::vector<Error> errors;
  auto module = script::parseModule(std::move(text), "f.py");
  if (!module) {
    errors = module.takeErrors();
  } else {
    auto unit = script::compile(**module, OpSet::sharedBuiltin());
    if (!unit) errors = unit.takeErrors();
  }
  std::vector<std::string> out;
  for (const Error& error : errors)
    out.push_back(llvm::StringRef(error.place.str()).split(':').second.str() + ": " +
                  error.message);
  return out;
}

TEST(ScriptCompile, WrongPrograms) {
  int programs = 0, equal = 0, refused = 0;
  for (const auto& path : testing::filesUnder(testing::testFiles() / "script/wrong", ".py")) {
    const std::string text = testing::readFile(path);
    const auto found = errorsOf(text);
    ++programs;
    refused += !found.empty();
    equal += found == wantedErrors(text);
  }
  std::printf("%d wrong programs: %d refused, %d with the places and messages wanted\n", programs,
              refused, equal);
  EXPECT_GE(equal, kWrongEqual);
}

} // namespace
} // namespace tine
