#pragma once

#include "ir/type.h"
#include "support/result.h"
#include "tensor/ivalue.h"

#include <optional>
#include <string>
#include <vector>

namespace tine {

/// One argument or result of a schema.
struct Argument {
  std::string name; ///< may be empty for results
  const Type* type = nullptr;
  std::optional<IValue> defaultValue;
  bool keywordOnly = false;
  std::string aliasSet;                 ///< `a` of `Tensor(a!)`; empty when fresh
  bool written = false;                 ///< the `!`
  std::optional<std::int64_t> listSize; ///< 2 of `int[2]`: one int stands for two
};

/// The signature of an operator or function.
///   aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
struct Schema {
  std::string name;     ///< `aten::add`
  std::string overload; ///< `Tensor`
  std::vector<Argument> arguments, results;
  bool varargs = false;    ///< `...` as last argument
  bool varresults = false; ///< `-> ...`

  /// The text above; parseSchema reads it back.
  std::string str() const;
  /// Position of an argument, or -1.
  int find(llvm::StringRef argument) const;
};

/// Reads a schema. Types: those of graphs, and Scalar (number), int[2], `t` variables, alias
/// annotations. \errors SyntaxError, placed in `text` \source TorchScript's function schemas
Result<Schema> parseSchema(Context& context, llvm::StringRef text);

} // namespace tine
