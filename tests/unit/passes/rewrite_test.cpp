// What each pass does to small programs, and what it must leave alone.
#include "passes/rewrite.h"
#include "tests/unit/passes/passes_test.h"

namespace tine::testing {
namespace {

// Dead code.

TEST(DeadCode, UnusedResultsGo) {
  EXPECT_PASS("dce", R"(graph(%x : Tensor, %c : bool):
  %i : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::add(%a, %x, %i)
  %p : Tensor, %q : Tensor = prim::If(%c)
    block0():
      %u : Tensor = aten::neg(%x)
      -> (%u, %a)
    block1():
      -> (%x, %b)
  return (%p)
)",
              R"(graph(%x : Tensor, %c : bool):
  %p : Tensor = prim::If(%c)
    block0():
      %u : Tensor = aten::neg(%x)
      -> (%u)
    block1():
      -> (%x)
  return (%p)
)");
}

TEST(DeadCode, CarriedValuesThatFeedOnlyThemselvesGo) {
  EXPECT_PASS("dce", R"(graph(%x : int, %n : int, %c : bool):
  %a : int, %b : int = prim::Loop(%n, %c, %x, %n)
    block0(%i : int, %p : int, %q : int):
      %r : int = aten::neg(%p)
      %s : int = aten::add(%q, %i)
      -> (%c, %r, %s)
  return (%a)
)",
              R"(graph(%x : int, %n : int, %c : bool):
  %a : int = prim::Loop(%n, %c, %x)
    block0(%i : int, %p : int):
      %r : int = aten::neg(%p)
      -> (%c, %r)
  return (%a)
)");
}

TEST(DeadCode, CarriedValuesThatTheBodyReadsStay) {
  EXPECT_UNCHANGED("dce", R"(graph(%x : int, %n : int, %c : bool):
  %a : int, %b : int = prim::Loop(%n, %c, %x, %n)
    block0(%i : int, %p : int, %q : int):
      %r : int = aten::add(%p, %q)
      %s : int = aten::add(%q, %i)
      -> (%c, %r, %s)
  return (%a)
)");
}

TEST(DeadCode, ALoopThatOnlyComputesGoes) {
  EXPECT_PASS("dce", R"(graph(%x : int, %n : int, %c : bool):
  %a : int = prim::Loop(%n, %c, %x)
    block0(%i : int, %p : int):
      %r : int = aten::neg(%p)
      -> (%c, %r)
  return (%x)
)",
              R"(graph(%x : int, %n : int, %c : bool):
  return (%x)
)");
}

TEST(DeadCode, MutationsOfDeadLocalsGo) {
  EXPECT_PASS("dce", R"(graph(%x : Tensor, %n : int, %c : bool):
  %l : int[] = prim::ListConstruct(%n)
  %a : int[] = aten::append(%l, %n)
  %t : Tensor = aten::neg(%x)
  %v : Tensor = aten::select(%t, %n, %n)
  %u : Tensor = aten::add_(%v, %n, %n)
  %r : int = prim::Loop(%n, %c, %n)
    block0(%i : int, %p : int):
      %b : int[] = aten::append(%l, %i)
      -> (%c, %p)
  return (%n)
)",
              R"(graph(%x : Tensor, %n : int, %c : bool):
  return (%n)
)");
}

TEST(DeadCode, MutationsThatSomebodySeesStay) {
  EXPECT_UNCHANGED("dce", R"(graph(%x : Tensor, %k : int[], %n : int, %c : bool):
  %l : int[] = prim::ListConstruct(%n)
  %a : int[] = aten::append(%l, %n)
  %s : int[][] = prim::ListConstruct(%l)
  %i : int[] = aten::__getitem__(%s, %n)
  %d : int[] = aten::append(%i, %n)
  %b : int[] = aten::append(%k, %n)
  %v : Tensor = aten::select(%x, %n, %n)
  %u : Tensor = aten::add_(%v, %n, %n)
   = prim::Loop(%n, %c)
    block0(%j : int):
      %e : int[] = aten::append(%l, %j)
      -> (%c)
  %r : int = aten::len(%l)
  return (%r)
)");
}

TEST(DeadCode, StateOfAModuleStays) { // R8
  EXPECT_UNCHANGED("dce", R"(graph(%self : __torch__.M, %x : Tensor):
  %i : int = prim::Constant[value=1]()
  %acc : Tensor = prim::GetAttr[name="acc"](%self)
  %new : Tensor = aten::add(%acc, %x, %i)
   = prim::SetAttr[name="acc"](%self, %new)
  %square : Tensor = aten::mul(%new, %new)
   = prim::SetAttr[name="acc"](%self, %square)
  return (%new)
)");
}

TEST(DeadCode, UnknownOperatorsStay) { // A3
  EXPECT_UNCHANGED("dce", R"(graph(%x : Tensor):
  %n : Tensor = aten::neg(%x)
  %u : int = my::log(%n)
  return (%x)
)");
}

