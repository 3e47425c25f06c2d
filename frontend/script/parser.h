#pragma once

#include "frontend/script/ast.h"
#include "frontend/script/lex.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <optional>

namespace tine::script {

/// The rules of the grammar, by recursive descent over tokens. A rule returns null when it has
/// reported an error; the statement around it is then skipped. Private to frontend/script:
/// parse.h is what others use.
class Parser {
public:
  /// Statements and expressions nest no deeper: their rules recurse.
  static constexpr int kMaxDepth = 200;

  Parser(Module& module, Tokens tokens, std::vector<Error>& errors)
      : module_(module), tokens_(std::move(tokens)), errors_(errors) {}

  void file();
  /// Was the text nested too deep? The last error says so, and the rest was not read.
  bool gaveUp() const { return gaveUp_; }

  // ---- expressions: parse_expr.cpp ----
  Expr* expression();              ///< what may stand in a list of arguments
  Expr* expressions(bool starred); ///< `a, b` is a tuple

private:
  // ---- statements: parse.cpp ----
  using StmtList = llvm::SmallVector<Stmt*, 8>;
  void statement(StmtList& out);
  void lose(std::size_t at);
  void simpleStatements(StmtList& out);
  Stmt* simpleStatement();
  Stmt* compoundStatement();
  Stmt* assignment();
  Stmt* ifStatement();
  Stmt* whileStatement();
  Stmt* forStatement();
  Stmt* withStatement();
  Stmt* tryStatement();
  Stmt* decorated();
  Stmt* functionDef(Exprs decorators, std::uint32_t start);
  Stmt* classDef(Exprs decorators, std::uint32_t start);
  Stmt* import();
  Stmt* returnStatement();
  Stmt* raiseStatement();
  Stmt* assertStatement();
  Stmt* deleteStatement();
  bool suite(Stmts& out); ///< `: statements`, on the same line or indented
  bool orElse(Stmts& out);
  bool applyTypeComment(FunctionDef& def, Range comment);
  void skipStatement();
  std::optional<Range> typeComment(std::uint32_t after, std::uint32_t before) const;
  std::optional<Identifier> identifier(llvm::StringRef what);
  std::optional<Identifier> dottedName();

  // ---- expressions: parse_expr.cpp ----
  /// How tight operators bind: or, and, not, comparisons, then those of ast.def.
  static constexpr int kOr = 1, kAnd = 2, kNot = 3, kCompare = 4, kBinary = 4;
  static constexpr int kPowerPrecedence = 7,
                       kTargetPower = kBinary + 1; ///< what may be assigned to, before `in`
  Expr* operators(int minimum);
  Expr* operand();
  Expr* postfix(Expr* expr);
  Expr* atom();
  Expr* parenthesized();
  Expr* listDisplay();
  Expr* braces();
  Expr* strings();
  Expr* number();
  Expr* lambda();
  Expr* call(Expr* callee);
  Expr* subscript(Expr* object);
  Expr* slice();
  bool isComparison() const;
  Expr* comparison(Expr* first);
  bool clauses(Comprehension* node);
  Expr* finishComprehension(Comprehension* node, TokenKind close);
  std::optional<Identifier> attributeName();
  Expr* targets(); ///< of `for`: `a, (b, c)`
  bool fstring(llvm::StringRef inside, bool raw, std::string& format,
               llvm::SmallVectorImpl<Expr*>& values);
  void addText(llvm::StringRef text, std::string& format, llvm::SmallVectorImpl<Expr*>& values,
               Range range);
  bool unescaped(llvm::StringRef inside, std::string& out);
  bool parameters(TokenKind close, bool typed, llvm::SmallVectorImpl<Parameter>& out);
  bool items(TokenKind close, llvm::SmallVectorImpl<Expr*>& out);
  Expr* starredOrExpression();

  // ---- tokens ----
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_.list[std::min(at_ + ahead, tokens_.list.size() - 1)];
  }
  bool is(TokenKind kind) const { return peek().kind == kind; }
  const Token& next() { return tokens_.list[at_ + 1 < tokens_.list.size() ? at_++ : at_]; }
  bool take(TokenKind kind) {
    if (!is(kind)) return false;
    next();
    return true;
  }
  bool expect(TokenKind kind, const char* why = "");
  std::nullptr_t expected(llvm::StringRef what);
  std::nullptr_t error(Range range, std::string message);
  std::uint32_t lastEnd() const { return at_ ? tokens_.list[at_ - 1].range.end : start_; }
  llvm::StringRef text(const Token& token) const { return module_.source.text(token.range); }

  // ---- nodes ----
  template <class T> T* make(std::uint32_t begin, std::uint32_t end) {
    return new (module_.arena.Allocate<T>()) T(Range{begin, end});
  }
  template <class T> llvm::ArrayRef<T> keep(llvm::ArrayRef<T> items) {
    T* copy = module_.arena.Allocate<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), copy);
    return {copy, items.size()};
  }
  Exprs keepExprs(const llvm::SmallVectorImpl<Expr*>& items) {
    return keep(llvm::ArrayRef<Expr*>(items));
  }
  llvm::StringRef keepText(llvm::StringRef text) { return text.copy(module_.arena); }

  /// One level deeper while it lives.
  struct Deeper {
    explicit Deeper(Parser& parser) : depth_(parser.depth_) { ++depth_; }
    ~Deeper() { --depth_; }
    int& depth_;
  };
  bool tooDeep();

  Module& module_;
  Tokens tokens_;
  std::vector<Error>& errors_;
  std::size_t at_ = 0;
  std::uint32_t start_ = 0; ///< of the part that it reads
  const char* end_ = "the end of the text";
  int depth_ = 0, failures_ = 0;
  bool gaveUp_ = false; ///< nested too deep: the rest would only repeat that
};

} // namespace tine::script
