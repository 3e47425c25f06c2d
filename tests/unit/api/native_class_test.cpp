// Classes written in C++, and operators, as source uses them.

#include "api/tine.h"
#include "tests/fixture.h"

#include <atomic>

using namespace tine;
using namespace tine::testing;

namespace {

std::atomic<int> alive{0};

struct Counter {
  explicit Counter(std::int64_t start) : count(start) {
    if (start < 0) throw std::invalid_argument("counters start at 0");
    ++alive;
  }
  ~Counter() { --alive; }
  std::int64_t increment(std::int64_t by) { return count += by; }
  std::int64_t get() const noexcept { return count; }
  std::shared_ptr<Counter> twin() const { return std::make_shared<Counter>(count); }
  void fail(const std::string& why) { throw std::runtime_error("counter: " + why); }
  std::atomic<std::int64_t> count;
};

/// What a program has of state that is no graph's: a bag of tensors.
struct Bag {
  std::vector<Tensor> tensors;
  std::string label = "bag";
  std::optional<double> limit;
};

std::shared_ptr<const OpSet> withClasses() {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  auto counter = ops->addClass<Counter>("my.Counter");
  counter.init<std::int64_t>("(int start=0)")
      .method("increment(int by=1) -> int", &Counter::increment)
      .method("get", &Counter::get)
      .method("twin", &Counter::twin)
      .method("fail", &Counter::fail)
      .method("join", [](Counter& self,
                         const std::shared_ptr<Counter>& other) { self.increment(other->get()); })
      .property("count", [](const Counter& self) { return self.get(); });
  ops->addClass<Bag>("my.Bag")
      .init<>()
      .method("put", [](Bag& self, Tensor x) { self.tensors.push_back(std::move(x)); })
      .method("all", [](const Bag& self) { return self.tensors; })
      .method("describe",
              [](const Bag& self) {
                return std::tuple(self.label, static_cast<std::int64_t>(self.tensors.size()));
              })
      .field("label", &Bag::label)
      .field("limit", &Bag::limit);
  ops->add("my::half(Tensor x, float by=0.5) -> Tensor",
           [](Tensor x, double by) { return mul(x, by); });
  ops->add(
      "my::counter(int start) -> __torch__.torch.classes.my.Counter",
      [counter](std::int64_t start) { return counter.object(std::make_shared<Counter>(start)); });
  return ops;
}

Program compiled(const std::string& source) {
  return compile(source, "f.py", withClasses()).value();
}

class NativeClasses : public WithWorkers {
protected:
  void TearDown() override { EXPECT_EQ(alive, 0) << "objects outlived what refers to them"; }
};
TINE_WITH_WORKERS(NativeClasses);

TEST_P(NativeClasses, AreMadeCalledAndForked) {
  const Program program = compiled(R"(
def main(n: int):
    c = torch.classes.my.Counter(3)
    fs = [torch.jit.fork(c.increment, i) for i in range(n)]
    for f in fs:
        f.wait()
    return c.increment(), c.count, torch.classes.my.Counter().get()
)");
  Scheduler scheduler({.workers = workers()});
  EXPECT_EQ(program.run(scheduler, "main", 5).str(), "(14, 14, 0)");
}

TEST_P(NativeClasses, HaveFieldsThatSourceChanges) {
  const Program program = compiled(R"(
def main(x):
    b = torch.classes.my.Bag()
    before = b.limit
    b.label += "s"
    b.limit = 2.5
    b.put(x)
    b.put(x * 2)
    limit = b.limit
    assert limit is not None
    return b.label, before, limit, b.describe(), sum([float(t.sum()) for t in b.all()])
)");
  Scheduler scheduler({.workers = workers()});
  EXPECT_EQ(program.run(scheduler, "main", tensor({1., 2.})).str(),
            "('bags', None, 2.5, ('bags', 2), 9.0)");
}

TEST_P(NativeClasses, TravelThroughContainersArgumentsAndResults) {
  const Program program = compiled(R"(
class Holder:
    def __init__(self, c: torch.classes.my.Counter):
        self.c = c
def bump(c: torch.classes.my.Counter, by: int) -> torch.classes.my.Counter:
    c.increment(by)
    return c
def main(c: torch.classes.my.Counter):
    holder = Holder(bump(c, 1))
    cs = [holder.c, c.twin(), torch.ops.my.counter(100)]
    named = {"a": cs[2]}
    f = torch.jit.fork(bump, named["a"], by=5)
    other: Optional[torch.classes.my.Counter] = None
    if len(cs) > 1:
        other = f.wait()
    if other is not None:
        c.join(other)
    return [each.get() for each in cs], c
)");
  Scheduler scheduler({.workers = workers()});
  const auto ops = withClasses();
  auto counter = std::make_shared<Counter>(7);
  const IValue object = ops->classes().box(counter);
  const IValue result = program.run("main", {object});
  EXPECT_EQ(result.toTuple().items[0].str(), "[113, 8, 105]");
  EXPECT_EQ(nativeOf<Counter>(result.toTuple().items[1]), counter);
  EXPECT_EQ(counter->count, 113);
}

/// Counters in everything that C++ has for several of them, or none.
struct Shelf {
  using Item = std::shared_ptr<Counter>;
  std::vector<Item> items;
  std::optional<Item> best;
  std::map<std::string, Item> named;
  std::vector<std::tuple<std::int64_t, std::optional<Item>>> log;
  std::tuple<std::optional<Item>, std::int64_t> found(const std::map<std::string, Item>& in,
                                                      const std::string& name) const {
    const auto at = in.find(name);
    return {at == in.end() ? std::nullopt : std::optional(at->second), std::int64_t(in.size())};
  }
};

Program withShelf(const std::string& source) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->addClass<Counter>("my.Counter").init<std::int64_t>().method("get", &Counter::get);
  ops->addClass<Shelf>("my.Shelf")
      .init<>()
      .field("items", &Shelf::items)
      .field("best", &Shelf::best)
      .field("named", &Shelf::named)
      .field("log", &Shelf::log)
      .method("found", &Shelf::found)
      .method("pick(__torch__.torch.classes.my.Counter[] of, int? at=None) -> "
              "__torch__.torch.classes.my.Counter?",
              [](const Shelf&, const std::vector<Shelf::Item>& of,
                 std::optional<std::int64_t> at) -> std::optional<Shelf::Item> {
                if (!at) return std::nullopt;
                return of.at(static_cast<std::size_t>(*at));
              });
  return compile(source, "f.py", std::move(ops)).value();
}

