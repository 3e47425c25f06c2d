#pragma once

#include "frontend/script/source.h"
#include "ir/graph.h"
#include "ir/schema.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tine::script {

/// An argument of a call: a value with the name that it is given, or a default.
struct Given {
  Range range;
  llvm::StringRef name;
  Value* value = nullptr;
  std::optional<IValue> constant; ///< becomes a value when it is used
  Range nameRange = {};           ///< of `name`
};
using Givens = llvm::SmallVector<Given, 6>;

/// A schema that fits the arguments.
struct Match {
  const Schema* schema = nullptr;
  llvm::SmallVector<Value*, 6> inputs;
  llvm::SmallVector<const Type*, 2> results;
};

/// Why arguments do not fit, and which of them.
struct WhyNot {
  std::string message;
  std::optional<Range> range;
  std::string wanted = {};                  ///< the type of a wrong one, as messages say it
  std::string argument = {};                ///< its name
  std::optional<std::size_t> position = {}; ///< and place
};

/// What values of a type have that is no method, for messages.
std::vector<std::string> propertiesOf(const Type* type);

} // namespace tine::script
