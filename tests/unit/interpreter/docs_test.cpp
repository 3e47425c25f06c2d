// docs/fork_wait.md names a test for every statement: each must exist.

#include "llvm/ADT/StringSet.h"
#include "tests/fixture.h"

#include <regex>

namespace tine::testing {
namespace {

TEST(ForkWaitPage, NamesTestsThatExist) {
  const std::filesystem::path source = TINE_SOURCE_DIR;
  llvm::StringSet<> known;
  const std::regex test(R"(\nTEST(?:_P|_F)?\((\w+), (\w+)\))");
  for (const auto& path : filesUnder(source / "tests" / "unit", ".cpp")) {
    const std::string text = readFile(path);
    for (std::sregex_iterator it(text.begin(), text.end(), test), end; it != end; ++it)
      known.insert((*it)[1].str() + "." + (*it)[2].str());
  }
  const std::string page = readFile(source / "docs" / "fork_wait.md");
  // [Suite.Name, folder/file.ir]
  const std::regex bracket(R"(\[([\w./,\s]+)\](?!\())"), name(R"([\w./]+)");
  std::size_t count = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), bracket), end; it != end; ++it) {
    const std::string inside = (*it)[1];
    for (std::sregex_iterator word(inside.begin(), inside.end(), name); word != end; ++word) {
      const std::string found = word->str();
      if (found.find('.') == std::string::npos) continue; // Future[int]
      ++count;
      if (found.find('/') != std::string::npos)
        EXPECT_TRUE(std::filesystem::exists(testFiles() / found)) << found;
      else
        EXPECT_TRUE(known.contains(found)) << found;
    }
  }
  EXPECT_GT(count, 60u);
}

} // namespace
} // namespace tine::testing
