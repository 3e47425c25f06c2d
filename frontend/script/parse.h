#pragma once

#include "frontend/script/ast.h"
#include "support/result.h"

namespace tine::script {

/// Reads a file of TorchScript source: what TorchScript's own front ends take, and the rest of the
/// Python that such files contain; what has no meaning here is refused when it is compiled. A final
/// newline is not needed. Any bytes give a tree, in which statements, expressions and types nest at
/// most 200 deep, and errors, SyntaxErrors all; what has such an error is not in the tree, so that
/// the rest can be compiled for its own errors. \cost O(bytes)
std::unique_ptr<Module> parsePartly(std::string text, std::string file = "<string>");
/// The same, or the errors when there are any.
Result<std::unique_ptr<Module>> parseModule(std::string text, std::string file = "<string>");

} // namespace tine::script
