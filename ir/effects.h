#pragma once

#include "ir/schema.h"

namespace tine {

class Node;

/// Everything that an optimiser may ask of an operation. The default answer is "anything"; purity
/// is opt-in.
struct Effects {
  bool reads = true;            ///< sees memory that others may write
  bool writes = true;           ///< changes memory that others may see
  bool external = true;         ///< printing, time, state outside the program
  bool raises = true;           ///< may fail
  bool nondeterministic = true; ///< equal operands may give unequal results
  bool suspends = true;         ///< may let other tasks run before it returns

  static Effects all() { return {}; }
  static Effects pure() { return {false, false, false, false, false, false}; }
  /// What a schema's alias annotations say of a kernel that does nothing else: writes where there
  /// is a `!`, may raise.
  static Effects fromSchema(const Schema& schema);

  /// Must it stay even when nobody uses its results?
  bool mustExecute() const { return writes || external || suspends; }
  /// May the two change places?
  bool interferes(const Effects& other) const;
  Effects operator|(const Effects& other) const;
  bool operator==(const Effects&) const = default;
};

} // namespace tine