TEST_P(NativeClasses, AreInContainersThatCppTakesAndGives) {
  const Program program = withShelf(R"(
def value(c: Optional[torch.classes.my.Counter]) -> int:
    return -1 if c is None else c.get()
def main(n: int):
    s = torch.classes.my.Shelf()
    none = s.best is None
    s.items = [torch.classes.my.Counter(i) for i in range(n)]
    s.items += [torch.classes.my.Counter(9)]
    s.best = s.pick(s.items, 1)
    s.named = {"a": s.items[0], "z": s.items[n]}
    s.log = [(7, s.best), (8, s.pick([]))]
    first, size = s.found(s.named, "z")
    second, _ = s.found(s.named, "y")
    log = [(number, value(c)) for number, c in s.log]
    return none, [c.get() for c in s.items], value(s.best), value(first), size, value(second), log
def beyond():
    return value(torch.classes.my.Shelf().pick([torch.classes.my.Counter(1)], 5))
)");
  Scheduler scheduler({.workers = workers()});
  EXPECT_EQ(program.run(scheduler, "main", 3).str(),
            "(True, [0, 1, 2, 9], 1, 9, 2, -1, [(7, 1), (8, -1)])");
  EXPECT_EQ(errorOf([&] { program.run(scheduler, "beyond"); }).kind, "IndexError");
}

