#include "frontend/script/parse.h"

#include "frontend/script/parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace tine::script {
namespace {

std::optional<BinaryOp> augmented(TokenKind kind) {
  struct Row {
    TokenKind token;
    BinaryOp op;
  };
  static constexpr Row kRows[] = {
      {TokenKind::PlusAssign, BinaryOp::Add},
      {TokenKind::MinusAssign, BinaryOp::Subtract},
      {TokenKind::StarAssign, BinaryOp::Multiply},
      {TokenKind::SlashAssign, BinaryOp::Divide},
      {TokenKind::DoubleSlashAssign, BinaryOp::FloorDivide},
      {TokenKind::PercentAssign, BinaryOp::Modulo},
      {TokenKind::AtAssign, BinaryOp::MatrixMultiply},
      {TokenKind::DoubleStarAssign, BinaryOp::Power},
      {TokenKind::AmpersandAssign, BinaryOp::BitAnd},
      {TokenKind::BarAssign, BinaryOp::BitOr},
      {TokenKind::CaretAssign, BinaryOp::BitXor},
      {TokenKind::ShiftLeftAssign, BinaryOp::ShiftLeft},
      {TokenKind::ShiftRightAssign, BinaryOp::ShiftRight},
  };
  for (const Row& row : kRows)
    if (row.token == kind) return row.op;
  return std::nullopt;
}

/// The first byte that is not part of a character.
std::optional<Range> notUtf8(llvm::StringRef text) {
  const llvm::UTF8* bad = text.bytes_begin();
  if (llvm::isLegalUTF8String(&bad, text.bytes_end())) return std::nullopt;
  const auto at = static_cast<std::uint32_t>(bad - text.bytes_begin());
  return Range{at, at + 1};
}

} // namespace

Module::Module(std::string file, std::string text)
    : source(std::move(file), std::move(text)), prefix("__torch__.") {
  llvm::StringRef stem = source.file();
  // A file of an archive: code/__torch__/a/b.py holds __torch__.a.b.
  if (auto [before, inside] = stem.split("__torch__/");
      inside.size() && (before.empty() || before.ends_with("/")) && inside.consume_back(".py")) {
    std::string dotted = inside.str();
    std::replace(dotted.begin(), dotted.end(), '/', '.');
    prefix += dotted + ".";
    return;
  }
  if (stem == "__torch__.py" || stem.ends_with("/__torch__.py")) return;
  stem = stem.rsplit('/').second.empty() ? stem : stem.rsplit('/').second;
  stem = stem.split('.').first;
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  if (!stem.empty() && std::all_of(stem.begin(), stem.end(), isWord) && !std::isdigit(stem[0]))
    prefix += stem.str() + ".";
}

std::unique_ptr<Module> parsePartly(std::string text, std::string file) {
  const bool fits = text.size() <= Source::kMaxBytes;
  auto module = std::make_unique<Module>(std::move(file), fits ? std::move(text) : std::string());
  std::vector<Error>& errors = module->errors;
  const auto wrong = notUtf8(module->source.text());
  if (!fits)
    errors.push_back(
        Error(error_kind::Unsupported, module->source.file() + " is larger than 1 GiB"));
  else if (wrong)
    errors.push_back(Error(error_kind::Syntax, "this byte is not UTF-8, as source is",
                           module->source.place(*wrong)));
  module->lostMore = !errors.empty();
  if (module->lostMore) return module;
  Tokens tokens = lex(module->source, errors);
  Parser parser(*module, std::move(tokens), errors);
  parser.file();
  if (parser.gaveUp()) errors.erase(errors.begin(), errors.end() - 1);
  sortErrors(errors);
  return module;
}

Result<std::unique_ptr<Module>> parseModule(std::string text, std::string file) {
  auto module = parsePartly(std::move(text), std::move(file));
  if (!module->errors.empty()) return std::move(module->errors);
  return module;
}

void sortErrors(std::vector<Error>& errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) {
    return std::tie(a.place.file, a.place.line, a.place.column) <
           std::tie(b.place.file, b.place.line, b.place.column);
  });
  if (errors.size() > kMaxErrors) errors.erase(errors.begin() + kMaxErrors, errors.end());
}

