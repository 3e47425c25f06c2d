#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "support/error.h"

#include <optional>
#include <string>
#include <vector>

namespace tine {

/// A place in graph text from which the rules of the grammar take words and signs, and the errors
/// found so far. Whether a newline counts is the rule's choice: `skipBlanks` stops there,
/// `skipSpace` does not.
///
///   Lexer lex(text, "dump.ir");
///   lex.skipBlanks();
///   llvm::StringRef word = lex.identifier();          // may be empty
///   if (!lex.take('(')) lex.expected("'('");          // "expected '(', found ':'", with a place
class Lexer {
public:
  /// After so many errors the rest of a text is not worth reading.
  static constexpr std::size_t kMaxErrors = 50;
  /// Types and literals nest no deeper: their rules recurse.
  static constexpr int kMaxDepth = 200;

  Lexer(llvm::StringRef text, llvm::StringRef file)
      : file_(file), begin_(text.begin()), at_(text.begin()), end_(text.end()),
        countedTo_(text.begin()), lineStart_(text.begin()) {}

  bool atEnd() const { return at_ == end_; }
  char peek() const { return at_ != end_ ? *at_ : '\0'; } ///< NUL at the end
  char peek(std::size_t ahead) const {
    return ahead < static_cast<std::size_t>(end_ - at_) ? at_[ahead] : '\0';
  }
  bool looksAt(llvm::StringRef text) const { return rest().starts_with(text); }
  bool atLineEnd() const { return atEnd() || *at_ == '\n' || *at_ == '\r'; }
  llvm::StringRef file() const { return file_; }
  llvm::StringRef text() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
  llvm::StringRef rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  llvm::StringRef restOfLine() const; ///< \cost O(line): not for every word of one
  /// How far away the sign is; npos when the line ends before.
  std::size_t findOnLine(char c) const;

  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  void moveTo(std::size_t offset) { at_ = begin_ + offset; }
  void advance(std::size_t by = 1) { at_ += by; }
  llvm::StringRef since(std::size_t offset) const {
    return {begin_ + offset, static_cast<std::size_t>(at_ - begin_) - offset};
  }
  /// \pre calls come with growing offsets, or seldom. Both from 1.
  std::uint32_t lineOf(std::size_t offset, std::uint32_t* column);

  /// Blanks, tabs, carriage returns, and a backslash before a newline.
  void skipBlanks() {
    while (peek() == ' ') ++at_;
    char c = peek();
    if (c == '\t' || c == '\r' || c == '\\') skipRareBlanks();
  }
  void skipSpace(); ///< blanks, newlines, comments
  void skipLine();  ///< through the next newline

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take(llvm::StringRef text) {
    if (!looksAt(text)) return false;
    at_ += text.size();
    return true;
  }
  /// The word, when it stands here as a whole.
  bool takeWord(llvm::StringRef word);
  llvm::StringRef identifier(); ///< a letter or `_`, then letters, digits, `_`
  llvm::StringRef peekIdentifier() const;
  llvm::StringRef dotted(); ///< identifiers joined by single dots
  llvm::StringRef digits();
  /// A number in the spelling of literal.h, with its sign: `-1e+17`, `0x10`, `-inf`, `nan(0x..)`.
  llvm::StringRef number();
  /// A string in single, double or triple quotes. nullopt when there is none or, with an error,
  /// when it is malformed.
  std::optional<std::string> string();

  /// Records an error. \return false
  bool error(std::size_t offset, std::size_t length, std::string message);
  bool error(Error error);
  /// "expected `what`, found ..." at the cursor. \return false
  bool expected(llvm::StringRef what);
  bool failed() const { return !errors_.empty(); }
  bool tooMany() const { return errors_.size() >= kMaxErrors; }
  std::vector<Error> takeErrors(); ///< in the order of the text
  Place place(std::size_t offset, std::size_t length) const {
    return placeAt(file_, text(), offset, length);
  }

  /// One level deeper while it lives; `ok()` is false, with an error, when that is too deep.
  class Deeper {
  public:
    explicit Deeper(Lexer& lex);
    ~Deeper() { --lex_.depth_; }
    bool ok() const { return ok_; }

  private:
    Lexer& lex_;
    bool ok_;
  };

private:
  void skipRareBlanks();
  std::string found() const;

  llvm::StringRef file_;
  const char *begin_, *at_, *end_;
  const char *countedTo_, *lineStart_; // for lineOf
  std::uint32_t line_ = 1;
  int depth_ = 0;
  std::vector<Error> errors_;
};

/// `candidate` of `candidates` that is one or two letters away from `word`, as ", did you mean
/// 'x'?"; else nothing.
std::string didYouMean(llvm::StringRef word,
                       llvm::function_ref<llvm::StringRef(std::size_t)> candidates,
                       std::size_t count, llvm::StringRef sigil = "");

} // namespace tine
