// Runs the files under tests/files/ whose first line is `# test: ...`: graph text that says in
// comments what is done to it and what must come out.
//
//   # test: cat        the file is what it prints as, comment lines apart
//   # test: verify     each line with `# error: TEXT` has the error TEXT (of the parser or the
//                      verifier); a line of its own stands for the line above that is no comment.
//                      No other errors, and none left over.
//   # test: check      `# CHECK: ...` comments hold for the printed graphs (FileCheck)
//   # test: run        `# run:` comments hold with 0, 1, 2 and 8 workers, and in some seeded
//   schedules:
//     # run: main(3, [1]) == 9               arguments and results as `tine run` takes them; equal
//     # run: main(0.5) ~= 1.25               to the last bit, or to 1e-5 relative
//     # run: main(0) raises IndexError: TEXT    the error's kind; its message contains TEXT
//     # run: main(0) raises IndexError: TEXT @ f:9:3 < f:4:1
//                                            and its traceback, innermost first; `<<` is a fork
//     # workers: 0 1                         only with these
//
//   # test: pass=cse,dce  `# CHECK: ...` comments hold for what is printed after the passes, and
//                      so do `# run:` comments, when there are any
//
//   # test: errors     many wrong texts in one file: parse_test.cpp reads those, not this runner
//
// Several words may follow `# test:`. Whatever a file asks for, it is printed, parsed and printed
// again in both styles.

#include "interpreter/scheduler.h"
#include "ir/equal.h"
#include "ir/filecheck.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "passes/pass.h"
#include "tests/fixture.h"
#include "tests/same_result.h"
#include "tools/arguments.h"

#include <cmath>

namespace tine {
namespace {

using testing::readFile;

constexpr std::uint64_t kSeeds = 5;

std::string all(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& error : errors) text += error.str();
  return text;
}

/// The text after `# WORD` in each comment that begins so, with its line's number from 1.
struct Directive {
  std::size_t line;
  llvm::StringRef text;
  bool alone; ///< nothing but the comment is on the line
};
std::vector<Directive> directives(llvm::StringRef text, llvm::StringRef word) {
  std::vector<Directive> found;
  for (std::size_t line = 1; !text.empty(); ++line) {
    llvm::StringRef current;
    std::tie(current, text) = text.split('\n');
    std::size_t at = current.find("# " + word.str());
    if (at == llvm::StringRef::npos) continue;
    found.push_back(
        {line, current.substr(at + 2 + word.size()).trim(), current.take_front(at).trim().empty()});
  }
  return found;
}

bool isComment(llvm::StringRef line) { return line.ltrim().starts_with("#"); }

class FileTest : public ::testing::TestWithParam<std::filesystem::path> {
protected:
  void cat(const CompilationUnit& unit, llvm::StringRef text) {
    std::string code;
    while (!text.empty()) {
      llvm::StringRef line;
      std::tie(line, text) = text.split('\n');
      if (!isComment(line)) code += line.str() + "\n";
    }
    std::string printed;
    print(printed, unit);
    EXPECT_EQ(printed, code);
  }

  /// Printing and reading back gives the same, in both styles.
  void roundTrip(const CompilationUnit& unit) {
    std::string compat, lossless, again;
    print(compat, unit);
    auto fromCompat = parse(compat);
    ASSERT_TRUE(fromCompat) << compat << all(fromCompat.errors());
    print(again, *fromCompat);
    EXPECT_EQ(again, compat);
    print(lossless, unit, {Style::Lossless});
    auto fromLossless = parse(lossless);
    ASSERT_TRUE(fromLossless) << lossless << all(fromLossless.errors());
    again.clear();
    print(again, *fromLossless, {Style::Lossless});
    EXPECT_EQ(again, lossless);
    std::string why;
    EXPECT_TRUE(equal(unit, *fromLossless, &why)) << why << "\n" << lossless;
  }

  void verifies(const std::vector<Error>& errors, llvm::StringRef text) {
    struct Expected {
      std::size_t line;
      llvm::StringRef text;
      bool met = false;
    };
    llvm::SmallVector<llvm::StringRef> lines;
    text.split(lines, '\n');
    std::vector<Expected> expected;
    for (const Directive& directive : directives(text, "error:")) {
      std::size_t line = directive.line;
      while (directive.alone && line > 1 && isComment(lines[line - 1])) --line;
      expected.push_back({line, directive.text});
    }
    EXPECT_FALSE(expected.empty()) << "no `# error:`";
    for (const Error& error : errors) {
      bool met = false;
      for (Expected& one : expected) {
        if (one.met || one.line != error.place.line || error.message != one.text) continue;
        met = one.met = true;
        break;
      }
      EXPECT_TRUE(met) << "not expected: " << error.str();
    }
    for (const Expected& one : expected)
      EXPECT_TRUE(one.met) << "line " << one.line << " has no error: " << one.text.str();
  }

