#include "tools/command.h"
namespace tine::tools {
void addRun(CLI::App&, Run&) {}
} // namespace tine::tools
