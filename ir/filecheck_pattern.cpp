#include "ir/filecheck_pattern.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>

namespace tine {
namespace {

constexpr std::size_t kMaxRegex = 1000;
constexpr std::size_t kMaxExpression = std::size_t(16) << 20;
constexpr int kMaxGroups = 50;
constexpr std::int64_t kMaxRepeats = 10000;

Error refused(llvm::StringRef regex, const llvm::Twine& why) {
  return Error(error_kind::Syntax,
               ("the regex `" + regex.take_front(kMaxRegex) + "` " + why).str());
}

/// What would make the automaton large or its construction deep.
std::optional<Error> refuse(llvm::StringRef regex) {
  if (regex.size() > kMaxRegex) return refused(regex, "is longer than 1000 bytes");
  int depth = 0;
  std::int64_t repeats = 1;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    char c = regex[i];
    if (c == '\\') {
      if (++i < regex.size() && llvm::isDigit(regex[i]))
        return refused(regex, "has a back reference");
    } else if (c == '[') { // a class: to its end, a `]` in front is a member
      std::size_t end = regex.find(']', i + (regex.substr(i + 1).starts_with("^") ? 3 : 2));
      while (end != llvm::StringRef::npos &&
             regex.slice(i + 1, end).count("[:") >
                 regex.slice(i + 1, end).count(":]") + regex.slice(i + 1, end + 1).ends_with(":]"))
        end = regex.find(']', end + 1);
      if (end == llvm::StringRef::npos) break; // malformed; the compiler says it
      i = end;
    } else if (c == '(') {
      if (++depth > kMaxGroups) return refused(regex, "is nested too deeply");
    } else if (c == ')') {
      --depth;
    } else if (c == '{') {
      std::int64_t most = 1;
      auto [low, high] = regex.substr(i + 1).split('}').first.split(',');
      std::int64_t number;
      if (!low.getAsInteger(10, number)) most = std::max(most, number);
      if (!high.getAsInteger(10, number)) most = std::max(most, number);
      if (most > kMaxRepeats || (repeats *= most) > kMaxRepeats)
        return refused(regex, "repeats too much");
    }
  }
  return std::nullopt;
}

/// Where the first `{{` or `[[` is; the size when there is none.
std::size_t specialIn(llvm::StringRef text) {
  for (std::size_t at = 0; (at = text.find_first_of("{[", at)) != llvm::StringRef::npos; ++at)
    if (text.substr(at + 1).starts_with(text.substr(at, 1))) return at;
  return text.size();
}

/// The name that the text begins with, or nothing.
llvm::StringRef nameIn(llvm::StringRef text) {
  if (text.empty() || llvm::isDigit(text[0])) return {};
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Where the regex of a `[[NAME:regex]]` ends: at a `]` that closes nothing, such as the `]` of a
/// class; the size when there is none, and something above kMaxRegex when that is far.
std::size_t regexIn(llvm::StringRef text) {
  std::size_t depth = 0, end = 0;
  for (; end < text.size() && end <= kMaxRegex; ++end) {
    if (text[end] == '\\') {
      ++end;
    } else if (text[end] == '[') {
      ++depth;
    } else if (text[end] == ']') {
      if (depth == 0) break;
      --depth;
    }
  }
  return end;
}

} // namespace

Result<Ok> CheckPattern::addRegex(std::string& expression, llvm::StringRef regex) {
  if (auto error = refuse(regex)) return *std::move(error);
  llvm::Regex compiled(regex, llvm::Regex::Newline);
  std::string why;
  if (!compiled.isValid(why)) return refused(regex, "is malformed: " + why);
  groups_ += compiled.getNumMatches();
  expression.append("(").append(regex).append(")");
  ++groups_;
  return Ok{};
}

Result<CheckPattern> CheckPattern::compile(llvm::StringRef text, bool isRegex,
                                           const Variables& variables) {
  CheckPattern pattern;
  std::string expression;
  bool special = isRegex;
  if (isRegex) {
    TINE_TRY(Ok ok, pattern.addRegex(expression, text));
    static_cast<void>(ok);
    text = {};
  }
  auto plain = [&](llvm::StringRef part) {
    pattern.literal_ += part;
    expression += llvm::Regex::escape(part);
    pattern.multiline_ |= part.contains('\n');
  };
  const std::size_t lastBraces =
      text.rfind("}}"); // as an end of the text: the text is cut in front
  const std::size_t size = text.size();
  while (!text.empty()) {
    std::size_t at = specialIn(text);
    plain(text.take_front(at));
    text = text.substr(at);
    if (text.empty()) break;
    if (text[0] == '{') {
      bool closed = lastBraces != llvm::StringRef::npos && size - text.size() + 2 <= lastBraces;
      if (closed) {
        std::size_t end = text.find("}}", 2);
        while (text.substr(end + 1).starts_with("}}")) ++end; // `{{a{2}}}` ends at the last brace
        TINE_TRY(Ok ok, pattern.addRegex(expression, text.slice(2, end)));
        static_cast<void>(ok);
        special = true;
        text = text.substr(end + 2);
        continue;
      }
    } else {
      llvm::StringRef name = nameIn(text.substr(2)), rest = text.substr(2 + name.size());
      if (!name.empty() && rest.consume_front(":")) {
        std::size_t end = regexIn(rest);
        if (end > kMaxRegex) return refused(rest, "is longer than 1000 bytes");
        if (rest.substr(end).starts_with("]]")) {
          pattern.captures_.push_back({name.str(), pattern.groups_ + 1});
          TINE_TRY(Ok ok, pattern.addRegex(expression, rest.take_front(end)));
          static_cast<void>(ok);
          special = true;
          text = rest.substr(end + 2);
          continue;
        }
      } else if (!name.empty() && rest.consume_front("]]")) {
        if (auto value = variables.find(name); value != variables.end()) {
          plain(value->second);
          if (expression.size() > kMaxExpression)
            return Error(error_kind::Syntax, "a check for more than 16 MiB");
          text = rest;
          continue;
        }
      }
    }
    plain(text.take_front(2));
    text = text.substr(2);
  }
  if (!special) return pattern;
  pattern.regex_ = std::make_shared<llvm::Regex>(expression, llvm::Regex::Newline);
  std::string why;
  if (!pattern.regex_->isValid(why)) return refused(expression, "is malformed: " + why);
  return pattern;
}

std::optional<Span> CheckPattern::find(llvm::StringRef text, std::size_t from, std::size_t to,
                                       Variables* variables) const {
  llvm::StringRef searched = text.take_front(to);
  if (from > searched.size()) return std::nullopt;
  if (!regex_) {
    std::size_t at = literal_.empty() ? from : searched.find(literal_, from);
    if (at == llvm::StringRef::npos) return std::nullopt;
    return Span{at, at + literal_.size()};
  }
  llvm::SmallVector<llvm::StringRef, 4> groups;
  while (true) {
    std::size_t lineEnd = multiline_ ? llvm::StringRef::npos : searched.find('\n', from);
    if (regex_->match(searched.slice(from, lineEnd), &groups)) break;
    if (lineEnd == llvm::StringRef::npos) return std::nullopt;
    from = lineEnd + 1;
  }
  for (const auto& [name, group] : captures_)
    if (variables) (*variables)[name] = groups[group].str();
  std::size_t at = static_cast<std::size_t>(groups[0].data() - text.data());
  return Span{at, at + groups[0].size()};
}

} // namespace tine
