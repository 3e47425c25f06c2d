// Modules of C++ whose methods are source: what goes wrong. What goes right is compared with
// TorchScript in tests/module_tests.cpp.

#include "api/tine.h"
#include "tests/fixture.h"

using namespace tine;
using namespace tine::testing;

namespace {

class SourceModules : public WithWorkers {};
TINE_WITH_WORKERS(SourceModules);

TEST_P(SourceModules, KeepTheirStateAndShareTheirTensors) {
  Module net("Net");
  Tensor w = net.registerParameter("w", tensor({1., 2.}));
  net.registerAttribute("calls", 0);
  net.registerAttribute("seen", IValue::list({}), "List[str]");
  net.define(R"(
def forward(self, x, by: int = 1):
    self.calls += 1
    self.seen.append(str(by))
    return torch.jit.wait(torch.jit.fork(self.scaled, x, by=by))
def scaled(self, x, by: int):
    return x * self.w * by
def reset(self):
    self.calls = 0
)");
  const ScriptModule module = compile(net).value();
  Scheduler scheduler({.workers = workers()});
  const Tensor x = tensor({3., 4.});
  EXPECT_TRUE(equal(module.run<Tensor>(scheduler, "forward", x), tensor({3., 8.})));
  EXPECT_TRUE(equal(module.run<Tensor>(scheduler, "forward", x, arg("by", 2)), tensor({6., 16.})));
  EXPECT_EQ(module.attribute("calls").toInt(), 2);
  EXPECT_EQ(module.attribute("seen").str(), "['1', '2']");
  module.run("reset");
  EXPECT_EQ(module.attribute("calls").toInt(), 0);
  fill_(w, 1);
  EXPECT_TRUE(equal(module.method().value().run({x}).toTensor(), x));
  const ScriptModule other = compile(net).value();
  EXPECT_EQ(other.attribute("calls").toInt(), 0) << "an object of its own";
  EXPECT_EQ(other.attribute("seen").str(), "[]") << "and lists of its own";
  EXPECT_EQ(module.methodNames(), (std::vector<std::string>{"forward", "scaled", "reset"}));
}

/// Also one that a C++ class made: its own name and members.
struct Gate : Module {
  Tensor weight = registerParameter("weight", tensor({2., 3.}));
  Gate() { define("def forward(self, x):\n    return x * self.weight\n"); }
};

TEST_P(SourceModules, MayBeCppClassesOfTheirOwn) {
  struct Net : Module {
    Child<Gate> a = registerModule("a", std::make_shared<Gate>());
    Child<Gate> b = registerModule("b", std::make_shared<Gate>());
  } net;
  net.define("def forward(self, x):\n    f = torch.jit.fork(self.a, x)\n    return self.b(x) + "
             "f.wait()\n");
  Scheduler scheduler({.workers = workers()});
  EXPECT_TRUE(equal(compile(net).value().run<Tensor>(scheduler, "forward", tensor({1., 1.})),
                    tensor({4., 6.})));
}

std::string errorsOf(const Module& module) {
  const auto compiled = compile(module);
  std::string out;
  if (!compiled)
    for (const Error& error : compiled.errors())
      out += error.place.str() + " " + error.kind + ": " + error.message + "\n";
  return out;
}

std::string ofTexts(std::vector<std::string> texts) {
  Module net("Net");
  net.registerParameter("w", tensor({1., 2.}));
  net.registerAttribute("k", 3);
  net.registerModule("sub", std::make_shared<Gate>());
  for (std::string& text : texts) net.define(std::move(text));
  return errorsOf(net);
}

TEST(SourceModuleErrors, HavePlaces) {
  EXPECT_EQ(ofTexts({"def f(self):\n    return self.kk\n"}),
            "<string>:2:12 TypeError: 'Net' has no attribute 'kk'\n");
  EXPECT_EQ(ofTexts({"def f(self):\n    return self.sub.wieght\n"}),
            "<string>:2:12 TypeError: 'Gate' has no attribute 'wieght', did you mean 'weight'?\n");
  EXPECT_EQ(ofTexts({"def f(self):\n    self.fresh = 1\n"}),
            "<string>:2:5 TypeError: 'Net' has no attribute 'fresh'; attributes are made in C++\n");
  EXPECT_EQ(ofTexts({"def __init__(self):\n    self.fresh = 1\n"}),
            "<string>:2:5 TypeError: 'Net' has no attribute 'fresh'; attributes are made in C++\n");
  EXPECT_EQ(ofTexts({"def f(self):\n    self.k = 1.5\n"}),
            "<string>:2:14 TypeError: 'k' of Net is int, float does not fit\n");
  EXPECT_EQ(ofTexts({"def f(self):\n    return 1\ndef f(self):\n    return 2\n"}),
            "<string>:3:5 SchemaError: 'Net' has a method 'f' already\n");
  EXPECT_EQ(ofTexts({"def f(self):\n    return 1\n", "def f(self):\n    return 2\n"}),
            "<string2>:1:5 SchemaError: 'Net' has a method 'f' already\n");
  EXPECT_EQ(ofTexts({"def k(self):\n    return 1\n"}),
            "<string>:1:5 SchemaError: 'Net' has an attribute 'k' already\n");
  EXPECT_EQ(ofTexts({"def f():\n    return 1\n"}),
            "<string>:1:5 SchemaError: a method has the object as its first parameter: self\n");
  EXPECT_EQ(ofTexts({"def f(self, x: int):\n    return x\ndef g(self):\n    return self.f()\n"}),
            "<string>:4:12 TypeError: f is missing argument 'x'\n");
  EXPECT_EQ(ofTexts({"def f(self, x: int):\n    return x\ndef g(self):\n    return self.f('a')\n"}),
            "<string>:4:19 TypeError: argument 'x' of f must be int, not str\n");
  EXPECT_EQ(
      ofTexts({"def f(self):\n    return torch.jit.fork(self.sub.forwrad, 1)\n"}),
      "<string>:2:27 TypeError: 'Gate' has no attribute 'forwrad', did you mean 'forward'?\n");
  EXPECT_EQ(ofTexts({"def f(self):\n    return self.k(1)\n"}),
            "<string>:2:12 TypeError: 'int' cannot be called\n");
  EXPECT_EQ(ofTexts({"def f(self):\n    return self.f()\n"}),
            "<string>:2:12 SchemaError: 'f' leads to itself, and so needs a result type: def "
            "f(...) -> ...\n");
  EXPECT_EQ(ofTexts({"class A:\n    pass\n"}),
            "<string>:1:7 UnsupportedError: a class has no place among the methods of Net\n");
  EXPECT_EQ(ofTexts({"def f(self) -> int\n    return 1\n"}),
            "<string>:1:19 SyntaxError: expected ':', found the end of the line\n");
  EXPECT_EQ(ofTexts({"x = print(3)\n"}),
            "<string>:1:1 UnsupportedError: outside of functions only constants have names\n");
  EXPECT_EQ(ofTexts({"def f(self):\n    return forward\n"}),
            "<string>:2:12 SchemaError: undefined name 'forward'\n");
}

TEST(SourceModuleErrors, OfAttributes) {
  Module none("Net");
  EXPECT_EQ(errorsOf(none), "<unknown> ValueError: __torch__.Net has no methods: give it some with "
                            "define(source), or trace it\n");
  none.define("");
  none.define("# nothing\n");
  EXPECT_EQ(errorsOf(none), "<unknown> ValueError: __torch__.Net has no methods: give it some with "
                            "define(source), or trace it\n");
  EXPECT_EQ(said(errorOf([&] { none.registerAttribute("not a name", 1); })),
            "ValueError: 'not a name' is not a name that a module's part can have");
  none.registerAttribute("k", 1);
  EXPECT_EQ(said(errorOf([&] { none.registerParameter("k", tensor(1)); })),
            "ValueError: the module has a 'k' already");
  const auto withType = [](IValue value, const std::string& type) {
    Module net("Net");
    net.registerAttribute("a", std::move(value), type);
    net.define("def forward(self):\n    return 1\n");
    return errorsOf(net);
  };
  EXPECT_EQ(withType(IValue::list({}), ""),
            "<unknown> TypeError: the value [] of attribute 'a' of __torch__.Net does not tell its "
            "type: registerAttribute(name, value, \"List[str]\")\n");
  EXPECT_EQ(withType(IValue(), ""),
            "<unknown> TypeError: the value None of attribute 'a' of __torch__.Net does not tell "
            "its type: registerAttribute(name, value, \"List[str]\")\n");
  EXPECT_EQ(withType(1, "str"),
            "<unknown> TypeError: attribute 'a' of __torch__.Net is str, which 1 is not\n");
  EXPECT_EQ(withType(1, "List["),
            "<type>:1:6 SyntaxError: the type of attribute 'a' of __torch__.Net: expected an "
            "expression, found the end of the text\n");
  EXPECT_EQ(
      withType(1, "int int"),
      "<type>:1:4 SyntaxError: the type of attribute 'a' of __torch__.Net: a type ends here\n");
  EXPECT_EQ(withType(1, "Strange"),
            "<type>:1:1 SchemaError: the type of attribute 'a' of __torch__.Net: unknown type "
            "'Strange'\n");
  for (const char* type : {"Optional", "Union", "List", "Dict", "Future", "Final"})
    EXPECT_NE(withType(1, type).find(std::string(type) + " needs "), std::string::npos) << type;
  EXPECT_EQ(withType(IValue::list({}), "List[int]"), "");
}

// What a type says, the program reads back; copies of the object do not share it.
TEST(SourceModuleAttributes, OfEveryType) {
  struct Row {
    const char* type;
    IValue value;
    const char* read;
  };
  const Ref<Dict> dict = makeRef<Dict>();
  dict->set(IValue("k"), IValue(1));
  const Row rows[] = {{"", 3, "3"},
                      {"", 2.5, "2.5"},
                      {"", true, "True"},
                      {"", IValue("a"), "'a'"},
                      {"Optional[int]", IValue(), "None"},
                      {"Optional[int]", 3, "3"},
                      {"Any", 3, "3"},
                      {"Union[int, str]", IValue("a"), "'a'"},
                      {"List[int]", IValue::list({}), "[]"},
                      {"List[Optional[str]]", IValue::list({IValue(), IValue("a")}), "[None, 'a']"},
                      {"", IValue::list({1.5}), "[1.5]"},
                      {"Tuple[int, List[str]]", IValue::tuple({1, IValue::list({})}), "(1, [])"},
                      {"", IValue(dict), "{'k': 1}"},
                      {"Dict[str, int]", IValue(makeRef<Dict>()), "{}"},
                      {"Tensor", IValue(tensor({1., 2.})), "tensor([1., 2.])"}};
  for (const Row& row : rows) {
    Module net("Net");
    net.registerAttribute("a", row.value, row.type);
    net.define("def forward(self):\n    return self.a\n");
    net.define("def both(self):\n    return self.forward(), self.a\n");
    const ScriptModule module = compile(net).value();
    EXPECT_EQ(module.run("forward").str(), row.read) << row.type;
    EXPECT_EQ(module.run("both").toTuple().items[1].str(), row.read) << row.type;
    EXPECT_EQ(module.attribute("a").str(), row.read) << row.type;
  }
}

TEST(SourceModuleErrors, OfCalls) {
  Module net("Net");
  net.registerAttribute("k", 3);
  net.define("def forward(self, x: int):\n    return x * self.k\n");
  const ScriptModule module = compile(net).value();
  EXPECT_EQ(said(errorOf([&] { module.run("forwrad", 1); })),
            "ValueError: Net has no method 'forwrad', did you mean 'forward'?");
  EXPECT_EQ(said(errorOf([&] { module.run("forward"); })),
            "TypeError: __torch__.Net.forward misses argument 'x'; it takes 1 argument (x)");
  EXPECT_EQ(
      said(errorOf([&] { module.run("forward", "a"); })),
      "TypeError: input 'x' must be of type int, not str: __torch__.Net.forward(int x) -> int");
  EXPECT_EQ(said(errorOf([&] { module.run<std::string>("forward", 1); })),
            "TypeError: the result of forward must be a str, not int");
  EXPECT_EQ(said(errorOf([&] { module.attribute("kk"); })),
            "AttributeError: Net has no attribute 'kk'; it has k");
  EXPECT_EQ(module.run<std::int64_t>("forward", arg("x", 2)), 6);
  Module bare("Net");
  bare.define("def forward(self):\n    return 1\n");
  EXPECT_EQ(said(errorOf([&] { compile(bare).value().run("forward", arg("self", 1)); })),
            "TypeError: __torch__.Net.forward takes 0 arguments, but 'self' is given");
}

} // namespace
