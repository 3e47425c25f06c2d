#include "ops/arguments.h"

#include <algorithm>
#include <cctype>

// Methods of strings, as Python has them, on bytes; numbers as text.
namespace tine::opkernel {

namespace {

using llvm::StringRef;

StringRef text(const KernelCall& call, std::uint32_t i) { return call[i].toStringRef(); }

std::string mapped(StringRef s, int (*f)(int)) {
  std::string out = s.str();
  for (char& c : out) c = static_cast<char>(f(static_cast<unsigned char>(c)));
  return out;
}

// Not empty, and every byte is of the class.
bool areAll(StringRef s, int (*is)(int)) {
  return !s.empty() &&
         std::all_of(s.begin(), s.end(), [&](char c) { return is(static_cast<unsigned char>(c)); });
}

// Some letter is of the one case, and none of the other.
bool isCase(StringRef s, int (*is)(int), int (*isNot)(int)) {
  const auto has = [&](int (*test)(int)) {
    return std::any_of(s.begin(), s.end(),
                       [&](char c) { return test(static_cast<unsigned char>(c)); });
  };
  return has(is) && !has(isNot);
}

// The part of operand 0 from operand `at` to operand `at` + 1, which -1 ends at the end, and where
// it starts.
struct Part {
  StringRef text;
  std::int64_t start;
  bool outside; ///< starts behind the end
};
Part part(const KernelCall& call, std::uint32_t at) {
  const StringRef s = text(call, 0);
  const auto size = static_cast<std::int64_t>(s.size());
  std::int64_t start = call[at].toInt(), end = call[at + 1].toInt();
  if (start < 0) start = std::max<std::int64_t>(start < -size ? 0 : start + size, 0);
  if (end < 0) end = end < -size ? 0 : size + end + 1;
  end = std::min(end, size);
  if (start > end) return {StringRef(), start, start > size};
  return {s.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)), start,
          false};
}

std::int64_t found(const KernelCall& call, bool last) {
  const Part in = part(call, 2);
  const std::size_t at = last ? in.text.rfind(text(call, 1)) : in.text.find(text(call, 1));
  return at == StringRef::npos || in.outside ? -1 : in.start + static_cast<std::int64_t>(at);
}

IValue listOf(const std::vector<StringRef>& parts) {
  std::vector<IValue> items;
  for (const StringRef s : parts) items.emplace_back(s);
  return IValue::list(std::move(items));
}

// \errors ValueError
std::size_t width(const KernelCall& call) {
  const std::int64_t wanted = call[1].toInt();
  if (wanted > 1 << 30) raise(error_kind::Memory, "a string of too many bytes");
  return static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0));
}
char filler(const KernelCall& call) {
  if (text(call, 2).size() != 1)
    raise(error_kind::Type, "TypeError: The fill character must be exactly one character long");
  return text(call, 2)[0];
}

void partitioned(const KernelCall& call, bool last) {
  const StringRef s = text(call, 0), separator = text(call, 1);
  const std::size_t at = last ? s.rfind(separator) : s.find(separator);
  StringRef before = last ? StringRef() : s, middle, after = last ? s : StringRef();
  if (at != StringRef::npos) {
    before = s.substr(0, at);
    middle = separator;
    after = s.substr(at + separator.size());
  }
  const IValue values[] = {before, middle, after};
  for (std::uint32_t i = 0; i < 3; ++i) call.setResult(i, values[i]);
}

std::string inBase(std::int64_t i, unsigned base, const char* prefix) {
  std::uint64_t rest = i < 0 ? 0 - static_cast<std::uint64_t>(i) : static_cast<std::uint64_t>(i);
  std::string digits;
  do digits += "0123456789abcdef"[rest % base];
  while (rest /= base);
  std::reverse(digits.begin(), digits.end());
  return (i < 0 ? "-" : "") + std::string(prefix) + digits;
}

} // namespace