// ---- tokens -------------------------------------------------------------------------------------

std::nullptr_t Parser::error(Range range, std::string message) {
  ++failures_;
  if (gaveUp_ || errors_.size() >= 2 * kMaxErrors) return nullptr;
  for (Range unclosed : tokens_.unclosed) // said already what is wrong
    if (range.begin > unclosed.begin && range.begin <= unclosed.end) return nullptr;
  errors_.push_back(Error(error_kind::Syntax, std::move(message), module_.source.place(range)));
  return nullptr;
}

std::nullptr_t Parser::expected(llvm::StringRef what) {
  const Token& token = peek();
  ++failures_;
  if (token.kind == TokenKind::Wrong) return nullptr; // reported by the lexer
  std::string found = token.kind == TokenKind::End ? end_ : describe(token.kind);
  if (token.kind == TokenKind::Name || token.kind == TokenKind::Number)
    found = "'" + text(token).take_front(40).str() + "'";
  Range range = token.range;
  if (token.kind == TokenKind::Newline || token.kind == TokenKind::End ||
      token.kind == TokenKind::Dedent)
    range = {lastEnd(), lastEnd()}; // where the missing thing should be
  return error(range, "expected " + what.str() + ", found " + found);
}

bool Parser::expect(TokenKind kind, const char* why) {
  if (take(kind)) return true;
  expected(describe(kind) + why);
  return false;
}

bool Parser::tooDeep() {
  if (depth_ <= kMaxDepth) return false;
  error(peek().range,
        "nested deeper than " + std::to_string(kMaxDepth) + " statements and expressions");
  gaveUp_ = true;
  at_ = tokens_.list.size() - 1;
  return true;
}

std::optional<Identifier> Parser::identifier(llvm::StringRef what) {
  if (!is(TokenKind::Name)) {
    expected(what);
    return std::nullopt;
  }
  const Token& token = next();
  return Identifier{text(token), token.range};
}

std::optional<Identifier> Parser::dottedName() {
  auto first = identifier("a module's name");
  while (first && take(TokenKind::Dot)) {
    auto more = identifier("a name");
    if (!more) return std::nullopt;
    first->range.end = more->range.end;
  }
  if (first) first->text = module_.source.text(first->range);
  return first;
}

// ---- statements ---------------------------------------------------------------------------------

void Parser::file() {
  StmtList body;
  while (!is(TokenKind::End)) {
    const std::size_t start = at_, before = body.size();
    failures_ = 0;
    statement(body);
    const Range range{tokens_.list[start].range.begin, lastEnd()};
    const auto isInside = [&](const Error& error) { // also those of the lexer
      const std::uint32_t line = error.place.line;
      return line >= module_.source.lineColumn(range.begin).line &&
             line <= module_.source.lineColumn(range.end).line;
    };
    if (failures_ == 0 && llvm::none_of(errors_, isInside)) continue;
    if (body.size() == before) lose(start);
    for (Stmt* stmt : llvm::drop_begin(body, before)) {
      if (auto* function = llvm::dyn_cast<FunctionDef>(stmt)) function->isWhole = false;
      if (auto* info = llvm::dyn_cast<ClassDef>(stmt)) info->isWhole = false;
    }
  }
  module_.lostMore |= gaveUp_;
  module_.body = keep(llvm::ArrayRef<Stmt*>(body));
}

/// Notes what the statement from a token on would have defined.
void Parser::lose(std::size_t at) {
  while (tokens_.list[at].kind == TokenKind::At) { // decorators
    while (tokens_.list[at].kind != TokenKind::Newline && tokens_.list[at].kind != TokenKind::End)
      ++at;
    if (tokens_.list[at].kind == TokenKind::Newline) ++at;
  }
  const TokenKind kind = tokens_.list[at].kind;
  if (kind == TokenKind::Def || kind == TokenKind::Class) ++at;
  if (tokens_.list[at].kind == TokenKind::Name)
    module_.lost.push_back(text(tokens_.list[at]).str());
  else
    module_.lostMore = true;
}

