#include "ir/parse.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace tine;

namespace {

std::string errorOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const RuntimeError& e) {
    return e.kind() + ": " + e.message();
  }
  return "nothing was thrown";
}

// Calls an overload with all its arguments.
IValue call(const OpSet& ops, llvm::StringRef name, llvm::StringRef overload,
            std::vector<IValue> registers) {
  std::vector<IValue*> arguments;
  for (IValue& value : registers) arguments.push_back(&value);
  IValue result = IValue::uninitialized();
  IValue* results[] = {&result};
  const OpInfo* op = ops.find(name, overload);
  if (!op) raise(error_kind::Schema, "no " + name.str());
  op->kernel(KernelCall(arguments.data(), static_cast<std::uint32_t>(arguments.size()), results,
                        static_cast<std::uint32_t>(op->schema.results.size())));
  return result;
}

// What the front end compiles and nothing runs: such a call raises when it is reached.
TEST(OpSet, WhatHasNoKernel) {
  constexpr llvm::StringLiteral kSchemas[] = {
#include "frontend/script/overloads.def"
  };
  const auto ops = OpSet::sharedBuiltin();
  std::set<std::string> missing;
  for (const llvm::StringRef schema : kSchemas) {
    const llvm::StringRef name = schema.take_until([](char c) { return c == '(' || c == '.'; });
    if (ops->find(name).empty() && ops->context().symbol(name).builtin() == Builtin::None)
      missing.insert(name.str());
  }
  EXPECT_EQ(missing,
            (std::set<std::string>{"aten::Complex", "aten::__round_to_zero_floordiv",
                                   "aten::_size_if_not_equal", "aten::complex", "aten::conv2d",
                                   "aten::expandtabs", "aten::hash", "aten::is_owner", "aten::lcm",
                                   "aten::pad", "aten::percentFormat", "aten::to_here"}));
}

TEST(OpSet, BuiltinHasEveryRow) {
  const auto ops = OpSet::sharedBuiltin();
  EXPECT_GE(ops->all().size(), 360u);
  std::set<std::string> schemas, interpreted;
  for (const OpInfo* op : ops->all()) {
    EXPECT_TRUE(schemas.insert(op->schema.str()).second) << op->schema.str();
    if (!op->kernel) interpreted.insert(op->schema.name);
    EXPECT_FALSE(op->doc.empty());
    EXPECT_EQ(ops->find(op->schema.name, op->schema.overload), op);
  }
  EXPECT_EQ(ops->find("aten::add")[0]->schema.str(),
            "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(interpreted,
            (std::set<std::string>{"tine::any", "tine::cancel", "tine::collect_all",
                                   "tine::collect_all_settle", "tine::promise", "tine::then",
                                   "tine::wait_any", "tine::wait_timeout"}));
  EXPECT_TRUE(ops->find("aten::nothing").empty());
  EXPECT_EQ(ops->find("aten::add", "nothing"), nullptr);
}

// What a schema says of writing must be what the table says.
TEST(OpSet, EffectsAgreeWithSchemas) {
  const auto ops = OpSet::sharedBuiltin();
  for (const OpInfo* op : ops->all()) {
    // A future has no alias annotation, and neither has what a callback does.
    if (llvm::is_contained({"tine::complete", "tine::then", "tine::cancel"}, op->schema.name))
      continue;
    EXPECT_EQ(op->effects.writes, Effects::fromSchema(op->schema).writes) << op->schema.str();
    EXPECT_TRUE(op->effects.raises || !op->effects.writes) << op->schema.str();
  }
}

TEST(OpSet, SharedWhileUsed) {
  auto first = OpSet::sharedBuiltin();
  std::shared_ptr<const OpSet> second;
  std::thread([&] { second = OpSet::sharedBuiltin(); }).join();
  EXPECT_EQ(first, second);
  const std::weak_ptr<const OpSet> watch = first;
  first = second = nullptr;
  EXPECT_TRUE(watch.expired());
}

TEST(OpSet, AllIsSorted) {
  const auto ops = OpSet::sharedBuiltin();
  const auto all = ops->all();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const OpInfo* a, const OpInfo* b) {
    return a->schema.name < b->schema.name;
  }));
}