void upper(const KernelCall& call) { call.setResult(0, mapped(text(call, 0), std::toupper)); }
void lower(const KernelCall& call) { call.setResult(0, mapped(text(call, 0), std::tolower)); }
void swapCase(const KernelCall& call) {
  call.setResult(0, mapped(text(call, 0), [](int c) {
                   return std::isupper(c) ? std::tolower(c) : std::toupper(c);
                 }));
}
void capitalize(const KernelCall& call) {
  std::string out = mapped(text(call, 0), std::tolower);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  call.setResult(0, out);
}
void title(const KernelCall& call) {
  std::string out = text(call, 0).str();
  bool inside = false;
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    c = static_cast<char>(inside ? std::tolower(byte) : std::toupper(byte));
    inside = std::isalpha(byte);
  }
  call.setResult(0, out);
}

#define TINE_TEST(id, condition)                                                                   \
  void id(const KernelCall& call) {                                                                \
    const StringRef s = text(call, 0);                                                             \
    call.setResult(0, condition);                                                                  \
  }
TINE_TEST(isAlnum, areAll(s, std::isalnum))
TINE_TEST(isAlpha, areAll(s, std::isalpha))
TINE_TEST(isDigit, areAll(s, std::isdigit))
TINE_TEST(isSpace, areAll(s, std::isspace))
TINE_TEST(isUpper, isCase(s, std::isupper, std::islower))
TINE_TEST(isLower, isCase(s, std::islower, std::isupper))
TINE_TEST(isPrintable, s.empty() || areAll(s, std::isprint))
TINE_TEST(isIdentifier, !s.empty() && !std::isdigit(static_cast<unsigned char>(s[0])) &&
                            areAll(s, [](int c) { return int{std::isalnum(c) || c == '_'}; }))
#undef TINE_TEST

void strip(const KernelCall& call) { call.setResult(0, text(call, 0).trim(text(call, 1))); }
void lstrip(const KernelCall& call) { call.setResult(0, text(call, 0).ltrim(text(call, 1))); }
void rstrip(const KernelCall& call) { call.setResult(0, text(call, 0).rtrim(text(call, 1))); }

void splitText(const KernelCall& call) {
  StringRef rest = text(call, 0);
  std::int64_t most = call[2].toInt();
  std::vector<StringRef> parts;
  if (call[1].isNone()) {
    constexpr StringRef kSpace = " \t\n\r\v\f";
    for (rest = rest.ltrim(kSpace); !rest.empty(); rest = rest.ltrim(kSpace)) {
      const std::size_t at = most-- == 0 ? StringRef::npos : rest.find_first_of(kSpace);
      parts.push_back(rest.substr(0, at));
      rest = at == StringRef::npos ? StringRef() : rest.substr(at);
    }
    return call.setResult(0, listOf(parts));
  }
  const StringRef separator = text(call, 1);
  if (separator.empty()) raise(error_kind::Value, "ValueError: empty separator");
  for (;;) {
    const std::size_t at = most-- == 0 ? StringRef::npos : rest.find(separator);
    parts.push_back(rest.substr(0, at));
    if (at == StringRef::npos) break;
    rest = rest.substr(at + separator.size());
  }
  call.setResult(0, listOf(parts));
}
void rsplitText(const KernelCall& call) {
  StringRef rest = text(call, 0);
  const StringRef separator = text(call, 1);
  if (separator.empty()) raise(error_kind::Value, "ValueError: empty separator");
  std::vector<StringRef> parts;
  for (std::int64_t most = call[2].toInt();;) {
    const std::size_t at = most-- == 0 ? StringRef::npos : rest.rfind(separator);
    if (at == StringRef::npos) break;
    parts.push_back(rest.substr(at + separator.size()));
    rest = rest.substr(0, at);
  }
  parts.push_back(rest);
  std::reverse(parts.begin(), parts.end());
  call.setResult(0, listOf(parts));
}
void splitLines(const KernelCall& call) { // ends that are kept are items of their own
  StringRef rest = text(call, 0);
  std::vector<StringRef> parts;
  while (!rest.empty()) {
    const std::size_t at = rest.find_first_of("\n\r\v\f\x1c\x1d\x1e");
    parts.push_back(rest.substr(0, at));
    if (at == StringRef::npos) break;
    if (call[1].toBool()) parts.push_back(rest.substr(at, 1));
    rest = rest.substr(at + 1);
  }
  call.setResult(0, listOf(parts));
}
void center(const KernelCall& call) {
  const StringRef s = text(call, 0);
  const char fill = filler(call);
  const std::size_t wanted = width(call), missing = std::max(wanted, s.size()) - s.size();
  const std::size_t before = missing / 2 + (missing & wanted & 1);
  call.setResult(0, std::string(before, fill) + s.str() + std::string(missing - before, fill));
}
void isTitle(const KernelCall& call) {
  bool inside = false, any = false, good = true;
  for (const char c : text(call, 0)) {
    const auto byte = static_cast<unsigned char>(c);
    good &= !(inside ? std::isupper(byte) : std::islower(byte));
    inside = std::isalpha(byte);
    any |= inside;
  }
  call.setResult(0, good && any);
}
void join(const KernelCall& call) {
  std::string out;
  bool first = true;
  for (const IValue& item : call[1].toList().items) {
    if (!first) out += text(call, 0);
    first = false;
    out += item.toStringRef();
  }
  call.setResult(0, out);
}
void replaceText(const KernelCall& call) {
  StringRef rest = text(call, 0);
  const StringRef from = text(call, 1), to = text(call, 2);
  std::int64_t most = call[3].toInt();
  std::string out;
  if (from.empty()) { // before every byte, and at the end
    for (; most != 0 && !rest.empty(); rest = rest.drop_front(), --most) {
      out += to;
      out += rest[0];
    }
    out += rest;
    if (most != 0) out += to;
    return call.setResult(0, out);
  }
  for (std::size_t at; most != 0 && (at = rest.find(from)) != StringRef::npos; --most) {
    out += rest.substr(0, at);
    out += to;
    rest = rest.substr(at + from.size());
  }
  call.setResult(0, out + rest.str());
}