/// Goes to the next line of this block, over blocks that belong to the statement.
void Parser::skipStatement() {
  while (!is(TokenKind::Newline) && !is(TokenKind::Dedent) && !is(TokenKind::End)) next();
  take(TokenKind::Newline);
  for (int depth = 0; is(TokenKind::Indent) || depth > 0;) {
    if (is(TokenKind::End)) return;
    if (is(TokenKind::Indent)) ++depth;
    if (is(TokenKind::Dedent)) --depth;
    next();
  }
}

void Parser::statement(StmtList& out) {
  Deeper deeper(*this);
  if (tooDeep()) return;
  if (is(TokenKind::Indent)) {
    error(peek().range, "this line is indented, and no line before it opens a block");
    next();
    return;
  }
  if (take(TokenKind::Dedent)) return; // of an indent that was an error
  const TokenKind kind = peek().kind;
  const bool compound = kind == TokenKind::If || kind == TokenKind::While ||
                        kind == TokenKind::For || kind == TokenKind::With ||
                        kind == TokenKind::Try || kind == TokenKind::Def ||
                        kind == TokenKind::Class || kind == TokenKind::At;
  if (!compound) return simpleStatements(out);
  if (Stmt* stmt = compoundStatement())
    out.push_back(stmt);
  else
    skipStatement();
}

void Parser::simpleStatements(StmtList& out) {
  const std::size_t start = at_;
  do {
    Stmt* stmt = simpleStatement();
    if (!stmt) return skipStatement();
    out.push_back(stmt);
  } while (take(TokenKind::Semicolon) && !is(TokenKind::Newline));
  if (take(TokenKind::Newline)) return;
  const Token& first = tokens_.list[start];
  if (depth_ == 1 && at_ == start + 1 && first.kind == TokenKind::Name) // `int main() {`
    error(first.range, "expected a function, class, constant or import, found '" +
                           text(first).take_front(40).str() + "'");
  else
    expected("the end of the statement");
  skipStatement();
}

Stmt* Parser::compoundStatement() {
  const TokenKind kind = peek().kind;
  if (kind == TokenKind::If) return ifStatement();
  if (kind == TokenKind::While) return whileStatement();
  if (kind == TokenKind::For) return forStatement();
  if (kind == TokenKind::With) return withStatement();
  if (kind == TokenKind::Try) return tryStatement();
  if (kind == TokenKind::Def) return functionDef({}, peek().range.begin);
  if (kind == TokenKind::Class) return classDef({}, peek().range.begin);
  return decorated();
}

Stmt* Parser::simpleStatement() {
  const Range at = peek().range;
  if (is(TokenKind::Return)) return returnStatement();
  if (is(TokenKind::Raise)) return raiseStatement();
  if (is(TokenKind::Assert)) return assertStatement();
  if (is(TokenKind::Del)) return deleteStatement();
  if (is(TokenKind::Import) || is(TokenKind::From)) return import();
  if (take(TokenKind::Pass)) return make<Pass>(at.begin, at.end);
  if (take(TokenKind::Break)) return make<Break>(at.begin, at.end);
  if (take(TokenKind::Continue)) return make<Continue>(at.begin, at.end);
  if (is(TokenKind::Global) || is(TokenKind::Nonlocal) || is(TokenKind::Yield))
    return error(at, "'" + text(peek()).str() + "' is not part of TorchScript"), nullptr;
  return assignment();
}

