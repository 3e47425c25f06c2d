#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tine {

/// A place in a text that people can open: line and columns from 1, the line itself for the carets.
///
///   Place place = placeAt("dump.ir", text, offset, 3);
///   place.str()      // "dump.ir:4:9"
///   place.excerpt()  // "  %x : int = aten::ad(%a)\n              ^~~\n"
///
/// An empty `file` means that no place is known. Lines longer than 200 bytes are cut around the
/// carets.
struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0; ///< \units bytes, from 1
  std::uint32_t length = 1; ///< bytes to underline, at least one
  std::string text; ///< the line without its newline; may be empty when the text is not at hand
  std::uint32_t skipped = 0; ///< bytes of the line in front of `text`

  /// Keeps the line for the excerpt; of a very long one what is around the column.
  void setLine(llvm::StringRef line);
  bool known() const { return !file.empty(); }
  std::string str() const;
  /// The line and, when the column is known, carets under it, each with a newline; empty without a
  /// text. What a terminal would obey, and what is no UTF-8, is shown as `?`.
  std::string excerpt() const;
};

/// The place of `length` bytes at `offset` of `text`. An offset past the end is the end.
Place placeAt(llvm::StringRef file, llvm::StringRef text, std::size_t offset,
              std::size_t length = 1);

} // namespace tine