TEST(DeadCode, PrintsAndRaisesStay) { // A4
  EXPECT_UNCHANGED("default", R"(graph(%c : bool):
  %a : str = prim::Constant[value="a"]()
  %b : str = prim::Constant[value="b"]()
   = prim::Print(%a)
   = prim::If(%c)
    block0():
       = prim::RaiseException(%a)
      -> ()
    block1():
      -> ()
   = prim::Print(%b)
  return ()
)");
}

constexpr const char* fourForks = R"(graph(%x : Tensor, %y : Tensor):
  %a : Future[Tensor] = prim::fork_0(%x, %y)
  %b : Future[Tensor] = prim::fork_1(%x)
  %c : Future[Tensor] = prim::fork_2(%x)
  %d : Future[NoneType] = prim::fork_3()
  return (%x)
with prim::fork_0 = graph(%p : Tensor, %q : Tensor):
  %n : Tensor = aten::neg(%p)
  return (%n)
with prim::fork_1 = graph(%p : Tensor):
   = prim::Print(%p)
  return (%p)
with prim::fork_2 = graph(%p : Tensor):
  %n : Tensor = aten::neg_(%p)
  return (%n)
with prim::fork_3 = graph():
  %m : str = prim::Constant[value="no"]()
   = prim::RaiseException(%m)
  %r : NoneType = prim::Constant()
  return (%r)
)";

TEST(DeadCode, OfForksThatNobodyWaitsForOnlyPureOnesGo) {
  EXPECT_PASS("dce", fourForks, R"(graph(%x : Tensor, %y : Tensor):
  %b : Future[Tensor] = prim::fork_0(%x)
  %c : Future[Tensor] = prim::fork_1(%x)
  %d : Future[NoneType] = prim::fork_2()
  return (%x)
with prim::fork_0 = graph(%p : Tensor):
   = prim::Print(%p)
  return (%p)
with prim::fork_1 = graph(%p : Tensor):
  %n : Tensor = aten::neg_(%p)
  return (%n)
with prim::fork_2 = graph():
  %m : str = prim::Constant[value="no"]()
   = prim::RaiseException(%m)
  %r : NoneType = prim::Constant()
  return (%r)
)");
}

TEST(DeadCode, ForkWithItsWaitAndUnusedInputs) {
  EXPECT_PASS("dce", R"(graph(%x : Tensor, %y : Tensor):
  %n : Tensor = aten::neg(%y)
  %a : Future[Tensor] = prim::fork_0(%x, %n)
  %w : Tensor = aten::wait(%a)
  %b : Future[Tensor] = prim::fork_1(%n, %x)
  %v : Tensor = aten::wait(%b)
  return (%v)
with prim::fork_0 = graph(%p : Tensor, %q : Tensor):
  %m : Tensor = aten::neg(%p)
  return (%m)
with prim::fork_1 = graph(%p : Tensor, %q : Tensor):
  %m : Tensor = aten::neg(%q)
  return (%m)
)",
              R"(graph(%x : Tensor, %y : Tensor):
  %b : Future[Tensor] = prim::fork_0(%x)
  %v : Tensor = aten::wait(%b)
  return (%v)
with prim::fork_0 = graph(%q : Tensor):
  %m : Tensor = aten::neg(%q)
  return (%m)
)");
}

TEST(DeadCode, AWaitThatOrdersWritesStays) { // F7
  EXPECT_UNCHANGED("default", R"(graph(%n : int):
  %l : int[] = prim::ListConstruct(%n)
  %f : Future[NoneType] = prim::fork_0(%l, %n)
  %w : NoneType = aten::wait(%f)
  %r : int = aten::len(%l)
  return (%r)
with prim::fork_0 = graph(%l : int[], %n : int):
  %r : NoneType = prim::Constant()
  %a : int[] = aten::append(%l, %n)
  return (%r)
)");
}

TEST(DeadCode, AForkThatWritesOnlyToADeadListGoes) {
  EXPECT_PASS("dce", R"(graph(%n : int):
  %l : int[] = prim::ListConstruct(%n)
  %f : Future[int] = prim::fork_0(%l, %n)
  %w : int = aten::wait(%f)
  return (%n)
with prim::fork_0 = graph(%l : int[], %n : int):
  %a : int[] = aten::append(%l, %n)
  return (%n)
)",
              R"(graph(%n : int):
  return (%n)
)");
}

TEST(DeadCode, WaitsForFuturesOfOthersStay) {
  EXPECT_UNCHANGED("dce", R"(graph(%x : Tensor, %f : Future[Tensor]):
  %w : Tensor = aten::wait(%f)
  return (%x)
)");
}

// Common subexpressions.

TEST(CommonSubexpressions, InBlocksOnlyWhatDominates) {
  EXPECT_PASS("cse", R"(graph(%x : int, %y : int, %c : bool):
  %a : int = aten::add(%x, %y)
  %r : int = prim::If(%c)
    block0():
      %b : int = aten::add(%x, %y)
      %d : int = aten::mul(%b, %y)
      -> (%d)
    block1():
      %e : int = aten::mul(%a, %y)
      -> (%e)
  %f : int = aten::mul(%a, %y)
  %g : int = aten::add(%f, %r)
  return (%g)
)",
              R"(graph(%x : int, %y : int, %c : bool):
  %a : int = aten::add(%x, %y)
  %r : int = prim::If(%c)
    block0():
      %d : int = aten::mul(%a, %y)
      -> (%d)
    block1():
      %e : int = aten::mul(%a, %y)
      -> (%e)
  %f : int = aten::mul(%a, %y)
  %g : int = aten::add(%f, %r)
  return (%g)
)");
}