  void checks(const CompilationUnit& unit, llvm::StringRef text) {
    auto check = FileCheck::fromComments(text, name());
    ASSERT_TRUE(check) << all(check.errors());
    std::string printed;
    print(printed, unit);
    auto result = check->test(printed);
    EXPECT_TRUE(result) << all(result.errors());
  }

  // ---- run --------------------------------------------------------------------------------------

  /// Equal but for rounding, when `nearly`.
  static bool agree(const IValue& a, const IValue& b, bool nearly) {
    if (!nearly) return identical(a, b);
    auto near = [](double x, double y) {
      return x == y || (std::isnan(x) && std::isnan(y)) ||
             std::abs(x - y) <= 1e-5 * std::max(std::abs(x), std::abs(y));
    };
    if (a.isDouble() && b.isDouble()) return near(a.toDouble(), b.toDouble());
    auto allAgree = [](const std::vector<IValue>& x, const std::vector<IValue>& y) {
      bool same = x.size() == y.size();
      for (std::size_t i = 0; same && i < x.size(); ++i) same = agree(x[i], y[i], true);
      return same;
    };
    if (a.isList() && b.isList()) return allAgree(a.toList().items, b.toList().items);
    if (a.isTuple() && b.isTuple()) return allAgree(a.toTuple().items, b.toTuple().items);
    if (!a.isTensor() || !b.isTensor()) return identical(a, b);
    Tensor x = a.toTensor().contiguous(), y = b.toTensor().contiguous();
    if (x.dtype() != y.dtype() || x.sizes() != y.sizes()) return false;
    return dispatch(x.dtype(), [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < x.numel(); ++i)
        if (!near(static_cast<double>(x.data<T>()[i]), static_cast<double>(y.data<T>()[i])))
          return false;
      return true;
    });
  }

  static std::string traceback(const Error& error) {
    std::string text;
    for (std::size_t i = error.traceback.size(); i-- > 0;) {
      const TraceEntry& entry = error.traceback[i];
      text += entry.function + ":" + std::to_string(entry.place.line) + ":" +
              std::to_string(entry.place.column);
      if (i) text += entry.edge == TraceEntry::Edge::Fork ? " << " : " < ";
    }
    return text;
  }

  void runs(const CompilationUnit& unit, llvm::StringRef text) {
    auto code = compile(unit, OpSet::sharedBuiltin());
    ASSERT_TRUE(code) << all(code.errors());
    std::vector<int> counts(std::begin(testing::kWorkerCounts), std::end(testing::kWorkerCounts));
    for (const Directive& directive : directives(text, "workers:")) {
      counts.clear();
      llvm::SmallVector<llvm::StringRef> words;
      directive.text.split(words, ' ', -1, false);
      for (llvm::StringRef word : words) counts.push_back(std::stoi(word.str()));
    }
    auto lines = directives(text, "run:");
    EXPECT_FALSE(lines.empty()) << "no `# run:`";
    const auto runWith = [&](Scheduler::Config config, const std::string& how) {
      Scheduler scheduler(std::move(config));
      for (const Directive& line : lines) {
        SCOPED_TRACE(name() + ":" + std::to_string(line.line) + ", " + how);
        runLine(scheduler, *code, unit, line.text);
      }
    };
    for (int workers : counts) runWith({.workers = workers}, "workers " + std::to_string(workers));
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
      runWith({.schedule = Schedule::seeded(seed)}, "schedule seed:" + std::to_string(seed));
  }

  void passes(const CompilationUnit& unit, llvm::StringRef names, llvm::StringRef text) {
    CompilationUnit after = testing::copyUnit(unit);
    auto ran = runPasses(after, *OpSet::sharedBuiltin(), names);
    ASSERT_TRUE(ran) << all(ran.errors());
    checks(after, text);
    if (!directives(text, "run:").empty()) runs(after, text);
  }

