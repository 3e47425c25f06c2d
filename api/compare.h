#pragma once

#include "tensor/ivalue.h"

#include <string>

namespace tine {

/// How two values differ, in words that begin with `what`; empty when they are equal, floats to
/// 1e-5 relative. Futures are compared by what they hold, objects by identity.
///   differenceOf(a, b, "the result")    // "the result[1] is 3 and 4"
std::string differenceOf(const IValue& a, const IValue& b, const std::string& what);

} // namespace tine
