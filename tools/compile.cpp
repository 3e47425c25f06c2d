#include "tools/command.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

namespace tine::tools {
namespace {

struct Options {
  std::string file, out;
  Selection selection;
};

/// The style in which a file of that name is written; empty for none.
std::string styleOf(llvm::StringRef out) {
  if (out == "-" || out.ends_with(".ir")) return "lossless";
  return out.ends_with(".py") ? "code" : "";
}

ExitCode compile(Options options) {
  if (std::string wrong = options.selection.wrong(); !wrong.empty()) return usage(wrong);
  const std::string& out = options.out;
  options.selection.style = styleOf(out);
  if (options.selection.style.empty()) {
    if (llvm::StringRef(out).ends_with(".pt"))
      return report(Error(error_kind::Unsupported,
                          "cannot write " + out + ": archives are not supported yet"));
    return usage("`" + out + "` is no file that is written: OUT.ir, OUT.py or `-`");
  }
  auto input = readInput(options.file);
  if (!input) return report(input.errors());
  auto unit = loadUnit(*input);
  if (!unit) return report(unit.errors());
  if (auto ran = options.selection.runPasses(*unit); !ran) return report(ran.errors());
  auto text = options.selection.printed(*unit);
  if (!text) return report(text.errors());
  if (out == "-") return write(*text);
  std::ofstream stream(out, std::ios::binary);
  stream << *text;
  stream.close();
  if (stream) return kFine;
  return report(Error(error_kind::Io, "cannot write " + out + ": " + std::strerror(errno)));
}

} // namespace

void addCompile(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* sub =
      app.add_subcommand("compile", "write a file in another form: source as graphs, or back");
  sub->add_option("FILE", options->file)->required();
  sub->add_option("-o", options->out, "graph text that loses nothing (.ir, `-`), or source (.py)")
      ->type_name("OUT.ir|OUT.py")
      ->required();
  options->selection.addTo(*sub);
  sub->callback([=, &run] { run = [=] { return compile(*options); }; });
}

} // namespace tine::tools
