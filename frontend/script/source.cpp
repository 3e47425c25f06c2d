#include "frontend/script/source.h"

#include <algorithm>

namespace tine::script {

Source::Source(std::string file, std::string text)
    : file_(std::move(file)), text_(std::move(text)), starts_{0} {
  if (text_.size() > kMaxBytes) return;
  for (std::size_t at = text_.find_first_of("\r\n"); at != std::string::npos;
       at = text_.find_first_of("\r\n", at + 1)) {
    if (text_[at] == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n') ++at;
    starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }
}

Source::LineColumn Source::lineColumn(std::uint32_t offset) const {
  auto line = std::upper_bound(starts_.begin(), starts_.end(), offset) - 1;
  return {static_cast<std::uint32_t>(line - starts_.begin()) + 1, offset - *line};
}

Place Source::place(Range range) const {
  auto [line, column] = lineColumn(range.begin);
  llvm::StringRef whole =
      text().substr(starts_[line - 1]).take_until([](char c) { return c == '\n' || c == '\r'; });
  Place place;
  place.file = file_;
  place.line = line;
  place.column = column + 1;
  std::uint32_t left =
      whole.size() > column ? static_cast<std::uint32_t>(whole.size()) - column : 0;
  place.length = std::max(1u, std::min(range.size(), left));
  place.setLine(whole);
  return place;
}

} // namespace tine::script