void find(const KernelCall& call) { call.setResult(0, found(call, false)); }
void rfind(const KernelCall& call) { call.setResult(0, found(call, true)); }
void indexOfText(const KernelCall& call) {
  const std::int64_t at = found(call, false);
  if (at < 0) raise(error_kind::Value, "ValueError: substring not found");
  call.setResult(0, at);
}
void rindexOfText(const KernelCall& call) {
  const std::int64_t at = found(call, true);
  if (at < 0) raise(error_kind::Value, "ValueError: substring not found");
  call.setResult(0, at);
}
void countText(const KernelCall& call) {
  const Part in = part(call, 2);
  const StringRef what = text(call, 1);
  const std::size_t count = in.outside     ? 0
                            : what.empty() ? in.text.size() + 1
                                           : in.text.count(what);
  call.setResult(0, static_cast<std::int64_t>(count));
}
void startsWith(const KernelCall& call) {
  const Part in = part(call, 2);
  call.setResult(0, !in.outside && in.text.starts_with(text(call, 1)));
}
void endsWith(const KernelCall& call) {
  const Part in = part(call, 2);
  call.setResult(0, !in.outside && in.text.ends_with(text(call, 1)));
}
void partition(const KernelCall& call) { partitioned(call, false); }
void rpartition(const KernelCall& call) { partitioned(call, true); }

void ljust(const KernelCall& call) {
  const StringRef s = text(call, 0);
  const char fill = filler(call);
  call.setResult(0, s.str() + std::string(std::max(width(call), s.size()) - s.size(), fill));
}
void rjust(const KernelCall& call) {
  const StringRef s = text(call, 0);
  const char fill = filler(call);
  call.setResult(0, std::string(std::max(width(call), s.size()) - s.size(), fill) + s.str());
}
void zfill(const KernelCall& call) { // before a sign too, unlike Python's
  const StringRef s = text(call, 0);
  call.setResult(0, std::string(std::max(width(call), s.size()) - s.size(), '0') + s.str());
}

void chr(const KernelCall& call) {
  const std::int64_t code = call[0].toInt();
  if (code < 0 || code > 255)
    raise(error_kind::Value,
          "chr() arg not in range(256), found character code " + std::to_string(code));
  call.setResult(0, std::string(1, static_cast<char>(code)));
}
void hex(const KernelCall& call) { call.setResult(0, inBase(call[0].toInt(), 16, "0x")); }
void oct(const KernelCall& call) { call.setResult(0, inBase(call[0].toInt(), 8, "0o")); }
void bin(const KernelCall& call) { call.setResult(0, inBase(call[0].toInt(), 2, "0b")); }

} // namespace tine::opkernel
