#include "frontend/script/lex.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "support/printable.h"

#include <algorithm>
#include <utility>

namespace tine::script {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c); }

/// Not ASCII, and part of no word: controls, spaces, punctuation, symbols, arrows, pictures. What
/// is left are letters, marks and digits, so that names of every script are names; Python's own
/// rule leaves out some more. \source Unicode 15, blocks and general categories
constexpr std::pair<std::uint32_t, std::uint32_t> kNoLetters[] = {
    {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},       {0xBB, 0xBF},        {0xD7, 0xD7},
    {0xF7, 0xF7},     {0x2000, 0x203E}, {0x2041, 0x2053},   {0x2055, 0x2070},    {0x2072, 0x207E},
    {0x2080, 0x208F}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF},   {0x3000, 0x3004},    {0x3008, 0x3020},
    {0x3030, 0x3030}, {0xD800, 0xF8FF}, {0xFE10, 0xFE1F},   {0xFE30, 0xFE32},    {0xFF01, 0xFF0F},
    {0xFF1A, 0xFF20}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF},
};

/// The bytes of the letter that is no ASCII with which a text begins; 0 when there is none.
std::size_t letterBytes(llvm::StringRef text) {
  if (text.empty() || static_cast<unsigned char>(text[0]) < 0x80) return 0;
  const std::size_t bytes = printableBytes(text);
  if (bytes == 0) return 0;
  std::uint32_t code = static_cast<unsigned char>(text[0]) & (0xFFu >> (bytes + 1));
  for (char c : text.slice(1, bytes)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3F);
  for (auto [first, last] : kNoLetters)
    if (code >= first && code <= last) return 0;
  return bytes;
}

struct Sign {
  TokenKind kind;
  llvm::StringRef text;
};
constexpr Sign kSigns[] = {
#define TINE_SIGN(id, text) {TokenKind::id, text},
#include "frontend/script/tokens.def"
};

TokenKind keyword(llvm::StringRef word) {
  return llvm::StringSwitch<TokenKind>(word)
#define TINE_KEYWORD(id, text) .Case(text, TokenKind::id)
#include "frontend/script/tokens.def"
      .Default(TokenKind::Name);
}

/// Blocks nest no deeper; the parser stops earlier.
constexpr std::size_t kMaxIndents = 1000;

class Lexer {
public:
  Lexer(const Source& source, Range part, bool isPart, std::vector<Error>& errors)
      : source_(source), text_(source.text()), at_(part.begin), end_(part.end), isPart_(isPart),
        errors_(errors) {}

  Tokens run() {
    if (!isPart_ && text_.starts_with("\xEF\xBB\xBF")) at_ = 3; // a byte-order mark
    bool atLineStart = !isPart_;
    while (true) {
      if (atLineStart && open_.empty() && !indentation()) break;
      atLineStart = false;
      skipBlanks();
      if (at_ >= end_) break;
      if (text_[at_] == '\n' || text_[at_] == '\r') {
        const std::uint32_t start = at_;
        newline();
        atLineStart = true;
        if (open_.empty() && !isPart_)
          add(TokenKind::Newline, start);
        else if (looksLikeStatement())
          forgetBrackets();
        continue;
      }
      if (text_[at_] == '#')
        comment();
      else
        token();
    }
    if (!isPart_) {
      if (!open_.empty()) neverClosed();
      if (!tokens_.list.empty() && tokens_.list.back().kind != TokenKind::Newline &&
          tokens_.list.back().kind != TokenKind::Dedent)
        add(TokenKind::Newline, end_);
      for (std::size_t i = 1; i < indents_.size(); ++i) add(TokenKind::Dedent, end_);
    }
    at_ = end_;
    add(TokenKind::End, end_);
    return std::move(tokens_);
  }

private:
  char peek(std::uint32_t ahead = 0) const {
    return at_ + ahead < end_ ? text_[at_ + ahead] : '\0';
  }
  void add(TokenKind kind, std::uint32_t begin) { tokens_.list.push_back({kind, {begin, at_}}); }
  void error(Range range, std::string message) {
    if (errors_.size() < kMaxErrors)
      errors_.push_back(Error(error_kind::Syntax, std::move(message), source_.place(range)));
  }
  void newline() {
    wrongInLine_ = false;
    at_ += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
  }

