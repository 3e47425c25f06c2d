#include "ir/filecheck.h"

#include "ir/filecheck_pattern.h"
#include "ir/print.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>

namespace tine {
namespace {

constexpr std::size_t kShownLines = 3;        ///< around a place
constexpr std::size_t kShownBytes = 200;      ///< of a line
constexpr std::size_t kMaxErrors = 100;       ///< of one run; more help nobody
constexpr std::size_t kHintWork = 20'000'000; ///< cells of the tables of distances

/// The lines around a place with `~~~ <--- HERE` under it. \source TorchScript's format
std::string around(llvm::StringRef text, Span span) {
  std::size_t begin = text.rfind('\n', span.begin) + 1; // npos + 1 is 0
  if (span.begin < text.size() && text[span.begin] == '\n')
    begin = span.begin ? text.rfind('\n', span.begin - 1) + 1 : 0;
  std::size_t first = begin;
  for (std::size_t i = 0; i < kShownLines && first > 0; ++i)
    first = first > 1 ? text.rfind('\n', first - 2) + 1 : 0;
  std::string out;
  std::size_t lines = 0;
  for (std::size_t at = first; at < text.size() || at == begin;) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    llvm::StringRef line = text.slice(at, end);
    std::size_t column = at == begin ? span.begin - begin : 0, cut = 0;
    if (column > kShownBytes / 2) cut = column - kShownBytes / 2;
    out += cut ? "..." : "";
    out += line.substr(cut, kShownBytes);
    out += line.size() > cut + kShownBytes ? "...\n" : "\n";
    if (at == begin) {
      std::size_t length = std::max<std::size_t>(1, std::min(span.end, end) - span.begin);
      if (span.begin > end) length = 1;
      out.append(column - cut + (cut ? 3 : 0), ' ');
      out.append(std::min(length, kShownBytes), '~');
      out += " <--- HERE\n";
    } else if (at > begin && ++lines == kShownLines) {
      break;
    }
    at = end + 1;
  }
  return out;
}

std::size_t lineOf(llvm::StringRef text, std::size_t offset) {
  return text.take_front(offset).count('\n') + 1;
}

/// How many edits make `wanted` of some part of `line`. \cost O(wanted * line)
std::size_t distance(llvm::StringRef wanted, llvm::StringRef line) {
  std::vector<std::size_t> costs(wanted.size() + 1);
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = i;
  std::size_t best = wanted.size();
  for (char c : line) {
    std::size_t diagonal = 0;
    for (std::size_t i = 1; i < costs.size(); ++i) {
      std::size_t up = costs[i];
      costs[i] = std::min({diagonal + (wanted[i - 1] != c), up + 1, costs[i - 1] + 1});
      diagonal = up;
    }
    best = std::min(best, costs.back());
  }
  return best;
}

} // namespace

/// One run of the directives over a text.
class FileCheckRun {
public:
  using Kind = FileCheck::Kind;
  using Directive = FileCheck::Directive;

  FileCheckRun(llvm::StringRef text, const std::vector<Directive>& directives) : text_(text) {
    for (const Directive& directive : directives) {
      bool exactly = directive.kind == Kind::CountExactly;
      if (!exactly || directive.count)
        steps_.push_back({&directive, exactly ? Kind::Count : directive.kind});
      if (exactly) steps_.push_back({&directive, Kind::Not});
    }
  }

  Result<Ok> run() {
    if (steps_.empty()) return Error(error_kind::Check, "there are no checks");
    Span previous;
    for (std::size_t i = 0; i < steps_.size() && errors_.empty();) {
      std::size_t end = groupEnd(i);
      if (steps_[i].kind != Kind::Not) {
        previous = match(i, end, previous);
        i = end;
        continue;
      }
      // What must not be there lies between the matches around it.
      Span next{text_.size(), text_.size()};
      std::size_t nextEnd = end;
      if (end < steps_.size()) {
        nextEnd = groupEnd(end);
        next = match(end, nextEnd, previous);
      }
      if (errors_.empty()) refuse(i, end, previous.end, next.begin);
      previous = next;
      i = nextEnd;
    }
    if (!errors_.empty()) return std::move(errors_);
    return Ok{};
  }

