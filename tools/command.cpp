#include "tools/command.h"

#include "frontend/script/code.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/pass.h"
#include "support/printable.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace tine::tools {
namespace {

constexpr std::size_t kMaxShown = 100; ///< errors

} // namespace

ExitCode report(std::vector<Error> errors, SourceLines lines) {
  std::string text;
  for (std::size_t i = 0; i < errors.size() && i < kMaxShown; ++i)
    text += lines.shown(std::move(errors[i])).str();
  if (errors.size() > kMaxShown)
    text += "... and " + std::to_string(errors.size() - kMaxShown) + " more errors\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
  return kWrong;
}

ExitCode usage(const std::string& message) {
  std::string text = "tine: ";
  appendPrintable(text, message);
  text += "\ntry `tine --help`\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
  return kUsage;
}

ExitCode write(llvm::StringRef text) {
  std::fflush(stdout); // what the program printed comes before its result
  while (!text.empty()) {
    ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      if (errno == EPIPE) return kWrong; // `tine print FILE | head`
      return report(
          Error(error_kind::Io, std::string("cannot write to stdout: ") + std::strerror(errno)));
    }
    text = text.drop_front(static_cast<std::size_t>(written));
  }
  return kFine;
}

std::string nearest(llvm::StringRef name, llvm::ArrayRef<std::string> candidates) {
  const std::size_t letters = name.ltrim("-").size(); // `--nope` is not `--save`
  unsigned best = static_cast<unsigned>(std::min<std::size_t>(letters, 60) / 3 + 1);
  const std::string* found = nullptr;
  for (const std::string& candidate : candidates) {
    unsigned distance = name.take_front(200).edit_distance(candidate, true, best);
    if (distance > best || (found && distance == best)) continue;
    best = distance;
    found = &candidate;
  }
  return found ? "; did you mean `" + *found + "`?" : "";
}

void Selection::addTo(CLI::App& sub) {
  sub.add_option("--function", function, "the function of the file")->type_name("NAME");
  sub.add_option("--method", method, "the method of the module")->type_name("NAME");
  sub.add_option("--passes", passes,
                 "what is done to the graph first (none); `tine passes` lists them")
      ->delimiter(',')
      ->type_name("a,b|default|none");
  sub.add_option("--print-after", printAfter, "print the graphs to stderr after these passes")
      ->delimiter(',')
      ->type_name("a,b|all");
}

void Selection::addStyleTo(CLI::App& sub) {
  sub.add_option("--style", style,
                 "compat: as TorchScript prints; lossless: nothing is lost; code: source")
      ->type_name("compat|lossless|code");
  sub.add_flag("--no-locations", noLocations, "without `# file:line:column`");
}

PrintOptions Selection::printOptions() const {
  return {style == "lossless" ? Style::Lossless : Style::Compat, !noLocations};
}

Result<std::string> Selection::printed(const CompilationUnit& unit) const {
  TINE_TRY(const NamedGraph* selected, in(unit));
  const auto ops = OpSet::sharedBuiltin();
  if (style == "code")
    return selected ? script::code(*selected, *ops, {"", &unit}) : script::code(unit, *ops);
  std::string text;
  if (selected)
    tine::print(text, *selected->graph, printOptions(), selected->name);
  else
    tine::print(text, unit, printOptions());
  return text;
}

std::string Selection::wrong() const {
  const std::vector<std::string> styles{"compat", "lossless", "code"};
  if (!llvm::is_contained(styles, style))
    return "there is no style `" + style + "`" + nearest(style, styles);
  if (!function.empty() && !method.empty()) return "--function and --method exclude each other";
  for (const auto* names : {&passes, &printAfter})
    if (auto known = parsePasses(llvm::join(*names, ",")); !known)
      if (*names != std::vector<std::string>{"all"} || names == &passes)
        return known.error().message;
  return "";
}

Result<Ok> Selection::runPasses(CompilationUnit& unit) const {
  TINE_TRY(std::vector<Pass> wanted, parsePasses(llvm::join(passes, ",")));
  PassOptions options;
  options.after = [&](const Pass& pass, const CompilationUnit& after, bool changed) {
    if (!llvm::is_contained(printAfter, "all") && !llvm::is_contained(printAfter, pass.name))
      return;
    std::string text = "# after " + pass.name.str() + (changed ? "\n" : ": unchanged\n");
    if (changed) tine::print(text, after, printOptions());
    std::fputs(text.c_str(), stderr);
  };
  return tine::runPasses(unit, *OpSet::sharedBuiltin(), wanted, options);
}

Result<const NamedGraph*> Selection::in(const CompilationUnit& unit) const {
  if (function.empty() && method.empty()) return static_cast<const NamedGraph*>(nullptr);
  std::vector<std::string> names;
  std::vector<const NamedGraph*> found;
  for (const NamedGraph& candidate : unit.functions()) {
    llvm::StringRef name = candidate.name;
    bool matches = method.empty() ? name == function : name.rsplit('.').second == method;
    if (matches && (method.empty() || name.contains('.'))) found.push_back(&candidate);
    if (method.empty() || name.contains('.'))
      names.push_back(method.empty() ? name.str() : name.rsplit('.').second.str());
  }
  if (found.size() == 1) return found[0];
  const std::string& wanted = method.empty() ? function : method;
  std::string what = method.empty() ? "function" : "method";
  if (found.empty())
    return Error(error_kind::Schema,
                 "there is no " + what + " `" + wanted + "`" + nearest(wanted, names));
  return Error(error_kind::Schema, "several classes have the method `" + wanted +
                                       "`: name one as --function=CLASS." + wanted);
}

} // namespace tine::tools
