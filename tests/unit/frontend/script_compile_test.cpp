#include "frontend/script/compile.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "tests/fixture.h"

using namespace tine;

namespace {

Result<CompilationUnit> compiled(const std::string& text) {
  return script::compile(*script::parsePartly(text, "f.py"), OpSet::sharedBuiltin());
}

/// The graph as it prints, with `graph` for the first function's name.
std::string printed(const std::string& text) {
  auto unit = compiled(text);
  if (!unit) {
    std::string out;
    for (const Error& error : unit.errors()) out += error.place.str() + ": " + error.message + "\n";
    return out;
  }
  EXPECT_TRUE(verify(*unit));
  return str(unit->front());
}

std::vector<std::string> errorsOf(const std::string& text) {
  auto unit = compiled(text);
  std::vector<std::string> out;
  if (!unit)
    for (const Error& error : unit.errors())
      out.push_back(error.kind + " " + error.place.str() + ": " + error.message);
  return out;
}

// What is expected here was printed by TorchScript 1.13.1.
TEST(ScriptCompile, Constants) {
  EXPECT_EQ(printed("def f(x: int) -> int:\n    return x + 1\n"), R"(graph(%x.1 : int):
  %2 : int = prim::Constant[value=1]() # f.py:2:15
  %3 : int = aten::add(%x.1, %2) # f.py:2:11
  return (%3)
)");
}

TEST(ScriptCompile, EnumsWhoseMembersAreWrongHaveNoValues) {
  EXPECT_EQ(errorsOf("from enum import Enum\n"
                     "class Size(Enum):\n"
                     "    SMALL = MEDIUM = 5\n"
                     "def f(n: int) -> int:\n"
                     "    for s in Size:\n"
                     "        n += s.value\n"
                     "    return n\n"),
            std::vector<std::string>{"SchemaError f.py:3:5: a member is a name with a value"});
}

TEST(ScriptCompile, VariablesThroughBranchesAndLoops) {
  EXPECT_EQ(printed(R"(
def f(x: Tensor, y: int) -> Tensor:
    # the first line of the body
    x = x + y
    x = x + 2
    if y > 1:
        x = x * 2
    else:
        y = 3
    for i in range(y):
        x += i
    return x
)"),
            R"(graph(%x.1 : Tensor,
      %y.1 : int):
  %30 : bool = prim::Constant[value=1]() # f.py:10:4
  %7 : int = prim::Constant[value=2]() # f.py:5:12
  %11 : int = prim::Constant[value=1]() # f.py:6:11
  %17 : int = prim::Constant[value=3]() # f.py:9:12
  %x.5 : Tensor = aten::add(%x.1, %y.1, %11) # f.py:4:8
  %x.9 : Tensor = aten::add(%x.5, %7, %11) # f.py:5:8
  %12 : bool = aten::gt(%y.1, %11) # f.py:6:7
  %y : int, %x.33 : Tensor = prim::If(%12) # f.py:6:4
    block0():
      %x.13 : Tensor = aten::mul(%x.9, %7) # f.py:7:12
      -> (%y.1, %x.13)
    block1():
      -> (%17, %x.9)
  %x : Tensor = prim::Loop(%y, %30, %x.33) # f.py:10:4
    block0(%i.1 : int, %x.35 : Tensor):
      %x.27 : Tensor = aten::add_(%x.35, %i.1, %11) # f.py:11:8
      -> (%30, %x.27)
  return (%x)
)");
}

