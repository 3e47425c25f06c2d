#pragma once

#include "ir/context.h"
#include "ir/symbol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallVector.h"
#include "support/literal.h"
#include "tensor/dtype.h"

#include <optional>
#include <string>

namespace tine {

enum class TypeKind : std::uint8_t {
#define TINE_SIMPLE_TYPE(id, text) id,
#define TINE_TYPE(id) id,
#include "ir/types.def"
};

/// What a refined tensor type knows. `Float(2, *, strides=[3, 1], requires_grad=0, device=cpu)`
struct TensorInfo {
  std::optional<DType> dtype;
  bool hasRank = false;
  llvm::SmallVector<std::optional<std::int64_t>, 4> sizes; ///< when hasRank; nullopt prints `*`
  bool hasStrides = false;
  llvm::SmallVector<std::optional<std::int64_t>, 4> strides; ///< when hasStrides
  std::optional<bool> requiresGrad;
  std::optional<std::string> device; ///< `cpu`, `cuda:1`, `meta`, ... as written
  bool undefined = false;

  bool operator==(const TensorInfo&) const;
  bool isPlain() const; ///< nothing known: `Tensor`
};

/// The parts of a type; two types are equal when these are.
struct TypeData {
  TypeKind kind;
  llvm::SmallVector<const class Type*, 2> elements;
  llvm::SmallVector<Symbol, 2>
      names; ///< fields of a NamedTuple; the name of a class, interface, enum, variable
  const TensorInfo* tensor = nullptr;
  llvm::SmallVector<Symbol, 0> defaults; ///< see Type::defaults
};

/// An immutable type. Types of one Context with equal parts are one object; simple types are the
/// same object in every Context. Types of different Contexts compare with `equal`.
///
///   const Type* t = futureOf(context, listOf(context, Type::intType()));
///   t->str();                     // "Future[int[]]"
///   t->element()->kind();         // TypeKind::List
class Type : public llvm::FoldingSetNode {
public:
#define TINE_SIMPLE_TYPE(id, text) static const Type* id##Type();
#include "ir/types.def"
  static const Type* intType() { return IntType(); }
  static const Type* floatType() { return FloatType(); }
  static const Type* boolType() { return BoolType(); }
  static const Type* strType() { return StrType(); }
  static const Type* noneType() { return NoneType(); }
  static const Type* tensorType(); ///< plain `Tensor`

  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }
  llvm::ArrayRef<const Type*> elements() const { return elements_; }
  /// T of a List, Optional, Future, RRef, Await. \pre it is one
  const Type* element() const { return elements_[0]; }
  llvm::ArrayRef<Symbol> names() const { return names_; }
  /// The qualified name of a class, interface or enum, or a variable's. \pre it is one
  llvm::StringRef name() const { return names_[0].str(); }
  const TensorInfo& tensor() const { return *tensor_; } ///< \pre kind Tensor
  /// Of a NamedTuple whose fields have defaults: per field `=` and the text that TorchScript prints
  /// (strings without quotes), or an empty symbol.
  llvm::ArrayRef<Symbol> defaults() const { return defaults_; }

  /// As graphs spell it. Compat is TorchScript's graph form; it drops what tensors inside Dict and
  /// Union know, which the lossless style keeps.
  void print(std::string& out, Style style = Style::Compat) const;
  std::string str(Style style = Style::Compat) const;
  /// TorchScript's other spelling, which Dict and Union use for what they contain: no refinement,
  /// `Future(T)`.
  void printPlain(std::string& out) const;
  /// The spelling of annotations in programs: `List[Optional[int]]`.
  void printAnnotation(std::string& out) const;

  void Profile(llvm::FoldingSetNodeID& id) const;

private:
  friend class Context;
  Type(TypeKind kind, llvm::ArrayRef<const Type*> elements, llvm::ArrayRef<Symbol> names,
       const TensorInfo* tensor, llvm::ArrayRef<Symbol> defaults = {})
      : kind_(kind), elements_(elements), names_(names), defaults_(defaults), tensor_(tensor) {}

  TypeKind kind_;
  llvm::ArrayRef<const Type*> elements_;
  llvm::ArrayRef<Symbol> names_;
  llvm::ArrayRef<Symbol> defaults_;
  const TensorInfo* tensor_;
};

const Type* tensorOf(Context& context,
                     const TensorInfo& info); ///< plain info gives Type::tensorType()
const Type* listOf(Context& context, const Type* element);
const Type* optionalOf(Context& context, const Type* element); ///< T?? is T?
const Type* futureOf(Context& context, const Type* element);
const Type* rrefOf(Context& context, const Type* element);
const Type* awaitOf(Context& context, const Type* element);
const Type* tupleOf(Context& context, llvm::ArrayRef<const Type*> elements);
const Type* namedTupleOf(Context& context, llvm::ArrayRef<Symbol> fields,
                         llvm::ArrayRef<const Type*> elements,
                         llvm::ArrayRef<Symbol> defaults = {});
const Type* dictOf(Context& context, const Type* key, const Type* value);
const Type* unionOf(Context& context, llvm::ArrayRef<const Type*> members);
const Type* classOf(Context& context, llvm::StringRef qualifiedName);
const Type* interfaceOf(Context& context, llvm::StringRef qualifiedName);
const Type* enumOf(Context& context, llvm::StringRef qualifiedName);
const Type* typeVar(Context& context, llvm::StringRef name);

/// The same type built in another Context.
const Type* copyType(Context& to, const Type* type);
/// Structural equality, for types of different Contexts.
bool equal(const Type* a, const Type* b);
/// May a value of type `a` stand where `b` is wanted? Refined <: plain; T <: T?; NoneType <: T?; T
/// <: Any; int, float, complex <: number; tuples covariant; List, Dict, Future invariant but for
/// tensor refinement.
bool isSubtype(const Type* a, const Type* b);

} // namespace tine
