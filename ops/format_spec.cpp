#include "ops/arguments.h"

#include <cstdio>

namespace tine::opkernel {
namespace {

constexpr std::int64_t kMaxWidth = 1 << 20;

/// `[[fill]align][sign][#][0][width][,][.precision][type]` \source Python's format specification
struct Spec {
  char fill = ' ', align = 0, sign = '-', type = 0, group = 0;
  bool alternate = false;
  std::int64_t width = 0, precision = -1;
};

[[noreturn]] void wrong(llvm::StringRef text, const IValue& value) {
  raise(error_kind::Value, "Invalid format specifier '" + text.str() + "' for object of type '" +
                               name(value.tag()).str() + "'");
}

Spec parseSpec(llvm::StringRef text, const IValue& value) {
  Spec spec;
  llvm::StringRef rest = text;
  const auto isAlign = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  const auto number = [&](std::int64_t& out) {
    const llvm::StringRef digits = rest.take_while([](char c) { return c >= '0' && c <= '9'; });
    if (digits.empty()) return false;
    if (digits.getAsInteger(10, out) || out > kMaxWidth) wrong(text, value);
    rest = rest.drop_front(digits.size());
    return true;
  };
  if (rest.size() > 1 && isAlign(rest[1])) {
    spec.fill = rest[0];
    spec.align = rest[1];
    rest = rest.drop_front(2);
  } else if (!rest.empty() && isAlign(rest[0])) {
    spec.align = rest[0];
    rest = rest.drop_front();
  }
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-' || rest[0] == ' ')) {
    spec.sign = rest[0];
    rest = rest.drop_front();
  }
  spec.alternate = rest.consume_front("#");
  if (rest.starts_with("0") && !spec.align) {
    spec.fill = '0';
    spec.align = '=';
    rest = rest.drop_front();
  }
  number(spec.width);
  if (!rest.empty() && (rest[0] == ',' || rest[0] == '_')) {
    spec.group = rest[0];
    rest = rest.drop_front();
  }
  if (rest.consume_front(".") && !number(spec.precision)) wrong(text, value);
  if (!rest.empty()) {
    spec.type = rest[0];
    rest = rest.drop_front();
  }
  if (!rest.empty()) wrong(text, value);
  return spec;
}

std::string grouped(const std::string& digits, char mark, std::size_t each) {
  std::size_t end = digits.find_first_not_of("0123456789abcdefABCDEF");
  if (end == std::string::npos) end = digits.size();
  std::string out = digits.substr(end);
  for (std::size_t i = end; i > 0;) {
    const std::size_t take = i < each ? i : each;
    out = digits.substr(i - take, take) + out;
    i -= take;
    if (i) out = mark + out;
  }
  return out;
}

std::string integer(std::uint64_t value, int base, bool upper) {
  std::string out;
  do {
    const auto digit = static_cast<char>(value % static_cast<std::uint64_t>(base));
    out += static_cast<char>(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
    value /= static_cast<std::uint64_t>(base);
  } while (value);
  return {out.rbegin(), out.rend()};
}

std::string printed(const char* format, std::int64_t precision, double value) {
  std::string out(64, '\0');
  for (;;) {
    const int size =
        std::snprintf(out.data(), out.size(), format, static_cast<int>(precision), value);
    if (static_cast<std::size_t>(size) < out.size()) {
      out.resize(static_cast<std::size_t>(size));
      return out;
    }
    out.resize(static_cast<std::size_t>(size) + 1);
  }
}

std::string aligned(const Spec& spec, const std::string& sign, std::string body, char standard) {
  const char align = spec.align ? spec.align : standard;
  std::size_t length = sign.size(); // in characters of UTF-8
  for (char c : body) length += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  const auto width = static_cast<std::size_t>(spec.width);
  const std::size_t missing = width > length ? width - length : 0;
  if (align == '=') return sign + std::string(missing, spec.fill) + body;
  const std::size_t left = align == '<' ? 0 : align == '>' ? missing : missing / 2;
  return std::string(left, spec.fill) + sign + std::move(body) +
         std::string(missing - left, spec.fill);
}

} // namespace

void formatValue(const KernelCall& call) {
  const IValue& value = call[0];
  const llvm::StringRef text = call[1].toStringRef();
  const Spec spec = parseSpec(text, value);
  const auto signOf = [&](bool negative) {
    return negative ? std::string("-") : spec.sign == '-' ? "" : std::string(1, spec.sign);
  };
  const bool asFloat = spec.type && llvm::StringRef("eEfFgG%").contains(spec.type);
  if ((value.isInt() || value.isBool()) && !asFloat && !(value.isBool() && text.empty())) {
    const std::int64_t number = value.isBool() ? value.toBool() : value.toInt();
    const auto size =
        number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    if (spec.precision >= 0) wrong(text, value);
    std::string body, prefix;
    switch (spec.type) {
    case 0:
    case 'd':
    case 'n':
      body = integer(size, 10, false);
      break;
    case 'x':
    case 'X':
      body = integer(size, 16, spec.type == 'X');
      prefix = spec.type == 'X' ? "0X" : "0x";
      break;
    case 'o':
      body = integer(size, 8, false);
      prefix = "0o";
      break;
    case 'b':
      body = integer(size, 2, false);
      prefix = "0b";
      break;
    default:
      wrong(text, value);
    }
    if (spec.group) body = grouped(body, spec.group, prefix.empty() ? 3 : 4);
    return call.setResult(
        0, aligned(spec, signOf(number < 0) + (spec.alternate ? prefix : ""), body, '>'));
  }
  if (value.isDouble() || asFloat) {
    if (!value.isDouble() && !value.isInt() && !value.isBool()) wrong(text, value);
    double number = value.isDouble() ? value.toDouble()
                    : value.isInt()  ? static_cast<double>(value.toInt())
                                     : static_cast<double>(value.toBool());
    const bool negative = std::signbit(number) && !std::isnan(number);
    number = std::abs(number);
    std::string body;
    const std::int64_t precision = spec.precision < 0 ? 6 : spec.precision;
    switch (spec.type) {
    case 0:
      body = spec.precision < 0 ? IValue(number).str() : printed("%.*g", spec.precision, number);
      break;
    case 'f':
    case 'F':
      body = printed("%.*f", precision, number);
      break;
    case 'e':
      body = printed("%.*e", precision, number);
      break;
    case 'E':
      body = printed("%.*E", precision, number);
      break;
    case 'g':
    case 'n':
      body = printed("%.*g", precision, number);
      break;
    case 'G':
      body = printed("%.*G", precision, number);
      break;
    case '%':
      body = printed("%.*f", precision, number * 100) + "%";
      break;
    default:
      wrong(text, value);
    }
    if (spec.group && !std::isnan(number) && !std::isinf(number))
      body = grouped(body, spec.group, 3);
    return call.setResult(0, aligned(spec, signOf(negative), body, '>'));
  }
  if (value.isString() || text.empty()) {
    std::string body = value.isString() ? value.toStringRef().str() : value.str();
    if ((spec.type && spec.type != 's') || spec.align == '=' || spec.sign != '-' || spec.group)
      wrong(text, value);
    if (spec.precision >= 0) {
      std::size_t end = 0;
      for (std::int64_t left = spec.precision; end < body.size(); ++end)
        if ((static_cast<unsigned char>(body[end]) & 0xC0) != 0x80 && left-- == 0) break;
      body.resize(end);
    }
    return call.setResult(0, aligned(spec, "", std::move(body), '<'));
  }
  wrong(text, value);
}

} // namespace tine::opkernel
