// docs/passes.md says what happens: every pass has a section whose first text becomes the second,
// and the default is listed as it is.
#include "tests/unit/passes/passes_test.h"

#include <gmock/gmock.h>

namespace tine::testing {
namespace {

struct Section {
  std::string title;
  std::vector<std::string> blocks; ///< between ``` lines
  std::vector<std::string> items;  ///< the first `word` of numbered lines
};

std::vector<Section> sections() {
  std::vector<Section> found(1);
  const std::string text = readFile(std::filesystem::path(TINE_SOURCE_DIR) / "docs" / "passes.md");
  bool inside = false;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) found.back().blocks.emplace_back();
    } else if (inside) {
      found.back().blocks.back() += line.str() + "\n";
    } else if (line.consume_front("## ")) {
      found.push_back({line.str(), {}, {}});
    } else if (!line.empty() && line.front() >= '1' && line.front() <= '9') {
      found.back().items.push_back(line.split('`').second.split('`').first.str());
    }
  }
  return found;
}

TEST(PassesPage, EveryPassDoesWhatItsSectionShows) {
  std::vector<Section> all = sections();
  llvm::ArrayRef<Pass> passes = allPasses();
  ASSERT_GT(all.size(), passes.size());
  llvm::ArrayRef<Section> last = llvm::ArrayRef(all).take_back(passes.size());
  for (std::size_t i = 0; i < passes.size(); ++i) {
    EXPECT_EQ(last[i].title, passes[i].name.str());
    ASSERT_EQ(last[i].blocks.size(), 2u) << last[i].title;
    CompilationUnit unit = readUnit(last[i].blocks[0]);
    auto ran = runPasses(unit, *OpSet::sharedBuiltin(), passes[i].name);
    ASSERT_TRUE(ran) << ran.error().str();
    EXPECT_EQ(str(unit, {.locations = false}), last[i].blocks[1]) << last[i].title;
    EXPECT_NE(last[i].blocks[0], last[i].blocks[1]) << last[i].title;
  }
}

TEST(PassesPage, ListsTheDefaultInItsOrder) {
  std::vector<std::string> pipeline;
  for (llvm::StringRef name : defaultPipeline()) pipeline.push_back(name.str());
  for (const Section& section : sections())
    if (section.title == "The default") {
      EXPECT_EQ(section.items, pipeline);
      return;
    }
  FAIL() << "no section";
}

} // namespace
} // namespace tine::testing
