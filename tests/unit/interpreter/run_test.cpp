#include "tests/unit/interpreter/programs.h"

#include <stdexcept>

namespace tine::testing {
namespace {

class Run : public WithWorkers {
protected:
  std::string outcome(llvm::StringRef function, std::vector<IValue> arguments) {
    return testing::outcome(scheduler_, code_, function, std::move(arguments));
  }
  void compileAll(const char* text, std::shared_ptr<const OpSet> ops = nullptr) {
    code_ = compileText(text, std::move(ops));
    ASSERT_TRUE(code_);
  }
  Scheduler scheduler_{{.workers = workers()}};
  std::shared_ptr<const Code> code_;
};
TINE_WITH_WORKERS(Run);

TEST_P(Run, StraightLineAndScalars) {
  compileAll(R"(f(%a : int, %b : int):
  %s : int = aten::add(%a, %b)
  %p : int = aten::mul(%s, %a)
  %q : int = aten::floordiv(%p, %b)
  %r : int = aten::remainder(%p, %b)
  %t : (int, int, int) = prim::TupleConstruct(%p, %q, %r)
  return (%t)

g(%a : float, %b : float):
  %s : float = aten::add(%a, %b)
  %c : bool = aten::lt(%s, %a)
  %t : (float, bool) = prim::TupleConstruct(%s, %c)
  return (%t)

two(%a : int, %b : int):
  return (%b, %a)

none(%a : int):
  return ()
)");
  EXPECT_EQ(outcome("f", {3, 4}), "(21, 5, 1)");
  EXPECT_EQ(outcome("f", {-7, 2}), "(35, 17, 1)");
  EXPECT_EQ(outcome("f", {7, -2}), "(35, -18, -1)");
  EXPECT_THAT(outcome("f", {5, 0}), ::testing::StartsWith("ZeroDivisionError: "));
  EXPECT_EQ(outcome("g", {1.5, -2.0}), "(-0.5, True)");
  EXPECT_EQ(outcome("two", {1, 2}), "(2, 1)");
  EXPECT_EQ(outcome("none", {1}), "None");
  EXPECT_EQ(outcome("f", {1}), "TypeError: f() takes 2 arguments, 1 given");
  EXPECT_EQ(outcome("nowhere", {}), "AttributeError: there is no function nowhere");
}

TEST_P(Run, Branches) {
  compileAll(R"(f(%x : int, %c : bool, %d : bool):
  %1 : int = prim::Constant[value=1]()
  %r : int, %s : int = prim::If(%c)
    block0():
      %a : int = aten::add(%x, %1)
      %q : int = prim::If(%d)
        block0():
          -> (%a)
        block1():
          -> (%x)
      -> (%q, %a)
    block1():
      -> (%x, %x)
  %t : (int, int, int) = prim::TupleConstruct(%r, %s, %x)
  return (%t)

same(%x : Tensor, %c : bool):
  %r : Tensor, %s : Tensor = prim::If(%c)
    block0():
      %y : Tensor = aten::neg(%x)
      -> (%y, %y)
    block1():
      -> (%x, %x)
  %t : (Tensor, Tensor) = prim::TupleConstruct(%r, %s)
  return (%t)
)");
  EXPECT_EQ(outcome("f", {10, true, true}), "(11, 11, 10)");
  EXPECT_EQ(outcome("f", {10, true, false}), "(10, 11, 10)");
  EXPECT_EQ(outcome("f", {10, false, true}), "(10, 10, 10)");
  EXPECT_EQ(outcome("same", {Tensor::scalar(2.0), true}), "(tensor(-2.), tensor(-2.))");
  EXPECT_EQ(outcome("same", {Tensor::scalar(2.0), false}), "(tensor(2.), tensor(2.))");
}

TEST_P(Run, Loops) {
  compileAll(R"(sum(%n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %r : int = prim::Loop(%n, %t, %0)
    block0(%i : int, %acc : int):
      %s : int = aten::add(%acc, %i)
      -> (%t, %s)
  return (%r)

collatz(%n : int):
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]()
  %3 : int = prim::Constant[value=3]()
  %0 : int = prim::Constant[value=0]()
  %max : int = prim::Constant[value=9223372036854775807]()
  %go : bool = aten::ne(%n, %1)
  %last : int, %steps : int = prim::Loop(%max, %go, %n, %0)
    block0(%i : int, %x : int, %k : int):
      %rest : int = aten::remainder(%x, %2)
      %even : bool = aten::eq(%rest, %0)
      %y : int = prim::If(%even)
        block0():
          %h : int = aten::floordiv(%x, %2)
          -> (%h)
        block1():
          %m : int = aten::mul(%x, %3)
          %p : int = aten::add(%m, %1)
          -> (%p)
      %kk : int = aten::add(%k, %1)
      %again : bool = aten::ne(%y, %1)
      -> (%again, %y, %kk)
  return (%steps)

rotate(%a : str, %b : str, %c : str, %n : int):
  %t : bool = prim::Constant[value=1]()
  %x : str, %y : str, %z : str = prim::Loop(%n, %t, %a, %b, %c)
    block0(%i : int, %p : str, %q : str, %r : str):
      -> (%t, %q, %r, %p)
  %u : (str, str, str) = prim::TupleConstruct(%x, %y, %z)
  return (%u)

copies(%a : str, %b : str, %n : int):
  %t : bool = prim::Constant[value=1]()
  %x : str, %y : str, %z : str = prim::Loop(%n, %t, %a, %b, %a)
    block0(%i : int, %p : str, %q : str, %r : str):
      -> (%t, %q, %q, %p)
  %u : (str, str, str) = prim::TupleConstruct(%x, %y, %z)
  return (%u)

flag(%a : bool, %n : int):
  %r : bool, %k : int = prim::Loop(%n, %a, %a, %n)
    block0(%i : int, %c : bool, %last : int):
      %f : bool = prim::Constant[value=0]()
      -> (%c, %f, %i)
  %u : (bool, int) = prim::TupleConstruct(%r, %k)
  return (%u)

nested(%n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %r : int = prim::Loop(%n, %t, %0)
    block0(%i : int, %acc : int):
      %in : int = prim::Loop(%i, %t, %acc)
        block0(%j : int, %a : int):
          %p : int = aten::mul(%i, %j)
          %s : int = aten::add(%a, %p)
          -> (%t, %s)
      -> (%t, %in)
  return (%r)

unused(%l : str[], %n : int):
  %t : bool = prim::Constant[value=1]()
  %r : str[] = prim::Loop(%n, %t, %l)
    block0(%i : int, %m : str[]):
      %e : str[] = prim::ListConstruct()
      -> (%t, %e)
  return (%n)
)");
  EXPECT_EQ(outcome("sum", {5}), "10");
  EXPECT_EQ(outcome("sum", {0}), "0");
  EXPECT_EQ(outcome("sum", {-3}), "0");
  EXPECT_EQ(outcome("collatz", {27}), "111");
  EXPECT_EQ(outcome("collatz", {1}), "0");
  EXPECT_EQ(outcome("rotate", {"a", "b", "c", 0}), "('a', 'b', 'c')");
  EXPECT_EQ(outcome("rotate", {"a", "b", "c", 1}), "('b', 'c', 'a')");
  EXPECT_EQ(outcome("rotate", {"a", "b", "c", 5}), "('c', 'a', 'b')");
  EXPECT_EQ(outcome("copies", {"a", "b", 1}), "('b', 'b', 'a')");
  EXPECT_EQ(outcome("copies", {"a", "b", 3}), "('b', 'b', 'b')");
  EXPECT_EQ(outcome("flag", {true, 9}), "(False, 1)");
  EXPECT_EQ(outcome("flag", {false, 9}), "(False, 9)");
  EXPECT_EQ(outcome("nested", {5}), "35");
  EXPECT_EQ(outcome("unused", {IValue::list({"x"}), 3}), "3");
}

TEST_P(Run, Containers) {
  compileAll(R"(f(%a : int, %b : str):
  %k : str = prim::Constant[value="key"]()
  %1 : int = prim::Constant[value=1]()
  %l : int[] = prim::ListConstruct(%a, %1, %a)
  %d : Dict(str, int) = prim::DictConstruct(%b, %a, %k, %1)
  %t : (int[], Dict(str, int)) = prim::TupleConstruct(%l, %d)
  %x : int, %y : int, %z : int = prim::ListUnpack(%l)
  %m : int[], %e : Dict(str, int) = prim::TupleUnpack(%t)
  %i : Dict(str, int) = prim::TupleIndex(%t, %1)
  %s : (int[]) = prim::TupleSlice[beg=0, end=1](%t)
  %r : (int[], Dict(str, int), (int[]), int) = prim::TupleConstruct(%m, %i, %s, %y)
  return (%r)

unpack(%l : int[]):
  %x : int, %y : int = prim::ListUnpack(%l)
  return (%x)

index(%t : (int, int), %i : int):
  %r : int = prim::TupleIndex(%t, %i)
  return (%r)

named(%a : int):
  %r : NamedTuple(x : int, y : int) = prim::TupleConstruct(%a, %a)
  return (%r)
)");
  EXPECT_EQ(outcome("f", {7, "b"}), "([7, 1, 7], {'b': 7, 'key': 1}, ([7, 1, 7],), 1)");
  EXPECT_EQ(outcome("unpack", {IValue::list({1})}),
            "ValueError: Expected 2 elements in a list but found 1");
  EXPECT_EQ(outcome("index", {IValue::tuple({4, 5}), -1}), "5");
  EXPECT_EQ(outcome("index", {IValue::tuple({4, 5}), 2}), "IndexError: tuple index out of range");
  IValue named = run(scheduler_, code_, "named", {3});
  ASSERT_TRUE(named.toTuple().names);
  EXPECT_THAT(*named.toTuple().names, ::testing::ElementsAre("x", "y"));
}

TEST_P(Run, ConstantContainersAreNewEachTime) {
  compileAll(R"(f(%x : int):
  %l : int[] = prim::Constant[value=[1, 2]]()
  %n : int[] = aten::append(%l, %x)
  return (%l)
)");
  EXPECT_EQ(outcome("f", {3}), "[1, 2, 3]");
  EXPECT_EQ(outcome("f", {4}), "[1, 2, 4]");
}

TEST_P(Run, Objects) {
  compileAll(R"(__torch__.C.__init__(%self : __torch__.C, %x : int):
  %none : NoneType = prim::Constant()
   = prim::SetAttr[name="x"](%self, %x)
  return (%none)

__torch__.C.inc(%self : __torch__.C, %y : int):
  %x : int = prim::GetAttr[name="x"](%self)
  %s : int = aten::add(%x, %y)
   = prim::SetAttr[name="x"](%self, %s)
  return (%s)

use(%n : int):
  %2 : int = prim::Constant[value=2]()
  %c : __torch__.C = prim::CreateObject()
  %u : NoneType = prim::CallMethod[name="__init__"](%c, %n)
  %v : int = prim::CallMethod[name="inc"](%c, %2)
  %x : int = prim::GetAttr[name="x"](%c)
  return (%x)

early(%n : int):
  %c : __torch__.C = prim::CreateObject()
  %x : int = prim::GetAttr[name="x"](%c)
  return (%x)

any(%c : Any, %n : int):
  %v : int = prim::CallMethod[name="inc"](%c, %n)
  return (%v)
)");
  EXPECT_EQ(outcome("use", {3}), "5");
  EXPECT_EQ(outcome("early", {3}), "AttributeError: '__torch__.C' has no attribute 'x'");
  EXPECT_EQ(outcome("any", {3, 4}), "AttributeError: 'int' has no attribute 'inc'");
  auto layout = std::make_shared<ClassLayout>();
  layout->name = "__torch__.C";
  layout->attributes = {"other", "x"};
  auto object = makeRef<Object>();
  object->layout = layout;
  object->slots = {IValue(), IValue(40)};
  EXPECT_EQ(outcome("any", {IValue(object), 2}), "42");
  EXPECT_EQ(object->slots[1].toInt(), 42);
}

TEST_P(Run, FunctionsOfOtherProgramsAreRefused) {
  constexpr const char* kCalls = R"(make(%x : int):
  %f : Function = prim::Closure_0(%x)
  return (%f)
with prim::Closure_0 = graph(%x : int, %y : int):
  %s : int = aten::add(%x, %y)
  return (%s)

plain():
  %f : Function = prim::Closure_0()
  return (%f)
with prim::Closure_0 = graph(%y : int):
  return (%y)

call(%f : Function, %y : int):
  %r : int = prim::CallFunction(%f, %y)
  return (%r)

later(%f : Function, %y : int):
  %p : Future[int] = tine::promise()
   = tine::complete(%p, %y)
  %g : Future[int] = tine::then(%p, %f)
  %r : int = aten::wait(%g)
  return (%r)
)";
  const auto other = compileText(kCalls);
  const IValue closure = run(scheduler_, other, "make", {3});
  const IValue plain = run(scheduler_, other, "plain", {});
  EXPECT_EQ(testing::outcome(scheduler_, other, "call", {closure, 4}), "7");
  EXPECT_EQ(testing::outcome(scheduler_, other, "later", {closure, 4}), "7");
  EXPECT_EQ(testing::outcome(scheduler_, other, "later", {plain, 4}), "4");
  compileAll(kCalls);
  const std::string refused = "TypeError: a function of another program is called";
  EXPECT_EQ(outcome("call", {closure, 4}), refused);
  EXPECT_EQ(outcome("call", {plain, 4}), refused);
  EXPECT_EQ(outcome("later", {closure, 4}), refused);
  EXPECT_EQ(outcome("later", {4, 4}), "TypeError: a function is wanted, not int");
  EXPECT_EQ(outcome("call", {IValue::tuple({}), 4}), "TypeError: a function is wanted, not Tuple");
}

TEST_P(Run, TypesAtRunTime) {
  compileAll(R"(f(%x : Any):
  %c : bool = prim::isinstance[types=[int, str[]]](%x)
  %r : Any = prim::If(%c)
    block0():
      %i : int = prim::unchecked_cast(%x)
      -> (%i)
    block1():
      %none : NoneType = prim::Constant()
      -> (%none)
  return (%r)

never(%x : int):
  %u : int = prim::Uninitialized()
  return (%x)
)");
  EXPECT_EQ(outcome("f", {3}), "3");
  EXPECT_EQ(outcome("f", {2.5}), "None");
  EXPECT_EQ(outcome("f", {IValue::list({"a"})}), "['a']");
  EXPECT_EQ(outcome("never", {1}), "1");
}

TEST_P(Run, Recursion) {
  compileAll(kFib);
  EXPECT_EQ(outcome("plain", {20}), "6765");
}

TEST_P(Run, UnknownOperatorsAndValuesRaiseWhereTheyAreReached) {
  compileAll(R"(f(%c : bool, %x : Tensor):
   = prim::If(%c)
    block0():
      %y : Tensor = my::unheard_of(%x) # model.py:12:4
      -> ()
    block1():
      -> ()
  %w : Tensor = prim::If(%c)
    block0():
      -> (%x)
    block1():
      %v : Tensor = prim::Constant[value=<Tensor>]() # model.py:14:8
      -> (%v)
  return (%w)

ok(%x : int):
  return (%x)
)");
  EXPECT_EQ(outcome("ok", {1}), "1");
  const auto error = [&](bool condition) {
    auto future = scheduler_.run(code_, "f", {condition, Tensor::scalar(1.0)});
    scheduler_.waitDone(*future);
    EXPECT_TRUE(future->failed());
    future->markObserved();
    const Error& e = *future->error();
    return e.kind + " " + e.message + " " + e.place.str();
  };
  EXPECT_EQ(error(true), "NotImplementedError there is no operator my::unheard_of model.py:12:5");
  EXPECT_EQ(error(false),
            "NotImplementedError the value of the constant <Tensor> is not known model.py:14:9");
}

TEST_P(Run, EndlessRecursionIsAnError) {
  compileAll(R"(f(%n : int):
  %f : Function = prim::Constant[name="f"]()
  %r : int = prim::CallFunction(%f, %n)
  return (%r)

waits(%n : int):
  %f : Future[int] = prim::fork_0(%n)
  %r : int = aten::wait(%f)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %f : Function = prim::Constant[name="waits"]()
  %r : int = prim::CallFunction(%f, %n)
  return (%r)
)");
  Scheduler scheduler({.workers = workers(), .memory = 64 << 20, .maxDepth = 10000});
  const std::string calls = testing::outcome(scheduler, code_, "f", {1});
  EXPECT_EQ(calls, "RuntimeError: maximum recursion depth exceeded");
  // A fork that another worker takes starts again at no depth; then memory is what ends.
  const std::string waits = testing::outcome(scheduler, code_, "waits", {1});
  if (waits != calls) {
    EXPECT_GT(workers(), 1) << waits;
    EXPECT_EQ(waits,
              "RuntimeError: calls and forks without end: the program's tasks and frames need "
              "64 MiB");
  }
}

TEST_P(Run, CallsGiveWhatRunsGive) {
  compileAll(kFib);
  const FunctionCode& fib = *code_->find("fib");
  const auto call = [&](const FunctionCode& function, IValue argument) {
    IValue arguments[] = {std::move(argument)};
    return scheduler_.call(code_, function, arguments).str();
  };
  for (int i = 0; i < 20; ++i) EXPECT_EQ(call(fib, 12), "144");
  const auto other = compileText("g(%x : int):\n  %y : int = aten::floordiv(%x, %x)\n"
                                 "  %l : int[] = prim::ListConstruct(%y)\n  return (%l)\n");
  ASSERT_TRUE(other);
  for (int i = 0; i < 3; ++i) {
    IValue seven[] = {7}, zero[] = {0};
    EXPECT_EQ(scheduler_.call(other, other->front(), seven).str(), "[1]");
    EXPECT_EQ(errorOf([&] { scheduler_.call(other, other->front(), zero); }).kind,
              "ZeroDivisionError");
    EXPECT_EQ(call(fib, 10), "55");
  }
  EXPECT_EQ(scheduler_.isSpotless(), workers() == 0);
  EXPECT_EQ(outcome("fib", {12}), "144"); // runs and calls mix
  EXPECT_EQ(call(fib, 12), "144");
}

TEST_P(Run, RegisteredOperators) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("test::scale(Tensor x, float k=2.0) -> Tensor",
           [](Tensor x, double k) { return Tensor::scalar(x.toDouble() * k); });
  ops->add("test::fails(int x) -> int", [](std::int64_t x) -> std::int64_t {
    throw std::out_of_range("row " + std::to_string(x));
  });
  compileAll(R"(f(%x : Tensor):
  %y : Tensor = test::scale(%x)
  return (%y)

g(%x : int):
  %y : int = test::fails(%x)
  return (%y)
)",
             ops);
  EXPECT_EQ(outcome("f", {Tensor::scalar(1.5)}), "tensor(3.)");
  EXPECT_EQ(outcome("g", {7}), "IndexError: row 7");
}

} // namespace
} // namespace tine::testing