TEST(CommonSubexpressions, TensorsThatNobodyTellsApart) {
  EXPECT_PASS("cse", R"(graph(%x : Tensor, %i : int):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%x)
  %s : int[] = prim::ListConstruct(%i, %i)
  %t : int[] = prim::ListConstruct(%i, %i)
  %v : Tensor = aten::view(%x, %s)
  %w : Tensor = aten::view(%x, %t)
  %p : Tensor = aten::mul(%a, %v)
  %q : Tensor = aten::mul(%b, %w)
  %r : Tensor = aten::mul(%p, %q)
  return (%r)
)",
              R"(graph(%x : Tensor, %i : int):
  %a : Tensor = aten::neg(%x)
  %s : int[] = prim::ListConstruct(%i, %i)
  %v : Tensor = aten::view(%x, %s)
  %p : Tensor = aten::mul(%a, %v)
  %r : Tensor = aten::mul(%p, %p)
  return (%r)
)");
}

TEST(CommonSubexpressions, NoTwoResultsBecomeOne) { // A2
  EXPECT_UNCHANGED("default", R"(graph(%x : Tensor, %i : int):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%x)
  %s : int[] = prim::ListConstruct(%i)
  %t : int[] = prim::ListConstruct(%i)
  return (%a, %b, %s, %t)
)");
}

TEST(CommonSubexpressions, NotWhatIsWrittenTo) {
  EXPECT_UNCHANGED("cse", R"(graph(%x : Tensor, %i : int):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%x)
  %u : Tensor = aten::add_(%a, %i, %i)
  %r : Tensor = aten::mul(%a, %b)
  return (%r)
)");
}

TEST(CommonSubexpressions, NotThroughOneThatNobodyUses) { // found by a random program
  EXPECT_PASS("cse", R"(graph(%n : int):
  %a : int[] = prim::ListConstruct(%n)
  %b : int[] = prim::ListConstruct(%n)
  %c : int[] = prim::ListConstruct(%n)
  %d : int[] = aten::append(%c, %n)
  return (%b)
)",
              R"(graph(%n : int):
  %a : int[] = prim::ListConstruct(%n)
  %c : int[] = prim::ListConstruct(%n)
  %d : int[] = aten::append(%c, %n)
  return (%a)
)");
}

TEST(CommonSubexpressions, NotAcrossAWrite) {
  EXPECT_UNCHANGED("cse", R"(graph(%x : Tensor, %y : Tensor, %l : int[], %i : int):
  %v : Tensor = aten::select(%x, %i, %i)
  %a : Tensor = aten::neg(%x)
  %m : int = aten::len(%l)
  %u : Tensor = aten::add_(%v, %i, %i)
  %w : int[] = aten::append(%l, %i)
  %b : Tensor = aten::neg(%x)
  %n : int = aten::len(%l)
  %r : Tensor = aten::mul(%a, %b)
  return (%r, %m, %n)
)");
}

TEST(CommonSubexpressions, NotWhileATaskWrites) { // F7
  EXPECT_UNCHANGED("cse", R"(graph(%n : int):
  %l : int[] = prim::ListConstruct(%n)
  %f : Future[NoneType] = prim::fork_0(%l, %n)
  %a : int = aten::len(%l)
  %b : int = aten::len(%l)
  %w : NoneType = aten::wait(%f)
  %c : int = aten::len(%l)
  return (%a, %b, %c)
with prim::fork_0 = graph(%l : int[], %n : int):
  %r : NoneType = prim::Constant()
  %a : int[] = aten::append(%l, %n)
  return (%r)
)");
}

TEST(CommonSubexpressions, NotAroundALoopThatWrites) {
  EXPECT_UNCHANGED("cse", R"(graph(%x : Tensor, %i : int, %c : bool):
  %t : Tensor = aten::abs(%x)
  %a : Tensor = aten::neg(%t)
  %r : Tensor = prim::Loop(%i, %c, %a)
    block0(%n : int, %p : Tensor):
      %b : Tensor = aten::neg(%t)
      %q : Tensor = aten::mul(%p, %b)
      %u : Tensor = aten::add_(%t, %i, %i)
      -> (%c, %q)
  return (%r)
)");
}

TEST(CommonSubexpressions, NeitherForksNorEffectsNorComparedObjects) {
  EXPECT_UNCHANGED("cse", R"(graph(%x : Tensor, %i : int):
  %f : Future[Tensor] = prim::fork_0(%x)
  %g : Future[Tensor] = prim::fork_1(%x)
  %a : Tensor = aten::wait(%f)
  %b : Tensor = aten::wait(%g)
  %p : int = my::op(%i)
  %q : int = my::op(%i)
  %l : int[] = prim::ListConstruct(%i)
  %k : int[] = prim::ListConstruct(%i)
  %same : bool = aten::__is__(%l, %k)
  %r : Tensor = aten::mul(%a, %b)
  return (%r, %p, %q, %same)
with prim::fork_0 = graph(%p : Tensor):
  %n : Tensor = aten::neg(%p)
  return (%n)
with prim::fork_1 = graph(%p : Tensor):
  %n : Tensor = aten::neg(%p)
  return (%n)
)");
}

