#pragma once

#include "CLI/CLI.hpp"
#include "ir/print.h"
#include "ir/unit.h"
#include "support/lines.h"
#include "support/result.h"

#include <functional>
#include <string>
#include <vector>

namespace tine::tools {

/// How the command ends.
enum ExitCode : int {
  kFine = 0,
  kWrong = 1, ///< the program or the input is wrong
  kUsage = 2, ///< the command line is wrong
  kBug = 3,   ///< Tine is wrong
};

/// One subcommand: its options are in `add`, its work in the function that runs afterwards.
///
///   void addPrint(CLI::App& app, Run& run) {
///     auto options = std::make_shared<Options>();
///     CLI::App* sub = app.add_subcommand("print", "...");
///     sub->add_option("FILE", options->file)->required();
///     sub->callback([=, &run] { run = [=] { return print(*options); }; });
///   }
using Run = std::function<ExitCode()>;
void addPrint(CLI::App& app, Run& run);
void addRun(CLI::App& app, Run& run);
void addCheck(CLI::App& app, Run& run);
void addCompile(CLI::App& app, Run& run);
void addPasses(CLI::App& app, Run& run);
void addOps(CLI::App& app, Run& run);
void addVersion(CLI::App& app, Run& run);

/// What CLI11 must not look into: arguments of `tine run`, which may begin with `-` or `[`. They
/// are marked before it sees them.
inline constexpr char kArgumentMark = '\1';

/// Prints the errors, several places and carets each, and returns kWrong. `lines` knows the texts
/// at hand.
ExitCode report(std::vector<Error> errors, SourceLines lines = SourceLines());
inline ExitCode report(Error error, SourceLines lines = SourceLines()) {
  return report(std::vector<Error>{std::move(error)}, std::move(lines));
}
/// Prints a message about the command line and returns kUsage.
ExitCode usage(const std::string& message);

/// Writes to stdout. A reader that has gone ends the command quietly. \errors IoError
ExitCode write(llvm::StringRef text);

/// `did you mean x?` for the nearest name, when one is near; else empty.
std::string nearest(llvm::StringRef name, llvm::ArrayRef<std::string> candidates);

// ---- input --------------------------------------------------------------------------------------

/// What a file holds, known by its content; of text, by its name too.
enum class InputKind { Graph, Source, Archive };

struct Input {
  std::string name; ///< as messages say it; `<stdin>` for `-`
  std::string bytes;
  InputKind kind = InputKind::Graph;
};

/// Reads a file, or stdin for `-`. \errors IoError: missing, a directory, larger than 1 GiB;
/// UnsupportedError: a format that is none of ours, by its name
Result<Input> readInput(const std::string& path);

/// The functions of a file. \errors of the parser; UnsupportedError for a kind that is not taken
/// yet
Result<CompilationUnit> loadUnit(const Input& input);

/// Options that say which function, and how it is printed.
struct Selection {
  std::string function, method;
  std::vector<std::string> passes, printAfter;
  std::string style = "compat";
  bool noLocations = false;

  void addTo(CLI::App& sub);
  void addStyleTo(CLI::App& sub);
  PrintOptions printOptions() const;
  /// The chosen function, or all, in the chosen style. \errors SchemaError, UnsupportedError
  Result<std::string> printed(const CompilationUnit& unit) const;
  /// A message when an option has a value that does not exist.
  std::string wrong() const;
  /// Runs the passes; after those of --print-after the unit goes to stderr. \errors VerifyError
  Result<Ok> runPasses(CompilationUnit& unit) const;
  /// The function that is meant, or null for all. \errors SchemaError with near names
  Result<const NamedGraph*> in(const CompilationUnit& unit) const;
};

} // namespace tine::tools