TEST(OpSet, TakesCallables) {
  OpSet ops = OpSet::builtin();
  ops.add("my::scale(Tensor x, float k=2.0) -> Tensor",
          [](Tensor x, double k) { return kernels::binary(kernels::BinaryOp::Mul, x, IValue(k)); });
  ops.add("my::divmod(int a, int b) -> (int, int)", Effects::pure(),
          [](std::int64_t a, std::int64_t b) { return std::tuple(a / b, a % b); });
  ops.add("my::join(str[] words, str? between=None) -> str",
          [](std::vector<std::string> words, std::optional<std::string> between) {
            std::string out;
            for (const std::string& word : words)
              out += (out.empty() ? "" : between.value_or(" ")) + word;
            return out;
          });
  EXPECT_EQ(call(ops, "my::scale", "", {Tensor::scalar(3.0), 2.0}).toTensor().toDouble(), 6.0);
  EXPECT_EQ(call(ops, "my::join", "", {IValue::list({"a", "b"}), IValue()}).toStringRef(), "a b");
  EXPECT_EQ(call(ops, "my::join", "", {IValue::list({"a", "b"}), "-"}).toStringRef(), "a-b");
  EXPECT_EQ(ops.find("my::scale", "")->effects, Effects::all());
  EXPECT_EQ(ops.find("my::divmod", "")->effects, Effects::pure());

  IValue a = 7, b = 2, quotient, rest;
  IValue *arguments[] = {&a, &b}, *results[] = {&quotient, &rest};
  ops.find("my::divmod", "")->kernel(KernelCall(arguments, 2, results, 2));
  EXPECT_EQ(quotient.toInt(), 3);
  EXPECT_EQ(rest.toInt(), 1);
}

TEST(OpSet, RefusesWhatDoesNotFit) {
  OpSet ops = OpSet::builtin();
  const auto identity = [](Tensor x) { return x; };
  EXPECT_EQ(errorOf([&] { ops.add("my::f(Tensor x, int y) -> Tensor", identity); }),
            "SchemaError: a callable of 1 parameters does not fit 2 arguments: my::f(Tensor x, int "
            "y) -> Tensor");
  EXPECT_EQ(errorOf([&] { ops.add("aten::relu(Tensor x) -> Tensor", identity); }),
            "SchemaError: the operator exists already: aten::relu(Tensor x) -> Tensor");
  EXPECT_EQ(errorOf([&] { ops.add("my::f(Tensor x -> Tensor", identity); }),
            "SchemaError: expected ',' or ')', found '->'");
  const auto number = [](std::int64_t x) { return x; };
  const auto refused = [&](const char* schema, auto f) {
    return errorOf([&] { ops.add(schema, f); });
  };
  EXPECT_EQ(refused("my::f(float x) -> int", number),
            "SchemaError: the callable's parameter 1 does not fit argument 'x': my::f(float x) -> "
            "int");
  EXPECT_EQ(refused("my::f(int? x) -> int", number),
            "SchemaError: the callable's parameter 1 does not fit argument 'x': my::f(int? x) -> "
            "int");
  for (const char* schema :
       {"my::f(int x) -> Tensor", "my::f(int x) -> (int, int)", "my::f(int x) -> ()"})
    EXPECT_EQ(refused(schema, number),
              std::string("SchemaError: the callable's result does not fit the schema's: ") +
                  schema);
  EXPECT_EQ(refused("my::f(int[] x) -> ()", [](const std::vector<double>&) {}),
            "SchemaError: the callable's parameter 1 does not fit argument 'x': my::f(int[] x) -> "
            "()");
  EXPECT_EQ(refused("my::f(int x=\"s\") -> int", number),
            "SchemaError: the default of 'x' is no int");
  EXPECT_EQ(refused("f(int x) -> int", number),
            "SchemaError: an operator's name is namespace::name: f(int x) -> int");
  for (const char* name : {"prim::If", "prim::fork", "aten::wait"})
    EXPECT_EQ(refused((std::string(name) + "(int x) -> int").c_str(), number),
              std::string("SchemaError: what ") + name +
                  " does is the language's, not an operator's: " + name + "(int x) -> int");
  EXPECT_TRUE(ops.find("my::f").empty());
  EXPECT_TRUE(ops.find("prim::If").empty());
}

TEST(Ops, DictErrors) {
  const auto ops = OpSet::sharedBuiltin();
  auto dict = makeRef<Dict>();
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::__getitem__", "Dict_str", {IValue(dict), "b"});
            }),
            "KeyError: KeyError: b");
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::pop", "Dict_int", {IValue(dict), 2});
            }),
            "KeyError: KeyError: 2");
}

