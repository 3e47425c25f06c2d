#include "ir/builder.h"
#include "ir/filecheck.h"
#include "tests/fixture.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tine {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string failure(const FileCheck& check, llvm::StringRef text) {
  auto result = check.test(text);
  return result ? "passes" : result.error().message;
}

std::string notes(const FileCheck& check, llvm::StringRef text) {
  auto result = check.test(text);
  std::string all;
  if (!result)
    for (const Error::Note& note : result.error().notes) all += note.message + "\n";
  return all;
}

bool passes(const FileCheck& check, llvm::StringRef text) { return check.test(text).ok(); }

TEST(FileCheck, AgreesWithTorchScript) {
  std::ifstream table(TINE_SOURCE_DIR "/tests/oracle/filecheck.jsonl");
  ASSERT_TRUE(table);
  int cases = 0, passing = 0;
  for (std::string line; std::getline(table, line); ++cases) {
    auto json = nlohmann::json::parse(line);
    FileCheck check;
    for (const auto& directive : json["checks"]) {
      std::string kind = directive[0], text = directive[1];
      if (kind == "check")
        check.check(text);
      else if (kind == "check_next")
        check.checkNext(text);
      else if (kind == "check_same")
        check.checkSame(text);
      else if (kind == "check_not")
        check.checkNot(text);
      else if (kind == "check_dag")
        check.checkDag(text);
      else if (kind == "check_source_highlighted")
        check.checkSourceHighlighted(text);
      else
        check.checkCount(text, directive[2], kind == "check_count_exactly");
    }
    bool pass = json["pass"];
    passing += pass;
    EXPECT_EQ(passes(check, json["text"].get<std::string>()), pass) << line;
  }
  EXPECT_EQ(cases, 400);
  EXPECT_EQ(passing, 200);
}

TEST(FileCheck, SaysWhatItDidNotFind) {
  EXPECT_EQ(failure(FileCheck().check("x"), "abc\ndef\n"),
            "Expected to find \"x\" but did not find it\n"
            "Searched string:\n"
            "abc\n"
            "~ <--- HERE\n"
            "def\n"
            "From CHECK: x");
  EXPECT_EQ(failure(FileCheck().check("abc").check("x"), "abc\ndef\nghi\nj\nk\nl\nm\n"),
            "Expected to find \"x\" but did not find it\n"
            "Searched string:\n"
            "abc\n"
            "   ~ <--- HERE\n"
            "def\n"
            "ghi\n"
            "j\n"
            "From CHECK: x");
  EXPECT_EQ(failure(FileCheck().check("a"), ""), "Expected to find \"a\" but did not find it\n"
                                                 "Searched string:\n"
                                                 "\n"
                                                 "~ <--- HERE\n"
                                                 "From CHECK: a");
}

TEST(FileCheck, SaysWhatItFoundWrongly) {
  EXPECT_EQ(failure(FileCheck().check("a").checkNot("b").check("c"), "1\n2\n3\n4\na b c\n"),
            "Expected to not find \"b\" but found it\n"
            "2\n"
            "3\n"
            "4\n"
            "a b c\n"
            "  ~ <--- HERE\n"
            "From CHECK-NOT: b");
  EXPECT_THAT(failure(FileCheck().checkCount("a", 2, true), "a a a"),
              StartsWith("Expected to not find \"a\" but found it\na a a\n    ~ <--- HERE\n"
                         "From CHECK-COUNT-EXACTLY-2: a"));
  EXPECT_THAT(failure(FileCheck().check("a").checkNext("b"), "a\n\nzb"),
              StartsWith("Expected to find \"b\" on the next line but found it on line 3\n"));
  EXPECT_THAT(failure(FileCheck().check("a").checkNext("b"), "a b"),
              StartsWith("Expected to find \"b\" on the next line but there is none\n"));
  EXPECT_THAT(failure(FileCheck().check("a").checkSame("b"), "a\nb"),
              StartsWith("Expected to find \"b\" on the same line but found it on line 2\n"));
  EXPECT_THAT(failure(FileCheck().checkSourceHighlighted("abc"), "abc\n~~\n"),
              StartsWith("Expected to find \"abc\" highlighted but it is not\nabc\n~~~ <--- HERE"));
  EXPECT_THAT(failure(FileCheck().checkSourceHighlighted("abc"), "abcd\n~~~~\n"),
              StartsWith("Expected to find \"abc\" highlighted but more than it is"));
  // TorchScript does not see a highlight that ends with the text.
  EXPECT_TRUE(passes(FileCheck().checkSourceHighlighted("abc"), "x abc\n  ~~~"));
}