Stmt* Parser::assignment() {
  const std::uint32_t start = peek().range.begin;
  Expr* first = expressions(true);
  if (!first) return nullptr;
  if (auto op = augmented(peek().kind)) {
    next();
    Expr* value = expressions(false);
    if (!value) return nullptr;
    auto* node = make<AugAssign>(start, lastEnd());
    node->op = *op;
    node->target = first;
    node->value = value;
    return node;
  }
  llvm::SmallVector<Expr*, 2> targets{first};
  Expr *type = nullptr, *value = nullptr;
  if (take(TokenKind::Colon)) {
    type = expression();
    if (!type) return nullptr;
    if (take(TokenKind::Assign) && !(value = expressions(true))) return nullptr;
  } else if (is(TokenKind::Assign)) {
    while (take(TokenKind::Assign)) {
      if (value) targets.push_back(value);
      value = expressions(true);
      if (!value) return nullptr;
    }
    if (auto comment = typeComment(lastEnd(), peek().range.begin)) {
      Parser inner(module_, lexPart(module_.source, *comment, errors_), errors_);
      type = inner.expression();
      if (!type || !inner.expect(TokenKind::End)) return nullptr;
    }
  } else {
    auto* node = make<ExprStmt>(start, lastEnd());
    node->value = first;
    return node;
  }
  auto* node = make<Assign>(start, lastEnd());
  node->targets = keepExprs(targets);
  node->type = type;
  node->value = value;
  return node;
}

Stmt* Parser::returnStatement() {
  const std::uint32_t start = next().range.begin;
  Expr* value = nullptr;
  if (!is(TokenKind::Newline) && !is(TokenKind::Semicolon) && !(value = expressions(true)))
    return nullptr;
  auto* node = make<Return>(start, lastEnd());
  node->value = value;
  return node;
}

Stmt* Parser::raiseStatement() {
  const std::uint32_t start = next().range.begin;
  Expr *exception = nullptr, *cause = nullptr;
  if (!is(TokenKind::Newline) && !is(TokenKind::Semicolon) && !(exception = expression()))
    return nullptr;
  if (exception && take(TokenKind::From) && !(cause = expression())) return nullptr;
  auto* node = make<Raise>(start, lastEnd());
  node->exception = exception;
  node->cause = cause;
  return node;
}

Stmt* Parser::assertStatement() {
  const std::uint32_t start = next().range.begin;
  Expr *condition = expression(), *message = nullptr;
  if (!condition || (take(TokenKind::Comma) && !(message = expression()))) return nullptr;
  auto* node = make<Assert>(start, lastEnd());
  node->condition = condition;
  node->message = message;
  return node;
}

Stmt* Parser::deleteStatement() {
  const std::uint32_t start = next().range.begin;
  llvm::SmallVector<Expr*, 2> targets;
  do {
    Expr* target = expression();
    if (!target) return nullptr;
    targets.push_back(target);
  } while (take(TokenKind::Comma));
  auto* node = make<Delete>(start, lastEnd());
  node->targets = keepExprs(targets);
  return node;
}

Stmt* Parser::import() {
  const std::uint32_t start = peek().range.begin;
  llvm::SmallVector<Import::Item, 2> items;
  Identifier module;
  const bool from = take(TokenKind::From);
  if (from) {
    auto name = dottedName();
    if (!name) return nullptr;
    module = *name;
  }
  if (!expect(TokenKind::Import)) return nullptr;
  const bool enclosed = from && take(TokenKind::Open);
  do {
    if (enclosed && is(TokenKind::Close)) break;
    Import::Item item;
    if (from && is(TokenKind::Star)) {
      item.name = {text(peek()), peek().range};
      next();
    } else {
      auto name = from ? identifier("a name") : dottedName();
      if (!name) return nullptr;
      item.name = *name;
    }
    if (take(TokenKind::As)) {
      auto as = identifier("a name");
      if (!as) return nullptr;
      item.as = *as;
    }
    items.push_back(item);
  } while (take(TokenKind::Comma));
  if (enclosed && !expect(TokenKind::Close)) return nullptr;
  auto* node = make<Import>(start, lastEnd());
  node->module = module;
  node->items = keep(llvm::ArrayRef<Import::Item>(items));
  return node;
}

// ---- statements with blocks ---------------------------------------------------------------------

bool Parser::suite(Stmts& out) {
  if (is(TokenKind::Assign)) {
    error(peek().range, "expected ':', found '='; is '==' meant?");
    return false;
  }
  if (!expect(TokenKind::Colon)) return false;
  StmtList body;
  if (!take(TokenKind::Newline)) {
    const std::size_t before = errors_.size();
    simpleStatements(body);
    if (errors_.size() == before && body.empty()) return false;
  } else {
    if (!is(TokenKind::Indent)) return expected("an indented block"), false;
    next();
    while (!is(TokenKind::Dedent) && !is(TokenKind::End)) statement(body);
    take(TokenKind::Dedent);
  }
  out = keep(llvm::ArrayRef<Stmt*>(body));
  return true;
}

