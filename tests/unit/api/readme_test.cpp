// What README.md shows is what happens.

#include "llvm/ADT/StringRef.h"
#include "tests/fixture.h"

#include <cstdio>

namespace tine {
namespace {

using tine::testing::readFile;

const std::filesystem::path root = TINE_SOURCE_DIR;

/// The blocks between ``` lines that begin with ```language.
std::vector<std::string> blocks(const std::string& language) {
  std::vector<std::string> found;
  const std::string text = readFile(root / "README.md");
  bool inside = false, wanted = false;
  for (llvm::StringRef rest = text; !rest.empty();) {
    const auto [line, next] = rest.split('\n');
    rest = next;
    if (line.starts_with("```")) {
      inside = !inside;
      wanted = inside && line.drop_front(3) == language;
      if (wanted) found.emplace_back();
    } else if (wanted) {
      found.back() += line.str() + "\n";
    }
  }
  return found;
}

TEST(Readme, ShowsHello) {
  EXPECT_EQ(blocks("cpp").at(0), readFile(root / "docs/tutorials/hello.cpp"));
}

TEST(Readme, ShowsTheSource) {
  EXPECT_EQ(blocks("python").at(0), readFile(root / "docs/examples/bar.py"));
}

#ifdef TINE_COMMAND
std::string outputOf(const std::string& commandLine) {
  const std::string line = "cd '" + (root / "docs/examples").string() + "' && PATH='" +
                           std::filesystem::path(TINE_COMMAND).parent_path().string() +
                           "':\"$PATH\" && " + commandLine + " 2>&1";
  std::string out;
  FILE* pipe = popen(line.c_str(), "r");
  if (!pipe) return "popen failed";
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  pclose(pipe);
  return testing::withoutSanitizerNotes(out);
}

TEST(Readme, ShowsHellosOutput) { EXPECT_EQ(outputOf("hello"), blocks("").at(0)); }

TEST(Readme, ShowsTheCommand) {
  int commands = 0;
  for (const std::string& block : blocks("")) {
    if (block.rfind("$ tine ", 0) != 0) continue;
    std::string command, expected;
    const auto compare = [&] {
      if (!command.empty()) {
        EXPECT_EQ(outputOf(command), expected) << command;
      }
      expected.clear();
    };
    for (llvm::StringRef rest = block; !rest.empty();) {
      const auto [line, next] = rest.split('\n');
      rest = next;
      if (line.starts_with("$ ")) {
        compare();
        command = line.drop_front(2).str();
        ++commands;
      } else {
        expected += line.str() + "\n";
      }
    }
    compare();
  }
  EXPECT_GE(commands, 4);
}
#endif

} // namespace
} // namespace tine