TEST(CommonSubexpressions, AttributesOfModules) {
  EXPECT_PASS("cse", R"(graph(%self : __torch__.M, %x : Tensor):
  %a : Tensor = prim::GetAttr[name="w"](%self)
  %b : Tensor = prim::GetAttr[name="w"](%self)
  %d : Tensor = prim::GetAttr[name="v"](%self)
   = prim::SetAttr[name="w"](%self, %x)
  %c : Tensor = prim::GetAttr[name="w"](%self)
  return (%a, %b, %c, %d)
)",
              R"(graph(%self : __torch__.M, %x : Tensor):
  %a : Tensor = prim::GetAttr[name="w"](%self)
  %d : Tensor = prim::GetAttr[name="v"](%self)
   = prim::SetAttr[name="w"](%self, %x)
  %c : Tensor = prim::GetAttr[name="w"](%self)
  return (%a, %a, %c, %d)
)");
}

// Folding.

TEST(Fold, NumbersStringsTuples) {
  EXPECT_PASS("fold,dce", R"(graph(%x : int):
  %1 : int = prim::Constant[value=7]()
  %2 : int = prim::Constant[value=2]()
  %a : int = aten::floordiv(%1, %2)
  %b : float = aten::div(%1, %2)
  %c : bool = aten::lt(%1, %2)
  %6 : str = prim::Constant[value="ab"]()
  %d : str = aten::add(%6, %6)
  %e : (int, float) = prim::TupleConstruct(%a, %b)
  %f : int = aten::add(%x, %a)
  %l : int[] = prim::ListConstruct(%1, %2, %a)
  %g : int = aten::len(%l)
  return (%c, %d, %e, %f, %g)
)",
              R"(graph(%x : int):
  %a : int = prim::Constant[value=3]()
  %c : bool = prim::Constant[value=0]()
  %d : str = prim::Constant[value="abab"]()
  %e : (int, float) = prim::Constant[value=(3, 3.5)]()
  %f : int = aten::add(%x, %a)
  %g : int = prim::Constant[value=3]()
  return (%c, %d, %e, %f, %g)
)");
}

TEST(Fold, BranchesAndLoops) {
  EXPECT_PASS("fold,dce", R"(graph(%x : int):
  %0 : int = prim::Constant[value=0]()
  %1 : bool = prim::Constant[value=1]()
  %2 : bool = prim::Constant[value=0]()
  %a : int = prim::If(%1)
    block0():
      %b : int = aten::neg(%x)
      %c : int = prim::If(%2)
        block0():
          -> (%x)
        block1():
          %d : int = aten::mul(%b, %b)
          -> (%d)
      -> (%c)
    block1():
      -> (%0)
  %e : int = prim::Loop(%0, %1, %a)
    block0(%i : int, %p : int):
      -> (%1, %0)
  %f : int = prim::Loop(%x, %2, %e)
    block0(%i.1 : int, %q : int):
      -> (%1, %0)
  return (%f)
)",
              R"(graph(%x : int):
  %b : int = aten::neg(%x)
  %d : int = aten::mul(%b, %b)
  return (%d)
)");
}

TEST(Fold, NotWhatFailsOrCanChange) { // A1
  EXPECT_UNCHANGED("fold", R"(graph(%x : float):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : int = aten::floordiv(%1, %0)
  %3 : int[] = prim::ListConstruct()
  %4 : int[] = aten::append(%3, %1)
  %5 : int[] = prim::ListConstruct(%1)
  %6 : int = aten::len(%5)
  %7 : int[] = aten::append(%5, %1)
  %8 : Tensor = aten::tensor(%1)
  %9 : bool = aten::eq(%x, %x)
  return (%2, %3, %6, %8, %9)
)");
}

TEST(Fold, NotWhatGrows) {
  EXPECT_UNCHANGED("fold", R"(graph():
  %0 : str = prim::Constant[value="a"]()
  %1 : int = prim::Constant[value=1000000000000]()
  %2 : str = aten::ljust(%0, %1, %0)
  return (%2)
)");
}

TEST(Fold, NanIsNotItself) {
  EXPECT_PASS("fold,dce", R"(graph():
  %0 : float = prim::Constant[value=nan]()
  %same : bool = aten::eq(%0, %0)
  return (%same)
)",
              R"(graph():
  %same : bool = prim::Constant[value=0]()
  return (%same)
)");
}

// Pooling.

