#include "ir/type.h"

#include <gtest/gtest.h>

namespace tine {
namespace {

const Type* floatTensor(Context& context, llvm::ArrayRef<std::int64_t> sizes) {
  TensorInfo info;
  info.dtype = DType::Float32;
  info.hasRank = true;
  for (std::int64_t size : sizes) info.sizes.push_back(size);
  return tensorOf(context, info);
}

TEST(TypeTest, EqualPartsAreOneObject) {
  auto context = Context::create();
  EXPECT_EQ(listOf(*context, Type::intType()), listOf(*context, Type::intType()));
  EXPECT_NE(listOf(*context, Type::intType()), listOf(*context, Type::floatType()));
  EXPECT_EQ(floatTensor(*context, {2, 3}), floatTensor(*context, {2, 3}));
  EXPECT_NE(floatTensor(*context, {2, 3}), floatTensor(*context, {2, 4}));
  EXPECT_EQ(tensorOf(*context, TensorInfo()), Type::tensorType());
  EXPECT_EQ(optionalOf(*context, optionalOf(*context, Type::intType())),
            optionalOf(*context, Type::intType()));
  EXPECT_NE(tupleOf(*context, {}),
            namedTupleOf(*context, {context->symbol("a")}, {Type::intType()}));
}

TEST(TypeTest, PrintsAsTorchScriptDoes) {
  auto context = Context::create();
  TensorInfo info;
  info.dtype = DType::Float32;
  EXPECT_EQ(tensorOf(*context, info)->str(), "FloatTensor");
  info.hasRank = true;
  EXPECT_EQ(tensorOf(*context, info)->str(), "Float()");
  info.sizes = {2, std::nullopt};
  info.hasStrides = true;
  info.strides = {3, 1};
  info.requiresGrad = false;
  info.device = "cpu";
  const Type* refined = tensorOf(*context, info);
  EXPECT_EQ(refined->str(), "Float(2, *, strides=[3, 1], requires_grad=0, device=cpu)");
  EXPECT_EQ(futureOf(*context, listOf(*context, refined))->str(),
            "Future[Float(2, *, strides=[3, 1], requires_grad=0, device=cpu)[]]");
  // Dict and Union spell what they hold in the other form.
  EXPECT_EQ(dictOf(*context, Type::strType(), futureOf(*context, refined))->str(),
            "Dict(str, Future(Tensor))");
  EXPECT_EQ(tupleOf(*context, {})->str(), "()");
  EXPECT_EQ(optionalOf(*context, tupleOf(*context, {Type::intType()}))->str(), "(int)?");
  EXPECT_EQ(enumOf(*context, "__torch__.Color")->str(), "Enum<__torch__.Color>");
}

TEST(TypeTest, CopiesIntoAnotherContextAreEqualButNotTheSame) {
  auto a = Context::create(), b = Context::create();
  const Type* type = dictOf(*a, Type::strType(), listOf(*a, classOf(*a, "__torch__.M")));
  const Type* copy = copyType(*b, type);
  EXPECT_NE(copy, type);
  EXPECT_TRUE(equal(copy, type));
  EXPECT_EQ(copy, copyType(*b, type));
  EXPECT_FALSE(equal(copy, dictOf(*a, Type::strType(), listOf(*a, classOf(*a, "__torch__.N")))));
}

TEST(TypeTest, Subtyping) {
  auto context = Context::create();
  Context& c = *context;
  const Type *i = Type::intType(), *f = Type::floatType(), *t = Type::tensorType(),
             *none = Type::noneType();
  const Type* refined = floatTensor(c, {2, 3});
  EXPECT_TRUE(isSubtype(refined, t) && !isSubtype(t, refined));
  EXPECT_FALSE(isSubtype(refined, floatTensor(c, {2, 4})));
  EXPECT_TRUE(isSubtype(i, optionalOf(c, i)) && isSubtype(none, optionalOf(c, i)));
  EXPECT_FALSE(isSubtype(optionalOf(c, i), i));
  EXPECT_TRUE(isSubtype(i, Type::NumberType()) && !isSubtype(Type::boolType(), Type::NumberType()));
  EXPECT_TRUE(isSubtype(listOf(c, i), Type::AnyType()));
  EXPECT_FALSE(isSubtype(listOf(c, i), listOf(c, optionalOf(c, i)))); // a list can be written to
  EXPECT_TRUE(isSubtype(listOf(c, refined), listOf(c, t))); // refinement is not promised there
  EXPECT_TRUE(isSubtype(tupleOf(c, {i, refined}), tupleOf(c, {optionalOf(c, i), t})));
  EXPECT_FALSE(isSubtype(tupleOf(c, {i}), tupleOf(c, {i, i})));
  EXPECT_TRUE(isSubtype(namedTupleOf(c, {c.symbol("a")}, {i}), tupleOf(c, {i})));
  EXPECT_FALSE(isSubtype(tupleOf(c, {i}), namedTupleOf(c, {c.symbol("a")}, {i})));
  EXPECT_TRUE(isSubtype(i, unionOf(c, {i, Type::strType()})));
  EXPECT_FALSE(isSubtype(f, unionOf(c, {i, Type::strType()})));
  EXPECT_TRUE(isSubtype(futureOf(c, refined), futureOf(c, t)));
  EXPECT_FALSE(isSubtype(f, i));
}

} // namespace
} // namespace tine
