#include "frontend/script/lex.h"
#include "frontend/script/parse.h"
#include "tests/fixture.h"

using namespace tine;
using namespace tine::script;

namespace {

/// The tree as text: `(add a (call f b))`.
std::string str(const Expr* expr);

std::string str(llvm::StringRef head, Exprs list) {
  std::string out = "(" + head.str();
  for (const Expr* expr : list) out += " " + str(expr);
  return out + ")";
}

std::string str(const Expr* expr) {
  if (!expr) return "-";
  if (auto* e = llvm::dyn_cast<Name>(expr)) return e->name.str();
  if (auto* e = llvm::dyn_cast<Number>(expr)) {
    if (auto* i = std::get_if<std::int64_t>(&e->value)) return std::to_string(*i);
    if (auto* d = std::get_if<double>(&e->value)) return "float " + std::to_string(*d);
    return "complex " + std::to_string(std::get<std::complex<double>>(e->value).imag());
  }
  if (auto* e = llvm::dyn_cast<String>(expr)) return "'" + e->value.str() + "'";
  if (auto* e = llvm::dyn_cast<FString>(expr)) return str("f'" + e->format.str() + "'", e->values);
  if (auto* e = llvm::dyn_cast<Constant>(expr)) {
    static const char* const names[] = {"True", "False", "None", "..."};
    return names[e->value];
  }
  if (auto* e = llvm::dyn_cast<Unary>(expr)) return str(textOf(e->op), Exprs(e->operand));
  if (auto* e = llvm::dyn_cast<Binary>(expr)) return str(textOf(e->op), {e->lhs, e->rhs});
  if (auto* e = llvm::dyn_cast<Compare>(expr)) {
    std::string out = "(" + str(e->first);
    for (std::size_t i = 0; i < e->ops.size(); ++i)
      out += " " + textOf(e->ops[i]).str() + " " + str(e->rest[i]);
    return out + ")";
  }
  if (auto* e = llvm::dyn_cast<Logical>(expr)) return str(e->isAnd ? "and" : "or", e->operands);
  if (auto* e = llvm::dyn_cast<Ternary>(expr)) return str("if", {e->condition, e->yes, e->no});
  if (auto* e = llvm::dyn_cast<Call>(expr)) {
    std::string out = "(call " + str(e->callee);
    for (const Expr* argument : e->arguments) out += " " + str(argument);
    for (const Keyword& keyword : e->keywords)
      out += " " + keyword.name.text.str() + "=" + str(keyword.value);
    return out + ")";
  }
  if (auto* e = llvm::dyn_cast<Attribute>(expr)) return str(e->object) + "." + e->name.text.str();
  if (auto* e = llvm::dyn_cast<Subscript>(expr)) return str("at " + str(e->object), e->indices);
  if (auto* e = llvm::dyn_cast<Slice>(expr)) return str(":", {e->start, e->stop, e->step});
  if (auto* e = llvm::dyn_cast<List>(expr)) return str("list", e->items);
  if (auto* e = llvm::dyn_cast<Tuple>(expr)) return str("tuple", e->items);
  if (auto* e = llvm::dyn_cast<Set>(expr)) return str("set", e->items);
  if (auto* e = llvm::dyn_cast<Dict>(expr)) return str("dict" + str("", e->keys), e->values);
  if (auto* e = llvm::dyn_cast<Starred>(expr)) return "*" + str(e->value);
  if (auto* e = llvm::dyn_cast<Lambda>(expr)) return "(lambda " + str(e->body) + ")";
  auto* e = llvm::cast<Comprehension>(expr);
  std::string out = "(for " + (e->key ? str(e->key) + ": " : "") + str(e->element);
  for (const auto& loop : e->loops)
    out += " in " + str(loop.target) + " " + str(loop.iterable) + str(" if", loop.conditions);
  return out + ")";
}

/// The tree of one expression; the errors when there are some.
std::string tree(const std::string& text) {
  auto module = parseModule(text + "\n", "f.py");
  if (!module) return module.error().place.str() + ": " + module.error().message;
  return str(llvm::cast<ExprStmt>((*module)->body[0])->value);
}

std::vector<std::string> errorsOf(const std::string& text) {
  auto module = parseModule(text, "f.py");
  std::vector<std::string> out;
  if (!module)
    for (const Error& error : module.errors())
      out.push_back(error.place.str() + ": " + error.message);
  return out;
}

TEST(ScriptParse, Operators) {
  EXPECT_EQ(tree("a + b * c - d"), "(- (+ a (* b c)) d)");
  EXPECT_EQ(tree("-a ** -b ** c"), "(- (** a (- (** b c))))");
  EXPECT_EQ(tree("a | b ^ c & d << e"), "(| a (^ b (& c (<< d e))))");
  EXPECT_EQ(tree("not a in b and c or d"), "(or (and (not (a in b)) c) d)");
  EXPECT_EQ(tree("a < b <= c is not None"), "(a < b <= c is not None)");
  EXPECT_EQ(tree("a not in b"), "(a not in b)");
  EXPECT_EQ(tree("x if a else y if b else z"), "(if a x (if b y z))");
  EXPECT_EQ(tree("~a // b @ c % d"), "(% (@ (// (~ a) b) c) d)");
}

TEST(ScriptParse, Atoms) {
  EXPECT_EQ(tree("f(a, *b, c=1)(d).e[1:2, ::3, ...]"),
            "(at (call (call f a *b c=1) d).e (: 1 2 -) (: - - 3) ...)");
  EXPECT_EQ(tree("(), (a,), (a), [a, b,], {}, {a: 1}"),
            "(tuple (tuple) (tuple a) a (list a b) (dict()) (dict( a) 1))");
  EXPECT_EQ(tree("[a for b, c in d if e if f for g in h]"),
            "(for a in (tuple b c) d( if e f) in g h( if))");
  EXPECT_EQ(tree("{a: b for a in c}"), "(for a: b in a c( if))");
  EXPECT_EQ(tree("lambda a, b: a + b"), "(lambda (+ a b))");
  EXPECT_EQ(tree("'a' \"b\\n\" r'\\n' '''c\nd'''"), "'ab\n\\nc\nd'");
  EXPECT_EQ(tree("f'{a} of {{{b[1]}}} {{}}'"), "(f'{} of {{}} {}' a (at b 1) '{}')");
  EXPECT_EQ(tree("1_000"), "1000");
  EXPECT_EQ(tree("0x1F"), "31");
  EXPECT_EQ(tree("1e3"), "float 1000.000000");
  EXPECT_EQ(tree("2j"), "complex 2.000000");
}

TEST(ScriptParse, RangesAreExact) {
  const std::string text = "def f(x):\n    y = (g(x) + 1) * x[2]\n    return y\n";
  auto module = parseModule(text, "f.py").value();
  auto* def = llvm::cast<FunctionDef>(module->body[0]);
  EXPECT_EQ(module->source.text(def->name.range), "f");
  auto* assign = llvm::cast<Assign>(def->body[0]);
  auto* product = llvm::cast<Binary>(assign->value);
  EXPECT_EQ(module->source.text(assign->range), "y = (g(x) + 1) * x[2]");
  EXPECT_EQ(module->source.text(product->range), "g(x) + 1) * x[2]"); // as TorchScript has it
  EXPECT_EQ(module->source.text(product->lhs->range), "g(x) + 1");
  EXPECT_EQ(module->source.text(product->rhs->range), "x[2]");
  EXPECT_EQ(module->source.text(product->opRange), "*");
  EXPECT_EQ(module->source.place(product->rhs->range).str(), "f.py:2:22");
  EXPECT_EQ(module->source.text(def->body[1]->range), "return y");
}

TEST(ScriptParse, Lines) {
  // Joined lines, one-line suites, comments, semicolons, no newline at the end.
  auto module = parseModule("# c\n"
                            "def f(x,  # the first\n"
                            "      y=1):\n"
                            "\n"
                            "    # nothing\n"
                            "    if x: y = 2; z = 3\n"
                            "    else:\n"
                            "\ty = \\\n"
                            "  4\n"
                            "    return [x,\n"
                            "y]",
                            "f.py")
                    .value();
  auto* def = llvm::cast<FunctionDef>(module->body[0]);
  ASSERT_EQ(def->body.size(), 2u);
  auto* branch = llvm::cast<If>(def->body[0]);
  EXPECT_EQ(branch->body.size(), 2u);
  ASSERT_EQ(branch->orElse.size(), 1u);
  EXPECT_EQ(str(llvm::cast<Assign>(branch->orElse[0])->value), "4");
  EXPECT_EQ(str(llvm::cast<Return>(def->body[1])->value), "(list x y)");
}

TEST(ScriptParse, TypeComments) {
  auto module = parseModule("def f(a, b):\n"
                            "    # type: (int, List[int]) -> Tensor\n"
                            "    c = []  # type: Dict[str, int]\n"
                            "def g(a,  # type: int\n"
                            "      b):\n"
                            "    # type: (...) -> str\n"
                            "    pass\n",
                            "f.py")
                    .value();
  auto* f = llvm::cast<FunctionDef>(module->body[0]);
  EXPECT_EQ(str(f->parameters[0].type), "int");
  EXPECT_EQ(str(f->parameters[1].type), "(at List int)");
  EXPECT_EQ(str(f->result), "Tensor");
  EXPECT_EQ(str(llvm::cast<Assign>(f->body[0])->type), "(at Dict str int)");
  auto* g = llvm::cast<FunctionDef>(module->body[1]);
  EXPECT_EQ(str(g->parameters[0].type), "int");
  EXPECT_EQ(g->parameters[1].type, nullptr);
  EXPECT_EQ(str(g->result), "str");
}

TEST(ScriptParse, SeveralErrorsInOneRun) {
  EXPECT_EQ(errorsOf("def f(x):\n"
                     "    y = x +\n"
                     "    z = )\n"
                     "    if x\n"
                     "        return 1\n"
                     "    return y\n"
                     "def g(:\n"
                     "    pass\n"
                     "def h():\n"
                     "    return 'abc\n"),
            (std::vector<std::string>{
                "f.py:2:12: expected an expression, found the end of the line",
                "f.py:3:9: expected an expression, found ')'",
                "f.py:4:9: expected ':', found the end of the line",
                "f.py:7:6: '(' is never closed",
                "f.py:10:12: a string that does not end",
            }));
}

TEST(ScriptParse, OpenBracketDoesNotSwallowTheFile) {
  EXPECT_EQ(errorsOf("def f(x):\n    return g(x, [1, 2\n\ndef h(x):\n    return )\n"),
            (std::vector<std::string>{
                "f.py:2:17: '[' is never closed",
                "f.py:5:12: expected an expression, found ')'",
            }));
}

TEST(ScriptParse, DepthIsBounded) {
  const auto nested = [](int depth) {
    return std::string(depth, '(') + "x" + std::string(depth, ')');
  };
  EXPECT_EQ(tree(nested(150)), "x");
  EXPECT_EQ(
      errorsOf(nested(100'000)),
      (std::vector<std::string>{"f.py:1:200: nested deeper than 200 statements and expressions"}));
  for (const char* deep : {"[", "-", "not ", "f(", "x[", "{1: ", "lambda: ", "a**"}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += deep;
    EXPECT_FALSE(parseModule(text + "x\n", "f.py")) << deep;
  }
  std::string blocks;
  for (int i = 0; i < 3'000; ++i) blocks += std::string(i, ' ') + "if x:\n";
  EXPECT_FALSE(parseModule(blocks, "f.py"));
}

TEST(ScriptParse, LongIsNotDeep) {
  std::string sum = "x";
  for (int i = 0; i < 100'000; ++i) sum += " + x";
  tine::testing::runOnStack(tine::testing::kSmallStack,
                            [&] { EXPECT_TRUE(parseModule("y = " + sum, "f.py")); });
  std::string choice, chain = "y = x", branches = "if x: pass\n";
  for (int i = 0; i < 100'000; ++i)
    choice += "x if x else ", chain += ".a(x)[0]", branches += "elif x: pass\n";
  tine::testing::runOnStack(tine::testing::kSmallStack, [&] {
    EXPECT_TRUE(parseModule("y = " + choice + "x", "f.py"));
    EXPECT_TRUE(parseModule(chain, "f.py"));
    EXPECT_TRUE(parseModule(branches, "f.py"));
  });
}

TEST(ScriptParse, AnyPrefixAndAnyByteGivesAnAnswer) {
  const std::string text = "@d\nclass C(B):\n  x: int = 1\ndef f(x: int, *, y='\\x41') -> None:\n"
                           "  for a, b in zip(x, [y]):\n    try:\n      del a[0]\n"
                           "    except E as e:\n      raise X from e\n    finally:\n      pass\n"
                           "  while not x: continue\n  else: break\n  with a as b: x += f'{y}'\n"
                           "  assert x, \"m\"\n  return lambda q: {q: [z for z in q]}\n";
  ASSERT_TRUE(parseModule(text, "f.py")) << errorsOf(text)[0];
  for (std::size_t i = 0; i <= text.size(); ++i) {
    auto prefix = parseModule(text.substr(0, i), "f.py");
    if (!prefix) {
      EXPECT_TRUE(prefix.error().place.known());
    }
    for (char c : {'\0', '(', '"', '\n', '\xff', '#'}) {
      std::string changed = text;
      changed.insert(i, 1, c);
      auto result = parseModule(changed, "f.py");
      if (!result) {
        EXPECT_FALSE(result.error().message.empty());
      }
    }
  }
}

} // namespace