TEST(Pool, HoistsAndMerges) {
  EXPECT_PASS("pool", R"(graph(%c : bool):
  %a : int = prim::If(%c)
    block0():
      %1 : int = prim::Constant[value=1]()
      %2 : float = prim::Constant[value=1.]()
      %3 : int = aten::neg(%1)
      -> (%3)
    block1():
      %4 : int = prim::Constant[value=1]()
      %5 : bool = prim::Constant[value=1]()
      %6 : float = prim::Constant[value=-0.]()
      %7 : float = prim::Constant[value=0.]()
       = prim::Print(%5, %6, %7)
      -> (%4)
  %8 : Function = prim::Constant[name="f"]()
  %9 : Function = prim::Constant[name="f"]()
  %10 : int = prim::CallFunction(%8, %a)
  %11 : int = prim::CallFunction(%9, %a)
  return (%a)
)",
              R"(graph(%c : bool):
  %1 : int = prim::Constant[value=1]()
  %2 : float = prim::Constant[value=1.]()
  %5 : bool = prim::Constant[value=1]()
  %6 : float = prim::Constant[value=-0.]()
  %7 : float = prim::Constant[value=0.]()
  %8 : Function = prim::Constant[name="f"]()
  %a : int = prim::If(%c)
    block0():
      %3 : int = aten::neg(%1)
      -> (%3)
    block1():
       = prim::Print(%5, %6, %7)
      -> (%1)
  %10 : int = prim::CallFunction(%8, %a)
  %11 : int = prim::CallFunction(%8, %a)
  return (%a)
)");
}

TEST(Pool, ListsStay) {
  EXPECT_UNCHANGED("pool", R"(graph(%c : bool):
   = prim::If(%c)
    block0():
      %1 : int[] = prim::Constant[value=[1, 2]]()
      %2 : int[] = prim::Constant[value=[1, 2]]()
       = prim::Print(%1, %2)
      -> ()
    block1():
      -> ()
  return ()
)");
}

TEST(Pool, TensorsOnlyWhereNobodyCanTell) { // A2
  constexpr const char* before = R"(graph(%x : Tensor):
  %1 : Float(2) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  %2 : Float(2) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  %3 : Float(2) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  %4 : Tensor = aten::mul(%x, %1)
  %5 : Tensor = aten::mul(%4, %2)
  return (%5, %3)
)";
  EXPECT_PASS("pool", before, R"(graph(%x : Tensor):
  %1 : Float(2) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  %4 : Tensor = aten::mul(%x, %1)
  %5 : Tensor = aten::mul(%4, %1)
  return (%5, %1)
)");
  EXPECT_UNCHANGED("pool", R"(graph(%x : Tensor):
  %1 : Float(2) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  %2 : Float(2) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  return (%1, %2)
)");
  EXPECT_UNCHANGED("pool", R"(graph(%x : Tensor):
  %1 : Float(2) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  %2 : Float(2) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  %3 : Tensor = aten::mul_(%1, %x)
  %4 : Tensor = aten::mul(%1, %2)
  return (%4)
)");
}

// Inlining.

constexpr const char* callers = R"(leaf(%x : int):
  %a : int = aten::neg(%x) # leaf.py:2:4
  return (%a)
middle(%x : int):
  %f : Function = prim::Constant[name="leaf"]()
  %p : int = prim::CallFunction(%f, %x) # middle.py:2:4
  %b : int = aten::mul(%p, %p) # middle.py:3:4
  return (%b)
again(%x : int):
  %f : Function = prim::Constant[name="again"]()
  %a : int = prim::CallFunction(%f, %x)
  return (%a)
main(%x : int):
  %f : Function = prim::Constant[name="middle"]()
  %g : Function = prim::Constant[name="again"]()
  %y : int = prim::CallFunction(%f, %x) # main.py:2:4
  %z : int = prim::CallFunction(%g, %y) # main.py:3:4
  return (%z)
)";

TEST(Inline, KnownFunctionsButNoRecursion) {
  CompilationUnit unit = readUnit(callers);
  PassContext context(OpSet::sharedBuiltin(), &unit);
  Graph& main = *unit.find("main");
  EXPECT_TRUE(inlineCalls(main, context));
  EXPECT_TRUE(eliminateDeadCode(main, context));
  EXPECT_EQ(str(main), R"(graph(%x : int):
  %g : Function = prim::Constant[name="again"]()
  %p : int = aten::neg(%x) # leaf.py:2:4
  %y : int = aten::mul(%p, %p) # middle.py:3:4
  %z : int = prim::CallFunction(%g, %y) # main.py:3:4
  return (%z)
)");
  // Where the call was is kept with the node: leaf was called in middle, middle in main.
  const CallSite* site = main.find("p")->node()->callSite();
  ASSERT_TRUE(site);
  EXPECT_EQ(site->function.str(), "leaf");
  EXPECT_EQ(site->location.line, 2u);
  EXPECT_EQ(site->location.file.str(), "middle.py");
  ASSERT_TRUE(site->outer);
  EXPECT_EQ(site->outer->function.str(), "middle");
  EXPECT_EQ(site->outer->location.file.str(), "main.py");
  EXPECT_FALSE(site->outer->outer);
  // A copy in another context has it too.
  auto copy = main.copy(Context::create());
  const CallSite* copied = copy->find("p")->node()->callSite();
  ASSERT_TRUE(copied && copied->outer);
  EXPECT_NE(copied, site);
  EXPECT_EQ(copied->function.str(), "leaf");
  EXPECT_EQ(copied->outer->function.str(), "middle");
  EXPECT_EQ(copy->find("y")->node()->callSite()->function.str(), "middle");
  EXPECT_FALSE(copy->find("z")->node()->callSite());
}

