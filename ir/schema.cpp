#include "ir/schema.h"

#include "ir/parse_parts.h"
#include "ir/print_parts.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

namespace tine {
namespace {

bool isNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == ':';
}

/// Reads `name.overload(arguments) -> results`.
class SchemaReader {
public:
  SchemaReader(Context& context, llvm::StringRef text)
      : lex_(text, "<schema>"), context_(context), types_(lex_, context, TypeReader::Words::Schema),
        literals_(lex_, types_) {}

  Result<Schema> schema() {
    Schema out;
    if (!name(out) || !arguments(out) || !results(out)) return lex_.takeErrors();
    lex_.skipSpace();
    if (!lex_.atEnd()) lex_.expected("the end of the schema");
    if (lex_.failed()) return lex_.takeErrors();
    return out;
  }

private:
  bool name(Schema& out) {
    lex_.skipSpace();
    llvm::StringRef text = lex_.rest().take_while(isNameChar);
    if (text.empty()) return lex_.expected("an operator's name");
    lex_.advance(text.size());
    std::size_t colons = text.find("::");
    std::size_t dot = text.find('.', colons == llvm::StringRef::npos ? 0 : colons);
    out.name = text.take_front(dot).str();
    if (dot != llvm::StringRef::npos) out.overload = text.drop_front(dot + 1).str();
    const std::size_t start = lex_.offset() - text.size();
    if (out.name.empty()) return lex_.error(start, text.size(), "an operator without a name");
    if (dot != llvm::StringRef::npos && out.overload.empty())
      return lex_.error(start, text.size(), "an overload without a name");
    return true;
  }

  bool arguments(Schema& out) {
    if (!lex_.take('(')) return lex_.expected("'('");
    bool keywordOnly = false;
    lex_.skipSpace();
    for (bool first = true; !lex_.take(')'); first = false) {
      if (!first) {
        if (!lex_.take(',')) return lex_.expected("',' or ')'");
        lex_.skipSpace();
      }
      if (out.varargs) return lex_.expected("')' after '...'");
      if (lex_.take("...")) {
        out.varargs = true;
      } else if (lex_.take('*')) {
        if (keywordOnly) return lex_.error(lex_.offset() - 1, 1, "a second '*'");
        keywordOnly = true;
      } else {
        Argument argument;
        argument.keywordOnly = keywordOnly;
        if (!readArgument(argument, true)) return false;
        if (out.find(argument.name) >= 0)
          return lex_.error(lex_.offset() - 1, 1,
                            "a second argument named '" + argument.name + "'");
        out.arguments.push_back(std::move(argument));
      }
      lex_.skipSpace();
    }
    return true;
  }

  bool results(Schema& out) {
    lex_.skipSpace();
    if (!lex_.take("->")) return lex_.expected("'->'");
    lex_.skipSpace();
    if (lex_.take("...")) return out.varresults = true;
    if (!lex_.take('(')) {
      out.results.emplace_back();
      return readArgument(out.results.back(), false);
    }
    lex_.skipSpace();
    while (!lex_.take(')')) {
      if (!out.results.empty() || out.varresults) {
        if (out.varresults || !lex_.take(',')) return lex_.expected("',' or ')'");
        lex_.skipSpace();
      }
      if (lex_.take("...")) {
        out.varresults = true;
      } else {
        Argument result;
        if (!readArgument(result, false)) return false;
        out.results.push_back(std::move(result));
      }
      lex_.skipSpace();
    }
    return true;
  }

  /// `Tensor(a!)[] name=default`
  bool readArgument(Argument& out, bool named) {
    out.type = types_.primary();
    if (!out.type || !alias(out)) return false;
    for (;;) {
      if (lex_.peek() == '[' && lex_.peek(1) >= '0' && lex_.peek(1) <= '9') {
        lex_.advance();
        std::size_t start = lex_.offset();
        out.listSize = readInt64(lex_.digits());
        if (!out.listSize || *out.listSize > 1000)
          return lex_.error(start, lex_.offset() - start, "a list's size out of range");
        if (!lex_.take(']')) return lex_.expected("']'");
        out.type = listOf(context_, out.type);
      } else {
        const Type* longer = types_.suffixes(out.type);
        if (!longer) return false;
        if (longer == out.type) break;
        out.type = longer;
      }
    }
    if (!alias(out)) return false;
    lex_.skipBlanks();
    std::size_t nameStart = lex_.offset();
    out.name = lex_.identifier().str();
    if (!named) return true;
    if (out.name.empty()) {
      lex_.moveTo(nameStart);
      return lex_.expected("an argument's name");
    }
    lex_.skipBlanks();
    if (!lex_.take('=')) return true;
    lex_.skipBlanks();
    return defaultValue(out);
  }

