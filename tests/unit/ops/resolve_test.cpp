#include "ir/graph.h"
#include "ir/parse.h"
#include "ir/unit.h"
#include "ops/ops.h"

#include <gtest/gtest.h>

using namespace tine;

namespace {

class Resolve : public testing::Test {
protected:
  llvm::SmallVector<const Type*, 4> types(std::initializer_list<const char*> texts) {
    llvm::SmallVector<const Type*, 4> out;
    for (const char* text : texts) out.push_back(parseType(*context_, text).value());
    return out;
  }
  /// The overload, or the error.
  std::string choose(llvm::StringRef name, std::initializer_list<const char*> texts,
                     llvm::StringRef overload = "") {
    const auto op = resolve(*ops_, name, overload, types(texts));
    return op ? (*op)->schema.overload : op.error().kind + ": " + op.error().message;
  }
  /// The types of the results.
  std::string results(llvm::StringRef name, std::initializer_list<const char*> texts) {
    const auto given = types(texts);
    const auto op = resolve(*ops_, name, "", given);
    if (!op) return op.error().message;
    std::string out;
    for (const Type* type : resultTypes(*context_, **op, given))
      out += (out.empty() ? "" : ", ") + type->str();
    return out;
  }

  std::shared_ptr<const OpSet> ops_ = OpSet::sharedBuiltin();
  std::shared_ptr<Context> context_ = Context::create();
};

TEST_F(Resolve, ByTypes) {
  EXPECT_EQ(choose("aten::add", {"Tensor", "Tensor", "int"}), "Tensor");
  EXPECT_EQ(choose("aten::add", {"Tensor", "float", "int"}), "Scalar");
  EXPECT_EQ(choose("aten::add", {"int", "int"}), "int");
  EXPECT_EQ(choose("aten::add", {"int", "float"}), "int_float");
  EXPECT_EQ(choose("aten::add", {"number", "int"}), "");
  EXPECT_EQ(choose("aten::add", {"str", "str"}), "str");
  EXPECT_EQ(choose("aten::add", {"int[]", "int[]"}), "t");
  EXPECT_EQ(choose("aten::__getitem__", {"str[]", "int"}), "t");
  EXPECT_EQ(choose("aten::__getitem__", {"Dict(str, Tensor)", "str"}), "Dict_str");
  EXPECT_EQ(choose("aten::eq", {"bool", "bool"}), "bool");
  EXPECT_EQ(choose("aten::len", {"Dict(int, str)"}), "Dict_int");
}

TEST_F(Resolve, RefinedTensorsAreTensors) {
  EXPECT_EQ(
      choose("aten::mul", {"Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)", "Tensor"}),
      "Tensor");
  EXPECT_EQ(choose("aten::cat", {"Float(2)[]", "int"}), "");
  EXPECT_EQ(choose("aten::append", {"Tensor[]", "Long()"}), "t");
}

TEST_F(Resolve, MissingTrailingDefaults) {
  EXPECT_EQ(choose("aten::add", {"Tensor", "Tensor"}), "Tensor");
  EXPECT_EQ(choose("aten::sum", {"Tensor"}), "");
  EXPECT_EQ(choose("aten::slice", {"Tensor"}), "Tensor");
  EXPECT_EQ(choose("aten::sum", {"Tensor", "int[]"}), "dim_IntList");
}

TEST_F(Resolve, NoneAndOptional) {
  EXPECT_EQ(choose("aten::slice", {"Tensor", "int", "NoneType", "int?", "int"}), "Tensor");
  EXPECT_EQ(choose("aten::slice", {"int[]", "int", "NoneType", "int"}), "t");
  EXPECT_EQ(choose("aten::sum", {"Tensor", "NoneType", "bool", "NoneType"}), "dim_IntList");
  EXPECT_EQ(choose("aten::sum", {"Tensor", "int[]?", "bool", "int?"}), "dim_IntList");
  EXPECT_EQ(choose("aten::zeros", {"int[]", "int", "NoneType", "Device", "NoneType"}), "");
}

TEST_F(Resolve, OneIntForASizedList) {
  EXPECT_EQ(choose("aten::sum", {"Tensor", "int", "bool"}), "dim_IntList");
}

TEST_F(Resolve, Varargs) {
  EXPECT_EQ(choose("aten::format", {"str", "int", "Tensor", "(int, str)"}), "");
  EXPECT_EQ(choose("aten::format", {"str"}), "");
  EXPECT_EQ(choose("prim::Print", {}), "");
}

TEST_F(Resolve, StoredOverload) {
  EXPECT_EQ(choose("aten::add", {"Tensor", "int", "int"}, "Scalar"), "Scalar");
  EXPECT_EQ(choose("aten::add", {"Tensor", "int", "int"}, "Tensor"),
            "SchemaError: no overload of aten::add takes (Tensor, int, int)");
  EXPECT_EQ(choose("aten::add", {"Tensor", "int"}, "Tensr"),
            "SchemaError: there is no overload 'Tensr' of aten::add");
}

TEST_F(Resolve, ErrorsSayWhyEachOverloadDoesNotFit) {
  const auto op = resolve(*ops_, "aten::mm", "", types({"Tensor", "int"}));
  ASSERT_FALSE(op);
  EXPECT_EQ(op.error().kind, "SchemaError");
  EXPECT_EQ(op.error().message, "no overload of aten::mm takes (Tensor, int)");
  ASSERT_EQ(op.error().notes.size(), 1u);
  EXPECT_EQ(op.error().notes[0].message,
            "aten::mm(Tensor self, Tensor mat2) -> Tensor: Expected a value of type 'Tensor' for "
            "argument 'mat2' but instead found type 'int'.");
  const auto few = resolve(*ops_, "aten::mm", "", types({"Tensor"}));
  EXPECT_EQ(few.error().notes[0].message,
            "aten::mm(Tensor self, Tensor mat2) -> Tensor: Argument mat2 not provided.");
  const auto many = resolve(*ops_, "aten::mm", "", types({"Tensor", "Tensor", "Tensor"}));
  EXPECT_EQ(many.error().notes[0].message,
            "aten::mm(Tensor self, Tensor mat2) -> Tensor: expected at most 2 argument(s) but "
            "received 3");
  EXPECT_EQ(resolve(*ops_, "aten::add", "", types({"Device", "str"})).error().notes.size(),
            ops_->find("aten::add").size());
}

TEST_F(Resolve, ErrorsNameNearOperators) {
  const auto near = [&](const char* name) -> std::string {
    const auto op = resolve(*ops_, name, "", {});
    return op.error().notes.empty() ? op.error().message : op.error().notes[0].message;
  };
  EXPECT_EQ(near("aten::matmull"), "did you mean aten::matmul?");
  EXPECT_EQ(near("aten::unsqueze"),
            "did you mean aten::unsqueeze, aten::unsqueeze_, aten::squeeze?");
  EXPECT_EQ(near("prim::relu"), "did you mean aten::relu?");
  EXPECT_EQ(near("custom::something_else"), "there is no operator custom::something_else");
  EXPECT_EQ(near(""), "there is no operator ");
}

TEST_F(Resolve, ResultTypesBindVariables) {
  EXPECT_EQ(results("aten::__getitem__", {"str[]", "int"}), "str");
  EXPECT_EQ(results("aten::__getitem__", {"Dict(str, int[])", "str"}), "int[]");
  EXPECT_EQ(results("aten::items", {"Dict(int, Tensor)"}), "(int, Tensor)[]");
  EXPECT_EQ(results("aten::append", {"int[]", "int"}), "int[]");
  EXPECT_EQ(results("aten::get", {"Dict(str, int)", "str"}), "int?");
  EXPECT_EQ(results("aten::add", {"Tensor", "Tensor"}), "Tensor");
  EXPECT_EQ(results("aten::size", {"Tensor"}), "int[]");
  EXPECT_EQ(results("prim::Print", {"int"}), "");
  EXPECT_EQ(results("aten::list", {"Future[int][]"}), "Future[int][]");
  EXPECT_EQ(choose("tine::complete", {"Future[int]", "int"}), "");
  EXPECT_EQ(choose("tine::complete", {"Future[int]", "str"}),
            "SchemaError: no overload of tine::complete takes (Future[int], str)");
}

// ---- effects
// --------------------------------------------------------------------------------------

class EffectsOf : public testing::Test {
protected:
  /// The effects of the first node of that kind in the text, anywhere in it.
  Effects of(const char* text, llvm::StringRef kind) {
    auto unit = parse(text);
    EXPECT_TRUE(unit) << unit.error().str();
    std::optional<Effects> found;
    unit->front().forEachNode([&](Node* node) {
      if (!found && node->kind().str() == kind) found = effectsOf(*ops_, *node);
    });
    EXPECT_TRUE(found) << kind.str();
    return found.value_or(Effects::all());
  }
  std::shared_ptr<const OpSet> ops_ = OpSet::sharedBuiltin();
};

constexpr const char* kProgram = R"(graph(%x : Tensor, %n : int, %l : int[], %c : bool):
  %one : int = prim::Constant[value=1]()
  %y : Tensor = aten::add(%x, %x, %one)
  %m : int = aten::mul(%n, %one)
  %z : Tensor = aten::add_(%y, %x, %one)
  %v : Tensor = aten::select(%x, %one, %one)
  %u : Tensor = custom::unknown(%x)
  %w : int = aten::floordiv(%n, %one)
   = prim::Print(%n)
  %i : int = prim::If(%c)
    block0():
      %a : int = aten::add(%n, %one)
      -> (%a)
    block1():
      -> (%n)
  %k : int = prim::Loop(%n, %c, %n)
    block0(%t : int, %p : int):
      %q : int[] = aten::append(%l, %t)
      -> (%c, %p)
  %f : Future[int] = prim::fork_0(%n)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%s : int):
   = prim::Print(%s)
  return (%s)
)";