bool Parser::orElse(Stmts& out) {
  if (!take(TokenKind::Else)) return true;
  return suite(out);
}

/// `elif` is no level, however many there are.
Stmt* Parser::ifStatement() {
  struct Branch {
    std::uint32_t start;
    Expr* condition;
    Stmts body;
  };
  llvm::SmallVector<Branch, 4> branches;
  do {
    Branch& branch = branches.emplace_back(Branch{next().range.begin, expression(), {}});
    if (!branch.condition || !suite(branch.body)) return nullptr;
  } while (is(TokenKind::Elif));
  Stmts otherwise;
  if (!orElse(otherwise)) return nullptr;
  Stmt* whole = nullptr;
  for (const Branch& branch : llvm::reverse(branches)) {
    auto* node = make<If>(branch.start, lastEnd());
    node->condition = branch.condition;
    node->body = branch.body;
    node->orElse = otherwise;
    whole = node;
    otherwise = keep(llvm::ArrayRef<Stmt*>(whole));
  }
  return whole;
}

Stmt* Parser::whileStatement() {
  const std::uint32_t start = next().range.begin;
  Expr* condition = expression();
  Stmts body, otherwise;
  if (!condition || !suite(body) || !orElse(otherwise)) return nullptr;
  auto* node = make<While>(start, lastEnd());
  node->condition = condition;
  node->body = body;
  node->orElse = otherwise;
  return node;
}

Stmt* Parser::forStatement() {
  const std::uint32_t start = next().range.begin;
  Expr* target = targets();
  if (!target || !expect(TokenKind::In)) return nullptr;
  Expr* iterable = expressions(true);
  Stmts body, otherwise;
  if (!iterable || !suite(body) || !orElse(otherwise)) return nullptr;
  auto* node = make<For>(start, lastEnd());
  node->target = target;
  node->iterable = iterable;
  node->body = body;
  node->orElse = otherwise;
  return node;
}

Stmt* Parser::withStatement() {
  const std::uint32_t start = next().range.begin;
  llvm::SmallVector<Expr*, 2> items, targetList;
  do {
    Expr *item = expression(), *target = nullptr;
    if (!item || (take(TokenKind::As) && !(target = operators(kTargetPower)))) return nullptr;
    items.push_back(item);
    targetList.push_back(target);
  } while (take(TokenKind::Comma));
  Stmts body;
  if (!suite(body)) return nullptr;
  auto* node = make<With>(start, lastEnd());
  node->items = keepExprs(items);
  node->targets = keepExprs(targetList);
  node->body = body;
  return node;
}

Stmt* Parser::tryStatement() {
  const Range at = next().range;
  Stmts body, otherwise, finally;
  llvm::SmallVector<Try::Handler, 2> handlers;
  if (!suite(body)) return nullptr;
  while (is(TokenKind::Except)) {
    Try::Handler handler;
    handler.range = next().range;
    if (!is(TokenKind::Colon)) {
      handler.type = expression();
      if (!handler.type) return nullptr;
      if (take(TokenKind::As)) {
        auto name = identifier("a name");
        if (!name) return nullptr;
        handler.name = *name;
      }
    }
    if (!suite(handler.body)) return nullptr;
    handlers.push_back(handler);
  }
  if (!orElse(otherwise) || (take(TokenKind::Finally) && !suite(finally))) return nullptr;
  if (handlers.empty() && finally.empty())
    return error(at, "'try' without 'except' or 'finally'"), nullptr;
  auto* node = make<Try>(at.begin, lastEnd());
  node->body = body;
  node->orElse = otherwise;
  node->finally = finally;
  node->handlers = keep(llvm::ArrayRef<Try::Handler>(handlers));
  return node;
}