TEST(FileCheck, ShowsLongLinesInPart) {
  std::string line(1000, 'x');
  EXPECT_EQ(failure(FileCheck().checkNot("y"), line + "y" + line),
            "Expected to not find \"y\" but found it\n..." + std::string(100, 'x') + "y" +
                std::string(99, 'x') + "...\n" + std::string(103, ' ') + "~ <--- HERE\n" +
                "From CHECK-NOT: y");
}

TEST(FileCheck, HintsAtTheNearestLine) {
  std::string text = "%1 : int = prim::Constant[value=1]()\n%2 : int = aten::add(%1, %1)\n";
  EXPECT_EQ(notes(FileCheck().check("aten::ad(%1, %2)"), text),
            "the nearest is line 2: %2 : int = aten::add(%1, %1)\n");
  EXPECT_EQ(notes(FileCheck().check("aten::add").check("prim::Constant"), text),
            "it is on line 1, before the place where the search began\n");
  EXPECT_EQ(notes(FileCheck().check("something else entirely"), text), "");
}

TEST(FileCheck, HintsTakeBoundedTime) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "a line like many others, none of which is it\n";
  EXPECT_THAT(failure(FileCheck().check(std::string(199, 'q')), text), HasSubstr("did not find"));
}

TEST(FileCheck, Regex) {
  std::string text = "%12 : Tensor = aten::add(%1, %2)\n%13 : Tensor = aten::mul(%12, %12)\n";
  EXPECT_TRUE(passes(FileCheck().check("%{{[0-9]+}} : Tensor = aten::mul"), text));
  EXPECT_FALSE(passes(FileCheck().check("%{{[a-z]+}} : Tensor"), text));
  EXPECT_TRUE(passes(FileCheck().checkRegex("^%1[23] : .*mul"), text));
  // A regex does not reach over the end of a line; a newline in plain text does.
  EXPECT_FALSE(passes(FileCheck().check("add{{.*}}mul"), text));
  EXPECT_TRUE(passes(FileCheck().check("%2)\n%{{1.}} : Tensor = aten::mul"), text));
  EXPECT_TRUE(passes(FileCheck().check("a{{b{2}}}c"), "abbc"));
  // Special characters outside are plain.
  EXPECT_TRUE(passes(FileCheck().check("f(a.b)*[{{.}}]"), "f(a.b)*[x]"));
  EXPECT_FALSE(passes(FileCheck().check("f(a.b){{.}}"), "f(acb)x"));
  EXPECT_FALSE(passes(FileCheck().check("a").checkNot("{{[0-9]}}").check("b"), "a 1 b"));
  EXPECT_TRUE(passes(FileCheck().check("a").checkNot("{{[0-9]}}").check("b"), "a b 1"));
  EXPECT_TRUE(passes(FileCheck().check("a").checkNext("{{b|c}}"), "a\nxc"));
  EXPECT_TRUE(passes(FileCheck().checkCount("{{[ab]}}", 3, true), "abcb"));
  EXPECT_FALSE(passes(FileCheck().checkCount("{{[ab]}}", 3, true), "abcbb"));
}

TEST(FileCheck, Captures) {
  FileCheck same =
      FileCheck().check("[[X:%[0-9]+]] : Tensor = aten::add").check("mul([[X]], [[X]])");
  EXPECT_TRUE(passes(same, "%12 : Tensor = aten::add(%1)\naten::mul(%12, %12)\n"));
  EXPECT_FALSE(passes(same, "%12 : Tensor = aten::add(%1)\naten::mul(%12, %13)\n"));
  EXPECT_TRUE(
      passes(FileCheck().check("[[A:(a|b)+]]-[[B:c+]]").check("[[B]]=[[A]]"), "aba-cc\ncc=aba"))
      << "groups inside captures";
  // What was caught is plain text, whatever its characters.
  EXPECT_FALSE(passes(FileCheck().check("[[A:.\\*]]").check("{{^}}[[A]]$"), "a*\naaa"));
  // Without a capture of that name it is plain: nested lists look like this.
  EXPECT_TRUE(passes(FileCheck().check("value=[[True], [2]]"), "value=[[True], [2]]"));
  EXPECT_TRUE(passes(FileCheck().check("[[A]]"), "[[A]]"));
}

