#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tine {

/// A piece of a text, by its offsets.
struct Span {
  std::size_t begin = 0, end = 0;
};

/// What a FileCheck directive looks for: plain text, or text with `{{regex}}`, `[[NAME:regex]]`,
/// and `[[NAME]]` for what a capture before it caught (plain text when there was none).
///
/// Regular expressions are POSIX extended ones, matched line by line, by automaton: back references
/// are refused, and so are patterns above 1,000 bytes, nested above 50 deep, or whose repetition
/// counts multiply to above 10,000; so no pattern takes exponential time or much stack.
class CheckPattern {
public:
  using Variables = llvm::StringMap<std::string>;

  /// \errors SyntaxError for a malformed or refused regex
  static Result<CheckPattern> compile(llvm::StringRef text, bool isRegex,
                                      const Variables& variables);

  /// The first match in `text` that begins and ends between `from` and `to`. Captures go to
  /// `variables` unless null.
  std::optional<Span> find(llvm::StringRef text, std::size_t from, std::size_t to,
                           Variables* variables) const;

private:
  Result<Ok> addRegex(std::string& expression, llvm::StringRef regex);

  std::string literal_;
  std::shared_ptr<llvm::Regex> regex_;                        ///< null for plain text
  std::vector<std::pair<std::string, std::size_t>> captures_; ///< name, group
  std::size_t groups_ = 0;
  bool multiline_ = false; ///< it looks for newlines
};

} // namespace tine
