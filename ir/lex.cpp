#include "ir/lex.h"

#include "llvm/ADT/Twine.h"
#include "support/literal.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace tine {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c); }
bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

} // namespace

llvm::StringRef Lexer::restOfLine() const {
  if (atEnd()) return {};
  auto* newline =
      static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
  llvm::StringRef line(at_, static_cast<std::size_t>((newline ? newline : end_) - at_));
  line.consume_back("\r");
  return line;
}

std::size_t Lexer::findOnLine(char c) const {
  for (const char* p = at_; p != end_ && *p != '\n'; ++p)
    if (*p == c) return static_cast<std::size_t>(p - at_);
  return llvm::StringRef::npos;
}

std::uint32_t Lexer::lineOf(std::size_t offset, std::uint32_t* column) {
  const char* target = begin_ + offset;
  if (target < countedTo_) {
    countedTo_ = lineStart_ = begin_;
    line_ = 1;
  }
  while (countedTo_ < target) {
    auto* newline = static_cast<const char*>(
        std::memchr(countedTo_, '\n', static_cast<std::size_t>(target - countedTo_)));
    if (!newline) break;
    ++line_;
    countedTo_ = lineStart_ = newline + 1;
  }
  countedTo_ = target;
  *column = static_cast<std::uint32_t>(target - lineStart_) + 1;
  return line_;
}

