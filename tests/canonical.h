#pragma once

#include "ir/unit.h"

#include <string>

namespace tine::testing {

/// Text that is equal for graphs which differ only in what docs/script.md says of source out of a
/// graph: the names and numbers of values, places; where a constant stands, and whether a fork
/// takes it as an operand or has it itself; the order of what branches, loops and `try` hand on;
/// the type of a None; the order of functions, and the names of local ones. Functions whose loops
/// are split (script::splitLoops) are compared as such.
std::string canonical(const CompilationUnit& unit);

} // namespace tine::testing
