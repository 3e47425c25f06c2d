// From nothing to the end of a process: `tine version`; a process that uses libtorch to compile a
// small function and call it; and, as the floor, `true`.
#include "bench/bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tine::bench {
namespace {

/// Runs a program and gives its exit code.
double spawn(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) throw std::runtime_error("cannot start " + command[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void add(const std::string& name, const std::vector<std::string>& command) {
  row(name, 1, 0, [=]() -> Batch { return [=] { return spawn(command); }; });
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine::bench;
  if (argc == 2 && std::string(argv[1]) == "--torchscript")
    return torchScriptOnce(
               {.file = "dispatch", .function = "inc", .arguments = {std::int64_t(41)}}) != 42;
#ifdef TINE_COMMAND
  add("Start/Version/tine", {TINE_COMMAND, "version"});
#endif
#ifdef TINE_HAVE_LIBTORCH
  add("Start/Version/torchscript", {argv[0], "--torchscript"});
#endif
  add("Start/Version/true", {"true"});
  return run(argc, argv);
}