TEST_P(NativeClasses, AreArgumentsAndResultsOfRuns) {
  const Program program = withShelf(R"(
def total(c: torch.classes.my.Counter, more: List[torch.classes.my.Counter],
          named: Dict[str, torch.classes.my.Counter], last: Optional[torch.classes.my.Counter] = None):
    n = c.get() + named["k"].get()
    for each in more:
        n += each.get()
    return n if last is None else n * last.get()
def pair(c: torch.classes.my.Counter):
    return c, [c, torch.classes.my.Counter(5)]
)");
  using Item = std::shared_ptr<Counter>;
  Scheduler scheduler({.workers = workers()});
  const auto of = [](std::int64_t n) { return std::make_shared<Counter>(n); };
  const std::vector<Item> more{of(10), of(20)};
  const std::map<std::string, Item> named{{"k", of(100)}};
  EXPECT_EQ(program.run<std::int64_t>("total", of(1), more, named), 131);
  EXPECT_EQ(program.run<std::int64_t>(scheduler, "total", of(1), more, arg("last", of(2)),
                                      arg("named", named)),
            262);
  EXPECT_EQ(program.run<std::int64_t>("total", of(1), more, named, std::optional<Item>()), 131);
  const Item one = of(1);
  const auto [same, list] =
      program.run<std::tuple<Item, std::vector<Item>>>(scheduler, "pair", one);
  EXPECT_EQ(same, one);
  EXPECT_EQ(list.at(0), one);
  EXPECT_EQ(list.at(1)->count, 5);

  const auto message = [](auto f) {
    const Error error = errorOf(f);
    EXPECT_TRUE(error.place.known());
    return error.kind + ": " + error.message;
  };
  EXPECT_EQ(message([&] { program.run("pair", Item()); }),
            "ValueError: there is no object of __torch__.torch.classes.my.Counter");
  EXPECT_EQ(message([&] { program.run("pair", std::make_shared<Bag>()); }),
            "SchemaError: the C++ class (anonymous namespace)::Bag is not registered; addClass "
            "comes first");
  EXPECT_EQ(message([&] { program.run("pair", std::make_shared<Shelf>()); }),
            "TypeError: input 'c' must be of type __torch__.torch.classes.my.Counter, not Object: "
            "pair(__torch__.torch.classes.my.Counter c) -> (__torch__.torch.classes.my.Counter, "
            "__torch__.torch.classes.my.Counter[])");
  EXPECT_EQ(message([&] { program.run<Item>("total", of(1), more, named); }),
            "TypeError: expected an object of the C++ class (anonymous namespace)::Counter, not "
            "int");
}

TEST_P(NativeClasses, ExceptionsOfCppAreCaughtAsPythonHasThem) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->add("my::fail(int kind) -> int", [](std::int64_t kind) -> std::int64_t {
    switch (kind) {
    case 0:
      throw std::runtime_error("boom");
    case 1:
      throw std::invalid_argument("boom");
    case 2:
      throw std::out_of_range("boom");
    case 3:
      throw std::bad_alloc();
    case 4:
      throw std::overflow_error("boom");
    case 5:
      throw std::domain_error("boom");
    case 6:
      throw std::logic_error("boom");
    case 7:
      throw 7;
    case 8:
      throw std::range_error("boom");
    }
    return kind;
  });
  const Program program = compile(R"(
def call(kind: int):
    return torch.ops.my.fail(kind)
def main(kind: int):
    try:
        return str(torch.jit.fork(call, kind).wait())
    except MemoryError:
        return "MemoryError"
    except IndexError as e:
        return "IndexError " + str(e)
    except OverflowError as e:
        return "OverflowError " + str(e)
    except ValueError as e:
        return "ValueError " + str(e)
    except RuntimeError as e:
        return "RuntimeError " + str(e)
)",
                                  "f.py", ops)
                              .value();
  Scheduler scheduler({.workers = workers()});
  const char* expected[] = {"RuntimeError boom",  "ValueError boom",
                            "IndexError boom",    "MemoryError",
                            "OverflowError boom", "ValueError boom",
                            "RuntimeError boom",  "RuntimeError an exception without a message",
                            "ValueError boom",    "9"};
  for (int kind = 0; kind < 10; ++kind)
    EXPECT_EQ(program.run<std::string>(scheduler, "main", kind), expected[kind]) << kind;
  const Error error = errorOf([&] { program.run("call", 2); });
  EXPECT_EQ(error.kind + ": " + error.message, "IndexError: boom");
  ASSERT_EQ(error.notes.size(), 1u);
  EXPECT_EQ(error.notes[0].message, "C++ has thrown it: std::out_of_range");
}

TEST_P(NativeClasses, ErrorsOfCppHaveTheSourcesLines) {
  const Program program = compiled(R"(def task(c: torch.classes.my.Counter):
    c.fail("no more")
def main():
    c = torch.classes.my.Counter(1)
    return torch.jit.fork(task, c).wait()
def negative():
    return torch.classes.my.Counter(-1).get()
)");
  Scheduler scheduler({.workers = workers()});
  const Error error = errorOf([&] { program.run(scheduler, "main"); });
  EXPECT_NE(error.message.find("counter: no more"), std::string::npos) << error.message;
  EXPECT_EQ(error.place.str(), "f.py:2:5");
  EXPECT_EQ(error.traceback.size(), 3u); // main, the fork's body, task
  EXPECT_NE(program.lines().shown(error).str().find("    c.fail(\"no more\")\n"),
            std::string::npos);
  const Error made = errorOf([&] { program.run(scheduler, "negative"); });
  EXPECT_NE(made.message.find("counters start at 0"), std::string::npos) << made.message;
  EXPECT_EQ(made.place.line, 7u);
}

