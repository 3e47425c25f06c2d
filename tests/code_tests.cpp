// Graphs written as source (frontend/script/code.h): byte for byte what TorchScript's serializer
// writes of the same functions, which tests/oracle/make_code.py wrote to
// tests/files/script/code.json; and source that compiles to the same program again.

#include "frontend/script/code.h"
#include "frontend/script/compile.h"
#include "interpreter/scheduler.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tests/canonical.h"
#include "tests/fixture.h"
#include "tests/random_program.h"
#include "tests/same_result.h"
#include "tools/arguments.h"
#include "tools/json.h"

#include <map>

namespace tine {
namespace {

using testing::readFile;
using tools::Json;

/// What was reached; a change that makes one of them worse fails.
constexpr int kIdentical = 526, kPrograms = 452;

std::string all(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& error : errors) text += error.str();
  return text;
}

Result<CompilationUnit> compiled(const std::string& source, const std::string& file) {
  TINE_TRY(auto module, script::parseModule(source, file));
  return script::compile(*module, OpSet::sharedBuiltin());
}

/// What a call gives: its result, or the error's kind and message, and what it prints.
std::string outcome(Scheduler& scheduler, const std::shared_ptr<const Code>& code,
                    const CompilationUnit& unit, llvm::StringRef call) {
  const auto [name, text] = call.drop_back().split('(');
  auto arguments = tools::ArgumentReader(0).read("(" + text.str() + ",)", "arguments");
  std::vector<IValue> values;
  if (!text.empty()) values = arguments.value().toTuple().items;
  const std::vector<std::string> texts(values.size());
  auto bound = tools::bindArguments(*unit.findFunction(name), std::move(values), texts);
  if (!bound) return all(bound.errors());
  std::string out;
  ::testing::internal::CaptureStdout();
  try {
    auto json = tools::toJson(scheduler.wait(*scheduler.run(code, name, *std::move(bound))));
    out = json ? json->dump() : all(json.errors());
  } catch (const RuntimeError& error) {
    out = error.error().kind + ": " + error.error().message;
  }
  return out + "\n" + ::testing::internal::GetCapturedStdout();
}

TEST(Code, IsTorchScripts) {
  const auto ops = OpSet::sharedBuiltin();
  const auto known = Json::parse(readFile(testing::testFiles() / "script/code.json"));
  int functions = 0, identical = 0;
  for (const auto& [name, wanted] : known.items()) {
    const auto path = testing::testFiles() / "script" / (name + ".py");
    auto unit = compiled(readFile(path), path.filename());
    if (!unit) continue;
    // Compiled by itself, a text has no module.
    const bool module =
        Json::parse(readFile(testing::testFiles() / "script" / (name + ".json")))["oracle"] ==
        "script";
    const script::CodeOptions options{module ? "__torch__." + name + "." : "__torch__.", &*unit};
    for (const auto& [function, code] : wanted.items()) {
      const NamedGraph* found = unit->findFunction(function);
      ASSERT_TRUE(found) << name << ": " << function;
      auto text = script::code(*found, *ops, options);
      ++functions;
      const bool same = text && *text == code.get_ref<const std::string&>();
      identical += same;
      if (!same && std::getenv("TINE_SHOW"))
        std::printf("%s: %s\n%s---\n%s", name.c_str(), function.c_str(),
                    code.get_ref<const std::string&>().c_str(),
                    text ? text->c_str() : all(text.errors()).c_str());
    }
  }
  std::printf("%d functions and methods, %d with TorchScript's source\n", functions, identical);
  EXPECT_GE(identical, kIdentical);
}

/// Programs whose source is not all that they are, and why.
const std::map<std::string, const char*> kDiffers = {
    {"class_sort", "what sorts objects is named after their class, and as a static method is not"},
    {"enum_class_iterate", "a constant list of members is made anew"},
    {"named_tuple", "the elements of a List[Any] out of a tuple are cast"},
    {"tuples", "the elements of a List[Any] out of a tuple are cast"}};

/// All programs: their source compiles to an equal graph, whose source is the same text; and gives
/// the same results. Source of their graphs alone compiles, too.
TEST(Code, OfEveryProgramCompilesToAnEqualGraph) {
  const auto ops = OpSet::sharedBuiltin();
  int programs = 0, equal = 0, fixed = 0, calls = 0;
  Scheduler scheduler({.workers = 2});
  for (const auto& path : testing::filesUnder(testing::testFiles() / "script", ".py")) {
    if (path.parent_path().filename() != "script") continue;
    SCOPED_TRACE(path.filename().string());
    auto unit = compiled(readFile(path), path.filename());
    if (!unit) continue; // what is not supported yet
    ++programs;
    auto text = script::code(*unit, *ops);
    ASSERT_TRUE(text) << all(text.errors());
    auto second = compiled(*text, path.filename());
    ASSERT_TRUE(second) << *text << all(second.errors());
    const std::string before = testing::canonical(*unit), after = testing::canonical(*second);
    const bool differs = kDiffers.contains(path.stem());
    equal += before == after;
    if (differs)
      EXPECT_NE(before, after) << "it does not differ any more";
    else
      EXPECT_EQ(before, after) << *text;
    auto again = script::code(*second, *ops);
    ASSERT_TRUE(again) << all(again.errors());
    if (!differs) {
      EXPECT_EQ(*text, *again);
    }
    fixed += *text == *again;
    std::string dump;
    print(dump, *unit, {Style::Lossless, false});
    const CompilationUnit alone = parse(dump, "dump.ir").value(); // which declares no classes
    auto alonesText = script::code(alone, *ops);
    ASSERT_TRUE(alonesText) << all(alonesText.errors());
    auto third = compiled(*alonesText, path.filename());
    EXPECT_TRUE(third) << *alonesText << all(third.errors());
    auto code = compile(*unit, ops), code2 = compile(*second, ops);
    ASSERT_TRUE(code && code2);
    const Json answers =
        Json::parse(readFile(std::filesystem::path(path).replace_extension(".json")));
    for (const Json& call : answers["calls"]) {
      const std::string what = call["call"];
      EXPECT_EQ(outcome(scheduler, *code, *unit, what), outcome(scheduler, *code2, *second, what));
      ++calls;
    }
  }
  std::printf("of %d programs %d compile from their own source to an equal graph, %d to one with "
              "the same source; %d calls give the same\n",
              programs, equal, fixed, calls);
  EXPECT_GE(programs, kPrograms);
  EXPECT_EQ(programs - equal, static_cast<int>(kDiffers.size()));
}

/// Random graphs: their source gives the same results, and compiles to graphs that are equal to
/// those of their own source.
TEST(Code, OfRandomGraphsCompilesToAnEqualGraph) {
  const auto ops = OpSet::sharedBuiltin();
  testing::SameResult same;
  int failing = 0, rounds = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomProgramOptions options;
    options.tensors = seed % 4 == 0;
    const CompilationUnit random = testing::randomProgram(seed, options);
    // Compiling removes dead code, and each time what only that code used: what stays is compared.
    auto text = script::code(random, *ops);
    ASSERT_TRUE(text) << all(text.errors());
    if (llvm::StringRef(*text).contains("CONSTANTS.")) continue; // tensors are no part of the text
    ++compared;
    std::string before, after;
    std::optional<CompilationUnit> unit;
    for (int round = 0; round < 8 && (!unit || before != after); ++round) {
      ASSERT_TRUE(text) << all(text.errors());
      auto next = compiled(*text, "random.py");
      ASSERT_TRUE(next) << *text << all(next.errors());
      unit.emplace(std::move(*next));
      before = std::exchange(after, testing::canonical(*unit));
      text = script::code(*unit, *ops);
      rounds = std::max(rounds, round);
    }
    EXPECT_EQ(before, after);
    auto second = compiled(*text, "random.py");
    ASSERT_TRUE(second) << *text << all(second.errors());
    EXPECT_EQ(*text, script::code(*second, *ops).value());
    const auto inputs = testing::randomInputs(seed, options);
    bool failed = false;
    const std::string wanted = same.observe(random, "main", inputs, 2, &failed);
    failing += failed;
    EXPECT_EQ(same.observe(*unit, "main", inputs, 2), wanted) << *text;
    EXPECT_EQ(same.observe(*second, "main", inputs, 2), wanted) << *text;
  }
  EXPECT_GT(failing, 0);
  EXPECT_GT(compared, 20);
  EXPECT_LE(rounds, 3);
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

/// What a program's graphs do not tell, its declarations do.
TEST(Code, WritesClasses) {
  auto unit = compiled(R"(import enum
from typing import NamedTuple

import torch

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Point(NamedTuple):
    x: int
    y: int = 7

@torch.jit.interface
class Shape:
    def area(self, scale: int) -> int:
        pass

class Square:
    def __init__(self, side: int):
        self.side = side

    @property
    def double(self) -> int:
        return self.side * 2

    def area(self, scale: int) -> int:
        return self.side * self.double * scale

def measure(s: Shape) -> int:
    return s.area(3)

def main(n: int):
    try:
        return measure(Square(n)) // n, Point(n), Color.RED.value
    except ZeroDivisionError as e:
        return 0, Point(0, 1), len(str(e))
)",
                       "f.py");
  ASSERT_TRUE(unit) << all(unit.errors());
  EXPECT_EQ(*script::code(*unit, *OpSet::sharedBuiltin()),
            R"(# uses tine::error_is, which TorchScript lacks
# uses tine::error_message, which TorchScript lacks
# uses tine::reraise, which TorchScript lacks
# uses try, which TorchScript lacks
class Color(Enum):
  RED = 1
  BLUE = 2

class Point(NamedTuple):
  x : int
  y : int = 7

class Shape(Interface):
  def area(self, scale: int) -> int:
    pass

class Square:
  side : int
  def __init__(self: Square,
    side: int) -> NoneType:
    self.side = side
    return None
  @property
  def double(self: Square) -> int:
    side = self.side
    return torch.mul(side, 2)
  def area(self: Square,
    scale: int) -> int:
    side = self.side
    _0 = torch.mul(torch.mul(side, self.double), scale)
    return _0

def measure(s: Shape) -> int:
  return (s).area(3, )

def main(n: int) -> Tuple[int, Point, int]:
  _0 = uninitialized(Tuple[int, Point, int])
  try:
    _2 = Square.__new__(Square)
    _3 = (_2).__init__(n, )
    _4 = (torch.floordiv(measure(_2, ), n), Point(n, 7), 1)
    _1 = _4
  except ops.tine.error as _e:
    _5 = ops.tine.error_is(_e, "ZeroDivisionError")
    if _5:
      _7 = torch.len(ops.tine.error_message(_e))
      _6 = (0, Point(0, 1), _7)
    else:
      ops.tine.reraise(_e)
      _6 = _0
    _1 = _6
  return _1
)");
}

/// Refusals have a place, or name the type.
TEST(Code, RefusesWhatNoSourceMakes) {
  const auto refusal = [](const std::string& text) {
    auto unit = parse(text, "f.ir").value();
    auto code = script::code(unit, *OpSet::sharedBuiltin());
    return code ? "\n" + *code : all(code.errors());
  };
  EXPECT_EQ(refusal("graph(%c : Enum<__torch__.f.Color>):\n"
                    "  %v : int = prim::EnumValue(%c)\n"
                    "  return (%v)\n"),
            "error: Enum<__torch__.f.Color>, whose members the graphs do not tell, cannot be "
            "written as source\n");
  EXPECT_EQ(refusal("graph(%c : __torch__.f.C):\n"
                    "  %1 : NoneType = prim::Enter(%c) # f.py:3:4\n"
                    "  return (%c)\n"),
            "f.py:3:5: error: an open `with` cannot be written as source\n");
}

} // namespace
} // namespace tine