  static std::string name(const Directive& directive) {
    switch (directive.kind) {
    case Kind::Check:
      return directive.regex ? "CHECK-REGEX" : "CHECK";
    case Kind::Next:
      return "CHECK-NEXT";
    case Kind::Same:
      return "CHECK-SAME";
    case Kind::Not:
      return "CHECK-NOT";
    case Kind::Dag:
      return "CHECK-DAG";
    case Kind::Count:
      return "CHECK-COUNT-" + std::to_string(directive.count);
    case Kind::CountExactly:
      return "CHECK-COUNT-EXACTLY-" + std::to_string(directive.count);
    case Kind::SourceHighlighted:
      return "CHECK-SOURCE-HIGHLIGHTED";
    }
    TINE_UNREACHABLE("directive");
  }

private:
  struct Step {
    const Directive* directive;
    Kind kind;
  };

  /// NOTs that follow each other are one group, and DAGs.
  std::size_t groupEnd(std::size_t i) const {
    Kind kind = steps_[i].kind;
    if (kind != Kind::Not && kind != Kind::Dag) return i + 1;
    while (i < steps_.size() && steps_[i].kind == kind) ++i;
    return i;
  }

  /// What the group matched; anything after an error.
  Span match(std::size_t begin, std::size_t end, Span previous) {
    Span whole{llvm::StringRef::npos, previous.end};
    for (std::size_t i = begin; i < end && errors_.empty(); ++i) {
      const Directive& directive = *steps_[i].directive;
      switch (steps_[i].kind) {
      case Kind::Check:
      case Kind::Dag:
        extend(whole, find(directive, previous.end));
        break;
      case Kind::Next:
        extend(whole, findNext(directive, previous.end));
        break;
      case Kind::Same: {
        Span found = find(directive, previous.end);
        if (errors_.empty() && text_.slice(previous.end, found.begin).contains('\n'))
          fail(directive,
               "Expected to find " + quoted(directive) + " on the same line but found it on line " +
                   llvm::Twine(lineOf(text_, found.begin)),
               found);
        extend(whole, found);
        break;
      }
      case Kind::Count:
        for (int n = 0; n < directive.count && errors_.empty(); ++n) {
          Span found = find(directive, whole.end);
          extend(whole, found);
          if (found.begin == found.end) break; // the rest is found at the same place
        }
        break;
      case Kind::SourceHighlighted:
        highlighted(directive, previous.end);
        whole = {previous.end, previous.end}; // it looks ahead, and moves nothing
        break;
      case Kind::CountExactly:
      case Kind::Not:
        TINE_UNREACHABLE("not a positive check");
      }
    }
    return whole;
  }

  static void extend(Span& whole, Span found) {
    whole.begin = std::min(whole.begin, found.begin);
    whole.end = std::max(whole.end, found.end);
  }

  Span find(const Directive& directive, std::size_t from) {
    auto pattern = compile(directive);
    if (!pattern) return {};
    if (auto found = pattern->find(text_, from, text_.size(), &variables_)) return *found;
    failToFind(directive, pattern, from);
    return {};
  }

  Span findNext(const Directive& directive, std::size_t from) {
    std::size_t line = text_.find('\n', from);
    if (line == llvm::StringRef::npos) {
      fail(directive,
           "Expected to find " + quoted(directive) +
               " on the next line but there is none\nSearched string:",
           {from, from + 1});
      return {};
    }
    Span found = find(directive, line + 1);
    if (errors_.empty() && text_.slice(line + 1, found.begin).contains('\n'))
      fail(directive,
           "Expected to find " + quoted(directive) + " on the next line but found it on line " +
               llvm::Twine(lineOf(text_, found.begin)),
           found);
    return found;
  }

  void refuse(std::size_t begin, std::size_t end, std::size_t from, std::size_t to) {
    for (std::size_t i = begin; i < end && from <= to && errors_.size() < kMaxErrors; ++i) {
      auto pattern = compile(*steps_[i].directive);
      if (!pattern) return;
      if (auto found = pattern->find(text_, from, to, nullptr))
        fail(*steps_[i].directive,
             "Expected to not find " + quoted(*steps_[i].directive) + " but found it", *found);
    }
  }