TEST(NativeClassGraphs, AreReadBack) {
  const Program program = compiled(R"(
def main(n: int):
    c = torch.classes.my.Counter(n)
    f = torch.jit.fork(c.increment, 1)
    return f.wait() + c.count
)");
  const std::string text = str(program.unit(), {.locations = false});
  EXPECT_EQ(text, R"(main(%n.1 : int):
  %5 : int = prim::Constant[value=1]()
  %c.1 : __torch__.torch.classes.my.Counter = prim::CreateObject()
  %3 : NoneType = prim::CallMethod[name="__init__"](%c.1, %n.1)
  %f.1 : Future[int] = prim::fork_0(%c.1, %5)
  %10 : int = aten::wait(%f.1)
  %12 : int = prim::CallMethod[name="count_getter"](%c.1)
  %13 : int = aten::add(%10, %12)
  return (%13)
with prim::fork_0 = graph(%c.1 : __torch__.torch.classes.my.Counter,
      %5 : int):
  %3 : int = prim::CallMethod[name="increment"](%c.1, %5)
  return (%3)
)");
  const Program again = parseProgram(text, "f.ir", withClasses()).value();
  EXPECT_EQ(again.run("main", {4}).toInt(), 10);
}

TEST(NativeClassErrors, OfSource) {
  const auto errorsOf = [](const std::string& source) {
    const auto program = compile(source, "f.py", withClasses());
    std::string out;
    if (!program)
      for (const Error& error : program.errors())
        out += error.place.str() + " " + error.kind + ": " + error.message + "\n";
    return out;
  };
  EXPECT_EQ(errorsOf("def f():\n    return torch.classes.my.Countr(1)\n"),
            "f.py:2:12 SchemaError: torch.classes.my has no function 'Countr', did you mean "
            "'Counter'?\n");
  EXPECT_EQ(errorsOf("def f(c: torch.classes.my.Countr):\n    return 1\n"),
            "f.py:1:10 SchemaError: there is no class '__torch__.torch.classes.my.Countr', did you "
            "mean 'Counter'?\n");
  EXPECT_EQ(
      errorsOf("def f(c: torch.classes.my.Counter):\n    return c.incremnt(1)\n"),
      "f.py:2:12 TypeError: 'Counter' has no attribute 'incremnt', did you mean 'increment'?\n");
  EXPECT_EQ(errorsOf("def f(c: torch.classes.my.Counter):\n    return c.increment('a')\n"),
            "f.py:2:24 TypeError: argument 'by' of increment must be int, not str\n");
  EXPECT_EQ(errorsOf("def f(c: torch.classes.my.Counter):\n    return c.increment(1, 2)\n"),
            "f.py:2:12 TypeError: increment takes 1 argument, not 2\n");
  EXPECT_EQ(errorsOf("def f(c: torch.classes.my.Counter):\n    c.count = 3\n"),
            "f.py:2:5 TypeError: 'count' of Counter is a property without a setter\n");
  EXPECT_EQ(errorsOf("def f(b: torch.classes.my.Bag):\n    b.label = 3\n"),
            "f.py:2:15 TypeError: argument '_0' of label_setter must be str, not int\n");
  EXPECT_EQ(errorsOf("def f(b: torch.classes.my.Bag):\n    b.size = 3\n"),
            "f.py:2:5 TypeError: 'Bag' has no attribute 'size'; attributes are made in C++\n");
  EXPECT_EQ(errorsOf("def f():\n    return torch.classes.my.Bag(1)\n"),
            "f.py:2:12 TypeError: Bag takes 0 arguments, not 1\n");
  EXPECT_EQ(errorsOf("def f(b: torch.classes.my.Bag):\n    with b:\n        return 1\n"),
            "f.py:2:10 TypeError: __torch__.torch.classes.my.Bag has no __enter__ and __exit__\n");
  EXPECT_EQ(errorsOf("def f(x):\n    return torch.ops.my.hlf(x)\n"),
            "f.py:2:12 SchemaError: torch.ops.my has no function 'hlf', did you mean 'half'?\n");
}