TEST(FileCheck, RefusesDangerousRegexes) {
  auto kind = [](const std::string& regex) {
    auto result = FileCheck().checkRegex(regex).test("aaaa");
    return result ? "passes" : result.error().kind + ": " + result.error().message;
  };
  EXPECT_EQ(kind("(a)\\1"), "SyntaxError: the regex `(a)\\1` has a back reference");
  EXPECT_THAT(kind("(((a{1,200}){1,200}){1,200})"), HasSubstr("repeats too much"));
  EXPECT_THAT(kind("a{99999999999999999999}"), HasSubstr("SyntaxError"));
  EXPECT_THAT(kind(std::string(60, '(') + "a" + std::string(60, ')')),
              HasSubstr("is nested too deeply"));
  EXPECT_THAT(kind(std::string(1001, 'a')), HasSubstr("is longer than 1000 bytes"));
  EXPECT_THAT(kind("(a"), HasSubstr("is malformed"));
  EXPECT_THAT(kind("[a"), HasSubstr("is malformed"));
  EXPECT_EQ(kind("[(((]*a"), "passes");
  EXPECT_EQ(kind("[[:alpha:](]{4}"), "passes");
  // Exponential for matchers that backtrack.
  EXPECT_FALSE(passes(FileCheck().checkRegex("^(a|aa|a*)*b?c"), std::string(20000, 'a') + "bd c"));
}

TEST(FileCheck, FromComments) {
  auto check = FileCheck::fromComments("graph(%a):   # CHECK: aten::add\n"
                                       "#CHECK-NEXT: mul\r\n"
                                       "  #      CHECK-SAME: x\n"
                                       "# CHECK-NOT: b\n"
                                       "# CHECK-DAG: d1\n# CHECK-DAG: d2\n"
                                       "# CHECK-COUNT-2: c\n"
                                       "# CHECK-COUNT-EXACTLY-2: e\n"
                                       "# CHECK-SOURCE-HIGHLIGHTED: h\n"
                                       "# CHECK-REGEX: ^r+\n"
                                       "## CHECK: not one\n"
                                       "#       CHECK: nor this\n"
                                       "# checks\n",
                                       "f.ir");
  ASSERT_TRUE(check);
  EXPECT_TRUE(passes(*check, "aten::add\nmul x d2 d1 c c e e h\n                    ~\nrr\n"));
  EXPECT_FALSE(passes(*check, "aten::add\nmul x b d2 d1 c c e e h\n                      ~\nrr\n"));
  auto result = check->test("aten::add\nmul y\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(tine::testing::said(result.error()),
            "CheckError: Expected to find \"x\" but did not find it\nSearched string:\naten::add\n"
            "mul y\n   ~ <--- HERE\nFrom CHECK-SAME: x");
  EXPECT_EQ(result.error().place.str(), "f.ir:3:10");
  EXPECT_EQ(result.error().place.text, "  #      CHECK-SAME: x");
}