TEST_F(EffectsOf, Operators) {
  EXPECT_EQ(of(kProgram, "prim::Constant"), Effects::pure());
  const Effects add = of(kProgram, "aten::add");
  EXPECT_TRUE(add.reads && add.raises);
  EXPECT_FALSE(add.writes || add.external || add.nondeterministic || add.suspends);
  EXPECT_FALSE(add.mustExecute());
  EXPECT_EQ(of(kProgram, "aten::mul"), Effects::pure());
  EXPECT_TRUE(of(kProgram, "aten::add_").writes);
  EXPECT_TRUE(of(kProgram, "aten::add_").mustExecute());
  EXPECT_FALSE(of(kProgram, "aten::select").reads);
  EXPECT_TRUE(of(kProgram, "aten::floordiv").raises);
  EXPECT_EQ(of(kProgram, "custom::unknown"), Effects::all());
  EXPECT_TRUE(of(kProgram, "prim::Print").external);
  EXPECT_TRUE(of(kProgram, "aten::wait").suspends);
}

TEST_F(EffectsOf, ControlFlowHasThatOfItsBlocks) {
  EXPECT_EQ(of(kProgram, "prim::If"), Effects::pure());
  EXPECT_TRUE(of(kProgram, "prim::Loop").writes);
  EXPECT_FALSE(of(kProgram, "prim::Loop").external);
}

