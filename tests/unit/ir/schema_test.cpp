#include "ir/schema.h"
#include "tests/unit/ir/text_fixture.h"

using namespace tine;
using namespace tine::testing;

namespace {

TEST(Schema, PartsOfAnArgument) {
  auto context = Context::create();
  Schema s =
      parseSchema(*context, "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> "
                            "Tensor")
          .value();
  EXPECT_EQ(s.name, "aten::add");
  EXPECT_EQ(s.overload, "Tensor");
  ASSERT_EQ(s.arguments.size(), 3u);
  EXPECT_EQ(s.arguments[2].name, "alpha");
  EXPECT_EQ(s.arguments[2].type, Type::NumberType());
  EXPECT_TRUE(s.arguments[2].keywordOnly);
  EXPECT_FALSE(s.arguments[1].keywordOnly);
  EXPECT_EQ(s.arguments[2].defaultValue->toInt(), 1);
  EXPECT_EQ(s.results[0].type, Type::tensorType());
  EXPECT_EQ(s.find("other"), 1);
  EXPECT_EQ(s.find("nothing"), -1);
}

TEST(Schema, AliasSets) {
  auto context = Context::create();
  Schema s =
      parseSchema(*context, "f(Tensor(a!) self, Tensor(b)[] many, Tensor(a -> *) x) -> Tensor(a!)")
          .value();
  EXPECT_EQ(s.arguments[0].aliasSet, "a");
  EXPECT_TRUE(s.arguments[0].written);
  EXPECT_EQ(s.arguments[1].aliasSet, "b");
  EXPECT_FALSE(s.arguments[1].written);
  EXPECT_EQ(s.arguments[1].type->str(), "Tensor[]");
  EXPECT_TRUE(s.results[0].written);
}

TEST(Schema, OneIntStandsForAListOfKnownSize) {
  auto context = Context::create();
  Schema s = parseSchema(*context, "f(int[2] stride=1, float eps=1, bool x=0) -> ()").value();
  EXPECT_EQ(s.arguments[0].listSize, 2);
  EXPECT_TRUE(identical(*s.arguments[0].defaultValue, IValue::list({1, 1})));
  EXPECT_TRUE(identical(*s.arguments[1].defaultValue, IValue(1.)));
  EXPECT_TRUE(identical(*s.arguments[2].defaultValue, IValue(false)));
  EXPECT_TRUE(s.results.empty());
  // A number that has a name is one, too.
  s = parseSchema(*context, "f(int[2]? reduction=Mean, int kind=Sum) -> ()").value();
  EXPECT_TRUE(identical(*s.arguments[0].defaultValue, IValue::list({1, 1})));
  EXPECT_TRUE(identical(*s.arguments[1].defaultValue, IValue(2)));
  EXPECT_EQ(placesOf(parseSchema(*context, "f(str x=Mean) -> ()")),
            "1:9: the default of 'x' is no str\n");
}

TEST(Schema, PrintsWhatItReads) {
  auto context = Context::create();
  for (const char* text : {
           "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
           "aten::add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
           "aten::append.t(t(a!)[] self, t(c) el) -> t(a!)[]",
           "aten::wait(Future(t) self) -> t",
           "aten::items.str(Dict(str, t) self) -> ((str, t)[])",
           "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
           "indices)",
           "aten::conv2d(Tensor input, int[2] stride=[1, 1], str padding=\"same\", int? n=None) -> "
           "Tensor",
           "prim::Print(...) -> ()",
           "prim::TupleUnpack(Any tup) -> ...",
           "aten::clamp(Tensor self, Scalar? min=None, float nan=nan, float inf=-inf) -> Tensor",
           "f(int x, ...) -> (int, int)",
           "f() -> bool[]",
       }) {
    Result<Schema> schema = parseSchema(*context, text);
    ASSERT_TRUE(schema) << errorsOf(schema);
    EXPECT_EQ(schema->str(), text);
  }
}

TEST(Schema, Errors) {
  auto context = Context::create();
  auto errors = [&](const char* text) { return placesOf(parseSchema(*context, text)); };
  EXPECT_EQ(errors(""), "1:1: expected an operator's name, found the end of the text\n");
  EXPECT_EQ(errors("f"), "1:2: expected '(', found the end of the text\n");
  EXPECT_EQ(errors(".x() -> ()"), "1:1: an operator without a name\n");
  EXPECT_EQ(errors("f.() -> ()"), "1:1: an overload without a name\n");
  EXPECT_EQ(errors("f(int)"), "1:6: expected an argument's name, found ')'\n");
  EXPECT_EQ(errors("f(int x"), "1:8: expected ',' or ')', found the end of the text\n");
  EXPECT_EQ(errors("f(int x)"), "1:9: expected '->', found the end of the text\n");
  EXPECT_EQ(errors("f(int x, int x) -> ()"), "1:14: a second argument named 'x'\n");
  EXPECT_EQ(errors("f(*, *, int x) -> ()"), "1:6: a second '*'\n");
  EXPECT_EQ(errors("f(int[99999] x) -> ()"), "1:7: a list's size out of range\n");
  EXPECT_EQ(errors("f(Tensor(!) x) -> ()"), "1:9: an alias set without a name\n");
  EXPECT_EQ(errors("f(Tensor(a@) x) -> ()"), "1:9: an alias set holds names and '*' between '|'\n");
  EXPECT_EQ(errors("f(Tensor(a)[](b) x) -> ()"), "1:14: a second alias set\n");
  EXPECT_EQ(errors("f(Tensor(a x) -> ()"), "1:15: expected an argument's name, found '->'\n");
  EXPECT_EQ(errors("f(int x=) -> ()"), "1:9: expected a value, found ')'\n");
  EXPECT_EQ(errors("f() -> () x"), "1:11: expected the end of the schema, found 'x'\n");
  EXPECT_EQ(errors("f(..., int x) -> ()"), "1:8: expected ')' after '...', found 'int'\n");
}

} // namespace
