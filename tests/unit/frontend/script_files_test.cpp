// Programs of several texts: what one loads of another, and what goes wrong there.

#include "frontend/script/compile.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "tests/fixture.h"

#include <map>

using namespace tine;

namespace {

/// Compiles a class of a file, and what it needs of others; what is asked for is noted.
struct Files {
  std::map<std::string, std::string> texts;
  std::vector<std::string> asked = {};

  Result<CompilationUnit> compile(std::vector<std::string> wanted) {
    script::Sources sources;
    sources.wanted = std::move(wanted);
    sources.load = [&](llvm::StringRef qualifier) -> Result<std::unique_ptr<script::Module>> {
      asked.push_back(qualifier.str());
      const auto found = texts.find(qualifier.str());
      if (found == texts.end()) return std::unique_ptr<script::Module>();
      return script::parseModule(found->second, qualifier.str() + ".py");
    };
    return script::compile(sources, OpSet::sharedBuiltin(), Context::create());
  }
  std::string names(std::vector<std::string> wanted) {
    auto unit = compile(std::move(wanted));
    std::string out;
    if (unit) {
      EXPECT_TRUE(verify(*unit));
      for (const NamedGraph& function : unit->functions()) out += function.name + "\n";
    } else {
      for (const Error& error : unit.errors())
        out += error.place.str() + " " + error.kind + ": " + error.message + "\n";
    }
    return out;
  }
};

TEST(ScriptFiles, AreLoadedWhenANameOfThemIsMet) {
  Files files{{{"__torch__", R"(class Net(Module):
  __parameters__ = ["w", ]
  w : Tensor
  sub : __torch__.a.b.Sub
  def forward(self: __torch__.Net,
    x: Tensor) -> Tensor:
    helper = __torch__.a.c.helper
    return helper((self.sub).forward(x, ), self.w, )
)"},
               {"__torch__.a.b", R"(class Sub(Module):
  __annotations__["0"] = __torch__.a.b.Leaf
  limit : Final[int] = 3
  def forward(self: __torch__.a.b.Sub,
    x: Tensor) -> Tensor:
    _0 = getattr(self, "0")
    return torch.mul((_0).forward(x, ), self.limit)
class Leaf(Module):
  def forward(self: __torch__.a.b.Leaf,
    x: Tensor) -> Tensor:
    return torch.neg(x)
)"},
               {"__torch__.a.c", R"(def helper(x: Tensor,
    y: Tensor) -> Tensor:
  return torch.add(x, y)
)"},
               {"__torch__.unused", "def broken("}}};
  EXPECT_EQ(files.names({"__torch__.Net"}), R"(helper
__torch__.Net.forward
__torch__.a.b.Sub.forward
__torch__.a.b.Leaf.forward
)");
  for (const std::string& name : files.asked) EXPECT_NE(name, "__torch__.unused");
}

