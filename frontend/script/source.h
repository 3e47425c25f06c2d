#pragma once

#include "llvm/ADT/StringRef.h"
#include "support/source.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tine::script {

/// Bytes of a source text, from `begin` up to `end`.
struct Range {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t size() const { return end - begin; }
};

/// A source text with its name, which knows where its lines begin.
///
///   Source source("f.py", text);
///   source.place(expr->range).str();      // "f.py:2:12"
///
/// \thread reading: any
class Source {
public:
  /// Longer texts are refused by the parser.
  static constexpr std::size_t kMaxBytes = std::size_t(1) << 30;

  Source(std::string file, std::string text);
  Source(const Source&) = delete;

  const std::string& file() const { return file_; }
  llvm::StringRef text() const { return text_; }
  llvm::StringRef text(Range range) const { return text().slice(range.begin, range.end); }

  struct LineColumn {
    std::uint32_t line, column; ///< line from 1, column from 0, in bytes
  };
  LineColumn lineColumn(std::uint32_t offset) const; ///< \cost O(log lines)
  /// For messages. A range over several lines is underlined in its first.
  Place place(Range range) const;

private:
  std::string file_, text_;
  std::vector<std::uint32_t> starts_; ///< of the lines
};

} // namespace tine::script
