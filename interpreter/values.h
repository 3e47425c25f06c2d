#pragma once

#include "support/error.h"
#include "tensor/ivalue.h"

#include <memory>

namespace tine {

// What some instructions do with values.

/// A copy whose lists, dicts and objects are new. Iterative; what is shared or circular inside
/// stays so.
IValue fresh(const IValue& value);

/// What the program raises; see Raise.
std::shared_ptr<const Error> programError(const IValue& message, const IValue& kind);

/// \errors IndexError
IValue tupleIndex(const IValue& tuple, std::int64_t index);
IValue tupleSlice(const IValue& tuple, std::int64_t begin, std::int64_t end);

/// Of keys and values in turn.
IValue makeDict(std::vector<IValue> items);

} // namespace tine
