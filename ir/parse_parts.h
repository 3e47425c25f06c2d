#pragma once

#include "ir/attribute.h"
#include "ir/lex.h"
#include "ir/print_parts.h"
#include "ir/type.h"
#include "llvm/ADT/StringMap.h"

namespace tine {

/// The rules `type` and below of docs/ir.md. Shared by graphs and schemas. They recurse; those that
/// are not inlined keep their frames off each other's path, so that the depth that the lexer allows
/// fits on a fiber's stack, under sanitizers too.
class TypeReader {
public:
  /// In schemas any unknown word is a type variable; in graphs only `t`, `t1`, ...: there a word
  /// with a typing error should not pass for one.
  enum class Words { Graph, Schema };

  TypeReader(Lexer& lex, Context& context, Words words = Words::Graph)
      : lex_(lex), context_(context), words_(words) {}

  /// Null after an error, which the lexer has.
  const Type* type();
  /// What stands before `[]` and `?`.
  const Type* primary();
  /// T[] of T, and so on, while brackets follow.
  const Type* suffixes(const Type* type);

private:
  struct Measured;
  [[gnu::noinline]] bool list(char close, llvm::SmallVectorImpl<const Type*>& elements);
  [[gnu::noinline]] const Type* wrapped(const Type* (*make)(Context&, const Type*));
  [[gnu::noinline]] const Type* named(const Type* (*make)(Context&, llvm::StringRef));
  [[gnu::noinline]] const Type* tensor(llvm::StringRef word, std::optional<DType> dtype,
                                       bool ranked);
  bool tensorPart(TensorInfo& info);
  bool dimensions(llvm::SmallVectorImpl<std::optional<std::int64_t>>& out, char close);
  bool dimension(std::optional<std::int64_t>& out);
  [[gnu::noinline]] const Type* tuple();
  [[gnu::noinline]] const Type* tupleAnnotation();
  [[gnu::noinline]] const Type* dict();
  [[gnu::noinline]] const Type* unionType();
  [[gnu::noinline]] const Type* namedTuple();
  bool fieldDefault(Symbol& out);
  [[gnu::noinline]] const Type* word(llvm::StringRef word, std::size_t start);
  [[gnu::noinline]] const Type* compound(llvm::StringRef word, std::size_t start);
  [[gnu::noinline]] const Type* unknown(llvm::StringRef word, std::size_t start);
  const Type* checkDepth(const Type* type, int depth);

  Lexer& lex_;
  Context& context_;
  Words words_;
  int depth_ = 0;                        ///< of the type read last
  llvm::StringMap<const Type*> tensors_; ///< refined tensor types by their text
};

/// The rule `value` of docs/ir.md: the value of an attribute.
class LiteralReader {
public:
  LiteralReader(Lexer& lex, TypeReader& types) : lex_(lex), types_(types) {}

  /// A graph that is written elsewhere: `<Graph 3>` stands for the group `Graph_3`.
  struct GraphReference {
    std::size_t offset;
    std::string label;
  };

  /// Reads the value of `attribute`, whose name is set. `type` is that of the constant when the
  /// attribute is a constant's value, else null. `kind`: what the text says after the name.
  /// \return false after an error
  bool value(Attribute& attribute, const Type* type, std::optional<AttrKind> kind,
             std::vector<GraphReference>& references);
  /// A literal alone, as schemas have them for defaults.
  std::optional<IValue> literal(const Type* type);

private:
  bool startsType() const;
  bool readGraphs(Attribute& attribute, std::vector<GraphReference>& references);
  bool readTypes(Attribute& attribute);
  bool items(char close, std::vector<IValue>& out,
             llvm::function_ref<const Type*(std::size_t)> type);
  [[gnu::noinline]] std::optional<IValue> list(const Type* type);
  [[gnu::noinline]] std::optional<IValue> tuple(const Type* type);
  [[gnu::noinline]] std::optional<IValue> braces(const Type* type);
  [[gnu::noinline]] std::optional<IValue> angle();
  [[gnu::noinline]] std::optional<IValue> word(const Type* type);
  [[gnu::noinline]] std::optional<IValue> annotated();
  [[gnu::noinline]] std::optional<IValue> enumMember();
  [[gnu::noinline]] std::optional<IValue> numeric(const Type* type);
  [[gnu::noinline]] std::optional<IValue> namedTuple();
  [[gnu::noinline]] std::optional<IValue> exactTensor();
  std::optional<IValue> opaqueText(std::size_t length);
  [[gnu::noinline]] std::optional<IValue> streamedTensor(std::size_t length);
  [[gnu::noinline]] std::optional<IValue> scalarTensor(const Type* type, llvm::StringRef text);
  std::optional<IValue> fail(llvm::StringRef expected);

  Lexer& lex_;
  TypeReader& types_;
  bool opaque_ = false;  ///< something whose value the text does not hold
  bool rounded_ = false; ///< a tensor in TorchScript's own spelling
  llvm::StringMap<std::shared_ptr<const ClassLayout>> enums_; ///< by name
  const Type* annotation_ = nullptr; ///< the type that the outermost `annotate` gave
};

} // namespace tine
