#include "support/source.h"

#include "support/printable.h"

#include <algorithm>

namespace tine {
namespace {

constexpr std::size_t kMaxExcerpt = 200; // bytes of a line that an excerpt shows
constexpr std::size_t kMaxLine = 1
                                 << 16; // of longer ones a part is kept: many errors may lie in one
constexpr std::size_t kContext = 80;    // bytes before the carets in a line that is cut

bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

} // namespace

std::string Place::str() const {
  if (!known()) return "<unknown>";
  std::string out = file;
  if (line != 0) {
    out += ':';
    out += std::to_string(line);
    if (column != 0) {
      out += ':';
      out += std::to_string(column);
    }
  }
  return out;
}

void Place::setLine(llvm::StringRef whole) {
  skipped = 0;
  if (whole.size() > kMaxLine) {
    const std::size_t caret = std::min<std::size_t>(column ? column - 1 : 0, whole.size());
    skipped = static_cast<std::uint32_t>(caret > 2 * kContext ? caret - 2 * kContext : 0);
    whole = whole.substr(skipped, 2 * kMaxExcerpt);
  }
  text = whole.str();
}

std::string Place::excerpt() const {
  if (text.empty()) return "";
  std::size_t caret = column > skipped ? column - 1 - skipped : 0;
  caret = std::min(caret, text.size());
  // Traces know lines alone, and say column 1.
  const std::size_t indent = llvm::StringRef(text).find_first_not_of(" \t");
  if (indent != llvm::StringRef::npos && !skipped) caret = std::max(caret, indent);
  std::size_t end = std::min<std::size_t>(text.size(), caret + std::max<std::uint32_t>(length, 1));

  std::size_t first = 0, last = text.size();
  if (text.size() > kMaxExcerpt || skipped) {
    first = caret > kContext ? caret - kContext : 0;
    last = std::min(text.size(), first + kMaxExcerpt);
    for (int i = 0; i < 3 && first > 0 && continuesCharacter(text[first]); ++i) --first;
    for (int i = 0; i < 3 && last < text.size() && continuesCharacter(text[last]); ++i) ++last;
    end = std::min(end, last);
  }
  std::string shown, carets;
  if (first > 0) shown = "...", carets = "   ";
  for (std::size_t i = first, next; i < last; i = next) {
    std::size_t bytes = printableBytes(llvm::StringRef(text).slice(i, last));
    next = i + std::max<std::size_t>(bytes, 1);
    if (bytes)
      shown.append(text, i, bytes);
    else
      shown += '?';
    if (next <= caret)
      carets += text[i] == '\t' ? '\t' : ' ';
    else if (i <= caret)
      carets += '^';
    else if (i < end)
      carets += '~';
  }
  if (caret >= last) carets += '^';
  if (last < text.size()) shown += "...";
  return shown + "\n" + (column ? carets + "\n" : "");
}

Place placeAt(llvm::StringRef file, llvm::StringRef text, std::size_t offset, std::size_t length) {
  offset = std::min(offset, text.size());
  llvm::StringRef before = text.take_front(offset);
  std::size_t newline = before.rfind('\n');
  std::size_t start = newline == llvm::StringRef::npos ? 0 : newline + 1;
  llvm::StringRef line = text.substr(start).take_until([](char c) { return c == '\n'; });
  line.consume_back("\r");
  std::size_t column = std::min(offset - start, line.size());

  Place place;
  place.file = file.str();
  place.line = static_cast<std::uint32_t>(1 + before.count('\n'));
  place.column = static_cast<std::uint32_t>(column + 1);
  place.length =
      static_cast<std::uint32_t>(std::max<std::size_t>(1, std::min(length, line.size() - column)));
  place.setLine(line);
  return place;
}

} // namespace tine
