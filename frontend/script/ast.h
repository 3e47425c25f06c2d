#pragma once

#include "frontend/script/expr.h"
#include "llvm/Support/Allocator.h"
#include "support/error.h"

/// The tree of a program in TorchScript's language, as the parser makes it and the emitter reads
/// it:
///
///   Result<std::unique_ptr<Module>> module = parseModule(text, "f.py");
///   for (const Stmt* stmt : (*module)->body)
///     if (auto* def = llvm::dyn_cast<FunctionDef>(stmt)) use(def->name.text, def->parameters);
///
/// Nodes are plain data in the arena of their Module. Types are expressions.
namespace tine::script {

enum class StmtKind : std::uint8_t {
#define TINE_STMT(id) id,
#include "frontend/script/ast.def"
};

/// A statement: its kind says which of the structs below it is.
struct Stmt {
  StmtKind kind;
  Range range;
};
using Stmts = llvm::ArrayRef<Stmt*>;

template <StmtKind K> struct StmtOf : Stmt {
  explicit StmtOf(Range at) : Stmt{K, at} {}
  static bool classof(const Stmt* stmt) { return stmt->kind == K; }
};

struct ExprStmt : StmtOf<StmtKind::ExprStmt> {
  using StmtOf::StmtOf;
  Expr* value = nullptr;
};
struct Assign : StmtOf<StmtKind::Assign> { ///< `a = b = value`, `x: type = value`, `x: type`
  using StmtOf::StmtOf;
  Exprs targets;
  Expr *type = nullptr, *value = nullptr; ///< may be null
};
struct AugAssign : StmtOf<StmtKind::AugAssign> {
  using StmtOf::StmtOf;
  BinaryOp op{};
  Expr *target = nullptr, *value = nullptr;
};
/// `elif` is an If alone in `orElse`.
struct If : StmtOf<StmtKind::If> {
  using StmtOf::StmtOf;
  Expr* condition = nullptr;
  Stmts body, orElse;
};
struct While : StmtOf<StmtKind::While> {
  using StmtOf::StmtOf;
  Expr* condition = nullptr;
  Stmts body, orElse;
};
struct For : StmtOf<StmtKind::For> {
  using StmtOf::StmtOf;
  Expr *target = nullptr, *iterable = nullptr;
  Stmts body, orElse;
};
struct Break : StmtOf<StmtKind::Break> {
  using StmtOf::StmtOf;
};
struct Continue : StmtOf<StmtKind::Continue> {
  using StmtOf::StmtOf;
};
struct Pass : StmtOf<StmtKind::Pass> {
  using StmtOf::StmtOf;
};
struct Return : StmtOf<StmtKind::Return> {
  using StmtOf::StmtOf;
  Expr* value = nullptr; ///< may be null
};
struct Assert : StmtOf<StmtKind::Assert> {
  using StmtOf::StmtOf;
  Expr *condition = nullptr, *message = nullptr; ///< message may be null
};
struct Raise : StmtOf<StmtKind::Raise> {
  using StmtOf::StmtOf;
  Expr *exception = nullptr, *cause = nullptr; ///< may be null
};
struct Delete : StmtOf<StmtKind::Delete> {
  using StmtOf::StmtOf;
  Exprs targets;
};
struct With : StmtOf<StmtKind::With> { ///< `with item as target, ...:`
  using StmtOf::StmtOf;
  Exprs items, targets; ///< as many; a target may be null
  Stmts body;
};
struct Try : StmtOf<StmtKind::Try> {
  using StmtOf::StmtOf;
  struct Handler {
    Range range;
    Expr* type = nullptr; ///< null: all
    Identifier name;      ///< may be empty
    Stmts body;
  };
  Stmts body, orElse, finally;
  llvm::ArrayRef<Handler> handlers;
};
struct FunctionDef : StmtOf<StmtKind::FunctionDef> {
  using StmtOf::StmtOf;
  Identifier name;
  llvm::ArrayRef<Parameter> parameters;
  Expr* result = nullptr; ///< the type after `->`; null when there is none
  Exprs decorators;
  Stmts body;
  bool isWhole = true; ///< or statements are missing, for a syntax error
};
struct ClassDef : StmtOf<StmtKind::ClassDef> {
  using StmtOf::StmtOf;
  Identifier name;
  Exprs bases, decorators;
  Stmts body;
  bool isWhole = true;
};
struct Import : StmtOf<StmtKind::Import> { ///< `import a.b as c`, `from m import x as y, z`
  using StmtOf::StmtOf;
  struct Item {
    Identifier name, as; ///< name may be dotted or `*`
  };
  Identifier module; ///< after `from`; else empty
  llvm::ArrayRef<Item> items;
};

/// A file of source and its tree, without what has syntax errors.
struct Module {
  Module(std::string file, std::string text);
  Source source;
  std::string prefix; ///< of the names of its classes: `__torch__.f.` for f.py
  llvm::BumpPtrAllocator arena;
  Stmts body;
  std::vector<Error> errors;     ///< of syntax
  std::vector<std::string> lost; ///< names whose definitions have such errors
  bool lostMore = false;         ///< others may be among what was not understood
};

} // namespace tine::script