TEST_F(EffectsOf, ForksHaveThatOfTheirBody) {
  EXPECT_TRUE(of(kProgram, "prim::fork").external);
  const Effects pure = of(R"(graph(%x : int):
  %f : Future[int] = prim::fork_0(%x)
  return (%f)
with prim::fork_0 = graph(%s : int):
  return (%s)
)",
                          "prim::fork");
  EXPECT_FALSE(pure.mustExecute());
  EXPECT_TRUE(pure.nondeterministic); // two forks are two futures
  const Effects raising = of(R"(graph(%x : str):
  %f : Future[str] = prim::fork_0(%x)
  return (%f)
with prim::fork_0 = graph(%s : str):
   = prim::RaiseException(%s)
  return (%s)
)",
                             "prim::fork");
  EXPECT_TRUE(raising.mustExecute());
}

TEST_F(EffectsOf, DeepNestingNeedsNoStack) {
  Graph graph;
  Value* condition = graph.addInput("c", Type::boolType());
  Block* block = graph.block();
  for (int i = 0; i < 10'000; ++i) {
    Node* node = graph.createNode("prim::If");
    node->addInput(condition);
    block->append(node);
    Block* then = node->addBlock();
    node->addBlock();
    block = then;
  }
  Node* print = graph.createNode("prim::Print");
  block->append(print);
  EXPECT_TRUE(effectsOf(*ops_, **graph.nodes().begin()).external);
}

TEST(Effects, Interfere) {
  Effects reads = Effects::pure(), writes = Effects::pure(), prints = Effects::pure();
  Effects raises = Effects::pure(), suspends = Effects::pure();
  reads.reads = writes.writes = prints.external = raises.raises = suspends.suspends = true;
  const auto both = [](const Effects& a, const Effects& b) {
    EXPECT_EQ(a.interferes(b), b.interferes(a));
    return a.interferes(b);
  };
  EXPECT_FALSE(both(Effects::pure(), Effects::pure()));
  EXPECT_FALSE(both(reads, reads));
  EXPECT_TRUE(both(reads, writes));
  EXPECT_TRUE(both(writes, writes));
  EXPECT_FALSE(both(prints, reads));
  EXPECT_TRUE(both(prints, prints));
  EXPECT_TRUE(both(raises, prints));
  EXPECT_TRUE(both(raises, writes));
  EXPECT_FALSE(both(raises, raises));
  EXPECT_FALSE(both(raises, reads));
  EXPECT_TRUE(both(suspends, Effects::pure()));
  EXPECT_EQ(reads | writes, (Effects{true, true, false, false, false, false}));
}

} // namespace
