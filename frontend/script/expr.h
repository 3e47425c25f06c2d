#pragma once

#include "frontend/script/source.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Casting.h"

#include <complex>
#include <variant>

/// Expressions: half of the tree; ast.h has the other.
namespace tine::script {

enum class ExprKind : std::uint8_t {
#define TINE_EXPR(id) id,
#include "frontend/script/ast.def"
};
enum class UnaryOp : std::uint8_t {
#define TINE_UNARY(id, text, kind) id,
#include "frontend/script/ast.def"
};
enum class BinaryOp : std::uint8_t {
#define TINE_BINARY(id, text, precedence, kind) id,
#include "frontend/script/ast.def"
};
enum class CompareOp : std::uint8_t {
#define TINE_COMPARE(id, text, kind) id,
#include "frontend/script/ast.def"
};
llvm::StringRef textOf(UnaryOp op); ///< `-`
llvm::StringRef textOf(BinaryOp op);
llvm::StringRef textOf(CompareOp op);
llvm::StringRef kindOf(UnaryOp op); ///< `aten::neg`
llvm::StringRef kindOf(BinaryOp op);
llvm::StringRef kindOf(CompareOp op);

/// An expression: its kind says which of the structs below it is. The range is that of its first to
/// its last byte, without parentheses around it.
struct Expr {
  ExprKind kind;
  Range range;
};
using Exprs = llvm::ArrayRef<Expr*>;

template <ExprKind K> struct ExprOf : Expr {
  explicit ExprOf(Range at) : Expr{K, at} {}
  static bool classof(const Expr* expr) { return expr->kind == K; }
};

/// A word where it stands.
struct Identifier {
  llvm::StringRef text;
  Range range;
};

struct Name : ExprOf<ExprKind::Name> {
  using ExprOf::ExprOf;
  llvm::StringRef name;
};
struct Number : ExprOf<ExprKind::Number> { ///< `3`, `2.5`, `1j`
  using ExprOf::ExprOf;
  std::variant<std::int64_t, double, std::complex<double>> value;
};
struct String : ExprOf<ExprKind::String> { ///< the bytes that it stands for; neighbours joined
  using ExprOf::ExprOf;
  llvm::StringRef value;
};
struct FString : ExprOf<ExprKind::FString> { ///< `f"{x} of {n}"`: `{} of {}` and x, n
  using ExprOf::ExprOf;
  llvm::StringRef format; ///< for aten::format
  Exprs values;
};
struct Formatted : ExprOf<ExprKind::Formatted> { ///< in an FString: x and `.2f` of `{x:.2f}`
  using ExprOf::ExprOf;
  Expr* value = nullptr;
  llvm::StringRef spec;
};
struct Constant : ExprOf<ExprKind::Constant> {
  using ExprOf::ExprOf;
  enum { True, False, None, Ellipsis } value = None;
};
struct Unary : ExprOf<ExprKind::Unary> {
  using ExprOf::ExprOf;
  UnaryOp op{};
  Expr* operand = nullptr;
};
/// Leans to the left as long as `a + b + c + ...` is: walk down `lhs` in a loop. So do Call,
/// Attribute and Subscript, by `callee` and `object`, and Ternary to the right, by `no`; the depth
/// of all others is bounded.
struct Binary : ExprOf<ExprKind::Binary> {
  using ExprOf::ExprOf;
  BinaryOp op{};
  Range opRange;
  Expr *lhs = nullptr, *rhs = nullptr;
};
struct Compare : ExprOf<ExprKind::Compare> { ///< `a < b <= c`: first a; then `< b`, `<= c`
  using ExprOf::ExprOf;
  Expr* first = nullptr;
  llvm::ArrayRef<CompareOp> ops;
  Exprs rest;
};
struct Logical : ExprOf<ExprKind::Logical> { ///< `a and b and c`
  using ExprOf::ExprOf;
  bool isAnd = false;
  Exprs operands; ///< two or more
};
struct Ternary : ExprOf<ExprKind::Ternary> { ///< `yes if condition else no`
  using ExprOf::ExprOf;
  Expr *condition = nullptr, *yes = nullptr, *no = nullptr;
};
struct Keyword {
  Identifier name; ///< empty: `**value`
  Expr* value = nullptr;
};
struct Call : ExprOf<ExprKind::Call> {
  using ExprOf::ExprOf;
  Expr* callee = nullptr;
  Exprs arguments; ///< may be Starred
  llvm::ArrayRef<Keyword> keywords;
};
struct Attribute : ExprOf<ExprKind::Attribute> {
  using ExprOf::ExprOf;
  Expr* object = nullptr;
  Identifier name;
};
struct Subscript : ExprOf<ExprKind::Subscript> { ///< `x[1, ::2]`
  using ExprOf::ExprOf;
  Expr* object = nullptr;
  Exprs indices; ///< may be Slice
};
struct Slice : ExprOf<ExprKind::Slice> { ///< parts may be null
  using ExprOf::ExprOf;
  Expr *start = nullptr, *stop = nullptr, *step = nullptr;
};
struct List : ExprOf<ExprKind::List> {
  using ExprOf::ExprOf;
  Exprs items;
};
struct Tuple : ExprOf<ExprKind::Tuple> { ///< the range begins at the parenthesis, when there is one
  using ExprOf::ExprOf;
  Exprs items;
};
struct Dict : ExprOf<ExprKind::Dict> {
  using ExprOf::ExprOf;
  Exprs keys, values;
};
struct Set : ExprOf<ExprKind::Set> {
  using ExprOf::ExprOf;
  Exprs items;
};
/// `[element for target in iterable if condition ...]`; a dict's has a key.
struct Comprehension : ExprOf<ExprKind::Comprehension> {
  using ExprOf::ExprOf;
  enum { List, Dict, Generator, Set } form = List;
  Expr *key = nullptr, *element = nullptr;
  struct For {
    Expr *target = nullptr, *iterable = nullptr;
    Exprs conditions;
  };
  llvm::ArrayRef<For> loops; ///< outer before inner
};
struct Starred : ExprOf<ExprKind::Starred> {
  using ExprOf::ExprOf;
  Expr* value = nullptr;
};

/// A parameter of a function; after the first keyword-only one all are.
struct Parameter {
  Identifier name;
  Expr *type = nullptr, *defaultValue = nullptr; ///< may be null
  bool keywordOnly = false;
  enum { Plain, Arguments, Keywords } form = Plain; ///< `x`, `*args`, `**kwargs`
};
struct Lambda : ExprOf<ExprKind::Lambda> {
  using ExprOf::ExprOf;
  llvm::ArrayRef<Parameter> parameters;
  Expr* body = nullptr;
};

} // namespace tine::script
