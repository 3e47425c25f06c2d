#include "ir/dot.h"
#include "tools/command.h"

#include <memory>

namespace tine::tools {
namespace {

struct Options {
  std::string file;
  Selection selection;
  bool inlined = false, dot = false;
};

ExitCode print(const Options& options) {
  if (std::string wrong = options.selection.wrong(); !wrong.empty()) return usage(wrong);
  auto input = readInput(options.file);
  if (!input) return report(input.errors());
  auto unit = loadUnit(*input);
  if (!unit) return report(unit.errors());
  if (auto ran = options.selection.runPasses(*unit); !ran) return report(ran.errors());
  if (!options.dot) {
    auto text = options.selection.printed(*unit);
    return text ? write(*text) : report(text.errors());
  }
  auto function = options.selection.in(*unit);
  if (!function) return report(function.errors());
  return write(*function ? dot(*(*function)->graph, (*function)->name) : dot(*unit));
}

} // namespace

void addPrint(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("print", "print the graphs of a file");
  sub->add_option("FILE", options->file)->required();
  options->selection.addTo(*sub);
  options->selection.addStyleTo(*sub);
  sub->add_flag("--inline", options->inlined,
                "calls replaced by what they call, as TorchScript's inlined_graph");
  sub->add_flag("--dot", options->dot, "as a picture for Graphviz's dot");
  sub->callback([=, &run] {
    if (options->inlined) {
      std::vector<std::string>& passes = options->selection.passes;
      passes.insert(passes.begin(), {"inline", "canonicalize"});
    }
    run = [=] { return print(*options); };
  });
}

} // namespace tine::tools
