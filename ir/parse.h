#pragma once

#include "ir/unit.h"
#include "support/result.h"

namespace tine {

struct ParseOptions {
  /// Deepest nesting of blocks and of groups. Deeper text is an error, not a stack overflow. (Types
  /// and literals, whose rules recurse, nest at most 200 deep.)
  int maxDepth = 20000;
  /// Verify what was read (verify.h). Only the tests of the verifier itself turn it off.
  bool verify = true;
};

/// Reads graph text: one or more graphs, in either print style, with everything that
/// TorchScript 1.x and 2.x print. The grammar is docs/ir.md. `file` names the text in messages and
/// in the locations of nodes without one. Reports several errors per call. Any bytes give an error
/// or a valid unit. \errors SyntaxError, VerifyError
Result<CompilationUnit> parse(llvm::StringRef text, llvm::StringRef file = "<text>",
                              const ParseOptions& options = {},
                              std::shared_ptr<Context> context = Context::create());

/// A text that holds exactly one graph.
Result<std::unique_ptr<Graph>> parseGraph(llvm::StringRef text, llvm::StringRef file = "<text>",
                                          const ParseOptions& options = {});

/// A type alone, in any spelling that graphs use. \errors SyntaxError
Result<const Type*> parseType(Context& context, llvm::StringRef text);

} // namespace tine
