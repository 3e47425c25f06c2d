#pragma once

#include "ir/unit.h"
#include "ops/ops.h"
#include "support/result.h"

#include <string>

namespace tine::script {

struct CodeOptions {
  /// What stands before the names of functions: TorchScript's are `__torch__.module.`, and then
  /// classes have their whole names, too. Tine's source needs none.
  std::string qualifier;
  /// The program of a single function, which knows what its classes are called.
  const CompilationUnit* unit = nullptr;
};

/// The source of a graph, with a qualifier byte for byte as TorchScript's serializer writes it
/// (`f.code`):
///
///   def main(n: int) -> int:
///     def __forked_function():
///       return torch.mul(n, 2)
///     f = fork(__forked_function)
///     return torch.add(torch.wait(f), 1)
///
/// It compiles to the same program, and, but for what docs/script.md names, to an equal graph.
/// What TorchScript would not take is named in comment lines at the head. \errors UnsupportedError
/// nodes that no source makes, with their places
Result<std::string> code(const NamedGraph& function, const OpSet& ops,
                         const CodeOptions& options = {});
/// The classes of a program with their methods, then its functions, in order.
Result<std::string> code(const CompilationUnit& unit, const OpSet& ops);

} // namespace tine::script
