#include "support/literal.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tine {
namespace {

constexpr std::uint64_t kNaN64 = 0x7ff8000000000000;
constexpr std::uint32_t kNaN32 = 0x7fc00000;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void appendHex(std::string& out, std::uint64_t bits, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += "0123456789abcdef"[bits >> shift & 15];
}

/// The shortest text that reads back equal, with a dot or exponent: `2.`, `1e10`, `1e-5`.
template <class F> void appendShortest(std::string& out, F value) {
  char buffer[64];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  llvm::StringRef text(buffer, static_cast<std::size_t>(end - buffer));
  auto [mantissa, exponent] = text.split('e');
  out += mantissa;
  if (exponent.empty()) {
    if (!mantissa.contains('.')) out += '.';
    return;
  }
  out += 'e';
  if (exponent.consume_front("-")) out += '-';
  exponent.consume_front("+");
  out += exponent.ltrim('0');
}

template <class F, class Bits>
void appendExact(std::string& out, F value, Bits canonicalNaN, int hexDigits) {
  if (std::isnan(value)) {
    auto bits = std::bit_cast<Bits>(value);
    out += "nan";
    if (bits != canonicalNaN) {
      out += "(0x";
      appendHex(out, bits, hexDigits);
      out += ')';
    }
  } else if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
  } else {
    appendShortest(out, value);
  }
}

void appendWhole(std::string& out, std::int64_t value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  out += '.';
}

void appendStreamed(std::string& out, double value) {
  char buffer[64];
  int length = std::snprintf(buffer, sizeof buffer, "%.17g", value);
  out.append(buffer, static_cast<std::size_t>(length));
}

/// As C++ streams with 17 digits write it, but `N.` for a small whole number.
/// \source spec/torchscript B.2
void appendCompat(std::string& out, double value) {
  if (!(std::abs(value) < 1e10) || std::trunc(value) != value) return appendStreamed(out, value);
  auto whole = static_cast<std::int64_t>(value);
  if (whole == 0 && std::signbit(value)) out += '-';
  appendWhole(out, whole);
}

/// A part of a complex number: `N.` for any int64, and no negative zero. \source observed
void appendCompatPart(std::string& out, double value) {
  if (!(std::abs(value) < 0x1p63) || std::trunc(value) != value) return appendStreamed(out, value);
  appendWhole(out, static_cast<std::int64_t>(value));
}

/// Length of the well-formed UTF-8 character at the front, or 0.
std::size_t utf8Length(llvm::StringRef s) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < length) return 0;
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  return length;
}

void appendUtf8(std::string& out, std::uint32_t c) {
  auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

/// The letter after the backslash, or 0.
char shortEscape(char c) {
  switch (c) {
  case '\\':
    return '\\';
  case '\'':
    return '\'';
  case '"':
    return '"';
  case '\a':
    return 'a';
  case '\b':
    return 'b';
  case '\f':
    return 'f';
  case '\n':
    return 'n';
  case '\r':
    return 'r';
  case '\t':
    return 't';
  case '\v':
    return 'v';
  default:
    return 0;
  }
}

/// TorchScript writes a byte outside ASCII as a negative char, digit by digit: é is `\0)+\/.)`.
/// Each digit is 0 or below; at least one is below. The byte, or -1.
int negativeOctal(llvm::StringRef s) {
  if (s.size() < 3) return -1;
  int value = 0;
  for (char c : s.take_front(3)) {
    if (c < ')' || c > '0') return -1;
    value = value * 8 + (c - '0');
  }
  return value < 0 && value >= -128 ? value + 256 : -1;
}

/// Of a number outside the range of its type: is it too small (and so zero) rather than too large?
bool isTiny(llvm::StringRef body, bool hex) {
  llvm::StringRef mantissa = body.take_until([&](char c) { return (c | 32) == (hex ? 'p' : 'e'); });
  llvm::StringRef exponentText = body.drop_front(mantissa.size()).drop_front(mantissa != body);
  auto [whole, fraction] = mantissa.split('.');
  whole = whole.ltrim('0');
  auto magnitude = static_cast<std::int64_t>(whole.size());
  if (whole.empty())
    magnitude -= static_cast<std::int64_t>(fraction.size() - fraction.ltrim('0').size());
  if (hex) magnitude *= 4;
  bool negative = exponentText.starts_with("-");
  std::optional<std::int64_t> exponent = exponentText.empty() ? 0 : readInt64(exponentText);
  if (!exponent) return negative; // more digits than any mantissa makes up for
  return magnitude < 0 ? *exponent < -magnitude : *exponent < 0 && -*exponent > magnitude;
}

template <class F, class Bits> std::optional<F> readFloating(llvm::StringRef text, int hexDigits) {
  llvm::StringRef body = text;
  bool negative = body.consume_front("-");
  if (!negative) body.consume_front("+");
  if (body == "inf" || body == "infinity") {
    F inf = std::numeric_limits<F>::infinity();
    return negative ? -inf : inf;
  }
  if (body == "nan") {
    auto bits = static_cast<Bits>(sizeof(F) == 8 ? kNaN64 : kNaN32);
    if (negative) bits |= Bits(1) << (8 * sizeof(F) - 1);
    return std::bit_cast<F>(bits);
  }
  if (body.consume_front("nan(0x")) {
    if (negative || !body.consume_back(")") || body.empty() ||
        body.size() > static_cast<std::size_t>(hexDigits))
      return std::nullopt;
    Bits bits = 0;
    for (char c : body) {
      int digit = hexDigit(c);
      if (digit < 0) return std::nullopt;
      bits = static_cast<Bits>(bits << 4 | static_cast<Bits>(digit));
    }
    F value = std::bit_cast<F>(bits);
    return std::isnan(value) ? std::optional<F>(value) : std::nullopt;
  }
  bool hex = body.consume_front("0x") || body.consume_front("0X");
  // from_chars takes a minus and words; here only a digit or a dot may follow.
  if (body.empty() || !(body[0] == '.' || hexDigit(body[0]) >= 0)) return std::nullopt;
  if (!hex && body[0] != '.' && (body[0] < '0' || body[0] > '9')) return std::nullopt;
  F value = 0;
  auto [end, error] = std::from_chars(body.begin(), body.end(), value,
                                      hex ? std::chars_format::hex : std::chars_format::general);
  if (end != body.end() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (!isTiny(body, hex)) return std::nullopt;
    value = 0;
  }
  return negative ? -value : value;
}

} // namespace

