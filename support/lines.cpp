#include "support/lines.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tine {
namespace {

constexpr std::size_t kMaxFile = std::size_t(16) << 20;
constexpr std::size_t kStride = 256; // lines that are counted for one that is remembered

bool isReadable(const struct stat& about, std::size_t limit) {
  return S_ISREG(about.st_mode) && about.st_size > 0 &&
         static_cast<std::uint64_t>(about.st_size) <= limit;
}

/// The bytes of a regular file of at most `limit` bytes; empty when it is none. Nothing else is
/// opened, as that alone can block or have effects. A file that pretends to be empty is left alone.
std::string readSource(const std::string& path, std::size_t limit) {
  struct stat about {};
  if (path.find('\0') != std::string::npos || stat(path.c_str(), &about) != 0 ||
      !isReadable(about, limit))
    return "";
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return "";
  std::string bytes;
  if (fstat(file, &about) == 0 && isReadable(about, limit)) {
    bytes.resize(static_cast<std::size_t>(about.st_size));
    std::size_t size = 0;
    while (size < bytes.size()) {
      ssize_t got = read(file, bytes.data() + size, bytes.size() - size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
    }
    bytes.resize(size);
  }
  close(file);
  return bytes;
}

} // namespace

void SourceLines::add(llvm::StringRef file, llvm::StringRef text) {
  auto added = std::make_unique<Text>();
  added->bytes = text;
  texts_[file] = std::move(added);
}

void SourceLines::addFile(llvm::StringRef file, std::string path) {
  auto added = std::make_unique<Text>();
  added->path = std::move(path);
  texts_[file] = std::move(added);
}

Error SourceLines::shown(Error error) {
  show(error.place);
  for (Error::Note& note : error.notes) show(note.place);
  for (TraceEntry& entry : error.traceback) show(entry.place);
  return error;
}

void SourceLines::show(Place& place) {
  if (!place.known() || place.line == 0 || !place.text.empty()) return;
  llvm::StringRef line = lineOf(textOf(place.file), place.line);
  // A column outside of the line was meant for another text.
  if (line.contains('\0') || place.column > line.size() + 1) return;
  place.setLine(line);
}

SourceLines::Text& SourceLines::textOf(const std::string& file) {
  std::unique_ptr<Text>& text = texts_[file];
  if (!text) {
    text = std::make_unique<Text>();
    if (files_ == Files::Read) text->path = file;
  }
  if (!text->path.empty()) {
    text->owned = readSource(std::exchange(text->path, ""), std::min(left_, kMaxFile));
    text->bytes = text->owned;
    left_ -= text->owned.size();
  }
  return *text;
}

/// The line by its number from 1; empty when there is none.
llvm::StringRef SourceLines::lineOf(Text& text, std::size_t line) {
  const auto end = [&](std::size_t start) { return text.bytes.find('\n', start); };
  if (text.starts.empty()) {
    text.starts.push_back(0);
    std::size_t count = 0;
    for (std::size_t at = end(0); at != llvm::StringRef::npos; at = end(at + 1))
      if (++count % kStride == 0) text.starts.push_back(at + 1);
  }
  if ((line - 1) / kStride >= text.starts.size()) return "";
  std::size_t start = text.starts[(line - 1) / kStride];
  for (std::size_t i = (line - 1) % kStride; i > 0; --i) {
    start = end(start);
    if (start++ == llvm::StringRef::npos) return "";
  }
  return text.bytes.slice(start, end(start)).rtrim('\r');
}

} // namespace tine
