#include "ir/builder.h"
#include "tests/unit/passes/passes_test.h"

namespace tine::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> namesOf(llvm::StringRef text) {
  auto passes = parsePasses(text);
  std::vector<std::string> names;
  if (!passes) return {passes.error().message};
  for (const Pass& pass : *passes) names.push_back(pass.name.str());
  return names;
}

TEST(Passes, ReadByName) {
  EXPECT_THAT(namesOf("dce, cse"), ElementsAre("dce", "cse"));
  EXPECT_THAT(namesOf("none"), ElementsAre());
  EXPECT_THAT(namesOf(""), ElementsAre());
  EXPECT_THAT(namesOf("dce,"), ElementsAre("there is no pass ``; `tine passes` lists them"));
  EXPECT_THAT(namesOf("pool,none,pool"), ElementsAre("pool", "pool"));
  std::vector<std::string> pipeline;
  for (llvm::StringRef name : defaultPipeline()) pipeline.push_back(name.str());
  EXPECT_EQ(namesOf("default"), pipeline);
  pipeline.push_back("canonicalize");
  EXPECT_EQ(namesOf("default,canonicalize"), pipeline);
}

TEST(Passes, UnknownNamesGiveNearOnes) {
  auto passes = parsePasses("dec,fold,inlin");
  ASSERT_FALSE(passes);
  ASSERT_EQ(passes.errors().size(), 2u);
  EXPECT_EQ(passes.errors()[0].kind, error_kind::Value);
  EXPECT_EQ(passes.errors()[0].message, "there is no pass `dec`; did you mean `dce`?");
  EXPECT_EQ(passes.errors()[1].message, "there is no pass `inlin`; did you mean `inline`, "
                                        "`inline_bodies`, `inline_fork_wait`?");
  auto far = parsePasses("vectorize");
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().message, "there is no pass `vectorize`; `tine passes` lists them");
}

TEST(Passes, TableIsSortedAndDescribed) {
  for (std::size_t i = 0; i < allPasses().size(); ++i) {
    EXPECT_FALSE(allPasses()[i].doc.empty()) << allPasses()[i].name.str();
    if (i > 0) {
      EXPECT_LT(allPasses()[i - 1].name, allPasses()[i].name);
    }
  }
}

constexpr const char* twoNodes = R"(graph(%x : int):
  %a : int = aten::neg(%x) # f.py:3:4
  %b : int = aten::neg(%a) # f.py:4:4
  return (%b)
)";

/// A pass that is wrong: it drops a node that is still used.
bool dropsUsedNode(Graph& graph, const PassContext&) {
  (*graph.nodes().begin())->unlink();
  return true;
}

TEST(Passes, BrokenGraphNamesPassNodeAndUse) {
  CompilationUnit unit = readUnit(twoNodes);
  Pass wrong{"wrong", dropsUsedNode, "drops a node that is used"};
  auto ran = runPasses(unit, *OpSet::sharedBuiltin(), wrong);
  ASSERT_FALSE(ran);
  const Error& error = ran.error();
  EXPECT_EQ(error.kind, error_kind::Verify);
  EXPECT_THAT(error.message, HasSubstr("pass `wrong` broke the graph: "));
  EXPECT_THAT(error.message, HasSubstr("%a")); // the value of the node that is gone
  EXPECT_EQ(error.place.str(), "f.py:4:5");    // the use
  // Put back, so that the graph can be destroyed like any other.
  Graph& graph = unit.front();
  Node* use = *graph.nodes().begin();
  use->input(0)->node()->insertBefore(use);
  EXPECT_TRUE(runPasses(unit, *OpSet::sharedBuiltin(), "none"));
}

TEST(Passes, EachIsReported) {
  CompilationUnit unit = readUnit(twoNodes);
  std::vector<std::string> seen;
  PassOptions options;
  options.after = [&](const Pass& pass, const CompilationUnit& after, bool changed) {
    seen.push_back(pass.name.str() + (changed ? " changed" : " same"));
    EXPECT_EQ(&after, &unit);
  };
  ASSERT_TRUE(
      runPasses(unit, *OpSet::sharedBuiltin(), "dce,canonicalize,drop_names,drop_names", options));
  EXPECT_THAT(
      seen, ElementsAre("dce same", "canonicalize same", "drop_names changed", "drop_names same"));
}

TEST(Passes, DumpsSurviveAll) {
  std::vector<std::filesystem::path> files = filesUnder(testFiles() / "torchscript", ".ir");
  std::size_t scripted = files.size();
  for (const auto& file : filesUnder(testFiles() / "trace", ".ir")) files.push_back(file);
  EXPECT_GT(scripted, 100u);
  EXPECT_GT(files.size(), scripted + 50);
  auto ops = OpSet::sharedBuiltin();
  std::size_t changes = 0;
  for (const auto& file : files) {
    std::string text = readFile(file);
    auto original = parse(text, file.filename().string());
    ASSERT_TRUE(original) << original.error().str();
    std::string before = str(*original, {.style = Style::Lossless});
    std::vector<std::string> names{"default"};
    for (const Pass& pass : allPasses()) names.push_back(pass.name.str());
    for (const std::string& name : names) {
      CompilationUnit unit = *parse(text, file.filename().string());
      bool changed = false;
      PassOptions options;
      options.after = [&](const Pass&, const CompilationUnit&, bool c) { changed |= c; };
      auto ran = runPasses(unit, *ops, name, options);
      ASSERT_TRUE(ran) << name << ": " << ran.error().str();
      std::string after = str(unit, {.style = Style::Lossless});
      // Renumbering changes no text that names what it numbers; all else that changes shows.
      if (name != "canonicalize") {
        EXPECT_EQ(changed, before != after) << name << " of " << file;
      }
      changes += changed;
      // The second time there is nothing left to do.
      if (name == "default") continue;
      bool again = false;
      options.after = [&](const Pass&, const CompilationUnit&, bool c) { again |= c; };
      ASSERT_TRUE(runPasses(unit, *ops, name, options));
      EXPECT_FALSE(again) << name << " of " << file << "\n" << after;
    }
  }
  EXPECT_GT(changes, 500u);
}

} // namespace
} // namespace tine::testing
