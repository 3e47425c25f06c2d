#include "frontend/script/parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "support/literal.h"

#include <algorithm>
#include <cstdlib>

namespace tine::script {
namespace {

struct BinaryRow {
  TokenKind token;
  BinaryOp op;
  int precedence;
};
/// The sign of an operator is the token of the same text.
TokenKind signOf(llvm::StringRef text) {
#define TINE_SIGN(id, sign)                                                                        \
  if (text == sign) return TokenKind::id;
#include "frontend/script/tokens.def"
  return TokenKind::Wrong;
}
const BinaryRow* binaryOf(TokenKind token) {
  static const BinaryRow kRows[] = {
#define TINE_BINARY(id, text, precedence, kind) {signOf(text), BinaryOp::id, precedence},
#include "frontend/script/ast.def"
  };
  for (const BinaryRow& row : kRows)
    if (row.token == token) return &row;
  return nullptr;
}

/// Python's value of a number that is too large for a double.
std::optional<double> readLarge(llvm::StringRef word) {
  char* end = nullptr;
  const std::string text = word.str();
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() ? std::optional(value) : std::nullopt;
}

/// Where `!r` or `=` ends what stands in the braces of a string, and its length.
std::optional<std::pair<std::size_t, std::uint32_t>> beyondFormat(llvm::StringRef inside) {
  const llvm::StringRef text = inside.rtrim();
  for (llvm::StringRef conversion : {"!r", "!s", "!a"})
    if (text.ends_with(conversion)) return {{text.size() - 2, 2}};
  const llvm::StringRef before = text.drop_back(text.empty() ? 0 : 1);
  if (!text.ends_with("=") || (!before.empty() && llvm::StringRef("=!<>:").contains(before.back())))
    return std::nullopt;
  return {{before.size(), 1}};
}

} // namespace

llvm::StringRef textOf(UnaryOp op) {
  switch (op) {
#define TINE_UNARY(id, text, kind)                                                                 \
  case UnaryOp::id:                                                                                \
    return text;
#include "frontend/script/ast.def"
  }
  TINE_UNREACHABLE("operator");
}
llvm::StringRef textOf(BinaryOp op) {
  switch (op) {
#define TINE_BINARY(id, text, precedence, kind)                                                    \
  case BinaryOp::id:                                                                               \
    return text;
#include "frontend/script/ast.def"
  }
  TINE_UNREACHABLE("operator");
}
llvm::StringRef textOf(CompareOp op) {
  switch (op) {
#define TINE_COMPARE(id, text, kind)                                                               \
  case CompareOp::id:                                                                              \
    return text;
#include "frontend/script/ast.def"
  }
  TINE_UNREACHABLE("operator");
}
llvm::StringRef kindOf(UnaryOp op) {
  switch (op) {
#define TINE_UNARY(id, text, kind)                                                                 \
  case UnaryOp::id:                                                                                \
    return kind;
#include "frontend/script/ast.def"
  }
  TINE_UNREACHABLE("operator");
}
llvm::StringRef kindOf(BinaryOp op) {
  switch (op) {
#define TINE_BINARY(id, text, precedence, kind)                                                    \
  case BinaryOp::id:                                                                               \
    return kind;
#include "frontend/script/ast.def"
  }
  TINE_UNREACHABLE("operator");
}
llvm::StringRef kindOf(CompareOp op) {
  switch (op) {
#define TINE_COMPARE(id, text, kind)                                                               \
  case CompareOp::id:                                                                              \
    return kind;
#include "frontend/script/ast.def"
  }
  TINE_UNREACHABLE("operator");
}

// ---- lists --------------------------------------------------------------------------------------

Expr* Parser::starredOrExpression() {
  if (!is(TokenKind::Star)) return expression();
  const std::uint32_t start = next().range.begin;
  Expr* value = operators(kBinary + 1);
  if (!value) return nullptr;
  auto* node = make<Starred>(start, value->range.end);
  node->value = value;
  return node;
}

Expr* Parser::expressions(bool starred) {
  const std::uint32_t start = peek().range.begin;
  Expr* first = starred ? starredOrExpression() : expression();
  if (!first || !is(TokenKind::Comma)) return first;
  llvm::SmallVector<Expr*, 4> list{first};
  while (take(TokenKind::Comma)) {
    const TokenKind kind = peek().kind;
    if (kind == TokenKind::Newline || kind == TokenKind::Assign || kind == TokenKind::Close ||
        kind == TokenKind::CloseBracket || kind == TokenKind::Colon || kind == TokenKind::End ||
        kind == TokenKind::Semicolon)
      break;
    Expr* item = starredOrExpression();
    if (!item) return nullptr;
    list.push_back(item);
  }
  auto* node = make<Tuple>(start, lastEnd());
  node->items = keepExprs(list);
  return node;
}

/// `a, b, close`, through the closing bracket.
bool Parser::items(TokenKind close, llvm::SmallVectorImpl<Expr*>& out) {
  while (!take(close)) {
    if (is(TokenKind::End) || is(TokenKind::Newline)) return expected(describe(close)), false;
    Expr* item = starredOrExpression();
    if (!item) return false;
    out.push_back(item);
    if (take(TokenKind::Comma)) continue;
    if (!is(close)) return expected("',' or " + describe(close)), false;
  }
  return true;
}

// ---- operators ----------------------------------------------------------------------------------

/// `a if b else c if d else e`: a row of them is no level.
Expr* Parser::expression() {
  Deeper deeper(*this);
  if (tooDeep()) return nullptr;
  llvm::SmallVector<std::pair<Expr*, Expr*>, 2> choices; // value and condition
  Expr* last = nullptr;
  while (!last) {
    if (is(TokenKind::Lambda)) {
      last = lambda();
      if (!last) return nullptr;
      break;
    }
    Expr* yes = operators(kOr);
    if (!yes) return nullptr;
    if (is(TokenKind::Walrus))
      return error(peek().range, "':=' is not part of TorchScript"), nullptr;
    if (!take(TokenKind::If)) {
      last = yes;
      break;
    }
    Expr* condition = operators(kOr);
    if (!condition || !expect(TokenKind::Else)) return nullptr;
    choices.push_back({yes, condition});
  }
  for (auto [yes, condition] : llvm::reverse(choices)) {
    auto* node = make<Ternary>(yes->range.begin, last->range.end);
    node->yes = yes;
    node->condition = condition;
    node->no = last;
    last = node;
  }
  return last;
}

/// Operators that bind at least as tight as `minimum`.
Expr* Parser::operators(int minimum) {
  Expr* lhs = operand();
  while (lhs) {
    const TokenKind kind = peek().kind;
    if (kind == TokenKind::Or || kind == TokenKind::And) {
      const int power = kind == TokenKind::Or ? kOr : kAnd;
      if (power < minimum) return lhs;
      llvm::SmallVector<Expr*, 4> list{lhs};
      while (take(kind)) {
        Expr* rhs = operators(power + 1);
        if (!rhs) return nullptr;
        list.push_back(rhs);
      }
      auto* node = make<Logical>(lhs->range.begin, list.back()->range.end);
      node->isAnd = kind == TokenKind::And;
      node->operands = keepExprs(list);
      lhs = node;
      continue;
    }
    if (isComparison()) {
      if (kCompare < minimum) return lhs;
      lhs = comparison(lhs);
      continue;
    }
    const BinaryRow* row = binaryOf(kind);
    if (!row || kBinary + row->precedence < minimum) return lhs;
    const Range sign = next().range;
    const int power = kBinary + row->precedence;
    Deeper deeper(*this);
    if (tooDeep()) return nullptr;
    // `a ** b ** c` is `a ** (b ** c)`.
    Expr* rhs = operators(row->op == BinaryOp::Power ? power : power + 1);
    if (!rhs) return nullptr;
    auto* node = make<Binary>(lhs->range.begin, rhs->range.end);
    node->op = row->op;
    node->opRange = sign;
    node->lhs = lhs;
    node->rhs = rhs;
    lhs = node;
  }
  return nullptr;
}

bool Parser::isComparison() const {
  const TokenKind kind = peek().kind;
  return kind == TokenKind::EqualEqual || kind == TokenKind::NotEqual || kind == TokenKind::Less ||
         kind == TokenKind::LessEqual || kind == TokenKind::Greater ||
         kind == TokenKind::GreaterEqual || kind == TokenKind::Is || kind == TokenKind::In ||
         (kind == TokenKind::Not && peek(1).kind == TokenKind::In);
}

/// `< b <= c`, after a.
Expr* Parser::comparison(Expr* first) {
  llvm::SmallVector<CompareOp, 2> ops;
  llvm::SmallVector<Expr*, 2> rest;
  while (isComparison()) {
    const TokenKind kind = next().kind;
    if (kind == TokenKind::EqualEqual)
      ops.push_back(CompareOp::Equal);
    else if (kind == TokenKind::NotEqual)
      ops.push_back(CompareOp::NotEqual);
    else if (kind == TokenKind::Less)
      ops.push_back(CompareOp::Less);
    else if (kind == TokenKind::LessEqual)
      ops.push_back(CompareOp::LessEqual);
    else if (kind == TokenKind::Greater)
      ops.push_back(CompareOp::Greater);
    else if (kind == TokenKind::GreaterEqual)
      ops.push_back(CompareOp::GreaterEqual);
    else if (kind == TokenKind::In)
      ops.push_back(CompareOp::In);
    else if (kind == TokenKind::Is)
      ops.push_back(take(TokenKind::Not) ? CompareOp::IsNot : CompareOp::Is);
    else
      next(), ops.push_back(CompareOp::NotIn);
    Expr* rhs = operators(kCompare + 1);
    if (!rhs) return nullptr;
    rest.push_back(rhs);
  }
  auto* node = make<Compare>(first->range.begin, rest.back()->range.end);
  node->first = first;
  node->ops = keep(llvm::ArrayRef<CompareOp>(ops));
  node->rest = keepExprs(rest);
  return node;
}

/// What stands between operators, with the signs before it. `not` reaches over comparisons, the
/// others over `**` alone.
Expr* Parser::operand() {
  const Token& token = peek();
  UnaryOp op;
  if (token.kind == TokenKind::Minus)
    op = UnaryOp::Negative;
  else if (token.kind == TokenKind::Plus)
    op = UnaryOp::Positive;
  else if (token.kind == TokenKind::Tilde)
    op = UnaryOp::Invert;
  else if (token.kind == TokenKind::Not)
    op = UnaryOp::Not;
  else {
    Expr* expr = atom();
    return expr ? postfix(expr) : nullptr;
  }
  Deeper deeper(*this);
  if (tooDeep()) return nullptr;
  next();
  Expr* inside = operators(op == UnaryOp::Not ? kCompare : kBinary + kPowerPrecedence);
  if (!inside) return nullptr;
  auto* node = make<Unary>(token.range.begin, inside->range.end);
  node->op = op;
  node->operand = inside;
  return node;
}

/// Calls, attributes and subscripts after an expression; a row of them is no level.
Expr* Parser::postfix(Expr* expr) {
  while (expr) {
    if (is(TokenKind::Open)) {
      next();
      expr = call(expr);
    } else if (is(TokenKind::OpenBracket)) {
      next();
      expr = subscript(expr);
    } else if (take(TokenKind::Dot)) {
      auto name = attributeName();
      if (!name) return nullptr;
      auto* node = make<Attribute>(expr->range.begin, name->range.end);
      node->object = expr;
      node->name = *name;
      expr = node;
    } else {
      return expr;
    }
  }
  return nullptr;
}

/// Archives have attributes whose names are keywords here.
std::optional<Identifier> Parser::attributeName() {
  const Token& token = peek();
  llvm::StringRef word = text(token);
  if (token.kind == TokenKind::Name ||
      (!word.empty() &&
       word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") ==
           llvm::StringRef::npos)) {
    next();
    return Identifier{word, token.range};
  }
  expected("the attribute's name");
  return std::nullopt;
}

Expr* Parser::call(Expr* callee) {
  llvm::SmallVector<Expr*, 4> arguments;
  llvm::SmallVector<Keyword, 4> keywords;
  while (!take(TokenKind::Close)) {
    if (is(TokenKind::Name) && peek(1).kind == TokenKind::Assign) {
      Keyword keyword;
      keyword.name = {text(peek()), peek().range};
      next();
      next();
      if (!(keyword.value = expression())) return nullptr;
      for (const Keyword& other : keywords)
        if (other.name.text == keyword.name.text)
          return error(keyword.name.range,
                       "the argument '" + keyword.name.text.str() + "' is given twice"),
                 nullptr;
      keywords.push_back(keyword);
    } else if (is(TokenKind::DoubleStar)) {
      Keyword keyword;
      keyword.name.range = next().range;
      if (!(keyword.value = expression())) return nullptr;
      keywords.push_back(keyword);
    } else {
      const bool starred = is(TokenKind::Star);
      Expr* argument = starredOrExpression();
      if (!argument) return nullptr;
      if (is(TokenKind::For)) {
        auto* node = make<Comprehension>(argument->range.begin, 0);
        node->form = Comprehension::Generator;
        node->element = argument;
        if (!clauses(node)) return nullptr;
        node->range.end = lastEnd();
        argument = node;
      }
      if (!keywords.empty() && !starred)
        return error(argument->range, "an argument without a name after one with a name"), nullptr;
      arguments.push_back(argument);
    }
    if (take(TokenKind::Comma)) continue;
    if (!is(TokenKind::Close)) return expected("',' or ')'");
  }
  auto* node = make<Call>(callee->range.begin, lastEnd());
  node->callee = callee;
  node->arguments = keepExprs(arguments);
  node->keywords = keep(llvm::ArrayRef<Keyword>(keywords));
  return node;
}

Expr* Parser::subscript(Expr* object) {
  llvm::SmallVector<Expr*, 2> indices;
  while (!take(TokenKind::CloseBracket)) {
    Expr* index = slice();
    if (!index) return nullptr;
    indices.push_back(index);
    if (take(TokenKind::Comma)) continue;
    if (!is(TokenKind::CloseBracket)) return expected("',' or ']'");
  }
  if (indices.empty()) return error({lastEnd() - 1, lastEnd()}, "an index is missing"), nullptr;
  auto* node = make<Subscript>(object->range.begin, lastEnd());
  node->object = object;
  node->indices = keepExprs(indices);
  return node;
}

/// An index: an expression, or `start:stop:step`.
Expr* Parser::slice() {
  const std::uint32_t start = peek().range.begin;
  Expr* parts[3] = {};
  const auto part = [&](int i) {
    if (is(TokenKind::Colon) || is(TokenKind::Comma) || is(TokenKind::CloseBracket)) return true;
    return (parts[i] = starredOrExpression()) != nullptr;
  };
  if (!part(0)) return nullptr;
  if (!take(TokenKind::Colon)) return parts[0] ? parts[0] : expected("an index");
  if (!part(1) || (take(TokenKind::Colon) && !part(2))) return nullptr;
  auto* node = make<Slice>(start, lastEnd());
  node->start = parts[0];
  node->stop = parts[1];
  node->step = parts[2];
  return node;
}

// ---- atoms --------------------------------------------------------------------------------------

Expr* Parser::atom() {
  const Token& token = peek();
  const Range at = token.range;
  const auto constant = [&](auto value) -> Expr* {
    next();
    auto* node = make<Constant>(at.begin, at.end);
    node->value = value;
    return node;
  };
  if (token.kind == TokenKind::Name) {
    next();
    auto* node = make<Name>(at.begin, at.end);
    node->name = module_.source.text(at);
    return node;
  }
  if (token.kind == TokenKind::Number) return number();
  if (token.kind == TokenKind::String) return strings();
  if (token.kind == TokenKind::True) return constant(Constant::True);
  if (token.kind == TokenKind::False) return constant(Constant::False);
  if (token.kind == TokenKind::None) return constant(Constant::None);
  if (token.kind == TokenKind::Dots) return constant(Constant::Ellipsis);
  if (token.kind == TokenKind::Open) return parenthesized();
  if (token.kind == TokenKind::OpenBracket) return listDisplay();
  if (token.kind == TokenKind::OpenBrace) return braces();
  return expected("an expression");
}

Expr* Parser::parenthesized() {
  const std::uint32_t start = next().range.begin;
  if (take(TokenKind::Close)) return make<Tuple>(start, lastEnd());
  Expr* first = starredOrExpression();
  if (!first) return nullptr;
  if (is(TokenKind::For)) {
    auto* node = make<Comprehension>(start, 0);
    node->form = Comprehension::Generator;
    node->element = first;
    return finishComprehension(node, TokenKind::Close);
  }
  if (take(TokenKind::Close) && !llvm::isa<Starred>(first)) return first;
  if (!is(TokenKind::Comma)) return expected("',' or ')'");
  llvm::SmallVector<Expr*, 4> list{first};
  next();
  if (!items(TokenKind::Close, list)) return nullptr;
  auto* node = make<Tuple>(start, lastEnd());
  node->items = keepExprs(list);
  return node;
}

Expr* Parser::listDisplay() {
  const std::uint32_t start = next().range.begin;
  llvm::SmallVector<Expr*, 4> list;
  if (!is(TokenKind::CloseBracket)) {
    Expr* first = starredOrExpression();
    if (!first) return nullptr;
    if (is(TokenKind::For)) {
      auto* node = make<Comprehension>(start, 0);
      node->element = first;
      return finishComprehension(node, TokenKind::CloseBracket);
    }
    list.push_back(first);
    if (!take(TokenKind::Comma) && !is(TokenKind::CloseBracket)) return expected("',' or ']'");
  }
  if (!items(TokenKind::CloseBracket, list)) return nullptr;
  auto* node = make<List>(start, lastEnd());
  node->items = keepExprs(list);
  return node;
}

Expr* Parser::braces() {
  const std::uint32_t start = next().range.begin;
  llvm::SmallVector<Expr*, 4> keys, values;
  bool isSet = false;
  while (!take(TokenKind::CloseBrace)) {
    Expr* key = starredOrExpression();
    if (!key) return nullptr;
    Expr* value = nullptr;
    if (keys.empty()) isSet = !is(TokenKind::Colon);
    if (!isSet && (!expect(TokenKind::Colon) || !(value = expression()))) return nullptr;
    if (is(TokenKind::For) && keys.empty()) {
      auto* node = make<Comprehension>(start, 0);
      node->form = isSet ? Comprehension::Set : Comprehension::Dict;
      node->key = isSet ? nullptr : key;
      node->element = isSet ? key : value;
      return finishComprehension(node, TokenKind::CloseBrace);
    }
    keys.push_back(key);
    if (!isSet) values.push_back(value);
    if (take(TokenKind::Comma)) continue;
    if (!is(TokenKind::CloseBrace)) return expected("',' or '}'");
  }
  if (isSet) {
    auto* node = make<Set>(start, lastEnd());
    node->items = keepExprs(keys);
    return node;
  }
  auto* node = make<Dict>(start, lastEnd());
  node->keys = keepExprs(keys);
  node->values = keepExprs(values);
  return node;
}

Expr* Parser::targets() {
  const std::uint32_t start = peek().range.begin;
  llvm::SmallVector<Expr*, 2> list;
  bool comma = false;
  do {
    if (is(TokenKind::In)) break;
    const bool starred = is(TokenKind::Star);
    const std::uint32_t at = peek().range.begin;
    if (starred) next();
    Expr* target = operators(kTargetPower);
    if (!target) return nullptr;
    if (starred) {
      auto* node = make<Starred>(at, lastEnd());
      node->value = target;
      target = node;
    }
    list.push_back(target);
  } while (take(TokenKind::Comma) && (comma = true));
  if (list.empty()) return expected("a variable");
  if (!comma) return list[0];
  auto* node = make<Tuple>(start, lastEnd());
  node->items = keepExprs(list);
  return node;
}

/// `for a in b if c ...`, one or more.
bool Parser::clauses(Comprehension* node) {
  llvm::SmallVector<Comprehension::For, 2> loops;
  while (take(TokenKind::For)) {
    Comprehension::For loop;
    loop.target = targets();
    if (!loop.target || !expect(TokenKind::In) || !(loop.iterable = operators(kOr))) return false;
    llvm::SmallVector<Expr*, 2> conditions;
    while (take(TokenKind::If)) {
      conditions.push_back(operators(kOr));
      if (!conditions.back()) return false;
    }
    loop.conditions = keepExprs(conditions);
    loops.push_back(loop);
  }
  node->loops = keep(llvm::ArrayRef<Comprehension::For>(loops));
  return true;
}

Expr* Parser::finishComprehension(Comprehension* node, TokenKind close) {
  if (!clauses(node) || !expect(close)) return nullptr;
  node->range.end = lastEnd();
  return node;
}

Expr* Parser::number() {
  const Token& token = next();
  std::string digits = text(token).str();
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  auto* node = make<Number>(token.range.begin, token.range.end);
  llvm::StringRef word = digits;
  const auto fail = [&](const char* why) { return error(token.range, why), nullptr; };
  if (text(token).ends_with("_")) return fail("a number does not end with '_'");
  if (word.size() > 1 && word[0] == '0' && (word[1] | 32) >= 'a' && (word[1] | 32) != 'e' &&
      (word[1] | 32) != 'j') {
    std::uint64_t bits = 0;
    if (word.drop_front(2).getAsInteger((word[1] | 32) == 'x'   ? 16
                                        : (word[1] | 32) == 'o' ? 8
                                                                : 2,
                                        bits) ||
        bits > static_cast<std::uint64_t>(INT64_MAX))
      return fail("a malformed integer, or one that does not fit 64 bits");
    node->value = static_cast<std::int64_t>(bits);
    return node;
  }
  const bool imaginary = word.consume_back("j") || word.consume_back("J");
  if (word.find_first_not_of("0123456789") == llvm::StringRef::npos && !imaginary) {
    if (word.size() > 1 && word[0] == '0' && word.find_first_not_of('0') != llvm::StringRef::npos)
      return fail("a number with a leading zero; an octal one begins with 0o");
    auto value = readInt64(word);
    const bool negated = token.range.begin && module_.source.text()[token.range.begin - 1] == '-';
    if (!value && negated && word == "9223372036854775808") value = INT64_MIN; // its own negative
    if (!value) return fail("an integer that does not fit 64 bits");
    node->value = *value;
    return node;
  }
  if (word.find_first_not_of("0123456789.eE+-") != llvm::StringRef::npos)
    return fail("a malformed number");
  auto value = readDouble(word);
  if (!value) value = readLarge(word);
  if (!value) return fail("a malformed number");
  if (imaginary)
    node->value = std::complex<double>(0, *value);
  else
    node->value = *value;
  return node;
}

/// Neighbouring strings are one; one with `f` makes all of them formatted.
Expr* Parser::strings() {
  const std::uint32_t start = peek().range.begin;
  std::string value, format;
  llvm::SmallVector<Expr*, 4> values;
  bool formatted = false;
  while (is(TokenKind::String)) {
    const Token token = next();
    llvm::StringRef whole = text(token);
    const std::size_t quote = whole.find_first_of("'\"");
    const std::string prefix = whole.take_front(quote).lower();
    const std::size_t width =
        whole.substr(quote).starts_with("\"\"\"") || whole.substr(quote).starts_with("'''") ? 3 : 1;
    llvm::StringRef inside = whole.drop_front(quote + width).drop_back(width);
    const bool raw = prefix.find('r') != std::string::npos;
    if (prefix.find('b') != std::string::npos)
      return error(token.range, "byte strings are not part of TorchScript"), nullptr;
    if (prefix.find('f') != std::string::npos) {
      formatted = true;
      if (!fstring(inside, raw, format, values)) return nullptr;
      continue;
    }
    std::string bytes = inside.str();
    if (!raw && !unescaped(inside, bytes)) return nullptr;
    value += bytes;
    addText(bytes, format, values, token.range);
  }
  if (!formatted) {
    auto* node = make<String>(start, lastEnd());
    node->value = keepText(value);
    return node;
  }
  auto* node = make<FString>(start, lastEnd());
  node->format = keepText(format);
  node->values = keepExprs(values);
  return node;
}

/// Replaces escapes. `inside` is part of the source.
bool Parser::unescaped(llvm::StringRef inside, std::string& out) {
  std::string message;
  std::size_t wrong = 0;
  auto bytes = unescape(inside, &message, &wrong);
  if (!bytes) {
    const auto at =
        static_cast<std::uint32_t>(inside.begin() - module_.source.text().begin() + wrong);
    const llvm::StringRef digits =
        inside.substr(wrong + 2).take_while([](char c) { return llvm::isHexDigit(c); });
    const bool hex = llvm::StringRef("xuU").contains(inside.substr(wrong + 1, 1).str()[0]);
    error({at, at + 2 + (hex ? static_cast<std::uint32_t>(digits.size()) : 0)}, std::move(message));
    return false;
  }
  out = std::move(*bytes);
  return true;
}

/// Text of a formatted string. aten::format knows no escapes: a `{}` of the text is a value.
void Parser::addText(llvm::StringRef text, std::string& format,
                     llvm::SmallVectorImpl<Expr*>& values, Range range) {
  for (char c : text) {
    if (c != '}' || format.empty() || format.back() != '{') {
      format += c;
      continue;
    }
    format += '}';
    auto* braces = make<String>(range.begin, range.end);
    braces->value = "{}";
    values.push_back(braces);
  }
}

/// The text between the quotes: pieces of text, and expressions in braces.
bool Parser::fstring(llvm::StringRef inside, bool raw, std::string& format,
                     llvm::SmallVectorImpl<Expr*>& values) {
  const auto offset = [&](std::size_t i) {
    return static_cast<std::uint32_t>(inside.begin() - module_.source.text().begin() + i);
  };
  std::size_t i = 0;
  while (i < inside.size()) {
    std::size_t end = i;
    while (end < inside.size() && inside[end] != '{' && inside[end] != '}')
      end += inside[end] == '\\' && end + 1 < inside.size() && !raw ? 2 : 1;
    std::string piece = inside.slice(i, end).str();
    if (!raw && !unescaped(inside.slice(i, end), piece)) return false;
    addText(piece, format, values, {offset(i), offset(end)});
    if (end >= inside.size()) return true;
    if (end + 1 < inside.size() && inside[end + 1] == inside[end]) { // `{{`
      addText(inside.slice(end, end + 1), format, values, {offset(end), offset(end + 2)});
      i = end + 2;
      continue;
    }
    if (inside[end] == '}')
      return error({offset(end), offset(end) + 1}, "a '}' without its '{'; write '}}'"), false;
    std::size_t close = end + 1, colon = 0;
    int depth = 1;
    for (char quote = 0; close < inside.size(); ++close) {
      const char c = inside[close];
      if (quote)
        quote = c == quote ? 0 : quote;
      else if (c == '\'' || c == '"')
        quote = c;
      else if (c == '{' || c == '[' || c == '(')
        ++depth;
      else if ((c == '}' || c == ']' || c == ')') && --depth == 0)
        break;
      else if (c == ':' && depth == 1 && !colon)
        colon = close;
    }
    if (depth > 0)
      return error({offset(end), offset(end) + 1}, "a '{' without its '}'; write '{{'"), false;
    Deeper deeper(*this);
    if (tooDeep()) return false;
    const Range part{offset(end + 1), offset(colon ? colon : close)};
    if (auto extra = beyondFormat(module_.source.text(part))) {
      const auto at = part.begin + static_cast<std::uint32_t>(extra->first);
      return error({at, at + extra->second},
                   "'" + module_.source.text({at, at + extra->second}).str() +
                       "' in the braces of a string is not supported"),
             false;
    }
    Parser inner(module_, lexPart(module_.source, part, errors_), errors_);
    inner.depth_ = depth_;
    inner.start_ = part.begin;
    inner.end_ = "the end of the braces";
    Expr* value = inner.expressions(false);
    if (!value || !inner.expect(TokenKind::End)) return false;
    if (colon) {
      auto* spec = make<Formatted>(value->range.begin, offset(close));
      spec->value = value;
      spec->spec = inside.slice(colon + 1, close);
      if (spec->spec.contains('{'))
        return error({offset(colon), offset(close)}, "a format has no expressions inside"), false;
      value = spec;
    }
    values.push_back(value);
    format += "{}";
    i = close + 1;
  }
  return true;
}

Expr* Parser::lambda() {
  const std::uint32_t start = next().range.begin;
  llvm::SmallVector<Parameter, 4> list;
  if (!parameters(TokenKind::Colon, false, list) || !expect(TokenKind::Colon)) return nullptr;
  Expr* body = expression();
  if (!body) return nullptr;
  auto* node = make<Lambda>(start, body->range.end);
  node->parameters = keep(llvm::ArrayRef<Parameter>(list));
  node->body = body;
  return node;
}

/// `a, b: T = 1, *, c`, up to `close`.
bool Parser::parameters(TokenKind close, bool typed, llvm::SmallVectorImpl<Parameter>& out) {
  bool keywordOnly = false;
  while (!is(close)) {
    Parameter parameter;
    parameter.keywordOnly = keywordOnly;
    if (is(TokenKind::Star) && peek(1).kind == TokenKind::Comma) {
      next();
      next();
      keywordOnly = true;
      continue;
    }
    const std::uint32_t star = peek().range.begin;
    if (take(TokenKind::Star))
      parameter.form = Parameter::Arguments, keywordOnly = true;
    else if (take(TokenKind::DoubleStar))
      parameter.form = Parameter::Keywords;
    auto name = identifier("a name");
    if (!name) return false;
    if (parameter.form != Parameter::Plain)
      return error({star, name->range.end},
                   "'" + module_.source.text({star, name->range.end}).str() +
                       "' is not part of TorchScript: parameters are fixed"),
             false;
    parameter.name = *name;
    if (typed && take(TokenKind::Colon) && !(parameter.type = expression())) return false;
    if (take(TokenKind::Assign) && !(parameter.defaultValue = expression())) return false;
    if (!parameter.defaultValue && !keywordOnly && !out.empty() && out.back().defaultValue)
      return error(name->range, "a parameter without a default after one with a default"), false;
    for (const Parameter& other : out)
      if (other.name.text == name->text)
        return error(name->range, "two parameters are called '" + name->text.str() + "'"), false;
    const bool more = take(TokenKind::Comma);
    if (auto comment = typeComment(lastEnd(), peek().range.begin); comment && !parameter.type) {
      Parser inner(module_, lexPart(module_.source, *comment, errors_), errors_);
      inner.depth_ = depth_;
      parameter.type = inner.expression();
      if (!parameter.type || !inner.expect(TokenKind::End)) return false;
    }
    out.push_back(parameter);
    if (!more && !is(close)) return expected("',' or " + describe(close)), false;
  }
  return true;
}

} // namespace tine::script