void appendDouble(std::string& out, double value, Style style) {
  if (style == Style::Compat)
    appendCompat(out, value);
  else
    appendExact<double, std::uint64_t>(out, value, kNaN64, 16);
}

void appendFloat32(std::string& out, float value) {
  appendExact<float, std::uint32_t>(out, value, kNaN32, 8);
}

void appendComplex(std::string& out, std::complex<double> value, Style style) {
  double imag = value.imag();
  if (style == Style::Compat) {
    // NaN is not >= 0, and the sign of a zero is lost: TorchScript's rule.
    appendCompatPart(out, value.real());
    out += imag >= 0 ? '+' : '-';
    appendCompatPart(out, std::abs(imag));
  } else {
    appendDouble(out, value.real(), style);
    bool negative = !std::isnan(imag) && std::signbit(imag);
    out += negative ? '-' : '+';
    appendDouble(out, negative ? -imag : imag, style);
  }
  out += 'j';
}

void appendQuoted(std::string& out, llvm::StringRef bytes, Style style) {
  bool lossless = style == Style::Lossless;
  out += '"';
  while (!bytes.empty()) {
    char c = bytes[0];
    char letter = lossless && c == '\'' ? '\0' : shortEscape(c);
    std::size_t length = 1;
    if (letter != 0) {
      out += '\\';
      out += letter;
    } else if (c >= 0x20 && c < 0x7F) {
      out += c;
    } else if (!lossless) {
      int value = static_cast<signed char>(c);
      char digits[3];
      for (int i = 2; i > 0; --i, value /= 8) digits[i] = static_cast<char>('0' + value % 8);
      digits[0] = static_cast<char>('0' + value);
      out += '\\';
      out.append(digits, 3);
    } else if (static_cast<unsigned char>(c) >= 0x80 && (length = utf8Length(bytes)) > 0) {
      out += bytes.take_front(length);
    } else {
      length = 1;
      out += "\\x";
      appendHex(out, static_cast<unsigned char>(c), 2);
    }
    bytes = bytes.drop_front(length);
  }
  out += '"';
}

std::optional<std::string> unescape(llvm::StringRef inside, std::string* message, std::size_t* at) {
  std::string out;
  out.reserve(inside.size());
  std::size_t i = 0;
  auto fail = [&](const char* text) -> std::optional<std::string> {
    if (message) *message = text;
    if (at) *at = i;
    return std::nullopt;
  };
  while (i < inside.size()) {
    std::size_t plain = inside.find('\\', i);
    out += inside.slice(i, plain);
    if (plain == llvm::StringRef::npos) break;
    i = plain;
    llvm::StringRef rest = inside.drop_front(i + 1);
    if (rest.empty()) return fail("a backslash at the end of the string");
    // Negative digits come first: `\0)+` is one byte, not a NUL and two characters.
    if (int byte = negativeOctal(rest); byte >= 0) {
      out += static_cast<char>(byte);
      i += 4;
      continue;
    }
    char c = rest[0];
    std::size_t used = 1;
    switch (c) {
    case '\\':
    case '\'':
    case '"':
      out += c;
      break;
    case '\n':
      break;
    case '\r':
      used = rest.starts_with("\r\n") ? 2 : 1;
      break;
    case 'a':
      out += '\a';
      break;
    case 'b':
      out += '\b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'v':
      out += '\v';
      break;
    case 'x':
    case 'u':
    case 'U': {
      std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
      std::uint32_t value = 0;
      if (rest.size() < 1 + digits) return fail("an escape with too few hexadecimal digits");
      for (char d : rest.substr(1, digits)) {
        if (hexDigit(d) < 0) return fail("an escape with too few hexadecimal digits");
        value = value << 4 | static_cast<std::uint32_t>(hexDigit(d));
      }
      if (c == 'x') {
        out += static_cast<char>(value);
      } else {
        if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
          return fail("an escape that is not a Unicode character");
        appendUtf8(out, value);
      }
      used = 1 + digits;
      break;
    }
    default: {
      if (c < '0' || c > '7') return fail("an unknown escape");
      int value = 0;
      for (used = 0; used < 3 && used < rest.size() && rest[used] >= '0' && rest[used] <= '7';
           ++used)
        value = value * 8 + (rest[used] - '0');
      if (value > 255) return fail("an octal escape above \\377");
      out += static_cast<char>(value);
    }
    }
    i += 1 + used;
  }
  return out;
}

std::optional<std::int64_t> readInt64(llvm::StringRef text) {
  bool negative = text.consume_front("-");
  if (!negative) text.consume_front("+");
  bool hex = text.consume_front("0x") || text.consume_front("0X");
  std::uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(text.begin(), text.end(), magnitude, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.end()) return std::nullopt;
  std::uint64_t limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > limit + (negative ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

std::optional<double> readDouble(llvm::StringRef text) {
  return readFloating<double, std::uint64_t>(text, 16);
}

std::optional<float> readFloat32(llvm::StringRef text) {
  return readFloating<float, std::uint32_t>(text, 8);
}

} // namespace tine
