// The loops and forks that bench/ measures cost from source what the graphs written by hand cost.

#include "frontend/script/compile.h"
#include "interpreter/code.h"
#include "ir/parse.h"
#include "passes/pass.h"
#include "tests/fixture.h"

namespace tine {
namespace {

/// The instructions of a function, without their operands.
std::string instructions(const Code& code, llvm::StringRef function) {
  std::string out;
  llvm::SmallVector<llvm::StringRef> lines;
  const std::string text = code.find(function)->str();
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : llvm::drop_begin(lines)) {
    const auto [pc, rest] = line.split("  ");
    const llvm::StringRef name = rest.ltrim().split(' ').first;
    if (!name.empty()) out += (out.empty() ? "" : " ") + name.str();
  }
  return out;
}

std::shared_ptr<const Code> codeOf(CompilationUnit unit) {
  runPasses(unit, *OpSet::sharedBuiltin(), "default").value();
  return compile(unit, OpSet::sharedBuiltin()).value();
}

TEST(Code, FromSourceCostsWhatGraphsCost) {
  int compared = 0;
  for (const char* name : {"loops", "fork", "dispatch"}) {
    const std::string path = std::string(TINE_SOURCE_DIR) + "/bench/programs/" + name;
    auto module = script::parseModule(testing::readFile(path + ".py"), "source.py").value();
    auto source = codeOf(script::compile(*module, OpSet::sharedBuiltin()).value());
    auto graphs = codeOf(parse(testing::readFile(path + ".ir"), "graphs.ir").value());
    for (const FunctionCode* function : graphs->functions()) {
      if (!source->find(function->name)) continue;
      EXPECT_EQ(instructions(*source, function->name), instructions(*graphs, function->name))
          << function->name << "\n"
          << source->find(function->name)->str() << function->str();
      ++compared;
    }
  }
  EXPECT_GE(compared, 12);
}

} // namespace
} // namespace tine
