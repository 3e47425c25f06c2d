#pragma once

#include "llvm/ADT/StringMap.h"
#include "support/error.h"

#include <memory>

namespace tine {

/// Finds the lines that places name, for the carets under them: in texts that are at hand, else in
/// files.
///
///   SourceLines lines;
///   lines.add("dump.ir", text);
///   std::cerr << lines.shown(error).str();
///
/// A dump may name any file. Only regular files of text are read, at most 16 MiB of one and 64 MiB
/// of all; a place that lies in none of them, or in none of their lines, stays as it is. Who shows
/// errors of dumps that others wrote to those others leaves the files alone.
/// \thread not safe
class SourceLines {
public:
  enum class Files : bool { Leave, Read };
  explicit SourceLines(Files files = Files::Read) : files_(files) {}

  /// A text at hand, which is looked at as long as this lives; it is not copied.
  void add(llvm::StringRef file, llvm::StringRef text);

  /// A file that lies elsewhere than its name says; it is read whatever Files says.
  void addFile(llvm::StringRef file, std::string path);

  /// The error with the lines of all its places: its own, its notes', its traceback's.
  Error shown(Error error);

private:
  /// A text and where some of its lines begin.
  struct Text {
    std::string path; ///< of a file that was not looked at yet
    std::string owned;
    llvm::StringRef bytes;
    std::vector<std::size_t> starts; ///< of every kStride-th line; filled when first looked at
  };
  void show(Place& place);
  Text& textOf(const std::string& file);
  static llvm::StringRef lineOf(Text& text, std::size_t line);

  Files files_;
  std::size_t left_ = std::size_t(64) << 20; ///< bytes that may still be read
  llvm::StringMap<std::unique_ptr<Text>> texts_;
};

} // namespace tine