Stmt* Parser::decorated() {
  const std::uint32_t start = peek().range.begin;
  llvm::SmallVector<Expr*, 2> decorators;
  while (take(TokenKind::At)) {
    Expr* decorator = expression();
    if (!decorator || !expect(TokenKind::Newline)) return nullptr;
    decorators.push_back(decorator);
  }
  if (is(TokenKind::Def)) return functionDef(keepExprs(decorators), start);
  if (is(TokenKind::Class)) return classDef(keepExprs(decorators), start);
  return expected("'def' or 'class'");
}

Stmt* Parser::functionDef(Exprs decorators, std::uint32_t start) {
  next();
  auto name = identifier("the function's name");
  if (!name || !expect(TokenKind::Open)) return nullptr;
  llvm::SmallVector<Parameter, 6> list;
  if (!parameters(TokenKind::Close, true, list) || !expect(TokenKind::Close)) return nullptr;
  auto* node = make<FunctionDef>(start, lastEnd());
  node->name = *name;
  node->decorators = decorators;
  if (take(TokenKind::Arrow) && !(node->result = expression())) return nullptr;
  const std::uint32_t header = lastEnd();
  node->parameters = keep(llvm::ArrayRef<Parameter>(list));
  std::size_t first = 0;
  while (peek(first).kind == TokenKind::Colon || peek(first).kind == TokenKind::Newline ||
         peek(first).kind == TokenKind::Indent)
    ++first;
  if (auto comment = typeComment(header, peek(first).range.begin))
    if (!applyTypeComment(*node, *comment)) return nullptr;
  if (!suite(node->body)) return nullptr;
  node->range.end = lastEnd();
  return node;
}

/// `(Tensor, int) -> Tensor`: types for the parameters, but for a `self`.
bool Parser::applyTypeComment(FunctionDef& def, Range comment) {
  Parser inner(module_, lexPart(module_.source, comment, errors_), errors_);
  llvm::SmallVector<Expr*, 6> types;
  if (!inner.expect(TokenKind::Open) || !inner.items(TokenKind::Close, types) ||
      !inner.expect(TokenKind::Arrow))
    return false;
  Expr* result = inner.expression();
  if (!result || !inner.expect(TokenKind::End)) return false;
  const auto isDots = [](const Expr* expr) {
    auto* node = llvm::dyn_cast<Constant>(expr);
    return node && node->value == Constant::Ellipsis;
  };
  def.result = result;
  if (types.size() == 1 && isDots(types[0])) return true; // each parameter has its own comment
  const std::size_t given = types.size(), wanted = def.parameters.size();
  const bool self = given + 1 == wanted && def.parameters[0].name.text == "self";
  if (given != wanted && !self) {
    error(comment, "the comment has " + std::to_string(given) + " types, and the function " +
                       std::to_string(wanted) + " parameters");
    return false;
  }
  llvm::SmallVector<Parameter, 6> typed(def.parameters.begin(), def.parameters.end());
  for (std::size_t i = 0; i < given; ++i) typed[i + self].type = types[i];
  def.parameters = keep(llvm::ArrayRef<Parameter>(typed));
  return true;
}

Stmt* Parser::classDef(Exprs decorators, std::uint32_t start) {
  next();
  auto name = identifier("the class's name");
  llvm::SmallVector<Expr*, 2> bases;
  if (!name || (take(TokenKind::Open) && !items(TokenKind::Close, bases))) return nullptr;
  auto* node = make<ClassDef>(start, lastEnd());
  node->name = *name;
  node->bases = keepExprs(bases);
  node->decorators = decorators;
  if (!suite(node->body)) return nullptr;
  node->range.end = lastEnd();
  return node;
}

/// A comment `# type:` between two places.
std::optional<Range> Parser::typeComment(std::uint32_t after, std::uint32_t before) const {
  const auto& all = tokens_.typeComments;
  auto found = std::lower_bound(all.begin(), all.end(), after,
                                [](Range range, std::uint32_t at) { return range.begin < at; });
  if (found == all.end() || found->begin >= before) return std::nullopt;
  return *found;
}

} // namespace tine::script
