#pragma once

#include "ir/unit.h"
#include "ops/ops.h"
#include "support/result.h"

#include <string>

namespace tine::script {

struct CodeOptions {
  /// What stands before the names of functions that are called: TorchScript's are
  /// `__torch__.module.`, Tine's source needs none.
  std::string qualifier;
};

/// The source of a graph, byte for byte as TorchScript's serializer writes it (`f.code`):
///
///   def main(n: int) -> int:
///     def __forked_function():
///       return torch.mul(n, 2)
///     f = fork(__forked_function)
///     return torch.add(torch.wait(f), 1)
///
/// It compiles to the same program. The graph is equal too, but for value names and places, and for
/// loops that both count and test, which become `while` loops. What TorchScript would not take is
/// named in comment lines above the function. \errors UnsupportedError nodes that no source makes,
/// with their places
Result<std::string> code(const NamedGraph& function, const OpSet& ops,
                         const CodeOptions& options = {});
/// All functions, in order, an empty line between them.
Result<std::string> code(const CompilationUnit& unit, const OpSet& ops,
                         const CodeOptions& options = {});

} // namespace tine::script