TEST(Inline, MethodsTuplesAndNone) {
  EXPECT_PASS("inline,dce", R"(__torch__.M.two(%self : __torch__.M, %x : int):
  %a : int = aten::neg(%x)
  return (%a, %x)
none(%x : int):
   = prim::Print(%x)
  return ()
main(%m : __torch__.M, %x : int):
  %f : Function = prim::Constant[name="none"]()
  %t : (int, int) = prim::CallMethod[name="two"](%m, %x)
  %n : NoneType = prim::CallFunction(%f, %x)
  %u : int = prim::CallMethod[name="three"](%m, %x)
  return (%t, %n)
)",
              R"(__torch__.M.two(%self : __torch__.M, %x : int):
  %a : int = aten::neg(%x)
  return (%a, %x)
none(%x : int):
   = prim::Print(%x)
  return ()
main(%m : __torch__.M, %x : int):
  %a : int = aten::neg(%x)
  %t : (int, int) = prim::TupleConstruct(%a, %x)
   = prim::Print(%x)
  %n : NoneType = prim::Constant()
  %u : int = prim::CallMethod[name="three"](%m, %x)
  return (%t, %n)
)");
}

TEST(Inline, BodiesOfForksAreAnotherPass) {
  constexpr const char* before = R"(leaf(%x : int):
  %a : int = aten::neg(%x)
  return (%a)
main(%x : int):
  %f : Future[int] = prim::fork_0(%x)
  %w : int = aten::wait(%f)
  return (%w)
with prim::fork_0 = graph(%x : int):
  %f : Function = prim::Constant[name="leaf"]()
  %a : int = prim::CallFunction(%f, %x)
  return (%a)
)";
  EXPECT_UNCHANGED("inline", before);
  EXPECT_PASS("inline_bodies,dce", before, R"(leaf(%x : int):
  %a : int = aten::neg(%x)
  return (%a)
main(%x : int):
  %f : Future[int] = prim::fork_0(%x)
  %w : int = aten::wait(%f)
  return (%w)
with prim::fork_0 = graph(%x : int):
  %a.1 : int = aten::neg(%x)
  return (%a.1)
)");
}

TEST(Inline, NamesAreTorchScripts) {
  // As the oracle prints graph.inlined_graph: the call's name goes to the result, even to one that
  // the function was given.
  EXPECT_PASS("inline,dce", R"(leaf(%x.1 : int):
  %a.1 : int = aten::neg(%x.1)
  return (%a.1)
ident(%x.1 : int):
  return (%x.1)
main(%x.1 : int):
  %f : Function = prim::Constant[name="leaf"]()
  %g : Function = prim::Constant[name="ident"]()
  %3 : int = prim::Constant[value=3]()
  %a.1 : int = prim::CallFunction(%f, %x.1)
  %p.1 : int = prim::CallFunction(%f, %a.1)
  %q.1 : int = prim::CallFunction(%g, %p.1)
  %12 : int = aten::mul(%a.1, %q.1)
  %17 : int = prim::CallFunction(%f, %3)
  %b.1 : int = aten::add(%12, %17)
  return (%b.1)
)",
              R"(leaf(%x.1 : int):
  %a.1 : int = aten::neg(%x.1)
  return (%a.1)
ident(%x.1 : int):
  return (%x.1)
main(%x.1 : int):
  %3 : int = prim::Constant[value=3]()
  %a.2 : int = aten::neg(%x.1)
  %q.1 : int = aten::neg(%a.2)
  %12 : int = aten::mul(%a.2, %q.1)
  %a.1 : int = aten::neg(%3)
  %b.1 : int = aten::add(%12, %a.1)
  return (%b.1)
)");
}

// Tuples.

TEST(Tuples, ThroughBranchesAndLoops) {
  EXPECT_PASS("lower_tuples,dce", R"(graph(%x : int, %y : Tensor, %c : bool):
  %t : (int, Tensor) = prim::TupleConstruct(%x, %y)
  %u : (int, Tensor) = prim::If(%c)
    block0():
      %n : Tensor = aten::neg(%y)
      %v : (int, Tensor) = prim::TupleConstruct(%x, %n)
      -> (%v)
    block1():
      -> (%t)
  %r : (int, Tensor) = prim::Loop(%x, %c, %u)
    block0(%i : int, %p : (int, Tensor)):
      %a : int, %b : Tensor = prim::TupleUnpack(%p)
      %m : Tensor = aten::neg(%b)
      %q : (int, Tensor) = prim::TupleConstruct(%a, %m)
      -> (%c, %q)
  %1 : int = prim::Constant[value=1]()
  %s : Tensor = prim::TupleIndex(%r, %1)
  return (%s)
)",
              R"(graph(%x : int, %y : Tensor, %c : bool):
  %13 : Tensor = prim::If(%c)
    block0():
      %n : Tensor = aten::neg(%y)
      -> (%n)
    block1():
      -> (%y)
  %s : Tensor = prim::Loop(%x, %c, %13)
    block0(%i : int, %b : Tensor):
      %m : Tensor = aten::neg(%b)
      -> (%c, %m)
  return (%s)
)");
}