  /// As it is, and after each pass and the default ones: nobody can tell.
  void runsWithPasses(const CompilationUnit& unit, llvm::StringRef text) {
    runs(unit, text);
    std::vector<std::string> names{"default"};
    for (const Pass& pass : allPasses()) names.push_back(pass.name.str());
    for (const std::string& name : names) {
      SCOPED_TRACE("after " + name);
      CompilationUnit after = testing::copyUnit(unit);
      auto ran = runPasses(after, *OpSet::sharedBuiltin(), name);
      ASSERT_TRUE(ran) << all(ran.errors());
      runs(after, text);
    }
  }

  void runLine(Scheduler& scheduler, std::shared_ptr<const Code> code, const CompilationUnit& unit,
               llvm::StringRef line) {
    std::size_t relation =
        std::min({line.find(") == "), line.find(") ~= "), line.find(") raises ")});
    ASSERT_NE(relation, llvm::StringRef::npos) << "not a run line: " << line.str();
    auto [function, arguments] = line.take_front(relation).split('(');
    llvm::StringRef wanted = line.substr(relation + 2);
    const NamedGraph* found = unit.findFunction(function);
    ASSERT_TRUE(found) << "no function " << function.str();
    tools::ArgumentReader reader(0);
    std::vector<IValue> values;
    if (!arguments.trim().empty()) {
      auto tuple = reader.read("(" + arguments.str() + ",)", name());
      ASSERT_TRUE(tuple) << all(tuple.errors());
      values = tuple->toTuple().items;
    }
    std::vector<std::string> texts(values.size());
    auto bound = tools::bindArguments(*found, std::move(values), texts);
    ASSERT_TRUE(bound) << all(bound.errors());
    bool fails = wanted.consume_front("raises ");
    try {
      Ref<FutureState> future = scheduler.run(code, function, *std::move(bound));
      IValue result = scheduler.wait(*future);
      ASSERT_FALSE(fails) << "gives " << result.str();
      bool nearly = wanted.starts_with("~=");
      auto expected = reader.read(wanted.drop_front(2).trim(), name());
      ASSERT_TRUE(expected) << all(expected.errors());
      EXPECT_TRUE(agree(result, *expected, nearly))
          << "gives " << result.str() << ", not " << expected->str();
    } catch (const RuntimeError& error) {
      ASSERT_TRUE(fails) << error.error().str();
      auto [what, trace] = wanted.split(" @ ");
      auto [kind, message] = what.split(':');
      EXPECT_EQ(error.kind(), kind.trim().str()) << error.error().str();
      EXPECT_THAT(error.message(), ::testing::HasSubstr(message.trim().str()));
      if (!trace.empty()) {
        EXPECT_EQ(traceback(error.error()), trace.trim().str());
      }
    }
  }

  std::string name() const {
    return std::filesystem::relative(GetParam(), testing::testFiles()).string();
  }
};

TEST_P(FileTest, Does) {
  std::string text = readFile(GetParam());
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(text).split('\n').first.substr(8).split(words, ' ', -1, false);
  ASSERT_FALSE(words.empty());
  auto unit = parse(text, name());
  if (words[0] == "verify") {
    EXPECT_EQ(words.size(), 1u);
    verifies(unit ? std::vector<Error>() : unit.errors(), text);
    return;
  }
  ASSERT_TRUE(unit) << all(unit.errors());
  roundTrip(*unit);
  for (llvm::StringRef word : words) {
    if (word == "cat")
      cat(*unit, text);
    else if (word == "check")
      checks(*unit, text);
    else if (word.consume_front("pass="))
      passes(*unit, word, text);
    else if (word == "run")
      runsWithPasses(*unit, text);
    else
      ADD_FAILURE() << "unknown test " << word.str();
  }
}

std::vector<std::filesystem::path> tests() {
  std::vector<std::filesystem::path> found;
  for (const auto& path : testing::filesUnder(testing::testFiles(), ".ir"))
    if (std::string text = readFile(path); llvm::StringRef(text).starts_with("# test: ") &&
                                           !llvm::StringRef(text).starts_with("# test: errors"))
      found.push_back(path);
  return found;
}

std::string testName(const ::testing::TestParamInfo<std::filesystem::path>& file) {
  std::string name =
      std::filesystem::relative(file.param, testing::testFiles()).replace_extension().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Files, FileTest, ::testing::ValuesIn(tests()), testName);

TEST(Files, AreThere) { EXPECT_GE(tests().size(), 25u); }

} // namespace
} // namespace tine
