// Lists, tuples, dicts and what is in them, as inputs, outputs and state of a trace: what goes in
// comes out, and what the graph could only hold as a constant is an error of the trace or the run.

#include "api/tine.h"
#include "tests/fixture.h"

#include <map>

namespace tine {
namespace {

using ::testing::HasSubstr;
using tine::testing::errorOf;

const Tensor row = tensor({1.0, 2.0}), other = tensor({10.0, 20.0});

IValue dictOf(std::vector<std::pair<IValue, IValue>> items) {
  auto dict = makeRef<Dict>();
  for (auto& [key, value] : items) dict->set(std::move(key), std::move(value));
  return IValue(dict);
}

/// The type that the graph says it returns.
std::string resultType(const Function& f) { return f.graph().outputs()[0]->type()->str(); }

// ---- outputs ------------------------------------------------------------------------------------

template <class F> void expectResult(F f, const std::string& type, const std::string& value) {
  const Function traced = trace(f, {row});
  EXPECT_EQ(resultType(traced), type);
  EXPECT_EQ(traced.run({row}).str(), value);
}

TEST(Structure, OutputsKeepTheirs) { // issues: one-tuples became tensors, nested dicts were refused
  using Inner = std::map<std::string, Tensor>;
  expectResult([](Tensor x) { return std::tuple(x + 1); },
               "(Float(2, strides=[1], requires_grad=0, device=cpu))", "(tensor([2., 3.]),)");
  expectResult([](Tensor x) { return std::pair(size(x, 0), true); }, "(int, bool)", "(2, True)");
  expectResult(
      [](Tensor x) {
        return std::vector<std::vector<Tensor>>{{x}, {}};
      },
      "Tensor[][]", "[[tensor([1., 2.])], []]");
  expectResult(
      [](Tensor x) {
        return std::map<std::string, Inner>{{"a", {{"b", x}}}};
      },
      "Dict(str, Dict(str, Tensor))", "{'a': {'b': tensor([1., 2.])}}");
  expectResult(
      [](Tensor x) {
        return std::map<std::int64_t, Int>{{2, size(x, 0)}, {1, 5}};
      },
      "Dict(int, int)", "{1: 5, 2: 2}");
  expectResult([](Tensor) { return std::tuple<>(); }, "()", "()");
  expectResult([](Tensor) {}, "NoneType", "None");
  expectResult([](Tensor x) { return std::vector<Int>{size(x, 0), 3}; }, "int[]", "[2, 3]");
}

TEST(Structure, EmptyListsKnowWhatTheyCouldHold) {
  const auto typeOf = [](auto f) { return resultType(trace(f, {row})); };
  EXPECT_EQ(typeOf([](Tensor) { return std::vector<Tensor>(); }), "Tensor[]");
  EXPECT_EQ(typeOf([](Tensor) { return std::vector<std::vector<Int>>(); }), "int[][]");
  EXPECT_EQ(typeOf([](Tensor) { return std::vector<std::tuple<Tensor, bool>>(); }),
            "(Tensor, bool)[]");
  EXPECT_EQ(typeOf([](Tensor) { return std::vector<Future<Tensor>>(); }), "Future[Tensor][]");
  EXPECT_EQ(typeOf([](Tensor) { return std::map<std::string, double>(); }), "Dict(str, float)");
  EXPECT_EQ(typeOf([](Tensor x) { return std::vector<Future<Tensor>>{fork(neg, x)}; }),
            "Future[Tensor][]");
}

// ---- inputs -------------------------------------------------------------------------------------

TEST(Structure, ListsOfInputsKeepTheirLength) {
  const Function sum = trace(
      [](std::vector<Tensor> parts) {
        Tensor total = zeros({2});
        for (const Tensor& part : parts) total = total + part;
        return total;
      },
      {IValue::list({row, other})});
  EXPECT_EQ(sum.run({IValue::list({other, other})}).str(), "tensor([20., 40.])");
  for (const IValue& wrong : {IValue::list({row}), IValue::list({row, row, row})})
    EXPECT_THAT(errorOf([&] { sum.run({wrong}); }).message, HasSubstr("Expected 2 elements"));
  // also where only the length is read, and where there was nothing to read
  const auto length = [](std::vector<Tensor> parts) { return static_cast<int>(parts.size()); };
  const Function two = trace(length, {IValue::list({row, other})});
  const Function none = trace(length, {IValue::list({})});
  EXPECT_EQ(two.run({IValue::list({row, row})}).toInt(), 2);
  EXPECT_EQ(none.run({IValue::list({})}).toInt(), 0);
  EXPECT_THAT(errorOf([&] { two.run({IValue::list({row})}); }).message, HasSubstr("Expected 2"));
  EXPECT_THAT(errorOf([&] { none.run({IValue::list({row})}); }).message, HasSubstr("Expected 0"));
}

TEST(Structure, DictsOfInputsKeepTheirKeys) {
  const Function f =
      trace([](std::map<std::string, Tensor> named) { return named.at("b") - named.at("a"); },
            {dictOf({{"b", other}, {"a", row}})});
  FileCheck().check("graph(%0 : Dict(str, Tensor))").check("aten::__getitem__(%0").run(f.graph());
  EXPECT_EQ(f.run({dictOf({{"a", other}, {"b", row}})}).str(), "tensor([ -9., -18.])");
  const Error more = errorOf([&] { f.run({dictOf({{"a", row}, {"b", row}, {"c", row}})}); });
  EXPECT_THAT(more.message, HasSubstr("traced for a dict with the keys 'b', 'a'"));
  EXPECT_EQ(errorOf([&] { f.run({dictOf({{"a", row}, {"c", row}})}); }).kind, "KeyError");
  EXPECT_EQ(errorOf([&] { f.run({dictOf({{1, row}, {2, row}})}); }).kind, "TypeError");
}

TEST(Structure, NestedInputsGoThrough) {
  using Input = std::map<std::string, std::tuple<Int, std::vector<Tensor>>>;
  const auto f = [](Input in) {
    auto& [n, parts] = in.at("k");
    return Input{{"out", {n + 1, {parts[1] * n, parts[0]}}}};
  };
  const auto input = [](IValue n, IValue a, IValue b) {
    return dictOf({{"k", IValue::tuple({n, IValue::list({a, b})})}});
  };
  const Function traced = trace(f, {input(2, row, other)});
  EXPECT_EQ(traced.run({input(3, other, row)}).str(),
            "{'out': (4, [tensor([3., 6.]), tensor([10., 20.])])}");
}

TEST(Structure, OneTensorInTwoPlaces) {
  const auto f = [](std::vector<Tensor> parts) { return parts[0] - parts[1]; };
  const Function traced = trace(f, {IValue::list({row, row})});
  EXPECT_EQ(traced.run({IValue::list({row, other})}).str(), "tensor([ -9., -18.])");
}

TEST(Structure, StringsAreFollowedToo) {
  const Function through = trace([](Operand s, Tensor x) { return std::tuple(s, x); }, {"a", row});
  EXPECT_EQ(through.run({"b", row}).str(), "('b', tensor([1., 2.]))");
  const auto chooses = [](std::string s, Tensor x) { return s == "a" ? x : -x; };
  const Error error = errorOf([&] { trace(chooses, {"a", row}); });
  EXPECT_EQ(error.kind, "TraceError");
  EXPECT_THAT(error.message, HasSubstr("the string that comes from here is read in C++"));
  const Function special = trace(chooses, {"a", row}, {.specialise = true});
  EXPECT_EQ(special.run({"a", row}).str(), "tensor([1., 2.])");
  EXPECT_THAT(errorOf([&] { special.run({"b", row}); }).message, HasSubstr("traced for 'a'"));
}

TEST(Structure, FuturesAsInputs) {
  const auto done = [](const Tensor& x) { return IValue(fork(neg, x).state()); };
  const Function f =
      trace([](Future<Tensor> in, Tensor x) { return wait(in) * x; }, {done(row), row});
  FileCheck().check("Future[Float(").check("aten::wait(%0)").run(f.graph());
  EXPECT_EQ(f.run({done(other), row}).str(), "tensor([-10., -40.])");
  const auto pending = Ref<FutureState>::adopt(new FutureState(FutureState::Phase::Running));
  const Error error =
      errorOf([&] { trace([](Future<Tensor> in) { return in.wait(); }, {IValue(pending)}); });
  EXPECT_THAT(error.message, HasSubstr("must be done"));
  EXPECT_EQ(error.place.line, static_cast<unsigned>(__LINE__ - 2));
  pending->complete(IValue());
}

TEST(Structure, IntsForFloats) {
  const Function f = trace([](Float k, std::vector<Float> more) { return k * 2 + more.at(0); },
                           {3, IValue::list({1})});
  EXPECT_EQ(f.run({0.25, IValue::list({1.5})}).toDouble(), 2.0);
  EXPECT_EQ(f.run({1, IValue::list({1.5})}).toDouble(), 3.5);
}

TEST(Structure, WrongExamplesHaveThePlaceOfTheTrace) {
  const auto expect = [](auto f, std::vector<IValue> in, const char* text) {
    const Error error = errorOf([&] { trace(f, in); });
    EXPECT_THAT(error.message, HasSubstr(text));
    EXPECT_EQ(error.place.file, "trace_structure_test.cpp") << error.message;
  };
  const auto identity = [](Tensor x) { return x; };
  expect(identity, {IValue::list({row})}, "must be a Tensor, not List");
  expect(identity, {IValue()}, "must be a Tensor, not NoneType");
  expect([](std::vector<Tensor> x) { return x; }, {IValue::list({row, 3})},
         "must be a Tensor, not int");
  expect([](Operand x) { return x; }, {IValue::list({IValue::list({IValue::list({row})}), 3})},
         "different kinds");
  expect([](std::tuple<Tensor> x) { return x; }, {IValue::tuple({row, row})}, "a tuple of 1");
  expect([](std::map<std::string, Int> x) { return x; }, {dictOf({{1, 2}})}, "must be a str");
  expect([](Operand x) { return x; }, {dictOf({{row, 2}})}, "a tensor as a key");
  IValue deep = row;
  for (int i = 0; i < 100'000; ++i) deep = IValue::list({deep});
  expect([](Operand x) { return x; }, {deep}, "nested more than 100 deep");
  auto itself = makeRef<List>();
  itself->items.push_back(IValue(itself));
  expect([](Operand x) { return x; }, {IValue(itself)}, "nested more than 100 deep");
  itself->items.clear();
}

TEST(Structure, NarrowNumbersAreChecked) {
  const auto f = [](std::int8_t n) { return Int(n); };
  EXPECT_EQ(wait(fork(f, -128)).value(), -128);
  EXPECT_THAT(errorOf([&] { wait(fork(f, 128)); }).message, HasSubstr("range of its C++ type"));
  EXPECT_THAT(errorOf([] { wait(fork([](std::size_t n) { return Int(n); }, -1)); }).message,
              HasSubstr("range of its C++ type"));
}

// ---- results whose parts may be other ones at another time --------------------------------------

TEST(Structure, ListsOutOfBranches) { // were wrong: both parts of {x, x} were one value
  const Function f = trace(
      [](Tensor x) {
        const auto both = cond(
            size(x, 0) > 2,
            [&] {
              return std::vector<Tensor>{x, x};
            },
            [&] {
              return std::vector<Tensor>{x, -x};
            });
        return both[0] * 2 + both[1];
      },
      {tensor({1.0, 2.0, 3.0})});
  EXPECT_EQ(f.run({tensor({1.0, 2.0, 3.0})}).str(), "tensor([3., 6., 9.])");
  EXPECT_EQ(f.run({row}).str(), "tensor([1., 2.])");
}

TEST(Structure, ListsAndDictsAsStateOfLoops) {
  using State = std::tuple<std::vector<Tensor>, std::map<std::string, Int>>;
  const auto f = [](Tensor x, Int n) {
    return loop(n, State({x, x}, {{"turns", 0}}), [](Int i, State state) {
      auto [pair, counts] = state;
      return State({pair[1], pair[0] + 1}, {{"turns", counts.at("turns") + i}});
    });
  };
  const Function traced = trace(f, {row, 3});
  for (int n : {0, 1, 2, 5})
    EXPECT_EQ(traced.run({row, n}).str(), Operand(f(row, n)).value.str()) << n;
}

TEST(Structure, FuturesOutOfBranches) {
  const Function f = trace(
      [](Tensor x) {
        const Future<Tensor> left = fork(neg, x), right = fork(relu, x);
        using Both = std::tuple<Future<Tensor>, Future<Tensor>>;
        const auto [a, b] = cond(
            size(x, 0) > 1, [&] { return Both(left, left); }, [&] { return Both(left, right); });
        return wait(a) * 10 + wait(b);
      },
      {row});
  EXPECT_EQ(f.run({row}).str(), "tensor([-11., -22.])");
  EXPECT_EQ(f.run({tensor({3.0})}).str(), "tensor([-27.])");
}

TEST(Structure, SidesMustAgreeInLengthAndKeys) {
  const auto sides = [](auto first, auto second) {
    return errorOf([&] {
             trace(
                 [&](Tensor x) {
                   return cond(
                       size(x, 0) > 1, [&] { return first; }, [&] { return second; });
                 },
                 {row});
           })
        .message;
  };
  using Dict = std::map<std::string, int>;
  EXPECT_THAT(sides(std::vector{1, 2}, std::vector{1}), HasSubstr("int[2] and int[1]"));
  EXPECT_THAT(sides(Dict{{"a", 1}}, Dict{{"b", 1}}), HasSubstr("{'a': int} and {'b': int}"));
  const Error grows = errorOf([] {
    trace(
        [](Tensor x) {
          return loop(size(x, 0), std::vector<Tensor>{x}, [&](Int, std::vector<Tensor> all) {
            all.push_back(x);
            return all;
          });
        },
        {row});
  });
  EXPECT_THAT(grows.message, HasSubstr("a state of Tensor[1] into one of Tensor[2]"));
}

TEST(Structure, OperatorsThatGiveAnOperandBack) { // contiguous copies at another time
  const Function f = trace(
      [](Tensor x) {
        const Tensor y = contiguous(x);
        add_(y, 1);
        return x;
      },
      {tensor({{1.0, 2.0}, {3.0, 4.0}})});
  const Tensor plain = tensor({{1.0, 2.0}, {3.0, 4.0}}), turned = t(clone(plain));
  EXPECT_EQ(f.run({clone(plain)}).str(), "tensor([[2., 3.],\n        [4., 5.]])");
  EXPECT_EQ(f.run({turned}).str(), "tensor([[1., 3.],\n        [2., 4.]])"); // only a copy changed
}

TEST(Structure, ListsOfOperatorsKeepTheirLength) {
  const Function f = trace(
      [](Tensor x) { return static_cast<int>(call("aten::size", {x}).size()); }, {zeros({2, 3})});
  EXPECT_EQ(f.run({zeros({4, 5})}).toInt(), 2);
  EXPECT_THAT(errorOf([&] { f.run({row}); }).message, HasSubstr("Expected 2 elements"));
}

} // namespace
} // namespace tine
