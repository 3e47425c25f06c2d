#include "passes/alias.h"
#include "tests/unit/passes/passes_test.h"

namespace tine::testing {
namespace {

/// A graph with its analysis; values by name, nodes by the name of a result.
class Analysed {
public:
  explicit Analysed(llvm::StringRef text)
      : unit_(readUnit(text)), context_(OpSet::sharedBuiltin(), &unit_),
        all_(unit_.front(), context_) {}

  AliasAnalysis& alias() { return all_[unit_.front()]; }
  Value* value(llvm::StringRef name) {
    Value* found = unit_.front().find(name);
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  Node* node(llvm::StringRef name) { return value(name)->node(); }
  bool mayAlias(llvm::StringRef a, llvm::StringRef b) {
    return alias().mayAlias(value(a), value(b));
  }
  bool mayWrite(llvm::StringRef a, llvm::StringRef b) {
    return alias().mayWrite(node(a), value(b));
  }
  bool writtenBetween(llvm::StringRef a, llvm::StringRef b, llvm::StringRef v) {
    return alias().writtenBetween(node(a), node(b), value(v));
  }
  bool escapes(llvm::StringRef a) { return alias().escapes(value(a)); }
  bool hasWriters(llvm::StringRef a) { return alias().hasWriters(value(a)); }

private:
  CompilationUnit unit_;
  PassContext context_;
  AliasAnalyses all_;
};

TEST(MemoryTypes, Levels) {
  auto context = Context::create();
  MemoryTypes types;
  auto levels = [&](llvm::StringRef text) {
    const MemoryLevels& found = types.of(*parseType(*context, text));
    std::vector<int> out(found.levels.begin(), found.levels.end());
    if (found.endless) out.push_back(-1);
    return out;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(levels("int"), ElementsAre());
  EXPECT_THAT(levels("(int, (str, float?))"), ElementsAre());
  EXPECT_THAT(levels("Future[int]"), ElementsAre());
  EXPECT_THAT(levels("Tensor?"), ElementsAre(memory::Tensor));
  EXPECT_THAT(levels("Tensor[][]"), ElementsAre(memory::List, memory::List, memory::Tensor));
  EXPECT_THAT(levels("int[]"), ElementsAre(memory::List));
  EXPECT_THAT(levels("(int, Tensor)"), ElementsAre(memory::Other, memory::Tensor));
  EXPECT_THAT(levels("Future[(Tensor, int[])]"),
              ElementsAre(memory::Other, memory::Other, memory::Tensor | memory::List));
  EXPECT_THAT(levels("Dict(str, int)"), ElementsAre(memory::Dict));
  EXPECT_THAT(levels("__torch__.A"), ElementsAre(memory::Object, memory::All, -1));
  EXPECT_THAT(levels("Any"), ElementsAre(memory::All, -1));
}

TEST(Alias, ViewsAndFreshTensors) {
  Analysed a(R"(graph(%x : Tensor, %y : Tensor, %l : int[]):
  %i : int = prim::Constant[value=0]()
  %v : Tensor = aten::select(%x, %i, %i)
  %n : Tensor = aten::neg(%x)
  %w : Tensor = aten::select(%n, %i, %i)
  %m : Tensor = aten::neg(%x)
  %u : Tensor = aten::add_(%w, %y, %i)
  return (%m)
)");
  EXPECT_TRUE(a.mayAlias("x", "v"));
  EXPECT_TRUE(a.mayAlias("x", "y")) << "the caller may give one tensor twice";
  EXPECT_FALSE(a.mayAlias("x", "l")) << "a tensor is no list";
  EXPECT_FALSE(a.mayAlias("x", "n"));
  EXPECT_TRUE(a.mayAlias("n", "w"));
  EXPECT_TRUE(a.mayAlias("w", "u"));
  EXPECT_FALSE(a.mayAlias("n", "m"));
  EXPECT_TRUE(a.escapes("x"));
  EXPECT_TRUE(a.escapes("m")) << "it is returned";
  EXPECT_FALSE(a.escapes("n"));
  EXPECT_TRUE(a.hasWriters("n"));
  EXPECT_FALSE(a.hasWriters("m"));
  EXPECT_FALSE(a.hasWriters("x"));
  EXPECT_TRUE(a.mayWrite("u", "n"));
  EXPECT_FALSE(a.mayWrite("u", "x"));
  EXPECT_FALSE(a.writtenBetween("n", "u", "n")) << "only at u itself";
}

TEST(Alias, Containers) {
  Analysed a(R"(graph(%x : Tensor):
  %i : int = prim::Constant[value=0]()
  %n : Tensor = aten::neg(%x)
  %m : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct(%n)
  %l2 : Tensor[] = aten::append(%l, %m)
  %k : Tensor[] = prim::ListConstruct(%x)
  %g : Tensor = aten::__getitem__(%l, %i)
  %u : Tensor = aten::add_(%g, %i, %i)
  %t : (Tensor, int) = prim::TupleConstruct(%x, %i)
  %p : Tensor, %q : int = prim::TupleUnpack(%t)
  return ()
)");
  EXPECT_TRUE(a.mayAlias("l", "l2"));
  EXPECT_FALSE(a.mayAlias("l", "k"));
  EXPECT_TRUE(a.mayAlias("g", "n"));
  EXPECT_TRUE(a.mayAlias("g", "m"));
  EXPECT_FALSE(a.mayAlias("g", "x"));
  EXPECT_TRUE(a.mayWrite("l2", "l"));
  EXPECT_FALSE(a.mayWrite("l2", "n"));
  EXPECT_TRUE(a.mayWrite("u", "l")) << "what is in the list changes";
  EXPECT_FALSE(a.mayWrite("u", "k"));
  EXPECT_TRUE(a.mayAlias("p", "x"));
  EXPECT_FALSE(a.escapes("l"));
  EXPECT_TRUE(a.writtenBetween("n", "g", "l"));
  EXPECT_FALSE(a.writtenBetween("l2", "g", "l"));
}

TEST(Alias, ForkWritesUntilItsWait) {
  Analysed a(R"(graph(%x : Tensor):
  %i : int = prim::Constant[value=1]()
  %l : int[] = prim::ListConstruct(%i)
  %k : int[] = prim::ListConstruct(%i)
  %a : int = aten::len(%l)
  %f : Future[int] = prim::fork_0(%l, %k)
  %b : int = aten::len(%l)
  %c : int = aten::len(%l)
  %w : int = aten::wait(%f)
  %d : int = aten::len(%l)
  %e : int = aten::len(%l)
  return (%a)
with prim::fork_0 = graph(%l : int[], %k : int[]):
  %n : int = aten::len(%k)
  %m : int[] = aten::append(%l, %n)
  return (%n)
)");
  EXPECT_TRUE(a.writtenBetween("a", "b", "l"));
  EXPECT_TRUE(a.writtenBetween("b", "c", "l")) << "the task may run now";
  EXPECT_TRUE(a.writtenBetween("c", "d", "l"));
  EXPECT_FALSE(a.writtenBetween("d", "e", "l"));
  EXPECT_FALSE(a.writtenBetween("a", "e", "k")) << "the body only reads it";
  EXPECT_TRUE(a.mayWrite("f", "l"));
  EXPECT_TRUE(a.mayWrite("w", "l")) << "the wait lets the writer finish";
  EXPECT_FALSE(a.mayWrite("f", "k"));
  EXPECT_FALSE(a.alias().mayMoveBefore(a.node("d"), a.node("w")));
  EXPECT_TRUE(a.alias().mayMoveBefore(a.node("e"), a.node("d")));
  EXPECT_EQ(a.alias().role(a.node("f")), AliasAnalysis::Role::LocalWriter);
  EXPECT_EQ(a.alias().role(a.node("w")), AliasAnalysis::Role::Wait);
  EXPECT_FALSE(a.alias().mustRun());
}

TEST(Alias, ForkWithoutAWaitInItsBlockWritesToTheEnd) {
  Analysed a(R"(graph(%c : bool):
  %i : int = prim::Constant[value=1]()
  %l : int[] = prim::ListConstruct(%i)
  %a : int = aten::len(%l)
  %r : int = prim::Loop(%i, %c, %i)
    block0(%k : int, %s : int):
      %p : int = aten::len(%l)
      %f : Future[int] = prim::fork_0(%l)
      %q : int = aten::len(%l)
      %w : int = prim::If(%c)
        block0():
          %v : int = aten::wait(%f)
          -> (%v)
        block1():
          -> (%i)
      -> (%c, %w)
  %b : int = aten::len(%l)
  %d : int = aten::len(%l)
  return (%a)
with prim::fork_0 = graph(%l : int[]):
  %n : int = aten::len(%l)
  %m : int[] = aten::append(%l, %n)
  return (%n)
)");
  EXPECT_TRUE(a.writtenBetween("a", "p", "l")) << "by the task of the round before";
  EXPECT_TRUE(a.writtenBetween("p", "q", "l"));
  EXPECT_TRUE(a.writtenBetween("b", "d", "l"));
}

TEST(Alias, WaitAliasesWhatTheBodyReturns) { // F8
  Analysed a(R"(graph(%x : Tensor, %y : Tensor):
  %i : int = prim::Constant[value=1]()
  %n : Tensor = aten::neg(%x)
  %m : Tensor = aten::neg(%x)
  %f : Future[Tensor] = prim::fork_0(%n, %m)
  %w : Tensor = aten::wait(%f)
  %u : Tensor = aten::add_(%w, %i, %i)
  %g : Future[Tensor] = prim::fork_1(%n)
  %v : Tensor = aten::wait(%g)
  return ()
with prim::fork_0 = graph(%a : Tensor, %b : Tensor):
  %c : Tensor = aten::mul(%a, %b)
  return (%a)
with prim::fork_1 = graph(%a : Tensor):
  %c : Tensor = aten::neg(%a)
  return (%c)
)");
  EXPECT_TRUE(a.mayAlias("w", "n"));
  EXPECT_FALSE(a.mayAlias("w", "m"));
  EXPECT_TRUE(a.mayWrite("u", "n"));
  EXPECT_FALSE(a.mayAlias("v", "n")) << "a fresh tensor";
}

TEST(Alias, UnknownOperatorsMayDoAnything) { // A3
  Analysed a(R"(graph(%x : Tensor):
  %n : Tensor = aten::neg(%x)
  %m : Tensor = aten::neg(%x)
  %u : int = my::log(%n)
  %o : Tensor = my::make()
  return ()
)");
  EXPECT_TRUE(a.mayWrite("u", "n"));
  EXPECT_TRUE(a.mayWrite("u", "x"));
  EXPECT_FALSE(a.mayWrite("u", "m")) << "it has never seen it";
  EXPECT_TRUE(a.escapes("n"));
  EXPECT_TRUE(a.mayAlias("o", "x"));
  EXPECT_FALSE(a.mayAlias("o", "m"));
  EXPECT_TRUE(a.alias().mustRun());
}

TEST(Alias, LoopsGoAround) {
  Analysed a(R"(graph(%c : bool):
  %i : int = prim::Constant[value=1]()
  %l : int[] = prim::ListConstruct(%i)
  %k : int[] = prim::ListConstruct(%i)
  %a : int = aten::len(%l)
  %r : int[] = prim::Loop(%i, %c, %l)
    block0(%n : int, %s : int[]):
      %p : int = aten::len(%l)
      %q : int = aten::len(%l)
      %u : int[] = aten::append(%s, %i)
      -> (%c, %k)
  return (%a)
)");
  EXPECT_TRUE(a.mayAlias("r", "k"));
  EXPECT_TRUE(a.mayAlias("l", "s"));
  EXPECT_TRUE(a.writtenBetween("a", "p", "l")) << "the round before has written";
  EXPECT_FALSE(a.writtenBetween("p", "q", "l"));
}

TEST(Alias, OrderOfPrintsAndRaises) { // A4
  Analysed a(R"(graph(%x : int):
  %m : str = prim::Constant[value="no"]()
   = prim::Print(%m)
  %y : int = aten::neg(%x)
   = prim::RaiseException(%m)
   = prim::Print(%m)
  return (%y)
)");
  Node* y = a.node("y");
  Node *print = y->prev(), *raise = y->next(), *second = raise->next();
  EXPECT_FALSE(a.alias().mayMoveBefore(raise, print));
  EXPECT_FALSE(a.alias().mayMoveAfter(raise, second));
  EXPECT_TRUE(a.alias().mayMoveBefore(y, print));
  EXPECT_TRUE(a.alias().mayMoveAfter(y, second));
}

} // namespace
} // namespace tine::testing