void Lexer::skipRareBlanks() {
  while (at_ != end_) {
    if (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')
      ++at_;
    else if (*at_ == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')))
      at_ += peek(1) == '\n' ? 2 : 3;
    else
      break;
  }
}

void Lexer::skipSpace() {
  for (;;) {
    skipBlanks();
    if (peek() == '#')
      skipLine();
    else if (!take('\n'))
      return;
  }
}

void Lexer::skipLine() {
  if (atEnd()) return;
  auto* newline =
      static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
  at_ = newline ? newline + 1 : end_;
}

llvm::StringRef Lexer::peekIdentifier() const {
  if (!isWordStart(peek())) return {};
  const char* p = at_;
  while (p != end_ && isWord(*p)) ++p;
  return {at_, static_cast<std::size_t>(p - at_)};
}

llvm::StringRef Lexer::identifier() {
  llvm::StringRef word = peekIdentifier();
  at_ += word.size();
  return word;
}

llvm::StringRef Lexer::dotted() {
  std::size_t start = offset();
  if (identifier().empty()) return {};
  while (peek() == '.' && isWordStart(peek(1))) {
    ++at_;
    identifier();
  }
  return since(start);
}

llvm::StringRef Lexer::digits() {
  std::size_t start = offset();
  while (isDigit(peek())) ++at_;
  return since(start);
}

bool Lexer::takeWord(llvm::StringRef word) {
  if (!looksAt(word) || isWord(peek(word.size()))) return false;
  at_ += word.size();
  return true;
}

llvm::StringRef Lexer::number() {
  std::size_t start = offset();
  if (peek() == '-' || peek() == '+') ++at_;
  if (takeWord("inf")) return since(start);
  // `nan` may be followed by its bits, and by the j of a complex number.
  if (take("nan") || take("inf")) {
    if (take("(0x")) {
      while (isHex(peek())) ++at_;
      take(')');
    }
    return since(start);
  }
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
    at_ += 2;
    while (isHex(peek()) || peek() == '.' ||
           ((peek() == '+' || peek() == '-') && (at_[-1] | 32) == 'p') || (peek() | 32) == 'p')
      ++at_;
    return since(start);
  }
  if (!isDigit(peek()) && !(peek() == '.' && isDigit(peek(1)))) {
    moveTo(start);
    return {};
  }
  digits();
  if (take('.')) digits();
  if (peek() == 'e' || peek() == 'E') {
    std::size_t sign = peek(1) == '+' || peek(1) == '-';
    if (isDigit(peek(1 + sign))) {
      at_ += 1 + sign;
      digits();
    }
  }
  return since(start);
}

std::optional<std::string> Lexer::string() {
  char quote = peek();
  if (quote != '"' && quote != '\'') return std::nullopt;
  std::size_t start = offset();
  bool triple = peek(1) == quote && peek(2) == quote;
  at_ += triple ? 3 : 1;
  std::size_t inside = offset();
  for (;;) {
    if (atEnd() || (!triple && *at_ == '\n')) {
      error(start, offset() - start, "a string that does not end");
      return std::nullopt;
    }
    if (*at_ == '\\' && at_ + 1 != end_) {
      at_ += peek(1) == '\r' && peek(2) == '\n' ? 3 : 2;
      continue;
    }
    if (*at_ == quote && (!triple || (peek(1) == quote && peek(2) == quote))) break;
    ++at_;
  }
  std::string message;
  std::size_t wrong = 0;
  std::optional<std::string> value = unescape(since(inside), &message, &wrong);
  at_ += triple ? 3 : 1;
  if (!value) error(inside + wrong, 2, std::move(message));
  return value;
}

bool Lexer::error(std::size_t offset, std::size_t length, std::string message) {
  if (tooMany()) return false; // a place takes time to find
  return error(Error(error_kind::Syntax, std::move(message), place(offset, length)));
}

std::vector<Error> Lexer::takeErrors() {
  std::stable_sort(errors_.begin(), errors_.end(), [](const Error& a, const Error& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  return std::move(errors_);
}

bool Lexer::error(Error error) {
  if (!tooMany()) errors_.push_back(std::move(error));
  return false;
}

bool Lexer::expected(llvm::StringRef what) {
  std::size_t length = std::max<std::size_t>(peekIdentifier().size(), 1);
  return error(offset(), length, (llvm::Twine("expected ") + what + ", found " + found()).str());
}

std::string Lexer::found() const {
  if (atEnd()) return "the end of the text";
  char c = *at_;
  if (c == '\n' || c == '\r' || c == '#') return "the end of the line";
  llvm::StringRef word = peekIdentifier();
  std::string out = "'";
  if (c == '%') {
    out += rest().take_front(40).take_until(
        [](char d) { return d == ' ' || d == ',' || d == ')' || d == '\n' || d == '\r'; });
  } else if (!word.empty()) {
    out += word.take_front(40);
  } else if (isDigit(c)) {
    out += rest().take_front(40).take_while(isWord);
  } else if (looksAt("->")) {
    out += "->";
  } else if (c >= 0x20 && c < 0x7F) {
    out += c;
  } else {
    // One character of UTF-8 or one byte, however broken.
    std::string quoted;
    appendQuoted(quoted,
                 rest().take_front(static_cast<unsigned char>(c) >= 0xF0   ? 4
                                   : static_cast<unsigned char>(c) >= 0xE0 ? 3
                                   : static_cast<unsigned char>(c) >= 0xC0 ? 2
                                                                           : 1),
                 Style::Lossless);
    out += llvm::StringRef(quoted).drop_front().drop_back();
  }
  return out + "'";
}

Lexer::Deeper::Deeper(Lexer& lex) : lex_(lex), ok_(++lex.depth_ <= kMaxDepth) {
  if (!ok_ && lex.depth_ == kMaxDepth + 1)
    lex.error(lex.offset(), 1,
              "nested deeper than " + std::to_string(kMaxDepth) + " types or literals");
}

std::string didYouMean(llvm::StringRef word,
                       llvm::function_ref<llvm::StringRef(std::size_t)> candidates,
                       std::size_t count, llvm::StringRef sigil) {
  llvm::StringRef best;
  unsigned bestDistance = word.size() < 3 ? 1 : word.size() < 5 ? 2 : 3; // exclusive
  for (std::size_t i = 0; i < count; ++i) {
    llvm::StringRef candidate = candidates(i);
    unsigned distance = word.edit_distance_insensitive(candidate, true, bestDistance);
    if (distance < bestDistance) best = candidate, bestDistance = distance;
  }
  if (best.empty()) return "";
  return (llvm::Twine(", did you mean '") + sigil + best + "'?").str();
}

} // namespace tine
