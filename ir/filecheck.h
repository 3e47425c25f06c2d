#pragma once

#include "ir/graph.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace tine {

/// Checks that text contains what it should, in order.
///
///   FileCheck().check("prim::fork").check("aten::wait").run(graph);
///
/// or from the comments of a file (`# CHECK: ...`, `# CHECK-NEXT: ...`):
///
///   FileCheck::fromComments(text, "file.ir")
///
/// Directives as TorchScript's FileCheck has them: plain substrings, left to right from the end of
/// the match before; `next`: on the following line; `same`: no newline between; `notThere`: not
/// between its neighbours; `dag`: a group in any order; `count`; `sourceHighlighted`: the token has
/// a line of `~` under it (it looks ahead, and the search goes on from where it was). Beyond it, as
/// LLVM has them: `{{regex}}` and `[[NAME:regex]]` ... `[[NAME]]`, POSIX extended, line by line.
class FileCheck {
public:
  FileCheck& check(std::string text);
  FileCheck& checkNext(std::string text);
  FileCheck& checkSame(std::string text);
  FileCheck& checkNot(std::string text);
  FileCheck& checkDag(std::string text);
  /// `exactly`: no further match up to the next positive check. \pre n > 0 unless exactly
  FileCheck& checkCount(std::string text, int n, bool exactly = false);
  FileCheck& checkSourceHighlighted(std::string text);
  FileCheck& checkRegex(std::string regex);

  /// Directives from `#` comments. \errors SyntaxError for an unknown directive or none at all
  static Result<FileCheck> fromComments(llvm::StringRef text, llvm::StringRef file);

  /// \errors CheckError that shows the directive, where the search began, and the nearest line
  Result<Ok> test(llvm::StringRef text) const;
  /// As test, and throws RuntimeError.
  void run(llvm::StringRef text) const;
  void run(const Graph& graph) const;

private:
  enum class Kind : std::uint8_t {
    Check,
    Next,
    Same,
    Not,
    Dag,
    Count,
    CountExactly,
    SourceHighlighted
  };
  struct Directive {
    Kind kind;
    std::string text;
    int count = 1;
    Place place{}; ///< of a directive from a file
    bool regex = false;
  };
  friend class FileCheckRun;
  FileCheck& add(Directive directive);
  std::vector<Directive> directives_;
};

} // namespace tine