TEST(Tuples, SlicesAndIndicesOutside) {
  EXPECT_PASS("lower_tuples", R"(graph(%x : int, %y : Tensor):
  %t : (int, Tensor, int) = prim::TupleConstruct(%x, %y, %x)
  %s : (Tensor, int) = prim::TupleSlice[beg=1, end=3](%t)
  %0 : int = prim::Constant[value=-2]()
  %9 : int = prim::Constant[value=9]()
  %a : Tensor = prim::TupleIndex(%s, %0)
  %b : int = prim::TupleIndex(%t, %9)
  return (%a, %b)
)",
              R"(graph(%x : int, %y : Tensor):
  %t : (int, Tensor, int) = prim::TupleConstruct(%x, %y, %x)
  %s : (Tensor, int) = prim::TupleConstruct(%y, %x)
  %0 : int = prim::Constant[value=-2]()
  %9 : int = prim::Constant[value=9]()
  %b : int = prim::TupleIndex(%t, %9)
  return (%y, %b)
)");
}

// Forks in place.

TEST(InlineForkWait, NestedForks) { // D.6 (1)
  EXPECT_PASS("inline_fork_wait", R"(graph(%x : Tensor):
  %f : Future[Tensor] = prim::fork_0(%x)
  %w : Tensor = aten::wait(%f)
  return (%w)
with prim::fork_0 = graph(%a : Tensor):
  %g : Future[Tensor] = prim::fork_0(%a)
  %n : Tensor = aten::neg(%a)
  %v : Tensor = aten::wait(%g)
  %m : Tensor = aten::mul(%n, %v)
  return (%m)
with prim::fork_0 = graph(%b : Tensor):
  %r : Tensor = aten::relu(%b)
  return (%r)
)",
              R"(graph(%x : Tensor):
  %n : Tensor = aten::neg(%x)
  %r : Tensor = aten::relu(%x)
  %m : Tensor = aten::mul(%n, %r)
  return (%m)
)");
}

TEST(InlineForkWait, AtTheFirstOfSeveralWaits) {
  EXPECT_PASS("inline_fork_wait", R"(graph(%x : Tensor, %c : bool):
  %f : Future[(Tensor, int)] = prim::fork_0(%x)
   = prim::Print(%c)
  %w : (Tensor, int) = aten::wait(%f)
  %r : (Tensor, int) = prim::If(%c)
    block0():
      %v : (Tensor, int) = aten::wait(%f)
      -> (%v)
    block1():
      -> (%w)
  return (%r, %w)
with prim::fork_0 = graph(%a : Tensor):
  %1 : int = prim::Constant[value=1]()
  %n : Tensor = aten::neg(%a)
  return (%n, %1)
)",
              R"(graph(%x : Tensor, %c : bool):
   = prim::Print(%c)
  %1 : int = prim::Constant[value=1]()
  %n : Tensor = aten::neg(%x)
  %w : (Tensor, int) = prim::TupleConstruct(%n, %1)
  %r : (Tensor, int) = prim::If(%c)
    block0():
      -> (%w)
    block1():
      -> (%w)
  return (%r, %w)
)");
}

TEST(InlineForkWait, InNestedBlocks) { // D.6 (4)
  // What may fail goes to its only wait; what cannot goes to the fork.
  EXPECT_PASS("inline_fork_wait", R"(graph(%x : Tensor, %y : int, %c : bool):
  %f : Future[Tensor] = prim::fork_0(%x)
  %g : Future[int] = prim::fork_1(%y)
  %r : Tensor = prim::If(%c)
    block0():
      %w : Tensor = aten::wait(%f)
      -> (%w)
    block1():
      -> (%x)
  %s : int = prim::Loop(%y, %c, %y)
    block0(%i : int, %p : int):
      %v : int = aten::wait(%g)
      %q : int = aten::add(%v, %p)
      -> (%c, %q)
  return (%r, %s)
with prim::fork_0 = graph(%a : Tensor):
  %n : Tensor = aten::neg(%a)
  return (%n)
with prim::fork_1 = graph(%a : int):
  %m : int = aten::neg(%a)
  return (%m)
)",
              R"(graph(%x : Tensor, %y : int, %c : bool):
  %m : int = aten::neg(%y)
  %r : Tensor = prim::If(%c)
    block0():
      %n : Tensor = aten::neg(%x)
      -> (%n)
    block1():
      -> (%x)
  %s : int = prim::Loop(%y, %c, %y)
    block0(%i : int, %p : int):
      %q : int = aten::add(%m, %p)
      -> (%c, %q)
  return (%r, %s)
)");
}