  /// `(a)`, `(a!)`, `(a -> *)`, `(a|b)`: the memory that the argument shares.
  bool alias(Argument& out) {
    if (lex_.peek() != '(') return true;
    std::size_t start = lex_.offset();
    if (!out.aliasSet.empty()) return lex_.error(start, 1, "a second alias set");
    std::size_t close = lex_.restOfLine().find(')');
    if (close == llvm::StringRef::npos) return lex_.expected("')'");
    llvm::StringRef inside = lex_.restOfLine().slice(1, close);
    lex_.advance(close + 1);
    out.written = inside.contains('!');
    // What the memory becomes after the call is not kept.
    llvm::StringRef set = inside.split("->").first;
    for (char c : set) {
      if (c == '!' || c == ' ') continue;
      if (c != '*' && c != '|' && (c == '.' || c == ':' || !isNameChar(c)))
        return lex_.error(start, close + 1, "an alias set holds names and '*' between '|'");
      out.aliasSet += c;
    }
    if (out.aliasSet.empty()) return lex_.error(start, close + 1, "an alias set without a name");
    return true;
  }

  bool defaultValue(Argument& out) {
    const std::size_t start = lex_.offset();
    std::optional<std::int64_t> constant =
        llvm::StringSwitch<std::optional<std::int64_t>>(lex_.peekIdentifier())
            .Cases("contiguous_format", "strided", 0)
            .Case("preserve_format", 1)
            .Case("Mean", 1)
            .Case("Sum", 2)
            .Case("long", 4)
            .Default(std::nullopt);
    if (constant) {
      lex_.identifier();
      out.defaultValue = IValue(*constant);
    } else {
      out.defaultValue = literals_.literal(
          out.type->is(TypeKind::List) && lex_.peek() != '[' ? out.type->element() : out.type);
      if (!out.defaultValue) return false;
    }
    if (out.type->is(TypeKind::Bool) && out.defaultValue->isInt())
      out.defaultValue = IValue(out.defaultValue->toInt() != 0);
    // One int stands for a whole list of known size.
    const Type* type = out.type->is(TypeKind::Optional) ? out.type->element() : out.type;
    if (type->is(TypeKind::List) && !out.defaultValue->isList() && !out.defaultValue->isNone() &&
        out.listSize)
      out.defaultValue = IValue::list(
          std::vector<IValue>(static_cast<std::size_t>(*out.listSize), *out.defaultValue));
    return fitsDefault(*out.defaultValue, out.type) ||
           lex_.error(start, lex_.offset() - start,
                      "the default of '" + out.name + "' is no " + out.type->str());
  }

  static bool fitsDefault(const IValue& value, const Type* type) {
    if (type->is(TypeKind::Optional)) return value.isNone() || fitsDefault(value, type->element());
    if (type->is(TypeKind::Int)) return value.isInt();
    if (type->is(TypeKind::Float)) return value.isInt() || value.isDouble();
    if (type->is(TypeKind::Bool)) return value.isBool();
    if (type->is(TypeKind::Str)) return value.isString();
    if (type->is(TypeKind::Number)) return value.isNumber();
    if (type->is(TypeKind::List))
      return value.isList() && llvm::all_of(value.toList().items, [&](const IValue& item) {
               return fitsDefault(item, type->element());
             });
    return true;
  }

  Lexer lex_;
  Context& context_;
  TypeReader types_;
  LiteralReader literals_;
};

void append(std::string& out, const Argument& argument) {
  std::string type;
  argument.type->printPlain(type);
  llvm::StringRef text = type;
  std::size_t suffix = text.size();
  while (suffix > 0 &&
         (text[suffix - 1] == '?' || text[suffix - 1] == ']' || text[suffix - 1] == '['))
    --suffix;
  out += text.take_front(suffix);
  if (!argument.aliasSet.empty()) {
    out += '(' + argument.aliasSet;
    if (argument.written) out += '!';
    out += ')';
  }
  llvm::StringRef brackets = text.drop_front(suffix);
  if (argument.listSize && brackets.consume_front("[]"))
    out += '[' + std::to_string(*argument.listSize) + ']';
  out += brackets;
  if (!argument.name.empty()) out += ' ' + argument.name;
  if (argument.defaultValue) {
    out += '=';
    printValue(out, *argument.defaultValue, nullptr, Style::Lossless);
  }
}

} // namespace

std::string Schema::str() const {
  std::string out = name;
  if (!overload.empty()) out += '.' + overload;
  out += '(';
  const char* separator = "";
  bool keywordOnly = false;
  for (const Argument& argument : arguments) {
    out += separator;
    if (argument.keywordOnly && !keywordOnly) out += "*, ";
    keywordOnly = argument.keywordOnly;
    append(out, argument);
    separator = ", ";
  }
  if (varargs) out += std::string(separator) + "...";
  out += ") -> ";
  if (results.empty() && varresults) return out + "...";
  // A tuple alone would read as several results.
  bool parentheses = results.size() != 1 || varresults || results[0].type->str()[0] == '(';
  if (parentheses) out += '(';
  separator = "";
  for (const Argument& result : results) {
    out += separator;
    append(out, result);
    separator = ", ";
  }
  if (varresults) out += std::string(separator) + "...";
  if (parentheses) out += ')';
  return out;
}

int Schema::find(llvm::StringRef argument) const {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].name == argument) return static_cast<int>(i);
  return -1;
}

Result<Schema> parseSchema(Context& context, llvm::StringRef text) {
  return SchemaReader(context, text).schema();
}

} // namespace tine