  void skipBlanks() {
    while (at_ < end_) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\f')
        ++at_;
      else if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r'))
        ++at_, newline();
      else
        break;
    }
  }

  /// What a line begins with. False at the end of the text; lines without a token count for
  /// nothing.
  bool indentation() {
    std::uint32_t width = 0, start = at_;
    while (true) {
      const char c = peek();
      if (c == ' ')
        ++width, ++at_;
      else if (c == '\t')
        width = width / 8 * 8 + 8, ++at_;
      else if (c == '\f')
        width = 0, ++at_;
      else if (at_ < end_ && (c == '\n' || c == '\r'))
        newline(), width = 0, start = at_;
      else if (c == '#')
        comment();
      else
        break;
    }
    if (at_ >= end_) return false;
    if (width > indents_.back() && width <= crooked_) return true; // said already
    if (width > indents_.back()) {
      if (indents_.size() < kMaxIndents) {
        indents_.push_back(width);
        tokens_.list.push_back({TokenKind::Indent, {start, at_}});
      } else {
        error({start, at_}, "blocks nest deeper than " + std::to_string(kMaxIndents));
        at_ = end_;
        return false;
      }
    }
    const bool known = std::binary_search(indents_.begin(), indents_.end(), width);
    const std::uint32_t deepest = indents_.back();
    while (width < indents_.back()) {
      indents_.pop_back();
      tokens_.list.push_back({TokenKind::Dedent, {at_, at_}});
    }
    if (!known) error({start, at_}, "this line is indented like none of the blocks around it");
    crooked_ = known ? 0 : deepest;
    return true;
  }

  void comment() {
    const std::uint32_t start = at_;
    while (at_ < end_ && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    llvm::StringRef rest = text_.slice(start + 1, at_).ltrim(" \t");
    if (!rest.consume_front("type:")) return;
    rest = rest.trim(" \t");
    if (rest.empty() || rest.starts_with("ignore")) return;
    const auto begin = static_cast<std::uint32_t>(rest.begin() - text_.begin());
    rest = rest.take_until([](char c) { return c == '#'; });
    tokens_.typeComments.push_back({begin, begin + static_cast<std::uint32_t>(rest.size())});
  }

  void token() {
    const std::uint32_t start = at_;
    const char c = text_[at_];
    if (isWordStart(c) || letterBytes(rest())) {
      skipWord();
      if ((peek() == '"' || peek() == '\'') && isPrefix(text_.slice(start, at_)))
        return string(start);
      return add(keyword(text_.slice(start, at_)), start);
    }
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) return number(start);
    if (c == '"' || c == '\'') return string(start);
    for (const Sign& sign : kSigns) {
      if (!text_.slice(at_, end_).starts_with(sign.text)) continue;
      at_ += static_cast<std::uint32_t>(sign.text.size());
      add(sign.kind, start);
      return bracket(sign.kind, start);
    }
    ++at_;
    while (at_ < end_ && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80) ++at_;
    add(TokenKind::Wrong, start);
    if (std::exchange(wrongInLine_, true)) return; // said already
    error({start, at_}, c == '\\'   ? at_ >= end_ ? "a '\\' that joins no line: the text ends here"
                                                  : "a '\\' that joins no line: something follows it"
                        : c == '\0' ? "a zero byte: this is no text"
                                    : "a character that means nothing here");
  }

  llvm::StringRef rest() const { return text_.slice(at_, end_); }
  void skipWord() {
    while (true) {
      while (isWord(peek())) ++at_;
      const std::size_t bytes = letterBytes(rest());
      if (!bytes) return;
      at_ += static_cast<std::uint32_t>(bytes);
    }
  }
  static bool isPrefix(llvm::StringRef word) {
    return word.size() <= 2 && word.lower().find_first_not_of("rbuf") == std::string::npos;
  }

  void number(std::uint32_t start) {
    if (peek() == '0' && (peek(1) | 32) >= 'a' &&
        llvm::StringRef("xob").contains(static_cast<char>(peek(1) | 32))) {
      at_ += 2;
      while (isWord(peek())) ++at_;
      return add(TokenKind::Number, start);
    }
    while (isDigit(peek()) || peek() == '_') ++at_;
    if (peek() == '.') {
      ++at_;
      while (isDigit(peek()) || peek() == '_') ++at_;
    }
    if ((peek() | 32) == 'e') {
      const std::uint32_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (isDigit(peek(1 + sign))) {
        at_ += 1 + sign;
        while (isDigit(peek()) || peek() == '_') ++at_;
      }
    }
    while (isWord(peek())) ++at_; // `1j`; `1x` is the parser's to refuse
    add(TokenKind::Number, start);
  }

  void string(std::uint32_t start) {
    const char quote = peek();
    const bool triple = peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    while (true) {
      if (at_ >= end_ || (!triple && (text_[at_] == '\n' || text_[at_] == '\r'))) {
        add(TokenKind::Wrong, start);
        return error({start, triple ? start + 3 : at_}, "a string that does not end");
      }
      if (text_[at_] == '\\' && at_ + 1 < end_) {
        at_ += peek(1) == '\r' && peek(2) == '\n' ? 3 : 2;
        at_ = std::min(at_, end_);
        continue;
      }
      if (text_[at_] == quote && (!triple || (peek(1) == quote && peek(2) == quote))) break;
      ++at_;
    }
    at_ += triple ? 3 : 1;
    add(TokenKind::String, start);
  }

  // ---- brackets ----
  void bracket(TokenKind kind, std::uint32_t at) {
    if (kind == TokenKind::Open || kind == TokenKind::OpenBracket || kind == TokenKind::OpenBrace)
      open_.push_back(at);
    else if ((kind == TokenKind::Close || kind == TokenKind::CloseBracket ||
              kind == TokenKind::CloseBrace) &&
             !open_.empty())
      open_.pop_back(); // the parser knows which is wrong
  }
  /// A bracket that is never closed would join all lines to come. A line that can only begin a
  /// definition ends that.
  bool looksLikeStatement() const {
    if (isPart_ || open_.empty()) return false;
    llvm::StringRef rest = text_.slice(at_, end_);
    return rest.starts_with("def ") || rest.starts_with("class ") || rest.starts_with("@");
  }
  void forgetBrackets() {
    neverClosed();
    add(TokenKind::Newline, at_);
  }
  void neverClosed() {
    error({open_.back(), open_.back() + 1},
          "'" + text_.substr(open_.back(), 1).str() + "' is never closed");
    tokens_.unclosed.push_back({open_.back(), at_});
    open_.clear();
  }

  const Source& source_;
  llvm::StringRef text_;
  std::uint32_t at_, end_;
  bool isPart_, wrongInLine_ = false;
  std::vector<Error>& errors_;
  Tokens tokens_;
  std::vector<std::uint32_t> indents_{0};
  std::uint32_t crooked_ = 0;       ///< after a line that is indented wrongly: what was left by it
  std::vector<std::uint32_t> open_; ///< where the brackets are that are not closed yet
};

} // namespace

std::string describe(TokenKind kind) {
  switch (kind) {
#define TINE_TOKEN(id, text)                                                                       \
  case TokenKind::id:                                                                              \
    return text;
#define TINE_SIGN(id, text)                                                                        \
  case TokenKind::id:                                                                              \
    return "'" text "'";
#define TINE_KEYWORD(id, text) TINE_SIGN(id, text)
#include "frontend/script/tokens.def"
  }
  TINE_UNREACHABLE("token");
}

Tokens lex(const Source& source, std::vector<Error>& errors) {
  const auto size = static_cast<std::uint32_t>(source.text().size());
  return Lexer(source, {0, size}, false, errors).run();
}

Tokens lexPart(const Source& source, Range part, std::vector<Error>& errors) {
  return Lexer(source, part, true, errors).run();
}

} // namespace tine::script