TEST(InlineForkWait, LeavesWhatItCannotDoRight) {
  // Stored, returned and passed futures; a failing body that one path does not wait for; one in a
  // loop; a body with effects behind something that may fail.
  for (const char* body : {
           "  %l : Future[Tensor][] = prim::ListConstruct(%f)\n"
           "  %i : int = prim::Constant[value=0]()\n"
           "  %g : Future[Tensor] = aten::__getitem__(%l, %i)\n"
           "  %w : Tensor = aten::wait(%g)\n"
           "  return (%w)\n",
           "  return (%f)\n",
           "  %w : Tensor = my::wait(%f)\n"
           "  return (%w)\n",
           "  %w : Tensor = prim::If(%c)\n"
           "    block0():\n"
           "      %v : Tensor = aten::wait(%f)\n"
           "      -> (%v)\n"
           "    block1():\n"
           "      %u : Tensor = aten::wait(%f)\n"
           "      -> (%u)\n"
           "  return (%w)\n",
           "  %w : Tensor = prim::Loop(%n, %c, %x)\n"
           "    block0(%i : int, %p : Tensor):\n"
           "      %v : Tensor = aten::wait(%f)\n"
           "      -> (%c, %v)\n"
           "  return (%w)\n",
           "  return (%x)\n",
       }) {
    std::string text = "graph(%x : Tensor, %n : int, %c : bool):\n"
                       "  %f : Future[Tensor] = prim::fork_0(%x)\n" +
                       std::string(body) +
                       "with prim::fork_0 = graph(%a : Tensor):\n"
                       "  %b : Tensor = aten::neg(%a)\n"
                       "  return (%b)\n";
    EXPECT_UNCHANGED("inline_fork_wait", text);
  }
}

TEST(InlineForkWait, EffectsOnlyWhereTheyAreCertain) {
  constexpr const char* head = "graph(%x : Tensor, %n : int, %c : bool):\n"
                               "  %f : Future[Tensor] = prim::fork_0(%x)\n";
  constexpr const char* tail = "  %w : Tensor = aten::wait(%f)\n"
                               "  return (%w)\n"
                               "with prim::fork_0 = graph(%a : Tensor):\n"
                               "  %b : Tensor = aten::neg_(%a)\n"
                               "  return (%b)\n";
  EXPECT_PASS("inline_fork_wait", std::string(head) + tail,
              "graph(%x : Tensor, %n : int, %c : bool):\n"
              "  %b : Tensor = aten::neg_(%x)\n"
              "  return (%b)\n");
  // The multiplication may fail; then the task would not have written.
  EXPECT_UNCHANGED("inline_fork_wait",
                   std::string(head) + "  %y : Tensor = aten::mul(%x, %x)\n" + tail);
}

TEST(InlineForkWait, KeepsPlaces) {
  CompilationUnit unit = readUnit(R"(graph(%x : Tensor):
  %f : Future[Tensor] = prim::fork_0(%x) # main.py:7:4
  %w : Tensor = aten::wait(%f) # main.py:8:4
  return (%w)
with prim::fork_0 = graph(%a : Tensor):
  %b : Tensor = aten::neg(%a), scope: inner # task.py:2:4
  return (%b)
)");
  ASSERT_TRUE(runPasses(unit, *OpSet::sharedBuiltin(), "inline_fork_wait"));
  EXPECT_EQ(str(unit), R"(graph(%x : Tensor):
  %b : Tensor = aten::neg(%x), scope: inner # task.py:2:4
  return (%b)
)");
  const CallSite* site = unit.front().find("b")->node()->callSite();
  ASSERT_TRUE(site);
  EXPECT_EQ(site->function.str(), "<forked function>");
  EXPECT_TRUE(site->fork);
  EXPECT_EQ(site->location.line, 7u);
  ASSERT_TRUE(site->outer); // waited for in the same function
  EXPECT_TRUE(site->outer->function.empty());
  EXPECT_EQ(site->outer->location.line, 8u);
}

// Names and numbers.

TEST(Canonicalize, NumbersInPrintingOrder) {
  EXPECT_EQ(afterPasses("drop_names,canonicalize", R"(graph(%x : int, %c : bool):
  %7 : int, %z : int = prim::Loop(%x, %c, %x, %x)
    block0(%i : int, %9 : int, %q : int):
      %k : int = aten::neg(%9)
      -> (%c, %k, %q)
  %f : Future[int] = prim::fork_0(%7)
  %3 : int = aten::wait(%f)
  return (%3)
with prim::fork_0 = graph(%b : int):
  %8 : int = aten::neg(%b)
  return (%8)
)"),
            R"(graph(%0 : int,
      %1 : bool):
  %2 : int, %3 : int = prim::Loop(%0, %1, %0, %0)
    block0(%4 : int, %5 : int, %6 : int):
      %7 : int = aten::neg(%5)
      -> (%1, %7, %6)
  %8 : Future[int] = prim::fork_0(%2)
  %9 : int = aten::wait(%8)
  return (%9)
with prim::fork_0 = graph(%0 : int):
  %1 : int = aten::neg(%0)
  return (%1)
)");
}

} // namespace
} // namespace tine::testing
