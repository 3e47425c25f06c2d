#pragma once

#include "tensor/ivalue.h"

namespace tine {

// What some instructions do with values.

/// A copy whose lists, dicts and objects are new. Iterative; what is shared or circular inside
/// stays so.
IValue fresh(const IValue& value);

/// Raises what the program says; see Raise.
void raiseProgram(const IValue& message, const IValue& kind);

/// \errors IndexError
IValue tupleIndex(const IValue& tuple, std::int64_t index);
IValue tupleSlice(const IValue& tuple, std::int64_t begin, std::int64_t end);

/// Of keys and values in turn.
IValue makeDict(std::vector<IValue> items);

} // namespace tine