  void highlighted(const Directive& directive, std::size_t from) {
    llvm::StringRef token = directive.text;
    std::size_t line = 0, below = 0, belowEnd = 0; // the token's line, the next one and its end
    std::optional<Span> first;
    for (std::size_t at = text_.find(token, from); at != llvm::StringRef::npos;
         at = text_.find(token, at + 1)) {
      Span found{at, at + token.size()};
      if (!first) first = found;
      while (below <= at) {
        line = below;
        below = std::min(text_.find('\n', line), text_.size()) + 1;
        belowEnd = std::min(text_.find('\n', std::min(below, text_.size())), text_.size());
      }
      std::size_t mark = below + (at - line), markEnd = mark + token.size();
      if (markEnd > belowEnd) continue;
      if (text_.slice(mark, markEnd).find_first_not_of('~') != llvm::StringRef::npos) continue;
      bool wider =
          (mark > below && text_[mark - 1] == '~') || (markEnd < belowEnd && text_[markEnd] == '~');
      if (wider)
        fail(directive,
             "Expected to find " + quoted(directive) +
                 " highlighted but more than it is highlighted",
             {mark, markEnd});
      return;
    }
    if (first)
      fail(directive, "Expected to find " + quoted(directive) + " highlighted but it is not",
           *first);
    else
      failToFind(directive, std::nullopt, from);
  }

  std::optional<CheckPattern> compile(const Directive& directive) {
    auto pattern = CheckPattern::compile(directive.text, directive.regex, variables_);
    if (pattern) return *std::move(pattern);
    Error error = pattern.error();
    error.place = directive.place;
    errors_.push_back(std::move(error));
    return std::nullopt;
  }

  std::string quoted(const Directive& directive) const { return "\"" + directive.text + "\""; }

  Error& fail(const Directive& directive, const llvm::Twine& what, Span shown) {
    errors_.emplace_back(
        error_kind::Check,
        (what + "\n" + around(text_, shown) + "From " + name(directive) + ": " + directive.text)
            .str(),
        directive.place);
    return errors_.back();
  }

  void failToFind(const Directive& directive, const std::optional<CheckPattern>& pattern,
                  std::size_t from) {
    Error& error =
        fail(directive,
             "Expected to find " + quoted(directive) + " but did not find it\nSearched string:",
             {from, from + std::max<std::size_t>(1, directive.text.size())});
    auto earlier = pattern ? pattern->find(text_, 0, from, nullptr) : std::nullopt;
    if (earlier) {
      error.notes.push_back({"it is on line " + std::to_string(lineOf(text_, earlier->begin)) +
                                 ", before the place where the search began",
                             {}});
      return;
    }
    hint(error, directive.text, from);
  }

  /// The line that is nearest to what was wanted, when one is near.
  void hint(Error& error, llvm::StringRef wanted, std::size_t from) {
    if (wanted.empty() || wanted.size() > kShownBytes) return;
    std::size_t best = wanted.size() / 3 + 1, number = 0, work = 0;
    llvm::StringRef nearest, rest = text_.substr(from);
    for (std::size_t line = lineOf(text_, from); !rest.empty(); ++line) {
      llvm::StringRef text;
      std::tie(text, rest) = rest.split('\n');
      text = text.take_front(4 * kShownBytes);
      if ((work += text.size() * wanted.size()) > kHintWork) break;
      std::size_t edits = distance(wanted, text);
      if (edits >= best) continue;
      best = edits;
      number = line;
      nearest = text;
    }
    if (number)
      error.notes.push_back({"the nearest is line " + std::to_string(number) + ": " +
                                 nearest.trim().take_front(kShownBytes).str(),
                             {}});
  }

  llvm::StringRef text_;
  std::vector<Step> steps_;
  CheckPattern::Variables variables_;
  std::vector<Error> errors_;
};

FileCheck& FileCheck::add(Directive directive) {
  directives_.push_back(std::move(directive));
  return *this;
}

FileCheck& FileCheck::check(std::string text) { return add({Kind::Check, std::move(text)}); }
FileCheck& FileCheck::checkNext(std::string text) { return add({Kind::Next, std::move(text)}); }
FileCheck& FileCheck::checkSame(std::string text) { return add({Kind::Same, std::move(text)}); }
FileCheck& FileCheck::checkNot(std::string text) { return add({Kind::Not, std::move(text)}); }
FileCheck& FileCheck::checkDag(std::string text) { return add({Kind::Dag, std::move(text)}); }

