// Traces of the twins in programs.h against TorchScript's dumps in tests/files/trace.
//
// Compared is the whole text, after: values renumbered in order of appearance (their names come
// from Python's local variables), locations dropped, requires_grad=1 read as 0 (Tine has no
// gradients).

#include "ir/equal.h"
#include "programs.h"
#include "tests/fixture.h"

#include <regex>

namespace tine {
namespace {

using namespace programs;
using tine::testing::readFile;
using tine::testing::testFiles;

std::string normalised(const std::string& dump) {
  std::string out;
  std::map<std::string, std::string> names;
  for (llvm::StringRef rest = dump; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    const std::size_t location = line.find(" # ");
    if (location != llvm::StringRef::npos) line = line.take_front(location);
    if (line.starts_with("with ") || line.starts_with("graph(")) names.clear(); // each graph anew
    std::string text = line.str();
    text = std::regex_replace(text, std::regex("requires_grad=1"), "requires_grad=0");
    const std::regex value("%[A-Za-z0-9_.]+");
    std::string renamed;
    std::size_t from = 0;
    for (std::sregex_iterator it(text.begin(), text.end(), value), end; it != end; ++it) {
      const auto at = static_cast<std::size_t>(it->position());
      renamed += text.substr(from, at - from);
      std::string& name = names[it->str()];
      if (name.empty()) name = "%" + std::to_string(names.size() - 1);
      renamed += name;
      from = at + it->str().size();
    }
    out += renamed + text.substr(from) + "\n";
  }
  return out;
}

std::string dump(const std::string& name) {
  return normalised(readFile(testFiles() / "trace" / (name + ".ir")));
}

const Tensor two = tensor(2), row = tensor({1.0, 2.0}), other = tensor({3.0, 4.0});

struct Case {
  const char* name;
  std::function<Function()> trace;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

template <class F>
std::function<Function()> of(const char* name, F f, Signature s, std::vector<IValue> in) {
  return [=] { return trace(fn(name, f, s), in); };
}

const std::vector<Case>& cases() {
  static const std::vector<IValue> kInt{two}, kOne{row}, kTwo{row, other};
  static const std::vector<Case> all = {
      {"function", of("bar", bar, {"a"}, kInt)},
      {"keyword", of("keyword", keyword, {"x", "y"}, kTwo)},
      {"nested", of("nested", nested, {"x"}, kOne)},
      {"captured", of("captured", captured, {"x", "y"}, kTwo)},
      {"captured_nested", of("captured_nested", capturedNested, {"x", "y"}, kTwo)},
      {"captured_only", of("captured_only", capturedOnly, {"x"}, kOne)},
      {"two_waits", of("two_waits", twoWaits, {"x"}, kOne)},
      {"wait_method", of("wait_method", waitMethod, {"x"}, kOne)},
      {"wait_in_child", of("wait_in_child", waitInChild, {"x"}, kOne)},
      {"future_list", of("future_list", futureList, {"x"}, kInt)},
      {"future_dict", of("future_dict", futureDict, {"x"}, kOne)},
      {"fork_tuple", of("fork_tuple", forkTuple, {"x"}, kOne)},
      {"fork_tuple_whole", of("fork_tuple_whole", forkTupleWhole, {"x"}, kOne)},
      {"fork_tuple_nested", of("fork_tuple_nested", forkTupleNested, {"x"}, kOne)},
      {"reverse_order", of("reverse_order", reverseOrder, {"x", "y"}, kTwo)},
      {"feeding", of("feeding", feeding, {"x"}, kOne)},
      {"scalars", of("scalars", scalars, {"x"}, kOne)},
      {"same_twice", of("same_twice", sameTwice, {"x"}, kOne)},
      {"chain", of("chain", chain, {"x"}, kInt)},
      {"fork_identity", of("fork_identity", forkIdentity, {"x"}, kOne)},
      {"fork_constant", of("fork_constant", forkConstant, {"x"}, kOne)},
      {"builtin", of("builtin", builtin, {"x"}, kOne)},
      {"in_place", of("in_place", inPlace, {"x"}, kOne)},
      {"sized", of("sized", sized, {"x"}, kOne)},
      {"tuple_input", of("tuple_input", tupleInput, {"pair"}, {IValue::tuple({row, other})})},
      {"list_argument", of("list_argument", listArgument, {"x", "y"}, kTwo)},
      {"returns_list", of("returns_list", returnsList, {"x"}, kOne)},
  };
  return all;
}

class Dumps : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Dumps, ::testing::ValuesIn(cases()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(Dumps, EqualTorchScripts) {
  const Function traced = GetParam().trace();
  EXPECT_EQ(normalised(str(traced.graph())), dump(GetParam().name));
}

TEST_P(Dumps, AreTheSameBytesTwice) {
  EXPECT_EQ(str(GetParam().trace().unit()), str(GetParam().trace().unit()));
}

TEST_P(Dumps, SurviveTheirText) {
  const Function traced = GetParam().trace();
  const std::string text = str(traced.unit(), {.style = Style::Lossless});
  const Result<CompilationUnit> back = parse(text, "traced.ir");
  ASSERT_TRUE(back.ok()) << back.error().str() << text;
  std::string why;
  EXPECT_TRUE(tine::equal(traced.unit(), *back, &why)) << why;
}

// TorchScript leaves a prim::TracedFork, which it cannot run, three levels down.
TEST(Dumps, ThirdLevelIsAForkToo) {
  const Function traced = trace(fn("nested_three", nestedThree, {"x"}), {row});
  const std::string expected =
      std::regex_replace(dump("nested_three"), std::regex("TracedFork"), "fork");
  EXPECT_EQ(normalised(str(traced.graph())), expected);
}

// TorchScript deletes a fork that nobody waits for, whatever it does.
TEST(Dumps, UnwaitedForksStay) {
  EXPECT_EQ(normalised(str(trace(fn("unwaited", unwaited, {"x"}), {row}).graph())),
            R"(graph(%0 : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %1 : Future[Float(2, strides=[1], requires_grad=0, device=cpu)] = prim::fork_0(%0)
  %2 : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::mul(%0, %0)
  return (%2)
with prim::fork_0 = graph(%0 : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %1 : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::neg(%0)
  return (%1)
)");
  FileCheck()
      .check("aten::mul")
      .check("prim::fork_0(%")
      .check("return")
      .check("aten::add_")
      .run(trace(unwaitedMutation, {row}).graph());
}

template <class M>
void expectModule(M module, const std::string& name,
                  const std::map<std::string, std::string>& methods) {
  const Function traced = trace(module, {tensor({1.0, 2.0, 3.0})});
  EXPECT_EQ(normalised(str(traced.graph())), dump(name));
  EXPECT_EQ(traced.unit().functions().size(), methods.size() + 1);
  for (const auto& [file, method] : methods) {
    const Graph* graph = traced.unit().find("__torch__.programs." + method);
    ASSERT_TRUE(graph) << method;
    EXPECT_EQ(normalised(str(*graph)), dump(name + "." + file)) << method;
  }
}

TEST(Dumps, Module) { expectModule(ForkModule(), "module", {{"sub.forward", "Gate.forward"}}); }
TEST(Dumps, ModuleKeyword) {
  expectModule(ForkModuleKeyword(), "module_keyword", {{"sub.forward", "Gate.forward"}});
}
TEST(Dumps, ModuleTwice) {
  expectModule(ForkModuleTwice(), "module_twice",
               {{"sub.forward", "Gate.forward"},
                {"sub.forward1", "Gate.forward1"},
                {"sub.forward2", "Gate.forward2"}});
}
TEST(Dumps, ModuleNested) {
  expectModule(ForkModuleNested(), "module_nested",
               {{"left.forward", "Branch.forward"},
                {"left.gate.forward", "Gate.forward"},
                {"right.forward", "___torch_mangle_1.Branch.forward"},
                {"right.gate.forward", "___torch_mangle_0.Gate.forward"}});
}

} // namespace
} // namespace tine