TEST(FileCheck, FromCommentsReportsEveryError) {
  auto check = FileCheck::fromComments("# CHECK-FOO: a\n"
                                       "# CHECK:b\n"
                                       "# CHECK\n"
                                       "# CHECK-COUNT-: c\n"
                                       "# CHECK-COUNT-0: c\n"
                                       "# CHECK-COUNT--1: c\n"
                                       "# CHECK-COUNT-99999999999: c\n"
                                       "# CHECK: {{(}}\n"
                                       "# CHECK: fine\n",
                                       "f.ir");
  ASSERT_FALSE(check);
  std::vector<std::string> found;
  for (const Error& error : check.errors())
    found.push_back(error.place.str() + " " + error.kind + " " +
                    error.message.substr(0, error.message.find(':')));
  EXPECT_THAT(found, ::testing::ElementsAre(
                         "f.ir:1:3 SyntaxError not a check", "f.ir:2:3 SyntaxError not a check",
                         "f.ir:3:3 SyntaxError not a check", "f.ir:4:3 SyntaxError not a check",
                         "f.ir:5:3 SyntaxError not a check", "f.ir:6:3 SyntaxError not a check",
                         "f.ir:7:3 SyntaxError not a check",
                         "f.ir:8:3 SyntaxError the regex `(` is malformed"));
  EXPECT_EQ(check.error().notes.at(0).message,
            "there are CHECK, CHECK-NEXT, CHECK-SAME, CHECK-NOT, CHECK-DAG, CHECK-COUNT-EXACTLY-N, "
            "CHECK-COUNT-N, CHECK-SOURCE-HIGHLIGHTED, CHECK-REGEX, each with `: ` behind it");
}

TEST(FileCheck, NoChecksAreAnError) {
  EXPECT_EQ(failure(FileCheck(), "text"), "there are no checks");
  for (llvm::StringRef text : {"", "#", "no checks\n", "# check: a", "CHECK: a", "#\n#\n"}) {
    auto check = FileCheck::fromComments(text, "f");
    ASSERT_FALSE(check) << text.str();
    EXPECT_THAT(check.error().message, StartsWith("there are no checks"));
  }
}

TEST(FileCheck, CountsOfNothingEnd) {
  EXPECT_TRUE(passes(FileCheck().checkCount("", 2147483647), "text"));
  EXPECT_TRUE(passes(FileCheck().checkCount("{{x*}}", 2147483647), "text"));
}

TEST(FileCheck, RunsOnGraphs) {
  Graph graph;
  Value* x = graph.addInput("x", Type::tensorType());
  Builder b(graph);
  graph.addOutput(b.call("aten::neg", {x}));
  FileCheck().check("graph(%x").check("aten::neg(%x)").check("return").run(graph);
  try {
    FileCheck().check("aten::abs").run(graph);
    FAIL() << "found what is not there";
  } catch (const RuntimeError& error) {
    EXPECT_EQ(error.kind(), "CheckError");
    EXPECT_THAT(error.message(), HasSubstr("graph(%x : Tensor):"));
  }
}

// ---- very large input: each takes time that grows with it, not with its square
// -------------------

TEST(FileCheckLimits, ManyChecks) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "# CHECK-DAG: x\n";
  auto check = FileCheck::fromComments(text, "f.ir");
  ASSERT_TRUE(check);
  EXPECT_TRUE(passes(*check, "x\n"));
  auto failed = FileCheck::fromComments(text + "# CHECK: y\n", "f.ir")->test("x\n");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().place.str(), "f.ir:100001:3");
}

TEST(FileCheckLimits, ManyWrongChecksAndManyThatFail) {
  std::string wrong, refused;
  for (int i = 0; i < 100'000; ++i) wrong += "# CHECK-FOO: x\n", refused += "# CHECK-NOT: x\n";
  EXPECT_EQ(FileCheck::fromComments(wrong, "f.ir").errors().size(), 100u);
  EXPECT_EQ(FileCheck::fromComments(refused, "f.ir")->test("x\n").errors().size(), 100u);
}

TEST(FileCheckLimits, BracketsAndBracesThatCloseNothing) {
  for (const char* part : {"[[", "{{", "[[a:", "[[a", "[[a]", "{{[[", "]]", "}}"}) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += part;
    FileCheck check;
    check.check(text);
    if (std::string(part) == "[[a:") {
      EXPECT_THAT(failure(check, text), StartsWith("the regex `[[a:[[a:"));
    } else {
      EXPECT_TRUE(passes(check, text)) << part;
    }
    EXPECT_FALSE(passes(check, text.substr(1))) << part;
  }
}

TEST(FileCheckLimits, WhatACaptureStandsFor) {
  std::string line(1 << 18, 'a'), uses;
  for (int i = 0; i < 100; ++i) uses += "[[A]]";
  FileCheck check;
  check.check("[[A:a+]]").check(uses);
  EXPECT_EQ(failure(check, line + "\n" + line + "\n"), "a check for more than 16 MiB");
}

} // namespace
} // namespace tine
