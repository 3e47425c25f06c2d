#pragma once

#include "frontend/script/ast.h"
#include "support/result.h"

namespace tine::script {

/// Reads a file of TorchScript source: what TorchScript's own front ends take, and the rest of the
/// Python that such files contain; what has no meaning here is refused when it is compiled. A final
/// newline is not needed. Reports several errors per call. Any bytes give errors or a tree, in
/// which statements, expressions and types nest at most 200 deep. \errors SyntaxError \cost
/// O(bytes)
Result<std::unique_ptr<Module>> parseModule(std::string text, std::string file = "<string>");

} // namespace tine::script