TEST(ScriptCompile, Forks) {
  auto unit = compiled(R"(import torch
def task(x: Tensor, n: int = 1) -> Tensor:
    return x + n
def main(x: Tensor) -> Tensor:
    a = torch.jit.fork(task, x, n=2)
    b = torch.jit.fork(task, x)
    return torch.jit.wait(a) * b.wait()
)");
  ASSERT_TRUE(unit);
  EXPECT_EQ(str(*unit->find("main")), R"(graph(%x.1 : Tensor):
  %2 : int = prim::Constant[value=2]() # f.py:5:34
  %a.1 : Future[Tensor] = prim::fork_0(%x.1, %2) # f.py:5:8
  %b.1 : Future[Tensor] = prim::fork_1(%x.1) # f.py:6:8
  %14 : Tensor = aten::wait(%a.1) # f.py:7:11
  %16 : Tensor = aten::wait(%b.1) # f.py:7:31
  %17 : Tensor = aten::mul(%14, %16) # f.py:7:11
  return (%17)
with prim::fork_0 = graph(%x.1 : Tensor,
      %6 : int):
  %1 : Function = prim::Constant[name="task"]()
  %4 : Tensor = prim::CallFunction(%1, %x.1, %6) # f.py:5:8
  return (%4)
with prim::fork_1 = graph(%x.1 : Tensor):
  %2 : int = prim::Constant[value=1]()
  %1 : Function = prim::Constant[name="task"]()
  %4 : Tensor = prim::CallFunction(%1, %x.1, %2) # f.py:6:8
  return (%4)
)");
}

TEST(ScriptCompile, ErrorsHavePlacesAndNearNames) {
  EXPECT_EQ(errorsOf(R"(def f(x: int, s: str) -> int:
    a = y + 1
    b = a * 2
    c = s + x
    d = x.foo()
    e = lenn(s)
    for i in x:
        pass
    return s
def g(x: Tesnor):
    return torch.jit.frok(f, x)
def h() -> int:
    pass
)"),
            (std::vector<std::string>{
                "SchemaError f.py:2:9: undefined name 'y'",
                "TypeError f.py:4:9: no overload of aten::add takes (str, int)",
                "TypeError f.py:5:9: 'int' has no attribute 'foo'",
                "SchemaError f.py:6:9: undefined name 'lenn', did you mean 'len'?",
                "TypeError f.py:7:14: int cannot be iterated; is range(...) meant?",
                "TypeError f.py:9:12: f returns int, not str",
                "SchemaError f.py:10:10: unknown type 'Tesnor', did you mean 'Tensor'?",
                "TypeError f.py:12:5: h returns int, and may end without a return",
            }));
  EXPECT_EQ(errorsOf("def g(x: int):\n    return torch.jit.frok(g, x)\n"),
            (std::vector<std::string>{
                "SchemaError f.py:2:12: torch.jit has no function 'frok', did you mean 'fork'?"}));
  EXPECT_EQ(errorsOf("def h() -> int:\n    pass\n"),
            (std::vector<std::string>{
                "TypeError f.py:1:5: h returns int, and may end without a return"}));
}

TEST(ScriptCompile, SyntaxErrorsHideNoOthers) {
  EXPECT_EQ(errorsOf(R"(def f(x: int) -> int:
    y = x +* 2
    return zz
def g(x: int):
    a = f("a")
    return unknown + f(x)
def h(x: int, x: int):
    return 1
class C
    def m(self): return 1
def k(c: C):
    return h(1) + c.m() + nope
def untyped(x):
    return )
def last(x: int) -> str:
    return untyped(x)
)"),
            (std::vector<std::string>{
                "SyntaxError f.py:2:12: expected an expression, found '*'",
                "TypeError f.py:5:11: argument 'x' of f must be int, not str",
                "SchemaError f.py:6:12: undefined name 'unknown'",
                "SyntaxError f.py:7:15: two parameters are called 'x'",
                "SyntaxError f.py:9:8: expected ':', found the end of the line",
                "SyntaxError f.py:14:12: expected an expression, found ')'",
            }));
  // What cannot be understood may have defined anything.
  EXPECT_EQ(
      errorsOf("from torch import (nn\ndef f(x: int) -> int:\n    return functional + \"a\" * x\n"),
      (std::vector<std::string>{"SyntaxError f.py:1:19: '(' is never closed"}));
}

TEST(ScriptCompile, VariablesThatMayBeMissing) {
  EXPECT_EQ(errorsOf("def f(c: bool):\n    if c:\n        x = 1\n    return x\n"),
            (std::vector<std::string>{
                "SchemaError f.py:4:12: 'x' is not defined when the condition is false"}));
}

