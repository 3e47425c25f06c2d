#pragma once

#include "ir/effects.h"
#include "ir/schema.h"
#include "ops/kernel.h"

#include <string>

namespace tine {

/// One overload of an operator, or a method of a class of C++'s: everything that Tine knows of it.
struct OpInfo {
  Schema schema;
  Effects effects;
  Kernel kernel;
  std::string doc; ///< one line, for `tine ops`
};

} // namespace tine
