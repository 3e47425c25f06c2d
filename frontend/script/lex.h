#pragma once

#include "frontend/script/source.h"
#include "support/error.h"

#include <vector>

namespace tine::script {

enum class TokenKind : std::uint8_t {
#define TINE_TOKEN(id, text) id,
#define TINE_SIGN(id, text) id,
#define TINE_KEYWORD(id, text) id,
#include "frontend/script/tokens.def"
};
/// As messages say it: `a name`, `'+='`.
std::string describe(TokenKind kind);

/// Signs, keywords and names are their text; a string's range has its prefix and quotes.
struct Token {
  TokenKind kind = TokenKind::End;
  Range range;
};

/// The tokens of a text, as Python sees them: Newline ends a line that is not joined to the next,
/// Indent and Dedent enclose a block, comments are gone.
///
///   Tokens tokens = lex(source, errors);
///   tokens.list.back().kind       // TokenKind::End
struct Tokens {
  std::vector<Token> list;
  std::vector<Range> typeComments; ///< what follows `# type:`, in order
  std::vector<Range> unclosed; ///< from a bracket without its other half to where it was given up
};

/// Most errors that one reading of a text reports.
inline constexpr std::size_t kMaxErrors = 50;

/// In the order of the text, the first kMaxErrors of them.
void sortErrors(std::vector<Error>& errors);

/// Never fails: what is no token becomes Wrong, with an error. \cost O(bytes)
Tokens lex(const Source& source, std::vector<Error>& errors);
/// The tokens of a part, in which newlines are blanks: what stands in an f-string's braces, or in a
/// type comment.
Tokens lexPart(const Source& source, Range part, std::vector<Error>& errors);

} // namespace tine::script
