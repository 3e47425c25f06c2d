#include "tools/command.h"

namespace tine::tools {

void addPasses(CLI::App& app, Run& run) {
  CLI::App* sub = app.add_subcommand("passes", "list the passes");
  sub->callback([&run] { run = [] { return kFine; }; });
}

void addVersion(CLI::App& app, Run& run) {
  CLI::App* sub = app.add_subcommand("version", "print the version");
  sub->callback([&run] { run = [] { return write("tine " TINE_VERSION "\n"); }; });
}

} // namespace tine::tools
