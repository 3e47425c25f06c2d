#pragma once

#include "ir/unit.h"

#include <string>

namespace tine {

/// Are the graphs the same program on the data model: same structure, kinds, overloads, types,
/// value names (unnamed values match unnamed ones), attributes (bitwise), locations that print,
/// scopes? On a difference, `*why` says where.
bool equal(const Graph& a, const Graph& b, std::string* why = nullptr);
bool equal(const CompilationUnit& a, const CompilationUnit& b, std::string* why = nullptr);

} // namespace tine
