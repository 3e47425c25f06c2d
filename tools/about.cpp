#include "llvm/ADT/StringExtras.h"
#include "passes/pass.h"
#include "tools/command.h"

#include <algorithm>

namespace tine::tools {

void addPasses(CLI::App& app, Run& run) {
  CLI::App* sub = app.add_subcommand("passes", "list the passes");
  sub->callback([&run] {
    run = [] {
      std::size_t width = 0;
      for (const Pass& pass : allPasses()) width = std::max(width, pass.name.size());
      std::string text;
      for (const Pass& pass : allPasses())
        text += pass.name.str() + std::string(width - pass.name.size() + 2, ' ') + pass.doc.str() +
                "\n";
      text += "default: " + llvm::join(defaultPipeline(), ",") + "\n";
      return write(text);
    };
  });
}

void addVersion(CLI::App& app, Run& run) {
  CLI::App* sub = app.add_subcommand("version", "print the version");
  sub->callback([&run] { run = [] { return write("tine " TINE_VERSION "\n"); }; });
}

} // namespace tine::tools