TEST(ScriptCompile, RecursionNeedsTheResultsType) {
  EXPECT_EQ(errorsOf("def f(n: int):\n    return f(n - 1)\n"),
            (std::vector<std::string>{"SchemaError f.py:2:12: 'f' leads to itself, and so needs a "
                                      "result type: def f(...) -> ..."}));
  EXPECT_TRUE(compiled("def f(n: int) -> int:\n    return f(n - 1) if n > 0 else 0\n"));
}

TEST(ScriptCompile, LongProgramsTakeLinearTimeAndASmallStack) {
  std::string sum = "def f(x: int) -> int:\n    return x", chain = "def g(x: int) -> int:\n";
  for (int i = 0; i < 20'000; ++i) sum += " + x";
  for (int i = 0; i < 3'000; ++i) chain += "    if x == " + std::to_string(i) + ": return 1\n";
  const std::string text = sum + "\n" + chain + "    return 0\n";
  tine::testing::runOnStack(tine::testing::kSmallStack * 2, [&] {
    auto unit = compiled(text);
    ASSERT_TRUE(unit) << unit.error().str();
  });
}

TEST(ScriptCompile, ManyAlternativesAreNotDeep) {
  constexpr int kMany = 2'000;
  std::string assigns = "def f(n: int) -> int:\n    if n == -1:\n        r = 7\n";
  std::string returns = "def g(n: int) -> int:\n    if n == -1:\n        return 7\n";
  std::string choice = "def h(n: int) -> int:\n    return ", chain = "def k(x):\n    return x";
  for (int i = 0; i < kMany; ++i) {
    const std::string n = std::to_string(i);
    assigns += "    elif n == " + n + ":\n        r = " + n + "\n";
    returns += "    elif n == " + n + ":\n        return " + n + "\n";
    choice += n + " if n == " + n + " else ";
    chain += ".neg()[0]";
  }
  const std::string text = assigns + "    else:\n        r = 0\n    return r\n" + returns +
                           "    return 0\n" + choice + "-1\n" + chain + "\n";
  tine::testing::runOnStack(tine::testing::kSmallStack, [&] {
    auto unit = compiled(text);
    ASSERT_TRUE(unit) << unit.errors()[0].str();
    EXPECT_TRUE(verify(*unit));
    const auto ifs = [](const Graph& graph) {
      int count = 0;
      graph.forEachNode([&](const Node* node) { count += node->op() == Builtin::If; });
      return count;
    };
    EXPECT_EQ(ifs(*unit->find("f")), kMany + 1);
    EXPECT_EQ(ifs(*unit->find("g")), kMany + 2); // and what comes after
    EXPECT_EQ(ifs(*unit->find("h")), kMany);
  });
}

TEST(ScriptCompile, ACalleeIsCompiledOnce) {
  std::string text = "def f(x: int) -> int:\n    return x + 1\ndef g(x: int):\n";
  for (int i = 0; i < 2'000; ++i) text += "    f" + std::to_string(i) + " = torch.jit.fork(f, x)\n";
  text += "    return f0.wait()\n";
  auto unit = compiled(text);
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->functions().size(), 2u);
}

TEST(ScriptCompile, AnyPrefixGivesAnAnswer) {
  const std::string text = R"(import torch
from typing import List, Optional
K = 3
def f(x: Optional[int], y: List[Tensor], *, z: str = "a") -> int:
    if x is not None and x > K:
        return x
    total = 0
    for i, t in enumerate(y):
        if i > 2: break
        total += int(t.sum())
        continue
    while total < 10:
        total = total * 2 % 7
        if total == 3: return -1
    fs = [torch.jit.fork(lambda q: q + total, i) for i in range(3)]
    print(z, f"{total}", {"a": [1, 2]}["a"][:1], (1, 2.5)[0], [w.wait() for w in fs])
    assert total >= 0, "no"
    return total
)";
  auto whole = compiled(text);
  ASSERT_TRUE(whole) << whole.error().str();
  for (std::size_t i = 0; i < text.size(); i += 3) {
    auto result = compiled(text.substr(0, i));
    if (result) {
      EXPECT_TRUE(verify(*result)) << text.substr(0, i);
    }
  }
}

} // namespace