TEST(Ops, KindsOfErrors) {
  const auto ops = OpSet::sharedBuiltin();
  const IValue list = IValue::list({1, 2});
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::__getitem__", "t", {list, 2});
            }),
            "IndexError: list index out of range");
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::__getitem__", "str", {"abc", -4});
            }),
            "IndexError: string index out of range");
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::pop", "t", {IValue::list({}), -1});
            }),
            "IndexError: pop from empty list");
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::floordiv", "int", {1, 0});
            }),
            "ZeroDivisionError: division by 0");
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::remainder", "int", {1, 0});
            }),
            "ZeroDivisionError: integer modulo by zero");
  EXPECT_EQ(errorOf([&] { call(*ops, "aten::Int", "str", {"99999999999999999999"}); }),
            "ValueError: invalid literal for int() with base 10: '99999999999999999999'");
  EXPECT_EQ(errorOf([&] { call(*ops, "aten::Float", "str", {"x"}); }),
            "ValueError: could not convert string to float: 'x'");
  EXPECT_EQ(
      errorOf([&] { call(*ops, "aten::floor", "float", {1e30}); }),
      "OverflowError: Cannot convert float 1000000000000000019884624838656.000000 to integer");
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::zeros", "",
                   {IValue::list({2}), IValue(), IValue(), IValue::device(1), IValue()});
            }),
            "NotImplementedError: tensors live on the cpu, not on 'cuda'");
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::zeros", "", {IValue::list({2}), 99, IValue(), IValue(), IValue()});
            }),
            "NotImplementedError: there is no dtype 99");
  EXPECT_EQ(errorOf([&] {
              call(*ops, "aten::mul", "left_t", {list, std::int64_t{1} << 60});
            }),
            "MemoryError: a list of too many elements");
  EXPECT_EQ(errorOf([&] { call(*ops, "aten::len", "t", {3}); }),
            "TypeError: expected a value of type List but found int");
}

// TorchScript crashes or is undefined here.
TEST(Ops, IntegersAtTheirLimits) {
  const auto ops = OpSet::sharedBuiltin();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(call(*ops, "aten::floordiv", "int", {least, -1}).toInt(), least);
  EXPECT_EQ(call(*ops, "aten::remainder", "int", {least, -1}).toInt(), 0);
  EXPECT_EQ(call(*ops, "prim::abs", "int", {least}).toInt(), least);
  EXPECT_EQ(call(*ops, "aten::neg", "int", {least}).toInt(), least);
  EXPECT_EQ(call(*ops, "aten::Int", "float", {1e30}).toInt(), least);
  EXPECT_EQ(call(*ops, "aten::pow", "int_to_int", {2, 62}).toInt(), std::int64_t{1} << 62);
  EXPECT_EQ(call(*ops, "aten::__range_length", "",
                 {least, std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 62})
                .toInt(),
            4);
  EXPECT_EQ(call(*ops, "aten::mul", "left_t", {IValue::list({1, 2}), -1}).toList().items.size(),
            0u);
}

TEST(Ops, ListsMayBeTheirOwnOperands) {
  const auto ops = OpSet::sharedBuiltin();
  const IValue list = IValue::list({1, 2});
  call(*ops, "aten::extend", "t", {list, list});
  EXPECT_EQ(list.str(), "[1, 2, 1, 2]");
  EXPECT_TRUE(call(*ops, "aten::add_", "t", {list, list}).isSame(list));
  EXPECT_EQ(list.toList().items.size(), 8u);
  EXPECT_FALSE(call(*ops, "aten::copy", "t", {list}).isSame(list));
}

TEST(Ops, IdentityOfValues) {
  const auto ops = OpSet::sharedBuiltin();
  const IValue list = IValue::list({}), tensor = Tensor::scalar(1.0);
  const auto is = [&](const IValue& a, const IValue& b) {
    const bool same = call(*ops, "aten::__is__", "", {a, b}).toBool();
    EXPECT_NE(call(*ops, "aten::__isnot__", "", {a, b}).toBool(), same);
    return same;
  };
  EXPECT_TRUE(is(IValue(), IValue()));
  EXPECT_TRUE(is(list, list));
  EXPECT_FALSE(is(list, IValue::list({})));
  EXPECT_TRUE(is(tensor, tensor));
  EXPECT_FALSE(is(tensor, tensor.toTensor().clone()));
  EXPECT_FALSE(is(IValue(), 0));
}

TEST(Ops, PromisesAreCompletedOnce) {
  const auto ops = OpSet::sharedBuiltin();
  const IValue future(makeRef<FutureState>(FutureState::Phase::Running));
  EXPECT_TRUE(call(*ops, "tine::complete", "", {future, 3}).tag() == Tag::Uninitialized);
  EXPECT_EQ(future.toFuture()->value().toInt(), 3);
  EXPECT_EQ(errorOf([&] {
              call(*ops, "tine::complete", "", {future, 4});
            }),
            "AlreadyCompleted: the promise was completed before");
  const TaskKind kind{"task", [](FutureState* state) { delete state; }};
  const IValue task = IValue(makeRef<FutureState>(FutureState::Phase::New, &kind));
  EXPECT_EQ(errorOf([&] {
              call(*ops, "tine::complete", "", {task, 4});
            }),
            "ValueError: tine::complete takes a promise's future, not a task's");
}

TEST(Ops, PrintWritesALine) {
  const auto ops = OpSet::sharedBuiltin();
  ::testing::internal::CaptureStdout();
  call(*ops, "prim::Print", "", {"x =", 1.0, IValue::list({1, 2}), true});
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "x = 1. [1, 2] True\n");
  ::testing::internal::CaptureStderr();
  call(*ops, "aten::warn", "", {"careful", 2});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: careful\n");
}

} // namespace
