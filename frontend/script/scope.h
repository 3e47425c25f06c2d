#pragma once

#include "frontend/script/meaning.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tine::script {

/// What is known of variables when a condition holds: `x is not None`.
struct Refinement {
  std::string variable;
  const Type* type;
};
using Refinements = std::vector<Refinement>;

/// A condition, with what follows from it, and its outcome when that is known.
struct Condition {
  Value* value = nullptr;
  Refinements whenTrue, whenFalse;
  std::optional<bool> known;
};

/// The variables of a block, and those of the blocks around it.
struct Frame {
  Block* block;
  Frame* outer;
  std::map<std::string, const Type*, std::less<>> types;
  std::map<std::string, Meaning, std::less<>> meanings;
};
/// A function or closure that is being written.
struct Definition {
  std::string name;
  const Type* declared = nullptr; ///< result type, if there is one
  const Type* merged = nullptr;   ///< of the returns so far
};
/// How messages name the blocks of an if or try.
struct JoinWords {
  const char *yes, *no, *brief;
};

} // namespace tine::script