TEST(NativeClassErrors, OfRegistration) {
  OpSet ops = OpSet::builtin();
  auto counter = ops.addClass<Counter>("my.Counter");
  const auto error = [](auto f) { return said(errorOf(f)); };
  EXPECT_EQ(error([&] { ops.addClass<Bag>("my.Counter"); }),
            "SchemaError: there is a class my.Counter already");
  EXPECT_EQ(error([&] { ops.addClass<Counter>("my.Other"); }),
            "SchemaError: the C++ class (anonymous namespace)::Counter is "
            "__torch__.torch.classes.my.Counter already");
  EXPECT_EQ(error([&] { ops.addClass<Bag>("Bag"); }),
            "SchemaError: 'Bag' is no name of a class: namespace.Name");
  EXPECT_EQ(error([&] { ops.addClass<Bag>("my.B-g"); }),
            "SchemaError: 'my.B-g' is no name of a class: namespace.Name");
  EXPECT_EQ(error([&] { ops.addClass<Bag>("my.class"); }),
            "SchemaError: 'my.class' is no name of a class: 'class' is a keyword");
  EXPECT_EQ(error([&] { ops.addClass<Bag>("None.Bag"); }),
            "SchemaError: 'None.Bag' is no name of a class: 'None' is a keyword");
  EXPECT_EQ(error([&] { counter.method("while", &Counter::get); }),
            "SchemaError: __torch__.torch.classes.my.Counter.while: 'while' is a keyword");
  EXPECT_EQ(error([&] { counter.method("lambda(int by=1) -> int", &Counter::increment); }),
            "SchemaError: __torch__.torch.classes.my.Counter.lambda(int by=1) -> int: 'lambda' is "
            "a keyword");
  EXPECT_EQ(error([&] { counter.property("is", [](const Counter& c) { return c.get(); }); }),
            "SchemaError: __torch__.torch.classes.my.Counter.is_getter: 'is' is a keyword");
  EXPECT_EQ(error([&] { counter.property("a b", [](const Counter& c) { return c.get(); }); }),
            "SchemaError: __torch__.torch.classes.my.Counter.a b_getter: the name of a method is "
            "one word");
  counter.method("get", &Counter::get);
  EXPECT_EQ(error([&] { counter.method("get", &Counter::get); }),
            "SchemaError: __torch__.torch.classes.my.Counter.get: the class has it already");
  EXPECT_EQ(error([&] { counter.method("increment(str by) -> int", &Counter::increment); }),
            "SchemaError: __torch__.torch.classes.my.Counter.increment(str by) -> int: 'by' is int "
            "in C++");
  EXPECT_EQ(error([&] { counter.method("increment(int by) -> str", &Counter::increment); }),
            "SchemaError: __torch__.torch.classes.my.Counter.increment(int by) -> str: the C++ "
            "function gives int");
  EXPECT_EQ(error([&] { counter.method("increment() -> int", &Counter::increment); }),
            "SchemaError: __torch__.torch.classes.my.Counter.increment() -> int: the C++ function "
            "has 1 parameter");
  EXPECT_EQ(error([&] { counter.method("bag", [](Counter&, std::shared_ptr<Bag>) { return 1; }); }),
            "SchemaError: the C++ class (anonymous namespace)::Bag is not registered; addClass "
            "comes first");
}

TEST(NativeClassErrors, OfHostileGraphs) {
  const auto run = [](const std::string& text, std::vector<IValue> inputs) {
    return said(
        errorOf([&] { parseProgram(text, "f.ir", withClasses()).value().run("graph", inputs); }));
  };
  // An object that nobody made, one that is made twice, one of another class.
  EXPECT_EQ(run(R"(graph():
  %c : __torch__.torch.classes.my.Counter = prim::CreateObject()
  %n : int = prim::CallMethod[name="get"](%c)
  return (%n)
)",
                {}),
            "ValueError: an object of __torch__.torch.classes.my.Counter that was never made");
  EXPECT_EQ(run(R"(graph(%n : int):
  %c : __torch__.torch.classes.my.Counter = prim::CreateObject()
  %1 : NoneType = prim::CallMethod[name="__init__"](%c, %n)
  %2 : NoneType = prim::CallMethod[name="__init__"](%c, %n)
  return (%1)
)",
                {1}),
            "ValueError: this object of __torch__.torch.classes.my.Counter is made already");
  EXPECT_EQ(
      run(R"(graph(%x : Any):
  %c : __torch__.torch.classes.my.Counter = prim::unchecked_cast(%x)
  %n : int = prim::CallMethod[name="get"](%c)
  return (%n)
)",
          {1}),
      "TypeError: expected an object of the C++ class (anonymous namespace)::Counter, not int");
  EXPECT_EQ(run(R"(graph(%x : Any):
  %c : __torch__.torch.classes.my.Counter = prim::unchecked_cast(%x)
  %n : int = prim::CallMethod[name="get"](%c)
  return (%n)
)",
                {withClasses()->classes().box(std::make_shared<Bag>())}),
            "TypeError: expected an object of the C++ class (anonymous namespace)::Counter, not "
            "__torch__.torch.classes.my.Bag");
}

} // namespace
