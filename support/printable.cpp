#include "support/printable.h"

namespace tine {
namespace {
bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
} // namespace

std::size_t printableBytes(llvm::StringRef text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first == '\t' || (first >= 0x20 && first != 0x7F);
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!continuesCharacter(text[i])) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool tooLong = code < (size == 4 ? 0x10000u : size == 3 ? 0x800u : 0x80u);
  const bool obeyed = code < 0xA0 || (code >= 0x2028 && code <= 0x202E) ||
                      (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return tooLong || obeyed || surrogate || code > 0x10FFFF ? 0 : size;
}

void appendPrintable(std::string& out, llvm::StringRef text, std::size_t limit) {
  constexpr llvm::StringLiteral digits = "0123456789abcdef";
  llvm::StringRef shown = text.take_front(limit);
  while (!shown.empty()) {
    std::size_t bytes = shown[0] == '\n' ? 1 : printableBytes(shown);
    if (bytes) {
      out.append(shown.data(), bytes);
    } else {
      const auto byte = static_cast<unsigned char>(shown[0]);
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
    shown = shown.drop_front(bytes ? bytes : 1);
  }
  if (text.size() > limit) out += "... and " + std::to_string(text.size() - limit) + " more bytes";
}

} // namespace tine
