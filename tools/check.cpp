#include "ir/filecheck.h"
#include "tools/command.h"

#include <memory>

namespace tine::tools {
namespace {

struct Options {
  std::string file, checks;
  Selection selection;
};

ExitCode check(const Options& options) {
  if (std::string wrong = options.selection.wrong(); !wrong.empty()) return usage(wrong);
  if (options.file == "-" && options.checks == "-") return usage("stdin can be read only once");
  auto input = readInput(options.file);
  if (!input) return report(input.errors());
  auto checksInput = options.checks.empty() ? Result<Input>(Input{input->name, input->bytes})
                                            : readInput(options.checks);
  if (!checksInput) return report(checksInput.errors());
  auto checks = FileCheck::fromComments(checksInput->bytes, checksInput->name);
  auto unit = loadUnit(*input);
  std::vector<Error> errors;
  if (!checks) errors = checks.takeErrors();
  if (!unit)
    for (Error& error : unit.takeErrors()) errors.push_back(std::move(error));
  if (!errors.empty()) return report(errors);
  if (auto ran = options.selection.runPasses(*unit); !ran) return report(ran.errors());
  auto text = options.selection.printed(*unit);
  if (!text) return report(text.errors());
  auto result = checks->test(*text);
  return result ? kFine : report(result.errors());
}

} // namespace

void addCheck(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand(
      "check", "check the printed graphs against the `# CHECK: ...` comments of the file");
  sub->add_option("FILE", options->file)->required();
  sub->add_option("--checks", options->checks, "take the comments from this file")
      ->type_name("FILE");
  options->selection.addTo(*sub);
  options->selection.addStyleTo(*sub);
  sub->callback([=, &run] { run = [=] { return check(*options); }; });
}

} // namespace tine::tools