TEST(ScriptFiles, MayNeedEachOther) {
  Files files{{{"__torch__.a", R"(class A:
  b : Optional[__torch__.b.B]
  def __init__(self: __torch__.a.A) -> NoneType:
    self.b = None
    return None
  def size(self: __torch__.a.A) -> int:
    b = self.b
    if torch.__isnot__(b, None):
      b0 = unchecked_cast(__torch__.b.B, b)
      n = (b0).size()
    else:
      n = 1
    return n
)"},
               {"__torch__.b", R"(class B:
  a : __torch__.a.A
  pair : __torch__.a.Pair
  def __init__(self: __torch__.b.B) -> NoneType:
    self.a = __torch__.a.A.__new__(__torch__.a.A)
    self.pair = __torch__.b.made()
    return None
  def size(self: __torch__.b.B) -> int:
    return torch.add((self.a).size(), (self.pair)[0])
)"}}};
  files.texts["__torch__.a"] += "class Pair(NamedTuple):\n  n : int\n  s : str\n";
  files.texts["__torch__.b"] +=
      "def made() -> __torch__.a.Pair:\n  return __torch__.a.Pair(1, 'x')\n";
  EXPECT_EQ(files.names({"__torch__.a.A"}), R"(made
__torch__.a.A.__init__
__torch__.a.A.size
__torch__.b.B.__init__
__torch__.b.B.size
)");
}

TEST(ScriptFiles, FunctionsOfOneNameKeepTheirs) {
  Files files{{{"__torch__.a", "class A:\n  def f(self) -> int:\n    return __torch__.a.g() + "
                               "__torch__.b.g()\ndef g() -> int:\n  return 1\n"},
               {"__torch__.b", "def g() -> int:\n  return 2\n"}}};
  EXPECT_EQ(files.names({"__torch__.a.A"}), "g\n__torch__.b.g\n__torch__.a.A.f\n");
}

TEST(ScriptFiles, ErrorsNameTheFile) {
  const std::string head = "class A(Module):\n  def f(self: __torch__.a.A) -> int:\n    return ";
  const auto errors = [&](const std::string& body, const std::string& other) {
    return Files{{{"__torch__.a", head + body + "\n"}, {"__torch__.b", other}}}.names(
        {"__torch__.a.A"});
  };
  EXPECT_EQ(errors("__torch__.b.g()", "def g() -> int:\n  return 'a'\n"),
            "__torch__.b.py:2:10 TypeError: g returns int, not str\n");
  EXPECT_EQ(errors("__torch__.b.g()", "def g(\n"),
            "__torch__.b.py:1:6 SyntaxError: '(' is never closed\n");
  EXPECT_EQ(errors("__torch__.b.gg()", "def g1() -> int:\n  return 1\n"),
            "__torch__.a.py:3:12 SchemaError: there is no '__torch__.b.gg'\n");
  EXPECT_EQ(errors("__torch__.c.g()", ""),
            "__torch__.a.py:3:12 SchemaError: there is no '__torch__.c.g'\n");
  EXPECT_EQ(errors("CONSTANTS.c0", ""),
            "__torch__.a.py:3:12 SchemaError: CONSTANTS has no function 'c0'\n");
  EXPECT_EQ(errors("self.x", ""), "__torch__.a.py:3:12 TypeError: 'A' has no attribute 'x'\n");
  EXPECT_EQ(errors("1\n  def f(self) -> int:\n    return 2", ""),
            "__torch__.a.py:4:7 SchemaError: 'A' has a method 'f' already\n");
  EXPECT_EQ(errors("1\n  x : __torch__.b.B", "class C:\n  def f(self) -> int:\n    return 1\n"),
            "__torch__.a.py:4:7 SchemaError: there is no class '__torch__.b.B'\n");
  EXPECT_EQ(errors("1\n  x : int\n  x : int", ""),
            "__torch__.a.py:5:3 SchemaError: 'A' has a field 'x' already\n");
  EXPECT_EQ(Files{}.names({"__torch__.a.A"}),
            "<unknown> SchemaError: there is no class '__torch__.a.A'\n");
  Files tuples{{{"__torch__.a", "class A(NamedTuple):\n  b : __torch__.b.B\n"},
                {"__torch__.b", "class B(NamedTuple):\n  a : __torch__.a.A\n"}}};
  EXPECT_EQ(tuples.names({"__torch__.a.A"}),
            "__torch__.b.py:2:7 SchemaError: 'A' cannot contain itself\n");
}

/// Each NamedTuple holds the next one: no stack overflows.
TEST(ScriptFiles, LongChainsOfTypesAreErrors) {
  std::string text = "def f() -> int:\n  return 1\n";
  for (int i = 0; i < 3000; ++i)
    text += "class T" + std::to_string(i) + "(NamedTuple):\n  x : T" + std::to_string(i + 1) + "\n";
  text += "class T3000(NamedTuple):\n  x : int\n";
  tine::testing::runOnStack(1 << 20, [&] {
    auto module = script::parseModule(text, "f.py").value();
    auto unit = script::compile(*module, OpSet::sharedBuiltin());
    ASSERT_FALSE(unit);
    EXPECT_NE(unit.error().message.find("more than 200 NamedTuples"), std::string::npos)
        << unit.error().message;
  });
}

} // namespace