FileCheck& FileCheck::checkCount(std::string text, int n, bool exactly) {
  TINE_CHECK_MSG(n > 0 || (n == 0 && exactly), "a count of nothing checks nothing");
  return add({exactly ? Kind::CountExactly : Kind::Count, std::move(text), n, {}});
}

FileCheck& FileCheck::checkSourceHighlighted(std::string text) {
  return add({Kind::SourceHighlighted, std::move(text)});
}

FileCheck& FileCheck::checkRegex(std::string regex) {
  return add({Kind::Check, std::move(regex), 1, {}, true});
}

Result<FileCheck> FileCheck::fromComments(llvm::StringRef text, llvm::StringRef file) {
  struct Suffix {
    llvm::StringRef text; ///< between CHECK and the colon; a number stands at the end of counts
    Kind kind;
    bool regex = false;
  };
  static constexpr Suffix kSuffixes[] = {
      {"", Kind::Check},
      {"-NEXT", Kind::Next},
      {"-SAME", Kind::Same},
      {"-NOT", Kind::Not},
      {"-DAG", Kind::Dag},
      {"-COUNT-EXACTLY-", Kind::CountExactly},
      {"-COUNT-", Kind::Count},
      {"-SOURCE-HIGHLIGHTED", Kind::SourceHighlighted},
      {"-REGEX", Kind::Check, true},
  };
  constexpr std::size_t kMaxBlanks = 6;

  FileCheck checks;
  std::vector<Error> errors;
  std::size_t lineStart = 0, lineNumber = 1; // of the directive before: places are found in order
  for (std::size_t at = text.find('#'); at != llvm::StringRef::npos && errors.size() < kMaxErrors;
       at = text.find('#', at)) {
    std::size_t word = text.find_first_not_of(" \t", at + 1);
    if (word == llvm::StringRef::npos) break;
    if (word - at - 1 > kMaxBlanks || !text.substr(word).starts_with("CHECK")) {
      at = std::max(word, at + 1); // `##` is no directive either
      if (text[at] == '#') ++at;
      continue;
    }
    std::size_t end = std::min(text.find('\n', at), text.size());
    llvm::StringRef line = text.slice(word + 5, end).rtrim('\r');
    lineNumber += text.slice(lineStart, word).count('\n');
    lineStart = text.rfind('\n', word) + 1; // npos + 1 is 0
    Place place = placeAt(file, text.slice(lineStart, end), word - lineStart, line.size() + 5);
    place.line = static_cast<std::uint32_t>(lineNumber);
    auto [suffix, rest] = line.split(':');
    at = end;
    const Suffix* found = nullptr;
    int count = 1;
    for (const Suffix& candidate : kSuffixes) {
      bool counts = candidate.text.ends_with("-") && !candidate.text.empty();
      if (counts ? suffix.starts_with(candidate.text) : suffix == candidate.text) {
        found = &candidate;
        if (counts && (suffix.substr(candidate.text.size()).getAsInteger(10, count) || count < 0 ||
                       (count == 0 && candidate.kind == Kind::Count)))
          found = nullptr;
        break;
      }
    }
    if (!found || !rest.starts_with(" ") || suffix.size() == line.size()) {
      std::string known;
      for (const Suffix& candidate : kSuffixes)
        known += (known.empty() ? "CHECK" : ", CHECK") + candidate.text.str() +
                 (candidate.text.ends_with("-") ? "N" : "");
      errors.push_back(Error(error_kind::Syntax, "not a check", place)
                           .note("there are " + known + ", each with `: ` behind it"));
      continue;
    }
    Directive directive{found->kind, rest.substr(1).str(), count, place, found->regex};
    auto pattern = CheckPattern::compile(directive.text, directive.regex, {});
    if (!pattern) {
      Error error = pattern.error();
      error.place = place;
      errors.push_back(std::move(error));
    }
    checks.add(std::move(directive));
  }
  if (!errors.empty()) return errors;
  if (checks.directives_.empty())
    return Error(error_kind::Syntax, "there are no checks; they are comments like `# CHECK: text`",
                 placeAt(file, text, 0));
  return checks;
}

Result<Ok> FileCheck::test(llvm::StringRef text) const {
  return FileCheckRun(text, directives_).run();
}

void FileCheck::run(llvm::StringRef text) const {
  auto result = test(text);
  if (!result) throw RuntimeError(result.error());
}

void FileCheck::run(const Graph& graph) const { run(str(graph)); }

} // namespace tine
